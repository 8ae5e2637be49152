import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import { hash32, mix32 } from "./fnv.ts";

/**
 * A stream of random numbers that is passed as a value. `fork` names an independent stream: forking neither reads nor
 * moves the parent, so what one part draws never depends on how much another part drew before it.
 */
export interface Rng {
  /** An independent stream named by `parts`; the same names give the same stream. */
  fork(...parts: readonly (string | number)[]): Rng;
  /** Uniform in [0, 1). */
  uniform(): number;
  /** Uniform integer in [0, n). @throws RangeError unless n is a positive integer. */
  integer(n: number): number;
  /** Standard normal. */
  normal(): number;
  /** One element. @throws RangeError on an empty list. */
  pick<T>(items: readonly T[]): T;
  /** An index drawn in proportion to non-negative `weights`; uniform when all are 0. */
  weighted(weights: ArrayLike<number>): number;
  /** A new array in random order (Fisher-Yates). */
  shuffle<T>(items: readonly T[]): T[];
}

/** The stream of a seed: an integer, or any text (hashed). @throws RangeError on any other number. */
export function createRng(seed: number | string): Rng {
  if (typeof seed === "string") return stream(hash32(seed, 1), hash32(seed, 2));
  if (!Number.isInteger(seed)) throw new RangeError(`a seed is an integer or a text, got ${seed}`);
  return stream(mix32(seed | 0), mix32(Math.floor(seed / 4294967296) ^ 0x9e3779b9));
}

/** Names are numbers of 32 bits or texts; larger numbers and fractions go by their digits. */
function hashName(part: string | number): number {
  if (typeof part === "string") return hash32(part, 3);
  return part === (part | 0) ? mix32(part) ^ 0x5bd1e995 : hash32(String(part), 4);
}

function stream(a: number, b: number): Rng {
  // The generator is made at the first draw: most streams exist only to be forked.
  let generator: { next(): number } | undefined;
  const next = (): number => {
    generator ??= xoroshiro128plusFromState([a | 1, mix32(a ^ b) | 0, b | 0, mix32(b + 0x6d2b79f5) | 0]);
    return generator.next() >>> 0;
  };
  // 53 random bits: 27 high and 26 low ones.
  const uniform = (): number => ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;
  const integer = (n: number): number => {
    if (!(Number.isInteger(n) && n > 0)) throw new RangeError(`integer(n) needs a positive integer, got ${n}`);
    return Math.floor(uniform() * n);
  };
  return {
    fork(...parts) {
      let x = a;
      let y = b;
      for (const part of parts) {
        const p = hashName(part);
        x = mix32(x ^ p);
        y = mix32((y + Math.imul(p, 0x9e3779b1)) ^ x);
      }
      return stream(x, mix32(y + 0x7f4a7c15));
    },
    uniform,
    integer,
    normal() {
      // Box-Muller without keeping the second value, so that a draw never depends on the parity of earlier draws.
      return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
    },
    pick(items) {
      if (items.length === 0) throw new RangeError("pick from an empty list");
      return items[integer(items.length)];
    },
    weighted(weights) {
      let total = 0;
      for (let i = 0; i < weights.length; i++) total += weights[i];
      if (!(total > 0)) return integer(weights.length);
      let left = uniform() * total;
      for (let i = 0; i < weights.length; i++) {
        left -= weights[i];
        if (left < 0) return i;
      }
      return lastPositive(weights);
    },
    shuffle(items) {
      const result = items.slice();
      for (let i = result.length - 1; i > 0; i--) {
        const j = integer(i + 1);
        [result[i], result[j]] = [result[j], result[i]];
      }
      return result;
    },
  };
}

/** Rounding can leave a sliver past the last weight; an index of weight 0 must still never be drawn. */
function lastPositive(weights: ArrayLike<number>): number {
  for (let i = weights.length - 1; i >= 0; i--) if (weights[i] > 0) return i;
  return 0;
}
