import { getEventListeners } from "node:events";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { sleep } from "../src/base/cancel.ts";
import { ColloquyError } from "../src/base/errors.ts";
import { createRng } from "../src/base/rng.ts";
import type { ChatRequest, LanguageModel } from "../src/contracts/language-model.ts";
import { type AttemptSettings, createAttempts } from "../src/llm/retry/attempts.ts";
import { retried } from "../src/llm/retry/retried.ts";
import { ModelFailure } from "../src/llm/server/failures.ts";
import { openaiClient } from "../src/llm/server/openai.ts";
import { readRetryAfter } from "../src/llm/server/retry-after.ts";
import { lasting, passing, rateLimit } from "./support/model-faults.ts";
import { type ModelServer, type ModelServerSettings, startModelServer } from "./support/model-server.ts";
import { createTestTime } from "./support/test-time.ts";

const ask: ChatRequest = { model: "m", messages: [{ role: "user", content: "Which one?" }], maxTokens: 50, sample: 0 };

/** The layer in test time, and each request's time. */
function createTestAttempts(settings: Partial<AttemptSettings> = {}) {
  const time = createTestTime();
  const sentMs: number[] = [];
  const attempts = createAttempts({
    retries: 3,
    longestWaitMs: 120_000,
    lanes: 64,
    rng: createRng(1),
    ...time,
    ...settings,
  });
  /** A call to a server that does as `serve` does, after a while. */
  const call = (serve: (request: number) => unknown, signal?: AbortSignal, tookMs = 10): Promise<unknown> =>
    attempts.run({
      send: async () => {
        const request = sentMs.push(time.clock.elapsedMs()) - 1;
        await time.sleep(tookMs, signal);
        return serve(request);
      },
      signal,
    });
  return { ...time, attempts, call, sentMs };
}

function limited(retryAfterMs?: number): never {
  throw new ModelFailure("llm/rate-limit", "too many", { retryable: true, retryAfterMs });
}

function broken(): never {
  throw new ModelFailure("llm/server", "broken", { retryable: true });
}

async function failureOf(work: Promise<unknown>): Promise<ColloquyError> {
  const error = await work.then(
    () => new Error("nothing failed"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ColloquyError) return error;
  throw error;
}

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(server: ModelServerSettings, settings: Partial<AttemptSettings> = {}) {
  const started = await startModelServer(server);
  servers.push(started);
  const client = openaiClient({ baseURL: started.url, timeoutMs: 200 });
  const layer = { retries: 3, longestWaitMs: 5000, baseDelayMs: 5, lanes: 8, rng: createRng(1), ...settings };
  return { ...started, model: retried(client, layer) };
}

describe("how long a server asks to wait", () => {
  const nowMs = Date.UTC(2025, 0, 1, 12, 0, 0);
  const read = (headers: Record<string, string>, limited = true): number | undefined =>
    readRetryAfter(new Headers(headers), nowMs, limited);

  it.each([
    [{ "retry-after-ms": "1500" }, 1500],
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "2.5" }, 2500],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "3600" }, 3_600_000],
    [{ "retry-after": "Wed, 01 Jan 2025 12:00:30 GMT" }, 30_000],
    [{ "retry-after": "Wed, 01 Jan 2025 11:00:00 GMT" }, 0],
    [{ "retry-after-ms": "1500", "retry-after": "9" }, 1500],
    [{ "retry-after-ms": "soon", "retry-after": "9" }, 9000],
    [{ "x-ratelimit-reset-requests": "1s" }, 1000],
    [{ "x-ratelimit-reset-requests": "6m0s" }, 360_000],
    [{ "x-ratelimit-reset-requests": "20ms" }, 20],
    [{ "x-ratelimit-reset-tokens": "1h0m1.5s" }, 3_601_500],
    [{ "retry-after": "1", "x-ratelimit-reset-requests": "6m0s" }, 1000],
    [
      {
        "x-ratelimit-reset-requests": "6m0s",
        "x-ratelimit-remaining-requests": "12",
        "x-ratelimit-reset-tokens": "2s",
        "x-ratelimit-remaining-tokens": "0",
      },
      2000,
    ],
    [{ "retry-after": "-5" }, undefined],
    [{ "retry-after": "later" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after": "NaN" }, undefined],
    [{ "retry-after": "12 parsecs" }, undefined],
    [{ "x-ratelimit-reset-requests": "soon" }, undefined],
    [{}, undefined],
  ] as [Record<string, string>, number | undefined][])("%j is %s ms", (headers, ms) => {
    expect(read(headers)).toBe(ms);
  });

  it("heeds the reset of a limit only where the limit was met", () => {
    expect(read({ "x-ratelimit-reset-requests": "1s" }, false)).toBeUndefined();
  });

  it("is never negative, infinite or NaN, whatever the headers hold", () => {
    const value = fc.string().filter((text) => !/[^\x20-\x7e]/.test(text));
    fc.assert(
      fc.property(fc.constantFrom("retry-after", "retry-after-ms", "x-ratelimit-reset-tokens"), value, (name, text) => {
        const ms = read({ [name]: text });
        expect(ms === undefined || (Number.isFinite(ms) && ms >= 0)).toBe(true);
      }),
    );
  });
});

