import { ColloquyError } from "../base/errors.ts";
import { silence } from "../behaviour/neighbours.ts";
import { defaultBudget } from "../checkpoint/manifest.ts";
import type { Embedding } from "../contracts/agent.ts";
import type { Observation } from "../contracts/policy.ts";
import type { Budget, CommunicationGraph } from "../contracts/topology.ts";
import { drawDecisionGraph } from "../topology/decision-graph.ts";
import { neighbours } from "../topology/order.ts";
import { vote } from "../topology/vote.ts";
import { chooseRule } from "./choose-rule.ts";
import { threshold } from "./decide.ts";
import { chooseEmbedder, type EmbedTexts } from "./embed-utterances.ts";
import type { LoadedPolicy } from "./load-policy.ts";
import { createTeam, hear, observeTeam, type SpokenUtterance, type Team } from "./team-memory.ts";

/** Features computed elsewhere, for worlds that do not speak in words. */
export interface RawObservation {
  /** N×S in the order of the policy's feature names. */
  readonly features: ArrayLike<number>;
  readonly embeddings?: readonly (Embedding | null)[];
  readonly eligible?: ArrayLike<number>;
  readonly forced?: ArrayLike<number>;
}

export interface SessionOptions {
  /** N. Default: the length of the first list of utterances. */
  readonly agents?: number;
  /** Default: the budget the policy was exported with. */
  readonly budget?: Partial<Budget>;
  /** Embeds texts, for policies whose embedder is not hashing. */
  readonly embed?: EmbedTexts;
}

/** Who takes part in the next round, and who hears whom. */
export interface Decision {
  /** c, one an agent. */
  readonly credits: number[];
  /** Indices of those who speak, in an order in which everyone comes after those it hears. */
  readonly participants: number[];
  /** `[i, j]`: i's output of this round goes into j's prompt. */
  readonly edges: [number, number][];
  /** The participants by level: all of a level can be asked at once, after the level before. */
  readonly levels: number[][];
}

export interface Session {
  /**
   * Tells what was said in a round. Waits only where an embedder is asked.
   * @throws ColloquyError `session/observation`, `session/embedder`
   */
  observe(round: readonly (SpokenUtterance | null)[] | RawObservation): void | Promise<void>;
  /** Decides about the next round. The same until the next `observe`. @throws ColloquyError `session/order` */
  decide(): Decision;
  /** The vote over what was said last, weighted by credit unless the policy's is a plain majority. @throws ColloquyError `session/order` */
  vote(): { readonly answer: string | null; readonly weights: Readonly<Record<string, number>> };
}

interface Credits {
  readonly communicateN: Float32Array;
  readonly decideN: Float32Array;
  readonly observation: Observation;
}

/**
 * Follows one team through one question: observe a round, decide about the next, and so on; at the end vote. Agents stay in
 * the order of the first observation.
 * @throws ColloquyError `session/topology` where the policy's graphs cannot be drawn without chance
 */
export function createSession(policy: LoadedPolicy, options: SessionOptions = {}): Session {
  const { manifest, forward } = policy;
  const { network, decision: defaults } = manifest;
  const budget: Budget = { ...defaultBudget(manifest), ...options.budget };
  const draw = chooseRule(defaults.topology);
  const embed = chooseEmbedder(manifest, options.embed);
  let team: Team | undefined;
  let round = 1;
  let credits: Credits | undefined;
  let decision: Decision | undefined;

  const think = (observation: Observation): void => {
    credits = { ...forward.bothHeads(observation, team!.hiddenNH), observation };
    decision = undefined;
  };
  const take = (utterances: readonly (SpokenUtterance | null)[], vectors: readonly (Embedding | null)[]): void => {
    hear(team!, utterances, vectors);
    round++;
    const observation = observeTeam(team!, utterances, round, network.scalars);
    // What was heard is told once: without another decision nobody is known to hear anybody in the next round.
    team!.hearing = silence(team!.agents);
    think(observation);
  };
  return {
    observe(input) {
      const size = isRaw(input) ? sizeOf(input, network.scalars.length) : input.length;
      team ??= createTeam(options.agents ?? size, network.hidden);
      checkSize(size, team.agents);
      if (isRaw(input)) {
        round++;
        return think(rawObservation(input, team.agents, round));
      }
      const vectors = embed(input);
      return vectors instanceof Promise ? vectors.then((ready) => take(input, ready)) : take(input, vectors);
    },
    decide() {
      if (decision !== undefined) return decision;
      const { communicateN, observation } = required(credits);
      const participants = threshold(communicateN, observation.eligibleN, observation.forcedN, defaults);
      const graph = draw({ credits: communicateN, participants, budget, round });
      team!.hearing = neighbours(graph);
      decision = describe(graph, communicateN);
      return decision;
    },
    vote() {
      const { decideN, observation } = required(credits);
      const participants =
        defaults.voters === "all"
          ? observation.eligibleN
          : threshold(decideN, observation.eligibleN, observation.forcedN, defaults);
      const graph = drawDecisionGraph({ credits: decideN, participants });
      const weightsN = defaults.vote === "majority" ? graph.weightsN.map(Math.sign) : graph.weightsN;
      const { answer, weights } = vote({ answersN: team!.answersN, weightsN, creditsN: decideN });
      return { answer, weights: Object.fromEntries(weights) };
    },
  };
}

function rawObservation(
  { features, embeddings, eligible, forced }: RawObservation,
  agents: number,
  round: number,
): Observation {
  const flags = (given: ArrayLike<number> | undefined, missing: number): Uint8Array => {
    if (given === undefined) return new Uint8Array(agents).fill(missing);
    checkSize(given.length, agents);
    return Uint8Array.from(given);
  };
  return {
    agents,
    round,
    head: "communicate",
    scalarsNS: Float32Array.from(features),
    embeddingsN: embeddings ?? new Array(agents).fill(null),
    eligibleN: flags(eligible, 1),
    forcedN: flags(forced, 0),
  };
}

/** How many agents a raw observation is about. */
function sizeOf({ features, embeddings }: RawObservation, scalars: number): number {
  return scalars > 0 ? features.length / scalars : (embeddings?.length ?? 0);
}

function checkSize(found: number, agents: number): void {
  if (found === agents) return;
  throw new ColloquyError("session/observation", `an observation of ${found} agents in a session of ${agents}`, {
    hint: "Give one entry an agent, always in the same order; null for an agent that kept its last utterance.",
  });
}

function required(credits: Credits | undefined): Credits {
  if (credits !== undefined) return credits;
  throw new ColloquyError("session/order", "nothing has been observed yet", {
    hint: "Call observe with the round-1 utterances first.",
  });
}

function isRaw(input: readonly (SpokenUtterance | null)[] | RawObservation): input is RawObservation {
  return !Array.isArray(input);
}

function describe(graph: CommunicationGraph, creditsN: Float32Array): Decision {
  const levels: number[][] = Array.from({ length: graph.levels }, () => []);
  for (const agent of graph.order) levels[graph.level[agent] - 1].push(agent);
  return {
    credits: Array.from(creditsN),
    participants: Array.from(graph.order),
    edges: Array.from(graph.sources, (source, e): [number, number] => [source, graph.targets[e]]),
    levels,
  };
}
