import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { attacks } from "../src/attacks/index.ts";
import { features } from "../src/behaviour/features.ts";

const root = resolve(import.meta.dirname, "..");
const page = readFileSync(join(root, "docs", "deliberation.md"), "utf8");

describe("the page of the deliberation world", () => {
  const rows = [...page.matchAll(/\| `(src\/[\w/.-]+)` \| `(\w+)` \|/g)].map(([, file, symbol]) => ({ file, symbol }));

  it("maps equations to files", () => {
    expect(rows.length).toBeGreaterThan(10);
  });

  it.each(rows)("finds $symbol in $file", ({ file, symbol }) => {
    expect(readFileSync(join(root, file), "utf8")).toMatch(
      new RegExp(`export (?:async )?(?:function|const) ${symbol}\\b`),
    );
  });

  it("explains every attack", () => {
    for (const kind of Object.keys(attacks)) expect(page).toContain(`| \`${kind}\` |`);
  });

  it("explains every feature", () => {
    for (const name of Object.keys(features).filter((feature) => !/^round\d/.test(feature)))
      expect(page).toContain(`\`${name}\``);
  });
});

describe("the README", () => {
  it("links only to files that are there", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)]
      .map(([, link]) => link)
      .filter((link) => !link.startsWith("http"));
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect(() => readFileSync(join(root, link)), link).not.toThrow(/ENOENT/);
  });
});
