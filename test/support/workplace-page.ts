import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import type { PageAssets } from "../../src/report/html.ts";
import type { WorkplaceReportData } from "../../src/report/workplace/report-data.ts";
import { renderWorkplaceReport } from "../../src/report/workplace/sections/workplace-report.ts";
import type { OpenedReport, Screen } from "./browser.ts";

/** The script and style of the workplace's page, bundled as `npm run build` does. */
export async function bundleWorkplacePage(): Promise<PageAssets> {
  const page = resolve(import.meta.dirname, "..", "..", "src", "report", "workplace", "page");
  const { outputFiles } = await build({
    entryPoints: [join(page, "main.ts"), join(page, "workplace.css")],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    write: false,
    outdir: "out",
  });
  const text = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))!.text;
  return { script: text(".js"), style: text(".css") };
}

/** Writes a report of the workplace into a folder of its own and opens it there. */
export async function openWorkplaceReport(
  browser: Browser,
  assets: PageAssets,
  data: WorkplaceReportData,
  { width, height, colorScheme }: Screen,
  settings: { readonly hash?: string; readonly javaScript?: boolean } = {},
): Promise<OpenedReport> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-workplace-"));
  const file = join(folder, "report.html");
  writeFileSync(file, renderWorkplaceReport(data, assets));
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    javaScriptEnabled: settings.javaScript ?? true,
  });
  const page = await context.newPage();
  const address = pathToFileURL(file).href;
  const requests: string[] = [];
  const messages: string[] = [];
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== address) requests.push(request.url());
  });
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(String(error)));
  await page.goto(address + (settings.hash ?? ""));
  const close = async (): Promise<void> => {
    await context.close();
    rmSync(folder, { recursive: true });
  };
  return { page, requests, messages, close };
}
