import type { Message } from "../../contracts/workplace/message.ts";
import type { MindContext, SubtaskView, Teammate } from "../../contracts/workplace/mind.ts";
import type { Member, Tier } from "../../contracts/workplace/project.ts";
import { matchOf } from "./alignment.ts";
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

/** What a seat is of. */
interface Hidden {
  readonly state: WorkState;
  readonly agent: number;
  /** Of every subtask. */
  readonly views: readonly SubtaskView[];
  readonly ranked: RankedSkills;
}

/**
 * What an agent sees, as a window onto the state: it is made once an episode, and shows the step that is being played. So a
 * step costs nothing for what nobody looks at. Minds are strangers: what they are shown is a copy, or cannot be changed.
 * A class, since an object with getters of its own has a shape of its own: with a thousand of them every look is slow.
 */
export class Seat implements MindContext {
  readonly #hidden: Hidden;
  readonly agent: number;
  readonly member: Member;
  readonly isManager: boolean;
  readonly tier: Tier;
  readonly limit = stepLimit;
  readonly manner: MindContext["manner"];
  declare readonly signal?: AbortSignal;

  constructor(hidden: Hidden, signal?: AbortSignal) {
    const { agent, state } = hidden;
    this.#hidden = hidden;
    this.agent = agent;
    this.member = state.project.members[agent];
    this.isManager = agent === 0;
    this.tier = state.project.tier;
    this.manner = state.settings.manner;
    if (signal !== undefined) this.signal = signal;
    Object.freeze(this);
  }

  get step() {
    return Seat.#behind(this).state.step;
  }

  get subtasks() {
    const { state, agent, views } = Seat.#behind(this);
    return state.queueN[agent].map((s) => views[s]);
  }

  get milestone() {
    const { state, agent } = Seat.#behind(this);
    return state.milestoneN[agent];
  }

  get inbox() {
    const { state, agent } = Seat.#behind(this);
    return sortByUrgency(state, state.mailN[agent]);
  }

  get open() {
    const { state, agent } = Seat.#behind(this);
    return state.openN[agent].slice();
  }

  get isAtHand() {
    const { state, agent } = Seat.#behind(this);
    return state.settings.prompt || (state.settings.gate === "policy" && state.focusedN[agent] === 0);
  }

  get mayAsk() {
    const { state, agent } = Seat.#behind(this);
    return isOpen(state) && state.focusedN[agent] === 0;
  }

  get rng() {
    const { state, agent } = Seat.#behind(this);
    return state.rng.fork("mind", agent, state.step);
  }

  // Bound to it: minds may take them off.
  readonly dueOf = ({ channel, sentAt }: Message) => answerDue(channel, sentAt, this.#hidden.state.settings.costs);
  readonly teammate = (other: number) => viewTeammate(this.#hidden.state, this.agent, other);
  readonly matchOf = (other: number, subtask: number) => matchOf(this.#hidden.state, other, subtask);
  readonly mayAskAgent = (other: number) => mayAsk(this.#hidden.state, this.agent, other);
  readonly teammatesFor = (subtask: number) => {
    const { state, agent, ranked } = this.#hidden;
    const { linked, skills } = state.plan.subtasks[subtask];
    const owners = linked.slice(0, mostLinked).map((s) => state.ownerS[s]);
    const skilled = ranked.best(skills, subtask, mostSkilled);
    return [...new Set([0, ...owners, ...skilled])].filter((other) => other !== agent).map(this.teammate);
  };

  /** What an attack puts in front of a seat sees through it. */
  static #behind(context: Seat): Hidden {
    let seat = context;
    while (!(#hidden in seat)) seat = Object.getPrototypeOf(seat);
    return seat.#hidden;
  }
}
Object.freeze(Seat.prototype);

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
