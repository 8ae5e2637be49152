/** What the keys of the logs mean, in the order in which they are shown. */
export const measures: Readonly<Record<string, string>> = {
  "eval/accuracy": "Validation accuracy",
  "eval/utility": "Validation utility",
  "eval/low": "Lower bound of its 95 % interval",
  "eval/high": "Upper bound of its 95 % interval",
  "eval/best": "Best validation accuracy",
  "eval/confidence": "Share of the vote on the gold answer",
  "eval/episodes": "Validation episodes",
  "eval/calls": "Calls in a validation episode",
  "eval/unparsed": "Validation episodes without an answer",
  "eval/unfinished": "Validation episodes that were not finished",
  "eval/failed": "Validation episodes that failed",
  "rollout/utility": "Utility of the episodes played",
  "rollout/participants": "Agents speaking in a round",
  "rollout/edges": "Messages in a round",
  "rollout/calls": "Calls of an update",
  "rollout/callsShared": "Calls of an update, shared ones once",
  "rollout/episodes": "Episodes of an update",
  "rollout/failed": "Episodes that failed",
  "train/entropy": "Entropy of taking part",
  "train/loss": "Loss",
  "train/gradientNorm": "Norm of the gradient",
  "train/epochs": "Uses of the batch",
  "train/zeroSignalGroups": "Starts that taught nothing",
  "time/rolloutMs": "Milliseconds of playing",
  "time/updateMs": "Milliseconds of learning",
};

/** Known keys first, in their order; then the others by name. */
export function sortKeys(keys: Iterable<string>): string[] {
  const order = Object.keys(measures);
  const placeOf = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  return [...keys].sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
}

export const formatNumber = (value: number): string =>
  Number.isInteger(value)
    ? value.toLocaleString("en-US")
    : value.toLocaleString("en-US", { maximumSignificantDigits: 4 });
