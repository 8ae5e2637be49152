import { sigmoid } from "../base/sigmoid.ts";
import type { Batch } from "./batch.ts";
import type { Terms } from "./update.ts";

/**
 * Whether a batch can teach anything: some advantage is not 0, or some vote could have gone either way. Without signal
 * nothing is moved, neither by the entropy bonus nor by weight decay.
 */
export function hasSignal(
  batch: Batch,
  advantages: Float32Array,
  terms: Pick<Terms, "reinforce" | "decisionLoss">,
): boolean {
  if (terms.reinforce > 0 && advantages.some((advantage) => advantage !== 0)) return true;
  return terms.decisionLoss > 0 && countOpenVotes(batch) > 0;
}

/** Votes (one a decision and episode) in which some but not all readable agents are right. */
function countOpenVotes({ decisions, episodes, agents, supports, readable }: Batch): number {
  let open = 0;
  for (let vote = 0; vote < decisions * episodes; vote++) {
    let right = 0;
    let read = 0;
    for (let row = vote * agents; row < (vote + 1) * agents; row++) {
      right += supports[row];
      read += readable[row];
    }
    if (right > 0 && right < read) open++;
  }
  return open;
}

/** Starts whose runs all have the same utility: nothing to learn from them by leave-one-out. */
export function countZeroSignalGroups(utilities: readonly number[], groups: readonly number[]): number {
  const seen = new Map<number, { first: number; differs: boolean }>();
  groups.forEach((group, e) => {
    const known = seen.get(group);
    if (known === undefined) seen.set(group, { first: utilities[e], differs: false });
    else if (utilities[e] !== known.first) known.differs = true;
  });
  return [...seen.values()].filter(({ differs }) => !differs).length;
}

/** Mean entropy of the draws that counted, in nats, by the credits they were made with; 0 where there were none. */
export function sampledEntropy({ free, credits }: Batch): number {
  let total = 0;
  let draws = 0;
  for (let row = 0; row < free.length; row++) {
    if (free[row] === 0) continue;
    const size = Math.abs(credits[row]);
    total += Math.log1p(Math.exp(-size)) + size / (1 + Math.exp(size));
    draws++;
  }
  return draws === 0 ? 0 : total / draws;
}

/** How a policy can stop choosing: everyone, nobody, or one agent alone takes part whatever happens. */
export type Collapse = "all" | "none" | "one";

/** Looks at the participation of a batch's rounds of speaking; `undefined` while the policy still chooses. */
export function findCollapse({
  decisions,
  episodes,
  agents,
  chosen,
  free,
  decides,
  present,
  credits,
}: Batch): Collapse | undefined {
  if (agents < 2) return undefined;
  let draws = 0;
  let willing = 0;
  let rounds = 0;
  let awayFromOne = 0;
  for (let first = 0; first < decisions * episodes * agents; first += agents) {
    if (present[first] === 0 || decides[first] === 1) continue;
    rounds++;
    let participants = 0;
    for (let row = first; row < first + agents; row++) {
      participants += chosen[row];
      if (free[row] === 0) continue;
      draws++;
      willing += sigmoid(credits[row]);
    }
    // Not the mean number: nobody in one round and two in the next is a choice, where the floor allows it.
    awayFromOne += Math.abs(participants - 1);
  }
  if (rounds === 0) return undefined;
  if (draws > 0 && willing / draws > 0.99) return "all";
  if (draws > 0 && willing / draws < 0.01) return "none";
  return awayFromOne / rounds < 0.02 ? "one" : undefined;
}
