import type { Judge, MindUsage } from "../../contracts/workplace/mind.ts";
import { type AskedModel, ask, type Reading } from "./ask.ts";
import { describeIssues, judgement, judgementForm } from "./forms.ts";
import { writeJudgement } from "./prompts.ts";
import { openTally } from "./tally.ts";

/** How a model judges. */
export interface ModelJudgeSettings extends AskedModel {
  /** Default 0. */
  readonly temperature?: number;
  /** Judges answers without words, and where the model's judgement cannot be read. */
  readonly fallback: Judge;
  /** Which draw of equal judgements this is. Default 0. */
  readonly draw?: number;
}

/** A judge that counts what its calls took. */
export type ModelJudge = Judge & { usage(): MindUsage };

/** The most that an answer can raise understanding by (C2C, section 3.2), in thousandths. */
const mostGained = 500;

/**
 * Δ by a language model's judgement of how well an answer meets the gap, its relevance and its clarity (C2C, section 3.2),
 * clipped to 0..500. Equal exchanges are equal requests. A model judge has leanings of its own (long and confident answers
 * please it), which the paper names as a limit. Calls that fail are thrown as the model threw them.
 */
export function modelJudge({ fallback, draw = 0, temperature = 0, ...model }: ModelJudgeSettings): ModelJudge {
  const asked: AskedModel = { ...model, temperature };
  const tally = openTally();
  const judge: Judge = async (exchange) => {
    if (!exchange.guidance.text?.trim()) return fallback(exchange);
    const query = {
      messages: writeJudgement(exchange),
      form: judgementForm,
      read: readJudgement,
      sample: (attempt: number) => 2 * draw + attempt,
      label: `judge of a ${exchange.type}`,
      signal: exchange.signal,
    };
    const reading = await ask(asked, query, tally);
    return "value" in reading ? reading.value : fallback(exchange);
  };
  return Object.assign(judge, { usage: tally.usage });
}

function readJudgement(value: unknown): Reading<number> {
  const read = judgement.safeParse(value);
  if (!read.success) return { problem: describeIssues(read.error) };
  return { value: Math.round(Math.min(mostGained, Math.max(0, read.data.delta * 1000))) };
}
