import { describe, expect, it } from "vitest";
import { planAttack } from "../src/attacks/index.ts";
import { auc } from "../src/base/auc.ts";
import { ColloquyError } from "../src/base/errors.ts";
import { createRng } from "../src/base/rng.ts";
import type { Agent, Message, Orders, Utterance } from "../src/contracts/agent.ts";
import type { Population } from "../src/contracts/population.ts";
import type { Question } from "../src/contracts/task.ts";
import { misconceptionShare } from "../src/populations/simulated/independent.ts";
import { normalCdf, normalQuantile } from "../src/populations/simulated/normal.ts";
import { defaultSimulation, type SimulationSettings } from "../src/populations/simulated/settings.ts";
import { adversarialDirection } from "../src/populations/simulated/voice.ts";
import { simulatedPopulation } from "../src/populations/simulated.ts";
import { syntheticQuestions } from "../src/tasks/synthetic.ts";

type Changes = Partial<Omit<SimulationSettings, "independent" | "distributed">> & {
  independent?: Partial<SimulationSettings["independent"]>;
  distributed?: Partial<SimulationSettings["distributed"]>;
};

/** Embeddings as short as they can be, unless a test is about them. */
const simulate = ({ independent, distributed, ...rest }: Changes = {}): Population =>
  simulatedPopulation({
    ...defaultSimulation,
    embeddingDimension: 2,
    ...rest,
    independent: { ...defaultSimulation.independent, ...independent },
    distributed: { ...defaultSimulation.distributed, ...distributed },
  });

const independent = syntheticQuestions({ seed: 21, count: 3000, family: "independent" });
const distributed = syntheticQuestions({ seed: 22, count: 1500, family: "distributed" });

interface Asked {
  readonly round?: number;
  readonly heard?: readonly Utterance[];
  readonly own?: Utterance | null;
  readonly orders?: Orders;
  readonly stream?: string;
}

function ask(agent: Agent, question: Question, asked: Asked = {}): Utterance {
  const { round = 1, heard = [], own = null, orders, stream = "turn" } = asked;
  const messages: Message[] = heard.map((utterance, from) => ({ from, role: "somebody", utterance }));
  const rng = createRng(31).fork(question.id, round, stream);
  return agent.respond({ question, round, heard: messages, own, rng, orders }) as Utterance;
}

const share = (flags: readonly boolean[]): number => flags.filter(Boolean).length / flags.length;

const argue = (target: string): Orders => ({ target, manner: "argue" });

const wrongTarget = (question: Question): string => (question.gold === "A" ? "B" : "A");

/** The most frequent answer; of equals the one said by the lower index. */
function vote(utterances: readonly Utterance[]): string | null {
  const counts = new Map<string, number>();
  for (const { answer } of utterances) if (answer !== null) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  let best: string | null = null;
  for (const [answer, count] of counts) if (best === null || count > counts.get(best)!) best = answer;
  return best;
}

/** Whom each agent hears, among those before it in `order`: everyone, or two under an out-degree of three. */
function listenTo(order: readonly number[], inDegree: number, outDegree: number): Map<number, number[]> {
  const sources = new Map(order.map((agent) => [agent, [] as number[]]));
  for (const [place, source] of order.entries()) {
    let spokenTo = 0;
    for (const target of order.slice(place + 1)) {
      const heard = sources.get(target)!;
      if (spokenTo === outDegree || heard.length === inDegree) continue;
      heard.push(source);
      spokenTo++;
    }
  }
  return sources;
}

/** One episode of 6 agents and 3 rounds under collusion from round 1 on. */
function play(population: Population, question: Question, k: number, method: "vote" | "complete" | "honest exchange") {
  const rng = createRng(17).fork(question.id);
  const { team, onsets } = planAttack(
    { kind: "collude", adversaries: k, onset: "first" },
    { question, team: population.team(question, 6, rng), targets: population.targets(question), rounds: 3, rng },
  );
  const all = [0, 1, 2, 3, 4, 5];
  const order = method === "honest exchange" ? all.filter((agent) => onsets.firstRound[agent] === 0) : all;
  const sources = method === "complete" ? listenTo(order, 5, 5) : listenTo(order, 2, 3);
  const last = team.map((agent, i) => ask(agent, question, { stream: `${i}` }));
  for (let round = 2; round <= (method === "vote" ? 1 : 3); round++) {
    for (const i of order) {
      const heard = sources.get(i)!.map((source) => last[source]);
      last[i] = ask(team[i], question, { round, heard, own: last[i], stream: `${i}` });
    }
  }
  return vote(order.map((i) => last[i])) === question.gold;
}

