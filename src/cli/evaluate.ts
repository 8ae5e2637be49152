import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  applyOverrides,
  checkRecipe,
  findTrained,
  type Recipe,
  runName,
  type Totals,
  type Trained,
} from "../assemble/index.ts";
import { systemClock } from "../base/clock.ts";
import { ColloquyError } from "../base/errors.ts";
import { quote } from "../base/quote.ts";
import { consoleResults, type Results } from "../evaluate/index.ts";
import { openForEstimate, type RehearsedRun, rehearsedEpisodes, showEstimate } from "./estimate.ts";
import { onInterrupt } from "./interrupt.ts";
import { describeStop, isLive, type LiveFlags, showPaid, stopsRun, watchCalls } from "./live.ts";
import { noteTrained } from "./note-trained.ts";
import { createOutput, type Output } from "./output.ts";
import { type EvaluationOptions, evaluationLedger, rehearseEvaluation, runEvaluation } from "./run-evaluation.ts";

interface EvaluateOptions extends LiveFlags {
  readonly methods?: readonly string[];
  readonly attackRates?: readonly number[];
  readonly attack?: string;
  readonly onset?: readonly string[];
  readonly agents?: number;
  readonly rounds?: number;
  readonly budget?: readonly string[];
  readonly limit?: number;
  readonly episodes?: number;
  readonly seeds?: readonly number[];
  readonly set: readonly string[];
  readonly out?: string;
  readonly allowOverlap?: boolean;
  readonly concurrency: number;
  readonly json?: boolean;
}

/** `colloquy evaluate`. */
export async function evaluateCommand(source: string, options: EvaluateOptions): Promise<number> {
  const output = createOutput(options.json ?? false, systemClock);
  const found = await findTrained(source, options.set);
  const trained: Trained = { ...found, recipe: withOptions(found.recipe, options) };
  const out = options.out ?? found.run ?? join("runs", `evaluate-${runName(trained.recipe)}`);
  const { signal, release } = onInterrupt(output.note, isLive(trained.recipe));
  noteReplaced(output, out);
  let look: (() => Totals) | undefined;
  let rest = (): void => {};
  const settings: EvaluationOptions = {
    ...options,
    out,
    command: describeCommand(source, options),
    rates: options.attackRates,
    signal,
    onEnded: (error) => {
      output.end();
      output.note(describeStop(error));
    },
    onCalls: (totals) => {
      look = totals;
      rest = watchCalls(output, totals);
    },
    ...showEvaluation(output),
  };
  try {
    if (options.dryRun || options.pilot) return await estimateEvaluation(trained, settings, output);
    noteTrained(output, trained);
    const results = await runEvaluation(trained, settings);
    output.end();
    showPaid(output, look?.());
    showResults(output, results, results.complete ? out : join(out, "incomplete"));
    const failed = results.rows.reduce((sum, { errors }) => sum + errors, 0);
    if (failed > 0) output.note(`warning: ${failed} episodes failed; they stand in the results as not right`);
    return signal.aborted ? 130 : results.complete && failed === 0 ? 0 : 1;
  } catch (error) {
    // Before any episode was judged: while a rival or an ablation was trained.
    if (!stopsRun(error)) throw error;
    output.end();
    output.note(describeStop(error));
    showPaid(output, look?.());
    return signal.aborted ? 130 : 1;
  } finally {
    output.end();
    rest();
    release();
  }
}

/** Other methods or episodes in the same folder take the place of what is there. */
function noteReplaced(output: Output, out: string): void {
  const path = join(out, "results.json");
  if (existsSync(path)) output.note(`${path} and the report beside it will be replaced; --out keeps both.`);
}

function estimateEvaluation(trained: Trained, settings: EvaluationOptions, output: Output): Promise<number> {
  const run: RehearsedRun = {
    recipe: trained.recipe,
    open: (live) => openForEstimate(trained.recipe, live, {}, trained),
    parts: (world, policy) => rehearseEvaluation(world, trained, settings, policy, rehearsedEpisodes),
  };
  return showEstimate(run, settings, evaluationLedger(trained, settings), output);
}

