import { describe, expect, it } from "vitest";
import { createRng } from "../src/base/rng.ts";
import type { Intention, Mind, MindContext, SubtaskView } from "../src/contracts/workplace/mind.ts";
import type { WorkplaceStrategyName } from "../src/environments/index.ts";
import { createWorkplace } from "../src/environments/index.ts";
import { defaultTraits, drawTraits, simulatedMind } from "../src/minds/index.ts";
import { answerWith } from "../src/minds/simulated/answer.ts";
import { eventsOf, play, projectOf, randomly, settingsOf, startOf } from "./support/workplace.ts";

const tiers = ["simple", "medium", "complex"] as const;
type Choice = { readonly agent: number; readonly step: number; readonly intention: Intention };

/** Plays a few episodes, and shows every decision of every simulated mind with what it saw while it can be seen. */
async function watch(
  strategy: WorkplaceStrategyName,
  look: (context: MindContext, intention: Intention, mind: Mind) => void,
  workers = 6,
) {
  const records = [];
  for (const tier of tiers) {
    for (const seed of [1, 2, 3]) {
      const settings = settingsOf(workers, {
        strategy,
        wrap: (mind) => ({
          ...mind,
          decide: (context) => {
            const intention = mind.decide(context) as Intention;
            look(context, intention, mind);
            return intention;
          },
        }),
      });
      const start = startOf(projectOf(tier, workers, { seed }), { seed });
      records.push(await play(createWorkplace(settings), start, randomly(0.7, seed)));
    }
  }
  return records;
}

type Asking = Extract<Intention, { kind: "communicate" }>;
const isAsking = (intention: Intention): intention is Asking =>
  intention.kind === "communicate" && intention.type !== "progress_update";
const talking = ["c2c", "c2c-prompt", "unconstrained", "learned"] as const;

