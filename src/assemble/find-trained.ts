import { existsSync } from "node:fs";
import { join } from "node:path";
import { ColloquyError } from "../base/errors.ts";
import { canonicalJson, isRecord } from "../base/json.ts";
import { type LoadedCheckpoint, readCheckpoint } from "../checkpoint/folder.ts";
import type { NetworkConfig } from "../contracts/policy.ts";
import type { Question } from "../contracts/task.ts";
import { questionKey } from "../tasks/choice.ts";
import { checkAnyRecipe, checkRecipe } from "./check-recipe.ts";
import { applyOverrides, loadAnyRecipe } from "./load.ts";
import type { Recipe } from "./recipe.ts";
import { runName } from "./settings.ts";
import type { AnyRecipe } from "./worlds.ts";

/** A trained policy with the recipe it is to be judged under. */
export interface Trained<R extends AnyRecipe = Recipe> {
  readonly recipe: R;
  readonly checkpoint: LoadedCheckpoint;
  /** The run folder it lies in; `null` for a policy that stands alone. */
  readonly run: string | null;
  /** Agent calls its run made, or it was trained with where it stands alone; `null` where it does not say. */
  readonly calls: number | null;
}

/** Where the run of a recipe goes unless told otherwise. */
export const defaultRunFolder = (recipe: AnyRecipe): string => join("runs", runName(recipe));

/**
 * Finds a policy of the deliberation by what a user would call it: a checkpoint, an exported policy, a run folder, or a
 * recipe that has been trained. `overrides` change the recipe it was trained with.
 * @throws ColloquyError `checkpoint/missing` where nothing has been trained yet, `recipe/world` where it is of another
 * world, and whatever reading throws
 */
export async function findTrained(source: string, overrides: readonly string[]): Promise<Trained> {
  const found = await findAnyTrained(source, overrides);
  return { ...found, recipe: checkRecipe(found.recipe, source) };
}

/** The same in any world. @throws ColloquyError `checkpoint/missing`, and whatever reading throws */
export async function findAnyTrained(source: string, overrides: readonly string[]): Promise<Trained<AnyRecipe>> {
  const { recipe, trained } = await findRecipeOrPolicy(source, overrides);
  return trained ?? refuseUntrained(recipe, source, overrides);
}

/** @throws ColloquyError `checkpoint/missing` with the command that trains it */
export function refuseUntrained(recipe: AnyRecipe, source: string, overrides: readonly string[]): never {
  const asTyped = [source, ...overrides.map((override) => `--set ${override}`)].join(" ");
  throw new ColloquyError(
    "checkpoint/missing",
    `the recipe "${recipe.name}" has not been trained yet: there is no ${defaultRunFolder(recipe)}`,
    { hint: `Train it first: colloquy train ${asTyped}` },
  );
}

/** A policy, or a recipe that nothing has been trained with yet: there `trained` is `null`. */
export async function findRecipeOrPolicy(
  source: string,
  overrides: readonly string[],
): Promise<{ readonly recipe: AnyRecipe; readonly trained: Trained<AnyRecipe> | null }> {
  const folder = findCheckpointFolder(source);
  if (folder !== undefined) {
    const trained = readTrained(folder, overrides);
    return { recipe: trained.recipe, trained };
  }
  const recipe = await loadAnyRecipe(source, overrides).catch((error: unknown) => {
    throw notFound(source, error);
  });
  // Trained with these overrides, or without them.
  const runs = [recipe, await loadAnyRecipe(source)].map(defaultRunFolder);
  const run = runs.find((folder) => findCheckpointFolder(folder) !== undefined);
  if (run === undefined) return { recipe, trained: null };
  const checkpoint = readCheckpoint(findCheckpointFolder(run)!);
  return { recipe, trained: { recipe, checkpoint, run, calls: callsOf(checkpoint, run) } };
}

function readTrained(folder: string, overrides: readonly string[]): Trained<AnyRecipe> {
  const checkpoint = readCheckpoint(folder);
  const { recipe } = checkpoint.manifest;
  if (recipe === undefined) {
    throw new ColloquyError("checkpoint/recipe", `${folder} does not say which recipe it was trained with`, {
      hint: "Train it again with this version, or evaluate a recipe.",
    });
  }
  const run = runOf(folder);
  return {
    recipe: checkAnyRecipe(applyOverrides(recipe, overrides), `the recipe in ${folder}`),
    checkpoint,
    run,
    calls: callsOf(checkpoint, run),
  };
}

/** The best checkpoint is often an early one: what the run has paid stands in its last. */
function callsOf(own: LoadedCheckpoint, run: string | null): number | null {
  const last = run === null ? undefined : findCheckpointFolder(join(run, "checkpoints", "last"));
  const { calls } = (last === undefined ? own : readCheckpoint(last)).manifest.training;
  return typeof calls === "number" && calls > 0 ? calls : null;
}

/** A path that means nothing may have been meant as any of the three. */
function notFound(source: string, error: unknown): unknown {
  if (!(error instanceof ColloquyError && error.code === "recipe/missing")) return error;
  return new ColloquyError("recipe/missing", `"${source}" is no checkpoint, no run folder and no recipe`, {
    hint: `Check the path; a run folder holds checkpoints/best. ${error.hint ?? ""}`,
    cause: error,
  });
}

/** The checkpoint folder that a path means, or `undefined` where it means none. */
export function findCheckpointFolder(path: string): string | undefined {
  const places = [path, join(path, "checkpoints", "best"), join(path, "checkpoints", "last")];
  return places.find(
    (place) => existsSync(join(place, "config.json")) || existsSync(join(`${place}.previous`, "config.json")),
  );
}

function runOf(folder: string): string | null {
  const run = join(folder, "..", "..");
  return existsSync(join(run, "recipe.json")) ? run : null;
}

/**
 * Checks that a checkpoint's network is the one the world needs.
 * @throws ColloquyError `checkpoint/misfit` naming every part of the layout that differs
 */
export function checkFit({ manifest, folder }: LoadedCheckpoint, network: NetworkConfig): void {
  const found: Record<string, unknown> = { ...manifest.network };
  const wanted: Record<string, unknown> = { ...network };
  const differing = Object.keys(wanted).filter((key) => canonicalJson(found[key]) !== canonicalJson(wanted[key]));
  if (differing.length === 0) return;
  const lines = differing.map(
    (key) => `  - ${key}: the checkpoint has ${show(found[key])}, this world ${show(wanted[key])}`,
  );
  throw new ColloquyError(
    "checkpoint/misfit",
    `the policy in ${folder} does not fit this world:\n${lines.join("\n")}`,
    {
      hint: "Judge it in a world with the same features and embedder, or train a policy for this one.",
    },
  );
}

/**
 * Refuses to judge a policy on questions it was trained or validated on.
 * @throws ColloquyError `evaluate/overlap` with their number
 */
export function checkOverlap({ manifest, folder }: LoadedCheckpoint, questions: readonly Question[]): void {
  const known = new Set(manifest.questions ?? []);
  const seen = questions.filter((question) => known.has(questionKey(question)));
  if (seen.length === 0) return;
  throw new ColloquyError(
    "evaluate/overlap",
    `the policy in ${folder} was trained on ${seen.length} of the ${questions.length} questions it is to be judged on (for example "${seen[0].id}")`,
    {
      hint: "Judge it on the split it was trained with, or on other questions; --allow-overlap judges it all the same.",
    },
  );
}

const show = (value: unknown): string =>
  isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
