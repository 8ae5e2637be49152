import { attacks, schedules } from "../attacks/index.ts";
import { mindAttacks } from "../attacks/minds/index.ts";
import { embedders, features } from "../behaviour/index.ts";
import {
  decompositions,
  environments,
  strategies,
  workplaceFeatureNames,
  workplaceStrategies,
} from "../environments/index.ts";
import { languageModels } from "../llm/index.ts";
import { importers } from "../populations/import/index.ts";
import { populations } from "../populations/index.ts";
import { tasks } from "../tasks/index.ts";
import { topologies } from "../topology/index.ts";
import { ablations } from "./ablations.ts";
import { shippedRecipeNames } from "./load.ts";

/** Names with one line each, by the word a user asks for them with. */
export type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Everything that can be named in a recipe or a command, read from the tables of the parts. */
export function catalogue(): Catalogue {
  return {
    tasks: Object.fromEntries(
      Object.entries(tasks).map(([name, { version, summary }]) => [name, `${version}: ${summary}`]),
    ),
    attacks: Object.fromEntries(
      Object.keys(attacks).map((name) => [name, attackSummaries[name as keyof typeof attacks]]),
    ),
    onsets: Object.fromEntries(Object.keys(schedules).map((name) => [name, ""])),
    topologies: summaries(topologies),
    methods: summaries({ ...strategies, ...ablations }),
    environments: summaries(environments),
    populations: summaries(populations),
    models: summaries(languageModels),
    formats: summaries(importers),
    embedders: { ...summaries(embedders), endpoint: "the `/embeddings` of the models' server", none: "no embedding" },
    features: Object.fromEntries(Object.keys(features).map((name) => [name, ""])),
    recipes: Object.fromEntries(shippedRecipeNames().map((name) => [name, ""])),
    ...workplaceLists(),
  };
}

/** What the workplace has of its own. Lists of one word belong together: the first is of the deliberation. */
const workplaceLists = (): Catalogue => ({
  "methods (workplace-v1)": summaries(workplaceStrategies),
  "attacks (workplace-v1)": summaries(mindAttacks),
  "features (workplace-v1)": Object.fromEntries(workplaceFeatureNames.map((name) => [name, ""])),
  "decompositions (workplace-v1)": {
    ...summaries(decompositions),
    equal: "one equal share a worker, and nothing waits: the case with a closed form",
  },
});

/** The lists that a word asks for: its own, and those of single worlds. */
export const listsOf = (all: Catalogue, word: string): Catalogue =>
  Object.fromEntries(Object.entries(all).filter(([title]) => title === word || title.startsWith(`${word} (`)));

const attackSummaries: Record<keyof typeof attacks, string> = {
  mislead: "a wrong answer of its own, argued",
  persuade: "a wrong answer that also rebuts what it heard",
  collude: "all adversaries share one wrong answer",
  independent: "each adversary a wrong answer of its own",
  silence: "no answer",
  noise: "a random answer each round",
};

const summaries = (table: Readonly<Record<string, { readonly summary: string }>>): Record<string, string> =>
  Object.fromEntries(Object.entries(table).map(([name, { summary }]) => [name, summary]));
