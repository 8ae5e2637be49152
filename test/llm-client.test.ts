import { execFile } from "node:child_process";
import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect, promisify } from "node:util";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { ColloquyError } from "../src/base/errors.ts";
import { createRng } from "../src/base/rng.ts";
import { type ChatReply, type ChatRequest, longestReply } from "../src/contracts/language-model.ts";
import { endpointEmbedder } from "../src/llm/endpoint-embedder.ts";
import { createAttempts } from "../src/llm/retry/attempts.ts";
import { resolveEndpoint } from "../src/llm/server/endpoint.ts";
import { type OpenaiSettings, openaiClient } from "../src/llm/server/openai.ts";
import { bundleScript } from "./support/child.ts";
import { errorOf } from "./support/error-of.ts";
import { type Fault, faults, lasting, odd, passing, refuse, unsupported } from "./support/model-faults.ts";
import { type ModelServer, type ModelServerSettings, startModelServer } from "./support/model-server.ts";
import { startModelServerProcess } from "./support/model-server-process.ts";

const key = "sk-test-4f9a8b7c6d5e";
const ask: ChatRequest = {
  model: "m",
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Which one? A. this B. that" },
  ],
  temperature: 0.7,
  topP: 0.9,
  maxTokens: 200,
  seed: 7,
  sample: 0,
};

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(settings: ModelServerSettings = {}): Promise<ModelServer> {
  const server = await startModelServer(settings);
  servers.push(server);
  return server;
}

/** A client of a server of its own. */
async function client(server: ModelServerSettings = {}, settings: OpenaiSettings = {}) {
  const started = await serve(server);
  return { ...started, model: openaiClient({ baseURL: started.url, timeoutMs: 5000, ...settings }) };
}

/** What a promise fails with; fails where it does not. */
async function failureOf(work: Promise<unknown>): Promise<ColloquyError> {
  const error = await work.then(
    () => new Error("nothing failed"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ColloquyError) return error;
  throw error;
}

/** The reply to `ask` when the right one is bent by a fault. */
const replyUnder = async (fault: Fault, settings?: OpenaiSettings): Promise<ChatReply> =>
  (await client({ faults: () => fault }, settings)).model.complete(ask);

const failureUnder = async (fault: Fault, settings?: OpenaiSettings): Promise<ColloquyError> =>
  failureOf((await client({ faults: () => fault }, settings)).model.complete(ask));

const answer = (body: unknown, status = 200): Fault => ({ kind: "answer", status, body });
const message = (fields: Record<string, unknown>, finish_reason = "stop", usage?: unknown): Fault =>
  answer({ choices: [{ message: { role: "assistant", ...fields }, finish_reason }], usage });

describe("the model server of the tests", () => {
  it("runs in a process of its own, with faults by name and its log at hand", async () => {
    const server = await startModelServerProcess({ apiKey: key, faultsAt: { 0: "500" } });
    const model = openaiClient({ baseURL: server.url, apiKey: key });
    expect((await failureOf(model.complete(ask))).code).toBe("llm/server");
    expect(await model.complete(ask)).toEqual(await model.complete(ask));
    expect((await server.readLog()).map(({ status }) => status)).toEqual([500, 200, 200]);
    server.close();
  });
});

describe("base URLs", () => {
  it.each([
    [undefined, "https://api.openai.com/v1"],
    ["  ", "https://api.openai.com/v1"],
    ["http://h:1", "http://h:1/v1"],
    ["http://h:1/", "http://h:1/v1"],
    ["http://h:1/v1", "http://h:1/v1"],
    [" http://h:1/v1/ ", "http://h:1/v1"],
    ["http://h:1//v1//", "http://h:1/v1"],
    ["http://h:1/v1/chat/completions", "http://h:1/v1"],
    ["http://h:1/chat/completions/", "http://h:1/v1"],
    ["http://h:1/v1/embeddings", "http://h:1/v1"],
    ["https://h/openai/v1/", "https://h/openai/v1"],
    ["https://h/v1beta/openai/", "https://h/v1beta/openai"],
    ["http://[::1]:8000", "http://[::1]:8000/v1"],
  ])("%j is %s", (given, expected) => {
    expect(resolveEndpoint(given)).toBe(expected);
  });

  it("are a fixed point of the rule, without a doubled slash or /v1", () => {
    const part = fc.constantFrom("v1", "openai", "api", "v1beta", "");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        const resolved = resolveEndpoint(`http://h:1/${parts.join("/")}`);
        expect(resolveEndpoint(resolved)).toBe(resolved);
        expect(resolved.slice(7)).not.toMatch(/\/\/|\/$/);
      }),
    );
  });

  it("that are no URL are named, with the likely right one", () => {
    const error = errorOf(() => resolveEndpoint("localhost:11434"));
    expect(error.code).toBe("llm/endpoint");
    expect(error.message).toContain('"localhost:11434"');
    expect(error.hint).toContain("http://localhost:11434");
    expect(errorOf(() => resolveEndpoint("ftp://h/v1")).message).toContain('"ftp://h/v1"');
  });

  it.each([
    "https://user:hunter2@h/v1",
    "https://hunter2@h/v1",
    "https://h/v1?api-key=hunter2",
    "user:hunter2@h:1/v1",
    "ftp://user:hunter2@h/v1?key=hunter2",
    "https://h/v1#hunter2",
  ])("that hold a secret are refused without showing it: %s", (given) => {
    const error = errorOf(() => resolveEndpoint(given));
    expect(error.code).toBe("llm/endpoint");
    expect(inspect(error)).not.toContain("hunter2");
  });
});

