import { formatDollars } from "../assemble/index.ts";
import { systemClock } from "../base/clock.ts";
import { createTrainingView } from "../loggers/index.ts";
import type { TrainProgress } from "../train/index.ts";
import type { Output, ProgressLine } from "./output.ts";

/** What shows a training while it goes on. */
export interface TrainingDisplay {
  onProgress(report: TrainProgress): void;
  onWarning(warning: string): void;
}

/** Progress of a training: a table in place on a terminal, else a line now and then. `output.end` ends it. */
export function showTraining(output: Output, name: string): TrainingDisplay {
  const label = `training ${name}`;
  const view = createTrainingView(label, systemClock, formatDollars);
  let line: ProgressLine | undefined;
  return {
    onWarning: (warning) => output.note(`warning: ${warning}`),
    onProgress: (report) => {
      view.see(report);
      if (output.table !== null) output.table(view.table());
      else {
        line ??= output.progress(label, report.steps);
        line.update(report.step, view.line());
      }
      if (report.step === report.steps) output.end();
    },
  };
}
