import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { narrated } from "../src/agents/index.ts";
import { readUtterance } from "../src/agents/read-utterance.ts";
import { wrongAnswers } from "../src/agents/targets.ts";
import { groupBy } from "../src/base/group-by.ts";
import { createRng } from "../src/base/rng.ts";
import { hashingEmbedder } from "../src/behaviour/index.ts";
import type { Turn, Utterance } from "../src/contracts/agent.ts";
import type { ChatReply, ChatRequest, LanguageModel } from "../src/contracts/language-model.ts";
import type { Question } from "../src/contracts/task.ts";
import type { EpisodeRecord } from "../src/contracts/trace.ts";
import { checkEnvironment, runEpisode } from "../src/environments/index.ts";
import { type LanguageTeamSettings, languagePopulation } from "../src/populations/index.ts";
import { errorOf } from "./support/error-of.ts";
import { choice, deliberate, opinionated, startOf } from "./support/worlds.ts";

const replyOf = (text: string, changes: Partial<ChatReply> = {}): ChatReply => ({
  text,
  finish: "stop",
  refused: false,
  usage: { prompt: 300, cachedPrompt: 0, completion: 20, reasoning: 0 },
  cost: 0.001,
  cached: false,
  ...changes,
});

/** A model that keeps what it was asked, and answers after `delay` turns of the event loop. */
function scriptedModel(answer: (request: ChatRequest) => ChatReply, delay = (_request: ChatRequest) => 0) {
  const requests: ChatRequest[] = [];
  const model: LanguageModel = {
    async complete(request) {
      requests.push(request);
      for (let i = delay(request); i > 0; i--) await new Promise((resolve) => setImmediate(resolve));
      return answer(request);
    },
  };
  return { model, requests };
}

/** Follows orders where the system message holds some; otherwise a letter that the prompt and the sample decide. */
function obedient(request: ChatRequest): ChatReply {
  const [system, user] = request.messages;
  const ordered = /Your answer is \(([A-Z])\)/.exec(system.content)?.[1];
  const letter = ordered ?? createRng(`${user.content}/${request.sample}`).pick(["A", "A", "B", "C", "D"]);
  return replyOf(`It has to be ${letter}, says ${/Your role: (\w+)/.exec(system.content)?.[1]}.\nANSWER: ${letter}`);
}

const team = (model: LanguageModel, changes: Partial<LanguageTeamSettings> = {}) =>
  languagePopulation({ task: "mmlu", models: [{ model, name: "m" }], ...changes });

/** Asks one agent, in the first round unless told otherwise. */
async function ask(settings: LanguageTeamSettings, turn: Partial<Turn> & { agent?: number; sample?: number } = {}) {
  const { agent = 0, sample = 0, question = choice, round = 1 } = turn;
  const rng = createRng(5).fork(question.id, sample);
  const member = languagePopulation(settings).team(question, agent + 1, rng.fork("team"))[agent];
  return member.respond({ question, heard: [], own: null, rng: rng.fork("agent", agent, round), ...turn, round });
}

