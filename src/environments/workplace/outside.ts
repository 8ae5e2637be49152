import { describeError, endsRun } from "../../base/errors.ts";
import type { Guidance } from "../../contracts/workplace/message.ts";
import type { Exchange, Intention, MindContext } from "../../contracts/workplace/mind.ts";
import { refuse } from "./check-intention.ts";
import { type Read, readGuidance, readIntention } from "./read-intention.ts";
import { differs } from "./recording.ts";
import { isFree, isReady, isReplayed, log, type WorkState } from "./state.ts";

/*
 * Everything that an episode takes from outside: what minds want, what they tell in meetings, how a judge judges. All of it
 * is checked, and stands in the log, so that a log is enough to play the episode again.
 */

/** What a mind gave, or what it threw. */
type Answer = { readonly given: unknown } | { readonly failure: unknown };

/** What every free agent does in this step; `null` for those who are busy. Language models are asked side by side. */
export async function choose(state: WorkState, seats: readonly MindContext[]): Promise<readonly (Intention | null)[]> {
  if (isReplayed(state)) return seats.map((_, agent) => (isFree(state, agent) ? chooseAgain(state, agent) : null));
  let isWaiting = false;
  const asked = seats.map((seat, agent) => {
    if (!isFree(state, agent)) return null;
    const answer = ask(() => state.minds[agent].decide(seat));
    isWaiting ||= answer instanceof Promise;
    return answer;
  });
  const answers = isWaiting ? await Promise.all(asked) : (asked as (Answer | null)[]);
  // In order: what failed, and what is logged of it, does not depend on who was quicker.
  return answers.map((answer, agent) => {
    if (answer === null) return null;
    const read = take(answer, seats[agent], readIntention);
    const problem = "problem" in read ? read.problem : refuse(state, agent, read.value);
    if (problem === undefined) return (read as { value: Intention }).value;
    fault(state, agent, problem);
    return fallBack(state, agent, problem);
  });
}

/** What an agent did in a step that the log holds whole. */
function chooseAgain(state: WorkState, agent: number): Intention {
  const read = readIntention(state.recording!.intentionOf(state.step, agent));
  const problem = "problem" in read ? read.problem : refuse(state, agent, read.value);
  if (problem !== undefined) throw differs(state.step, `agent ${agent} cannot do what the log says: ${problem}`);
  return (read as { value: Intention }).value;
}

/** What an agent tells in a meeting; nothing where its mind fails. */
export async function contribute(
  state: WorkState,
  seat: MindContext,
  about: number,
  topics: readonly string[],
): Promise<Guidance> {
  const { agent } = seat;
  let read: Read<Guidance>;
  if (isReplayed(state)) {
    read = readGuidance(state.recording!.peek("contribute", state.step).guidance);
    if ("problem" in read) throw differs(state.step, `agent ${agent} cannot have told what the log says`);
  } else {
    read = take(await ask(() => state.minds[agent].contribute(seat, about, topics)), seat, readGuidance);
  }
  if ("problem" in read) fault(state, agent, `it had nothing to say in the meeting: ${read.problem}`);
  const guidance = "problem" in read ? { covers: [], clarity: 0, words: 0 } : read.value;
  log(state, { step: state.step, kind: "contribute", agent, about, guidance });
  return guidance;
}

/** The most that an exchange raises AF by, in thousandths (C2C, section 3.2). */
const mostGained = 500;

/** Δ of an exchange, in whole thousandths of AF, 0..500. */
export async function judge(state: WorkState, learner: number, about: number, exchange: Exchange): Promise<number> {
  const judged = isReplayed(state)
    ? state.recording!.peek("judge", state.step).delta
    : await askJudge(state, learner, exchange);
  const delta = Math.round(Math.max(0, Math.min(mostGained, Number.isFinite(judged) ? judged : 0)));
  log(state, { step: state.step, kind: "judge", about, delta });
  return delta;
}

/** A judge that fails has judged 0, and it is a fault of whoever asked. */
async function askJudge(state: WorkState, learner: number, exchange: Exchange): Promise<number> {
  const { signal } = state;
  const answer = await ask(() => state.settings.judge(signal === undefined ? exchange : { ...exchange, signal }));
  if ("given" in answer) return Number(answer.given);
  if (endsRun(answer.failure) || signal?.aborted) throw answer.failure;
  fault(state, learner, `what it was told could not be judged: ${describe(answer.failure)}`);
  return 0;
}

/** Calls a mind. A promise never fails, so that one who fails early is not lost while others are waited for. */
function ask(call: () => unknown): Answer | Promise<Answer> {
  try {
    const given = call();
    if (typeof (given as { then?: unknown } | null | undefined)?.then !== "function") return { given };
    return Promise.resolve(given).then(
      (given): Answer => ({ given }),
      (failure: unknown): Answer => ({ failure }),
    );
  } catch (failure) {
    return { failure };
  }
}

function take<T>(answer: Answer, { signal }: MindContext, read: (given: unknown) => Read<T>): Read<T> {
  try {
    if ("given" in answer) return read(answer.given);
  } catch (error) {
    return { problem: `what its mind gave could not be read: ${describe(error)}` };
  }
  // Neither an interrupt nor the end of the run is a fault of the mind.
  if (endsRun(answer.failure) || signal?.aborted) throw answer.failure;
  return { problem: `its mind failed: ${describe(answer.failure)}` };
}

/** The most characters of a failure that are kept. */
const longestFailure = 500;

/** Anything can be thrown, even what cannot be put into words. */
function describe(error: unknown): string {
  try {
    return describeError(error).slice(0, longestFailure);
  } catch {
    return "no words say why";
  }
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
