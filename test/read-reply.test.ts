import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { optionLetter } from "../src/contracts/task.ts";
import { questionKey } from "../src/tasks/choice.ts";
import { readChoice } from "../src/tasks/reading/read-choice.ts";

type Options = number | readonly string[];

const read = (text: string, options: Options = 4): string => {
  const { answer, status } = readChoice(text, options);
  return answer ?? status;
};

const expectAll = (cases: readonly (readonly [string, string, Options?])[]): void => {
  for (const [text, want, options] of cases) expect([text, read(text, options)]).toEqual([text, want]);
};

describe("reading a choice", () => {
  it("sees through bold, LaTeX, quotes and markup (C01)", () => {
    expectAll([
      ["ANSWER: **A**", "A"],
      ["ANSWER: $A$", "A"],
      ["Answer: (B).", "B"],
      ["**B**", "B"],
      ["Answer: \\(B\\)", "B"],
      ["Answer: $\\mathbf{B}$", "B"],
      ["$\\textbf{(E)}$", "E", 5],
      ["Answer: <b>C</b>", "C"],
      ["<answer> c </answer>", "C"],
      ['```json\n{"answer": "D", "confidence": 0.9}\n```', "D"],
      ["Ａ", "A"],
      ["答案:(C)", "C"],
      ["~~A~~ B", "B"],
      ["<think>surely A</think>\nB", "B"],
    ]);
  });

  it("takes a letter behind a cue only when it stands alone (C02)", () => {
    expectAll([
      ["The calculated answer is 11.\nAnswer seems to be A.\nAnswer: A", "A"],
      ["The answer is a car.", "unparsed"],
      ["Answer: A car moves faster", "unparsed"],
      ["The answer is N/A", "unparsed"],
      ["The answer is A-rated", "unparsed"],
    ]);
  });

  it("lets a stated answer beat letters that are only mentioned (C03)", () => {
    expectAll([
      ["The answer is B. Note that A is a common distractor.", "B"],
      ["The answer is C because I computed it.", "C", 10],
      ["I believe it is J", "J", 10],
      ["Answer: I think it is C", "C", 10],
      ["I think so.", "unparsed", 10],
      ["The answer is C. (D) is a distractor.", "C"],
      ["Both B and C could be right, but the best answer is C.", "C"],
      ["The answer is B, although many think C is correct.", "B"],
      ["The answer is B. Many would think the answer is C.", "B"],
      ["A is incorrect, B is incorrect, D is incorrect, so C.", "C"],
      ["The answer is not A but B.", "B"],
      ["(B) is correct; (A) is wrong.", "B"],
      ["(A) is out and (B) too. Therefore, C.", "C"],
      ["The answer is A. Wait, actually the answer is B.", "B"],
      ["A) x\nB) y\nC) z\nD) w\n\nAnswer: B", "B"],
    ]);
  });

  it("reads lower-case replies without reading the article (C04)", () => {
    expectAll([
      ["d", "D"],
      ["b. 4", "B"],
      ["The answer is B because a car moves.", "B"],
      ["option a", "A"],
      ["the answer is c, because a is wrong", "C"],
      ["The answer is a because cars move.", "A"],
      ["A plane flies because of lift", "unparsed"],
    ]);
  });

  it("reads the last box whose braces close (C05)", () => {
    expectAll([
      ["\\boxed{C} … so \\boxed{\\text{E}}", "E", 5],
      ["\\boxed{E: a risk score}", "E", 5],
      ["\\[ \\boxed{\\mathrm{(B)}} \\]", "B"],
      ["The answer is $\\boxed{B}$, not \\boxed{", "B"],
      ["\\boxed{4}", "B", ["3", "4"]],
    ]);
  });

  it("gives no answer where there is none (C10)", () => {
    expectAll([
      ["I do not know", "unparsed"],
      ["", "empty"],
      [" \n\t", "empty"],
      ["As an AI language model, I cannot answer.", "refused"],
      ["It is not A.", "unparsed"],
      ["Vitamin C deficiency causes scurvy.", "unparsed"],
    ]);
  });

  it("takes a letter past the last option for no answer", () => {
    expectAll([
      ["Answer: E", "unparsed"],
      ["My answer is (E), though (B) is close.", "unparsed"],
      ["(X)", "unparsed"],
      ["Therefore, the correct answer is D) all of the above. (X)", "D"],
      ["Answer: X", "X", 26],
    ]);
  });

  it("calls letters of equal standing ambiguous and names them in order", () => {
    for (const text of [
      "(A, B, C, D). (X)",
      "Answer: A, B",
      "It could be B or D.",
      "Answer: **(A) and (B)**",
      "\\boxed{A, B}",
    ]) {
      expect(readChoice(text, 4).status).toBe("ambiguous");
    }
    expect(readChoice("I am torn between C and A.", 4)).toEqual({
      status: "ambiguous",
      answer: null,
      candidates: ["C", "A"],
    });
    expect(readChoice("A) x\nB) y\nC) z\nD) w", 4).candidates).toEqual(["A", "B", "C", "D"]);
    expect(read("The answer is A, and B is wrong.")).toBe("A");
  });

  it("knows the options by their texts", () => {
    expectAll([
      ["Paris.", "B", ["London", "Paris"]],
      ["The answer is Paris.", "B", ["London", "Paris"]],
      ["A Paris", "A", ["Paris", "Rome"]],
      ["My answer: none of the above", "D", ["x", "y", "z", "None of the above"]],
      ["The answer is Vitamin C.", "B", ["Vitamin A", "Vitamin C", "Iron"]],
    ]);
  });

  it("reads every letter in every usual form, for any number of options", () => {
    const forms = [
      (l: string) => l,
      (l: string) => `(${l})`,
      (l: string) => `Answer: ${l}`,
      (l: string) => `The answer is ${l}.`,
      (l: string) => `Some thoughts first.\n\n(${l})`,
      (l: string) => `\\boxed{${l}}`,
      (l: string) => `The correct option is **${l.toLowerCase()}**.`,
    ];
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 26 }), fc.nat(25), fc.constantFrom(...forms), (count, at, form) => {
        const letter = optionLetter(at % count);
        expect(read(form(letter), count)).toBe(letter);
      }),
    );
  });

  it("never answers past the last option, and only when parsed, whatever the text", () => {
    const word = fc.constantFrom(
      "answer",
      "is",
      "A",
      "B",
      "I",
      "(C)",
      "not",
      "\\boxed{",
      "}",
      ":",
      "or",
      "\n",
      ".",
      "option",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(word, { maxLength: 30 }).map((words) => words.join(" ")),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 6 }), (reply, count) => {
        const { status, answer, candidates = [] } = readChoice(reply, count);
        expect(status === "parsed").toBe(answer !== null);
        expect(candidates.length === 0 || status === "ambiguous").toBe(true);
        for (const letter of [answer ?? "A", ...candidates])
          expect(letter >= "A" && letter < optionLetter(count)).toBe(true);
      }),
    );
  });

  it("reads the end of a very long reply in little time", () => {
    const units = [
      "(",
      "answer is ",
      "\\boxed{",
      "A, ",
      "the the ",
      "is not ",
      "~~",
      "\n A)",
      " \n",
      "\n A)\n B)",
      "{A}",
      "x ",
    ];
    for (const unit of units) {
      const started = performance.now();
      expect(read(`${unit.repeat(200_000 / unit.length)} so we are done.\n\nFinal answer: C`)).toBe("C");
      expect(performance.now() - started).toBeLessThan(2_000);
    }
  });
});

