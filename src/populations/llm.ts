import {
  type AgentModel,
  completePrompts,
  completeRoles,
  languageAgent,
  type Prompts,
  type RoleInput,
  wrongAnswers,
} from "../agents/index.ts";
import { ColloquyError } from "../base/errors.ts";
import type { Population } from "../contracts/population.ts";

/** A team of language models. */
export interface LanguageTeamSettings {
  /** Name of the benchmark: chooses the roles where none are given. */
  readonly task: string;
  /** Agent i uses model i, around again. */
  readonly models: readonly AgentModel[];
  /** Agent i has role i, around again. */
  readonly roles?: readonly RoleInput[];
  readonly prompts?: Partial<Prompts>;
  /**
   * Episodes share at most so many draws of the same prompt, to save calls (a cache then answers the rest). Default
   * `null`: every episode draws anew.
   */
  readonly draws?: number | null;
  /** The most characters of one utterance that others are told. Default 4,000. */
  readonly messageLength?: number;
  /** What to do where a server seems to have cut a prompt. Default `warn`. */
  readonly truncatedPrompt?: "warn" | "fail";
  onWarning?(warning: string): void;
}

/**
 * Language models, each in a role, that answer a turn by one call. What the same agent is asked in the same episode has the
 * same `sample` whatever runs beside it, so a cache gives back every episode.
 * @throws ColloquyError `agents/models`, `agents/roles`, `agents/template`, `agents/setting`
 */
export function languagePopulation(settings: LanguageTeamSettings): Population {
  const { models, draws = null, messageLength = 4_000, truncatedPrompt = "warn", onWarning } = settings;
  const roles = completeRoles(settings.task, settings.roles);
  const prompts = completePrompts(settings.prompts);
  if (models.length === 0) {
    throw new ColloquyError("agents/models", "a team of language models needs at least one model", {
      hint: "Name one in the recipe.",
    });
  }
  if (draws !== null) checkPositive("draws", draws);
  checkPositive("messageLength", messageLength);
  return {
    name: "llm",
    team(_question, agents, rng) {
      const draw = draws === null ? null : rng.fork("draw").integer(draws);
      return Array.from({ length: agents }, (_, index) => {
        const model = models[index % models.length];
        const role = roles[index % roles.length];
        const manner = { role, prompts, messageLength, structured: model.structured === true };
        return languageAgent({ index, model, manner, draw, truncatedPrompt, onWarning });
      });
    },
    targets: wrongAnswers,
  };
}

function checkPositive(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value > 0) return;
  throw new ColloquyError("agents/setting", `${name} is ${value}`, { hint: "Give a whole number of at least 1." });
}
