import { existsSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { tinyBank } from "../benchmarks/speed/tiny-bank.ts";
import { createRng } from "../src/base/rng.ts";
import type { Bank } from "../src/populations/bank.ts";
import { conformityTable } from "../src/populations/conformity-table.ts";
import { fitLaw } from "../src/populations/fit-law.ts";
import { importers } from "../src/populations/import/index.ts";
import { minimize } from "../src/populations/minimize.ts";
import { type DebateAccuracy, recordedAccuracy, replayProtocol } from "../src/populations/replay-protocol.ts";
import { nextAnswerDistribution, publishedLaw, type ResponseLaw } from "../src/populations/response-law.ts";
import { questionKey } from "../src/tasks/choice.ts";

const answer = fc.integer({ min: -1, max: 3 });
const situation = fc.record({
  own: answer,
  isFresh: fc.boolean(),
  heard: fc.array(answer, { maxLength: 6 }),
  intrinsic: fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }).map((weights) => {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => weight / total);
  }),
});

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe("the response law", () => {
  it("is a distribution for every situation with 0 to 6 voices", () => {
    fc.assert(
      fc.property(situation, (at) => {
        const distribution = nextAnswerDistribution(publishedLaw, at);
        expect(distribution.every((p) => p >= 0)).toBe(true);
        expect(sum(distribution)).toBeCloseTo(1, 10);
      }),
    );
  });

  it("makes an answer more likely with every voice for it", () => {
    fc.assert(
      fc.property(situation, fc.integer({ min: 0, max: 3 }), (at, y) => {
        fc.pre(at.heard.some((heard) => heard >= 0));
        const more = nextAnswerDistribution(publishedLaw, { ...at, heard: [...at.heard, y] });
        expect(more[y]).toBeGreaterThan(nextAnswerDistribution(publishedLaw, at)[y]);
      }),
    );
  });

  it("treats options alike: renaming them renames the answer", () => {
    fc.assert(
      fc.property(situation, (at) => {
        const turn = (y: number): number => (y < 0 ? y : (y + 1) % 4);
        const turned = {
          ...at,
          own: turn(at.own),
          heard: at.heard.map(turn),
          intrinsic: [0, 1, 2, 3].map((y) => at.intrinsic[(y + 3) % 4]),
        };
        const distribution = nextAnswerDistribution(publishedLaw, turned);
        for (const [y, p] of nextAnswerDistribution(publishedLaw, at).entries())
          expect(distribution[turn(y)]).toBeCloseTo(p, 10);
      }),
    );
  });

  it("keeps its answer with probability 1 − ρ when it hears nothing readable, else answers anew", () => {
    const intrinsic = [0.5, 0.3, 0.1, 0.1];
    const law = { ...publishedLaw, redraw: 0.4 };
    for (const heard of [[], [-1, -1]]) {
      const kept = nextAnswerDistribution(law, { own: 1, isFresh: true, heard, intrinsic });
      for (const [y, p] of [0.2, 0.72, 0.04, 0.04].entries()) expect(kept[y]).toBeCloseTo(p, 12);
    }
    expect(nextAnswerDistribution(law, { own: -1, isFresh: true, heard: [], intrinsic })).toEqual(intrinsic);
  });
});

describe("minimizing", () => {
  it("finds the minimum of a narrow curved valley", () => {
    const rosenbrock = ([x, y]: readonly number[]) => ({
      value: (1 - x) ** 2 + 100 * (y - x * x) ** 2,
      gradient: [-2 * (1 - x) - 400 * x * (y - x * x), 200 * (y - x * x)],
    });
    const { point } = minimize(rosenbrock, [-1.2, 1]);
    expect(point[0]).toBeCloseTo(1, 3);
    expect(point[1]).toBeCloseTo(1, 3);
  });

  it("stays where it starts when there is nothing to gain", () => {
    expect(minimize(() => ({ value: 3, gradient: [0, 0] }), [1, 2])).toEqual({ point: [1, 2], value: 3 });
  });
});