describe("the identity of a question", () => {
  const question = { text: "Which  one?", options: ["Red light", "Blue"] };

  it("ignores case, spacing and width of characters", () => {
    expect(questionKey({ text: "which one?", options: ["red light", " BLUE"] })).toBe(questionKey(question));
    expect(questionKey({ text: "Ｗhich one?", options: ["Red light", "Blue"] })).toBe(questionKey(question));
  });

  it("depends on the options and their order", () => {
    expect(questionKey({ ...question, options: ["Blue", "Red light"] })).not.toBe(questionKey(question));
    expect(questionKey({ text: "Which one? Red light", options: ["Blue"] })).not.toBe(questionKey(question));
  });
});

const recorded = "../shared/data/recorded/multi-agent-attack";

describe.skipIf(!existsSync(recorded))("recorded replies (skipped: recorded debates not present)", () => {
  interface Recording {
    readonly id: number;
    readonly raw_task: readonly string[];
    readonly agent_responses: readonly (readonly { readonly role: string; readonly content: string }[])[];
  }
  const lines = (file: string): unknown[] =>
    readFileSync(`${recorded}/${file}`, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  interface Reply {
    readonly content: string;
    readonly options: readonly string[];
    readonly letter: string | null;
  }
  let pairs: Reply[];
  // In a hook: the body of a skipped group still runs.
  beforeAll(() => {
    const readings = lines("reading.jsonl") as { file: string; id: number; agents: { ans: (string | null)[] }[] }[];
    const files = new Map(
      [...new Set(readings.map(({ file }) => file))].map((file) => [file, lines(file) as Recording[]]),
    );
    pairs = readings.flatMap(({ file, id, agents }) => {
      const debate = files.get(file)!.find((one) => one.id === id)!;
      return debate.agent_responses.flatMap((messages, agent) =>
        messages
          .filter(({ role }) => role === "assistant")
          .map(({ content }, round) => ({
            content,
            options: debate.raw_task.slice(1, -1),
            letter: agents[agent].ans[round],
          })),
      );
    });
  });

  it("agrees with the published letters on 98 % of the replies that are not ambiguous", () => {
    const tally = { agreed: 0, differed: 0, ambiguous: 0 };
    for (const { content, options, letter } of pairs) {
      if (letter === null || letter > "D") continue;
      const { status, answer } = readChoice(content, options);
      tally[status === "ambiguous" ? "ambiguous" : answer === letter ? "agreed" : "differed"]++;
    }
    expect(tally.agreed / (tally.agreed + tally.differed)).toBeGreaterThan(0.99);
    expect(tally.ambiguous).toBeLessThan(0.025 * pairs.length);
  });

  it("finds ambiguous what names several options", () => {
    const list = pairs.filter(({ content }) => /\(A, B, C, D\)\.?(?: \(X\))?$/.test(content.trim()));
    expect(list.length).toBeGreaterThan(10);
    for (const { content, options } of list) expect(readChoice(content, options).status).toBe("ambiguous");
  });
});
