import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ColloquyError } from "../src/base/errors.ts";
import { openTransformers, type TransformersSettings } from "../src/behaviour/transformers.ts";
import { withoutPrinting } from "../src/behaviour/without-printing.ts";
import type { Embedding } from "../src/contracts/agent.ts";
import type { Embedder } from "../src/contracts/embedder.ts";
import { writeTinyModel } from "./support/tiny-onnx-model.ts";

const loads = await import("@xenova/transformers").then(
  () => true,
  () => false,
);

const errorOf = async (settings: TransformersSettings): Promise<ColloquyError> =>
  openTransformers(settings).then(
    () => expect.fail("nothing was thrown"),
    (error) => (error instanceof ColloquyError ? error : Promise.reject(error)),
  );

describe.skipIf(!loads)("a sentence model (skipped: @xenova/transformers does not load)", () => {
  const words = ["yes", "no", "answer", "the", "is", "nothing"];
  // Powers keep the vectors of different bags of words apart; `nothing` and the marks of a text have none.
  const vectorOf = (token: string): number[] => {
    const place = words.indexOf(token);
    if (token === "[UNK]") return [0, 0, 0, 0, 0, 0, 1];
    return Array.from({ length: 7 }, (_, d) => (place >= 0 && token !== "nothing" ? (place + 1) ** d : 0));
  };
  const sum = (...vectors: number[][]): number[] => vectors[0].map((_, d) => vectors.reduce((s, v) => s + v[d], 0));
  const unit = (vector: number[]): number[] => vector.map((value) => value / Math.hypot(...vector));
  const norm = ({ values }: Embedding): number => Math.hypot(...values);

  let folder: string;
  let embedder: Embedder;
  beforeAll(async () => {
    folder = join(mkdtempSync(join(tmpdir(), "colloquy-model-")), "tiny-model");
    writeTinyModel(folder, words, vectorOf);
    embedder = await openTransformers({ model: folder });
  });
  afterAll(() => rmSync(join(folder, ".."), { recursive: true }));

  it("has a name without its place, and the model's dimension", async () => {
    expect(embedder).toMatchObject({ name: "transformers:tiny-model", dimension: 7 });
    expect((await openTransformers({ model: `${folder}/` })).name).toBe("transformers:tiny-model");
    expect((await openTransformers({ model: folder, pooling: "cls" })).name).toBe("transformers:tiny-model:cls");
  });

  it("gives the mean of its tokens, at unit length", async () => {
    const [embedding] = await embedder.embed(["The answer is: yes!"]);
    const expected = unit(sum(...["the", "answer", "is", "[UNK]", "yes", "[UNK]"].map(vectorOf)));
    expected.forEach((value, d) => {
      expect(embedding.values[d]).toBeCloseTo(value, 5);
    });
    expect(norm(embedding)).toBeCloseTo(1, 5);
  });

  it("gives one vector a text in order, the same bits for equal texts whoever stands beside them", async () => {
    const texts = ["yes", "The answer is no", "", "yes", "no no no no no", "  \n", "what?"];
    const together = await embedder.embed(texts);
    expect(together).toHaveLength(texts.length);
    for (const [i, text] of texts.entries()) expect((await embedder.embed([text]))[0]).toEqual(together[i]);
    expect(together[3]).toEqual(together[0]);
    expect(together[1]).not.toEqual(together[0]);
    expect(await embedder.embed([])).toEqual([]);
    const [first, second] = await Promise.all([embedder.embed(texts), embedder.embed(texts)]);
    expect(first).toEqual(second);
  });

  it("gives zeros where there is no word or no length, never what is not a number", async () => {
    for (const embedding of await embedder.embed(["", " ", "nothing"]))
      expect(embedding).toEqual({ dimension: 7, values: new Float32Array(7) });
  });

  it("reads no more tokens than the model can, nor than it may", async () => {
    const [yes, longer] = await embedder.embed(["yes", `${"yes ".repeat(15)} ${"no ".repeat(5000)}`]);
    longer.values.forEach((value, d) => {
      expect(value).toBeCloseTo(yes.values[d], 5);
    });
    const short = await openTransformers({ model: folder, maxTokens: 2 });
    const [a, b] = await short.embed(["yes no", "yes answer"]);
    expect(a).toEqual(b);
  });

  it("takes the first token alone where it is told to", async () => {
    const other = join(folder, "..", "first");
    writeTinyModel(other, words, (token) => (token === "[CLS]" ? [0, 2, 0] : [1, 0, 0]));
    const [embedding] = await (await openTransformers({ model: other, pooling: "cls" })).embed(["yes no"]);
    expect([...embedding.values]).toEqual([0, 1, 0]);
  });

  it("takes small weights where there are no others", async () => {
    const other = join(folder, "..", "small");
    writeTinyModel(other, words, vectorOf, { weights: "model_quantized.onnx" });
    expect(await openTransformers({ model: other })).toMatchObject({ dimension: 7 });
  });

  it("opens several models at once without mixing them up", async () => {
    const dimensions = [2, 3, 4, 5];
    const models = dimensions.map((dimension) => {
      const place = join(folder, "..", `in-${dimension}`, "same-name");
      writeTinyModel(place, words, () => new Array<number>(dimension).fill(1));
      return openTransformers({ model: place });
    });
    expect((await Promise.all(models)).map(({ dimension }) => dimension)).toEqual(dimensions);
  });

  it("says what is missing, and what is damaged, without a word on the console", async () => {
    const printed = (["log", "info", "warn", "error"] as const).map((method) => vi.spyOn(console, method));
    expect(await errorOf({ model: join(folder, "nowhere") })).toMatchObject({ code: "embedder/missing" });
    const empty = await errorOf({ model: join(folder, "onnx") });
    expect(empty).toMatchObject({ code: "embedder/missing", hint: expect.stringContaining("tokenizer_config.json") });
    expect(empty.message).toContain("config.json");

    const other = join(folder, "..", "damaged");
    writeTinyModel(other, words, vectorOf);
    writeFileSync(join(other, "onnx", "model.onnx"), "not a model");
    expect(await errorOf({ model: other })).toMatchObject({ code: "embedder/files" });
    writeTinyModel(other, words, vectorOf);
    writeFileSync(join(other, "tokenizer.json"), "{");
    expect(await errorOf({ model: other })).toMatchObject({ code: "embedder/files" });
    // A table too short: the numbers of words lie outside.
    const donor = join(folder, "..", "donor");
    writeTinyModel(donor, [], () => [1]);
    writeTinyModel(other, words, vectorOf);
    copyFileSync(join(donor, "onnx", "model.onnx"), join(other, "onnx", "model.onnx"));
    const unfit = await openTransformers({ model: other });
    await expect(unfit.embed(["yes"])).rejects.toMatchObject({ code: "embedder/files" });
    for (const spy of printed) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });
});

describe("work without printing", () => {
  it("drops what the work prints and nothing else, and leaves the console as it was", async () => {
    const spy = vi.spyOn(console, "warn").mockImplementation(() => {});
    const before = console.warn;
    const print = async (text: string): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      console.warn(text);
    };
    await Promise.all([
      withoutPrinting(() => print("inside")),
      print("outside"),
      withoutPrinting(() => print("inside")),
    ]);
    await expect(withoutPrinting(() => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect(spy.mock.calls).toEqual([["outside"]]);
    expect(console.warn).toBe(before);
    spy.mockRestore();
  });
});
