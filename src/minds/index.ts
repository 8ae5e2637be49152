export { simulatedMind } from "./simulated/mind.ts";
export { defaultTraits, drawTraits, type Traits, type TraitSettings } from "./simulated/traits.ts";