const accuracyOf = (
  population: Population,
  questions: readonly Question[],
  k: number,
  method: Parameters<typeof play>[3],
) => share(questions.map((question) => play(population, question, k, method)));

describe("generated questions", () => {
  it("are the same for a seed whatever their number, and others for another seed", () => {
    const few = syntheticQuestions({ seed: 4, count: 5, family: "mixture" });
    expect(syntheticQuestions({ seed: 4, count: 9, family: "mixture" }).slice(0, 5)).toEqual(few);
    const ids = [...few, ...syntheticQuestions({ seed: 5, count: 5, family: "mixture" })].map(({ id }) => id);
    expect(new Set(ids).size).toBe(10);
    expect(few.map(({ subject }) => subject)).toEqual([0, 1, 0, 1, 0].map((i) => ["independent", "distributed"][i]));
  });

  it("have four options and a uniform gold answer", () => {
    for (const letter of ["A", "B", "C", "D"]) {
      expect(Math.abs(share(independent.map(({ gold }) => gold === letter)) - 1 / 4)).toBeLessThan(0.032);
    }
    expect(independent.every(({ options }) => options.length === 4)).toBe(true);
  });

  it("refuse an unknown family and a broken count", () => {
    const generate = (settings: object) => () =>
      syntheticQuestions({ seed: 1, count: 1, family: "mixture", ...settings });
    expect(generate({ family: "distributet" })).toThrow(/distributet/);
    expect(generate({ count: -1 })).toThrow(/cannot generate -1/);
    expect(generate({ seed: 0.5 })).toThrow(/seed 0.5/);
  });
});

describe("a simulated agent that can answer alone", () => {
  const firstWords = (population: Population, question: Question) =>
    population
      .team(question, 6, createRng(3).fork(question.id))
      .map((agent, i) => ask(agent, question, { stream: `${i}` }));

  it.each([0.4, 0.65, 0.8])("is right as often as the settings say (%f)", (accuracy) => {
    const population = simulate({ independent: { accuracy } });
    const right = independent.flatMap((question) =>
      firstWords(population, question).map(({ answer }) => answer === question.gold),
    );
    // Difficulty is shared by the agents of a question: the standard error is about .006.
    expect(Math.abs(share(right) - accuracy)).toBeLessThan(0.02);
  });

  it.each([0.4, 0.6, 0.9])(
    "falls for the same wrong option as another wrong agent as often as the settings say (%f)",
    (sameWrong) => {
      const population = simulate({ independent: { sameWrong } });
      const same = independent.flatMap((question) => {
        const wrong = firstWords(population, question).filter(({ answer }) => answer !== question.gold);
        return wrong.length < 2 ? [] : [wrong[0].answer === wrong[1].answer];
      });
      expect(Math.abs(share(same) - sameWrong)).toBeLessThan(0.04);
    },
  );

  it("shares wrong options for any number of them", () => {
    for (let wrongOptions = 2; wrongOptions <= 9; wrongOptions++) {
      for (const sameWrong of [1 / wrongOptions, 0.6, 1]) {
        const a = misconceptionShare(sameWrong, wrongOptions);
        expect(a * a + (1 - a) ** 2 / (wrongOptions - 1)).toBeCloseTo(sameWrong, 6);
      }
    }
    expect(misconceptionShare(0.6, 1)).toBe(1);
  });

  it("does better on the topic of its role", () => {
    // With two roles and nothing else that differs, the experts of all questions stand out.
    const population = simulate({
      roles: ["one", "other"],
      independent: { roleStrength: 1, difficultySpread: 0, skillSpread: 0 },
    });
    const right = independent.flatMap((question) => {
      const words = firstWords(population, question).map(({ answer }) => answer === question.gold);
      const ofRole = [0, 1].map((role) => share(words.filter((_, i) => i % 2 === role)));
      return [Math.abs(ofRole[0] - ofRole[1])];
    });
    const blind = simulate({
      roles: ["one", "other"],
      independent: { roleStrength: 0, difficultySpread: 0, skillSpread: 0 },
    });
    const blindGap = independent.map((question) => {
      const words = firstWords(blind, question).map(({ answer }) => answer === question.gold);
      return Math.abs(share(words.filter((_, i) => i % 2 === 0)) - share(words.filter((_, i) => i % 2 === 1)));
    });
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean(right) - mean(blindGap)).toBeGreaterThan(0.2);
  });

  it("can be made the one strong member of its team", () => {
    const population = simulate({ independent: { skillOffsets: [3, -1, -1, -1, -1, -1], difficultySpread: 0.5 } });
    const words = independent
      .slice(0, 800)
      .map((question) => firstWords(population, question).map((u) => u.answer === question.gold));
    expect(share(words.map((team) => team[0]))).toBeGreaterThan(0.97);
    expect(share(words.map((team) => team[1]))).toBeLessThan(0.5);
  });

  it("finds the same questions hard in every episode", () => {
    const population = simulate();
    const halves = independent.slice(0, 60).map((question) =>
      [0, 1].map((half) =>
        share(
          Array.from({ length: 40 }, (_, episode) => {
            const team = population.team(question, 1, createRng(half).fork(episode));
            return ask(team[0], question, { stream: `${half}/${episode}` }).answer === question.gold;
          }),
        ),
      ),
    );
    const misses = halves.map(([a, b]) => Math.abs(a - b));
    expect(misses.reduce((sum, miss) => sum + miss, 0) / misses.length).toBeLessThan(0.1);
    expect(new Set(halves.map(([a]) => Math.round(a * 4))).size).toBe(5);
  });
});

