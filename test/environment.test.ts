import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tinyBank } from "../benchmarks/speed/tiny-bank.ts";
import {
  checkRecipe,
  isRival,
  type MethodName,
  type MethodWeights,
  openMethods,
  openWorld,
  rivalOf,
  untrainedWeights,
  type World,
} from "../src/assemble/index.ts";
import { attacks, schedules } from "../src/attacks/index.ts";
import { runInLanes } from "../src/base/lanes.ts";
import { createRng } from "../src/base/rng.ts";
import { defaultFeatures, hashingEmbedder } from "../src/behaviour/index.ts";
import type { Utterance } from "../src/contracts/agent.ts";
import type { Embedder } from "../src/contracts/embedder.ts";
import type { Environment, Episode, EpisodeStart, TimeStep } from "../src/contracts/environment.ts";
import type { Action, Observation, Policy } from "../src/contracts/policy.ts";
import type { Population } from "../src/contracts/population.ts";
import type { Question } from "../src/contracts/task.ts";
import { attacksIn, type EpisodeRecord } from "../src/contracts/trace.ts";
import {
  checkEnvironment,
  type environments,
  replayEpisode,
  runEpisode,
  strategies,
  withDecisionLimit,
} from "../src/environments/index.ts";
import { writeBank } from "../src/populations/index.ts";
import { buildDag, drawDecisionGraph, graphFromEdges, topologies, vote } from "../src/topology/index.ts";
import { freshFolder } from "./support/child.ts";
import { choice, deliberate, opinionated, type Source, says, scripted, sources, startOf } from "./support/worlds.ts";

/** Every world that asks questions, ready to be played by the agents of a source; one that is missing here does not compile. */
type Asking = Exclude<keyof typeof environments, "workplace-v1">;
const worlds: Record<Asking, (source: Source) => Environment> = {
  "deliberation-v1": (source) => deliberate(source),
};

const onsets = Object.keys(schedules).map((name) => (name === "fixed" ? "fixed:2" : name));
const simulated = sources.simulated();
const unlimited = { in: Infinity, out: Infinity, depth: Infinity };
const wordless = { embedder: null, embedding: 0 } as const;

/** Everyone takes part with the given credits. */
const withCredits = (...credits: number[]): Action => ({
  creditsN: Float32Array.from(credits),
  participantsN: new Uint8Array(credits.length).fill(1),
});

/** A policy that records what it sees. */
function watching(policy: Policy): { policy: Policy; seen: Observation[]; done: Action[] } {
  const [seen, done]: [Observation[], Action[]] = [[], []];
  return {
    seen,
    done,
    policy: {
      ...policy,
      begin: (episode) => {
        const session = policy.begin(episode);
        return {
          act: (observation) => {
            seen.push(observation);
            done.push(session.act(observation));
            return done[done.length - 1];
          },
        };
      },
    },
  };
}

describe.each(Object.keys(worlds) as Asking[])("the world %s", (name) => {
  describe.each(Object.keys(sources) as (keyof typeof sources)[])("with %s agents", (kind) => {
    const source = sources[kind]();
    const environment = worlds[name](source);
    const starts = source.questions
      .slice(0, 6)
      .flatMap((question, q) => [
        startOf(question, { sample: q }),
        startOf(question, { sample: q, attack: { kind: "mislead", adversaries: 0, onset: "first" } }),
      ]);

    it("is named as in the table", () => {
      expect(environment.spec.name).toBe(name);
    });

    it("keeps the contract of environments", async () => {
      await checkEnvironment(environment, starts);
    });

    it("keeps it when it is cut, even before the first decision", async () => {
      for (const limit of [0, 1, 2]) await checkEnvironment(withDecisionLimit(environment, limit), starts.slice(0, 4));
    });

    it.each(Object.keys(attacks))("plays the attack %s under every onset schedule", async (attack) => {
      for (const onset of onsets) {
        for (const adversaries of [1, 3, 6]) {
          const start = startOf(source.questions[adversaries], { attack: { kind: attack, adversaries, onset } });
          await checkEnvironment(environment, [start]);
          const record = await runEpisode(environment, opinionated(environment), start);
          expect(record.outcome).not.toBe("failed");
          expect(record.onsets.filter((round) => round > 0).length).toBeGreaterThanOrEqual(adversaries);
          const { truth } = await environment.reset(start);
          for (const [agent] of record.onsets.entries())
            for (const [t] of record.rounds.entries())
              expect(attacksIn(record, agent, t + 1)).toBe(truth.isActive(agent, t + 1));
          expect(record.active !== undefined).toBe(onset === "moving" && adversaries < record.onsets.length);
        }
      }
    });

    it("gives the same records in one lane and in sixteen", async () => {
      const many = Array.from({ length: 48 }, (_, e) =>
        startOf(source.questions[e % source.questions.length], { sample: e }),
      );
      const policy = opinionated(environment, "sampled");
      const play = (lanes: number) => runInLanes(many.length, lanes, (e) => runEpisode(environment, policy, many[e]));
      expect(await play(16)).toEqual(await play(1));
    });

    it("replays from its records: the same actions in a fresh episode give the identical record", async () => {
      for (const start of starts) {
        const record = await runEpisode(environment, opinionated(environment, "sampled"), { ...start, branch: 1 });
        const stored = JSON.parse(JSON.stringify(record)) as EpisodeRecord;
        const replayed = await replayEpisode(environment, stored, start.question);
        expect(JSON.stringify(replayed)).toBe(JSON.stringify(record));
      }
    });
  });
});