describe("a request", () => {
  it("says what was asked, in the server's words, and no more", async () => {
    const { model, log } = await client({ apiKey: key }, { apiKey: key });
    await model.complete({ ...ask, extra: { top_k: 20 }, label: "agent 2, round 3", sample: 5 });
    expect(log[0].body).toEqual({
      model: "m",
      messages: ask.messages,
      temperature: 0.7,
      top_p: 0.9,
      max_tokens: 200,
      seed: 7,
      top_k: 20,
      stream: false,
    });
    expect(log[0].path).toBe("/v1/chat/completions");
    expect(Object.keys(log[0].headers).filter((name) => name.startsWith("x-"))).toEqual([]);
  });

  it("leaves absent settings to the server and asks for a form where there is a schema", async () => {
    const { model, log } = await client();
    const schema = { name: "answer", schema: { type: "object", properties: { answer: { type: "string" } } } };
    await model.complete({ model: "m", messages: ask.messages, sample: 0, schema });
    expect(Object.keys(log[0].body).sort()).toEqual(["messages", "model", "response_format", "stream"]);
    expect(log[0].body["response_format"]).toMatchObject({ type: "json_schema", json_schema: schema });
  });

  it("names the limit as the recipe says and leaves out what it omits", async () => {
    const { model, log } = await client(
      {},
      { tokensParameter: "max_completion_tokens", omit: ["temperature", "seed"] },
    );
    await model.complete(ask);
    expect(log[0].body).toMatchObject({ max_completion_tokens: 200, top_p: 0.9 });
    for (const name of ["max_tokens", "temperature", "seed"]) expect(log[0].body).not.toHaveProperty(name);
  });

  it("goes to a server that needs no key", async () => {
    const { model, log } = await client();
    await model.complete(ask);
    expect(log[0].headers.authorization).toBe("Bearer none");
  });

  it("takes nothing from the environment but what it is given", async () => {
    const server = await serve();
    const script = bundleScript(`
      import { openaiClient } from "./llm/server/openai.ts";
      const request = { model: "m", messages: [{ role: "user", content: "?" }], sample: 0 };
      await openaiClient({ baseURL: ${JSON.stringify(server.url)} }).complete(request);
    `);
    const env = {
      OPENAI_API_KEY: "sk-of-the-environment",
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
      OPENAI_ORG_ID: "org-of-the-environment",
      OPENAI_CUSTOM_HEADERS: "x-custom: of-the-environment\nauthorization: of-the-environment",
      OPENAI_LOG: "debug",
    };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script], { env });
    expect(stdout + stderr).toBe("");
    expect(JSON.stringify(server.log)).not.toContain("of-the-environment");
  });
});