describe("the response law of simulated agents", () => {
  const population = simulate();

  /** P(right next) of agents that were right or wrong alone and then hear n voices for the right or for a wrong answer. */
  function afterHearing(n: number, isRight: boolean, voicesRight: boolean, manner: Orders["manner"] = "argue"): number {
    return share(
      independent.flatMap((question) => {
        const team = population.team(question, n + 1, createRng(5).fork(question.id));
        const own = ask(team[0], question);
        if ((own.answer === question.gold) !== isRight) return [];
        const orders = { target: voicesRight ? question.gold! : wrongTarget(question), manner };
        const heard = team.slice(1).map((agent, i) => ask(agent, question, { orders, stream: `${i}` }));
        return [ask(team[0], question, { round: 2, heard, own }).answer === question.gold];
      }),
    );
  }

  it("gives way to more voices more often, and nearly always to two", () => {
    const misled = [1, 2, 5].map((n) => 1 - afterHearing(n, true, false));
    expect(misled[0]).toBeGreaterThan(0.4);
    expect(misled[1]).toBeGreaterThan(misled[0] + 0.05);
    expect(misled[2]).toBeGreaterThan(misled[1]);
    expect(misled[1]).toBeGreaterThan(0.85);
  });

  it("is easier to mislead from right to wrong than to correct from wrong to right", () => {
    // Recorded, two voices: .943 misled, .887 corrected.
    const transitions = recordedTransitions(0);
    expect(1 - transitions["right 0"]).toBeGreaterThan(transitions["wrong 2"]);
  });

  it("yields more to a rebuttal and less to babble", () => {
    const misled = (["babble", "argue", "rebut"] as const).map((manner) => 1 - afterHearing(1, true, false, manner));
    expect(misled[0]).toBeLessThan(misled[1] - 0.1);
    expect(misled[1]).toBeLessThan(misled[2] - 0.03);
  });

  it("follows the crowd for certain when its weight is enormous", () => {
    const herd = simulate({ independent: { crowdWeight: 1e5 } });
    for (const question of independent.slice(0, 50)) {
      const team = herd.team(question, 3, createRng(5).fork(question.id));
      const heard = team.slice(1).map((agent) => ask(agent, question, { orders: argue("C") }));
      expect(ask(team[0], question, { round: 2, heard, own: ask(team[0], question) }).answer).toBe("C");
    }
  });

  it("keeps its answer when it hears nobody, unless it thinks anew", () => {
    const kept = (redraw: number) => {
      const thinking = simulate({ independent: { redraw } });
      return share(
        independent.map((question) => {
          const [agent] = thinking.team(question, 1, createRng(5).fork(question.id));
          const own = ask(agent, question);
          return ask(agent, question, { round: 2, own }).answer === own.answer;
        }),
      );
    };
    expect(kept(0)).toBe(1);
    const fresh = kept(1);
    expect(fresh).toBeLessThan(0.8);
    expect(Math.abs(kept(0.25) - (0.75 + 0.25 * fresh))).toBeLessThan(0.03);
  });

  /** P(right next) by own answer and how many of the two others were right, as in the recorded debates. */
  function recordedTransitions(k: number): Record<string, number> {
    const outcomes: Record<string, boolean[]> = {};
    for (const question of independent) {
      const rng = createRng(6).fork(question.id);
      const { team, onsets } = planAttack(
        { kind: "mislead", adversaries: k, onset: "first" },
        { question, team: population.team(question, 3, rng), targets: population.targets(question), rounds: 3, rng },
      );
      let before = team.map((agent, i) => ask(agent, question, { stream: `${i}` }));
      for (let round = 2; round <= 3; round++) {
        const now = team.map((agent, i) =>
          ask(agent, question, { round, own: before[i], heard: before.filter((_, j) => j !== i), stream: `${i}` }),
        );
        for (let i = 0; i < 3; i++) {
          if (onsets.firstRound[i] > 0) continue;
          const wasRight = before.map(({ answer }) => answer === question.gold);
          const others = wasRight.filter((right, j) => right && j !== i).length;
          const key = `${wasRight[i] ? "right" : "wrong"} ${others}`;
          outcomes[key] ??= [];
          outcomes[key].push(now[i].answer === question.gold);
        }
        before = now;
      }
    }
    return Object.fromEntries(Object.entries(outcomes).map(([key, flags]) => [key, share(flags)]));
  }

  it("comes near the transitions of recorded debates", () => {
    const recorded = {
      "wrong 0": 0.022,
      "wrong 1": 0.477,
      "wrong 2": 0.887,
      "right 0": 0.057,
      "right 1": 0.629,
      "right 2": 0.989,
    };
    const simulated = recordedTransitions(0);
    // The split votes are the loosest: misconceptions hold back the correction of wrong agents there.
    for (const [key, value] of Object.entries(recorded)) expect(Math.abs(simulated[key] - value)).toBeLessThan(0.2);
    for (const key of ["wrong 0", "wrong 2", "right 0", "right 1", "right 2"] as const) {
      expect(Math.abs(simulated[key] - recorded[key])).toBeLessThan(0.06);
    }
  });

  it("makes debate no better than the vote, and lets colluders carry it", () => {
    const questions = independent.slice(0, 2000);
    const quiet = accuracyOf(population, questions, 0, "vote");
    expect(Math.abs(quiet - 0.7)).toBeLessThan(0.04);
    expect(accuracyOf(population, questions, 0, "complete")).toBeLessThanOrEqual(quiet + 0.01);
    const attacked = accuracyOf(population, questions, 2, "vote");
    expect(attacked).toBeGreaterThan(0.55);
    expect(accuracyOf(population, questions, 2, "complete")).toBeLessThan(attacked - 0.15);
    expect(accuracyOf(population, questions, 4, "complete")).toBe(0);
    expect(accuracyOf(population, questions, 4, "honest exchange")).toBeGreaterThan(0.6);
  });
});

