import type { Onsets } from "../../contracts/attack.ts";
import type { Truth } from "../../contracts/policy.ts";

/** What measures and the oracle may know of an attacked team. */
export const truthOf = ({ firstRound, active }: Onsets): Truth => ({
  adversarialN: Uint8Array.from(firstRound, (round) => (round > 0 ? 1 : 0)),
  isActive: active,
});
