import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalJson } from "../src/base/json.ts";
import { readJsonLines } from "../src/base/jsonl.ts";
import { parseKeptEpisodes, parseWorkplaceResults, type WorkplaceResults } from "../src/evaluate/workplace/index.ts";
import { loadPolicy } from "../src/runtime/index.ts";
import { type BuiltCommand, buildCommand, type Ended, runCommand, startCommand } from "./support/built-command.ts";
import { freshFolder } from "./support/child.ts";
import { liveEnvironment, price, secret } from "./support/live-run.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";
import { workplaceBrain } from "./support/workplace-brain.ts";

/** Where everything below is typed. */
const folder = freshFolder();
let command: BuiltCommand;
let trained: Record<string, unknown>;

const type = (...args: string[]): Promise<Ended> => runCommand(command, args, folder);

function jsonOf({ code, stdout, stderr }: Ended): Record<string, unknown> {
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function expectRefusal(args: readonly string[], code: number, ...said: RegExp[]): Promise<void> {
  const ended = await type(...args);
  for (const pattern of said) expect(ended.stderr).toMatch(pattern);
  expect(ended).toMatchObject({ code, stdout: "" });
  expect(ended.stderr).not.toMatch(/\n\s+at /);
}

const set = (...overrides: string[]): string[] => overrides.flatMap((override) => ["--set", override]);
const tiny = set(
  ...["train.steps=4", "train.starts=2", "train.samples=2", "train.validation.every=2", "train.validation.episodes=4"],
  ...["projects.tier=[simple]", "team.workers=[4]", "projects.train=6", "projects.validation=2", "projects.test=4"],
  ...["evaluate.workers=[3,4]", "evaluate.episodes=6", "evaluate.seeds=[1]", "topology.in=3"],
  "evaluate.methods=[learned,untrained,c2c,unconstrained,fixed-steps,no-communication]",
);

beforeAll(async () => {
  command = buildCommand();
  trained = jsonOf(await type("train", "workplace", ...tiny, "--json"));
});
afterAll(() => command?.remove());

describe("train workplace", () => {
  it("prints one line of JSON that says where the run is and what it scored", () => {
    expect(trained).toMatchObject({
      run: expect.stringMatching(/^runs\/workplace-s1-[0-9a-f]{8}$/),
      checkpoint: `${trained["run"]}/checkpoints/best`,
      steps: 4,
      calls: 0,
      validation: { utility: expect.any(Number), n: 4 },
    });
    expect(trained["validation"]).not.toHaveProperty("accuracy");
  });

  it("goes on where it was stopped, and comes to the same weights", async () => {
    const parts = [...tiny, "--out", "pieced"];
    const { child, ended } = startCommand(command, ["train", "workplace", ...parts], folder);
    const checkpoint = join(folder, "pieced", "checkpoints", "last", "config.json");
    while (!existsSync(checkpoint) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill("SIGKILL");
    await ended;
    expect(jsonOf(await type("train", "workplace", ...parts, "--json"))).toMatchObject({ steps: 4 });
    const weightsIn = (run: string) => readFileSync(join(folder, run, "checkpoints", "last", "policy.safetensors"));
    expect(weightsIn("pieced").equals(weightsIn(trained["run"] as string))).toBe(true);
  });

  it("takes a recipe that init wrote, and refuses a world that there is not", async () => {
    const { code, stdout } = await type("init", "office", "--world", "workplace-v1");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "Wrote office.yaml. Train it with: colloquy train office.yaml\n",
    });
    expect(jsonOf(await type("train", "office.yaml", ...tiny, "--json"))).toMatchObject({ steps: 4 });
    await expectRefusal(
      ["init", "home", "--world", "workplace"],
      2,
      /no world "workplace"/,
      /Did you mean "workplace-v1"/,
    );
  });

  it("refuses wrong keys and values by name, and other worlds where they cannot be", async () => {
    await expectRefusal(["train", "workplace", "--set", "train.stpes=4"], 2, /train\.stpes.*Did you mean "steps"\?/);
    await expectRefusal(["train", "workplace", "--set", "vote.rule=credit"], 2, /unknown key "vote"/);
    await expectRefusal(["train", "workplace", "--set", "world=workplce-v1"], 2, /Did you mean "workplace-v1"\?/);
    await expectRefusal(["record", "workplace", "--out", "bank.jsonl"], 2, /recipe of workplace-v1/);
    await expectRefusal(["run", trained["run"] as string, "--question", "Why?"], 2, /recipe of workplace-v1/);
  });
});