describe("a team of language models", () => {
  it("gives models and roles around", () => {
    const models = ["a", "b"].map((name) => ({ model: scriptedModel(obedient).model, name }));
    const population = languagePopulation({ task: "x", models, roles: ["one", "two", { name: "three\n(four)" }] });
    const roles = population.team(choice, 5, createRng(1)).map(({ role }) => role);
    expect(roles).toEqual(["one", "two", "three four", "one", "two"]);
  });

  it("sends each model its own settings, and nothing that was not set", async () => {
    const { model, requests } = scriptedModel(obedient);
    const full = { name: "b", temperature: 0.7, topP: 0.9, maxTokens: 50, structured: true, sendSeed: false };
    const models = [
      { model, name: "a" },
      { model, ...full, extra: { min_p: 0.1 } },
    ];
    for (const agent of [0, 1]) await ask({ task: "mmlu", models }, { agent });
    const [plain, rich] = requests;
    expect(Object.keys(plain).sort()).toEqual(["label", "messages", "model", "sample", "seed"]);
    expect(plain).toMatchObject({ model: "a", seed: plain.sample, label: "agent 0, round 1" });
    expect(rich).toMatchObject({ model: "b", temperature: 0.7, topP: 0.9, maxTokens: 50, extra: { min_p: 0.1 } });
    expect(rich.seed).toBeUndefined();
    expect(rich.schema?.schema).toMatchObject({ properties: { answer: { enum: ["A", "B", "C", "D"] } } });
  });

  it("asks with a sample that episode, agent and round decide alone", async () => {
    const { model, requests } = scriptedModel(obedient);
    const settings = { task: "mmlu", models: [{ model, name: "m" }] };
    const places = [0, 1, 2].flatMap((agent) =>
      [1, 2].flatMap((round) => [0, 1].map((sample) => ({ agent, round, sample }))),
    );
    for (const place of [...places, ...places.toReversed()]) await ask(settings, place);
    const samples = requests.map(({ sample }) => sample);
    expect(new Set(samples).size).toBe(places.length);
    expect(samples.slice(places.length).reverse()).toEqual(samples.slice(0, places.length));
    for (const sample of samples) expect(Number.isSafeInteger(sample) && sample >= 0 && sample < 2 ** 31).toBe(true);
  });

  it("shares a bounded number of draws between episodes where the recipe says so", async () => {
    const { model, requests } = scriptedModel(obedient);
    const settings = { task: "mmlu", models: [{ model, name: "m" }], draws: 3 };
    for (let sample = 0; sample < 40; sample++) {
      for (const agent of [0, 1]) for (const round of [1, 2]) await ask(settings, { agent, round, sample });
    }
    const drawn = groupBy(requests, ({ label }) => label!);
    for (const [, some] of drawn) expect(new Set(some.map(({ sample }) => sample)).size).toBe(3);
    expect(new Set(requests.map(({ sample }) => sample)).size).toBe(12);
  });

  it("hands the turn's signal to the model", async () => {
    const seen: unknown[] = [];
    const model: LanguageModel = {
      complete: async (request, signal) => {
        seen.push(signal);
        return obedient(request);
      },
    };
    const { signal } = new AbortController();
    await ask({ task: "mmlu", models: [{ model, name: "m" }] }, { signal });
    expect(seen).toEqual([signal]);
  });

  it("refuses settings that make no team", () => {
    const { model } = scriptedModel(obedient);
    expect(errorOf(() => languagePopulation({ task: "mmlu", models: [] })).code).toBe("agents/models");
    expect(errorOf(() => team(model, { roles: [] })).code).toBe("agents/roles");
    expect(errorOf(() => team(model, { prompts: { own: "{x}" } })).code).toBe("agents/template");
    for (const wrong of [0, 1.5, Number.NaN]) {
      expect(errorOf(() => team(model, { draws: wrong })).code).toBe("agents/setting");
      expect(errorOf(() => team(model, { messageLength: wrong })).code).toBe("agents/setting");
    }
  });

  it("gives noise another target each time, always a wrong one", async () => {
    const { model } = scriptedModel(obedient);
    const orders = { target: null, manner: "babble" } as const;
    const said = new Set<string | null>();
    for (let sample = 0; sample < 30; sample++) {
      said.add((await ask({ task: "mmlu", models: [{ model, name: "m" }] }, { sample, orders })).answer);
    }
    expect([...said].sort()).toEqual(["B", "C", "D"]);
  });
});

describe("a server that drops the front of long prompts", () => {
  const long = { ...choice, text: "word ".repeat(6_400) };
  const dropping = () =>
    scriptedModel((request) => ({
      ...obedient(request),
      usage: { prompt: 2050, cachedPrompt: 0, completion: 9, reasoning: 0 },
    })).model;

  it("is warned of with agent, round and both numbers", async () => {
    const warnings: string[] = [];
    const onWarning = (warning: string) => warnings.push(warning);
    await ask(
      { task: "mmlu", models: [{ model: dropping(), name: "m" }], onWarning },
      { question: long, agent: 2, round: 3 },
    );
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^prompt_truncated_by_server: agent 2, round 3: .*\b2050\b.*\b8\d{3}\b/);
  });

  it("fails where the recipe says so", async () => {
    const settings = { task: "mmlu", models: [{ model: dropping(), name: "m" }], truncatedPrompt: "fail" } as const;
    await expect(ask(settings, { question: long })).rejects.toMatchObject({ code: "agents/prompt-truncated" });
  });

  it("is not suspected where prompts are short, counted in full, or not counted", async () => {
    const warnings: string[] = [];
    const onWarning = (warning: string) => warnings.push(warning);
    const counting = (prompt: number | null) =>
      scriptedModel((request) => ({
        ...obedient(request),
        usage: prompt === null ? null : { prompt, cachedPrompt: 0, completion: 9, reasoning: 0 },
      })).model;
    const asked = [
      [5, choice],
      [7000, long],
      [null, long],
    ] as const;
    for (const [prompt, question] of asked) {
      await ask({ task: "mmlu", models: [{ model: counting(prompt), name: "m" }], onWarning }, { question });
    }
    expect(warnings).toEqual([]);
  });
});

