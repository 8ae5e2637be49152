/** What stands where a secret stood. */
const cover = "[key]";

/** Keys by their looks, also those a server has shortened: sk-…, gsk_…, xai-…, AIza…, and whatever follows "Bearer". */
const lookalikes =
  /\b(?:(?:sk|pk|rk|gsk|xai|hf|nvapi|pplx|csk|fw)[-_][\w*.…-]{6,}|AIza[\w-]{10,}|Bearer\s+[^\s"',;]+)/g;

/**
 * Takes secrets out of a text that people may see: servers repeat keys in their errors.
 * @param key the key in use; one of fewer than four characters is too short to be a secret or to be found
 */
export function redact(text: string, key?: string): string {
  return withoutKey(text, key).replace(lookalikes, cover);
}

/** Takes out only the key itself: for replies, which must otherwise stay as they are. */
export function withoutKey(text: string, key?: string): string {
  return key !== undefined && key.length >= 4 ? text.replaceAll(key, cover) : text;
}
