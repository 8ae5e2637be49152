import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../src/base/rng.ts";
import { hashText, parseHashing, words } from "../src/behaviour/hashing.ts";
import {
  cached,
  computeFeatures,
  defaultFeatures,
  features,
  hashingEmbedder,
  type TeamView,
} from "../src/behaviour/index.ts";
import { cosineWithMean, silence } from "../src/behaviour/neighbours.ts";
import { cosine, dot } from "../src/behaviour/vectors.ts";
import type { Embedding } from "../src/contracts/agent.ts";
import type { Embedder } from "../src/contracts/embedder.ts";
import { graphFromEdges, neighbours } from "../src/topology/order.ts";

const entries = ({ indices, values }: Embedding): [number, number][] =>
  Array.from(values, (value, k) => [indices ? indices[k] : k, value]);
const lengthOf = (embedding: Embedding): number => Math.sqrt(dot(embedding, embedding));
const dense = (...values: number[]): Embedding => ({ dimension: values.length, values: Float32Array.from(values) });
const unit = (dimension: number, place: number): Embedding => ({
  dimension,
  indices: Int32Array.of(place),
  values: Float32Array.of(1),
});

describe("hashed words", () => {
  it("never change: trained policies depend on these numbers", () => {
    expect(entries(hashText("The lantern, the attic and the harbour", 2048, "words"))).toEqual([
      [379, 0.34494709968566895],
      [504, -0.7239102125167847],
      [1040, 0.34494709968566895],
      [1133, -0.34494709968566895],
      [1800, 0.34494709968566895],
    ]);
    expect(entries(hashText("The lantern, the attic", 2048, "pairs"))).toEqual([
      [228, -0.3565351963043213],
      [379, 0.3565351963043213],
      [430, -0.3565351963043213],
      [504, -0.6036665439605713],
      [833, 0.3565351963043213],
      [1133, -0.3565351963043213],
    ]);
  });

  it("have unit length, rising places within the dimension, and the same vector for the same text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme" })).map((parts) => parts.join(" ")),
        fc.integer({ min: 1, max: 300 }),
        fc.constantFrom("words" as const, "pairs" as const),
        (text, dimension, units) => {
          const embedding = hashText(text, dimension, units);
          const { indices, values } = embedding;
          expect(embedding.dimension).toBe(dimension);
          expect(indices!.length).toBe(values.length);
          for (let k = 0; k < values.length; k++) {
            expect(indices![k] >= (k === 0 ? 0 : indices![k - 1] + 1) && indices![k] < dimension).toBe(true);
          }
          // Words that share a place with the opposite sign may cancel to nothing.
          const length = lengthOf(embedding);
          expect(values.some((value) => value !== 0) ? Math.abs(length - 1) < 1e-6 : length === 0).toBe(true);
          expect(hashText(text, dimension, units)).toEqual(embedding);
        },
      ),
    );
  });

  it("carry both signs about equally, so that words which share a place cancel rather than add up", () => {
    const text = Array.from({ length: 4000 }, (_, i) => `word${i}x`).join(" ");
    const signs = entries(hashText(text, 1_000_003, "words")).map(([, value]) => Math.sign(value));
    const positive = signs.filter((sign) => sign > 0).length / signs.length;
    expect(Math.abs(positive - 0.5)).toBeLessThan(0.04);
  });

  it("weigh a word by 1 + log of how often it occurs", () => {
    const [once, often] = entries(hashText("apple pear pear pear", 1_000_003, "words"))
      .map(([, value]) => Math.abs(value))
      .sort((a, b) => a - b);
    expect(often / once).toBeCloseTo(1 + Math.log(3), 5);
  });

  it.each(["", "   ", "A", "B.", "42", "3.14 × 10", "(C) 7", "?!", "\u0000", "𝐀", "\ud800"])(
    "leave %j without any: no words, no vector",
    (text) => {
      const { indices, values } = hashText(text, 2048, "pairs");
      expect([indices!.length, values.length]).toEqual([0, 0]);
    },
  );

  it("do not count option letters and numbers: they say what is answered, not how", () => {
    const embed = (text: string) => hashText(text, 2048, "pairs");
    expect(embed("The answer is (B) because 42 is larger than 7.")).toEqual(
      embed("The answer is (D) because 9,500 is larger than 3.14."),
    );
    expect(words("Option A: 12 kg, I think; x = 3rd of 10km")).toEqual(["option", "kg", "think", "3rd", "of", "10km"]);
  });

  it("do not depend on case or punctuation", () => {
    const embed = (text: string) => hashText(text, 2048, "words");
    expect(embed("It IS, obviously: the Lantern!")).toEqual(embed("it is obviously the lantern"));
  });

  it.each([
    ["Chinese", "专家 早已 确定"],
    ["Japanese", "答えは、明らかです。"],
    ["Hindi, whose vowels are marks", "उत्तर निश्चित है"],
    ["Tamil", "பதில் தெளிவாக உள்ளது"],
    ["Thai", "คำตอบคือ ชัดเจน"],
    ["Arabic with vowel marks", "الجَوَابُ وَاضِحٌ"],
    ["Russian", "Ответ очевиден"],
    ["Greek", "Απάντηση σαφής"],
    ["Korean", "정답은 분명하다"],
    ["accents written apart", "re\u0301ponse e\u0301vidente"],
  ])("hold every word of %s whole", (_script, text) => {
    expect(words(text)).toEqual(text.toLowerCase().match(/[^ 、。]+/gu));
    expect(lengthOf(hashText(text, 2048, "words"))).toBeCloseTo(1, 6);
  });

  it("tell orders of words apart only where pairs are asked for", () => {
    const [a, b] = ["the kettle was moved before the ladder", "the ladder was moved before the kettle"];
    expect(hashText(a, 2048, "words")).toEqual(hashText(b, 2048, "words"));
    expect(hashText(a, 2048, "pairs")).not.toEqual(hashText(b, 2048, "pairs"));
  });

  it("are read from the first 20,000 characters only, so that a text of any length costs little", () => {
    const text = "lantern ".repeat(2500);
    expect(hashText(`${text} attic harbour`, 2048, "words")).toEqual(hashText(text, 2048, "words"));
    expect(hashText(`${text.slice(0, -8)} attic`, 2048, "words")).not.toEqual(hashText(text, 2048, "words"));
  });

  it("are named by what they are, and found again by that name", () => {
    for (const [dimension, units] of [
      [2048, "words"],
      [64, "pairs"],
    ] as const) {
      const { name } = hashingEmbedder(dimension, units);
      expect(name).toBe(`hashing-${units}-${dimension}`);
      expect(parseHashing(name)).toEqual({ dimension, units });
    }
    for (const other of ["use-lite", "hashing-2048", "hashing-words-", "given-32", "x-hashing-words-8"]) {
      expect(parseHashing(other)).toBeUndefined();
    }
    expect(hashingEmbedder().embed(["an apple", ""])).toEqual([
      hashText("an apple", 2048, "words"),
      hashText("", 2048, "words"),
    ]);
  });
});

