import {
  applyOverrides,
  checkFit,
  checkRecipe,
  findTrained,
  isLive,
  openMethods,
  openTask,
  openWorld,
  type Recipe,
  runEpisode,
  type Trained,
  type World,
} from "../assemble/index.ts";
import { systemClock } from "../base/clock.ts";
import { ColloquyError } from "../base/errors.ts";
import { runInLanes } from "../base/lanes.ts";
import type { Policy } from "../contracts/policy.ts";
import type { Question } from "../contracts/task.ts";
import type { EpisodeRecord } from "../contracts/trace.ts";
import { openForEstimate, type RehearsedRun, showEstimate } from "./estimate.ts";
import { onInterrupt } from "./interrupt.ts";
import { describeStop, type LiveFlags, liveOptions, showPaid, stopsRun } from "./live.ts";
import { describeOutcome, describeQuestion, narrator, summarizeEpisode } from "./narrate.ts";
import { noteTrained } from "./note-trained.ts";
import { createOutput } from "./output.ts";

interface RunOptions extends LiveFlags {
  readonly question?: string;
  readonly options?: readonly string[];
  readonly questions?: string;
  readonly kind?: "choice" | "number" | "text";
  readonly limit?: number;
  readonly model?: readonly string[];
  readonly agents?: number;
  readonly rounds?: number;
  readonly adversaries: number;
  readonly seed?: number;
  readonly set: readonly string[];
  readonly concurrency: number;
  readonly json?: boolean;
}

/** `colloquy run`: a live team under a trained policy. */
export async function runCommand(source: string, options: RunOptions): Promise<number> {
  const output = createOutput(options.json ?? false, systemClock);
  const trained = await findTrained(source, []);
  const questions = await readQuestions(options, output.note);
  const recipe = liveRecipe(trained, options);
  checkWords(trained);
  noteTrained(output, trained);
  const { signal, release } = onInterrupt(output.note, true);
  const settings = { ...options, signal, onWarning: (text: string) => output.note(`warning: ${text}`) };
  const weights = { learned: trained.checkpoint.weights, contenders: new Map() };
  const play = async (world: World, stance?: Policy) => {
    const [{ environment, policy }] = await openMethods(world, ["learned"], weights, 1, stance);
    const attack = { kind: recipe.attack.kind, adversaries: options.adversaries, onset: "first" };
    return (question: Question) => runEpisode(environment, policy, { question, seed: recipe.seed, sample: 0, attack });
  };
  if (options.dryRun || options.pilot) {
    const run: RehearsedRun = {
      recipe,
      open: (live) => openForEstimate(recipe, live, { questions, grades: false }, trained),
      parts: async (world, policy) => {
        const ask = await play(world, policy);
        return [{ times: 1, play: () => runInLanes(questions.length, options.concurrency, (k) => ask(questions[k])) }];
      },
    };
    return showEstimate(run, settings, null, output).finally(release);
  }
  const world = await openWorld(recipe, {
    live: liveOptions(settings, null),
    questions,
    grades: options.allowCode ?? false,
    onUtterance: narrator(output.print),
  });
  try {
    checkFit(trained.checkpoint, world.network);
    const ask = await play(world);
    // Told as it happens, one question after the other; programs get their lines in order, however many run at a time.
    const lanes = options.json ? options.concurrency : 1;
    const records = await runInLanes(questions.length, lanes, async (k): Promise<EpisodeRecord> => {
      output.print(`${k > 0 ? "\n" : ""}${describeQuestion(questions[k])}`);
      const record = await ask(questions[k]);
      output.print(describeOutcome(record, recipe.vote.rule));
      return record;
    });
    for (const record of records) output.json(summarizeEpisode(record, recipe.vote.rule));
    return records.some(({ outcome }) => outcome === "failed") ? 1 : 0;
  } catch (error) {
    if (!stopsRun(error)) throw error;
    output.note(describeStop(error));
    return signal.aborted ? 130 : 1;
  } finally {
    showPaid(output, world.live!.account.ledger.totals());
    world.live!.account.close();
    release();
  }
}

async function readQuestions(
  { question, options = [], questions: file, kind, limit }: RunOptions,
  note: (text: string) => void,
): Promise<Question[]> {
  if ((question === undefined) === (file === undefined)) {
    throw new ColloquyError("usage/question", question === undefined ? "say what to ask" : "two questions at once", {
      hint: "Either --question TEXT, with --options for a choice, or --questions FILE.",
    });
  }
  if (file !== undefined) {
    if (options.length > 0)
      throw new ColloquyError("usage/question", "--options belongs to --question; a file brings its own options");
    const { questions, warnings } = await openTask({ file, kind, limit });
    for (const warning of warnings) note(`warning: ${warning}`);
    return questions;
  }
  if (options.length === 1)
    throw new ColloquyError("usage/question", "--options names a single option", {
      hint: 'Separate them: --options "Paris|Rome|Oslo"',
    });
  return [{ id: "question", text: question!, options, gold: null, ...(kind === undefined ? {} : { kind }) }];
}

/** The recipe the policy was trained with, spoken by live models. */
function liveRecipe({ recipe }: Trained, options: RunOptions): Recipe {
  const { model: models, agents, rounds, adversaries, seed, set } = options;
  if (models === undefined && !isLive(recipe)) {
    throw new ColloquyError(
      "usage/model",
      `the policy was trained on ${recipe.population.kind} agents, so it names no model`,
      {
        hint: "Say which ones are to speak: --model NAME, several times for a mixed team.",
      },
    );
  }
  const population = {
    ...(recipe.population.kind === "llm" ? recipe.population : { kind: "llm" }),
    ...(models === undefined ? {} : { models }),
  };
  const team = { agents: agents ?? recipe.team.agents, rounds: rounds ?? recipe.team.rounds };
  const { split: _split, ...rest } = recipe;
  const changed = {
    ...rest,
    seed: seed ?? recipe.seed,
    team,
    population,
    // The roles are those the policy was trained with.
    task: { ...(recipe.task?.name === undefined ? {} : { name: recipe.task.name }), file: "the command line" },
    attack: { ...recipe.attack, adversaries: [adversaries], onsets: ["first"] },
    evaluate: { ...recipe.evaluate, adversaries: [adversaries], onsets: ["first"] },
  };
  return checkRecipe(applyOverrides(changed, set), "the command line");
}

function checkWords({ checkpoint: { manifest, folder } }: Trained): void {
  if (manifest.embedder?.startsWith("given-") !== true) return;
  throw new ColloquyError(
    "usage/policy",
    `the policy in ${folder} was trained on simulated agents, which speak no words`,
    {
      hint: "Use one trained on recorded or live agents, for example checkpoints/recorded.",
    },
  );
}
