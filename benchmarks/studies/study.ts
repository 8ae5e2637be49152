import { join } from "node:path";
import {
  consoleResults,
  findTrained,
  loadRecipe,
  playMethods,
  type Sweep,
  summarizeSweep,
  train,
  writeResults,
} from "colloquy";

/** One learner of a study: a recipe with changes. Its policy is called `name` in the table. */
export interface Learner {
  readonly name: string;
  readonly set: readonly string[];
}

/** What a study trains and plays. */
export interface StudyPlan {
  readonly recipe: string;
  /** The first learner also plays every method without training. */
  readonly learners: readonly Learner[];
  /** Seeds of the splits; each also seeds its run. */
  readonly splits: readonly number[];
  /** Changes for all learners. */
  readonly set: readonly string[];
  /** Methods that need no training of their own. */
  readonly methods: readonly string[];
}

export interface StudyOptions {
  readonly command: string;
  /** Where runs and results go. */
  readonly out: string;
  /** Changes to the recipe from the command line. */
  readonly set: readonly string[];
  /** Splits instead of the plan's own. */
  readonly splits?: readonly number[];
  note(text: string): void;
}

/** What a study leaves to print. */
export interface StudyOutcome {
  readonly text: string;
  readonly isComplete: boolean;
}

/**
 * Trains every learner on every split (or goes on where a run was stopped), plays all methods on the splits' test questions
 * and judges them together: a question of one split and the same question in another are different blocks.
 */
export async function runStudy(plan: StudyPlan, options: StudyOptions): Promise<StudyOutcome> {
  const changes = [...plan.set, ...options.set];
  const sweeps: Sweep[] = [];
  const splits: Record<string, string> = {};
  for (const seed of options.splits ?? plan.splits) {
    for (const [k, learner] of plan.learners.entries()) {
      const set = [...changes, `seed=${seed}`, `split.seed=${seed}`, `evaluate.seeds=[${seed}]`, ...learner.set];
      const recipe = await loadRecipe(plan.recipe, set);
      const run = join(options.out, "runs", `${learner.name.replace(/\W+/g, "-")}-${seed}`);
      const trained = await train(recipe, { out: run });
      options.note(
        `split ${seed}, ${learner.name}: ${trained.steps} updates, ${trained.calls} calls, validation ${trained.validation?.accuracy.toFixed(3)}`,
      );
      const methods = k === 0 ? ["learned", ...plan.methods] : ["learned"];
      const found = await findTrained(trained.checkpoint, [`evaluate.methods=${JSON.stringify(methods)}`]);
      const played = await playMethods(found, {});
      sweeps.push(renameLearned(played.sweep, learner.name));
      splits[`test of split ${seed}`] = played.splits.test;
    }
  }
  const recipe = await loadRecipe(plan.recipe, changes);
  const results = summarizeSweep(mergeSweeps(sweeps), recipe, { command: options.command, splits });
  writeResults(results, options.out);
  return { text: consoleResults(results), isComplete: results.complete };
}

const renameLearned = (sweep: Sweep, name: string): Sweep => ({
  ...sweep,
  plays: sweep.plays.map((play) => (play.method === "learned" ? { ...play, method: name } : play)),
});

/** Puts the episodes of one method in one cell together. */
export function mergeSweeps(sweeps: readonly Sweep[]): Sweep {
  const plays = new Map<string, Sweep["plays"][number]>();
  for (const play of sweeps.flatMap((sweep) => sweep.plays)) {
    const key = JSON.stringify([play.method, play.cell]);
    const known = plays.get(key);
    plays.set(key, known === undefined ? play : { ...known, episodes: [...known.episodes, ...play.episodes] });
  }
  const total = (of: (sweep: Sweep) => number): number => sweeps.reduce((sum, sweep) => sum + of(sweep), 0);
  return {
    plays: [...plays.values()],
    planned: total((sweep) => sweep.planned),
    played: total((sweep) => sweep.played),
    complete: sweeps.every((sweep) => sweep.complete),
  };
}
