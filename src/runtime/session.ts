import { ColloquyError } from "../base/errors.ts";
import { silence } from "../behaviour/neighbours.ts";
import type { Embedding } from "../contracts/agent.ts";
import type { Observation } from "../contracts/policy.ts";
import type { Budget, CommunicationGraph, PlainBudget } from "../contracts/topology.ts";
import { budgetOfRound } from "../topology/budget.ts";
import { drawDecisionGraph } from "../topology/decision-graph.ts";
import { listEdges } from "../topology/edge-list.ts";
import { hearing } from "../topology/order.ts";
import { vote } from "../topology/vote.ts";
import { chooseRule } from "./choose-rule.ts";
import { threshold } from "./decide.ts";
import { chooseEmbedder, type EmbedTexts } from "./embed-utterances.ts";
import type { LoadedPolicy } from "./load-policy.ts";
import { checkSize, type RoundInput, readFlags, readRound, sizeOf } from "./round-input.ts";
import { createTeam, hear, observeTeam, type Team } from "./team-memory.ts";
import { checkTold, readFeatures } from "./told-features.ts";

export interface SessionOptions {
  /** N. Default: the length of the first list of utterances. */
  readonly agents?: number;
  /**
   * What differs from the budgets that the policy was exported with; a function is asked once for each round decided
   * about, so that budgets can follow what a program sees while it runs.
   */
  readonly budget?: Partial<Budget> | ((round: number) => Partial<Budget>);
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
  /** `[i, j]`: what i last said before this round goes into j's prompt as well. Absent where there are no such edges. */
  readonly temporal?: [number, number][];
  /** The participants by level: all of a level can be asked at once, after the level before. */
  readonly levels: number[][];
}

export interface Session {
  /**
   * Tells what was said in a round. Waits only where an embedder is asked. An observation that is refused leaves no trace.
   * @throws ColloquyError `session/observation`, `session/embedder`, `session/order` while another one is waited for
   */
  observe(round: RoundInput): void | Promise<void>;
  /** Decides about the next round. The same until the next `observe`. @throws ColloquyError `session/order` */
  decide(): Decision;
  /**
   * The vote over what was said last, weighted by credit unless the policy's is a plain majority.
   * @throws ColloquyError `session/order`, `session/vote` where the policy's world ends in no vote
   */
  vote(): { readonly answer: string | null; readonly weights: Readonly<Record<string, number>> };
}

interface Credits {
  readonly communicateN: Float32Array;
  readonly decideN: Float32Array;
  readonly observation: Observation;
}

/**
 * Follows one team through one question or project: observe a round, decide about the next, and so on; a deliberation ends
 * in a vote. Agents stay in the order of the first observation.
 * @throws ColloquyError `session/topology` where the policy's graphs cannot be drawn without chance
 */
