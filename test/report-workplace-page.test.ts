import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PageAssets } from "../src/report/html.ts";
import type { WorkplaceReportData } from "../src/report/workplace/report-data.ts";
import { browserNote, chromiumPath, type OpenedReport, openBrowser, type Screen } from "./support/browser.ts";
import { bundleWorkplacePage, openWorkplaceReport } from "./support/workplace-page.ts";
import { sampleEpisode } from "./support/workplace-sample.ts";
import { sampleWorkplaceReport } from "./support/workplace-sample-results.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");
const wide: Screen = { width: 1280, height: 800, colorScheme: "light" };
const phone: Screen = { width: 390, height: 844, colorScheme: "light" };
const screens = [wide, phone].flatMap((screen) => [screen, { ...screen, colorScheme: "dark" as const }]);

const long = "Which indexes does the account store need? ".repeat(8).trim();
const data = sampleWorkplaceReport([
  sampleEpisode({ workers: 4, steps: 99, method: "learned", adversaries: 1, text: long }),
  sampleEpisode({ workers: 4, steps: 120, method: "c2c", adversaries: 1, text: long }),
  sampleEpisode({ workers: 16, steps: 160, method: "c2c" }),
  sampleEpisode({ workers: 49, steps: 160, method: "learned" }),
]);

