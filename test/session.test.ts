import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { ColloquyError } from "../src/base/errors.ts";
import { cached, defaultFeatures, hashingEmbedder } from "../src/behaviour/index.ts";
import { renderCard } from "../src/checkpoint/card.ts";
import { writeCheckpoint } from "../src/checkpoint/folder.ts";
import { manifestSchema, type PolicyManifest } from "../src/checkpoint/manifest.ts";
import { writeSafetensors } from "../src/checkpoint/safetensors.ts";
import type { Embedding, Utterance } from "../src/contracts/agent.ts";
import type { EpisodeStart } from "../src/contracts/environment.ts";
import type { NetworkConfig, Observation } from "../src/contracts/policy.ts";
import type { EpisodeRecord } from "../src/contracts/trace.ts";
import { type DeliberationSettings, runEpisode } from "../src/environments/index.ts";
import { exportPolicy } from "../src/export/index.ts";
import { openBackend } from "../src/nets/index.ts";
import { threshold } from "../src/runtime/decide.ts";
import { createForward } from "../src/runtime/forward.ts";
import {
  createSession,
  type Decision,
  type LoadedPolicy,
  loadPolicy,
  type PolicyFiles,
  type Session,
  type SpokenUtterance,
} from "../src/runtime/index.ts";
import { networkPolicy } from "../src/runtime/network-policy.ts";
import { budgetOfRound } from "../src/topology/budget.ts";
import { topologies } from "../src/topology/index.ts";
import { freshFolder } from "./support/child.ts";
import {
  choice,
  deliberate,
  networkFor,
  type Source,
  says,
  scripted,
  sources,
  startOf,
  strongWeights,
} from "./support/worlds.ts";

const root = resolve(import.meta.dirname, "..");

type Changes = Partial<PolicyManifest["decision"]> & { readonly embedder?: string | null; readonly seed?: number };

const manifestOf = (
  network: NetworkConfig,
  { embedder = null, seed: _seed, ...decision }: Changes = {},
): PolicyManifest => ({
  schema: manifestSchema,
  name: "tested",
  environment: "deliberation-v1",
  network,
  embedder,
  decision: {
    topology: "credit",
    budget: { in: 2, out: null, depth: null },
    minimum: 1,
    cut: 0.5,
    voters: "all",
    ...decision,
  },
  training: { step: 0 },
});

/** A policy in memory. */
const policyOf = (network: NetworkConfig, changes: Changes = {}): LoadedPolicy => ({
  manifest: manifestOf(network, changes),
  forward: createForward(network, strongWeights(network, changes.seed)),
});

/** A small policy over hashed words. */
const network: NetworkConfig = {
  ...{ kind: "credit-gru", embedding: 64, projection: 4, hidden: 6, heads: "two", clamp: 6 },
  scalars: defaultFeatures,
};
const wordy = (changes: Changes = {}): LoadedPolicy => policyOf(network, { embedder: "hashing-words-64", ...changes });

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof ColloquyError) return error.code;
    throw error;
  }
  return "nothing was thrown";
};

/** Keeps what the agents of a source say, as the environment gets it. */
function overhearing(source: Source): { source: Source; saidTN: Utterance[][] } {
  const saidTN: Utterance[][] = [];
  const population: Source["population"] = {
    ...source.population,
    team: (question, agents, rng) =>
      source.population.team(question, agents, rng).map((agent, i) => ({
        role: agent.role,
        respond: (turn) => {
          const said = agent.respond(turn) as Utterance;
          saidTN[turn.round - 1] ??= [];
          saidTN[turn.round - 1][i] = said;
          return said;
        },
      })),
  };
  return { source: { ...source, population }, saidTN };
}

/** Feeds a session with what was said in an episode; what it decided and how it voted. */
function follow(session: Session, record: EpisodeRecord, saidTN: readonly (readonly Utterance[])[]) {
  const decisions: Decision[] = [];
  record.rounds.forEach((row, t) => {
    const utterances = row.map((kept, i): SpokenUtterance | null => {
      if (kept === null) return null;
      if (kept.silent) return { answer: null };
      const { answer, text, embedding } = saidTN[t][i];
      return embedding === undefined ? { answer, text } : { answer, embedding };
    });
    session.observe(utterances);
    if (t < record.rounds.length - 1) decisions.push(session.decide());
  });
  return { decisions, vote: session.vote() };
}

