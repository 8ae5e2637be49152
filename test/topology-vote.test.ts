import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../src/base/rng.ts";
import { drawDecisionGraph, majority, vote } from "../src/topology/index.ts";

const ballots = fc.integer({ min: 0, max: 12 }).chain((agents) =>
  fc.record({
    answersN: fc.array(fc.constantFrom("A", "B", "C", "__proto__", null), { minLength: agents, maxLength: agents }),
    creditsN: fc.array(
      fc.oneof(fc.constantFrom(-40, -1, -0, 0, 1, 40), fc.double({ min: -60, max: 60, noNaN: true })),
      {
        minLength: agents,
        maxLength: agents,
      },
    ),
    participants: fc.array(fc.constantFrom(0, 1, 1), { minLength: agents, maxLength: agents }),
    seed: fc.nat(),
  }),
);

describe("the vote", () => {
  it("elects the answer with the greatest mass", () => {
    fc.assert(
      fc.property(ballots, ({ answersN, creditsN, participants }) => {
        const { weightsN } = drawDecisionGraph({ credits: creditsN, participants });
        const { answer, weights } = vote({ answersN, weightsN, creditsN });
        const expected = new Map<string, number>();
        answersN.forEach((y, i) => {
          if (y !== null && participants[i] === 1) expected.set(y, (expected.get(y) ?? 0) + weightsN[i]);
        });
        expect([...weights.keys()]).toEqual([...expected.keys()]);
        for (const [y, mass] of expected) {
          expect(mass).toBeGreaterThan(0);
          expect(Math.abs((weights.get(y) as number) - mass)).toBeLessThanOrEqual(1e-12 * mass);
        }
        if (expected.size === 0) expect(answer).toBeNull();
        else
          expect(expected.get(answer as string)).toBeGreaterThanOrEqual(Math.max(...expected.values()) * (1 - 1e-11));
      }),
    );
  });

  it("gives the same answer and masses for permuted agents unless only the index decides", () => {
    fc.assert(
      fc.property(ballots, ({ answersN, participants, creditsN, seed }) => {
        // Credits that tell all agents apart, so that the index never decides.
        const credits = creditsN.map((c, i) => c + i * 1e-3 * Math.PI);
        fc.pre(new Set(credits).size === credits.length);
        const { weightsN } = drawDecisionGraph({ credits, participants });
        const moved = createRng(seed).shuffle(answersN.map((_, i) => i));
        const before = vote({ answersN, weightsN, creditsN: credits });
        const after = vote({
          answersN: moved.map((i) => answersN[i]),
          weightsN: moved.map((i) => weightsN[i]),
          creditsN: moved.map((i) => credits[i]),
        });
        expect(after.answer).toBe(before.answer);
        expect(new Map([...after.weights].sort())).toEqual(new Map([...before.weights].sort()));
      }),
    );
  });

  it("breaks ties by the best supporter's credit, then by the lower index", () => {
    const answersN = ["A", "B", "B", "A"];
    expect(vote({ answersN, weightsN: [1, 1, 1, 1], creditsN: [0, 0, 2, 1] }).answer).toBe("B");
    expect(vote({ answersN, weightsN: [1, 1, 1, 1], creditsN: [0, 0, 2, 3] }).answer).toBe("A");
    expect(vote({ answersN, weightsN: [1, 1, 1, 1], creditsN: [0, 0, 2, 2] }).answer).toBe("B");
    expect(vote({ answersN, weightsN: [3, 1, 3, 1] }).answer).toBe("A");
    expect(vote({ answersN, weightsN: [1, 2, 2, 3] }).answer).toBe("A");
  });

  it("tells saturated credits apart in a tie when it is given them", () => {
    const creditsN = [40, 50];
    const { weightsN } = drawDecisionGraph({ credits: creditsN, participants: [1, 1] });
    expect(vote({ answersN: ["A", "B"], weightsN, creditsN }).answer).toBe("B");
  });

  it("sees a tie whatever the rounding of the sums", () => {
    // 0.1 + 0.2 is not 0.3 in doubles; 0.3 has the best supporter.
    for (const answersN of [
      ["A", "A", "B"],
      ["B", "B", "A"],
    ]) {
      expect(vote({ answersN, weightsN: [0.1, 0.2, 0.3] }).answer).toBe(answersN[2]);
      expect(vote({ answersN: [...answersN].reverse(), weightsN: [0.3, 0.2, 0.1] }).answer).toBe(answersN[2]);
    }
  });

  it("still lets a real difference win", () => {
    expect(vote({ answersN: ["A", "B"], weightsN: [0.5, 0.5 + 1e-9], creditsN: [9, 0] }).answer).toBe("B");
  });

  it("gives unreadable replies and agents without weight no say", () => {
    expect(vote({ answersN: [null, null, "A"], weightsN: [9, 9, 0.1] }).answer).toBe("A");
    expect(vote({ answersN: ["B", "A"], weightsN: [0, 0.1] })).toEqual({ answer: "A", weights: new Map([["A", 0.1]]) });
    for (const answersN of [[], [null, null]]) {
      expect(vote({ answersN, weightsN: answersN.map(() => 1) })).toEqual({ answer: null, weights: new Map() });
    }
  });

  it("refuses weights that are no weights and lists of unequal length", () => {
    for (const weight of [-1, Number.NaN, Infinity]) {
      expect(() => vote({ answersN: ["A", "B"], weightsN: [1, weight] })).toThrow(`the weight of agent 1 is ${weight}`);
    }
    expect(() => vote({ answersN: ["A"], weightsN: [1, 1] })).toThrow(
      expect.objectContaining({ code: "vote/lengths" }),
    );
    expect(() => vote({ answersN: ["A"], weightsN: [1], creditsN: [Number.NaN] })).toThrow(
      expect.objectContaining({ code: "vote/credit" }),
    );
  });

  it("takes as many different answers as there are agents in a large team", () => {
    const answersN = Array.from({ length: 200_000 }, (_, i) => `answer ${i}`);
    expect(majority(answersN).answer).toBe("answer 0");
  });
});

