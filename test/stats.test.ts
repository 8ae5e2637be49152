import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { auc, countConcordant } from "../src/base/auc.ts";
import { bootstrapMean, type Measurement, wilson } from "../src/base/intervals.ts";
import { createRng } from "../src/base/rng.ts";
import { holm, mcNemar, signFlip } from "../src/base/significance.ts";
import { mean, quantile, questionsNeeded, sum, variance } from "../src/base/stats.ts";

// "numpy" below: computed apart from this project with Python 3.11 and numpy 1.24, by enumeration where that is possible.

const small = fc.double({ min: -10, max: 10, noNaN: true });
const shuffled = <T>(items: readonly T[], seed: number): T[] => createRng(seed).shuffle(items);

describe("summaries", () => {
  const values = [3.2, 1.5, -0.7, 8.1, 4.4, 2.2, 9.9];

  it("agree with numpy on seven numbers", () => {
    expect(mean(values)).toBeCloseTo(4.085714285714286, 12);
    expect(variance(values)).toBeCloseTo(13.991428571428571, 12);
    const expected = [-0.7, -0.37, 1.85, 3.2, 9.63, 9.9];
    expect([0, 0.025, 0.25, 0.5, 0.975, 1].map((p) => quantile(values, p))).toEqual(
      expected.map((value) => expect.closeTo(value, 12)),
    );
  });

  it("refuse lists too short to mean anything", () => {
    expect(() => mean([])).toThrow(RangeError);
    expect(() => variance([1])).toThrow(RangeError);
    expect(() => quantile([], 0.5)).toThrow(RangeError);
    expect(() => quantile([1], 1.5)).toThrow(RangeError);
  });

  it("keep quantiles in order and inside the data", () => {
    fc.assert(
      fc.property(
        fc.array(small, { minLength: 1, maxLength: 30 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (xs, p) => {
          const [low, middle, high] = [quantile(xs, 0), quantile(xs, p), quantile(xs, 1)];
          // −0 and 0 are one number.
          expect(low + 0).toBe(Math.min(...xs) + 0);
          expect(high + 0).toBe(Math.max(...xs) + 0);
          expect(middle).toBeGreaterThanOrEqual(low);
          expect(middle).toBeLessThanOrEqual(high);
        },
      ),
    );
  });

  it("count the questions a paired comparison needs as the normal formula does", () => {
    // numpy: 7.848879734349088 · σ² / δ², rounded up.
    expect(questionsNeeded(0.25)).toBe(2181);
    expect(questionsNeeded(0.1, 0.05)).toBe(314);
    expect(questionsNeeded(0)).toBeNull();
  });

  it("find the planned difference about as often as the power says", () => {
    const rng = createRng("power");
    const questions = questionsNeeded(1, 0.5)!;
    let found = 0;
    for (let trial = 0; trial < 400; trial++) {
      const differences = Array.from({ length: questions }, () => 0.5 + rng.normal());
      if (signFlip(differences, rng.fork(trial), 999) < 0.05) found++;
    }
    expect(found / 400).toBeGreaterThan(0.73);
    expect(found / 400).toBeLessThan(0.87);
  });
});

describe("the Wilson interval", () => {
  it.each([
    // Newcombe 1998, Statistics in Medicine 17, table I, method 3.
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("of %i in %i is Newcombe's published one", (successes, n, low, high) => {
    expect(wilson(successes, n).low).toBeCloseTo(low, 4);
    expect(wilson(successes, n).high).toBeCloseTo(high, 4);
  });

  it("says nothing about nothing", () => {
    expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
  });

  it("mirrors when successes and failures change places, contains the share, and stays in [0, 1]", () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), (right, wrong) => {
        fc.pre(right + wrong > 0);
        const n = right + wrong;
        const [there, back] = [wilson(right, n), wilson(wrong, n)];
        expect(there.low).toBeCloseTo(1 - back.high, 12);
        expect(there.high).toBeCloseTo(1 - back.low, 12);
        expect(there.low).toBeLessThanOrEqual(right / n);
        expect(there.high).toBeGreaterThanOrEqual(right / n);
        expect(there.low).toBeGreaterThanOrEqual(0);
        expect(there.high).toBeLessThanOrEqual(1);
      }),
    );
  });

  it.each([
    // numpy: exact binomial coverage over p = .01, .02, … .99.
    [10, 0.9043820750088044, 0.955318731867637],
    [50, 0.9105646869039689, 0.9501000082054881],
  ])("covers the truth for n = %i as often as its exact binomial coverage says", (n, least, average) => {
    const coverages = Array.from({ length: 99 }, (_, i) => coverage(n, (i + 1) / 100));
    expect(Math.min(...coverages)).toBeCloseTo(least, 8);
    expect(mean(coverages)).toBeCloseTo(average, 8);
  });

  /** P(the interval of X ~ Bin(n, p) contains p), term by term. */
  function coverage(n: number, p: number): number {
    let term = (1 - p) ** n;
    let covered = 0;
    for (let x = 0; x <= n; x++) {
      const { low, high } = wilson(x, n);
      if (low <= p && p <= high) covered += term;
      term *= ((n - x) / (x + 1)) * (p / (1 - p));
    }
    return covered;
  }
});

