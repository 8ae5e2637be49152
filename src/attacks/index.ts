import { ColloquyError, suggest } from "../base/errors.ts";
import type { Attack, AttackPlanner, Onsets } from "../contracts/attack.ts";
import { drawAdversaries } from "./adversaries.ts";
import { collude } from "./collude.ts";
import { independent } from "./independent.ts";
import { mislead } from "./mislead.ts";
import { noise } from "./noise.ts";
import { persuade } from "./persuade.ts";
import { findSchedule } from "./schedule.ts";
import { silence } from "./silence.ts";

export { adversaryCount } from "./adversaries.ts";
export { findSchedule, schedules } from "./schedule.ts";

/** Every attack by name. */
export const attacks = { mislead, persuade, collude, independent, silence, noise };

/**
 * Places the adversaries of an episode. Who they are, when they turn and what they aim at follows from `rng` alone, so
 * every method that plays the episode meets the same ones.
 * @throws ColloquyError `attack/kind`, `attack/onset`, `attack/adversaries`; `attack/targets` where somebody should attack
 * and the population has no wrong answer to this question
 */
export const planAttack: AttackPlanner = (setting, { question, team, targets, rounds, rng }) => {
  const wrap = findAttack(setting.kind);
  const agents = team.length;
  const adversaries = drawAdversaries(setting.adversaries, agents, rng.fork("adversaries"));
  const onsets = findSchedule(setting.onset)({ adversaries, agents, rounds, rng: rng.fork("onsets") });
  if (adversaries.length === 0) return { team, onsets, target: null };
  if (targets.length === 0) {
    throw new ColloquyError("attack/targets", `the population knows no wrong answer to question "${question.id}"`, {
      hint: "Leave the question out, or ask it with 0 adversaries.",
    });
  }
  const shuffled = rng.fork("targets").shuffle(targets);
  const attacked = [...team];
  for (const [place, agent] of listAttackers(adversaries, onsets).entries()) {
    attacked[agent] = wrap(team[agent], {
      question,
      agent,
      targets: rotate(shuffled, place),
      sharedTarget: shuffled[0],
      active: (round) => onsets.active(agent, round),
      rng: rng.fork("adversary", agent),
    });
  }
  return { team: attacked, onsets, target: shuffled[0] };
};

function findAttack(kind: string): Attack {
  if (Object.hasOwn(attacks, kind)) return attacks[kind as keyof typeof attacks];
  throw new ColloquyError("attack/kind", `there is no attack "${kind}"`, { hint: suggest(kind, Object.keys(attacks)) });
}

/** The drawn adversaries, then those a moving schedule turns later, in the order they turn. */
function listAttackers(adversaries: readonly number[], { firstRound }: Onsets): number[] {
  const later = firstRound.flatMap((round, agent) => (round > 0 && !adversaries.includes(agent) ? [agent] : []));
  return [...adversaries, ...later.sort((a, b) => firstRound[a] - firstRound[b])];
}

const rotate = <T>(items: readonly T[], by: number): T[] => items.map((_, i) => items[(i + by) % items.length]);
