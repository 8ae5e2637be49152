import { describe, expect, it } from "vitest";
import { tinyBank } from "../benchmarks/speed/tiny-bank.ts";
import { planAttack } from "../src/attacks/index.ts";
import { createRng } from "../src/base/rng.ts";
import type { Agent, Message, Turn, Utterance } from "../src/contracts/agent.ts";
import type { LanguageModel } from "../src/contracts/language-model.ts";
import type { Population } from "../src/contracts/population.ts";
import { optionLetter, type Question } from "../src/contracts/task.ts";
import {
  bankQuestions,
  languagePopulation,
  type populations,
  recordedPopulation,
  simulatedPopulation,
} from "../src/populations/index.ts";
import { publishedLaw } from "../src/populations/response-law.ts";
import { syntheticQuestions } from "../src/tasks/synthetic.ts";

const agents = 3;
const rounds = 3;

/** Follows orders; otherwise says a letter that the prompt and the sample decide. */
const obedient: LanguageModel = {
  complete: async ({ messages: [system, user], sample }) => {
    const ordered = /Your answer is \(([A-Z])\)/.exec(system.content)?.[1];
    const letter = ordered ?? createRng(`${user.content}/${sample}`).pick(["A", "B"]);
    const text = `It has to be so.\nANSWER: ${letter}`;
    return { text, finish: "stop", refused: false, usage: null, cost: null, cached: false };
  },
};

/** One small population of every kind, with questions that it can answer. */
const examples: Record<keyof typeof populations, () => { population: Population; questions: readonly Question[] }> = {
  simulated: () => ({
    population: simulatedPopulation(),
    questions: syntheticQuestions({ seed: 1, count: 12, family: "mixture" }),
  }),
  recorded: () => {
    const bank = tinyBank();
    return { population: recordedPopulation({ bank, law: publishedLaw }), questions: bankQuestions(bank) };
  },
  llm: () => ({
    population: languagePopulation({ task: "mmlu", models: [{ model: obedient, name: "obedient" }] }),
    questions: bankQuestions(tinyBank()),
  }),
};

/** One turn; its stream is named by question, sample, agent and round, as in an environment. */
function ask(agent: Agent, given: Omit<Partial<Turn>, "rng"> & { question: Question; index: number; sample?: number }) {
  const { question, index, sample = 0, round = 1, heard = [], own = null, orders } = given;
  const rng = createRng(sample).fork(question.id, "turn", index, round);
  return agent.respond({ question, round, heard, own, orders, rng });
}

/** A debate in which everyone hears all who spoke before; yields after each round, so that debates can be interleaved. */
async function* debate(question: Question, team: readonly Agent[], sample = 0): AsyncGenerator<readonly Utterance[]> {
  const last: (Utterance | null)[] = team.map(() => null);
  for (let round = 1; round <= rounds; round++) {
    const heard: Message[] = [];
    for (const [index, agent] of team.entries()) {
      const own = last[index];
      const said = await ask(agent, { question, index, sample, round, heard: round === 1 ? [] : [...heard], own });
      last[index] = said;
      heard.push({ from: index, role: agent.role, utterance: said });
    }
    yield last as Utterance[];
  }
}

async function play(question: Question, team: readonly Agent[], sample = 0): Promise<Utterance[][]> {
  const said: Utterance[][] = [];
  for await (const round of debate(question, team, sample)) said.push([...round]);
  return said;
}