describe.each(talking)("a simulated mind under %s", (strategy) => {
  it("asks about work of its own, with a gap or unclear, while talk can teach it something, once at a time", async () => {
    let asked = 0;
    const records = await watch(strategy, (context, intention) => {
      if (!isAsking(intention)) return;
      asked++;
      const subtask = context.subtasks.find(({ id }) => id === intention.about)!;
      expect(subtask.alignment).toBeLessThan(subtask.ceiling);
      expect(context.open.some(({ message }) => message.about === subtask.id)).toBe(false);
      if (strategy !== "unconstrained") expect(subtask.gap.length > 0 || subtask.isUnclear).toBe(true);
      if (intention.type === "need_clarification") expect([subtask.isUnclear, intention.to]).toEqual([true, [0]]);
    });
    expect(asked).toBeGreaterThan(20);
    expect(records.every(({ faults, outcome }) => faults === 0 && outcome === "finished")).toBe(true);
  });

  it("asks only whom it may ask, and nobody who did not know", async () => {
    await watch(strategy, (context, intention) => {
      if (!isAsking(intention)) return;
      expect(context.mayAsk).toBe(true);
      const subtask = context.subtasks.find(({ id }) => id === intention.about)!;
      for (const other of intention.to) {
        expect(context.mayAskAgent(other)).toBe(true);
        expect(other).not.toBe(context.agent);
        if (intention.type === "help_request") expect(subtask.tried).not.toContain(other);
        if (intention.type === "meeting_invite") expect(subtask.sharers).toContain(other);
      }
    });
  });

  it("says with numbers why it asks, and in words why it does anything else", async () => {
    const asks =
      /^(asks|asks what is meant of|invites) .+ on subtask \d+ by (chat|email|meeting): \d+\.\d h left at AF \.\d\d, expected \d+\.\d h saved, against \d+\.\d steps$/;
    await watch(strategy, (context, intention) => {
      expect(intention.reason.length).toBeGreaterThan(10);
      if (!isAsking(intention)) return;
      expect(intention.reason).toMatch(asks);
      const subtask = context.subtasks.find(({ id }) => id === intention.about)!;
      expect(intention.reason).toContain(`${(subtask.left / 4000).toFixed(1)} h left`);
      expect(intention.reason).toContain(`AF .${String(Math.floor(subtask.alignment / 10)).padStart(2, "0")}`);
      for (const other of intention.to) expect(intention.reason).toContain(context.teammate(other).member.name);
    });
  });

  it("asks only where it expects to save more than it costs, but where it talks freely", async () => {
    if (strategy === "unconstrained") return;
    await watch(strategy, (_context, intention) => {
      if (!isAsking(intention)) return;
      const [, hours, steps] = /expected (\d+\.\d) h saved, against (\d+\.\d) steps/.exec(intention.reason)!;
      // Told to a tenth of an hour and of a step.
      expect(4 * (Number(hours) + 0.05)).toBeGreaterThan(Number(steps) - 0.05);
    });
  });

  it("decides the same in the same step, however often it is asked", async () => {
    await watch(strategy, (context, intention, mind) => {
      expect(mind.decide(context)).toEqual(intention);
    });
  });

  it("answers what is due, and what it can when it has nothing else to do, the most urgent first", async () => {
    let answers = 0;
    await watch(strategy, ({ inbox, subtasks, step, dueOf, isAtHand }, intention) => {
      const isIdle = !subtasks.some(({ isReady }) => isReady);
      const mustAnswer = inbox.length > 0 && (isIdle || isAtHand || step >= dueOf(inbox[0]));
      expect(intention.kind === "reply").toBe(mustAnswer);
      if (intention.kind !== "reply") return;
      answers++;
      expect(intention.message).toBe(inbox[0].id);
      expect(inbox[0].topics).toEqual(expect.arrayContaining([...intention.guidance.covers]));
    });
    expect(answers).toBeGreaterThan(20);
  });

  it("works on the first of its subtasks that can go on where it does not talk, and else waits", async () => {
    await watch(strategy, ({ subtasks }, intention) => {
      const first = subtasks.find(({ isReady }) => isReady);
      if (intention.kind === "work") expect(intention.subtask).toBe(first?.id);
      if (intention.kind === "wait") expect(first).toBeUndefined();
    });
  });

  it("tells a milestone only when that costs no work", async () => {
    let told = 0;
    await watch(strategy, ({ subtasks, milestone }, intention) => {
      if (intention.kind !== "communicate" || intention.type !== "progress_update") return;
      told++;
      expect(intention).toMatchObject({ to: [0], about: milestone });
      expect(subtasks.some(({ isReady }) => isReady)).toBe(false);
    });
    if (strategy === "c2c") expect(told).toBeGreaterThan(0);
  });
});

describe("the baselines", () => {
  it("no-communication sends nothing and works or waits", async () => {
    const records = await watch("no-communication", (_context, { kind }) => {
      expect(["work", "wait"]).toContain(kind);
    });
    for (const record of records) {
      expect(eventsOf(record, "send")).toEqual([]);
      expect(record).toMatchObject({ communicationMinutes: 0, alignment: { final: 0.3 } });
    }
  });

  it("fixed-steps reports every 16 steps, everybody who has something to report, and else sends nothing", async () => {
    const due: Choice[] = [];
    const records = await watch("fixed-steps", ({ agent, step, subtasks, milestone }, intention) => {
      const mustReport = agent > 0 && step > 0 && step % 16 === 0 && (subtasks.length > 0 || milestone !== null);
      expect(intention.kind === "communicate").toBe(mustReport);
      if (intention.kind !== "communicate") return;
      due.push({ agent, step, intention });
      expect(intention).toMatchObject({ type: "progress_update", to: [0], channel: "chat" });
    });
    expect(due.length).toBeGreaterThan(50);
    for (const record of records) {
      expect(record.alignment.final).toBe(0.3);
      expect(record.communicationMinutes).toBe(3 * record.sent.progress_update);
      expect(record.sent.progress_update).toBe(eventsOf(record, "send").length);
    }
  });

  it("unconstrained talks more than c2c, and c2c is done sooner than without talk", async () => {
    const total = async (strategy: WorkplaceStrategyName) => {
      const records = await watch(strategy, () => {}, 4);
      const sum = (of: (record: (typeof records)[number]) => number) => records.reduce((all, r) => all + of(r), 0);
      return { steps: sum(({ steps }) => steps), messages: sum(({ channels: c }) => c.chat + c.email + c.meeting) };
    };
    const [none, c2c, free] = [await total("no-communication"), await total("c2c"), await total("unconstrained")];
    expect(c2c.steps).toBeLessThan(none.steps);
    expect(free.messages).toBeGreaterThan(c2c.messages);
  });
});