describe("checking an environment", () => {
  const good = deliberate(simulated);
  const starts = simulated.questions.slice(0, 2).map((question) => startOf(question));

  /** The good world with its episodes changed. */
  const breaking = (change: (episode: Episode, start: EpisodeStart) => Partial<Episode>): Environment => ({
    ...good,
    reset: async (start) => {
      const episode = await good.reset(start);
      return { ...episode, ...change(episode, start) };
    },
  });
  /** The good world with every time step changed. */
  const spoiling = (change: (timeStep: TimeStep) => Partial<TimeStep>): Environment =>
    breaking(({ first, step }) => {
      const spoil = (timeStep: TimeStep): TimeStep => ({ ...timeStep, ...change(timeStep) });
      return { first: spoil(first), step: async (action) => spoil(await step(action)) };
    });
  const observing = (change: (observation: Observation) => Partial<Observation>): Environment =>
    spoiling(({ observation }) =>
      observation === null ? {} : { observation: { ...observation, ...change(observation) } },
    );
  const recording = (change: (record: EpisodeRecord) => object): Environment =>
    breaking(({ record }) => ({ record: () => ({ ...record(), ...change(record()) }) as EpisodeRecord }));

  let plays = 0;
  let shared: Episode | undefined;
  const broken: [string, Environment, RegExp][] = [
    ["begins in the middle", breaking(({ first }) => ({ first: { ...first, kind: "mid" } })), /"mid" time step/],
    [
      "gives a reward before anything was done",
      breaking(({ first }) => ({ first: { ...first, reward: 1 } })),
      /reset gave a reward/,
    ],
    [
      "begins again in the middle",
      breaking(({ step }) => ({ step: async (a) => ({ ...(await step(a)), kind: "first" }) })),
      /first time step/,
    ],
    [
      "gives rewards that are no numbers",
      spoiling(({ kind }) => (kind === "last" ? { reward: NaN } : {})),
      /reward NaN/,
    ],
    ["marks a step in the middle as truncated", spoiling(({ kind }) => ({ truncated: kind === "mid" })), /truncated/],
    [
      "shows nothing before the end",
      spoiling(({ kind }) => (kind === "mid" ? { observation: null } : {})),
      /no observation/,
    ],
    [
      "goes on after its last decision",
      { ...good, spec: { ...good.spec, maxDecisions: good.spec.maxDecisions - 1 } },
      /did not end within 2 decisions/,
    ],
    [
      "still shows something at the end",
      breaking(({ first, step }) => ({ step: async (a) => ({ ...(await step(a)), observation: first.observation }) })),
      /last time step still has an observation/,
    ],
    [
      "accepts actions after the end",
      breaking(({ step }) => ({
        step: (action) =>
          step(action).catch((error) => {
            if (error.code !== "environment/ended") throw error;
            return { kind: "last", observation: null, reward: 0, truncated: false };
          }),
      })),
      /an action after the last time step was accepted/,
    ],
    [
      "accepts an action for another team",
      breaking(({ first, step }) => ({
        step: async (action) => (action.creditsN.length === 6 ? step(action) : first),
      })),
      /one agent too many was accepted/,
    ],
    ["shows another team", observing(() => ({ agents: 5 })), /5 agents, truth.adversarialN 6/],
    ["leaves out a scalar", observing(({ scalarsNS }) => ({ scalarsNS: scalarsNS.slice(1) })), /scalars for 6 ×/],
    [
      "shows a scalar that is no number",
      observing(({ scalarsNS }) => ({ scalarsNS: scalarsNS.map(() => NaN) })),
      /scalar that is not a number/,
    ],
    ["lets nobody take part", observing(() => ({ eligibleN: new Uint8Array(6) })), /nobody is eligible/],
    ["forgets whom it forces", observing(() => ({ forcedN: new Uint8Array(5) })), /wrong length/],
    [
      "leaves out an embedding",
      observing(({ embeddingsN }) => ({ embeddingsN: embeddingsN.slice(1) })),
      /5 embeddings for 6/,
    ],
    [
      "shows embeddings of another size",
      observing(({ embeddingsN }) => ({
        embeddingsN: embeddingsN.map(() => ({ dimension: 3, values: new Float32Array(3) })),
      })),
      /dimension 3, not 32/,
    ],
    [
      "shows embeddings that are no numbers",
      observing(({ embeddingsN }) => ({
        embeddingsN: embeddingsN.map(() => ({ dimension: 32, values: new Float32Array(32).fill(Infinity) })),
      })),
      /embedding has a value that is not a number/,
    ],
    [
      "tells the words of another team",
      observing(({ said }) => ({ said: { ...said!, answersN: said!.answersN.slice(1) } })),
      /words are not about 6 agents/,
    ],
    ["plays differently each time", recording(() => ({ calls: plays++ })), /two different records/],
    [
      "keeps its state outside the episode",
      {
        ...good,
        reset: async (start) => {
          const episode = await good.reset(start);
          shared ??= episode;
          await Promise.resolve();
          return { ...episode, step: (action) => shared!.step(action) };
        },
      },
      /the episode has ended/,
    ],
    [
      "records another world",
      recording(() => ({ environment: "other-v1" })),
      /the record names the environment "other-v1"/,
    ],
    ["records another start", recording(() => ({ sample: 7 })), /another start/],
    [
      "forgets a decision in its record",
      recording(({ decisions }) => ({ decisions: decisions.slice(1) })),
      /2 of 3 decisions/,
    ],
    ["records a utility out of range", recording(() => ({ utility: 2 })), /utility 2/],
    [
      "forgets an agent in its truth",
      breaking(({ truth }) => ({ truth: { ...truth, adversarialN: truth.adversarialN.slice(1) } })),
      /truth.adversarialN/,
    ],
  ];

  it("has nothing against a good one", async () => {
    await checkEnvironment(good, starts);
  });

  it.each(broken)("finds out one that %s", async (_what, environment, message) => {
    const error = await checkEnvironment(environment, starts).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toMatch(message);
  });
});

describe("the end of an episode", () => {
  const environment = deliberate(simulated);
  const start = startOf(simulated.questions[0]);
  const last = async (world: Environment): Promise<{ timeStep: TimeStep; decisions: number }> => {
    const episode = await world.reset(start);
    let timeStep = episode.first;
    let decisions = 0;
    for (; timeStep.kind !== "last"; decisions++) timeStep = await episode.step(withCredits(1, 2, 3, 4, 5, 6));
    return { timeStep, decisions };
  };

  it("is told apart from a cut: a limit truncates, the vote does not", async () => {
    expect(await last(environment)).toMatchObject({ timeStep: { truncated: false }, decisions: 3 });
    for (const limit of [0, 1, 2]) {
      expect(await last(withDecisionLimit(environment, limit))).toMatchObject({
        timeStep: { truncated: true, reward: 0, observation: null },
        decisions: limit,
      });
    }
    for (const limit of [3, 4, 100]) {
      expect(await last(withDecisionLimit(environment, limit))).toEqual(await last(environment));
    }
  });

  it("is final, cut or not", async () => {
    for (const world of [environment, withDecisionLimit(environment, 1)]) {
      const episode = await world.reset(start);
      for (let d = 0; d < world.spec.maxDecisions; d++) await episode.step(withCredits(1, 2, 3, 4, 5, 6));
      const before = JSON.stringify(episode.record());
      await expect(episode.step(withCredits(1, 2, 3, 4, 5, 6))).rejects.toMatchObject({ code: "environment/ended" });
      expect(JSON.stringify(episode.record())).toBe(before);
    }
  });
});

