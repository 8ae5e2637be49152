import { type DataRecord, fieldError, optionalTextAt, textAt } from "../files/data-record.ts";
import { type Benchmark, type Form, hasFields, optional } from "./benchmark.ts";

/** The original: the test defines `check`, and whoever runs it calls it. Here the call stands behind the test. */
const original: Form = {
  fits: hasFields("task_id", "prompt", "entry_point", "test"),
  read: (record) => {
    const prompt = textAt(record, "prompt");
    const entryPoint = checkName(record, "entry_point", textAt(record, "entry_point"));
    const solution = optionalTextAt(record, "canonical_solution");
    return {
      text: prompt,
      answer: solution === undefined ? undefined : prompt + solution,
      answerField: "canonical_solution",
      code: { prompt, entryPoint, test: `${textAt(record, "test").trimEnd()}\n\ncheck(${entryPoint})\n` },
      ...optional(record, "id", "task_id"),
    };
  },
};

/** MultiPL-E's rendering: no solution, and a test that calls itself. */
const multiPlE: Form = {
  fits: (fields) => hasFields("name", "prompt")(fields) && (hasFields("test")(fields) || hasFields("tests")(fields)),
  read: (record) => {
    const prompt = textAt(record, "prompt");
    const testField = Object.hasOwn(record.fields, "tests") ? "tests" : "test";
    const test = textAt(record, testField);
    // The test calls check(NAME); the file lying on the hub has no field for the name.
    const named = optionalTextAt(record, "entry_point") ?? /^\s+check\((\w+)\)\s*$/m.exec(test)?.[1];
    if (named === undefined) throw fieldError(record, testField, "does not say which function it checks");
    return {
      text: prompt,
      answer: undefined,
      answerField: "canonical_solution",
      code: { prompt, entryPoint: checkName(record, "entry_point", named), test },
      ...optional(record, "id", "name"),
    };
  },
};

/** It is written into a program. */
function checkName(record: DataRecord, field: string, name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  throw fieldError(record, field, `should be the name of a Python function, not ${JSON.stringify(name)}`);
}

export const humanEval: Benchmark = {
  summary: "Python functions to write, judged by running tests",
  kind: "code",
  version: "humaneval@1",
  card: {
    title: "HumanEval: functions to write from their docstrings (Chen et al. 2021)",
    sources: [
      {
        url: "https://github.com/openai/human-eval",
        commit: "6d43fb980f9fee3c892a914eda09951f772ad10d",
        files: "data/HumanEval.jsonl.gz",
      },
      {
        url: "https://github.com/metauto-ai/GPTSwarm",
        files: "datasets/humaneval/humaneval-py.jsonl (MultiPL-E's rendering)",
      },
    ],
    licence: "MIT",
    counts: { "HumanEval.jsonl.gz": 164, "humaneval-py.jsonl": 161 },
    fields: [
      "task_id, prompt, entry_point, canonical_solution, test",
      "name, prompt, entry_point, test or tests (MultiPL-E; no solutions)",
    ],
    notes: "Answers are programs, judged by running them with the test. Name one of the two files, not their folder.",
  },
  forms: [original, multiPlE],
};