describe("a session decides as the environment does under the same policy", () => {
  const budgets: PolicyManifest["decision"]["budget"][] = [
    { in: 2, out: null, depth: null },
    { in: null, out: null, depth: null },
    { in: 1, out: 2, depth: 2 },
    { in: 0, out: null, depth: null },
    { in: 3, out: 1, depth: 3 },
    { in: [1, 0, 2], out: null, depth: [null, 2], edges: [4, null], temporal: [0, 2, null] },
    { in: 0, out: null, depth: null, temporal: null },
  ];
  const settings = budgets.flatMap((budget, b) => [
    { budget, voters: "all" as const, vote: "credit" as const, heads: "two" as const, topology: "credit" as const },
    {
      budget,
      voters: "participants" as const,
      vote: b % 2 === 0 ? ("credit" as const) : ("majority" as const),
      heads: "shared" as const,
      topology: (["credit", "complete", "chain", "star", "none", "layered", "credit"] as const)[b],
    },
  ]);

  describe.each(Object.keys(sources) as (keyof typeof sources)[])("%s agents", (kind) => {
    it.each(settings)(
      "in $budget.in, out $budget.out, depth $budget.depth, $voters vote by $vote, $topology graphs",
      async (setting) => {
        const { budget, voters, heads, topology, vote } = setting;
        let overruled = 0;
        for (const [sample, question] of sources[kind]().questions.entries()) {
          const { source, saidTN } = overhearing(sources[kind]());
          const changes: Partial<DeliberationSettings> = {
            ...{ voters, vote, rounds: 4, attackRounds: 4, topology: topologies[topology].draw },
            budget: (round) => budgetOfRound(budget, round),
          };
          const environment = deliberate(source, changes);
          const config = networkFor(environment.spec, heads);
          const embedder = source.embedder?.name ?? `given-${config.embedding}`;
          const policy = policyOf(config, { budget, voters, vote, topology, embedder, seed: sample });
          const attack = {
            kind: ["collude", "silence", "persuade", "noise"][sample % 4],
            adversaries: sample % 4,
            onset: "uniform",
          };
          const start: EpisodeStart = startOf(question, { sample, attack });
          const record = await runEpisode(environment, networkPolicy("p", policy.forward, "threshold"), start);

          const followed = follow(createSession(policy), record, saidTN);
          followed.decisions.forEach((decision, d) => {
            const { credits, participants, edges, temporal, levels } = record.decisions[d];
            expect(decision.credits.map(Math.fround)).toEqual(credits.map(Math.fround));
            expect([...decision.participants].sort((a, b) => a - b)).toEqual(
              participants.flatMap((z, i) => (z ? [i] : [])),
            );
            expect(decision.edges).toEqual(edges);
            expect(decision.temporal).toEqual(temporal);
            expect(decision.levels).toHaveLength(levels);
          });
          expect(followed.vote.answer).toBe(record.answer);
          if (record.decisions.some(({ participants }) => participants.includes(0))) overruled++;
        }
        // Not everyone takes part everywhere, or nothing would be compared.
        expect(overruled).toBeGreaterThan(3);
      },
    );
  });

  it("also where agents repeat themselves word for word", async () => {
    const population = scripted((agent, { round }) =>
      says("AAB"[agent % 3], round < 3 ? `agent ${agent} insists on it` : `agent ${agent} wonders in round ${round}`),
    );
    const { source, saidTN } = overhearing({ population, questions: [choice], embedder: hashingEmbedder(64) });
    const environment = deliberate({ ...source, embedder: cached(source.embedder!) }, { rounds: 4 });
    const policy = wordy();
    const record = await runEpisode(environment, networkPolicy("p", policy.forward, "threshold"), startOf(choice));
    const { decisions, vote } = follow(createSession(policy), record, saidTN);
    expect(decisions.map(({ credits }) => credits.map(Math.fround))).toEqual(
      record.decisions.slice(0, 3).map(({ credits }) => credits.map(Math.fround)),
    );
    expect(vote.answer).toBe(record.answer);
  });
});

const said = (...answers: (string | null)[]): SpokenUtterance[] =>
  answers.map((answer, i) => ({ answer, text: `agent ${i} argues for ${answer} with words of its own` }));

