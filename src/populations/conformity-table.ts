import type { Rng } from "../base/rng.ts";
import type { Bank } from "./bank.ts";
import { nextAnswerDistribution, type ResponseLaw } from "./response-law.ts";
import { recordedTransitions, type Transition } from "./transitions.ts";

/** P(right next) of an agent whose own answer is right or wrong and that hears `right` right ones among `voices`. */
export interface ConformityRow {
  /** m: answers heard that could be read. */
  readonly voices: number;
  readonly right: number;
  readonly ownRight: boolean;
  /** Recorded transitions of this kind. */
  readonly n: number;
  /** Share of them that ended right; `null` where there are none. */
  readonly recorded: number | null;
  /** What the law says: of the same transitions, or where there are none of made-up ones. */
  readonly predicted: number;
}

/** Draws of the mood a situation is averaged over. */
const draws = 64;
/** Made-up situations for a row without recorded ones. */
const samples = 200;

/** The law beside the recording, for 0 to `maxVoices` voices. */
export function conformityTable(bank: Bank, law: ResponseLaw, rng: Rng, maxVoices = 6): ConformityRow[] {
  const steps = recordedTransitions(bank).filter(({ own }) => own >= 0);
  const moods = Array.from({ length: draws }, () => Array.from({ length: 26 }, () => rng.normal()));
  const rows: ConformityRow[] = [];
  for (let voices = 0; voices <= maxVoices; voices++) {
    for (const ownRight of [false, true]) {
      for (let right = 0; right <= voices; right++) {
        const kind = steps.filter(
          (step) =>
            (step.own === step.gold) === ownRight &&
            step.heard.filter((answer) => answer >= 0).length === voices &&
            step.heard.filter((answer) => answer === step.gold).length === right,
        );
        const situations = kind.length > 0 || steps.length === 0 ? kind : imagine(steps, voices, right, ownRight, rng);
        rows.push({
          voices,
          right,
          ownRight,
          n: kind.length,
          recorded: kind.length > 0 ? mean(kind.map(({ next, gold }) => (next === gold ? 1 : 0))) : null,
          predicted: mean(
            situations.map((step) =>
              mean(moods.map((m) => nextAnswerDistribution(law, { ...step, moods: m })[step.gold])),
            ),
          ),
        });
      }
    }
  }
  return rows;
}

/** Situations on recorded questions: wrong answers are drawn from what agents answer alone. */
function imagine(
  steps: readonly Transition[],
  voices: number,
  right: number,
  ownRight: boolean,
  rng: Rng,
): Transition[] {
  return Array.from({ length: samples }, () => {
    const step = rng.pick(steps);
    const wrong = () => rng.weighted(step.intrinsic.map((p, y) => (y === step.gold ? 0 : p)));
    const heard = Array.from({ length: voices }, (_, i) => (i < right ? step.gold : wrong()));
    return { ...step, own: ownRight ? step.gold : wrong(), heard };
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
