import type { Action, Observation, Policy, PolicySession } from "../../contracts/policy.ts";
import type { DeliberationSettings } from "./settings.ts";

/**
 * A method that `evaluate` compares: a policy and the settings that differ from the run's own. `network` stands for the
 * trained policy, `initial` for the same network before training, `rival` for the rival learner of the method's name.
 */
export interface Strategy {
  readonly summary: string;
  readonly policy: "network" | "initial" | "rival" | Policy;
  /** Name in the table of topology rules; absent: the run's own. */
  readonly topology?: string;
  /**
   * The run's `own` (learners keep to it), `none` (baselines speak without limits), or `layers`: no limits, and everyone who
   * takes part hears what all the others said a round before.
   */
  readonly budget?: "own" | "none" | "layers";
  readonly rounds?: number;
  /** Set where a rival reads behaviour embeddings; the others read answers, roles and the question alone. */
  readonly embeddings?: true;
  readonly settings?: Partial<Pick<DeliberationSettings, "vote" | "voters" | "ballots" | "memory" | "panel">>;
}

/** A policy without memory that picks participants from what it sees. Credits are 0, so rules fall back on index order. */
function choosing(name: string, takesPart: (observation: Observation, agent: number) => boolean): Policy {
  const act = (observation: Observation): Action => ({
    creditsN: new Float32Array(observation.agents),
    participantsN: atLeastOne(observation, (i) => takesPart(observation, i)),
  });
  return { name, begin: (): PolicySession => ({ act }) };
}

/** z from a predicate; where it picks nobody, everybody eligible takes part. */
function atLeastOne({ agents, eligibleN }: Observation, picked: (agent: number) => boolean): Uint8Array {
  const chosen = Uint8Array.from({ length: agents }, (_, i) => (eligibleN[i] === 1 && picked(i) ? 1 : 0));
  return chosen.includes(1) ? chosen : eligibleN.slice();
}

export const everyone = choosing("everyone", () => true);

/** Lets the first agent alone speak: as few calls as a policy can make. */
export const loner = choosing("loner", ({ eligibleN }, i) => i === eligibleN.indexOf(1));

/**
 * Knows who is adversarial, round by round: an upper reference, not a competitor. Whoever it lets speak in a round speaks
 * honestly in it; the vote counts those of the last round.
 */
const honest: Policy = {
  name: "honest",
  privileged: true,
  begin: ({ truth }) => ({
    act: (observation) => {
      const spoken = observation.head === "decide" ? observation.round - 1 : observation.round;
      return {
        creditsN: new Float32Array(observation.agents),
        participantsN: atLeastOne(observation, (i) => truth?.isActive(i, spoken) !== true),
      };
    },
  }),
};

/** Drops whoever ever changed its answer, by the feature `changedAnswer`. */
const steadfast: Policy = {
  name: "steadfast",
  begin: ({ agents }) => {
    const flippedN = new Uint8Array(agents);
    return {
      act: (observation) => {
        const width = observation.scalarsNS.length / agents;
        for (let i = 0; i < agents; i++) if (observation.scalarsNS[i * width] === 1) flippedN[i] = 1;
        return { creditsN: new Float32Array(agents), participantsN: atLeastOne(observation, (i) => flippedN[i] === 0) };
      },
    };
  },
};

const plain = { vote: "majority", voters: "participants" } as const;
const fixed = (topology: string, summary: string): Strategy => ({
  summary,
  policy: everyone,
  topology,
  budget: "none",
  settings: plain,
});

/** A rival learner that asks for its own edges, under the run's budgets. */
const rival = (summary: string): Strategy => ({ summary, policy: "rival", topology: "proposed", settings: plain });

/** The methods of `deliberation-v1`, by name. All but `learned` and its variants vote by plain majority. */
export const strategies = {
  learned: { summary: "the trained policy", policy: "network" },
  untrained: { summary: "the same network before training", policy: "initial" },
  single: {
    summary: "one agent alone: the best of the team on the validation questions",
    policy: everyone,
    topology: "none",
    rounds: 1,
    settings: { ...plain, panel: [0] },
  },
  "vote-first": {
    summary: "majority over round-1 answers",
    policy: everyone,
    topology: "none",
    rounds: 1,
    settings: plain,
  },
  "self-consistency": {
    summary: "every agent asked afresh each round, majority over all answers: as many calls as a full debate",
    policy: everyone,
    topology: "none",
    budget: "none",
    settings: { ...plain, ballots: "all", memory: false },
  },
  chain: fixed("chain", "each agent hears the one before it"),
  star: fixed("star", "everyone hears the first agent"),
  tree: fixed("tree", "a binary tree from the first agent"),
  layered: fixed("layered", "layers, each hears the whole layer before it"),
  random: { ...fixed("random", "each agent hears random earlier ones, within the in-degree budget"), budget: "own" },
  complete: fixed("complete", "debate: each agent hears every earlier one"),
  "answer-flip": {
    ...fixed("complete", "a complete debate that drops whoever changed its answer"),
    policy: steadfast,
  },
  "learned-vote": {
    summary: "the trained policy's vote over round-1 answers: credits without communication",
    policy: "network",
    topology: "none",
    rounds: 1,
  },
  "learned/random-order": {
    summary: "the trained policy with as many edges in random order",
    policy: "network",
    topology: "random-order",
  },
  "static-edges": rival("one learned logit an ordered pair of agents, by REINFORCE (as GPTSwarm and AgentPrune)"),
  "static-edges/pruned": rival("the same, the weaker half of the learned edges cut after training (as AgentPrune)"),
  "node-dropout": rival("learned edges for each round; each round drops its least connected agent (as AgentDropout)"),
  "query-graph": rival("edges from embeddings of roles and the question, by REINFORCE (as G-Designer)"),
  dylan: {
    ...rival("layers in which agents rate those they heard; the lowest drops out each round (as DyLAN)"),
    topology: "none",
    budget: "layers",
  },
  credibility: {
    ...rival("a trust score an agent, moved by reward and by agreement, weighs the vote; no graph"),
    topology: "none",
    budget: "none",
    settings: { vote: "credit", voters: "participants" },
  },
  detector: {
    ...rival("a complete debate without agents whose utterances lie apart from the others' (unsupervised)"),
    topology: "complete",
    budget: "none",
    embeddings: true,
  },
  oracle: { ...fixed("complete", "true labels: honest agents only, complete debate, majority"), policy: honest },
} as const satisfies Record<string, Strategy>;

export type StrategyName = keyof typeof strategies;

/** Features a strategy's own policy reads; those of the network come from its checkpoint. */
export const strategyFeatures = (strategy: Strategy): readonly string[] =>
  strategy.policy === steadfast ? ["changedAnswer"] : [];
