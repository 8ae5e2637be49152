/** The beginning of a long text, with a note of how long it was; no character is cut in half. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\uD800-\uDBFF]/.test(text[most - 1]) ? most - 1 : most;
  return `${text.slice(0, end)} … [cut: ${text.length.toLocaleString("en-US")} characters in all]`;
}
