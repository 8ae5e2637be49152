import type { Rng } from "../base/rng.ts";
import { sigmoid, softplus } from "../base/sigmoid.ts";

/*
 * From credits to participation. p_i = σ(c_i); in training z_i ~ Bernoulli(p_i), in evaluation z_i = 1 where p_i ≥ cut.
 * Agents that are not eligible never take part; forced ones (where eligible) always do. Too few → the eligible agents with the
 * highest credits are added, ties by index, until `minimum` take part or nobody is left [ours].
 */

export interface ThresholdSettings {
  /** Floor on participants, usually 1. */
  readonly minimum: number;
  /** In (0, 1), usually ½. */
  readonly cut: number;
}

/** z, N entries, without chance. */
export function threshold(
  creditsN: ArrayLike<number>,
  eligibleN: ArrayLike<number>,
  forcedN: ArrayLike<number>,
  { minimum, cut }: ThresholdSettings,
): Uint8Array {
  const level = Math.log(cut / (1 - cut));
  const participantsN = Uint8Array.from({ length: creditsN.length }, (_, i) =>
    eligibleN[i] && (forcedN[i] || creditsN[i] >= level) ? 1 : 0,
  );
  fill(participantsN, creditsN, eligibleN, minimum);
  return participantsN;
}

/** A participation that was drawn. */
export interface SampledParticipation {
  readonly participantsN: Uint8Array;
  /** 1 where the agent's own draw counts in the log-probability; see `countedDraws`. */
  readonly countedN: Uint8Array;
  /** log π of exactly this participation, Σ over counted agents of z log p + (1−z) log(1−p). */
  readonly logProbability: number;
}

/** z, N entries, drawn: one uniform number an agent that is eligible and not forced, in index order. */
export function sampled(
  creditsN: ArrayLike<number>,
  eligibleN: ArrayLike<number>,
  forcedN: ArrayLike<number>,
  { minimum }: { readonly minimum: number },
  rng: Rng,
): SampledParticipation {
  const participantsN = Uint8Array.from({ length: creditsN.length }, (_, i) => {
    if (!eligibleN[i]) return 0;
    return forcedN[i] || rng.uniform() < sigmoid(creditsN[i]) ? 1 : 0;
  });
  fill(participantsN, creditsN, eligibleN, minimum);
  const countedN = countedDraws(creditsN, eligibleN, forcedN, participantsN, minimum);
  return { participantsN, countedN, logProbability: logProbability(creditsN, participantsN, countedN) };
}

/**
 * Whose Bernoulli term belongs to the log-probability of a participation z. Agents that are not eligible, or forced, never
 * count. When exactly `minimum` take part, some of them may have been added: a participant whose credit exceeds that of
 * every eligible agent left out is in z whether it was drawn or not (p + (1−p) = 1), so its term drops out. What remains
 * is the exact probability of z, summed over all draws that lead to it, and can be had from a record of c and z alone.
 */
export function countedDraws(
  creditsN: ArrayLike<number>,
  eligibleN: ArrayLike<number>,
  forcedN: ArrayLike<number>,
  participantsN: ArrayLike<number>,
  minimum: number,
): Uint8Array {
  const agents = creditsN.length;
  let present = 0;
  let bestOutside = -1;
  for (let i = 0; i < agents; i++) {
    if (participantsN[i]) present++;
    else if (eligibleN[i] && (bestOutside < 0 || creditsN[i] > creditsN[bestOutside])) bestOutside = i;
  }
  const beatsAllOutside = (i: number): boolean =>
    bestOutside < 0 ||
    creditsN[i] > creditsN[bestOutside] ||
    (creditsN[i] === creditsN[bestOutside] && i < bestOutside);
  const mayBeAdded = present <= minimum;
  return Uint8Array.from({ length: agents }, (_, i) => {
    if (!eligibleN[i] || forcedN[i]) return 0;
    return mayBeAdded && participantsN[i] && beatsAllOutside(i) ? 0 : 1;
  });
}

/** Σ over counted agents of −softplus((1−2z) c). */
export function logProbability(
  creditsN: ArrayLike<number>,
  participantsN: ArrayLike<number>,
  countedN: ArrayLike<number>,
): number {
  let sum = 0;
  for (let i = 0; i < creditsN.length; i++) {
    if (countedN[i]) sum -= softplus(participantsN[i] ? -creditsN[i] : creditsN[i]);
  }
  return sum;
}

function fill(
  participantsN: Uint8Array,
  creditsN: ArrayLike<number>,
  eligibleN: ArrayLike<number>,
  minimum: number,
): void {
  let present = 0;
  for (const z of participantsN) present += z;
  for (; present < minimum; present++) {
    let best = -1;
    for (let i = 0; i < participantsN.length; i++) {
      if (eligibleN[i] && !participantsN[i] && (best < 0 || creditsN[i] > creditsN[best])) best = i;
    }
    if (best < 0) return;
    participantsN[best] = 1;
  }
}