describe("an answer", () => {
  const context = (match: number, isManager = false) =>
    ({ agent: 1, isManager, matchOf: () => match }) as unknown as MindContext;
  const topics = Array.from({ length: 6 }, (_, k) => `topic ${k}`);
  const traitsOf = (seed: number, isManager = false) => drawTraits(isManager, defaultTraits, createRng(seed));
  const ask = { about: 0, topics, channel: "email", isUnclear: false } as const;

  it("is the same for the same question, covers what was asked, and in a chat one topic of it", () => {
    for (let seed = 0; seed < 50; seed++) {
      const traits = traitsOf(seed);
      const answer = answerWith(context(1000), traits, ask);
      expect(answerWith(context(1000), traits, ask)).toEqual(answer);
      expect(topics).toEqual(expect.arrayContaining([...answer.covers]));
      const inChat = answerWith(context(1000), traits, { ...ask, channel: "chat" });
      expect(inChat.covers).toEqual(answer.covers.slice(0, 1));
      expect(inChat.clarity).toBeLessThanOrEqual(answer.clarity);
      for (const { clarity } of [answer, inChat]) expect(clarity >= 0 && clarity <= 1000).toBe(true);
    }
  });

  it("knows more the more of the skills one has", () => {
    const known = (match: number) =>
      Array.from({ length: 100 }, (_, seed) => answerWith(context(match), traitsOf(seed), ask).covers.length).reduce(
        (a, b) => a + b,
      );
    expect(known(1000)).toBeGreaterThan(known(500));
    expect(known(500)).toBeGreaterThan(known(0));
    expect(known(0)).toBeGreaterThan(0);
  });

  it("of a manager knows what was meant", () => {
    const covered = (isUnclear: boolean) =>
      Array.from(
        { length: 100 },
        (_, seed) => answerWith(context(500, true), traitsOf(seed, true), { ...ask, isUnclear }).covers.length,
      ).reduce((a, b) => a + b);
    expect(covered(true)).toBeGreaterThan(1.3 * covered(false));
  });

  it("comes from traits that stay within what they are drawn from", () => {
    for (let seed = 0; seed < 200; seed++) {
      const { knowledge, clarity } = traitsOf(seed);
      expect(knowledge >= defaultTraits.knowledge[0] && knowledge <= defaultTraits.knowledge[1]).toBe(true);
      expect(clarity >= defaultTraits.clarity[0] && clarity <= defaultTraits.clarity[1]).toBe(true);
      expect(traitsOf(seed, true)).toMatchObject({ knowledge: defaultTraits.managerKnowledge });
    }
  });
});

it("a mind whose understanding stands at what talk can teach asks nobody, however much it lacks", async () => {
  const mind = simulatedMind(drawTraits(false, defaultTraits, createRng(1)));
  let compared = 0;
  await watch("unconstrained", (context, intention) => {
    if (!isAsking(intention)) return;
    const atCeiling = (view: SubtaskView): SubtaskView => Object.create(view, { alignment: { value: view.ceiling } });
    const subtasks = context.subtasks.map(atCeiling);
    const full = Object.create(context, { subtasks: { value: subtasks } }) as MindContext;
    expect(isAsking(mind.decide(full) as Intention)).toBe(false);
    compared++;
  });
  expect(compared).toBeGreaterThan(20);
});
