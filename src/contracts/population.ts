import type { Rng } from "../base/rng.ts";
import type { Agent } from "./agent.ts";
import type { Question } from "./task.ts";

/**
 * Where agents come from. Environments cannot tell one population from another.
 */
export interface Population {
  readonly name: string;
  /** Stated by the population when its utterances bring their own embedding; otherwise the embedder's size counts. */
  readonly embeddingDimension?: number;
  /**
   * A fresh team for one episode. Whatever chance decides about the team (skills, which recorded utterances are left)
   * comes from `rng`, the episode's own stream.
   */
  team(question: Question, agents: number, rng: Rng): readonly Agent[];
  /** Answers an adversary could argue for on this question: wrong ones that the population can put into words. */
  targets(question: Question): readonly string[];
}
