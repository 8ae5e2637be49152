import { join } from "node:path";
import {
  adversaryCount,
  checkFit,
  checkOverlap,
  defaultRunFolder,
  isLive,
  type MethodName,
  openMethods,
  openWorld,
  type Recipe,
  runEpisode,
  type Split,
  type Trained,
  type World,
} from "../assemble/index.ts";
import type { ColloquyError } from "../base/errors.ts";
import { lockFolder } from "../base/lock.ts";
import type { Policy } from "../contracts/policy.ts";
import {
  type Cell,
  type CreditCounts,
  keepEpisodes,
  type Progress,
  profileCredits,
  type Results,
  type Sweep,
  sweep,
} from "../evaluate/index.ts";
import type { RehearsalPart } from "../train/index.ts";
import { evaluationLedger } from "./evaluation-ledger.ts";
import { summarizeSweep, writeResults } from "./judge-sweep.ts";
import { type LiveSettings, liveOptions } from "./live.ts";
import { rehearseContenders, rehearsedWeights } from "./rehearse-contenders.ts";
import { tryReport } from "./report/write-report.ts";
import { trainContenders } from "./train-contenders.ts";

export interface EvaluationOptions extends LiveSettings {
  /** Where results.json, results.csv, table.md and accuracy.svg go. */
  readonly out: string;
  /** The command that makes these numbers again. */
  readonly command: string;
  /** Attack rates instead of the recipe's numbers of adversaries. */
  readonly rates?: readonly number[];
  /** At most this many test questions. */
  readonly limit?: number;
  /** Told of the error that ended it early: a limit reached, a key refused. */
  onEnded?(error: ColloquyError): void;
  /** Judges on questions the policy was trained on, too. */
  readonly allowOverlap?: boolean;
  onProgress?(progress: Progress): void;
  /** Told how far the training of a rival or an ablation is, in agent calls. */
  onTraining?(method: MethodName, done: number, total: number): void;
}

/**
 * Judges a trained policy against every method the recipe names, on its test questions, and writes the results.
 * @throws ColloquyError `checkpoint/misfit` where the policy does not fit the recipe's world; see also `openWorld`
 */
export async function runEvaluation(trained: Trained, options: EvaluationOptions): Promise<Results> {
  const release = isLive(trained.recipe) ? lockFolder(options.out) : undefined;
  try {
    const { sweep, judged, ...played } = await playMethods(trained, options);
    const results = summarizeSweep(sweep, trained.recipe, { ...played, command: options.command });
    // What was cut short must not take the place of something whole.
    writeResults(results, results.complete ? options.out : join(options.out, "incomplete"), judged);
    await tryReport(options);
    if (sweep.endedBy !== undefined) options.onEnded?.(sweep.endedBy);
    return results;
  } finally {
    release?.();
  }
}

/** What the methods have played, not judged yet. */
export interface PlayedMethods {
  readonly sweep: Sweep;
  readonly splits: Split["hashes"];
  readonly benchmark: string;
  /** Credits of honest and adversarial agents over all episodes. */
  readonly credits: readonly CreditCounts[];
  /** Some of the episodes: the content of `episodes-judged.jsonl`. */
  readonly judged: string;
}

/** Plays the methods without judging them yet: studies put several of these together. */
export async function playMethods(
  trained: Trained,
  options: Omit<EvaluationOptions, "out" | "command"> & { readonly out?: string },
): Promise<PlayedMethods> {
  const { recipe, checkpoint } = trained;
  const cells = cellsOf(recipe, options.rates);
  const ledger = options.out === undefined ? null : evaluationLedger({ recipe }, { ...options, out: options.out });
  const world = await openWorld(recipe, isLive(recipe) ? { live: liveOptions(options, ledger) } : {});
  try {
    if (world.live !== null) options.onCalls?.(world.live.account.ledger.totals);
    checkFit(checkpoint, world.network);
    for (const warning of world.warnings) options.onWarning?.(warning);
    const questions = world.split.test.slice(0, options.limit);
    if (!options.allowOverlap) checkOverlap(checkpoint, questions);
    const weights = {
      learned: checkpoint.weights,
      contenders: await trainContenders(world, trained, trained.run ?? options.out ?? defaultRunFolder(recipe), {
        ...options,
        out: undefined,
      }),
    };
    const kept = keepEpisodes({ methods: recipe.evaluate.methods.length, cells: cells.length });
    const credits = profileCredits();
    const played = await sweep({
      methods: await openMethods(world, recipe.evaluate.methods, weights, options.concurrency),
      cells,
      questions,
      episodesPerCell: recipe.evaluate.episodes,
      seeds: recipe.evaluate.seeds,
      runEpisode,
      concurrency: options.concurrency ?? 16,
      signal: options.signal,
      onProgress: options.onProgress,
      onRecord: (...played) => {
        kept.add(...played);
        credits.add(...played);
      },
    });
    return {
      sweep: played,
      splits: world.split.hashes,
      benchmark: world.benchmark,
      credits: credits.counts(),
      judged: kept.lines(recipe),
    };
  } finally {
    world.live?.account.close();
  }
}

/** The episodes of an evaluation, for a rehearsal: all methods and cells, on fewer episodes where there are many. */
export async function rehearseEvaluation(
  world: World,
  trained: Trained,
  { rates, limit, concurrency = 16 }: Pick<EvaluationOptions, "rates" | "limit" | "concurrency">,
  policy: Policy | undefined,
  most: number,
): Promise<RehearsalPart[]> {
  const { recipe, checkpoint } = trained;
  const cells = cellsOf(recipe, rates);
  const { methods: names, episodes, seeds } = recipe.evaluate;
  const played = Math.max(1, Math.min(episodes, Math.ceil(most / (names.length * cells.length * seeds.length))));
  let methods: Awaited<ReturnType<typeof openMethods>> = [];
  return [
    ...rehearseContenders(world, trained, policy, most, concurrency),
    {
      times: 1,
      async play() {
        const weights = { learned: checkpoint.weights, contenders: rehearsedWeights(world) };
        methods = await openMethods(world, names, weights, concurrency, policy);
      },
    },
    {
      times: episodes / played,
      play: () =>
        sweep({
          methods,
          cells,
          questions: world.split.test.slice(0, limit),
          episodesPerCell: played,
          seeds,
          runEpisode,
          concurrency,
        }),
    },
  ];
}

/** Numbers of adversaries × onsets; with nobody attacking the onset makes no difference, so that cell is played once. */
function cellsOf({ team: { agents }, attack, evaluate }: Recipe, rates: readonly number[] | undefined): Cell[] {
  const kind = evaluate.kind ?? attack.kind;
  const counts =
    rates?.map((rate) => ({ rate, adversaries: adversaryCount(rate, agents) })) ??
    evaluate.adversaries.map((adversaries) => ({ rate: Math.round((adversaries / agents) * 1e4) / 1e4, adversaries }));
  return counts.flatMap(({ rate, adversaries }) =>
    (adversaries === 0 ? evaluate.onsets.slice(0, 1) : evaluate.onsets).map((onset) => ({
      kind,
      adversaries,
      rate,
      onset,
    })),
  );
}