describe("evaluate", () => {
  const resultsOf = (ended: Ended): WorkplaceResults => parseWorkplaceResults(JSON.stringify(jsonOf(ended)), "stdout");
  const run = (): string => trained["run"] as string;
  let results: WorkplaceResults;
  beforeAll(async () => {
    results = resultsOf(await type("evaluate", run(), "--json"));
  });

  it("plays every method in every cell on as many episodes", () => {
    expect(results).toMatchObject({
      schema: "colloquy.workplace/1",
      complete: true,
      planned: 6 * 4 * 6,
      played: 6 * 4 * 6,
    });
    expect(results.rows.map(({ workers, adversaries, method }) => `${workers} ${adversaries} ${method}`)).toEqual(
      [3, 4].flatMap((workers) =>
        [0, 1].flatMap((k) =>
          ["learned", "untrained", "c2c", "unconstrained", "fixed-steps", "no-communication"].map(
            (method) => `${workers} ${k} ${method}`,
          ),
        ),
      ),
    );
    for (const row of results.rows) {
      expect(row).toMatchObject({ tier: "simple", tasks: 1, n: 6, projects: 4, calls: 0 });
      expect(row.method === "no-communication" ? row.communicationHours.mean : 0).toBe(0);
    }
    expect(results.comparisons).toHaveLength(5 * 4);
    expect(results.command).toBe(`colloquy evaluate ${run()}`);
  });

  it("leaves results, tables, kept episodes with their events, and a report", async () => {
    const file = (name: string): string => join(folder, run(), name);
    expect(parseWorkplaceResults(readFileSync(file("results.json"), "utf8"), "results.json")).toEqual(results);
    expect(readFileSync(file("results.csv"), "utf8").split("\n")[0]).toMatch(
      /^tier,workers,.*,hours\.mean,hours\.low,/,
    );
    expect(readFileSync(file("table.md"), "utf8")).toContain("| 1+4 | learned |");
    const { episodes, skipped } = parseKeptEpisodes(readJsonLines(file("episodes-judged.jsonl")).records);
    expect(skipped).toBe(0);
    expect(episodes).toHaveLength(6 * 4);
    for (const { record, members, subtasks } of episodes) {
      expect(record.events!.at(-1)).toMatchObject({ kind: "end", outcome: record.outcome });
      expect([members.length, subtasks.length]).toEqual([record.workers + 1, record.subtasks.count]);
    }
    const html = readFileSync(file("report.html"), "utf8");
    expect(html).toContain(results.headline[0]);
    rmSync(file("report.html"));
    expect(jsonOf(await type("report", run(), "--json"))).toMatchObject({ episodes: 6 * 4, missing: [] });
    expect(readFileSync(file("report.html"), "utf8")).toBe(html);
  });

  it("comes to the same whatever runs beside what", async () => {
    const one = resultsOf(await type("evaluate", run(), "--concurrency", "1", "--out", "one", "--json"));
    expect({ ...one, command: "" }).toEqual({ ...results, command: "" });
    expect(readFileSync(join(folder, "one", "episodes-judged.jsonl"), "utf8")).toBe(
      readFileSync(join(folder, run(), "episodes-judged.jsonl"), "utf8"),
    );
  });

  it("does as the command line says", async () => {
    const options = ["--methods", "learned,c2c", "--agents", "3", "--attack-rates", "0,0.5,1", "--attack", "withhold"];
    const more = ["--onset", "first,uniform", "--limit", "2", "--episodes", "3", "--seeds", "4,5", "--budget", "in=1"];
    const own = resultsOf(await type("evaluate", run(), ...options, ...more, "--out", "own", "--json"));
    expect(own.rows.filter(({ method }) => method === "learned")).toMatchObject([
      { workers: 2, adversaries: 0, attack: "none", onset: "", n: 6, projects: 2, seeds: [4, 5] },
      { adversaries: 1, attack: "withhold", onset: "first" },
      { adversaries: 1, attack: "withhold", onset: "uniform" },
      { adversaries: 2, onset: "first" },
      { adversaries: 2, onset: "uniform" },
    ]);
    expect(own.command).toContain("--attack-rates 0,0.5,1");
  });

  it("refuses what means nothing here, and says why", async () => {
    await expectRefusal(["evaluate", run(), "--rounds", "3"], 2, /--rounds means nothing in a workplace/);
    await expectRefusal(["evaluate", run(), "--methods", "oracle"], 2, /there is no "oracle"/);
    await expectRefusal(["evaluate", run(), "--attack", "collude"], 2, /there is no "collude".*mislead/);
    await expectRefusal(["evaluate", run(), "--agents", "1"], 2, /a manager and at least one worker/);
    await expectRefusal(["evaluate", run(), "--dry-run"], 2, /is not known before it is played/);
  });

  it("needs no training for methods that need none", async () => {
    const untrained = ["evaluate", "workplace", ...tiny, "--set", "seed=7", "--out", "baselines"];
    await expectRefusal(untrained, 1, /has not been trained yet/, /colloquy train workplace/);
    const baselines = resultsOf(await type(...untrained, "--methods", "c2c,no-communication", "--json"));
    expect(
      baselines.comparisons.every(({ method, reference }) => method === "c2c" && reference === "no-communication"),
    ).toBe(true);
    expect(baselines.headline[0]).toMatch(/^c2c against no-communication: /);
  });
});

