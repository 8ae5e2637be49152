import { planAttack } from "../attacks/index.ts";
import type { Embedder } from "../contracts/embedder.ts";
import type { Environment } from "../contracts/environment.ts";
import type { NetworkConfig } from "../contracts/policy.ts";
import type { Population } from "../contracts/population.ts";
import type { Budget } from "../contracts/topology.ts";
import { createDeliberation, type Strategy, strategyFeatures } from "../environments/index.ts";
import { type Split, splitQuestions } from "../tasks/split.ts";
import { topologies } from "../topology/index.ts";
import { openEmbedder } from "./embedder.ts";
import { openPopulation } from "./population.ts";
import type { Recipe } from "./recipe.ts";

/** A recipe come alive. */
export interface World {
  readonly recipe: Recipe;
  readonly population: Population;
  readonly split: Split;
  /** `null` where the policy reads no words: utterances bring vectors, or there is no embedding at all. */
  readonly embedder: Embedder | null;
  /** The architecture that fits this world. */
  readonly network: NetworkConfig;
  /** The world as `strategy` plays it; the run's own policy where none is given. */
  environment(strategy?: Strategy): Environment;
  /** What a reader should know about the data (a torn bank, left-out questions). */
  readonly warnings: readonly string[];
}

/** Makes names and settings into live objects. @throws ColloquyError for whatever the recipe names and is not there */
export async function openWorld(recipe: Recipe): Promise<World> {
  const { population, questions, warnings } = openPopulation(recipe);
  const embedder = await chooseEmbedder(recipe, population);
  const embedding = population.embeddingDimension ?? embedder?.dimension ?? 0;
  const features = recipe.behaviour.features;
  return {
    recipe,
    population,
    split: splitQuestions(questions, recipe.split),
    embedder,
    network: {
      kind: "credit-gru",
      embedding,
      projection: recipe.network.projection,
      scalars: features,
      hidden: recipe.network.hidden,
      ...(recipe.network.context === "team" ? { context: "team" } : {}),
      heads: recipe.network.heads,
      clamp: recipe.network.clamp,
    },
    environment: (strategy) => {
      const readsWords = strategy === undefined || typeof strategy.policy === "string";
      return createDeliberation({
        agents: recipe.team.agents,
        rounds: strategy?.rounds ?? recipe.team.rounds,
        attackRounds: recipe.team.rounds,
        population,
        attack: planAttack,
        topology: topologies[(strategy?.topology ?? recipe.topology.rule) as keyof typeof topologies].draw,
        budget: () => (strategy?.budget === "none" ? unlimited : budgetOf(recipe)),
        vote: recipe.vote.rule,
        voters: recipe.vote.voters,
        ballots: "last",
        memory: true,
        features: readsWords ? features : strategyFeatures(strategy),
        embedder: readsWords ? embedder : null,
        embedding: readsWords ? embedding : 0,
        ...strategy?.settings,
      });
    },
    warnings,
  };
}

const unlimited: Budget = { in: Infinity, out: Infinity, depth: Infinity };

/** The recipe's budget as topology rules want it. */
export const budgetOf = ({ topology }: Recipe): Budget => ({
  in: topology.in ?? Infinity,
  out: topology.out ?? Infinity,
  depth: topology.depth ?? Infinity,
});

async function chooseEmbedder(recipe: Recipe, population: Population): Promise<Embedder | null> {
  if (population.embeddingDimension !== undefined || recipe.behaviour.embedder === "none") return null;
  return openEmbedder(recipe.behaviour.embedder, recipe.behaviour);
}
