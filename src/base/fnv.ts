/**
 * FNV-1a over the UTF-16 code units of a text, then a finaliser that spreads the low bits: a fast, portable 32-bit hash.
 * `seed` starts another family. Stable across releases: checkpoints (hashed words) and random streams depend on it.
 */
export function hash32(text: string, seed = 0): number {
  let h = (0x811c9dc5 ^ seed) >>> 0;
  for (let i = 0; i < text.length; i++) {
    h ^= text.charCodeAt(i);
    h = Math.imul(h, 0x01000193);
  }
  return mix32(h);
}

/** Murmur3's finaliser: every input bit reaches every output bit. */
export function mix32(value: number): number {
  let h = value | 0;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  h ^= h >>> 16;
  return h >>> 0;
}