/** A vector, dense and sparse. */
const twins = fc
  .array(fc.oneof(fc.constant(0), fc.float({ min: -8, max: 8, noNaN: true })), { minLength: 12, maxLength: 12 })
  .map((numbers): [Embedding, Embedding] => {
    const indices = Int32Array.from(numbers.keys()).filter((i) => numbers[i] !== 0);
    return [dense(...numbers), { dimension: 12, indices, values: Float32Array.from(indices, (i) => numbers[i]) }];
  });

describe("vectors", () => {
  it("give the same products dense, sparse or mixed", () => {
    fc.assert(
      fc.property(twins, twins, ([a, sparseA], [b, sparseB]) => {
        let expected = 0;
        for (let i = 0; i < 12; i++) expected += a.values[i] * b.values[i];
        for (const left of [a, sparseA]) {
          for (const right of [b, sparseB]) {
            expect(dot(left, right)).toBeCloseTo(expected, 8);
            expect(dot(right, left)).toBeCloseTo(expected, 8);
            expect(cosine(left, right)).toBeCloseTo(cosine(a, b), 8);
          }
        }
        expect(Math.abs(cosine(a, b))).toBeLessThanOrEqual(1 + 1e-12);
      }),
    );
  });

  it("have cosine 1 with themselves, -1 with their opposite, 0 with nothing", () => {
    const a = dense(1, 2, 3);
    expect(cosine(a, a)).toBeCloseTo(1, 12);
    expect(cosine(a, dense(-2, -4, -6))).toBeCloseTo(-1, 12);
    expect([cosine(a, null), cosine(null, a), cosine(null, null), cosine(a, dense(0, 0, 0))]).toEqual([0, 0, 0, 0]);
  });

  it("have the cosine with a mean that the mean itself would give, of few others or many, dense or sparse", () => {
    fc.assert(
      fc.property(twins, fc.array(twins, { maxLength: 30 }), fc.integer({ min: 0, max: 3 }), (own, others, kind) => {
        const mean = Array.from({ length: 12 }, (_, i) =>
          others.reduce((sum, [vector]) => sum + vector.values[i] / Math.max(1, others.length), 0),
        );
        const scale = Math.sqrt(mean.reduce((sum, value) => sum + value * value, 0)) * lengthOf(own[0]);
        const product = mean.reduce((sum, value, i) => sum + value * own[0].values[i], 0);
        const given = others.map((pair, i) => pair[kind === 2 ? i % 2 : kind % 2]);
        // Where the others cancel, rounding decides.
        fc.pre(scale === 0 || scale > 1e-3);
        expect(cosineWithMean(own[kind === 3 ? 1 : 0], given)).toBeCloseTo(scale === 0 ? 0 : product / scale, 4);
      }),
    );
  });
});

