import type { Rng } from "../../base/rng.ts";
import type { Turn, Utterance } from "../../contracts/agent.ts";
import type { Mind, Problem } from "./mind.ts";
import type { DistributedSettings } from "./settings.ts";

/**
 * What one knows of each of the m pieces: the option it points to, or -1 for nothing. A true piece points to the right
 * option, a false one to its maker's target.
 */
type Pieces = readonly number[];

/** What an utterance of this family carries. */
interface Carried {
  /** What the speaker takes to be true. */
  readonly knows: Pieces;
  /** What it passes on; the same where it is honest. */
  readonly passes: Pieces;
  /** Uniform in [0, 1), drawn when it was first asked: its answer changes only with what it knows. */
  readonly luck: number;
  /** What it says when its pieces do not decide. */
  readonly guess: number;
}

const carriedBy = (utterance: Utterance | null): Carried | undefined => utterance?.carries as Carried | undefined;

/** The family `distributed`: each of m pieces is held by a few agents, and an utterance passes on what its speaker knows. */
export function distributedTeam(
  problem: Problem,
  setting: { readonly agents: number; readonly rng: Rng },
  rules: DistributedSettings,
): Mind[] {
  const { agents, rng } = setting;
  const held = Array.from({ length: agents }, () => new Array<number>(rules.pieces).fill(-1));
  const everyone = held.map((_, agent) => agent);
  for (let piece = 0; piece < rules.pieces; piece++) {
    const holders = rng.fork("piece", piece).shuffle(everyone).slice(0, rules.copies);
    for (const agent of holders) held[agent][piece] = problem.gold;
  }
  return held.map((pieces) => createMind(problem, pieces, rules));
}

function createMind({ options, gold }: Problem, held: Pieces, rules: DistributedSettings): Mind {
  // Chosen so that all m pieces together give the stated accuracy, guesses included.
  const pull = Math.max(0, (rules.accuracy - 1 / options) / (1 - 1 / options)) / rules.pieces;

  /** First come stays: what is known, true or false, is not displaced by what is heard later. */
  const learn = (turn: Turn): number[] => {
    const known = carriedBy(turn.own)?.knows ?? held;
    const pieces = known.slice();
    for (const { utterance } of turn.heard) {
      const passed = carriedBy(utterance)?.passes;
      if (passed === undefined) continue;
      for (let i = 0; i < pieces.length; i++) if (pieces[i] < 0) pieces[i] = passed[i];
    }
    return pieces;
  };

  /** Each piece, true or false, has the same pull on the answer; what is left is a guess. */
  const decide = (pieces: Pieces, luck: number, guess: number): number => {
    let right = 0;
    for (const option of pieces) if (option === gold) right++;
    if (luck < pull * right) return gold;
    // False pieces take their share of luck from the other end, so that a true piece gained never loses the answer.
    let place = Math.floor((1 - luck) / pull);
    for (const option of pieces) if (option >= 0 && option !== gold && place-- === 0) return option;
    return guess;
  };

  const recall = (turn: Turn): Pick<Carried, "luck" | "guess"> =>
    carriedBy(turn.own) ?? { luck: turn.rng.uniform(), guess: turn.rng.integer(options) };

  const competence = (pieces: Pieces): number => (2 * pieces.filter((p) => p === gold).length) / pieces.length - 1;

  return {
    think(turn) {
      const { luck, guess } = recall(turn);
      const knows = learn(turn);
      const carries: Carried = { knows, passes: knows, luck, guess };
      return { answer: decide(knows, luck, guess), carries, competence: competence(knows) };
    },
    obey(turn, { target, manner }) {
      const { luck, guess } = recall(turn);
      const knows = learn(turn);
      const said = target ?? turn.rng.integer(options);
      const passes = knows.map((_, i) => (manner !== "babble" && i < rules.falsePieces ? said : -1));
      const carries: Carried = { knows, passes, luck, guess };
      return { answer: said, carries, competence: competence(knows) };
    },
  };
}
