import type { AnyRecipe } from "../assemble/index.ts";
import type { Output } from "./output.ts";
import type { EvaluationOptions } from "./run-evaluation.ts";

/** What an evaluation of any world is run with. */
export interface JudgingSettings extends Omit<EvaluationOptions, "onProgress"> {
  onProgress?(progress: {
    readonly played: number;
    readonly planned: number;
    readonly method: string;
    readonly cell: { readonly adversaries: number };
  }): void;
}

/** What came of it. */
export interface Judged {
  /** As they stand in results.json. */
  readonly results: unknown;
  readonly complete: boolean;
  /** Episodes that failed. */
  readonly failed: number;
  /** The results for a terminal. */
  readonly text: string;
}

/** An evaluation that is ready to be run. */
export interface Judging {
  /** With what the command line says instead. */
  readonly recipe: AnyRecipe;
  run(settings: JudgingSettings): Promise<Judged>;
  /** Says what it may cost. @returns the exit code */
  estimate(settings: JudgingSettings, output: Output): Promise<number>;
}
