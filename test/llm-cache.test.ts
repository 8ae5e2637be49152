import { spawn } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ColloquyError } from "../src/base/errors.ts";
import { sha256 } from "../src/base/hash.ts";
import type { ChatReply, ChatRequest, LanguageModel } from "../src/contracts/language-model.ts";
import { priceList } from "../src/llm/money/prices.ts";
import { cached } from "../src/llm/replies/cached.ts";
import { openReplyLog } from "../src/llm/replies/reply-log.ts";
import { memoryStore, type ReplyStore, type StoredReply } from "../src/llm/replies/reply-store.ts";
import { requestKey } from "../src/llm/replies/request-key.ts";
import { bundleScript, freshFolder } from "./support/child.ts";
import { errorOf } from "./support/error-of.ts";

const endpoint = "http://localhost:1/v1";
const base: ChatRequest = { model: "gpt-4o-mini", messages: [{ role: "user", content: "Why?" }], sample: 0 };
const keyOf = (more: Partial<ChatRequest> = {}, at = endpoint): string => requestKey({ ...base, ...more }, at);

const stored: StoredReply = {
  text: "The answer is B. Größe, 專家, 🙂\u2028\ud800",
  finish: "stop",
  refused: false,
  usage: { prompt: 90, cachedPrompt: 0, completion: 10, reasoning: 0 },
};
const keys = Array.from({ length: 20 }, (_, i) => sha256(`key ${i}`));
const logOf = (folder: string): string => join(folder, readdirSync(folder)[0]);

/** A store on a folder, with what it said. */
function openLog(folder: string): { store: ReplyStore; notices: string[] } {
  const notices: string[] = [];
  return { store: openReplyLog(folder, (notice) => notices.push(notice)), notices };
}

describe("the identity of a request", () => {
  it("C29: holds everything that can change a reply", () => {
    const changes: Partial<ChatRequest>[] = [
      {},
      { model: "m2" },
      { temperature: 0 },
      { temperature: 0.7 },
      { seed: 1 },
      { seed: 2 },
      { sample: 1 },
      { topP: 1 },
      { maxTokens: 256 },
      { extra: {} },
      { extra: { reasoning_effort: "low" } },
      { schema: { name: "reply", schema: {} } },
      { messages: [] },
      { messages: [{ role: "system", content: "Why?" }] },
      { messages: [...base.messages, ...base.messages] },
      { messages: [{ role: "user", content: "Why? " }] },
    ];
    const found = [...changes.map((change) => keyOf(change)), keyOf({}, "http://localhost:2/v1")];
    expect(new Set(found).size).toBe(found.length);
  });

  it("holds neither who asks, nor the order of fields, nor fields that are not set, nor secrets of the URL", () => {
    expect(keyOf({ label: "agent 2, round 3" })).toBe(keyOf());
    expect(keyOf({ temperature: undefined })).toBe(keyOf());
    expect(keyOf({ extra: { a: 1, b: 2 } })).toBe(keyOf({ extra: { b: 2, a: 1 } }));
    expect(keyOf({}, "http://me:secret@localhost:1/v1/?api-key=secret#x")).toBe(keyOf());
  });
});

describe.each([
  ["in memory", () => ({ store: memoryStore(), again: undefined })],
  [
    "on disk",
    () => {
      const folder = freshFolder();
      return { store: openLog(folder).store, again: () => openLog(folder).store };
    },
  ],
])("replies kept %s", (_, open) => {
  it("come back as they were put, and the latest counts", () => {
    const { store, again } = open();
    const reply = fc.record({
      text: fc.string({ unit: "binary", maxLength: 300 }),
      reasoning: fc.string({ maxLength: 20 }),
      finish: fc.constantFrom("stop" as const, "length" as const, "filtered" as const, "other" as const),
      refused: fc.boolean(),
      usage: fc.constantFrom(null, stored.usage),
    });
    const held = new Map<string, StoredReply>();
    fc.assert(
      fc.property(fc.constantFrom(...keys), reply, (key, one) => {
        expect(store.get(key)).toEqual(held.get(key));
        store.put(key, one);
        held.set(key, one);
        expect(store.get(key)).toEqual(one);
      }),
    );
    const reopened = again?.();
    if (reopened) for (const key of keys) expect(reopened.get(key)).toEqual(held.get(key));
    expect(store.get(sha256("never put"))).toBeUndefined();
  });
});

