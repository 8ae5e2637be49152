import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../src/base/rng.ts";
import type { Question } from "../src/contracts/task.ts";
import { questionKey } from "../src/tasks/choice.ts";
import { type Split, type SplitSettings, splitByParts, splitQuestions } from "../src/tasks/split.ts";
import { syntheticQuestions } from "../src/tasks/synthetic.ts";
import type { TrainInput } from "../src/train/input.ts";
import { train } from "../src/train/train.ts";

const settings: SplitSettings = { train: 0.6, validation: 0.15, test: 0.25, seed: 1 };
const parts = ["train", "validation", "test"] as const;
const questions = syntheticQuestions({ seed: 3, count: 120, family: "mixture" });
const ids = (split: Split, part: (typeof parts)[number]): string[] => split[part].map(({ id }) => id).sort();
const all = (split: Split): string[] => parts.flatMap((part) => ids(split, part)).sort();

const question = (text: string, changes: Partial<Question> = {}): Question => ({
  id: `id of ${text}`,
  text,
  options: ["yes", "no"],
  gold: "A",
  ...changes,
});

describe("a split", () => {
  /** Questions of which some are copies under other ids, and shares of three parts. */
  const situation = fc.record({
    copies: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 60 }),
    shares: fc.tuple(fc.nat(10), fc.nat(10), fc.nat(10)).filter(([a, b, c]) => a + b + c > 0),
    seed: fc.nat(),
  });

  it("puts every question into exactly one part, copies of a question into the same, whatever the shares", () => {
    fc.assert(
      fc.property(situation, ({ copies, shares: [a, b, c], seed }) => {
        const given = copies.flatMap((count, q) =>
          Array.from({ length: count }, (_, k) =>
            question(k % 2 === 0 ? `Question ${q}?` : `  question ${q}? `, { id: `${q}/${k}` }),
          ),
        );
        const sum = a + b + c;
        let split: Split;
        try {
          split = splitQuestions(given, { train: a / sum, validation: b / sum, test: c / sum, seed });
        } catch (error) {
          expect(error).toMatchObject({ code: "split/empty" });
          return;
        }
        expect(all(split)).toEqual(given.map(({ id }) => id).sort());
        const keys = parts.map((part) => new Set(split[part].map(questionKey)));
        expect(keys.reduce((total, { size }) => total + size, 0)).toBe(copies.length);
        for (const [k, share] of [a, b, c].entries()) {
          expect(Math.abs(keys[k].size - (share / sum) * copies.length)).toBeLessThanOrEqual(1);
          if (share > 0) expect(keys[k].size).toBeGreaterThan(0);
        }
      }),
    );
  });

  it("is the same for the same questions and seed, in whatever order they come", () => {
    const split = splitQuestions(questions, settings);
    expect(splitQuestions(questions, settings)).toEqual(split);
    const shuffled = splitQuestions(createRng("order").shuffle(questions), settings);
    for (const part of parts) expect(ids(shuffled, part)).toEqual(ids(split, part));
    expect(shuffled.hashes).toEqual(split.hashes);
  });

  it("never changes: the seed 1 splits ten questions like this", () => {
    const ten = Array.from({ length: 10 }, (_, i) => question(`Question ${i}?`, { id: String(i) }));
    const split = splitQuestions(ten, settings);
    expect(parts.map((part) => ids(split, part).join(""))).toEqual(["245678", "03", "19"]);
    expect(split.hashes).toEqual({
      test: "e5eaf1eb8ef169d9",
      train: "9267af9117101bf8",
      validation: "ebb2a9a56b8f123a",
    });
  });

  it("is another one for another seed", () => {
    const seeds = [1, 2, 3, 4].map((seed) => ids(splitQuestions(questions, { ...settings, seed }), "test").join());
    expect(new Set(seeds).size).toBe(4);
  });

  it("does not depend on ids, answers or subjects: they are no part of what is asked", () => {
    const split = splitQuestions(questions, settings);
    const renamed = questions.map((q, i) => ({ ...q, id: `other ${i}`, gold: "B", subject: "law" }));
    const again = splitQuestions(renamed, settings);
    for (const part of parts) {
      expect(again[part].map(({ text }) => text).sort()).toEqual(split[part].map(({ text }) => text).sort());
    }
  });

  it("tells questions apart by their options and the order of these", () => {
    const alike = [
      question("Which?", { id: "1", options: ["a", "b"] }),
      question("Which?", { id: "2", options: ["b", "a"] }),
      question("Which?", { id: "3", options: ["a", "c"] }),
    ];
    const split = splitQuestions(alike, { train: 1 / 3, validation: 1 / 3, test: 1 / 3, seed: 1 });
    expect(parts.map((part) => split[part].length)).toEqual([1, 1, 1]);
  });
});

