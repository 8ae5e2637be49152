import { sum } from "../../src/base/stats.ts";
import type { Environment } from "../../src/contracts/environment.ts";
import type { Action, Observation, Policy } from "../../src/contracts/policy.ts";
import { createDeliberation, type DeliberationSettings, runEpisode, strategies } from "../../src/environments/index.ts";
import { sampled } from "../../src/runtime/decide.ts";
import { networkPolicy } from "../../src/runtime/network-policy.ts";
import { topologies } from "../../src/topology/index.ts";
import { type Benchmark, interleave, median, type Row } from "./measure.ts";
import { createStopwatch, type Part, parts, timeForward, timeSettings, timeVote } from "./stopwatch.ts";
import { recordedWorld, type SpeedWorld, simulatedWorld } from "./worlds.ts";

/** Turns are shorter than the time slices of an operating system, so that most of them run undisturbed. */
const episodesPerTurn = 10;
const runs = 200;

/** How many episodes a second the loop plays, and where their time goes. */
export const episodes: Benchmark = {
  summary:
    "Episodes of 6 agents and 3 rounds, one after the other, with 0 to 4 adversaries; shares are of an episode with the policy in the loop. Simulated agents draw their embeddings themselves.",
  async run({ bank }) {
    return [
      ...(await measureWorld("simulated", simulatedWorld())),
      ...(await measureWorld("recorded", recordedWorld(bank))),
    ];
  },
};

async function measureWorld(name: string, world: SpeedWorld): Promise<Row[]> {
  const { settings } = world;
  const starts = world.starts(500);
  const play = (environment: Environment, policy: Policy) => {
    let next = 0;
    return async (): Promise<void> => {
      for (let k = 0; k < episodesPerTurn; k++) await runEpisode(environment, policy, starts[next++ % starts.length]);
    };
  };
  const stopwatch = createStopwatch();
  const playTimed = play(
    timeVote(createDeliberation(timeSettings(settings, stopwatch)), stopwatch),
    networkPolicy("timed", timeForward(world.forward, stopwatch), "sampled"),
  );
  const turns: Record<Part, number>[] = [];
  const turnMs = await interleave(
    {
      learned: play(createDeliberation(settings), networkPolicy("learned", world.forward, "sampled")),
      complete: play(createDeliberation(completeDebate(settings)), strategies.complete.policy as Policy),
      seeing: play(createDeliberation(settings), blind),
      unseeing: play(createDeliberation({ ...settings, features: [] }), blind),
      timed: async () => {
        stopwatch.reset();
        await playTimed();
        turns.push({ ...stopwatch.spentMs });
      },
    },
    { runs, runMs: 0 },
  );

  const episodeMs = (turnMs: number): number => turnMs / episodesPerTurn;
  const partMs = (part: Part): number => episodeMs(median(turns.map((turn) => turn[part])));
  const totalMs = episodeMs(turnMs.timed);
  const forwardMs = partMs("forward pass");
  const ownMs = totalMs - forwardMs;
  const told: [string, number][] = [
    ...parts.map((part): [string, number] => [part, partMs(part)]),
    ["features", episodeMs(turnMs.seeing - turnMs.unseeing)],
  ];
  const shares = [...told, ["bookkeeping", totalMs - sum(told.map(([, ms]) => ms))] as const];
  const row = (what: string, value: number, unit: Row["unit"], note?: string): Row => ({
    name: `${name}: ${what}`,
    value,
    unit,
    note,
  });
  return [
    ...shares.filter(([, ms]) => ms !== 0).map(([part, ms]) => row(part, (100 * ms) / totalMs, "%")),
    row("own code over the forward pass", ownMs / forwardMs, "×"),
    row("own code of an episode", ownMs, "ms", "all but the forward pass"),
    row("forward pass of an episode", forwardMs, "ms"),
    row("episodes with the policy in the loop", 1000 / episodeMs(turnMs.learned), "per s"),
    row("episodes of complete debate", 1000 / episodeMs(turnMs.complete), "per s"),
  ];
}

const completeDebate = (settings: DeliberationSettings): DeliberationSettings => ({
  ...settings,
  ...strategies.complete.settings,
  topology: topologies.complete.draw,
  budget: () => ({ in: Infinity, out: Infinity, depth: Infinity }),
  features: [],
  embedder: null,
  embedding: 0,
});

/**
 * Draws without looking: the same actions whatever it is shown. What episodes cost more with features than without is what
 * features cost.
 */
const blind: Policy = {
  name: "blind",
  begin: ({ agents, rng }) => ({
    act({ eligibleN, forcedN }: Observation): Action {
      const creditsN = Float32Array.from({ length: agents }, () => rng.uniform() - 0.5);
      return { creditsN, ...sampled(creditsN, eligibleN, forcedN, { minimum: 1 }, rng) };
    },
  }),
};
