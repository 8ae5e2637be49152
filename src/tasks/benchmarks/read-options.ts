import { isRecord } from "../../base/json.ts";
import { asText, type DataRecord, fieldError, show, valueAt } from "../files/data-record.ts";
import { parsePythonLiteral } from "./python-literal.ts";

/** The options of a choice in order, with the labels they have in the file, where they have some. */
export interface ChoiceTexts {
  readonly texts: readonly string[];
  /** `1`, `2`, … or `A`, `B`, …: an answer may name them. */
  readonly labels?: readonly string[];
}

/** As many as there are letters. */
export const mostOptions = 26;

/**
 * Options from one field that holds them all: a list of texts, a list of records with a text and a label, lists of texts
 * and of labels side by side, texts by letter, or any of these as JSON or
 * as Python inside a cell.
 * @throws ColloquyError `task/field`
 */
export function optionsAt(record: DataRecord, path: string): ChoiceTexts {
  const value = valueAt(record.fields, path);
  const labels = path.endsWith(".text") ? valueAt(record.fields, path.replace(/text$/, "label")) : undefined;
  const whole = Array.isArray(labels) && Array.isArray(value) ? { text: value, label: labels } : value;
  return checkOptions(record, path, readOptions(record, path, whole));
}

/** Options from one field each. Cells with nothing in them behind the last option are no options (questions differ in number). */
export function optionsOf(record: DataRecord, paths: readonly string[]): ChoiceTexts {
  const values = paths.map((path) => valueAt(record.fields, path));
  while (values.length > 0 && (values.at(-1) === null || values.at(-1) === undefined)) values.pop();
  // Nothing between two delimiters is an empty text: were it left out, the letters behind it would change.
  const texts = values.map((value, index) => (value === null ? "" : asText(record, paths[index], value)));
  return checkOptions(record, paths.join(", "), { texts });
}

function readOptions(record: DataRecord, path: string, value: unknown): ChoiceTexts {
  if (typeof value === "string") {
    const parsed = /^\s*[[{]/.test(value) ? parse(value) : undefined;
    if (parsed !== undefined) return readOptions(record, path, parsed);
  } else if (Array.isArray(value)) {
    return value.length > 0 && value.every(isRecord)
      ? readLabelled(record, path, value)
      : { texts: all(record, path, value) };
  } else if (isRecord(value)) {
    if (Array.isArray(value.text)) {
      const texts = all(record, path, value.text);
      return Array.isArray(value.label) ? { texts, labels: all(record, path, value.label) } : { texts };
    }
    const entries = Object.entries(value).filter(([, text]) => text !== null);
    if (entries.length > 0 && entries.every(([name]) => /^(?:[A-Za-z]|\d{1,2})$/.test(name))) {
      entries.sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
      return {
        texts: all(
          record,
          path,
          entries.map(([, text]) => text),
        ),
        labels: entries.map(([name]) => name),
      };
    }
  }
  throw fieldError(record, path, value === undefined ? "is missing" : `holds no options: ${show(value)}`, form);
}

const form = 'Options are a list of texts, {"A": "…", "B": "…"}, [{"label": "A", "text": "…"}], or one field each.';

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parsePythonLiteral(text);
  }
}

function readLabelled(record: DataRecord, path: string, items: readonly Record<string, unknown>[]): ChoiceTexts {
  const textKey = ["text", "value", "content", "option"].find((key) => items.every((item) => Object.hasOwn(item, key)));
  const labelKey = ["label", "key", "id", "letter"].find((key) => items.every((item) => Object.hasOwn(item, key)));
  if (textKey === undefined) throw fieldError(record, path, `holds no texts: ${show(items)}`, form);
  const texts = all(
    record,
    path,
    items.map((item) => item[textKey]),
  );
  return labelKey === undefined
    ? { texts }
    : {
        texts,
        labels: all(
          record,
          path,
          items.map((item) => item[labelKey]),
        ),
      };
}

const all = (record: DataRecord, path: string, values: readonly unknown[]): string[] =>
  values.map((value, index) => asText(record, `${path}.${index}`, value));

/** @throws ColloquyError `task/field` for fewer than two options, more than there are letters, or labels that do not fit */
export function checkOptions(record: DataRecord, path: string, options: ChoiceTexts): ChoiceTexts {
  const { texts, labels } = options;
  if (texts.length < 2 || texts.length > mostOptions) {
    throw fieldError(record, path, `holds ${texts.length} options; a choice has 2 to ${mostOptions}`);
  }
  if (labels && (labels.length !== texts.length || new Set(labels).size < labels.length)) {
    throw fieldError(record, path, `has labels that do not fit its ${texts.length} options: ${show(labels)}`);
  }
  return options;
}
