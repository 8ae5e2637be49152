import type { Orders, Turn } from "../../contracts/agent.ts";

/** What a simulated agent comes to in a turn, before it is put into an utterance. */
export interface Thought {
  /** Index of the option it says. */
  readonly answer: number;
  /** What reaches those who hear it, and itself in the next round: agents keep no state of their own. */
  readonly carries: unknown;
  /** How good the speaker is at this question, from -1 to 1. */
  readonly competence: number;
}

/** An order with its target as an index of an option; `null`: any. */
export interface Command {
  readonly target: number | null;
  readonly manner: Orders["manner"];
}

/** How one agent of a family comes to its answers in one episode. */
export interface Mind {
  /** Its honest answer. */
  think(turn: Turn): Thought;
  /** What it says under orders. */
  obey(turn: Turn, command: Command): Thought;
}

/** What a family needs to know of a question. */
export interface Problem {
  /** Options there are. */
  readonly options: number;
  /** Index of the right one. */
  readonly gold: number;
}
