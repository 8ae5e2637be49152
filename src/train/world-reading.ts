import type { EpisodeTrace } from "../contracts/trace.ts";

/**
 * What the trainer has to know of a world beyond what every record says. Each world gives one, as a literal:
 *
 *     export const chessReading: WorldReading<ChessRecord> = {
 *       utilityKey: "eval/utility",
 *       outcomeKeys: { "eval/drawn": "drawn" },
 *       costUnits: { calls: ({ calls }) => calls, moves: ({ moves }) => moves.length },
 *     };
 *
 * @typeParam R the world's record
 */
export interface WorldReading<R extends EpisodeTrace> {
  /** The key of `metrics.jsonl` that a validation logs its mean utility under. */
  readonly utilityKey: `eval/${string}`;
  /** Further keys: how many episodes of a validation ended that way. Failed ones are counted in every world. */
  readonly outcomeKeys: Readonly<Record<`eval/${string}`, R["outcome"]>>;
  /** What an episode can be charged for, by the names that `train.cost.per` may take. */
  readonly costUnits: CostUnits<R>;
  /**
   * `false`: logged decisions of training leave their edges out. They follow from credits, participation and budgets, and of
   * many agents and decisions they are most of a log. Default: they are kept.
   */
  readonly logsEdges?: false;
  /** Calls that the runs of one start really need, where they share some. Absent: each makes its own. */
  countSharedCalls?(runs: readonly R[]): number;
  /** Absent from worlds whose agents give no answers: there is then no decision loss, no warm start and no soft reward. */
  readonly answers?: AnswerReading<R>;
}

/** Names and amounts: what one episode costs in each unit. */
export type CostUnits<R extends EpisodeTrace> = Readonly<Record<string, (record: R) => number>>;

/** For worlds in which every agent holds an answer that is right or wrong. */
export interface AnswerReading<R extends EpisodeTrace> {
  /** Whether the answer each agent held before the decision for `round` was right; `null` where it could not be read. */
  heldBefore(record: R, round: number, agents: number): readonly (boolean | null)[];
  /** Share of the weight of the last decision on what was right, in [0, 1]: a smoother measure of the same as utility. */
  confidence(record: R): number;
}
