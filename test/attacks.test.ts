import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adversaryCount, attacks, findSchedule, planAttack, schedules } from "../src/attacks/index.ts";
import { ColloquyError } from "../src/base/errors.ts";
import { createRng } from "../src/base/rng.ts";
import type { Agent, Message, Utterance } from "../src/contracts/agent.ts";
import type { AttackedTeam } from "../src/contracts/attack.ts";
import type { Question } from "../src/contracts/task.ts";
import { simulatedPopulation } from "../src/populations/simulated.ts";
import { syntheticQuestions } from "../src/tasks/synthetic.ts";

const agents = 6;
const rounds = 4;
const population = simulatedPopulation();
const questions = syntheticQuestions({ seed: 5, count: 12, family: "mixture" });
const onsets = Object.keys(schedules).map((name) => (name === "fixed" ? "fixed:2" : name));

function start(question: Question, kind: string, onset: string, adversaries: number) {
  const rng = createRng(7).fork("episode", question.id);
  const team = population.team(question, agents, rng.fork("team"));
  const targets = population.targets(question);
  const attacked = planAttack({ kind, adversaries, onset }, { question, team, targets, rounds, rng });
  return { rng, team, attacked };
}

/** One agent's turn; its stream is named by agent and round, as in an environment. */
const ask = (agent: Agent, question: Question, index: number, round: number, heard: Message[], own: Utterance | null) =>
  agent.respond({ question, round, heard, own, rng: createRng(9).fork(question.id, index, round) }) as Utterance;

/** A debate in which everyone hears all who spoke before in the round; calls `visit` with each turn. */
function debate(
  question: Question,
  team: readonly Agent[],
  visit: (turn: { agent: number; round: number; heard: Message[]; own: Utterance | null; said: Utterance }) => void,
): void {
  const last: (Utterance | null)[] = team.map(() => null);
  for (let round = 1; round <= rounds; round++) {
    const heard: Message[] = [];
    for (const [agent, member] of team.entries()) {
      const own = last[agent];
      const said = ask(member, question, agent, round, round === 1 ? [] : [...heard], own);
      visit({ agent, round, heard: round === 1 ? [] : [...heard], own, said });
      last[agent] = said;
      heard.push({ from: agent, role: member.role, utterance: said });
    }
  }
}

/** What the active adversaries said, as [agent, round, utterance]. */
function spokenUnderAttack(
  question: Question,
  { team, onsets: { active } }: AttackedTeam,
): [number, number, Utterance][] {
  const spoken: [number, number, Utterance][] = [];
  debate(question, team, ({ agent, round, said }) => {
    if (active(agent, round)) spoken.push([agent, round, said]);
  });
  return spoken;
}

describe.each(Object.keys(attacks))("attack %s", (kind) => {
  describe.each(onsets)("with onset %s", (onset) => {
    it("leaves every agent its own words in the rounds in which it does not attack", () => {
      let compared = 0;
      for (const question of questions) {
        const { team, attacked } = start(question, kind, onset, 2);
        debate(question, attacked.team, ({ agent, round, heard, own, said }) => {
          if (attacked.onsets.active(agent, round)) return;
          expect(said).toEqual(ask(team[agent], question, agent, round, heard, own));
          compared++;
        });
      }
      expect(compared).toBeGreaterThanOrEqual(questions.length * 4 * rounds);
    });

    it("says what it is meant to say in the rounds in which it attacks", () => {
      for (const question of questions) {
        const { attacked } = start(question, kind, onset, 2);
        const spoken = spokenUnderAttack(question, attacked);
        expect(spoken.length).toBeGreaterThan(0);
        for (const [agent, , said] of spoken) {
          if (kind === "silence") {
            expect(said).toEqual({ answer: null, status: "empty", text: "", silent: true });
            continue;
          }
          expect(said.status).toBe("parsed");
          if (kind === "noise") continue;
          expect(population.targets(question)).toContain(said.answer);
          if (kind === "collude") expect(said.answer).toBe(attacked.target);
          const ownWords = spoken.filter(([other]) => other === agent).map(([, , { answer }]) => answer);
          expect(new Set(ownWords).size).toBe(1);
        }
      }
    });

    it("keeps the roles", () => {
      const { team, attacked } = start(questions[0], kind, onset, 4);
      expect(attacked.team.map(({ role }) => role)).toEqual(team.map(({ role }) => role));
    });

    it("attacks in some round with k of 1 and never with k of 0", () => {
      for (const question of questions) {
        expect(start(question, kind, onset, 0).attacked.onsets.firstRound).toEqual([0, 0, 0, 0, 0, 0]);
        expect(spokenUnderAttack(question, start(question, kind, onset, 0).attacked)).toEqual([]);
        expect(spokenUnderAttack(question, start(question, kind, onset, 1).attacked).length).toBeGreaterThan(0);
      }
    });
  });
});

