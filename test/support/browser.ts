import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { type PageAssets, renderReport } from "../../src/report/html.ts";
import type { ReportData } from "../../src/report/report-data.ts";

const root = resolve(import.meta.dirname, "..", "..");

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** Where a Chromium is, or `undefined`. */
export const chromiumPath = PLACES.find((place) => existsSync(place));

/** What stands in the name of tests that need one. */
export const browserNote = chromiumPath === undefined ? " (skipped: no Chromium found in the usual places)" : "";

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });

/** The script and style of the page, bundled as `npm run build` does. */
export const bundlePage = (): Promise<PageAssets> => bundle(join(root, "src", "report", "page"), "page.css");

/** The script and style of a page in a folder, bundled as `npm run build` does. */
export async function bundle(folder: string, style: string): Promise<PageAssets> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, "main.ts"), join(folder, style)],
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

export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly colorScheme: "light" | "dark";
}

/** A report opened from disk. */
export interface OpenedReport {
  readonly page: Page;
  /** What the page asked for beside itself. */
  readonly requests: readonly string[];
  /** What it wrote to the console, and errors nobody caught. */
  readonly messages: readonly string[];
  close(): Promise<void>;
}

/** How a report is opened. */
export interface OpeningSettings {
  readonly hash?: string;
  readonly javaScript?: boolean;
}

export const openReport = (
  browser: Browser,
  assets: PageAssets,
  data: ReportData,
  screen: Screen,
  settings?: OpeningSettings,
): Promise<OpenedReport> => openHtml(browser, renderReport(data, assets), screen, settings);

/** Writes a page into a folder of its own and opens it there. */
export async function openHtml(
  browser: Browser,
  html: string,
  { width, height, colorScheme }: Screen,
  settings: OpeningSettings = {},
): Promise<OpenedReport> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-report-"));
  const file = join(folder, "report.html");
  writeFileSync(file, html);
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
