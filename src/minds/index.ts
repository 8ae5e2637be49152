export { simulatedMind } from "./simulated/mind.ts";
export { defaultTraits, drawTraits, type TraitSettings, type Traits } from "./simulated/traits.ts";
