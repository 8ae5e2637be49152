import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ColloquyError, describeError, suggest } from "../src/base/errors.ts";
import { readBytes, readText, writeFileAtomic } from "../src/base/files.ts";
import { hash32, mix32 } from "../src/base/fnv.ts";
import { groupBy } from "../src/base/group-by.ts";
import { sha256, shortHash } from "../src/base/hash.ts";
import { canonicalJson, isRecord, parseJson } from "../src/base/json.ts";
import { appendJsonLines, readJsonLines } from "../src/base/jsonl.ts";
import { runInLanes } from "../src/base/lanes.ts";
import { lockFolder } from "../src/base/lock.ts";
import { createRng, type Rng } from "../src/base/rng.ts";
import { bundleScript, canMount, freshFolder, runOnDisk } from "./support/child.ts";
import { errorOf } from "./support/error-of.ts";

const draws = (rng: Rng, n: number): number[] => Array.from({ length: n }, () => rng.uniform());

describe("random streams", () => {
  /** A name in a path of forks. */
  const part = fc.oneof(fc.string({ maxLength: 8 }), fc.integer({ min: 0, max: 1000 }));
  const path = fc.array(part, { minLength: 1, maxLength: 4 });

  it("never change: the first draws of some streams are these, on every machine and in every release", () => {
    const first = (seed: number | string) => {
      const rng = createRng(seed);
      return [rng.uniform(), rng.uniform(), rng.integer(1000), rng.normal()];
    };
    expect(first(0)).toEqual([0.21561655913773725, 0.36516481942778445, 532, -0.46692926687092917]);
    expect(first(1)).toEqual([0.23676592374287697, 0.9329332628295737, 431, -1.2437667424406134]);
    expect(first(-1)).toEqual([0.8598159304383245, 0.144705285250476, 81, 1.4868153803421171]);
    expect(first(2 ** 40)).toEqual([0.3864545890145914, 0.4296279556869752, 798, -0.9918894077885342]);
    expect(first("episode")).toEqual([0.3243434995973308, 0.5795583766747235, 174, 0.1924692259552701]);
    const rng = createRng(7).fork("q1", 3);
    expect(rng.fork("agent", 0, 1).uniform()).toBe(0.47224725920618316);
    expect(rng.fork("agent", 1, 0).uniform()).toBe(0.5588638944955072);
    expect(rng.uniform()).toBe(0.8055072105836373);
    expect(createRng(1).shuffle([0, 1, 2, 3, 4, 5, 6, 7])).toEqual([4, 3, 0, 7, 5, 2, 6, 1]);
    const weighted = createRng(2);
    expect(Array.from({ length: 12 }, () => weighted.weighted([1, 0, 3, 6]))).toEqual([
      3, 3, 3, 2, 2, 3, 3, 2, 3, 3, 2, 0,
    ]);
    const picking = createRng(3);
    expect(Array.from({ length: 8 }, () => picking.pick(["a", "b", "c"])).join("")).toBe("aaabaccc");
  });

  it("forking neither reads nor moves the parent", () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(20), path, (seed, drawnBefore, names) => {
        const [touched, untouched] = [createRng(seed), createRng(seed)];
        const early = draws(touched.fork(...names), 5);
        draws(touched, drawnBefore);
        const late = draws(touched.fork(...names), 5);
        draws(untouched, drawnBefore);
        expect(late).toEqual(early);
        expect(draws(touched, 5)).toEqual(draws(untouched, 5));
      }),
    );
  });

  it("gives the same stream for the same names and another one for others", () => {
    fc.assert(
      fc.property(path, path, (a, b) => {
        const rng = createRng("names");
        const same = JSON.stringify(a) === JSON.stringify(b);
        expect(draws(rng.fork(...a), 4)).toEqual(draws(rng.fork(...a), 4));
        if (!same) expect(draws(rng.fork(...a), 4)).not.toEqual(draws(rng.fork(...b), 4));
      }),
      { numRuns: 500 },
    );
  });

  it("tells apart names that only look alike", () => {
    const rng = createRng(1);
    const alike: (string | number)[][] = [
      ...[["1"], [1], ["1", ""], ["", "1"], ["ab", "c"], ["a", "bc"], ["abc"], [1, 0], [0, 1], [0], [""], ["0"]],
      ...[[-1], [4294967295], [4294967296], [2 ** 40], [0.5], [1e-9], ["A"], ["a"], ["à"], ["a\u0300"]],
    ];
    const streams = new Set(alike.map((names) => draws(rng.fork(...names), 3).join()));
    expect(streams.size).toBe(alike.length);
    expect(draws(rng.fork("a").fork("b"), 3)).not.toEqual(draws(rng.fork("a", "b"), 3));
    expect(draws(rng.fork("a"), 3)).not.toEqual(draws(rng, 3));
  });

  it("tells apart seeds: neighbours, negative ones, those beyond 32 bits, and their texts; refuses what is no integer", () => {
    for (const wrong of [0.5, NaN, Infinity]) expect(() => createRng(wrong)).toThrow(RangeError);
    const seeds = [0, 1, 2, -1, -2, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1, "0", "1", "", "-1"];
    expect(new Set(seeds.map((seed) => draws(createRng(seed), 3).join())).size).toBe(seeds.length);
  });

  /** Families of streams whose members differ as little as can be. */
  const siblings: Record<string, (i: number) => Rng> = {
    "neighbouring seeds": (i) => createRng(i),
    "forks by neighbouring numbers": (i) => createRng(5).fork(i),
    "forks by close names": (i) => createRng(5).fork(`question ${i}`),
    "forks by the last of several names": (i) => createRng(5).fork("q", "agent", i),
    "forks by the first of several names": (i) => createRng(5).fork(i, "agent", 0),
    "chains of forks": (i) => createRng(5).fork(i).fork("agent").fork(3),
  };

  describe.each(Object.entries(siblings))("%s", (_name, stream) => {
    const n = 20_000;
    const firstOf = Array.from({ length: n }, (_, i) => draws(stream(i), 2));

    it("begin uniformly", () => {
      for (const place of [0, 1]) {
        const counts = new Array<number>(50).fill(0);
        for (const row of firstOf) counts[Math.floor(row[place] * 50)]++;
        const chiSquare = counts.reduce((sum, count) => sum + (count - n / 50) ** 2 / (n / 50), 0);
        // 49 degrees of freedom: beyond 100 with probability 2e-5.
        expect(chiSquare).toBeLessThan(100);
      }
    });

    it("are not correlated, neither one draw with its neighbours' nor a whole stream with the next", () => {
      const starts = firstOf.map((row) => row[0]);
      for (const lag of [1, 2, 3, 8, 64]) {
        expect(Math.abs(correlation(starts.slice(lag), starts.slice(0, -lag)))).toBeLessThan(4.5 / Math.sqrt(n));
      }
      for (let i = 0; i < 40; i++) {
        const [a, b] = [draws(stream(i), 2000), draws(stream(i + 1), 2000)];
        expect(Math.abs(correlation(a, b))).toBeLessThan(4.5 / Math.sqrt(2000));
      }
    });
  });

  it("draw uniformly along one stream, in every bit that counts", () => {
    const rng = createRng("bits");
    const n = 40_000;
    const counts = new Array<number>(53).fill(0);
    for (let k = 0; k < n; k++) {
      let rest = rng.uniform();
      expect(rest >= 0 && rest < 1).toBe(true);
      for (let bit = 0; bit < 53; bit++) {
        rest *= 2;
        if (rest >= 1) {
          counts[bit]++;
          rest -= 1;
        }
      }
    }
    for (const count of counts) expect(Math.abs(count - n / 2)).toBeLessThan(4.5 * Math.sqrt(n / 4));
  });

  it("draw normal numbers with mean 0, deviation 1 and the right tails", () => {
    const rng = createRng("normal");
    const values = Array.from({ length: 40_000 }, () => rng.normal());
    const mean = values.reduce((a, b) => a + b) / values.length;
    const square = values.reduce((a, b) => a + b * b, 0) / values.length;
    expect(Math.abs(mean)).toBeLessThan(0.02);
    expect(Math.abs(square - 1)).toBeLessThan(0.03);
    const beyond = values.filter((value) => Math.abs(value) > 1.959964).length / values.length;
    expect(Math.abs(beyond - 0.05)).toBeLessThan(0.005);
    expect(values.every(Number.isFinite)).toBe(true);
  });

  it("draw integers of the range only, each as often, for any size up to 2^53", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), fc.integer(), (n, seed) => {
        const value = createRng(seed).integer(n);
        expect(Number.isInteger(value) && value >= 0 && value < n).toBe(true);
      }),
    );
    const rng = createRng("integers");
    const counts = new Array<number>(7).fill(0);
    for (let k = 0; k < 21_000; k++) counts[rng.integer(7)]++;
    for (const count of counts) expect(Math.abs(count - 3000)).toBeLessThan(4.5 * Math.sqrt(3000));
    for (const wrong of [0, -1, 1.5, NaN, Infinity]) expect(() => rng.integer(wrong)).toThrow(RangeError);
  });

  it("pick each element as often, and refuse an empty list", () => {
    const rng = createRng("pick");
    const counts: Record<string, number> = { a: 0, b: 0, c: 0, d: 0 };
    for (let k = 0; k < 8000; k++) counts[rng.pick(Object.keys(counts))]++;
    for (const count of Object.values(counts)) expect(Math.abs(count - 2000)).toBeLessThan(200);
    expect(() => rng.pick([])).toThrow("pick from an empty list");
  });

  it("draw an index in proportion to its weight, never one of weight 0", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-300, max: 1e300, noNaN: true })), { minLength: 1 }),
        fc.integer(),
        (weights, seed) => {
          const index = createRng(seed).weighted(weights);
          expect(index >= 0 && index < weights.length).toBe(true);
          if (weights.some((weight) => weight > 0)) expect(weights[index]).toBeGreaterThan(0);
        },
      ),
    );
    const rng = createRng("weighted");
    const counts = [0, 0, 0, 0];
    for (let k = 0; k < 20_000; k++) counts[rng.weighted([1, 0, 3, 6])]++;
    expect(counts[1]).toBe(0);
    for (const [i, share] of [0.1, 0, 0.3, 0.6].entries())
      expect(Math.abs(counts[i] / 20_000 - share)).toBeLessThan(0.015);
    const uniform = [0, 0, 0];
    for (let k = 0; k < 3000; k++) uniform[rng.weighted([0, 0, 0])]++;
    for (const count of uniform) expect(Math.abs(count - 1000)).toBeLessThan(130);
  });

  it("shuffle into every order as often, without touching the list", () => {
    const items = Object.freeze(["a", "b", "c", "d"]);
    const rng = createRng("shuffle");
    const counts = new Map<string, number>();
    for (let k = 0; k < 24_000; k++) {
      const order = rng.shuffle(items).join("");
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (list, seed) => {
        const before = [...list];
        const shuffled = createRng(seed).shuffle(list);
        expect(list).toEqual(before);
        expect([...shuffled].sort()).toEqual([...before].sort());
      }),
    );
  });
});

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((x, y) => x + y, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    ab += (a[i] - ma) * (b[i] - mb);
    aa += (a[i] - ma) ** 2;
    bb += (b[i] - mb) ** 2;
  }
  return ab / Math.sqrt(aa * bb);
}

