import { appendFileSync, readdirSync, readFileSync, truncateSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { ColloquyError } from "../src/base/errors.ts";
import { runInLanes } from "../src/base/lanes.ts";
import { createRng } from "../src/base/rng.ts";
import type { ChatReply, ChatRequest, LanguageModel, Price, TokenUsage } from "../src/contracts/language-model.ts";
import { type Budget, budgeted, type Limits, openBudget, paid } from "../src/llm/money/budgeted.ts";
import { describeTotals, formatDollars } from "../src/llm/money/describe-totals.ts";
import { type Ledger, openLedger, type PaidCall } from "../src/llm/money/ledger.ts";
import { costOf, priceList } from "../src/llm/money/prices.ts";
import { leastGuess, mostGuess, openRehearsal, pilotGuess } from "../src/llm/rehearsal.ts";
import { memoryStore } from "../src/llm/replies/reply-store.ts";
import { requestKey } from "../src/llm/replies/request-key.ts";
import { scriptedModel } from "../src/llm/scripted.ts";
import { openAccount, openStack } from "../src/llm/stack.ts";
import { freshFolder } from "./support/child.ts";
import { errorOf } from "./support/error-of.ts";

const request = (content: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: "gpt-4o-mini",
  messages: [{ role: "user", content }],
  sample: 0,
  ...more,
});

const usage = (prompt: number, completion: number, cachedPrompt = 0, reasoning = 0): TokenUsage => ({
  prompt,
  cachedPrompt,
  completion,
  reasoning,
});

const counted = fc
  .record({ prompt: fc.nat(1e6), cachedPrompt: fc.nat(1e6), completion: fc.nat(1e6), reasoning: fc.nat(1e6) })
  .map((u) => ({
    ...u,
    cachedPrompt: Math.min(u.cachedPrompt, u.prompt),
    reasoning: Math.min(u.reasoning, u.completion),
  }));
const dollars = fc.double({ min: 0, max: 200, noNaN: true });
const priced: fc.Arbitrary<Price> = fc.record({ input: dollars, output: dollars });

const failing = async (work: Promise<unknown>): Promise<ColloquyError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ColloquyError)) throw new Error(`not a failure of ours: ${error}`);
  return error;
};

describe("what a call costs", () => {
  it("C28: counts neither cached prompt tokens nor reasoning twice", () => {
    const price = { input: 3, cachedInput: 0.3, output: 15 };
    expect(costOf(usage(2000, 300, 500, 200), price)).toBeCloseTo(0.00915, 12);
  });

  it("is linear in the price, grows with every token, and a server's cache never makes it dearer", () => {
    fc.assert(
      fc.property(counted, priced, fc.nat(1000), ({ ...u }, price, more) => {
        const cost = costOf(u, price)!;
        expect(costOf(u, { input: 2 * price.input, output: 2 * price.output })).toBeCloseTo(2 * cost, 6);
        expect(costOf({ ...u, prompt: u.prompt + more }, price)).toBeGreaterThanOrEqual(cost);
        expect(costOf({ ...u, completion: u.completion + more }, price)).toBeGreaterThanOrEqual(cost);
        expect(costOf(u, { ...price, cachedInput: price.input / 2 })).toBeLessThanOrEqual(cost);
      }),
    );
  });

  it("never pays for more cached tokens than the prompt has", () => {
    expect(costOf(usage(100, 0, 500), { input: 1, cachedInput: 0.5, output: 1 })).toBeCloseTo(100 * 0.5e-6, 15);
  });

  it("is unknown, never 0, without usage or without a price; only free models cost 0 whatever they use", () => {
    expect(costOf(null, { input: 1, output: 1 })).toBeNull();
    expect(costOf(usage(1, 1), null)).toBeNull();
    expect(costOf(null, null)).toBeNull();
    expect(costOf(null, { input: 0, output: 0 })).toBe(0);
  });
});