describe("export and list", () => {
  it("export writes a policy that the runtime loads, with no vote and nobody forced to talk", async () => {
    jsonOf(await type("export", trained["run"] as string, "--out", "policy", "--json"));
    const { manifest } = await loadPolicy(join(folder, "policy"));
    expect(manifest).toMatchObject({
      environment: "workplace-v1",
      embedder: null,
      decision: { topology: "credit", minimum: 0, budget: { in: 3 } },
    });
    expect(manifest.decision).not.toHaveProperty("voters");
    expect(readFileSync(join(folder, "policy", "README.md"), "utf8")).toContain("| 1+4 | learned |");
    const judged = jsonOf(
      await type("evaluate", "policy", "--methods", "learned", "--episodes", "1", "--out", "again", "--json"),
    );
    expect(judged).toMatchObject({ complete: true });
  });

  it("list shows what each world has, named apart", async () => {
    const lists = jsonOf(await type("list", "attacks", "--json"));
    expect(Object.keys(lists)).toEqual(["attacks", "attacks (workplace-v1)"]);
    expect(Object.keys(lists["attacks (workplace-v1)"] as object)).toEqual(["mislead", "withhold", "ignore"]);
    expect((await type("list", "environments")).stdout).toMatch(/deliberation-v1 .*\n +workplace-v1 /);
    expect((await type("list", "features")).stdout).toMatch(/^features \(workplace-v1\)\n {2}alignment$/m);
  });
});