describe("a session", () => {
  it("gives levels that can be asked at once, and an order in which everyone comes after those it hears", () => {
    const session = createSession(wordy());
    session.observe(said("A", "B", "A", "C", null, "A"));
    const { participants, edges, levels, credits } = session.decide();
    expect(credits).toHaveLength(6);
    expect(levels.flat().sort()).toEqual([...participants].sort());
    const levelOf = (agent: number) => levels.findIndex((level) => level.includes(agent));
    for (const [i, j] of edges) {
      expect(participants.indexOf(i)).toBeLessThan(participants.indexOf(j));
      expect(levelOf(i)).toBeLessThan(levelOf(j));
      expect(credits[i]).toBeGreaterThanOrEqual(credits[j]);
    }
  });

  it("says the same until the next observation, and follows nobody but its own team", () => {
    const policy = wordy();
    const [one, two] = [createSession(policy), createSession(policy)];
    one.observe(said("A", "B", "A"));
    const first = one.decide();
    two.observe(said("C", "C", "C"));
    two.decide();
    expect(one.decide()).toEqual(first);
    expect(one.decide()).toBe(first);
    expect(one.vote()).toEqual(one.vote());
    one.observe(said("B", "B", "A"));
    expect(one.decide().credits).not.toEqual(first.credits);
  });

  it("votes by weight: the weights are those of the answers, and the heaviest wins", () => {
    const session = createSession(wordy());
    session.observe(said("A", "B", "A", "C", null, "A"));
    const { answer, weights } = session.vote();
    expect(Object.keys(weights).sort()).toEqual(["A", "B", "C"]);
    expect(weights[answer!]).toBe(Math.max(...Object.values(weights)));
    const plain = createSession(wordy({ vote: "majority" }));
    plain.observe(said("A", "B", "A", "C", null, "A"));
    expect(plain.vote()).toEqual({ answer: "A", weights: { A: 3, B: 1, C: 1 } });
  });

  it("has no answer where nobody's can be read, and takes a missing answer for an unreadable one", () => {
    const session = createSession(wordy());
    session.observe([{ answer: null, text: "well" }, { text: "hm" } as unknown as SpokenUtterance]);
    expect(session.vote()).toEqual({ answer: null, weights: {} });
  });

  it("keeps what was last said by whoever is null", () => {
    const session = createSession(wordy());
    session.observe(said("A", "B", "B"));
    session.decide();
    session.observe([null, null, { answer: "A", text: "I was wrong" }]);
    expect(Object.keys(session.vote().weights).sort()).toEqual(["A", "B"]);
  });

  it("knows who heard whom only from a decision about that very round", () => {
    const listening = policyOf({ ...network, embedding: 0, scalars: ["heardAnyone"] }, { cut: 0.01 });
    const play = (decides: boolean) => {
      const session = createSession(listening);
      session.observe(said("A", "A", "A"));
      session.decide();
      session.observe(said("A", "A", "A"));
      if (decides) session.decide();
      session.observe(said("A", "A", "A"));
      return session.decide().credits;
    };
    const never = createSession(listening, { budget: { in: 0 } });
    for (let round = 1; round <= 2; round++) never.observe(said("A", "A", "A"));
    expect(new Set(never.decide().credits).size).toBe(1);
    expect(play(false)).not.toEqual(play(true));
  });

  it("takes another budget than the policy's, also one for each agent", () => {
    const edgesUnder = (budget: object) => {
      const session = createSession(wordy({ cut: 0.01 }), { budget });
      session.observe(said("A", "B", "A", "C", "B", "A"));
      return session.decide().edges.length;
    };
    expect(edgesUnder({ in: 0 })).toBe(0);
    expect(edgesUnder({ in: Infinity })).toBe(15);
    expect(edgesUnder({ in: new Array(6).fill(1) })).toBe(5);
    expect(edgesUnder({ depth: 1 })).toBe(0);
    expect(() => edgesUnder({ in: -1 })).toThrow(/in-degree budget is -1/);
    expect(() => edgesUnder({ in: [1, 1] })).toThrow(/2 entries for 6 agents/);
  });

  it("takes budgets of edges and through time, and says who hears whom through time only where anybody does", () => {
    const decide = (budget: object) => {
      const session = createSession(wordy({ cut: 0.01 }), { budget });
      session.observe(said("A", "B", "A", "C"));
      return session.decide();
    };
    expect("temporal" in decide({})).toBe(false);
    expect(decide({ in: Infinity, edges: 4 }).edges).toHaveLength(4);
    const debate = decide({ in: 0, temporal: Infinity });
    expect(debate.levels).toHaveLength(1);
    expect(debate.temporal).toHaveLength(12);
    expect(
      decide({ in: 0, temporal: [0, 1, 2, 0] })
        .temporal?.map(([, target]) => target)
        .sort(),
    ).toEqual([1, 2, 2]);
    for (const budget of [{ edges: [1, 1, 1, 1] }, { temporal: "1" }, { depth: [2] }, { tempral: 1 }]) {
      expect(codeOf(() => decide(budget))).toBe("session/budget");
    }
    expect(() => decide({ temporal: [1] })).toThrow(/1 entries for 4 agents/);
  });

  it("asks a program for the budget of each round once, over what the policy has for that round", () => {
    const asked: number[] = [];
    const session = createSession(wordy({ cut: 0.01, budget: { in: [1, 2], out: null, depth: null } }), {
      budget: (round) => {
        asked.push(round);
        return round === 4 ? { in: 0 } : {};
      },
    });
    const counts = [2, 3, 4, 5].map(() => {
      session.observe(said("A", "B", "A", "C"));
      session.decide();
      return session.decide().edges.length;
    });
    expect(counts).toEqual([3, 5, 0, 5]);
    expect(asked).toEqual([2, 3, 4, 5]);
    const careless = createSession(wordy(), { budget: () => ({ inn: 1 }) as object });
    careless.observe(said("A", "B"));
    expect(codeOf(() => careless.decide())).toBe("session/budget");
  });

  it("knows as heard what came through time", () => {
    const listening = policyOf({ ...network, embedding: 0, scalars: ["heardAnyone"] }, { cut: 0.01 });
    const play = (budget: object) => {
      const session = createSession(listening, { budget: { in: 0, ...budget } });
      session.observe(said("A", "A", "A"));
      session.decide();
      session.observe(said("A", "A", "A"));
      return session.decide().credits;
    };
    expect(play({ temporal: 1 })).not.toEqual(play({}));
    expect(play({ temporal: 1 })).toEqual(play({ temporal: 2 }));
  });

  it("reads vectors instead of words, as plain numbers, typed or sparse", () => {
    const embedder = hashingEmbedder(64);
    const texts = ["the lantern it is", "surely the kettle"];
    const credits = (utterances: SpokenUtterance[]) => {
      const session = createSession(wordy());
      session.observe(utterances);
      return session.decide().credits;
    };
    const vectors = embedder.embed(texts) as Embedding[];
    const dense = vectors.map(({ indices, values }) => {
      const numbers = new Float32Array(64);
      indices!.forEach((place, k) => {
        numbers[place] = values[k];
      });
      return numbers;
    });
    const expected = credits(texts.map((text) => ({ answer: "A", text })));
    expect(credits(vectors.map((embedding) => ({ answer: "A", embedding })))).toEqual(expected);
    expect(credits(dense.map((embedding) => ({ answer: "A", embedding })))).toEqual(expected);
    expect(credits(dense.map((embedding) => ({ answer: "A", embedding: Array.from(embedding) })))).toEqual(expected);
  });
});

