import { relative } from "node:path";
import type { AnyRecipe, Trained } from "../assemble/index.ts";
import type { Output } from "./output.ts";

/** Says which policy was found: a recipe's name may mean several runs, and a run may not have come to its end. */
export function noteTrained(output: Output, { recipe, checkpoint, run }: Trained<AnyRecipe>): void {
  const { folder, manifest, warning } = checkpoint;
  const { step } = manifest.training;
  const { warmStartSteps = 0, steps: updates }: { readonly warmStartSteps?: number; readonly steps: number } =
    recipe.train;
  const steps = warmStartSteps + updates;
  if (warning !== undefined) output.note(`warning: ${warning}`);
  output.note(`Policy ${relative(".", folder) || "."}, update ${step}.`);
  // The best policy of a whole run is an earlier one; `last` is taken where there is no best one yet.
  if (run !== null && /\blast$/.test(folder) && step < steps)
    output.note(`warning: its training stopped at update ${step} of ${steps}; the same \`colloquy train\` goes on`);
}