describe("a reply", () => {
  const read = (text: string, changes: Partial<ChatReply> = {}, structured = false, question: Question = choice) =>
    readUtterance(question, replyOf(text, changes), structured);

  it("becomes an utterance with its answer, words, tokens and cost", () => {
    expect(read("Because.\nANSWER: B")).toEqual({
      ...{ answer: "B", status: "parsed", text: "Because.\nANSWER: B", tokens: 320, cost: 0.001 },
    });
  });

  it("says unknown where the server does not count, and why it ended where it was cut", () => {
    const cut = read("Let me see, A is", { usage: null, cost: null, finish: "length" });
    expect(cut).toMatchObject({ answer: null, tokens: null, cost: null, finish: "length" });
    expect(cut.status).toBe("truncated");
  });

  it("keeps hidden thoughts from others, and is never answered by them", () => {
    expect(read("<think>Surely C. ANSWER: C</think>It is B.\nANSWER: B")).toMatchObject({
      answer: "B",
      text: "It is B.\nANSWER: B",
    });
    expect(read("<think>Surely C. ANSWER: C")).toMatchObject({ answer: null, text: "" });
  });

  it("is kept up to 20,000 characters", () => {
    expect(Array.from(read(`${"word ".repeat(9_000)}\nANSWER: D`).text)).toHaveLength(20_000);
  });

  it("in a schema is taken apart, whatever the kind of its answer", () => {
    const structured = (answer: unknown, question: Question) =>
      read(JSON.stringify({ analysis: "A and C are wrong.", answer }), {}, true, question);
    const open = (kind: Question["kind"], gold: string): Question => ({ id: "q", text: "?", options: [], gold, kind });
    expect(structured("B", choice)).toMatchObject({ answer: "B", text: "A and C are wrong." });
    expect(structured("1,234", open("number", "1234"))).toMatchObject({ answer: "1234", text: "A and C are wrong." });
    expect(structured(42, open("number", "42"))).toMatchObject({ answer: "42" });
    expect(structured("Paris", open("text", "paris"))).toMatchObject({ answer: "paris", text: "A and C are wrong." });
    const add = { ...open("code", ""), code: { prompt: "def add(a, b):\n", entryPoint: "add", test: "" } };
    const program = "def add(a, b):\n    return a + b";
    expect(structured(program, add).answer?.trim()).toBe(program);
  });

  it("that should have a schema and has none is read as free text", () => {
    expect(read("I say B.\nANSWER: B", {}, true)).toMatchObject({ answer: "B", text: "I say B.\nANSWER: B" });
    expect(read('{"analysis": "cut o', { finish: "length" }, true)).toMatchObject({ answer: null });
    expect(read("[1]", {}, true).answer).toBeNull();
  });
});

describe("wrong answers", () => {
  const numberOf = (gold: string | null, id = "q"): Question => ({ id, text: "?", options: [], gold, kind: "number" });

  it("of a choice are all letters but the gold one, or all where none is gold", () => {
    expect(wrongAnswers(choice)).toEqual(["B", "C", "D"]);
    expect(wrongAnswers({ ...choice, gold: null })).toEqual(["A", "B", "C", "D"]);
  });

  it("of a number are distinct numbers in normal form, never gold, the same at every call", () => {
    const decimals = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(5)).map(([units, places]) => {
      const digits = (units < 0n ? -units : units).toString().padStart(places + 1, "0");
      const fraction = digits
        .slice(digits.length - places)
        .slice(0, places)
        .replace(/0+$/, "");
      const size = digits.slice(0, digits.length - places) + (fraction && `.${fraction}`);
      return units < 0n && size !== "0" ? `-${size}` : size;
    });
    fc.assert(
      fc.property(fc.oneof(decimals, fc.integer({ min: -20, max: 20 }).map(String)), fc.string(), (gold, id) => {
        const wrong = wrongAnswers(numberOf(gold, id));
        expect(wrong.length).toBeGreaterThanOrEqual(3);
        expect(new Set([...wrong, gold]).size).toBe(wrong.length + 1);
        for (const number of wrong) expect(number).toMatch(/^(?:0|-?(?:[1-9]\d*|0(?=\.))(?:\.\d*[1-9])?)$/);
        expect(wrongAnswers(numberOf(gold, id))).toEqual(wrong);
      }),
    );
    expect(wrongAnswers(numberOf("72")).every((number) => Number.isFinite(Number(number)))).toBe(true);
    expect(wrongAnswers(numberOf(null)).length).toBeGreaterThan(2);
    expect(wrongAnswers(numberOf("about seven"))).toEqual([]);
  });

  it("of a program are faults, and of words there are none", () => {
    const faults = wrongAnswers({ id: "c", text: "?", options: [], gold: null, kind: "code" });
    expect(new Set(faults).size).toBe(faults.length);
    expect(faults.length).toBeGreaterThanOrEqual(4);
    expect(wrongAnswers({ id: "t", text: "?", options: [], gold: "paris" })).toEqual([]);
  });
});

