export type { AskedModel } from "./ask.ts";
export { type LanguageMindSettings, languageMind } from "./language-mind.ts";
export { type ModelJudge, type ModelJudgeSettings, modelJudge } from "./model-judge.ts";
