import { computeFeatures } from "../../behaviour/features.ts";
import type { Observation } from "../../contracts/policy.ts";
import type { DeliberationSettings } from "./settings.ts";
import { answersOf, type State } from "./state.ts";

/** f^t: what the policy sees before decision `state.round`. Labels, gold answers and adversaries are not in it. */
export function observe(state: State, settings: DeliberationSettings): Observation {
  const agents = state.team.length;
  const head = state.round <= settings.rounds ? "communicate" : "decide";
  const answersN = answersOf(state.current);
  const previousAnswersN = answersOf(state.previous);
  const scalarsNS = computeFeatures(
    {
      agents,
      round: state.round,
      answersN,
      previousAnswersN,
      embeddingsN: state.embeddings,
      previousEmbeddingsN: state.previousEmbeddings,
      hearing: state.hearing,
      spokeN: state.spokeN,
    },
    settings.features,
  );
  return {
    agents,
    round: state.round,
    head,
    scalarsNS,
    embeddingsN: settings.embedding === 0 ? new Array(agents).fill(null) : state.embeddings.slice(),
    eligibleN: listEligible(settings),
    // Where all agents vote, the credit alone decides what a voice weighs: there is no participation to choose.
    forcedN: new Uint8Array(agents).fill(head === "decide" && settings.voters === "all" ? 1 : 0),
    said: { ...state.words, answersN, previousAnswersN },
  };
}

/** Who may take part at all. */
export function listEligible({ agents, panel }: DeliberationSettings): Uint8Array {
  if (panel === undefined) return new Uint8Array(agents).fill(1);
  const eligibleN = new Uint8Array(agents);
  for (const i of panel) eligibleN[i] = 1;
  return eligibleN;
}
