import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkRecipe } from "../src/assemble/index.ts";
import { runTraining, type TrainingOptions } from "../src/cli/run-training.ts";
import { crc32c } from "../src/loggers/crc32c.ts";
import { keepEvents } from "../src/loggers/tensorboard.ts";
import type { TrainProgress } from "../src/train/index.ts";
import { freshFolder } from "./support/child.ts";
import { type ForeignEvent, readForeign } from "./support/foreign-events.ts";

const atMs = 1_750_000_000_250;
const clock = { now: () => atMs, elapsedMs: () => 0 };

const fail = (error: Error): void => {
  throw error;
};

const eventFiles = (folder: string): string[] => readdirSync(folder).filter((name) => name.includes("tfevents"));

const readEvents = (folder: string): Promise<ForeignEvent[]> => readForeign(join(folder, eventFiles(folder)[0]));

/** `step tag` and value of everything that is told, in order. */
const scalarsOf = (events: readonly ForeignEvent[]): [string, number][] =>
  events.flatMap(({ step, summary }) =>
    (summary?.value ?? []).map(({ tag, simpleValue }): [string, number] => [`${step} ${tag}`, simpleValue]),
  );

/** The same of a run's logs, read with nothing of ours; event files keep 32 bits. */
const loggedIn = (folder: string): [string, number][] =>
  ["metrics.jsonl", "timing.jsonl"].flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .flatMap((line) => {
        const { step, ...values } = JSON.parse(line) as Record<string, unknown>;
        return Object.entries(values).flatMap(([key, value]): [string, number][] =>
          typeof value === "number" ? [[`${step} ${key}`, Math.fround(value)]] : [],
        );
      }),
  );

const sorted = (scalars: [string, number][]): [string, number][] => scalars.sort(([a], [b]) => (a < b ? -1 : 1));

const recipe = checkRecipe(
  {
    name: "small",
    population: { kind: "simulated", embeddingDimension: 8, questions: { independent: 60 } },
    network: { projection: 4, hidden: 8 },
    train: { steps: 14, starts: 4, validation: { every: 4, episodes: 12 } },
  },
  "the test",
);

function run(folder: string, options: TrainingOptions & { onStep?(step: number, stop: () => void): void } = {}) {
  const stop = new AbortController();
  const onProgress = ({ step }: TrainProgress): void => options.onStep?.(step, () => stop.abort());
  return runTraining(recipe, { clock, ...options, out: folder, signal: stop.signal, onProgress });
}

describe("CRC-32C", () => {
  it.each<[string, Uint8Array, number]>([
    ["32 zeros", new Uint8Array(32), 0x8a9136aa],
    ["32 ones", new Uint8Array(32).fill(0xff), 0x62a8ab43],
    ["0 to 31", Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd794e],
    ["31 to 0", Uint8Array.from({ length: 32 }, (_, i) => 31 - i), 0x113fdb5c],
    [
      "an iSCSI read command",
      Buffer.from(
        "01c00000000000000000000000000000140000000000040000000014000000182800000000000000" + "0200000000000000",
        "hex",
      ),
      0xd9963a56,
    ],
  ])("of %s is what RFC 3720 says", (_, bytes, expected) => {
    expect(crc32c(bytes)).toBe(expected);
  });
});

describe("the event file of a training", () => {
  it("says what the logs say, to a reader that is not ours, and begins as TensorBoard wants it", async () => {
    const folder = join(freshFolder(), "run");
    await run(folder);
    expect(eventFiles(folder)).toEqual(["events.out.tfevents.1750000000.colloquy"]);
    const events = await readEvents(folder);
    expect(events[0]).toEqual({ wallTime: atMs / 1000, step: 0, fileVersion: "brain.Event:2" });
    expect(new Set(events.map(({ wallTime }) => wallTime))).toEqual(new Set([atMs / 1000]));
    const told = scalarsOf(events);
    expect(sorted(told)).toEqual(sorted(loggedIn(folder)));
    const tags = new Set(told.map(([name]) => name.split(" ")[1].split("/")[0]));
    expect([...tags].sort()).toEqual(["eval", "rollout", "time", "train"]);
  });

  it("is up to date after every update", async () => {
    const folder = join(freshFolder(), "run");
    const copies = freshFolder();
    // The event file is brought up before anyone else hears of an update.
    await run(folder, { onStep: (step) => cpSync(folder, join(copies, String(step)), { recursive: true }) });
    for (const step of [1, 4, 9]) {
      const copy = join(copies, String(step));
      expect(sorted(scalarsOf(await readEvents(copy)))).toEqual(sorted(loggedIn(copy)));
    }
  });

  it("tells every step once in a run that was stopped, or that was killed between two saves, and went on", async () => {
    const straight = join(freshFolder(), "run");
    const killed = join(freshFolder(), "run");
    await run(straight, { onStep: (step) => step === 13 && cpSync(straight, killed, { recursive: true }) });
    const stopped = join(freshFolder(), "run");
    await run(stopped, { onStep: (step, stop) => step === 5 && stop() });
    const whole = scalarsOf(await readEvents(straight));
    for (const folder of [killed, stopped]) {
      await run(folder);
      expect(eventFiles(folder)).toHaveLength(1);
      const events = await readEvents(folder);
      expect(scalarsOf(events)).toEqual(whole);
      // A reader that has the earlier file open is told to forget it.
      expect(events.slice(0, 2)).toMatchObject([{ fileVersion: "brain.Event:2" }, { sessionLog: { status: "START" } }]);
    }
  });

  it("is there again after the same command on a run that was complete", async () => {
    const folder = join(freshFolder(), "run");
    await run(folder);
    const before = scalarsOf(await readEvents(folder));
    await run(folder);
    expect(eventFiles(folder)).toEqual(["events.out.tfevents.1750000001.colloquy"]);
    expect(scalarsOf(await readEvents(folder))).toEqual(before);
  });
});