describe("an action", () => {
  const good = withCredits(0, 1, 2);
  const z = (...participants: number[]): Uint8Array => Uint8Array.from(participants);

  it.each<[string, Action, RegExp]>([
    ["with a credit too few", { ...good, creditsN: new Float32Array(2) }, /has 2 credits for 3 agents/],
    ["with a decision too many", { ...good, participantsN: z(1, 1, 1, 1) }, /has 4 decisions for 3 agents/],
    ["with a credit that is no number", { ...good, creditsN: Float32Array.of(0, NaN, 1) }, /credits \[0, NaN, 1\]/],
    ["with an infinite credit", { ...good, creditsN: Float32Array.of(0, Infinity, 1) }, /Infinity/],
    ["with a decision that is neither 0 nor 1", { ...good, participantsN: z(1, 2, 0) }, /decision 2 for agent 1/],
    [
      "that lets in an agent that is not eligible",
      { ...good, participantsN: z(1, 0, 1) },
      /agent 2, who is not eligible/,
    ],
  ])("%s is refused with the round, and leaves the episode as it was", async (_what, action, message) => {
    const environment = deliberate(simulated, { agents: 3, panel: [0, 1] });
    const episode = await environment.reset(
      startOf(simulated.questions[0], { attack: { kind: "mislead", adversaries: 0, onset: "first" } }),
    );
    for (const round of [2, 3, 4]) {
      const before = JSON.stringify(episode.record());
      await expect(episode.step(action)).rejects.toMatchObject({
        code: "environment/action",
        message: expect.stringMatching(message),
      });
      await expect(episode.step(action)).rejects.toThrow(`round ${round}`);
      expect(JSON.stringify(episode.record())).toBe(before);
      await episode.step({ ...good, participantsN: z(1, 1, 0) });
    }
  });
});

describe("a round in which nobody takes part", () => {
  it("makes no call: everyone keeps its output, and the vote counts it", async () => {
    for (const topology of [topologies.credit.draw, topologies.proposed.draw, topologies.random.draw]) {
      const environment = deliberate(simulated, { topology, budget: () => ({ ...unlimited, temporal: 2 }) });
      const episode = await environment.reset(startOf(simulated.questions[0]));
      const pause = { ...withCredits(1, 2, 3, 4, 5, 6), participantsN: new Uint8Array(6) };
      const before = episode.record().calls;
      for (const round of [2, 3]) {
        const { observation } = await episode.step(pause);
        expect(observation!.round).toBe(round + 1);
        expect(observation!.said!.answersN).toEqual(observation!.said!.previousAnswersN);
      }
      await episode.step(withCredits(1, 2, 3, 4, 5, 6));
      const record = episode.record();
      expect(record.calls).toBe(before);
      expect(record.rounds.slice(1)).toEqual([new Array(6).fill(null), new Array(6).fill(null)]);
      expect(record.decisions.map(({ edges, levels }) => [edges.length, levels])).toEqual(new Array(3).fill([0, 0]));
      expect(await replayEpisode(environment, record, simulated.questions[0])).toEqual(record);
    }
  });

  it("is no way to vote, and the episode stays as it was", async () => {
    const environment = deliberate(simulated, { rounds: 1 });
    const episode = await environment.reset(startOf(simulated.questions[0]));
    const before = JSON.stringify(episode.record());
    const nobody = { ...withCredits(1, 2, 3, 4, 5, 6), participantsN: new Uint8Array(6) };
    await expect(episode.step(nobody)).rejects.toMatchObject({
      code: "environment/action",
      message: "an action for round 2 lets nobody take part in the vote",
    });
    expect(JSON.stringify(episode.record())).toBe(before);
  });
});

describe("what is heard through time", () => {
  const calm = startOf(choice, { attack: { kind: "mislead", adversaries: 0, onset: "first" } });
  /** What each agent heard in each round, as `round agent: from text`, with a mark on what was said before the round. */
  const listening = () => {
    const heard: string[] = [];
    const population = scripted((agent, turn) => {
      const voices = turn.heard.map(({ from, earlier, utterance }) => `${from} ${utterance.text}${earlier ? "*" : ""}`);
      heard.push(`${turn.round} ${agent}: ${voices.join(", ")}`);
      return says("A", `r${turn.round}`);
    });
    return { heard, source: { population, embedder: null } };
  };

  it("is what the source last said before the round, and comes behind what is said in it", async () => {
    const { heard, source } = listening();
    const budget = { in: 1, out: Infinity, depth: Infinity, temporal: 1 };
    const environment = deliberate(source, { agents: 3, rounds: 3, budget: () => budget, ...wordless });
    const episode = await environment.reset(calm);
    await episode.step({ creditsN: Float32Array.of(3, 2, 1), participantsN: Uint8Array.of(1, 1, 0) });
    await episode.step({ creditsN: Float32Array.of(2, 3, 1), participantsN: Uint8Array.of(1, 1, 1) });
    expect(heard.slice(3)).toEqual(["2 0: 1 r1*", "2 1: 0 r2", "3 1: 0 r2*", "3 0: 1 r3, 2 r1*", "3 2: 1 r3, 0 r2*"]);
    expect(episode.record().decisions).toMatchObject([
      { edges: [[0, 1]], temporal: [[1, 0]], levels: 2 },
      {
        edges: [
          [1, 0],
          [1, 2],
        ],
        temporal: [
          [0, 1],
          [2, 0],
          [0, 2],
        ],
        levels: 2,
      },
    ]);
  });

  it("is heard by all from all in one level: the simultaneous debate", async () => {
    const { heard, source } = listening();
    const environment = deliberate(source, {
      ...{ agents: 3, rounds: 2, topology: topologies.none.draw, ...wordless },
      budget: () => ({ ...unlimited, temporal: Infinity }),
    });
    const episode = await environment.reset(calm);
    await episode.step(withCredits(0, 0, 0));
    expect(heard.slice(3)).toEqual(["2 0: 1 r1*, 2 r1*", "2 1: 0 r1*, 2 r1*", "2 2: 0 r1*, 1 r1*"]);
    expect(episode.record().decisions[0]).toMatchObject({ edges: [], levels: 1 });
  });

  it("counts as heard in the features, like what is said in the round", async () => {
    const environment = deliberate(simulated, {
      ...{ features: ["heardShare"], topology: topologies.chain.draw },
      budget: () => ({ ...unlimited, temporal: 2 }),
    });
    const episode = await environment.reset(startOf(simulated.questions[0]));
    const { observation } = await episode.step(withCredits(0, 0, 0, 0, 0, 0));
    expect([...observation!.scalarsNS].map((share) => Math.round(6 * share))).toEqual([2, 3, 3, 3, 3, 3]);
  });

  it("is nothing from an agent that never spoke", async () => {
    const { heard, source } = listening();
    const environment = deliberate(source, {
      ...{ agents: 3, rounds: 2, panel: [0, 1], ...wordless },
      topology: ({ participants }) => ({
        ...graphFromEdges([], participants),
        temporal: { sources: Int32Array.of(2, 1), targets: Int32Array.of(0, 0) },
      }),
    });
    const episode = await environment.reset(calm);
    await episode.step({ creditsN: new Float32Array(3), participantsN: Uint8Array.of(1, 1, 0) });
    expect(heard.slice(2)).toEqual(["2 0: 1 r1*", "2 1: "]);
  });

  it("replays, and stands in no record where there is none", async () => {
    for (const name of Object.keys(topologies) as (keyof typeof topologies)[]) {
      for (const temporal of [0, 1, Infinity]) {
        const budget = { in: 2, out: 3, depth: 3, edges: 9, temporal };
        const environment = deliberate(simulated, { topology: topologies[name].draw, budget: () => budget });
        const start = startOf(simulated.questions[2]);
        await checkEnvironment(environment, [start]);
        const record = await runEpisode(environment, opinionated(environment), start);
        expect(record.decisions.some((decision) => "temporal" in decision)).toBe(
          temporal > 0 && name !== "solo" && name !== "proposed",
        );
        expect(await replayEpisode(environment, record, start.question)).toEqual(record);
      }
    }
  });
});

