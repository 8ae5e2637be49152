import { findTrained, loadRecipe, playMethods, type Results, summarizeSweep, train } from "colloquy";
import { accuracyOf, table, writePage } from "./markdown.ts";
import type { StudyOptions, StudyOutcome } from "./study.ts";

/** N: team sizes. */
const sizes = [3, 6, 10, 20];

/** Shares of adversaries. */
const rates = [0, 1 / 3, 1 / 2];

const counts = (agents: number): string => JSON.stringify(rates.map((rate) => Math.round(rate * agents)));

/** Policies trained with six agents and with the size judged, in teams of 3 to 20. */
export async function runSizes({ out, command, note, set: changes }: StudyOptions): Promise<StudyOutcome> {
  const rows: (string | number)[][] = [];
  let isComplete = true;
  const trainWith = async (agents: number): Promise<string> => {
    const most = JSON.stringify([0, 1, 2, 3, 4].map((k) => Math.round((k / 6) * agents)));
    const set = [`team.agents=${agents}`, `attack.adversaries=${most}`, `evaluate.adversaries=${counts(agents)}`];
    const recipe = await loadRecipe("quickstart", [...set, "evaluate.onsets=[first]", ...changes]);
    return (await train(recipe, { out: `${out}/runs/agents-${agents}` })).checkpoint;
  };
  const judge = async (checkpoint: string, agents: number, methods: readonly string[]): Promise<Results> => {
    const found = await findTrained(checkpoint, [
      `team.agents=${agents}`,
      "attack.adversaries=[0]",
      `evaluate.adversaries=${counts(agents)}`,
      `evaluate.methods=${JSON.stringify(methods)}`,
    ]);
    const { sweep, splits } = await playMethods(found, {});
    const results = summarizeSweep(sweep, found.recipe, { command, splits });
    isComplete &&= results.complete;
    return results;
  };
  const six = await trainWith(6);
  for (const agents of sizes) {
    const own = agents === 6 ? six : await trainWith(agents);
    const results = {
      "learned with six agents": await judge(six, agents, ["learned"]),
      ...(agents === 6 ? {} : { "learned with as many": await judge(own, agents, ["learned"]) }),
      "": await judge(own, agents, ["vote-first", "complete", "oracle"]),
    };
    for (const [label, { rows: judged }] of Object.entries(results)) {
      for (const method of new Set(judged.map((row) => row.method))) {
        const cells = judged.filter((row) => row.method === method);
        const calls = cells.reduce((sum, row) => sum + row.calls, 0) / cells.length;
        const row = [`${agents}`, label === "" ? method : label, ...cells.map(accuracyOf), calls.toFixed(1)];
        rows.push(row);
        note(row.join(" | "));
      }
    }
  }
  const blocks = [
    "# Team sizes",
    "The demo's recipe in teams of 3 to 20 agents, none, a third and half of them colluding from the first round on (rounded). The policy's weights are shared by all agents, so one trained with six plays in a team of any size; beside it one trained with the size judged. 95 % intervals by a bootstrap over questions.",
    table(["N", "method", "nobody", "a third", "half", "calls"], rows),
  ];
  return { text: writePage(`${out}/sizes.md`, blocks, command), isComplete };
}