describe("an event file", () => {
  const line = (row: unknown): string => `${JSON.stringify(row)}\n`;

  it("keeps any step, tag and number that a log can hold", async () => {
    const rows = fc.array(
      fc.record({
        step: fc.nat(2 ** 40),
        value: fc.double({ noNaN: true, noDefaultInfinity: true }),
        key: fc.string(),
      }),
      { minLength: 1, maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        const folder = freshFolder();
        const kept = all.filter(({ key }) => key !== "step" && key !== "__proto__");
        writeFileSync(
          join(folder, "metrics.jsonl"),
          kept.map(({ step, key, value }) => line({ step, [key]: value })).join(""),
        );
        const events = keepEvents(folder, clock, fail);
        events.catchUp();
        events.close();
        const inOrder = kept.toSorted((a, b) => a.step - b.step);
        const expected = inOrder.map(({ step, key, value }) => [`${step} ${key}`, Math.fround(value + 0)]);
        expect(scalarsOf(await readEvents(folder))).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it("is told from a damaged or a cut one by the foreign reader, whichever byte it is", async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, "metrics.jsonl"), line({ step: 1, "a/b": 0.5, flag: true, text: "x", none: null }));
    const events = keepEvents(folder, clock, fail);
    events.catchUp();
    const path = join(folder, eventFiles(folder)[0]);
    expect(scalarsOf(await readForeign(path))).toEqual([["1 a/b", 0.5]]);
    const whole = readFileSync(path);
    const lengths = [0, 16 + whole.readUInt32LE(0), whole.length];
    const other = join(folder, "other");
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] ^= 0x10;
      writeFileSync(other, damaged);
      await expect(readForeign(other)).rejects.toThrow();
      writeFileSync(other, whole.subarray(0, at));
      if (!lengths.includes(at)) await expect(readForeign(other)).rejects.toThrow("Incomplete read");
    }
    events.close();
  });

  it("leaves files of others alone", () => {
    const folder = freshFolder();
    const others = ["events.out.tfevents.1600000000.host", "events.out.tfevents.x.colloquy"];
    for (const name of others) writeFileSync(join(folder, name), "theirs");
    writeFileSync(join(folder, "events.out.tfevents.1600000000.colloquy"), "old");
    keepEvents(folder, clock, fail).catchUp();
    expect(eventFiles(folder).sort()).toEqual([...others, "events.out.tfevents.1750000000.colloquy"].sort());
  });

  it("that cannot be written is told of once, and what follows is not tried", () => {
    const folder = join(freshFolder(), "run");
    const failures: string[] = [];
    const events = keepEvents(folder, clock, ({ message }) => failures.push(message));
    events.catchUp();
    events.catchUp();
    events.close();
    expect(failures).toEqual([expect.stringMatching(/^cannot write .*events\.out\.tfevents/)]);
  });

  it("grows with the logs, and waits for the end of a row that is half written", async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, "metrics.jsonl"), line({ step: 1, a: 1 }));
    const events = keepEvents(folder, clock, fail);
    events.catchUp();
    appendFileSync(join(folder, "metrics.jsonl"), `${line({ step: 2, a: 2 })}{"step":3`);
    events.catchUp();
    expect(scalarsOf(await readEvents(folder))).toEqual([
      ["1 a", 1],
      ["2 a", 2],
    ]);
    events.close();
  });
});