describe("what a policy proposes", () => {
  const proposing = (edges: [number, number][], temporal?: [number, number][]): Policy => ({
    name: "proposing",
    begin: () => ({ act: () => ({ ...withCredits(0, 0, 0, 0, 0, 0), proposal: { edges, temporal } }) }),
  });

  it("is the graph of the round under the rule `proposed`, within the budgets, and replays", async () => {
    const environment = deliberate(simulated, {
      topology: topologies.proposed.draw,
      budget: (round) => ({ in: 2, out: Infinity, depth: round, edges: 4, temporal: 1 }),
    });
    const policy = proposing(
      [
        [5, 4],
        [4, 3],
        [3, 5],
        [0, 1],
      ],
      [
        [5, 4],
        [3, 5],
        [0, 5],
      ],
    );
    const start = startOf(simulated.questions[0]);
    const record = await runEpisode(environment, policy, start);
    expect(record.decisions.map(({ edges, temporal, levels }) => ({ edges, temporal, levels }))).toEqual([
      {
        edges: [
          [5, 4],
          [0, 1],
        ],
        temporal: [[3, 5]],
        levels: 2,
      },
      {
        edges: [
          [5, 4],
          [4, 3],
          [0, 1],
        ],
        temporal: [[3, 5]],
        levels: 3,
      },
      { edges: [], temporal: undefined, levels: 0 },
    ]);
    const stored = JSON.parse(JSON.stringify(record)) as EpisodeRecord;
    expect(await replayEpisode(environment, stored, start.question)).toEqual(record);
  });

  it("is not looked at by any other rule", async () => {
    const environment = deliberate(simulated);
    const start = startOf(simulated.questions[0]);
    expect(await runEpisode(environment, proposing([[5, 0]]), start)).toEqual(
      await runEpisode(environment, proposing([]), start),
    );
  });
});

describe("what is said", () => {
  it("stands in the record: texts as they are, recorded ones by their source, and nothing where there are no words", async () => {
    const population = scripted(
      (agent) =>
        [says("A", "because of the lantern"), says("B", "words", { source: "run/1/1" }), says(null, ""), says("C", "")][
          agent
        ],
    );
    const environment = deliberate({ population, embedder: hashingEmbedder(64) }, { agents: 4, rounds: 1 });
    const record = await runEpisode(environment, opinionated(environment), startOf(choice, { attack: quiet }));
    expect(record.rounds).toEqual([
      [
        { answer: "A", status: "parsed", text: "because of the lantern" },
        { answer: "B", status: "parsed", source: "run/1/1" },
        { answer: null, status: "unparsed" },
        { answer: "C", status: "parsed" },
      ],
    ]);
  });

  it("counts tokens where somebody counted, and says null where nobody did", async () => {
    const play = (tokens: (number | undefined)[]) => {
      const population = scripted((agent) => says("A", "", { tokens: tokens[agent] }));
      const environment = deliberate({ population, embedder: null }, { agents: 3, rounds: 2, ...wordless });
      return runEpisode(environment, opinionated(environment), startOf(choice, { attack: quiet }));
    };
    expect(await play([undefined, undefined, undefined])).toMatchObject({ tokens: null });
    const counted = await play([10, undefined, 5]);
    expect(counted.tokens).toBe(counted.rounds.flat().reduce((sum, said) => sum + (said?.tokens ?? 0), 0));
    expect(counted.tokens).toBeGreaterThanOrEqual(15);
  });

  it("reaches those who hear it in the same round, with the speaker's role; the others hear nothing", async () => {
    const heard: [number, number, (string | null)[], boolean][] = [];
    const population = scripted((agent, turn) => {
      heard.push([
        turn.round,
        agent,
        turn.heard.map(({ from, role, utterance }) => `${from} ${role} ${utterance.text}`),
        turn.own !== null,
      ]);
      return says("A", `agent ${agent} in round ${turn.round}`);
    });
    const environment = deliberate({ population, embedder: null }, { agents: 3, rounds: 2, ...wordless });
    const episode = await environment.reset(startOf(choice, { attack: quiet }));
    await episode.step({ creditsN: Float32Array.of(1, 3, 2), participantsN: Uint8Array.of(1, 1, 1) });
    expect(heard).toEqual([
      [1, 0, [], false],
      [1, 1, [], false],
      [1, 2, [], false],
      [2, 1, [], true],
      [2, 2, ["1 speaker agent 1 in round 2"], true],
      [2, 0, ["1 speaker agent 1 in round 2", "2 speaker agent 2 in round 2"], true],
    ]);
  });

  it("stays as it was for whoever takes no part: no call, the last output kept and counted in the vote", async () => {
    const population = scripted((agent, { round }) => says(round === 1 && agent === 2 ? "A" : "B"));
    const environment = deliberate({ population, embedder: null }, { agents: 3, rounds: 3, ...wordless });
    const episode = await environment.reset(startOf(choice, { attack: quiet }));
    const alone = { creditsN: Float32Array.of(-5, -5, 5), participantsN: Uint8Array.of(1, 1, 0) };
    await episode.step(alone);
    await episode.step(alone);
    expect(await episode.step({ ...alone, participantsN: Uint8Array.of(1, 1, 1) })).toMatchObject({
      kind: "last",
      reward: 1,
    });
    const record = episode.record();
    expect(record).toMatchObject({ answer: "A", outcome: "right", calls: 7 });
    expect(record.rounds.map((row) => row[2]?.answer ?? null)).toEqual(["A", null, null]);
  });

  const quiet = { kind: "mislead", adversaries: 0, onset: "first" };
});

