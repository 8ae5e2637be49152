import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ColloquyError } from "../src/base/errors.ts";
import { renderCard } from "../src/checkpoint/card.ts";
import { type Checkpoint, readCheckpoint, writeCheckpoint } from "../src/checkpoint/folder.ts";
import { type PolicyManifest, readManifest } from "../src/checkpoint/manifest.ts";
import { readSafetensors, writeSafetensors } from "../src/checkpoint/safetensors.ts";
import type { Weights } from "../src/contracts/policy.ts";
import type { PlainBudget } from "../src/contracts/topology.ts";

const foreign = JSON.parse(readFileSync(new URL("./oracle/safetensors.json", import.meta.url), "utf8"));
const foreignFile = (name: string): Uint8Array => Buffer.from(foreign[name], "base64");

/** A file with any header over `size` bytes of data. */
function fileOf(header: string, size: number, claimed?: bigint): Uint8Array {
  const json = new TextEncoder().encode(header);
  const bytes = new Uint8Array(8 + json.length + size);
  new DataView(bytes.buffer).setBigUint64(0, claimed ?? BigInt(json.length), true);
  bytes.set(json, 8);
  return bytes;
}

const f32 = (shape: number[], begin: number, end: number) => ({ dtype: "F32", shape, data_offsets: [begin, end] });

const weightsArbitrary: fc.Arbitrary<Weights> = fc
  .dictionary(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((name) => name !== "__metadata__"),
    fc.array(fc.nat(3), { maxLength: 3 }).chain((shape) => {
      const length = shape.reduce((a, b) => a * b, 1);
      const number = fc.float({ noNaN: true, noDefaultInfinity: true });
      return fc
        .array(number, { minLength: length, maxLength: length })
        .map((data) => ({ shape, data: Float32Array.from(data) }));
    }),
    { maxKeys: 6 },
  )
  .map((tensors) => Object.fromEntries(Object.entries(tensors)));

