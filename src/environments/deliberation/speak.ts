import { ColloquyError, describeError, endsRun } from "../../base/errors.ts";
import type { Agent, Message, Turn, Utterance } from "../../contracts/agent.ts";
import type { CommunicationGraph } from "../../contracts/topology.ts";
import type { UtteranceRecord } from "../../contracts/trace.ts";
import { hearing, type Neighbours, neighbours } from "../../topology/order.ts";
import type { DeliberationSettings } from "./settings.ts";
import type { State } from "./state.ts";

/** Round 1: everyone on the panel answers alone. */
export async function speakAlone(state: State, settings: DeliberationSettings): Promise<void> {
  const speakers = settings.panel ?? state.team.map((_, i) => i);
  beginRound(state);
  await askAll(state, settings, speakers, () => []);
  await embed(state, settings);
}

/**
 * A round t ≥ 2: agents run in topological order, a level at a time; a parent's output of this round stands in its
 * child's turn, and behind it what was heard through time. Who does not take part keeps its last output and makes no call.
 */
export async function speakAlong(
  state: State,
  settings: DeliberationSettings,
  graph: CommunicationGraph,
): Promise<void> {
  beginRound(state);
  const parents = neighbours(graph);
  const earlier = graph.temporal && neighbours({ agents: graph.agents, ...graph.temporal });
  for (let level = 1; level <= graph.levels; level++) {
    const speakers = Array.from(graph.order).filter((i) => graph.level[i] === level);
    await askAll(state, settings, speakers, (i) => [
      ...messagesFor(state, parents, i),
      ...(earlier === undefined ? [] : earlierMessagesFor(state, earlier, i)),
    ]);
  }
  state.hearing = earlier === undefined ? parents : hearing(graph);
  await embed(state, settings);
}

function beginRound(state: State): void {
  state.previous = state.current.slice();
  state.previousEmbeddings = state.embeddings.slice();
  state.spokeN = new Uint8Array(state.team.length);
  state.rounds.push(new Array(state.team.length).fill(null));
}

/** An agent that threw, in place of its utterance. */
interface Failure {
  readonly failure: unknown;
}

/**
 * Agents of one level cannot hear each other, so they are asked together; the results are taken in their order. Where some
 * fail, what the others said is kept, and the first failure in order is thrown: nothing depends on who was quicker.
 */
async function askAll(
  state: State,
  settings: DeliberationSettings,
  speakers: readonly number[],
  heardBy: (agent: number) => readonly Message[],
): Promise<void> {
  const round = state.rounds.length;
  const replies = speakers.map((i) => {
    const turn: Turn = {
      question: state.start.question,
      round,
      heard: heardBy(i),
      own: settings.memory ? state.previous[i] : null,
      rng: state.rng.fork("agent", i, round),
      signal: state.start.signal,
    };
    return respond(state.team[i], turn, i);
  });
  const settled = replies.some((reply) => reply instanceof Promise)
    ? await Promise.all(replies)
    : (replies as (Utterance | Failure)[]);
  const failures: unknown[] = [];
  speakers.forEach((i, k) => {
    const reply = settled[k];
    if ("failure" in reply) failures.push(reply.failure);
    else take(state, i, reply);
  });
  if (failures.length > 0) throw failures.find(endsRun) ?? failures[0];
}

function respond(agent: Agent, turn: Turn, i: number): Utterance | Failure | Promise<Utterance | Failure> {
  const name = (cause: unknown): Failure => {
    // Neither an interrupt nor the end of the run is a fault of the agent.
    if (turn.signal?.aborted || endsRun(cause)) return { failure: cause };
    const message = `agent ${i} failed in round ${turn.round}: ${describeError(cause)}`;
    return { failure: new ColloquyError("episode/agent", message, { cause }) };
  };
  try {
    const reply = agent.respond(turn);
    return reply instanceof Promise ? reply.catch(name) : reply;
  } catch (cause) {
    return name(cause);
  }
}

function take(state: State, i: number, utterance: Utterance): void {
  state.current[i] = utterance;
  state.spokeN[i] = 1;
  state.rounds[state.rounds.length - 1][i] = recordUtterance(utterance);
  if (!utterance.silent) state.calls++;
  state.tokens = addKnown(state.tokens, utterance.tokens);
  state.cost = addKnown(state.cost, utterance.cost);
}

/** What is unknown of one part is unknown of the whole; where nobody counts there is nothing to add. */
function addKnown(whole: number | null | undefined, part: number | null | undefined): number | null | undefined {
  if (part === undefined) return whole;
  return whole === null || part === null ? null : (whole ?? 0) + part;
}

function recordUtterance(utterance: Utterance): UtteranceRecord {
  const { answer, status, text, source, tokens, cost, finish, silent } = utterance;
  return {
    answer,
    status,
    ...(source !== undefined ? { source } : text !== "" ? { text } : {}),
    ...(tokens !== undefined ? { tokens } : {}),
    ...(cost !== undefined ? { cost } : {}),
    ...(finish !== undefined ? { finish } : {}),
    ...(silent ? { silent } : {}),
  };
}

function messagesFor(state: State, parents: Neighbours, i: number): Message[] {
  const heard: Message[] = [];
  for (let e = parents.offsets[i]; e < parents.offsets[i + 1]; e++) {
    const from = parents.ids[e];
    heard.push({ from, role: state.team[from].role, utterance: state.current[from]! });
  }
  return heard;
}

/** What its sources through time held before this round; who had not spoken has nothing to be heard. */
function earlierMessagesFor(state: State, sources: Neighbours, i: number): Message[] {
  const heard: Message[] = [];
  for (const from of sources.ids.subarray(sources.offsets[i], sources.offsets[i + 1])) {
    const utterance = state.previous[from];
    if (utterance !== null) heard.push({ from, role: state.team[from].role, utterance, earlier: true });
  }
  return heard;
}

/** Behaviour embeddings of the new utterances, in one batch. Who stayed silent has none. */
async function embed(state: State, settings: DeliberationSettings): Promise<void> {
  if (settings.embedding === 0) return;
  const worded: number[] = [];
  state.current.forEach((utterance, i) => {
    if (utterance === null || state.spokeN[i] === 0) return;
    state.embeddings[i] = utterance.embedding ?? null;
    if (utterance.embedding === undefined && !utterance.silent) worded.push(i);
  });
  if (worded.length === 0) return;
  if (settings.embedder === null) {
    throw new ColloquyError("episode/embedding", "utterances bring no embedding and the world has no embedder", {
      hint: "Set behaviour.embedder in the recipe (for example: hashing).",
    });
  }
  const made = settings.embedder.embed(worded.map((i) => state.current[i]!.text));
  const vectors = made instanceof Promise ? await made : made;
  worded.forEach((i, k) => {
    state.embeddings[i] = vectors[k];
  });
}
