import type { Narration } from "../agents/index.ts";
import type { Embedder } from "../contracts/embedder.ts";
import type { Population } from "../contracts/population.ts";
import type { Grader, Question } from "../contracts/task.ts";
import type { LiveOptions, LiveTeam } from "./parts/live.ts";

/** What a world may need beside its recipe. */
export interface WorldOptions {
  /** How live language models are called; needed where the recipe's agents are some. */
  readonly live?: LiveOptions;
  /** Questions that language models are asked instead of the recipe's. */
  readonly questions?: readonly Question[];
  /** Instead of the recipe's. */
  readonly embedder?: Embedder;
  /** Whether answers are judged where that takes running programs. Default true. */
  readonly grades?: boolean;
  /** Told of what live models say, as they say it. */
  readonly onUtterance?: (said: Narration) => void;
}

/** A population with the questions it can answer. */
export interface OpenPopulation {
  readonly population: Population;
  readonly questions: readonly Question[];
  /** Name of what is asked, and its version where it has one: `mmlu@1`. */
  readonly benchmark: string;
  /** Judges answers where equality with the gold one does not. */
  readonly grade?: Grader;
  readonly live?: LiveTeam;
  readonly warnings: readonly string[];
}