describe("a session refuses", () => {
  it("to decide or vote before anything was observed", () => {
    const session = createSession(wordy());
    expect(codeOf(() => session.decide())).toBe("session/order");
    expect(codeOf(() => session.vote())).toBe("session/order");
  });

  it("a team of another size, or of nobody, and stays as it was", () => {
    const session = createSession(wordy());
    expect(codeOf(() => session.observe([]))).toBe("session/observation");
    session.observe(said("A", "B", "A"));
    const before = session.decide();
    expect(codeOf(() => session.observe(said("A", "B")))).toBe("session/observation");
    expect(() => session.observe(said("A", "B", "C", "D"))).toThrow(/4 agents in a session of 3/);
    expect(session.decide()).toBe(before);
    expect(codeOf(() => createSession(wordy(), { agents: 4 }).observe(said("A")))).toBe("session/observation");
    for (const agents of [0, -1, 1.5, NaN]) {
      expect(codeOf(() => createSession(wordy(), { agents }).observe(said("A")))).toBe("session/observation");
    }
  });

  it("vectors of another size", () => {
    const session = createSession(wordy());
    expect(() => session.observe([{ answer: "A", embedding: [1, 2, 3] }])).toThrow(/3 dimensions; the policy reads 64/);
  });

  it("words, where the policy's embedder is not there, and says which one it needs", () => {
    for (const embedder of ["use-lite", "given-64"]) {
      const session = createSession(wordy({ embedder }));
      expect(codeOf(() => session.observe(said("A")))).toBe("session/embedder");
      expect(() => session.observe(said("A"))).toThrow(embedder);
      session.observe([{ answer: "A", embedding: new Float32Array(64) }]);
      expect(session.vote().answer).toBe("A");
    }
  });

  it("graphs that only chance or a proposal could draw, or that nobody knows", () => {
    for (const topology of ["random", "random-order", "proposed", "cedit", "__proto__"]) {
      expect(codeOf(() => createSession(wordy({ topology })))).toBe("session/topology");
    }
    expect(() => createSession(wordy({ topology: "cedit" }))).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('Did you mean "credit"?') }),
    );
  });
});

