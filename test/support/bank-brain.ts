import { shortHash } from "../../src/base/hash.ts";
import { quoteText } from "../../src/base/quote-text.ts";
import { createRng, type Rng } from "../../src/base/rng.ts";
import { optionLetter } from "../../src/contracts/task.ts";
import { type Bank, fitLaw } from "../../src/populations/index.ts";
import { nextAnswerDistribution } from "../../src/populations/response-law.ts";
import { letterIndex } from "../../src/populations/transitions.ts";
import { type PooledUtterance, poolUtterances, type QuestionPool } from "../../src/populations/utterance-pool.ts";
import type { ChatBody } from "./model-server.ts";

/**
 * A server's mind made of recorded debates: it knows the question by its words, reads from the prompt what the agent
 * held and heard and whether it is under orders, draws the answer from the response law of the recording, and says it in
 * recorded words. It keeps nothing between requests: equal bodies get equal replies.
 */
export function bankBrain(bank: Bank): (body: Pick<ChatBody, "messages" | "seed">) => string {
  const law = fitLaw(bank);
  const pools = [...poolUtterances(bank).values()].map((pool) => ({ pool, asked: askedWords(pool) }));
  return (body) => {
    const system = body.messages.find(({ role }) => role === "system")?.content ?? "";
    const user = body.messages.findLast(({ role }) => role === "user")?.content ?? "";
    const pool = pools.find(({ asked }) => user.includes(asked))?.pool;
    if (pool === undefined) return "I have never heard of this question.";
    const rng = createRng(shortHash(JSON.stringify([body.messages, body.seed ?? null]), 16));
    const target = letterIndex(/Your answer is \(([A-Z])\)\./.exec(system)?.[1] ?? null);
    if (target >= 0)
      return draw([pool.onTarget[target], pool.adversarial, pool.honestByAnswer[target], pool.honest], rng);
    const own = /^You (?:answered ([A-Z])|gave no readable answer) in your last turn/m.exec(user);
    if (own === null) return draw([pool.honest.filter(({ round }) => round === 1), pool.honest], rng);
    const heard = [...user.matchAll(/^Agent \d+ \([^)]*\) (?:answered ([A-Z])|gave no readable answer):$/gm)];
    const options = pool.question.options.map((_, y) => y);
    const distribution = nextAnswerDistribution(law, {
      own: letterIndex(own[1] ?? null),
      isFresh: pool.honest.some(({ round, said }) => round === 1 && user.includes(quoteText(said.text))),
      heard: heard.map(([, letter]) => letterIndex(letter ?? null)),
      intrinsic: pool.intrinsic,
      moods: options.map(() => rng.normal()),
    });
    const sayable = options.map((y) => (pool.honestByAnswer[y].length > 0 ? distribution[y] : 0));
    return draw([sayable.some((p) => p > 0) ? pool.honestByAnswer[rng.weighted(sayable)] : [], pool.honest], rng);
  };
}

/** The question as a prompt quotes it, with its options. */
function askedWords({ question }: QuestionPool): string {
  const options = question.options.map((option, y) => `(${optionLetter(y)}) ${option}`).join("\n");
  return `${quoteText(question.text)}\nThe options:\n${quoteText(options)}`;
}

const draw = (choices: readonly (readonly PooledUtterance[] | undefined)[], rng: Rng): string =>
  rng.pick(choices.find((said) => said !== undefined && said.length > 0)!).said.text;
