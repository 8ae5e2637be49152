import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { optionLetter, type Question } from "../src/contracts/task.ts";
import { tasks } from "../src/tasks/index.ts";
import { type OpenTask, openTask } from "../src/tasks/open-task.ts";
import type { TaskSettings } from "../src/tasks/task-settings.ts";
import { parquet } from "./support/parquet-files.ts";

const data = "../shared/data/benchmarks";
const skipped = existsSync(data) ? "" : " (skipped: benchmark files not present)";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "colloquy-benchmarks-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(content: string | Uint8Array, name = "own.data"): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

type Rest = Omit<TaskSettings, "file">;
const open = (content: string | Uint8Array, settings: Rest = {}, name?: string): Promise<OpenTask> =>
  openTask({ file: write(content, name), ...settings });
const lines = (...records: readonly unknown[]): string => records.map((record) => JSON.stringify(record)).join("\n");
const golds = ({ questions }: OpenTask) => questions.map(({ gold }) => gold);

describe.skipIf(!existsSync(data))(`the benchmark files${skipped}`, () => {
  const opened = new Map<string, OpenTask>();
  const files: readonly [key: string, name: string, file: string, count: number][] = [
    ["mmlu", "mmlu", "mmlu", 285 + 1531 + 14_042],
    ["gsm8k train", "gsm8k", "gsm8k/train.jsonl", 7473],
    ["gsm8k test", "gsm8k", "gsm8k/test.jsonl", 1319],
    ["aqua dev", "aqua", "aqua/dev.json", 254],
    ["aqua test", "aqua", "aqua/test.json", 254],
    ["svamp", "svamp", "svamp/SVAMP.json", 1000],
    ["multiarith", "multiarith", "multiarith", 600],
    ["arc-challenge", "arc-challenge", "arc", 1172],
    ["arc-easy", "arc-easy", "arc/ARC-Easy.test.json", 2376],
    ["openbookqa", "openbookqa", "arc/openbookqa.test.json", 500],
    ["humaneval", "humaneval", "humaneval/HumanEval.jsonl.gz", 164],
    ["humaneval-py", "humaneval", "humaneval/humaneval-py.jsonl", 161],
  ];
  beforeAll(async () => {
    for (const [key, name, file] of files) opened.set(key, await openTask({ name, file: join(data, file) }));
  });
  const questionsOf = (key: string): Question[] => opened.get(key)!.questions;
  const jsonOf = (file: string): Record<string, never>[] => JSON.parse(readFileSync(join(data, file), "utf8"));
  const jsonLinesOf = (file: string): Record<string, never>[] => {
    const bytes = readFileSync(join(data, file));
    const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
    return text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  };

  it.each(files)("%s: has every question once, whole, with a gold answer that it can have", (key, name, _, count) => {
    const { questions, version } = opened.get(key)!;
    expect(questions).toHaveLength(count);
    expect(version).toBe(`${name}@1`);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(count);
    for (const { text, options, gold, kind, code } of questions) {
      expect(text.trim()).not.toBe("");
      expect(kind).toBe(tasks[name as keyof typeof tasks].kind);
      if (kind === "choice") {
        expect(options.length).toBeGreaterThanOrEqual(3);
        expect(options.map((_option, index) => optionLetter(index))).toContain(gold);
      } else expect(options).toEqual([]);
      if (kind === "number") expect(gold).toMatch(/^-?\d+(?:\.\d+)?$/);
      if (kind === "code") expect(code?.prompt).toContain(`def ${code?.entryPoint}(`);
    }
  });

  it("MMLU: has 57 subjects, each in its three parts, and the answers that a plain reading of the last cell gives", () => {
    const questions = questionsOf("mmlu");
    expect(new Set(questions.map(({ subject }) => subject)).size).toBe(57);
    for (const [part, count] of Object.entries({ dev: 285, val: 1531, test: 14_042 })) {
      const answers = readdirSync(join(data, "mmlu", part))
        .sort()
        .map((name) => {
          // Every answer is a lone capital behind the last comma, and no other line ends so.
          const text = readFileSync(join(data, "mmlu", part, name), "utf8");
          return [name.replace(/_(?:dev|val|test)\.csv$/, ""), text.match(/,[ABCD]\r?$/gm)!.map((cell) => cell[1])];
        });
      const inPart = questions.filter((question) => question.part === part);
      expect(inPart).toHaveLength(count);
      for (const [subject, letters] of answers) {
        const found = inPart.filter((question) => question.subject === subject).map(({ gold }) => gold);
        expect(found, `${subject} ${part}`).toEqual(letters);
      }
    }
  });

  it("MMLU: keeps options that read `None`, and asks for one part or one file alike", async () => {
    const words = questionsOf("mmlu").flatMap(({ options }) => options);
    expect(words.filter((option) => option === "None")).toHaveLength(12);
    const dev = await openTask({ name: "mmlu", file: join(data, "mmlu"), parts: ["dev"] });
    expect(dev.questions).toEqual(questionsOf("mmlu").filter(({ part }) => part === "dev"));
    const one = await openTask({ name: "mmlu", file: join(data, "mmlu/dev/anatomy_dev.csv") });
    expect(one.questions).toEqual(dev.questions.filter(({ subject }) => subject === "anatomy"));
    const own = await openTask({ file: join(data, "mmlu/dev/anatomy_dev.csv") });
    expect(own.questions).toEqual(one.questions.map(({ subject: _subject, ...question }) => question));
  });

  it.each(["train", "test"])("GSM8K %s: has the number behind ####, without separators", (part) => {
    const solutions = jsonLinesOf(`gsm8k/${part}.jsonl`).map(({ answer }) => String(answer));
    expect(questionsOf(`gsm8k ${part}`).map(({ gold }) => gold)).toEqual(
      solutions.map((solution) => solution.split("#### ")[1].replaceAll(",", "")),
    );
  });

  it.each(["dev", "test"])("AQuA %s: has its letters, and options without theirs", (part) => {
    const raw = jsonLinesOf(`aqua/${part}.json`);
    const questions = questionsOf(`aqua ${part}`);
    expect(questions.map(({ gold }) => gold)).toEqual(raw.map(({ correct }) => correct));
    for (const [i, { options }] of questions.entries()) {
      expect(options.map((option, index) => `${optionLetter(index)})${option}`)).toEqual(
        (raw[i].options as string[]).map((option) => option.replace(/^(.\))\s+/, "$1").trim()),
      );
    }
  });

  it("SVAMP and MultiArith: have the numbers of the files, their questions and their ids", () => {
    const svamp = jsonOf("svamp/SVAMP.json");
    expect(questionsOf("svamp").map(({ gold, id }) => [Number(gold), id])).toEqual(
      svamp.map(({ Answer, ID }) => [Answer, ID]),
    );
    expect(questionsOf("svamp")[0].text).toBe(
      "Each pack of dvds costs 76 dollars. If there is a discount of 25 dollars on each pack How much do you have to pay to buy each pack?",
    );
    const multiArith = jsonOf("multiarith/MultiArith.json");
    expect(questionsOf("multiarith").map(({ gold, id, text }) => [Number(gold), id, text])).toEqual(
      multiArith.map(({ lSolutions, iIndex, sQuestion }) => [lSolutions[0], String(iIndex), String(sQuestion).trim()]),
    );
  });

  it.each([
    ["arc-challenge", "arc/ARC-Challenge.test.json", { 3: 4, 4: 1165, 5: 3 }],
    ["arc-easy", "arc/ARC-Easy.test.json", { 3: 7, 4: 2365, 5: 4 }],
    ["openbookqa", "arc/openbookqa.test.json", { 4: 500 }],
  ])("%s: takes instructions apart so that they can be put together again", (key, file, sizes) => {
    const raw = jsonOf(file);
    const questions = questionsOf(key);
    const found: Record<number, number> = {};
    for (const [i, { text, options, gold }] of questions.entries()) {
      found[options.length] = (found[options.length] ?? 0) + 1;
      const answers = options.map((option, index) => `Answer${index + 1}: ${option}`).join(" ");
      const names = options.map((_, index) => `answer${index + 1}`).join("/");
      const whole = `Please choose the correct answer to the question: ${text}\n\n${answers}\n\nAnswer format: ${names}`;
      const normal = (value: string) => value.replace(/\s+/g, " ");
      expect(normal(whole)).toBe(normal(raw[i].instruction));
      expect(`answer${gold!.charCodeAt(0) - 64}`).toBe(raw[i].answer);
    }
    expect(found).toEqual(sizes);
  });

  it("HumanEval: has prompt, program and a test that calls its function, in both renderings", () => {
    const raw = jsonLinesOf("humaneval/HumanEval.jsonl.gz");
    for (const [i, { id, text, gold, code }] of questionsOf("humaneval").entries()) {
      const { task_id, prompt, canonical_solution, entry_point, test } = raw[i];
      expect([id, text, gold]).toEqual([task_id, prompt, `${prompt}${canonical_solution}`]);
      expect(code?.entryPoint).toBe(entry_point);
      expect(code?.test).toBe(`${String(test).trimEnd()}\n\ncheck(${entry_point})\n`);
    }
    for (const { gold, code } of questionsOf("humaneval-py")) {
      expect(gold).toBeNull();
      expect(code?.test).toContain(`check(${code?.entryPoint})\n\ntest_check()`);
    }
  });

  it("says how many questions are copies of others", () => {
    expect(opened.get("mmlu")!.warnings).toEqual([expect.stringMatching(/^142 of 15858 questions are copies/)]);
    expect(opened.get("gsm8k test")!.warnings).toEqual([]);
  });
});

