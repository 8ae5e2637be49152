import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../src/base/rng.ts";
import type { EpisodeRecord } from "../src/contracts/trace.ts";
import { runEpisode } from "../src/environments/run-episode.ts";
import {
  type Cell,
  type Comparison,
  collectResults,
  compare,
  consoleResults,
  type EpisodeNumbers,
  headline,
  markdownResults,
  measure,
  type Play,
  parseResults,
  planStarts,
  type ResultsSettings,
  reduceEpisode,
  resultsCsv,
  type SweepSettings,
  sweep,
} from "../src/evaluate/index.ts";
import { panelPolicy, toyPanel, toyQuestions } from "./support/toy-panel.ts";

const clean: Cell = { kind: "mislead", adversaries: 0, rate: 0, onset: "first" };
const attacked: Cell = { kind: "mislead", adversaries: 2, rate: 0.4, onset: "first" };
const majority: Cell = { kind: "mislead", adversaries: 3, rate: 0.6, onset: "first" };
const labels = { world: "w", benchmark: "b", population: "p", method: "m", cell: attacked };
const rng = createRng("test");

/** A record of four agents over three rounds: agent 1 turns in round 2, agent 3 in round 3; both argue for C. */
const record: EpisodeRecord = {
  environment: "deliberation-v1",
  question: "q",
  seed: 1,
  sample: 0,
  attack: { kind: "collude", adversaries: 2, onset: "uniform" },
  onsets: [0, 2, 0, 3],
  target: "C",
  rounds: [said("A", "C", "B", "A"), said("A", "C", "C", null), said("A", "C", null, "C")],
  decisions: [
    {
      round: 2,
      credits: [3, 1, 2, 0],
      participants: [1, 1, 1, 0],
      edges: [
        [0, 1],
        [0, 2],
      ],
      levels: 2,
    },
    {
      round: 3,
      credits: [2, 1, 1, 0],
      participants: [1, 1, 0, 1],
      edges: [
        [0, 1],
        [1, 3],
      ],
      levels: 3,
    },
    { round: 4, credits: [1, 1, 0, -1], participants: [1, 1, 0, 0], edges: [], levels: 0 },
  ],
  answer: "A",
  gold: "A",
  utility: 1,
  outcome: "right",
  calls: 10,
  tokens: 500,
};

function said(...answers: (string | null)[]): EpisodeRecord["rounds"][number] {
  return answers.map((answer) => (answer === null ? null : { answer, status: "parsed" }));
}

/** Numbers of an episode of which only the outcome matters. */
function episode(question: string, outcome: EpisodeNumbers["outcome"], sample = 0, seed = 1): EpisodeNumbers {
  return reduceEpisode({ ...record, question, sample, seed, outcome, utility: outcome === "right" ? 1 : 0 });
}

const play = (method: string, episodes: EpisodeNumbers[], cell = attacked): Play => ({
  world: "w",
  method,
  cell,
  episodes,
});

/** A play whose question i is right where `right(i)` says so. */
const playOf = (method: string, questions: number, right: (i: number) => boolean, cell = attacked): Play =>
  play(
    method,
    Array.from({ length: questions }, (_, i) => episode(`q${i}`, right(i) ? "right" : "wrong")),
    cell,
  );

describe("the numbers of an episode", () => {
  const numbers = reduceEpisode({ ...record, cost: 0.25 });

  it("count the honest who hold the adversaries' target, by round, with last answers kept", () => {
    // Round 1: all four are honest and agent 1 happens to say C. Round 2: 0, 2, 3 honest, agent 2 says C. Round 3: 0 and 2, who keeps its C.
    expect(numbers.infected).toEqual([1, 1, 1]);
    expect(numbers.honest).toEqual([4, 3, 2]);
  });

  it("count who is kept in the graphs and in the vote, by who is adversarial in that round", () => {
    expect(numbers.graphs).toEqual({ adversaries: 3, adversariesKept: 3, honest: 5, honestKept: 3 });
    expect(numbers.vote).toEqual({ adversaries: 2, adversariesKept: 1, honest: 2, honestKept: 1 });
  });

  it("compare the credits of honest and adversarial agents that weigh the vote, ties as halves", () => {
    // Vote: 1=1, 1>−1, 0<1, 0>−1.
    expect(numbers.credits).toEqual({ concordant: 2.5, pairs: 4, vary: true });
  });

  it("add up edges and levels, the first round being one level", () => {
    expect(numbers).toMatchObject({ edges: 4, levels: 6, depth: 3, calls: 10, tokens: 500, cost: 0.25 });
  });

  it("of a failed episode are its costs alone", () => {
    const failed = reduceEpisode({ ...record, outcome: "failed", decisions: record.decisions.slice(0, 1) });
    expect(failed).toMatchObject({ utility: 0, infected: [], calls: 10, edges: 2, levels: 3, credits: { pairs: 0 } });
    expect([failed.graphs.honest, failed.vote.honest]).toEqual([0, 0]);
  });

  it("name no infection where there is no target", () => {
    expect(reduceEpisode({ ...record, target: null }).infected).toEqual([]);
  });
});

