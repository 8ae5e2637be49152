import { ColloquyError } from "../base/errors.ts";
import { createRng, type Rng } from "../base/rng.ts";
import type { Environment, EnvironmentSpec, EpisodeStart, Item, TimeStep } from "../contracts/environment.ts";
import type { Action, Observation } from "../contracts/policy.ts";
import type { EpisodeTrace } from "../contracts/trace.ts";

/**
 * Checks that a world keeps the contract, by playing each of `starts` twice with the same random actions: shapes, the
 * order of time steps, finite numbers, an end within `maxDecisions`, refusal of malformed actions and of actions after the
 * end, a record that says what was played, and equal records for equal starts even when episodes are played side by side.
 * For users' own worlds and for our tests.
 *
 * @throws ColloquyError `environment/contract` naming the first rule broken
 */
export async function checkEnvironment<Q extends Item, R extends EpisodeTrace>(
  environment: Environment<Q, R>,
  starts: readonly EpisodeStart<Q>[],
  seed = 0,
): Promise<void> {
  for (const [k, start] of starts.entries()) {
    const play = () => playOnce(environment, start, createRng(seed).fork("check", k));
    const [first, second] = await Promise.all([play(), play()]);
    must(
      first === second,
      `start ${k} (question ${start.question.id}) gave two different records for the same actions`,
    );
  }
}

async function playOnce<Q extends Item, R extends EpisodeTrace>(
  environment: Environment<Q, R>,
  start: EpisodeStart<Q>,
  rng: Rng,
): Promise<string> {
  const episode = await environment.reset(start);
  let timeStep = episode.first;
  must(
    timeStep.kind === "first" || timeStep.kind === "last",
    `reset gave a "${timeStep.kind}" time step instead of "first"`,
  );
  must(timeStep.reward === 0 || timeStep.kind === "last", "reset gave a reward");
  const agents = episode.truth.adversarialN.length;
  const most = environment.spec.agents;
  must(
    agents >= 1 && agents <= most,
    `truth.adversarialN has the wrong length: ${agents} agents, the world at most ${most}`,
  );
  let decisions = 0;
  while (timeStep.kind !== "last") {
    must(
      decisions < environment.spec.maxDecisions,
      `the episode did not end within ${environment.spec.maxDecisions} decisions`,
    );
    const observation = checkObservation(timeStep, environment.spec, agents);
    await mustRefuse(() => episode.step(everyone(agents + 1)), "an action for one agent too many");
    timeStep = await episode.step(randomAction(observation, rng));
    decisions++;
    must(timeStep.kind !== "first", "step gave a first time step");
    must(Number.isFinite(timeStep.reward), `step gave the reward ${timeStep.reward}`);
    must(timeStep.kind === "last" || !timeStep.truncated, "a time step before the last one is marked truncated");
  }
  must(timeStep.observation === null, "the last time step still has an observation");
  await mustRefuse(() => episode.step(everyone(agents)), "an action after the last time step");
  const record = episode.record();
  checkRecord(record, start, environment.spec, decisions);
  return JSON.stringify(record);
}

function checkRecord(record: EpisodeTrace, start: EpisodeStart<Item>, spec: EnvironmentSpec, decisions: number): void {
  must(record.environment === spec.name, `the record names the environment "${record.environment}"`);
  const { question, seed, sample } = record;
  must(
    question === start.question.id && seed === start.seed && sample === start.sample,
    "the record is of another start",
  );
  must(record.decisions.length === decisions, `the record has ${record.decisions.length} of ${decisions} decisions`);
  must(record.utility >= 0 && record.utility <= 1, `the record has the utility ${record.utility}`);
}

function checkObservation({ observation }: TimeStep, spec: EnvironmentSpec, team: number): Observation {
  if (observation === null) return must(false, "a time step before the last one has no observation") as never;
  const { agents, scalarsNS, embeddingsN, eligibleN, forcedN, said } = observation;
  must(agents === team, `an observation has ${agents} agents, truth.adversarialN ${team}`);
  const width = spec.scalars.length;
  must(scalarsNS.length === agents * width, `an observation has ${scalarsNS.length} scalars for ${agents} × ${width}`);
  must(scalarsNS.every(Number.isFinite), "an observation has a scalar that is not a number");
  must(eligibleN.length === agents && forcedN.length === agents, "eligible or forced has the wrong length");
  must(eligibleN.includes(1), "nobody is eligible");
  must(embeddingsN.length === agents, `an observation has ${embeddingsN.length} embeddings for ${agents} agents`);
  if (said !== undefined) {
    const lists = [said.rolesN, said.answersN, said.previousAnswersN];
    must(
      lists.every((list) => list.length === agents),
      `an observation's words are not about ${agents} agents`,
    );
  }
  for (const embedding of embeddingsN) {
    if (embedding === null) continue;
    must(
      embedding.dimension === spec.embedding,
      `an embedding has dimension ${embedding.dimension}, not ${spec.embedding}`,
    );
    must(embedding.values.every(Number.isFinite), "an embedding has a value that is not a number");
  }
  return observation;
}

function randomAction({ agents, eligibleN }: Observation, rng: Rng): Action {
  const creditsN = Float32Array.from({ length: agents }, () => rng.normal());
  const participantsN = Uint8Array.from(eligibleN, (eligible) => (eligible === 1 && rng.uniform() < 0.6 ? 1 : 0));
  if (!participantsN.includes(1)) participantsN[eligibleN.indexOf(1)] = 1;
  return { creditsN, participantsN, proposal: { edges: randomPairs(agents, rng), temporal: randomPairs(agents, rng) } };
}

/** Some ordered pairs of agents, each once. */
function randomPairs(agents: number, rng: Rng): [number, number][] {
  const to = rng.shuffle(Array.from({ length: agents }, (_, i) => i));
  return to.flatMap((j, i): [number, number][] => (i === j ? [] : [[i, j]]));
}

const everyone = (agents: number): Action => ({
  creditsN: new Float32Array(agents),
  participantsN: new Uint8Array(agents).fill(1),
});

async function mustRefuse(step: () => Promise<unknown>, what: string): Promise<void> {
  const refused = await step().then(
    () => false,
    () => true,
  );
  must(refused, `${what} was accepted`);
}

function must(condition: boolean, broken: string): void {
  if (!condition) throw new ColloquyError("environment/contract", `the environment breaks its contract: ${broken}`);
}