describe("safetensors", () => {
  it("gives back what was written, bit for bit", () => {
    fc.assert(
      fc.property(weightsArbitrary, fc.dictionary(fc.string(), fc.string()), (tensors, metadata) => {
        const read = readSafetensors(writeSafetensors(tensors, metadata), "x");
        expect(Object.entries(read.tensors)).toEqual(Object.entries(tensors));
        expect(Object.entries(read.metadata)).toEqual(Object.entries(metadata));
      }),
    );
  });

  it("reads what the format's own library wrote, and writes the same bytes", () => {
    const file = foreignFile("single");
    const { tensors, metadata } = readSafetensors(file, "single");
    expect(metadata).toEqual({ trainer: '{"step": 3}' });
    expect(tensors["größe"]).toEqual({ shape: [2, 3], data: Float32Array.of(0, 1, 2, 3, 4, 5) });
    expect(tensors["gru.bias_ih"].data).toEqual(Float32Array.of(0.5, -1.25, 3e-8));
    expect(Buffer.from(writeSafetensors(tensors, metadata)).equals(file)).toBe(true);
  });

  it("reads doubles and integers as 32-bit floats", () => {
    const { tensors } = readSafetensors(foreignFile("mixed"), "mixed");
    expect(tensors["double"].data).toEqual(Float32Array.of(0.1, -2));
    expect(tensors["int"]).toEqual({ shape: [2, 1], data: Float32Array.of(7, -8) });
    expect(tensors["long"]).toEqual({ shape: [], data: Float32Array.of(9) });
  });

  it("reads from the middle of a larger buffer", () => {
    const file = foreignFile("single");
    const buffer = new Uint8Array(file.length + 3);
    buffer.set(file, 3);
    expect(readSafetensors(buffer.subarray(3), "x").tensors).toEqual(readSafetensors(file, "x").tensors);
  });

  it("refuses every truncation, naming the file", () => {
    const file = writeSafetensors({
      a: { shape: [2], data: Float32Array.of(1, 2) },
      b: { shape: [1], data: Float32Array.of(3) },
    });
    for (let length = 0; length < file.length; length++) {
      expect(() => readSafetensors(file.subarray(0, length), "policy.safetensors")).toThrow(/policy\.safetensors/);
    }
  });

  it("never fails with anything but its own error, whatever the bytes", () => {
    const file = foreignFile("single");
    const flips = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(flips, (changes) => {
        const damaged = Uint8Array.from(file);
        for (const [at, value] of changes) damaged[at] = value;
        try {
          readSafetensors(damaged, "x");
        } catch (error) {
          expect(error).toBeInstanceOf(ColloquyError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  const one = JSON.stringify(f32([1], 0, 4));
  it.each([
    ["an empty file", new Uint8Array(0), /truncated/],
    ["a header longer than the file", fileOf("{}", 0, 1000n), /cut off/],
    ["a header above the limit", fileOf("{}", 0, 2n ** 40n), /above/],
    ["a header that is no JSON", fileOf("{nope", 0), /not JSON/],
    ["a header that is no UTF-8", Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0xff), /not JSON/],
    ["a header that is a list", fileOf("[]", 0), /not a JSON object/],
    ["a name given twice", fileOf(`{"a":${one},"\\u0061":${one}}`, 4), /names "a" twice/],
    ["metadata that is no text", fileOf('{"__metadata__":{"k":1}}', 0), /metadata "k" is not text/],
    [
      "an unknown dtype",
      fileOf(JSON.stringify({ a: { ...f32([1], 0, 4), dtype: "Q4" } }), 4),
      /tensor "a".*"Q4" is unknown/,
    ],
    ["a dtype of the prototype", fileOf(JSON.stringify({ a: { ...f32([1], 0, 4), dtype: "toString" } }), 4), /unknown/],
    ["a negative size", fileOf(JSON.stringify({ a: f32([-1], 0, 4) }), 4), /not a list of sizes/],
    ["offsets that run backwards", fileOf(JSON.stringify({ a: f32([1], 4, 0) }), 4), /not \[begin, end\]/],
    [
      "a shape that does not fit its offsets",
      fileOf(JSON.stringify({ a: f32([3], 0, 4) }), 4),
      /takes 12 bytes.*span 4/,
    ],
    ["a shape beyond all numbers", fileOf(JSON.stringify({ a: f32([2 ** 50, 2 ** 50], 0, 4) }), 4), /takes/],
    ["an entry that is a number", fileOf('{"a":1}', 0), /not an object/],
    [
      "overlapping tensors",
      fileOf(JSON.stringify({ a: f32([2], 0, 8), b: f32([1], 4, 8) }), 8),
      /tensor "b".*overlaps/,
    ],
    ["a hole", fileOf(JSON.stringify({ a: f32([1], 0, 4), b: f32([1], 8, 12) }), 12), /tensor "b".*hole of 4/],
    ["data behind the last tensor", fileOf(JSON.stringify({ a: f32([1], 0, 4) }), 8), /4 bytes behind/],
    ["offsets behind the end", fileOf(JSON.stringify({ a: f32([2], 0, 8) }), 4), /truncated/],
  ])("refuses %s", (_what, bytes, message) => {
    const read = () => readSafetensors(bytes, "weights.safetensors");
    expect(read).toThrow(ColloquyError);
    expect(read).toThrow(/weights\.safetensors/);
    expect(read).toThrow(message);
  });

  it.each([NaN, Infinity, -Infinity])("refuses %d among weights, in reading and writing", (bad) => {
    const bytes = fileOf(JSON.stringify({ "gru.bias_hh": f32([2], 0, 8) }), 8);
    new DataView(bytes.buffer).setFloat32(bytes.length - 4, bad, true);
    expect(() => readSafetensors(bytes, "x")).toThrow(/tensor "gru.bias_hh".*number 1 is/);
    expect(() => writeSafetensors({ a: { shape: [1], data: Float32Array.of(bad) } })).toThrow(/tensor "a"/);
  });
});

const manifest: PolicyManifest = {
  schema: "colloquy.policy/1",
  name: "guard",
  environment: "deliberation-v1",
  network: { kind: "credit-gru", embedding: 8, projection: 2, scalars: ["a", "b"], hidden: 3, heads: "two", clamp: 6 },
  embedder: "hashing-2048",
  decision: {
    topology: "credit",
    budget: { in: 2, out: null, depth: 3 },
    minimum: 1,
    cut: 0.5,
    voters: "participants",
  },
  training: { step: 40, seed: 7, resumed: false },
  recipe: { agents: 6, attack: { kind: "mislead" } },
};

describe("the manifest of a policy", () => {
  it("comes back from JSON as it was", () => {
    expect(readManifest(JSON.parse(JSON.stringify(manifest)), "config.json")).toEqual(manifest);
  });

  it("comes back with budgets by round, of edges and through time", () => {
    const budgets: PlainBudget[] = [
      { in: [2, null, 0], out: null, depth: [1], edges: [12, null], temporal: 3 },
      { in: 0, out: new Array(100).fill(1), depth: null, edges: null, temporal: null },
    ];
    for (const budget of budgets) {
      const found = { ...manifest, decision: { ...manifest.decision, budget } };
      expect(readManifest(JSON.parse(JSON.stringify(found)), "config.json")).toEqual(found);
    }
  });

  it("comes back with a network without memory", () => {
    const found = { ...manifest, network: { ...manifest.network, kind: "credit-mlp" } };
    expect(readManifest(JSON.parse(JSON.stringify(found)), "config.json")).toEqual(found);
  });

  it("leaves out what it does not know", () => {
    expect(readManifest({ ...manifest, extra: 1, network: { ...manifest.network, __proto__: { x: 1 } } }, "c")).toEqual(
      manifest,
    );
  });

  it.each([
    ["another schema", { ...manifest, schema: "colloquy.policy/9" }, /colloquy.policy\/9/],
    ["no object", "text", /the file should be an object, found "text"/],
    ["no hidden units", { ...manifest, network: { ...manifest.network, hidden: 0 } }, /network.hidden.*found 0/],
    ["a size that is text", { ...manifest, network: { ...manifest.network, hidden: "3" } }, /network.hidden/],
    [
      "an unknown network",
      { ...manifest, network: { ...manifest.network, kind: "lstm" } },
      /"credit-gru" or "credit-mlp", found "lstm"/,
    ],
    [
      "a feature named twice",
      { ...manifest, network: { ...manifest.network, scalars: ["a", "a"] } },
      /network.scalars/,
    ],
    ["a missing embedder", { ...manifest, embedder: null }, /embedder should be a name/],
    ["a clamp of 0", { ...manifest, network: { ...manifest.network, clamp: 0 } }, /network.clamp/],
    ["a cut of 1", { ...manifest, decision: { ...manifest.decision, cut: 1 } }, /decision.cut/],
    [
      "depth 0",
      { ...manifest, decision: { ...manifest.decision, budget: { in: 1, out: 1, depth: 0 } } },
      /budget.depth/,
    ],
    ...(
      [
        ["an empty list of limits", { in: [] }, /budget.in should be a list of 1 to 100 limits/],
        ["a list of far too many limits", { out: new Array(101).fill(1) }, /budget.out should be a list/],
        ["a round of depth 0", { depth: [2, 0] }, /budget.depth\[1\] should be an integer from 1/],
        ["a list in a list", { edges: [[1]] }, /budget.edges\[0\]/],
        ["a budget that is text", { temporal: "3" }, /budget.temporal/],
        ["a missing budget", { in: undefined }, /budget.in.*found nothing/],
      ] as const
    ).map(([what, wrong, message]): [string, unknown, RegExp] => [
      what,
      { ...manifest, decision: { ...manifest.decision, budget: { in: 1, out: 1, depth: 1, ...wrong } } },
      message,
    ]),
    ["a fact that is a list", { ...manifest, training: { step: 1, log: [] } }, /training.log/],
    ["no step", { ...manifest, training: {} }, /training.step.*found nothing/],
  ])("refuses %s, naming file and field", (_what, value, message) => {
    expect(() => readManifest(value, "folder/config.json")).toThrow(message);
    expect(() => readManifest(value, "folder/config.json")).toThrow(/folder\/config\.json/);
  });
});

describe("a policy folder", () => {
  let root: string;
  let folder: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "colloquy-"));
    folder = join(root, "last");
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const tensors = (value: number): Weights => ({ w: { shape: [3], data: Float32Array.of(value, value, value) } });
  const checkpoint = (step: number): Checkpoint => ({
    manifest: { ...manifest, training: { step } },
    weights: tensors(step),
    trainer: { tensors: tensors(-step), json: JSON.stringify({ step, lr: 0.1 }) },
  });
  const write = (step: number): void => writeCheckpoint(folder, checkpoint(step), "# card\n");

  it("comes back as it was written, with what resuming needs only when asked", () => {
    write(1);
    const { manifest, weights, trainer } = checkpoint(1);
    expect(readCheckpoint(folder)).toEqual({ folder, manifest, weights });
    expect(readCheckpoint(folder, { trainer: true })).toEqual({ folder, manifest, weights, trainer });
    expect(readdirSync(folder).sort()).toEqual([
      "README.md",
      "config.json",
      "policy.safetensors",
      "trainer.safetensors",
    ]);
  });

  it("is the same bytes for the same policy", () => {
    write(1);
    const first = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    write(1);
    expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(first);
  });

  it("keeps its predecessor and nothing else beside it", () => {
    for (const step of [1, 2, 3]) write(step);
    expect(readdirSync(root).sort()).toEqual(["last", "last.previous"]);
    expect(readCheckpoint(folder).manifest.training.step).toBe(3);
    expect(readCheckpoint(`${folder}.previous`).manifest.training.step).toBe(2);
  });

  it.each(["config.json", "policy.safetensors"])(
    "falls back on its predecessor when %s is cut anywhere, and says which file was bad",
    (name) => {
      write(1);
      write(2);
      const size = readFileSync(join(folder, name)).length;
      for (const length of [size - 2, Math.floor(size / 2), 1, 0]) {
        truncateSync(join(folder, name), length);
        const read = readCheckpoint(folder);
        expect(read.manifest.training.step).toBe(1);
        expect(read.folder).toBe(`${folder}.previous`);
        expect(read.warning).toContain(join(folder, name));
      }
    },
  );

  it("falls back when a crash came between the two renames", () => {
    write(1);
    renameSync(folder, `${folder}.previous`);
    expect(readCheckpoint(`${folder}/`)).toMatchObject({ folder: `${folder}.previous`, weights: tensors(1) });
  });

  it("is not hurt by what a killed writer left behind", () => {
    write(1);
    writeCheckpoint(join(root, ".last.part"), checkpoint(9), "half");
    expect(readCheckpoint(folder).manifest.training.step).toBe(1);
    write(2);
    expect(readCheckpoint(folder).manifest.training.step).toBe(2);
    expect(existsSync(join(root, ".last.part"))).toBe(false);
  });

  it("reads the policy though the trainer's file is damaged, unless it is asked for", () => {
    write(1);
    writeFileSync(join(folder, "trainer.safetensors"), "");
    expect(readCheckpoint(folder).weights).toEqual(tensors(1));
    expect(() => readCheckpoint(folder, { trainer: true })).toThrow(/trainer\.safetensors/);
  });

  it("fails with the name of the bad file where there is no predecessor", () => {
    expect(() => readCheckpoint(folder)).toThrow(/last\/config\.json: no such file/);
    write(1);
    rmSync(join(folder, "policy.safetensors"));
    expect(() => readCheckpoint(folder)).toThrow(/last\/policy\.safetensors: no such file/);
  });

  it("leaves the old checkpoint alone when the new one cannot be written", () => {
    write(1);
    const bad = { ...checkpoint(2), weights: { w: { shape: [1], data: Float32Array.of(NaN) } } };
    expect(() => writeCheckpoint(folder, bad, "")).toThrow(/tensor "w"/);
    expect(readdirSync(root)).toEqual(["last"]);
    expect(readCheckpoint(folder).manifest.training.step).toBe(1);
  });
});

describe("the card of a policy", () => {
  it("says what the manifest says, and shows tables with their command", () => {
    const card = renderCard(manifest, {
      summary: "Keeps liars out.",
      tables: [
        {
          title: "Accuracy",
          columns: ["k", "learned"],
          rows: [["2", ".66 ± .02 | n = 600"]],
          command: "colloquy evaluate",
        },
      ],
      limits: ["English only."],
    });
    for (const part of [
      "# guard",
      "Keeps liars out.",
      "deliberation-v1",
      "a, b",
      "out no limit",
      "40 steps",
      "| seed | 7 |",
    ]) {
      expect(card).toContain(part);
    }
    expect(card).toContain(".66 ± .02 \\| n = 600");
    expect(card).toContain("`colloquy evaluate`");
    expect(card).toContain("- English only.");
  });

  it("says budgets by round, of edges and through time in words, and is silent where there are none", () => {
    const graphLine = (budget: PlainBudget) =>
      renderCard({ ...manifest, decision: { ...manifest.decision, budget } }, { summary: "s" })
        .split("\n")
        .find((line) => line.startsWith("| graph "));
    expect(graphLine({ in: 2, out: null, depth: [3], edges: null, temporal: 0 })).toBe(
      "| graph | credit; in 2, out no limit, depth 3 |",
    );
    expect(graphLine({ in: [2, 1], out: [null, 3, 0], depth: null, edges: 12, temporal: [0, null] })).toBe(
      "| graph | credit; in 2 in round 2 and 1 from round 3 on, out no limit in round 2, 3 in round 3 and 0 from round 4 on, " +
        "depth no limit, edges of a round 12, heard through time 0 in round 2 and no limit from round 3 on |",
    );
  });

  it("keeps every cell on its line, whatever stands in it", () => {
    fc.assert(
      fc.property(fc.string(), (cell) => {
        const card = renderCard(manifest, { summary: "s", tables: [{ title: "T", columns: ["c"], rows: [[cell]] }] });
        expect(card.split("## T")[1].trim().split("\n")).toHaveLength(3);
      }),
    );
  });
});
