import { describeError, endsRun } from "../../base/errors.ts";
import type { Guidance } from "../../contracts/workplace/message.ts";
import type { Exchange, Intention, MindContext } from "../../contracts/workplace/mind.ts";
import { refuse, refuseGuidance } from "./check-intention.ts";
import { isFree, isReady, log, type WorkState } from "./state.ts";

/*
 * Everything that an episode takes from outside: what minds want, what they tell in meetings, how a judge judges. All of it
 * is checked, and stands in the log, so that a log is enough to play the episode again.
 */

const isReplayed = ({ recording, step }: WorkState): boolean => recording !== null && step < recording.steps;

/** What every free agent does in this step; `null` for those who are busy. Language models are asked side by side. */
export async function choose(state: WorkState, seats: readonly MindContext[]): Promise<readonly (Intention | null)[]> {
  const recorded = isReplayed(state) ? state.recording!.intentionsOf(state.step) : undefined;
  let isWaiting = false;
  const wanted = seats.map((seat, agent) => {
    if (!isFree(state, agent)) return null;
    const known = recorded?.get(agent);
    if (known !== undefined) return known;
    try {
      const intention = state.minds[agent].decide(seat);
      if (!(intention instanceof Promise)) return intention;
      isWaiting = true;
      return intention.catch((error: unknown) => failed(state, agent, error));
    } catch (error) {
      return failed(state, agent, error);
    }
  });
  const intentions = isWaiting ? await Promise.all(wanted) : (wanted as (Intention | null)[]);
  return intentions.map((intention, agent) => {
    if (!isFree(state, agent)) return null;
    if (intention === null) return fallBack(state, agent, "its mind failed");
    const refused = refuse(state, agent, intention);
    if (refused === undefined) return intention;
    fault(state, agent, refused);
    return fallBack(state, agent, refused);
  });
}

/** What an agent tells in a meeting; nothing where its mind fails. */
export async function contribute(
  state: WorkState,
  seat: MindContext,
  about: number,
  topics: readonly string[],
): Promise<Guidance> {
  if (isReplayed(state)) return state.recording!.nextContribution();
  const { agent } = seat;
  try {
    const said = state.minds[agent].contribute(seat, about, topics);
    const guidance = said instanceof Promise ? await said : said;
    const refused = refuseGuidance(guidance);
    if (refused !== undefined) throw new Error(refused);
    log(state, { step: state.step, kind: "contribute", agent, about, guidance });
    return guidance;
  } catch (error) {
    if (endsRun(error)) throw error;
    fault(state, agent, `it had nothing to say in the meeting: ${describeError(error)}`);
    const nothing: Guidance = { covers: [], clarity: 0, words: 0 };
    log(state, { step: state.step, kind: "contribute", agent, about, guidance: nothing });
    return nothing;
  }
}

/** Δ of an exchange, in whole thousandths of AF, 0..500 [P]. */
export async function judge(state: WorkState, about: number, exchange: Exchange): Promise<number> {
  if (isReplayed(state)) return state.recording!.nextDelta();
  const judged = state.settings.judge(exchange);
  const value = typeof judged === "number" ? judged : await judged;
  const delta = Math.round(Math.max(0, Math.min(500, Number.isFinite(value) ? value : 0)));
  log(state, { step: state.step, kind: "judge", about, delta });
  return delta;
}

function failed(state: WorkState, agent: number, error: unknown): null {
  if (endsRun(error)) throw error;
  fault(state, agent, `its mind failed: ${describeError(error)}`);
  return null;
}

function fault(state: WorkState, agent: number, reason: string): void {
  state.faults++;
  log(state, { step: state.step, kind: "fault", agent, reason });
}

/** What an agent does instead of what cannot be done: its work, where there is any. */
function fallBack(state: WorkState, agent: number, why: string): Intention {
  const subtask = state.queueN[agent].find((s) => isReady(state, s));
  const reason = `instead of what could not be done: ${why}`;
  return subtask === undefined ? { kind: "wait", reason } : { kind: "work", subtask, reason };
}
