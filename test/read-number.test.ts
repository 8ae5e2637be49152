import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeNumber } from "../src/tasks/reading/normalize-number.ts";
import { readNumber } from "../src/tasks/reading/read-number.ts";

const read = (text: string): string => {
  const { answer, status } = readNumber(text);
  return answer ?? status;
};

const expectAll = (cases: readonly (readonly [text: string, want: string])[]): void => {
  for (const [text, want] of cases) expect([text, read(text)]).toEqual([text, want]);
};

describe("reading a number", () => {
  it("sees through bold, LaTeX, markup and currency (C01)", () => {
    expectAll([
      ["**Answer:** 72", "72"],
      ["Final answer: **$18**", "18"],
      ["<answer>42</answer>", "42"],
      ["```\n42\n```", "42"],
      ["| Total | 72 |", "72"],
      ["Answer: $-5$", "-5"],
      ["Therefore the answer is\n\\[ 72 \\]", "72"],
      ["２５", "25"],
      ["١٬٢٣٤", "1234"],
      ["US$5", "5"],
      ["It's 5°C", "5"],
    ]);
  });

  it("reads the last closed box whole (C05)", () => {
    expectAll([
      ["\\boxed{5} and so \\boxed{6}", "6"],
      ["\\boxed{x = 5}", "5"],
      ["\\boxed{72\\text{ clips}}", "72"],
      ["\\boxed{\\$18}", "18"],
      ["\\boxed{\\text{72}}", "72"],
      ["\\boxed{5, 6}", "ambiguous"],
      ["\\boxed{5\\sqrt{3}}", "unparsed"],
      ["After 5 steps: \\boxed{\\text{no solution}}", "unparsed"],
      ["\\boxed{ - 5 }", "-5"],
      ["The answer is \\boxed{42", "42"],
    ]);
  });

  it("keeps numbers with separators of thousands whole (C06)", () => {
    expectAll([
      ["\\boxed{8,000}", "8000"],
      ["$9{,}500", "9500"],
      ["The answer is 1,234.", "1234"],
      ["70,000 dollars", "70000"],
      ["\\boxed{1\\,234}", "1234"],
      ["1\u202f234", "1234"],
      ["1\u00a0234\u00a0567 people", "1234567"],
      ["The answer is 1 234 dollars", "1234"],
      ["1_000", "1000"],
      ["1'234", "1234"],
      ["12,34,567", "1234567"],
      ["1,000,000.00", "1000000"],
      ["1.234.567", "1234567"],
      ["1.234,5", "1234.5"],
      ["1.234", "1.234"],
      ["€3,50", "3.5"],
      ["1,2", "ambiguous"],
    ]);
  });

  it("reads numbers before any punctuation and unit (C07, C09)", () => {
    expectAll([
      ["The total is 72 clips, altogether.", "72"],
      ["The answer is 42!", "42"],
      ["The answer is (42).", "42"],
      ["Answer: [42]", "42"],
      ["The answer is 42?", "42"],
      ["Answer: 42:", "42"],
      ["72.0", "72"],
      ["The answer is 5kg; that is light.", "5"],
      ["The answer is 50 miles/hour", "50"],
    ]);
  });

  it("keeps the sign, and takes no hyphen, range or difference for one (C08)", () => {
    expectAll([
      ["it is -5 exactly", "-5"],
      ["The answer is −5.", "-5"],
      ["The answer is –5.", "-5"],
      ["Answer: -$5", "-5"],
      ["Answer:-5", "-5"],
      ["Answer: - 5", "-5"],
      ["The answer is negative 5", "-5"],
      ["(5)", "5"],
      ["+5", "5"],
      ["10-5=5", "5"],
      ["10 - 5 = 5", "5"],
      ["So it takes 3-5 days.", "ambiguous"],
      ["step-5", "unparsed"],
      ["33.14", "33.14"],
    ]);
  });

  it("takes no number out of a word, a label, a date or a time (C08)", () => {
    expectAll([
      ["H2O", "unparsed"],
      ["GPT-4 says so", "unparsed"],
      ["The date is 2024-05-01.", "unparsed"],
      ["It was on 5/6/2024 at 10:30.", "unparsed"],
      ["See version 1.2.3", "unparsed"],
      ["Step 1: 16-3=13.\nStep 2: 13-4=9\nSo see step 2.", "9"],
      ["1. First, 5\n2. Then 6 apples\n\nShe has 11 apples.", "11"],
      ["He took a 3-hour trip and paid 20.", "20"],
      ["She makes 18 dollars.\n\nConfidence: 90%", "18"],
    ]);
  });

  it("reads no answer where none is known (C10)", () => {
    expectAll([
      ["I do not know", "unparsed"],
      ["I cannot tell from these 3 facts.", "unparsed"],
      ["The answer is not 5.", "unparsed"],
      ["Answer: none", "unparsed"],
      ["As an AI language model, I cannot answer.", "refused"],
      ["", "empty"],
    ]);
  });

  it("reads fractions, mixed numbers, powers of ten, percents and magnitudes exactly", () => {
    expectAll([
      ["The answer is $\\frac{3}{4}$.", "0.75"],
      ["\\boxed{-\\dfrac{3}{4}}", "-0.75"],
      ["\\boxed{\\frac{1}{3}}", "1/3"],
      ["2/6", "1/3"],
      ["1 1/2", "1.5"],
      ["1½ cups", "1.5"],
      ["\\boxed{1\\frac{1}{2}}", "1.5"],
      ["1.2e3", "1200"],
      ["$1.2 \\times 10^3$", "1200"],
      ["1.2 × 10³", "1200"],
      ["10^{-2}", "0.01"],
      ["25\\%", "25"],
      ["$2.5 million", "2500000"],
      [".5", "0.5"],
      ["007", "7"],
      ["-0.0", "0"],
      ["9007199254740993", "9007199254740993"],
      ["5/0", "unparsed"],
      ["1e999999999", "unparsed"],
    ]);
  });

  it("reads numerals in words", () => {
    expectAll([
      ["The answer is seventy-two.", "72"],
      ["Answer: seventy-two clips", "72"],
      ["one hundred and five", "105"],
      ["The answer is zero", "0"],
      ["two and a half", "2.5"],
      ["minus five", "-5"],
      ["No one knows.", "unparsed"],
    ]);
  });

  it("lets a stated answer beat numbers that come after it", () => {
    expectAll([
      ["The answer is 5. Check: 5 + 5 = 10.", "5"],
      ["The answer is 5. Wait, the answer is 6.", "6"],
      ["The answer is not 5 but 6.", "6"],
      ["If the answer were 5, it would be odd. The answer is 6.", "6"],
      ["My answer is 6. Agent 1 thinks the answer is 5.", "6"],
      ["#### 18", "18"],
      ["16 - 7 = 9\n#### $1,234\n", "1234"],
      ["Die Antwort ist 42. Das sind 2 mehr als 40.", "42"],
      ["答案是72个。", "72"],
      ["La respuesta es 42, no 43.", "42"],
      ["The answer is the sum of 48 and 24, which is 72.", "72"],
    ]);
  });

  it("reads what the last sentence comes to where nothing is stated", () => {
    expectAll([
      ["Answer: Natalia sold 48/2 = 24 clips in May. She sold 48+24 = 72 clips altogether.", "72"],
      ["Thus, Natalia sold 48 + 24 = <<48+24=72>>72 clips altogether.", "72"],
      ["So she needs 42 (6 × 7).", "42"],
      ["72 = 48 + 24", "72"],
      ["The result is 5 (rounded to 2 decimals).", "5"],
      ["She has 72. Want me to redo it with 10?", "72"],
      ["She now has 5 apples, not 6.", "5"],
      ["18\n\nExplanation: 16-3-4=9 eggs, and she sells them at 2 each for 3 days.", "18"],
    ]);
  });

  it("calls two different numbers in one statement ambiguous, and a sum without its result no answer", () => {
    expectAll([
      ["The answer is 5 or 6", "ambiguous"],
      ["The answer is between 3 and 5.", "ambiguous"],
      ["So x = 5 or x = 6.", "ambiguous"],
      ["The answer is ±5", "ambiguous"],
      ["So it took 1h 30min", "ambiguous"],
      ["The answer is 0.75 or 3/4", "0.75"],
      ["The answer is 3 * 4.", "unparsed"],
      ["The answer is 3 * 4 = 12 apples.", "12"],
    ]);
    expect(readNumber("The answer is 5 or 6").candidates).toEqual(["5", "6"]);
  });

  it("reads back every number in every usual form", () => {
    const forms = [
      (n: string) => n,
      (n: string) => `The answer is ${n}.`,
      (n: string) => `Answer: **${n}**`,
      (n: string) => `First 3 + 4 = 7. So \\boxed{${n}}`,
      (n: string) => `2 + 2 = 4\n#### ${n}`,
      (n: string) => `She has ${n} apples!`,
    ];
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.nat(999),
        fc.constantFrom(...forms),
        (whole, cents, form) => {
          const want = `${whole}.${String(cents).padStart(3, "0")}`.replace(/\.?0+$/, (zeros) =>
            zeros.startsWith(".") ? "" : zeros.replace(/0+$/, ""),
          );
          const grouped = `${whole.toLocaleString("en-US")}.${String(cents).padStart(3, "0")}`;
          expect(read(form(want))).toBe(want);
          expect(read(form(grouped))).toBe(want);
        },
      ),
    );
  });

  it("never fails, and gives a normal form that is its own, whatever the text", () => {
    const part = fc.constantFrom(
      "answer is",
      "5",
      "-",
      "1,2",
      "/",
      "=",
      "(",
      ")",
      "\\frac{",
      "}",
      " or ",
      ".",
      "e9",
      "×10^",
      "%",
      "\n",
      "½",
      "٣",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(part, { maxLength: 25 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (reply) => {
        const { status, answer, candidates = [] } = readNumber(reply);
        expect(status === "parsed").toBe(answer !== null);
        for (const value of [...(answer === null ? [] : [answer]), ...candidates]) {
          expect(value).toMatch(/^-?(?:\d+(?:\.\d*[1-9])?|\d+\/\d+)$/);
          expect(normalizeNumber(value)).toBe(value);
        }
      }),
    );
  });

  it("reads a very long reply in little time", () => {
    const units = [
      "(",
      "{",
      "$",
      "-",
      "1",
      "1,",
      "1 ",
      "answer is ",
      "\\boxed{",
      "\\frac{",
      "1/",
      "9.",
      "a=1 ",
      "one hundred ",
      "1e9 ",
      "1(",
    ];
    for (const unit of units) {
      const started = performance.now();
      expect(read(`${unit.repeat(100_000 / unit.length)}\nThe answer is 7.`)).toBe("7");
      expect([unit, performance.now() - started < 2_000]).toEqual([unit, true]);
    }
  });
});

