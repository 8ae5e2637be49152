import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { mindAttacks } from "../src/attacks/minds/index.ts";
import { decompositions, defaultTiers, workplaceFeatureNames, workplaceStrategies } from "../src/environments/index.ts";
import { listLineLinks, readPage, sectionOf, table, withBlock, withLines } from "./support/describe-page.ts";

const page = readPage("docs/workplace.md");
const root = resolve(import.meta.dirname, "..");

/** The comment above each feature in the code is its meaning. */
function describeFeatures(): string {
  const code = readFileSync(join(root, "src", "environments", "workplace", "features.ts"), "utf8");
  const rows = workplaceFeatureNames.map((name) => {
    const [, comment] = new RegExp(`/\\*\\* ([^\\n]*) \\*/\\n  ${name}: `).exec(code) ?? [];
    return [`\`${name}\``, comment ?? ""];
  });
  return table(["feature", "what it tells of an agent"], rows);
}

/** What sets the tiers apart, by the name of each setting. */
function describeTiers(): string {
  const names = Object.keys(defaultTiers) as (keyof typeof defaultTiers)[];
  const keys = Object.keys(defaultTiers.simple) as (keyof typeof defaultTiers.simple)[];
  return table(
    ["setting of a tier", ...names],
    keys.map((key) => [`\`${key}\``, ...names.map((tier) => String(defaultTiers[tier][key]))]),
  );
}

const summaries = (head: string, entries: Readonly<Record<string, { readonly summary: string }>>): string =>
  table(
    [head, "what it does"],
    Object.entries(entries).map(([name, { summary }]) => [`\`${name}\``, summary]),
  );

describe("the page of the workplace", () => {
  it("is the code's (npx vitest run test/docs-workplace.test.ts -u writes it anew)", async () => {
    const blocks: Record<string, string> = {
      strategies: summaries("strategy", workplaceStrategies),
      features: describeFeatures(),
      attacks: summaries("attack", mindAttacks),
      tiers: describeTiers(),
    };
    const written = Object.entries(blocks).reduce((text, [name, block]) => withBlock(text, name, block), page);
    expect(listLineLinks(sectionOf(written, "## Equations and where they stand")).length).toBeGreaterThan(12);
    await expect(withLines(written)).toMatchFileSnapshot("../docs/workplace.md");
  });

  it("says of every feature and decomposition what it is", () => {
    for (const row of describeFeatures().split("\n")) expect(row).not.toMatch(/\| {2}\|$/);
    for (const name of [...Object.keys(decompositions), "equal"]) expect(page).toContain(`| \`${name}\` |`);
  });

  it("explains every measure of a row of results", () => {
    const section = sectionOf(page, "## Measures");
    const code = readPage("src/contracts/workplace/results.ts");
    const row = code.slice(code.indexOf("export interface WorkplaceRow"));
    const names = [...row.slice(0, row.indexOf("\n}")).matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(15);
    for (const name of names.filter((name) => !["method", "n"].includes(name)))
      expect(section).toContain(`\`${name}\``);
  });

  it("gives constants as the code has them", () => {
    const rows = [...page.matchAll(/^\| \[`(\w+)`\]\(\.\.\/(src\/[\w/.-]+)#L\d+\) \| (\S+) \|/gm)];
    expect(rows.length).toBeGreaterThan(10);
    for (const [, name, file, value] of rows) expect(readPage(file)).toContain(`\nconst ${name} = ${value};`);
  });

  it("gives the closed form: T = E / (.3 W), rounded up to a quarter of an hour", () => {
    const [said] = /\*\*Closed form\.\*\*[^*]*/.exec(page)!;
    for (const { hours } of Object.values(defaultTiers))
      for (const workers of [4, 8, 16]) {
        const steps = Math.ceil((hours * 40) / (3 * workers));
        expect(said).toMatch(new RegExp(`\\b${steps % 2 === 0 ? (steps / 4).toFixed(1) : steps / 4}\\b`));
      }
  });

  it("says of every number of a tier but its size what it was chosen on", () => {
    const calibration = sectionOf(page, "## Calibration").split("<!-- tiers -->")[0];
    const { hours: _h, components: _c, requirements: _r, ...chosen } = defaultTiers.simple;
    for (const key of Object.keys(chosen)) expect(calibration).toContain(`\`${key}\``);
  });

  it("types commands, options and recipes that there are", () => {
    const commands = [...page.matchAll(/^npx colloquy (\w+) (\S+)(.*?)(?: +#.*)?$/gm)];
    expect(commands.length).toBeGreaterThan(3);
    const table = readPage("src/cli/main.ts");
    for (const [, command, name, rest] of commands) {
      const at = table.search(new RegExp(`command\\("${command}"\\)`));
      expect(at, command).toBeGreaterThan(0);
      const until = table.indexOf(".action(", at);
      for (const [, option] of rest.matchAll(/ (--[a-z-]+)/g))
        expect(table.slice(at, until) + live(table), `${command} ${option}`).toContain(`"${option}`);
      if (command !== "init") expect(() => readPage(`training/${name}.yaml`)).not.toThrow();
    }
    expect(JSON.parse(readPage("package.json")).scripts).toHaveProperty("study");
  });
});

/** The options of commands that may ask live models. */
const live = (table: string): string => table.slice(table.indexOf("const live ="), table.indexOf('.command("demo")'));
