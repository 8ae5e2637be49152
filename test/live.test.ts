import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tinyBank } from "../benchmarks/speed/tiny-bank.ts";
import { shortHash } from "../src/base/hash.ts";
import { canonicalJson } from "../src/base/json.ts";
import { bankBrain } from "./support/bank-brain.ts";
import {
  type BuiltCommand,
  buildCommand,
  type Ended,
  runCommand,
  startCommand,
  startProgram,
} from "./support/built-command.ts";
import { freshFolder } from "./support/child.ts";
import { liveEnvironment, price, secret, writeLiveRecipe } from "./support/live-run.ts";
import { type Fault, faults as faultsByName, lasting, odd, passing } from "./support/model-faults.ts";
import { type ChatBody, type Logged, type ModelServer, startModelServer } from "./support/model-server.ts";

const bank = tinyBank({ questions: 24, debates: 8 });
const reply = bankBrain(bank);
let command: BuiltCommand;
beforeAll(() => {
  command = buildCommand();
});
afterAll(() => command.remove());

/** Whether a command can be run as on a terminal. */
const hasTerminal = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;

const servers: ModelServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function serve(settings: Parameters<typeof startModelServer>[0] = {}): Promise<ModelServer> {
  const server = await startModelServer({ reply, apiKey: secret, ...settings });
  servers.push(server);
  return server;
}

const run = (server: ModelServer, folder: string, ...args: string[]): Promise<Ended> =>
  runCommand(command, args, folder, liveEnvironment(server.url));

/** The last line of `--json`. */
const jsonOf = ({ stdout }: Ended) => JSON.parse(stdout.trim().split("\n").at(-1)!);

/** Everything under a folder, by path. */
function filesIn(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}

/** What decides a run: everything but clocks, the book of calls (in order of arrival) and what it was made with. */
const resultsIn = (folder: string): Map<string, string> =>
  new Map(
    [...filesIn(folder)].filter(
      ([name]) =>
        !/(?:^|\/)(?:timing\.jsonl|calls.*\.jsonl|environment\.json|events\.out\..*|lock)$|\.part|\.previous/.test(
          name,
        ),
    ),
  );

const charged = (log: readonly Logged[]) => {
  const paid = log.filter(({ usage, status }) => usage !== null && status === 200);
  const prompt = paid.reduce((sum, { usage }) => sum + usage!.prompt, 0);
  const completion = paid.reduce((sum, { usage }) => sum + usage!.completion, 0);
  return {
    calls: paid.length,
    tokens: prompt + completion,
    cost: (prompt * price.input + completion * price.output) / 1e6,
  };
};

