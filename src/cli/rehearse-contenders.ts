import {
  isAblation,
  isContender,
  type MethodName,
  type Rival,
  rivalOf,
  type Trained,
  untrainedWeights,
  type World,
  worldOf,
} from "../assemble/index.ts";
import { createRng } from "../base/rng.ts";
import type { Policy, Weights } from "../contracts/policy.ts";
import { createForward } from "../runtime/forward.ts";
import { networkPolicy } from "../runtime/network-policy.ts";
import { type FitRivalInput, fitRival, type RehearsalPart } from "../train/index.ts";
import { callsOf, rivalInput } from "./train-contenders.ts";
import { episodesOf } from "./train-world.ts";

/** The episodes in which contenders would be trained, for a rehearsal. */
export function rehearseContenders(
  world: World,
  trained: Trained,
  policy: Policy | undefined,
  most: number,
  concurrency: number,
): RehearsalPart[] {
  const calls = callsOf(trained);
  const { agents } = world.recipe.team;
  const played = Math.min(calls, most * agents);
  return world.recipe.evaluate.methods.filter(isContender).flatMap((name): RehearsalPart[] => {
    const input = isAblation(name) ? ablationInput(worldOf(world, name), policy) : rivalInput(world, name);
    if (input.rival.learn === undefined) return [];
    const { validation } = input.questions;
    const untried = { ...input, concurrency, questions: { ...input.questions, validation: [] } };
    return [
      { times: calls / played, play: () => fitRival({ ...untried, calls: played }) },
      // Before training and once after it; what lies between asks little that is new.
      { times: validation.length > 0 ? 2 : 0, play: () => fitRival({ ...input, concurrency, calls: 0 }) },
    ];
  });
}

/** An ablation that learns nothing, played as it would be in training. @param stance decides in place of the network */
function ablationInput(own: World, stance: Policy | undefined): Omit<FitRivalInput, "calls" | "concurrency"> {
  const { settings, seed, questions, network, initial, environment } = episodesOf(own);
  const rival: Rival = {
    summary: "",
    begin: () => ({ weights: initial }),
    policy: (weights, _shape, participation) =>
      stance ?? networkPolicy("rehearsal", createForward(network, weights), participation),
    learn: (state) => state,
  };
  return { rival, shape: own.recipe.team, environment, questions, settings, seed };
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