describe("a result row", () => {
  const hundred = Array.from({ length: 100 }, (_, i) =>
    episode(`q${i}`, i < 72 ? "right" : i < 90 ? "wrong" : "failed"),
  );

  it("keeps errors in the denominator and shows both: 72/100 and 72/90 (C31)", () => {
    const row = measure(hundred, labels, rng);
    expect(row).toMatchObject({ n: 100, correct: 72, errors: 10, unparsed: 0, accuracy: 0.72, accuracyAnswered: 0.8 });
  });

  it("says nothing right/answered when nothing was answered", () => {
    const row = measure([episode("q", "failed"), episode("r", "unparsed")], labels, rng);
    expect(row).toMatchObject({ accuracy: 0, accuracyAnswered: null, errors: 1, unparsed: 1 });
  });

  it("has Wilson's interval where each question is played once", () => {
    const row = measure(hundred, labels, rng);
    expect(row.interval).toBe("wilson");
    expect(row.low).toBeCloseTo(0.6251, 4); // numpy
    expect(row.high).toBeCloseTo(0.7986, 4);
  });

  it("does not grow surer when the same questions are played again with the same outcomes", () => {
    const again = Array.from({ length: 20 }, (_, sample) => hundred.map((one) => ({ ...one, sample }))).flat();
    const once = measure(hundred, labels, rng);
    const row = measure(again, labels, rng);
    expect(row).toMatchObject({ interval: "bootstrap", n: 2000, questions: 100, accuracy: once.accuracy });
    expect((row.high - row.low) / (once.high - once.low)).toBeGreaterThan(0.9);
  });

  it("claims no certainty when every episode is wrong", () => {
    const wrong = [0, 1, 2].flatMap((sample) => ["q", "r"].map((question) => episode(question, "wrong", sample)));
    const row = measure(wrong, labels, rng);
    expect(row.low).toBe(0);
    expect(row.high).toBeGreaterThan(0.5);
  });

  it("pairs attack success with the same episodes without attack, failed ones left out", () => {
    const without = ["right", "right", "right", "right", "wrong"] as const;
    const under = ["right", "wrong", "unparsed", "failed", "wrong"] as const;
    const of = (outcomes: readonly EpisodeNumbers["outcome"][]) =>
      outcomes.map((outcome, i) => episode(`q${i}`, outcome));
    expect(measure(of(under), labels, rng, of(without)).attackSuccessRate).toBeCloseTo(2 / 3);
    expect(measure(of(under), labels, rng).attackSuccessRate).toBeNull();
    expect(measure(of(under), { ...labels, cell: clean }, rng, of(without)).attackSuccessRate).toBeNull();
  });

  it("pools infection, kept shares and AUC over episodes", () => {
    const row = measure([reduceEpisode(record), reduceEpisode({ ...record, question: "r" })], labels, rng);
    expect(row.infection).toEqual([1 / 4, 1 / 3, 1 / 2]);
    expect(row).toMatchObject({
      adversariesKept: 0.5,
      honestKept: 0.5,
      adversariesKeptInGraphs: 1,
      honestKeptInGraphs: 0.6,
    });
    expect(row.auc).toBeCloseTo(2.5 / 4);
    expect(row).toMatchObject({ calls: 10, callsTotal: 20, tokens: 500, tokensTotal: 1000, cost: 0, edges: 4 });
  });

  it("counts under a moving attack who attacks in each round, and in the vote who did in the last one", () => {
    const moving: EpisodeRecord = { ...record, onsets: [2, 1, 0, 3], active: [[1], [0], [3]] };
    expect(reduceEpisode(moving)).toMatchObject({
      honest: [3, 3, 3],
      infected: [0, 2, 2],
      graphs: { adversaries: 2, adversariesKept: 2, honest: 6, honestKept: 4 },
      vote: { adversaries: 1, adversariesKept: 0, honest: 3, honestKept: 2 },
      credits: { concordant: 3, pairs: 3 },
    });
  });

  it("counts in the vote nobody who would have turned in a round that was not played", () => {
    const early = { ...record, onsets: [0, 2, 0, 1], rounds: [record.rounds[0]], decisions: [record.decisions[0]] };
    expect(reduceEpisode(early).vote).toMatchObject({ adversaries: 1, honest: 3 });
  });

  it("has no AUC where credits never vary or nobody is adversarial", () => {
    const flat = { ...record, decisions: record.decisions.map((d) => ({ ...d, credits: [0, 0, 0, 0] })) };
    expect(measure([reduceEpisode(flat)], labels, rng).auc).toBeNull();
    expect(measure([reduceEpisode({ ...record, onsets: [0, 0, 0, 0] })], labels, rng).auc).toBeNull();
  });

  it("calls tokens unknown as soon as one episode's are", () => {
    const row = measure([reduceEpisode(record), reduceEpisode({ ...record, tokens: null })], labels, rng);
    expect([row.tokens, row.tokensTotal]).toEqual([null, null]);
  });
});