describe("the hash of a part", () => {
  const split = splitQuestions(questions, settings);

  it.each(parts)("of %s changes with what is asked or what is right there, and with nothing else", (part) => {
    const [first] = split[part];
    const rehash = (changes: Partial<Question>) =>
      splitQuestions(
        questions.map((q) => (q.id === first.id ? { ...q, ...changes } : q)),
        settings,
      ).hashes;
    expect(rehash({ id: "renamed", subject: "law" })).toEqual(split.hashes);
    const other = first.gold === "A" ? "B" : "A";
    for (const gold of [other, null]) {
      const changed = rehash({ gold });
      expect(changed[part]).not.toBe(split.hashes[part]);
      for (const rest of parts.filter((name) => name !== part)) expect(changed[rest]).toBe(split.hashes[rest]);
    }
    for (const changes of [{ text: `${first.text} Really?` }, { options: [...first.options, "a fifth"] }]) {
      expect(rehash(changes)).not.toEqual(split.hashes);
    }
  });

  it("is different for different parts", () => {
    expect(new Set(Object.values(split.hashes)).size).toBe(3);
    for (const hash of Object.values(split.hashes)) expect(hash).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe("an empty part", () => {
  it.each([
    [{ train: 0.9, validation: 0.05, test: 0.05 }, "validation"],
    [{ train: 0.5, validation: 0.49, test: 0.01 }, "test"],
    [{ train: 0.01, validation: 0.49, test: 0.5 }, "train"],
  ] as const)("is an error that names it: %j", (shares, part) => {
    const few = questions.slice(0, 4);
    expect(() => splitQuestions(few, { ...shares, seed: 1 })).toThrow(
      expect.objectContaining({
        code: "split/empty",
        message: expect.stringContaining(`the ${part} part of 4 questions`),
      }),
    );
  });

  it("cannot be trained on, and training says so", async () => {
    const input = { questions: { train: [], validation: questions } } as unknown as TrainInput;
    await expect(train(input)).rejects.toMatchObject({
      code: "train/questions",
      hint: expect.stringContaining("split.train"),
    });
  });

  it("is fine where nothing was asked of it, and no questions at all are none of any part", () => {
    const split = splitQuestions(questions, { train: 1, validation: 0, test: 0, seed: 1 });
    expect([split.train.length, split.validation.length, split.test.length]).toEqual([120, 0, 0]);
    expect(() => splitQuestions([], settings)).toThrow(/the train part of 0 questions is empty/);
  });

  it("is what copies leave behind: five copies of one question fill one part only", () => {
    const copies = Array.from({ length: 5 }, (_, i) => question("The same?", { id: String(i) }));
    expect(() => splitQuestions(copies, settings)).toThrow(expect.objectContaining({ code: "split/empty" }));
  });
});

describe("a split by the benchmark's own parts", () => {
  const own = { train: ["dev"], validation: ["val"], test: ["test"] };
  const three = [
    question("one", { part: "dev" }),
    question("two", { part: "val" }),
    question("three", { part: "test" }),
    question("four", { part: "aux" }),
    question("five"),
  ];

  it("shares a part named for both training and validation between them, copies together", () => {
    const many = Array.from({ length: 40 }, (_, i) => question(`question ${i >> 1}`, { id: String(i), part: "train" }));
    const tested = Array.from({ length: 5 }, (_, i) => question(`tested ${i}`, { part: "test" }));
    const names = { train: ["train"], validation: ["train"], test: ["test"] };
    const split = splitByParts([...many, ...tested], names, settings);
    expect([split.train.length, split.validation.length, split.test.length]).toEqual([32, 8, 5]);
    const learned = new Set(split.train.map(questionKey));
    expect(split.validation.some((one) => learned.has(questionKey(one)))).toBe(false);
    expect(splitByParts([...many, ...tested], names, { ...settings, seed: 2 }).train).not.toEqual(split.train);
  });

  it("takes them as they are, in order, and leaves out what nobody names", () => {
    const split = splitByParts(three, own, settings);
    expect(parts.map((part) => split[part].map(({ text }) => text))).toEqual([["one"], ["two"], ["three"]]);
    expect(split.warnings).toEqual([]);
    expect(splitByParts(three, { ...own, train: ["dev", "aux"] }, settings).train.map(({ text }) => text)).toEqual([
      "one",
      "four",
    ]);
    expect(splitByParts(three, { ...own, validation: ["validation"] }, settings).hashes).toEqual(split.hashes);
  });

  it("keeps a copy out of every part but the last: what is judged was never learned", () => {
    const texts = ["a", "b", "c", "d", "e"];
    const asked = fc.record({ text: fc.constantFrom(...texts), part: fc.constantFrom("dev", "val", "test") });
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 30 }), (drawn) => {
        const given = [...three, ...drawn.map((changes, i) => question(changes.text, { ...changes, id: String(i) }))];
        const split = splitByParts(given, own, settings);
        const keys = parts.map((part) => new Set(split[part].map(questionKey)));
        expect(keys.reduce((sum, set) => sum + set.size, 0)).toBe(new Set(keys.flatMap((set) => [...set])).size);
        expect(ids(split, "test")).toEqual(
          given
            .filter(({ part }) => part === "test")
            .map(({ id }) => id)
            .sort(),
        );
        const left = given.length - 2 - all(split).length;
        expect(split.warnings).toEqual(
          left > 0 ? [expect.stringMatching(new RegExp(`^${left} questions are copies`))] : [],
        );
      }),
    );
  });

  it("names a part that is not there, stands in two lists, or holds only copies", () => {
    expect(() => splitByParts(three, { ...own, test: ["tset"] }, settings)).toThrow(
      expect.objectContaining({ code: "split/parts", hint: expect.stringContaining("aux, dev, test, val") }),
    );
    expect(() => splitByParts(three, { ...own, test: ["dev"] }, settings)).toThrow(
      /the part "dev" is to be both learned and tested/,
    );
    expect(() => splitByParts(questions, own, settings)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("no parts") }),
    );
    const copied = [...three, question("one", { part: "test", id: "copy" })];
    expect(() => splitByParts(copied, own, settings)).toThrow(expect.objectContaining({ code: "split/empty" }));
  });

  it("has the hashes of its parts, as a split by shares has", () => {
    const { hashes } = splitByParts(three, own, settings);
    const alone = splitQuestions([three[2]], { train: 0, validation: 0, test: 1, seed: 1 });
    expect(hashes.test).toBe(alone.hashes.test);
  });
});