describe("replies in memory", () => {
  it("are no more than the store may hold; the oldest go first", () => {
    const store = memoryStore(3);
    for (const key of keys) store.put(key, stored);
    expect(keys.filter((key) => store.get(key) !== undefined)).toEqual(keys.slice(-3));
  });
});

describe("replies on disk", () => {
  /** A folder with one reply a key. */
  function filledFolder(): string {
    const folder = freshFolder();
    const { store } = openLog(folder);
    keys.forEach((key, i) => {
      store.put(key, { ...stored, text: `reply ${i}` });
    });
    store.close();
    return folder;
  }
  const found = (store: ReplyStore) => keys.map((key) => store.get(key));

  it("are never wrong, whatever happens to the bytes of the file: what is damaged is missing, and said to be", () => {
    const whole = readFileSync(logOf(filledFolder()));
    const folder = filledFolder();
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), fc.nat(40), (at, flip, dropped) => {
        const bytes = Buffer.concat([whole.subarray(0, at), whole.subarray(at + dropped)]);
        if (dropped === 0) bytes[at] ^= flip;
        writeFileSync(logOf(folder), bytes);
        const { store, notices } = openLog(folder);
        const replies = found(store);
        const missing = replies.filter((reply) => reply === undefined).length;
        replies.forEach((reply, i) => {
          if (reply !== undefined) expect(reply).toEqual({ ...stored, text: `reply ${i}` });
        });
        expect(missing).toBeLessThanOrEqual(2);
        // Only blank lines can be lost unnoticed, or an entry that was dropped with both its ends.
        if (missing > 0 && dropped === 0) expect(notices.length).toBeGreaterThan(0);
        keys.forEach((key) => {
          store.put(key, stored);
        });
        expect(found(store)).toEqual(keys.map(() => stored));
        store.close();
      }),
    );
  });

  it("survive a last line that was cut off: it is a miss with a notice, and the next reply does not stick to it", () => {
    const folder = filledFolder();
    truncateSync(logOf(folder), readFileSync(logOf(folder)).length - 30);
    const { store, notices } = openLog(folder);
    expect(store.get(keys[19])).toBeUndefined();
    expect(store.get(keys[18])).toBeDefined();
    store.put(keys[19], stored);
    expect(store.get(keys[19])).toEqual(stored);
    // Until another line follows, a process might still be writing it.
    expect(notices).toEqual([expect.stringContaining("1 damaged entry is left out")]);
    expect(openLog(folder).store.get(keys[19])).toEqual(stored);
  });

  it.each([
    ["no JSON", "{text"],
    ["another shape", '{"text":5}'],
    [
      "an impossible usage",
      JSON.stringify({ ...stored, usage: { prompt: -1, cachedPrompt: 0, completion: 0, reasoning: 0 } }),
    ],
    ["a text beyond the cap", JSON.stringify({ ...stored, text: "x".repeat(100_001) })],
    ["nothing", "{}"],
  ])("are missing where somebody forged an entry that holds %s", (_, json) => {
    const folder = filledFolder();
    const content = `${keys[3]} ${json}`;
    appendFileSync(logOf(folder), `${sha256(content).slice(0, 16)} ${content}\n`);
    const { store, notices } = openLog(folder);
    expect(store.get(keys[3])).toBeUndefined();
    expect(notices).toHaveLength(1);
    expect(store.get(keys[4])).toBeDefined();
  });

  it("are no more than a miss where the file is something else entirely, or has been emptied meanwhile", () => {
    const folder = filledFolder();
    writeFileSync(logOf(folder), Buffer.alloc(9 * 2 ** 20, "x"));
    const { store, notices } = openLog(folder);
    expect(store.get(keys[0])).toBeUndefined();
    store.put(keys[0], stored);
    expect(store.get(keys[0])).toEqual(stored);
    expect(notices).toHaveLength(1);
    truncateSync(logOf(folder), 0);
    expect(store.get(keys[1])).toBeUndefined();
    store.put(keys[1], stored);
    expect(store.get(keys[1])).toEqual(stored);
    expect(store.get(keys[0])).toBeUndefined();
  });

  it("fail at once, and in words, where the folder cannot be used", () => {
    const file = join(freshFolder(), "file");
    writeFileSync(file, "");
    expect(errorOf(() => openLog(file))).toMatchObject({
      code: "llm/cache",
      hint: expect.stringContaining("COLLOQUY_CACHE"),
    });
  });

  const worker = bundleScript(`
    import { sha256 } from "./base/hash.ts";
    import { openReplyLog } from "./llm/replies/reply-log.ts";
    const [folder, name, count] = process.argv.slice(2);
    const store = openReplyLog(folder, (notice) => console.log(notice));
    const reply = (i) => ({ text: name + i + "x".repeat(i * 37 % 9000), finish: "stop", refused: false, usage: null });
    for (let i = 0; i < Number(count); i++) {
      store.put(sha256(name + i), reply(i));
      if (i % 50 === 0) await new Promise((done) => setTimeout(done, 1));
      if (store.get(sha256(name + i))?.text !== reply(i).text) console.log("wrong " + i);
    }
    console.log("done");
    if (name === "killed") setInterval(() => store.put(sha256("late"), reply(1)), 0);
  `);
  const run = (folder: string, name: string, until: "end" | "done"): Promise<string> =>
    new Promise((resolve) => {
      let said = "";
      const child = spawn(process.execPath, [worker, folder, name, "300"], { stdio: ["ignore", "pipe", "inherit"] });
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        if (until === "done" && said.includes("done")) child.kill("SIGKILL");
      });
      child.on("close", () => resolve(said));
    });

  it("are shared by processes that write at the same time, each seeing what the others have put", async () => {
    const folder = freshFolder();
    const here = openLog(folder);
    here.store.put(keys[0], stored);
    const said = await Promise.all(["p", "q", "r"].map((name) => run(folder, name, "end")));
    expect(said).toEqual(["done\n", "done\n", "done\n"]);
    for (const name of ["p", "q", "r"])
      for (let i = 0; i < 300; i++)
        expect(here.store.get(sha256(name + i))?.text).toMatch(new RegExp(`^${name}${i}x*$`));
    expect(here.store.get(keys[0])).toEqual(stored);
    expect(here.notices).toEqual([]);
  });

  it("are not lost when the process is killed", async () => {
    const folder = freshFolder();
    expect(await run(folder, "killed", "done")).toContain("done");
    const { store } = openLog(folder);
    for (let i = 0; i < 300; i++) expect(store.get(sha256(`killed${i}`))).toBeDefined();
  });
});

