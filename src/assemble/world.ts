import { planAttack } from "../attacks/index.ts";
import type { Environment as Variables } from "../base/env.ts";
import type { Embedder } from "../contracts/embedder.ts";
import type { Environment } from "../contracts/environment.ts";
import type { NetworkConfig } from "../contracts/policy.ts";
import type { Population } from "../contracts/population.ts";
import type { Grader, Question } from "../contracts/task.ts";
import type { Budget } from "../contracts/topology.ts";
import { createDeliberation, type Strategy, strategyFeatures } from "../environments/index.ts";
import { type Split, splitByParts, splitQuestions } from "../tasks/split.ts";
import { budgetOfRound } from "../topology/budget.ts";
import { topologies } from "../topology/index.ts";
import { openEmbedder } from "./embedder.ts";
import type { WorldOptions } from "./open-population.ts";
import type { LiveTeam } from "./parts/live.ts";
import { openPopulation } from "./population.ts";
import type { Recipe } from "./recipe.ts";

/** A recipe come alive. */
export interface World {
  readonly recipe: Recipe;
  readonly population: Population;
  /** Name of what is asked, with its version where it has one. */
  readonly benchmark: string;
  readonly split: Split;
  /** `null` where the policy reads no words: utterances bring vectors, or there is no embedding at all. */
  readonly embedder: Embedder | null;
  /** The architecture that fits this world. */
  readonly network: NetworkConfig;
  /** The world as `strategy` plays it; the run's own policy where none is given. */
  environment(strategy?: Strategy): Environment;
  /** The same agents and questions under another recipe's network, budgets and training; nothing is opened anew. */
  under(recipe: Recipe): World;
  /** The models' ledger and cache, where agents are live language models; `null` where no call is paid. */
  readonly live: LiveTeam | null;
  /** What a reader should know about the data (a torn bank, left-out questions). */
  readonly warnings: readonly string[];
}

/** Makes names and settings into live objects. @throws ColloquyError for whatever the recipe names and is not there */
export async function openWorld(recipe: Recipe, options: WorldOptions = {}): Promise<World> {
  const { population, questions, benchmark, warnings, grade, live = null } = await openPopulation(recipe, options);
  const embedder = options.embedder ?? (await chooseEmbedder(recipe, population, live, options.live?.variables));
  const { warnings: splitWarnings = [], ...split } = splitWorld(recipe, questions, options.questions !== undefined);
  return arrange(recipe, {
    population,
    benchmark,
    split,
    live,
    embedder,
    grade,
    warnings: [...warnings, ...splitWarnings],
  });
}

/** What of a world is opened: all but the way it is played. */
type Opened = Pick<World, "population" | "benchmark" | "split" | "live" | "embedder" | "warnings"> & {
  readonly grade?: Grader;
};

function arrange(recipe: Recipe, opened: Opened): World {
  const { population } = opened;
  const { embedder: wanted, features } = recipe.behaviour;
  const embedder = wanted === "none" ? null : opened.embedder;
  const embedding = wanted === "none" ? 0 : (population.embeddingDimension ?? embedder?.dimension ?? 0);
  const { context, rank, ...network } = recipe.network;
  return {
    ...opened,
    recipe,
    embedder,
    network: {
      ...network,
      embedding,
      scalars: features,
      ...(context === "team" ? { context } : {}),
      ...(rank === "decide" ? { rank } : {}),
    },
    under: (changed) => arrange(changed, opened),
    environment: (strategy) => {
      const isNetwork = strategy === undefined || strategy.policy === "network" || strategy.policy === "initial";
      const readsWords = isNetwork || strategy.embeddings === true;
      return createDeliberation({
        agents: recipe.team.agents,
        rounds: strategy?.rounds ?? recipe.team.rounds,
        attackRounds: recipe.team.rounds,
        population,
        attack: planAttack,
        topology: topologies[(strategy?.topology ?? recipe.topology.rule) as keyof typeof topologies].draw,
        budget: budgets[strategy?.budget ?? "own"](recipe),
        vote: recipe.vote.rule,
        voters: recipe.vote.voters,
        ballots: "last",
        memory: true,
        features: isNetwork ? features : strategyFeatures(strategy),
        embedder: readsWords ? embedder : null,
        embedding: readsWords ? embedding : 0,
        grade: opened.grade,
        ...strategy?.settings,
      });
    },
  };
}

const unlimited: Budget = { in: Infinity, out: Infinity, depth: Infinity };

/** The budget of each round, by what a strategy says of it. */
const budgets: Record<NonNullable<Strategy["budget"]>, (recipe: Recipe) => (round: number) => Budget> = {
  own:
    ({ topology }) =>
    (round) =>
      budgetOfRound(topology, round),
  none: () => () => unlimited,
  layers: () => () => ({ ...unlimited, temporal: Infinity }),
};

async function chooseEmbedder(
  { behaviour }: Recipe,
  population: Population,
  live: LiveTeam | null,
  variables?: Variables,
): Promise<Embedder | null> {
  if (population.embeddingDimension !== undefined || behaviour.embedder === "none") return null;
  return openEmbedder(behaviour.embedder, behaviour, { live, variables });
}

/** Questions given by hand are not split: they are there to be asked. */
function splitWorld(
  { split }: Recipe,
  questions: readonly Question[],
  given: boolean,
): Split & { readonly warnings?: readonly string[] } {
  if (given) return { train: [], validation: [], test: questions, hashes: { train: "", validation: "", test: "" } };
  return split.parts === undefined ? splitQuestions(questions, split) : splitByParts(questions, split.parts, split);
}
