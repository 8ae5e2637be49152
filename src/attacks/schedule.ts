import { ColloquyError, suggest } from "../base/errors.ts";
import type { Onsets, Schedule } from "../contracts/attack.ts";

/** Every adversary attacks from its onset to the end. */
function fromOnsets(agents: number, adversaries: readonly number[], onset: (agent: number) => number): Onsets {
  const firstRound = new Array<number>(agents).fill(0);
  for (const agent of adversaries) firstRound[agent] = onset(agent);
  return { firstRound, active: (agent, round) => firstRound[agent] > 0 && round >= firstRound[agent] };
}

/** All attack from round 1 on. */
export const first: Schedule = ({ agents, adversaries }) => fromOnsets(agents, adversaries, () => 1);

/** Each adversary has an onset of its own, uniform in 1..T; it does not depend on how many others there are. */
export const uniform: Schedule = ({ agents, adversaries, rounds, rng }) =>
  fromOnsets(agents, adversaries, (agent) => 1 + rng.fork(agent).integer(rounds));

/** All attack in the last round only, when nobody can answer any more. */
export const late: Schedule = ({ agents, adversaries, rounds }) => fromOnsets(agents, adversaries, () => rounds);

/** All attack from one given round on. @throws ColloquyError `attack/onset` where the episode has no such round */
export const fixed =
  (round: number): Schedule =>
  ({ agents, adversaries, rounds }) => {
    if (Number.isInteger(round) && round >= 1 && round <= rounds) return fromOnsets(agents, adversaries, () => round);
    throw new ColloquyError("attack/onset", `onset fixed:${round} names no round of an episode of ${rounds} rounds`, {
      hint: `Write fixed:1 to fixed:${rounds}.`,
    });
  };

/**
 * Exactly k agents attack in each round, and the next k take over in the next one: the team is walked through in random
 * order, the given adversaries first.
 */
export const moving: Schedule = ({ agents, adversaries, rounds, rng }) => {
  const others = Array.from({ length: agents }, (_, agent) => agent).filter((agent) => !adversaries.includes(agent));
  const order = [...adversaries, ...rng.shuffle(others)];
  const activeIn = Array.from({ length: rounds }, (_, t) => {
    const start = t * adversaries.length;
    return new Set(adversaries.map((_adversary, place) => order[(start + place) % agents]));
  });
  const firstRound = order.map((_agent, agent) => 1 + activeIn.findIndex((active) => active.has(agent)));
  return { firstRound, active: (agent, round) => activeIn[round - 1]?.has(agent) ?? false };
};

/** Every onset schedule by name; `fixed` is made from its round. */
export const schedules = { first, uniform, late, fixed, moving };

/** The schedule of an onset as a recipe writes it: `uniform`, `fixed:2`. @throws ColloquyError `attack/onset` */
export function findSchedule(onset: string): Schedule {
  const [name, round] = onset.split(":", 2);
  if (name === "fixed" && /^\d+$/.test(round ?? "")) return fixed(Number(round));
  if (name !== "fixed" && round === undefined && Object.hasOwn(schedules, name)) {
    return schedules[name as Exclude<keyof typeof schedules, "fixed">];
  }
  const known = Object.keys(schedules).map((known) => (known === "fixed" ? "fixed:<round>" : known));
  throw new ColloquyError("attack/onset", `there is no onset schedule "${onset}"`, { hint: suggest(onset, known) });
}
