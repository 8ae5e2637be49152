import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  isLive,
  loadRecipe,
  openWorld,
  planAttack,
  type Recipe,
  recordDebate,
  runName,
  type World,
  writeBank,
} from "../assemble/index.ts";
import { systemClock } from "../base/clock.ts";
import { ColloquyError, describeError, endsRun } from "../base/errors.ts";
import { readText } from "../base/files.ts";
import { shortHash } from "../base/hash.ts";
import { runInLanes } from "../base/lanes.ts";
import { lockFolder } from "../base/lock.ts";
import { quote } from "../base/quote.ts";
import { kindOf, type Question } from "../contracts/task.ts";
import { openForEstimate, type RehearsedRun, rehearsedEpisodes, showEstimate } from "./estimate.ts";
import { onInterrupt } from "./interrupt.ts";
import { describeStop, type LiveFlags, liveOptions, showPaid, stopsRun, summarizePaid } from "./live.ts";
import { createOutput } from "./output.ts";

interface RecordOptions extends LiveFlags {
  readonly out: string;
  readonly debates?: number;
  readonly limit?: number;
  readonly set: readonly string[];
  readonly concurrency: number;
  readonly json?: boolean;
}

/** `colloquy record`: debates of live models, kept as a behaviour bank for training offline. */
export async function recordCommand(name: string, options: RecordOptions): Promise<number> {
  const output = createOutput(options.json ?? false, systemClock);
  const recipe = await loadRecipe(name, options.set);
  if (!isLive(recipe)) {
    throw new ColloquyError(
      "usage/record",
      `the agents of "${recipe.name}" are ${recipe.population.kind}, not live models`,
      {
        hint: "Record a recipe whose population is of the kind llm, for example: live",
      },
    );
  }
  const source = describeSource(recipe, options);
  refuseOther(options.out, source);
  // Of its own for each recording: limits hold for all parts of one.
  const book = `${options.out}.calls`;
  const ledger = join(book, `${shortHash(source)}.jsonl`);
  const giveBack = options.dryRun ? () => {} : lockFolder(book);
  const { signal, release } = onInterrupt(output.note, true);
  const settings = { ...options, signal, onWarning: (text: string) => output.note(`warning: ${text}`) };
  try {
    if (options.dryRun || options.pilot)
      return await showEstimate(rehearsed(recipe, options), settings, ledger, output);
    const world = await openWorld(recipe, { live: liveOptions(settings, ledger), grades: false });
    const { account } = world.live!;
    try {
      for (const warning of world.warnings) output.note(`warning: ${warning}`);
      const plan = planDebates(world, options);
      const line = output.progress("recording", plan.length);
      let done = 0;
      const failures: string[] = [];
      const played = await runInLanes(plan.length, options.concurrency, async (k) => {
        const debate = await playDebate(world, plan[k]).catch((error: unknown) => {
          if (endsRun(error) || signal.aborted) throw error;
          failures.push(`${plan[k].question.id}: ${describeError(error)}`);
          return undefined;
        });
        line.update(++done);
        return debate;
      });
      line.end();
      const debates = played.filter((debate) => debate !== undefined);
      const models = [
        ...new Set(recipe.population.kind === "llm" ? recipe.population.models.map(({ model }) => model) : []),
      ];
      // What is not whole takes nobody's place.
      const path = failures.length > 0 ? `${options.out}.incomplete` : options.out;
      writeBank(path, {
        source,
        model: models.join(", "),
        debates,
        warnings: [],
      });
      const paid = account.ledger.totals();
      for (const failure of failures.slice(0, 5)) output.note(`failed: ${failure}`);
      output.print(
        `${debates.length} debates of ${plan.length} in ${path}${failures.length > 0 ? `; ${failures.length} failed. The same command asks for those again.` : ""}`,
      );
      if (failures.length === 0) output.print(`Next  colloquy train recorded --set population.bank=${quote(path)}`);
      output.json({ bank: path, debates: debates.length, failed: failures.length, paid: summarizePaid(paid) });
      return failures.length > 0 ? 1 : 0;
    } finally {
      showPaid(output, account.ledger.totals());
      account.close();
    }
  } catch (error) {
    output.end();
    if (!stopsRun(error)) throw error;
    output.note(describeStop(error));
    return signal.aborted ? 130 : 1;
  } finally {
    release();
    giveBack();
  }
}

/** What a bank says of its making: equal for parts of one recording, different for any other. */
const describeSource = (recipe: Recipe, { debates, limit }: RecordOptions): string =>
  ["colloquy record", runName(recipe), debates && `--debates ${debates}`, limit && `--limit ${limit}`]
    .filter(Boolean)
    .join(" ");

/** @throws ColloquyError `usage/out` where the file holds something else than this recording */
function refuseOther(path: string, source: string): void {
  if (!existsSync(path)) return;
  const [first] = readText(path).split("\n", 1);
  if (first.startsWith("{") && first.includes(JSON.stringify(source))) return;
  throw new ColloquyError("usage/out", `${path} is there already, and holds something else than this recording`, {
    hint: "Choose another file with --out, or move that one away.",
  });
}

/** One debate to be played. */
interface PlannedDebate {
  readonly question: Question;
  readonly sample: number;
  readonly adversaries: number;
}

/** Every question several times, under each number of adversaries the recipe trains with, around again. */
function planDebates({ split, recipe }: World, { debates, limit }: RecordOptions): PlannedDebate[] {
  const questions = [...split.train, ...split.validation, ...split.test].slice(0, limit);
  const open = questions.find((question) => kindOf(question) !== "choice");
  if (open !== undefined) {
    throw new ColloquyError("usage/record", `question "${open.id}" is no choice, and a bank holds choices only`, {
      hint: "Record a benchmark with options, or train on the live models themselves.",
    });
  }
  const { adversaries } = recipe.attack;
  return questions.flatMap((question) =>
    Array.from({ length: debates ?? adversaries.length }, (_, sample) => ({
      question,
      sample,
      adversaries: adversaries[sample % adversaries.length],
    })),
  );
}

function playDebate({ population, recipe }: World, { question, sample, adversaries }: PlannedDebate) {
  return recordDebate({
    population,
    question,
    ...recipe.team,
    attack: planAttack,
    // A bank marks whole agents as adversarial.
    setting: { kind: recipe.attack.kind, adversaries, onset: "first" },
    seed: recipe.seed,
    sample,
  });
}

function rehearsed(recipe: Recipe, options: RecordOptions): RehearsedRun {
  return {
    recipe,
    open: (live) => openForEstimate(recipe, live, { grades: false }),
    parts(world) {
      const plan = planDebates(world, options);
      const calls = recipe.team.agents * recipe.team.rounds;
      const played = Math.min(plan.length, Math.ceil((rehearsedEpisodes * 18) / calls));
      return [
        {
          times: plan.length / played,
          play: () =>
            runInLanes(played, options.concurrency, (k) =>
              playDebate(world, plan[Math.floor((k * plan.length) / played)]),
            ),
        },
      ];
    },
  };
}
