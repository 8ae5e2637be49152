import { execFile, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type * as tfjs from "@tensorflow/tfjs";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { tinyBank } from "../benchmarks/speed/tiny-bank.ts";
import { findTrained, runEpisode } from "../src/assemble/index.ts";
import { describeError } from "../src/base/errors.ts";
import { appendJsonLines, readJsonLines } from "../src/base/jsonl.ts";
import { createRng } from "../src/base/rng.ts";
import { readCheckpoint, writeCheckpoint } from "../src/checkpoint/folder.ts";
import { manifestSchema } from "../src/checkpoint/manifest.ts";
import { runEvaluation } from "../src/cli/run-evaluation.ts";
import { runTraining } from "../src/cli/run-training.ts";
import type { Environment } from "../src/contracts/environment.ts";
import type { ChatRequest, LanguageModel } from "../src/contracts/language-model.ts";
import type { Question } from "../src/contracts/task.ts";
import type { EpisodeRecord } from "../src/contracts/trace.ts";
import { collectResults, compare, consoleResults, type Play, reduceEpisode } from "../src/evaluate/index.ts";
import { describeTotals } from "../src/llm/index.ts";
import { openLedger } from "../src/llm/money/ledger.ts";
import { costOf } from "../src/llm/money/prices.ts";
import { type AttemptSettings, createAttempts } from "../src/llm/retry/attempts.ts";
import { retried } from "../src/llm/retry/retried.ts";
import { resolveEndpoint } from "../src/llm/server/endpoint.ts";
import { toFailure } from "../src/llm/server/failures.ts";
import { type OpenaiSettings, openaiClient } from "../src/llm/server/openai.ts";
import { openAccount, openStack } from "../src/llm/stack.ts";
import { logProbabilities, openBackend } from "../src/nets/index.ts";
import { type LanguageTeamSettings, languagePopulation } from "../src/populations/index.ts";
import { findPython } from "../src/tasks/code/find-python.ts";
import { createCodeGrader } from "../src/tasks/code/grade-code.ts";
import { grade } from "../src/tasks/grade.ts";
import { openTask } from "../src/tasks/open-task.ts";
import { readReply } from "../src/tasks/read-reply.ts";
import type { TaskSettings } from "../src/tasks/task-settings.ts";
import { graphFromEdges, topologies } from "../src/topology/index.ts";
import { computeAdvantages, emptyMemory } from "../src/train/baseline.ts";
import { type TrainProgress, train } from "../src/train/index.ts";
import { type BuiltCommand, buildCommand, runCommand } from "./support/built-command.ts";
import { bundleScript, freshFolder } from "./support/child.ts";
import { errorOf } from "./support/error-of.ts";
import { type Game, gameQuestions, gameWorld } from "./support/game-world.ts";
import { liveEnvironment, price, writeLiveRecipe } from "./support/live-run.ts";
import { type Completion, type Fault, rateLimit, refuse } from "./support/model-faults.ts";
import { type ModelServer, type ModelServerSettings, startModelServer } from "./support/model-server.ts";
import { createTestTime } from "./support/test-time.ts";
import { type ToySettings, toyTraining } from "./support/toy-training.ts";
import { choice, deliberate, opinionated, scripted, startOf } from "./support/worlds.ts";

/*
 * Small inputs behind public reports by people who do this job, each with its right outcome. An index: the whole kind of
 * each case is tested next to the code it is about.
 */

const optionsOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `option number ${i + 1}`);
const asChoice = (options = 4): Question => ({ ...choice, options: optionsOf(options), gold: "B" });
const asNumber = (gold: string): Question => ({ id: "n", text: "How many?", options: [], gold, kind: "number" });

const read = (question: Question, text: string) => readReply(question, { text, finish: "stop" });
/** The letter or number that is read, else the status. */
const answerOf = (question: Question, text: string): string => {
  const { answer, status } = read(question, text);
  return answer ?? status;
};
const isRight = (gold: string, text: string): boolean => grade(asNumber(gold), read(asNumber(gold), text).answer);

