import { resolve } from "node:path";
import type { Browser } from "playwright-core";
import type { PageAssets } from "../../src/report/html.ts";
import type { WorkplaceReportData } from "../../src/report/workplace/report-data.ts";
import { renderWorkplaceReport } from "../../src/report/workplace/sections/workplace-report.ts";
import { bundle, type OpenedReport, type OpeningSettings, openHtml, type Screen } from "./browser.ts";

/** The script and style of the workplace's page, bundled as `npm run build` does. */
export const bundleWorkplacePage = (): Promise<PageAssets> =>
  bundle(resolve(import.meta.dirname, "..", "..", "src", "report", "workplace", "page"), "workplace.css");

/** Writes a report of the workplace into a folder of its own and opens it there. */
export const openWorkplaceReport = (
  browser: Browser,
  assets: PageAssets,
  data: WorkplaceReportData,
  screen: Screen,
  settings?: OpeningSettings,
): Promise<OpenedReport> => openHtml(browser, renderWorkplaceReport(data, assets), screen, settings);