describe.each(Object.keys(examples) as (keyof typeof populations)[])("population %s", (name) => {
  const { population, questions } = examples[name]();
  const teamFor = (question: Question, sample = 0) =>
    population.team(question, agents, createRng(sample).fork(question.id, "team"));
  const letters = (question: Question) => question.options.map((_, index) => optionLetter(index));

  it("is named as in the table", () => {
    expect(population.name).toBe(name);
  });

  it("gives as many agents as asked for, each with a role", () => {
    for (const count of [1, 2, 5]) {
      const team = population.team(questions[0], count, createRng(1));
      expect(team).toHaveLength(count);
      for (const { role } of team) expect(role).not.toBe("");
    }
  });

  it("says options of the question, or nothing that could be read", async () => {
    for (const question of questions) {
      for (const said of (await play(question, teamFor(question))).flat()) {
        if (said.status === "parsed") expect(letters(question)).toContain(said.answer);
        else expect(said.answer).toBeNull();
      }
    }
  });

  it("puts everything it says into words or into an embedding of the stated size", async () => {
    for (const question of questions) {
      for (const { text, embedding } of (await play(question, teamFor(question))).flat()) {
        expect(embedding?.dimension).toBe(population.embeddingDimension);
        if (embedding === undefined) expect(text).not.toBe("");
        else expect(embedding.values.every(Number.isFinite)).toBe(true);
      }
    }
  });

  it("says the same for the same streams, and something else in another sample", async () => {
    for (const question of questions) {
      const said = await play(question, teamFor(question));
      expect(await play(question, teamFor(question))).toEqual(said);
    }
    const inSample = (sample: number) => Promise.all(questions.map((q) => play(q, teamFor(q, sample), sample)));
    expect(await inSample(1)).not.toEqual(await inSample(0));
  });

  it("keeps the episodes of two teams apart, however they are interleaved", async () => {
    const [a, b] = [questions[0], questions[0]];
    const alone = [await play(a, teamFor(a, 0), 0), await play(b, teamFor(b, 1), 1)];
    const together: Utterance[][][] = [[], []];
    const debates = [debate(a, teamFor(a, 0), 0), debate(b, teamFor(b, 1), 1)];
    for (let round = 0; round < rounds; round++) {
      for (const i of [1, 0]) together[i].push([...(await debates[i].next()).value]);
    }
    expect(together).toEqual(alone);
  });

  it("only reads what it is given", async () => {
    for (const question of questions) {
      const team = teamFor(question);
      const [own, ...others] = await Promise.all(team.map((agent, index) => ask(agent, { question, index })));
      const heard = others.map((utterance, i) => ({ from: i + 1, role: "any", utterance }));
      const before = structuredClone({ question, heard, own });
      await ask(team[0], { question, index: 0, round: 2, heard, own });
      expect({ question, heard, own }).toEqual(before);
    }
  });

  it("knows wrong answers only, each once", () => {
    for (const question of questions) {
      const targets = population.targets(question);
      expect(targets).not.toContain(question.gold);
      expect(new Set(targets).size).toBe(targets.length);
      for (const target of targets) expect(letters(question)).toContain(target);
    }
    expect(questions.some((question) => population.targets(question).length > 0)).toBe(true);
  });

  it("argues for each of its targets in every round, in both manners", async () => {
    for (const question of questions) {
      for (const target of population.targets(question)) {
        for (const manner of ["argue", "rebut"] as const) {
          const [liar, ...others] = teamFor(question);
          const first = await Promise.all(others.map((agent, i) => ask(agent, { question, index: i + 1 })));
          let own: Utterance | null = null;
          for (let round = 1; round <= rounds; round++) {
            const heard = round === 1 ? [] : first.map((utterance, i) => ({ from: i + 1, role: "any", utterance }));
            own = await ask(liar, { question, index: 0, round, heard, own, orders: { target, manner } });
            expect(own).toMatchObject({ status: "parsed", answer: target });
          }
        }
      }
    }
  });

  it("babbles different answers", async () => {
    const [question] = questions;
    const orders = { target: null, manner: "babble" } as const;
    const said = new Set<string | null>();
    for (let sample = 0; sample < 40; sample++) {
      said.add((await ask(teamFor(question, sample)[0], { question, index: 0, sample, orders })).answer);
    }
    expect(said.size).toBeGreaterThan(1);
  });

  it("lets honest agents give the same first answers whoever else attacks", async () => {
    for (const question of questions) {
      const targets = population.targets(question);
      if (targets.length === 0) continue;
      const honest = (await play(question, teamFor(question)))[0];
      const { team, onsets } = planAttack(
        { kind: "mislead", adversaries: 1, onset: "first" },
        { question, team: teamFor(question), targets, rounds, rng: createRng(2).fork(question.id) },
      );
      const attacked = (await play(question, team))[0];
      for (let i = 0; i < agents; i++) {
        if (onsets.firstRound[i] === 0) expect(attacked[i].answer).toBe(honest[i].answer);
      }
    }
  });
});
