/**
 * Decisions of an exported policy, without TensorFlow and without any package.
 * @packageDocumentation
 */
export { ColloquyError } from "../base/errors.ts";
export type { PolicyManifest } from "../checkpoint/manifest.ts";
export type { EmbedTexts } from "./embed-utterances.ts";
export { type LoadedPolicy, loadPolicy, type PolicyFiles } from "./load-policy.ts";
export type { RawObservation, RoundInput, SpokenRound } from "./round-input.ts";
export { createSession, type Decision, type Session, type SessionOptions } from "./session.ts";
export type { SpokenUtterance } from "./team-memory.ts";