describe("a reply", () => {
  it("carries text, finish and usage as the server gave them", async () => {
    const { model, log } = await client({ reply: () => ({ text: "Answer: (B)", finish: "length" }) });
    const { prompt, completion } = await model.complete(ask).then((reply) => {
      expect(reply).toMatchObject({ text: "Answer: (B)", finish: "length", refused: false, cost: null, cached: false });
      return reply.usage!;
    });
    expect({ prompt, completion }).toEqual(log[0].usage);
  });

  it("of null content is empty; hidden thoughts are never its text", async () => {
    expect(await replyUnder(odd["null content"])).toMatchObject({ text: "", finish: "stop" });
    expect(await replyUnder(odd["only reasoning"])).toMatchObject({ text: "", reasoning: "…so B", finish: "length" });
    const apart = await replyUnder(odd["reasoning apart"]);
    expect(apart.reasoning).toContain("(Z)");
    expect(apart.text).not.toContain("(Z)");
    expect(await replyUnder(message({ content: "B", reasoning: "thus" }))).toMatchObject({
      text: "B",
      reasoning: "thus",
    });
    expect(await replyUnder(message({}))).toMatchObject({ text: "" });
  });

  it("in parts is put together, thoughts aside", async () => {
    const content = [
      { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
      { type: "text", text: "It is " },
      { type: "text", text: "B." },
    ];
    expect(await replyUnder(message({ content }))).toMatchObject({ text: "It is B.", reasoning: "hm" });
  });

  it("may be a refusal", async () => {
    expect(await replyUnder(odd.refusal)).toMatchObject({ refused: true, text: "I cannot help with that." });
  });

  it.each([
    ["stop", "stop"],
    ["length", "length"],
    ["content_filter", "filtered"],
    ["tool_calls", "other"],
    ["constructor", "other"],
  ])("that ended with %s ended with %s", async (given, finish) => {
    expect((await replyUnder(message({ content: "x" }, given))).finish).toBe(finish);
  });

  it("is cut at the longest length that is kept", async () => {
    const reply = await replyUnder(
      message({ content: "x".repeat(longestReply + 5), reasoning: "y".repeat(longestReply + 5) }),
    );
    expect([reply.text.length, reply.reasoning?.length]).toEqual([longestReply, longestReply]);
  });

  it.each([
    ["absent", undefined],
    ["null", null],
    ["without a prompt", { prompt_tokens: 0, completion_tokens: 400, total_tokens: 400 }],
    ["without a reply", { prompt_tokens: 40, completion_tokens: 0 }],
    ["negative", { prompt_tokens: -1, completion_tokens: 4 }],
    ["in words", { prompt_tokens: "12", completion_tokens: 4 }],
    ["fractional", { prompt_tokens: 1.5, completion_tokens: 4 }],
    ["half there", { prompt_tokens: 12 }],
    [
      "more cached than asked",
      { prompt_tokens: 12, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 13 } },
    ],
  ])("has no usage where the count is %s", async (_, usage) => {
    expect((await replyUnder(message({ content: "x" }, "stop", usage))).usage).toBeNull();
  });

  it("tells cached and reasoning tokens apart, inside the whole", async () => {
    const usage = {
      prompt_tokens: 2000,
      completion_tokens: 300,
      prompt_tokens_details: { cached_tokens: 500 },
      completion_tokens_details: { reasoning_tokens: 200 },
    };
    const whole = { prompt: 2000, cachedPrompt: 500, completion: 300, reasoning: 200 };
    expect((await replyUnder(message({ content: "x" }, "stop", usage))).usage).toEqual(whole);
    const beside = { ...usage, completion_tokens: 100, total_tokens: 2300 };
    expect((await replyUnder(message({ content: "x" }, "stop", beside))).usage).toEqual(whole);
    const unknown = { ...usage, prompt_tokens_details: null, completion_tokens_details: { reasoning_tokens: "many" } };
    expect((await replyUnder(message({ content: "x" }, "stop", unknown))).usage).toMatchObject({
      cachedPrompt: 0,
      reasoning: 0,
    });
  });
});

