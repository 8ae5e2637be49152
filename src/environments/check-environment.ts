import { ColloquyError } from "../base/errors.ts";
import { createRng, type Rng } from "../base/rng.ts";
import type { Environment, EpisodeStart, TimeStep } from "../contracts/environment.ts";
import type { Action, Observation } from "../contracts/policy.ts";

/**
 * Checks that a world keeps the contract, by playing each of `starts` twice with the same random actions: shapes, the
 * order of time steps, finite numbers, an end within `maxDecisions`, refusal of actions after the end, and equal records
 * for equal starts even when episodes are played side by side. For users' own worlds and for our tests.
 *
 * @throws ColloquyError `environment/contract` naming the first rule broken
 */
export async function checkEnvironment(
  environment: Environment,
  starts: readonly EpisodeStart[],
  seed = 0,
): Promise<void> {
  for (const [k, start] of starts.entries()) {
    const play = () => playOnce(environment, start, createRng(seed).fork("check", k));
    const [first, second] = await Promise.all([play(), play()]);
    require(first ===
      second, `start ${k} (question ${start.question.id}) gave two different records for the same actions`);
  }
}

async function playOnce(environment: Environment, start: EpisodeStart, rng: Rng): Promise<string> {
  const episode = await environment.reset(start);
  let timeStep = episode.first;
  require(timeStep.kind === "first" ||
    timeStep.kind === "last", `reset gave a "${timeStep.kind}" time step instead of "first"`);
  require(timeStep.reward === 0 || timeStep.kind === "last", "reset gave a reward");
  let decisions = 0;
  while (timeStep.kind !== "last") {
    require(decisions <
      environment.spec.maxDecisions, `the episode did not end within ${environment.spec.maxDecisions} decisions`);
    const observation = checkObservation(timeStep, environment);
    timeStep = await episode.step(randomAction(observation, rng));
    decisions++;
    require(timeStep.kind !== "first", "step gave a first time step");
    require(Number.isFinite(timeStep.reward), `step gave the reward ${timeStep.reward}`);
    require(timeStep.kind === "last" || !timeStep.truncated, "a time step before the last one is marked truncated");
  }
  require(timeStep.observation === null, "the last time step still has an observation");
  await requireRefusal(() => episode.step(noAction(environment.spec.agents)));
  return JSON.stringify(episode.record());
}

function checkObservation({ observation }: TimeStep, { spec }: Environment): Observation {
  if (observation === null) return require(false, "a time step before the last one has no observation") as never;
  const { agents, scalarsNS, embeddingsN, eligibleN, forcedN } = observation;
  require(agents === spec.agents, `an observation has ${agents} agents, the world ${spec.agents}`);
  const width = spec.scalars.length;
  require(scalarsNS.length ===
    agents * width, `an observation has ${scalarsNS.length} scalars for ${agents} × ${width}`);
  require(scalarsNS.every(Number.isFinite), "an observation has a scalar that is not a number");
  require(eligibleN.length === agents && forcedN.length === agents, "eligible or forced has the wrong length");
  require(eligibleN.includes(1), "nobody is eligible");
  require(embeddingsN.length === agents, `an observation has ${embeddingsN.length} embeddings for ${agents} agents`);
  for (const embedding of embeddingsN) {
    if (embedding === null) continue;
    require(embedding.dimension ===
      spec.embedding, `an embedding has dimension ${embedding.dimension}, not ${spec.embedding}`);
    require(embedding.values.every(Number.isFinite), "an embedding has a value that is not a number");
  }
  return observation;
}

function randomAction({ agents, eligibleN }: Observation, rng: Rng): Action {
  const creditsN = Float32Array.from({ length: agents }, () => rng.normal());
  const participantsN = Uint8Array.from(eligibleN, (eligible) => (eligible === 1 && rng.uniform() < 0.6 ? 1 : 0));
  if (!participantsN.includes(1)) participantsN[eligibleN.indexOf(1)] = 1;
  return { creditsN, participantsN };
}

const noAction = (agents: number): Action => ({
  creditsN: new Float32Array(agents),
  participantsN: new Uint8Array(agents).fill(1),
});

async function requireRefusal(step: () => Promise<unknown>): Promise<void> {
  const refused = await step().then(
    () => false,
    () => true,
  );
  require(refused, "an action after the last time step was accepted");
}

function require(condition: boolean, broken: string): void {
  if (!condition) throw new ColloquyError("environment/contract", `the environment breaks its contract: ${broken}`);
}
