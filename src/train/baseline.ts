import type { BaselineKind } from "./settings.ts";

/** What a baseline remembers between updates; part of a checkpoint. */
export interface BaselineMemory {
  mean: number;
  count: number;
  /** Sum of utilities and number of episodes of each question seen so far. */
  readonly questions: Record<string, [sum: number, count: number]>;
}

export const emptyMemory = (): BaselineMemory => ({ mean: 0, count: 0, questions: {} });

/** Share of the running mean that an update replaces. */
const movingShare = 0.1;
/** Episodes' worth of the overall mean that a question's own mean is shrunk by. */
const shrinkage = 4;

/**
 * Advantages of a batch and, in the same pass, the memory after it. The estimator stays unbiased: no baseline below looks
 * at the utility of the episode it is subtracted from.
 *
 * - `none`: A = u. Right episodes reinforce whatever was sampled, wrong ones teach nothing.
 * - `moving-mean`: A = u − mean of earlier updates.
 * - `question-mean`: A = u − mean of earlier episodes of the question, shrunk towards the overall mean.
 * - `leave-one-out`: A = u − mean of the other runs of the same start (RLOO); 0 where there is only one.
 *
 * @param utilities one an episode, in [0, 1], or what a cost leaves of it
 * @param groups index of the start each episode was played from
 * @param questions identity of each episode's question
 */
export function computeAdvantages(
  kind: BaselineKind,
  utilities: readonly number[],
  groups: readonly number[],
  questions: readonly string[],
  memory: BaselineMemory,
): Float32Array {
  const advantages = Float32Array.from(
    utilities,
    (utility, e) => utility - baselineOf(kind, e, utilities, groups, questions, memory),
  );
  remember(utilities, questions, memory);
  return advantages;
}

function baselineOf(
  kind: BaselineKind,
  e: number,
  utilities: readonly number[],
  groups: readonly number[],
  questions: readonly string[],
  memory: BaselineMemory,
): number {
  switch (kind) {
    case "none":
      return 0;
    case "moving-mean":
      return memory.mean;
    case "question-mean": {
      const [sum, count] = recall(memory, questions[e]);
      return (sum + shrinkage * memory.mean) / (count + shrinkage);
    }
    case "leave-one-out": {
      // Summed as differences, so that equal utilities give an advantage of exactly 0, whatever they are.
      let difference = 0;
      let others = 0;
      groups.forEach((group, other) => {
        if (group !== groups[e] || other === e) return;
        difference += utilities[other] - utilities[e];
        others++;
      });
      return utilities[e] + (others === 0 ? 0 : difference / others);
    }
  }
}

function remember(utilities: readonly number[], questions: readonly string[], memory: BaselineMemory): void {
  const mean = utilities.reduce((sum, utility) => sum + utility, 0) / Math.max(1, utilities.length);
  memory.mean = memory.count === 0 ? mean : memory.mean + movingShare * (mean - memory.mean);
  memory.count += utilities.length;
  utilities.forEach((utility, e) => {
    const [sum, count] = recall(memory, questions[e]);
    memory.questions[questions[e]] = [sum + utility, count + 1];
  });
}

/** Identities come from banks: one may be called `constructor`. */
const recall = ({ questions }: BaselineMemory, question: string): [sum: number, count: number] =>
  Object.hasOwn(questions, question) ? questions[question] : [0, 0];