describe("hashes", () => {
  it("never change", () => {
    expect(["", "a", "hello", "ü", "専門家", "𝕏"].map((text) => [hash32(text), hash32(text, 1)])).toEqual([
      [2872998923, 3770482475],
      [444641715, 3873127206],
      [2290972270, 74666943],
      [134528209, 162088752],
      [2616508341, 381602757],
      [2168134858, 4204693821],
    ]);
    expect([0, 1, -1, 123456789].map(mix32)).toEqual([0, 1364076727, 2180083513, 3126909082]);
    expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(shortHash("abc")).toBe("ba7816bf");
  });

  it("are 32-bit and spread close texts over all places", () => {
    const n = 20_000;
    const counts = new Array<number>(64).fill(0);
    for (let i = 0; i < n; i++) {
      const hash = hash32(`word${i}`);
      expect(Number.isInteger(hash) && hash >= 0 && hash < 2 ** 32).toBe(true);
      counts[hash % 64]++;
    }
    // 63 degrees of freedom: beyond 125 with probability 5e-6.
    expect(counts.reduce((sum, count) => sum + (count - n / 64) ** 2 / (n / 64), 0)).toBeLessThan(125);
  });

  it("turn about half of the bits over when one bit of the input turns", () => {
    let flipped = 0;
    for (let i = 0; i < 2000; i++) {
      const change = mix32(i * 7919) ^ mix32((i * 7919) ^ (1 << (i % 32)));
      flipped += (change >>> 0).toString(2).replaceAll("0", "").length;
    }
    expect(Math.abs(flipped / 2000 - 16)).toBeLessThan(0.5);
  });

  it("of one seed have no common order with those of another", () => {
    const texts = Array.from({ length: 4000 }, (_, i) => `unit ${i}`);
    const [zero, one] = [0, 1].map((seed) => texts.map((text) => hash32(text, seed) / 2 ** 32));
    expect(Math.abs(correlation(zero, one))).toBeLessThan(4.5 / Math.sqrt(4000));
  });
});

