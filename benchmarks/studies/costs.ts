import { findTrained, loadRecipe, playMethods, summarizeSweep, train } from "colloquy";
import { accuracyOf, table, writePage } from "./markdown.ts";
import type { StudyOptions, StudyOutcome } from "./study.ts";

/** λ: what one agent call takes off the reward of an episode. */
const weights = [0, 0.002, 0.005, 0.01, 0.02, 0.05];

/** One policy for each λ: what it saves, and what that costs in accuracy. */
export async function runCosts({ out, command, note, set: changes }: StudyOptions): Promise<StudyOutcome> {
  const rows: (string | number)[][] = [];
  let isComplete = true;
  let episodes = 0;
  for (const weight of weights) {
    const set = [`train.cost={weight: ${weight}, per: calls}`, "evaluate.onsets=[first]", "evaluate.methods=[learned]"];
    const trained = await train(await loadRecipe("quickstart", [...set, ...changes]), {
      out: `${out}/runs/weight-${weight}`,
    });
    const found = await findTrained(trained.checkpoint, []);
    const { sweep, splits } = await playMethods(found, {});
    const results = summarizeSweep(sweep, found.recipe, { command, splits });
    isComplete &&= results.complete;
    episodes = found.recipe.evaluate.episodes;
    const mean = (of: "calls" | "edges" | "levels"): string =>
      (results.rows.reduce((sum, row) => sum + row[of], 0) / results.rows.length).toFixed(1);
    const row = [weight, ...results.rows.map(accuracyOf), mean("calls"), mean("edges"), mean("levels")];
    rows.push(row);
    note(row.join(" | "));
  }
  const blocks = [
    "# Accuracy against the price of a call",
    `The demo's recipe trained on utility − λ · calls of the episode, one policy for each λ; judged with k of six agents colluding from the first round on, ${episodes} episodes a cell, 95 % intervals by a bootstrap over questions. Calls, edges and levels are means over the four cells.`,
    table(["λ", "k=0", "k=2", "k=3", "k=4", "calls", "edges", "levels"], rows),
  ];
  return { text: writePage(`${out}/costs.md`, blocks, command), isComplete };
}
