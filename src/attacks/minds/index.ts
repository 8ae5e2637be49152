import { ColloquyError, suggest } from "../../base/errors.ts";
import type { Onsets } from "../../contracts/attack.ts";
import type { MindAttack, MindAttackPlanner } from "../../contracts/workplace/attack.ts";
import { drawAdversaries } from "../adversaries.ts";
import { findSchedule } from "../schedule.ts";
import { ignore } from "./ignore.ts";
import { mislead, withhold } from "./misguide.ts";

/** Every attack on the minds of a workplace, by name. */
export const mindAttacks = {
  mislead: { attack: mislead, summary: "answers that sound helpful and lower what the asker understands" },
  withhold: { attack: withhold, summary: "answers that sound helpful and teach next to nothing" },
  ignore: { attack: ignore, summary: "requests are never answered" },
} as const satisfies Record<string, { readonly attack: MindAttack; readonly summary: string }>;

/** Steps between two decisions of the policy: a period of the onset schedules. */
const stepsOfPeriod = 4;

/**
 * Turns k workers. @throws ColloquyError `attack/kind`, `attack/onset`, `attack/adversaries` where there are fewer workers
 */
export const planMindAttack: MindAttackPlanner = ({ kind, adversaries: count, onset }, { minds, periods, rng }) => {
  if (!Object.hasOwn(mindAttacks, kind)) {
    throw new ColloquyError("attack/kind", `there is no attack "${kind}" on a workplace`, {
      hint: suggest(kind, Object.keys(mindAttacks)),
    });
  }
  const { attack } = mindAttacks[kind as keyof typeof mindAttacks];
  // Among the workers alone: worker w of 0..W−1 is agent w + 1.
  const workers = minds.length - 1;
  const adversaries = drawAdversaries(count, workers, rng.fork("adversaries"));
  const drawn = findSchedule(onset)({ adversaries, agents: workers, rounds: periods, rng: rng.fork("onsets") });
  const onsets: Onsets = {
    firstRound: [0, ...drawn.firstRound],
    active: (agent, round) => agent > 0 && drawn.active(agent - 1, round),
  };
  const active = (agent: number) => (step: number) => onsets.active(agent, 1 + Math.floor(step / stepsOfPeriod));
  return {
    minds: minds.map((mind, agent) =>
      onsets.firstRound[agent] > 0 ? attack(mind, { agent, active: active(agent) }) : mind,
    ),
    onsets,
  };
};
