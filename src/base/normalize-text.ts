/** Texts that differ only in case, spacing or the width of characters become equal. */
export function normalizeText(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}
