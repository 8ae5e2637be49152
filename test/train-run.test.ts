import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkRecipe, type Recipe } from "../src/assemble/index.ts";
import { createRng } from "../src/base/rng.ts";
import { runTraining, type TrainingOptions } from "../src/cli/run-training.ts";
import type { Environment } from "../src/contracts/environment.ts";
import { exportPolicy } from "../src/export/index.ts";
import { openBackend } from "../src/nets/index.ts";
import { type TrainProgress, train } from "../src/train/index.ts";
import { type BuiltCommand, buildCommand, runCommand, startCommand } from "./support/built-command.ts";
import { gameQuestions, gameWorld } from "./support/game-world.ts";
import { toyTraining } from "./support/toy-training.ts";

const root = mkdtempSync(join(tmpdir(), "colloquy-run-"));
let folders = 0;
const newFolder = (): string => join(root, `run-${++folders}`);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Every part of the learner on, so that a resumed run has everything to get wrong. */
const recipe = (train: Record<string, unknown> = {}, seed = 1): Recipe =>
  checkRecipe(
    {
      name: "small",
      seed,
      population: { kind: "simulated", embeddingDimension: 8, questions: { independent: 60 } },
      network: { projection: 4, hidden: 8 },
      train: {
        steps: 12,
        warmStartSteps: 3,
        starts: 4,
        averaging: 0.9,
        weightDecay: 0.01,
        learningRateEnd: 0.2,
        baseline: "question-mean",
        reuse: { epochs: 2 },
        validation: { every: 4, episodes: 12 },
        ...train,
      },
    },
    "the test",
  );

/** A clock that stands still makes even `timing.jsonl` the same. */
const still = { now: () => 0, elapsedMs: () => 0 };

/** Trains in a folder; after `stopAfter` updates a stop is asked for. */
function run(folder: string, of: Recipe, options: TrainingOptions & { readonly stopAfter?: number } = {}) {
  const stop = new AbortController();
  const onProgress = ({ step }: TrainProgress): void => {
    if (step === options.stopAfter) stop.abort();
  };
  return runTraining(of, { clock: still, ...options, out: folder, signal: stop.signal, onProgress });
}

/** Everything a run leaves behind that must be the same, by file. */
const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(
    [
      ...["metrics.jsonl", "episodes.jsonl", "timing.jsonl"],
      ...["best", "last"].flatMap((place) =>
        readdirSync(join(folder, "checkpoints", place)).map((file) => join("checkpoints", place, file)),
      ),
    ].map((file) => [file, readFileSync(join(folder, file), "latin1")]),
  );

const finished = async (of: Recipe, options: TrainingOptions = {}): Promise<Record<string, string>> => {
  const folder = newFolder();
  await run(folder, of, options);
  return contents(folder);
};

describe("a seed", () => {
  it("gives the same bytes with 1 and with 16 episodes at a time", async () => {
    expect(await finished(recipe(), { concurrency: 16 })).toEqual(await finished(recipe(), { concurrency: 1 }));
  });

  it("gives the same bytes when episodes take their time and finish in any order", async () => {
    const backend = await openBackend("wasm");
    const world = gameWorld({
      agents: 3,
      decisions: 2,
      scalars: ["place"],
      see: (_start, _taken, agent) => [agent],
      utility: ({ question, sample }, taken) => createRng(1).fork(question.id, sample, taken.join()).uniform(),
    });
    const results = [];
    for (const concurrency of [1, 16]) {
      const input = toyTraining(backend, dawdling(world), gameQuestions(10), { steps: 4, decisionLoss: 1 });
      const folder = newFolder();
      await train({ ...input, folder, concurrency });
      results.push(["metrics.jsonl", "episodes.jsonl"].map((file) => readFileSync(join(folder, file), "utf8")));
    }
    expect(results[1]).toEqual(results[0]);
  });

  /** Each step of each episode waits for a while of its own. */
  function dawdling(world: Environment): Environment {
    const delays = createRng("delays");
    const wait = () => sleep(6 * delays.uniform());
    return {
      ...world,
      reset: async (start) => {
        await wait();
        const episode = await world.reset(start);
        return {
          ...episode,
          step: async (action) => {
            await wait();
            return episode.step(action);
          },
        };
      },
    };
  }

  it("gives other bytes than another seed", async () => {
    const [one, two] = [await finished(recipe()), await finished(recipe({}, 2))];
    for (const file of ["metrics.jsonl", "episodes.jsonl", join("checkpoints", "last", "policy.safetensors")])
      expect(one[file]).not.toBe(two[file]);
  });
});