describe("a failure", () => {
  it.each([
    ["429", "llm/rate-limit"],
    ["500", "llm/server"],
    ["503", "llm/server"],
    ["529", "llm/server"],
    ["408", "llm/server"],
    ["cut", "llm/connection"],
    ["reset", "llm/connection"],
    ["truncated JSON", "llm/server"],
    ["page instead of JSON", "llm/server"],
    ["200 with an error", "llm/server"],
    ["200 with a coded error", "llm/server"],
    ["choices null", "llm/server"],
    ["choices empty", "llm/server"],
    ["choice with an error", "llm/server"],
  ] as const)("by %s is %s and worth asking again", async (name, code) => {
    expect(await failureUnder(passing[name])).toMatchObject({ code, retryable: true, endsRun: false });
  });

  it.each([
    ["quota", "llm/quota"],
    ["unauthorized", "llm/key"],
    ["forbidden", "llm/key"],
    ["not found", "llm/not-found"],
  ] as const)("by %s is %s and ends the run", async (name, code) => {
    expect(await failureUnder(lasting[name])).toMatchObject({ code, retryable: false, endsRun: true });
  });

  it.each([
    ["quota in a body of status 200", refuse(200, { message: "no", code: "insufficient_quota" }), "llm/quota"],
    ["a key refused in a body of status 200", refuse(200, { message: "no", code: "invalid_api_key" }), "llm/key"],
    ["payment required", refuse(402, { message: "Insufficient Balance" }), "llm/quota"],
    ["quota without a code", refuse(429, { message: "You exceeded your current quota" }), "llm/quota"],
    [
      "a limit a minute that speaks of billing",
      refuse(429, { message: "Add a payment method: /account/billing", code: "rate_limit_exceeded" }),
      "llm/rate-limit",
    ],
    [
      "Gemini's limit a minute, in a list",
      answer([{ error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "You exceeded your current quota" } }], 429),
      "llm/rate-limit",
    ],
    ["an unknown field", refuse(400, { message: "Unrecognized request argument: foo", param: "foo" }), "llm/request"],
    ["too large a body", answer("Payload Too Large", 413), "llm/request"],
  ])("tells %s", async (_, fault, code) => {
    expect((await failureUnder(fault)).code).toBe(code);
  });

  it("shows what the server said, in every dialect", async () => {
    for (const body of [
      { error: { message: "the server's words" } },
      { error: "the server's words" },
      { object: "error", message: "the server's words", code: 418 },
      { detail: "the server's words" },
      { detail: [{ loc: ["body", "messages"], msg: "the server's words", type: "value_error" }] },
      { object: "error", message: { detail: [{ loc: ["body", "x"], msg: "the server's words" }] } },
      "<html><style>p{}</style><p>the server's\n words</p></html>",
    ])
      expect((await failureUnder(answer(body, 418))).message).toMatch(/answered 418: the server's words$/);
    expect((await failureUnder(passing["200 with an error"])).message).toContain("rate limit exceeded");
  });

  it("names the URL and the model where either is not known", async () => {
    const { url } = await serve();
    const { message } = await failureOf(openaiClient({ baseURL: `${url}/wrong` }).complete(ask));
    expect(message).toContain(`${url}/wrong/chat/completions`);
    expect(message).toContain('"m"');
  });

  it("says where no server is", async () => {
    const server = await startModelServer();
    await server.close();
    const error = await failureOf(openaiClient({ baseURL: server.url }).complete(ask));
    expect(error).toMatchObject({ code: "llm/unreachable", retryable: true });
    expect(error.message).toContain(server.url);
    expect(error.message).toContain("ECONNREFUSED");
    expect(error.hint).toContain("running");
  });

  it("says that a prompt is too long rather than blaming a parameter", async () => {
    const { model, log } = await client({ faults: () => lasting["too long"] });
    const error = await failureOf(model.complete(ask));
    expect(error).toMatchObject({ code: "llm/request", retryable: false });
    expect(error.hint).toContain("context");
    expect(log).toHaveLength(1);
  });

  it("does not follow redirects: the key stays with its server", async () => {
    const other = await serve();
    const { model } = await client(
      {
        faults: () => ({
          kind: "answer",
          status: 301,
          headers: { location: `${other.url}/chat/completions` },
          body: "",
        }),
      },
      { apiKey: key },
    );
    const error = await failureOf(model.complete(ask));
    expect(error).toMatchObject({ code: "llm/redirect", endsRun: true });
    expect(error.message).toContain(other.url);
    expect(other.log).toEqual([]);
  });

  it("comes at the timeout also when the body stalls after its headers", async () => {
    const start = performance.now();
    const error = await failureUnder({ kind: "stall" }, { timeoutMs: 200 });
    const took = performance.now() - start;
    expect(error).toMatchObject({ code: "llm/timeout", retryable: true });
    expect(error.message).toContain("200 ms");
    expect(took).toBeGreaterThan(190);
    expect(took).toBeLessThan(600);
  });

  it("comes at the timeout also while a body trickles in", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drip));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const error = await failureOf(openaiClient({ baseURL: `http://127.0.0.1:${port}`, timeoutMs: 150 }).complete(ask));
    expect(error.code).toBe("llm/timeout");
    server.closeAllConnections();
    server.close();
  });

  it("ends a body that is too large before it fills the memory", async () => {
    const huge = message({ content: "x".repeat(300_000) });
    const error = await failureUnder(huge, { longestBody: 100_000 });
    expect(error).toMatchObject({ code: "llm/server", retryable: true });
    expect(error.message).toContain("100000 bytes");
  });
});