describe("the price of a model", () => {
  const priceOf = priceList();

  it("is found by name, by dated snapshot and behind the maker's name", () => {
    const mini = priceOf("gpt-4o-mini");
    expect(mini).toEqual({ input: 0.15, cachedInput: 0.075, output: 0.6 });
    for (const name of ["gpt-4o-mini-2024-07-18", "openai/gpt-4o-mini", "openai/gpt-4o-mini-2024-07-18"])
      expect(priceOf(name)).toEqual(mini);
    expect(priceOf("gpt-4o-latest")).toEqual(priceOf("gpt-4o"));
    expect(priceOf("gpt-4o-2024-05-13")).not.toEqual(priceOf("gpt-4o"));
  });

  it.each([
    "gpt-4o-mini-audio-preview",
    "gpt-4o-mini-2024",
    "gpt-4o-mini-turbo-latest",
    "ft:gpt-4o-mini:me",
    "someone/gpt-4o-mini",
    "llama3:8b",
    "toString",
    "",
  ])("is not guessed for %j", (name) => expect(priceOf(name)).toBeNull());

  it("is the recipe's where it names one, 0 included, in whichever form of the name", () => {
    const own = { "llama3:8b": { input: 0, output: 0 }, "gpt-4o": { input: 7, output: 8 } };
    expect(priceList(own)("llama3:8b")).toEqual({ input: 0, output: 0 });
    expect(priceList(own)("openai/gpt-4o-2024-05-13")).toEqual({ input: 7, output: 8 });
    expect(priceList(own)("gpt-4o-mini")).toEqual(priceOf("gpt-4o-mini"));
  });
});

const call: fc.Arbitrary<PaidCall> = fc.record({
  model: fc.constantFrom("m1", "m2"),
  usage: fc.option(counted, { nil: null }),
  cost: fc.option(
    fc.nat(1e6).map((micro) => micro / 2 ** 20),
    { nil: null },
  ),
  finish: fc.constantFrom("stop", "length", "filtered", "other"),
});

