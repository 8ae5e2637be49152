import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tinyBank } from "../benchmarks/speed/tiny-bank.ts";
import {
  type Bank,
  bankQuestions,
  indexUtterances,
  readBank,
  utteranceId,
  writeBank,
} from "../src/populations/bank.ts";
import { type Importer, importers } from "../src/populations/import/index.ts";
import { questionKey } from "../src/tasks/choice.ts";

const folder = mkdtempSync(join(tmpdir(), "colloquy-bank-"));
afterAll(() => rmSync(folder, { recursive: true }));

const bank = tinyBank({ questions: 3, debates: 2 });
let made = 0;

function write(content: string | Uint8Array): string {
  const path = join(folder, `${++made}.bank.jsonl`);
  writeFileSync(path, content);
  return path;
}

function written(): string {
  const path = join(folder, `${++made}.bank.jsonl`);
  writeBank(path, bank);
  return path;
}

/** The text of a good bank with one debate (line 2) changed. */
function damaged(change: (debate: Record<string, unknown> & Bank["debates"][number]) => unknown): string {
  const [head, first, ...rest] = readFileSync(written(), "utf8").split("\n");
  return write([head, JSON.stringify(change(JSON.parse(first))), ...rest].join("\n"));
}

describe("a behaviour bank", () => {
  it("comes back from its file as it was", () => {
    const { debates, source, warnings } = readBank(written());
    expect(debates).toEqual(bank.debates);
    expect(source).toBe(bank.source);
    expect(warnings).toEqual([]);
  });

  it("is read with a byte-order mark, CRLF, blank lines and gzip", () => {
    const text = readFileSync(written(), "utf8");
    for (const content of [
      `\uFEFF${text}`,
      text.replaceAll("\n", "\r\n"),
      text.replaceAll("\n", "\n\n"),
      gzipSync(text),
    ]) {
      expect(readBank(write(content)).debates).toEqual(bank.debates);
    }
  });

  it("leaves out a torn last line and says so, but keeps a whole one without a newline (C33)", () => {
    const path = written();
    appendFileSync(path, Buffer.from(JSON.stringify({ ...bank.debates[0], run: "ü" })).subarray(0, 300));
    const torn = readBank(path);
    expect(torn.debates).toEqual(bank.debates);
    expect(torn.warnings).toEqual([`${path}: the last line was cut off and has been left out`]);
    const whole = readBank(write(readFileSync(written(), "utf8").trimEnd()));
    expect([whole.debates.length, whole.warnings]).toEqual([bank.debates.length, []]);
  });

  it("names the line of a damaged middle", () => {
    const lines = readFileSync(written(), "utf8").split("\n");
    lines[2] = lines[2].slice(0, 80);
    expect(() => readBank(write(lines.join("\n")))).toThrow(/line 3/);
  });

  it("refuses what is no bank, in words", () => {
    expect(() => readBank(write(""))).toThrow(/no complete line/);
    expect(() => readBank(write('{"schema":"colloquy.bank/1","source":"x"}\n'))).toThrow(/holds no debate/);
    expect(() => readBank(write('{"schema":"colloquy.bank/9","source":"x"}\n'))).toThrow(
      /its schema is colloquy.bank\/9/,
    );
    expect(() => readBank(write('{"question":"q"}\n'))).toThrow(/no bank header/);
    expect(() => readBank(write(Buffer.from('{"schema":"colloquy.bank/1","source":"Größe"}\n', "latin1")))).toThrow(
      /line 1 is not UTF-8/,
    );
    expect(() => readBank(join(folder, "none"))).toThrow(/no such file/);
  });

  it("names line and field of a debate that is incomplete", () => {
    const cases: [string, RegExp][] = [
      [damaged((d) => ({ ...d, question: { ...d.question, gold: null } })), /line 2: question\.gold/],
      [damaged((d) => ({ ...d, question: { ...d.question, gold: "F" } })), /line 2: gold F is past the last of 4/],
      [damaged((d) => ({ ...d, question: { ...d.question, options: undefined } })), /line 2: question\.options/],
      [damaged((d) => ({ ...d, agents: d.agents.slice(1) })), /line 2: round 1 has 3 entries for 2 agents/],
      [damaged((d) => ({ ...d, run: bank.debates[1].run })), /line 3: run .* stands twice/],
      [damaged((d) => ({ ...d, heard: [[[], [], []]] })), /line 2: heard needs one list/],
      [damaged((d) => ({ ...d, heard: [0, 1, 2].map(() => [[7], [], []]) })), /line 2: heard names an agent/],
      [damaged((d) => ({ ...d, rounds: [[{ ...d.rounds[0][0], answer: null }, null, null]] })), /only a parsed reply/],
    ];
    for (const [path, message] of cases) expect(() => readBank(path)).toThrow(message);
  });

  it("tells questions apart by text and options, not by id", () => {
    const copied = bank.debates.map((debate) => ({
      ...debate,
      run: `${debate.run}-copy`,
      question: {
        ...debate.question,
        id: `other-${debate.question.id}`,
        text: ` ${debate.question.text.toUpperCase()}`,
      },
    }));
    const both = { ...bank, debates: [...bank.debates, ...copied] };
    expect(bankQuestions(both).map(({ id }) => id)).toEqual(["tiny-0", "tiny-1", "tiny-2"]);
  });

  it("finds every utterance again by its id", () => {
    const byId = indexUtterances(bank);
    const { run, rounds } = bank.debates[4];
    expect(byId.get(utteranceId(run, 2, 3))).toBe(rounds[2][2]);
    expect(byId.size).toBe(bank.debates.length * 9);
  });
});