describe("asking again", () => {
  it("gets over every passing fault of a real server", async () => {
    for (const [name, fault] of Object.entries(passing)) {
      const { model, log } = await serve({ faults: (index) => (index < 2 ? fault : undefined) });
      expect((await model.complete(ask)).text, name).toContain("Answer");
      expect(log, name).toHaveLength(3);
    }
  });

  it.each(Object.entries(lasting))("does not happen after %s: one request", async (_, fault) => {
    const { model, log } = await serve({ faults: () => fault });
    expect((await failureOf(model.complete(ask))).retryable).toBe(false);
    expect(log).toHaveLength(1);
  });

  it("ends after so many retries with the last failure, which is no longer retryable", async () => {
    const { call, sentMs } = createTestAttempts({ retries: 3 });
    const error = await failureOf(call(broken));
    expect(error).toMatchObject({ code: "llm/server", retryable: false, message: "broken (asked 4 times)" });
    expect(sentMs).toHaveLength(4);
    const once = createTestAttempts({ retries: 0 });
    expect((await failureOf(once.call(broken))).message).toBe("broken (asked once)");
  });

  it("waits longer each time, at random, and never above the most", async () => {
    const waits = await Promise.all(
      Array.from({ length: 200 }, async (_, seed) => {
        const { call, sentMs } = createTestAttempts({ baseDelayMs: 100, maxDelayMs: 350, rng: createRng(seed) });
        await failureOf(call(broken));
        return sentMs.slice(1).map((at, i) => at - sentMs[i] - 10);
      }),
    );
    for (const [k, most] of [100, 200, 350].entries()) {
      const all = waits.map((wait) => wait[k]);
      expect(Math.max(...all)).toBeLessThanOrEqual(most);
      const mean = all.reduce((a, b) => a + b) / all.length;
      expect(Math.abs(mean - most / 2)).toBeLessThan(most / 8);
    }
  });

  it("leaves errors of other kinds alone", async () => {
    const { call, sentMs } = createTestAttempts();
    const mistake = new TypeError("ours");
    await expect(
      call(() => {
        throw mistake;
      }),
    ).rejects.toBe(mistake);
    expect(sentMs).toHaveLength(1);
  });

  it("is over for all calls once the key or the quota is refused", async () => {
    const { model, log } = await serve({ delayMs: 20, faults: () => lasting.quota }, { lanes: 4 });
    const failures = await Promise.all(Array.from({ length: 40 }, () => failureOf(model.complete(ask))));
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(["llm/quota"]));
    expect(log).toHaveLength(4);
    expect((await failureOf(model.complete(ask))).endsRun).toBe(true);
    expect(log).toHaveLength(4);
  });

  it("keeps to the lanes", async () => {
    const { model, mostAtOnce } = await serve({ delayMs: 5 }, { lanes: 3 });
    await Promise.all(Array.from({ length: 30 }, () => model.complete(ask)));
    expect(mostAtOnce()).toBe(3);
  });
});