describe("a stopped run", () => {
  it.each(["none", "moving-mean", "question-mean", "leave-one-out"])(
    "train 2 + resume 3 gives the weights, moments and logs of train 5, byte for byte (%s)",
    async (baseline) => {
      const five = recipe({ steps: 4, warmStartSteps: 1, baseline, validation: { every: 2, episodes: 8 } });
      const folder = newFolder();
      expect(await run(folder, five, { stopAfter: 2 })).toMatchObject({ steps: 2, interrupted: true });
      expect(await run(folder, five)).toMatchObject({ steps: 5, interrupted: false });
      expect(contents(folder)).toEqual(await finished(five));
    },
  );

  it("may be stopped after every single update", async () => {
    const folder = newFolder();
    for (let step = 1; step < 15; step++) await run(folder, recipe(), { stopAfter: step });
    const result = await run(folder, recipe());
    expect(contents(folder)).toEqual(await finished(recipe()));
    expect(result).toMatchObject({ steps: 15, interrupted: false });
  });

  it("remembers that validation had stopped improving", async () => {
    const patient = recipe({ steps: 40, validation: { every: 1, episodes: 6, patience: 3 } });
    const folder = newFolder();
    const ended = await run(folder, patient);
    expect(ended.stoppedEarly).toBe(true);
    expect(ended.steps).toBeLessThan(43);
    const before = contents(folder);
    expect(await run(folder, patient)).toEqual(ended);
    expect(contents(folder)).toEqual(before);
  });

  it("that is complete does nothing more", async () => {
    const folder = newFolder();
    const first = await run(folder, recipe());
    const before = contents(folder);
    expect(await run(folder, recipe())).toEqual(first);
    expect(contents(folder)).toEqual(before);
  });

  it("cuts off what was logged after the last save", async () => {
    const folder = newFolder();
    await run(folder, recipe(), { stopAfter: 5 });
    for (const log of ["metrics.jsonl", "episodes.jsonl"])
      writeFileSync(join(folder, log), `${readFileSync(join(folder, log), "utf8")}{"step":6,"rollout/ut`);
    await run(folder, recipe());
    expect(contents(folder)).toEqual(await finished(recipe()));
  });
});

describe("a network without memory", () => {
  it("trains, goes on where it was stopped, and is exported, like the other", async () => {
    const of: Recipe = { ...recipe(), network: { ...recipe().network, kind: "credit-mlp" } };
    const folder = newFolder();
    await run(folder, of, { stopAfter: 5 });
    await run(folder, of);
    expect(contents(folder)).toEqual(await finished(of));
    expect(contents(folder)).not.toEqual(await finished(recipe()));
    // Exporting loads the policy again and plays its parity file.
    const { tf } = await openBackend("wasm");
    const exported = await exportPolicy(tf, join(folder, "checkpoints", "last"), newFolder());
    expect(JSON.parse(readFileSync(join(exported, "config.json"), "utf8")).network.kind).toBe("credit-mlp");
  });
});

