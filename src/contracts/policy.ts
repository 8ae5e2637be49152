import type { Rng } from "../base/rng.ts";
import type { Embedding } from "./agent.ts";
import type { Proposal } from "./topology.ts";

/** Which of the two heads speaks: `communicate` in rounds 2..T, `decide` for the vote (T+1). */
export type Head = "communicate" | "decide";

/**
 * What the policy sees at one decision. Shapes: N agents, S named scalar features (the names are fixed by the
 * environment and kept in the checkpoint), D embedding dimensions.
 */
export interface Observation {
  readonly agents: number;
  /** 1-based round the decision is for: 2..T, and T+1 for the vote. */
  readonly round: number;
  readonly head: Head;
  /** N×S, row-major. */
  readonly scalarsNS: Float32Array;
  /** N behaviour embeddings; `null` where an agent has said nothing. */
  readonly embeddingsN: readonly (Embedding | null)[];
  /** 1 where the agent may take part at all. */
  readonly eligibleN: Uint8Array;
  /** 1 where it must take part: no decision, no log-probability. */
  readonly forcedN: Uint8Array;
  /** What the team says, in words. Rival policies read it; the credit network sees features and embeddings alone. */
  readonly said?: Said;
}

/** The words behind an observation. Nothing in it tells who is adversarial or what is right. */
export interface Said {
  /** The question's text with its options. Untrusted. */
  readonly query: string;
  /** The role of each agent. */
  readonly rolesN: readonly string[];
  /** Latest answer of each agent; `null` where unreadable or absent. */
  readonly answersN: readonly (string | null)[];
  /** The answer each agent held one round earlier. */
  readonly previousAnswersN: readonly (string | null)[];
}

/** What a policy answers: a credit and a participation decision for every agent. */
export interface Action {
  /** c, N entries, real-valued. */
  readonly creditsN: Float32Array;
  /** z, N entries of 0 or 1; 0 for agents that are not eligible. */
  readonly participantsN: Uint8Array;
  /** 1 where an agent's own draw counts in `logProbability`; absent where nothing was sampled. */
  readonly countedN?: Uint8Array;
  /** log π of exactly this participation; absent where nothing was sampled. */
  readonly logProbability?: number;
  /** What the graph ranks agents by, N entries, where that is not the credits (see `NetworkConfig.rank`). */
  readonly trustN?: Float32Array;
  /** The order of `trustN` was drawn, and counts in `logProbability`. */
  readonly drawnOrder?: true;
  /** Edges the policy asks for itself, for the topology rule `proposed`. */
  readonly proposal?: Proposal;
}

/** A policy within one episode; it may remember what it saw. */
export interface PolicySession {
  act(observation: Observation): Action;
}

/** What nobody may know but measures and the `oracle` method. */
export interface Truth {
  /** 1 where the agent is adversarial in some round of this episode. */
  readonly adversarialN: Uint8Array;
  isActive(agent: number, round: number): boolean;
}

/** Gives credits and participation. Draws nothing: a topology rule turns them into a graph. */
export interface Policy {
  readonly name: string;
  /** Only the oracle sets this; everyone else is given no truth. */
  readonly privileged?: boolean;
  begin(episode: { readonly agents: number; readonly rng: Rng; readonly truth?: Truth }): PolicySession;
}

/** The architecture of a credit network: everything that fixes the shapes of its weights and the meaning of its inputs. */
export interface NetworkConfig {
  /** Name in the table of networks: with memory, or (`credit-mlp`, an ablation) without. */
  readonly kind: "credit-gru" | "credit-mlp";
  /** D: size of the behaviour embedding; 0 for none. */
  readonly embedding: number;
  /** P: size of its learned linear projection. */
  readonly projection: number;
  /** S names, in order. A checkpoint whose names differ from the environment's does not fit. */
  readonly scalars: readonly string[];
  /** H: hidden units of the GRU. */
  readonly hidden: number;
  /**
   * `team`: an agent's input also holds the mean of all agents' inputs, so that the policy sees what kind of question and
   * team it is looking at (ours; pooling keeps it independent of N and of the order of agents). Absent: none, as in TodyComm.
   */
  readonly context?: "team";
  /** `two`: one head a decision kind (ours); `shared`: one head for both (as TodyComm states). */
  readonly heads: "two" | "shared";
  /**
   * `decide`: graphs rank agents by the credit of the decision head, so that the credit for speaking says who speaks and the
   * credit for voting who is heard [ours]. Absent: by the credit for speaking, the one credit that TodyComm has.
   */
  readonly rank?: "decide";
  /** Logits are clamped to ± this. */
  readonly clamp: number;
}

/** Weights by name. Shapes follow from the config. */
export type Weights = Readonly<Record<string, { readonly shape: readonly number[]; readonly data: Float32Array }>>;

/**
 * Shapes of a credit network's weights by name, in the one fixed order. P = 0 without embeddings; F = P + S is the size of
 * f = [W_e e ; s], doubled by a team context. The GRU's gates stand in PyTorch's order: r, z, n. Without memory one layer of
 * H units takes the GRU's place.
 */
export function weightShapes(config: NetworkConfig): Readonly<Record<string, readonly number[]>> {
  const { embedding: D, hidden: H } = config;
  const P = D > 0 ? config.projection : 0;
  const F = (P + config.scalars.length) * (config.context === "team" ? 2 : 1);
  return {
    ...(D > 0 && { "embed.weight": [P, D] }),
    ...(config.kind === "credit-mlp"
      ? { "layer.weight": [H, F], "layer.bias": [H] }
      : {
          "gru.weight_ih": [3 * H, F],
          "gru.weight_hh": [3 * H, H],
          "gru.bias_ih": [3 * H],
          "gru.bias_hh": [3 * H],
        }),
    "communicate.weight": [1, H],
    "communicate.bias": [1],
    ...(config.heads === "two" && { "decide.weight": [1, H], "decide.bias": [1] }),
  };
}