describe("the ledger", () => {
  const paid: PaidCall = { model: "m", usage: usage(10, 5), cost: 0.25, finish: "stop" };

  it("C32: a run in two parts has the totals of an undisturbed one, whichever calls fall into which part", () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 12 }), fc.nat(12), (calls, cut) => {
        const path = join(freshFolder(), "calls.jsonl");
        const whole = openLedger(null);
        for (const one of calls) whole.pay(one);
        for (const part of [calls.slice(0, cut), calls.slice(cut)]) {
          const ledger = openLedger(path);
          for (const one of part) ledger.pay(one);
          ledger.close();
        }
        expect({ ...openLedger(path).totals(), earlier: null }).toEqual({ ...whole.totals(), earlier: null });
      }),
      { numRuns: 30 },
    );
  });

  it("adds up what is known and counts what is not, in any order", () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 20 }), (calls) => {
        const ledger = openLedger(null);
        for (const one of calls) ledger.pay(one);
        const totals = ledger.totals();
        const known = calls.flatMap(({ usage: u }) => u ?? []);
        expect(totals.calls).toBe(calls.length);
        expect(totals.uncountedCalls).toBe(calls.length - known.length);
        expect(totals.tokens.prompt).toBe(known.reduce((sum, u) => sum + u.prompt, 0));
        expect(totals.tokens.completion).toBe(known.reduce((sum, u) => sum + u.completion, 0));
        expect(totals.cost).toBe(calls.reduce((sum, { cost }) => sum + (cost ?? 0), 0));
        expect(Object.values(totals.finishes).reduce((a, b) => a + b)).toBe(calls.length);
      }),
    );
  });

  it("keeps every call on the disk at once, and mends a line that was cut off", () => {
    const path = join(freshFolder(), "calls.jsonl");
    const ledger = openLedger(path);
    ledger.pay(paid);
    ledger.pay(paid);
    expect(openLedger(path).totals().calls).toBe(2);
    truncateSync(path, readFileSync(path).length - 9);
    const next = openLedger(path);
    next.pay(paid);
    expect(next.totals().calls).toBe(2);
    expect(openLedger(path).totals().calls).toBe(2);
  });

  it("names the line that is no paid call", () => {
    const path = join(freshFolder(), "calls.jsonl");
    openLedger(path).pay(paid);
    appendFileSync(path, `${JSON.stringify({ ...paid, cost: "free" })}\n`);
    const error = errorOf(() => openLedger(path).totals());
    expect(error.code).toBe("llm/ledger");
    expect(error.message).toMatch(/record 2 .*cost/s);
  });

  it("C18: says what is unknown, and never shows it as $0", () => {
    const say = (...calls: Partial<PaidCall>[]): string => {
      const ledger = openLedger(null);
      for (const one of calls) ledger.pay({ ...paid, ...one });
      return describeTotals(ledger.totals());
    };
    expect(say({ usage: null, cost: null })).toBe("1 call, tokens unknown, cost unknown; 1 call without usage");
    expect(say({}, { usage: null, cost: null })).toBe(
      "2 calls, 15 tokens, $0.25; 1 call without usage; 1 call of unknown cost",
    );
    expect(say({ cost: null }, { cost: null })).toBe("2 calls, 30 tokens, cost unknown");
    expect(say({ cost: 0 })).toBe("1 call, 15 tokens, $0.00");
    expect(say()).toBe("0 calls, 0 tokens, $0.00");
  });

  it("tells cached replies apart from paid ones, and large numbers readably", () => {
    const ledger = openLedger(null);
    for (let i = 0; i < 1204; i++) ledger.pay({ ...paid, usage: usage(400, 25), cost: 0.000341 });
    for (let i = 0; i < 310; i++) ledger.countCached();
    expect(describeTotals(ledger.totals())).toBe("1,204 calls (310 more from the cache), 511,700 tokens, $0.41");
    expect([0.0042, 0.0000123, 12345.678, 0.1].map(formatDollars)).toEqual([
      "$0.0042",
      "$0.000012",
      "$12,345.68",
      "$0.10",
    ]);
  });
});

/** A model that can be counted and made to fail. */
function countingModel(answer: (request: ChatRequest) => Partial<ChatReply> | Error = () => ({})) {
  const calls = { started: 0, open: 0 };
  const model: LanguageModel = {
    async complete(asked) {
      calls.started++;
      calls.open++;
      await new Promise((done) => setImmediate(done));
      calls.open--;
      const said = answer(asked);
      if (said instanceof Error) throw said;
      return { text: "B", finish: "stop", refused: false, usage: usage(90, 10), cost: null, cached: false, ...said };
    },
  };
  return { model, calls };
}

const priceOf = priceList({ local: { input: 0, output: 0 }, dear: { input: 1000, output: 1000 } });

const limited = (model: LanguageModel, budget: Budget): LanguageModel => budgeted(paid(model, budget), budget);

function within(model: LanguageModel, limits: Limits, ledger: Ledger = openLedger(null), models = ["gpt-4o-mini"]) {
  return limited(model, openBudget({ limits, ledger, priceOf, models }));
}

