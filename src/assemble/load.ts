import { existsSync, readdirSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parse as parseYaml } from "yaml";
import { ColloquyError, suggest } from "../base/errors.ts";
import { readText } from "../base/files.ts";
import { isRecord, parseJson } from "../base/json.ts";
import { checkAnyRecipe, checkRecipe } from "./check-recipe.ts";
import type { AnyRecipe, Recipes, WorldName } from "./worlds.ts";

/** Recipes that come with the package. */
const shippedRecipes = resolve(import.meta.dirname, "..", "..", "training");

/**
 * Loads a recipe of one world, which is the deliberation unless said otherwise.
 * @throws ColloquyError as `loadAnyRecipe`; `recipe/world` where it is of another one
 */
export async function loadRecipe<W extends WorldName = "deliberation-v1">(
  nameOrPath: string,
  overrides: readonly string[] = [],
  world: W = "deliberation-v1" as W,
): Promise<Recipes[W]> {
  const { raw, path } = await readRecipe(nameOrPath, overrides);
  return checkRecipe(raw, path, world);
}

/**
 * Loads a recipe of any world: a path to a `.yaml`, `.json` or `.js` file (a module whose default export is the recipe), or the name of
 * one that comes with the package. `overrides` are `key.path=value` with values in YAML.
 *
 * @throws ColloquyError `recipe/missing`, `recipe/syntax`, `recipe/invalid`, `recipe/override`
 */
export async function loadAnyRecipe(nameOrPath: string, overrides: readonly string[] = []): Promise<AnyRecipe> {
  const { raw, path } = await readRecipe(nameOrPath, overrides);
  return checkAnyRecipe(raw, path);
}

async function readRecipe(nameOrPath: string, overrides: readonly string[]) {
  const path = findRecipe(nameOrPath);
  const raw = await readRecipeFile(path);
  if (!isRecord(raw)) throw new ColloquyError("recipe/invalid", `${path} does not hold a recipe (a mapping of keys)`);
  // What an editor is told does not decide a result, so it is no part of the recipe.
  const { $schema: _schema, ...recipe } = raw;
  return { raw: applyOverrides(recipe, overrides), path };
}

/** Names of the shipped recipes, in alphabetical order. */
export const shippedRecipeNames = (): string[] =>
  existsSync(shippedRecipes)
    ? readdirSync(shippedRecipes)
        .filter((file) => file.endsWith(".yaml"))
        .map((file) => file.slice(0, -".yaml".length))
        .sort()
    : [];

function findRecipe(nameOrPath: string): string {
  // A folder of a recipe's name must not stand in its way.
  if (statSync(nameOrPath, { throwIfNoEntry: false })?.isDirectory() === false) return resolve(nameOrPath);
  const shipped = join(shippedRecipes, `${nameOrPath}.yaml`);
  if (existsSync(shipped)) return shipped;
  throw new ColloquyError("recipe/missing", `there is no recipe "${nameOrPath}"`, {
    hint: `Give a path to a .yaml, .json or .js file, or a name. ${suggest(nameOrPath, shippedRecipeNames())}`,
  });
}

async function readRecipeFile(path: string): Promise<unknown> {
  switch (extname(path)) {
    case ".json":
      return parseJson(readText(path), path);
    case ".js":
    case ".mjs":
    case ".ts":
      try {
        return ((await import(pathToFileURL(path).href)) as { default?: unknown }).default;
      } catch (cause) {
        throw new ColloquyError("recipe/syntax", `cannot load ${path}: ${(cause as Error).message}`, {
          cause,
          hint:
            extname(path) === ".ts" ? "This Node version may not load TypeScript; use .yaml, .json or .js." : undefined,
        });
      }
    default:
      return readYaml(readText(path), path);
  }
}

function readYaml(text: string, what: string): unknown {
  try {
    return parseYaml(text);
  } catch (cause) {
    throw new ColloquyError("recipe/syntax", `${what} is not valid YAML: ${(cause as Error).message}`, { cause });
  }
}

/** A copy of a recipe with every `a.b.c=value` set. @throws ColloquyError `recipe/override` */
export function applyOverrides(
  raw: Readonly<Record<string, unknown>>,
  overrides: readonly string[],
): Record<string, unknown> {
  return overrides.reduce(applyOverride, { ...raw });
}

/** A copy of `raw` with `a.b.c=value` set. Unknown keys are found by the check that follows. */
function applyOverride(raw: Record<string, unknown>, override: string): Record<string, unknown> {
  const equals = override.indexOf("=");
  const keys = override.slice(0, Math.max(0, equals)).split(".");
  if (equals < 1 || keys.some((key) => key === "" || key === "__proto__")) {
    throw new ColloquyError("recipe/override", `--set ${override} is not of the form key.path=value`, {
      hint: "For example: --set train.steps=100",
    });
  }
  return replaceAt(raw, keys, readYaml(override.slice(equals + 1), `the value of --set ${override}`), override);
}

function replaceAt(
  place: Record<string, unknown>,
  [key, ...rest]: string[],
  value: unknown,
  override: string,
): Record<string, unknown> {
  if (rest.length === 0) return { ...place, [key]: value };
  const inner = Object.hasOwn(place, key) ? (place[key] ?? {}) : {};
  if (isRecord(inner)) return { ...place, [key]: replaceAt(inner, rest, value, override) };
  const found = `"${key}" is ${JSON.stringify(inner)}, which has no keys`;
  throw new ColloquyError("recipe/override", `--set ${override}: ${found}`, {
    hint: "Lists and single values are replaced as a whole, for example: --set attack.adversaries=[0,2]",
  });
}
