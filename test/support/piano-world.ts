import { createRng } from "../../src/base/rng.ts";
import type { Environment, EpisodeStart, Item, TimeStep } from "../../src/contracts/environment.ts";
import type { Action } from "../../src/contracts/policy.ts";
import type { DecisionRecord, EpisodeTrace } from "../../src/contracts/trace.ts";
import { checkAction } from "../../src/environments/decision/check-action.ts";
import { recordDecision } from "../../src/environments/decision/record-decision.ts";
import { topologies } from "../../src/topology/index.ts";
import type { WorldReading } from "../../src/train/index.ts";

/** A piano to be carried up some floors. Nobody asks anything, and nobody answers. */
export interface Piano extends Item {
  readonly floors: number;
}

export interface PianoRecord extends EpisodeTrace {
  readonly outcome: "carried" | "dropped" | "failed";
  /** Floors climbed, over all who took part. */
  readonly climbed: number;
}

export const pianoReading: WorldReading<PianoRecord> = {
  utilityKey: "eval/utility",
  outcomeKeys: { "eval/dropped": "dropped" },
  costUnits: { climbed: ({ climbed }) => climbed },
};

const name = "piano-v1";
const agents = 4;
const stairs = topologies.credit;
const noLimits = { in: Infinity, out: Infinity, depth: Infinity };

/** On each floor some agents would help and the others stand in the way; on some floors nobody helps. */
function helps({ question, seed, sample }: EpisodeStart<Piano>, floor: number, agent: number): boolean {
  const rng = createRng(seed).fork(question.id, sample, floor);
  return rng.uniform() > 0.25 && rng.fork(agent).uniform() < 0.5;
}

/**
 * A world of another kind: a policy sees who would help on the next floor, and the utility is the share of agents that it has
 * sent or kept rightly. The optimum, 1, sends all who help and nobody else, on some floors nobody at all.
 */
export const pianoWorld: Environment<Piano, PianoRecord> = {
  spec: { name, agents, maxDecisions: 3, scalars: ["helps", "mood"], embedding: 0 },
  async reset(start) {
    const { question, seed, sample, branch, attack } = start;
    const decisions: DecisionRecord[] = [];
    const team = Array.from({ length: agents }, (_, agent) => agent);
    let right = 0;
    let climbed = 0;
    const observe = (kind: "first" | "mid"): TimeStep => ({
      kind,
      observation: {
        agents,
        round: decisions.length + 1,
        head: "communicate",
        scalarsNS: Float32Array.from(
          team.flatMap((i) => [
            helps(start, decisions.length, i) ? 1 : -1,
            createRng(seed).fork(question.id, "mood", decisions.length, i).uniform(),
          ]),
        ),
        embeddingsN: team.map(() => null),
        eligibleN: new Uint8Array(agents).fill(1),
        forcedN: new Uint8Array(agents),
      },
      reward: 0,
      truncated: false,
    });
    const utility = (): number => right / (agents * question.floors);
    return {
      first: observe("first"),
      async step(action: Action) {
        if (decisions.length === question.floors) throw new Error("the piano is there");
        checkAction(action, new Uint8Array(agents).fill(1), `floor ${decisions.length}`);
        const { creditsN: credits, participantsN: participants } = action;
        for (const i of team) if ((participants[i] === 1) === helps(start, decisions.length, i)) right++;
        for (const z of participants) climbed += z;
        const round = decisions.length + 1;
        const rng = createRng(seed);
        decisions.push(
          recordDecision(round, action, stairs.draw({ credits, participants, budget: noLimits, round, rng })),
        );
        if (decisions.length < question.floors) return observe("mid");
        return { kind: "last", observation: null, reward: utility(), truncated: false };
      },
      truth: { adversarialN: new Uint8Array(agents), isActive: () => false },
      record: () => ({
        environment: name,
        question: question.id,
        seed,
        sample,
        ...(branch === undefined ? {} : { branch }),
        attack,
        onsets: team.map(() => 0),
        decisions,
        utility: utility(),
        outcome: utility() > 0.75 ? "carried" : "dropped",
        climbed,
        calls: 0,
        tokens: null,
      }),
    };
  },
};

export const pianos = (count: number, prefix = "piano"): Piano[] =>
  Array.from({ length: count }, (_, k) => ({ id: `${prefix}-${k}`, floors: 1 + (k % 3) }));

/** What an agent that knows the optimum would do before each decision of an episode. */
export const bestSending = (start: EpisodeStart<Piano>): number[][] =>
  Array.from({ length: start.question.floors }, (_, floor) =>
    Array.from({ length: agents }, (_, agent) => (helps(start, floor, agent) ? 1 : 0)),
  );

export const pianoStarts = (items: readonly Piano[], seed: number): EpisodeStart<Piano>[] =>
  items.map((question) => ({
    question,
    seed,
    sample: 0,
    attack: { kind: "none", adversaries: 0, onset: "first" },
  }));