describe("a simulated team that shares out what it knows", () => {
  const population = simulate();

  /** What the agent says at once and what it then knows: m entries, -1 for pieces it lacks. */
  const knowledge = (utterance: Utterance): number[] => (utterance.carries as { knows: number[] }).knows;
  const goldIndex = ({ gold }: Question): number => gold!.charCodeAt(0) - 65;

  it("holds each piece as often as the settings say", () => {
    for (const question of distributed.slice(0, 50)) {
      const words = population.team(question, 6, createRng(1).fork(question.id)).map((agent) => ask(agent, question));
      for (let piece = 0; piece < 4; piece++) {
        const holders = words.filter((utterance) => knowledge(utterance)[piece] === goldIndex(question));
        expect(holders).toHaveLength(2);
      }
    }
  });

  it("answers by the share of pieces it holds: .25, .425, .6, .775 and, with all, .95", () => {
    const right: boolean[][] = [[], [], [], [], []];
    for (const question of distributed) {
      const team = population.team(question, 6, createRng(1).fork(question.id));
      const last: (Utterance | null)[] = team.map(() => null);
      for (const round of [1, 2]) {
        for (const [i, agent] of team.entries()) {
          const heard = round === 1 ? [] : (last.slice(0, i) as Utterance[]);
          last[i] = ask(agent, question, { round, heard, own: last[i], stream: `${i}` });
          const pieces = knowledge(last[i]!).filter((piece) => piece >= 0).length;
          right[pieces].push(last[i]!.answer === question.gold);
        }
      }
    }
    for (const [pieces, expected] of [0.25, 0.425, 0.6, 0.775, 0.95].entries()) {
      expect(right[pieces].length).toBeGreaterThan(500);
      expect(Math.abs(share(right[pieces]) - expected)).toBeLessThan(0.05);
    }
  });

  it("passes on what its speakers heard, so that a chain collects everything", () => {
    for (const question of distributed.slice(0, 50)) {
      const team = population.team(question, 6, createRng(1).fork(question.id));
      let message: Utterance | undefined;
      for (const agent of team) {
        message = ask(agent, question, { round: 2, own: ask(agent, question), heard: message ? [message] : [] });
      }
      expect(knowledge(message!)).toEqual(new Array(4).fill(goldIndex(question)));
    }
  });

  it("believes what comes first, and is never talked out of a piece it holds", () => {
    for (const question of distributed.slice(0, 50)) {
      const team = population.team(question, 6, createRng(1).fork(question.id));
      const lie = ask(team[0], question, { orders: argue(wrongTarget(question)) });
      const truth = ask(simulate({ distributed: { copies: 6 } }).team(question, 6, createRng(1))[0], question);
      for (const agent of team.slice(1)) {
        const own = ask(agent, question);
        const held = knowledge(own).map((piece) => piece === goldIndex(question));
        const lieFirst = knowledge(ask(agent, question, { round: 2, own, heard: [lie, truth] }));
        const truthFirst = knowledge(ask(agent, question, { round: 2, own, heard: [truth, lie] }));
        expect(lieFirst.map((piece) => piece === goldIndex(question))).toEqual(held);
        expect(truthFirst).toEqual(new Array(4).fill(goldIndex(question)));
      }
    }
  });

  it("is drawn to the liar's target by every false piece", () => {
    const misled = distributed.map((question) => {
      const [liar, agent] = simulate({ distributed: { copies: 0 } }).team(question, 2, createRng(1));
      const lie = ask(liar, question, { orders: argue(wrongTarget(question)) });
      const own = ask(agent, question);
      return ask(agent, question, { round: 2, own, heard: [lie] }).answer === wrongTarget(question);
    });
    expect(Math.abs(share(misled) - 0.95)).toBeLessThan(0.025);
  });

  it("learns nothing from babble", () => {
    const [question] = distributed;
    const [liar, agent] = population.team(question, 2, createRng(1));
    const babble = ask(liar, question, { orders: { target: null, manner: "babble" } });
    const own = ask(agent, question);
    expect(ask(agent, question, { round: 2, own, heard: [babble] }).answer).toBe(own.answer);
  });

  it("keeps its answer while it learns nothing new", () => {
    for (const question of distributed.slice(0, 100)) {
      const [agent] = population.team(question, 6, createRng(1).fork(question.id));
      const own = ask(agent, question);
      expect(ask(agent, question, { round: 2, own, stream: "other" }).answer).toBe(own.answer);
    }
  });

  it("needs exchange among honest members: 15 points above the vote with in-degree 2, attacked or not", () => {
    for (const k of [0, 2]) {
      const silent = accuracyOf(population, distributed, k, "vote");
      expect(accuracyOf(population, distributed, k, "honest exchange")).toBeGreaterThan(silent + 0.15);
    }
    expect(accuracyOf(population, distributed, 2, "complete")).toBeLessThan(
      accuracyOf(population, distributed, 2, "honest exchange") - 0.3,
    );
  });
});