describe("a budget", () => {
  it("C30: never starts a call beyond the cap, from however many lanes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(30), fc.integer({ min: 1, max: 8 }), async (cap, lanes) => {
        const { model, calls } = countingModel();
        const limited = within(model, { calls: cap });
        const outcomes = await runInLanes(36, lanes, (i) =>
          limited.complete(request(`q${i}`)).then(
            () => "done",
            (error: ColloquyError) => error.code,
          ),
        );
        expect(calls.started).toBe(Math.min(cap, 36));
        expect(outcomes.filter((outcome) => outcome === "done").length).toBe(Math.min(cap, 36));
        expect(new Set(outcomes.filter((outcome) => outcome !== "done"))).toEqual(
          new Set(cap < 36 ? ["llm/budget"] : []),
        );
      }),
      { numRuns: 30 },
    );
  });

  it("ends the run politely: what was spent, and which limit to raise", async () => {
    const limited = within(countingModel().model, { calls: 1 });
    await limited.complete(request("q"));
    const error = await failing(limited.complete(request("q2")));
    expect(error).toMatchObject({ code: "llm/budget", endsRun: true, retryable: false });
    expect(error.message).toBe("the limit of 1 call (--max-calls) is reached. So far: 1 call, 100 tokens, $0.00002");
    expect(error.hint).toContain("--max-calls");
  });

  it.each([
    [{ tokens: 250 }, "gpt-4o-mini", "--max-tokens"],
    [{ cost: 0.25 }, "dear", "--max-cost"],
  ])("%j is overshot by no more than the calls under way", async (limits, name, flag) => {
    for (const lanes of [1, 4]) {
      const { model, calls } = countingModel();
      const limited = within(model, limits, openLedger(null), [name]);
      const error = await failing(runInLanes(40, lanes, (i) => limited.complete(request(`q${i}`, { model: name }))));
      expect(error.message).toContain(flag);
      // 100 tokens a call, and 0.1 dollars: the third call reaches either limit.
      expect(calls.started).toBeGreaterThanOrEqual(3);
      expect(calls.started).toBeLessThanOrEqual(3 + lanes - 1);
    }
  });

  it("gives back the reservation of a call that failed, and pays nothing for it", async () => {
    let failures = 2;
    const { model, calls } = countingModel(() => (failures-- > 0 ? new ColloquyError("llm/server", "broken") : {}));
    const ledger = openLedger(null);
    const limited = within(model, { calls: 1 }, ledger);
    await failing(limited.complete(request("q")));
    await failing(limited.complete(request("q")));
    await limited.complete(request("q"));
    expect(calls.started).toBe(3);
    expect(ledger.totals().calls).toBe(1);
  });

  it("goes by the whole run: what an earlier part has paid counts", async () => {
    const path = join(freshFolder(), "calls.jsonl");
    const { model, calls } = countingModel();
    await runInLanes(3, 1, (i) => within(model, { calls: 3 }, openLedger(path)).complete(request(`q${i}`)));
    await failing(within(model, { calls: 3 }, openLedger(path)).complete(request("more")));
    await within(model, { calls: 4 }, openLedger(path)).complete(request("more"));
    expect(calls.started).toBe(4);
  });

  it("is one for all endpoints that share it", async () => {
    const { model, calls } = countingModel();
    const budget = openBudget({ limits: { calls: 5 }, ledger: openLedger(null), priceOf, models: [] });
    const endpoints = [limited(model, budget), limited(model, budget)];
    await failing(runInLanes(12, 4, (i) => endpoints[i % 2].complete(request(`q${i}`))));
    expect(calls.started).toBe(5);
  });

  it("C18: takes an estimate towards the limits where a server does not count, and says in the totals that it does not know", async () => {
    const { model, calls } = countingModel(() => ({ usage: null, text: "x".repeat(400) }));
    const ledger = openLedger(null);
    const limited = within(model, { tokens: 350 }, ledger);
    await failing(runInLanes(9, 1, () => limited.complete(request("y".repeat(400)))));
    expect(calls.started).toBe(2);
    expect(ledger.totals()).toMatchObject({
      uncountedCalls: 2,
      unpricedCalls: 2,
      cost: 0,
      tokens: usage(0, 0),
      estimate: { tokens: 400 },
    });
    expect(ledger.totals().estimate.cost).toBeGreaterThan(0);
  });

  it("refuses to hold a cost limit for a model without a price, before anything is asked", () => {
    const open = (limits: Limits, models: string[]) =>
      openBudget({ limits, ledger: openLedger(null), priceOf, models });
    const error = errorOf(() => open({ cost: 1 }, ["gpt-4o-mini", "llama3:8b"]));
    expect(error).toMatchObject({ code: "usage/price" });
    expect(error.message).toContain('"llama3:8b"');
    expect(() => open({ cost: 1 }, ["local"])).not.toThrow();
    expect(() => open({ calls: 1 }, ["llama3:8b"])).not.toThrow();
  });

  it("fills in what each reply cost, and writes down neither its text nor the prompt", async () => {
    const path = join(freshFolder(), "calls.jsonl");
    const { model } = countingModel(() => ({ text: "SECRET-REPLY" }));
    const limited = within(model, {}, openLedger(path));
    const reply = await limited.complete(request("SECRET-PROMPT", { label: "agent 2, round 3" }));
    expect(reply.cost).toBeCloseTo((90 * 0.15 + 10 * 0.6) / 1e6, 15);
    expect(readFileSync(path, "utf8")).not.toContain("SECRET");
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      model: "gpt-4o-mini",
      usage: usage(90, 10),
      cost: reply.cost,
      finish: "stop",
      label: "agent 2, round 3",
    });
  });
});

