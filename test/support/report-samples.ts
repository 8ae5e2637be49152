import { createRng, type Rng } from "../../src/base/rng.ts";
import { sigmoid } from "../../src/base/sigmoid.ts";
import type { DecisionRecord, EpisodeRecord, UtteranceRecord } from "../../src/contracts/trace.ts";
import type { ReportData, ShownEpisode, ShownQuestion } from "../../src/report/report-data.ts";

/* Made-up reports: records as a run writes them, from a seed. */

const LETTERS = ["A", "B", "C", "D"] as const;
const WORDS =
  "the statute runs until an owner enters but possession must be open and continuous so time begins again when it stops".split(
    " ",
  );

export interface SampleSettings {
  readonly agents: number;
  readonly episodes: number;
  readonly adversaries?: number;
  /** Words an utterance has; 0 for simulated agents. */
  readonly words?: number;
  readonly methods?: readonly string[];
  /** How many each agent hears at most. */
  readonly inDegree?: number;
}

/** A report of `episodes` questions, each played under every method. */
export function sampleReport(settings: SampleSettings): ReportData {
  const { episodes, methods = ["learned", "complete", "vote-first"] } = settings;
  const rng = createRng(7);
  const questions: Record<string, ShownQuestion> = {};
  const shown: ShownEpisode[] = [];
  for (let number = 0; number < episodes; number++) {
    const id = `question-${number}`;
    questions[id] = {
      text: `Question ${number}. A man took possession of the land, left it for one year and returned. Who owns it now?`,
      options: LETTERS.map((letter) => [letter, `what option ${letter} of question ${number} says`] as const),
    };
    for (const method of methods) shown.push(sampleEpisode(id, number, method, settings, rng.fork(id, method)));
  }
  return {
    title: "A made-up run",
    headline: "Of 100 questions, learned got 81 right (95 % interval 72 to 88) where two of six agents attack.",
    facts: [
      ["Recipe", "made-up"],
      ["Command", "colloquy evaluate made-up --seeds 1,2,3"],
    ],
    sections: [
      {
        heading: "Accuracy under attack",
        text: "Each method met the same questions.",
        figures: [
          {
            svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 60" width="680" height="60" role="img" aria-label="A line"><path d="M0 50L680 10" stroke="currentColor"/></svg>',
            caption: "Accuracy against attack rate.",
          },
        ],
        tables: [
          {
            title: "Methods",
            table: {
              columns: [{ title: "method" }, { title: "accuracy", align: "right" }, { title: "95 % interval" }],
              rows: methods.map((method) => [method, "0.81", "0.72 to 0.88"]),
            },
          },
        ],
      },
    ],
    browser: { note: `${episodes} of 5,000 episodes, drawn evenly.`, questions, episodes: shown },
  };
}

function sampleEpisode(
  question: string,
  number: number,
  method: string,
  { agents, adversaries = 2, words = 60, inDegree = 2 }: SampleSettings,
  rng: Rng,
): ShownEpisode {
  const gold = LETTERS[number % 4];
  const target = adversaries > 0 ? LETTERS[(number + 1) % 4] : null;
  const onsets = Array.from({ length: agents }, (_, i) => ((i * 7 + number) % agents < adversaries ? 1 + (i % 3) : 0));
  const roundCount = method === "vote-first" ? 1 : 3;
  const attacks = (i: number, round: number): boolean => onsets[i] > 0 && round >= onsets[i];
  const speak = (i: number, round: number): UtteranceRecord => {
    const answer = attacks(i, round) ? target! : rng.uniform() < 0.65 ? gold : rng.pick(LETTERS);
    const text = Array.from({ length: words }, () => rng.pick(WORDS)).join(" ");
    const spoken =
      words > 0 ? { text: `Agent ${i} in round ${round}: ${text}. Answer: (${answer})`, tokens: words } : {};
    return { answer, status: "parsed", ...spoken };
  };
  const rounds: (UtteranceRecord | null)[][] = [Array.from({ length: agents }, (_, i) => speak(i, 1))];
  const decisions: DecisionRecord[] = [];
  for (let round = 2; round <= roundCount; round++) {
    const credits = Array.from({ length: agents }, (_, i) => (attacks(i, round) ? -2 : 1) + 2 * rng.uniform() - 1);
    const participants = credits.map((credit, i) => (method === "complete" || credit > 0 || i === 0 ? 1 : 0));
    const order = participants.flatMap((z, i) => (z ? [i] : [])).sort((a, b) => credits[b] - credits[a] || a - b);
    const layerOf = (place: number): number => (method === "complete" ? place : Math.floor((place * 3) / order.length));
    const edges = order.flatMap((hearer, place) => {
      const heard = order.filter((_, before) => layerOf(before) < layerOf(place));
      const chosen = method === "complete" ? heard : rng.shuffle(heard).slice(0, inDegree);
      return chosen.map((source) => [source, hearer] as [number, number]);
    });
    // The method `layers` hears only what was said before.
    const earlier = order.flatMap((source) => order.filter((i) => i !== source).map((i) => [source, i] as const));
    const graph = method === "layers" ? { edges: [], temporal: earlier, levels: 1 } : { edges, levels: 3 };
    decisions.push({ round, credits, participants, ...graph });
    rounds.push(participants.map((z, i) => (z ? speak(i, round) : null)));
  }
  const credits = Array.from({ length: agents }, (_, i) => (attacks(i, roundCount) ? -2 : 1));
  decisions.push({ round: roundCount + 1, credits, participants: credits.map(() => 1), edges: [], levels: 0 });
  const weights = method === "learned" ? credits.map(sigmoid) : credits.map(() => 1);
  const answer = winner(rounds, weights);
  const record: EpisodeRecord = {
    environment: "deliberation-v1",
    question,
    seed: 1,
    sample: number,
    attack: { kind: "collude", adversaries, onset: "uniform" },
    onsets,
    target,
    rounds,
    decisions,
    answer,
    gold,
    utility: answer === gold ? 1 : 0,
    outcome: answer === gold ? "right" : "wrong",
    calls: rounds.flat().filter((said) => said !== null).length,
    tokens: null,
  };
  return { method, phase: "judging", weights, record };
}

/** The answer with the most weight behind the last outputs. */
function winner(rounds: readonly (readonly (UtteranceRecord | null)[])[], weights: readonly number[]): string {
  const mass = new Map<string, number>();
  weights.forEach((weight, i) => {
    const answer = rounds.findLast((said) => said[i] !== null)![i]!.answer!;
    mass.set(answer, (mass.get(answer) ?? 0) + weight);
  });
  return [...mass].sort((a, b) => b[1] - a[1])[0][0];
}
