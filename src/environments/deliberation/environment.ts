import { ColloquyError, describeError } from "../../base/errors.ts";
import { createRng } from "../../base/rng.ts";
import type { Environment, Episode, EpisodeStart, TimeStep } from "../../contracts/environment.ts";
import type { Action, Truth } from "../../contracts/policy.ts";
import type { CommunicationGraph } from "../../contracts/topology.ts";
import { listEdges } from "../../topology/edge-list.ts";
import { listEligible, observe } from "./observe.ts";
import { decide, judge, listRight } from "./reward.ts";
import type { DeliberationSettings } from "./settings.ts";
import { speakAlone, speakAlong } from "./speak.ts";
import { beginState, recordOf, type State } from "./state.ts";

const name = "deliberation-v1";

/**
 * `deliberation-v1` (TodyComm): N agents answer one question over T rounds, some turn adversarial, a credit-weighted vote
 * decides. An episode is one question; the actions are credits and participation for rounds 2..T and for the vote T+1;
 * the reward is the utility of the final answer, given with the last time step.
 */
export function createDeliberation(settings: DeliberationSettings): Environment {
  return {
    spec: {
      name,
      agents: settings.agents,
      maxDecisions: settings.rounds,
      scalars: settings.features,
      embedding: settings.embedding,
    },
    reset: (start) => reset(start, settings),
  };
}

async function reset(start: EpisodeStart, settings: DeliberationSettings): Promise<Episode> {
  const rng = createRng(start.seed).fork(start.question.id, start.sample);
  const attacked = settings.attack(start.attack, {
    question: start.question,
    team: settings.population.team(start.question, settings.agents, rng.fork("team")),
    targets: settings.population.targets(start.question),
    rounds: settings.attackRounds,
    rng: rng.fork("attack"),
  });
  const state = beginState(start, rng, attacked);
  const first = await advance(state, settings, "first", () => speakAlone(state, settings));
  return {
    first,
    step: (action) => step(state, settings, action),
    truth: truthOf(state),
    record: () => recordOf(state, name),
  };
}

async function step(state: State, settings: DeliberationSettings, action: Action): Promise<TimeStep> {
  if (state.ended) {
    throw new ColloquyError(
      "environment/ended",
      "the episode has ended; an action was given after its last time step",
      {
        hint: "Reset the environment to begin another episode.",
      },
    );
  }
  checkAction(action, state, settings);
  if (state.round > settings.rounds) {
    decide(state, settings, action);
    if (settings.grade !== undefined) state.rightAnswers = await listRight(state, settings.grade);
    judge(state);
    keepDecision(state, action, null);
    return end(state);
  }
  const graph = settings.topology({
    credits: action.trustN ?? action.creditsN,
    participants: action.participantsN,
    budget: settings.budget(state.round),
    proposal: action.proposal,
    round: state.round,
    rng: state.rng.fork("topology", state.round),
  });
  keepDecision(state, action, graph);
  return advance(state, settings, "mid", () => speakAlong(state, settings, graph));
}

/** Plays a round; an agent that fails ends the episode, which is then recorded as failed, never dropped. */
async function advance(
  state: State,
  settings: DeliberationSettings,
  kind: "first" | "mid",
  speak: () => Promise<void>,
): Promise<TimeStep> {
  try {
    await speak();
  } catch (error) {
    if (!(error instanceof ColloquyError && error.code === "episode/agent")) throw error;
    state.outcome = "failed";
    state.error = describeError(error);
    return end(state);
  }
  state.round++;
  return { kind, observation: observe(state, settings), reward: 0, truncated: false };
}

function end(state: State): TimeStep {
  state.ended = true;
  return { kind: "last", observation: null, reward: state.outcome === "right" ? 1 : 0, truncated: false };
}

function keepDecision(state: State, action: Action, graph: CommunicationGraph | null): void {
  state.decisions.push({
    round: state.round,
    credits: Array.from(action.creditsN, exactly),
    participants: Array.from(action.participantsN),
    ...(action.trustN === undefined || graph === null ? {} : { trust: Array.from(action.trustN, exactly) }),
    edges: graph === null ? [] : listEdges(graph),
    ...(graph?.temporal === undefined ? {} : { temporal: listEdges(graph.temporal) }),
    levels: graph?.levels ?? 0,
    ...(action.logProbability === undefined ? {} : { logProbability: exactly(action.logProbability) }),
  });
}

/** Nine digits give back a 32-bit number exactly, so the graph and the vote can be recounted from the record. */
const exactly = (value: number): number => Number(value.toPrecision(9));

function checkAction(action: Action, state: State, settings: DeliberationSettings): void {
  const agents = state.team.length;
  const fail = (what: string): never => {
    throw new ColloquyError("environment/action", `an action for round ${state.round} ${what}`, {
      hint: "A policy gives one finite credit and one decision for each agent: 1 or 0, 0 where it is not eligible, 1 for somebody in the vote.",
    });
  };
  if (action.creditsN.length !== agents) fail(`has ${action.creditsN.length} credits for ${agents} agents`);
  if (action.participantsN.length !== agents) fail(`has ${action.participantsN.length} decisions for ${agents} agents`);
  if (action.trustN !== undefined && (action.trustN.length !== agents || !action.trustN.every(Number.isFinite)))
    fail(`ranks agents by [${action.trustN.join(", ")}]`);
  if (!action.creditsN.every(Number.isFinite)) fail(`has the credits [${action.creditsN.join(", ")}]`);
  const eligibleN = listEligible(settings);
  action.participantsN.forEach((z, i) => {
    if (z > eligibleN[i])
      fail(`has the decision ${z} for agent ${i}${eligibleN[i] === 1 ? "" : ", who is not eligible"}`);
  });
  // In a round it may: everyone then keeps its output. A vote of nobody has no answer.
  if (state.round > settings.rounds && !action.participantsN.includes(1)) fail("lets nobody take part in the vote");
}

function truthOf(state: State): Truth {
  const { onsets } = state.attacked;
  return {
    adversarialN: Uint8Array.from(onsets.firstRound, (round) => (round > 0 ? 1 : 0)),
    isActive: onsets.active,
  };
}