export function createSession(policy: LoadedPolicy, options: SessionOptions = {}): Session {
  const { manifest, forward } = policy;
  const { network, decision: defaults } = manifest;
  const budgetFor = chooseBudget(defaults.budget, options.budget);
  const draw = chooseRule(defaults.topology);
  const embed = chooseEmbedder(manifest, options.embed);
  let team: Team | undefined;
  let round = 1;
  let credits: Credits | undefined;
  let decision: Decision | undefined;
  let isWaiting = false;

  const think = (next: Team, observation: Observation): void => {
    const hiddenNH = next.hiddenNH.slice();
    credits = { ...forward.bothHeads(observation, hiddenNH), observation };
    // What was heard is told once: without another decision nobody is known to hear anybody in the next round.
    team = { ...next, hiddenNH, hearing: silence(next.agents) };
    round = observation.round;
    decision = undefined;
  };
  const known = (): Credits & { readonly team: Team } => {
    if (isWaiting) throw tooEarly("the last observation still waits for its embeddings", "Await what observe returns.");
    if (credits !== undefined && team !== undefined) return { ...credits, team };
    throw tooEarly("nothing has been observed yet", "Call observe with the round-1 utterances first.");
  };
  return {
    observe(input) {
      if (isWaiting)
        throw tooEarly("another observation still waits for its embeddings", "Await what observe returns.");
      const told = readRound(input);
      const size = sizeOf(told, network.scalars.length);
      const before = team ?? createTeam(options.agents ?? size, network.hidden);
      const { agents } = before;
      checkSize(size, agents);
      const flags = readFlags(told, agents);
      if ("features" in told) {
        const scalarsNS = readFeatures(told, network.scalars);
        const embeddingsN = told.embeddings ?? new Array<null>(agents).fill(null);
        return think(before, { agents, round: round + 1, head: "communicate", scalarsNS, embeddingsN, ...flags });
      }
      checkTold(manifest);
      const take = (vectors: readonly (Embedding | null)[]): void => {
        const next = hear(before, told.utterances, vectors);
        think(next, { ...observeTeam(next, told.utterances, round + 1, network.scalars), ...flags });
      };
      const vectors = embed(told.utterances);
      if (!(vectors instanceof Promise)) return take(vectors);
      isWaiting = true;
      const settle = (): void => {
        isWaiting = false;
      };
      return vectors.finally(settle).then(take);
    },
    decide() {
      const { team: present, communicateN, decideN, observation } = known();
      if (decision !== undefined) return decision;
      const participants = threshold(communicateN, observation.eligibleN, observation.forcedN, defaults);
      const graph = draw({
        credits: network.rank === "decide" ? decideN : communicateN,
        participants,
        budget: budgetFor(round),
        round,
      });
      team = { ...present, hearing: hearing(graph) };
      decision = describe(graph, communicateN);
      return decision;
    },
    vote() {
      if (defaults.voters === undefined) {
        throw new ColloquyError("session/vote", `there is no vote in ${manifest.environment}`, {
          hint: "This policy decides who takes part and who hears whom: call decide. Only policies of a deliberation vote.",
        });
      }
      const { team: present, decideN, observation } = known();
      const participants =
        defaults.voters === "all"
          ? observation.eligibleN
          : threshold(decideN, observation.eligibleN, observation.forcedN, defaults);
      const graph = drawDecisionGraph({ credits: decideN, participants });
      const weightsN = defaults.vote === "majority" ? graph.weightsN.map(Math.sign) : graph.weightsN;
      const { answer, weights } = vote({ answersN: present.answersN, weightsN, creditsN: decideN });
      return { answer, weights: Object.fromEntries(weights) };
    },
  };
}

const tooEarly = (what: string, hint: string): ColloquyError => new ColloquyError("session/order", what, { hint });

function describe(graph: CommunicationGraph, creditsN: Float32Array): Decision {
  const levels: number[][] = Array.from({ length: graph.levels }, () => []);
  for (const agent of graph.order) levels[graph.level[agent] - 1].push(agent);
  return {
    credits: Array.from(creditsN),
    participants: Array.from(graph.order),
    edges: listEdges(graph),
    ...(graph.temporal && { temporal: listEdges(graph.temporal) }),
    levels,
  };
}

function chooseBudget(plain: PlainBudget, given: SessionOptions["budget"]): (round: number) => Budget {
  const changes = typeof given === "function" ? given : checkBudget(given);
  return (round) => ({
    ...budgetOfRound(plain, round),
    ...(typeof changes === "function" ? checkBudget(changes(round)) : changes),
  });
}

/** A misspelt budget must not pass as no budget. */
function checkBudget(budget: Partial<Budget> = {}): Partial<Budget> {
  for (const [name, limit] of Object.entries(budget)) {
    const isForEach = ["in", "out", "temporal"].includes(name);
    const isKnown = isForEach || name === "depth" || name === "edges";
    if (isKnown && (typeof limit === "number" || (isForEach && typeof limit === "object"))) continue;
    throw new ColloquyError("session/budget", `budget.${name} is ${JSON.stringify(limit)}`, {
      hint: "A budget has in, out, temporal (a number, or one an agent), depth and edges (a number).",
    });
  }
  return budget;
}
