import { ColloquyError, describeError } from "../../base/errors.ts";
import { createRng } from "../../base/rng.ts";
import type { Environment, Episode, EpisodeStart, TimeStep } from "../../contracts/environment.ts";
import type { Action } from "../../contracts/policy.ts";
import { checkAction } from "../decision/check-action.ts";
import { recordDecision } from "../decision/record-decision.ts";
import { truthOf } from "../decision/truth.ts";
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
    truth: truthOf(state.attacked.onsets),
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
  const isVote = state.round > settings.rounds;
  checkAction(action, listEligible(settings), `round ${state.round}`, isVote);
  if (isVote) {
    decide(state, settings, action);
    if (settings.grade !== undefined) state.rightAnswers = await listRight(state, settings.grade);
    judge(state);
    state.decisions.push(recordDecision(state.round, action, null));
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
  state.decisions.push(recordDecision(state.round, action, graph));
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
