export type { Narration } from "../agents/index.ts";
export { adversaryCount, planAttack } from "../attacks/index.ts";
export {
  everyone,
  loner,
  runEpisode,
  strategies,
  workplaceFeatureNames,
  workplaceStrategies,
} from "../environments/index.ts";
export {
  describeTotals,
  formatDollars,
  type Guess,
  isFirst,
  kindOf,
  type Limits,
  leastGuess,
  mostGuess,
  openRehearsal,
  type PilotCall,
  pilotGuess,
  priceList,
  type Totals,
} from "../llm/index.ts";
export { openBackend } from "../nets/index.ts";
export { writeBank } from "../populations/index.ts";
export { recordDebate } from "../populations/record-debate.ts";
export type { Rival } from "../rivals/index.ts";
export { openTask } from "../tasks/open-task.ts";
export type { Split } from "../tasks/split.ts";
export { type AblationName, ablations, plainReinforce } from "./ablations.ts";
export { type Catalogue, catalogue, listsOf } from "./catalogue.ts";
export { checkAnyRecipe, checkRecipe } from "./check-recipe.ts";
export { ablatedRecipe, isAblation, isContender, isRival, type MethodName, rivalOf, worldOf } from "./contenders.ts";
export { diagnose, type Finding } from "./diagnose.ts";
export {
  checkFit,
  checkOverlap,
  defaultRunFolder,
  findAnyTrained,
  findCheckpointFolder,
  findRecipeOrPolicy,
  findTrained,
  refuseUntrained,
  type Trained,
} from "./find-trained.ts";
export { type FittedRival, readFittedRival, writeFittedRival } from "./fitted-rivals.ts";
export { applyOverrides, loadAnyRecipe, loadRecipe, shippedRecipeNames } from "./load.ts";
export { type Method, type MethodWeights, openMethods, untrainedWeights } from "./methods.ts";
export type { WorldOptions } from "./open-population.ts";
export type { LiveOptions, LiveTeam } from "./parts/live.ts";
export { type Recipe, type RecipeInput, recipeSchema } from "./recipe.ts";
export { fitRecording, importRecording, type LawReport } from "./recordings.ts";
export { policyManifest, runName, trainedPart, trainSettings } from "./settings.ts";
export { findWords, type SpokenWords } from "./spoken-words.ts";
export { countsAllRounds, voteWeights } from "./vote-weights.ts";
export * from "./workplace/index.ts";
export { openWorld, type World } from "./world.ts";
export {
  type AnyRecipe,
  type AnyRecipeInput,
  isLive,
  type Recipes,
  recipeJsonSchema,
  recipeSchemas,
  type WorldName,
  worldNames,
} from "./worlds.ts";