describe("the embeddings of a simulated team", () => {
  const dimension = 32;

  /** Embeddings of honest and of adversarial first words that give the same answers to the same questions. */
  function collect(changes: Changes, round: number, questions: readonly Question[]) {
    const settings: SimulationSettings = {
      ...defaultSimulation,
      embeddingDimension: dimension,
      ...(changes as object),
    };
    const population = simulatedPopulation(settings);
    const honest: Float32Array[] = [];
    const adversarial: Float32Array[] = [];
    for (const question of questions) {
      const team = population.team(question, 2, createRng(8).fork(question.id));
      const said = ask(team[0], question, { round });
      honest.push(said.embedding!.values);
      const orders = argue(said.answer!);
      adversarial.push(ask(team[1], question, { round, orders, stream: "adversary" }).embedding!.values);
    }
    return { honest, adversarial, direction: adversarialDirection(settings) };
  }

  const along = (direction: Float32Array) => (values: Float32Array) =>
    values.reduce((sum, value, i) => sum + value * direction[i], 0);

  const meanOf = (vectors: readonly Float32Array[]): Float32Array =>
    Float32Array.from(vectors[0], (_, i) => vectors.reduce((sum, vector) => sum + vector[i], 0) / vectors.length);

  const many = syntheticQuestions({ seed: 23, count: 8000, family: "mixture" });

  it.each([
    [1, 0.79],
    [2, 0.93],
    [3, 0.87],
    [6, 0.87],
  ])("give adversaries away in round %i with an AUC of %f along the known direction", (round, expected) => {
    const { honest, adversarial, direction } = collect({}, round, many);
    const measured = auc(adversarial.map(along(direction)), honest.map(along(direction)))!;
    expect(Math.abs(measured - expected)).toBeLessThan(0.02);
  });

  it("hold nothing more for a probe that is fitted to them", () => {
    const { honest, adversarial } = collect({}, 1, many);
    const half = many.length / 2;
    const [a, h] = [meanOf(adversarial.slice(0, half)), meanOf(honest.slice(0, half))];
    const probe = along(a.map((value, i) => value - h[i]));
    const measured = auc(adversarial.slice(half).map(probe), honest.slice(half).map(probe))!;
    expect(measured).toBeGreaterThan(0.75);
    expect(measured).toBeLessThan(0.81);
  });

  it("do not tell honest from adversarial at all with a signal of .5", () => {
    const { honest, adversarial, direction } = collect({ signal: [0.5] }, 1, many);
    const half = many.length / 2;
    const [a, h] = [meanOf(adversarial.slice(0, half)), meanOf(honest.slice(0, half))];
    for (const probe of [along(direction), along(a.map((value, i) => value - h[i]))]) {
      const measured = auc(adversarial.slice(half).map(probe), honest.slice(half).map(probe))!;
      expect(Math.abs(measured - 0.5)).toBeLessThan(0.025);
    }
    const lengths = (vectors: Float32Array[]) => vectors.map((values) => Math.hypot(...values));
    expect(Math.abs(auc(lengths(adversarial), lengths(honest))! - 0.5)).toBeLessThan(0.02);
  });

  it("are exactly what an honest agent would have said, at .5, when the orders are to say what it says anyway", () => {
    const population = simulate({ signal: [0.5], embeddingDimension: 8, competenceTrace: 1 });
    for (const question of distributed.slice(0, 50)) {
      const [agent] = population.team(question, 6, createRng(2).fork(question.id));
      const { carries: _own, ...honest } = ask(agent, question);
      const { carries: _lie, ...ordered } = ask(agent, question, { orders: argue(honest.answer!) });
      expect(ordered).toEqual(honest);
    }
  });

  it("are closer within a question and closer still within an answer", () => {
    const population = simulate({ embeddingDimension: dimension });
    const inner = (a: Utterance, b: Utterance) => along(a.embedding!.values)(b.embedding!.values);
    const products = { answer: [] as number[], question: [] as number[], neither: [] as number[] };
    let before: Utterance | undefined;
    for (const question of independent.slice(0, 1500)) {
      const [a, b] = population
        .team(question, 2, createRng(4).fork(question.id))
        .map((agent, i) => ask(agent, question, { stream: `${i}` }));
      products[a.answer === b.answer ? "answer" : "question"].push(inner(a, b));
      if (before !== undefined && before.answer !== a.answer) products.neither.push(inner(a, before));
      before = a;
    }
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    // Squared lengths over D: (2² + 1.5²) / 32, 2² / 32, 0; different answers' parts are not orthogonal in 32 dimensions.
    expect(mean(products.answer)).toBeCloseTo(6.25 / 32, 1);
    expect(mean(products.question)).toBeCloseTo(4 / 32, 1);
    expect(Math.abs(mean(products.neither))).toBeLessThan(0.03);
  });

  it.each([2, 3, 384])("have the length the settings name (%i)", (embeddingDimension) => {
    const population = simulate({ embeddingDimension });
    expect(population.embeddingDimension).toBe(embeddingDimension);
    const [agent] = population.team(independent[0], 1, createRng(1));
    const { dimension, values, indices } = ask(agent, independent[0]).embedding!;
    expect([dimension, values.length, indices]).toEqual([embeddingDimension, embeddingDimension, undefined]);
    expect(values.every(Number.isFinite)).toBe(true);
  });

  it("betray competence only where the settings ask for it, and never along the adversarial direction", () => {
    const settings = { ...defaultSimulation, embeddingDimension: dimension, competenceTrace: 2 };
    const spread = { ...settings, independent: { ...settings.independent, skillSpread: 3, difficultySpread: 0 } };
    const separate = (competenceTrace: number) => {
      const population = simulatedPopulation({ ...spread, competenceTrace });
      const said = independent.map((question) => {
        const [agent] = population.team(question, 1, createRng(8).fork(question.id));
        const { answer, embedding } = ask(agent, question);
        return { right: answer === question.gold, values: embedding!.values };
      });
      const half = said.length / 2;
      const pick = (right: boolean, part: typeof said) => part.filter((s) => s.right === right).map((s) => s.values);
      const [good, bad] = [meanOf(pick(true, said.slice(0, half))), meanOf(pick(false, said.slice(0, half)))];
      const probe = along(good.map((value, i) => value - bad[i]));
      const later = said.slice(half);
      return {
        fitted: auc(pick(true, later).map(probe), pick(false, later).map(probe))!,
        adversarial: auc(
          pick(true, later).map(along(adversarialDirection(spread))),
          pick(false, later).map(along(adversarialDirection(spread))),
        )!,
      };
    };
    expect(separate(2).fitted).toBeGreaterThan(0.8);
    expect(Math.abs(separate(2).adversarial - 0.5)).toBeLessThan(0.05);
    expect(Math.abs(separate(0).fitted - 0.5)).toBeLessThan(0.06);
  });
});