describe("the original forms of benchmarks", () => {
  const stems = [
    {
      id: "Mercury_7175875",
      question: {
        stem: "What rotates faster?",
        choices: [
          { text: "density", label: "A" },
          { text: "years", label: "B" },
          { text: "days", label: "C" },
          { text: "gravity", label: "D" },
        ],
      },
      answerKey: "C",
    },
    {
      id: "NYSEDREGENTS_2013_8_30",
      question: {
        stem: "Which is ice?",
        choices: [
          { text: "liquid", label: "1" },
          { text: "solid", label: "2" },
          { text: "gas", label: "3" },
        ],
      },
      answerKey: "2",
    },
  ];

  it.each(["arc-challenge", "arc-easy", "openbookqa"])(
    "%s: JSON lines with stem and labelled choices",
    async (name) => {
      const { questions, warnings } = await open(lines(...stems), { name }, "Test.jsonl");
      expect(questions).toEqual([
        {
          id: "Mercury_7175875",
          text: "What rotates faster?",
          options: ["density", "years", "days", "gravity"],
          gold: "C",
          kind: "choice",
          part: "test",
        },
        {
          id: "NYSEDREGENTS_2013_8_30",
          text: "Which is ice?",
          options: ["liquid", "solid", "gas"],
          gold: "B",
          kind: "choice",
          part: "test",
        },
      ]);
      expect(warnings).toEqual([]);
    },
  );

  it("ARC: Parquet with texts and labels side by side", async () => {
    const task = await open(Buffer.from(parquet.arcSnappy, "base64"), { name: "arc-challenge" }, "test-00000.parquet");
    expect(golds(task)).toEqual(["B", "B"]);
    expect(task.questions.map(({ id }) => id)).toEqual(["Mercury_1", "NYSEDREGENTS_2"]);
  });

  it("OpenBookQA: question_stem, texts and labels", async () => {
    const record = { id: "7-980", question_stem: "The sun is", choices: { text: ["a", "b"], label: ["A", "B"] } };
    const task = await open(lines({ ...record, answerKey: "B" }), { name: "openbookqa" });
    expect(task.questions).toMatchObject([{ id: "7-980", text: "The sun is", options: ["a", "b"], gold: "B" }]);
  });

  it("MMLU: Parquet with a list and an index, CSV with a header, the same questions", async () => {
    const fromParquet = await open(Buffer.from(parquet.mmluGzip, "base64"), { name: "mmlu" });
    const rows = "question,A,B,C,D,answer,subject\n1+1?,1,2,3,4,B,abstract_algebra\nNone?,None,x,y,z,A,logic\n";
    const fromCsv = await open(rows, { name: "mmlu" });
    const strip = ({ questions }: OpenTask) => questions.map(({ id: _, ...question }) => question);
    expect(strip(fromParquet)).toEqual(strip(fromCsv));
    expect(golds(fromParquet)).toEqual(["B", "A"]);
    expect(fromParquet.warnings).toEqual([]);
  });

  it("MedQA: JSON lines with four or five options by letter", async () => {
    const question = (text: string, letters: string, answer: string) => ({
      question: text,
      answer: `text ${answer}`,
      options: Object.fromEntries([...letters].map((letter) => [letter, `text ${letter}`])),
      meta_info: "step1",
      answer_idx: answer,
    });
    const task = await open(
      lines(question("A junior resident …?", "ABCDE", "E"), question("A boy …?", "ABCD", "B")),
      { name: "medqa" },
      "phrases_no_exclude_test.jsonl",
    );
    expect(task.questions.map(({ options, gold, subject, part }) => [options.length, gold, subject, part])).toEqual([
      [5, "E", "step1", "test"],
      [4, "B", "step1", "test"],
    ]);
    const listed = {
      question: "q?",
      options: [
        { key: "A", value: "x" },
        { key: "B", value: "y" },
      ],
      answer_idx: "B",
    };
    expect((await open(lines(listed), { name: "medqa" })).questions[0]).toMatchObject({
      options: ["x", "y"],
      gold: "B",
    });
  });

  it.each([
    ["#### -5", "-5"],
    ["so\n#### 1,450,000", "1450000"],
    ["#### $18.50", "18.5"],
    ["#### 3 and then #### 72.0", "72"],
  ])("GSM8K: the number in %j", async (answer, gold) => {
    expect(golds(await open(lines({ question: "q", answer }), { name: "gsm8k" }))).toEqual([gold]);
  });

  it("MultiPL-E: tests under another name, without the name of the function", async () => {
    const tests =
      "def check(candidate):\n    assert candidate(1) == 2\n\ndef test_check():\n    check(inc)\n\ntest_check()\n";
    const record = { name: "HumanEval_0_inc", language: "py", prompt: "def inc(x):\n", tests, stop_tokens: [] };
    const { questions } = await open(lines(record), { name: "humaneval" });
    expect(questions[0]).toMatchObject({ id: "HumanEval_0_inc", gold: null, code: { entryPoint: "inc", test: tests } });
    const evil = { task_id: "x", prompt: "p", entry_point: "f)\nimport os", test: "t" };
    await expect(open(lines(evil), { name: "humaneval" })).rejects.toThrow(/field "entry_point" should be the name/);
  });

  it("C15: HumanEval is the same under a wrong name, zipped or not", async () => {
    const record = {
      task_id: "HumanEval/0",
      prompt: "def f():\n",
      entry_point: "f",
      canonical_solution: "  return 1",
      test: "",
    };
    const text = lines({ ...record, test: "def check(c): assert c() == 1" });
    const plain = await open(text, { name: "humaneval" }, "HumanEval.jsonl.gz");
    expect(await open(gzipSync(text), { name: "humaneval" }, "x.jsonl")).toEqual(plain);
    expect(plain.questions).toHaveLength(1);
  });

  it("a record of no form is an error with its fields and the forms there are", async () => {
    await expect(open(lines({ frage: 1, antwort: 2 }), { name: "aqua" })).rejects.toMatchObject({
      code: "task/form",
      message: expect.stringContaining("frage, antwort"),
      hint: expect.stringContaining("correct (letter)"),
    });
    await expect(openTask({ name: "mlmu", file: "x" })).rejects.toMatchObject({
      hint: expect.stringContaining('"mmlu"'),
    });
    await expect(open("x", { name: "mmlu", fields: { answer: "x" } })).rejects.toMatchObject({ code: "task/settings" });
    await expect(open("x", { name: "mmlu", kind: "number" })).rejects.toMatchObject({ code: "task/settings" });
  });

  it("has a card for each that says where it is, and under which licence", () => {
    for (const [name, task] of Object.entries(tasks)) {
      expect(task.version).toBe(`${name}@1`);
      if (!("card" in task)) continue;
      expect(task.card.licence).not.toBe("");
      expect(task.card.sources[0].url).toMatch(/^https:\/\/github\.com\//);
      expect(task.card.sources[0].commit).toMatch(/^[0-9a-f]{40}$/);
    }
  });
});

describe("gold answers of a choice", () => {
  const choice = (answer: unknown, choices: readonly unknown[] = ["w", "x", "y", "z"]) => ({
    question: "q",
    choices,
    answer,
  });
  const ask = (...answers: readonly unknown[]) => open(lines(...answers.map((answer) => choice(answer))));

  it("C11: an index and a letter mixed in one file both mean C", async () => {
    const task = await ask(2, "C");
    expect(golds(task)).toEqual(["C", "C"]);
    expect(golds(await ask("2", "c", 0))).toEqual(["C", "C", "A"]);
  });

  it.each([
    [7, /line 2: field "answer" is 7/],
    [4, /line 2: field "answer" is 4, .*numbers run from 0 to 3/],
    [-1, /line 2: field "answer" is -1/],
    ["E", /line 2: field "answer" is "E"/],
    ["none of them", /line 2: field "answer" is "none of them"/],
    [1.5, /line 2: field "answer" is 1.5/],
    [["A"], /line 2: field "answer" is \["A"\]/],
    [null, /line 2: field "answer" holds no answer \(1 of 3 records\)/],
    ["", /line 2: field "answer" holds no answer/],
  ])("C11: %j among four options is an error with line, field and value", async (answer, message) => {
    await expect(ask("A", answer, 1)).rejects.toMatchObject({
      code: "task/field",
      message: expect.stringMatching(message),
    });
  });

  it.each<[string, unknown, readonly unknown[], string]>([
    ["a number of a table with gaps", "2.0", ["w", "x", "y", "z"], "C"],
    ["a letter with spaces", " C\n", ["w", "x", "y", "z"], "C"],
    ["a letter and its text", "C - y", ["w", "x", "y", "z"], "C"],
    ["a letter, a colon and its text", "C: y", ["w", "x", "y", "z"], "C"],
    ["the name of a column", "option_c", ["w", "x", "y", "z"], "C"],
    ["the text of an option with a letter before it", "C", ["A) w", "B) x", "C) y"], "C"],
    ["true among yes and no", true, ["no", "yes"], "B"],
    ["false among yes and no", false, ["No.", "Yes."], "A"],
    ["true among true and false", true, ["True", "False"], "A"],
    ["the number of an option of numbers", 1, [10, 20, 30], "B"],
    ["the text of a numeric option", "2.0", ["1.0", "2.0", "4.0"], "B"],
  ])("C11: may be written as %s", async (_, answer, choices, gold) => {
    expect(golds(await open(lines(choice(answer, choices), choice(0, choices))))[0]).toBe(gold);
  });

  it.each([
    ["labels and texts", { choices: { text: ["x", "y", "z"], label: ["1", "2", "3"] }, answerKey: 3 }, "C"],
    ["answer_idx beside the text", { options: ["x", "y", "z"], answer: "y", answer_idx: 1 }, "B"],
    ["answer_index beside the letter", { options: ["x", "y", "z"], answer: "B", answer_index: 1 }, "B"],
    ["opa to opd and cop", { opa: "x", opb: "y", opc: "z", cop: 0 }, "A"],
    ["a label as text", { choices: ["x", "y"], label: "1" }, "B"],
    ["ten options and the letter I", { options: [..."abcdefghij"].map((name) => `${name}1`), answer: "I" }, "I"],
  ])("C11: are found under the names of known data sets: %s", async (_, fields, gold) => {
    expect(golds(await open(lines({ question: "q", ...fields })))).toEqual([gold]);
  });

  it.each([
    ["question,A,B,C,D,answer\nq?,None,NaN,NA,-,D\n", ["None", "NaN", "NA", "-"], "D"],
    ["q?,undefined,inf,#N/A,<NA>,D\n", ["undefined", "inf", "#N/A", "<NA>"], "D"],
    ["q?,NA,Two,One,Three,NA\n", ["NA", "Two", "One", "Three"], "A"],
    ["question\tA\tB\tanswer\nq?\tNone\tNaN\tA\n", ["None", "NaN"], "A"],
    ["question,A,B,C,answer\nq?,x,,z,C\n", ["x", "", "z"], "C"],
    ["question,A,B,C,answer\nq?,x,y,,B\n", ["x", "y"], "B"],
    ['question,options,answer\nq?,"[\'None\', ""it\'s""]",A\n', ["None", "it's"], "A"],
    ["question,options,answer\nq?,\"['0' '4'\n '2']\",2\n", ["0", "4", "2"], "C"],
    ["question,options,answer\nq?,\"{'A': 'None', 'B': 'x, y'}\",B\n", ["None", "x, y"], "B"],
    [
      "question,choices,answer\nq?,\"{'text': array(['a', 'b'], dtype=object), 'label': array(['A', 'B'], dtype=object)}\",B\n",
      ["a", "b"],
      "B",
    ],
    ['question,options,answer\nq?,"[""None"", ""Two""]",A\n', ["None", "Two"], "A"],
  ])("C12: options are read as they stand in %j", async (text, options, gold) => {
    expect((await open(text)).questions).toMatchObject([{ options, gold }]);
  });

  it("C12: words for nothing are options like others", async () => {
    const task = await open('"How many?",None,Two,One,Three,A\n');
    expect(task.questions).toMatchObject([{ text: "How many?", options: ["None", "Two", "One", "Three"], gold: "A" }]);
    const words = ["N/A", "nan", "NULL", "null", "NaN", "none", "-", "undefined"];
    const other = await open(`question,A,B,C,D,E,F,G,H,answer\nq?,${words.join(",")},NULL\n`).catch((error) => error);
    // NULL and null differ in case only: no text of exactly one option.
    expect(other).toMatchObject({ code: "task/field" });
    expect((await open(`question,A,B,C,D,E,F,G,H,answer\nq?,${words.join(",")},C\n`)).questions[0].options).toEqual(
      words,
    );
    expect((await open('q?,a,b,"",C\n')).questions[0].options).toEqual(["a", "b", ""]);
  });

  it("C13, C14: a file of one's own keeps its first and its last question", async () => {
    const row = '"Line one\nline two, said ""x""",1,2,3,4,B\r\n';
    for (const header of ["", "question,A,B,C,D,answer\r\n"]) {
      const { questions } = await open(`\uFEFF${header}${row}\r\n`);
      expect(questions).toMatchObject([
        { text: 'Line one\nline two, said "x"', options: ["1", "2", "3", "4"], gold: "B" },
      ]);
    }
    const line = '{"question":"q","answer":"#### 18"}\r\n';
    expect(golds(await open(`\uFEFF${line}${line}\r\n`))).toEqual(["18", "18"]);
  });

  it.each([
    "C",
    "c",
    "(C)",
    "(c)",
    "C.",
    "C)",
    "[C]",
    "Answer: C",
    "The answer is C.",
    "option C",
    "answer3",
    "Option 3",
    "2",
    "(2)",
    "y",
    "Y",
    "C) y",
    "(C) y",
    "C. y",
  ])("may be written %j", async (answer) => {
    expect(golds(await ask(answer, 0))).toEqual(["C", "A"]);
  });

  it("are read alike whatever mixture of forms says them", async () => {
    const forms = [
      (i: number) => i,
      (i: number) => String(i),
      (i: number) => optionLetter(i),
      (i: number) => `(${optionLetter(i).toLowerCase()})`,
      (i: number) => `answer${i + 1}`,
      (i: number) => ["w", "x", "y", "z"][i],
    ];
    const answer = fc.tuple(fc.nat(3), fc.nat(forms.length - 1));
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { maxLength: 12 }), async (answers) => {
        const task = await ask(0, ...answers.map(([index, form]) => forms[form](index)));
        expect(golds(task)).toEqual(["A", ...answers.map(([index]) => optionLetter(index))]);
        expect(task.warnings.filter((warning) => !/copies/.test(warning))).toEqual([]);
      }),
    );
  });

  it("count from 0 in doubt, and the warning says what to set", async () => {
    const task = await ask(1, 2);
    expect(golds(task)).toEqual(["B", "C"]);
    expect(task.warnings).toContainEqual(expect.stringMatching(/counted from 0 .*fields\.answerBase: 1/));
    const records = lines(choice(1), choice(2));
    expect(golds(await open(records, { fields: { answerBase: 1 } }))).toEqual(["A", "B"]);
    const zero = await open(records, { fields: { answerBase: 0 } });
    expect([golds(zero), zero.warnings.filter((warning) => /counted/.test(warning))]).toEqual([["B", "C"], []]);
  });

  it("count from 1 only where every number up to the last occurs and 0 never", async () => {
    const task = await ask(4, 1, 3, 2, 2);
    expect(golds(task)).toEqual(["D", "A", "C", "B", "B"]);
    expect(task.warnings).toContainEqual(expect.stringMatching(/counted from 1/));
    await expect(ask(4, 1, 3)).rejects.toMatchObject({ hint: expect.stringContaining("fields.answerBase: 1") });
    await expect(ask(0, 4, 1, 3, 2)).rejects.toThrow(/line 2/);
    await expect(open(lines(choice(0)), { fields: { answerBase: 1 } })).rejects.toThrow(/numbers run from 1 to 4/);
  });

  it("behind a word count from 1, unless a 0 occurs", async () => {
    expect(golds(await ask("answer1", "Option 4"))).toEqual(["A", "D"]);
    expect(golds(await ask("answer1", "answer0", "answer3"))).toEqual(["B", "A", "D"]);
    await expect(ask("answer5")).rejects.toThrow(/is "answer5", which is none of its 4 options/);
  });

  it("are the texts of numeric options where all of them are", async () => {
    const task = await open("q1?,5,7,9,11,7\nq2?,1,2,3,4,2\n");
    expect(golds(task)).toEqual(["B", "B"]);
    expect(golds(await open(lines(choice(30, [10, 20, 30]), choice(10, [10, 20, 30]))))).toEqual(["C", "A"]);
    expect(golds(await open("q1?,5,7,9,11,2\nq2?,1,2,3,4,0\n"))).toEqual(["C", "A"]);
  });

  it("go by the labels of the options where these have some", async () => {
    const labelled = (labels: readonly string[], answer: unknown) => ({
      question: "q",
      choices: labels.map((label) => ({ label, text: `text ${label}` })),
      answer,
    });
    expect(golds(await open(lines(labelled(["1", "2", "3"], "3"), labelled(["A", "B", "D"], "D"))))).toEqual([
      "C",
      "C",
    ]);
    expect(golds(await open(lines(labelled(["A", "B", "D"], "(d)"), labelled(["A", "B"], "Answer: B"))))).toEqual([
      "C",
      "B",
    ]);
    await expect(open(lines(labelled(["A", "B", "D"], "C")))).rejects.toThrow(/field "answer" is "C"/);
  });
});

