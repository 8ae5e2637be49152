import { join } from "node:path";
import {
  type ablatedRecipe,
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
  untrainedWeights,
  type World,
  worldOf,
  writeFittedRival,
} from "../assemble/index.ts";
import { shortHash } from "../base/hash.ts";
import { canonicalJson } from "../base/json.ts";
import { createRng } from "../base/rng.ts";
import type { Policy, Weights } from "../contracts/policy.ts";
import { fitRival, type RehearsalPart, rehearseTraining } from "../train/index.ts";
import { episodesOf, type TrainingOptions, trainWorld } from "./run-training.ts";

/*
 * The contenders of an evaluation are trained before it: each on the run's own training questions and attacks, from the same
 * starts, until it has spent as many agent calls as the policy they are compared with. What they have learned stays beside
 * the run, so that the next evaluation finds it.
 */

export interface ContenderOptions extends Omit<TrainingOptions, "onProgress"> {
  /** Told how far the training of a method is. */
  onTraining?(method: MethodName, done: number, total: number): void;
}

type AblationName = Parameters<typeof ablatedRecipe>[1];
type RivalName = keyof typeof strategies;

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
  const recipe: Recipe = { ...own.recipe, train: { ...own.recipe.train, calls } };
  const { steps, warmStartSteps } = recipe.train;
  const place = join(folder, "contenders", placeOf(name, trainedPart(recipe)));
  const result = await trainWorld(own.under(recipe), place, {
    ...options,
    onProgress: ({ step, calls: spent }) =>
      options.onTraining?.(name, Math.max(spent / calls, step / (steps + warmStartSteps)) * calls, calls),
  });
  options.signal?.throwIfAborted();
  return (await findTrained(result.checkpoint, [])).checkpoint.weights;
}

async function trainRival(
  world: World,
  name: RivalName,
  calls: number,
  folder: string,
  { concurrency = 16, signal, onTraining }: ContenderOptions,
): Promise<Weights> {
  const rival = rivalOf(name);
  const trainedAs = (rival.trainedAs ?? name) as RivalName;
  const place = join(folder, "contenders", `${placeOf(trainedAs, [trainedPart(world.recipe), calls])}.safetensors`);
  const known = readFittedRival(place);
  if (known !== undefined) return known.weights;
  const fitted = await fitRival({
    ...rivalInput(world, trainedAs),
    calls,
    concurrency,
    signal,
    onProgress: (spent) => onTraining?.(name, Math.min(spent, calls), calls),
  });
  writeFittedRival(place, fitted);
  return fitted.weights;
}

const rivalInput = (world: World, name: RivalName) => {
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
function callsOf({ calls, recipe: { train, team } }: Trained): number {
  return calls ?? (train.steps + train.warmStartSteps) * train.starts * train.samples * team.agents * team.rounds;
}

/** The episodes in which contenders would be trained, for a rehearsal. */
export function rehearseContenders(
  world: World,
  trained: Trained,
  policy: Policy | undefined,
  most: number,
  concurrency: number,
): RehearsalPart[] {
  const calls = callsOf(trained);
  return world.recipe.evaluate.methods.filter(isContender).flatMap((name): RehearsalPart[] => {
    if (isAblation(name)) return rehearseTraining({ ...episodesOf(worldOf(world, name)), concurrency }, policy, most);
    const { trainedAs, learn } = rivalOf(name);
    if (learn === undefined || trainedAs !== undefined) return [];
    const played = Math.min(calls, most * world.recipe.team.agents);
    const play = (): Promise<unknown> => fitRival({ ...rivalInput(world, name), calls: played, concurrency });
    return [{ times: calls / played, play }];
  });
}

/** Weights for a rehearsal, in which nothing is learned. */
export function rehearsedWeights(world: World): Map<MethodName, Weights> {
  const { recipe } = world;
  const rng = createRng(recipe.seed);
  return new Map(
    recipe.evaluate.methods
      .filter(isContender)
      .map((name) => [
        name,
        isAblation(name) ? untrainedWeights(worldOf(world, name)) : rivalOf(name).begin(recipe.team, rng).weights,
      ]),
  );
}