describe("training with live models", () => {
  it("killed three times and hit by every fault, gives the bytes of an undisturbed run, and asks nothing twice that it has", async () => {
    // What a model says oddly, it says to the same question again; what goes wrong on the way, goes wrong once.
    const oddReplies: readonly Fault[] = Object.values(odd);
    const oddly = (body: ChatBody): Fault | undefined => {
      const place = Number.parseInt(shortHash(canonicalJson(body.messages), 6), 16) % (oddReplies.length * 12);
      return oddReplies[place];
    };
    const failures: readonly Fault[] = [...Object.values(passing), { kind: "slow", ms: 30 }];
    const disturbed = await serve({
      faults: (index, body) => {
        const fault = index % 7 === 3 ? failures[Math.floor(index / 7) % failures.length] : undefined;
        // A slow reply is a whole one, so it must be as odd as ever.
        return fault === undefined || fault.kind === "slow" ? (oddly(body) ?? fault) : fault;
      },
      delayMs: (index) => (index * 7) % 5,
    });
    const calm = await serve({ faults: (_, body) => oddly(body) });
    const changes = { calls: { prices: { debater: price }, timeoutSeconds: 0.5, retries: 8 } };
    const [smooth, rough] = [freshFolder(), freshFolder()];
    const [recipe] = [smooth, rough].map((folder) => writeLiveRecipe(folder, bank, changes));
    expect((await run(calm, smooth, "train", recipe, "--out", "run", "--concurrency", "3")).code).toBe(0);
    for (const after of [60, 150, 260]) {
      const { child, ended } = startCommand(command, ["train", "live-test.json", "--out", "run"], rough, {
        env: liveEnvironment(disturbed.url),
      });
      const isOver = ended.then(() => true);
      while (disturbed.log.length < after && !(await Promise.race([isOver, wait(5)])));
      child.kill("SIGKILL");
      await ended;
    }
    const last = await run(disturbed, rough, "train", "live-test.json", "--out", "run", "--json");
    expect(last.code, last.stderr).toBe(0);
    const [whole, pieced] = [smooth, rough].map((folder) => resultsIn(join(folder, "run")));
    // Readable files first, for a readable difference.
    expect(pieced.get("metrics.jsonl")).toBe(whole.get("metrics.jsonl"));
    expect([...pieced]).toEqual([...whole]);

    // A reply that arrived whole is never asked for again, but for those in the air when a kill came, and empty ones.
    const answered = new Map<string, number>();
    for (const { body, status, fault } of disturbed.log) {
      if (status !== 200 || (fault !== undefined && !oddReplies.includes(fault)) || fault === odd["null content"])
        continue;
      const key = canonicalJson(body);
      answered.set(key, (answered.get(key) ?? 0) + 1);
    }
    const again = [...answered.values()].reduce((sum, times) => sum + times - 1, 0);
    expect(again).toBeLessThanOrEqual(3 * 16);
    const { calls } = jsonOf(last).paid;
    expect(disturbed.log.length).toBeLessThanOrEqual((calls + 3 * 16) * (1 + 8));
  });

  it("Ctrl-C stops politely with 130, and the same command goes on", async () => {
    const server = await serve({ delayMs: 4 });
    const folder = freshFolder();
    const recipe = writeLiveRecipe(folder, bank);
    const { child, ended } = startCommand(command, ["train", recipe, "--out", "run", "--json"], folder, {
      env: liveEnvironment(server.url),
    });
    while (server.log.length < 60) await wait(5);
    child.kill("SIGINT");
    const stopped = await ended;
    expect(stopped.code, stopped.stderr).toBe(130);
    expect(jsonOf(stopped)).toMatchObject({ interrupted: true });
    const done = await run(server, folder, "train", recipe, "--out", "run", "--json");
    expect(done.code, done.stderr).toBe(0);
    // C32: what both parts paid.
    const { calls, tokens, cost } = jsonOf(done).paid;
    const { calls: whole } = charged(server.log);
    expect(calls).toBeLessThanOrEqual(whole);
    expect(calls).toBeGreaterThanOrEqual(whole - 16);
    expect(tokens).toBeGreaterThan(0);
    expect(cost).toBeGreaterThan(0);
  });
});