describe("a file of one's own", () => {
  it("is read by the fields that are named: dotted paths, columns by number, several joined", async () => {
    const nested = {
      item: { stem: "Which?", context: "A story." },
      opts: { text: ["yes", "no"], label: ["1", "2"] },
      key: "2",
      nr: 7,
    };
    const fields = { question: ["item.context", "item.stem"], options: "opts.text", answer: "key", id: "nr" };
    expect((await open(lines(nested), { fields })).questions).toEqual([
      { id: "7", text: "A story. Which?", options: ["yes", "no"], gold: "B", kind: "choice" },
    ]);
    const columns = { id: "0", question: "2", options: ["3", "4"], answer: "1", subject: "5" };
    expect((await open("n1,B,Which?,yes,no,logic\n", { fields: columns })).questions).toEqual([
      { id: "n1", text: "Which?", options: ["yes", "no"], gold: "B", kind: "choice", subject: "logic" },
    ]);
    const german = { question: "Frage", options: ["a", "b"], answer: "Lösung" };
    expect(golds(await open("Frage,a,b,Lösung\nWas?,x,y,b\n", { fields: german }))).toEqual(["B"]);
  });

  it.each([
    ["two columns without a header", 'How many?,72\nAnd?,"1,234"\n', ["72", "1234"]],
    ["two columns under q and a", "q,a\nHow many?,72\n", ["72"]],
    ["a header in German, with semicolons", "Frage;A;B;Antwort\nWas, bitte?;1;2;B\n", ["B"]],
    ["a header with an answer in French", "question,A,B,réponse\nQuoi ?,1,2,B\n", ["B"]],
    ["a column of numbers without a name", ",question,A,B,answer\n0,q?,1,2,B\n", ["B"]],
    ["questions only", "question\nq1\nq2\n", [null, null]],
    ["a delimiter behind every row", "q?,1,2,3,4,B,\n", ["B"]],
    ["no delimiter but bars", "question|A|B|answer\nq?|1|2|B\n", ["B"]],
  ])("C13: is read with %s", async (_, text, expected) => {
    expect(golds(await open(text))).toEqual(expected);
  });

  it("needs no names where the usual ones are there", async () => {
    const options = ["x", "y", "z"];
    const forms: readonly unknown[] = [
      { question: "q", choices: options, answer: "y" },
      { Prompt: "q", options: { A: "x", B: "y", C: "z" }, label: "B" },
      { question: { stem: "q", choices: [{ text: "x" }, { text: "y" }, { text: "z" }] }, answerKey: "B" },
      { query: "q", option_a: "x", option_b: "y", option_c: "z", correct_answer: "(b)" },
      { problem: "q", "Choice 1": "x", "Choice 2": "y", "Choice 3": "z", gold: "Choice 2" },
      { question: "q", choices: JSON.stringify(options), answer: "B" },
    ];
    for (const form of forms) {
      expect((await open(lines(form))).questions).toMatchObject([{ text: "q", options, gold: "B", kind: "choice" }]);
    }
  });

  it("tells kinds of answers apart, and takes another when told", async () => {
    const records = (...answers: readonly unknown[]) => lines(...answers.map((answer) => ({ question: "q", answer })));
    expect((await open(records(1.5, "$1,234.50", "#### -7"))).questions.map(({ kind, gold }) => [kind, gold])).toEqual([
      ["number", "1.5"],
      ["number", "1234.5"],
      ["number", "-7"],
    ]);
    expect((await open(records("Paris ", 3))).questions.map(({ kind, gold }) => [kind, gold])).toEqual([
      ["text", "paris"],
      ["text", "3"],
    ]);
    await expect(open(records("1", "many"), { kind: "number" })).rejects.toThrow(/line 2: field "answer" is "many"/);
    await expect(open(records(12345678901234567890n.toString(), 1e21))).rejects.toThrow(/too large to be exact/);
    await expect(open(records("A"), { kind: "choice" })).rejects.toThrow(/field "options" is missing/);
  });

  it("without answers can be asked; with a field named for them it must have them", async () => {
    const task = await open("question,A,B\nq1,x,y\nq2,x,y\n");
    expect(golds(task)).toEqual([null, null]);
    expect(task.warnings).toContainEqual(expect.stringContaining("never scored"));
    await expect(open("question,A,B,answer\nq1,x,y,\n", { fields: { answer: "answer" } })).rejects.toThrow(
      /line 2: .*no answer/,
    );
    await expect(open(lines({ question: "q" }), { fields: { answer: "anwser" } })).rejects.toMatchObject({
      code: "task/fields",
    });
  });

  it("has ids of its own or made from name and line, each once", async () => {
    const ids = async (text: string, settings: Rest = {}) =>
      (await open(text, settings, "my.csv")).questions.map(({ id }) => id);
    const rows = 'id,question,answer\n1,"two\nlines",4\n2,q,5\n';
    expect(await ids(rows)).toEqual(["1", "2"]);
    expect(await ids(rows.replace("2,q", "1,q"))).toEqual(["my/2", "my/4"]);
    await expect(ids(rows.replace("2,q", "1,q"), { fields: { id: "id" } })).rejects.toMatchObject({
      code: "task/id",
      message: expect.stringMatching(/id "1": .*line 2, and .*line 4/),
    });
  });

  it("in parts is asked for by part, and a part that is not there is named", async () => {
    const text = JSON.stringify({ train: [{ question: "a", answer: 1 }], validation: [{ question: "b", answer: 2 }] });
    expect((await open(text)).questions.map(({ part }) => part)).toEqual(["train", "val"]);
    expect(golds(await open(text, { parts: ["val"] }))).toEqual(["2"]);
    await expect(open(text, { parts: ["test"] })).rejects.toMatchObject({
      code: "task/parts",
      hint: expect.stringContaining("train, val"),
    });
    for (const part of ["train", "test"]) write(lines({ question: part, answer: 1 }), `parts/${part}/x.jsonl`);
    const { questions } = await openTask({ file: join(folder, "parts") });
    expect(questions.map(({ id, part }) => [id, part])).toEqual([
      ["test/x/1", "test"],
      ["train/x/1", "train"],
    ]);
  });

  it("has a version that changes with what is asked or right, and with nothing else", async () => {
    const version = async (text: string, name?: string) => (await open(text, {}, name)).version;
    const first = await version("question,answer\nq,1\n", "a.csv");
    expect(await version(lines({ answer: 1, question: "q" }), "b.json")).toBe(first);
    expect(await version("question,answer\nq,2\n")).not.toBe(first);
  });

  it("takes only the first questions where there is a limit", async () => {
    const text = lines(...[1, 2, 3].map((answer) => ({ question: `q${answer}`, answer })));
    expect(golds(await open(text, { limit: 2 }))).toEqual(["1", "2"]);
    expect(golds(await open(text, { limit: null }))).toEqual(["1", "2", "3"]);
  });

  it("is never trusted: sizes, numbers of options, and keys that are JavaScript's own", async () => {
    const record = { question: "q", choices: ["x", "y"], answer: "A" };
    const many = Array.from({ length: 27 }, (_, i) => `option ${i}`);
    await expect(open(lines({ ...record, choices: many }))).rejects.toThrow(/field "choices" holds 27 options/);
    await expect(open(lines({ ...record, choices: ["x"] }))).rejects.toThrow(/holds 1 options/);
    await expect(open(lines({ ...record, question: "x".repeat(100_001) }))).rejects.toThrow(/holds 100001 characters/);
    await expect(open(lines({ ...record, question: " " }))).rejects.toThrow(/"question" is empty/);
    await expect(open(lines({ ...record, question: { a: 1 } }))).rejects.toThrow(/which field is the question/);
    await expect(open(lines(record, { ...record, question: ["q"] }))).rejects.toThrow(
      /line 2: field "question" should hold a text/,
    );
    await expect(open(lines({ ...record, choices: ["x", null] }))).rejects.toThrow(
      /field "choices.1" should hold a text/,
    );
    const evil = '{"__proto__":{"question":"evil"},"question":"q","constructor":"c","choices":["x","y"],"answer":"A"}';
    expect((await open(evil)).questions).toMatchObject([{ text: "q", gold: "A" }]);
    expect(({} as Record<string, unknown>).question).toBeUndefined();
    await expect(open('{"__proto__":{"question":"evil"}}')).rejects.toMatchObject({ code: "task/fields" });
  });

  it("that looks like a benchmark of another kind says so", async () => {
    const program = {
      task_id: "x",
      prompt: "def f():",
      entry_point: "f",
      canonical_solution: " pass",
      test: "check(f)",
    };
    const { warnings } = await open(lines(program));
    expect(warnings).toContainEqual(expect.stringMatching(/looks like humaneval, .*name: humaneval/));
    expect((await open("question,A,B,C,D,answer\nq?,1,2,3,4,B\n")).warnings).toEqual([]);
    expect((await open(lines({ question: "q", answer: "words" }))).warnings).toEqual([]);
  });

  it("whose question cannot be found is an error with its fields", async () => {
    await expect(open("a,b,c\n")).rejects.toMatchObject({
      code: "task/fields",
      message: expect.stringContaining("The fields: 0, 1, 2"),
      hint: expect.stringContaining("fields.question"),
    });
  });
});
