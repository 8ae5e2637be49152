/** What the address of the page remembers: `#e=12&m=learned`. */
export interface Address {
  readonly number: number;
  readonly method: string;
}

export function writeAddress({ number, method }: Address): string {
  return `#e=${number}&m=${encodeURIComponent(method)}`;
}

/** `null` where the address names no episode, as in a link to a section. */
export function readAddress(hash: string): Address | null {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const number = Number(parts.get("e"));
  return Number.isInteger(number) && number > 0 ? { number, method: parts.get("m") ?? "" } : null;
}