describe("JSON", () => {
  const value = fc.jsonValue();

  it("canonical: equal values give equal bytes, whatever the order of their keys", () => {
    const reversed = (part: unknown): unknown => {
      if (Array.isArray(part)) return part.map(reversed);
      if (!isRecord(part)) return part;
      return Object.fromEntries(
        Object.entries(part)
          .reverse()
          .map(([key, inner]) => [key, reversed(inner)]),
      );
    };
    fc.assert(
      fc.property(value, (given) => {
        expect(canonicalJson(reversed(given))).toBe(canonicalJson(given));
        expect(JSON.parse(canonicalJson(given))).toEqual(JSON.parse(JSON.stringify(given)));
      }),
    );
  });

  it("canonical: keeps what tells values apart", () => {
    expect(canonicalJson({ b: 1, a: [2, { d: 1, c: null }] })).toBe('{"a":[2,{"c":null,"d":1}],"b":1}');
    expect(canonicalJson({ a: "1" })).not.toBe(canonicalJson({ a: 1 }));
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
    expect(canonicalJson(JSON.parse('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}');
  });

  it("parses what a stranger wrote, a byte-order mark in front or not, and names the thing that is broken", () => {
    expect(parseJson('{"a":1}', "x")).toEqual({ a: 1 });
    expect(parseJson('\uFEFF{"a":1}', "x")).toEqual({ a: 1 });
    const error = errorOf(() => parseJson("{", "the settings"));
    expect(error.code).toBe("json/invalid");
    expect(error.message).toMatch(/^the settings is not valid JSON: /);
    expect(() => parseJson("\uFEFF\uFEFF{}", "x")).toThrow(ColloquyError);
  });

  it("knows a record from a list, null and anything else", () => {
    expect([{}, { a: 1 }, [], null, undefined, "a", 1].map(isRecord)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it("groups by key in order of appearance", () => {
    expect([...groupBy([3, 1, 4, 1, 5, 9, 2, 6], (n) => n % 3)]).toEqual([
      [0, [3, 9, 6]],
      [1, [1, 4, 1]],
      [2, [5, 2]],
    ]);
  });
});

describe("files", () => {
  let folder: string;
  beforeEach(() => {
    folder = freshFolder();
  });

  it("are replaced whole, with nothing left beside them, and folders are made", () => {
    const path = join(folder, "a", "b", "file.json");
    writeFileAtomic(path, "old");
    writeFileAtomic(path, "new");
    expect(readText(path)).toBe("new");
    writeFileAtomic(path, Uint8Array.of(0, 255, 10));
    expect([...readBytes(path)]).toEqual([0, 255, 10]);
    writeFileAtomic(path, "");
    expect(readText(path)).toBe("");
    expect(readdirSync(join(folder, "a", "b"))).toEqual(["file.json"]);
  });

  it("keep their old content when a write fails", () => {
    const path = join(folder, "file");
    writeFileAtomic(path, "old");
    // A folder stands where the new content should go before it is renamed.
    mkdirSync(`${path}.${process.pid}.part`);
    const error = errorOf(() => writeFileAtomic(path, "new"));
    expect(error.code).toBe("file/write");
    expect(error.message).toContain(path);
    expect(readText(path)).toBe("old");
  });

  it("cannot be written into a file, and the error says where", () => {
    writeFileSync(join(folder, "file"), "");
    const error = errorOf(() => writeFileAtomic(join(folder, "file", "inside"), "x"));
    expect(error.code).toBe("file/write");
    expect(error.message).toContain(join(folder, "file", "inside"));
  });

  it("that are missing are named, with what to check", () => {
    const error = errorOf(() => readText(join(folder, "none.json")));
    expect(error.code).toBe("file/read");
    expect(error.message).toBe(`cannot read ${join(folder, "none.json")}: no such file`);
    expect(error.hint).toMatch(/path/);
    expect(errorOf(() => readText(folder)).code).toBe("file/read");
  });

  it("are unzipped by their first bytes, never by their name (C15)", () => {
    writeFileSync(join(folder, "plain.gz"), "plain");
    writeFileSync(join(folder, "zipped.txt"), gzipSync("zipped"));
    expect(readText(join(folder, "plain.gz"))).toBe("plain");
    expect(readText(join(folder, "zipped.txt"))).toBe("zipped");
    writeFileSync(join(folder, "cut.gz"), gzipSync("zipped".repeat(50)).subarray(0, 20));
    expect(errorOf(() => readText(join(folder, "cut.gz"))).code).toBe("file/read");
  });

  it("lose one byte-order mark, and are refused when they are not UTF-8 (C14)", () => {
    writeFileSync(join(folder, "mark"), Buffer.from([0xef, 0xbb, 0xbf, 0x61]));
    expect(readText(join(folder, "mark"))).toBe("a");
    writeFileSync(join(folder, "latin"), Buffer.from([0x61, 0xe9, 0x62]));
    const error = errorOf(() => readText(join(folder, "latin")));
    expect(error.code).toBe("file/encoding");
    expect(error.hint).toMatch(/iconv/);
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "in a read-only folder cannot be written, and the error says what to do (skipped for root, who may write anywhere)",
    () => {
      chmodSync(folder, 0o555);
      const error = errorOf(() => writeFileAtomic(join(folder, "file"), "x"));
      chmodSync(folder, 0o755);
      expect(error.code).toBe("file/write");
      expect(error.hint).toMatch(/read-only.*--out/);
    },
  );
});

describe.skipIf(!canMount)("on a small disk (skipped where no disk can be mounted)", () => {
  const report = `
    const told = (work) => {
      try { work(); return null; } catch ({ name, code, message, hint }) { return { name, code, message, hint }; }
    };`;

  it("a full disk leaves the old file, nothing beside it, and an error that says what to do", () => {
    const script = bundleScript(`
      import { readdirSync, readFileSync } from "node:fs";
      import { writeFileAtomic } from "./base/files.ts";
      ${report}
      const folder = process.argv[2];
      writeFileAtomic(folder + "/file", "old");
      const error = told(() => writeFileAtomic(folder + "/file", "x".repeat(200_000)));
      console.log(JSON.stringify({ error, names: readdirSync(folder), old: readFileSync(folder + "/file", "utf8") }));`);
    const folder = freshFolder();
    const { error, names, old } = runOnDisk(script, { sizeKb: 64, folder }) as Record<string, never>;
    expect(error).toMatchObject({ name: "ColloquyError", code: "file/write" });
    expect(error["message"]).toContain(join(folder, "file"));
    expect(error["hint"]).toMatch(/disk is full/);
    expect(names).toEqual(["file"]);
    expect(old).toBe("old");
  });

  it("a log on a full disk keeps its whole lines, and goes on when there is room again", () => {
    const script = bundleScript(`
      import { rmSync, writeFileSync } from "node:fs";
      import { appendJsonLines, readJsonLines } from "./base/jsonl.ts";
      ${report}
      const folder = process.argv[2];
      writeFileSync(folder + "/other", "x".repeat(20_000));
      const path = folder + "/log.jsonl";
      const log = appendJsonLines(path);
      let written = 0;
      const error = told(() => { for (; written < 1000; written++) log.append({ n: written, text: "y".repeat(500) }); });
      const size = log.size();
      rmSync(folder + "/other");
      log.append({ n: "after" });
      log.close();
      const again = appendJsonLines(path);
      again.append({ n: "again" });
      again.close();
      const { records, torn } = readJsonLines(path);
      console.log(JSON.stringify({ error, written, size, torn, ns: records.map((record) => record.n) }));`);
    const { error, written, torn, ns } = runOnDisk(script, { sizeKb: 64, folder: freshFolder() }) as {
      error: unknown;
      written: number;
      torn: boolean;
      ns: unknown[];
    };
    expect(error).toMatchObject({ code: "file/write", hint: expect.stringMatching(/disk is full/) });
    expect(written).toBeGreaterThan(10);
    expect(torn).toBe(false);
    expect(ns).toEqual([...Array.from({ length: written }, (_, n) => n), "after", "again"]);
  });

  it("a read-only disk is named as such", () => {
    const script = bundleScript(`
      import { execFileSync } from "node:child_process";
      import { writeFileAtomic } from "./base/files.ts";
      import { appendJsonLines } from "./base/jsonl.ts";
      import { lockFolder } from "./base/lock.ts";
      ${report}
      const folder = process.argv[2];
      execFileSync("mount", ["-o", "remount,ro", folder]);
      console.log(JSON.stringify([
        told(() => writeFileAtomic(folder + "/new/file", "x")),
        told(() => appendJsonLines(folder + "/log.jsonl")),
        told(() => lockFolder(folder + "/run")),
      ]));`);
    for (const error of runOnDisk(script, { sizeKb: 64, folder: freshFolder() }) as unknown[]) {
      expect(error).toMatchObject({ code: "file/write", hint: expect.stringMatching(/read-only.*--out/) });
    }
  });
});

describe("JSON lines", () => {
  let path: string;
  beforeEach(() => {
    path = join(freshFolder(), "log.jsonl");
  });
  const append = (...records: unknown[]): void => {
    const writer = appendJsonLines(path);
    for (const record of records) writer.append(record);
    writer.close();
  };

  it("come back as they were appended, over any number of openings", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.jsonValue(), { maxLength: 4 }), { maxLength: 4 }), (openings) => {
        path = join(freshFolder(), "log.jsonl");
        for (const records of openings) append(...records);
        const expected = openings.flat().map((record) => JSON.parse(JSON.stringify(record)));
        if (openings.length > 0) expect(readJsonLines(path)).toEqual({ records: expected, torn: false });
      }),
      { numRuns: 40 },
    );
  });

  it("a torn last line is left out, reported, and never glued to the next record (C33)", () => {
    writeFileSync(path, '{"ep":1}\n{"ep":2,"u');
    expect(readJsonLines(path)).toEqual({ records: [{ ep: 1 }], torn: true });
    append({ ep: 3 });
    expect(readJsonLines(path)).toEqual({ records: [{ ep: 1 }, { ep: 3 }], torn: false });
  });

  it("a tail cut inside a UTF-8 character is a torn line, not a broken file (C33)", () => {
    const whole = Buffer.from('{"ep":1}\n{"ep":2,"who":"専門家"}\n');
    for (let cut = whole.indexOf("専"); cut < whole.length - 2; cut++) {
      writeFileSync(path, whole.subarray(0, cut));
      expect(readJsonLines(path)).toEqual({ records: [{ ep: 1 }], torn: true });
      append({ ep: 3 });
      expect(readJsonLines(path)).toEqual({ records: [{ ep: 1 }, { ep: 3 }], torn: false });
    }
  });

  it("a complete last line that lacks only its newline is kept, read or appended to (C33)", () => {
    writeFileSync(path, '{"ep":1}\n{"ep":2}');
    expect(readJsonLines(path)).toEqual({ records: [{ ep: 1 }, { ep: 2 }], torn: false });
    append({ ep: 3 });
    expect(readFileSync(path, "utf8")).toBe('{"ep":1}\n{"ep":2}\n{"ep":3}\n');
    append();
    expect(readFileSync(path, "utf8")).toBe('{"ep":1}\n{"ep":2}\n{"ep":3}\n');
  });

  it("whatever a crash leaves of a log, every whole record before the cut survives and appending goes on", () => {
    const whole = Buffer.from('{"ep":1}\r\n\n{"ep":2,"t":"a\\nb é 𝕏"}\n[3]\n{"ep":4}\n');
    for (let cut = 0; cut <= whole.length; cut++) {
      writeFileSync(path, whole.subarray(0, cut));
      const before = readJsonLines(path);
      append({ ep: "next" });
      expect(readJsonLines(path)).toEqual({ records: [...before.records, { ep: "next" }], torn: false });
    }
  });

  it("a damaged line in the middle is an error that names it (C33)", () => {
    writeFileSync(path, '{"ep":1}\n{"ep":2,"u{"ep":3}\n{"ep":4}\n');
    const error = errorOf(() => readJsonLines(path));
    expect(error.code).toBe("jsonl/line");
    expect(error.message).toContain(`${path}, line 2 `);
    writeFileSync(path, Buffer.from([0x7b, 0x7d, 0x0a, 0x0a, 0x22, 0xe9, 0x22, 0x0a, 0x31, 0x0a]));
    const encoding = errorOf(() => readJsonLines(path));
    expect(encoding.code).toBe("file/encoding");
    expect(encoding.message).toContain("line 3 ");
    writeFileSync(path, '{"ep":1}\n{"ep":\n');
    expect(errorOf(() => readJsonLines(path)).message).toContain("line 2 ");
  });

  it("byte-order mark, CRLF and blank lines are fine (C14)", () => {
    const bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"a":1}\r\n\r\n  {"a":2}  \r\n\r\n')]);
    writeFileSync(path, bytes);
    expect(readJsonLines(path)).toEqual({ records: [{ a: 1 }, { a: 2 }], torn: false });
    append({ a: 3 });
    expect(readJsonLines(path).records).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
  });

  it("gzip is read by content, 0 bytes hold no records, and a missing file is an error (C15)", () => {
    writeFileSync(path, gzipSync('{"a":1}\n{"a":2}\n'));
    expect(readJsonLines(path).records).toEqual([{ a: 1 }, { a: 2 }]);
    writeFileSync(path, "");
    expect(readJsonLines(path)).toEqual({ records: [], torn: false });
    append({ a: 1 });
    expect(readJsonLines(path).records).toEqual([{ a: 1 }]);
    expect(errorOf(() => readJsonLines(`${path}.none`)).code).toBe("file/read");
  });

  it("a writer resumes at the size a checkpoint noted: what came after is cut off, and equal to never written", () => {
    append({ ep: 1 }, { ep: 2 });
    const writer = appendJsonLines(path);
    writer.append({ ep: "é" });
    const noted = writer.size();
    writer.append({ ep: 4 });
    writer.append({ ep: 5 });
    writer.close();
    expect(noted).toBe(Buffer.byteLength('{"ep":1}\n{"ep":2}\n{"ep":"é"}\n'));
    const resumed = appendJsonLines(path, noted);
    expect(resumed.size()).toBe(noted);
    resumed.append({ ep: "four" });
    resumed.close();
    expect(readFileSync(path, "utf8")).toBe('{"ep":1}\n{"ep":2}\n{"ep":"é"}\n{"ep":"four"}\n');
    appendJsonLines(path, 0).close();
    expect(readFileSync(path, "utf8")).toBe("");
  });

  it("a writer resumed beyond the end of its file goes on after the last whole line", () => {
    append({ ep: 1 }, { ep: 2 }, { ep: 3 });
    const noted = readFileSync(path).length;
    truncateSync(path, noted - 4);
    const resumed = appendJsonLines(path, noted);
    resumed.append({ ep: "three" });
    resumed.close();
    expect(readJsonLines(path)).toEqual({ records: [{ ep: 1 }, { ep: 2 }, { ep: "three" }], torn: false });
  });

  it("finds the last line end however long the last lines are", () => {
    const long = { text: "z".repeat(150_000) };
    append({ ep: 1 }, long);
    appendFileSync(path, `{"text":"${"w".repeat(200_000)}`);
    append({ ep: 3 });
    expect(readJsonLines(path)).toEqual({ records: [{ ep: 1 }, long, { ep: 3 }], torn: false });
    writeFileSync(path, `{"text":"${"w".repeat(200_000)}`);
    append({ ep: 1 });
    expect(readJsonLines(path)).toEqual({ records: [{ ep: 1 }], torn: false });
  });

  it("cannot be opened in a folder that is not there, and the error names the file", () => {
    const error = errorOf(() => appendJsonLines(join(path, "none", "log.jsonl")));
    expect(error.code).toBe("file/write");
    expect(error.message).toContain(join(path, "none", "log.jsonl"));
  });
});