describe("what calls cost", () => {
  let server: ModelServer;
  let folder: string;
  let first: Ended;
  const evaluate = (...more: string[]): Promise<Ended> => run(server, folder, "evaluate", "run", "--json", ...more);
  // 200 episodes: 2 methods × 2 cells × 50.
  const sweep = ["--methods", "vote-first,complete", "--episodes", "50", "--out", "judged"];
  let estimates: { least: Bill; most: Bill; likely?: Bill }[];
  interface Bill {
    calls: number;
    tokens: number;
    cost: number;
  }

  beforeAll(async () => {
    server = await serve();
    folder = freshFolder();
    const recipe = writeLiveRecipe(folder, bank, { split: { train: 0.3, validation: 0.2, test: 0.5 } });
    expect((await run(server, folder, "train", recipe, "--out", "run")).code).toBe(0);
    estimates = [];
    estimates.push(jsonOf(await evaluate(...sweep, "--dry-run")).estimate);
    estimates.push(
      jsonOf(
        await runCommand(command, ["evaluate", "run", "--json", ...sweep, "--pilot", "--out", "pilot"], folder, {
          ...liveEnvironment(server.url),
          COLLOQUY_CACHE: "pilot-cache",
        }),
      ).estimate,
    );
    const before = server.log.length;
    first = await evaluate(...sweep);
    server.log.slice(before);
    bill = charged(server.log.slice(before));
    requests = server.log.length;
  });
  let bill: Bill;
  let requests: number;

  it("calls, tokens and cost equal the server's own log exactly", () => {
    expect(first.code, first.stderr).toBe(0);
    const ledger = readdirSync(join(folder, "judged")).find((name) => name.startsWith("calls-evaluate-"))!;
    const calls = readFileSync(join(folder, "judged", ledger), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(calls.length).toBe(bill.calls);
    expect(calls.reduce((sum, { usage }) => sum + usage.prompt + usage.completion, 0)).toBe(bill.tokens);
    expect(calls.reduce((sum, { cost }) => sum + cost, 0)).toBeCloseTo(bill.cost, 10);
    expect(first.stderr).toContain(`Paid: ${bill.calls.toLocaleString("en-US")} calls`);
  });

  it("a method is charged for all its calls, those it shares with others included", () => {
    const rows: { method: string; n: number; callsTotal: number; tokensTotal: number; costTotal: number }[] =
      jsonOf(first).rows;
    for (const { method, n, callsTotal, costTotal, tokensTotal } of rows) {
      expect(callsTotal).toBe(n * (method === "complete" ? 12 : 4));
      expect(costTotal).toBeGreaterThan((tokensTotal * price.input) / 1e6);
    }
  });

  it("the range of a dry run holds the bill, and sends nothing", () => {
    const [{ least, most }] = estimates;
    for (const what of ["calls", "tokens", "cost"] as const) {
      expect(least[what]).toBeLessThanOrEqual(bill[what]);
      expect(most[what]).toBeGreaterThanOrEqual(bill[what]);
    }
  });

  it("a pilot of 20 calls is within 15 % of it", () => {
    for (const what of ["calls", "tokens", "cost"] as const)
      expect(Math.abs(estimates[1].likely![what] / bill[what] - 1)).toBeLessThan(0.15);
  });

  it("what the cache holds costs nothing: the same sweep again sends no request and finds the same", async () => {
    const again = await evaluate(...sweep.slice(0, -1), "judged again");
    expect(again.code, again.stderr).toBe(0);
    expect(server.log.length).toBe(requests);
    expect(again.stderr).toMatch(/Paid: 0 calls \([\d,]+ more from the cache\), 0 tokens, \$0\.00/);
    expect(jsonOf(again).rows).toEqual(jsonOf(first).rows);
  });
});

describe("limits", () => {
  it("C30: stops at --max-calls with what was spent, exit code 1, and goes on from there with a higher one", async () => {
    const server = await serve();
    const folder = freshFolder();
    const recipe = writeLiveRecipe(folder, bank);
    const stopped = await run(
      server,
      folder,
      "train",
      recipe,
      "--out",
      "run",
      "--max-calls",
      "10",
      "--concurrency",
      "4",
    );
    expect(stopped.code).toBe(1);
    expect(server.log.length).toBe(10);
    expect(stopped.stderr).toMatch(
      /the limit of 10 calls \(--max-calls\) is reached\. So far: \d+ calls( \(\d+ more from the cache\))?, [\d,]+ tokens, \$/,
    );
    const whole = await run(server, folder, "train", recipe, "--out", "run", "--json");
    expect(whole.code, whole.stderr).toBe(0);
    expect(jsonOf(whole).paid.calls).toBe(server.log.length);
  });

  it.skipIf(!hasTerminal)(
    "ends on a terminal, too, and gives the cursor back (skipped: no pseudo-terminal here)",
    async () => {
      const server = await serve();
      const folder = freshFolder();
      const recipe = writeLiveRecipe(folder, bank);
      const typed = `${process.execPath} ${command.path} train ${recipe} --out run --max-calls 60`;
      const { child, ended } = startProgram(
        "script",
        ["-qec", typed, "/dev/null"],
        folder,
        liveEnvironment(server.url),
      );
      const timer = setTimeout(() => child.kill("SIGKILL"), 30_000);
      const { code, stdout } = await ended;
      clearTimeout(timer);
      expect(code).toBe(1);
      expect(stdout).toContain("--max-calls");
      const [hidden, shown] = ["l", "h"].map((end) => stdout.lastIndexOf(`\u001b[?25${end}`));
      expect(shown).toBeGreaterThanOrEqual(hidden);
    },
  );

  it("--max-tokens and --max-cost overshoot by no more than the calls under way", async () => {
    for (const [flag, limit] of [
      ["--max-tokens", "3000"],
      ["--max-cost", "0.01"],
    ]) {
      const server = await serve();
      const folder = freshFolder();
      const stopped = await run(
        server,
        folder,
        "train",
        writeLiveRecipe(folder, bank),
        flag,
        limit,
        "--concurrency",
        "2",
      );
      expect(stopped.code).toBe(1);
      expect(stopped.stderr).toContain(flag);
      const size = ({ tokens, cost }: ReturnType<typeof charged>): number => (flag === "--max-tokens" ? tokens : cost);
      const largest = Math.max(...server.log.map((entry) => size(charged([entry]))));
      expect(size(charged(server.log))).toBeLessThan(Number(limit) + 2 * largest);
    }
  });

  it("--max-cost is refused where a model's price is not known", async () => {
    const server = await serve();
    const folder = freshFolder();
    const recipe = writeLiveRecipe(folder, bank, { calls: {} });
    const refused = await run(server, folder, "train", recipe, "--max-cost", "1");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/the price of model "debater" is not known/);
    expect(server.log).toEqual([]);
  });

  it("C24: a quota that is used up stops the run at once, says so, and leaves it to be gone on with", async () => {
    const server = await serve({ faults: (index) => (index >= 12 ? lasting.quota : undefined) });
    const folder = freshFolder();
    const recipe = writeLiveRecipe(folder, bank);
    const stopped = await run(server, folder, "train", recipe, "--out", "run", "--concurrency", "1");
    expect(stopped.code).toBe(1);
    expect(server.log.length).toBe(13);
    expect(stopped.stderr).toMatch(/quota/);
    const healthy = await serve();
    expect((await run(healthy, folder, "train", recipe, "--out", "run")).code).toBe(0);
  });

  it("C22: a server that asks for an hour ends the run, saved", async () => {
    const server = await serve({
      faults: (index) =>
        index === 5
          ? { kind: "answer", status: 429, headers: { "retry-after": "3600" }, body: { error: { message: "slow" } } }
          : undefined,
    });
    const folder = freshFolder();
    const stopped = await run(server, folder, "train", writeLiveRecipe(folder, bank), "--concurrency", "1");
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toMatch(/3,?600/);
    expect(server.log.length).toBe(6);
  });
});