export function showEvaluation(output: Output): Pick<EvaluationOptions, "onProgress" | "onTraining" | "onWarning"> {
  let line: ReturnType<Output["progress"]> | undefined;
  const trained = new Map<string, ReturnType<Output["progress"]>>();
  return {
    onWarning: (warning) => output.note(`warning: ${warning}`),
    onTraining: (method, done, total) => {
      const line = trained.get(method) ?? output.progress(`training ${method}`, total);
      trained.set(method, line);
      line.update(Math.round(done), "calls");
      if (done >= total) line.end();
    },
    onProgress: ({ played, planned, method, cell }) => {
      line ??= output.progress("judging", planned);
      line.update(played, `${method}, ${cell.adversaries} adversaries`);
      if (played === planned) line.end();
    },
  };
}

export function showResults(output: Output, results: Results, out: string): void {
  output.print(consoleResults(results));
  const files = ["report.html", "results.json", "results.csv", "table.md", "accuracy.svg"].map((name) =>
    join(out, name),
  );
  output.print(`\nFiles ${files.filter((path) => existsSync(path)).join("  ")}`);
  output.json(results);
}

/** The recipe with what the command line says instead, checked again as a whole. */
function withOptions(recipe: Recipe, options: EvaluateOptions): Recipe {
  const overrides: [string, unknown][] = [
    ["evaluate.methods", options.methods],
    ["evaluate.kind", options.attack],
    ["evaluate.onsets", options.onset],
    ["evaluate.episodes", options.episodes],
    ["evaluate.seeds", options.seeds],
    ...Object.entries(options.agents === undefined ? {} : resizeTeam(recipe, options.agents)),
    ["team.rounds", options.rounds],
    ...Object.entries(readBudget(options.budget)).map(([key, value]): [string, unknown] => [`topology.${key}`, value]),
  ];
  const given = overrides.filter(([, value]) => value !== undefined);
  const changed = applyOverrides(
    recipe,
    given.map(([key, value]) => `${key}=${JSON.stringify(value)}`),
  );
  return checkRecipe(changed, "the command line");
}

/** Another team size keeps the attack rates; numbers of adversaries that training drew from but the team cannot hold go. */
function resizeTeam({ team, attack, evaluate }: Recipe, agents: number): Record<string, unknown> {
  const possible = attack.adversaries.filter((k) => k <= agents);
  return {
    "team.agents": agents,
    "attack.adversaries": possible.length > 0 ? possible : [0],
    "evaluate.adversaries": [...new Set(evaluate.adversaries.map((k) => Math.round((k / team.agents) * agents)))],
  };
}

function readBudget(parts: readonly string[] = []): Record<string, number> {
  return Object.fromEntries(
    parts.map((part) => {
      const [, key, value] = /^(in|out|depth|edges|temporal)=(-?\d+)$/.exec(part) ?? [];
      if (key === undefined) {
        throw new ColloquyError("usage/budget", `--budget ${part} is not of the form in=2,out=3,depth=2`, {
          hint: "Give whole numbers for in, out, depth, edges or temporal; budgets by round: --set topology.in=[2,1]",
        });
      }
      return [key, Number(value)];
    }),
  );
}

/** The options as typed, so that a table can be made again. */
function describeCommand(source: string, options: EvaluateOptions): string {
  const flags: [string, unknown][] = [
    ["--methods", options.methods],
    ["--attack-rates", options.attackRates],
    ["--attack", options.attack],
    ["--onset", options.onset],
    ["--agents", options.agents],
    ["--rounds", options.rounds],
    ["--budget", options.budget],
    ["--limit", options.limit],
    ["--episodes", options.episodes],
    ["--seeds", options.seeds],
  ];
  const given = flags.flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${quote(String(value))}`]));
  const changes = options.set.map((override) => `--set ${quote(override)}`);
  return ["colloquy evaluate", quote(source), ...given, ...changes].join(" ");
}
