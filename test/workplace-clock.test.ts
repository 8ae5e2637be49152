import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ColloquyError } from "../src/base/errors.ts";
import type { Intention, Mind, MindContext } from "../src/contracts/workplace/mind.ts";
import type { Plan } from "../src/contracts/workplace/project.ts";
import { createWorkplace, defaultCosts, defaultTiers } from "../src/environments/index.ts";
import { taskProgress } from "../src/environments/workplace/progress.ts";
import {
  allOf,
  type Changes,
  eventsOf,
  handMade,
  plainTiers,
  planOf,
  play,
  plod,
  projectOf,
  scripted,
  settingsOf,
  startOf,
  workplaceOf,
} from "./support/workplace.ts";
import { referee } from "./support/workplace-referee.ts";

/** Plays a plan made by hand with a script for each agent; who has none plods. */
async function act(
  plan: Plan,
  scripts: Readonly<Record<number, (context: MindContext) => Intention | undefined>> = {},
  changes: Changes = {},
  mindOf: (agent: number) => Mind = (agent) => scripted(scripts[agent] ?? (() => undefined)),
) {
  const workers = Math.max(...plan.owners);
  const project = handMade(workers);
  const settings = settingsOf(workers, {
    tiers: plainTiers,
    plan: () => plan,
    reassign: false,
    wrap: (_mind, agent) => mindOf(agent),
    ...changes,
  });
  const record = await play(createWorkplace(settings), startOf(project));
  referee(record, project, settings);
  return record;
}

const help = (
  about: number,
  to: number,
  changes: Partial<Extract<Intention, { kind: "communicate" }>> = {},
): Intention => ({
  kind: "communicate",
  type: "help_request",
  to: [to],
  channel: "chat",
  about,
  topics: [`first of ${about}`],
  words: 20,
  reason: "it asks",
  ...changes,
});
const meet = (about: number, to: readonly number[]): Intention =>
  help(about, 0, { type: "meeting_invite", channel: "meeting", to });
const reply = ({ inbox: [asked] }: MindContext): Intention | undefined =>
  asked && { kind: "reply", message: asked.id, guidance: allOf(asked.topics), reason: "it answers" };
const wait: Intention = { kind: "wait", reason: "it waits" };
const at = (step: number, intention: Intention) => (context: MindContext) =>
  context.step === step ? intention : undefined;