describe("the kinds of attack", () => {
  const firstWords = (kind: string, adversaries: number, question: Question) =>
    spokenUnderAttack(question, start(question, kind, "first", adversaries).attacked).filter(
      ([, round]) => round === 1,
    );

  it("gives independent adversaries different targets as far as there are enough", () => {
    for (const question of questions) {
      const answers = (k: number) => firstWords("independent", k, question).map(([, , { answer }]) => answer);
      expect(new Set(answers(2)).size).toBe(2);
      expect(new Set(answers(3)).size).toBe(3);
      expect(new Set(answers(5)).size).toBe(3);
    }
  });

  it("lets misleading adversaries agree only by chance", () => {
    const many = syntheticQuestions({ seed: 6, count: 900, family: "independent" });
    const agreeing = many.filter((question) => {
      const [a, b] = firstWords("mislead", 2, question);
      return a[2].answer === b[2].answer;
    });
    // 1 in 3 wrong options; four standard errors.
    expect(Math.abs(agreeing.length / many.length - 1 / 3)).toBeLessThan(0.063);
  });

  it("draws a noisy answer anew each time, the right one among them", () => {
    const many = syntheticQuestions({ seed: 6, count: 300, family: "independent" });
    const spoken = many.map((question) =>
      spokenUnderAttack(question, start(question, "noise", "first", 1).attacked).map(([, , { answer }]) => answer),
    );
    const right = spoken
      .flatMap((answers, i) => answers.map((answer) => answer === many[i].gold))
      .filter(Boolean).length;
    expect(Math.abs(right / (many.length * rounds) - 1 / 4)).toBeLessThan(0.05);
    // Four answers in a row are equal with probability 1/64.
    expect(spoken.filter((answers) => new Set(answers).size === 1).length).toBeLessThan(many.length / 20);
  });

  it("does not ask an agent that stays silent", () => {
    const [question] = questions;
    const { rng, team } = start(question, "silence", "late", 2);
    let asked = 0;
    const counted = team.map(({ role, respond }): Agent => {
      const count: Agent["respond"] = (turn) => {
        asked++;
        return respond(turn);
      };
      return { role, respond: count };
    });
    const situation = { question, team: counted, targets: population.targets(question), rounds, rng };
    debate(question, planAttack({ kind: "silence", adversaries: 2, onset: "late" }, situation).team, () => {});
    expect(asked).toBe(agents * rounds - 2);
  });

  it("is argued, or with persuade rebutted, and babbled in noise", () => {
    const [question] = questions;
    const manners = new Set<string>();
    const listening: Agent = {
      role: "listener",
      respond: ({ orders }) => {
        manners.add(orders?.manner ?? "none");
        return { answer: "A", status: "parsed", text: "" };
      },
    };
    const mannersOf = (kind: string) => {
      manners.clear();
      const rng = createRng(1);
      const situation = { question, team: [listening], targets: ["B"], rounds, rng };
      debate(question, planAttack({ kind, adversaries: 1, onset: "first" }, situation).team, () => {});
      return [...manners];
    };
    expect(mannersOf("mislead")).toEqual(["argue"]);
    expect(mannersOf("collude")).toEqual(["argue"]);
    expect(mannersOf("independent")).toEqual(["argue"]);
    expect(mannersOf("persuade")).toEqual(["rebut"]);
    expect(mannersOf("noise")).toEqual(["babble"]);
  });
});

