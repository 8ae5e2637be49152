import type { Rng } from "../../base/rng.ts";
import type { Onsets } from "../attack.ts";
import type { Mind } from "./mind.ts";

/** What an attack on a mind knows. It never sees credits. */
export interface MindAttackPlan {
  readonly agent: number;
  /** Whether it attacks in a step, 0-based. */
  active(step: number): boolean;
}

/** An attack turns a mind into one that follows it in its active steps and is itself in the others. */
export type MindAttack = (mind: Mind, plan: MindAttackPlan) => Mind;

/**
 * Puts k adversaries among the workers of a team; the manager is never one. Who and when comes from `rng` alone, so that
 * the same episode is attacked in the same way under every method. Rounds of the onsets are periods between two decisions.
 */
export type MindAttackPlanner = (
  setting: { readonly kind: string; readonly adversaries: number; readonly onset: string },
  situation: { readonly minds: readonly Mind[]; readonly periods: number; readonly rng: Rng },
) => { readonly minds: readonly Mind[]; readonly onsets: Onsets };
