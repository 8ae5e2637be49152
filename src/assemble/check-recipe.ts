import { z } from "zod";
import { ColloquyError, suggest } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import { type Recipe, recipeSchema } from "./recipe.ts";

/**
 * Checks and completes a recipe. Every fault is named with its key, the value found and what would be right.
 * @param what the file or place it came from
 * @throws ColloquyError `recipe/invalid`
 */
export function checkRecipe(raw: unknown, what: string): Recipe {
  const result = recipeSchema.safeParse(withFewerAdversaries(raw));
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => describeIssue(issue, raw));
  throw new ColloquyError(
    "recipe/invalid",
    `${what} is not a valid recipe:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`,
    {
      hint: "`colloquy init` writes a recipe with every key explained.",
    },
  );
}

/** The usual numbers of adversaries are those of six agents: a smaller team is not attacked by more than it has. */
function withFewerAdversaries(raw: unknown): unknown {
  if (!isRecord(raw) || !isRecord(raw["team"])) return raw;
  const { agents } = raw["team"];
  if (typeof agents !== "number" || agents >= 4) return raw;
  const fitting = (section: "attack" | "evaluate", usual: readonly number[]): Record<string, unknown> => {
    const own = raw[section] ?? {};
    if (!isRecord(own) || own["adversaries"] !== undefined) return {};
    return { [section]: { ...own, adversaries: usual.filter((k) => k < Math.max(1, agents)) } };
  };
  return { ...raw, ...fitting("attack", [0, 1, 2]), ...fitting("evaluate", [0, 1, 2]) };
}

function describeIssue(issue: z.core.$ZodIssue, raw: unknown): string {
  const place = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(issue.path, raw);
    return issue.keys
      .map((key) => `unknown key "${[...issue.path, key].join(".")}". ${suggest(key, known)}`)
      .join("\n  - ");
  }
  const found = valueAt(raw, issue.path);
  const choices = choicesOf(issue);
  if (choices !== undefined && typeof found === "string")
    return `${place}: there is no "${found}". ${suggest(found, choices)}`;
  // A default may break a rule that another key of the recipe makes.
  const absent = issue.code === "custom" ? " (the default)" : " (nothing found)";
  return `${place || "the recipe"}: ${issue.message}${found === undefined ? absent : `, found ${show(found)}`}`;
}

/** What could have stood in a place for a name. */
function choicesOf(issue: z.core.$ZodIssue): string[] | undefined {
  if (issue.code === "invalid_value") return issue.values.map(String);
  if (issue.code === "invalid_union" && "options" in issue) return (issue.options as unknown[]).map(String);
  return undefined;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

/** The keys the schema knows at a path; where it branches, those of the branch that `kind` chooses. */
function keysAt(path: readonly PropertyKey[], raw: unknown): string[] {
  let schema: z.core.$ZodType | undefined = recipeSchema;
  path.forEach((key, depth) => {
    const found = shapeOf(schema, valueAt(raw, path.slice(0, depth)));
    schema = found?.[key as string];
  });
  return Object.keys(shapeOf(schema, valueAt(raw, path)) ?? {});
}

function shapeOf(schema: z.core.$ZodType | undefined, value: unknown): Record<string, z.core.$ZodType> | undefined {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const kind = (value as { kind?: unknown } | undefined)?.kind;
    const branches = schema.options as z.ZodObject[];
    return (branches.find((branch) => (branch.shape["kind"] as z.ZodLiteral).value === kind) ?? branches[0]).shape;
  }
  const inner = (schema as { _zod?: { def?: { innerType?: z.core.$ZodType } } } | undefined)?._zod?.def?.innerType;
  return inner === undefined ? undefined : shapeOf(inner, value);
}
