import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { findTrained, loadRecipe, playMethods, type Results, summarizeSweep, train } from "colloquy";
import type { StudyOptions, StudyOutcome } from "./study.ts";

/** In-degree, out-degree and depth, each from 1 to 3. */
const limits = [1, 2, 3];
const budgets = limits.flatMap((inDegree) =>
  limits.flatMap((out) => limits.map((depth) => ({ in: inDegree, out, depth }))),
);

/** Questions that need exchange, so that a budget costs something. */
const set = [
  "population.questions={independent: 0, distributed: 300}",
  "evaluate.onsets=[first]",
  "evaluate.adversaries=[0,2]",
];

/** One policy, trained with in-degree 2 and no other limit, judged under every budget: accuracy against edges and levels. */
export async function runBudgets({ out, command, note, set: changes }: StudyOptions): Promise<StudyOutcome> {
  const recipe = await loadRecipe("quickstart", [...set, ...changes]);
  const trained = await train(recipe, { out: `${out}/runs/policy` });
  const lines: string[] = [];
  let isComplete = true;
  for (const budget of budgets) {
    const overrides = Object.entries(budget).map(([key, value]) => `topology.${key}=${value}`);
    const found = await findTrained(trained.checkpoint, ["evaluate.methods=[learned]", ...overrides]);
    const { sweep, splits } = await playMethods(found, {});
    const results = summarizeSweep(sweep, found.recipe, { command, splits });
    isComplete &&= results.complete;
    lines.push(describe(budget, results));
    note(lines[lines.length - 1]);
  }
  const text = [
    "# Accuracy against edges and levels",
    "",
    `Simulated agents, questions whose knowledge is spread over the team (N = 6, T = 3). One policy, trained with in-degree 2, judged under every budget; ${recipe.evaluate.episodes} episodes a cell, 95 % intervals by a bootstrap over questions. Levels are calls waited for one after another over all rounds, round 1 included.`,
    "",
    "| in | out | depth | accuracy, nobody attacks | accuracy, 2 of 6 collude | calls | edges | levels |",
    "|--:|--:|--:|--:|--:|--:|--:|--:|",
    ...lines,
    "",
    `Command: \`${command}\``,
    "",
  ].join("\n");
  const path = `${out}/budgets.md`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return { text, isComplete };
}

function describe(budget: { in: number; out: number; depth: number }, { rows }: Results): string {
  const accuracy = ({ accuracy, low, high }: Results["rows"][number]): string =>
    `${accuracy.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
  const [clean] = rows;
  const cells = [
    budget.in,
    budget.out,
    budget.depth,
    ...rows.map(accuracy),
    clean.calls.toFixed(1),
    clean.edges.toFixed(1),
    clean.levels.toFixed(1),
  ];
  return `| ${cells.join(" | ")} |`;
}
