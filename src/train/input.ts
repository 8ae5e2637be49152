import type { Clock } from "../base/clock.ts";
import type { CardContent } from "../checkpoint/card.ts";
import type { PolicyManifest } from "../checkpoint/manifest.ts";
import type { Environment, Item } from "../contracts/environment.ts";
import type { NetworkConfig, Weights } from "../contracts/policy.ts";
import type { Question } from "../contracts/task.ts";
import type { EpisodeRecord, EpisodeTrace } from "../contracts/trace.ts";
import type { Backend } from "../nets/index.ts";
import type { TrainSettings } from "./settings.ts";
import type { Score } from "./state.ts";
import type { WorldReading } from "./world-reading.ts";

/**
 * Everything a run is made of. What does not decide its result stands at the end.
 * @typeParam Q what the world's episodes are about
 * @typeParam R their record
 */
export interface TrainInput<Q extends Item = Question, R extends EpisodeTrace = EpisodeRecord> {
  readonly settings: TrainSettings;
  readonly seed: number;
  readonly network: NetworkConfig;
  /** The weights before the first update. */
  readonly initial: Weights;
  readonly environment: Environment<Q, R>;
  readonly reading: WorldReading<R>;
  /** The same world with a single round, for the warm start. Default: the world itself. */
  readonly firstRound?: Environment<Q, R>;
  /** Floor on participants, in training, in validation and, as `decision.minimum`, in the exported policy. Default 1. */
  readonly minimum?: number;
  readonly questions: { readonly train: readonly Q[]; readonly validation: readonly Q[] };
  readonly backend: Backend;
  readonly folder: string;
  /** The recipe as plain JSON: a run goes on only under the same one. */
  readonly recipe: unknown;
  /** Versions, commit and backend, kept as `environment.json`. */
  readonly provenance: unknown;
  /** The config of a checkpoint at a step, with the agent calls made until then. */
  manifest(step: number, calls: number): PolicyManifest;
  /** What its card says. */
  card(score: Score | null): CardContent;
  readonly fresh: boolean;
  /** Episodes at a time; the result does not depend on it. */
  readonly concurrency: number;
  readonly clock: Clock;
  /** Asks for a stop: the update at hand is finished and saved. */
  readonly signal?: AbortSignal;
  onProgress?(report: TrainProgress): void;
}

export interface TrainProgress extends StepReport {
  readonly steps: number;
  readonly latest: Score | null;
  readonly best: Score | null;
}

export interface TrainResult {
  /** The run folder. */
  readonly run: string;
  /** The checkpoint to use: the best on validation. */
  readonly checkpoint: string;
  readonly steps: number;
  readonly calls: number;
  readonly validation: Score | null;
  readonly stoppedEarly: boolean;
  /** The signal ended it; the same command goes on. */
  readonly interrupted: boolean;
  readonly warnings: readonly string[];
}

/** What one update tells whoever watches. */
export interface StepReport {
  /** Updates done, warm start included. */
  readonly step: number;
  readonly utility: number;
  readonly entropy: number;
  /** Mean participants of a round of speaking. */
  readonly participants: number;
  /** Mean edges of a round of speaking. */
  readonly edges: number;
  /** Mean levels of a round of speaking: how many calls follow each other. */
  readonly levels: number;
  /** Agent calls of the run so far, those that runs of one start share counted once. */
  readonly calls: number;
  /**
   * Tokens and US dollars of the run's training episodes so far, as if each had made its own calls; `null` where they are
   * not known. Free calls cost 0.
   */
  readonly tokens: number | null;
  readonly cost: number | null;
  /** Episodes of the run so far, and of this update. */
  readonly episodes: number;
  readonly batchEpisodes: number;
  readonly rolloutMs: number;
  readonly updateMs: number;
  /** How the policy stopped choosing in this update, in words; absent while it chooses. */
  readonly collapse?: string;
  readonly warnings: readonly string[];
}
