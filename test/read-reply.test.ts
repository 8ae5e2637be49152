import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { optionLetter, type Question } from "../src/contracts/task.ts";
import { questionKey } from "../src/tasks/choice.ts";
import { readReply } from "../src/tasks/read-reply.ts";
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

const choice: Question = { id: "c", text: "", options: ["x", "y", "z", "w"], gold: "B" };
const number: Question = { id: "n", text: "", options: [], gold: "0", kind: "number" };
const words: Question = { id: "t", text: "", options: [], gold: "paris" };
const said = (question: Question, text: string, finish: "stop" | "length" | "filtered" | "other" = "stop"): string => {
  const { answer, status } = readReply(question, { text, finish });
  return answer ?? status;
};

describe("reading a reply by the kind of its question", () => {
  it("reads letters in the words of other languages and in the forms of models (C01)", () => {
    for (const text of [
      "Die richtige Antwort ist B.",
      "La bonne réponse est la B.",
      "La respuesta correcta es la opción B.",
      "答案是B。",
      "Правильный ответ — B.",
      "정답은 B입니다.",
      "### B",
      "| Answer | B |",
      "Answer - B",
      "【B】",
      "Final Answer: The final answer is $\\boxed{B}$. I hope it is correct.",
      "<answer>\nB\n</answer>",
      "it's b",
    ]) {
      expect([text, said(choice, text)]).toEqual([text, "B"]);
    }
  });

  it("never reads the pronoun as option I (C03)", () => {
    const ten = { ...choice, options: Array.from({ length: 10 }, (_, i) => `text ${i}`) };
    expect(said(ten, "I would say I am not certain, but D")).toBe("D");
    expect(said(ten, "I was unsure. I should think the answer is C")).toBe("C");
    expect(said(ten, "Answer: I")).toBe("I");
  });

  it("calls boxes joined by or ambiguous (C05)", () => {
    expect(said(choice, "\\boxed{A} or \\boxed{B}")).toBe("ambiguous");
    expect(said(number, "\\boxed{5} or \\boxed{6}")).toBe("ambiguous");
  });

  it("finds no answer where there is none, for every kind (C10)", () => {
    for (const question of [choice, number, words]) {
      expect(said(question, "I do not know")).toBe("unparsed");
      expect(said(question, "")).toBe("empty");
      expect(said(question, " \n\u200b\ufeff")).toBe("empty");
      expect(said(question, "I'm sorry, but I cannot answer that.")).toBe("refused");
      expect(readReply(question, { text: "Answer: 5 B", finish: "stop", refused: true }).status).toBe("refused");
    }
  });

  it("never takes hidden thoughts for an answer, however they are marked (C17)", () => {
    const blocks = [
      ["<think>", "</think>"],
      ["<thinking>", "</thinking>"],
      ["<THINK>\n", "\n</THINK>\n\n"],
      ["<reasoning>", "</reasoning>"],
      ["[THINK]", "[/THINK]"],
      ["◁think▷", "◁/think▷"],
      ["<|begin_of_thought|>", "<|end_of_thought|>"],
      ["<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"],
      ["analysis", "assistantfinal"],
    ];
    for (const [open, close] of blocks) {
      const thoughts = "Maybe the answer is A, or the answer is 7.";
      expect([open, said(choice, `${open}${thoughts}${close}B`)]).toEqual([open, "B"]);
      expect([open, said(number, `${open}${thoughts}${close}42`)]).toEqual([open, "42"]);
      expect([open, said(choice, `${open}${thoughts}${close}`)]).toEqual([open, "empty"]);
      expect([open, said(choice, open + thoughts)]).toEqual([open, "empty"]);
      expect([open, said(choice, open + thoughts, "length")]).toEqual([open, "truncated"]);
    }
    expect(said(choice, "surely A</think>B")).toBe("B");
  });

  it("tells nothing said from cut off and held back (C17)", () => {
    expect(said(choice, "", "length")).toBe("truncated");
    expect(said(choice, "", "filtered")).toBe("refused");
    expect(said(choice, "", "other")).toBe("empty");
  });

  it("counts of a reply that was cut off only what it states to its end (C17)", () => {
    expect(said(choice, "The correct answer is B because it", "length")).toBe("B");
    expect(said(choice, "ANSWER: C\nThe", "length")).toBe("C");
    expect(said(choice, "\\boxed{B} as", "length")).toBe("B");
    expect(said(choice, "First, option A is about", "length")).toBe("truncated");
    expect(said(choice, "\\boxed{B", "length")).toBe("truncated");
    expect(said(number, "The answer is 42. It", "length")).toBe("42");
    expect(said(number, "16 - 3 = 13 and then", "length")).toBe("truncated");
    expect(said(number, "The answer is 4", "length")).toBe("truncated");
    expect(said(words, "The answer is Paris, because", "length")).toBe("paris");
    expect(said(words, "The answer is Pa", "length")).toBe("truncated");
  });

  it("reads the answer field of a structured reply by kind", () => {
    expect(said(choice, '{"answer":"B","reasoning":"The answer is not A; many say the answer is C"}')).toBe("B");
    expect(said(choice, 'Here it is:\n```json\n{"answer": "b) y"}\n```')).toBe("B");
    expect(said(choice, '{"answer": ["A", "B"]}')).toBe("ambiguous");
    expect(said(choice, '{"answer": "E"}')).toBe("unparsed");
    expect(said(choice, '{"answer": null, "reasoning": "so (B)"}')).toBe("unparsed");
    expect(said(number, '{"reasoning": "2 + 3", "final_answer": 9007199254740993}')).toBe("9007199254740993");
    expect(said(number, '{"answer": "1,234 clips", "confidence": 0.9}')).toBe("1234");
    expect(said(words, '{"Answer": "The Seine."}')).toBe("seine");
  });

  it("reads words behind a statement or on the last line", () => {
    expect(said(words, "It is in France.\n\nAnswer: **Paris**")).toBe("paris");
    expect(said(words, "The answer is the Eiffel Tower, because it is tall.")).toBe("eiffel tower");
    expect(said(words, "Let me think.\n\n  PARIS!  ")).toBe("paris");
    expect(said(words, "\\boxed{\\text{Paris}}")).toBe("paris");
  });

  it("never fails, and gives an answer exactly when parsed, whatever the text", () => {
    const part = fc.constantFrom(
      "{",
      '"answer"',
      ":",
      "<think>",
      "</think>",
      "\\boxed{",
      "}",
      "5",
      "B",
      "is",
      "```",
      "\n",
      '"',
      "\\",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(part, { maxLength: 30 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(
        text,
        fc.constantFrom(choice, number, words),
        fc.constantFrom("stop", "length"),
        (reply, question, finish) => {
          const { status, answer } = readReply(question, { text: reply, finish });
          expect(status === "parsed").toBe(answer !== null);
        },
      ),
    );
  });

  it("reads adversarial texts of any kind in little time", () => {
    const units = [
      "(",
      "{",
      "$",
      "-",
      "1",
      "1,",
      "-1",
      "<think>",
      '{"answer":',
      '\\"',
      "[",
      "```\n{",
      "\\frac{",
      "or 5 ",
      "=5",
      "answer ",
      "答案",
      "\n",
      "é",
    ];
    for (const unit of units) {
      for (const question of [choice, number, words]) {
        const started = performance.now();
        said(question, `{"${unit.repeat(100_000 / unit.length)}`);
        said(question, unit.repeat(100_000 / unit.length));
        expect([unit, performance.now() - started < 2_000]).toEqual([unit, true]);
      }
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
