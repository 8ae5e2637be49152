/**
 * The public face of Colloquy: train and judge communication policies, and make worlds of one's own. Programs that only
 * use an exported policy import `colloquy/runtime` instead, which needs no package at all.
 * @packageDocumentation
 */

export {
  type AgentModel,
  completePrompts,
  defaultPrompts,
  type Prompts,
} from "./agents/index.ts";
export {
  type AnyRecipe,
  ablations,
  checkAnyRecipe,
  checkRecipe,
  findAnyTrained,
  findTrained,
  fitRecording,
  importRecording,
  loadAnyRecipe,
  loadRecipe,
  openWorkplace,
  plainReinforce,
  type Recipe,
  type RecipeInput,
  recipeSchema,
  type Trained,
  type WorkplaceRecipe,
  type WorkplaceRecipeInput,
  type WorkplaceWorld,
  workplaceRecipeSchema,
} from "./assemble/index.ts";
export { ColloquyError } from "./base/errors.ts";
export { createRng, type Rng } from "./base/rng.ts";
export { summarizeSweep, writeResults } from "./cli/judge-sweep.ts";
export { evaluateWorkplace, type WorkplaceContestant } from "./cli/judge-workplace.ts";
export { type WrittenReport, writeReport } from "./cli/report/write-report.ts";
export { type PlayedMethods, playMethods, runEvaluation as evaluate } from "./cli/run-evaluation.ts";
export { runTraining as train } from "./cli/run-training.ts";
export type * from "./contracts/agent.ts";
export type * from "./contracts/attack.ts";
export type * from "./contracts/embedder.ts";
export type * from "./contracts/environment.ts";
export type * from "./contracts/language-model.ts";
export type * from "./contracts/policy.ts";
export type * from "./contracts/population.ts";
export type * from "./contracts/task.ts";
export type * from "./contracts/topology.ts";
export type * from "./contracts/trace.ts";
export type * from "./contracts/workplace/attack.ts";
export type {
  Channel,
  Guidance,
  Message as WorkplaceMessage,
  MessageType,
  RequestType,
} from "./contracts/workplace/message.ts";
export type * from "./contracts/workplace/mind.ts";
export type * from "./contracts/workplace/project.ts";
export type * from "./contracts/workplace/record.ts";
export type * from "./contracts/workplace/results.ts";
export { checkEnvironment, environments, runEpisode, strategies } from "./environments/index.ts";
export { consoleResults, markdownResults, type Results, type Sweep } from "./evaluate/index.ts";
export {
  consoleWorkplace,
  markdownWorkplace,
  parseWorkplaceResults,
  type WorkplaceResults,
} from "./evaluate/workplace/index.ts";
export { exportPolicy } from "./export/index.ts";
export {
  createAttempts,
  describeTotals,
  endpointEmbedder,
  openAccount,
  openStack,
  priceList,
  resolveEndpoint,
} from "./llm/index.ts";
export { openBackend } from "./nets/index.ts";
export { readBank, recordedPopulation, simulatedPopulation, writeBank } from "./populations/index.ts";
export { type LanguageTeamSettings, languagePopulation } from "./populations/llm.ts";
export { recordDebate } from "./populations/record-debate.ts";
export { grade } from "./tasks/grade.ts";
export { type OpenTask, openTask } from "./tasks/open-task.ts";
export { readReply } from "./tasks/read-reply.ts";
