import { ColloquyError, suggest } from "../base/errors.ts";
import { createRng } from "../base/rng.ts";
import { optionLetter, type Question } from "../contracts/task.ts";

/**
 * Families of questions for simulated teams. `independent`: every agent can answer, a vote is nearly enough.
 * `distributed`: every agent knows a part, so somebody has to speak and somebody has to listen.
 */
export const families = ["independent", "distributed"] as const;
export type Family = (typeof families)[number];

/** Settings of generated questions. */
export interface SyntheticSettings {
  /** Questions of one seed are the same everywhere; more of them only go on where fewer stop. */
  readonly seed: number;
  readonly count: number;
  /** One family, or both by turns. */
  readonly family: Family | "mixture";
}

export const defaultSynthetic: SyntheticSettings = { seed: 0, count: 200, family: "mixture" };

const options = ["the first", "the second", "the third", "the fourth"];

/**
 * Questions without content: `subject` names the family, the gold answer is uniform over four options, and the id
 * (`distributed/7/12`) is all that a simulated population reads its hidden facts from.
 * @throws ColloquyError `task/synthetic` for an unknown family, or a count or seed that is no whole number
 */
export function syntheticQuestions(settings: SyntheticSettings = defaultSynthetic): Question[] {
  const { seed, count, family } = checked(settings);
  const gold = createRng(seed).fork("synthetic questions");
  return Array.from({ length: count }, (_, i) => {
    const subject = family === "mixture" ? families[i % families.length] : family;
    return {
      id: `${subject}/${seed}/${i}`,
      text: `Simulated question ${i} of seed ${seed} (${subject}): which option is right?`,
      options,
      gold: optionLetter(gold.fork(i).integer(options.length)),
      subject,
    };
  });
}

function checked(settings: SyntheticSettings): SyntheticSettings {
  const { seed, count, family } = settings;
  const known: readonly string[] = [...families, "mixture"];
  if (!known.includes(family)) {
    throw new ColloquyError("task/synthetic", `there is no family of simulated questions "${family}"`, {
      hint: suggest(family, known),
    });
  }
  if (!(Number.isSafeInteger(seed) && Number.isSafeInteger(count) && count >= 0)) {
    throw new ColloquyError("task/synthetic", `cannot generate ${count} simulated questions from seed ${seed}`, {
      hint: "Both are whole numbers, and the count is not negative.",
    });
  }
  return settings;
}