describe("deliberation among language models", () => {
  const embedder = hashingEmbedder(128);
  const questions = [0, 1, 2, 3].map((i): Question => ({ ...choice, id: `q${i}`, text: `${choice.text} (${i})` }));
  const worldOf = (model: LanguageModel, changes: Partial<LanguageTeamSettings> = {}) =>
    deliberate({ population: team(model, changes), embedder });
  const starts = questions.map((question) => startOf(question));
  const play = async (model: LanguageModel, order: "one by one" | "together"): Promise<EpisodeRecord[]> => {
    const world = worldOf(model);
    const policy = opinionated(world);
    if (order === "together") return Promise.all(starts.map((start) => runEpisode(world, policy, start)));
    const records: EpisodeRecord[] = [];
    for (const start of starts) records.push(await runEpisode(world, policy, start));
    return records;
  };

  it("gives the same records whatever runs beside it and whoever answers first", async () => {
    const quick = scriptedModel(obedient);
    const records = await play(quick.model, "one by one");
    const slow = scriptedModel(obedient, ({ sample }) => sample % 7);
    expect(await play(slow.model, "together")).toEqual(records);
    const name = ({ messages, sample }: ChatRequest) => JSON.stringify([messages, sample]);
    expect(slow.requests.map(name).sort()).toEqual(quick.requests.map(name).sort());
    expect(records.every(({ calls, tokens }) => calls > 6 && tokens === calls * 320)).toBe(true);
  });

  it("keeps the contract of an environment", async () => {
    await expect(checkEnvironment(worldOf(scriptedModel(obedient).model), starts)).resolves.toBeUndefined();
  });

  it("lets adversaries say their target from their onset on, and shows it to nobody but in their words", async () => {
    const { model, requests } = scriptedModel(obedient);
    const record = await runEpisode(worldOf(model), opinionated(worldOf(model)), starts[0]);
    expect(record.onsets.filter((onset) => onset > 0)).toHaveLength(2);
    record.onsets.forEach((onset, agent) => {
      record.rounds.forEach((round, t) => {
        if (onset > 0 && t + 1 >= onset && round[agent] !== null) expect(round[agent].answer).toBe(record.target);
      });
    });
    for (const { messages, label } of requests) {
      const [agent, round] = label!.match(/\d+/g)!.map(Number);
      const isActive = record.onsets[agent] > 0 && round >= record.onsets[agent];
      expect(/exercise/.test(messages[0].content)).toBe(isActive);
      expect(messages[1].content).not.toMatch(/exercise|adversar|target/i);
    }
  });

  it("shows who hears whom: children read what their parents said in the same round", async () => {
    const { model, requests } = scriptedModel(obedient);
    const record = await runEpisode(worldOf(model), opinionated(worldOf(model)), starts[1]);
    for (const { round, edges } of record.decisions) {
      for (const [source, target] of edges) {
        const { messages } = requests.find(({ label }) => label!.startsWith(`agent ${target}, round ${round}`))!;
        const said = record.rounds[round - 1][source]!;
        expect(messages[1].content).toMatch(new RegExp(`^Agent ${source} \\(\\w+\\) answered ${said.answer}:$`, "m"));
      }
    }
  });
});

describe("a narrated population", () => {
  it("tells of every utterance, and changes none", async () => {
    const { model } = scriptedModel(obedient);
    const told: { agent: number; round: number; utterance: Utterance }[] = [];
    const population = narrated(team(model), ({ agent, turn, utterance }) =>
      told.push({ agent, round: turn.round, utterance }),
    );
    const embedder = hashingEmbedder(128);
    const world = deliberate({ population, embedder });
    const record = await runEpisode(world, opinionated(world), startOf(choice));
    const plain = deliberate({ population: team(model), embedder });
    expect(await runEpisode(plain, opinionated(plain), startOf(choice))).toEqual(record);
    expect(told).toHaveLength(record.calls);
    for (const { agent, round, utterance } of told) {
      expect(record.rounds[round - 1][agent]).toMatchObject({ answer: utterance.answer, text: utterance.text });
    }
  });
});