describe("the scripted model", () => {
  it("answers equal requests equally, and others by their own draw", async () => {
    const asked = "Which?\n| (A) one\n| (B) two\n| (C) three";
    const texts = async (seed: number): Promise<string[]> => {
      const model = scriptedModel({ seed });
      return runInLanes(40, 4, async (sample) => (await model.complete(request(asked, { sample }))).text);
    };
    expect(await texts(1)).toEqual(await texts(1));
    expect(await texts(1)).not.toEqual(await texts(2));
    const letters = new Set((await texts(1)).map((text) => text.match(/ANSWER: (.*)$/)?.[1]));
    expect(letters).toEqual(new Set(["A", "B", "C"]));
  });

  it("gives a number where there are no options, and JSON of the asked form where there is a schema", async () => {
    const model = scriptedModel();
    expect((await model.complete(request("How many?"))).text).toMatch(/ANSWER: \d+$/);
    const properties = { analysis: { type: "string" }, answer: { type: "string", enum: ["A", "B"] } };
    const schema = { name: "reply", schema: { type: "object", properties } };
    const { text } = await model.complete(request("Which?\nA. one\nB. two", { schema }));
    expect(JSON.parse(text)).toEqual({ analysis: expect.any(String), answer: expect.stringMatching(/^[AB]$/) });
  });

  it("says what a script tells it to, and fills in the rest", async () => {
    const model = scriptedModel({ script: ({ sample }) => (sample === 0 ? "B" : { text: "", finish: "length" }) });
    expect(await model.complete(request("q"))).toMatchObject({ text: "B", finish: "stop", usage: { completion: 1 } });
    expect(await model.complete(request("q", { sample: 1 }))).toMatchObject({ text: "", finish: "length" });
  });
});

