import type { AttackSetting } from "../contracts/attack.ts";

/** How the advantage A of an episode is formed from utilities. All are mean-centred; none divides by a deviation. */
export type BaselineKind = "none" | "moving-mean" | "question-mean" | "leave-one-out";

/** Completed settings of a training run. */
export interface TrainSettings {
  /** Updates of the weights. */
  readonly steps: number;
  /** Updates on the decision loss alone, over round-1 answers, before the first REINFORCE update. */
  readonly warmStartSteps: number;
  /** Agent calls (shared ones counted once) after which training stops; `null`: no limit. */
  readonly calls: number | null;
  /** Episode starts an update plays; each is played `samples` times. */
  readonly starts: number;
  /** K: runs of one start that differ only in the policy's draws. They share calls. */
  readonly samples: number;
  readonly baseline: BaselineKind;
  /** Divides advantages by their deviation. Off: with a cost term it turns all-right groups into pure pruning. */
  readonly normalizeAdvantages: boolean;
  /** Weight of the direct decision loss; 0 switches it off. */
  readonly decisionLoss: number;
  /**
   * What REINFORCE maximises: `right`, the task utility (0 or 1 where it is a right answer); or `soft`, the share of the vote's weight on the gold
   * answer, which has the same optimum where votes are sure of themselves and far less variance [ours].
   */
  readonly reward: "right" | "soft";
  /** λ and what it charges: one of the world's own units (see `WorldReading`) comes off the reward. 0: nothing does. */
  readonly cost: { readonly weight: number; readonly per: string };
  /**
   * Whether the order in which graphs rank agents is drawn and learned as well (Plackett-Luce) [ours]; of networks that rank
   * by the credit of their decision head. Absent: no. Then that order is learned by the decision loss alone.
   */
  readonly order?: boolean;
  /** Weight of the REINFORCE loss; 0 leaves the decision loss alone. */
  readonly reinforce: number;
  /** Entropy bonus at the first update; falls linearly to 0 at the last. */
  readonly entropy: number;
  readonly learningRate: number;
  /** Share of the learning rate that is left at the last update; it falls linearly. */
  readonly learningRateEnd: number;
  /** Factor on the learning rate of the embedding's projection: inputs of length 1 spread over hundreds of places are small. */
  readonly embeddingRate: number;
  /** Decoupled weight decay (AdamW), on weight matrices only. */
  readonly weightDecay: number;
  /** Global gradient norm is clipped at this. */
  readonly clipNorm: number;
  /** Embedding places (hashed words) heard on a smaller share of the training questions than this are silenced; 0 keeps all. */
  readonly minimumQuestionShare: number;
  /** Dropout rate on the embedding input. */
  readonly dropout: number;
  /** Times a batch is used; above 1 with clipped ratios (PPO). */
  readonly reuse: { readonly epochs: number; readonly clip: number; readonly minimumEffectiveShare: number };
  /** Weights kept for judging are a moving average with this decay; 0 keeps the last ones. */
  readonly averaging: number;
  readonly validation: {
    /** Updates between validations. */
    readonly every: number;
    readonly episodes: number;
    /**
     * What makes a checkpoint the best: right answers, or the share of the vote's weight on the right one. Where there are
     * no answers both are the mean utility.
     */
    readonly score: "accuracy" | "confidence";
    /** Validations without a new best after which training stops; 0 never stops early. */
    readonly patience: number;
  };
  /** Numbers of adversaries and onsets an update draws from, uniformly. */
  readonly attack: {
    readonly kind: AttackSetting["kind"];
    readonly adversaries: readonly number[];
    readonly onsets: readonly string[];
  };
}