/** An embedder that counts what it is asked. */
function counting(delayed: boolean, failures = 0): Embedder & { readonly asked: string[][] } {
  const asked: string[][] = [];
  let left = failures;
  return {
    name: "counting",
    dimension: 1,
    asked,
    embed(texts) {
      asked.push([...texts]);
      const made = texts.map((text) => dense(text.length));
      if (!delayed) return made;
      const fails = left-- > 0;
      return new Promise((resolve, reject) => {
        setImmediate(() => (fails ? reject(new Error("model went away")) : resolve(made)));
      });
    },
  };
}

const lengths = async (embedder: Embedder, ...texts: string[]): Promise<number[]> =>
  (await embedder.embed(texts)).map(({ values }) => values[0]);

describe.each([
  ["that answers at once", false],
  ["that answers later", true],
])("a cache around an embedder %s", (_kind, delayed) => {
  it("asks for all that is missing in one batch, and for each text once", async () => {
    const inner = counting(delayed);
    const embedder = cached(inner);
    expect(embedder).toMatchObject({ name: "counting", dimension: 1 });
    expect(await lengths(embedder, "a", "bb", "a", "ccc")).toEqual([1, 2, 1, 3]);
    expect(await lengths(embedder, "bb", "dddd")).toEqual([2, 4]);
    expect(await lengths(embedder, "a", "dddd", "ccc")).toEqual([1, 4, 3]);
    expect(await lengths(embedder)).toEqual([]);
    expect(inner.asked).toEqual([["a", "bb", "ccc"], ["dddd"]]);
  });

  it("asks once for a text that many ask for at the same time", async () => {
    const inner = counting(delayed);
    const embedder = cached(inner);
    const all = await Promise.all([
      lengths(embedder, "a", "bb"),
      lengths(embedder, "bb", "ccc"),
      lengths(embedder, "a"),
    ]);
    expect(all).toEqual([[1, 2], [2, 3], [1]]);
    expect(inner.asked.flat().sort()).toEqual(["a", "bb", "ccc"]);
  });

  it("keeps as many texts as it may, the oldest go first, and what is asked for is never lost", async () => {
    const inner = counting(delayed);
    const embedder = cached(inner, 3);
    expect(await lengths(embedder, "a", "bb", "ccc", "dddd", "eeeee")).toEqual([1, 2, 3, 4, 5]);
    await lengths(embedder, "ccc", "dddd", "eeeee");
    expect(inner.asked).toHaveLength(1);
    await lengths(embedder, "a");
    expect(inner.asked).toHaveLength(2);
    expect(await lengths(embedder, "ccc", "a")).toEqual([3, 1]);
    expect(inner.asked).toHaveLength(3);
  });

  it("gives what it promised though others push it out in the meantime", async () => {
    const embedder = cached(counting(delayed), 2);
    await lengths(embedder, "a");
    const both = lengths(embedder, "a", "bb");
    const others = lengths(embedder, "ccc", "dddd", "eeeee");
    expect(await both).toEqual([1, 2]);
    expect(await others).toEqual([3, 4, 5]);
  });
});

describe("a cache", () => {
  it("does not remember a failure", async () => {
    const inner = counting(true, 1);
    const embedder = cached(inner);
    await expect(lengths(embedder, "a")).rejects.toThrow("model went away");
    expect(await lengths(embedder, "a")).toEqual([1]);
    expect(inner.asked).toEqual([["a"], ["a"]]);
  });

  it("answers at once where it can, so that synchronous agents stay synchronous", async () => {
    expect(cached(counting(false)).embed(["a"])).toBeInstanceOf(Array);
    const later = cached(counting(true));
    expect(later.embed(["a"])).toBeInstanceOf(Promise);
    await lengths(later, "a");
    expect(later.embed(["a"])).toBeInstanceOf(Array);
  });
});

