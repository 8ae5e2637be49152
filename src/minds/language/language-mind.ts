import { createRng } from "../../base/rng.ts";
import type { Guidance } from "../../contracts/workplace/message.ts";
import type { Intention, Mind, MindContext } from "../../contracts/workplace/mind.ts";
import { type AskedModel, ask, type Reading } from "./ask.ts";
import { contribution, contributionForm, decisionForm, describeIssues } from "./forms.ts";
import { writeContribution, writeDecision } from "./prompts.ts";
import { noGuidance, readGuidance } from "./read-guidance.ts";
import { readIntention } from "./read-intention.ts";
import { lookAround } from "./scene.ts";
import { openTally } from "./tally.ts";

/** How one agent thinks with a model. */
export interface LanguageMindSettings extends AskedModel {
  /** Default 0.7 (C2C, section 4.1). */
  readonly temperature?: number;
  /** Which of a bounded number of draws this episode uses; `null`, the default: one of its own. */
  readonly draw?: number | null;
}

/**
 * A mind that decides by one call of a language model a step, two where the first reply cannot be read. Where neither can,
 * it works on its first ready subtask, or waits, and says so in the reason. It remembers nothing but what calls took.
 * Calls that fail are thrown as the model threw them (ColloquyError, `llm/…`).
 */
export function languageMind(settings: LanguageMindSettings): Mind & Required<Pick<Mind, "usage">> {
  const { temperature = 0.7, draw = null } = settings;
  const asked: AskedModel = { ...settings, temperature };
  const tally = openTally();

  /** What all questions of a step have in common. Each attempt is a draw of its own, and the same one each time. */
  const callOf = ({ agent, step, rng, orders, signal }: MindContext, what: "decide" | "contribute") => ({
    sample: (attempt: number) => {
      const stream = draw === null ? rng.fork("reply") : createRng("draws").fork(draw, agent, step);
      return stream.fork(what, attempt).integer(2147483647);
    },
    label: `agent ${agent}, step ${step}, ${what}${orders ? ", under orders" : ""}`,
    signal,
  });

  return {
    async decide(context): Promise<Intention> {
      const scene = lookAround(context);
      const query = {
        ...callOf(context, "decide"),
        messages: writeDecision(scene),
        form: decisionForm,
        read: (value: unknown) => readIntention(value, scene),
      };
      const reading = await ask(asked, query, tally);
      return "value" in reading ? reading.value : fallBack(context, reading.problem);
    },

    async contribute(context, about, topics): Promise<Guidance> {
      const query = {
        ...callOf(context, "contribute"),
        messages: writeContribution(context, about, topics),
        form: contributionForm,
        read: (value: unknown): Reading<Guidance> => {
          const read = contribution.safeParse(value);
          return read.success
            ? { value: readGuidance(read.data.text, topics) }
            : { problem: describeIssues(read.error) };
        },
      };
      const reading = await ask(asked, query, tally);
      return "value" in reading ? reading.value : noGuidance;
    },

    usage: tally.usage,
  };
}

function fallBack({ subtasks }: MindContext, problem: string): Intention {
  const why = `the model's reply could not be used (${problem})`;
  const ready = subtasks.find(({ isReady }) => isReady);
  if (ready === undefined) return { kind: "wait", reason: `${why}, and nothing is ready: waits` };
  return { kind: "work", subtask: ready.id, reason: `${why}: works on subtask ${ready.id}` };
}