describe("reading answers", () => {
  it.each([
    ["ANSWER: **A**", "A"],
    ["ANSWER: $A$", "A"],
    ["Answer: (B).", "B"],
    ["**B**", "B"],
  ])("C01: bold, LaTeX and brackets around the letter are seen through: %s", (text, answer) => {
    expect(read(asChoice(), text)).toEqual({ status: "parsed", answer });
  });

  it("C02: a cue is followed by a letter that stands alone, never by the first letter of a word", () => {
    const text = "The calculated answer is 11.\nAnswer seems to be A.\nAnswer: A";
    expect(answerOf(asChoice(), text)).toBe("A");
    expect(answerOf(asChoice(26), text)).toBe("A");
  });

  it("C03: the stated answer beats letters named after it, and the pronoun I is no option", () => {
    expect(answerOf(asChoice(), "The answer is B. Note that A is a common distractor.")).toBe("B");
    expect(answerOf(asChoice(10), "The answer is C because I computed it.")).toBe("C");
  });

  it.each([
    ["d", "D"],
    ["b. 4", "B"],
    ["The answer is B because a car moves.", "B"],
  ])("C04: lower case is read and the article is not: %s", (text, answer) => {
    expect(answerOf(asChoice(), text)).toBe(answer);
  });

  it.each([["\\boxed{C} … so \\boxed{\\text{E}}"], ["\\boxed{E: a risk score}"]])(
    "C05: the last box whose braces close is read, nested or with the option's text: %s",
    (text) => expect(answerOf(asChoice(5), text)).toBe("E"),
  );

  it.each([
    ["\\boxed{8,000}", "8000"],
    ["$9{,}500", "9500"],
    ["The answer is 1,234.", "1234"],
    ["70,000 dollars", "70000"],
  ])("C06: separators of thousands do not cut a number: %s", (text, answer) => {
    expect(answerOf(asNumber("0"), text)).toBe(answer);
  });

  it("C07: a comma behind the last number does not empty the answer", () => {
    expect(answerOf(asNumber("0"), "The total is 72 clips, altogether.")).toBe("72");
  });

  it.each([
    ["5", "The answer is 25", false],
    ["-5", "5", false],
    ["-5", "it is -5 exactly", true],
    ["3.14", "33.14", false],
  ])("C08: numbers are compared whole and with their sign: %s and %j", (gold, text, right) => {
    expect(isRight(gold, text)).toBe(right);
  });

  it("C09: a number before ! ? : ) ] is kept, and 72.0 equals 72", () => {
    for (const text of ["The answer is 42!", "The answer is (42).", "42?", "[42]", "42: that is it"])
      expect([text, answerOf(asNumber("0"), text)]).toEqual([text, "42"]);
    expect(isRight("72", "72.0")).toBe(true);
  });

  it.each([
    [asNumber("0"), "I do not know", "unparsed"],
    [asChoice(), "", "empty"],
  ])("C10: a reply without an answer earns nothing and is counted and shown: %#", async (question, text, status) => {
    const reading = read(question, text);
    expect(reading).toEqual({ status, answer: null });
    expect(grade(question, reading.answer)).toBe(false);
    const world = deliberate({ population: scripted(() => ({ ...reading, text })), embedder: null });
    const record = await runEpisode(world, opinionated(world), startOf(question));
    expect(record).toMatchObject({ utility: 0, outcome: "unparsed", answer: null });
    expect(show([playOf("learned", [record])])).toContain("right/all 0/1, right/answered 0/0, errors=0, unparsed=1");
  });

  it("C11: a gold answer may be 0 to 3 or a letter, and what fits neither is an error with line and field", async () => {
    const rows = (...answers: unknown[]) => jsonLines(answers.map((answer) => ({ question: "q", choices, answer })));
    const choices = ["w", "x", "y", "z"];
    expect((await open(rows(2, "C"))).questions.map(({ gold }) => gold)).toEqual(["C", "C"]);
    await expect(open(rows("C", 7))).rejects.toThrow(/line 2: field "answer" is 7/);
  });

  it("C12: an option that reads None is an option, in the file and in the prompt", async () => {
    const { questions } = await open('"How many?",None,Two,One,Three,A\n', {}, "q.csv");
    expect(questions).toMatchObject([{ options: ["None", "Two", "One", "Three"], gold: "A" }]);
    const asked: ChatRequest[] = [];
    const model = spy(asked);
    await askAgent({ models: [{ model, name: "m" }] }, questions[0]);
    expect(asked[0].messages.at(-1)!.content).toMatch(/\(?A[).:]\s*None\n/);
  });
});

const python = await findPython().catch(() => null);

/** Opens a file with this content in a folder of its own. */
function open(content: string | Uint8Array, settings: Partial<TaskSettings> = {}, name = "questions.jsonl") {
  const file = join(freshFolder(), name);
  writeFileSync(file, content);
  return openTask({ file, ...settings });
}

const jsonLines = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

const whole = { finish: "stop", refused: false, cost: null, cached: false } as const;

/** A model that keeps what it was asked. */
const spy = (asked: ChatRequest[]): LanguageModel => ({
  complete: async (request) => {
    asked.push(request);
    return { ...whole, text: "ANSWER: A", usage: null };
  },
});

/** One turn of one agent of a team. */
function askAgent(settings: Omit<LanguageTeamSettings, "task">, question: Question, agent = 0, round = 1) {
  const member = languagePopulation({ task: "mmlu", ...settings }).team(question, agent + 1, createRng(1))[agent];
  return member.respond({ question, round, heard: [], own: null, rng: createRng(2) });
}

describe("data files", () => {
  it("C13: without a header row 1 is a question, a header is none, and quoted text keeps its line breaks", async () => {
    const row = '"Line one\nline two, said ""x""",1,2,3,4,B\n';
    for (const header of ["", "question,A,B,C,D,answer\n"]) {
      const { questions } = await open(header + row, {}, "q.csv");
      expect(questions).toMatchObject([
        { text: 'Line one\nline two, said "x"', options: ["1", "2", "3", "4"], gold: "B" },
      ]);
    }
  });

  it("C14: a byte-order mark, CRLF and a blank last line lose no record", async () => {
    const line = '{"question":"q","answer":"#### 18"}\r\n';
    const bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(`${line}${line}\r\n`)]);
    for (const settings of [{}, { name: "gsm8k" }])
      expect((await open(bytes, settings)).questions.map(({ gold }) => gold)).toEqual(["18", "18"]);
  });

  it("C15: a file is unzipped by its first bytes, whatever its name says", async () => {
    const text = jsonLines([
      { task_id: "HumanEval/0", prompt: "def f():\n", entry_point: "f", test: "def check(c): assert c() == 1" },
    ]);
    const plain = await open(text, { name: "humaneval" }, "HumanEval.jsonl.gz");
    expect(plain.questions).toHaveLength(1);
    expect(await open(gzipSync(text), { name: "humaneval" }, "x.jsonl")).toEqual(plain);
  });

  it.skipIf(python === null)(
    "C16: fenced, body alone or whole function: all three pass (needs Python 3.8 or later)",
    async () => {
      const code = {
        prompt: 'def add(a, b):\n    """Adds two numbers."""\n',
        entryPoint: "add",
        test: "def check(candidate):\n    assert candidate(1, 2) == 3\n",
      };
      const question: Question = { id: "add", text: code.prompt, options: [], gold: null, kind: "code", code };
      const judge = createCodeGrader({ allowed: true, python: python!.path });
      for (const text of [
        "Sure:\n```python\ndef add(a,b):\n    return a+b\n```",
        "    return a+b",
        "def add(a,b):\n    return a+b",
      ])
        expect([text, await judge(question, answerOf(question, text))]).toEqual([text, true]);
      expect(await judge(question, answerOf(question, "    return a-b"))).toBe(false);
    },
  );
});

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(settings: ModelServerSettings = {}): Promise<ModelServer> {
  const server = await startModelServer(settings);
  servers.push(server);
  return server;
}

