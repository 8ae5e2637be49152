import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PageAssets } from "../src/report/html.ts";
import type { ReportData } from "../src/report/report-data.ts";
import {
  browserNote,
  bundlePage,
  chromiumPath,
  type OpenedReport,
  openBrowser,
  openReport,
  type Screen,
} from "./support/browser.ts";
import { sampleReport } from "./support/report-samples.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");

const wide: Screen = { width: 1280, height: 800, colorScheme: "light" };
const phone: Screen = { width: 390, height: 844, colorScheme: "light" };
const screens = [wide, phone].flatMap((screen) => [screen, { ...screen, colorScheme: "dark" as const }]);

const methods = ["learned", "complete", "layers", "vote-first"];
const six = sampleReport({ agents: 6, episodes: 12, methods });
const hundred = sampleReport({ agents: 100, episodes: 2, adversaries: 30, words: 0, inDegree: 3 });

describe.skipIf(chromiumPath === undefined)(`the report in a browser${browserNote}`, () => {
  let browser: Browser;
  let assets: PageAssets;
  beforeAll(async () => {
    [browser, assets] = await Promise.all([openBrowser(), bundlePage()]);
  });
  afterAll(() => browser?.close());

  /** Opens a report, does something with it, and sees that it asked for nothing and said nothing. */
  async function withReport(
    data: ReportData,
    screen: Screen,
    visit: (report: OpenedReport) => Promise<void>,
    settings?: Parameters<typeof openReport>[4],
  ): Promise<void> {
    const report = await openReport(browser, assets, data, screen, settings);
    try {
      await visit(report);
      expect(report.requests).toEqual([]);
      expect(report.messages).toEqual([]);
    } finally {
      await report.close();
    }
  }

  const overflow = (report: OpenedReport): Promise<number> =>
    report.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

  /** Serious and critical findings of axe. */
  async function listBarriers({ page }: OpenedReport): Promise<string[]> {
    // Through the debugger's world: the page's own policy lets no other script in.
    await page.evaluate(axe);
    const found = await page.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run(): Promise<{ violations: AxeFinding[] }> } };
      return (await axe.run()).violations;
    });
    return found
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
  }

  for (const screen of screens) {
    const name = `${screen.width} × ${screen.height}, ${screen.colorScheme}`;
    it(`opens at ${name} without a request, a message, a barrier or a sideways scroll`, async () => {
      for (const data of [six, hundred]) {
        await withReport(data, screen, async (report) => {
          const { page } = report;
          await page.locator(".node").first().waitFor();
          expect(await overflow(report)).toBe(0);
          expect(await listBarriers(report)).toEqual([]);
          await page.locator('.node[aria-label^="Agent 3, round 2"]').click();
          expect(await page.locator(".panel h3").textContent()).toBe("Agent 3, round 2");
          expect(await overflow(report)).toBe(0);
          expect(await listBarriers(report)).toEqual([]);
        });
      }
    });
  }

  it("shows on a click what an agent said, or that it said nothing new", async () => {
    const { record } = six.browser.episodes[0];
    const quiet = record.rounds[1].indexOf(null);
    const speaker = record.rounds[1].findIndex((said) => said !== null);
    await withReport(six, wide, async ({ page }) => {
      await page.locator(`.node[aria-label^="Agent ${speaker}, round 2"]`).click();
      expect(await page.locator("blockquote").textContent()).toBe(record.rounds[1][speaker]!.text);
      await page.locator(`.node[aria-label^="Agent ${quiet}, round 2"]`).click();
      expect(await page.locator(".speech").textContent()).toMatch(
        /^Said nothing new: kept its last output, of round 1\./,
      );
      expect(await page.locator("blockquote").textContent()).toBe(record.rounds[0][quiet]!.text);
    });
  });

  it("is walked through by keys alone: agents, rounds, methods, episodes, search and help", async () => {
    const of = (number: number, method: string) =>
      six.browser.episodes.filter((episode) => episode.record.sample === number).find((one) => one.method === method)!
        .record;
    await withReport(six, wide, async ({ page }) => {
      const panel = page.locator(".panel h3");
      const press = async (...keys: string[]): Promise<void> => {
        for (const key of keys) await page.keyboard.press(key);
      };
      await page.locator(".node[tabindex='0']").focus();
      await press("ArrowDown", "ArrowDown", "ArrowRight", "Enter");
      expect(await panel.textContent()).toBe("Agent 2, round 2");
      await press("ArrowUp", "ArrowLeft");
      expect(await panel.textContent()).toBe("Agent 1, round 1");
      expect(await page.locator("blockquote").textContent()).toBe(of(0, "learned").rounds[0][1]!.text);
      await press("m");
      expect(await page.locator("blockquote").textContent()).toBe(of(0, "complete").rounds[0][1]!.text);
      expect(new URL(page.url()).hash).toBe("#e=1&m=complete");
      await press("Escape");
      expect(await panel.count()).toBe(0);
      await press("n", "n", "p");
      expect(new URL(page.url()).hash).toBe("#e=2&m=complete");
      await press("?");
      expect(await page.locator("dialog").isVisible()).toBe(true);
      await press("Escape");
      expect(await page.locator("dialog").isVisible()).toBe(false);
      await press("/");
      await page.keyboard.type("question 7.");
      expect(await page.locator(".episode").count()).toBe(1);
      expect(await page.locator(".question-text").textContent()).toMatch(/^Question 7\./);
    });
  });

  it("keeps the focus on the method chosen by keys, and gives it to the list on Escape in the search", async () => {
    await withReport(six, wide, async ({ page }) => {
      await page.locator(".method").nth(1).focus();
      await page.keyboard.press("Enter");
      const focused = (): Promise<string> => page.evaluate(() => document.activeElement!.textContent ?? "");
      expect(await focused()).toContain("complete");
      await page.keyboard.press("m");
      expect(await focused()).toContain("layers");
      await page.keyboard.press("/");
      await page.keyboard.press("Escape");
      expect(await page.evaluate(() => document.activeElement!.getAttribute("role"))).toBe("listbox");
      expect(await page.locator(".method[aria-pressed=true]").textContent()).toContain("layers");
    });
  });

  it("never leaves the chosen node behind the panel", async () => {
    for (const data of [six, hundred]) {
      await withReport(data, { ...wide, height: 500 }, async ({ page }) => {
        await page.locator(".node[tabindex='0']").focus();
        await page.keyboard.press("Enter");
        for (const key of ["End", "ArrowRight", "Home", "ArrowRight", "End"]) {
          await page.keyboard.press(key);
          const [node, panel] = await page.evaluate(() =>
            [document.activeElement!, document.querySelector(".panel")!].map((one) => {
              const { top, bottom } = one.getBoundingClientRect();
              return { top, bottom };
            }),
          );
          expect({ key, isSeen: node.top >= 0 && node.bottom <= panel.top }).toEqual({ key, isSeen: true });
        }
      });
    }
  });

  it("shows a unanimous vote, and which method is chosen where colours are forced", async () => {
    const unanimous = six.browser.episodes.map((episode) => {
      const { record } = episode;
      const rounds = record.rounds.map((said) => said.map((one) => one && { ...one, answer: "B" }));
      return { ...episode, record: { ...record, rounds, answer: "B" } };
    });
    const data = { ...six, browser: { ...six.browser, episodes: unanimous } };
    await withReport(data, wide, async ({ page }) => {
      const [share, drawing] = await page.evaluate(() => {
        const share = [...document.querySelectorAll(".share")].find((one) => one.textContent === "100\u00a0%")!;
        return [share, share.closest("svg")!].map((one) => one.getBoundingClientRect().right);
      });
      expect(share).toBeLessThanOrEqual(drawing);
      await page.emulateMedia({ forcedColors: "active" });
      const grounds = await page
        .locator(".method")
        .evaluateAll((buttons) => buttons.map((one) => getComputedStyle(one).backgroundColor));
      expect(grounds[0]).not.toBe(grounds[1]);
    });
  });

  it("tells long answers apart by number, with a key, and shows code as code", async () => {
    const code = ["A", "B", "C", "D"].map((letter) => `def solve(values):\n    return values["${letter}"]`);
    const long = (answer: string | null): string | null => (answer === null ? null : code["ABCD".indexOf(answer)]);
    const data = {
      ...six,
      browser: {
        ...six.browser,
        questions: Object.fromEntries(
          Object.keys(six.browser.questions).map((id) => [id, { text: "line\n".repeat(40), options: [] }]),
        ),
        episodes: six.browser.episodes.map((episode) => {
          const { record } = episode;
          const rounds = record.rounds.map((said) =>
            said.map(
              (one) =>
                one && { ...one, answer: long(one.answer)!, text: `So:\n\`\`\`python\n${long(one.answer)}\n\`\`\`` },
            ),
          );
          const [answer, gold, target] = [record.answer, record.gold, record.target].map(long);
          return { ...episode, record: { ...record, rounds, answer, gold, target } };
        }),
      },
    };
    await withReport(data, wide, async (report) => {
      const { page } = report;
      const letters = await page.locator(".round .mark text").allTextContents();
      expect(letters.every((text) => /^A\d$/.test(text))).toBe(true);
      expect(new Set(letters).size).toBeGreaterThan(1);
      expect(await page.locator(".vote .answer-name").allTextContents()).toContain("A1");
      expect(await page.locator(".answer-key .code").first().textContent()).toBe(
        long(six.browser.episodes[0].record.gold),
      );
      await page.locator('.node[aria-label^="Agent 3, round 1"]').click();
      const family = (selector: string): Promise<string> =>
        page.locator(selector).evaluate((one) => getComputedStyle(one).fontFamily + getComputedStyle(one).whiteSpace);
      expect(await family(".panel-facts .code")).toMatch(/monospace.*pre-wrap/);
      expect(await family("blockquote code")).toMatch(/monospace.*pre-wrap/);
      expect(
        await page
          .locator(".question-text")
          .first()
          .evaluate((one) => one.getBoundingClientRect().height),
      ).toBeLessThan(400);
      expect(await overflow(report)).toBe(0);
      expect(await listBarriers(report)).toEqual([]);
    });
  });

  it("opens at the episode and the method that its address names", async () => {
    await withReport(
      six,
      wide,
      async ({ page }) => {
        expect(await page.locator(".place").textContent()).toMatch(/^Episode 5 ·/);
        expect(await page.locator(".method[aria-pressed=true]").textContent()).toContain("layers");
        // Here everyone hears what all the others said a round before.
        expect(await page.locator("svg path.earlier[d*=M]").count()).toBe(2 + 1);
      },
      { hash: "#e=5&m=layers" },
    );
  });

  it("filters by outcome, attack and method, and says how many match", async () => {
    const right = six.browser.episodes.filter(
      ({ method, record }) => method === "complete" && record.outcome === "right",
    );
    await withReport(six, wide, async ({ page }) => {
      await page.locator(".filters select").last().selectOption("complete");
      await page.getByLabel("Outcome").selectOption("right");
      expect(await page.locator(".episode").count()).toBe(right.length);
      expect(await page.locator(".sentence").textContent()).toMatch(/^Right/);
      await page.getByLabel("Outcome").selectOption("failed");
      expect(await page.locator(".episodes-found .note").textContent()).toBe("No episode matches.");
    });
  });

  it("shows the texts of strangers as texts", async () => {
    const hostile = `</script><script>document.title = "owned"</script><img src=x onerror="document.title='owned'">\u202e"'${"w".repeat(3000)}`;
    const [episode] = six.browser.episodes;
    const record = {
      ...episode.record,
      question: "q",
      answer: hostile,
      target: `${hostile}!`,
      rounds: episode.record.rounds.map((said) => said.map((one) => one && { ...one, text: hostile, answer: hostile })),
    };
    const data: ReportData = {
      ...six,
      title: hostile,
      headline: hostile,
      facts: [[hostile, hostile]],
      sections: [{ heading: hostile, text: hostile }],
      browser: {
        note: hostile,
        questions: { q: { text: hostile, options: [["A", hostile]] } },
        episodes: [{ ...episode, method: hostile, record }],
      },
    };
    for (const screen of [wide, phone]) {
      await withReport(data, screen, async (report) => {
        const { page } = report;
        await page.locator('.node[aria-label^="Agent 1, round 1"]').click();
        expect(await page.locator("blockquote").textContent()).toBe(hostile);
        expect(await page.title()).not.toBe("owned");
        expect(await page.locator("img").count()).toBe(0);
        expect(await overflow(report)).toBe(0);
      });
    }
  });

  it("prints: the shown episode with all that was said, without controls", async () => {
    await withReport(six, wide, async ({ page }) => {
      await page.emulateMedia({ media: "print" });
      expect(await page.locator(".utterances blockquote").count()).toBe(six.browser.episodes[0].record.calls);
      expect(await page.locator(".filters, .episode-list, .methods, .shelf").filter({ visible: true }).count()).toBe(0);
      const pdf = await page.pdf();
      expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
      await page.emulateMedia({ media: "screen" });
      expect(await page.locator(".utterances").count()).toBe(0);
    });
    await withReport(hundred, wide, async (report) => {
      await report.page.setViewportSize({ width: 700, height: 1000 });
      await report.page.emulateMedia({ media: "print" });
      expect(await overflow(report)).toBe(0);
      const widths = await report.page
        .locator("svg.round")
        .evaluateAll((drawings) => drawings.map((one) => one.getBoundingClientRect().right));
      expect(Math.max(...widths)).toBeLessThanOrEqual(700);
    });
  });

  it("reads without JavaScript, and says what is missing", async () => {
    await withReport(
      six,
      wide,
      async ({ page }) => {
        expect(await page.locator("table").count()).toBe(1);
        expect(await page.locator("noscript").textContent()).toContain("JavaScript is off");
      },
      { javaScript: false },
    );
  });

  it("opens 10 MB of 300 episodes within two seconds, and draws 100 agents at once", async () => {
    const large = sampleReport({ agents: 6, episodes: 300, words: 430, methods: ["learned"] });
    expect(JSON.stringify(large).length).toBeGreaterThan(9e6);
    await withReport(large, wide, async ({ page }) => {
      await page.locator(".node").first().waitFor();
      const opened = await page.evaluate(() => performance.getEntriesByType("navigation")[0].duration);
      expect(opened).toBeLessThan(2000);
      expect(await page.locator(".episode").count()).toBeLessThan(200);
    });
    await withReport(hundred, wide, async ({ page }) => {
      const drawn = await page.evaluate(() => {
        const start = performance.now();
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "n", bubbles: true }));
        document.body.getBoundingClientRect();
        return performance.now() - start;
      });
      expect(drawn).toBeLessThan(500);
      expect(await page.locator(".node").count()).toBe(300);
    });
  });
});

interface AxeFinding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}
