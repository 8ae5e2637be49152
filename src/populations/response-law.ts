/**
 * How an honest agent's next answer depends on its own last one and on what it heard (ours; a conditional logit).
 *
 * With v_y voices for option y (those heard, and its own last answer as one more), the next answer is y with
 * probability proportional to exp(u_y),
 *
 *   u_y = voices · log(1 + 2 v_y) + own · [y is its own last answer] + intrinsic · log π_y + mood · ε_y
 *
 * where π is what agents answer to this question when they are alone. So the pull of an answer is a power of the number of
 * voices for it, which extends to any number heard. The weight of π is larger while the last answer was formed alone
 * (`intrinsicFresh`) than once it follows others (`intrinsicLater`). ε is standard normal, one draw an option, episode
 * and round, shared by all agents: how convincing the arguments of this round are. An agent that hears no readable
 * answer keeps its own with probability 1 − redraw and else answers anew from π.
 *
 * Plain data: it can be written as JSON.
 */
export interface ResponseLaw {
  readonly schema: "colloquy.law/1";
  readonly voices: number;
  readonly own: number;
  readonly intrinsicFresh: number;
  readonly intrinsicLater: number;
  readonly mood: number;
  /** ρ in [0, 1]. */
  readonly redraw: number;
  /** What it was fitted on; zeros for the published one. */
  readonly fit: {
    readonly debates: number;
    readonly questions: number;
    readonly transitions: number;
    /** Transitions without a voice, from which `redraw` was estimated; 0: the default stands. */
    readonly silentTransitions: number;
    readonly logLikelihood: number;
  };
}

/**
 * The law of three gpt-3.5-turbo agents on 100 MMLU questions (the recording `multi-agent-attack`), rounded: where a bank
 * has few transitions, its own law stays close to this one. `redraw` is no measurement.
 */
export const publishedLaw: ResponseLaw = {
  schema: "colloquy.law/1",
  voices: 3.9,
  own: -1.9,
  intrinsicFresh: 0.46,
  intrinsicLater: 0.07,
  mood: 1.13,
  redraw: 0.2,
  fit: { debates: 0, questions: 0, transitions: 0, silentTransitions: 0, logLikelihood: 0 },
};

/** What an agent answers from. Options are indices (0 is `A`); −1 stands for an answer nobody could read. */
export interface Situation {
  readonly own: number;
  /** Whether its own answer was formed alone. */
  readonly isFresh: boolean;
  readonly heard: readonly number[];
  /** π over the options, all positive. */
  readonly intrinsic: readonly number[];
  /** ε over the options; zeros when absent. */
  readonly moods?: ArrayLike<number>;
}

/** The probability of every option as the next answer; sums to 1. */
export function nextAnswerDistribution(law: ResponseLaw, situation: Situation): number[] {
  const { own, isFresh, heard, intrinsic, moods } = situation;
  if (heard.every((answer) => answer < 0)) {
    return intrinsic.map((p, y) => (own < 0 ? p : law.redraw * p + (y === own ? 1 - law.redraw : 0)));
  }
  const voices = countVoices(own, heard, intrinsic.length);
  const knowledge = isFresh ? law.intrinsicFresh : law.intrinsicLater;
  const utilities = intrinsic.map(
    (p, y) =>
      law.voices * pull(voices[y]) +
      (y === own ? law.own : 0) +
      knowledge * Math.log(p) +
      (moods === undefined ? 0 : law.mood * moods[y]),
  );
  return softmax(utilities);
}

/** What agents answer alone: the share of each option among `counts`, with half a count added to every option. */
export function intrinsicDistribution(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count + 0.5, 0);
  return counts.map((count) => (count + 0.5) / total);
}

/** v: how many stand behind each option, the agent itself included. */
export function countVoices(own: number, heard: readonly number[], options: number): number[] {
  const voices = new Array<number>(options).fill(0);
  for (const answer of heard) if (answer >= 0) voices[answer]++;
  if (own >= 0) voices[own]++;
  return voices;
}

/** log(1 + 2v): what v voices weigh before `voices` scales it. */
export function pull(voices: number): number {
  return Math.log(1 + 2 * voices);
}

function softmax(utilities: readonly number[]): number[] {
  const top = Math.max(...utilities);
  const weights = utilities.map((utility) => Math.exp(utility - top));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
