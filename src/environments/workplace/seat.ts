import type { Message } from "../../contracts/workplace/message.ts";
import type { MindContext, SubtaskView, Teammate } from "../../contracts/workplace/mind.ts";
import { ceilingOf, matchOf } from "./alignment.ts";
import { answerDue } from "./costs.ts";
import type { RankedSkills } from "./planning/rank-skills.ts";
import { reportEvery, stepLimit } from "./settings.ts";
import { isFree, isReady, type WorkState } from "./state.ts";

/** The most teammates with linked work, and the most by skill, that an agent thinks of: a bound on what choosing costs. */
const mostLinked = 6;
const mostSkilled = 8;

/** Whether anybody may begin a conversation in this step. */
export function isOpen({ settings, step }: WorkState): boolean {
  if (settings.gate === "closed") return false;
  return settings.gate !== "scheduled" || (step > 0 && step % reportEvery === 0);
}

/** Whether one agent may begin a conversation with another in this step. */
export function mayAsk(state: WorkState, asker: number, asked: number): boolean {
  if (!isOpen(state) || asker === asked) return false;
  return state.allowed === null || state.allowed.has(asker * state.agents + asked);
}

/**
 * What an agent sees, as a window onto the state: it is made once an episode, and shows the step that is being played. So a
 * step costs nothing for what nobody looks at. Minds are strangers: what they are shown is a copy, or cannot be changed.
 */
export function createSeat(
  state: WorkState,
  agent: number,
  views: readonly SubtaskView[],
  ranked: RankedSkills,
  signal?: AbortSignal,
): MindContext {
  const { project, settings } = state;
  const teammate = (other: number): Teammate => viewTeammate(state, agent, other);
  return Object.freeze<MindContext>({
    agent,
    member: project.members[agent],
    isManager: agent === 0,
    tier: project.tier,
    limit: stepLimit,
    manner: settings.manner,
    get step() {
      return state.step;
    },
    get subtasks() {
      return state.queueN[agent].map((s) => views[s]);
    },
    get milestone() {
      return state.milestoneN[agent];
    },
    get inbox() {
      return sortByUrgency(state, state.mailN[agent]);
    },
    dueOf: (message) => answerDue(message.channel, message.sentAt, settings.costs),
    get open() {
      return state.openN[agent].slice();
    },
    teammatesFor: (subtask) => {
      const linked = state.plan.subtasks[subtask].linked.map((s) => state.ownerS[s]).slice(0, mostLinked);
      const skilled = ranked.best(state.plan.subtasks[subtask].skills, subtask, mostSkilled);
      return [...new Set([0, ...linked, ...skilled])].filter((other) => other !== agent).map(teammate);
    },
    teammate,
    matchOf: (other, subtask) => matchOf(state, other, subtask),
    get isAtHand() {
      return settings.prompt || (settings.gate === "policy" && state.focusedN[agent] === 0);
    },
    get mayAsk() {
      return isOpen(state) && state.focusedN[agent] === 0;
    },
    mayAskAgent: (other) => mayAsk(state, agent, other),
    get rng() {
      return state.rng.fork("mind", agent, state.step);
    },
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The most urgent first: the one whose window ends soonest, then the oldest. */
function sortByUrgency({ settings: { costs } }: WorkState, mail: readonly Message[]): readonly Message[] {
  if (mail.length < 2) return mail.slice();
  const due = ({ channel, sentAt }: Message): number => answerDue(channel, sentAt, costs);
  return [...mail].sort((a, b) => due(a) - due(b) || a.sentAt - b.sentAt || a.id - b.id);
}

function viewTeammate(state: WorkState, agent: number, other: number): Teammate {
  const gains = state.pairGains.get(agent * state.agents + other);
  const current = state.queueN[other].find((s) => isReady(state, s));
  return {
    agent: other,
    member: state.project.members[other],
    isManager: other === 0,
    isFree: isFree(state, other),
    rate: current === undefined ? 0 : state.alignmentS[current],
    unanswered: state.mailN[other].length,
    answers: gains?.count ?? 0,
    gained: gains?.sum ?? 0,
  };
}

/** A subtask as its owner sees it; live as well. */
export function viewSubtask(state: WorkState, id: number): SubtaskView {
  const { title, skills, topics, effort, linked } = state.plan.subtasks[id];
  return Object.freeze<SubtaskView>({
    id,
    title,
    skills: Object.freeze([...skills]),
    topics: Object.freeze([...topics]),
    effort,
    get left() {
      return state.leftS[id];
    },
    get alignment() {
      return state.alignmentS[id];
    },
    get ceiling() {
      return ceilingOf(state, state.ownerS[id], id);
    },
    get isReady() {
      return isReady(state, id);
    },
    get isUnclear() {
      return state.unclearS[id] === 1;
    },
    get gap() {
      return state.gapS[id];
    },
    get tried() {
      return state.triedS[id].slice();
    },
    get sharers() {
      return [...new Set(state.sharedS[id].map((s) => state.ownerS[s]))].filter((other) => other !== state.ownerS[id]);
    },
    get linked() {
      return [...new Set(linked.map((s) => state.ownerS[s]))].filter((other) => other !== state.ownerS[id]);
    },
  });
}