describe("a rehearsal", () => {
  it("counts equal requests once, and what the store holds not at all", async () => {
    const store = memoryStore();
    store.put(requestKey(request("held", { maxTokens: 10 }), "here"), {
      text: "kept",
      finish: "stop",
      refused: false,
      usage: usage(1, 1),
    });
    const { model, totals } = openRehearsal({ guess: mostGuess(), priceOf, store });
    const stand = model("here");
    const asked = ["a", "b", "a", "held", "a"].map((text) => stand.complete(request(text, { maxTokens: 10 })));
    expect((await Promise.all(asked))[3].text).toBe("kept");
    expect(totals).toMatchObject({ calls: 2, completionTokens: 20 });
    await model("elsewhere").complete(request("a", { maxTokens: 10 }));
    expect(totals.calls).toBe(3);
  });

  it("apart counts equal requests again, but for those of the first round: a trained policy may make them unlike", async () => {
    const { model, totals } = openRehearsal({ guess: mostGuess(), priceOf, apart: true });
    for (const label of ["agent 0, round 1", "agent 0, round 2"])
      for (let k = 0; k < 3; k++) await model("here").complete({ ...request(label), label });
    expect(totals.calls).toBe(1 + 3);
  });

  it("does not know the bill of a model without a price", async () => {
    const { model, totals } = openRehearsal({ guess: leastGuess, priceOf });
    await model("here").complete(request("a", { model: "llama3:8b" }));
    await model("here").complete(request("a"));
    expect(totals).toMatchObject({ calls: 2, cost: null });
  });

  it("holds the bill of what was really said between its two extremes, in three rounds of passing on replies", async () => {
    const play = async (model: LanguageModel): Promise<void> => {
      let heard = "";
      for (let round = 0; round < 3; round++) {
        const replies = await runInLanes(6, 6, (i) =>
          model.complete(
            request(`Question ${i}: which of these is right?\n(A) x\n(B) y\n${heard}`, { maxTokens: 300 }),
          ),
        );
        heard = replies.map(({ text }) => text).join("\n");
      }
    };
    const bill = async (guess: Parameters<typeof openRehearsal>[0]["guess"]) => {
      const { model, totals } = openRehearsal({ guess, priceOf });
      await play(model("here"));
      return totals;
    };
    const ledger = openLedger(null);
    const seen: Parameters<typeof pilotGuess>[0][number][] = [];
    const real = within(scriptedModel(), {}, ledger);
    await play({
      async complete(asked) {
        const reply = await real.complete(asked);
        seen.push({ request: asked, reply });
        return reply;
      },
    });
    const paid = ledger.totals();
    const [least, most, pilot] = await Promise.all([bill(leastGuess), bill(mostGuess()), bill(pilotGuess(seen, 1))]);
    // Bare answers that are all alike make the later rounds alike, and those are sent once.
    expect([least.calls, most.calls, pilot.calls]).toEqual([12, 18, 18]);
    expect(least.cost!).toBeLessThan(paid.cost);
    expect(most.cost!).toBeGreaterThan(paid.cost);
    expect(Math.abs(pilot.cost! / paid.cost - 1)).toBeLessThan(0.15);
  });
});

