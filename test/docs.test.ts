import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { defaultPrompts } from "../src/agents/templates.ts";
import { checkRecipe } from "../src/assemble/check-recipe.ts";
import { ablations, checkAnyRecipe, recipeSchema } from "../src/assemble/index.ts";
import { attacks } from "../src/attacks/index.ts";
import { isRecord } from "../src/base/json.ts";
import { features } from "../src/behaviour/features.ts";
import { strategies, workplaceStrategies } from "../src/environments/index.ts";
import { rivals } from "../src/rivals/index.ts";
import { topologies } from "../src/topology/index.ts";
import { describeCards } from "./support/describe-cards.ts";
import { describeAblations, describeMethods, describeWorkplaceMethods } from "./support/describe-methods.ts";
import { findLine, listLineLinks, readPage, sectionOf, withBlock, withLines } from "./support/describe-page.ts";

const root = resolve(import.meta.dirname, "..");
const pages = [
  "README.md",
  "training/README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const deliberation = readPage("docs/deliberation.md");
const languageModels = readPage("docs/language-models.md");
const benchmarks = readPage("docs/benchmarks.md");
const methods = readPage("docs/methods.md");

const expectSymbol = (file: string, symbol: string): void =>
  expect(readPage(file)).toMatch(new RegExp(`export (?:async )?(?:function|const) ${symbol}\\b`));

describe("the page of the deliberation world", () => {
  it("maps equations to lines (npx vitest run test/docs.test.ts -u writes them anew)", async () => {
    expect(listLineLinks(sectionOf(deliberation, "## Equations and where they stand")).length).toBeGreaterThan(25);
    await expect(withLines(deliberation)).toMatchFileSnapshot("../docs/deliberation.md");
  });

  it("explains every attack", () => {
    for (const kind of Object.keys(attacks)) expect(deliberation).toContain(`| \`${kind}\` |`);
  });

  it("explains every budget of a round", () => {
    for (const key of Object.keys(recipe.properties["topology"].properties).filter((key) => key !== "rule"))
      expect(deliberation).toContain(`| \`topology.${key}\` |`);
    expect(Object.keys(topologies)).toEqual(expect.arrayContaining(["credit", "random-order", "proposed", "none"]));
  });

  it("explains every feature", () => {
    for (const name of Object.keys(features).filter((feature) => !/^round\d/.test(feature)))
      expect(deliberation).toContain(`\`${name}\``);
  });
});

describe("the page of methods", () => {
  it("is the code's (npx vitest run test/docs.test.ts -u writes it anew)", async () => {
    const blocks = {
      methods: describeMethods(),
      ablations: describeAblations(),
      "workplace-methods": describeWorkplaceMethods(),
    };
    const written = Object.entries(blocks).reduce((text, [name, block]) => withBlock(text, name, block), methods);
    for (const name of [strategies, ablations, workplaceStrategies].flatMap((named) => Object.keys(named)))
      expect(written).toContain(`| \`${name}\` |`);
    await expect(withLines(written)).toMatchFileSnapshot("../docs/methods.md");
  });

  it("says of every rival where it stands and what of it is ours", () => {
    const section = sectionOf(methods, "## Rival learners");
    for (const name of Object.keys(rivals)) {
      expect(section).toMatch(new RegExp(`^\\| \`${name}\` \\| \\[`, "m"));
      expect(section).toContain(`**\`${name}\``);
    }
  });

  it("says something of every other method", () => {
    const rest = methods.slice(methods.indexOf("<!-- /methods -->"));
    for (const name of Object.keys(strategies)) expect(rest).toContain(`\`${name}\``);
    const workplace = methods.slice(methods.indexOf("<!-- /workplace-methods -->"));
    for (const name of Object.keys(workplaceStrategies)) expect(workplace).toContain(`\`${name}\``);
  });
});

describe("a link to a line", () => {
  it("leads to a declaration, wherever it has moved", () => {
    const line = findLine("src/base/intervals.ts", "wilson");
    expect(readPage("src/base/intervals.ts").split("\n")[line - 1]).toMatch(/^export function wilson\(/);
    const moved =
      "see [`wilson`, base/intervals.ts:1](../src/base/intervals.ts#L1), [`wilson`](../src/base/intervals.ts#L2)";
    const link = `(../src/base/intervals.ts#L${line})`;
    expect(withLines(moved)).toBe(`see [\`wilson\`, base/intervals.ts:${line}]${link}, [\`wilson\`]${link}`);
    expect(() => withLines("[`nowhere`](../src/base/intervals.ts#L1)")).toThrow("nowhere");
    expect(() => withLines("[`wilson`](../src/base/none.ts#L1)")).toThrow("none.ts");
  });
});

/** A part of the recipe's JSON Schema. */
interface Shape {
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly properties: Readonly<Record<string, Shape>>;
  readonly items: Shape;
  readonly anyOf: readonly Shape[];
  readonly oneOf: readonly Shape[];
  readonly additionalProperties: Shape;
}

const recipe = z.toJSONSchema(recipeSchema, { io: "input" }) as unknown as Shape;
const { population, task, calls, behaviour } = recipe.properties;
const llm = population.oneOf.find(({ properties: { kind } }) => kind.const === "llm")!;

describe("the page of language models", () => {
  const rows = [...languageModels.matchAll(/\| `(\w+)` \| `(src\/[\w/.-]+)` \|/g)].map(([, symbol, file]) => ({
    file,
    symbol,
  }));

  it("names the layers of a call", () => {
    expect(rows.length).toBeGreaterThan(4);
  });

  it.each(rows)("finds $symbol in $file", ({ file, symbol }) => expectSymbol(file, symbol));

  it("explains every key of the population, of a model, of calls and of a price, with its default", () => {
    for (const { properties } of [llm, llm.properties["models"].items.anyOf[1], calls])
      for (const [key, shape] of Object.entries(properties)) {
        const row = new RegExp(`^\\| \`${key}\` \\|(.*?)\\|.*\\|$`, "m").exec(languageModels)?.[1].trim();
        expect(row, key).toBeDefined();
        const { default: usual } = shape as { readonly default?: unknown };
        if (usual !== undefined) expect(row).toBe(typeof usual === "number" ? String(usual) : `\`${show(usual)}\``);
      }
    for (const key of Object.keys(calls.properties["prices"].additionalProperties.properties))
      expect(languageModels).toContain(`\`${key}\``);
  });

  it("explains every embedder", () => {
    for (const name of behaviour.properties["embedder"].enum!) expect(languageModels).toContain(`| \`${name}\` |`);
    expect(languageModels).toContain("`behaviour.model`");
  });

  it("explains every prompt and names its placeholders", () => {
    for (const name of Object.keys(defaultPrompts)) expect(languageModels).toContain(`| \`${name}\` |`);
    for (const [, word] of Object.values(defaultPrompts)
      .join()
      .matchAll(/\{(\w+)\}/g))
      expect(languageModels).toContain(`\`{${word}}\``);
  });

  it("explains every failure of a server", () => {
    const files = readdirSync(join(root, "src", "llm"), { recursive: true, encoding: "utf8" });
    const sources = [
      ...files.filter((file) => file.endsWith(".ts")).map((file) => `src/llm/${file}`),
      "src/base/cancel.ts",
    ].map(readPage);
    const codes = new Set(
      sources.flatMap((source) => [...source.matchAll(/"(llm\/[a-z-]+)"/g)].map(([, code]) => code)),
    );
    // Of files and settings, not of servers.
    for (const code of ["llm/endpoint", "llm/cache", "llm/ledger"]) codes.delete(code);
    const kinds = /const kinds: [^=]*= \{(.*?)\n\};/s.exec(readPage("src/llm/server/failures.ts"))![1];
    for (const [, kind] of kinds.matchAll(/^ {2}"?([a-z-]+)"?: \{/gm)) codes.add(`llm/${kind}`);
    expect(codes.size).toBeGreaterThan(12);
    for (const code of codes) expect(languageModels).toContain(`| \`${code}\` |`);
  });
});

describe("the page of benchmarks", () => {
  it("explains every key of a task and its fields", () => {
    for (const key of Object.keys(task.properties)) expect(benchmarks).toContain(`| \`${key}\` |`);
    for (const key of Object.keys(task.properties["fields"].properties)) expect(benchmarks).toContain(`| \`${key}\` |`);
    expect(benchmarks).toContain("`split.parts`");
  });

  it("has the cards of the code (npx vitest run test/docs.test.ts -u writes them anew)", async () => {
    const now = benchmarks.replace(/(?<=<!-- cards -->\n).*(?=<!-- \/cards -->)/s, `\n${describeCards()}\n\n`);
    expect(now).toContain("### `mmlu`");
    await expect(now).toMatchFileSnapshot("../docs/benchmarks.md");
  });
});

describe("pages", () => {
  it("link only to files that are there, and to headings that they have", () => {
    const links = pages.flatMap((page) =>
      [...readPage(page).matchAll(/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/g)]
        .filter(([, link]) => !link.startsWith("http"))
        .map(([, link, anchor]) => ({ link: link === "" ? page : join(dirname(page), link), anchor })),
    );
    expect(links.length).toBeGreaterThan(20);
    for (const { link, anchor } of links) {
      expect(existsSync(join(root, link)), link).toBe(true);
      if (anchor !== undefined && link.endsWith(".md"))
        expect(listAnchors(readPage(link)), `${link}#${anchor}`).toContain(anchor);
    }
  });

  it("show recipes that are valid", () => {
    const shown = pages.flatMap((page) => [...readPage(page).matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml]) => yaml));
    expect(shown.length).toBeGreaterThan(4);
    for (const yaml of shown) {
      const part = parseYaml(yaml) as Record<string, unknown>;
      if (part["world"] === "workplace-v1") {
        expect(() => checkAnyRecipe(part, yaml)).not.toThrow();
        continue;
      }
      const asked = "population" in part && !("task" in part) ? {} : { task: { file: "f" } };
      const live = { name: "shown", population: { kind: "llm", models: ["m"] }, ...asked, ...part };
      expect(() => checkRecipe(live, yaml)).not.toThrow();
    }
  });

  it("show recipes in a line that are valid", () => {
    const prices = /`calls: (\{ prices: .*? \})`/.exec(languageModels)![1];
    const models = /`models: (\[.*?\])`/.exec(languageModels)![1];
    const shown = {
      name: "shown",
      population: { kind: "llm", models: parseYaml(models) as unknown },
      task: { file: "f" },
      calls: parseYaml(prices) as unknown,
    };
    expect(checkRecipe(shown, "the page").population.kind).toBe("llm");
  });
});

/** A value as YAML on one line. */
const show = (value: unknown): string =>
  isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);

/** The anchors of a page's headings, as GitHub makes them. */
const listAnchors = (page: string): string[] =>
  [...page.replace(/```.*?```/gs, "").matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );
