import { ColloquyError } from "../base/errors.ts";
import type { EpisodeTrace } from "../contracts/trace.ts";

/** How a warning of failed episodes begins: one of them is enough for a run. */
const beginning = "episodes fail and teach nothing, the first";

const firstLine = (text: string | undefined): string => (text ?? "unknown").split("\n")[0];

/** A warning where some episodes failed, with the first reason. */
export function describeFailures(records: readonly EpisodeTrace[]): string[] {
  const failed = records.find(({ outcome }) => outcome === "failed");
  return failed === undefined ? [] : [`${beginning}: ${firstLine(failed.error)}`];
}

/** Whether two warnings tell of the same thing. */
export const isAlike = (one: string, other: string): boolean =>
  one === other || (one.startsWith(beginning) && other.startsWith(beginning));

/** @throws ColloquyError `train/failed`, which ends the run, where every single episode failed */
export function refuseFailure(records: readonly EpisodeTrace[], what: string): void {
  if (records.length === 0 || records.some(({ outcome }) => outcome !== "failed")) return;
  throw new ColloquyError(
    "train/failed",
    `all ${records.length} episodes of ${what} failed, the first: ${firstLine(records[0].error)}`,
    { hint: "See to the reason first; the run goes on from its last saved update.", endsRun: true },
  );
}