describe("without communication time has a closed form", () => {
  it.each([
    ["complex", 4, 33.5],
    ["medium", 4, 20],
    ["simple", 4, 6.75],
    ["complex", 8, 16.75],
    ["medium", 8, 10],
    ["simple", 8, 3.5],
    ["complex", 16, 8.5],
    ["medium", 16, 5],
    ["simple", 16, 1.75],
  ] as const)("the %s tier, cut equally, takes %i workers %f hours", async (tier, workers, hours) => {
    const world = workplaceOf(workers, { strategy: "no-communication", decomposition: "equal" });
    for (const seed of [1, 2]) {
      const record = await play(world, startOf(projectOf(tier, workers, { seed }), { seed }));
      expect(record.steps / 4).toBe(hours);
      expect(record).toMatchObject({
        outcome: "finished",
        communicationMinutes: 0,
        alignment: { final: 0.3, mean: 0.3 },
      });
    }
    if (tier === "complex" && workers === 4) expect((defaultTiers.complex.hours / hours).toFixed(2)).toBe("1.19");
  });

  it("equal shares of any effort take E / (0.3 · W), rounded up to a quarter of an hour, for any team", async () => {
    const cases = fc.record({ workers: fc.integer({ min: 1, max: 20 }), hours: fc.integer({ min: 1, max: 60 }) });
    await fc.assert(
      fc.asyncProperty(cases, async ({ workers, hours }) => {
        const tiers = { ...defaultTiers, medium: { ...defaultTiers.medium, hours } };
        const world = workplaceOf(workers, { strategy: "no-communication", decomposition: "equal", tiers });
        const record = await play(world, startOf(projectOf("medium", workers, { tiers })));
        // In whole units: a step of a quarter of an hour at an AF of 300 is 300 of the 4,000 of an hour.
        const steps = Math.ceil((hours * 4000) / (300 * workers));
        expect(record.steps).toBe(Math.min(160, steps));
        expect(record.outcome).toBe(steps <= 160 ? "finished" : "unfinished");
      }),
      { numRuns: 60 },
    );
  });

  it("k subtasks a worker take as long as one of their size: what is left of a step is carried over", async () => {
    const cases = fc.record({
      workers: fc.integer({ min: 1, max: 6 }),
      each: fc.integer({ min: 1, max: 12 }),
      effort: fc.integer({ min: 1, max: 3000 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ workers, each, effort }) => {
        const parts = Array.from({ length: workers * each }, (_, s) => ({ owner: 1 + (s % workers), effort }));
        const record = await act(planOf(parts), {}, { strategy: "no-communication" });
        expect(record.steps).toBe(Math.min(160, Math.ceil((each * effort) / 300)));
      }),
      { numRuns: 80 },
    );
  });

  it("nothing is carried over to what could not begin when the step began", async () => {
    const efforts = fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(efforts, fc.integer({ min: 1, max: 3 }), async (chain, workers) => {
        const parts = chain.map((effort, s) => ({ owner: 1 + (s % workers), effort, after: s === 0 ? [] : [s - 1] }));
        const record = await act(planOf(parts));
        expect(record.steps).toBe(chain.reduce((sum, effort) => sum + Math.ceil(effort / 300), 0));
      }),
      { numRuns: 60 },
    );
  });
});

