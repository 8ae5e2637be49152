import { type Claim, type Judged, judgeClaims } from "./workplace-claims.ts";
import type { Figures } from "./workplace-figures.ts";
import { hoursClaims } from "./workplace-hours.ts";
import { origins } from "./workplace-origins.ts";
import { talkClaims } from "./workplace-talk.ts";

const sections: Readonly<Record<string, readonly Claim[]>> = { ...hoursClaims, ...talkClaims };

/** The claims of every section, judged. */
export const judgeSections = (figures: Figures): Readonly<Record<string, readonly Judged[]>> =>
  Object.fromEntries(Object.entries(sections).map(([title, claims]) => [title, judgeClaims(claims, figures)]));

/** The page beside C2C's numbers. @param played how much was played, in words */
export function pageBlocks(judged: Readonly<Record<string, readonly Judged[]>>, played: string): string[] {
  const all = Object.values(judged).flat();
  const missed = all.filter(({ verdict }) => verdict === "missed");
  const counts = Object.values(origins)
    .map(({ came }) => came)
    .filter((came, i, names) => names.indexOf(came) === i)
    .map((came) => {
      const own = all.filter((line) => line.came === came);
      return `${came}: ${own.filter(({ verdict }) => verdict === "holds").length} of ${own.length}`;
    });
  return [
    "# The workplace beside C2C's published numbers",
    `${played} Hours are means over the finished episodes, as C2C's are. Intervals are 95 % by a bootstrap over projects and seeds. Tolerances were set before the world was built, except those marked as added, which came with this table. What C2C publishes without a number is judged as it stands, by the means.`,
    `**${all.length - missed.length} of ${all.length} lines hold** (${counts.join("; ")}). ${missed.length} are missed, and stand as they came out.`,
    ...Object.entries(judged).map(([title, lines]) => `## ${title}\n\n${lineTable(lines)}`),
    `## How each came\n\n${Object.values(origins)
      .map(({ came, sentence }) => `- **${came}.** ${sentence}`)
      .join("\n")}`,
  ];
}

const columns = ["what", "published", "here [95 %]", "difference", "tolerance", "how it came", "verdict"];

// Most cells hold words: none stands to the right.
const lineTable = (lines: readonly Judged[]): string =>
  [
    columns,
    columns.map(() => "---"),
    ...lines.map(({ what, published, here, difference, tolerance, came, verdict }) => [
      what,
      published,
      here,
      difference,
      tolerance,
      came,
      verdict === "missed" ? "**missed**" : verdict,
    ]),
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
