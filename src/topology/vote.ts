import { ColloquyError } from "../base/errors.ts";

/**
 * Masses within this share of the largest are equal to it. Adding up n weights errs by at most n · 1.1e-16 of the sum, so
 * rounding breaks no tie between answers of up to 4,500 supporters each.
 */
const TIE = 1e-12;

/** The outcome of a vote. */
export interface Vote {
  /** ans; `null` when nobody who has weight gave a readable answer. */
  readonly answer: string | null;
  /** The mass of each answer, in order of the first agent that gave it. */
  readonly weights: ReadonlyMap<string, number>;
}

/**
 * The credit-weighted vote of TodyComm ("credit-weighted voting mechanism", introduction; its formula as we read it):
 *
 *   ans = argmax_y Σ_{i ∈ V_D} σ(c_i^{T+1}) · sol_i^T[y]
 *
 * with one-hot sol_i. Ties go to the answer whose best supporter has the higher credit, then the lower index (ours).
 * Permuting the agents never changes the answer unless that last resort, the index, decides.
 *
 * @param ballots `answersN`: sol^T, `null` for an unreadable reply, which carries no weight. `weightsN`: σ(c_i) for
 * voters and 0 for others, as in a decision graph; any finite numbers from 0 up. `creditsN`: what breaks ties; the
 * weights by default, which tell credits above 36 no longer apart
 * @throws ColloquyError `vote/lengths`, `vote/weight`, `vote/credit`
 */
export function vote(ballots: {
  readonly answersN: readonly (string | null)[];
  readonly weightsN: ArrayLike<number>;
  readonly creditsN?: ArrayLike<number>;
}): Vote {
  const { answersN, weightsN, creditsN = weightsN } = ballots;
  check(answersN, weightsN, creditsN);
  const supporters = new Map<string, number[]>();
  for (let i = 0; i < answersN.length; i++) {
    const y = answersN[i];
    if (y === null || weightsN[i] === 0) continue;
    const agents = supporters.get(y);
    if (agents === undefined) supporters.set(y, [i]);
    else agents.push(i);
  }

  const weights = new Map<string, number>();
  for (const [y, agents] of supporters) weights.set(y, sum(agents.map((i) => weightsN[i])));
  let most = 0;
  for (const mass of weights.values()) most = Math.max(most, mass);
  let answer: string | null = null;
  let best = -1;
  for (const [y, agents] of supporters) {
    if ((weights.get(y) as number) < most * (1 - TIE)) continue;
    const i = agents.reduce((first, next) => (creditsN[next] > creditsN[first] ? next : first));
    // Answers come in order of their first agent, not of their best: equal credits leave it to the index.
    if (best < 0 || creditsN[i] > creditsN[best] || (creditsN[i] === creditsN[best] && i < best)) {
      best = i;
      answer = y;
    }
  }
  return { answer, weights };
}

/**
 * The plain majority: every readable answer has weight 1.
 * @param creditsN what breaks ties; without it the answer given by the lowest index wins
 * @throws ColloquyError as `vote`
 */
export function majority(answersN: readonly (string | null)[], creditsN?: ArrayLike<number>): Vote {
  return vote({ answersN, weightsN: new Uint8Array(answersN.length).fill(1), creditsN });
}

/** Adding from the smallest up gives the same sum in whatever order the terms come. */
function sum(terms: readonly number[]): number {
  let total = 0;
  for (const term of Float64Array.from(terms).sort()) total += term;
  return total;
}

function check(answersN: ArrayLike<unknown>, weightsN: ArrayLike<number>, creditsN: ArrayLike<number>): void {
  const agents = answersN.length;
  if (weightsN.length !== agents || creditsN.length !== agents) {
    throw new ColloquyError(
      "vote/lengths",
      `${agents} answers, ${weightsN.length} weights, ${creditsN.length} credits`,
      {
        hint: "Give one of each an agent.",
      },
    );
  }
  for (let i = 0; i < agents; i++) {
    if (!(weightsN[i] >= 0 && weightsN[i] < Infinity)) {
      throw new ColloquyError("vote/weight", `the weight of agent ${i} is ${weightsN[i]}`, {
        hint: "A weight is a finite number from 0 up; weigh credits by σ(c), as a decision graph does.",
      });
    }
    if (Number.isNaN(creditsN[i])) {
      throw new ColloquyError("vote/credit", `the credit of agent ${i} is not a number (NaN)`, {
        hint: "The policy that gave it is broken: check its weights and what it was shown.",
      });
    }
  }
}
