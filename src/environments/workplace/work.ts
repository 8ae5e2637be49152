import { handOver, noticeGap } from "./alignment.ts";
import { isReady, log, type WorkState } from "./state.ts";

/**
 * One step of work: effective progress is time · AF (C2C, section 3.2). What is left of the step when a subtask is done goes
 * to the agent's next one that was ready when the step began.
 * @param finished takes the subtasks that are done; nobody sees them before the step is over
 */
export function work(state: WorkState, agent: number, subtask: number, reason: string, finished: number[]): void {
  let current: number | undefined = subtask;
  // The share of the step that is left, in thousandths of AF of the subtask at hand.
  let worth = state.alignmentS[subtask];
  while (current !== undefined && worth > 0) {
    if (state.workedS[current] % 4 === 0) noticeGap(state, current);
    const before = state.leftS[current];
    const done = Math.min(before, worth);
    state.leftS[current] = before - done;
    state.workedS[current]++;
    state.alignmentSumS[current] += state.alignmentS[current];
    log(state, { step: state.step, kind: "work", agent, about: current, done, reason });
    if (state.leftS[current] > 0) return;
    finished.push(current);
    const next = state.queueN[agent].find((s) => isReady(state, s) && state.leftS[s] > 0);
    if (next === undefined) return;
    worth = Math.floor(((worth - done) * state.alignmentS[next]) / state.alignmentS[current]);
    current = next;
  }
}

/** After all have acted: what is done is done, and what waited for it may begin. */
export function complete(state: WorkState, finished: readonly number[]): void {
  for (const subtask of finished) {
    const agent = state.ownerS[subtask];
    state.doneAtS[subtask] = state.step + 1;
    state.queueN[agent] = state.queueN[agent].filter((s) => s !== subtask);
    const others = state.dependentsS[subtask].filter((s) => state.ownerS[s] !== agent);
    if (others.length > 0) state.milestoneN[agent] = subtask;
    for (const s of state.dependentsS[subtask]) state.blockersS[s]--;
    // Nobody needs an answer about what is done.
    const moot = state.openN[agent].filter(({ message }) => message.about === subtask);
    for (const { message } of moot) withdraw(state, message.to, message.id);
    state.openN[agent] = state.openN[agent].filter(({ message }) => message.about !== subtask);
    log(state, { step: state.step, kind: "done", agent, about: subtask });
  }
}

/** Steps past its window after which a request is taken back, so that its sender may ask somebody else [ours]. */
const patience = 8;

/** Takes back requests that nobody has answered for long. Meetings end by themselves. */
export function withdrawOverdue(state: WorkState): void {
  state.openN.forEach((open, agent) => {
    const overdue = open.filter(({ message, due }) => message.type !== "meeting_invite" && state.step > due + patience);
    if (overdue.length === 0) return;
    for (const { message } of overdue) withdraw(state, message.to, message.id);
    state.openN[agent] = open.filter((request) => !overdue.includes(request));
  });
}

function withdraw(state: WorkState, receiver: number, message: number): void {
  state.mailN[receiver] = state.mailN[receiver].filter(({ id }) => id !== message);
}

/**
 * The manager's reassignment, one a step: a worker who has nothing left takes the largest unbegun subtask of the worker with
 * the most left to do [ours: the paper says only that the manager coordinates assignments].
 */
export function reassign(state: WorkState): void {
  const W = state.agents - 1;
  let idle = 0;
  for (let w = 1; w <= W && idle === 0; w++) if (state.queueN[w].length === 0) idle = w;
  if (idle === 0) return;
  let loaded = 0;
  let most = 0;
  for (let w = 1; w <= W; w++) {
    const left = state.queueN[w].length < 2 ? 0 : state.queueN[w].reduce((sum, s) => sum + state.leftS[s], 0);
    if (left > most) [loaded, most] = [w, left];
  }
  if (loaded === 0) return;
  const taken = state.queueN[loaded]
    .slice(1)
    .filter((s) => state.workedS[s] === 0 && isReady(state, s) && state.leftS[s] < most)
    .sort((a, b) => state.leftS[b] - state.leftS[a] || a - b)[0];
  if (taken === undefined) return;
  const reason = `worker ${idle} has nothing left, worker ${loaded} has ${state.queueN[loaded].length} subtasks`;
  state.queueN[loaded] = state.queueN[loaded].filter((s) => s !== taken);
  state.queueN[idle] = [taken];
  handOver(state, taken, idle);
  state.reassigned++;
  log(state, { step: state.step, kind: "assign", agent: idle, about: taken, reason });
}
