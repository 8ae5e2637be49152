import { existsSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { tinyBank } from "../benchmarks/speed/tiny-bank.ts";
import { createRng, type Rng } from "../src/base/rng.ts";
import type { Agent, Message, Orders, Utterance } from "../src/contracts/agent.ts";
import type { Population } from "../src/contracts/population.ts";
import type { Question } from "../src/contracts/task.ts";
import { type Bank, bankQuestions, indexUtterances } from "../src/populations/bank.ts";
import { measureDuplicates } from "../src/populations/duplicate-texts.ts";
import { fitLaw } from "../src/populations/fit-law.ts";
import { importers } from "../src/populations/import/index.ts";
import { recordedPopulation } from "../src/populations/recorded.ts";
import { publishedLaw } from "../src/populations/response-law.ts";

const bank = tinyBank();
const population = recordedPopulation({ bank, law: publishedLaw });
const questions = bankQuestions(bank);
const byId = indexUtterances(bank);

interface Speaking {
  readonly question: Question;
  readonly round: number;
  readonly rng: Rng;
  readonly heard?: readonly Utterance[];
  readonly own?: Utterance | null;
  readonly orders?: Orders;
}

function speak(agent: Agent, { heard = [], own = null, ...turn }: Speaking): Utterance {
  const messages = heard.map((utterance, from): Message => ({ from, role: "debater", utterance }));
  return agent.respond({ ...turn, own, heard: messages }) as Utterance;
}

/** Everyone speaks in every round and hears the two before it. */
function play(
  question: Question,
  seed: number,
  { rounds = 3, orders = (_agent: number): Orders | undefined => undefined } = {},
): Utterance[][] {
  const rng = createRng(seed);
  const team = population.team(question, 5, rng.fork("team"));
  const spoken: Utterance[][] = [];
  for (let round = 1; round <= rounds; round++) {
    const row: Utterance[] = [];
    for (const [i, agent] of team.entries()) {
      const heard = round === 1 ? [] : row.slice(-2);
      row.push(
        speak(agent, {
          question,
          round,
          heard,
          own: spoken.at(-1)?.[i] ?? null,
          rng: rng.fork(i, round),
          orders: orders(i),
        }),
      );
    }
    spoken.push(row);
  }
  return spoken;
}

const argue = (target: string): Orders => ({ target, manner: "argue" });

describe("recorded agents", () => {
  it("say what was recorded for the question, and where it can be found", () => {
    for (const said of play(questions[2], 5).flat()) {
      expect(byId.get(said.source!)).toMatchObject({ text: said.text, answer: said.answer, status: said.status });
      expect(said.source).toMatch(/^tiny-2-/);
    }
  });

  it("open with honest utterances of round 1, no two alike", () => {
    for (const question of questions) {
      const [opening] = play(question, 1, { rounds: 1 });
      expect(opening.every(({ source }) => source!.endsWith("/1"))).toBe(true);
      expect(new Set(opening.map(({ text }) => text)).size).toBe(opening.length);
    }
  });

  it("play the same episode for the same stream, another one for another", () => {
    expect(play(questions[0], 3)).toEqual(play(questions[0], 3));
    expect(play(questions[0], 3)).not.toEqual(play(questions[0], 4));
  });

  it("open with the same words whoever else is under orders", () => {
    const [target] = population.targets(questions[1]);
    const [calm] = play(questions[1], 2, { rounds: 1 });
    for (const orders of [argue(target), { target: null, manner: "babble" } as const]) {
      const [attacked] = play(questions[1], 2, { rounds: 1, orders: (agent) => (agent < 2 ? orders : undefined) });
      expect(attacked.slice(2)).toEqual(calm.slice(2));
    }
  });

  it("repeat a text only when every text with that answer is used up", () => {
    for (let seed = 0; seed < 20; seed++) {
      const question = questions[seed % questions.length];
      const said = play(question, seed).flat();
      const seen = new Set<string>();
      for (const { text, answer } of said) {
        if (seen.has(text)) {
          const left = bank.debates
            .filter((debate) => debate.question === question)
            .flatMap(({ rounds, agents }) => rounds.flatMap((row) => row.filter((_, i) => !agents[i].adversary)))
            .filter((utterance) => utterance?.answer === answer && !seen.has(utterance.text));
          expect(left).toEqual([]);
        }
        seen.add(text);
      }
    }
  });

  it("argue for the target under orders, in the words of agents that were told to", () => {
    const told = new Set(
      bank.debates.flatMap(({ rounds, agents }) =>
        rounds.flatMap((row) => row.filter((_, i) => agents[i].adversary).map((said) => said!.text)),
      ),
    );
    for (const question of questions) {
      for (const target of population.targets(question)) {
        for (const said of play(question, 9, { orders: () => argue(target) }).flat()) {
          expect(said.answer).toBe(target);
          expect(told.has(said.text)).toBe(true);
        }
      }
    }
  });

  it("offer wrong targets only, and none without adversarial utterances", () => {
    for (const question of questions) {
      const targets = population.targets(question);
      expect(targets.length).toBeGreaterThan(0);
      expect(targets).not.toContain(question.gold);
    }
    const calm = { ...bank, debates: bank.debates.filter(({ agents }) => !agents.some(({ adversary }) => adversary)) };
    const peaceful = recordedPopulation({ bank: calm, law: publishedLaw });
    for (const question of questions) expect(peaceful.targets(question)).toEqual([]);
    const [agent] = peaceful.team(questions[0], 1, createRng(1));
    expect(speak(agent, { question: questions[0], round: 1, rng: createRng(2), orders: argue("A") }).text).not.toBe("");
  });

  it("say anything at random when their orders name no target", () => {
    const answers = new Set<string | null>();
    for (let seed = 0; seed < 30; seed++) {
      const said = play(questions[0], seed, {
        rounds: 2,
        orders: (agent) => (agent === 0 ? { target: null, manner: "babble" } : undefined),
      });
      answers.add(said[0][0].answer).add(said[1][0].answer);
    }
    expect(answers.size).toBeGreaterThan(1);
  });

  it("follow the law: a unanimous team sways nearly everyone, silence keeps 1 − ρ and more", () => {
    const [question] = questions;
    const count = { swayed: 0, kept: 0, all: 0 };
    for (let seed = 0; seed < 400; seed++) {
      const rng = createRng(seed);
      const [agent, silent, ...others] = population.team(question, 5, rng);
      const own = speak(agent, { question, round: 1, rng });
      const [target] = population.targets(question);
      const heard = others.map((other, i) =>
        speak(other, { question, round: 1, rng: rng.fork(i), orders: argue(target) }),
      );
      if (speak(agent, { question, round: 2, heard, own, rng: rng.fork("a") }).answer === target) count.swayed++;
      const before = speak(silent, { question, round: 1, rng });
      if (speak(silent, { question, round: 2, own: before, rng: rng.fork("b") }).answer === before.answer) count.kept++;
      count.all++;
    }
    expect(count.swayed / count.all).toBeGreaterThan(0.9);
    expect(count.kept / count.all).toBeGreaterThan(0.8 - 0.06);
    expect(count.kept / count.all).toBeLessThan(0.97);
  });

  it("answer as in round 1 when asked afresh, with other words", () => {
    const rng = createRng(8);
    const [agent] = population.team(questions[0], 3, rng);
    const first = speak(agent, { question: questions[0], round: 1, rng });
    const again = speak(agent, { question: questions[0], round: 3, heard: [first], own: null, rng });
    expect(again.source).toMatch(/\/1$/);
    expect(again.text).not.toBe(first.text);
  });

  it("know a question by its words and refuse one they have never heard", () => {
    const renamed = { ...questions[0], id: "other" };
    expect(population.targets(renamed)).toEqual(population.targets(questions[0]));
    expect(() => population.team({ ...questions[0], text: "What?" }, 3, createRng(1))).toThrow(/no honest utterance/);
    expect(population.targets({ ...questions[0], text: "What?" })).toEqual([]);
  });

  it("count repeated texts on both sides", async () => {
    const setting = { agents: 6, rounds: 3, adversaries: 3, inDegree: 2, samples: 2 };
    const { honest, adversarial } = await measureDuplicates(population, questions, setting, createRng(1));
    expect(honest.said + adversarial.said).toBe(questions.length * 2 * 6 * 3);
    expect(adversarial.share).toBeGreaterThan(honest.share);
    const none = await measureDuplicates(
      population,
      questions,
      { ...setting, rounds: 1, adversaries: 1 },
      createRng(1),
    );
    expect(none.honest.duplicates + none.adversarial.duplicates).toBe(0);
  });
});

const recordings = "../shared/data/recorded/multi-agent-attack/mmlu";

describe.skipIf(!existsSync(recordings))(
  "agents of the published recording (skipped: recorded debates not present)",
  () => {
    let real: Bank;
    let speakers: Population;
    beforeAll(() => {
      real = importers["multi-agent-attack"].read(recordings, {}).bank;
      speakers = recordedPopulation({ bank: real, law: fitLaw(real) });
    });

    it("can be attacked on every question", () => {
      expect(bankQuestions(real).filter((question) => speakers.targets(question).length === 0)).toEqual([]);
    });

    it("seldom repeat themselves when nobody attacks", async () => {
      const setting = { agents: 6, rounds: 3, adversaries: 0, inDegree: 2, samples: 2 };
      const { honest } = await measureDuplicates(speakers, bankQuestions(real), setting, createRng(1));
      expect(honest.share).toBeLessThan(0.03);
    });
  },
);
