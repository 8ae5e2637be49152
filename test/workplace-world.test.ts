import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../src/base/rng.ts";
import type { Observation } from "../src/contracts/policy.ts";
import type { WorkplaceEvent } from "../src/contracts/workplace/record.ts";
import {
  checkEnvironment,
  createWorkplace,
  type DecompositionName,
  decompositions,
  defaultCosts,
  defaultTiers,
  type Workplace,
  type WorkplaceStrategyName,
  workplaceStrategies,
} from "../src/environments/index.ts";
import { faults } from "./support/faulty-minds.ts";
import {
  type Changes,
  difference,
  eventsOf,
  everyone,
  honest,
  play,
  playOut,
  plod,
  projectOf,
  randomly,
  settingsOf,
  shortTiers,
  slowly,
  startOf,
  workplaceOf,
} from "./support/workplace.ts";
import { referee } from "./support/workplace-referee.ts";

const strategies = Object.keys(workplaceStrategies) as WorkplaceStrategyName[];
const cuts = [...Object.keys(decompositions), "equal"] as DecompositionName[];

const workers = fc.integer({ min: 1, max: 7 });
const costs = fc.record({
  chatMinutes: fc.integer({ min: 0, max: 40 }),
  emailMinutes: fc.integer({ min: 0, max: 40 }),
  writingWords: fc.integer({ min: 1, max: 80 }),
  readingWords: fc.integer({ min: 1, max: 400 }),
  meetingMinutes: fc.integer({ min: 1, max: 90 }),
  agendaMinutes: fc.integer({ min: 0, max: 20 }),
  participantMinutes: fc.integer({ min: 0, max: 10 }),
  chatWindow: fc.integer({ min: 1, max: 4 }),
  emailWindow: fc.integer({ min: 1, max: 8 }),
  meetingPatience: fc.integer({ min: 0, max: 10 }),
});

/** Any team, tasks, way to cut them, strategy, policy, attack and costs, and any faults of its minds. */
const episodes = workers.chain((W) =>
  fc.record({
    workers: fc.constant(W),
    tier: fc.constantFrom("simple", "medium", "complex"),
    tasks: fc.integer({ min: 1, max: 2 }),
    seed: fc.nat({ max: 1e6 }),
    decomposition: fc.constantFrom(...cuts),
    strategy: fc.constantFrom(...strategies),
    share: fc.constantFrom(0, 0.3, 0.7, 1),
    heard: fc.constantFrom(0, 1, 3, Number.POSITIVE_INFINITY),
    reassign: fc.boolean(),
    costs: fc.oneof(fc.constant(defaultCosts), costs),
    attack: fc.record({
      kind: fc.constantFrom("mislead", "withhold", "ignore"),
      adversaries: fc.integer({ min: 0, max: W }),
      onset: fc.constantFrom("first", "uniform", "late", "moving", "fixed:2"),
    }),
    faults: fc.array(fc.constantFrom("none", "none", ...Object.keys(faults)), { minLength: W + 1, maxLength: W + 1 }),
  }),
);
type Drawn = typeof episodes extends fc.Arbitrary<infer T> ? T : never;

function setUp(drawn: Drawn, changes: Changes = {}) {
  const { decomposition, strategy, reassign, heard, costs, tier, tasks, seed, attack } = drawn;
  const settings = settingsOf(drawn.workers, {
    ...{ strategy, decomposition, reassign, costs, tiers: shortTiers },
    budget: { in: heard, out: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY },
    wrap: (mind, agent) => faults[drawn.faults[agent]](mind),
    ...changes,
  });
  const project = projectOf(tier, drawn.workers, { tasks, seed, tiers: shortTiers });
  return {
    settings,
    project,
    world: createWorkplace(settings),
    start: startOf(project, { seed, attack }),
    policy: randomly(drawn.share, seed),
  };
}

