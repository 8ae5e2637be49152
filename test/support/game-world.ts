import type { Environment, EpisodeStart, TimeStep } from "../../src/contracts/environment.ts";
import type { Action, Observation } from "../../src/contracts/policy.ts";
import type { Question } from "../../src/contracts/task.ts";
import { optionLetter } from "../../src/contracts/task.ts";
import type { DecisionRecord, EpisodeRecord, UtteranceRecord } from "../../src/contracts/trace.ts";

/** A world so small that everything about it can be worked out by hand. */
export interface Game {
  readonly agents: number;
  /** Decisions about who takes part, all of the head that communicates. */
  readonly decisions: number;
  /** Names of what is seen of an agent before each decision ... */
  readonly scalars: readonly string[];
  /** ... and its values; `taken` holds the participations decided so far. */
  see(start: EpisodeStart, taken: readonly Uint8Array[], agent: number): readonly number[];
  /** What the episode is worth, in [0, 1], by all participations. */
  utility(start: EpisodeStart, taken: readonly Uint8Array[]): number;
  /** What each agent says, the same in every round; by default everybody the gold answer `A`. */
  answers?(start: EpisodeStart): readonly string[];
}

/** The game as an environment of the shared contract. */
export function gameWorld(game: Game): Environment {
  const { agents, decisions, scalars } = game;
  return {
    spec: { name: "game-v1", agents, maxDecisions: decisions, scalars, embedding: 0 },
    async reset(start: EpisodeStart) {
      const answers = game.answers?.(start) ?? new Array<string>(agents).fill("A");
      const taken: Uint8Array[] = [];
      const actions: DecisionRecord[] = [];
      const said = (participants: ArrayLike<number>): (UtteranceRecord | null)[] =>
        answers.map((answer, i) => (participants[i] === 1 ? { answer, status: "parsed" } : null));
      const rounds = [said(new Uint8Array(agents).fill(1))];
      const utility = (): number => (taken.length < decisions ? 0 : game.utility(start, taken));
      const observe = (): Observation => ({
        agents,
        round: taken.length + 2,
        head: "communicate",
        scalarsNS: Float32Array.from(answers.flatMap((_, i) => game.see(start, taken, i))),
        embeddingsN: answers.map(() => null),
        eligibleN: new Uint8Array(agents).fill(1),
        forcedN: new Uint8Array(agents),
      });
      const next = (kind: "first" | "mid"): TimeStep => ({ kind, observation: observe(), reward: 0, truncated: false });
      return {
        first: next("first"),
        async step({ participantsN, creditsN, logProbability }: Action) {
          if (taken.length === decisions) throw new Error("the game is over");
          if (participantsN.length !== agents || creditsN.length !== agents) throw new Error("the action does not fit");
          actions.push({
            round: taken.length + 2,
            credits: [...creditsN],
            participants: [...participantsN],
            edges: [],
            levels: 1,
            logProbability,
          });
          taken.push(participantsN);
          rounds.push(said(participantsN));
          if (taken.length < decisions) return next("mid");
          return { kind: "last", observation: null, reward: utility(), truncated: false };
        },
        truth: { adversarialN: new Uint8Array(agents), isActive: () => false },
        record: (): EpisodeRecord => ({
          environment: "game-v1",
          question: start.question.id,
          seed: start.seed,
          sample: start.sample,
          branch: start.branch,
          attack: start.attack,
          onsets: answers.map(() => 0),
          target: null,
          rounds,
          decisions: actions,
          answer: null,
          gold: "A",
          utility: utility(),
          outcome: utility() > 0.5 ? "right" : "wrong",
          calls: rounds.flat().filter((utterance) => utterance !== null).length,
          tokens: null,
        }),
      };
    },
  };
}

export const gameQuestions = (count: number, prefix = "q"): Question[] =>
  Array.from({ length: count }, (_, k) => ({
    id: `${prefix}${k}`,
    text: `Question ${k}?`,
    options: ["right", "wrong"],
    gold: optionLetter(0),
  }));

/** Starts of a game, one a question, with nobody attacking. */
export const gameStarts = (questions: readonly Question[], seed: number, sample = 0): EpisodeStart[] =>
  questions.map((question) => ({
    question,
    seed,
    sample,
    attack: { kind: "collude", adversaries: 0, onset: "first" },
  }));