describe("a message", () => {
  const plan = planOf([
    { owner: 1, effort: 30_000 },
    { owner: 2, effort: 30_000 },
  ]);

  it("is in the mail in the step after, and its answer is understood in the step after that", async () => {
    const seen: number[] = [];
    const record = await act(plan, {
      1: at(2, help(0, 2)),
      2: (context) => {
        if (context.inbox.length > 0) seen.push(context.step);
        return reply(context);
      },
    });
    expect(seen).toEqual([3]);
    expect(eventsOf(record, "send").map(({ step, type }) => [step, type])).toEqual([
      [2, "help_request"],
      [3, "reply"],
    ]);
    // Everything covered, by somebody with all skills, as clearly as can be: the most there is.
    expect(eventsOf(record, "judge")).toEqual([{ step: 4, kind: "judge", about: 0, delta: 500 }]);
    expect(eventsOf(record, "learn")).toMatchObject([{ step: 4, agent: 1, from: 2, before: 300, after: 800 }]);
    expect(record.responses.chat).toEqual({ count: 1, sum: 2 });
    const work = eventsOf(record, "work").filter(({ agent }) => agent === 1);
    expect(work.slice(0, 4).map(({ step, done }) => [step, done])).toEqual([
      [0, 300],
      [1, 300],
      [3, 300],
      [4, 800],
    ]);
  });

  it("raises AF by what was judged, up to what talk can teach, and never above 1", async () => {
    const deltas = fc.double({ min: -1000, max: 3000 });
    await fc.assert(
      fc.asyncProperty(deltas, fc.integer({ min: 300, max: 1000 }), async (delta, ceiling) => {
        const tiers = { ...plainTiers, complex: { ...plainTiers.complex, ceiling, ceilingUnskilled: ceiling } };
        const record = await act(plan, { 1: at(0, help(0, 2)), 2: reply }, { tiers, judge: () => delta });
        const gained = Math.round(Math.min(500, Math.max(0, Number.isNaN(delta) ? 0 : delta)));
        expect(eventsOf(record, "learn")[0].after).toBe(Math.min(ceiling, 300 + gained));
      }),
      { numRuns: 40 },
    );
  });

  it("by chat takes 3 minutes, and by email 9 and its length, and its reader's time, which is no step", async () => {
    const words = fc.integer({ min: 0, max: 10_000 });
    await fc.assert(
      fc.asyncProperty(words, fc.constantFrom("chat", "email"), async (count, channel) => {
        const record = await act(plan, { 1: at(0, help(0, 2, { channel: channel as "chat", words: count })) });
        const writing = channel === "chat" ? 3 : Math.ceil(9 + count / 40);
        expect(record.communicationMinutes).toBe(writing + (channel === "chat" ? 0 : Math.ceil(count / 200)));
        expect(record.occupancy.communicate).toEqual([0, Math.max(1, Math.ceil(writing / 15)), 0]);
        expect(record.occupancy.reply).toEqual([0, 0, 0]);
      }),
      { numRuns: 40 },
    );
  });

  it("waits in the mail of who is busy, and one is answered a step: the most urgent, then the oldest", async () => {
    const parts = [1, 2, 3, 4].map((owner) => ({ owner, effort: 20_000 }));
    const record = await act(planOf(parts), {
      // Nine minutes and 1,000 words: 34 minutes, three steps.
      1: (context) => (context.step === 0 ? help(0, 2, { channel: "email", words: 1000 }) : reply(context)),
      2: at(0, help(1, 1, { channel: "email" })),
      3: at(1, help(2, 1)),
      4: at(0, help(3, 1)),
    });
    const answers = eventsOf(record, "send").filter(({ type }) => type === "reply");
    expect(answers.map(({ step, to }) => [step, to[0]])).toEqual([
      [3, 4],
      [4, 3],
      [5, 2],
    ]);
  });

  it("that nobody answers is taken back 8 steps past its window, and may then be sent again", async () => {
    const wanted: number[] = [];
    const record = await act(plan, {
      1: (context) => {
        if (context.open.length > 0) return undefined;
        wanted.push(context.step);
        return help(0, 2);
      },
      2: (context) => (context.step === 12 ? { ...wait, kind: "reply", message: 0, guidance: allOf([]) } : undefined),
    });
    // Sent at 0, due at 1: open up to and with step 9.
    expect(wanted.slice(0, 2)).toEqual([0, 10]);
    expect(eventsOf(record, "fault")[0]).toMatchObject({ step: 12, agent: 2 });
  });

  it("about what has been done meanwhile is not answered, and its answer is not understood", async () => {
    const short = planOf([
      { owner: 1, effort: 600 },
      { owner: 2, effort: 9000 },
    ]);
    const record = await act(short, {
      1: at(0, help(0, 2)),
      2: (context) => (context.step === 2 ? reply(context) : undefined),
    });
    expect(eventsOf(record, "done")[0]).toMatchObject({ step: 2, about: 0 });
    expect(eventsOf(record, "learn")).toEqual([]);
  });
});

it("a question asks for what it asked for when it was sent, whatever its sender notices meanwhile", async () => {
  for (const seed of [1, 2, 3, 4]) {
    const told: string[] = [];
    const world = workplaceOf(4, { onEvent: (event) => void told.push(JSON.stringify(event)) });
    const { events } = await play(world, startOf(projectOf("complex", 4, { seed })));
    expect(told).toEqual(events!.map((event) => JSON.stringify(event)));
  }
});

