import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseResults, type Results } from "../src/evaluate/index.ts";
import { type BuiltCommand, buildCommand, type Ended, runCommand, startCommand } from "./support/built-command.ts";
import { writeRecording } from "./support/made-up-recording.ts";

/** Where everything below is typed. */
const folder = mkdtempSync(join(tmpdir(), "colloquy-cli-"));
let command: BuiltCommand;

/** Types a command where everything here is typed. */
const type = (...args: string[]): Promise<Ended> => runCommand(command, args, folder);

/** The one line of JSON a command printed. */
function jsonOf({ code, stdout, stderr }: Ended): Record<string, unknown> {
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** A refusal: nothing on stdout, what is wrong and what to do on stderr. */
async function expectRefusal(args: readonly string[], code: number, ...said: RegExp[]): Promise<void> {
  const ended = await type(...args);
  for (const pattern of said) expect(ended.stderr).toMatch(pattern);
  expect(ended).toMatchObject({ code, stdout: "" });
  expect(ended.stderr).not.toMatch(/\n\s+at /);
}

const set = (...overrides: string[]): string[] => overrides.flatMap((override) => ["--set", override]);
const tiny = set(
  ...["train.steps=4", "train.warmStartSteps=0", "train.starts=4", "train.samples=2", "train.validation.episodes=20"],
  ...["evaluate.adversaries=[0,2,3,4]", "evaluate.onsets=[first]", "evaluate.episodes=20"],
);
let trained: Record<string, unknown>;

beforeAll(async () => {
  command = buildCommand();
  trained = jsonOf(await type("train", "quickstart", ...tiny, "--json"));
});
afterAll(() => {
  command?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const resultsOf = (ended: Ended): Results => parseResults(JSON.stringify(jsonOf(ended)), "stdout");

describe("train", () => {
  it("prints one line of JSON that says where the run and its checkpoint are", () => {
    expect(trained).toMatchObject({
      run: expect.stringMatching(/^runs\/quickstart-s1-[0-9a-f]{8}$/),
      checkpoint: `${trained["run"]}/checkpoints/best`,
      steps: 4,
      calls: expect.any(Number),
      validation: { accuracy: expect.any(Number), n: 20 },
    });
    expect(readdirSync(join(folder, trained["run"] as string)).sort()).toEqual([
      "checkpoints",
      "environment.json",
      "episodes.jsonl",
      expect.stringMatching(/^events\.out\.tfevents\.\d{10}\.colloquy$/),
      "metrics.jsonl",
      "recipe.json",
      "timing.jsonl",
    ]);
    expect(readdirSync(join(folder, trained["checkpoint"] as string)).sort()).toEqual([
      "README.md",
      "config.json",
      "policy.safetensors",
    ]);
  });

  it("for a person: results on stdout, progress on stderr, and what to do next", async () => {
    const { code, stdout, stderr } = await type("train", "quickstart", ...tiny, "--out", "spoken");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Trained for 4 updates\.\n.*Next {7}colloquy evaluate spoken\/checkpoints\/best\n$/s);
    expect(stderr).toMatch(/^training quickstart 4\/4 .* speak · entropy 0\.\d+ · \d+ calls/m);
  });

  it("takes a recipe that init wrote", async () => {
    const { code, stdout } = await type("init", "mine");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Wrote mine.yaml. Train it with: colloquy train mine.yaml\n" });
    expect(jsonOf(await type("train", "mine.yaml", ...tiny, "--json"))).toMatchObject({ steps: 4 });
    await expectRefusal(["init", "mine"], 2, /mine\.yaml exists already/);
    await expectRefusal(["init", "../mine"], 2, /cannot name a recipe/);
  });

  it.each([
    ["a team of one", ["team.agents=1", "attack.adversaries=[0]", "evaluate.adversaries=[0]"]],
    ["a single round", ["team.rounds=1"]],
    ["nobody may hear anybody", ["topology.in=0"]],
    ["no validation questions", ["split.train=0.75", "split.validation=0"]],
  ])("works with %s", async (_, overrides) => {
    const settings = [...tiny, ...set(...overrides)];
    expect(jsonOf(await type("train", "quickstart", ...settings, "--json"))).toMatchObject({ steps: 4 });
  });

  it("refuses a recipe that is not there, with names that are", async () => {
    await expectRefusal(["train", "quickstrat"], 2, /no recipe "quickstrat"/, /Did you mean "quickstart"\?/);
  });

  it("refuses an unknown key, a value out of range, and a malformed --set, naming each", async () => {
    await expectRefusal(["train", "quickstart", "--set", "train.stpes=4"], 2, /train\.stpes.*Did you mean "steps"\?/);
    await expectRefusal(["train", "quickstart", "--set", "topology.in=-1"], 2, /topology\.in.*-1/);
    await expectRefusal(["train", "quickstart", "--set", "attack.adversaries=[7]"], 2, /7 adversaries in a team of 6/);
    await expectRefusal(["train", "quickstart", "--set", "train.steps"], 2, /not of the form key\.path=value/);
  });

  it("refuses a changed recipe in the same folder, and says which keys differ", async () => {
    const changed = [
      "train",
      "quickstart",
      ...tiny,
      "--set",
      "train.learningRate=0.5",
      "--out",
      trained["run"] as string,
    ];
    await expectRefusal(changed, 1, /another recipe/, /train\.learningRate: [\d.]+ → 0\.5/, /--fresh/);
  });
});

describe("evaluate", () => {
  const evaluate = async (...args: string[]): Promise<Results> => resultsOf(await type("evaluate", ...args, "--json"));
  const few = ["--limit", "8", "--episodes", "16"];
  const run = (): string => trained["run"] as string;

  it("prints results in the published schema, complete and with its command", async () => {
    const results = await evaluate(run(), ...few);
    expect(results).toMatchObject({ schema: "colloquy.results/1", complete: true });
    expect(results.command).toBe(`colloquy evaluate ${run()} --limit 8 --episodes 16`);
    const config = readFileSync(join(folder, trained["checkpoint"] as string, "config.json"), "utf8");
    const { methods } = JSON.parse(config).recipe.evaluate;
    expect([...new Set(results.rows.map(({ method }) => method))]).toEqual(methods);
    for (const row of results.rows) {
      expect(row).toMatchObject({ n: 16, questions: 8, correct: expect.any(Number), tokens: null });
      for (const key of ["attackRate", "accuracy", "low", "high", "calls", "edges", "honestKept"] as const)
        expect(row[key], key).toEqual(expect.any(Number));
      expect(row.adversariesKept === null).toBe(row.adversaries === 0);
      expect(row.accuracy).toBeCloseTo(row.correct / row.n, 10);
    }
    expect(results.comparisons.length).toBeGreaterThan(0);
    for (const file of ["results.json", "results.csv", "table.md"])
      expect(existsSync(join(folder, run(), file))).toBe(true);
    expect(parseResults(readFileSync(join(folder, run(), "results.json"), "utf8"), "results.json")).toEqual(results);
  });

  it("takes the recipe as it was trained, a checkpoint and a run folder for the same policy", async () => {
    const options = ["--methods", "learned", "--attack-rates", "0.5", ...few];
    const wanted = (await evaluate(run(), ...options)).rows;
    expect((await evaluate(trained["checkpoint"] as string, ...options)).rows).toEqual(wanted);
    expect((await evaluate("quickstart", ...tiny, ...options)).rows).toEqual(wanted);
    await expectRefusal(["evaluate", "quickstart"], 1, /has not been trained yet/, /colloquy train quickstart/);
  });

  it("--attack-rates: adversaries are the nearest whole number of agents", async () => {
    const { rows } = await evaluate(run(), "--methods", "vote-first", "--attack-rates", "0,0.33,0.5,0.67,1", ...few);
    expect(rows.map(({ attackRate, adversaries }) => [attackRate, adversaries])).toEqual([
      [0, 0],
      [0.33, 2],
      [0.5, 3],
      [0.67, 4],
      [1, 6],
    ]);
  });

  it("--budget: no method that keeps budgets exceeds them", async () => {
    const { rows } = await evaluate(run(), "--methods", "learned,random", "--budget", "in=1,out=1,depth=2", ...few);
    for (const row of rows) {
      expect(row.depth).toBeLessThanOrEqual(2);
      // Two rounds of at most three pairs.
      expect(row.edges).toBeLessThanOrEqual(6);
    }
    expect(Math.max(...rows.map(({ edges }) => edges))).toBeGreaterThan(0);
  });

  it("--agents: other team sizes keep the recipe's attack rates", async () => {
    const adversariesOf = async (agents: string): Promise<number[]> =>
      (await evaluate(run(), "--methods", "learned", "--agents", agents, ...few)).rows.map(
        ({ adversaries }) => adversaries,
      );
    expect(await adversariesOf("3")).toEqual([0, 1, 2]);
    expect(await adversariesOf("12")).toEqual([0, 4, 6, 8]);
    expect(await adversariesOf("1")).toEqual([0, 1]);
  });

  it("--seeds, --rounds, --onset and --attack change what is played", async () => {
    const options = ["--seeds", "1,2", "--rounds", "2", "--onset", "first,late", "--attack", "silence"];
    const { rows } = await evaluate(run(), "--methods", "learned", "--attack-rates", "0,0.5", ...options, ...few);
    expect(rows.map(({ attack, onset, seeds, n, calls }) => [attack, onset, seeds, n, calls <= 12])).toEqual([
      ["silence", "first", [1, 2], 32, true],
      ["silence", "first", [1, 2], 32, true],
      ["silence", "late", [1, 2], 32, true],
    ]);
  });

  it("refuses what cannot be, with exit code 2 and the value", async () => {
    const refuse = (args: string[], ...said: RegExp[]) => expectRefusal(["evaluate", run(), ...args], 2, ...said);
    await refuse(["--methods", "learned,vote-fist"], /"?vote-fist"?/, /Did you mean "vote-first"\?/);
    await refuse(["--attack", "colude"], /Did you mean "collude"\?/);
    await refuse(["--onset", "frist"], /first, uniform, late, moving or fixed:ROUND/);
    await refuse(["--attack-rates", "1.2"], /attack rate 1\.2 is not between 0 and 1/);
    await refuse(["--attack-rates=-0.1"], /attack rate -0\.1/);
    await refuse(["--attack-rates", "half"], /"half" is not a number/);
    await refuse(["--budget", "in=-1"], /topology\.in.*-1/);
    await refuse(["--budget", "in"], /--budget in is not of the form/);
    await refuse(["--limit", "0"], /whole number of at least 1/);
    await refuse(["--seeds", "1.5"], /evaluate\.seeds.*1\.5/);
  });

  it("refuses a policy that does not fit the world, naming both layouts", async () => {
    const misfit = ["evaluate", run(), "--set", "behaviour.features=[spoke, changedAnswer]"];
    await expectRefusal(
      misfit,
      1,
      /does not fit this world/,
      /scalars: the checkpoint has .*\["spoke","changedAnswer"\]/,
    );
  });

  it("refuses to judge a policy on questions it was trained on, unless told to", async () => {
    const other = ["evaluate", run(), "--methods", "learned", "--attack-rates", "0", ...few, "--set", "split.seed=9"];
    await expectRefusal(other, 1, /was trained on \d+ of the \d+ questions/, /--allow-overlap/);
    expect(resultsOf(await type(...other, "--allow-overlap", "--json")).complete).toBe(true);
  });

  it("keeps the results of a recipe whose evaluation alone has changed: its policy is the same one", async () => {
    const ended = await type(
      "evaluate",
      "quickstart",
      ...tiny,
      "--set",
      "evaluate.episodes=8",
      "--methods",
      "learned",
      "--json",
    );
    expect(resultsOf(ended).rows.every(({ n }) => n === 8)).toBe(true);
  });

  it("refuses a damaged checkpoint that has no predecessor, naming the file", async () => {
    const copy = join(folder, "damaged");
    mkdirSync(copy);
    for (const file of ["README.md", "config.json", "policy.safetensors"]) {
      const bytes = readFileSync(join(folder, trained["checkpoint"] as string, file));
      writeFileSync(join(copy, file), file === "policy.safetensors" ? bytes.subarray(0, bytes.length - 7) : bytes);
    }
    await expectRefusal(["evaluate", "damaged"], 1, /damaged\/policy\.safetensors/);
  });

  it("Ctrl-C: what is complete is kept and marked as incomplete, exit code 130", async () => {
    const { child, ended } = startCommand(
      command,
      ["evaluate", run(), "--episodes", "20000", "--out", "interrupted", "--json"],
      folder,
    );
    child.stderr!.once("data", () => child.kill("SIGINT"));
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    expect(parseResults(stdout, "stdout")).toMatchObject({ complete: false });
    expect(JSON.parse(readFileSync(join(folder, "interrupted", "incomplete", "results.json"), "utf8"))).toMatchObject({
      complete: false,
    });
  });
});

describe("export", () => {
  it("writes a policy folder that is judged as the checkpoint is", async () => {
    expect(jsonOf(await type("export", trained["run"] as string, "--out", "policy", "--json"))).toEqual({
      policy: "policy",
    });
    expect(readdirSync(join(folder, "policy")).sort()).toEqual([
      "README.md",
      "config.json",
      "parity.json",
      "policy.safetensors",
    ]);
    const judge = async (source: string) => {
      const options = ["--methods", "learned,vote-first", "--limit", "5", "--episodes", "10", "--json"];
      return resultsOf(await type("evaluate", source, ...options)).rows;
    };
    expect(await judge("policy")).toEqual(await judge(trained["run"] as string));
    expect((await type("export", trained["run"] as string, "--out", "policy")).code).toBe(0);
  });

  it("never writes into a folder of something else, and names formats there are", async () => {
    writeFileSync(join(folder, "notes.txt"), "precious");
    await expectRefusal(["export", trained["run"] as string, "--out", "."], 1, /exists and is no policy folder/);
    await expectRefusal(
      ["export", trained["run"] as string, "--out", "p", "--format", "safetensor"],
      2,
      /Did you mean "safetensors"\?/,
    );
    await expectRefusal(
      ["export", "nowhere", "--out", "p"],
      2,
      /"nowhere" is no checkpoint, no run folder and no recipe/,
    );
    expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("precious");
  });
});

describe("recorded agents", () => {
  const recording = join(folder, "recording");
  let bank: string;
  let law: Record<string, unknown>;
  beforeAll(async () => {
    writeRecording(recording);
    await type("import", "multi-agent-attack", "recording", "--out", "bank.jsonl");
    bank = readFileSync(join(folder, "bank.jsonl"), "utf8");
    law = jsonOf(await type("fit", "bank.jsonl", "--json"));
  });

  it("import reports what was read", async () => {
    const report = jsonOf(await type("import", "multi-agent-attack", "recording", "--out", "again.jsonl", "--json"));
    expect(report).toMatchObject({
      bank: "again.jsonl",
      runs: 72,
      questions: 12,
      utterances: 648,
      unread: {},
      adversaries: 36,
    });
    expect(readFileSync(join(folder, "again.jsonl"), "utf8")).toBe(bank);
    const { stdout } = await type("import", "multi-agent-attack", "recording", "--out", "again.jsonl");
    expect(stdout).toMatch(
      /^72 runs read, 72 with their question, about 12 questions\.\n.*Next: colloquy fit again\.jsonl\n$/s,
    );
    await expectRefusal(
      ["import", "multi-agent-atack", "recording", "--out", "x"],
      2,
      /Did you mean "multi-agent-attack"\?/,
    );
    await expectRefusal(["import", "multi-agent-attack", "nowhere", "--out", "x"], 1, /cannot read nowhere/);
    await expectRefusal(["import", "multi-agent-attack", "recording"], 2, /--out/);
  });

  it("fit prints the law, its replay, and conformity for 0, 1, 2 and more voices", async () => {
    const report = law as {
      recorded: { clean: { honestByRound: number[] } };
      replayed: { attacked: { finalMajority: number } };
      conformity: { voices: number; predicted: number }[];
    };
    expect(report.recorded.clean.honestByRound).toHaveLength(3);
    expect(report.replayed.attacked.finalMajority).toBeGreaterThan(0);
    const voices = new Set(report.conformity.map((row) => row.voices));
    expect([0, 1, 2].every((count) => voices.has(count))).toBe(true);
    expect(Math.max(...voices)).toBeGreaterThan(2);
    const { stdout } = await type("fit", "bank.jsonl");
    expect(stdout).toMatch(/^Response law of bank\.jsonl\n.*final majority.*P\(right next/s);
  });

  it("train and evaluate take the bank by the recipe `recorded`", async () => {
    const small = [
      "train.minimumQuestionShare=0",
      "evaluate.adversaries=[0,3]",
      "evaluate.onsets=[first]",
      "network.hidden=4",
    ];
    const settings = [...tiny, ...set(...small)];
    const { run } = jsonOf(await type("train", "recorded", ...settings, "--json")) as { run: string };
    const judged = resultsOf(await type("evaluate", run, "--methods", "learned,vote-first", "--json"));
    expect(judged.rows.map(({ population, n }) => [population, n])).toEqual(new Array(4).fill(["recorded", 20]));
  });

  it("a run does not go on with a bank whose questions have changed", async () => {
    const few = set("train.steps=2", "train.starts=2", "train.samples=2", "train.validation.episodes=10");
    const train = (...more: string[]) =>
      type("train", "recorded", ...few, "--set", "population.bank=changing.jsonl", "--out", "changing", ...more);
    writeFileSync(join(folder, "changing.jsonl"), bank);
    expect((await train()).code).toBe(0);
    const lines = bank.trimEnd().split("\n");
    writeFileSync(join(folder, "changing.jsonl"), `${lines.slice(0, Math.ceil(lines.length * 0.6)).join("\n")}\n`);
    const ended = await train();
    expect(ended.stderr).toMatch(/the questions of changing have changed since it began/);
    expect(ended.code).toBe(1);
    expect((await train("--fresh")).code).toBe(0);
  });

  it("a bank with a byte-order mark or CRLF is the same bank; a torn last line is left out and named", async () => {
    const fitted = (name: string, content: string) => {
      writeFileSync(join(folder, name), content);
      return type("fit", name, "--json");
    };
    expect(jsonOf(await fitted("windows.jsonl", `\uFEFF${bank.replaceAll("\n", "\r\n")}`))).toEqual(law);
    const torn = await fitted("torn.jsonl", bank.slice(0, -40));
    expect(torn.code).toBe(0);
    expect(torn.stderr).toMatch(/warning: torn\.jsonl: the last line was cut off/);
  });

  it("a bank that is empty, in another encoding, damaged in the middle, or not there is refused by name", async () => {
    const banks: [string, string | Buffer, RegExp][] = [
      ["empty.jsonl", "", /empty\.jsonl holds no complete line/],
      [
        "latin1.jsonl",
        Buffer.from(bank.replace("Question 1:", "Frage für 1:"), "latin1"),
        /latin1\.jsonl, line 2 is not UTF-8/,
      ],
      ["damaged.jsonl", bank.replace('"rounds":[[', '"rounds":[['.slice(1)), /damaged\.jsonl, line 2/],
      ["other.jsonl", '{"schema":"other/1","source":"x"}\n', /other\.jsonl is no colloquy\.bank\/1 file/],
    ];
    for (const [name, content, said] of banks) {
      writeFileSync(join(folder, name), content);
      await expectRefusal(["fit", name], 1, said);
    }
    await expectRefusal(["fit", "nowhere.jsonl"], 1, /cannot read .*nowhere\.jsonl: no such file/);
    await expectRefusal(["train", "recorded", "--set", "population.bank=empty.jsonl"], 1, /empty\.jsonl holds no/);
  });
});

const debates = resolve(import.meta.dirname, "..", "..", "shared", "data", "recorded", "multi-agent-attack", "mmlu");

describe.skipIf(!existsSync(debates))("the real recording (skipped: recorded debates not present)", () => {
  it("import reads all 1,000 debates and fit replays them within the tolerances", async () => {
    const report = jsonOf(await type("import", "multi-agent-attack", debates, "--out", "mmlu.jsonl", "--json"));
    expect(report).toMatchObject({
      runs: 1000,
      withoutQuestion: 0,
      questions: 100,
      utterances: 9000,
      adversaries: 500,
    });
    const { recorded, replayed } = jsonOf(await type("fit", "mmlu.jsonl", "--json")) as Record<
      "recorded" | "replayed",
      Record<"clean" | "attacked", { honestByRound: number[]; finalMajority: number }>
    >;
    expect(Math.abs(replayed.clean.finalMajority - 0.672)).toBeLessThan(0.03);
    expect(Math.abs(replayed.attacked.finalMajority - 0.24)).toBeLessThan(0.05);
    for (const kind of ["clean", "attacked"] as const) {
      recorded[kind].honestByRound.forEach((accuracy, t) => {
        expect(Math.abs(replayed[kind].honestByRound[t] - accuracy), `${kind}, round ${t + 1}`).toBeLessThan(0.05);
      });
    }
  });
});

describe("list, doctor and help", () => {
  it("list names what a recipe can hold", async () => {
    const all = jsonOf(await type("list", "--json")) as Record<string, Record<string, string>>;
    expect(Object.keys(all)).toEqual(
      expect.arrayContaining(["tasks", "attacks", "topologies", "methods", "environments", "populations", "formats"]),
    );
    expect(Object.keys(all["attacks"])).toEqual(["mislead", "persuade", "collude", "independent", "silence", "noise"]);
    expect(Object.keys(all["recipes"])).toContain("quickstart");
    expect(jsonOf(await type("list", "methods", "--json"))).toEqual({
      methods: all["methods"],
      "methods (workplace-v1)": all["methods (workplace-v1)"],
    });
    expect((await type("list", "topologies")).stdout).toMatch(/^topologies\n {2}credit +\S/);
    await expectRefusal(["list", "methds"], 2, /Did you mean "methods"\?/);
  });

  it("doctor says of each backend whether it works", async () => {
    const { findings, canTrain } = jsonOf(await type("doctor", "--json")) as {
      findings: { what: string; ok: boolean; message: string }[];
      canTrain: boolean;
    };
    expect(canTrain).toBe(true);
    const [node, ...others] = findings.map(({ what }) => what);
    expect(node).toBe("node");
    expect(others.slice(0, 3)).toEqual(["backend tensorflow", "backend wasm", "backend cpu"]);
    expect(others.slice(3)).toEqual(["python", "model server"]);
    expect(findings.find(({ what }) => what === "backend wasm")).toMatchObject({ ok: true });
    expect(findings.every(({ message }) => message !== "")).toBe(true);
  });

  it("help and version go to stdout with 0; wrong usage to stderr with 2", async () => {
    expect(await type("--help")).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining("Usage: colloquy"),
    });
    expect(await type("train", "--help")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("--set <key=value>"),
    });
    expect(await type("--version")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    await expectRefusal([], 2, /Usage: colloquy/);
    await expectRefusal(["trian"], 2, /unknown command 'trian'/, /Did you mean train\?/);
    await expectRefusal(["train"], 2, /missing required argument 'recipe'/);
    await expectRefusal(["train", "quickstart", "--frehs"], 2, /unknown option '--frehs'/, /Did you mean --fresh\?/);
    await expectRefusal(["train", "quickstart", "--concurrency", "0"], 2, /whole number of at least 1/);
  });

  it("a reader that closes the pipe early ends the command quietly", async () => {
    const child = spawn(process.execPath, [command.path, "list"], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    await new Promise((done) => child.on("close", done));
    expect(stderr).toBe("");
  });
});