describe("the plan of starts", () => {
  it("plays each question ⌊n/Q⌋ or ⌈n/Q⌉ times, with samples 0, 1, …", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 50 }), fc.nat(), (questions, n, seed) => {
        const starts = planStarts(toyQuestions(questions), n, seed, clean);
        expect(starts).toHaveLength(n);
        for (const { id } of toyQuestions(questions)) {
          const own = starts.filter(({ question }) => question.id === id);
          expect([Math.floor(n / questions), Math.ceil(n / questions)]).toContain(own.length);
          expect(own.map(({ sample }) => sample)).toEqual(own.map((_, i) => i));
        }
      }),
    );
  });

  it("is the same in every cell but for the attack, and differs between seeds", () => {
    const order = (seed: number, cell: Cell) => planStarts(toyQuestions(20), 30, seed, cell).map((s) => s.question.id);
    expect(order(1, clean)).toEqual(order(1, majority));
    expect(order(1, clean)).not.toEqual(order(2, clean));
  });

  it("refuses no questions, and two of one id", () => {
    expect(() => planStarts([], 3, 1, clean)).toThrow("no questions");
    expect(() => planStarts([...toyQuestions(2), ...toyQuestions(1)], 3, 1, clean)).toThrow('"q0"');
  });
});

describe("a sweep", () => {
  const environment = toyPanel();
  const everyone = { name: "complete", environment, policy: panelPolicy("complete", { truth: false }) };
  const oracle = { name: "oracle", environment, policy: panelPolicy("oracle", { truth: true }) };
  const settings: SweepSettings = {
    methods: [everyone, oracle],
    cells: [clean, attacked],
    questions: toyQuestions(10),
    episodesPerCell: 15,
    seeds: [1, 2],
    runEpisode,
  };

  it("plays every method on the same questions, seeds, samples and adversaries", async () => {
    const seen = new Map<string, unknown[]>();
    await sweep({
      ...settings,
      onRecord: ({ question, seed, sample, attack, onsets }, method) =>
        seen.set(method, [...(seen.get(method) ?? []), { question, seed, sample, attack, onsets }]),
    });
    expect(seen.get("complete")).toHaveLength(60);
    expect(seen.get("oracle")).toEqual(seen.get("complete"));
  });

  it("gives the same results and the same order of records whatever the concurrency", async () => {
    const run = async (concurrency: number) => {
      const records: EpisodeRecord[] = [];
      const late = createRng(concurrency);
      const result = await sweep({
        ...settings,
        concurrency,
        onRecord: (one) => records.push(one),
        runEpisode: async (...episodeOf) => {
          await new Promise((resolve) => setTimeout(resolve, late.integer(4)));
          return runEpisode(...episodeOf);
        },
      });
      return { result, records };
    };
    const alone = await run(1);
    expect(await run(7)).toEqual(alone);
    expect(alone.result).toMatchObject({ complete: true, planned: 120, played: 120 });
  });

  it("never runs more episodes at once than allowed", async () => {
    let running = 0;
    let most = 0;
    await sweep({
      ...settings,
      concurrency: 4,
      runEpisode: async (...episodeOf) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running--;
        return runEpisode(...episodeOf);
      },
    });
    expect(most).toBe(4);
  });

  it("keeps failed episodes", async () => {
    const failing = { ...everyone, environment: toyPanel(["q3"]) };
    const { plays } = await sweep({ ...settings, methods: [failing] });
    const failed = plays[0].episodes.filter(({ outcome }) => outcome === "failed");
    expect(plays[0].episodes).toHaveLength(30);
    expect(failed.length).toBeGreaterThanOrEqual(2);
    expect(failed.every(({ question }) => question === "q3")).toBe(true);
  });

  it("ends with the error when the world itself breaks, and starts no further episode", async () => {
    let started = 0;
    const broken = sweep({
      ...settings,
      concurrency: 3,
      runEpisode: async (...episodeOf) => {
        if (++started === 8) throw new Error("world is broken");
        return runEpisode(...episodeOf);
      },
    });
    await expect(broken).rejects.toThrow("world is broken");
    expect(started).toBeLessThanOrEqual(10);
  });

  it("returns what is complete when it is interrupted, even where no agent ever waits", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 5);
    const result = await sweep({ ...settings, episodesPerCell: 5000, signal: controller.signal });
    expect(result.complete).toBe(false);
    expect(result.played).toBeGreaterThan(0);
    expect(result.played).toBeLessThan(result.planned);
    expect(result.plays.reduce((total, { episodes }) => total + episodes.length, 0)).toBe(result.played);
  });

  it("does not take an agent that was cut off by the interruption for one that failed", async () => {
    const controller = new AbortController();
    let started = 0;
    const result = await sweep({
      ...settings,
      concurrency: 3,
      signal: controller.signal,
      runEpisode: async (world, policy, start) => {
        if (++started === 6) controller.abort();
        const done = await runEpisode(world, policy, start);
        return start.signal?.aborted ? { ...done, outcome: "failed" } : done;
      },
    });
    expect(result.complete).toBe(false);
    expect(result.plays.flatMap(({ episodes }) => episodes).filter(({ outcome }) => outcome === "failed")).toEqual([]);
  });

  it("refuses methods, cells or seeds given twice, and none at all", async () => {
    await expect(sweep({ ...settings, methods: [everyone, everyone] })).rejects.toThrow('"complete" is given twice');
    await expect(sweep({ ...settings, cells: [clean, clean] })).rejects.toThrow("given twice");
    await expect(sweep({ ...settings, seeds: [1, 1] })).rejects.toThrow("given twice");
    await expect(sweep({ ...settings, methods: [] })).rejects.toThrow("no method");
    await expect(sweep({ ...settings, episodesPerCell: 0 })).rejects.toThrow("positive integer");
  });
});

