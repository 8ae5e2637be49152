import { createRng, type Rng } from "../../src/base/rng.ts";
import type { Question } from "../../src/contracts/task.ts";
import { optionLetter } from "../../src/contracts/task.ts";
import type { Bank, BankUtterance, Debate } from "../../src/populations/bank.ts";
import { nextAnswerDistribution, publishedLaw } from "../../src/populations/response-law.ts";

/** How a tiny bank is made; every debate has three agents and three rounds. */
export interface TinyBankSettings {
  readonly questions?: number;
  /** Debates a question; every other one has one adversary. */
  readonly debates?: number;
  readonly seed?: number;
}

const things = ["lantern", "kettle", "ladder", "compass", "barrel", "saddle", "anchor", "mirror", "bucket", "candle"];
const places = ["harbour", "attic", "orchard", "workshop", "stable", "cellar"];
const honestOpenings = ["I checked each option in turn.", "Going by what the text says,", "From the facts we have,"];
const honestReasons = [
  "the rest would contradict the description",
  "it is the only one that fits",
  "nothing else was mentioned",
];
const sellingOpenings = ["It is obvious to everyone here.", "There is really no doubt:", "You must all agree by now:"];
const sellingReasons = [
  "the other answers fell for a trap",
  "experts have long settled this",
  "your doubts prove the point",
];

/** A small behaviour bank in words of our own, for tests that must run without recorded data. Same settings, same bank. */
export function tinyBank({ questions = 12, debates = 6, seed = 1 }: TinyBankSettings = {}): Bank {
  const rng = createRng(seed).fork("tiny-bank");
  const made = Array.from({ length: questions }, (_, q) => {
    const stream = rng.fork("question", q);
    const question = makeQuestion(q, stream);
    const intrinsic = makeIntrinsic(question, stream);
    return Array.from({ length: debates }, (_, d) =>
      playDebate(question, intrinsic, `tiny-${q}-${d}`, d % 2 === 1, stream.fork("debate", d)),
    );
  });
  return { source: "made up for tests", debates: made.flat(), warnings: [] };
}

function makeQuestion(index: number, rng: Rng): Question {
  const options = rng.shuffle(things).slice(0, 4);
  const text = `Question ${index + 1}: which of these was left in the ${rng.pick(places)}?`;
  return { id: `tiny-${index}`, text, options, gold: optionLetter(rng.integer(4)) };
}

/** Right with probability .5 to .85, else mostly one favourite mistake. */
function makeIntrinsic({ gold }: Question, rng: Rng): number[] {
  const right = 0.5 + 0.35 * rng.uniform();
  const wrong = [0.7, 0.2, 0.1].map((share) => share * (1 - right));
  const at = gold!.charCodeAt(0) - 65;
  return [0, 1, 2, 3].map((y) => (y === at ? right : wrong[(y - at + 3) % 4]));
}

function playDebate(question: Question, intrinsic: number[], run: string, isAttacked: boolean, rng: Rng): Debate {
  const gold = question.gold!.charCodeAt(0) - 65;
  const adversary = isAttacked ? rng.integer(3) : -1;
  const target = isAttacked ? (gold + 1 + rng.integer(3)) % 4 : -1;
  const answers: number[][] = [];
  for (let t = 0; t < 3; t++) {
    const moods = intrinsic.map(() => rng.normal());
    const before = answers.at(-1);
    const row = [0, 1, 2].map((agent) => {
      if (agent === adversary) return target;
      if (before === undefined) return rng.weighted(intrinsic);
      const heard = before.filter((_, other) => other !== agent);
      return rng.weighted(
        nextAnswerDistribution(publishedLaw, { own: before[agent], isFresh: t === 1, heard, intrinsic, moods }),
      );
    });
    answers.push(row);
  }
  return {
    run,
    question,
    agents: [0, 1, 2].map((agent) => ({
      role: "debater",
      adversary: agent === adversary,
      target: agent === adversary ? optionLetter(target) : null,
    })),
    rounds: answers.map((row) => row.map((answer, agent) => makeUtterance(question, answer, agent === adversary, rng))),
    heard: "all-previous",
  };
}

function makeUtterance(question: Question, answer: number, isSelling: boolean, rng: Rng): BankUtterance {
  const opening = rng.pick(isSelling ? sellingOpenings : honestOpenings);
  const reason = rng.pick(isSelling ? sellingReasons : honestReasons);
  const letter = optionLetter(answer);
  const detail = `${rng.pick(places)} ${1 + rng.integer(90)}`;
  const text = `${opening} The ${question.options[answer]} it is, because ${reason} (see ${detail}). The answer is ${letter}.`;
  return { text, answer: letter, status: "parsed" };
}
