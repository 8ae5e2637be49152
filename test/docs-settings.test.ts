import { describe, expect, it } from "vitest";
import { z } from "zod";
import { recipeSchema, workplaceRecipeSchema } from "../src/assemble/index.ts";
import { listRows, readPage, withBlock, withLines } from "./support/describe-page.ts";
import { describeSettings, listAllSettings, rangeOf, readTemplate, workplace } from "./support/describe-settings.ts";

const page = readPage("docs/settings.md");

describe("the page of settings", () => {
  it("is the code's (npx vitest run test/docs-settings.test.ts -u writes it anew)", async () => {
    const written = withBlock(page, "settings", describeSettings());
    const both = withBlock(written, "workplace-settings", describeSettings(workplace));
    await expect(withLines(both)).toMatchFileSnapshot("../docs/settings.md");
  });

  it("says of every key what it means", () => {
    for (const settings of [listAllSettings(), listAllSettings(workplace)]) {
      expect(settings.length).toBeGreaterThan(80);
      for (const { key, meaning } of settings) expect(meaning, key).toMatch(/\w/);
    }
  });

  const [ofDeliberation, ofWorkplace] = page.split("\n## The workplace\n");
  it.each([
    ["the deliberation", ofDeliberation, recipeSchema],
    ["the workplace", ofWorkplace, workplaceRecipeSchema],
  ])("has a row for every key that a recipe of %s may have, however deep", (_world, part, schema) => {
    const rows = new Set(listRows(part));
    const visit = (shape: unknown, path: readonly string[]): void => {
      const { properties, oneOf } = shape as { properties?: Record<string, unknown>; oneOf?: unknown[] };
      for (const one of oneOf ?? []) visit(one, path);
      for (const [key, inner] of Object.entries(properties ?? {})) {
        const here = [...path, key];
        visit(inner, here);
        if (key === "kind" && /^(?:population|minds)$/.test(path.join())) continue;
        // Within its section a key goes by what follows the section's name; an outer one may show it in braces.
        const shown = here.slice(here.length > 1 ? 1 : 0);
        const outer = shown.slice(0, -1).join(".");
        const braces = new RegExp(`^\\| \`${outer}\` \\|.*\\{[^}]*\\b${key.replace("$", "\\$")}\\b`, "m");
        const isSection = "properties" in (inner as object) || "oneOf" in (inner as object);
        expect(isSection || rows.has(shown.join(".")) || braces.test(part), here.join(".")).toBe(true);
      }
    };
    visit(z.toJSONSchema(schema, { io: "input" }), []);
  });

  it("reads ranges and the template as they are meant", () => {
    expect(rangeOf({ type: "integer", minimum: 1, maximum: 100 })).toBe("whole number from 1 to 100");
    expect(rangeOf({ type: "number", exclusiveMinimum: 0 })).toBe("number above 0");
    expect(rangeOf({ anyOf: [{ type: "boolean" }, { type: "null" }] })).toBe("`true`, `false` or `null`");
    expect(readTemplate("# minds:\n#   kind: llm").has("minds/llm.kind")).toBe(true);
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
