import { join } from "node:path";
import {
  type AblationName,
  type FittedRival,
  findTrained,
  isAblation,
  isContender,
  type MethodName,
  type Recipe,
  readFittedRival,
  rivalOf,
  strategies,
  type Trained,
  trainedPart,
  type World,
  worldOf,
  writeFittedRival,
} from "../assemble/index.ts";
import { cancelled } from "../base/cancel.ts";
import { describeError } from "../base/errors.ts";
import { shortHash } from "../base/hash.ts";
import { canonicalJson } from "../base/json.ts";
import { createRng } from "../base/rng.ts";
import type { Weights } from "../contracts/policy.ts";
import { fitRival } from "../train/index.ts";
import type { TrainingOptions } from "./train-in-folder.ts";
import { episodesOf, trainWorld } from "./train-world.ts";

/*
 * The contenders of an evaluation are trained before it: each on the run's own training questions and attacks, from the same
 * starts, until it has spent as many agent calls as the policy they are compared with. What they have learned stays beside
 * the run, so that the next evaluation finds it.
 */

export interface ContenderOptions extends Omit<TrainingOptions, "onProgress"> {
  /** Told how far the training of a method is. */
  onTraining?(method: MethodName, done: number, total: number): void;
}

type RivalName = keyof typeof strategies;

/** Times as many updates as the run's own policy makes, at most: what makes few calls may take more of them. */
const longest = 20;

/**
 * Trains those of the world's methods that need it, or reads what they have learned before.
 * @param folder of the run, or of the results where the policy stands alone
 */
export async function trainContenders(
  world: World,
  trained: Trained,
  folder: string,
  options: ContenderOptions,
): Promise<Map<MethodName, Weights>> {
  const calls = callsOf(trained);
  const weights = new Map<MethodName, Weights>();
  for (const name of world.recipe.evaluate.methods.filter(isContender)) {
    const learned = isAblation(name)
      ? await trainAblation(world, name, calls, folder, options)
      : await trainRival(world, name, calls, folder, options);
    weights.set(name, learned);
  }
  return weights;
}

async function trainAblation(
  world: World,
  name: AblationName,
  calls: number,
  folder: string,
  options: ContenderOptions,
): Promise<Weights> {
  const own = worldOf(world, name);
  // The calls end it, and its schedules follow them.
  const train = { ...own.recipe.train, calls, steps: longest * own.recipe.train.steps };
  const recipe: Recipe = { ...own.recipe, train };
  const place = join(folder, "contenders", placeOf(name, [trainedPart(recipe), world.split.hashes]));
  const result = await trainWorld(own.under(recipe), place, {
    ...options,
    onWarning: (warning) => options.onWarning?.(`${name}: ${warning}`),
    onProgress: ({ calls: spent }) => options.onTraining?.(name, Math.min(spent, calls), calls),
  });
  if (options.signal?.aborted) throw cancelled(options.signal);
  const { checkpoint } = await findTrained(result.checkpoint, []);
  if (checkpoint.warning !== undefined) options.onWarning?.(`${name}: ${checkpoint.warning}`);
  return checkpoint.weights;
}

async function trainRival(
  world: World,
  name: RivalName,
  calls: number,
  folder: string,
  { concurrency = 16, signal, onTraining, onWarning }: ContenderOptions,
): Promise<Weights> {
  const decides = [trainedPart(world.recipe), world.split.hashes, calls];
  const place = join(folder, "contenders", `${placeOf(name, decides)}.safetensors`);
  const learn = async (): Promise<FittedRival> => {
    const onProgress = (spent: number): void => onTraining?.(name, Math.min(spent, calls), calls);
    const fitted = await fitRival({ ...rivalInput(world, name), calls, concurrency, signal, onProgress });
    writeFittedRival(place, fitted);
    return fitted;
  };
  const fitted = readAgain(place, world, name, onWarning) ?? (await learn());
  if (!fitted.learned && rivalOf(name).learn !== undefined)
    onWarning?.(`${name} is judged as it was before training: nothing it learned did as well in validation`);
  return fitted.weights;
}

/** A file that cannot be used is made anew. */
function readAgain(
  place: string,
  { recipe }: World,
  name: RivalName,
  onWarning: ContenderOptions["onWarning"],
): FittedRival | undefined {
  try {
    return readFittedRival(place, rivalOf(name).begin(recipe.team, createRng(recipe.seed)).weights);
  } catch (error) {
    onWarning?.(`${describeError(error)}. ${name} is trained again.`);
    return undefined;
  }
}

/** What a rival is trained with, but for the calls. */
export const rivalInput = (world: World, name: RivalName) => {
  const { settings, seed, questions } = episodesOf(world);
  return {
    rival: rivalOf(name),
    shape: world.recipe.team,
    environment: world.environment(strategies[name]),
    questions,
    settings,
    seed,
  };
};

/** The name of a method and a hash of what decides its training. */
const placeOf = (name: MethodName, decides: unknown): string =>
  `${name.replace(/\W+/g, "-")}-${shortHash(canonicalJson(decides))}`;

/** Agent calls the run's own policy was trained with; where it does not say, the most its updates can have made. */
export function callsOf({ calls, recipe: { train, team } }: Trained): number {
  return calls ?? (train.steps + train.warmStartSteps) * train.starts * train.samples * team.agents * team.rounds;
}