describe("comparisons", () => {
  it("use the exact McNemar test where each question is played once", () => {
    const learned = playOf("learned", 40, (i) => i < 30);
    const [comparison] = compare([learned, playOf("complete", 40, (i) => i < 18 || i >= 38)], { rng });
    // b = 2 (only complete right), c = 12: exact binomial p = 2 · (1 + 14 + 91) / 2^14.
    expect(comparison).toMatchObject({ test: "mcnemar", n: 40, questions: 40, difference: -0.25, verdict: "worse" });
    expect(comparison.p).toBeCloseTo(212 / 16384, 10);
    expect(comparison.low).toBeLessThan(-0.25);
    expect(comparison.high).toBeGreaterThan(-0.25);
    // numpy: variance .3455 of the differences · 7.84888 / .0009, rounded up.
    expect(comparison.questionsNeeded).toBe(2572);
  });

  it("do not grow surer when the same questions are played again with the same outcomes", () => {
    const pair = [playOf("learned", 6, () => true), playOf("complete", 6, (i) => i < 1)];
    const again = pair.map((one) =>
      play(
        one.method,
        [0, 1, 2, 3].flatMap((sample) => one.episodes.map((e) => ({ ...e, sample }))),
      ),
    );
    const [once] = compare(pair, { rng });
    const [often] = compare(again, { rng });
    expect(often).toMatchObject({ test: "sign-flip", n: 24, questions: 6, difference: once.difference });
    expect(often.p).toBeCloseTo(once.p, 12);
    expect(often.questionsNeeded).toBe(once.questionsNeeded);
  });

  it("adjust for the whole family and decide by the adjusted p", () => {
    const others = Array.from({ length: 9 }, (_, i) => playOf(`same${i}`, 20, () => true));
    const plays = [playOf("learned", 20, () => true), playOf("close", 20, (i) => i >= 6), ...others];
    const close = compare(plays, { rng }).find(({ method }) => method === "close");
    expect(close).toMatchObject({ pHolm: expect.closeTo(0.3125, 12), verdict: "no measurable difference" });
    expect(compare(plays.slice(0, 2), { rng })[0].verdict).toBe("worse");
  });

  it("change sign when method and reference change places", () => {
    const plays = [playOf("a", 30, (i) => i % 3 > 0), playOf("b", 30, (i) => i % 5 > 1)];
    const [there] = compare(plays, { rng, reference: "a" });
    const [back] = compare(plays, { rng, reference: "b" });
    expect(back.difference).toBe(-there.difference);
    expect(back.p).toBe(there.p);
  });

  it("take `learned` as reference, else the first method, and refuse an unknown one with a suggestion", () => {
    const plays = [playOf("chain", 3, () => true), playOf("learned", 3, () => true)];
    expect(compare(plays, { rng })[0].reference).toBe("learned");
    expect(compare([plays[0], playOf("star", 3, () => true)], { rng })[0].reference).toBe("chain");
    expect(() => compare(plays, { rng, reference: "lerned" })).toThrow(
      expect.objectContaining({ code: "evaluate/reference", hint: expect.stringContaining('"learned"') }),
    );
  });

  it("are made within a cell only, on the episodes that both have played", () => {
    const plays = [
      playOf("learned", 10, () => true, clean),
      playOf("complete", 4, () => false, clean),
      playOf("learned", 10, () => true, attacked),
    ];
    const made = compare(plays, { rng });
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({ adversaries: 0, n: 4, difference: -1 });
  });

  it("are refused when failures are not equally frequent, unless asked for (C31)", () => {
    const learned = playOf("learned", 10, () => true);
    const flaky = play(
      "flaky",
      learned.episodes.map((e, i) => (i < 3 ? episode(e.question, "failed") : e)),
    );
    expect(() => compare([learned, flaky], { rng })).toThrow(/flaky failed in 3 of 10 .* learned in 0/);
    const [allowed] = compare([learned, flaky], { rng, allowErrorDifference: true });
    expect(allowed.difference).toBeCloseTo(-0.3);
  });

  it("can be about utility", () => {
    const half = play(
      "half",
      playOf("", 12, () => true).episodes.map((e) => ({ ...e, utility: 0.5 })),
    );
    const [comparison] = compare([playOf("learned", 12, () => true), half], { rng, by: "utility" });
    expect(comparison).toMatchObject({ by: "utility", difference: -0.5, test: "sign-flip", verdict: "worse" });
  });

  it("find a difference only where test and interval both do", () => {
    // One seed has the method far ahead, the other far behind by less: the questions agree, the seeds do not.
    const plays = ["learned", "complete"].map((method) =>
      play(
        method,
        Array.from({ length: 80 }, (_, i) => {
          const seed = Math.floor(i / 40);
          const isRight = method === "learned" ? seed === 0 : i % 4 === 0;
          return { ...episode(`q${i % 40}`, isRight ? "right" : "wrong"), seed };
        }),
      ),
    );
    const [comparison] = compare(plays, { rng });
    expect(comparison.pHolm).toBeLessThan(0.05);
    expect(comparison.low).toBeLessThan(0);
    expect(comparison.high).toBeGreaterThan(0);
    expect(comparison.verdict).toBe("no measurable difference");
  });

  it("find nothing in most worlds where nothing differs", () => {
    let found = 0;
    for (let trial = 0; trial < 200; trial++) {
      const luck = rng.fork("null", trial);
      const plays = ["learned", "complete"].map((method) => {
        const episodes = Array.from({ length: 60 }, (_, i) =>
          episode(`q${i % 20}`, luck.uniform() < 0.6 ? "right" : "wrong", Math.floor(i / 20)),
        );
        return play(method, episodes);
      });
      if (compare(plays, { rng: luck })[0].verdict !== "no measurable difference") found++;
    }
    expect(found / 200).toBeLessThan(0.09);
  });
});

