import { describe, expect, it } from "vitest";
import type { AnswerKind } from "../src/contracts/task.ts";
import { grade } from "../src/tasks/grade.ts";

const right = (kind: AnswerKind, gold: string | null, answer: string | null): boolean =>
  grade({ id: "q", kind, options: [], gold }, answer);

describe("grading", () => {
  it("compares numbers by value, as whole tokens with their sign (C08, C09)", () => {
    expect(right("number", "5", "25")).toBe(false);
    expect(right("number", "-5", "5")).toBe(false);
    expect(right("number", "-5", "−5")).toBe(true);
    expect(right("number", "3.14", "33.14")).toBe(false);
    expect(right("number", "72", "72.0")).toBe(true);
    expect(right("number", "72.0", "72")).toBe(true);
    expect(right("number", "1,234", "1234")).toBe(true);
    expect(right("number", "0.75", "3/4")).toBe(true);
    expect(right("number", "0.333", "1/3")).toBe(false);
    expect(right("number", "9007199254740993", "9007199254740992")).toBe(false);
    expect(right("number", "0.3", "0.30000000000000004")).toBe(false);
  });

  it("never calls right what is no answer (C10)", () => {
    for (const kind of ["choice", "number", "text"] as const) {
      expect(right(kind, "0", null)).toBe(false);
      expect(right(kind, null, "0")).toBe(false);
      expect(right(kind, "", "")).toBe(false);
    }
    expect(right("number", "0", "I do not know")).toBe(false);
    expect(right("number", "none", "none")).toBe(false);
  });

  it("compares letters without case, and words without case, spacing, article and closing punctuation", () => {
    expect(right("choice", "B", "b")).toBe(true);
    expect(right("choice", "B", "C")).toBe(false);
    expect(right("text", "The Eiffel  Tower.", "eiffel tower")).toBe(true);
    expect(right("text", "Paris", "Parish")).toBe(false);
    expect(right("text", "vitamin A", "vitamin")).toBe(false);
  });

  it("takes the kind from the options where none is given", () => {
    expect(grade({ id: "q", options: ["x", "y"], gold: "A" }, "a")).toBe(true);
    expect(grade({ id: "q", options: [], gold: "72" }, "72.0")).toBe(false);
  });

  it("does not judge programs by comparing", () => {
    expect(() => right("code", "x", "x")).toThrow(expect.objectContaining({ code: "task/grade-code" }));
  });
});