describe("a server that fails at everything", () => {
  let healthy: ModelServer;
  let broken: ModelServer;
  let folder: string;
  let recipe: string;
  beforeAll(async () => {
    healthy = await serve();
    broken = await serve({ faults: () => passing["500"] });
    folder = freshFolder();
    recipe = writeLiveRecipe(folder, bank, { calls: { retries: 0, prices: { debater: price } } });
  });

  it("stops training, saved, with the reason; the same command goes on once it is well", async () => {
    const stopped = await run(broken, folder, "train", recipe, "--out", "run");
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toMatch(/all 8 episodes of update 1 failed, the first: agent \d failed in round 1: .*500/);
    const done = await run(healthy, folder, "train", recipe, "--out", "run");
    expect(done.code, done.stderr).toBe(0);
  });

  it("never takes the place of good results, nor of a good bank", async () => {
    expect((await run(healthy, folder, "evaluate", "run", "--out", "judged")).code).toBe(0);
    const good = readFileSync(join(folder, "judged", "results.json"), "utf8");
    const failed = await run(broken, folder, "evaluate", "run", "--out", "judged", "--set", "seed=5", "--seeds", "5");
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/all episodes of .* failed, the last: .*500/);
    expect(readFileSync(join(folder, "judged", "results.json"), "utf8")).toBe(good);
    expect((await run(healthy, folder, "record", recipe, "--out", "made.jsonl", "--limit", "2")).code).toBe(0);
    const bankFile = readFileSync(join(folder, "made.jsonl"), "utf8");
    for (const more of [
      ["--set", "seed=9"],
      ["--limit", "3"],
    ]) {
      const refused = await run(broken, folder, "record", recipe, "--out", "made.jsonl", "--limit", "2", ...more);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/holds something else/) });
    }
    expect(readFileSync(join(folder, "made.jsonl"), "utf8")).toBe(bankFile);
  });
});

describe("a server's words", () => {
  it("reach no terminal as commands, and no error as long as they are", async () => {
    const codes = "\u001b]0;title\u0007\u001b[2J\u009b31m";
    const folder = freshFolder();
    const recipe = writeLiveRecipe(folder, bank, { calls: { retries: 0 } });
    for (const body of [codes.repeat(3), "<".repeat(400_000), { error: { message: `${codes} no` } }]) {
      const server = await serve({
        faults: () => ({ kind: "answer", status: 400, body }),
        reply: () => `${codes}ANSWER: A`,
      });
      const ended = await run(server, folder, "train", recipe, "--out", "run");
      expect(ended.code).toBe(1);
      expect(/[^\P{Cc}\n\t\r]/u.test(`${ended.stdout}${ended.stderr}`)).toBe(false);
      expect(ended.stderr.length).toBeLessThan(5_000);
    }
    const server = await serve({ reply: () => `${codes}ANSWER: Jup${codes}iter` });
    const asked = ["run", join(process.cwd(), "checkpoints/recorded"), "--model", "m", "--question", `Which${codes}?`];
    const { stdout } = await run(server, folder, ...asked);
    expect(/[^\P{Cc}\n\t]/u.test(stdout)).toBe(false);
  });
});

