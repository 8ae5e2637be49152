export { drawBar } from "./bar.ts";
export { followRun } from "./follow-run.ts";
export { createScreen } from "./screen.ts";
export { type EventLog, keepEvents } from "./tensorboard.ts";
export { formatDuration, paceOf } from "./time-left.ts";
export { createTrainingView, type TrainingReport } from "./training-view.ts";
