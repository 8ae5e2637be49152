import type { Action } from "../../contracts/policy.ts";
import type { Grader } from "../../contracts/task.ts";
import { isRightAnswer } from "../../contracts/trace.ts";
import { drawDecisionGraph } from "../../topology/decision-graph.ts";
import { vote } from "../../topology/vote.ts";
import type { DeliberationSettings } from "./settings.ts";
import { answersOf, type State } from "./state.ts";

/**
 * The vote over G_D: ans = argmax_y Σ_{i ∈ V_D} σ(c_i^{T+1})·sol_i^T[y],.
 * Nobody readable: no answer.
 */
export function decide(state: State, settings: DeliberationSettings, action: Action): void {
  const participants = settings.voters === "all" ? state.team.map(() => 1) : action.participantsN;
  const graph = drawDecisionGraph({ credits: action.creditsN, participants });
  const weights = Array.from(graph.weightsN, (weight) => (settings.vote === "credit" ? weight : Math.sign(weight)));
  const ballots = settings.ballots === "last" ? [answersOf(state.current)] : state.rounds.map(answersOf);
  const result = vote({
    answersN: ballots.flat(),
    weightsN: ballots.flatMap(() => weights),
    creditsN: ballots.flatMap(() => Array.from(action.creditsN)),
  });
  state.answer = result.answer;
}

/** Utility: 1 where the answer is right, 0 where it is not or where there is none, which counts as unparsed. */
export function judge(state: State): void {
  const isRight = isRightAnswer({ right: state.rightAnswers, gold: state.start.question.gold }, state.answer);
  state.outcome = state.answer === null ? "unparsed" : isRight ? "right" : "wrong";
}

/**
 * The answers of the episode that a grader calls right. All are judged, not the team's alone: training asks who was right.
 */
export async function listRight(state: State, grade: Grader): Promise<string[]> {
  const { question } = state.start;
  const given = new Set(state.rounds.flatMap(answersOf).filter((answer) => answer !== null));
  const graded = await Promise.all(
    [...given].map(async (answer) => ({ answer, right: await grade(question, answer) })),
  );
  return graded.filter(({ right }) => right).map(({ answer }) => answer);
}