describe("fitting the law", () => {
  const bank = tinyBank({ questions: 40, debates: 10 });
  const law = fitLaw(bank);

  it("finds the law that made the bank", () => {
    expect(Math.abs(law.voices - publishedLaw.voices)).toBeLessThan(0.8);
    expect(Math.abs(law.own - publishedLaw.own)).toBeLessThan(0.8);
    expect(Math.abs(law.mood - publishedLaw.mood)).toBeLessThan(0.6);
  });

  it("is the same every time, and plain data", () => {
    expect(fitLaw(bank)).toEqual(law);
    expect(JSON.parse(JSON.stringify(law))).toEqual(law);
  });

  it("moves the weights to where another bank is", () => {
    const stubborn: Bank = {
      ...bank,
      debates: bank.debates.map((debate) => ({ ...debate, rounds: debate.rounds.map(() => debate.rounds[0]) })),
    };
    expect(fitLaw(stubborn).own).toBeGreaterThan(law.own + 1);
  });

  it("gives the published law for a bank without transitions", () => {
    const short = {
      ...bank,
      debates: bank.debates.map((debate) => ({ ...debate, rounds: debate.rounds.slice(0, 1) })),
    };
    expect(fitLaw(short)).toMatchObject({ ...publishedLaw, fit: { transitions: 0, logLikelihood: 0 } });
  });

  it("estimates ρ from agents that were asked again and heard nobody", () => {
    const alone: Bank = {
      ...bank,
      debates: bank.debates.map((debate) => ({ ...debate, heard: debate.rounds.map((row) => row.map(() => [])) })),
    };
    const { redraw, fit } = fitLaw(alone);
    expect(fit.silentTransitions).toBeGreaterThan(1000);
    expect(redraw).toBeGreaterThan(0.3);
    expect(redraw).toBeLessThanOrEqual(1);
    const stubborn = {
      ...alone,
      debates: alone.debates.map((debate) => ({ ...debate, rounds: debate.rounds.map(() => debate.rounds[0]) })),
    };
    expect(fitLaw(stubborn).redraw).toBe(0);
  });

  it("plays the bank's own protocol back", () => {
    const recorded = recordedAccuracy(bank);
    const replayed = replayProtocol(bank, law, createRng(1), 10);
    expect(replayed).toEqual(replayProtocol(bank, law, createRng(1), 10));
    expect(Math.abs(replayed.clean!.finalMajority - recorded.clean!.finalMajority)).toBeLessThan(0.1);
    expect(Math.abs(replayed.attacked!.finalMajority - recorded.attacked!.finalMajority)).toBeLessThan(0.1);
    expect(recordedAccuracy({ ...bank, debates: bank.debates.filter((_, i) => i % 2 === 0) }).attacked).toBeNull();
  });

  it("says for 0 to 6 voices how likely the next answer is right", () => {
    const rows = conformityTable(bank, law, createRng(1));
    expect(rows).toHaveLength(2 * (1 + 2 + 3 + 4 + 5 + 6 + 7));
    expect(sum(rows.map(({ n }) => n))).toBe(law.fit.transitions);
    const wrongSix = rows.filter(({ voices, ownRight }) => voices === 6 && !ownRight).map(({ predicted }) => predicted);
    expect([...wrongSix].sort((a, b) => a - b)).toEqual(wrongSix);
  });
});

const recordings = "../shared/data/recorded";

describe.skipIf(!existsSync(recordings))("the law of recorded agents (skipped: recorded debates not present)", () => {
  let bank: Bank;
  let law: ResponseLaw;
  beforeAll(() => {
    bank = importers["multi-agent-attack"].read(`${recordings}/multi-agent-attack/mmlu`, {}).bank;
    law = fitLaw(bank);
  });
  const near = (value: number, wanted: number, within: number) =>
    expect(Math.abs(value - wanted)).toBeLessThanOrEqual(within);

  it("is close to the published one", () => {
    for (const name of ["voices", "own", "intrinsicFresh", "intrinsicLater", "mood"] as const)
      near(law[name], publishedLaw[name], 0.05);
  });

  it("gives back the published accuracies of the recording's own protocol", () => {
    const { clean, attacked } = replayProtocol(bank, law, createRng(1), 10);
    near(clean!.finalMajority, 0.672, 0.03);
    near(attacked!.finalMajority, 0.24, 0.05);
    for (const [round, right] of [0.647, 0.651, 0.655].entries()) near(clean!.honestByRound[round], right, 0.03);
    for (const [round, right] of [0.67, 0.554, 0.327].entries()) near(attacked!.honestByRound[round], right, 0.03);
  });

  it("plays back questions it was not fitted on", () => {
    const keys = createRng(7).shuffle([...new Set(bank.debates.map(({ question }) => questionKey(question)))]);
    const halves = [new Set(keys.slice(0, 50)), new Set(keys.slice(50))];
    const parts = halves.map((half) => ({
      ...bank,
      debates: bank.debates.filter(({ question }) => half.has(questionKey(question))),
    }));
    for (const [fitted, played] of [parts, [...parts].reverse()]) {
      const recorded = recordedAccuracy(played);
      const replayed = replayProtocol(played, fitLaw(fitted), createRng(1), 10);
      compare(replayed.clean!, recorded.clean!, 0.05);
      compare(replayed.attacked!, recorded.attacked!, 0.07);
    }
    function compare(a: DebateAccuracy, b: DebateAccuracy, within: number): void {
      near(a.finalMajority, b.finalMajority, within);
      for (const [round, right] of b.honestByRound.entries()) near(a.honestByRound[round], right, within);
    }
  });

  it("follows the recorded shares of right answers for two voices", () => {
    const rows = conformityTable(bank, law, createRng(1), 2).filter(({ n }) => n > 80);
    expect(rows).toHaveLength(6);
    for (const { predicted, recorded } of rows) near(predicted, recorded!, 0.06);
  });

  it("fits seven agents of other questions as well", () => {
    const dylan = importers.dylan.read(`${recordings}/dylan/mmlu_optimal7_7`, {
      questions: "../shared/data/benchmarks/mmlu",
      map: `${recordings}/dylan/map.json`,
    }).bank;
    const other: ResponseLaw = fitLaw(dylan);
    const recorded = recordedAccuracy(dylan).clean!;
    const replayed = replayProtocol(dylan, other, createRng(1), 2).clean!;
    near(replayed.finalMajority, recorded.finalMajority, 0.03);
    for (const [round, right] of recorded.honestByRound.entries()) near(replayed.honestByRound[round], right, 0.04);
    for (const { n, predicted, recorded: share } of conformityTable(dylan, other, createRng(1)))
      if (n > 200) near(predicted, share!, 0.1);
  });
});
