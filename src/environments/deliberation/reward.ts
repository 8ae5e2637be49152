import type { Action } from "../../contracts/policy.ts";
import { drawDecisionGraph } from "../../topology/decision-graph.ts";
import { vote } from "../../topology/vote.ts";
import type { DeliberationSettings } from "./settings.ts";
import { answersOf, type State } from "./state.ts";

/**
 * The vote over G_D: ans = argmax_y Σ_{i ∈ V_D} σ(c_i^{T+1})·sol_i^T[y], and its utility: 1 where it is the gold answer.
 * Nobody readable: no answer, utility 0, counted as unparsed.
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
  state.outcome = result.answer === null ? "unparsed" : result.answer === state.start.question.gold ? "right" : "wrong";
}