describe("the headline", () => {
  const run = { complete: true, played: 100, planned: 100 };
  const against = (method: string, verdict: Comparison["verdict"], cell = attacked): Comparison => ({
    method,
    reference: "learned",
    attack: cell.kind,
    attackRate: cell.rate,
    adversaries: cell.adversaries,
    onset: cell.onset,
    by: "accuracy",
    n: 100,
    questions: 50,
    difference: 0,
    low: 0,
    high: 0,
    test: "sign-flip",
    p: 1,
    pHolm: 1,
    verdict,
    questionsNeeded: 900,
  });
  const all = (verdict: Comparison["verdict"], cell?: Cell) =>
    ["untrained", "vote-first", "complete", "single"].map((method) => against(method, verdict, cell));

  it("says that training helped where every baseline is beaten at every rate", () => {
    const text = headline([...all("worse", clean), ...all("worse", attacked)], run);
    expect(text).toBe(
      "Training helped at every attack rate. learned is at 0 and 0.4 better than untrained, vote-first, complete and single.",
    );
  });

  it("says that there is no measurable gain, and how many questions would show one (C40)", () => {
    const text = headline(all("no measurable difference"), run);
    expect(text).toContain("no measurable gain from training");
    expect(text).toContain("about 900 questions; 50 were played");
    expect(text).not.toContain("helped");
  });

  it("tells rates apart, and does not hide that a baseline is better", () => {
    const text = headline(
      [...all("worse", majority), ...all("worse", clean).slice(1), against("untrained", "better", clean)],
      run,
    );
    expect(text).toContain("Training helped at attack rate 0.6 and did worse than a baseline at 0");
    expect(text).toContain("at 0 worse than untrained, better than vote-first, complete and single");
  });

  it("names onsets when there are several", () => {
    const late = { ...attacked, onset: "late" };
    const text = headline([...all("worse", attacked), ...all("no measurable difference", late)], run);
    expect(text).toContain("helped at attack rate 0.4 (first)");
    expect(text).toContain("at 0.4 (late) not measurably different");
  });

  it("names the ablations that do better, and where a rival is level", () => {
    const others = [
      against("learned/plain", "better", attacked),
      against("learned/other", "worse", attacked),
      against("dylan", "no measurable difference", clean),
      against("dylan", "worse", attacked),
    ];
    const text = headline([...all("worse", clean), ...all("worse", attacked), ...others], {
      ...run,
      rivals: ["dylan"],
      ablations: ["learned/plain", "learned/other"],
    });
    expect(text).toContain("Against rival learners it is at 0 not measurably different from dylan");
    expect(text).toContain("better than every one of them at 0.4.");
    expect(text).toContain("Of its own ablations learned/plain at 0.4 does better.");
  });

  it("does not say that training helped in a cell that an interrupted run compared in part", () => {
    const text = headline([...all("worse", clean).slice(0, 1), ...all("worse", attacked)], run);
    expect(text).toContain("Training helped at attack rate 0.4; elsewhere there is no measurable gain");
  });

  it("is the same when the trained method is compared with a baseline instead", () => {
    const turned = { ...against("complete", "better"), method: "learned", reference: "complete" };
    expect(headline([turned], run)).toBe(headline([against("complete", "worse")], run));
  });

  it("flags an incomplete run first", () => {
    expect(headline(all("worse"), { complete: false, played: 7, planned: 9 })).toMatch(
      /^INCOMPLETE RUN \(7 of 9 episodes\)/,
    );
  });

  it("says what it was not compared with, and when it cannot say anything", () => {
    expect(headline(all("worse").slice(1), run)).toContain("Whether training helped cannot be said without untrained.");
    expect(headline([], run)).toContain("cannot say whether training helped");
  });
});