const answer = (body: unknown, status = 200, headers?: Record<string, string>): Fault => ({
  kind: "answer",
  status,
  headers,
  body,
});

const hello: ChatRequest = { model: "m", messages: [{ role: "user", content: "Which one?" }], sample: 0 };

/** The whole stack around a client of a server: cache, budget, retries, ledger. */
function openLive(
  server: ModelServer,
  settings: Partial<OpenaiSettings & AttemptSettings> & { readonly cacheFolder?: string } = {},
) {
  const { cacheFolder = null } = settings;
  const notices: string[] = [];
  const onNotice = (notice: string): unknown => notices.push(notice);
  const account = openAccount({ cacheFolder, ledgerPath: null, models: ["m"], prices: { m: price }, onNotice });
  const attempts = {
    retries: 3,
    longestWaitMs: 60_000,
    baseDelayMs: 1,
    lanes: 8,
    rng: createRng(1),
    ...settings,
  };
  const model = openStack(
    { kind: "openai", baseURL: server.url, onNotice, ...settings, attempts: { ...attempts, onNotice } },
    account,
  );
  return { model, account, notices, totals: () => account.ledger.totals() };
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => {
      throw new Error("nothing failed");
    },
    (error: unknown) =>
      errorOf(() => {
        throw error;
      }),
  );