describe("silence", () => {
  /** Counts the texts it is given. */
  function counting(): Embedder & { texts: string[] } {
    const inner = hashingEmbedder(64);
    const texts: string[] = [];
    return {
      ...inner,
      texts,
      embed: (batch) => {
        texts.push(...batch);
        return inner.embed(batch);
      },
    };
  }
  const talkative = scripted((agent, { round }) =>
    says(agent < 3 ? "A" : "B", `agent ${agent} says something in round ${round}`),
  );
  const start = (adversaries: number, onset: string): EpisodeStart =>
    startOf(choice, { attack: { kind: "silence", adversaries, onset } });

  it("makes no call, has no embedding and no weight in the vote", async () => {
    const embedder = counting();
    const environment = deliberate({ population: talkative, embedder });
    const { policy, seen } = watching({ name: "all", begin: () => ({ act: () => withCredits(0, 0, 0, 0, 0, 0) }) });
    const record = await runEpisode(environment, policy, start(2, "first"));
    const mute = record.onsets.flatMap((round, agent) => (round > 0 ? [agent] : []));
    expect(mute).toHaveLength(2);
    expect(record.calls).toBe(4 * 3);
    expect(embedder.texts).toHaveLength(4 * 3);
    for (const { embeddingsN } of seen) {
      expect(embeddingsN.flatMap((embedding, agent) => (embedding === null ? [agent] : []))).toEqual(mute);
    }
    for (const row of record.rounds) {
      for (const agent of mute) expect(row[agent]).toEqual({ answer: null, status: "empty", silent: true });
    }
  });

  it("takes back what was said before: from its onset an agent has neither answer nor embedding", async () => {
    const environment = deliberate({ population: talkative, embedder: counting() });
    const { policy, seen } = watching({ name: "all", begin: () => ({ act: () => withCredits(0, 0, 0, 0, 0, 0) }) });
    const record = await runEpisode(environment, policy, start(3, "late"));
    const mute = record.onsets.flatMap((round, agent) => (round > 0 ? [agent] : []));
    const absent = seen.map(({ embeddingsN }) =>
      embeddingsN.flatMap((embedding, agent) => (embedding === null ? [agent] : [])),
    );
    expect(absent).toEqual([[], [], mute]);
    expect(record.calls).toBe(6 + 6 + 3);
  });

  it("of everyone ends unparsed, with utility 0, and is counted as such", async () => {
    const environment = deliberate({ population: talkative, embedder: counting() });
    const record = await runEpisode(environment, opinionated(environment), start(6, "first"));
    expect(record).toMatchObject({ answer: null, utility: 0, outcome: "unparsed", calls: 0 });
  });
});

describe("an agent that fails", () => {
  const world = (speak: Parameters<typeof scripted>[0], changes = {}) =>
    deliberate({ population: scripted(speak), embedder: null }, { ...wordless, ...changes });
  const calm = startOf(choice, { attack: { kind: "mislead", adversaries: 0, onset: "first" } });
  const play = (environment: Environment) => runEpisode(environment, opinionated(environment), calm);
  const later = <T>(turns: number, work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      if (turns > 0) setImmediate(() => later(turns - 1, work).then(resolve, reject));
      else {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      }
    });
  const fail = (what: unknown = new Error("the line went dead")): never => {
    throw what;
  };

  it("ends the episode, which is recorded as failed with agent, round and reason, never dropped", async () => {
    for (const round of [1, 2, 3]) {
      const everyone: Policy = { name: "all", begin: () => ({ act: () => withCredits(0, 0, 0, 0, 0, 0) }) };
      const environment = world((agent, turn) => (agent === 4 && turn.round === round ? fail() : says("A")));
      const record = await runEpisode(environment, everyone, calm);
      expect(record).toMatchObject({
        outcome: "failed",
        error: `agent 4 failed in round ${round}: the line went dead`,
        utility: 0,
        answer: null,
      });
      expect(record.rounds).toHaveLength(round);
      expect(record.decisions).toHaveLength(round - 1);
    }
  });

  it("is recorded alike whether it fails at once or later", async () => {
    const now = await play(world((agent) => (agent === 1 ? fail() : says("A"))));
    const then = await play(world((agent) => later(agent, () => (agent === 1 ? fail() : says("A")))));
    expect(then).toEqual(now);
    expect(now.calls).toBe(5);
  });

  it("is the first in order where several fail, whoever is quicker, and no failure goes unheard", async () => {
    const slowFirst = await play(
      world((agent) => later(6 - agent, () => (agent % 2 === 1 ? fail(`no ${agent}`) : says("A")))),
    );
    const quickFirst = await play(
      world((agent) => later(agent, () => (agent % 2 === 1 ? fail(`no ${agent}`) : says("A")))),
    );
    const mixed = await play(
      world((agent) =>
        agent === 3 ? fail("no 3") : later(2, () => (agent % 2 === 1 ? fail(`no ${agent}`) : says("A"))),
      ),
    );
    for (const record of [slowFirst, quickFirst, mixed]) {
      expect(record.error).toBe("agent 1 failed in round 1: no 1");
      expect(record.rounds[0].filter((said) => said !== null)).toHaveLength(3);
      expect(record.calls).toBe(3);
    }
    // An unheard rejection would end this process: give it the time to.
    await later(10, () => undefined);
  });

  it("because the run was interrupted is no failed episode: the interrupt goes through", async () => {
    const controller = new AbortController();
    const environment = world((_agent, { signal }) =>
      later(1, () => {
        controller.abort(new Error("stop"));
        return signal?.throwIfAborted() as never;
      }),
    );
    await expect(
      runEpisode(environment, opinionated(environment), { ...calm, signal: controller.signal }),
    ).rejects.toThrow("stop");
  });

  it("leaves a record that replays", async () => {
    const environment = world((agent, { round }) => (agent === 0 && round === 3 ? fail() : says("A")));
    const record = await runEpisode(
      environment,
      { name: "all", begin: () => ({ act: () => withCredits(0, 0, 0, 0, 0, 0) }) },
      calm,
    );
    expect(await replayEpisode(environment, record, choice)).toEqual(record);
  });
});