describe("a session with an embedder of the program's own", () => {
  const embedder = hashingEmbedder(64);
  const inner = (texts: readonly string[]) =>
    (embedder.embed(texts) as Embedding[]).map(({ indices, values }) => {
      const numbers = new Array<number>(64).fill(0);
      indices!.forEach((place, k) => {
        numbers[place] = values[k];
      });
      return numbers;
    });
  const expected = () => {
    const session = createSession(wordy());
    session.observe(said("A", "B", "A"));
    return session.decide();
  };

  it("observes at once where it answers at once, and waits where it answers later", async () => {
    const now = createSession(wordy({ embedder: "mine" }), { embed: inner });
    expect(now.observe(said("A", "B", "A"))).toBeUndefined();
    expect(now.decide()).toEqual(expected());
    const later = createSession(wordy({ embedder: "mine" }), { embed: async (texts) => inner(texts) });
    const observed = later.observe(said("A", "B", "A"));
    expect(observed).toBeInstanceOf(Promise);
    expect(codeOf(() => later.decide())).toBe("session/order");
    await observed;
    expect(later.decide()).toEqual(expected());
  });

  it("is asked for the new texts only, in one call", async () => {
    const asked: (readonly string[])[] = [];
    const session = createSession(wordy({ embedder: "mine" }), {
      embed: (texts) => {
        asked.push(texts);
        return inner(texts);
      },
    });
    session.observe([
      { answer: "A", text: "one two" },
      { answer: "B", embedding: new Float32Array(64) },
      { answer: "A" },
    ]);
    session.observe([null, { answer: "B", text: "three four" }, null]);
    expect(asked).toEqual([["one two"], ["three four"]]);
  });

  it("is waited for: until its vectors are there, a session takes and tells nothing more", async () => {
    const session = createSession(wordy({ embedder: "mine" }), { embed: async (texts) => inner(texts) });
    await session.observe(said("B", "B", "A"));
    session.decide();
    const observed = session.observe(said("A", "B", "A"));
    for (const early of [() => session.decide(), () => session.vote(), () => session.observe(said("C", "C", "C"))]) {
      expect(codeOf(early)).toBe("session/order");
    }
    await observed;
    expect(session.vote().weights).toHaveProperty("A");
  });

  it("passes on its failure and can be told again", async () => {
    let fails = true;
    const session = createSession(wordy({ embedder: "mine" }), {
      embed: async (texts) => {
        if (fails) throw new Error("model went away");
        return inner(texts);
      },
    });
    await expect(session.observe(said("A", "B", "A"))).rejects.toThrow("model went away");
    fails = false;
    await session.observe(said("A", "B", "A"));
    expect(session.decide()).toEqual(expected());
  });

  it("is told when it gives too few vectors, or vectors of another size", async () => {
    const short = createSession(wordy({ embedder: "mine" }), { embed: () => [] });
    expect(() => short.observe(said("A", "B"))).toThrow(/0 vectors for 2 texts/);
    const narrow = createSession(wordy({ embedder: "mine" }), { embed: async (texts) => texts.map(() => [1]) });
    await expect(narrow.observe(said("A", "B"))).rejects.toMatchObject({ code: "session/observation" });
  });
});

