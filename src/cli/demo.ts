import { findTrained, loadRecipe } from "../assemble/index.ts";
import { systemClock } from "../base/clock.ts";
import { consoleResults } from "../evaluate/index.ts";
import { showEvaluation, showResults } from "./evaluate.ts";
import { onInterrupt } from "./interrupt.ts";
import { createOutput } from "./output.ts";
import { runEvaluation } from "./run-evaluation.ts";
import { runTraining } from "./run-training.ts";
import { showTraining } from "./show-training.ts";

/** The recipe the demo runs. */
const recipeName = "quickstart";

/** `colloquy demo`: trains the quickstart recipe and judges it, offline. */
export async function demo(options: {
  readonly out: string;
  readonly fresh?: boolean;
  readonly json?: boolean;
}): Promise<number> {
  const output = createOutput(options.json ?? false, systemClock);
  const startedMs = systemClock.elapsedMs();
  const recipe = await loadRecipe(recipeName);
  const { signal, release } = onInterrupt(output.note);
  try {
    output.note(`Training the recipe "${recipeName}": ${recipe.team.agents} simulated agents, no key, no download.`);
    const trained = await runTraining(recipe, { ...options, signal, ...showTraining(output, recipeName) });
    if (trained.interrupted) return 130;
    const results = await runEvaluation(await findTrained(trained.checkpoint, []), {
      out: options.out,
      command: "npm run demo",
      signal,
      ...showEvaluation(output),
    });
    showResults(output, { results, text: consoleResults(results) }, options.out);
    output.print(`Policy ${trained.checkpoint}`);
    output.print(
      `\nTook ${Math.round((systemClock.elapsedMs() - startedMs) / 1000)} s. Next: colloquy export ${trained.checkpoint} --out my-policy`,
    );
    return signal.aborted ? 130 : results.complete ? 0 : 1;
  } finally {
    release();
  }
}