describe("parameters a model does not take", () => {
  const newer: ModelServerSettings["faults"] = (_, body) =>
    "max_tokens" in body ? unsupported("max_tokens") : "temperature" in body ? unsupported("temperature") : undefined;

  it("are left out of the next request, and of all that follow", async () => {
    const notices: string[] = [];
    const { model, log } = await client({ faults: newer }, { onNotice: (notice) => notices.push(notice) });
    const first = await failureOf(model.complete(ask));
    expect(first).toMatchObject({ code: "llm/parameter", retryable: true, retryAfterMs: 0 });
    expect((await failureOf(model.complete(ask))).code).toBe("llm/parameter");
    await model.complete(ask);
    await model.complete({ ...ask, seed: 8 });
    expect(log.map(({ status }) => status)).toEqual([400, 400, 200, 200]);
    expect(log[3].body).toMatchObject({ max_completion_tokens: 200, top_p: 0.9, seed: 8 });
    expect(notices.join("\n")).toContain("tokensParameter: max_completion_tokens");
    expect(notices.join("\n")).toContain("omit: [temperature]");
    expect(notices).toHaveLength(2);
  });

  it("are remembered for that model only", async () => {
    const { model, log } = await client({
      faults: (_, body) => (body.model === "m" && "temperature" in body ? unsupported("temperature") : undefined),
    });
    await failureOf(model.complete(ask));
    await model.complete(ask);
    await model.complete({ ...ask, model: "other" });
    expect(log.map(({ body }) => "temperature" in body)).toEqual([true, false, true]);
  });

  it("are asked again within the one retry layer, counted as its requests", async () => {
    const attempts = createAttempts({ retries: 2, longestWaitMs: 1000, lanes: 8, rng: createRng(1) });
    const { model, log } = await client({ faults: newer });
    const calls = Array.from({ length: 8 }, () => attempts.run({ send: () => model.complete(ask) }));
    expect((await Promise.all(calls)).every(({ text }) => text !== "")).toBe(true);
    // All that were under way learn it for themselves.
    expect(log.length).toBeLessThanOrEqual(24);
    expect(log.filter(({ status }) => status === 200)).toHaveLength(8);
  });

  it("are found in every dialect", async () => {
    for (const [name, fault] of [
      ["max_tokens", refuse(400, { param: "max_tokens", code: "unsupported_parameter" })],
      ["temperature", refuse(400, { param: "temperature" })],
      [
        "temperature",
        refuse(400, {
          message:
            "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
          code: "unsupported_value",
        }),
      ],
      ["temperature", refuse(400, { message: "invalid temperature: only 1 is allowed for this model" })],
      [
        "seed",
        answer(
          { detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted" }] },
          422,
        ),
      ],
      [
        "seed",
        answer(
          {
            object: "error",
            message: {
              detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted" }],
            },
          },
          422,
        ),
      ],
      ["top_p", answer({ error: 'unknown field "top_p"' }, 400)],
      [
        "max_tokens",
        refuse(400, {
          message:
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        }),
      ],
    ] as const) {
      const { model, log } = await client({ faults: (index) => (index === 0 ? fault : undefined) });
      expect((await failureOf(model.complete(ask))).code, JSON.stringify(fault)).toBe("llm/parameter");
      await model.complete(ask);
      expect(log[1].body).not.toHaveProperty(name);
    }
  });

  it("that know only max_tokens get it", async () => {
    const { model, log } = await client({
      faults: (_, body) => ("max_tokens" in body ? undefined : unsupported("max_completion_tokens")),
    });
    await model.complete(ask);
    expect(log[0].body).toHaveProperty("max_tokens");
  });

  it("are a lasting error once they are refused though they were not sent, or under both names", async () => {
    const always = await client({ faults: () => unsupported("temperature") });
    expect((await failureOf(always.model.complete(ask))).code).toBe("llm/parameter");
    expect(await failureOf(always.model.complete(ask))).toMatchObject({ code: "llm/request", retryable: false });
    const both = await client({
      faults: (_, body) => unsupported("max_tokens" in body ? "max_tokens" : "max_completion_tokens"),
    });
    expect((await failureOf(both.model.complete(ask))).code).toBe("llm/parameter");
    const last = await failureOf(both.model.complete(ask));
    expect(last).toMatchObject({ code: "llm/request", retryable: false });
    expect(last.hint).toContain("tokensParameter");
  });

  it("are not confused with values out of range, nor with fields of the recipe's own", async () => {
    const range = refuse(400, {
      message: "max_tokens is too large: 200. It must be at most 100.",
      param: "max_tokens",
      code: "invalid_value",
    });
    expect((await failureUnder(range)).code).toBe("llm/request");
    const { model } = await client({ faults: () => unsupported("reasoning_effort") });
    expect((await failureOf(model.complete({ ...ask, extra: { reasoning_effort: "low" } }))).code).toBe("llm/request");
  });
});

describe("the API key", () => {
  const echo: Fault = refuse(500, {
    message: `Bad header Authorization: Bearer ${key}, or ${key}?`,
    param: key,
    code: key,
  });

  it("is in no error and no notice under any fault", async () => {
    const attempts = createAttempts({ retries: 1, longestWaitMs: 1000, baseDelayMs: 1, lanes: 4, rng: createRng(1) });
    for (const [name, fault] of Object.entries({
      ...faults,
      echo,
      "echo 401": refuse(401, { message: `Incorrect API key provided: ${key}.` }),
      "echo 400": refuse(400, { message: `Unsupported parameter 'temperature' ${key}` }),
      "echo as text": answer(`${"x".repeat(490)} ${key}`, 502),
      "echo in a page": answer(`<p>${key}</p>`, 200),
      "echo in an odd body": answer({ choices: null, key }),
      redirect: {
        kind: "answer",
        status: 302,
        headers: { location: `http://h/?key=${key}` },
        body: "",
      } satisfies Fault,
    })) {
      const notices: string[] = [];
      const settings = { apiKey: key, timeoutMs: 100, onNotice: (notice: string) => notices.push(notice) };
      const { model } = await client({ apiKey: key, faults: () => fault }, settings);
      const failures = await Promise.allSettled([
        model.complete(ask),
        attempts.run({ send: () => model.complete(ask) }),
      ]);
      const shown =
        inspect([failures, notices, model], { depth: 20, showHidden: true }) + JSON.stringify([failures, notices]);
      expect(shown.includes(key), name).toBe(false);
      expect(shown.includes(key.slice(0, -2)), name).toBe(false);
    }
  }, 20_000);

  it("is not even in a reply that repeats it", async () => {
    const reply = await replyUnder(message({ content: `Your key is ${key}.`, reasoning: key }), { apiKey: key });
    expect(reply).toMatchObject({ text: "Your key is [key].", reasoning: "[key]" });
  });

  it("of other people is covered as well", async () => {
    const { message } = await failureUnder(
      refuse(400, { message: "Incorrect key sk-proj-abcdef*****wxyz, Bearer abc.def" }),
    );
    expect(message).toContain("Incorrect key [key], [key]");
  });

  it("that cannot be one is refused without showing it", () => {
    const error = errorOf(() => openaiClient({ apiKey: "sk-abc…\nxyz" }));
    expect(error.code).toBe("llm/key");
    expect(inspect(error)).not.toContain("abc");
  });
});

describe("cancelling", () => {
  it("ends a call at once, under way or not yet begun", async () => {
    const { model, log } = await client({ delayMs: 10_000 });
    const run = new AbortController();
    const call = failureOf(model.complete(ask, run.signal));
    setTimeout(() => run.abort(), 50);
    const start = performance.now();
    expect(await call).toMatchObject({ code: "llm/cancelled", endsRun: true, retryable: false });
    expect(performance.now() - start).toBeLessThan(1000);
    expect((await failureOf(model.complete(ask, run.signal))).code).toBe("llm/cancelled");
    expect(log).toHaveLength(1);
  });

  it("leaves one listener for any number of calls, and none when they have ended", async () => {
    const { model } = await client({ delayMs: 30 });
    const run = new AbortController();
    const warnings: Error[] = [];
    const listen = (warning: Error): unknown => warnings.push(warning);
    process.on("warning", listen);
    const calls = Array.from({ length: 500 }, () => model.complete(ask, run.signal));
    expect(getEventListeners(run.signal, "abort")).toHaveLength(1);
    await Promise.all(calls);
    expect(getEventListeners(run.signal, "abort")).toEqual([]);
    const stopped = Array.from({ length: 100 }, () => failureOf(model.complete(ask, run.signal)));
    setTimeout(() => run.abort(), 10);
    expect(new Set((await Promise.all(stopped)).map(({ code }) => code))).toEqual(new Set(["llm/cancelled"]));
    expect(getEventListeners(run.signal, "abort")).toEqual([]);
    process.off("warning", listen);
    expect(warnings).toEqual([]);
  });

  it("of 2,000 calls at a time holds under 600 MB without a warning from Node, and the process ends by itself", async () => {
    const server = await serve({ delayMs: 300 });
    const script = bundleScript(`
      import { openaiClient } from "./llm/server/openai.ts";
      import { createAttempts } from "./llm/retry/attempts.ts";
      import { retried } from "./llm/retry/retried.ts";
      import { createRng } from "./base/rng.ts";
      const attempts = createAttempts({ retries: 2, longestWaitMs: 1e4, lanes: 2000, rng: createRng(1) });
      const model = retried(openaiClient({ baseURL: ${JSON.stringify(server.url)} }), attempts);
      const run = new AbortController();
      const request = (seed) => ({ model: "m", messages: [{ role: "user", content: "x".repeat(4000) }], seed, sample: 0 });
      const calls = Array.from({ length: 2500 }, (_, seed) => model.complete(request(seed), run.signal));
      const replies = await Promise.all(calls);
      const late = Array.from({ length: 2000 }, (_, seed) => model.complete(request(seed), run.signal).catch(({ code }) => code));
      setTimeout(() => run.abort(), 100);
      const codes = new Set(await Promise.all(late));
      const { maxRSS } = process.resourceUsage();
      console.log(JSON.stringify({ replies: replies.length, codes: [...codes], megabytes: maxRSS / 1000 }));
    `);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--trace-warnings", script]);
    expect(stderr).toBe("");
    const { replies, codes, megabytes } = JSON.parse(stdout);
    expect(replies).toBe(2500);
    expect(codes).toEqual(["llm/cancelled"]);
    expect(server.mostAtOnce()).toBeGreaterThan(1500);
    expect(megabytes).toBeLessThan(600);
  }, 30_000);
});

describe("the embedder of an endpoint", () => {
  const attempts = () =>
    createAttempts({ retries: 2, longestWaitMs: 1000, baseDelayMs: 1, lanes: 4, rng: createRng(1) });

  it.each(["float", "base64"] as const)("gives one unit vector a text, in order, by %s", async (encoding) => {
    const { url } = await serve();
    const embedder = await endpointEmbedder({ baseURL: url, model: "e", attempts: attempts(), encoding });
    expect(embedder).toMatchObject({ name: "endpoint:e", dimension: 32 });
    const texts = ["one", "two", "one", "", "three"];
    const vectors = await embedder.embed(texts);
    expect(vectors[0].values).toEqual(vectors[2].values);
    expect(vectors[0].values).not.toEqual(vectors[1].values);
    for (const [i, text] of texts.entries()) {
      const [alone] = await embedder.embed([text]);
      expect(vectors[i].values).toEqual(alone.values);
      expect(Math.hypot(...alone.values)).toBeCloseTo(1, 5);
    }
    expect(await embedder.embed([])).toEqual([]);
  });

  it("asks in batches, each distinct text once, and tells what was used", async () => {
    const { url, log } = await serve();
    let tokens = 0;
    const embedder = await endpointEmbedder({
      baseURL: url,
      model: "e",
      attempts: attempts(),
      dimension: 32,
      onUsage: (usage) => {
        tokens += usage.tokens!;
      },
    });
    await embedder.embed(Array.from({ length: 300 }, (_, i) => `text ${i % 200}`));
    expect(log.map(({ body }) => (body["input"] as string[]).length)).toEqual([96, 96, 8]);
    expect(tokens).toBe(log.reduce((sum, { usage }) => sum + usage!.prompt, 0));
  });

  it("asks again after failures and short answers, and fails like a chat where that does not help", async () => {
    const short = answer({ data: [] });
    const { url, log } = await serve({
      faults: (index) => [passing["500"], short, undefined, lasting.unauthorized][index],
    });
    const embedder = await endpointEmbedder({ baseURL: url, model: "e", attempts: attempts() });
    expect(log).toHaveLength(3);
    expect((await failureOf(Promise.resolve(embedder.embed(["x"])))).code).toBe("llm/key");
  });

  it.each([
    ["a missing vector", [{ index: 0, embedding: [1, 2] }]],
    [
      "an index twice",
      [
        { index: 0, embedding: [1, 2] },
        { index: 0, embedding: [1, 2] },
      ],
    ],
    [
      "no numbers",
      [
        { index: 0, embedding: [1, null] },
        { index: 1, embedding: [1, 2] },
      ],
    ],
    [
      "infinite numbers",
      [
        { index: 0, embedding: "AACAfwAAgD8=" },
        { index: 1, embedding: [1, 2] },
      ],
    ],
  ])("refuses %s", async (_, data) => {
    const { url } = await serve({ faults: () => answer({ data }) });
    const embedder = await endpointEmbedder({ baseURL: url, model: "e", attempts: attempts(), dimension: 2 });
    expect((await failureOf(Promise.resolve(embedder.embed(["x", "y"])))).code).toBe("llm/server");
  });

  it("says when vectors are of another size than was said", async () => {
    const { url } = await serve();
    const embedder = await endpointEmbedder({ baseURL: url, model: "e", attempts: attempts(), dimension: 31 });
    const error = await failureOf(Promise.resolve(embedder.embed(["x"])));
    expect(error.code).toBe("embedder/dimension");
    expect(error.message).toContain("32");
  });
});