describe("the cluster bootstrap", () => {
  const clusters = [[1, 1, 0], [0], [1, 1, 1, 0], [1, 0, 0], [1, 1]];
  const oneBlock: Measurement[] = clusters.flatMap((values, c) =>
    values.map((value) => ({ cluster: `q${c}`, block: 1, value })),
  );

  it("gives the quantiles of all 5^5 ways to draw five clusters", () => {
    // numpy, by enumeration: .36364 and .81818.
    const { low, high } = bootstrapMean(oneBlock, createRng(1), 20_000);
    expect(low).toBeCloseTo(0.36363636, 8);
    expect(high).toBeCloseTo(0.81818182, 8);
  });

  it("gives the quantiles of all ways to draw four questions and three seeds", () => {
    // numpy, by enumeration of 4^4 · 3^3 draws: .25 and 1.
    const rows = [
      [1, 0, 1],
      [0, 0, 1],
      [1, 1, 1],
      [0, 1, 0],
    ];
    const crossed = rows.flatMap((values, q) => values.map((value, block) => ({ cluster: `q${q}`, block, value })));
    expect(bootstrapMean(crossed, createRng(1), 20_000)).toEqual({ low: 0.25, high: 1 });
  });

  it("does not depend on the order of the measurements, and is the same for the same stream", () => {
    fc.assert(
      fc.property(measurements(), fc.nat(), (values, seed) => {
        const there = bootstrapMean(values, createRng(seed), 100);
        const back = bootstrapMean(shuffled(values, seed), createRng(seed), 100);
        expect(back.low).toBeCloseTo(there.low, 9);
        expect(back.high).toBeCloseTo(there.high, 9);
      }),
    );
  });

  it("moves and mirrors with the values", () => {
    fc.assert(
      fc.property(measurements(), small, fc.nat(), (values, shift, seed) => {
        const plain = bootstrapMean(values, createRng(seed), 100);
        const moved = bootstrapMean(
          values.map((m) => ({ ...m, value: shift - m.value })),
          createRng(seed),
          100,
        );
        expect(moved.low).toBeCloseTo(shift - plain.high, 9);
        expect(moved.high).toBeCloseTo(shift - plain.low, 9);
      }),
    );
  });

  it("does not narrow when questions are played again with the same outcome", () => {
    const again = Array.from({ length: 10 }, () => oneBlock).flat();
    expect(bootstrapMean(again, createRng(3))).toEqual(bootstrapMean(oneBlock, createRng(3)));
  });

  it("covers the true accuracy about as often as it claims where a plain binomial interval does not", () => {
    const rng = createRng("coverage");
    const [trials, questions, plays] = [400, 40, 10];
    let byBootstrap = 0;
    let byWilson = 0;
    for (let trial = 0; trial < trials; trial++) {
      const values: Measurement[] = [];
      for (let q = 0; q < questions; q++) {
        // Difficulty differs between questions: the mean of a uniform chance is one half.
        const chance = rng.uniform();
        for (let play = 0; play < plays; play++) {
          values.push({ cluster: `q${q}`, block: 1, value: rng.uniform() < chance ? 1 : 0 });
        }
      }
      const own = bootstrapMean(values, rng.fork(trial), 400);
      if (own.low <= 0.5 && 0.5 <= own.high) byBootstrap++;
      const naive = wilson(sum(values.map(({ value }) => value)), values.length);
      if (naive.low <= 0.5 && 0.5 <= naive.high) byWilson++;
    }
    expect(byBootstrap / trials).toBeGreaterThan(0.91);
    expect(byBootstrap / trials).toBeLessThan(0.98);
    expect(byWilson / trials).toBeLessThan(0.8);
  });

  it("covers at least as often as it claims when seeds differ in luck too", () => {
    const rng = createRng("crossed coverage");
    const trials = 200;
    let covered = 0;
    for (let trial = 0; trial < trials; trial++) {
      const luck = Array.from({ length: 5 }, () => 0.1 * rng.normal());
      const values: Measurement[] = [];
      for (let q = 0; q < 30; q++) {
        const difficulty = rng.normal();
        for (const [block, l] of luck.entries()) {
          values.push({ cluster: `q${q}`, block, value: difficulty + l + rng.normal() });
        }
      }
      const { low, high } = bootstrapMean(values, rng.fork(trial), 300);
      if (low <= 0 && 0 <= high) covered++;
    }
    expect(covered / trials).toBeGreaterThan(0.92);
  });

  function measurements(): fc.Arbitrary<Measurement[]> {
    const one = fc.record({
      cluster: fc.constantFrom("a", "b", "c", "d"),
      block: fc.integer({ min: 1, max: 3 }),
      value: small,
    });
    return fc.array(one, { minLength: 1, maxLength: 20 });
  }
});

