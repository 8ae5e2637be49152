import { ColloquyError } from "../../base/errors.ts";
import { createRng, type Rng } from "../../base/rng.ts";
import type { Environment, Episode, EpisodeStart, TimeStep } from "../../contracts/environment.ts";
import type { Action, Observation } from "../../contracts/policy.ts";
import type { CommunicationGraph } from "../../contracts/topology.ts";
import type { DecisionRecord } from "../../contracts/trace.ts";
import type { Project } from "../../contracts/workplace/project.ts";
import type { WorkplaceEvent, WorkplaceRecord } from "../../contracts/workplace/record.ts";
import { checkAction } from "../decision/check-action.ts";
import { recordDecision } from "../decision/record-decision.ts";
import { truthOf } from "../decision/truth.ts";
import { advance } from "./advance.ts";
import { drawClarity } from "./alignment.ts";
import { chainLengths } from "./features.ts";
import { openGate } from "./gate.ts";
import { checkFeatures, observe } from "./observe.ts";
import { OwnSubtask } from "./own-subtask.ts";
import { checkPlan } from "./planning/check-plan.ts";
import { rankSkills } from "./planning/rank-skills.ts";
import { recordOf, workplaceName } from "./record.ts";
import { type Recording, readRecording } from "./recording.ts";
import { Seat } from "./seat.ts";
import { decisionEvery, stepLimit, type WorkplaceSettings } from "./settings.ts";
import { createState, log, type WorkState } from "./state.ts";

/** The workplace (C2C): a manager and W workers finish tasks on a clock of 15 minutes, where talking costs time. */
export interface Workplace extends Environment<Project, WorkplaceRecord> {
  /**
   * Goes on with an interrupted episode from its event log: what minds and judge did in the steps it holds whole is taken
   * from there, and they are asked from then on. Under the same policy the episode ends as if it had not been interrupted;
   * what calls took until then is not in the log, and not in the record. The step that was torn is told to `onEvent` anew.
   * @throws ColloquyError `replay/log`, `replay/differs`
   */
  resume(start: EpisodeStart<Project>, log: readonly WorkplaceEvent[]): Promise<Episode<WorkplaceRecord>>;
}

/**
 * Its actions are credits and participation, once every 4 steps; the reward is the utility, given with the last time step.
 * @throws ColloquyError `environment/feature`; on reset `workplace/team` where a project has more members than there is room
 * for, and `workplace/plan` where its plan cannot be carried out
 */
export function createWorkplace(settings: WorkplaceSettings): Workplace {
  checkFeatures(settings.features);
  return {
    spec: {
      name: workplaceName,
      agents: settings.agents,
      maxDecisions: stepLimit / decisionEvery,
      scalars: settings.features,
      embedding: 0,
    },
    reset: async (start) => begin(settings, start, null),
    resume: async (start, events) => begin(settings, start, readRecording(events)),
  };
}

function begin(
  settings: WorkplaceSettings,
  start: EpisodeStart<Project>,
  recording: Recording | null,
): Episode<WorkplaceRecord> {
  const { question: project } = start;
  checkTeam(project, settings.agents);
  const rng = createRng(start.seed).fork(project.id, start.sample);
  const { minds, onsets } = settings.attack(start.attack, {
    minds: settings.minds(project, rng.fork("minds")),
    periods: stepLimit / decisionEvery,
    rng: rng.fork("attack"),
  });
  const plan = settings.plan(project);
  checkPlan(plan, project);
  const state = createState(settings, project, plan, minds, rng, recording, start.signal);
  const tailS = chainLengths(
    plan.subtasks.map(({ effort }) => effort),
    state.dependentsS,
  );
  giveOut(state, tailS);
  const ranked = rankSkills(project.members);
  const views = plan.subtasks.map((_, s) => new OwnSubtask(state, s));
  const seats = project.members.map((_, agent) => new Seat({ state, agent, views, ranked }, start.signal));
  const decisions: DecisionRecord[] = [];
  const isOver = (): boolean => state.step >= stepLimit || state.doneAtS.every((at) => at >= 0);
  let observation: Observation | null = observe(state, tailS, 1);

  const step = async (action: Action): Promise<TimeStep> => {
    if (observation === null) {
      throw new ColloquyError(
        "environment/ended",
        "the episode has ended; an action was given after its last time step",
        {
          hint: "Reset the environment to begin another episode.",
        },
      );
    }
    checkAction(action, observation.eligibleN, `step ${state.step}`);
    const graph = settings.gate === "policy" ? drawGraph(settings, action, observation.round, rng) : null;
    decisions.push(recordDecision(observation.round, action, graph));
    if (graph !== null) openGate(state, graph);
    for (let k = 0; k < decisionEvery && !isOver(); k++) await advance(state, seats);
    if (!isOver()) {
      observation = observe(state, tailS, observation.round + 1);
      return { kind: "mid", observation, reward: 0, truncated: false };
    }
    observation = null;
    const { outcome, utility } = record();
    log(state, { step: state.step, kind: "end", outcome });
    return { kind: "last", observation, reward: utility, truncated: false };
  };
  const record = (): WorkplaceRecord => recordOf(state, start, onsets, decisions);
  return {
    first: { kind: "first", observation, reward: 0, truncated: false },
    step,
    truth: truthOf(onsets),
    record,
  };
}

function drawGraph(
  { topology, budget }: WorkplaceSettings,
  action: Action,
  round: number,
  rng: Rng,
): CommunicationGraph {
  return topology({
    credits: action.trustN ?? action.creditsN,
    participants: action.participantsN,
    budget,
    proposal: action.proposal,
    round,
    rng: rng.fork("topology", round),
  });
}

/** Everybody gets its subtasks: task by task, and those first that the longest chain of work hangs on. */
function giveOut(state: WorkState, tailS: Float64Array): void {
  const { subtasks } = state.plan;
  const order = Array.from(tailS.keys()).sort(
    (a, b) => subtasks[a].task - subtasks[b].task || tailS[b] - tailS[a] || a - b,
  );
  for (const subtask of order) {
    const agent = state.ownerS[subtask];
    state.queueN[agent].push(subtask);
    drawClarity(state, subtask);
    log(state, { step: 0, kind: "assign", agent, about: subtask, reason: "by skill and load" });
  }
}

function checkTeam({ id, members }: Project, agents: number): void {
  if (members.length >= 2 && members.length <= agents) return;
  throw new ColloquyError(
    "workplace/team",
    `project ${id} has ${members.length} members, the workplace has room for 2 to ${agents}`,
    {
      hint: "A team is a manager and at least one worker; give the workplace room for the largest.",
    },
  );
}