describe("locks", () => {
  const holder = bundleScript(`
    import { lockFolder } from "./base/lock.ts";
    try {
      const release = lockFolder(process.argv[2]);
      console.log("held");
      process.stdin.once("data", () => { release(); process.exit(0); });
    } catch (error) {
      console.log(error.code);
      process.exit(0);
    }`);
  let folder: string;
  let children: ChildProcess[] = [];
  beforeEach(() => {
    folder = join(freshFolder(), "run");
  });
  afterEach(() => {
    for (const child of children) child.kill("SIGKILL");
    children = [];
  });

  /** Starts a second process that takes the folder; what it says. */
  const contend = (): Promise<{ child: ChildProcess; said: string }> => {
    const child = spawn(process.execPath, [holder, folder], { stdio: ["pipe", "pipe", "inherit"] });
    children.push(child);
    return new Promise((resolve) => {
      child.stdout!.once("data", (data) => resolve({ child, said: String(data).trim() }));
    });
  };
  const ended = (child: ChildProcess): Promise<void> => new Promise((resolve) => child.once("exit", () => resolve()));

  it("refuse a second process, naming the one that holds the folder, until it gives it back", async () => {
    const { child, said } = await contend();
    expect(said).toBe("held");
    const error = errorOf(() => lockFolder(folder));
    expect(error.code).toBe("folder/locked");
    expect(error.message).toBe(`${folder} is in use by process ${child.pid}`);
    expect(error.hint).toContain(join(folder, "lock"));
    const gone = ended(child);
    child.stdin!.write("release\n");
    await gone;
    lockFolder(folder)();
    expect(existsSync(join(folder, "lock"))).toBe(false);
  });

  it("refuse the second process, not the first", async () => {
    const release = lockFolder(folder);
    expect((await contend()).said).toBe("folder/locked");
    release();
    expect((await contend()).said).toBe("held");
  });

  it("left by a process that was killed are taken over", async () => {
    const { child } = await contend();
    const gone = ended(child);
    child.kill("SIGKILL");
    await gone;
    expect(existsSync(join(folder, "lock"))).toBe(true);
    const release = lockFolder(folder);
    expect(readFileSync(join(folder, "lock"), "utf8").trim()).toBe(String(process.pid));
    release();
  });

  it("left by a process of our own number, in another life, are taken over", () => {
    mkdirSync(folder);
    writeFileSync(join(folder, "lock"), `${process.pid}\n`);
    lockFolder(folder)();
  });

  it.each(["", "rubbish", "-5\n", "0\n"])("that say nothing (%j) are taken over", (content) => {
    mkdirSync(folder);
    writeFileSync(join(folder, "lock"), content);
    lockFolder(folder)();
    expect(existsSync(join(folder, "lock"))).toBe(false);
  });

  it("are held by one place of this process at a time", () => {
    const release = lockFolder(folder);
    expect(errorOf(() => lockFolder(folder)).code).toBe("folder/locked");
    release();
    const again = lockFolder(folder);
    release();
    expect(existsSync(join(folder, "lock"))).toBe(true);
    again();
  });

  it.each(["nothing", "the lock of a dead process"])(
    "go to exactly one of many who come at once and find %s",
    async (found) => {
      if (found !== "nothing") {
        mkdirSync(folder);
        writeFileSync(join(folder, "lock"), "999999999\n");
      }
      const said = await Promise.all(Array.from({ length: 8 }, contend));
      expect(said.map(({ said }) => said).sort()).toEqual([...new Array(7).fill("folder/locked"), "held"]);
    },
  );

  it("cannot be taken where a file stands in the way, and the error says so", () => {
    writeFileSync(folder, "");
    expect(errorOf(() => lockFolder(folder)).code).toBe("file/write");
  });
});