describe("importing", () => {
  const say = (content: string) => ({ role: "assistant", content });
  const ask = (content: string) => ({ role: "user", content });
  const rawTask = ["Is it, or not?", "yes", "None", 'no, "never"', "both", "C"];

  it("reads a multi-agent-attack debate: rounds, adversary and its target", () => {
    const path = join(folder, "attack", "adv-gpt-4-x");
    mkdirSync(path, { recursive: true });
    const told = [
      { role: "system", content: "You're playing the role of an adversary." },
      ask("Your task …\n\nYour answer: (B)\n\n"),
      say("It must be. (B)"),
      ask("Others say …"),
      say("I give in, it is no. (C)"),
    ];
    const honest = [ask("Is it?"), say("The answer is C."), ask("Others say …"), say("(A, C)")];
    const line = { id: 7, question: "…", answer: "C", raw_task: rawTask, agent_responses: [honest, told] };
    writeFileSync(join(path, "one.jsonl"), `${JSON.stringify(line)}\n`);
    const { bank: imported, report } = importers["multi-agent-attack"].read(join(folder, "attack"), {});
    const [debate] = imported.debates;
    expect(debate.run).toBe("one#7");
    expect(debate.question).toMatchObject({ text: rawTask[0], options: rawTask.slice(1, 5), gold: "C" });
    expect(debate.agents.map(({ adversary, target }) => [adversary, target])).toEqual([
      [false, null],
      [true, "B"],
    ]);
    expect(debate.rounds.map((row) => row.map((said) => said?.answer ?? said?.status))).toEqual([
      ["C", "B"],
      ["ambiguous", "C"],
    ]);
    expect(report).toMatchObject({ runs: 1, questions: 1, utterances: 4, adversaries: 1, unread: { ambiguous: 1 } });
  });

  it("reads DyLAN runs with their questions, and counts lines without one", () => {
    const root = join(folder, "dylan");
    mkdirSync(join(root, "mmlu_x"), { recursive: true });
    mkdirSync(join(root, "test"), { recursive: true });
    const silent = (text: string) => [text, null, null];
    const run = ["(A)", "(A)", "(B)", "(B)", "(C)", "I cannot answer this.", "(A)"].map((text, i) => [
      text,
      `Now (${"AB"[i % 2]})`,
      i < 2 ? "(A)" : null,
    ]);
    const stopped = [
      silent("(A)"),
      silent("(A)"),
      silent("(A)"),
      silent("(A)"),
      silent("(A)"),
      [null, null, null],
      [null, null, null],
    ];
    writeFileSync(
      join(root, "mmlu_x", "odd_subject_test_0_73.json"),
      `${[run, stopped, run].map((one) => JSON.stringify(one)).join("\n")}\n`,
    );
    writeFileSync(join(root, "mmlu_x", "odd_subject_test_0_73.txt"), "scores");
    // Headerless, quoted newlines and commas, an option that reads "None" (C12, C13).
    writeFileSync(
      join(root, "test", "odd_subject_test.csv"),
      'first,1,2,3,4,D\r\n"Line one\nline two, said ""x""",None,2,3,4,A\r\n',
    );
    writeFileSync(join(root, "map.json"), JSON.stringify({ odd_subject_test_0: { mmlu_x: [1, 0, null] } }));
    const options = { questions: root, map: join(root, "map.json") };
    const { bank: imported, report } = importers.dylan.read(join(root, "mmlu_x"), options);
    expect(report).toMatchObject({ runs: 3, withoutQuestion: 1, questions: 2, utterances: 21, unread: { refused: 1 } });
    const [first, second] = imported.debates;
    expect(first.question).toMatchObject({
      text: 'Line one\nline two, said "x"',
      options: ["None", "2", "3", "4"],
      gold: "A",
      subject: "odd_subject",
    });
    expect(first.rounds.map((row) => row.filter((said) => said !== null).length)).toEqual([7, 7, 2]);
    expect(second.rounds.map((row) => row.filter((said) => said !== null).length)).toEqual([5]);
    expect(first.agents.map(({ role }) => role)).toEqual([
      ...["Economist", "Doctor", "Lawyer", "Mathematician", "Psychologist", "Programmer", "Historian"],
    ]);
    expect(() => importers.dylan.read(join(root, "mmlu_x"), {})).toThrow(/does not hold its questions/);
  });

  it("says what is wrong with a recording it cannot read", () => {
    const path = join(folder, "bad.jsonl");
    writeFileSync(
      path,
      `${JSON.stringify({ id: 1, answer: "C", raw_task: { question: "q" }, agent_responses: [] })}\n`,
    );
    expect(() => importers["multi-agent-attack"].read(path, {})).toThrow(/record 1: raw_task/);
    expect(() => importers["multi-agent-attack"].read(join(folder, "missing"), {})).toThrow(/cannot read/);
    expect(() => importers.dylan.read(join(folder, "missing"), { questions: folder, map: path })).toThrow(/map|json/);
  });
});

