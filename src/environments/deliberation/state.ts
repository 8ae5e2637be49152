import type { Rng } from "../../base/rng.ts";
import { type Hearing, silence } from "../../behaviour/neighbours.ts";
import type { Agent, Embedding, Utterance } from "../../contracts/agent.ts";
import type { AttackedTeam } from "../../contracts/attack.ts";
import type { EpisodeStart } from "../../contracts/environment.ts";
import type { Said } from "../../contracts/policy.ts";
import { optionLetter, type Question } from "../../contracts/task.ts";
import type { DecisionRecord, EpisodeRecord, UtteranceRecord } from "../../contracts/trace.ts";

/** The mutable state of one episode. Only the files of this folder touch it. */
export interface State {
  readonly start: EpisodeStart;
  /** The episode's own stream. */
  readonly rng: Rng;
  readonly team: readonly Agent[];
  /** The question and the roles in words, the same at every decision. */
  readonly words: Pick<Said, "query" | "rolesN">;
  readonly attacked: AttackedTeam;
  /** 1-based round the next decision is for. */
  round: number;
  /** Latest utterance of each agent and the one it held a round earlier. */
  current: (Utterance | null)[];
  previous: (Utterance | null)[];
  embeddings: (Embedding | null)[];
  previousEmbeddings: (Embedding | null)[];
  /** Who heard whom in the last round, through time or not. */
  hearing: Hearing;
  spokeN: Uint8Array;
  readonly rounds: (UtteranceRecord | null)[][];
  readonly decisions: DecisionRecord[];
  calls: number;
  /** Sums over all utterances: `undefined` where nobody counts, `null` where one is not known. */
  tokens: number | null | undefined;
  cost: number | null | undefined;
  ended: boolean;
  answer: string | null;
  /** Of the answers given, those that the world's grader calls right; `undefined` where equality with gold decides. */
  rightAnswers: readonly string[] | undefined;
  outcome: EpisodeRecord["outcome"];
  error: string | undefined;
}

export function beginState(start: EpisodeStart, rng: Rng, attacked: AttackedTeam): State {
  const agents = attacked.team.length;
  return {
    start,
    rng,
    team: attacked.team,
    words: { query: describeQuery(start.question), rolesN: attacked.team.map(({ role }) => role) },
    attacked,
    round: 1,
    current: new Array(agents).fill(null),
    previous: new Array(agents).fill(null),
    embeddings: new Array(agents).fill(null),
    previousEmbeddings: new Array(agents).fill(null),
    hearing: silence(agents),
    spokeN: new Uint8Array(agents),
    rounds: [],
    decisions: [],
    calls: 0,
    tokens: undefined,
    cost: undefined,
    ended: false,
    answer: null,
    rightAnswers: undefined,
    outcome: "wrong",
    error: undefined,
  };
}

const describeQuery = ({ text, options }: Question): string =>
  [text, ...options.map((option, index) => `(${optionLetter(index)}) ${option}`)].join("\n");

/** The answers in a list of utterances; `null` where one is missing or could not be read. */
export const answersOf = (utterances: readonly ({ readonly answer: string | null } | null)[]): (string | null)[] =>
  utterances.map((utterance) => utterance?.answer ?? null);

/** The complete record of the episode so far. */
export function recordOf(state: State, environment: string): EpisodeRecord {
  const { question, seed, sample, branch, attack } = state.start;
  return {
    environment,
    question: question.id,
    seed,
    sample,
    ...(branch === undefined ? {} : { branch }),
    attack: { kind: attack.kind, adversaries: attack.adversaries, onset: attack.onset },
    onsets: state.attacked.onsets.firstRound,
    ...listActive(state),
    target: state.attacked.target,
    rounds: state.rounds,
    decisions: state.decisions,
    answer: state.answer,
    gold: question.gold,
    ...(state.rightAnswers === undefined ? {} : { right: state.rightAnswers }),
    utility: state.outcome === "right" ? 1 : 0,
    outcome: state.outcome,
    ...(state.error === undefined ? {} : { error: state.error }),
    calls: state.calls,
    tokens: state.tokens ?? null,
    ...(state.cost === undefined ? {} : { cost: state.cost }),
  };
}

/** Who attacks in each round that was played, where the onsets alone do not say it. */
function listActive({ rounds, attacked: { onsets } }: State): Pick<EpisodeRecord, "active"> {
  const { firstRound, active } = onsets;
  const isTold = (onset: number, agent: number, round: number): boolean =>
    active(agent, round) === (onset > 0 && onset <= round);
  if (rounds.every((_, t) => firstRound.every((onset, agent) => isTold(onset, agent, t + 1)))) return {};
  return { active: rounds.map((_, t) => [...firstRound.keys()].filter((agent) => active(agent, t + 1))) };
}