describe("a raw observation", () => {
  const scalars = ["load", "age", "skill"];
  const raw = policyOf({ ...network, embedding: 0, projection: 1, scalars });
  const features = [0.1, 0.5, -1, 0.9, 0, 1, -0.4, 0.2, 0.3, 0, 0, 0];

  it("is decided on as the network would, round after round", () => {
    const session = createSession(raw);
    const hiddenNH = new Float32Array(4 * 6);
    for (const round of [2, 3, 4]) {
      const shifted = features.map((value) => value / round);
      session.observe({ features: shifted });
      const observation: Observation = {
        ...{ agents: 4, round, head: "communicate", embeddingsN: [null, null, null, null] },
        scalarsNS: Float32Array.from(shifted),
        eligibleN: new Uint8Array(4).fill(1),
        forcedN: new Uint8Array(4),
      };
      const creditsN = raw.forward.step(observation, hiddenNH);
      const { credits, participants } = session.decide();
      expect(credits).toEqual([...creditsN]);
      const z = threshold(creditsN, observation.eligibleN, observation.forcedN, { minimum: 1, cut: 0.5 });
      expect([...participants].sort()).toEqual([...z].flatMap((one, i) => (one ? [i] : [])));
    }
  });

  it("keeps out who is not eligible and lets in who is forced", () => {
    const session = createSession(raw);
    session.observe({ features, eligible: [0, 1, 1, 0], forced: [1, 1, 1, 0] });
    expect([...session.decide().participants].sort()).toEqual([1, 2]);
    session.observe({ features, eligible: [0, 0, 0, 1] });
    expect(session.decide().participants).toEqual([3]);
    session.observe({ features, eligible: [0, 0, 0, 0] });
    expect(session.decide()).toMatchObject({ participants: [], edges: [], levels: [] });
  });

  it.each([
    ["features for part of an agent", { features: features.slice(1) }],
    ["eligibility for another team", { features, eligible: [1, 1] }],
    ["forced agents of another team", { features, forced: [1, 1, 0, 0, 0] }],
    ["embeddings for another team", { features, embeddings: [null] }],
    ["no features", { features: [] }],
  ])("is refused with %s", (_what, observation) => {
    expect(codeOf(() => createSession(raw).observe(observation))).toMatch(/^(session|forward)\/observation$/);
  });

  it("may be said in words: utterances with those who may or must take part", () => {
    const told = said("A", "B", "A", "C");
    const [plain, flagged] = [createSession(wordy()), createSession(wordy())];
    plain.observe(told);
    flagged.observe({ utterances: told, eligible: [0, 1, 1, 1], forced: [0, 1, 1, 0] });
    expect(flagged.decide().credits).toEqual(plain.decide().credits);
    expect(flagged.decide().participants).toEqual(expect.arrayContaining([1, 2]));
    expect(flagged.decide().participants).not.toContain(0);
    const { weights } = flagged.vote();
    expect(weights["A"]).toBeLessThan(plain.vote().weights["A"]);
    const bare = createSession(wordy());
    bare.observe({ utterances: told });
    expect(bare.decide()).toEqual(plain.decide());
  });

  it("leaves no trace when it is refused: told again the right way, the session is what it would have been", () => {
    const embedding = (value: number) => ({ dimension: 64, values: new Float32Array(64).fill(value) });
    const [smooth, rough] = [createSession(wordy()), createSession(wordy())];
    const rounds = [0.1, 0.2, -0.3].map((value) =>
      said("A", "B").map(({ answer }) => ({ answer, embedding: embedding(value) })),
    );
    expect(
      codeOf(() =>
        rough.observe([{ answer: "A", embedding: embedding(1) }, { answer: "B", embedding: embedding(NaN) }, null]),
      ),
    ).toBe("forward/not-finite");
    for (const round of rounds) {
      smooth.observe(round);
      const broken = [round[0], { answer: "B", embedding: embedding(NaN) }];
      expect(codeOf(() => rough.observe(broken))).toBe("forward/not-finite");
      expect(codeOf(() => rough.observe({ utterances: round, eligible: [1] }))).toBe("session/observation");
      rough.observe(round);
      expect(rough.decide()).toEqual(smooth.decide());
      expect(rough.vote()).toEqual(smooth.vote());
    }
  });

  it.each([undefined, null, {}, "A", 7, { utterances: "A" }, { features: 7 }])("is not %j", (input) => {
    expect(codeOf(() => createSession(wordy()).observe(input as never))).toBe("session/observation");
  });

  it("may consist of embeddings alone, where the policy reads nothing else", () => {
    const session = createSession(policyOf({ ...network, embedding: 2, scalars: [] }, { embedder: "given-2" }));
    const embedding = (...values: number[]) => ({ dimension: 2, values: Float32Array.from(values) });
    session.observe({ features: [], embeddings: [embedding(1, 0), embedding(0, 1), null] });
    expect(session.decide().credits).toHaveLength(3);
    expect(codeOf(() => session.observe({ features: [1, 2], embeddings: [embedding(1, 0)] }))).toBe(
      "session/observation",
    );
  });
});

