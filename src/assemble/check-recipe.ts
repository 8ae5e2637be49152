import { z } from "zod";
import { ColloquyError, suggest } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import { type AnyRecipe, type Recipes, recipeSchemas, type WorldName, worldNamed, worldNames } from "./worlds.ts";

/**
 * Checks and completes a recipe of one world, which is the deliberation unless said otherwise.
 * @param what the file or place it came from
 * @throws ColloquyError `recipe/invalid`, `recipe/world` where it is of another one
 */
export function checkRecipe<W extends WorldName = "deliberation-v1">(
  raw: unknown,
  what: string,
  world: W = "deliberation-v1" as W,
): Recipes[W] {
  const found = worldNamed(raw);
  if (found === undefined || found === world) return checkAnyRecipe(raw, what) as Recipes[W];
  throw new ColloquyError("recipe/world", `${what} is a recipe of ${found}, and one of ${world} is needed here`, {
    hint: "`colloquy train`, `evaluate`, `report` and `export` take recipes of every world.",
  });
}

/**
 * Checks and completes a recipe of whatever world it says it is of. Every fault is named with its key, the value found and
 * what would be right.
 * @throws ColloquyError `recipe/invalid`
 */
export function checkAnyRecipe(raw: unknown, what: string): AnyRecipe {
  const world = worldNamed(raw) ?? worldNames[0];
  const schema = recipeSchemas[world];
  const result = schema.safeParse(world === "deliberation-v1" ? withFewerAdversaries(raw) : raw);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => describeIssue(issue, raw, schema));
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

function describeIssue(issue: z.core.$ZodIssue, raw: unknown, schema: z.core.$ZodType): string {
  const place = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(issue.path, raw, schema);
    return issue.keys
      .map((key) => `unknown key "${[...issue.path, key].join(".")}". ${suggest(key, known)}`)
      .join("\n  - ");
  }
  const found = valueAt(raw, issue.path);
  const choices = place === "world" ? worldNames : choicesOf(issue);
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
function keysAt(path: readonly PropertyKey[], raw: unknown, whole: z.core.$ZodType): string[] {
  let schema: z.core.$ZodType | undefined = whole;
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
