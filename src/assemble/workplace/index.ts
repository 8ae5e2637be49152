export { isTrainedMethod, openWorkplaceMethods, type WorkplaceMethod } from "./methods.ts";
export type { ProjectKind } from "./projects.ts";
export { type WorkplaceRecipe, type WorkplaceRecipeInput, workplaceRecipeSchema } from "./recipe.ts";
export { workplaceManifest, workplaceMinimum, workplaceTrainSettings } from "./settings.ts";
export { openWorkplace, untrainedWorkplaceWeights, type WorkplaceChanges, type WorkplaceWorld } from "./world.ts";