describe("a meeting", () => {
  const plan = planOf([1, 2, 3].map((owner) => ({ owner, effort: 30_000 })));
  const told = (record: Awaited<ReturnType<typeof act>>) =>
    eventsOf(record, "meeting").map(({ step, what, members }) => [step, what, members]);

  it("is accepted in the step after, starts in the one after that, and raises AF when it ends", async () => {
    const record = await act(plan, { 1: at(4, meet(0, [2, 3])) });
    expect(told(record)).toEqual([
      [5, "accepted", [1, 2, 3]],
      [6, "started", [1, 2, 3]],
      // 30 minutes, and 2 for the third participant: three steps.
      [9, "ended", [1, 2, 3]],
    ]);
    expect(eventsOf(record, "learn")).toMatchObject([
      { step: 9, agent: 1, type: "meeting_invite", before: 300, after: 800 },
    ]);
    // One agenda item to prepare, and 32 minutes for each of three.
    expect(record.communicationMinutes).toBe(5 + 3 * 32);
    expect(record.occupancy.meeting).toEqual([0, 3, 3, 3]);
    expect(record.responses.meeting).toEqual({ count: 1, sum: 2 });
  });

  it("waits until all who accepted are free", async () => {
    // 10 + 9 minutes of writing: two steps, from the step of the acceptance on.
    const long = help(1, 0, { channel: "email", words: 400 });
    const record = await act(plan, { 1: at(0, meet(0, [2])), 2: at(1, long) });
    expect(told(record).map(([step, what]) => [step, what])).toEqual([
      [1, "accepted"],
      [3, "started"],
      [5, "ended"],
    ]);
  });

  it("is without those who are busy when they are invited", async () => {
    const record = await act(plan, {
      1: at(0, meet(0, [2, 3])),
      2: at(0, help(1, 0, { channel: "email", words: 400 })),
    });
    expect(told(record)[0]).toEqual([1, "accepted", [1, 3]]);
  });

  it("is cancelled, for a reason, when nobody can come, and when it cannot start for 8 steps", async () => {
    const endless = help(1, 0, { channel: "email", words: 10_000 });
    const refused = await act(plan, { 1: at(0, meet(0, [2])), 2: at(0, endless) });
    expect(eventsOf(refused, "meeting")).toEqual([
      {
        ...{ step: 1, kind: "meeting", meeting: 0, what: "cancelled", members: [1, 2] },
        reason: "nobody who was invited was free to accept",
      },
    ]);
    const late = await act(plan, { 1: at(0, meet(0, [2])), 2: at(1, endless) });
    expect(told(late).map(([step, what]) => [step, what])).toEqual([
      [1, "accepted"],
      [10, "cancelled"],
    ]);
    expect(eventsOf(late, "meeting")[1].reason).toBe("agent 2 was not free within 8 steps");
    expect(late.meetings).toEqual({ held: 0, cancelled: 1 });
    expect(late.occupancy.meeting).toEqual([0, 0, 0, 0]);
  });

  it("is cancelled when what it was about is done by then", async () => {
    const parts = [
      { owner: 1, effort: 300 },
      { owner: 2, effort: 9000 },
    ];
    const record = await act(planOf(parts), {
      1: at(0, meet(0, [2])),
      2: at(1, help(1, 0, { channel: "email", words: 400 })),
    });
    expect(eventsOf(record, "meeting").map(({ step, what, reason }) => [step, what, reason])).toEqual([
      [1, "accepted", undefined],
      [2, "cancelled", "what it was about is done"],
    ]);
  });

  it("takes its minutes from every participant: 30, and 2 for each beyond two", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 90 }), async (invited, base) => {
        const parts = Array.from({ length: invited + 1 }, (_, k) => ({ owner: k + 1, effort: 9000 }));
        const others = Array.from({ length: invited }, (_, k) => k + 2);
        const costs = { ...defaultCosts, meetingMinutes: base };
        const record = await act(planOf(parts), { 1: at(0, meet(0, others)) }, { costs });
        const each = base + 2 * (invited - 1);
        expect(record.communicationMinutes).toBe(5 + (invited + 1) * each);
        expect(record.occupancy.meeting.slice(1)).toEqual(parts.map(() => Math.ceil(each / 15)));
      }),
      { numRuns: 30 },
    );
  });
});

