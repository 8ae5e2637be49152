import { runInLanes } from "../base/lanes.ts";
import { createRng } from "../base/rng.ts";
import { sum } from "../base/stats.ts";
import type { Environment } from "../contracts/environment.ts";
import type { Policy, Weights } from "../contracts/policy.ts";
import { everyone, runEpisode, type Strategy, type StrategyName, strategies } from "../environments/index.ts";
import { initialWeights } from "../nets/credit-gru.ts";
import { createForward } from "../runtime/forward.ts";
import { networkPolicy } from "../runtime/network-policy.ts";
import type { World } from "./world.ts";

/** A policy in the world it is judged in. */
export interface Method {
  readonly name: string;
  readonly environment: Environment;
  readonly policy: Policy;
}

/** Episodes on which the best single agent is chosen, for each agent. */
const tryoutEpisodes = 200;

/**
 * The methods by name, ready to be played on the same episodes.
 * @param weights the trained ones
 * @param stance takes the place of every policy that decides by what it sees (for rehearsals)
 */
export async function openMethods(
  world: World,
  names: readonly StrategyName[],
  weights: Weights,
  concurrency = 1,
  stance?: Policy,
): Promise<Method[]> {
  const { participation } = world.recipe.evaluate;
  const trained = networkPolicy("learned", createForward(world.network, weights), participation);
  const untrained = networkPolicy("untrained", createForward(world.network, untrainedWeights(world)), participation);
  const methods: Method[] = [];
  for (const name of names) {
    const strategy: Strategy = name === "single" ? await chooseSingle(world, concurrency) : strategies[name];
    if (strategy.policy === "rival") throw new Error("TODO rivals");
    const own = strategy.policy === "network" ? trained : strategy.policy === "initial" ? untrained : strategy.policy;
    const policy = stance !== undefined && own !== everyone && own.privileged !== true ? stance : own;
    methods.push({ name, environment: world.environment(strategy), policy });
  }
  return methods;
}

/** The weights a run starts from. */
export const untrainedWeights = ({ recipe, network }: World): Weights =>
  initialWeights(network, createRng(recipe.seed).fork("weights"));

/** The agent that answers most validation questions (without any: training questions) right, alone, with nobody attacking. */
async function chooseSingle(world: World, concurrency: number): Promise<Strategy> {
  const { agents } = world.recipe.team;
  const { validation, train } = world.split;
  const questions = validation.length > 0 ? validation : train;
  if (questions.length === 0) return singleOf(0);
  // Where every call is paid, each question is asked once.
  const episodes = world.live === null ? tryoutEpisodes : Math.min(tryoutEpisodes, questions.length);
  const tried = Array.from({ length: agents }, (_, agent) => ({
    agent,
    environment: world.environment(singleOf(agent)),
  }));
  const utilities = await runInLanes(agents * episodes, concurrency, async (k) => {
    const e = k % episodes;
    const { utility } = await runEpisode(tried[Math.floor(k / episodes)].environment, strategies.single.policy, {
      question: questions[e % questions.length],
      seed: world.recipe.seed,
      sample: e,
      attack: { kind: world.recipe.attack.kind, adversaries: 0, onset: "first" },
    });
    return utility;
  });
  const rightOf = (agent: number): number => sum(utilities.slice(agent * episodes, (agent + 1) * episodes));
  return singleOf(tried.map(({ agent }) => agent).sort((a, b) => rightOf(b) - rightOf(a) || a - b)[0]);
}

const singleOf = (agent: number): Strategy => ({
  ...strategies.single,
  settings: { ...strategies.single.settings, panel: [agent] },
});
