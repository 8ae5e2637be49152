import { join } from "node:path";
import {
  checkFit,
  type LiveOptions,
  openWorkplace,
  openWorkplaceMethods,
  type Totals,
  type Trained,
  type WorkplaceRecipe,
  type WorkplaceWorld,
} from "../../assemble/index.ts";
import type { ColloquyError } from "../../base/errors.ts";
import { lockFolder } from "../../base/lock.ts";
import { createRng } from "../../base/rng.ts";
import type { WorkplaceCell } from "../../contracts/workplace/results.ts";
import {
  collectWorkplaceResults,
  keepWorkplaceEpisodes,
  sweepWorkplace,
  type WorkplaceResults,
} from "../../evaluate/workplace/index.ts";
import { gridOf } from "./grid.ts";
import { openStage } from "./play.ts";
import { writeWorkplaceResults } from "./write-results.ts";

export interface WorkplaceEvaluation {
  /** Where results.json, results.csv, table.md and the kept episodes go. */
  readonly out: string;
  /** The command that makes these numbers again. */
  readonly command: string;
  /** Versions, commit. */
  readonly environment: Readonly<Record<string, unknown>>;
  /** Attack rates among the workers instead of the recipe's numbers of adversaries. */
  readonly rates?: readonly number[];
  /** At most this many projects of a kind. */
  readonly limit?: number;
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  /** How language models are called; needed where minds are some. */
  readonly live?: LiveOptions;
  onWarning?(warning: string): void;
  onCalls?(look: () => Totals): void;
  /** Told of the error that ended it early: a limit reached, a key refused. */
  onEnded?(error: ColloquyError): void;
  onProgress?(progress: {
    readonly played: number;
    readonly planned: number;
    readonly method: string;
    readonly cell: WorkplaceCell;
  }): void;
}

/**
 * Plays every method the recipe names on its test projects, and writes the results.
 * @param trained the policy of the method `learned`; `null` where no method needs one
 * @throws ColloquyError `checkpoint/misfit`, `checkpoint/missing`; see also `openWorkplace`
 */
export async function runWorkplaceEvaluation(
  recipe: WorkplaceRecipe,
  trained: Pick<Trained<WorkplaceRecipe>, "checkpoint"> | null,
  options: WorkplaceEvaluation,
): Promise<WorkplaceResults> {
  const release = recipe.minds.kind === "llm" ? lockFolder(options.out) : undefined;
  try {
    const world = openWorkplace(recipe, { live: options.live });
    try {
      if (world.live !== null) options.onCalls?.(world.live.account.ledger.totals);
      return await judge(world, trained, options);
    } finally {
      world.live?.account.close();
    }
  } finally {
    release?.();
  }
}

async function judge(
  world: WorkplaceWorld,
  trained: Pick<Trained<WorkplaceRecipe>, "checkpoint"> | null,
  options: WorkplaceEvaluation,
): Promise<WorkplaceResults> {
  const { recipe } = world;
  const { out, command, environment, rates, limit, signal, concurrency = 16, onProgress } = options;
  if (trained !== null) checkFit(trained.checkpoint, world.network);
  const methods = openWorkplaceMethods(world, recipe.evaluate.methods, trained?.checkpoint.weights ?? null);
  const kept = keepWorkplaceEpisodes();
  const stage = openStage(world, methods, {
    folder: world.live === null ? null : join(out, "events"),
    policy: trained?.checkpoint.manifest.training ?? null,
    isKept: kept.claim,
    onWarning: options.onWarning,
  });
  const played = await sweepWorkplace({
    methods: recipe.evaluate.methods,
    ...gridOf(recipe, rates),
    projectsOf: (cell) => world.testProjects(cell).slice(0, limit),
    episodes: recipe.evaluate.episodes,
    seeds: recipe.evaluate.seeds,
    play: stage.play,
    onRecord: (record, episode) =>
      kept.add(record, episode, () => titlesOf(world, episode.start.question, episode.cell.decomposition)),
    onProgress,
    concurrency,
    signal,
  });
  const results = collectWorkplaceResults(played, {
    command,
    environment,
    budgetHours: (tier) => world.tiers[tier].hours,
    rng: createRng(recipe.seed).fork("statistics"),
  });
  // What was cut short must not take the place of something whole.
  writeWorkplaceResults(results, results.complete ? out : join(out, "incomplete"), kept.lines(recipe));
  if (results.complete) stage.finish();
  if (played.endedBy !== undefined) options.onEnded?.(played.endedBy);
  return results;
}

const titlesOf = (world: WorkplaceWorld, project: Parameters<WorkplaceWorld["plan"]>[0], decomposition: string) =>
  world.plan(project, decomposition as Parameters<WorkplaceWorld["plan"]>[1]).subtasks.map(({ title }) => title);
