import { type PageAssets, renderReport } from "../../html.ts";
import type { EpisodeBrowser, ReportSection } from "../../report-data.ts";
import type { WorkplaceReportData } from "../report-data.ts";
import { comparisonFigures } from "./comparison-figures.ts";
import { messageFigures } from "./message-figures.ts";
import { readWorkplaceAssets } from "./page-assets.ts";
import { comparisonTable, talkTables, timeTables, workTables } from "./tables.ts";
import { speedUpFigures, teamFigures } from "./team-figures.ts";

/**
 * The report of the workplace as one HTML file that needs nothing else; all but the episodes can be read without
 * JavaScript. All texts are escaped.
 * @throws ColloquyError `report/page` where no assets are given and the package was not built whole
 */
export function renderWorkplaceReport(data: WorkplaceReportData, assets: PageAssets = readWorkplaceAssets()): string {
  const { title, headline, command, facts = [], episodes } = data;
  return renderReport(
    {
      title,
      headline: headline.join("\n\n"),
      facts: [["Command", command], ...facts],
      sections: sectionsOf(data),
      // The shell hands it on as it is; the page's script knows what it is.
      browser: episodes as unknown as EpisodeBrowser,
    },
    assets,
  );
}

function sectionsOf({ rows, comparisons, sections = [], main = "learned" }: WorkplaceReportData): ReportSection[] {
  const speedUps = speedUpFigures(rows, main);
  const messages = messageFigures(rows, main);
  return [
    {
      heading: "Time and what talking costs",
      text: "Hours to completion are of project time, over the episodes that were completed; hours of communication are of people's time, summed over the team.",
      figures: teamFigures(rows, main),
      tables: timeTables(rows),
    },
    ...(speedUps.length === 0 ? [] : [{ heading: "Speed-up by team size", figures: speedUps }]),
    ...(messages.length === 0 ? [] : [{ heading: "What was said", figures: messages }]),
    ...sections,
    ...(comparisons.length === 0
      ? []
      : [
          {
            heading: "Comparisons",
            text: "Differences on the same projects, below 0 where the method takes less; unfinished episodes count as the limit.",
            figures: comparisonFigures(comparisons, main),
            tables: [{ title: "Paired differences with 95 % intervals", table: comparisonTable(comparisons) }],
          },
        ]),
    {
      heading: "Understanding, work and answers",
      tables: [...workTables(rows), ...talkTables(rows)],
    },
  ];
}