describe("a pause", () => {
  it.each([
    ["retry-after: 2", 2000, { "retry-after": "2" }],
    ["retry-after-ms: 1500", 1500, { "retry-after-ms": "1500" }],
  ])("lasts as long as the server asks: %s", async (_, ms, headers) => {
    const time = createTestTime();
    const { model, log } = await serve({ faults: (index) => (index === 0 ? rateLimit(headers) : undefined) }, time);
    await model.complete(ask);
    expect(log).toHaveLength(2);
    expect(time.clock.elapsedMs()).toBeGreaterThanOrEqual(ms);
    expect(time.clock.elapsedMs()).toBeLessThanOrEqual(ms * 1.05);
  });

  it("lasts until the date the server names, on the wall", async () => {
    const { model, log } = await serve({
      faults: (index) =>
        index === 0 ? rateLimit({ "retry-after": new Date(Date.now() + 2000).toUTCString() }) : undefined,
    });
    await model.complete(ask);
    // Dates have whole seconds.
    expect(log[1].atMs - log[0].atMs).toBeGreaterThan(900);
    expect(log[1].atMs - log[0].atMs).toBeLessThan(2300);
  });

  it("of an hour ends the run at once, for all calls, and says how long", async () => {
    const { model, log } = await serve({ delayMs: 20, faults: () => rateLimit({ "retry-after": "3600" }) });
    const failures = await Promise.all(Array.from({ length: 40 }, () => failureOf(model.complete(ask))));
    for (const { code, endsRun, message, hint } of failures) {
      expect([code, endsRun]).toEqual(["llm/wait", true]);
      expect(message).toMatch(/(3600|3599) s.*\b5 s/);
      expect(hint).toContain("again");
    }
    expect(log).toHaveLength(8);
  });

  it("holds for all calls, and one goes first when it is over", async () => {
    const { call, sentMs, clock } = createTestAttempts({ lanes: 50 });
    const serve = (): unknown => (clock.elapsedMs() < 100 ? limited(5000) : "fine");
    const calls = Array.from({ length: 50 }, () => call(serve));
    expect(await Promise.all(calls)).toEqual(Array(50).fill("fine"));
    const late = sentMs.filter((at) => at > 0);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(5010);
    expect(late.filter((at) => at === late[0])).toHaveLength(1);
    expect(sentMs).toHaveLength(100);
  });

  it("of a minute is outlived by 50 agents in 4 rounds with few requests", async () => {
    for (const retryAfterMs of [undefined, 1000]) {
      const { call, sentMs, clock } = createTestAttempts({ retries: 4, lanes: 64 });
      const serve = (): unknown => (clock.elapsedMs() < 60_000 ? limited(retryAfterMs) : "fine");
      for (let round = 0; round < 4; round++)
        expect(await Promise.all(Array.from({ length: 50 }, () => call(serve)))).toEqual(Array(50).fill("fine"));
      // 50 before the first refusal, one a pause, and one for each call: far below 200 · (1 + 4).
      expect(sentMs.length).toBeLessThanOrEqual(50 + 60 + 200);
      expect(clock.elapsedMs()).toBeLessThan(110_000);
    }
  });

  it("never makes more requests than calls · (1 + retries), however the server behaves", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("fine", "limited", "limited briefly", "broken", "slow"), { maxLength: 60 }),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 1, max: 5 }),
        async (behaviours, retries, lanes) => {
          const { call, sentMs, waiting } = createTestAttempts({ retries, lanes });
          const serve = (request: number): unknown => {
            const behaviour = behaviours[request] ?? "fine";
            if (behaviour === "limited") limited();
            if (behaviour === "limited briefly") limited(300);
            if (behaviour === "broken") broken();
            return behaviour;
          };
          const results = await Promise.allSettled(Array.from({ length: 12 }, () => call(serve)));
          expect(sentMs.length).toBeLessThanOrEqual(12 * (1 + retries));
          for (const result of results)
            if (result.status === "rejected") expect(result.reason.message).toContain("asked");
          expect(waiting()).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is told of once, not once a call", async () => {
    const notices: string[] = [];
    const { call, clock } = createTestAttempts({ onNotice: (notice) => notices.push(notice) });
    await Promise.all(Array.from({ length: 20 }, () => call(() => (clock.elapsedMs() < 50 ? limited(2000) : "fine"))));
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(/All calls wait 2\.\d s/);
  });
});