describe.skipIf(chromiumPath === undefined)(`the report of the workplace in a browser${browserNote}`, () => {
  let browser: Browser;
  let assets: PageAssets;
  beforeAll(async () => {
    [browser, assets] = await Promise.all([openBrowser(), bundleWorkplacePage()]);
  });
  afterAll(() => browser?.close());

  /** Opens a report, does something with it, and sees that it asked for nothing and said nothing. */
  async function withReport(
    shown: WorkplaceReportData,
    screen: Screen,
    visit: (report: OpenedReport) => Promise<void>,
    settings?: Parameters<typeof openWorkplaceReport>[4],
  ): Promise<void> {
    const report = await openWorkplaceReport(browser, assets, shown, screen, settings);
    try {
      await visit(report);
      expect(report.requests).toEqual([]);
      expect(report.messages).toEqual([]);
    } finally {
      await report.close();
    }
  }

  const overflow = ({ page }: OpenedReport): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

  /** All findings of axe. */
  async function listBarriers({ page }: OpenedReport): Promise<string[]> {
    await page.evaluate(axe);
    const found = await page.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run(): Promise<{ violations: AxeFinding[] }> } };
      return (await axe.run()).violations;
    });
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
  }

  for (const screen of screens) {
    // Episodes of 5 and 50 agents, and of 17.
    const numbers = screen.colorScheme === "light" ? [1, 4] : [3];
    it(`opens at ${screen.width} × ${screen.height}, ${screen.colorScheme}, without a barrier or a sideways scroll`, async () => {
      for (const number of numbers) {
        await withReport(
          data,
          screen,
          async (report) => {
            const { members } = data.episodes.episodes[number - 1];
            expect(await report.page.locator(".lanes").count()).toBe(2);
            expect(await report.page.locator(".lanes").first().locator("svg").first().locator("text").count()).toBe(
              members.length,
            );
            expect(await overflow(report)).toBe(0);
            expect(await listBarriers(report)).toEqual([]);
          },
          { hash: `#e=${number}` },
        );
      }
    });
  }

  it("chooses episodes by keys alone, keeps the method, and remembers the choice in the address", async () => {
    await withReport(data, wide, async ({ page }) => {
      const sentence = (): Promise<string | null> => page.locator(".sentence").textContent();
      expect(await sentence()).toContain("Finished in 24.75");
      await page.getByLabel("Method").focus();
      await page.keyboard.press("ArrowDown");
      expect(await sentence()).toContain("Finished in 30");
      expect(new URL(page.url()).hash).toBe("#e=2");
      await page.getByLabel("Project and cell").focus();
      await page.keyboard.press("ArrowDown");
      expect(await sentence()).toContain("16 workers");
      expect(await page.getByLabel("Method").locator("option:checked").textContent()).toBe("c2c");
      await page.reload();
      expect(await sentence()).toContain("16 workers");
    });
  });

  it("filters the trace by agent and kind from the keyboard, folds long texts and shows more on demand", async () => {
    await withReport(data, wide, async ({ page }) => {
      const rows = page.locator(".trace tbody tr");
      expect(await rows.count()).toBe(150);
      await page.getByRole("button", { name: /^Show/ }).press("Enter");
      expect(await rows.count()).toBeGreaterThan(150);
      await page.getByRole("combobox", { name: "Agent" }).selectOption("2");
      await page.getByRole("combobox", { name: "Kind" }).focus();
      await page.keyboard.type("repl");
      const found = Number(/\d+/.exec((await page.locator(".trace .note").textContent())!)![0]);
      expect(await rows.count()).toBe(found);
      for (const text of await rows.allTextContents())
        expect(text).toMatch(/2 Chidi Okafor.*reply by|reply by .* to 2 /);
      const quote = page.locator(".trace blockquote").first();
      expect(await quote.locator("details > bdi").isVisible()).toBe(false);
      await quote.locator("summary").press("Enter");
      expect(await quote.locator("details > bdi").textContent()).toBe(`About that: ${long}`);
      await page.getByRole("combobox", { name: "Agent" }).selectOption("");
      await page.getByRole("combobox", { name: "Kind" }).selectOption("");
    });
  });

  it("shows the texts of strangers as texts", async () => {
    const hostile = `</script><script>document.title = "owned"</script><img src=x onerror="document.title='owned'">${"w".repeat(3000)}`;
    const episode = sampleEpisode({ workers: 4, steps: 40, text: hostile });
    const shown = {
      ...data,
      title: hostile,
      headline: [hostile],
      command: hostile,
      rows: data.rows.map((row) => ({ ...row, method: hostile, attack: hostile })),
      episodes: {
        note: hostile,
        episodes: [
          {
            ...episode,
            method: hostile,
            members: episode.members.map(() => hostile),
            subtasks: episode.subtasks.map(() => hostile),
          },
        ],
      },
    };
    for (const screen of [wide, phone]) {
      await withReport(shown, screen, async (report) => {
        expect(await report.page.locator(".sentence").count()).toBe(1);
        expect(await report.page.title()).not.toBe("owned");
        expect(await report.page.locator("img").count()).toBe(0);
        expect(await overflow(report)).toBe(0);
      });
    }
  });

  it("prints the shown episode without its controls, and within the paper", async () => {
    await withReport(data, { ...wide, width: 720 }, async (report) => {
      await report.page.emulateMedia({ media: "print" });
      expect(await report.page.locator(".filters, .trace button").filter({ visible: true }).count()).toBe(0);
      const ends = await report.page
        .locator(".lanes > svg:last-child")
        .evaluateAll((drawings) => drawings.map((one) => one.getBoundingClientRect().right));
      expect(Math.max(...ends)).toBeLessThanOrEqual(720);
      expect((await report.page.pdf()).subarray(0, 5).toString()).toBe("%PDF-");
    });
  });

  it("reads without JavaScript, and says what is missing", async () => {
    await withReport(
      data,
      wide,
      async ({ page }) => {
        expect(await page.locator("table").count()).toBe(10);
        expect(await page.locator(".drawing svg").count()).toBeGreaterThan(20);
        expect(await page.locator("noscript").textContent()).toContain("JavaScript is off");
      },
      { javaScript: false },
    );
  });

  it("draws an episode of 50 agents and 160 steps in less than a second", async () => {
    await withReport(data, wide, async ({ page }) => {
      const drawn = await page.evaluate(() => {
        const start = performance.now();
        location.hash = "#e=4";
        window.dispatchEvent(new HashChangeEvent("hashchange"));
        document.body.getBoundingClientRect();
        return performance.now() - start;
      });
      expect(drawn).toBeLessThan(1000);
      expect(await page.locator(".sentence").textContent()).toContain("49 workers");
    });
  });
});

interface AxeFinding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}