describe("a damaged checkpoint", () => {
  /** Stopped twice, so that there is a predecessor. */
  async function stopped(): Promise<string> {
    const folder = newFolder();
    await run(folder, recipe(), { stopAfter: 5 });
    await run(folder, recipe(), { stopAfter: 8 });
    return folder;
  }
  const half = (path: string): void =>
    writeFileSync(path, readFileSync(path).subarray(0, readFileSync(path).length / 2));
  const empty = (path: string): void => writeFileSync(path, "");
  const absent = (path: string): void => rmSync(path);

  it.each([
    ["config.json", "empty", empty],
    ["config.json", "absent", absent],
    ["policy.safetensors", "half there", half],
    ["policy.safetensors", "empty", empty],
    ["trainer.safetensors", "half there", half],
    ["trainer.safetensors", "absent", absent],
  ] as const)("%s %s: is named, its predecessor used, and the run ends the same", async (file, _, damage) => {
    const folder = await stopped();
    damage(join(folder, "checkpoints", "last", file));
    const { warnings } = await run(folder, recipe());
    expect(warnings.join()).toContain(join("last", file));
    expect(warnings.join()).toContain("last.previous");
    expect(contents(folder)).toEqual(await finished(recipe()));
  });

  it("never takes the place of its sound predecessor", async () => {
    const folder = await stopped();
    empty(join(folder, "checkpoints", "last", "policy.safetensors"));
    // The first save after it is the one that could lose both.
    await run(folder, recipe(), { stopAfter: 6 });
    empty(join(folder, "checkpoints", "last", "policy.safetensors"));
    await run(folder, recipe());
    expect(contents(folder)).toEqual(await finished(recipe()));
  });

  it("without a sound predecessor ends the command and nothing is overwritten", async () => {
    const folder = await stopped();
    for (const place of ["last", "last.previous"]) empty(join(folder, "checkpoints", place, "policy.safetensors"));
    const episodes = readFileSync(join(folder, "episodes.jsonl"), "utf8");
    await expect(run(folder, recipe())).rejects.toThrow(/last\/policy\.safetensors/);
    expect(readFileSync(join(folder, "episodes.jsonl"), "utf8")).toBe(episodes);
  });
});

describe("a run folder", () => {
  it("refuses a changed recipe, names the keys, and starts over only when told to", async () => {
    const folder = newFolder();
    await run(folder, recipe(), { stopAfter: 4 });
    const other = recipe({ learningRate: 0.01, steps: 6 });
    await expect(run(folder, other)).rejects.toMatchObject({
      code: "run/recipe-changed",
      message: expect.stringMatching(/train\.learningRate: 0\.003 → 0\.01\n.*train\.steps: 12 → 6/),
    });
    await run(folder, other, { fresh: true });
    expect(contents(folder)).toEqual(await finished(other));
  });

  it("is never emptied of checkpoints that no recipe stands beside", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "checkpoints", "last"), { recursive: true });
    mkdirSync(join(folder, "checkpoints", "precious"));
    await expect(run(folder, recipe(), { fresh: true })).rejects.toMatchObject({ code: "run/recipe-missing" });
    rmSync(join(folder, "checkpoints", "last"), { recursive: true });
    await run(folder, recipe({ steps: 1 }), { fresh: true });
    expect(existsSync(join(folder, "checkpoints", "precious"))).toBe(true);
  });

  it("held by another process is refused with its number, and taken over once that is gone", async () => {
    const folder = newFolder();
    mkdirSync(folder);
    const holder = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"]);
    writeFileSync(join(folder, "lock"), `${holder.pid}\n`);
    await expect(run(folder, recipe())).rejects.toMatchObject({
      code: "folder/locked",
      message: expect.stringContaining(String(holder.pid)),
    });
    const gone = new Promise((done) => holder.on("close", done));
    holder.kill("SIGKILL");
    await gone;
    expect(await run(folder, recipe({ steps: 1 }))).toMatchObject({ interrupted: false });
    expect(existsSync(join(folder, "lock"))).toBe(false);
  });

  it("is not shared by two runs of one process", async () => {
    const folder = newFolder();
    const first = run(folder, recipe());
    await expect(run(folder, recipe())).rejects.toMatchObject({ code: "folder/locked" });
    await first;
    expect(contents(folder)).toEqual(await finished(recipe()));
  });

  it("is given back when the run fails", async () => {
    const folder = newFolder();
    const failing = {
      ...still,
      elapsedMs: () => {
        throw new Error("the clock broke");
      },
    };
    await expect(run(folder, recipe(), { clock: failing })).rejects.toThrow("the clock broke");
    expect(existsSync(join(folder, "lock"))).toBe(false);
    await run(folder, recipe());
    expect(contents(folder)).toEqual(await finished(recipe()));
  });
});