const whole: ChatReply = { ...stored, cost: 0.5, cached: false };
const priceOf = priceList();

/** A model behind a cache, which counts its calls and answers one after another. */
function open(answers: (Partial<ChatReply> | Error)[] = [{}], store = memoryStore(), at = endpoint) {
  const seen = { calls: 0, hits: 0 };
  const model: LanguageModel = {
    async complete(_, signal) {
      const answer = answers[Math.min(seen.calls++, answers.length - 1)];
      await new Promise((done) => setTimeout(done, 5));
      if (signal?.aborted) throw new ColloquyError("llm/cancelled", "cancelled", { endsRun: true });
      if (answer instanceof Error) throw answer;
      return { ...whole, ...answer };
    },
  };
  const onHit = (): void => {
    seen.hits++;
  };
  return { model: cached(model, { store, endpoint: at, priceOf, onHit }), seen, store };
}
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (error: ColloquyError) => error.code,
  );

describe("a cached model", () => {
  it("C29: sends no request twice, and tells apart all that may be answered differently", async () => {
    const { model, seen } = open();
    const asked = [
      {},
      { model: "m2" },
      { temperature: 0 },
      { temperature: 0.7 },
      { seed: 1 },
      { seed: 2 },
      { sample: 1 },
    ];
    for (const more of asked) expect((await model.complete({ ...base, ...more })).cached).toBe(false);
    for (const more of asked) expect((await model.complete({ ...base, ...more })).cached).toBe(true);
    expect(seen).toEqual({ calls: 7, hits: 7 });
  });

  it("gives back the reply as it came, at the prices of today", async () => {
    const { model } = open();
    await model.complete(base);
    const cost = (90 * 0.15 + 10 * 0.6) / 1e6;
    expect(await model.complete(base)).toEqual({ ...whole, cost, cached: true });
  });

  it("keeps what the model has said in full, cut, filtered or refused, but no hiccup", async () => {
    const isKept = async (answer: Partial<ChatReply>): Promise<boolean> => {
      const { model, seen } = open([answer]);
      await model.complete(base);
      await model.complete(base);
      return seen.calls === 1;
    };
    expect(await isKept({ text: "", finish: "length" })).toBe(true);
    expect(await isKept({ text: "", finish: "filtered" })).toBe(true);
    expect(await isKept({ text: "", refused: true })).toBe(true);
    expect(await isKept({ usage: null })).toBe(true);
    expect(await isKept({ text: "" })).toBe(false);
    expect(await isKept({ text: " \n", reasoning: "so B" })).toBe(false);
    expect(await isKept({ text: "", finish: "other" })).toBe(false);
  });

  it("C19: keeps no failure", async () => {
    const { model, seen, store } = open([new ColloquyError("llm/server", "200 with an error"), {}]);
    expect(await codeOf(model.complete(base))).toBe("llm/server");
    expect(store.get(keyOf())).toBeUndefined();
    expect((await model.complete(base)).cached).toBe(false);
    expect(seen.calls).toBe(2);
  });

  it("makes one call of equal requests at the same time, and only the first one pays", async () => {
    const { model, seen } = open();
    const replies = await Promise.all(Array.from({ length: 50 }, () => model.complete(base)));
    expect(seen).toEqual({ calls: 1, hits: 49 });
    expect(replies.map(({ cached }) => cached)).toEqual([false, ...Array.from({ length: 49 }, () => true)]);
    expect(new Set(replies.map(({ text, cost }) => `${text} ${cost}`)).size).toBe(1);
  });

  it("tells all who wait of a failure, and asks again later", async () => {
    const { model, seen } = open([new ColloquyError("llm/server", "down"), {}]);
    const codes = await Promise.all(Array.from({ length: 5 }, () => codeOf(model.complete(base))));
    expect(codes).toEqual(Array.from({ length: 5 }, () => "llm/server"));
    expect((await model.complete(base)).text).toBe(whole.text);
    expect(seen.calls).toBe(2);
  });

  it("goes on for those who wait when the first one gives up, and lets each of them give up alone", async () => {
    const { model, seen } = open();
    const [first, second] = [new AbortController(), new AbortController()];
    const work = [
      codeOf(model.complete(base, first.signal)),
      codeOf(model.complete(base)),
      codeOf(model.complete(base)),
      codeOf(model.complete(base, second.signal)),
    ];
    second.abort();
    expect(await work[3]).toBe("llm/cancelled");
    first.abort();
    expect(await Promise.all(work)).toEqual(["llm/cancelled", "none", "none", "llm/cancelled"]);
    expect(seen.calls).toBe(2);
  });

  it("shares a folder between servers and runs without mixing up their replies", async () => {
    const folder = freshFolder();
    const one = open([{ text: "one" }], openLog(folder).store, "http://one/v1");
    const two = open([{ text: "two" }], openLog(folder).store, "http://two/v1");
    await one.model.complete(base);
    await two.model.complete(base);
    const later = open([{ text: "three" }], openLog(folder).store, "http://one/v1/");
    expect(await later.model.complete(base)).toMatchObject({ text: "one", cached: true });
    expect(later.seen.calls).toBe(0);
  });

  it("leaves neither prompts nor secrets of the URL in the folder", async () => {
    const folder = freshFolder();
    const { model } = open([{}], openLog(folder).store, "http://me:sk-secret@localhost:1/v1?key=sk-secret");
    await model.complete({ ...base, messages: [{ role: "user", content: "PROMPT" }], label: "LABEL" });
    const kept = readFileSync(logOf(folder), "utf8");
    expect(kept).toContain("Größe");
    expect(kept).not.toMatch(/sk-secret|PROMPT|LABEL|localhost/);
  });
});