describe("an exported policy", () => {
  const folder = join(freshFolder(), "policy");
  let files: PolicyFiles;

  beforeAll(async () => {
    const checkpoint = join(freshFolder(), "checkpoint");
    const manifest = manifestOf(network, { embedder: "hashing-words-64" });
    const weights = strongWeights(network);
    writeCheckpoint(checkpoint, { manifest, weights }, renderCard(manifest, { summary: "For a test." }));
    const { tf } = await openBackend("cpu");
    await exportPolicy(tf, checkpoint, folder);
    const read = (name: string): Uint8Array => readFileSync(join(folder, name));
    files = { config: read("config.json"), policy: read("policy.safetensors"), parity: read("parity.json") };
  });

  it("is loaded from its folder and from bytes, and decides the same", async () => {
    const decide = (policy: LoadedPolicy) => {
      const session = createSession(policy);
      session.observe(said("A", "B", "A", "C"));
      return session.decide();
    };
    const fromFolder = await loadPolicy(folder);
    expect(fromFolder.manifest).toMatchObject({ name: "tested", embedder: "hashing-words-64" });
    expect(decide(await loadPolicy(files))).toEqual(decide(fromFolder));
    expect(decide(await loadPolicy({ config: files.config, policy: files.policy }))).toEqual(decide(fromFolder));
    expect(decide(fromFolder)).toEqual(decide(wordy()));
  });

  /** The folder with one file replaced. */
  const spoiled = (name: string, change: (bytes: Buffer) => Uint8Array | string | null): string => {
    const copy = join(freshFolder(), "policy");
    cpSync(folder, copy, { recursive: true });
    const changed = change(readFileSync(join(copy, name)));
    if (changed === null) rmSync(join(copy, name));
    else writeFileSync(join(copy, name), changed);
    return copy;
  };
  const json = (change: (value: Record<string, never>) => void) => (bytes: Buffer) => {
    const value = JSON.parse(bytes.toString()) as Record<string, never>;
    change(value);
    return JSON.stringify(value);
  };
  type Parity = {
    agents: number;
    sequences: { credits: number[]; scalars: number[]; participants: number[]; embeddings: unknown[] }[][];
  };
  const parity = (change: (value: Parity) => void) => json((value) => change(value as unknown as Parity));

  it.each<[string, string, (bytes: Buffer) => Uint8Array | string | null, RegExp]>([
    ["missing", "config.json", () => null, /^policy\/missing/],
    ["missing", "policy.safetensors", () => null, /^policy\/missing/],
    ["of 0 bytes", "config.json", () => "", /^json\/invalid/],
    ["of 0 bytes", "policy.safetensors", () => "", /^safetensors\/header/],
    ["of 0 bytes", "parity.json", () => "", /^json\/invalid/],
    ["cut in half", "config.json", (bytes) => bytes.subarray(0, bytes.length / 2), /^json\/invalid/],
    ["cut in half", "policy.safetensors", (bytes) => bytes.subarray(0, bytes.length / 2), /^safetensors\/tensor/],
    ["cut in half", "parity.json", (bytes) => bytes.subarray(0, bytes.length / 2), /^json\/invalid/],
    [
      "of a newer version",
      "config.json",
      json((value) => Object.assign(value, { schema: "colloquy.policy/9" })),
      /^manifest\/schema/,
    ],
    [
      "of a newer version",
      "parity.json",
      json((value) => Object.assign(value, { schema: "colloquy.parity/9" })),
      /^policy\/parity/,
    ],
    ["no object", "config.json", () => "[]", /^manifest\/field/],
    ["no object", "parity.json", () => "[]", /^policy\/parity/],
    ["without decisions", "parity.json", parity((value) => value.sequences.splice(0)), /^policy\/parity/],
    ["about a crowd", "parity.json", parity((value) => Object.assign(value, { agents: 4e9 })), /^policy\/parity/],
    ["short of a scalar", "parity.json", parity((value) => value.sequences[0][0].scalars.pop()), /^policy\/parity/],
    ["short of a credit", "parity.json", parity((value) => value.sequences[1][0].credits.pop()), /^policy\/parity/],
    [
      "without embeddings",
      "parity.json",
      parity((value) => Object.assign(value.sequences[0][0], { embeddings: 7 })),
      /^policy\/parity/,
    ],
  ])("names a file that is %s: %s", async (_how, name, change, code) => {
    const error: unknown = await loadPolicy(spoiled(name, change)).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ColloquyError);
    expect(`${(error as ColloquyError).code}: ${(error as ColloquyError).message}`).toMatch(code);
    expect((error as ColloquyError).message).toContain(name);
  });

  it("is refused where the weights are those of another policy, naming the decision that differs", async () => {
    const other = strongWeights(network, 2);
    const error = (await loadPolicy(spoiled("policy.safetensors", () => writeSafetensors(other))).catch(
      (e: unknown) => e,
    )) as ColloquyError;
    expect(error.code).toBe("policy/parity");
    expect(error.message).toMatch(
      /parity\.json, sequence 0, decision 0: agent 0 gets credit -?[\d.e-]+ and decision [01], recorded were/,
    );
    const flipped = spoiled(
      "parity.json",
      parity((value) => value.sequences[2][1].participants.fill(0)),
    );
    await expect(loadPolicy(flipped)).rejects.toThrow(/sequence 2, decision 1/);
    await expect(loadPolicy({ ...files, policy: writeSafetensors(other) })).rejects.toThrow(/policy\/parity\.json/);
  });

  it("is refused where a single weight is damaged", async () => {
    const damaged = spoiled("policy.safetensors", (bytes) => {
      bytes.writeFloatLE(bytes.readFloatLE(bytes.length - 40) + 1, bytes.length - 40);
      return bytes;
    });
    await expect(loadPolicy(damaged)).rejects.toMatchObject({ code: "policy/parity" });
  });

  it("does what the README shows in ten lines", async () => {
    const team = [
      async (heard: string[]) => ({ answer: "B", text: `The kettle, as it says so. ${heard.join(" ")}` }),
      async () => ({ answer: "A", text: "The lantern: nothing else was in the attic." }),
      async (heard: string[]) => ({ answer: heard.length > 0 ? "A" : "C", text: "I would have said the ladder." }),
    ];
    const session = createSession(await loadPolicy(folder));
    const latest = await Promise.all(team.map((ask) => ask([])));
    session.observe(latest);
    for (let round = 2; round <= 3; round++) {
      const { levels, edges } = session.decide();
      const said: (SpokenUtterance | null)[] = team.map(() => null);
      for (const level of levels) {
        const heard = (j: number) => edges.filter(([, to]) => to === j).map(([from]) => latest[from].text);
        await Promise.all(
          level.map(async (j) => {
            said[j] = latest[j] = await team[j](heard(j));
          }),
        );
      }
      session.observe(said);
    }
    const { answer, weights } = session.vote();
    expect(["A", "B", "C"]).toContain(answer);
    expect(weights[answer!]).toBeGreaterThan(0);
  });
});