describe("the plan of an attack", () => {
  it("leaves honest agents their first words, whatever the others turn into", () => {
    for (const question of questions) {
      const { team, attacked } = start(question, "collude", "first", 3);
      for (const [index, agent] of attacked.team.entries()) {
        if (attacked.onsets.firstRound[index] > 0) continue;
        expect(ask(agent, question, index, 1, [], null)).toEqual(ask(team[index], question, index, 1, [], null));
      }
    }
  });

  it("chooses the same adversaries, onsets and target for whatever team plays the episode, and moves no stream", () => {
    const [question] = questions;
    const plain: Agent = { role: "any", respond: () => ({ answer: "A", status: "parsed", text: "" }) };
    const plan = (team: readonly Agent[]) => {
      const rng = createRng(3);
      const setting = { kind: "collude", adversaries: 3, onset: "uniform" };
      const { onsets, target } = planAttack(setting, { question, team, targets: ["B", "C", "D"], rounds, rng });
      return { firstRound: onsets.firstRound, target, next: rng.uniform() };
    };
    const simulated = plan(population.team(question, agents, createRng(4)));
    expect(plan(Array.from({ length: agents }, () => plain))).toEqual(simulated);
    expect(simulated.next).toBe(createRng(3).uniform());
  });

  it("adds adversaries to those of a smaller k and keeps their onsets", () => {
    for (const question of questions) {
      for (let k = 1; k < agents; k++) {
        const fewer = start(question, "mislead", "uniform", k).attacked.onsets.firstRound;
        const more = start(question, "mislead", "uniform", k + 1).attacked.onsets.firstRound;
        expect(fewer.filter((round) => round > 0)).toHaveLength(k);
        for (let i = 0; i < agents; i++) if (fewer[i] > 0) expect(more[i]).toBe(fewer[i]);
      }
    }
  });

  it("makes every agent adversarial equally often", () => {
    const counts = new Array<number>(agents).fill(0);
    const many = syntheticQuestions({ seed: 8, count: 3000, family: "independent" });
    for (const question of many) {
      const { firstRound } = start(question, "mislead", "first", 2).attacked.onsets;
      for (let i = 0; i < agents; i++) if (firstRound[i] > 0) counts[i]++;
    }
    for (const count of counts) expect(Math.abs(count / many.length - 1 / 3)).toBeLessThan(0.035);
  });

  it("says which name, number or question is wrong", () => {
    const [question] = questions;
    const team = population.team(question, agents, createRng(1));
    const plan = (kind: string, adversaries: number, onset: string, targets = ["B"]) => {
      try {
        planAttack({ kind, adversaries, onset }, { question, team, targets, rounds, rng: createRng(1) });
      } catch (error) {
        if (error instanceof ColloquyError) return `${error.code}: ${error.message} ${error.hint}`;
      }
      return "no error";
    };
    expect(plan("misleed", 1, "first")).toMatch(/attack\/kind: .*"misleed".*Did you mean "mislead"/);
    expect(plan("mislead", 1, "unifrom")).toMatch(/attack\/onset: .*"unifrom".*Did you mean "uniform"/);
    expect(plan("mislead", 1, "fixed")).toMatch(/attack\/onset: .*"fixed".*fixed:<round>/);
    expect(plan("mislead", 1, "late:2")).toMatch(/attack\/onset: .*"late:2"/);
    expect(plan("mislead", 1, "fixed:5")).toMatch(/attack\/onset: .*fixed:5.*4 rounds.*fixed:4/);
    expect(plan("mislead", 1, "toString")).toMatch(/attack\/onset/);
    expect(plan("constructor", 0, "first")).toMatch(/attack\/kind/);
    expect(plan("mislead", 7, "first")).toMatch(/attack\/adversaries: a team of 6 cannot have 7/);
    expect(plan("mislead", 1.5, "first")).toMatch(/attack\/adversaries: .*1\.5/);
    expect(plan("mislead", 1, "first", [])).toMatch(/attack\/targets: .*independent\/5\/0/);
    expect(plan("mislead", 0, "first", [])).toBe("no error");
  });
});