describe("teams of any size", () => {
  it("one agent, one round: it answers, and its answer is the team's", async () => {
    const environment = deliberate(simulated, { agents: 1, rounds: 1 });
    for (const [sample, question] of simulated.questions.entries()) {
      const start = startOf(question, { sample, attack: { kind: "collude", adversaries: sample % 2, onset: "first" } });
      await checkEnvironment(environment, [start]);
      const record = await runEpisode(environment, opinionated(environment), start);
      expect(record.answer).toBe(record.rounds[0][0]!.answer);
      expect(record).toMatchObject({ calls: 1, decisions: [{ round: 2, participants: [1], edges: [] }] });
    }
  });

  it("one agent, many rounds, and many agents, one round", async () => {
    const starts = simulated.questions
      .slice(0, 4)
      .map((question) => startOf(question, { attack: { kind: "noise", adversaries: 1, onset: "uniform" } }));
    await checkEnvironment(deliberate(simulated, { agents: 1, rounds: 7 }), starts);
    await checkEnvironment(deliberate(simulated, { agents: 9, rounds: 1 }), starts);
  });

  it("a thousand agents, within seconds and within their budgets", async () => {
    const budget = { in: 3, out: 3, depth: 4 };
    const environment = deliberate(simulated, { agents: 1000, budget: () => budget });
    const start = startOf(simulated.questions[1], { attack: { kind: "collude", adversaries: 400, onset: "uniform" } });
    const record = await runEpisode(environment, opinionated(environment), start);
    expect(record.onsets.filter((round) => round > 0)).toHaveLength(400);
    for (const { edges, levels, participants } of record.decisions.slice(0, -1)) {
      const [heard, served] = [new Map<number, number>(), new Map<number, number>()];
      for (const [i, j] of edges) {
        served.set(i, (served.get(i) ?? 0) + 1);
        heard.set(j, (heard.get(j) ?? 0) + 1);
        expect(participants[i] + participants[j]).toBe(2);
      }
      expect(edges.length).toBeGreaterThan(0);
      expect(Math.max(...heard.values())).toBeLessThanOrEqual(3);
      expect(Math.max(...served.values())).toBeLessThanOrEqual(3);
      expect(levels).toBeLessThanOrEqual(4);
    }
    expect(await replayEpisode(environment, record, start.question)).toEqual(record);
  });

  it.each([
    ["nobody may hear", { in: 0, out: Infinity, depth: Infinity }],
    ["nobody may be heard", { in: Infinity, out: 0, depth: Infinity }],
    ["a round has one level", { in: Infinity, out: Infinity, depth: 1 }],
    ["each agent has 0", { in: new Array(6).fill(0), out: 3, depth: Infinity }],
  ])("budgets of 0 are legal: %s", async (_what, budget) => {
    const environment = deliberate(simulated, { budget: () => budget });
    const start = startOf(simulated.questions[0]);
    await checkEnvironment(environment, [start]);
    const record = await runEpisode(environment, opinionated(environment), start);
    expect(record.decisions.flatMap(({ edges }) => edges)).toEqual([]);
    expect(record.decisions.slice(0, -1).map(({ levels }) => levels)).toEqual([1, 1]);
  });

  it("budgets may change from round to round and from agent to agent", async () => {
    const environment = deliberate(simulated, {
      rounds: 4,
      budget: (round) => ({ in: [0, 1, 2, 3, 4, 5].map((i) => (round === 3 ? 0 : i)), out: Infinity, depth: Infinity }),
    });
    const everyone: Policy = { name: "all", begin: () => ({ act: () => withCredits(5, 4, 3, 2, 1, 0) }) };
    const record = await runEpisode(environment, everyone, startOf(simulated.questions[0]));
    const inDegrees = record.decisions.map(({ edges }) =>
      [0, 1, 2, 3, 4, 5].map((j) => edges.filter((edge) => edge[1] === j).length),
    );
    expect(inDegrees).toEqual([
      [0, 1, 2, 3, 4, 5],
      [0, 0, 0, 0, 0, 0],
      [0, 1, 2, 3, 4, 5],
      [0, 0, 0, 0, 0, 0],
    ]);
  });
});

describe("common random numbers", () => {
  const bank = join(freshFolder(), "bank.jsonl");
  writeBank(bank, tinyBank());
  const populations: [string, unknown][] = [
    ["simulated", { kind: "simulated", questions: { independent: 20, distributed: 20 } }],
    ["recorded", { kind: "recorded", bank }],
  ];

  /** Untrained weights of the policy and of the rivals among the methods. */
  const weightsFor = (world: World, names: readonly MethodName[]): MethodWeights => ({
    learned: untrainedWeights(world),
    contenders: new Map(
      names
        .filter(isRival)
        .map((name) => [name, rivalOf(name).begin(world.recipe.team, createRng(1).fork(name)).weights]),
    ),
  });

  it.each(populations)(
    "%s agents: who attacks, from when, for what, and what is said in round 1 is equal under every method",
    async (_kind, population) => {
      const world = await openWorld(
        checkRecipe(
          { name: "crn", population, behaviour: { dimension: 64 }, network: { hidden: 8, projection: 4 } },
          "the test",
        ),
      );
      const names = Object.keys(strategies) as (keyof typeof strategies)[];
      const methods = await openMethods(world, names, weightsFor(world, names));
      expect(methods.map(({ name }) => name)).toEqual(names);
      let compared = 0;
      for (const [sample, question] of world.split.train.entries()) {
        const kind = Object.keys(attacks)[sample % 6];
        const start = startOf(question, {
          sample,
          attack: { kind, adversaries: sample % 5, onset: onsets[sample % 5] },
        });
        const records = await Promise.all(
          methods.map(({ environment, policy }) => runEpisode(environment, policy, start)),
        );
        const reference = records[names.indexOf("complete")];
        for (const record of records) {
          expect([record.onsets, record.target]).toEqual([reference.onsets, reference.target]);
          for (const [agent, said] of record.rounds[0].entries()) {
            if (said === null) continue;
            expect({ agent, said }).toEqual({ agent, said: reference.rounds[0][agent] });
            compared++;
          }
        }
      }
      expect(compared).toBeGreaterThan(names.length * 5 * world.split.train.length - 6 * world.split.train.length);
    },
  );

  it.each([
    { train: 0.5, validation: 0, test: 0.5 },
    { train: 0, validation: 0, test: 1 },
  ])("the best single agent is found without validation questions, or is the first: %j", async (split) => {
    const population = { kind: "simulated", questions: { independent: 8 } };
    const world = await openWorld(checkRecipe({ name: "single", population, split }, "the test"));
    const [single] = await openMethods(world, ["single"], weightsFor(world, []));
    const record = await runEpisode(single.environment, single.policy, startOf(world.split.test[0]));
    expect(record.rounds[0].filter((said) => said !== null)).toHaveLength(1);
  });

  it("an episode does not depend on its branch but for the policy's own draws", async () => {
    const environment = deliberate(simulated);
    const policy = opinionated(environment);
    for (const question of simulated.questions.slice(0, 6)) {
      const [a, b] = await Promise.all(
        [0, 1].map((branch) => runEpisode(environment, policy, startOf(question, { branch }))),
      );
      expect({ ...a, branch: undefined }).toEqual({ ...b, branch: undefined });
    }
  });
});

