import { existsSync } from "node:fs";
import { join } from "node:path";
import { findRecipeOrPolicy, isLive, refuseUntrained, runName, type Totals } from "../assemble/index.ts";
import { systemClock } from "../base/clock.ts";
import { quote } from "../base/quote.ts";
import type { JudgeFlags } from "./flags/judge-flags.ts";
import { onInterrupt } from "./interrupt.ts";
import type { Judged, JudgingSettings } from "./judging.ts";
import { describeStop, type LiveFlags, showPaid, stopsRun, watchCalls } from "./live.ts";
import { noteTrained } from "./note-trained.ts";
import { createOutput, type Output } from "./output.ts";
import { readBudget } from "./read-budget.ts";
import { worldOf } from "./worlds.ts";

interface EvaluateOptions extends LiveFlags, Omit<JudgeFlags, "budget"> {
  readonly attackRates?: readonly number[];
  readonly budget?: readonly string[];
  readonly limit?: number;
  readonly set: readonly string[];
  readonly out?: string;
  readonly concurrency: number;
  readonly json?: boolean;
}

/** `colloquy evaluate`. */
export async function evaluateCommand(source: string, options: EvaluateOptions): Promise<number> {
  const output = createOutput(options.json ?? false, systemClock);
  const { recipe: found, trained } = await findRecipeOrPolicy(source, options.set);
  const judging = worldOf(found).judge(found, trained, { ...options, budget: readBudget(options.budget) }, () =>
    refuseUntrained(found, source, options.set),
  );
  const { recipe } = judging;
  const out = options.out ?? trained?.run ?? join("runs", `evaluate-${runName(recipe)}`);
  const { signal, release } = onInterrupt(output.note, isLive(recipe));
  noteReplaced(output, out);
  let look: (() => Totals) | undefined;
  let rest = (): void => {};
  const settings: JudgingSettings = {
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
    if (options.dryRun || options.pilot) return await judging.estimate(settings, output);
    if (trained !== null) noteTrained(output, trained);
    const judged = await judging.run(settings);
    output.end();
    showPaid(output, look?.());
    showResults(output, judged, judged.complete ? out : join(out, "incomplete"));
    if (judged.failed > 0)
      output.note(`warning: ${judged.failed} episodes failed; they stand in the results as not right`);
    return signal.aborted ? 130 : judged.complete && judged.failed === 0 ? 0 : 1;
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

export function showEvaluation(output: Output): Pick<JudgingSettings, "onProgress" | "onTraining" | "onWarning"> {
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

export function showResults(output: Output, { text, results }: Pick<Judged, "text" | "results">, out: string): void {
  output.print(text);
  const files = ["report.html", "results.json", "results.csv", "table.md", "accuracy.svg"].map((name) =>
    join(out, name),
  );
  output.print(`\nFiles ${files.filter((path) => existsSync(path)).join("  ")}`);
  output.json(results);
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