describe("limits a minute", () => {
  /** The most that falls into any sixty seconds. */
  const mostInAMinute = (events: readonly { atMs: number; amount: number }[]): number =>
    Math.max(
      ...events.map(({ atMs }) =>
        events
          .filter((other) => other.atMs >= atMs && other.atMs < atMs + 60_000)
          .reduce((sum, { amount }) => sum + amount, 0),
      ),
    );

  it("hold for requests in every sixty seconds, and nothing is lost", async () => {
    const { call, sentMs, clock } = createTestAttempts({ requestsPerMinute: 20 });
    await Promise.all(Array.from({ length: 70 }, () => call(() => "fine")));
    expect(mostInAMinute(sentMs.map((atMs) => ({ atMs, amount: 1 })))).toBe(20);
    expect(clock.elapsedMs()).toBeLessThan(181_000);
  });

  it("hold for tokens, and what was really used takes the place of the estimate", async () => {
    const time = createTestTime();
    const settings = { retries: 0, longestWaitMs: 1000, lanes: 8, rng: createRng(1), tokensPerMinute: 1000, ...time };
    const events: { atMs: number; amount: number }[] = [];
    const server: LanguageModel = {
      async complete() {
        events.push({ atMs: time.clock.elapsedMs(), amount: 100 });
        await time.sleep(10);
        const usage = { prompt: 60, cachedPrompt: 0, completion: 40, reasoning: 0 };
        return { text: "x", finish: "stop", refused: false, usage, cost: null, cached: false };
      },
    };
    const model = retried(server, settings);
    await Promise.all(Array.from({ length: 30 }, () => model.complete({ ...ask, maxTokens: 300 })));
    expect(mostInAMinute(events)).toBeLessThanOrEqual(1000);
    // By estimates alone three would fit a minute; by what they use, ten less the estimate of the one to come.
    expect(time.clock.elapsedMs()).toBeLessThan(250_000);
  });

  it("let a request larger than the limit pass alone rather than never", async () => {
    const time = createTestTime();
    const settings = { retries: 0, longestWaitMs: 1000, lanes: 8, rng: createRng(1), tokensPerMinute: 10, ...time };
    const attempts = createAttempts(settings);
    const sentMs: number[] = [];
    const send = async (): Promise<number> => sentMs.push(time.clock.elapsedMs());
    const call = (): Promise<number> => attempts.run({ estimate: () => 500, send });
    await Promise.all([call(), call(), call()]);
    expect(sentMs).toEqual([0, 60_000, 120_000]);
  });
});

describe("cancelling while calls wait", () => {
  it.each([
    ["for a lane", { lanes: 1 }, (): unknown => "fine", 100_000],
    ["for a pause", { lanes: 9 }, (): unknown => limited(100_000), 1],
    ["between attempts", { lanes: 9, baseDelayMs: 90_000, maxDelayMs: 90_000 }, broken, 1],
    ["for a limit", { lanes: 9, requestsPerMinute: 1 }, (): unknown => "fine", 100_000],
  ] as const)("%s ends them at once and leaves no timer and no listener", async (_, settings, serve, tookMs) => {
    const attempts = createAttempts({ retries: 3, longestWaitMs: 120_000, rng: createRng(1), ...settings });
    const run = new AbortController();
    const send = async (): Promise<unknown> => {
      await sleep(tookMs, run.signal);
      return serve();
    };
    const calls = Array.from({ length: 9 }, () => failureOf(attempts.run({ send, signal: run.signal })));
    await sleep(30);
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    expect(timers()).toBeGreaterThan(0);
    const before = timers();
    expect(getEventListeners(run.signal, "abort")).toHaveLength(1);
    run.abort();
    expect(new Set((await Promise.all(calls)).map(({ code }) => code))).toEqual(new Set(["llm/cancelled"]));
    await sleep(0);
    expect(getEventListeners(run.signal, "abort")).toEqual([]);
    expect(timers()).toBeLessThan(before);
  });

  it("one call goes on without another that was cancelled", async () => {
    const { attempts, call } = createTestAttempts({ lanes: 1 });
    const run = new AbortController();
    const first = call(() => "first");
    const second = failureOf(attempts.run({ send: async () => "second", signal: run.signal }));
    const third = call(() => "third");
    run.abort();
    expect([await first, (await second).code, await third]).toEqual(["first", "llm/cancelled", "third"]);
  });
});