const shared = "../shared/data";

describe.skipIf(!existsSync(`${shared}/recorded`))(
  "published recordings (skipped: recorded debates not present)",
  () => {
    type Imported = ReturnType<Importer>;
    let attack: Imported;
    let dylan: Imported;
    beforeAll(() => {
      attack = importers["multi-agent-attack"].read(`${shared}/recorded/multi-agent-attack/mmlu`, {});
      dylan = importers.dylan.read(`${shared}/recorded/dylan/mmlu_optimal7_7`, {
        questions: `${shared}/benchmarks/mmlu`,
        map: `${shared}/recorded/dylan/map.json`,
      });
    });

    it("holds 1,000 debates on 100 questions, half of them with one told adversary", () => {
      expect(attack.report).toMatchObject({ runs: 1000, questions: 100, utterances: 9000, adversaries: 500 });
      expect(attack.bank.model).toBe("gpt-3.5-turbo");
      const told = attack.bank.debates.flatMap(({ agents, question }) =>
        agents.filter((a) => a.adversary).map((a) => [a.target, question.gold]),
      );
      expect(told.filter(([target, gold]) => target === null || target === gold)).toEqual([]);
    });

    it("finds adversaries on target in about 411, 465 and 444 of 500 replies by round", () => {
      const onTarget = [0, 1, 2].map(
        (round) =>
          attack.bank.debates.flatMap(({ agents, rounds }) =>
            agents.filter((a, i) => a.adversary && rounds[round][i]?.answer === a.target),
          ).length,
      );
      for (const [round, published] of [411, 465, 444].entries())
        expect(Math.abs(onTarget[round] - published)).toBeLessThan(12);
    });

    it("holds 3,983 team runs, 3,977 with their question, on 2,768 rows", () => {
      expect(dylan.report).toMatchObject({ runs: 3983, withoutQuestion: 6, questions: 2768 });
    });

    it("shares 25 questions between the two recordings", () => {
      const keys = new Set(bankQuestions(attack.bank).map(questionKey));
      expect(bankQuestions(dylan.bank).filter((question) => keys.has(questionKey(question)))).toHaveLength(25);
    });

    it("gives banks that can be written and read", () => {
      const path = join(folder, "dylan.bank.jsonl");
      writeBank(path, dylan.bank);
      expect(readBank(path).debates).toEqual(dylan.bank.debates);
    });
  },
);