describe("a stack", () => {
  const apiKey = "sk-test-4f9d8c7b6a5e4d3c2b1a";

  /** A server of the chat API that answers from `answer`, shows the key it got, and logs what it was asked. */
  async function startServer(answer: (body: ChatRequest, n: number) => { status?: number; body: unknown }) {
    const asked: ChatRequest[] = [];
    const server = createServer((incoming, outgoing) => {
      let text = "";
      incoming.on("data", (chunk) => {
        text += chunk;
      });
      incoming.on("end", () => {
        asked.push(JSON.parse(text));
        const { status = 200, body } = answer(asked[asked.length - 1], asked.length);
        setTimeout(() => {
          outgoing.writeHead(status, {
            "content-type": "application/json",
            "x-key": `${incoming.headers.authorization}`,
          });
          outgoing.end(JSON.stringify(body));
        }, 5);
      });
    });
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  }
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });
  const said = (
    content: string,
    counted: unknown = { prompt_tokens: 90, completion_tokens: 10, total_tokens: 100 },
  ) => ({
    body: { choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }], usage: counted },
  });

  const open = (baseURL: string, folder: string, limits: Limits = {}, lanes = 4) => {
    const account = openAccount({
      cacheFolder: join(folder, "cache"),
      ledgerPath: join(folder, "calls.jsonl"),
      limits,
      models: ["gpt-4o-mini"],
      onNotice: () => {},
    });
    const attempts = { retries: 2, longestWaitMs: 1000, lanes, baseDelayMs: 1, rng: createRng(1) };
    return { account, model: openStack({ kind: "openai", baseURL, apiKey, attempts }, account) };
  };
  const filesIn = (folder: string): string =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
      .join("\n");

  it("asks once, pays once and keeps the reply: another life of the run sends nothing again and has the same totals", async () => {
    const { baseURL, asked } = await startServer(({ messages }) => said(`re ${messages[0].content} with ${apiKey}`));
    const folder = freshFolder();
    const ask = (model: LanguageModel) => runInLanes(20, 8, (i) => model.complete(request(`q${i % 10}`)));
    const first = open(baseURL, folder);
    const replies = await ask(first.model);
    const paid = first.account.ledger.totals();
    first.account.close();
    expect(asked).toHaveLength(10);
    expect(paid).toMatchObject({ calls: 10, cachedCalls: 10, tokens: usage(900, 100) });
    expect(paid.cost).toBeCloseTo(10 * ((90 * 0.15 + 10 * 0.6) / 1e6), 12);

    const second = open(baseURL, folder);
    const again = await ask(second.model);
    expect(asked).toHaveLength(10);
    expect(again).toEqual(replies.map((reply) => ({ ...reply, cached: true })));
    expect(second.account.ledger.totals()).toEqual({
      ...paid,
      cachedCalls: 20,
      earlier: { calls: paid.calls, cost: paid.cost },
    });
    second.account.close();
    const written = filesIn(folder);
    expect(written).toContain("re q7 with");
    expect(written).not.toContain(apiKey.slice(3));
  });

  it("C19: neither keeps nor pays for an error that comes with status 200", async () => {
    const answers = [{ body: { error: { message: "overloaded" } } }, { body: { choices: null } }, said("B")];
    const { baseURL, asked } = await startServer((_, n) => answers[n - 1]);
    const { account, model } = open(baseURL, freshFolder());
    expect((await model.complete(request("q"))).text).toBe("B");
    expect(asked).toHaveLength(3);
    expect(account.ledger.totals().calls).toBe(1);
  });

  it.each([[null], [{ prompt_tokens: 0, completion_tokens: 400, total_tokens: 400 }]])(
    "C18: says that tokens and cost are unknown where the server counts %j",
    async (counted) => {
      const { baseURL } = await startServer(() => said("B", counted));
      const { account, model } = open(baseURL, freshFolder());
      expect(await model.complete(request("q"))).toMatchObject({ usage: null, cost: null });
      expect(describeTotals(account.ledger.totals())).toBe(
        "1 call, tokens unknown, cost unknown; 1 call without usage",
      );
    },
  );

  it.each([{ calls: 10 }, { tokens: 1000 }, { cost: (10 * (90 * 0.15 + 10 * 0.6)) / 1e6 }])(
    "C30: within %j, calls that wait for a lane are not sent once it is reached",
    async (limits) => {
      const { baseURL, asked } = await startServer(() => said("B"));
      const { account, model } = open(baseURL, freshFolder(), limits);
      const codes = await Promise.all(
        Array.from({ length: 54 }, (_, i) =>
          model.complete(request(`q${i}`)).then(
            () => "done",
            (error: ColloquyError) => error.code,
          ),
        ),
      );
      expect(new Set(codes)).toEqual(new Set(["done", "llm/budget"]));
      expect(asked.length).toBeGreaterThanOrEqual(10);
      expect(asked.length).toBeLessThanOrEqual(limits.calls ?? 10 + 4);
      expect(account.ledger.totals().calls).toBe(asked.length);
    },
  );

  it("goes without a server where it is scripted", async () => {
    const account = openAccount({ cacheFolder: null, ledgerPath: null, models: [], onNotice: () => {} });
    const model = openStack({ kind: "scripted", seed: 3 }, account);
    const reply = await model.complete(request("q"));
    expect(await model.complete(request("q"))).toEqual({ ...reply, cached: true });
    expect(account.ledger.totals()).toMatchObject({ calls: 1, cachedCalls: 1 });
  });
});