describe("the key", () => {
  it("is in no output, log, record, cache or checkpoint, whatever goes wrong", async () => {
    const names = Object.keys(faultsByName);
    for (const wrongKey of [false, true]) {
      const server = await startModelServer({
        reply,
        ...(wrongKey ? { apiKey: "another" } : {}),
        faults: (index) => (index % 3 === 1 ? faultsByName[names[Math.floor(index / 3) % names.length]] : undefined),
      });
      servers.push(server);
      const folder = freshFolder();
      const recipe = writeLiveRecipe(folder, bank, {
        calls: { timeoutSeconds: 0.3, retries: 2, prices: { debater: price } },
        train: { steps: 2, starts: 2, samples: 2, validation: { every: 2, episodes: 2 } },
      });
      const ended = [
        await run(server, folder, "train", recipe, "--out", "run"),
        await run(server, folder, "record", recipe, "--out", "bank.jsonl", "--limit", "2"),
        await run(server, folder, "doctor", "--model", "debater"),
      ];
      for (const { stdout, stderr } of ended) expect(`${stdout}${stderr}`).not.toContain(secret.slice(3));
      for (const [name, content] of filesIn(folder)) expect(content.includes(secret.slice(3)), name).toBe(false);
      expect(server.log.every(({ headers }) => headers.authorization === `Bearer ${secret}`)).toBe(true);
    }
  });
});

describe("record", () => {
  it("writes a bank that training goes on with, offline", async () => {
    const server = await serve();
    const folder = freshFolder();
    const recipe = writeLiveRecipe(folder, bank);
    const recorded = await run(server, folder, "record", recipe, "--out", "made.jsonl", "--json");
    expect(recorded.code, recorded.stderr).toBe(0);
    expect(jsonOf(recorded)).toMatchObject({ debates: 24 * 3, failed: 0 });
    expect(server.log.length).toBe(24 * 3 * 12);
    const fitted = await run(server, folder, "fit", "made.jsonl", "--json");
    expect(fitted.code, fitted.stderr).toBe(0);
    const offline = ["--set", "population.bank=made.jsonl", "--set", "train.steps=2", "--set", "evaluate.episodes=20"];
    const trained = await run(
      server,
      folder,
      "train",
      "recorded",
      ...offline,
      "--set",
      "train.starts=4",
      "--out",
      "offline",
    );
    expect(trained.code, trained.stderr).toBe(0);
    expect(server.log.length).toBe(24 * 3 * 12);
  });
});

describe("run", () => {
  let server: ModelServer;
  let folder: string;
  beforeAll(async () => {
    server = await serve();
    folder = freshFolder();
    expect((await run(server, folder, "train", writeLiveRecipe(folder, bank), "--out", "run")).code).toBe(0);
    expect((await run(server, folder, "export", "run", "--out", "policy")).code).toBe(0);
  });

  it("shows what each agent says, whom it has heard, and what weighs how much in the end", async () => {
    const { text, options, gold } = bank.debates[0].question;
    const ended = await run(server, folder, "run", "policy", "--question", text, "--options", options.join("|"));
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toContain(`(${gold}) `);
    expect(ended.stdout).toMatch(/Round 1: everyone alone\n {2}agent \d \([\w ]+\): [A-D]\n {4}\S/);
    expect(ended.stdout).toMatch(/\nAnswer: [A-D]\n {2}weights [A-D] \d/);
    expect(ended.stderr).toMatch(/Paid: \d+ calls/);
  });

  it("answers a file of questions for programs, one line each, in order", async () => {
    const ended = await run(
      server,
      folder,
      "run",
      "policy",
      "--questions",
      "questions.jsonl",
      "--limit",
      "5",
      "--json",
    );
    expect(ended.code, ended.stderr).toBe(0);
    const lines = ended.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ question }) => question)).toEqual([0, 1, 2, 3, 4].map((k) => `tiny-${k}`));
    for (const line of lines)
      expect(line).toMatchObject({ outcome: expect.stringMatching(/right|wrong/), calls: expect.any(Number) });
  });

  it("says what is missing", async () => {
    expect((await run(server, folder, "run", "policy")).stderr).toMatch(/--question TEXT/);
    const simulated = await run(
      server,
      folder,
      "run",
      join(process.cwd(), "checkpoints/quickstart"),
      "--model",
      "m",
      "--question",
      "?",
    );
    expect(simulated).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/simulated agents, which speak no words/),
    });
    expect(existsSync(join(folder, ".colloquy"))).toBe(true);
  });
});

const wait = (ms: number): Promise<false> => new Promise((resolve) => setTimeout(() => resolve(false), ms));