describe("a simulated population", () => {
  it("gives the same words for the same streams, and others for another seed of the population", () => {
    const say = (seed: number) => {
      const population = simulate({ seed, embeddingDimension: 8 });
      return independent
        .slice(0, 20)
        .map((question) =>
          population.team(question, 3, createRng(1).fork(question.id)).map((agent) => ask(agent, question)),
        );
    };
    expect(say(1)).toEqual(say(1));
    expect(say(1)).not.toEqual(say(2));
  });

  it("gives an agent of a larger team the same first words about a question that each can answer alone", () => {
    for (const question of independent.slice(0, 20)) {
      const words = (agents: number) =>
        simulate()
          .team(question, agents, createRng(1))
          .map((agent) => ask(agent, question));
      expect(words(6).slice(0, 2)).toEqual(words(2));
    }
  });

  it("goes on from its last honest belief, not from its own lie, when it stops attacking", () => {
    const population = simulate({ independent: { redraw: 0 } });
    for (const question of independent.slice(0, 100)) {
      const [agent] = population.team(question, 1, createRng(1).fork(question.id));
      const belief = ask(agent, question);
      const lie = ask(agent, question, { round: 2, own: belief, orders: argue(wrongTarget(question)) });
      expect(ask(agent, question, { round: 3, own: lie }).answer).toBe(belief.answer);
    }
  });

  it("asks a question with two options like one with ten", () => {
    for (const letters of ["AB", "ABCDEFGHIJ"]) {
      for (const subject of ["independent", "distributed"]) {
        const options = [...letters];
        const said = new Set(
          Array.from({ length: 300 }, (_, i) => {
            const question = { id: `${letters}/${i}`, text: "", options, gold: options[i % options.length], subject };
            const [agent] = simulate().team(question, 4, createRng(i));
            return ask(agent, question).answer;
          }),
        );
        expect([...said].sort()).toEqual(options);
      }
    }
  });

  it("refuses questions it cannot answer and orders it cannot follow, by name", () => {
    const population = simulate();
    const [question] = independent;
    const broken: Question[] = [
      { ...question, id: "open", options: [] },
      { ...question, id: "unmarked", gold: null },
      { ...question, id: "outside", gold: "E" },
    ];
    for (const bad of broken) {
      expect(() => population.team(bad, 3, createRng(1))).toThrow(ColloquyError);
      expect(() => population.targets(bad)).toThrow(bad.id);
    }
    const [agent] = population.team(question, 1, createRng(1));
    for (const target of ["E", "", "AB", "a"]) {
      expect(() => ask(agent, question, { orders: argue(target) })).toThrow(`"${target}"`);
    }
  });

  it("refuses settings that make no sense, by name and value", () => {
    const refuse = (changes: Changes, pattern: RegExp) => expect(() => simulate(changes)).toThrow(pattern);
    const written = (settings: object) => settings as Changes;
    refuse(written({ independent: { acuracy: 0.8 } }), /no setting independent\.acuracy/);
    refuse(written({ distributed: { pieces: "4" } }), /distributed\.pieces is 4/);
    refuse(written({ independent: { force: { argue: 1, rebut: 1 } } }), /independent\.force\.babble is undefined/);
    refuse(written({ independent: { skillOffsets: 1 } }), /independent\.skillOffsets is 1/);
    refuse({ roles: [] }, /number of roles is 0/);
    refuse({ signal: [] }, /number of signals is 0/);
    refuse({ signal: [0.8, 1] }, /signal\[1\] is 1/);
    refuse({ embeddingDimension: 1 }, /embeddingDimension is 1/);
    refuse({ questionTrace: Number.NaN }, /questionTrace is NaN/);
    refuse({ independent: { accuracy: 1 } }, /accuracy is 1/);
    refuse({ distributed: { accuracy: 1.1 } }, /distributed\.accuracy is 1\.1/);
    refuse({ independent: { skillOffsets: [0, Number.NaN] } }, /skillOffsets\[1\] is NaN/);
    refuse({ independent: { redraw: -0.1 } }, /redraw is -0\.1/);
    refuse({ independent: { ownWeight: Number.POSITIVE_INFINITY } }, /ownWeight is Infinity/);
    refuse({ independent: { force: { argue: 1, rebut: -1, babble: 0 } } }, /rebut is -1/);
    refuse({ distributed: { pieces: 0 } }, /pieces is 0/);
    refuse({ distributed: { falsePieces: 1.5 } }, /falsePieces is 1\.5/);
  });
});

describe("the normal distribution of the simulation", () => {
  it("agrees with known values and inverts itself", () => {
    expect(normalCdf(0)).toBeCloseTo(0.5, 6);
    expect(normalCdf(1.959964)).toBeCloseTo(0.975, 6);
    expect(normalCdf(-3)).toBeCloseTo(0.0013499, 6);
    for (const p of [0.001, 0.21, 0.5, 0.79, 0.93, 0.999]) expect(normalCdf(normalQuantile(p))).toBeCloseTo(p, 6);
  });
});