describe("the sign-flip test", () => {
  it("gives Fisher's p for Darwin's fifteen pairs of plants", () => {
    // Fisher 1935, The Design of Experiments, §21: 1,726 of 32,768 patterns, 5.267 %.
    const eighthsOfAnInch = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
    expect(signFlip(eighthsOfAnInch, createRng(1))).toBe(1726 / 32768);
  });

  it("comes by Monte Carlo near what enumeration would give", () => {
    const differences = Array.from({ length: 20 }, (_, i) => (i < 15 ? 1 : -1));
    // ±1 makes it a binomial test, which McNemar's exact one is.
    expect(signFlip(differences, createRng(1), 50_000)).toBeCloseTo(mcNemar(15, 5), 2);
  });

  it("never claims a p below what its draws can show", () => {
    expect(signFlip(new Array(60).fill(1), createRng(1), 99)).toBe(0.01);
  });

  it("is McNemar's exact test where the differences are −1, 0 and 1", () => {
    const outcome = fc.constantFrom(-1, 0, 1);
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 16 }), (differences) => {
        const better = differences.filter((d) => d > 0).length;
        const worse = differences.filter((d) => d < 0).length;
        expect(signFlip(differences, createRng(1))).toBeCloseTo(mcNemar(better, worse), 12);
      }),
    );
  });

  it("does not depend on order, sign or scale, and is never 0", () => {
    fc.assert(
      fc.property(fc.array(small, { maxLength: 24 }), fc.nat(), (differences, seed) => {
        const p = signFlip(differences, createRng(seed), 99);
        expect(signFlip(shuffled(differences, seed), createRng(seed), 99)).toBe(p);
        expect(
          signFlip(
            differences.map((d) => -d),
            createRng(seed),
            99,
          ),
        ).toBe(p);
        expect(
          signFlip(
            differences.map((d) => d * 4),
            createRng(seed),
            99,
          ),
        ).toBe(p);
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("calls at most about one null world in twenty significant", () => {
    const rng = createRng("null");
    let found = 0;
    for (let trial = 0; trial < 1000; trial++) {
      const differences = Array.from({ length: 30 }, () => rng.normal());
      if (signFlip(differences, rng.fork(trial), 199) < 0.05) found++;
    }
    expect(found / 1000).toBeLessThan(0.07);
    expect(found / 1000).toBeGreaterThan(0.03);
  });
});

describe("the exact McNemar test", () => {
  it.each([
    // R, exact2x2 on Agresti's approval ratings: p = 3.716e-05; the rest in exact fractions with Python.
    [150, 86, 3.715936139571442e-5],
    [121, 59, 4.434449263755176e-6],
    [2, 8, 0.109375],
    [0, 6, 0.03125],
    [5, 5, 1],
    [0, 0, 1],
    [900, 1100, 8.457089535503927e-6],
  ])("of %i against %i gives the exact binomial p", (b, c, p) => {
    expect(Math.abs(mcNemar(b, c) / p - 1)).toBeLessThan(1e-9);
  });

  it("is symmetric and a probability, however large the counts", () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.nat(5000), (b, c) => {
        const p = mcNemar(b, c);
        expect(mcNemar(c, b)).toBe(p);
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("Holm's adjustment", () => {
  it("is R's p.adjust(p, 'holm')", () => {
    const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 12));
    expect(holm([0.01, 0.02, 0.03, 0.04])).toEqual(close([0.04, 0.06, 0.06, 0.06]));
    expect(holm([0.04, 0.01, 0.03, 0.005])).toEqual(close([0.06, 0.03, 0.06, 0.02]));
    expect(holm([])).toEqual([]);
  });

  it("lies between p and Bonferroni's, keeps the order of the p, and follows them when they change places", () => {
    const p = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(p, { minLength: 1, maxLength: 12 }), fc.nat(), (ps, seed) => {
        const adjusted = holm(ps);
        ps.forEach((value, i) => {
          expect(adjusted[i]).toBeGreaterThanOrEqual(value);
          expect(adjusted[i]).toBeLessThanOrEqual(Math.min(1, ps.length * value));
          ps.forEach((other, j) => {
            if (value < other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j]);
          });
        });
        const places = shuffled(
          ps.map((_, i) => i),
          seed,
        );
        expect(holm(places.map((i) => ps[i]))).toEqual(places.map((i) => adjusted[i]));
      }),
    );
  });
});

describe("the AUC", () => {
  it("is scikit-learn's documented example, and numpy's count with ties", () => {
    expect(auc([0.35, 0.8], [0.1, 0.4])).toBe(0.75);
    const positives = [0.5, 0.8, 0.2, -0.4, 0, -0.5, 0.6, 1.8, 0, -0.1, 1, 0.9];
    const negatives = [0.1, -0.9, -0, 0.7, -1.3, -0.5, -1.9, -1.3, -1.8];
    expect(auc(positives, negatives)).toBeCloseTo(0.8379629629629629, 12);
  });

  it("is unknown with one kind only", () => {
    expect(auc([], [1])).toBeNull();
    expect(auc([1], [])).toBeNull();
  });

  it("counts pairs one by one, whatever the order, ties as halves", () => {
    const scores = fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 15 });
    fc.assert(
      fc.property(scores, scores, fc.nat(), (positives, negatives, seed) => {
        const pairs = positives.flatMap((p) => negatives.map((n): number => (p > n ? 1 : p === n ? 0.5 : 0)));
        const counted = countConcordant(shuffled(positives, seed), shuffled(negatives, seed));
        expect(counted).toEqual({ concordant: sum(pairs), pairs: pairs.length });
        const back = countConcordant(negatives, positives);
        expect(back.concordant).toBe(counted.pairs - counted.concordant);
      }),
    );
  });
});
