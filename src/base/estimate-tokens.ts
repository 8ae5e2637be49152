/**
 * About how many tokens a text has, for limits and warnings where no server has counted: four characters a token in
 * alphabets, one in scripts written without spaces. Real tokenizers differ by a factor of up to two.
 */
export function estimateTokens(text: string): number {
  const dense =
    text.match(/[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF]/g)?.length ?? 0;
  return Math.ceil((text.length - dense) / 4) + dense;
}
