import { createRng } from "../base/rng.ts";
import type { Environment } from "../contracts/environment.ts";
import type { Policy, Weights } from "../contracts/policy.ts";
import { runEpisode, type Strategy, type StrategyName, strategies } from "../environments/index.ts";
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

/** The methods by name, ready to be played on the same episodes. `weights` are the trained ones. */
export async function openMethods(world: World, names: readonly StrategyName[], weights: Weights): Promise<Method[]> {
  const { participation } = world.recipe.evaluate;
  const trained = networkPolicy("learned", createForward(world.network, weights), participation);
  const untrained = networkPolicy("untrained", createForward(world.network, untrainedWeights(world)), participation);
  const methods: Method[] = [];
  for (const name of names) {
    const strategy: Strategy = name === "single" ? await chooseSingle(world) : strategies[name];
    const policy =
      strategy.policy === "network" ? trained : strategy.policy === "initial" ? untrained : strategy.policy;
    methods.push({ name, environment: world.environment(strategy), policy });
  }
  return methods;
}

/** The weights a run starts from. */
export const untrainedWeights = ({ recipe, network }: World): Weights =>
  initialWeights(network, createRng(recipe.seed).fork("weights"));

/** The agent that answers most validation questions (without any: training questions) right, alone, with nobody attacking. */
async function chooseSingle(world: World): Promise<Strategy> {
  const { agents } = world.recipe.team;
  const { validation, train } = world.split;
  const questions = validation.length > 0 ? validation : train;
  if (questions.length === 0) return singleOf(0);
  let best = 0;
  let mostRight = -1;
  for (let agent = 0; agent < agents; agent++) {
    const strategy = singleOf(agent);
    const environment = world.environment(strategy);
    let right = 0;
    for (let e = 0; e < tryoutEpisodes; e++) {
      const record = await runEpisode(environment, strategy.policy as Policy, {
        question: questions[e % questions.length],
        seed: world.recipe.seed,
        sample: e,
        attack: { kind: world.recipe.attack.kind, adversaries: 0, onset: "first" },
      });
      right += record.utility;
    }
    if (right > mostRight) [best, mostRight] = [agent, right];
  }
  return singleOf(best);
}

const singleOf = (agent: number): Strategy => ({
  ...strategies.single,
  settings: { ...strategies.single.settings, panel: [agent] },
});
