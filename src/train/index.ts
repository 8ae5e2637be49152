export { type BaselineMemory, computeAdvantages, emptyMemory } from "./baseline.ts";
export { type FitRivalInput, type FitRivalResult, fitRival } from "./fit-rival.ts";
export type { StepReport, TrainInput, TrainProgress, TrainResult } from "./input.ts";
export { type RehearsalPart, rehearseTraining } from "./rehearse.ts";
export type { BaselineKind, TrainSettings } from "./settings.ts";
export type { Score } from "./state.ts";
export { train } from "./train.ts";