describe("the plain majority", () => {
  it("counts heads", () => {
    expect(majority(["A", "B", null, "B"])).toEqual({
      answer: "B",
      weights: new Map([
        ["A", 1],
        ["B", 2],
      ]),
    });
  });

  it("breaks ties by index, or by credits where they are given", () => {
    expect(majority(["B", "A", "A", "B"]).answer).toBe("B");
    expect(majority(["B", "A", "A", "B"], [0, 0, 1, 0]).answer).toBe("A");
  });
});

describe("the decision graph", () => {
  it("joins exactly the participants to the decision, each with a positive weight that rises with credit", () => {
    fc.assert(
      fc.property(ballots, ({ creditsN, participants }) => {
        const { voters, weightsN } = drawDecisionGraph({ credits: creditsN, participants });
        expect(Array.from(voters)).toEqual(participants.flatMap((z, i) => (z === 1 ? [i] : [])));
        participants.forEach((z, i) => {
          if (z === 1) expect(weightsN[i]).toBeGreaterThan(0);
          else expect(weightsN[i]).toBe(0);
        });
        for (const i of voters) {
          for (const j of voters)
            if (creditsN[i] > creditsN[j]) expect(weightsN[i]).toBeGreaterThanOrEqual(weightsN[j]);
        }
      }),
    );
  });

  it("weighs by the logistic function, and keeps even the least credit above 0", () => {
    const { weightsN } = drawDecisionGraph({ credits: [0, Math.log(3), -1e4], participants: [1, 1, 1] });
    expect(weightsN[0]).toBe(0.5);
    expect(weightsN[1]).toBeCloseTo(0.75, 15);
    expect(vote({ answersN: [null, null, "C"], weightsN }).answer).toBe("C");
  });

  it("refuses a credit that is not a number", () => {
    expect(() => drawDecisionGraph({ credits: [Number.NaN], participants: [1] })).toThrow(
      expect.objectContaining({ code: "graph/credit" }),
    );
  });
});