/**
 * Four agents before the decision for round 3. Agent 0 kept A; 1 changed from A to B having heard 0; 2 cannot be read and
 * heard 0 and 1; 3 did not speak and holds B.
 */
const view: TeamView = {
  agents: 4,
  round: 3,
  answersN: ["A", "B", null, "B"],
  previousAnswersN: ["A", "A", "B", "B"],
  embeddingsN: [dense(1, 0), dense(0, 1), null, dense(1, 1)],
  previousEmbeddingsN: [dense(0, 2), dense(1, 1), dense(1, 0), dense(1, 1)],
  hearing: neighbours(
    graphFromEdges(
      [
        [0, 1],
        [0, 2],
        [1, 2],
      ],
      [1, 1, 1, 0],
    ),
  ),
  spokeN: Uint8Array.of(1, 1, 1, 0),
};
const half = Math.SQRT1_2;

describe("features", () => {
  it.each<[string, number[]]>([
    ["sameAnswerShare", [0.25, 0.5, 0, 0.5]],
    ["heardSameShare", [0, 0, 0, 0]],
    ["changedAnswer", [0, 1, 1, 0]],
    ["cosineHeard", [0, 0, 0, 0]],
    ["cosineSelf", [0, half, 0, 0]],
    ["cosineTeam", [half, half, 0, 1]],
    ["unparsed", [0, 0, 1, 0]],
    ["heardAnyone", [0, 1, 1, 0]],
    ["heardShare", [0, 0.25, 0.5, 0]],
    ["spoke", [1, 1, 1, 0]],
    ["round2", [0, 0, 0, 0]],
    ["round3", [1, 1, 1, 1]],
    ["round4", [0, 0, 0, 0]],
    ["round5+", [0, 0, 0, 0]],
  ])("%s", (name, expected) => {
    expect(Array.from(computeFeatures(view, [name]), (value) => Math.round(value * 1e6) / 1e6)).toEqual(
      expected.map((value) => Math.round(value * 1e6) / 1e6),
    );
  });

  it("every feature of the table stands above, and the defaults are all but cosineTeam", () => {
    expect(Object.keys(features)).toEqual([
      ...["sameAnswerShare", "heardSameShare", "changedAnswer", "cosineHeard", "cosineSelf", "cosineTeam", "unparsed"],
      ...["heardAnyone", "heardShare", "spoke", "round2", "round3", "round4", "round5+"],
    ]);
    expect([...defaultFeatures, "cosineTeam"].sort()).toEqual(Object.keys(features).sort());
  });

  it("heardSameShare and cosineHeard speak of those that were heard", () => {
    const answersN = ["A", "A", "B", "B"];
    const hearing = neighbours(
      graphFromEdges(
        [
          [0, 1],
          [0, 3],
          [1, 3],
          [2, 3],
        ],
        [1, 1, 1, 1],
      ),
    );
    const embeddingsN = [dense(1, 0), dense(3, 0), dense(0, 2), dense(0, 1)];
    const heard = computeFeatures({ ...view, answersN, hearing, embeddingsN }, ["heardSameShare", "cosineHeard"]);
    const expected = [0, 0, 1, 1, 0, 0, 1 / 3, 2 / Math.sqrt(20)];
    for (const [k, value] of expected.entries()) expect(heard[k]).toBeCloseTo(value, 6);
  });

  it("changedAnswer is 0 in round 2: there was nothing to change from", () => {
    const second = { ...view, round: 2, previousAnswersN: [null, null, null, null] };
    expect([...computeFeatures(second, ["changedAnswer", "round2"])]).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
  });

  it("cosineSelf is 1 for whoever says the same again and 0 for whoever kept silent, whether vectors are shared or copied", () => {
    const said = [unit(8, 3), unit(8, 4)];
    const state = { ...view, agents: 2, spokeN: Uint8Array.of(1, 0), embeddingsN: said };
    for (const previousEmbeddingsN of [said, structuredClone(said)]) {
      expect([...computeFeatures({ ...state, previousEmbeddingsN }, ["cosineSelf"])]).toEqual([1, 0]);
    }
  });

  it("stand in the order asked for, agent by agent", () => {
    expect([...computeFeatures(view, ["spoke", "unparsed"])]).toEqual([1, 0, 1, 0, 1, 1, 0, 0]);
    expect(computeFeatures(view, [])).toHaveLength(0);
  });

  it("tell rounds from 5 on as one", () => {
    const names = ["round2", "round3", "round4", "round5+"];
    const oneHot = (round: number) => [...computeFeatures({ ...view, agents: 1, round }, names)];
    expect([2, 3, 4, 5, 6, 100].map(oneHot)).toEqual([
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      ...new Array(3).fill([0, 0, 0, 1]),
    ]);
  });

  it("stay within [-1, 1] where those that were heard cancel each other out", () => {
    const embeddingsN = [unit(3, 2), dense(0, 0, 4.517289369232458e-7), dense(0, 0, -1), dense(0, 0, 1)];
    const all = neighbours(
      graphFromEdges(
        [0, 1, 2].map((i) => [i, 3] as [number, number]),
        [1, 1, 1, 1],
      ),
    );
    const scalarsNS = computeFeatures({ ...view, embeddingsN, hearing: all }, ["cosineHeard", "cosineTeam"]);
    expect(scalarsNS.every((value) => value >= -1 && value <= 1)).toBe(true);
  });

  it("stay within [-1, 1] and finite, whatever the team has said", () => {
    const answer = fc.constantFrom("A", "B", "C", null);
    const vector = fc.oneof(
      fc.constant(null),
      fc.constant(dense(0, 0, 0)),
      fc.array(fc.float({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 3, maxLength: 3 }).map((v) => dense(...v)),
      fc.string().map((text) => hashText(text, 3, "words")),
    );
    const team = fc.integer({ min: 1, max: 12 }).chain((agents) => {
      const each = <T>(of: fc.Arbitrary<T>) => fc.array(of, { minLength: agents, maxLength: agents });
      return fc.record({
        agents: fc.constant(agents),
        round: fc.integer({ min: 2, max: 8 }),
        answersN: each(answer),
        previousAnswersN: each(answer),
        embeddingsN: each(vector),
        previousEmbeddingsN: each(vector),
        edges: each(each(fc.boolean())),
        spoke: each(fc.constantFrom(0, 1)),
      });
    });
    fc.assert(
      fc.property(team, ({ edges, spoke, ...rest }) => {
        const heard = edges.flatMap((row, j) =>
          row.flatMap((hears, i) => (hears && i < j ? [[i, j] as [number, number]] : [])),
        );
        const hearing = neighbours(graphFromEdges(heard, new Array(rest.agents).fill(1)));
        const scalarsNS = computeFeatures({ ...rest, hearing, spokeN: Uint8Array.from(spoke) }, Object.keys(features));
        expect(scalarsNS).toHaveLength(rest.agents * Object.keys(features).length);
        expect(scalarsNS.every((value) => value >= -1 && value <= 1)).toBe(true);
      }),
    );
  });

  it("of a thousand agents that all hear all take a moment, not minutes", () => {
    const agents = 1000;
    const rng = createRng("crowd");
    const vocabulary = Array.from({ length: 500 }, (_, i) => `word${i}x`);
    const text = () => Array.from({ length: 40 }, () => rng.pick(vocabulary)).join(" ");
    const embeddingsN = Array.from({ length: agents }, () => hashText(text(), 512, "words"));
    const pairs = embeddingsN.flatMap((_, j) => Array.from({ length: j }, (_, i) => [i, j] as [number, number]));
    const hearing = neighbours(graphFromEdges(pairs, new Array(agents).fill(1)));
    const started = performance.now();
    const scalarsNS = computeFeatures(
      {
        ...{ agents, round: 3, embeddingsN, hearing, previousEmbeddingsN: embeddingsN },
        answersN: new Array(agents).fill("A"),
        previousAnswersN: new Array(agents).fill("B"),
        spokeN: new Uint8Array(agents).fill(1),
      },
      ["cosineHeard", "cosineTeam"],
    );
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(scalarsNS[0]).toBe(0);
    expect(scalarsNS[2 * agents - 2]).toBeGreaterThan(0.1);
  });

  it("of a team that heard nobody are 0 where they speak of the heard", () => {
    const alone = { ...view, hearing: silence(4) };
    const names = ["heardSameShare", "cosineHeard", "heardAnyone", "heardShare"];
    expect([...computeFeatures(alone, names)]).toEqual(new Array(16).fill(0));
  });
});