describe("what the policy sees", () => {
  /** Says the same, attacked or not. */
  const unmoved = scripted((agent, { round, heard }) =>
    says(
      "ABCD"[(agent + round + heard.length) % 4],
      `agent ${agent} has heard ${heard.length} voices by round ${round}`,
    ),
  );

  it("holds no label: where adversaries speak like honest agents, every observation is the same with and without them", async () => {
    const environment = deliberate({ population: unmoved, embedder: hashingEmbedder(64) });
    const observe = async (kind: string, adversaries: number, onset: string): Promise<Observation[]> => {
      const { policy, seen } = watching(opinionated(environment));
      const record = await runEpisode(environment, policy, startOf(choice, { attack: { kind, adversaries, onset } }));
      expect(record.onsets.filter((round) => round > 0).length >= adversaries).toBe(true);
      return seen;
    };
    const calm = await observe("mislead", 0, "first");
    expect(calm).toHaveLength(3);
    for (const kind of Object.keys(attacks).filter((name) => name !== "silence")) {
      for (const onset of onsets) {
        for (const adversaries of [1, 3, 6]) expect(await observe(kind, adversaries, onset)).toEqual(calm);
      }
    }
  });

  it("names nothing but what the contract names", async () => {
    const { policy, seen } = watching(opinionated(deliberate(simulated)));
    await runEpisode(deliberate(simulated), policy, startOf(simulated.questions[0]));
    for (const observation of seen) {
      expect(Object.keys(observation).sort()).toEqual([
        "agents",
        "eligibleN",
        "embeddingsN",
        "forcedN",
        "head",
        "round",
        "said",
        "scalarsNS",
      ]);
      expect(Object.keys(observation.said!).sort()).toEqual(["answersN", "previousAnswersN", "query", "rolesN"]);
    }
    expect(seen.map(({ round, head }) => [round, head])).toEqual([
      [2, "communicate"],
      [3, "communicate"],
      [4, "decide"],
    ]);
  });

  it("tells question, roles and answers in words, as they stand before the decision", async () => {
    const environment = deliberate({ population: unmoved, embedder: hashingEmbedder(64) }, { agents: 3 });
    const { policy, seen } = watching({ name: "all", begin: () => ({ act: () => withCredits(0, 0, 0) }) });
    const record = await runEpisode(
      environment,
      policy,
      startOf(choice, { attack: { kind: "mislead", adversaries: 0, onset: "first" } }),
    );
    const answers = record.rounds.map((row) => row.map((said) => said!.answer));
    const query = "Which of these was left in the attic?\n(A) a lantern\n(B) a kettle\n(C) a ladder\n(D) a compass";
    expect(seen.map(({ said }) => said)).toEqual(
      [0, 1, 2].map((t) => ({
        query,
        rolesN: ["speaker", "speaker", "speaker"],
        answersN: answers[t],
        previousAnswersN: answers[t - 1] ?? [null, null, null],
      })),
    );
  });

  it("is the truth only for a policy that is privileged", async () => {
    const environment = deliberate(simulated);
    const begun: unknown[] = [];
    const asking = (privileged: boolean): Policy => ({
      ...opinionated(environment),
      privileged,
      begin: (episode) => {
        begun.push(episode.truth === undefined ? "nothing" : [...episode.truth.adversarialN]);
        return opinionated(environment).begin(episode);
      },
    });
    for (const privileged of [false, true]) {
      const record = await runEpisode(environment, asking(privileged), startOf(simulated.questions[0]));
      if (privileged) expect(begun[1]).toEqual(record.onsets.map((round) => (round > 0 ? 1 : 0)));
    }
    expect(begun[0]).toBe("nothing");
  });
});

describe("a record", () => {
  const latestAnswers = ({ rounds }: EpisodeRecord): (string | null)[] =>
    rounds[0].map((_, i) => rounds.map((row) => row[i]).findLast((said) => said !== null)?.answer ?? null);

  it.each(["all", "participants"] as const)(
    "gives back graphs and vote from itself alone (voters: %s)",
    async (voters) => {
      const budget = { in: 2, out: 3, depth: 3 };
      const environment = deliberate(simulated, { voters, budget: () => budget });
      for (const [sample, question] of simulated.questions.entries()) {
        const start = startOf(question, { sample });
        const record = JSON.parse(
          JSON.stringify(await runEpisode(environment, opinionated(environment, "sampled"), start)),
        ) as EpisodeRecord;
        for (const { round, credits, participants, edges, levels } of record.decisions.slice(0, -1)) {
          const graph = buildDag({ credits: Float32Array.from(credits), participants, budget, round });
          expect(Array.from(graph.sources, (source, e) => [source, graph.targets[e]])).toEqual(edges);
          expect(graph.levels).toBe(levels);
        }
        const { credits, participants } = record.decisions.at(-1)!;
        const creditsN = Float32Array.from(credits);
        const { weightsN } = drawDecisionGraph({
          credits: creditsN,
          participants: voters === "all" ? participants.map(() => 1) : participants,
        });
        const recount = vote({ answersN: latestAnswers(record), weightsN, creditsN });
        expect(recount.answer).toBe(record.answer);
        expect(record.utility).toBe(recount.answer === question.gold ? 1 : 0);
      }
    },
  );

  it("keeps credits to nine digits, which give every 32-bit number back exactly", async () => {
    const environment = deliberate(simulated, { agents: 3, rounds: 1 });
    const question = simulated.questions[0];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 3, maxLength: 3 }),
        async (credits) => {
          const episode = await environment.reset(startOf(question));
          const action = withCredits(...credits);
          await episode.step(action);
          const [decision] = (JSON.parse(JSON.stringify(episode.record())) as EpisodeRecord).decisions;
          // −0 becomes 0: they rank and weigh alike.
          expect([...Float32Array.from(decision.credits)]).toEqual([...action.creditsN].map((credit) => credit + 0));
        },
      ),
    );
  });

  it("keeps what a sampling policy did, so that its log-probability can be had again", async () => {
    const environment = deliberate(simulated);
    const { policy, done } = watching(opinionated(environment, "sampled"));
    const record = await runEpisode(environment, policy, startOf(simulated.questions[3]));
    expect(record.decisions.map(({ participants }) => participants)).toEqual(
      done.map(({ participantsN }) => [...participantsN]),
    );
    for (const [d, { logProbability }] of record.decisions.entries())
      expect(logProbability).toBeCloseTo(done[d].logProbability!, 7);
  });

  it("that does not replay says what came out differently", async () => {
    const environment = deliberate(simulated);
    const question = simulated.questions[0];
    const record = await runEpisode(environment, opinionated(environment), startOf(question));
    const replaying = (changed: EpisodeRecord, world = environment, asked: Question = question) =>
      expect(replayEpisode(world, changed, asked)).rejects;
    expect(await replayEpisode(environment, { ...record, policyVersion: 7 }, question)).toEqual(record);
    await replaying({ ...record, answer: "Z" }).toMatchObject({
      code: "replay/differs",
      message: expect.stringMatching(/answer was "Z", now it is "[A-D]"/),
    });
    const rounds = record.rounds.map((row) => row.map((said) => said));
    rounds[0][3] = { ...rounds[0][3]!, answer: "Y" };
    await replaying({ ...record, rounds }).toThrow(/rounds\.0\.3\.answer was "Y"/);
    await replaying({ ...record, decisions: record.decisions.slice(1) }).toThrow(/has not ended after 2 decisions/);
    await replaying({ ...record, decisions: [...record.decisions, ...record.decisions] }).toThrow(
      /ended after 3 of 6 decisions/,
    );
    await replaying({ ...record, seed: record.seed + 1 }).toMatchObject({ code: "replay/differs" });
    await replaying(record, deliberate(simulated, { budget: () => ({ in: 0, out: 0, depth: 1 }) })).toThrow(
      /rounds\.1\./,
    );
    await replaying(record, environment, simulated.questions[1]).toMatchObject({ code: "replay/question" });
  });

  it("of a failed embedder is none: that is the run's fault, not the agents'", async () => {
    const embedder: Embedder = { name: "gone", dimension: 4, embed: () => Promise.reject(new Error("no model")) };
    const environment = deliberate({ population: scripted(() => says("A", "words")), embedder });
    await expect(runEpisode(environment, opinionated(environment), startOf(choice))).rejects.toThrow("no model");
    const none = deliberate({ population: scripted(() => says("A", "words")), embedder: null }, { embedding: 4 });
    await expect(none.reset(startOf(choice))).rejects.toMatchObject({ code: "episode/embedding" });
  });
});

