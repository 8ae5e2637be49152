import { ColloquyError } from "../base/errors.ts";
import { canonicalJson } from "../base/json.ts";
import type { Environment, Item } from "../contracts/environment.ts";
import type { Action } from "../contracts/policy.ts";
import type { DecisionRecord, EpisodeTrace } from "../contracts/trace.ts";

/**
 * Plays a recorded episode again, with the recorded credits, participation and edges instead of a policy, and compares.
 * @param environment with the population and the settings of the run
 * @param question the one that the record names
 * @returns the new record; all of it but `policyVersion`, which only the recording knows, is as recorded
 * @throws ColloquyError `replay/question` for another question, `replay/differs` naming the first thing that came out
 * differently
 */
export async function replayEpisode<Q extends Item, R extends EpisodeTrace>(
  environment: Environment<Q, R>,
  record: R,
  question: Q,
): Promise<R> {
  if (question.id !== record.question) {
    throw new ColloquyError("replay/question", `the record is about question ${record.question}, not ${question.id}`, {
      hint: "Replay it with the question of that id.",
    });
  }
  const { seed, sample, branch, attack } = record;
  const episode = await environment.reset({ question, seed, sample, branch, attack });
  let { kind } = episode.first;
  for (const [d, decision] of record.decisions.entries()) {
    if (kind === "last") throw differs(record, `it ended after ${d} of ${record.decisions.length} decisions`);
    ({ kind } = await episode.step(toAction(decision)));
  }
  if (kind !== "last") throw differs(record, `it has not ended after ${record.decisions.length} decisions`);
  const replayed = episode.record();
  const difference = findDifference({ ...record, policyVersion: undefined }, replayed, "");
  if (difference !== undefined) throw differs(record, difference);
  return replayed;
}

/** The edges that were taken are the proposal: the rule `proposed` takes them all again, other rules draw their own. */
function toAction({ credits, participants, trust, edges, temporal, logProbability }: DecisionRecord): Action {
  return {
    creditsN: Float32Array.from(credits),
    participantsN: Uint8Array.from(participants),
    ...(trust === undefined ? {} : { trustN: Float32Array.from(trust) }),
    proposal: { edges, temporal },
    logProbability,
  };
}

/** The first place where two plain values differ, in words. */
function findDifference(recorded: unknown, replayed: unknown, path: string): string | undefined {
  if (canonicalJson(recorded) === canonicalJson(replayed)) return undefined;
  if (isParent(recorded) && isParent(replayed)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(replayed)])) {
      const difference = findDifference(recorded[key], replayed[key], path === "" ? key : `${path}.${key}`);
      if (difference !== undefined) return difference;
    }
  }
  return `${path} was ${JSON.stringify(recorded) ?? "absent"}, now it is ${JSON.stringify(replayed) ?? "absent"}`;
}

const isParent = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const differs = ({ question, sample }: EpisodeTrace, what: string): ColloquyError =>
  new ColloquyError("replay/differs", `episode ${question}, sample ${sample}, came out differently: ${what}`, {
    hint: "The population, the settings or the program have changed since it was recorded.",
  });
