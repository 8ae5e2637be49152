import { ColloquyError } from "../base/errors.ts";
import { runInLanes } from "../base/lanes.ts";
import { createRng } from "../base/rng.ts";
import { sum } from "../base/stats.ts";
import type { Environment } from "../contracts/environment.ts";
import type { Policy, Weights } from "../contracts/policy.ts";
import { everyone, runEpisode, type Strategy, strategies } from "../environments/index.ts";
import { initialWeights } from "../nets/initial-weights.ts";
import { createForward } from "../runtime/forward.ts";
import { networkPolicy } from "../runtime/network-policy.ts";
import { isAblation, type MethodName, rivalOf, worldOf } from "./contenders.ts";
import type { World } from "./world.ts";

/** A policy in the world it is judged in. */
export interface Method {
  readonly name: string;
  readonly environment: Environment;
  readonly policy: Policy;
}

/** What the methods decide with. */
export interface MethodWeights {
  /** Of the run's own policy. */
  readonly learned: Weights;
  /** Of rivals and ablations, by method; see `isContender`. */
  readonly contenders: ReadonlyMap<MethodName, Weights>;
}

/** Episodes on which the best single agent is chosen, for each agent. */
const tryoutEpisodes = 200;

/**
 * The methods by name, ready to be played on the same episodes.
 * @param stance takes the place of every policy that decides by what it sees (for rehearsals)
 * @throws ColloquyError `evaluate/untrained` for a rival or an ablation without weights
 */
export async function openMethods(
  world: World,
  names: readonly MethodName[],
  weights: MethodWeights,
  concurrency = 1,
  stance?: Policy,
): Promise<Method[]> {
  const methods: Method[] = [];
  for (const name of names) {
    const { environment, policy } = await openMethod(world, name, weights, concurrency);
    const decides = policy !== everyone && policy.privileged !== true;
    methods.push({ name, environment, policy: stance !== undefined && decides ? stance : policy });
  }
  return methods;
}

async function openMethod(
  world: World,
  name: MethodName,
  weights: MethodWeights,
  concurrency: number,
): Promise<Omit<Method, "name">> {
  if (isAblation(name)) {
    const own = worldOf(world, name);
    return { environment: own.environment(), policy: creditPolicy(name, own, weightsOf(name, weights)) };
  }
  const strategy: Strategy = name === "single" ? await chooseSingle(world, concurrency) : strategies[name];
  const environment = world.environment(strategy);
  if (strategy.policy === "network") return { environment, policy: creditPolicy("learned", world, weights.learned) };
  if (strategy.policy === "initial")
    return { environment, policy: creditPolicy("untrained", world, untrainedWeights(world)) };
  if (strategy.policy !== "rival") return { environment, policy: strategy.policy };
  const policy = rivalOf(name).policy(weightsOf(name, weights), world.recipe.team, "threshold");
  return { environment, policy };
}

const creditPolicy = (name: string, { network, recipe }: World, weights: Weights): Policy =>
  networkPolicy(name, createForward(network, weights), recipe.evaluate.participation);

function weightsOf(name: MethodName, { contenders }: MethodWeights): Weights {
  const found = contenders.get(name);
  if (found !== undefined) return found;
  throw new ColloquyError("evaluate/untrained", `the method "${name}" has not been trained`, {
    hint: "It is trained for the team it is judged with; `colloquy evaluate` does that by itself.",
  });
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