describe("whatever the team, its tasks, its minds' faults, its attackers and its strategy", () => {
  it("the rules of the clock, of messages, of meetings and of the ledger are kept", async () => {
    await fc.assert(
      fc.asyncProperty(episodes, async (drawn) => {
        const { world, start, policy, project, settings } = setUp(drawn);
        referee(await play(world, start, policy), project, settings);
      }),
      { numRuns: 300 },
    );
  });

  it("the same seed gives the same log, byte for byte, however long each mind takes to answer", async () => {
    await fc.assert(
      fc.asyncProperty(episodes, fc.nat(), async (drawn, pace) => {
        const { world, start, policy } = setUp(drawn);
        const wrap: Changes["wrap"] = (mind, agent) =>
          slowly(faults[drawn.faults[agent]](mind), createRng(pace).fork(agent));
        const slow = setUp(drawn, { wrap });
        const [first, second, late] = await Promise.all([
          play(world, start, policy),
          play(world, start, policy),
          play(slow.world, slow.start, slow.policy),
        ]);
        expect(difference(second, first)).toBeUndefined();
        expect(difference(late, first)).toBeUndefined();
      }),
      { numRuns: 120 },
    );
  });

  it("an interrupted episode goes on from any part of its log and ends as if it had not been interrupted", async () => {
    await fc.assert(
      fc.asyncProperty(episodes, fc.double({ min: 0, max: 1, noNaN: true }), async (drawn, share) => {
        // What a meddler does is not in the log.
        const sound = { ...drawn, faults: drawn.faults.map((fault) => (fault === "meddles" ? "none" : fault)) };
        const { world, start, policy } = setUp(sound);
        const whole = await play(world, start, policy);
        const log = JSON.parse(JSON.stringify(whole.events)) as WorkplaceEvent[];
        const part = log.slice(0, Math.ceil(share * log.length));
        const played = part.at(-1)?.step ?? 0;
        const asked: number[] = [];
        const watched = setUp(sound, {
          wrap: (mind, agent) => {
            const faulty = faults[sound.faults[agent]](mind);
            if (typeof faulty.decide !== "function") return faulty;
            return {
              ...faulty,
              decide: (context) => {
                asked.push(context.step);
                return faulty.decide(context);
              },
            };
          },
        });
        const resumed = await playOut(await watched.world.resume(start, part), policy);
        expect(difference(resumed, whole)).toBeUndefined();
        expect(Math.min(...asked, 160)).toBeGreaterThanOrEqual(played);
      }),
      { numRuns: 200 },
    );
  });

  it("a mind cannot change anything but what it does", async () => {
    const meddling = { wrap: faults.meddles };
    await fc.assert(
      fc.asyncProperty(episodes, async (drawn) => {
        const [sound, meddled] = [setUp(drawn, { wrap: faults.none }), setUp(drawn, meddling)];
        const record = await play(sound.world, sound.start, sound.policy);
        const other = await play(meddled.world, meddled.start, meddled.policy);
        expect(difference(other, record)).toBeUndefined();
        expect(meddled.project).toEqual(sound.project);
      }),
      { numRuns: 25 },
    );
  });
});

describe("every strategy", () => {
  it.each(strategies)("%s keeps the contract of environments, and the rules on whole tiers", async (strategy) => {
    const settings = settingsOf(4, { strategy });
    const world = createWorkplace(settings);
    for (const tier of ["simple", "medium", "complex"] as const) {
      const start = startOf(projectOf(tier, 4));
      await checkEnvironment(world, [
        start,
        { ...start, attack: { kind: "mislead", adversaries: 2, onset: "uniform" } },
      ]);
    }
    const start = startOf(projectOf("simple", 4));
    referee(await play(world, start, randomly(0.7)), start.question, settings);
  });

  it.each(strategies)("%s lets nobody talk but when it says so", async (strategy) => {
    const { gate } = workplaceStrategies[strategy];
    const world = workplaceOf(6, { strategy });
    for (const tier of ["medium", "complex"] as const) {
      const record = await play(world, startOf(projectOf(tier, 6)), randomly(0.6));
      const begun = eventsOf(record, "send").filter(({ type }) => type !== "reply");
      expect(begun.length > 0).toBe(gate !== "closed");
      if (gate === "scheduled") expect(begun.every(({ step }) => step > 0 && step % 16 === 0)).toBe(true);
      expect(eventsOf(record, "decide").length).toBe(gate === "policy" ? record.decisions.length : 0);
    }
  });

  it("is about as long as its decisions: one every four steps", async () => {
    for (const strategy of strategies) {
      const record = await play(workplaceOf(4, { strategy }), startOf(projectOf("medium", 4)));
      expect(record.decisions.length).toBe(Math.ceil(record.steps / 4));
      expect(record.decisions.map(({ round }) => round)).toEqual(record.decisions.map((_, k) => k + 1));
    }
  });
});

it("a log is told line by line as things happen, and not kept where nobody wants it", async () => {
  const told: string[] = [];
  const start = startOf(projectOf("simple", 4));
  const onEvent = (event: WorkplaceEvent) => void told.push(JSON.stringify(event));
  const record = await play(workplaceOf(4, { onEvent }), start);
  expect(told).toEqual(record.events!.map((event) => JSON.stringify(event)));
  const { events: _events, ...rest } = record;
  expect(await play(workplaceOf(4, { log: false }), start)).toEqual(rest);
});

