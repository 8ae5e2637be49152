import { describe, expect, it } from "vitest";
import { z } from "zod";
import { recipeSchema } from "../src/assemble/index.ts";
import { listRows, readPage, withBlock, withLines } from "./support/describe-page.ts";
import { describeSettings, listAllSettings, rangeOf, readTemplate } from "./support/describe-settings.ts";

const page = readPage("docs/settings.md");

describe("the page of settings", () => {
  it("is the code's (npx vitest run test/docs-settings.test.ts -u writes it anew)", async () => {
    await expect(withLines(withBlock(page, "settings", describeSettings()))).toMatchFileSnapshot("../docs/settings.md");
  });

  it("says of every key what it means", () => {
    const settings = listAllSettings();
    expect(settings.length).toBeGreaterThan(100);
    for (const { key, meaning } of settings) expect(meaning, key).toMatch(/\w/);
  });

  it("has a row for every key that a recipe may have, however deep", () => {
    const rows = new Set(listRows(page));
    const visit = (shape: unknown, path: readonly string[]): void => {
      const { properties, oneOf } = shape as { properties?: Record<string, unknown>; oneOf?: unknown[] };
      for (const one of oneOf ?? []) visit(one, path);
      for (const [key, inner] of Object.entries(properties ?? {})) {
        const here = [...path, key];
        visit(inner, here);
        if (key === "kind" && path.join() === "population") continue;
        // Within its section a key goes by what follows the section's name; an outer one may show it in braces.
        const shown = here.slice(here.length > 1 ? 1 : 0);
        const outer = shown.slice(0, -1).join(".");
        const braces = new RegExp(`^\\| \`${outer}\` \\|.*\\{[^}]*\\b${key.replace("$", "\\$")}\\b`, "m");
        const isSection = "properties" in (inner as object) || "oneOf" in (inner as object);
        expect(isSection || rows.has(shown.join(".")) || braces.test(page), here.join(".")).toBe(true);
      }
    };
    visit(z.toJSONSchema(recipeSchema, { io: "input" }), []);
  });

  it("reads ranges and the template as they are meant", () => {
    expect(rangeOf({ type: "integer", minimum: 1, maximum: 100 })).toBe("whole number from 1 to 100");
    expect(rangeOf({ type: "number", exclusiveMinimum: 0 })).toBe("number above 0");
    expect(rangeOf({ anyOf: [{ type: "boolean" }, { type: "null" }] })).toBe("`true`, `false` or `null`");
    const lines = readTemplate("a:\n  # b: [1, 2]  # two # words\n  c: x#y\n# population:\n#   - d: 1    # e");
    expect([...lines]).toEqual([
      ["a", { value: "", comment: "" }],
      ["a.b", { value: "[1, 2]", comment: "two # words" }],
      ["a.c", { value: "x#y", comment: "" }],
      ["population/llm", { value: "", comment: "" }],
      ["population/llm.d", { value: "1", comment: "e" }],
    ]);
  });
});