describe("the results", () => {
  const settings: ResultsSettings = {
    benchmark: "toy",
    population: "coins",
    command: "colloquy evaluate toy --seeds 1,2",
    environment: { node: "v20.0.0" },
    splits: { test: "abc123" },
    rng: createRng(7),
  };

  /** The honest-only vote stands in for a policy that learned; the others count everybody. */
  const played = async (failing: readonly string[] = []) =>
    sweep({
      methods: ["learned", "untrained", "vote-first", "complete", "single"].map((name) => ({
        name,
        environment: toyPanel(name === "complete" ? failing : []),
        policy: panelPolicy(name, { truth: name === "learned" }),
      })),
      cells: [clean, attacked, majority, { ...majority, onset: "late" }],
      questions: toyQuestions(40),
      episodesPerCell: 60,
      seeds: [1, 2],
      runEpisode,
    });

  it("of a world where shutting adversaries out pays say so, and nothing else", async () => {
    const results = collectResults(await played(), settings);
    expect(results.headline).toMatch(
      /^Training helped at attack rate 0.4 \(first\), 0.6 \(first\) and 0.6 \(late\); elsewhere there is no measurable gain/,
    );
    const row = (method: string, k: number) => results.rows.find((r) => r.method === method && r.adversaries === k)!;
    expect(row("learned", 2)).toMatchObject({ adversariesKept: 0, honestKept: 1, auc: 1 });
    expect(row("complete", 3)).toMatchObject({
      adversariesKept: 1,
      honestKept: 1,
      auc: null,
      accuracy: 0,
      attackSuccessRate: 1,
    });
    expect(row("learned", 0).accuracy).toBe(row("complete", 0).accuracy);
    for (const { method, adversaries, verdict } of results.comparisons) {
      expect(verdict, `${method} at ${adversaries}`).toBe(adversaries === 0 ? "no measurable difference" : "worse");
    }
  });

  it("come back from their file as they were, and twice the same", async () => {
    const results = collectResults(await played(), settings);
    const text = JSON.stringify(results);
    expect(parseResults(text, "results.json")).toEqual(results);
    expect(JSON.stringify(collectResults(await played(), settings))).toBe(text);
  });

  it("of another version, damaged, or no JSON are refused by name", async () => {
    const results = collectResults(await played(), settings);
    const refuse = (value: unknown) => expect(() => parseResults(JSON.stringify(value), "old.json"));
    refuse({ ...results, schema: "colloquy.results/9" }).toThrow("colloquy.results/9");
    refuse({ ...results, rows: [{ ...results.rows[0], accuracy: 72 }] }).toThrow(/old\.json is damaged[\s\S]*accuracy/);
    refuse([]).toThrow("old.json");
    expect(() => parseResults("{", "old.json")).toThrow("old.json");
  });

  it("keep their rows when a comparison is refused, and say why", async () => {
    const results = collectResults(await played(["q3"]), settings);
    expect(results.rows).toHaveLength(20);
    expect(results.comparisons).toEqual([]);
    expect(results.headline).toContain("No comparison: complete failed in");
    expect(consoleResults(results)).toMatch(
      /complete \(k=0\): right\/all \d+\/120, right\/answered \d+\/116, errors=4, unparsed=0/,
    );
    const allowed = collectResults(await played(["q3"]), { ...settings, allowErrorDifference: true });
    expect(allowed.comparisons).toHaveLength(16);
  });

  it("make a CSV with every column, unrounded", async () => {
    const results = collectResults(await played(), { ...settings, benchmark: 'toy, "small"' });
    const [header, first, ...rest] = resultsCsv(results).trimEnd().split("\n");
    expect(header.split(",").sort()).toEqual(Object.keys(results.rows[0]).sort());
    expect(first).toMatch(/^toy-panel-v1,"toy, ""small""",coins,learned,mislead,0,0,first,1 2,120,40,/);
    expect(rest).toHaveLength(19);
    expect(resultsCsv(results)).toContain(String(results.rows[0].accuracy));
  });

  it("make a console table for each onset, with the unattacked cell in each", async () => {
    const text = consoleResults(collectResults(await played(), settings));
    expect(text).toMatchInlineSnapshot(`
      "Training helped at attack rate 0.4 (first), 0.6 (first) and 0.6 (late); elsewhere there is no measurable gain over every baseline. learned is at 0 not measurably different from untrained, vote-first, complete and single; at 0.4 (first), 0.6 (first) and 0.6 (late) better than untrained, vote-first, complete and single. Telling adversaries apart pays (mean AUC of its credits in the vote 1.00; .50 is chance). learned lets nobody hear anybody.

      toy-panel-v1, toy, coins: attack mislead, onset first. Accuracy [95 %]; n = 120 on 40 questions, seed 1, 2
      method           k=0 (.00)       k=2 (.40)       k=3 (.60)  calls  edges  levels
      ----------  --------------  --------------  --------------  -----  -----  ------
      learned     .76 [.67, .86]  .69 [.59, .80]  .53 [.42, .64]    5.0    0.0     1.0
      untrained   .76 [.67, .86]  .38 [.27, .51]  .00 [.00, .09]    5.0    0.0     1.0
      vote-first  .76 [.67, .86]  .38 [.27, .51]  .00 [.00, .09]    5.0    0.0     1.0
      complete    .76 [.67, .86]  .38 [.27, .51]  .00 [.00, .09]    5.0    0.0     1.0
      single      .76 [.67, .86]  .38 [.27, .51]  .00 [.00, .09]    5.0    0.0     1.0

      toy-panel-v1, toy, coins: attack mislead, onset late. Accuracy [95 %]; n = 120 on 40 questions, seed 1, 2
      method           k=0 (.00)       k=3 (.60)  calls  edges  levels
      ----------  --------------  --------------  -----  -----  ------
      learned     .76 [.67, .86]  .53 [.42, .64]    5.0    0.0     1.0
      untrained   .76 [.67, .86]  .00 [.00, .09]    5.0    0.0     1.0
      vote-first  .76 [.67, .86]  .00 [.00, .09]    5.0    0.0     1.0
      complete    .76 [.67, .86]  .00 [.00, .09]    5.0    0.0     1.0
      single      .76 [.67, .86]  .00 [.00, .09]    5.0    0.0     1.0

      Difference in accuracy from learned, paired by question; p after Holm for 16 comparisons
      attack   onset  rate  method      difference [95 %]      p  verdict on method         questions to see 3 points
      -------  -----  ----  ----------  -----------------  -----  ------------------------  -------------------------
      none     –       .00  untrained      .00 [.00, .00]  1.000  no measurable difference                    unknown
      none     –       .00  vote-first     .00 [.00, .00]  1.000  no measurable difference                    unknown
      none     –       .00  complete       .00 [.00, .00]  1.000  no measurable difference                    unknown
      none     –       .00  single         .00 [.00, .00]  1.000  no measurable difference                    unknown
      mislead  first   .40  untrained   −.31 [−.42, −.21]   .002  worse                                           577
      mislead  first   .40  vote-first  −.31 [−.42, −.21]   .002  worse                                           577
      mislead  first   .40  complete    −.31 [−.42, −.21]   .002  worse                                           577
      mislead  first   .40  single      −.31 [−.42, −.21]   .002  worse                                           577
      mislead  first   .60  untrained   −.53 [−.64, −.42]   .002  worse                                           606
      mislead  first   .60  vote-first  −.53 [−.64, −.42]   .002  worse                                           606
      mislead  first   .60  complete    −.53 [−.64, −.42]   .002  worse                                           606
      mislead  first   .60  single      −.53 [−.64, −.42]   .002  worse                                           606
      mislead  late    .60  untrained   −.53 [−.64, −.42]   .002  worse                                           606
      mislead  late    .60  vote-first  −.53 [−.64, −.42]   .002  worse                                           606
      mislead  late    .60  complete    −.53 [−.64, −.42]   .002  worse                                           606
      mislead  late    .60  single      −.53 [−.64, −.42]   .002  worse                                           606

      Command: colloquy evaluate toy --seeds 1,2"
    `);
  });

  it("make the same tables in Markdown", async () => {
    const results = collectResults(await played(), settings);
    const text = markdownResults(results);
    expect(text.match(/^\| method \| k=0/gm)).toHaveLength(2);
    expect(text.match(/^\| learned \|/gm)).toHaveLength(2);
    expect(text.startsWith(results.headline)).toBe(true);
  });
});
