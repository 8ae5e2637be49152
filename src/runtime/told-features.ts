import { ColloquyError } from "../base/errors.ts";
import { features as behaviourFeatures } from "../behaviour/features.ts";
import type { PolicyManifest } from "../checkpoint/manifest.ts";
import type { RawObservation } from "./round-input.ts";

/**
 * Refuses utterances where a policy reads features that they do not tell: those of its own world.
 * @throws ColloquyError `session/observation` naming the features that the caller has to give
 */
export function checkTold({ environment, network: { scalars } }: PolicyManifest): void {
  const own = scalars.filter((name) => !Object.hasOwn(behaviourFeatures, name));
  if (own.length === 0) return;
  throw new ColloquyError(
    "session/observation",
    `utterances do not tell all that this policy of ${environment} reads: ${own.join(", ")}`,
    { hint: `Give observe({ features }): one flat list of numbers, for each agent in turn ${scalars.join(", ")}.` },
  );
}

/**
 * Features as the network takes them, N×S.
 * @throws ColloquyError `session/observation` naming the first that is no number
 */
export function readFeatures({ features }: RawObservation, names: readonly string[]): Float32Array {
  const scalarsNS = Float32Array.from(features);
  const bad = scalarsNS.findIndex((value) => !Number.isFinite(value));
  if (bad < 0) return scalarsNS;
  throw new ColloquyError(
    "session/observation",
    `the feature "${names[bad % names.length]}" of agent ${Math.floor(bad / names.length)} is ${features[bad]}`,
    { hint: "Give finite numbers; 0 where nothing is known." },
  );
}
