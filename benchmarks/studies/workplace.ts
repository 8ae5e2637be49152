import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { evaluateWorkplace, loadRecipe, type WorkplaceResults } from "colloquy";
import { writePage } from "./markdown.ts";
import type { StudyOptions, StudyOutcome } from "./study.ts";
import { figuresOf } from "./workplace-figures.ts";
import { playHubs } from "./workplace-hubs.ts";
import { judgeSections, pageBlocks } from "./workplace-page.ts";
import { workplaceParts } from "./workplace-parts.ts";

/** Five seeds unless others are asked for. */
const usualSeeds = [1, 2, 3, 4, 5];

/** The workplace beside the numbers that C2C publishes: no training, no adversaries. */
export async function runWorkplace(options: StudyOptions): Promise<StudyOutcome> {
  const { out, command, note, set: changes, splits: seeds = usualSeeds } = options;
  const parts = workplaceParts(seeds);
  const played: WorkplaceResults[] = [];
  for (const { name, set } of parts) {
    const recipe = await loadRecipe("workplace", [...set, ...changes], "workplace-v1");
    const folder = join(out, name);
    const results = await evaluateWorkplace({ recipe, checkpoint: null }, { out: folder, command, onWarning: note });
    note(`${folder}: ${results.played} episodes`);
    played.push(results);
  }
  const rows = played.flatMap((results) => results.rows);
  const hubs = await playHubs([...parts[0].set, ...changes]);
  const judged = judgeSections(figuresOf(rows, hubs));
  const episodes = played.reduce((sum, results) => sum + results.played, 0);
  const { n, projects } = rows[0];
  const text = `${episodes} episodes, ${n} a cell and method on ${projects} projects, which seeds ${seeds.join(", ")} draw each for itself; nobody attacks, nobody is trained.`;
  const page = writePage(join(out, "published.md"), pageBlocks(judged, text), command);
  const { environment } = played[0];
  writeFileSync(
    join(out, "published.json"),
    `${JSON.stringify({ command, environment, seeds, episodes, hubs, sections: judged }, null, 2)}\n`,
  );
  return { text: page, isComplete: played.every(({ complete }) => complete) };
}
