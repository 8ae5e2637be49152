import { createRng } from "../base/rng.ts";
import type { Item } from "../contracts/environment.ts";
import type { Weights } from "../contracts/policy.ts";
import type { EpisodeTrace } from "../contracts/trace.ts";
import { createForward } from "../runtime/forward.ts";
import { networkPolicy } from "../runtime/network-policy.ts";
import type { TrainInput } from "./input.ts";
import { playRollouts } from "./rollout.ts";
import { silenceRarePlaces } from "./vocabulary.ts";

/** Episodes of each training question that the survey listens to. */
const episodesPerQuestion = 4;

/**
 * Before the first update: listens to the untrained team on every training question and silences the embedding places that
 * too few questions share. Needs no answers. @returns the weights to start from
 */
export async function survey<Q extends Item, R extends EpisodeTrace>(
  input: Pick<
    TrainInput<Q, R>,
    "settings" | "seed" | "network" | "initial" | "environment" | "questions" | "concurrency" | "minimum"
  >,
): Promise<Weights> {
  const { settings, network, initial, seed } = input;
  if (settings.minimumQuestionShare <= 0 || network.embedding === 0) return initial;
  const policy = networkPolicy("survey", createForward(network, initial), "sampled", input.minimum);
  const adversaries = createRng(seed).fork("survey");
  const starts = input.questions.train.map((question, q) => ({
    question,
    seed,
    // Apart from the samples of training (from 0 up) and of validation (below 0).
    sample: 2 ** 30 + q,
    attack: {
      kind: settings.attack.kind,
      adversaries: adversaries.fork(q).pick(settings.attack.adversaries),
      onset: settings.attack.onsets[0],
    },
  }));
  const rollouts = await playRollouts(input.environment, policy, starts, episodesPerQuestion, input.concurrency);
  return silenceRarePlaces(initial, rollouts, settings.minimumQuestionShare * input.questions.train.length);
}
