export { type BaselineMemory, computeAdvantages, emptyMemory } from "./baseline.ts";
export type { StepReport, TrainInput, TrainProgress, TrainResult } from "./input.ts";
export { type RehearsalPart, rehearseTraining } from "./rehearse.ts";
export { type BaselineKind, plainReinforce, type TrainSettings } from "./settings.ts";
export type { Score } from "./state.ts";
export { train } from "./train.ts";