describe("minds that are language models", () => {
  const servers: ModelServer[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.close())));
  const serve = async (settings: Parameters<typeof startModelServer>[0] = {}): Promise<ModelServer> => {
    const server = await startModelServer({ reply: workplaceBrain(40), apiKey: secret, ...settings });
    servers.push(server);
    return server;
  };
  const recipe = {
    name: "live-office",
    world: "workplace-v1",
    minds: { kind: "llm", models: [{ model: "worker", maxTokens: 300 }], judge: "model" },
    calls: { prices: { worker: price } },
    projects: { tier: ["simple"], train: 1, validation: 1, test: 2 },
    evaluate: { methods: ["c2c"], workers: [3], adversaries: [0, 1], episodes: 2 },
  };
  /** A folder of its own for everything that is typed in it. */
  const place = (): string => {
    const own = freshFolder();
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "live-office.json"), JSON.stringify(recipe));
    return own;
  };
  const args = ["evaluate", "live-office.json", "--out", "judged", "--json"];
  const resultsIn = (own: string): WorkplaceResults =>
    parseWorkplaceResults(readFileSync(join(own, "judged", "results.json"), "utf8"), "results.json");
  let calm: { readonly own: string; readonly server: ModelServer };

  beforeAll(async () => {
    calm = { own: place(), server: await serve() };
    const { code, stderr } = await runCommand(command, args, calm.own, liveEnvironment(calm.server.url));
    expect(code, stderr).toBe(0);
  }, 60_000);

  it("finish simple projects, ask and are answered; replies that cannot be read are counted and survived", () => {
    const [own, attacked] = resultsIn(calm.own).rows;
    expect(own).toMatchObject({ method: "c2c", completed: 1, faults: 0 });
    expect(own.messages.help_request).toBeGreaterThan(0);
    expect(own.gains.help_request.mean).toBeGreaterThan(0);
    expect(attacked.gains.help_request.mean).toBeLessThan(own.gains.help_request.mean!);
    expect(own.malformed).toBeGreaterThan(0);
    // What is the same with and without an attack is asked once.
    const asked = new Set(calm.server.log.map(({ body }) => canonicalJson(body)));
    expect(calm.server.log.length).toBe(asked.size);
    expect(2 * (own.calls + attacked.calls)).toBeGreaterThan(asked.size);
    expect(own.tokens).toBeGreaterThan(0);
    expect(own.cost).toBeGreaterThan(0);
  });

  it("keep the logs of the episodes that were kept, and make no call again", async () => {
    expect(readdirSync(join(calm.own, "judged", "events"))).toHaveLength(2);
    const before = calm.server.log.length;
    rmSync(join(calm.own, "judged", "events"), { recursive: true });
    const again = await runCommand(command, args, calm.own, liveEnvironment(calm.server.url));
    expect(again.code, again.stderr).toBe(0);
    expect(calm.server.log.length).toBe(before);
  });

  it("killed and started again, go on from what was written, without a cache, and come to the same", async () => {
    const one = [...args, "--attack-rates", "0", "--concurrency", "1"];
    const smooth = { own: place(), server: await serve() };
    expect((await runCommand(command, one, smooth.own, liveEnvironment(smooth.server.url))).code).toBe(0);
    const rough = { own: place(), server: await serve({ delayMs: 3 }) };
    for (const after of [60, 150, 300]) {
      const { child, ended } = startCommand(command, one, rough.own, { env: liveEnvironment(rough.server.url) });
      const isOver = ended.then(() => true);
      const pass = () => new Promise<false>((resolve) => setTimeout(() => resolve(false), 5));
      while (rough.server.log.length < after && !(await Promise.race([isOver, pass()])));
      child.kill("SIGKILL");
      await ended;
      rmSync(join(rough.own, ".colloquy"), { recursive: true, force: true });
    }
    const { code, stderr } = await runCommand(command, one, rough.own, liveEnvironment(rough.server.url));
    expect(code, stderr).toBe(0);
    expect(resultsIn(rough.own)).toEqual(resultsIn(smooth.own));
    // Each kill costs the step under way and the one before, of which nothing says that it was whole: calls of four agents
    // each, with second attempts.
    expect(smooth.server.log.length).toBeGreaterThan(300);
    expect(rough.server.log.length - smooth.server.log.length).toBeLessThanOrEqual(3 * 2 * 8);
  }, 60_000);

  it("stop at a limit of calls, saved, and the same command goes on", async () => {
    const own = place();
    const server = await serve();
    const stopped = await runCommand(command, [...args, "--max-calls", "100"], own, liveEnvironment(server.url));
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toMatch(/--max-calls/);
    expect(server.log.length).toBeLessThanOrEqual(100);
    const whole = await runCommand(command, args, own, liveEnvironment(server.url));
    expect(whole.code, whole.stderr).toBe(0);
    expect(resultsIn(own).rows).toEqual(resultsIn(calm.own).rows);
  }, 60_000);
});