describe("lanes", () => {
  const wait = (turns: number): Promise<void> =>
    turns <= 0 ? Promise.resolve() : new Promise((resolve) => setImmediate(() => resolve(wait(turns - 1))));

  it("give results in the order of the work, never more at a time than there are lanes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(4), { maxLength: 20 }), fc.integer({ min: 0, max: 6 }), async (turns, lanes) => {
        let running = 0;
        let most = 0;
        const results = await runInLanes(turns.length, lanes, async (i) => {
          most = Math.max(most, ++running);
          await wait(turns[i]);
          running--;
          return i * i;
        });
        expect(results).toEqual(turns.map((_, i) => i * i));
        expect(most).toBeLessThanOrEqual(Math.max(1, lanes));
      }),
      { numRuns: 30 },
    );
  });

  it("stop new work at the first error, let the rest end, then throw it", async () => {
    const started: number[] = [];
    const finished: number[] = [];
    const work = runInLanes(100, 3, async (i) => {
      started.push(i);
      if (i === 4) throw new Error("the fifth");
      await wait(3);
      finished.push(i);
    });
    await expect(work).rejects.toThrow("the fifth");
    expect(started.length).toBeLessThan(10);
    expect(finished).toEqual(started.filter((i) => i !== 4));
  });
});

describe("errors", () => {
  it("carry code, hint, cause and whether to try again", () => {
    const cause = new Error("below");
    const error = new ColloquyError("room/thing", "what happened", { hint: "what to do", cause, retryable: true });
    expect(error).toMatchObject({
      name: "ColloquyError",
      code: "room/thing",
      hint: "what to do",
      cause,
      retryable: true,
    });
    expect(error).toBeInstanceOf(Error);
    expect(new ColloquyError("a", "b")).toMatchObject({ hint: undefined, retryable: false });
  });

  it("are described with their hint; strangers by what they say", () => {
    expect(describeError(new ColloquyError("a", "b", { hint: "c" }))).toBe("b\n  c");
    expect(describeError(new ColloquyError("a", "b"))).toBe("b");
    expect(describeError(new TypeError("t"))).toBe("t");
    expect(describeError("thrown text")).toBe("thrown text");
    expect(describeError(undefined)).toBe("undefined");
  });

  const known = ["mislead", "persuade", "collude", "silence", "noise"];

  it.each([
    ["colude", "collude"],
    ["COLLUDE", "collude"],
    ["misled", "mislead"],
    ["silnece", "silence"],
    ["persaude", "persuade"],
    ["nois", "noise"],
  ])("suggest for %s: %s", (word, expected) => {
    expect(suggest(word, known)).toBe(`Did you mean "${expected}"? Known: ${known.join(", ")}.`);
  });

  it("list what there is when nothing is near", () => {
    expect(suggest("zebra crossing", known)).toBe(`Known: ${known.join(", ")}.`);
    expect(suggest("", known)).toBe(`Known: ${known.join(", ")}.`);
  });

  it("suggest every known word for itself with one letter changed, dropped, doubled or swapped", () => {
    const edit = (word: string, at: number, kind: number): string => {
      const [head, tail] = [word.slice(0, at), word.slice(at)];
      if (kind === 0) return `${head}x${tail.slice(1)}`;
      if (kind === 1) return head + tail.slice(1);
      if (kind === 2) return head + tail[0] + tail;
      return at + 1 < word.length ? head + tail[1] + tail[0] + tail.slice(2) : word;
    };
    fc.assert(
      fc.property(fc.constantFrom(...known), fc.nat(4), fc.nat(3), (word, at, kind) => {
        expect(suggest(edit(word, at, kind), known)).toContain(`Did you mean "${word}"?`);
      }),
    );
  });
});