describe("model servers", () => {
  it.each([
    ["reasoning_content", "length", "truncated"],
    ["reasoning", "length", "truncated"],
    ["reasoning_content", "stop", "empty"],
  ])("C17: content null with %s and finish %s is %s, never an answer", async (field, finish_reason, status) => {
    const message = { role: "assistant", content: null, [field]: "…so B" };
    const server = await serve({ faults: () => answer({ choices: [{ message, finish_reason }] }) });
    const { model, totals } = openLive(server);
    const utterance = await askAgent({ models: [{ model, name: "m" }] }, asChoice());
    expect(utterance).toMatchObject({ status, answer: null, text: "" });
    expect(utterance.finish).toBe(finish_reason === "length" ? "length" : undefined);
    expect(totals().finishes).toMatchObject({ [finish_reason]: 1 });
  });

  it.each([[undefined], [{ prompt_tokens: 0, completion_tokens: 400, total_tokens: 400 }]])(
    "C18: with the usage %j totals stay finite, and tokens and cost are unknown rather than 0",
    async (usage) => {
      const change = (completion: Completion): unknown => ({ ...completion, usage });
      const { model, totals } = openLive(await serve({ faults: () => ({ kind: "change", change }) }));
      expect(await model.complete(hello)).toMatchObject({ usage: null, cost: null });
      expect(describeTotals(totals())).toBe("1 call, tokens unknown, cost unknown; 1 call without usage");
      const { cost, tokens, estimate } = totals();
      for (const sum of [cost, tokens.prompt, tokens.completion, estimate.tokens, estimate.cost])
        expect(Number.isFinite(sum)).toBe(true);
    },
  );

  it.each([
    [{ error: { message: "rate limit exceeded" } }, "rate limit exceeded"],
    [{ choices: null }, '{"choices":null}'],
  ])("C19: status 200 with %j is an error that is shown, retried and never kept", async (body, shown) => {
    const server = await serve({ faults: (index) => (index === 0 || index === 1 ? answer(body) : undefined) });
    const { model, totals } = openLive(server, { retries: 0 });
    const error = await failureOf(model.complete(hello));
    expect(error.code).toMatch(/^llm\/(server|rate-limit)$/);
    expect(error.message).toContain(shown);
    expect(totals().calls).toBe(0);
    const patient = openLive(server, { retries: 1 });
    expect((await patient.model.complete(hello)).text).toContain("Answer");
    expect((await patient.model.complete(hello)).cached).toBe(true);
    expect(server.log).toHaveLength(3);
  });

  it("C20: parameters a model refuses are left out after one more request each, remembered, and named", async () => {
    const newer = await serve({
      faults: (_, body) =>
        "max_tokens" in body
          ? refuse(400, { param: "max_tokens", code: "unsupported_parameter" })
          : "temperature" in body
            ? refuse(400, { param: "temperature" })
            : undefined,
    });
    const request = { ...hello, maxTokens: 50, temperature: 0.7 };
    const { model, notices } = openLive(newer);
    await model.complete(request);
    expect(newer.log.map(({ status }) => status)).toEqual([400, 400, 200]);
    await model.complete({ ...request, sample: 1 });
    expect(newer.log).toHaveLength(4);
    expect(newer.log[3].body).toMatchObject({ max_completion_tokens: 50 });
    expect(notices.join("\n")).toMatch(/"tokensParameter: max_completion_tokens".*"omit: \[temperature\]"/s);
    const told = openLive(newer, { tokensParameter: "max_completion_tokens", omit: ["temperature"] });
    await told.model.complete(request);
    expect(newer.log).toHaveLength(5);
    const older = await serve({
      faults: (_, body) => ("max_completion_tokens" in body ? refuse(400, { message: "unknown field" }) : undefined),
    });
    await openLive(older).model.complete(request);
    expect(older.log[0].body).toMatchObject({ max_tokens: 50 });
  });

  it("C21: a base URL with or without /v1 or a last slash means the same, and a 404 names what was tried", async () => {
    const forms = ["", "/", "/v1", "/v1/"];
    for (const form of forms) expect(resolveEndpoint(`http://h:1${form}`)).toBe("http://h:1/v1");
    const server = await serve();
    const root = server.url.replace(/\/v1$/, "");
    for (const form of forms) await openaiClient({ baseURL: root + form }).complete(hello);
    expect(new Set(server.log.map(({ path }) => path))).toEqual(new Set(["/v1/chat/completions"]));
    const error = await failureOf(openaiClient({ baseURL: `${root}/api` }).complete(hello));
    expect(error).toMatchObject({ code: "llm/not-found", endsRun: true });
    expect(error.message).toContain(`${root}/api/chat/completions`);
  });

  it.each([
    ["retry-after: 2", () => ({ "retry-after": "2" }), 2000],
    ["retry-after-ms: 1500", () => ({ "retry-after-ms": "1500" }), 1500],
    // Whole seconds: up to one is lost.
    ["retry-after: an HTTP date", () => ({ "retry-after": new Date(Date.now() + 21_000).toUTCString() }), 20_000],
  ])("C22: a 429 with %s is waited out", async (_, headers, ms) => {
    const time = createTestTime();
    const server = await serve({ faults: (index) => (index === 0 ? rateLimit(headers()) : undefined) });
    await openLive(server, time).model.complete(hello);
    expect(server.log).toHaveLength(2);
    expect(time.clock.elapsedMs()).toBeGreaterThanOrEqual(ms);
    expect(time.clock.elapsedMs()).toBeLessThan(ms * 1.05 + 1000);
  });

  it("C22: a 429 with retry-after: 3600 ends the run at once, which can be gone on with", async () => {
    const time = createTestTime();
    const server = await serve({ faults: () => rateLimit({ "retry-after": "3600" }) });
    const error = await failureOf(openLive(server, time).model.complete(hello));
    expect(error).toMatchObject({ code: "llm/wait", endsRun: true });
    expect(describeError(error)).toMatch(/3600 s.* 60 s.*run the same command again/s);
    expect(server.log).toHaveLength(1);
    expect(time.clock.elapsedMs()).toBe(0);
  });

  it("C23: a minute of 429 meets one retry layer: all lanes pause, one request tries, at times that vary", async () => {
    const retries = 4;
    const outlast = async (seed: number): Promise<number[]> => {
      const time = createTestTime();
      const sentMs: number[] = [];
      const server: LanguageModel = {
        async complete() {
          sentMs.push(time.clock.elapsedMs());
          await time.sleep(10);
          if (time.clock.elapsedMs() >= 60_000) return { ...whole, text: "B", usage: null };
          throw toFailure({ status: 429, headers: new Headers(), body: "" }, { url: "http://h:1/v1" }, 0);
        },
      };
      const attempts = createAttempts({ retries, longestWaitMs: 120_000, lanes: 64, rng: createRng(seed), ...time });
      const model = retried(server, attempts);
      for (let round = 0; round < 4; round++)
        await Promise.all(Array.from({ length: 50 }, () => model.complete(hello)));
      return sentMs;
    };
    const [one, other] = [await outlast(1), await outlast(2)];
    expect(one.length).toBeLessThanOrEqual(50 * 4 * (1 + retries));
    const during = one.filter((ms) => ms > 0 && ms < 60_000);
    expect(new Set(during).size).toBe(during.length);
    expect(during.length).toBeLessThan(20);
    expect(other.filter((ms) => ms > 0 && ms < 60_000)).not.toEqual(during);
  });

  it("C24: a used-up quota is one request, and the end of the run", async () => {
    const server = await serve({ faults: () => refuse(429, { code: "insufficient_quota" }) });
    const { model } = openLive(server);
    const error = await failureOf(model.complete(hello));
    expect(error).toMatchObject({ code: "llm/quota", endsRun: true });
    expect(describeError(error)).toContain("quota");
    await failureOf(model.complete({ ...hello, sample: 1 }));
    expect(server.log).toHaveLength(1);
  });

  it("C25: the timeout covers the body: 200 ms and then silence", async () => {
    const server = await serve({ faults: () => ({ kind: "stall" }) });
    const start = performance.now();
    const error = await failureOf(openLive(server, { timeoutMs: 200, retries: 0 }).model.complete(hello));
    expect(error.code).toBe("llm/timeout");
    expect(performance.now() - start).toBeGreaterThan(190);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it("C26: 500 calls on one signal give no warning and leave no listener", async () => {
    const server = await serve();
    const script = bundleScript(`
      import { getEventListeners } from "node:events";
      import { openaiClient } from "./llm/server/openai.ts";
      const model = openaiClient({ baseURL: ${JSON.stringify(server.url)} });
      const run = new AbortController();
      const hello = ${JSON.stringify(hello)};
      await Promise.all(Array.from({ length: 500 }, (_, seed) => model.complete({ ...hello, seed }, run.signal)));
      console.log(getEventListeners(run.signal, "abort").length);
    `);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--trace-warnings", script]);
    expect([stdout, stderr]).toEqual(["0\n", ""]);
    expect(server.log).toHaveLength(500);
  });

  it("C27: a server that drops the front of a prompt is found out by its count of tokens", async () => {
    const server = await serve({ reply: () => ({ text: "ANSWER: A", usage: { prompt_tokens: 2050 } }) });
    const { model } = openLive(server);
    const long = { ...asChoice(), text: "word ".repeat(6_200) };
    const warnings: string[] = [];
    const models = [{ model, name: "m" }];
    await askAgent({ models, onWarning: (warning) => warnings.push(warning) }, long, 2, 3);
    expect(warnings).toEqual([
      expect.stringMatching(/^prompt_truncated_by_server: agent 2, round 3: .*\b2050\b.*\b(7[89]|8[01])\d\d\b/),
    ]);
    await expect(askAgent({ models, truncatedPrompt: "fail" }, long)).rejects.toMatchObject({
      code: "agents/prompt-truncated",
    });
  });
});

const bank = tinyBank({ questions: 24, debates: 8 });
let built: BuiltCommand | undefined;
const command = (): BuiltCommand => {
  built ??= buildCommand();
  return built;
};
afterAll(() => built?.remove());

describe("money, cache, records", () => {
  it("C28: neither cached prompt tokens nor reasoning are priced twice", () => {
    const usage = { prompt: 2000, cachedPrompt: 500, completion: 300, reasoning: 200 };
    expect(costOf(usage, { input: 3, cachedInput: 0.3, output: 15 })).toBeCloseTo(0.00915, 12);
  });

  it("C29: model, temperature and seed are part of the cache's key, and a second run sends nothing", async () => {
    const server = await serve();
    const cacheFolder = freshFolder();
    const asked = [
      { model: "m1" },
      { model: "m2" },
      { model: "m1", temperature: 0 },
      { model: "m1", temperature: 0.7 },
      { model: "m1", seed: 1 },
      { model: "m1", seed: 2 },
    ];
    for (const run of [1, 2]) {
      const { model, account, totals } = openLive(server, { cacheFolder });
      for (const more of asked) await model.complete({ ...hello, ...more });
      expect(totals()).toMatchObject(run === 1 ? { calls: 6, cachedCalls: 0 } : { calls: 0, cachedCalls: 6 });
      account.close();
    }
    expect(server.log).toHaveLength(6);
  });

  it("C30: at a cap of 10 calls no further one starts, the run is saved, says what it spent, and goes on later", async () => {
    const server = await serve();
    const folder = freshFolder();
    const recipe = writeLiveRecipe(folder, bank, {
      team: { agents: 6, rounds: 3 },
      train: { steps: 1, starts: 4, samples: 1, validation: { every: 1, episodes: 1 } },
    });
    const run = (...args: string[]) =>
      runCommand(command(), ["train", recipe, "--out", "run", ...args], folder, liveEnvironment(server.url));
    const stopped = await run("--max-calls", "10", "--concurrency", "4");
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toMatch(/the limit of 10 calls \(--max-calls\) is reached\. So far: .* tokens, \$0\.\d+/);
    expect(server.log).toHaveLength(10);
    const done = await run("--json");
    expect(done.code, done.stderr).toBe(0);
    expect(JSON.parse(done.stdout.trim().split("\n").at(-1)!).paid.calls).toBe(server.log.length);
    // Nothing is asked twice: the ten replies were kept.
    expect(new Set(server.log.map(({ body }) => JSON.stringify(body))).size).toBe(server.log.length);
  });

  it("C31: errors stay in the denominator, both are shown, and unequal shares are not compared unless asked for", () => {
    const outcomes = Array.from({ length: 100 }, (_, i) => (i < 72 ? "right" : i < 90 ? "wrong" : "failed"));
    const flaky = playOf(
      "learned",
      outcomes.map((outcome, i) => recordOf(`q${i}`, outcome)),
    );
    const sound = playOf(
      "complete",
      outcomes.map((_, i) => recordOf(`q${i}`, i < 72 ? "right" : "wrong")),
    );
    const shown = show([flaky, sound]);
    expect(shown).toContain("right/all 72/100, right/answered 72/90, errors=10");
    expect(shown).toContain("No comparison: complete failed in 0 of 100 episodes and learned in 10");
    expect(errorOf(() => compare([flaky, sound], { rng: createRng(1) })).code).toBe("evaluate/error-shares");
    expect(compare([flaky, sound], { rng: createRng(1), allowErrorDifference: true })).toHaveLength(1);
  });

  it("C32: killed at item 50 of 100 and resumed, a run has the totals of an uninterrupted one", () => {
    const [folder, straight] = [freshFolder(), freshFolder()];
    const script = bundleScript(`
      import { openAccount, openStack } from "./llm/stack.ts";
      const [folder, last] = process.argv.slice(2);
      const settings = { models: ["m"], prices: { m: ${JSON.stringify(price)} }, onNotice: () => {} };
      const account = openAccount({ cacheFolder: folder, ledgerPath: folder + "/calls.jsonl", ...settings });
      const model = openStack({ kind: "scripted" }, account);
      for (let item = 1; item <= 100; item++) {
        await model.complete({ model: "m", messages: [{ role: "user", content: "Item " + item }], sample: 0 });
        if (item === Number(last)) process.kill(process.pid, "SIGKILL");
      }
    `);
    const play = (into: string, last: number) => spawnSync(process.execPath, [script, into, String(last)]);
    expect(play(folder, 50).signal).toBe("SIGKILL");
    const totals = (of: string) => openLedger(join(of, "calls.jsonl")).totals();
    expect(totals(folder).calls).toBe(50);
    expect(play(folder, 0).status).toBe(0);
    expect(play(straight, 0).status).toBe(0);
    expect(totals(folder)).toEqual(totals(straight));
    expect(totals(folder)).toMatchObject({ calls: 100, uncountedCalls: 0, unpricedCalls: 0 });
    expect(totals(folder).cost).toBeGreaterThan(0);
  });

  it.each([
    ["a torn last line", Buffer.from('{"ep":1}\n{"ep":2,"u'), [1, 3]],
    ["a tail inside a character", Buffer.from('{"ep":1}\n{"ep":2,"u":"é').subarray(0, -1), [1, 3]],
    ["a last line that lacks its newline alone", Buffer.from('{"ep":1}\n{"ep":2}'), [1, 2, 3]],
  ])("C33: %s is not glued to the next record", (_, content, episodes) => {
    const path = join(freshFolder(), "episodes.jsonl");
    writeFileSync(path, content);
    const writer = appendJsonLines(path);
    writer.append({ ep: 3 });
    writer.close();
    expect(readJsonLines(path).records).toEqual(episodes.map((ep) => ({ ep })));
  });

  it("C33: a damaged line in the middle is an error with its number", () => {
    const path = join(freshFolder(), "episodes.jsonl");
    writeFileSync(path, '{"ep":1}\n{"ep":2,"u\n{"ep":3}\n');
    expect(() => readJsonLines(path)).toThrow(/line 2/);
  });

  it("C34: kill −9 before any of the renames of a save leaves a checkpoint that loads", () => {
    const script = bundleScript(`
      import fs from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      import { readCheckpoint, writeCheckpoint } from "./checkpoint/folder.ts";
      const [folder, before] = process.argv.slice(2);
      const { manifest, weights } = readCheckpoint(folder);
      const { renameSync } = fs;
      let renames = 0;
      fs.renameSync = (...names) => ++renames === Number(before) ? process.kill(process.pid, "SIGKILL") : renameSync(...names);
      syncBuiltinESMExports();
      writeCheckpoint(folder, { manifest: { ...manifest, training: { step: 2 } }, weights }, "# new");
    `);
    const steps = [1, 2, 3, 4, 5, 6].map((before) => {
      const folder = join(freshFolder(), "last");
      saveStep(folder, 1);
      expect(spawnSync(process.execPath, [script, folder, String(before)]).signal).toBe(before < 6 ? "SIGKILL" : null);
      return readCheckpoint(folder).manifest.training.step;
    });
    // Three files and two folders are renamed; the sixth never comes.
    expect(steps).toEqual([1, 1, 1, 1, 1, 2]);
  });

  it.each([
    ["policy.safetensors", "0 bytes", 0],
    ["policy.safetensors", "half a file", 0.5],
    ["config.json", "0 bytes", 0],
    ["config.json", "half a file", 0.5],
  ])("C34: of %s with %s the loader says so and uses the checkpoint before", (name, _, share) => {
    const folder = join(freshFolder(), "last");
    saveStep(folder, 1);
    saveStep(folder, 2);
    const bad = join(folder, name);
    truncateSync(bad, Math.floor(readFileSync(bad).length * share));
    const { manifest, warning } = readCheckpoint(folder);
    expect(manifest.training.step).toBe(1);
    expect(warning).toContain(bad);
    expect(warning).toContain("last.previous");
  });
});

/** An episode of which only the outcome matters. */
const recordOf = (question: string, outcome: EpisodeRecord["outcome"]): EpisodeRecord => ({
  environment: "deliberation-v1",
  question,
  seed: 1,
  sample: 0,
  attack: { kind: "mislead", adversaries: 0, onset: "first" },
  onsets: [0],
  target: null,
  rounds: [[{ answer: "A", status: "parsed" }]],
  decisions: [],
  answer: "A",
  gold: "A",
  utility: outcome === "right" ? 1 : 0,
  outcome,
  calls: 1,
  tokens: null,
});

const cell = { kind: "mislead", adversaries: 0, rate: 0, onset: "first" };
const playOf = (method: string, records: readonly EpisodeRecord[]): Play => ({
  world: "w",
  method,
  cell,
  episodes: records.map(reduceEpisode),
});

/** What the command prints of these plays. */
function show(plays: readonly Play[]): string {
  const labels = { benchmark: "b", population: "p", command: "c", environment: {}, splits: {}, rng: createRng(1) };
  return consoleResults(collectResults({ plays, planned: 1, played: 1, complete: true }, labels));
}

/** Saves a checkpoint of one weight. */
function saveStep(folder: string, step: number): void {
  const network = {
    kind: "credit-gru",
    embedding: 0,
    projection: 0,
    scalars: ["a"],
    hidden: 1,
    heads: "two",
    clamp: 6,
  };
  const budget = { in: null, out: null, depth: null };
  writeCheckpoint(
    folder,
    {
      manifest: {
        schema: manifestSchema,
        name: "case",
        environment: "deliberation-v1",
        network: network as Parameters<typeof writeCheckpoint>[1]["manifest"]["network"],
        embedder: null,
        decision: { topology: "credit", budget, minimum: 1, cut: 0.5, voters: "all" },
        training: { step },
      },
      weights: { w: { shape: [1], data: Float32Array.of(step) } },
    },
    "# card",
  );
}

/** A world of four agents in which only the number of participants counts. */
const countingWorld = (utility: (participants: number) => number, changes: Partial<Game> = {}): Environment =>
  gameWorld({
    agents: 4,
    decisions: 1,
    scalars: ["place"],
    see: (_start, _taken, agent) => [agent / 4],
    utility: (_start, [participants]) => utility(participants.reduce((sum, z) => sum + z, 0)),
    ...changes,
  });

interface Learning {
  readonly backend?: "cpu" | "wasm";
  /** The run is stopped after this step and gone on with. */
  readonly stopAfter?: number;
  /** Bias of both heads in the first weights, with a clamp that lets it pass. */
  readonly bias?: number;
  /** Called after each step. */
  watch?(): unknown;
}

/** Trains in a folder of its own. */
async function learn(world: Environment, settings: ToySettings, options: Learning = {}) {
  const { backend = "cpu", stopAfter, bias } = options;
  const plain = toyTraining(await openBackend(backend), world, gameQuestions(20), settings);
  const network = bias === undefined ? plain.network : { ...plain.network, clamp: 999 };
  const initial = { ...plain.initial };
  if (bias !== undefined)
    for (const name of ["communicate.bias", "decide.bias"]) initial[name] = { shape: [1], data: Float32Array.of(bias) };
  const stop = new AbortController();
  const input = {
    ...plain,
    network,
    initial,
    folder: freshFolder(),
    manifest: (step: number, calls: number) => ({ ...plain.manifest(step, calls), network }),
    onProgress({ step }: TrainProgress) {
      options.watch?.();
      if (step === stopAfter) stop.abort();
    },
  };
  let result = await train({ ...input, signal: stop.signal });
  if (stopAfter !== undefined) {
    expect(result).toMatchObject({ steps: stopAfter, interrupted: true });
    result = await train(input);
  }
  const { folder } = input;
  return {
    result,
    initial,
    folder,
    weights: readCheckpoint(join(folder, "checkpoints", "last")).weights,
    metrics: readJsonLines(join(folder, "metrics.jsonl")).records as Record<string, number>[],
    episodes: readJsonLines(join(folder, "episodes.jsonl")).records as EpisodeRecord[],
  };
}

const allFinite = (values: ArrayLike<number>): boolean => Array.from(values).every(Number.isFinite);

describe("learning", () => {
  it.each([200, -200])("C35: one step at logits of %d has a finite loss and finite gradients", async (logit) => {
    const { tf } = await openBackend("cpu");
    const drawn = tf.tensor1d([0, 1]);
    const counted = tf.tensor1d([1, 1]);
    const logPi = (credits: tfjs.Tensor) => tf.sum(logProbabilities(tf, credits, drawn, counted));
    const { value, grad } = tf.valueAndGrad(logPi)(tf.tensor1d([logit, logit]));
    // The draw that was likely is certain; the other one has −200, and not −∞.
    expect(value.dataSync()[0]).toBe(-200);
    expect(Array.from(grad.dataSync(), Math.abs).sort()).toEqual([0, 1]);
    tf.dispose([drawn, counted, value, grad]);
    const world = countingWorld((n) => n / 4, { answers: () => ["A", "B", "A", "B"] });
    const settings = { steps: 1, baseline: "none", decisionLoss: 1, entropy: 0.1 } as const;
    const { metrics, weights } = await learn(world, settings, { bias: logit });
    expect(metrics[0]).toMatchObject({ "train/moved": true });
    expect(allFinite([metrics[0]["train/loss"], metrics[0]["train/gradientNorm"]])).toBe(true);
    for (const { data } of Object.values(weights)) expect(allFinite(data)).toBe(true);
  });

  it.each([1, 0])(
    "C36: where all utilities are %d advantages are 0 and nothing moves, regularisers included",
    async (utility) => {
      const groups = [0, 0, 1, 1, 2, 2, 3, 3];
      const questions = groups.map((group) => `q${group}`);
      const utilities = groups.map(() => utility);
      const advantages = computeAdvantages("leave-one-out", utilities, groups, questions, emptyMemory());
      expect([...advantages]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
      const settings = { steps: 3, starts: 4, samples: 2, entropy: 0.5, weightDecay: 0.1, normalizeAdvantages: true };
      const { metrics, weights, initial } = await learn(
        countingWorld(() => utility),
        settings,
      );
      expect(weights).toEqual(initial);
      for (const row of metrics) expect(row).toMatchObject({ "train/zeroSignalGroups": 4, "train/loss": 0 });
    },
  );

  it.each([
    ["fewer", -0.05, /policy_collapsed: (one|none)/],
    ["more", 0.05, /policy_collapsed: all/],
  ])(
    "C37: where %s agents earn slightly more a warning tells of the collapse, never below one agent",
    async (_, gain, warning) => {
      const settings = { steps: 150, learningRate: 0.1 };
      const { metrics, episodes, result } = await learn(
        countingWorld((n) => 0.5 + gain * n),
        settings,
      );
      expect(result.warnings.join()).toMatch(warning);
      for (const { decisions } of episodes) expect(Math.max(...decisions[0].participants)).toBe(1);
      // Shown for each step.
      const entropies = metrics.map((row) => row["train/entropy"]);
      expect(allFinite(entropies)).toBe(true);
      expect(entropies.at(-1)).toBeLessThan(entropies[0] / 10);
    },
  );

  it("C38: train 2 and resume 3 gives the weights, moments and log lines of train 5, byte for byte", async () => {
    const world = countingWorld((n) => n / 4);
    const settings = { steps: 5, learningRateEnd: 0.2, weightDecay: 0.01, baseline: "question-mean" as const };
    const [straight, resumed] = [await learn(world, settings), await learn(world, settings, { stopAfter: 2 })];
    for (const file of [
      "metrics.jsonl",
      "episodes.jsonl",
      join("checkpoints", "last", "policy.safetensors"),
      join("checkpoints", "last", "trainer.safetensors"),
    ])
      expect(readFileSync(join(resumed.folder, file)).equals(readFileSync(join(straight.folder, file))), file).toBe(
        true,
      );
    expect(straight.metrics.every((row) => row["train/moved"])).toBe(true);
  });

  it("C39: 200 steps leave as many tensors as the first", async () => {
    const { tf } = await openBackend("cpu");
    const tensors: number[] = [];
    const world = countingWorld((n) => n / 4);
    await learn(world, { steps: 200, starts: 2, samples: 2 }, { watch: () => tensors.push(tf.memory().numTensors) });
    expect(tensors).toHaveLength(200);
    expect(new Set(tensors).size).toBe(1);
  });

  it("C40: where the untrained team is already best the report says that there is no measurable gain", async () => {
    const out = freshFolder();
    await runTraining(
      {
        name: "nothing-to-gain",
        population: { kind: "simulated", embeddingDimension: 8, questions: { independent: 160 } },
        network: { projection: 4, hidden: 4 },
        attack: { adversaries: [0] },
        train: { steps: 3, starts: 4, samples: 2, validation: { every: 3, episodes: 8 } },
        evaluate: {
          methods: ["learned", "untrained", "complete", "single", "vote-first"],
          adversaries: [0],
          episodes: 40,
        },
      },
      { out },
    );
    const { headline, comparisons } = await runEvaluation(await findTrained(out, []), { out, command: "evaluate" });
    expect(headline).toMatch(/^There is no measurable gain from training over every baseline/);
    expect(comparisons.map(({ method }) => method)).toEqual(["untrained", "complete", "single", "vote-first"]);
    for (const { n, low, difference, high } of comparisons) {
      expect(n).toBe(40);
      expect(low).toBeLessThanOrEqual(difference);
      expect(high).toBeGreaterThanOrEqual(difference);
    }
  });

  it.each(["wasm", "cpu"] as const)(
    "C41: without the native library it trains with %s and writes its own files",
    async (backend) => {
      const { dependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
      expect(Object.keys(dependencies)).not.toContain("@tensorflow/tfjs-node");
      expect(Object.keys(optionalDependencies)).toContain("@tensorflow/tfjs-node");
      const { folder, weights, initial } = await learn(
        countingWorld((n) => n / 4),
        { steps: 1 },
        { backend },
      );
      expect(readdirSync(join(folder, "checkpoints", "last")).sort()).toEqual([
        "README.md",
        "config.json",
        "policy.safetensors",
        "trainer.safetensors",
      ]);
      expect(weights).not.toEqual(initial);
    },
  );

  const [a, b, c, x] = [0, 1, 2, 3];
  const present = [1, 1, 1, 0];
  it.each([
    [
      "a cycle",
      [
        [a, b],
        [b, c],
        [c, a],
      ],
      "graph/cycle",
      "0 → 1 → 2 → 0",
    ],
    ["a self-edge", [[a, a]], "graph/self-edge", "0 → 0"],
    [
      "a duplicate",
      [
        [a, b],
        [a, b],
      ],
      "graph/duplicate-edge",
      "0 → 1",
    ],
    ["an absent agent", [[b, x]], "graph/absent-agent", "agent 3"],
  ] as const)("C42: %s in given edges is refused with an error of its own", (_, edges, code, named) => {
    const error = errorOf(() => graphFromEdges(edges, present));
    expect(error.code).toBe(code);
    expect(error.message).toContain(named);
  });

  it("C42: no rule draws any of these, and ties of the order go to the lower index", () => {
    expect([...graphFromEdges([[c, a]], [1, 1, 1, 1]).order]).toEqual([b, c, a, x]);
    expect([...graphFromEdges([], present).order]).toEqual([a, b, c]);
    const rng = createRng(1);
    for (const { draw } of Object.values(topologies))
      for (let k = 0; k < 50; k++) {
        const agents = 1 + rng.integer(8);
        const participants = Array.from({ length: agents }, () => rng.integer(2));
        const credits = participants.map(() => rng.integer(3));
        const budget = { in: rng.integer(3), out: Infinity, depth: 1 + rng.integer(4) };
        const { sources, targets } = draw({ credits, participants, budget, round: 2, rng });
        expect(() => graphFromEdges({ sources, targets }, participants)).not.toThrow();
      }
  });

  it("C43: names of models and agents make no file names, and no two of them share a reply", async () => {
    const folder = freshFolder();
    const names = ["llama3:8b", "org/name"];
    const roles = ["CON", "Größe", "專家"];
    const recipe = writeLiveRecipe(folder, bank, {
      population: { kind: "llm", models: names.map((model) => ({ model, provider: "scripted" })), roles },
      calls: {},
      train: { steps: 1, starts: 2, samples: 1, validation: { every: 1, episodes: 2 } },
    });
    for (const args of [
      ["train", recipe, "--out", "run"],
      ["record", recipe, "--out", "bank.jsonl", "--limit", "1"],
    ]) {
      const { code, stderr } = await runCommand(command(), args, folder, liveEnvironment("http://127.0.0.1:9"));
      expect(code, stderr).toBe(0);
    }
    expect(existsSync(join(folder, ".colloquy", "cache"))).toBe(true);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((path) => path.split(/[\\/]/));
    for (const file of files) {
      expect(file).toMatch(/^[A-Za-z0-9._-]*[A-Za-z0-9_-]$/);
      expect(file).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
    }
    const paid = readJsonLines(join(folder, "run", "calls.jsonl")).records as { model: string }[];
    expect(new Set(paid.map(({ model }) => model))).toEqual(new Set(names));

    const account = openAccount({ cacheFolder: freshFolder(), ledgerPath: null, models: names, onNotice: () => {} });
    const model = openStack({ kind: "scripted" }, account);
    const alike = [...names, "llama3_8b", "org_name", ...roles];
    const replies = [];
    for (const name of alike) replies.push(await model.complete({ ...hello, model: name }));
    expect(replies.map(({ cached }) => cached)).toEqual(alike.map(() => false));
    account.close();
  });
});
