/** A bar of `width` characters. */
export function drawBar(done: number, total: number, width = 24): string {
  const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0;
  const full = Math.floor(share * width);
  return "█".repeat(full) + "░".repeat(width - full);
}

const heights = "▁▂▃▄▅▆▇█";

/** The last values as a line of small columns, from the least to the greatest of them; even ones stand in the middle. */
export function drawSparkline(values: readonly number[], width = 16): string {
  const shown = values.slice(-width);
  const low = Math.min(...shown);
  const high = Math.max(...shown);
  const heightOf = (value: number): number =>
    high > low ? Math.round(((value - low) / (high - low)) * (heights.length - 1)) : 3;
  return shown.map((value) => heights[heightOf(value)]).join("");
}
