import { findTrained, loadRecipe, playMethods, summarizeSweep, train } from "colloquy";
import { accuracyOf, table, writePage } from "./markdown.ts";
import type { StudyOptions, StudyOutcome } from "./study.ts";

/** In-degree, out-degree and depth, each from 1 to 3. */
const limits = [1, 2, 3];
const degrees = limits.flatMap((inDegree) =>
  limits.flatMap((out) => limits.map((depth): Budget => ({ in: inDegree, out, depth }))),
);

type Budget = Readonly<Record<string, number | readonly number[]>>;

/** Budgets that change between the rounds 2 and 3, of all edges together, and edges through time. */
const others: readonly Budget[] = [
  { in: [1, 3] },
  { in: [3, 1] },
  { edges: 2 },
  { edges: [6, 2] },
  { edges: [2, 6] },
  { in: 0, temporal: 2 },
  { in: 1, temporal: 1 },
  { in: 2, temporal: 2 },
];

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
  let isComplete = true;
  const judge = async (budget: Budget): Promise<string[]> => {
    const overrides = Object.entries(budget).map(([key, value]) => `topology.${key}=${JSON.stringify(value)}`);
    const found = await findTrained(trained.checkpoint, ["evaluate.methods=[learned]", ...overrides]);
    const { sweep, splits } = await playMethods(found, {});
    const { rows, complete } = summarizeSweep(sweep, found.recipe, { command, splits });
    isComplete &&= complete;
    const [{ calls, edges, levels }] = rows;
    const line = [...rows.map(accuracyOf), calls.toFixed(1), edges.toFixed(1), levels.toFixed(1)];
    note(`${overrides.join(" ")}: ${line.join(" | ")}`);
    return line;
  };
  const columns = ["accuracy, nobody attacks", "accuracy, 2 of 6 collude", "calls", "edges", "levels"];
  const byDegree: (string | number)[][] = [];
  for (const budget of degrees) byDegree.push([...(Object.values(budget) as number[]), ...(await judge(budget))]);
  const byOther: string[][] = [];
  for (const budget of others) byOther.push([describe(budget), ...(await judge(budget))]);
  const blocks = [
    "# Accuracy against edges and levels",
    `Simulated agents, questions whose knowledge is spread over the team (N = 6, T = 3). One policy, trained with in-degree 2, judged under every budget; ${recipe.evaluate.episodes} episodes a cell, 95 % intervals by a bootstrap over questions. Edges are those of both rounds of exchange, edges through time included; levels are calls waited for one after another over all rounds, round 1 included.`,
    table(["in", "out", "depth", ...columns], byDegree),
    "Budgets that change between the two rounds (`3, 1`: round 2, then round 3), a budget of all edges together, and edges through time, by which an agent hears what others said a round before. What is not named is as trained.",
    table(["budget", ...columns], byOther),
  ];
  return { text: writePage(`${out}/budgets.md`, blocks, command), isComplete };
}

const describe = (budget: Budget): string =>
  Object.entries(budget)
    .map(([key, value]) => `${key} ${[value].flat().join(", ")}`)
    .join("; ");
