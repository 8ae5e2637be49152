import { ColloquyError, suggest } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { defaultSimulation, type SimulationSettings } from "./settings.ts";

/**
 * Checks names, kinds and ranges of settings that somebody wrote.
 * @throws ColloquyError `population/setting` that names the setting and its value
 */
export function checkSimulation(settings: SimulationSettings): void {
  requireShape(settings, defaultSimulation, "");
  const { independent, distributed, roles, signal, embeddingDimension } = settings;
  const { accuracy, sameWrong, redraw, force, skillOffsets, ownWeight, misconceptionWeight, ...sizes } = independent;
  const { questionTrace, answerTrace, competenceTrace } = settings;
  const { pieces, copies, falsePieces } = distributed;

  requireEach({ "number of roles": roles.length, "number of signals": signal.length }, (n) => n > 0, "at least 1");
  const inside = (p: number): boolean => p > 0 && p < 1;
  requireEach({ accuracy, ...label("signal", signal) }, inside, "between 0 and 1, both excluded");
  const isProbability = (p: number): boolean => p >= 0 && p <= 1;
  requireEach({ sameWrong, redraw, "distributed.accuracy": distributed.accuracy }, isProbability, "between 0 and 1");
  const isSize = (x: number): boolean => x >= 0 && x < Number.POSITIVE_INFINITY;
  requireEach({ ...sizes, ...force, questionTrace, answerTrace, competenceTrace }, isSize, "a number of at least 0");
  requireEach({ ownWeight, misconceptionWeight, ...label("skillOffsets", skillOffsets) }, Number.isFinite, "a number");
  const isCount = (least: number) => (n: number) => Number.isSafeInteger(n) && n >= least;
  requireEach({ copies, falsePieces }, isCount(0), "a whole number of at least 0");
  requireEach({ pieces }, isCount(1), "a whole number of at least 1");
  requireEach({ embeddingDimension }, isCount(2), "a whole number of at least 2");
}

/** Every setting there is in `model`, of the same kind, and no other. */
function requireShape(given: object, model: object, path: string): void {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(model, name)) continue;
    throw new ColloquyError("population/setting", `simulated population: there is no setting ${path}${name}`, {
      hint: suggest(name, Object.keys(model)),
    });
  }
  for (const [name, example] of Object.entries(model)) {
    const value: unknown = (given as Record<string, unknown>)[name];
    if (kindOf(value) !== kindOf(example)) fail(path + name, value, `a ${kindOf(example)}`);
    if (isRecord(example)) requireShape(value as object, example, `${path}${name}.`);
  }
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? "list" : value === null ? "null" : typeof value);

function requireEach(values: Record<string, number>, isFine: (value: number) => boolean, range: string): void {
  for (const [name, value] of Object.entries(values)) if (!isFine(value)) fail(name, value, range);
}

const label = (name: string, values: readonly number[]): Record<string, number> =>
  Object.fromEntries(values.map((value, i) => [`${name}[${i}]`, value]));

function fail(name: string, value: unknown, range: string): never {
  throw new ColloquyError("population/setting", `simulated population: ${name} is ${value}`, {
    hint: `It must be ${range}.`,
  });
}