describe("the command", { timeout: 180_000 }, () => {
  let command: BuiltCommand;
  beforeAll(() => {
    command = buildCommand();
  });
  afterAll(() => command?.remove());

  /** Long enough to be killed in the middle, with saves and validations on the way. */
  const slow = {
    name: "slow",
    population: { kind: "simulated", embeddingDimension: 16, questions: { independent: 100 } },
    train: { steps: 60, starts: 12, samples: 4, validation: { every: 15, episodes: 100 } },
  };
  const recipeFile = join(root, "slow.json");
  writeFileSync(recipeFile, JSON.stringify(slow));
  const trainInto = (folder: string): string[] => ["train", recipeFile, "--out", folder, "--json"];
  const results = (folder: string) =>
    [
      "metrics.jsonl",
      "episodes.jsonl",
      "checkpoints/best/policy.safetensors",
      "checkpoints/last/policy.safetensors",
    ].map((file) => readFileSync(join(folder, file), "latin1"));
  let straight: string[];
  const straightRun = async (): Promise<string[]> => {
    if (straight === undefined) {
      const folder = newFolder();
      expect(await runCommand(command, trainInto(folder), root)).toMatchObject({ code: 0 });
      straight = results(folder);
    }
    return straight;
  };

  /** Waits until the run has logged a number of updates beyond those it found, so that what follows falls into its training. */
  async function untilUpdates(
    folder: string,
    count: number,
    child: { readonly exitCode: number | null },
  ): Promise<void> {
    const log = join(folder, "episodes.jsonl");
    const size = () => (existsSync(log) ? readFileSync(log, "latin1").split("\n").length : 0);
    // What was logged after the last save is cut off first: count from there.
    let least = size();
    while (child.exitCode === null) {
      const now = size();
      least = Math.min(least, now);
      if (now >= least + 12 * 4 * count) return;
      await sleep(3);
    }
  }

  it("killed with −9 at five random moments and then left to end: policy and episodes of the straight run", async () => {
    const wanted = await straightRun();
    const folder = newFolder();
    const rng = createRng("kills");
    for (let kill = 0; kill < 5; kill++) {
      const { child, ended } = startCommand(command, trainInto(folder), root);
      await untilUpdates(folder, rng.integer(12), child);
      await sleep(rng.integer(15));
      child.kill("SIGKILL");
      expect((await ended).code).toBeNull();
    }
    const { code, stdout } = await runCommand(command, trainInto(folder), root);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ steps: 60, run: folder });
    expect(results(folder)).toEqual(wanted);
  });

  it("Ctrl-C: saves, exits with 130, and the same command goes on", async () => {
    const wanted = await straightRun();
    const folder = newFolder();
    const { child, ended } = startCommand(command, trainInto(folder), root);
    await untilUpdates(folder, 1, child);
    child.kill("SIGINT");
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain("Stopping after the step at hand");
    const { steps, interrupted } = JSON.parse(stdout);
    expect(interrupted).toBe(true);
    expect(steps).toBeGreaterThan(0);
    expect(steps).toBeLessThan(60);
    expect(existsSync(join(folder, "lock"))).toBe(false);
    expect(await runCommand(command, trainInto(folder), root)).toMatchObject({ code: 0 });
    expect(results(folder)).toEqual(wanted);
  });

  it("a read-only folder is an error that says so, and leaves nothing behind", async () => {
    const folder = join(root, "read-only");
    mkdirSync(folder);
    chmodSync(folder, 0o555);
    chmodSync(root, 0o755);
    // The superuser may write anywhere; nobody may not.
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const { ended } = startCommand(command, trainInto(join(folder, "run")), root, user);
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/cannot write .*read-only.*\n.*Choose another with --out/);
    expect(readdirSync(folder)).toEqual([]);
  });
});
