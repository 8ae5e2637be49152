import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planAttack } from "../../src/attacks/index.ts";
import { systemClock } from "../../src/base/clock.ts";
import { runInLanes } from "../../src/base/lanes.ts";
import { createRng } from "../../src/base/rng.ts";
import { sum } from "../../src/base/stats.ts";
import { defaultFeatures, hashingEmbedder } from "../../src/behaviour/index.ts";
import type { Policy } from "../../src/contracts/policy.ts";
import { createDeliberation, runEpisode } from "../../src/environments/index.ts";
import { openAccount, openStack } from "../../src/llm/index.ts";
import { bankQuestions, languagePopulation } from "../../src/populations/index.ts";
import { topologies } from "../../src/topology/index.ts";
import { tinyBank } from "./tiny-bank.ts";

/** What a client process is to do. */
export interface Order {
  readonly url: string;
  readonly graph: keyof typeof graphs;
  readonly episodes: number;
  readonly lanes: number;
  /** Batches of episodes, one after the other; the first one meets a process that has compiled nothing yet. */
  readonly batches: number;
}

/** One batch as it went. */
export interface Batch {
  readonly wallMs: number;
  /** Processor time of the client, of all its threads. */
  readonly cpuMs: number;
  readonly calls: number;
  /** The most levels of an episode, over its rounds: so many calls it must make one after the other. */
  readonly levels: number;
}

const graphs = {
  complete: { draw: topologies.complete.draw, budget: { in: Infinity, out: Infinity, depth: Infinity } },
  "depth 2": { draw: topologies.credit.draw, budget: { in: 2, out: Infinity, depth: 2 } },
} as const;

/** Everyone speaks, with credits by chance. */
const everyone: Policy = {
  name: "everyone",
  begin: ({ agents, rng }) => ({
    act: () => ({
      creditsN: Float32Array.from({ length: agents }, () => rng.normal()),
      participantsN: new Uint8Array(agents).fill(1),
    }),
  }),
};

async function playBatch({ url, graph, episodes, lanes }: Order, number: number): Promise<Batch> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-live-"));
  const questions = bankQuestions(tinyBank({ questions: episodes, debates: 1 }));
  const account = openAccount({
    cacheFolder: join(folder, "cache"),
    ledgerPath: join(folder, "paid.jsonl"),
    models: ["m"],
    onNotice: (notice) => process.stderr.write(`${notice}\n`),
  });
  const attempts = { retries: 5, longestWaitMs: 300_000, lanes, rng: createRng("waits") };
  const model = openStack({ kind: "openai", baseURL: url, apiKey: "sk-none", attempts }, account);
  const { draw, budget } = graphs[graph];
  const embedder = hashingEmbedder();
  const environment = createDeliberation({
    agents: 6,
    rounds: 3,
    attackRounds: 3,
    population: languagePopulation({ task: "mmlu", models: [{ model, name: "m", temperature: 0.7, maxTokens: 512 }] }),
    attack: planAttack,
    topology: draw,
    budget: () => budget,
    vote: "credit",
    voters: "all",
    ballots: "last",
    memory: true,
    features: defaultFeatures,
    embedder,
    embedding: embedder.dimension,
  });
  const { signal } = new AbortController();
  const [startMs, startCpu] = [systemClock.elapsedMs(), process.cpuUsage()];
  const records = await runInLanes(episodes, episodes, (k) =>
    runEpisode(environment, everyone, {
      question: questions[k],
      seed: number,
      signal,
      sample: k,
      attack: { kind: "collude", adversaries: 2, onset: "uniform" },
    }),
  );
  const { user, system } = process.cpuUsage(startCpu);
  const wallMs = systemClock.elapsedMs() - startMs;
  const { calls } = account.ledger.totals();
  account.close();
  rmSync(folder, { recursive: true });
  // The first round is one level; the last decision is the vote, and has none.
  const levels = records.map(({ decisions }) => 1 + sum(decisions.map((decision) => decision.levels)));
  return { wallMs, cpuMs: (user + system) / 1000, calls, levels: Math.max(...levels) };
}

const order = JSON.parse(process.argv[2]) as Order;
const batches: Batch[] = [];
for (let number = 0; number < order.batches; number++) batches.push(await playBatch(order, number));
process.stdout.write(JSON.stringify({ batches, peakMb: process.resourceUsage().maxRSS / 1024 }));