describe("the normal form of a number", () => {
  it("is one for all ways to write it, and none for what is not one number", () => {
    const forms: readonly (readonly [string, string | null])[] = [
      ["$1,234.50 per week", "1234.5"],
      ["72 clips", "72"],
      ["51.0", "51"],
      ["18.", "18"],
      ["−5", "-5"],
      ["25%", "25"],
      ["USD 5", "5"],
      ["6/3", "2"],
      ["5 or 6", null],
      ["x = 5", null],
      ["1,2", null],
      ["three", null],
      ["", null],
    ];
    for (const [token, want] of forms) expect([token, normalizeNumber(token)]).toEqual([token, want]);
  });
});

const benchmarks = "../shared/data/benchmarks";

describe.skipIf(!existsSync(benchmarks))("benchmarks (skipped: benchmark files not present)", () => {
  it("reads every worked solution of GSM8K to its number, with and without its last line (C06)", () => {
    const answers = ["train", "test"].flatMap((part) =>
      readFileSync(`${benchmarks}/gsm8k/${part}.jsonl`, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { answer: string }).answer),
    );
    expect(answers).toHaveLength(7_473 + 1_319);
    let withoutLine = 0;
    for (const answer of answers) {
      const [solution, gold] = answer.split("####");
      const want = normalizeNumber(gold);
      expect(want).not.toBeNull();
      expect([answer, read(answer)]).toEqual([answer, want]);
      if (read(solution.replace(/<<.*?>>/g, "")) === want) withoutLine++;
    }
    expect(withoutLine / answers.length).toBeGreaterThan(0.985);
  });

  it("has a normal form for every gold answer of SVAMP and MultiArith", () => {
    const load = (file: string): unknown => JSON.parse(readFileSync(`${benchmarks}/${file}`, "utf8"));
    const golds = [
      ...(load("svamp/SVAMP.json") as { Answer: number }[]).map(({ Answer }) => Answer),
      ...(load("multiarith/MultiArith.json") as { lSolutions: number[] }[]).map(({ lSolutions }) => lSolutions[0]),
    ];
    expect(golds).toHaveLength(1_600);
    for (const gold of golds) expect(normalizeNumber(gold.toFixed(1))).toBe(String(gold));
  });
});
