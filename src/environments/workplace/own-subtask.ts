import type { SubtaskView } from "../../contracts/workplace/mind.ts";
import { ceilingOf } from "./alignment.ts";
import { isReady, type WorkState } from "./state.ts";
import { closedThreads } from "./threads.ts";

/** What a view is of. */
interface Hidden {
  readonly state: WorkState;
  readonly id: number;
}

/** A subtask as its owner sees it: a window onto the state, and of one shape, like a seat. */
export class OwnSubtask implements SubtaskView {
  readonly #hidden: Hidden;
  readonly id: number;
  readonly title: string;
  readonly skills: readonly string[];
  readonly topics: readonly string[];
  readonly effort: number;

  constructor(state: WorkState, id: number) {
    const { title, skills, topics, effort } = state.plan.subtasks[id];
    this.#hidden = { state, id };
    this.id = id;
    this.title = title;
    this.skills = Object.freeze([...skills]);
    this.topics = Object.freeze([...topics]);
    this.effort = effort;
    Object.freeze(this);
  }

  get left() {
    const { state, id } = OwnSubtask.#behind(this);
    return state.leftS[id];
  }

  get alignment() {
    const { state, id } = OwnSubtask.#behind(this);
    return state.alignmentS[id];
  }

  get ceiling() {
    const { state, id } = OwnSubtask.#behind(this);
    return ceilingOf(state, state.ownerS[id], id);
  }

  get isReady() {
    const { state, id } = OwnSubtask.#behind(this);
    return isReady(state, id);
  }

  get isUnclear() {
    const { state, id } = OwnSubtask.#behind(this);
    return state.unclearS[id] === 1;
  }

  get gap() {
    const { state, id } = OwnSubtask.#behind(this);
    return state.gapS[id].slice();
  }

  get tried() {
    const { state, id } = OwnSubtask.#behind(this);
    return [...state.triedS[id], ...closedThreads(state, id)];
  }

  get sharers() {
    const { state, id } = OwnSubtask.#behind(this);
    return otherOwners(state, id, state.sharedS[id]);
  }

  get linked() {
    const { state, id } = OwnSubtask.#behind(this);
    return otherOwners(state, id, state.plan.subtasks[id].linked);
  }

  /** What stands in front of a view sees through it. */
  static #behind(view: OwnSubtask): Hidden {
    let own = view;
    while (!(#hidden in own)) own = Object.getPrototypeOf(own);
    return own.#hidden;
  }
}
Object.freeze(OwnSubtask.prototype);

function otherOwners({ ownerS }: WorkState, id: number, subtasks: readonly number[]): number[] {
  return [...new Set(subtasks.map((s) => ownerS[s]))].filter((other) => other !== ownerS[id]);
}
