import type { IndependentSettings } from "./settings.ts";

/** What an agent has in mind when it makes up its mind again. */
export interface Standpoint {
  /** The option it holds. */
  readonly held: number;
  /** The wrong option that many fall for. */
  readonly misconception: number;
  /** Log-probabilities that its own knowledge gives the options. */
  readonly logKnowledge: readonly number[];
  /** Summed force of the voices for each option. */
  readonly voices: readonly number[];
  /** n: how many were heard with an answer. */
  readonly heard: number;
}

/**
 * The response law of simulated agents, a conditional logit: option y is chosen in proportion to exp(u(y)),
 * u(y) = (κ + μ[y misconception])[y held] + W(n) share(y) + γ log knowledge(y), W(n) = W∞ n / (n + h).
 * Ours; the default weights come near the transitions of recorded three-agent debates.
 */
export function weighOptions(stand: Standpoint, law: IndependentSettings): number[] {
  const { held, misconception, logKnowledge, voices, heard } = stand;
  // W(n) times the share of n voices.
  const weightOfVoice = law.crowdWeight / (heard + law.halfVoices);
  const utilities = logKnowledge.map((log, option) => {
    const own = option === held ? law.ownWeight + (option === misconception ? law.misconceptionWeight : 0) : 0;
    return own + weightOfVoice * voices[option] + law.knowledge * log;
  });
  const highest = Math.max(...utilities);
  return utilities.map((utility) => Math.exp(utility - highest));
}