describe("work", () => {
  it("of a parent task is as far as its effort: Σ wP / Σ w", () => {
    const parts = fc.array(
      fc.record({ effort: fc.integer({ min: 1, max: 9000 }), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(parts, (subtasks) => {
        const plan = planOf(subtasks.map(({ effort }) => ({ owner: 1, effort })));
        const left = subtasks.map(({ effort, share }) => effort - Math.floor(effort * share));
        const progress = taskProgress(plan, left, 0);
        const weights = subtasks.reduce((sum, { effort }) => sum + effort, 0);
        const done = subtasks.reduce((sum, { effort }, s) => sum + effort * ((effort - left[s]) / effort), 0);
        expect(progress).toBeCloseTo(done / weights, 12);
        expect(progress === 1).toBe(left.every((units) => units === 0));
      }),
    );
  });

  it("goes to a worker who has nothing left, the largest that nobody has begun, once a step", async () => {
    const efforts = [300, 3000, 900, 1500, 1200];
    const plan = planOf(efforts.map((effort, s) => ({ owner: s === 0 ? 1 : 2, effort })));
    const record = await act(plan, {}, { reassign: true });
    const moved = eventsOf(record, "assign").slice(efforts.length);
    // Worker 2 begins with the first of equal chains; of the others the largest goes.
    expect(moved[0]).toMatchObject({ step: 0, agent: 1, about: 3 });
    expect(moved.map(({ reason }) => reason).every((reason) => reason.includes("has nothing left"))).toBe(true);
    expect(record.steps).toBeLessThan(efforts.slice(1).reduce((sum, effort) => sum + effort, 0) / 300);
  });

  it("that cannot be finished is left at the limit, and its waiting has reasons", async () => {
    const record = await act(planOf([{ owner: 1, effort: 900 }]), { 1: () => wait });
    expect(record).toMatchObject({ outcome: "unfinished", steps: 160, utility: 0, doneAt: [null], progress: [0] });
    expect(eventsOf(record, "wait").filter(({ agent, reason }) => agent === 1 && reason === "it waits").length).toBe(
      160,
    );
  });

  it.each([
    ["a cycle", planOf([0, 1].map((s) => ({ owner: 1, effort: 1, after: [1 - s] })))],
    ["an owner who is the manager", planOf([{ owner: 0, effort: 1 }])],
    ["an owner who is nobody", planOf([{ owner: 9, effort: 1 }])],
    ["no effort", planOf([{ owner: 1, effort: 0 }])],
    ["a part of a unit", planOf([{ owner: 1, effort: 0.5 }])],
    ["a wait for what is not there", planOf([{ owner: 1, effort: 1, after: [3] }])],
    ["nothing to do", planOf([])],
    ["fewer owners than subtasks", { ...planOf([{ owner: 1, effort: 1 }]), owners: [] }],
  ])("is not begun by a plan with %s", async (_what, plan) => {
    const world = workplaceOf(2, { plan: () => plan });
    await expect(world.reset(startOf(handMade(2)))).rejects.toMatchObject({ code: "workplace/plan" });
  });
});

it("an error that ends the run ends the episode, whoever else failed before", async () => {
  const error = new ColloquyError("llm/limit", "the limit is reached", { endsRun: true });
  const minds = (agent: number): Mind => ({
    ...scripted(() => undefined),
    decide: async () => {
      throw agent === 2 ? error : new Error("a fault of its own");
    },
  });
  const plan = planOf([1, 2, 3].map((owner) => ({ owner, effort: 3000 })));
  await expect(act(plan, {}, {}, minds)).rejects.toBe(error);
});

it("an interrupt is no fault of a mind: the episode ends with it", async () => {
  const stop = new AbortController();
  const minds = (): Mind => ({
    ...scripted(() => undefined),
    decide: async (context) => {
      if (context.step === 2) stop.abort();
      context.signal?.throwIfAborted();
      return plod(context);
    },
  });
  const world = workplaceOf(2, { wrap: minds });
  const start = startOf(projectOf("simple", 2), { signal: stop.signal });
  await expect(play(world, start)).rejects.toThrow("aborted");
});