describe("the runtime as a bundle", () => {
  const bundle = async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(root, "src", "runtime", "index.ts")],
      ...{ bundle: true, minify: true, write: false, metafile: true, format: "esm", platform: "neutral" },
      packages: "external",
      external: ["node:*"],
    });
    return { code: outputFiles[0].contents, imports: Object.values(metafile.outputs)[0].imports };
  };

  it("takes at most 15 kB gzipped", async () => {
    const { code } = await bundle();
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(15 * 1024);
  });

  it("imports nothing but, when a folder is read, the file system", async () => {
    const { imports } = await bundle();
    expect(imports).toEqual([{ path: "node:fs", kind: "dynamic-import", external: true }]);
  });

  it("runs by itself: from bytes it needs neither Node nor anything else", async () => {
    const { code } = await bundle();
    const path = join(freshFolder(), "runtime.mjs");
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, code);
    const runtime = (await import(path)) as typeof import("../src/runtime/index.ts");
    const config = Buffer.from(JSON.stringify(manifestOf(network, { embedder: "hashing-words-64" })));
    const policy = await runtime.loadPolicy({ config, policy: writeSafetensors(strongWeights(network)) });
    const session = runtime.createSession(policy);
    session.observe(said("A", "B", "A"));
    const reference = createSession(wordy());
    reference.observe(said("A", "B", "A"));
    expect(session.decide()).toEqual(reference.decide());
    expect(session.vote()).toEqual(reference.vote());
  });
});