describe("onset schedules", () => {
  const setting = fc
    .record({ agents: fc.integer({ min: 1, max: 12 }), rounds: fc.integer({ min: 1, max: 6 }), seed: fc.nat() })
    .chain(({ agents, rounds, seed }) =>
      fc.record({
        agents: fc.constant(agents),
        rounds: fc.constant(rounds),
        rng: fc.constant(createRng(seed)),
        adversaries: fc.subarray(
          Array.from({ length: agents }, (_, i) => i),
          { minLength: 0 },
        ),
      }),
    );

  it("turn each adversary once and for all, and nobody else", () => {
    fc.assert(
      fc.property(setting, fc.constantFrom("first", "uniform", "late", "fixed:1"), (given, name) => {
        const { firstRound, active } = findSchedule(name)(given);
        for (let agent = 0; agent < given.agents; agent++) {
          const onset = firstRound[agent];
          expect(onset > 0).toBe(given.adversaries.includes(agent));
          expect(onset).toBeLessThanOrEqual(given.rounds);
          for (let round = 1; round <= given.rounds; round++) {
            expect(active(agent, round)).toBe(onset > 0 && round >= onset);
          }
        }
      }),
    );
  });

  it("start where their name says", () => {
    const given = { agents: 6, rounds: 4, adversaries: [1, 4], rng: createRng(1) };
    expect(findSchedule("first")(given).firstRound).toEqual([0, 1, 0, 0, 1, 0]);
    expect(findSchedule("late")(given).firstRound).toEqual([0, 4, 0, 0, 4, 0]);
    expect(findSchedule("fixed:3")(given).firstRound).toEqual([0, 3, 0, 0, 3, 0]);
  });

  it("draw uniform onsets alike over the rounds", () => {
    const counts = [0, 0, 0];
    for (let seed = 0; seed < 1500; seed++) {
      const { firstRound } = schedules.uniform({ agents: 6, rounds: 3, adversaries: [0, 5], rng: createRng(seed) });
      counts[firstRound[0] - 1]++;
      counts[firstRound[5] - 1]++;
    }
    for (const count of counts) expect(Math.abs(count / 3000 - 1 / 3)).toBeLessThan(0.035);
  });

  it("keep exactly k agents active in every round of a moving attack, and another set in each", () => {
    fc.assert(
      fc.property(setting, (given) => {
        const { firstRound, active } = schedules.moving(given);
        const k = given.adversaries.length;
        let before: number[] = [];
        for (let round = 1; round <= given.rounds; round++) {
          const now = firstRound.flatMap((_, agent) => (active(agent, round) ? [agent] : []));
          expect(now).toHaveLength(k);
          if (round === 1) expect(now).toEqual([...given.adversaries].sort((a, b) => a - b));
          else if (k > 0 && k < given.agents) expect(now).not.toEqual(before);
          if (round > 1 && 2 * k <= given.agents) expect(now.filter((agent) => before.includes(agent))).toEqual([]);
          before = now;
        }
        for (const [agent, first] of firstRound.entries()) {
          const rounds = Array.from({ length: given.rounds }, (_, t) => t + 1);
          expect(first).toBe(rounds.find((round) => active(agent, round)) ?? 0);
        }
      }),
    );
  });
});

describe("the attack rate", () => {
  it("makes k = round(ρN) adversaries, half up", () => {
    expect([0, 0.33, 0.5, 0.67, 1].map((rate) => adversaryCount(rate, 6))).toEqual([0, 2, 3, 4, 6]);
    expect(adversaryCount(0.5, 5)).toBe(3);
    expect(adversaryCount(0.29, 50)).toBe(15);
  });

  it("never leaves 0..N and grows with the rate", () => {
    const rate = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(rate, rate, fc.integer({ min: 0, max: 1000 }), (a, b, agents) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((rate) => adversaryCount(rate, agents));
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(agents);
        expect(low).toBeLessThanOrEqual(high);
      }),
    );
  });

  it("names a rate that is none", () => {
    for (const rate of [-0.1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => adversaryCount(rate, 6)).toThrow(`attack rate ${rate} is not between 0 and 1`);
    }
  });
});
