import type { Rng } from "../../base/rng.ts";

/** What a simulated member is really able to [ours]. Nobody is told; some of it shows in what its answers are worth. */
export interface Traits {
  /** Chance that it knows a topic it has the skill for; a manager has all skills and knows a little of each. */
  readonly knowledge: number;
  /** Clarity of its answers in a chat, in thousandths. */
  readonly clarity: number;
  /** Says which topics it knows. */
  readonly salt: number;
}

/** What members are drawn from. */
export interface TraitSettings {
  readonly knowledge: readonly [least: number, most: number];
  readonly managerKnowledge: number;
  readonly clarity: readonly [least: number, most: number];
  readonly managerClarity: number;
}

export const defaultTraits: TraitSettings = {
  knowledge: [0.7, 1],
  managerKnowledge: 0.6,
  clarity: [250, 750],
  managerClarity: 600,
};

export function drawTraits(isManager: boolean, settings: TraitSettings, rng: Rng): Traits {
  const between = ([least, most]: readonly [number, number]): number => least + (most - least) * rng.uniform();
  const knowledge = between(settings.knowledge);
  const clarity = Math.round(between(settings.clarity));
  const salt = rng.integer(2 ** 31);
  return isManager
    ? { knowledge: settings.managerKnowledge, clarity: settings.managerClarity, salt }
    : { knowledge, clarity, salt };
}