describe("a log of another episode", () => {
  const start = startOf(projectOf("complex", 4));
  const others: Readonly<Record<string, () => [Workplace, typeof start]>> = {
    "another project": () => [workplaceOf(4), startOf(projectOf("complex", 4, { seed: 8 }))],
    "another tier": () => [workplaceOf(4), startOf(projectOf("simple", 4))],
    "a smaller team": () => [workplaceOf(2), startOf(projectOf("complex", 2))],
    "a larger team": () => [workplaceOf(9), startOf(projectOf("complex", 9))],
    "another seed": () => [workplaceOf(4), { ...start, seed: 4 }],
    "another cut": () => [workplaceOf(4, { decomposition: "naive" }), start],
    "a closed gate": () => [workplaceOf(4, { strategy: "no-communication" }), start],
    "a policy": () => [workplaceOf(4, { strategy: "learned" }), start],
    "other costs": () => [workplaceOf(4, { costs: { ...defaultCosts, emailMinutes: 19 } }), start],
    "a lower ceiling": () => [
      workplaceOf(4, {
        tiers: { ...defaultTiers, complex: { ...defaultTiers.complex, ceiling: 400, ceilingUnskilled: 400 } },
      }),
      start,
    ],
  };

  it.each(Object.keys(others))("is refused: %s", async (name) => {
    const { events } = await play(workplaceOf(4), start);
    const [world, another] = others[name]();
    const resumed = async () => playOut(await world.resume(another, events!));
    await expect(resumed()).rejects.toMatchObject({ code: "replay/differs", name: "ColloquyError" });
  });

  it("is refused where the policy decides otherwise", async () => {
    const world = workplaceOf(4, { strategy: "learned" });
    const { events } = await play(world, start, randomly(0.5, 1));
    const resumed = async () => playOut(await world.resume(start, events!), randomly(0.5, 2));
    await expect(resumed()).rejects.toMatchObject({ code: "replay/differs" });
  });

  it("is refused wherever a line of it was changed, left out or told twice", async () => {
    const world = workplaceOf(4);
    const { events } = await play(world, start);
    const lines = events!.filter(({ kind }) => kind !== "end" && kind !== "fault");
    // Words that only explain are taken as they stand.
    const spoil = (event: WorkplaceEvent): WorkplaceEvent =>
      "about" in event
        ? { ...event, about: event.about + 1 }
        : ({ ...event, agent: 4, members: [1, 2, 3, 4] } as unknown as WorkplaceEvent);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: lines.length - 1 }),
        fc.constantFrom("changed", "left out", "twice"),
        async (k, how) => {
          const put = how === "changed" ? [spoil(lines[k])] : how === "twice" ? [lines[k], lines[k]] : [];
          const log = [...lines.slice(0, k), ...put, ...lines.slice(k + 1), events!.at(-1)!];
          fc.pre(JSON.stringify(put) !== JSON.stringify([lines[k]]));
          // What nobody has answered may have been about something else: such a log is as true.
          fc.pre(!(how === "changed" && lines[k].kind === "send"));
          const resumed = async () => playOut(await world.resume(start, log));
          await expect(resumed()).rejects.toMatchObject({ code: expect.stringMatching(/^replay\//) });
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is refused where its last whole step says more than came out", async () => {
    const world = workplaceOf(4);
    const { events } = await play(world, start);
    for (const at of [events!.length - 1, events!.findIndex(({ step }) => step === 9)]) {
      const more = { step: events![at - 1].step, kind: "wait", agent: 0, reason: "it waits" } as const;
      const log = [...events!.slice(0, at), more, events![at]];
      const resumed = async () => playOut(await world.resume(start, log));
      await expect(resumed()).rejects.toMatchObject({ code: "replay/differs" });
    }
  });

  it("is refused where it is no log", async () => {
    const world = workplaceOf(4);
    const logs: unknown[] = [
      [null],
      ["work"],
      [{}],
      [{ step: -1, kind: "end" }],
      [{ step: 1e9, kind: "end" }],
      [{ step: Number.NaN, kind: "end" }],
      [{ step: "4", kind: "end" }],
      [
        { step: 3, kind: "wait", agent: 0, reason: "x" },
        { step: 2, kind: "wait", agent: 0, reason: "x" },
      ],
    ];
    for (const log of logs)
      await expect(world.resume(start, log as WorkplaceEvent[])).rejects.toMatchObject({ code: "replay/log" });
    // Of the right form, but nothing that this world would ever say.
    for (const kind of ["wait", "dance"]) {
      const log = [0, 1, 5].map((step) => ({ step, kind, agent: 99, reason: {} }));
      const resumed = async () => playOut(await world.resume(start, log as unknown as WorkplaceEvent[]));
      await expect(resumed()).rejects.toMatchObject({ code: "replay/differs" });
    }
  });
});

it("a finished log gives its record again, without asking anybody", async () => {
  for (const strategy of strategies) {
    const start = startOf(projectOf("complex", 4, { tiers: shortTiers }), { attack: { ...honest, adversaries: 1 } });
    const policy = randomly(0.7);
    const record = await play(workplaceOf(4, { strategy, tiers: shortTiers }), start, policy);
    const nobody = () => ({ decide: () => expect.unreachable(), contribute: () => expect.unreachable() });
    const silent = workplaceOf(4, { strategy, tiers: shortTiers, wrap: nobody, judge: () => expect.unreachable() });
    const again = await playOut(await silent.resume(start, record.events!), policy);
    expect(difference(again, record)).toBeUndefined();
  }
});

it("observations are finite, about 0 to 1, and show nothing before it has happened", async () => {
  await fc.assert(
    fc.asyncProperty(episodes, async (drawn) => {
      const { world, start, policy } = setUp(drawn);
      const seen: Observation[] = [];
      await playOut(await world.reset(start), policy, (observation) => seen.push(observation));
      for (const { scalarsNS, agents } of seen) {
        expect(scalarsNS.length).toBe(agents * world.spec.scalars.length);
        expect(scalarsNS.every((value) => value >= -1.5 && value <= 2)).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

describe("cost", () => {
  /** Decisions of minds, judgements, and teammates that minds look at, of an episode. */
  async function count(W: number) {
    let [decided, judged, most] = [0, 0, 0];
    const settings = settingsOf(W, {
      judge: () => {
        judged++;
        return 100;
      },
      wrap: (mind) => ({
        ...mind,
        decide: (context) => {
          decided++;
          for (const { id } of context.subtasks.slice(0, 2)) most = Math.max(most, context.teammatesFor(id).length);
          return mind.decide(context);
        },
      }),
    });
    const record = await play(createWorkplace(settings), startOf(projectOf("complex", W)));
    return { decided, judged, most, record };
  }

  it("grows with the number of agents, steps and messages, and with nothing faster", async () => {
    for (const W of [4, 8, 16, 64, 200]) {
      const { decided, judged, most, record } = await count(W);
      const { steps, sent, meetings } = record;
      const busy = record.occupancy.meeting.reduce((sum, own) => sum + own, 0);
      expect(decided).toBeLessThanOrEqual((W + 1) * steps - busy);
      expect(decided).toBeGreaterThan(((W + 1) * steps) / 2);
      expect(judged).toBeLessThanOrEqual(sent.reply + meetings.held);
      // However large the team, an agent thinks of the manager, six with linked work and eight by skill.
      expect(most).toBeLessThanOrEqual(15);
      expect(record.events!.length).toBeLessThan(2 * (W + 1) * steps + 10 * (sent.reply + sent.help_request + W));
    }
  });
});

/** To take new figures: `npx vitest run test/workplace-world.test.ts -u`. */
it("a few episodes come out as they always have", async () => {
  const lines: string[] = [];
  for (const tier of ["simple", "medium", "complex"] as const) {
    for (const [W, strategy] of [4, 8].flatMap((W) => strategies.map((name) => [W, name] as const))) {
      const attack = { ...honest, adversaries: W === 8 ? 1 : 0 };
      const record = await play(workplaceOf(W, { strategy }), startOf(projectOf(tier, W), { attack }), randomly(0.7));
      const { steps, communicationMinutes: minutes, alignment, sent, channels, meetings, subtasks } = record;
      const final = Math.round(alignment.final * 1000);
      const mean = Math.round(alignment.mean * 1000);
      lines.push(
        JSON.stringify({ tier, W, strategy, steps, minutes, final, mean, sent, channels, meetings, subtasks }),
      );
    }
  }
  await expect(`[\n${lines.join(",\n")}\n]\n`).toMatchFileSnapshot("oracle/workplace-golden.json");
});

it("a mind that only plods is not told of, and never talks", async () => {
  const world = workplaceOf(4, { wrap: () => ({ decide: plod, contribute: () => expect.unreachable() }) });
  const record = await play(world, startOf(projectOf("simple", 4)), everyone);
  expect(record).toMatchObject({ communicationMinutes: 0, faults: 0, outcome: "finished" });
});