describe("the order in which agents answer", () => {
  /** The same agents, each answering after a wait of its own. */
  const delayed = (population: Population): Population => ({
    ...population,
    team: (question, agents, rng) =>
      population.team(question, agents, rng).map((agent) => ({
        role: agent.role,
        respond: async (turn) => {
          for (let wait = turn.rng.fork("wait").integer(5); wait > 0; wait--) await new Promise(setImmediate);
          return agent.respond(turn) as Utterance;
        },
      })),
  });

  it("changes nothing: slow agents leave the record of quick ones, one lane or sixteen", async () => {
    const quick = deliberate(simulated);
    const slow = deliberate({ ...simulated, population: delayed(simulated.population) });
    const starts = simulated.questions.map((question, sample) => startOf(question, { sample }));
    const policy = opinionated(quick, "sampled");
    const expected = await runInLanes(starts.length, 1, (e) => runEpisode(quick, policy, starts[e]));
    for (const lanes of [1, 16]) {
      expect(await runInLanes(starts.length, lanes, (e) => runEpisode(slow, policy, starts[e]))).toEqual(expected);
    }
  });
});

describe("how the answer is chosen", () => {
  const split = scripted((agent, { round }) => says(["A", "B", "B", "C", "C", "C"][(agent + round - 1) % 6]));
  const ending = async (changes: Parameters<typeof deliberate>[1], action: Action): Promise<string | null> => {
    const environment = deliberate({ population: split, embedder: null }, { rounds: 1, ...wordless, ...changes });
    const episode = await environment.reset(
      startOf(choice, { attack: { kind: "mislead", adversaries: 0, onset: "first" } }),
    );
    await episode.step(action);
    return episode.record().answer;
  };

  it("by credit or by head, of all or of those who take part", async () => {
    const expert = { creditsN: Float32Array.of(6, -6, -6, -6, -6, -6), participantsN: Uint8Array.of(0, 1, 1, 0, 0, 1) };
    expect(await ending({ vote: "credit", voters: "all" }, expert)).toBe("A");
    expect(await ending({ vote: "majority", voters: "all" }, expert)).toBe("C");
    expect(await ending({ vote: "credit", voters: "participants" }, expert)).toBe("B");
    expect(await ending({ vote: "majority", voters: "participants" }, expert)).toBe("B");
  });

  it("from the last round, or from all of them", async () => {
    const play = async (ballots: "last" | "all") => {
      const environment = deliberate(
        { population: scripted((agent, { round }) => says(round === 2 && agent < 4 ? "B" : "A")), embedder: null },
        { rounds: 2, ballots, vote: "majority", ...wordless, topology: topologies.none.draw },
      );
      const everyone: Policy = { name: "all", begin: () => ({ act: () => withCredits(0, 0, 0, 0, 0, 0) }) };
      return (
        await runEpisode(
          environment,
          everyone,
          startOf(choice, { attack: { kind: "mislead", adversaries: 0, onset: "first" } }),
        )
      ).answer;
    };
    expect(await play("last")).toBe("B");
    expect(await play("all")).toBe("A");
  });
});

describe("a world", () => {
  it("shows the features it was told to, in that order", async () => {
    const names = ["spoke", ...defaultFeatures.slice(0, 2)];
    const environment = deliberate(simulated, { features: names });
    expect(environment.spec.scalars).toEqual(names);
    const { first } = await environment.reset(startOf(simulated.questions[0]));
    expect(first.observation!.scalarsNS).toHaveLength(18);
    expect([0, 3, 6, 9, 12, 15].map((k) => first.observation!.scalarsNS[k])).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it("shows no words to a policy that reads none", async () => {
    const environment = deliberate(sources.recorded(), wordless);
    const source = sources.recorded();
    const { first } = await environment.reset(startOf(source.questions[0]));
    expect(first.observation!.embeddingsN).toEqual(new Array(6).fill(null));
  });

  it("plays another episode for another seed or sample", async () => {
    const environment = deliberate(simulated);
    const rounds = async (changes: Partial<EpisodeStart>) =>
      (await runEpisode(environment, opinionated(environment), startOf(simulated.questions[0], changes))).rounds[0];
    const said = await Promise.all([{}, { sample: 1 }, { seed: 4 }, { sample: 2 }, { seed: 5 }].map(rounds));
    expect(new Set(said.map((row) => JSON.stringify(row))).size).toBeGreaterThan(2);
  });
});
