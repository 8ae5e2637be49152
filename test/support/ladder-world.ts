import { createRng } from "../../src/base/rng.ts";
import type { Environment, Item, TimeStep } from "../../src/contracts/environment.ts";
import type { EpisodeTrace } from "../../src/contracts/trace.ts";
import { recordDecision } from "../../src/environments/decision/record-decision.ts";
import { topologies } from "../../src/topology/index.ts";
import type { WorldReading } from "../../src/train/index.ts";

export const ladderReading: WorldReading<EpisodeTrace> = { utilityKey: "eval/utility", outcomeKeys: {}, costUnits: {} };

const agents = 4;
const name = "ladder-v1";

/**
 * A world in which nothing counts but the order: each agent shows how tall it is, and the utility is the share of pairs in
 * which the taller one speaks to the shorter. Everybody always takes part.
 */
export const ladderWorld: Environment<Item, EpisodeTrace> = {
  spec: { name, agents, maxDecisions: 1, scalars: ["tall", "mood"], embedding: 0 },
  async reset({ question, seed, sample, branch, attack }) {
    const rng = createRng(seed).fork(question.id, sample);
    const tallN = Array.from({ length: agents }, () => rng.normal());
    const scalarsNS = Float32Array.from(tallN.flatMap((tall) => [tall, rng.normal()]));
    let record: EpisodeTrace | undefined;
    const first: TimeStep = {
      kind: "first",
      observation: {
        agents,
        round: 1,
        head: "communicate",
        scalarsNS,
        embeddingsN: tallN.map(() => null),
        eligibleN: new Uint8Array(agents).fill(1),
        forcedN: new Uint8Array(agents).fill(1),
      },
      reward: 0,
      truncated: false,
    };
    return {
      first,
      async step(action) {
        const { creditsN, participantsN: participants, trustN = creditsN } = action;
        const budget = { in: Infinity, out: Infinity, depth: Infinity };
        const graph = topologies.credit.draw({ credits: trustN, participants, budget, round: 1, rng });
        const right = graph.sources.reduce((sum, i, e) => sum + (tallN[i] > tallN[graph.targets[e]] ? 1 : 0), 0);
        const utility = right / graph.sources.length;
        record = {
          environment: name,
          question: question.id,
          seed,
          sample,
          branch,
          attack,
          onsets: [0, 0, 0, 0],
          decisions: [recordDecision(1, action, graph)],
          utility,
          outcome: "climbed",
          calls: 0,
          tokens: 0,
        };
        return { kind: "last", observation: null, reward: utility, truncated: false };
      },
      truth: { adversarialN: new Uint8Array(agents), isActive: () => false },
      record: () => record!,
    };
  },
};
