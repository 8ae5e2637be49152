/** `1, 4 and 5`. */
export function listWords(words: readonly (string | number)[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

/** `1 agent`, `2 agents`. */
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;

/** An answer on one line of at most `limit` characters. */
export function shorten(text: string, limit: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  const letters = [...line];
  return letters.length <= limit ? line : `${letters.slice(0, limit - 1).join("")}…`;
}

/** A voice's weight: two digits, of a small one the first that is not 0. */
export const weigh = (weight: number): string => (weight >= 0.01 ? weight.toFixed(2) : weight.toPrecision(1));

/** With a blank that no line breaks at. */
export const percent = (share: number): string => `${Math.round(share * 100)}\u00a0%`;

export const outcomeMarks = { right: "✓", wrong: "✗", unparsed: "?", failed: "!" } as const;
