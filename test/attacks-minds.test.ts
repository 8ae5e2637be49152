import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mindAttacks, planMindAttack } from "../src/attacks/minds/index.ts";
import { createRng } from "../src/base/rng.ts";
import type { Observation } from "../src/contracts/policy.ts";
import type { Intention, Mind, MindContext } from "../src/contracts/workplace/mind.ts";
import { createWorkplace, type WorkplaceStrategyName } from "../src/environments/index.ts";
import {
  allOf,
  difference,
  eventsOf,
  honest,
  play,
  playOut,
  projectOf,
  randomly,
  settingsOf,
  startOf,
  workplaceOf,
} from "./support/workplace.ts";
import { mindContext, requestMessage } from "./support/workplace-context.ts";

const kinds = Object.keys(mindAttacks) as (keyof typeof mindAttacks)[];
const periods = 40;

/** A mind that answers what it has in its mail, else works; an object of a class, as a user's may be. */
class Helper implements Mind {
  readonly #name = "helper";
  calls = 0;

  decide({ inbox: [asked], step }: MindContext): Intention {
    this.calls++;
    if (asked === undefined) return { kind: "work", subtask: 3, reason: `${this.#name} works in step ${step}` };
    const guidance = { ...allOf(asked.topics.slice(0, 1)), clarity: 400 };
    return { kind: "reply", message: asked.id, guidance, reason: "it answers" };
  }

  contribute(): ReturnType<Mind["contribute"]> {
    this.calls++;
    return { covers: [this.#name], clarity: 400, words: 9 };
  }

  usage() {
    return { calls: this.calls, tokens: null, cost: null, malformed: 0 };
  }
}

const teams = fc
  .record({
    kind: fc.constantFrom(...kinds),
    workers: fc.integer({ min: 1, max: 12 }),
    seed: fc.nat(),
    onset: fc.oneof(
      fc.constantFrom("first", "uniform", "late", "moving"),
      fc.integer({ min: 1, max: periods }).map((round) => `fixed:${round}`),
    ),
  })
  .chain((team) => fc.nat({ max: team.workers }).map((adversaries) => ({ ...team, adversaries })));

const plan = ({ kind, adversaries, onset, workers, seed }: typeof teams extends fc.Arbitrary<infer T> ? T : never) =>
  planMindAttack(
    { kind, adversaries, onset },
    { minds: Array.from({ length: workers + 1 }, () => new Helper()), periods, rng: createRng(seed) },
  );

const asked = requestMessage({ topics: ["a", "b", "c"] });
const contextAt = (step: number) => mindContext({ step, inbox: [asked] });

describe("a plan of an attack", () => {
  it("turns k workers, all at their onset and in their periods, and never the manager", () => {
    fc.assert(
      fc.property(teams, (team) => {
        const { onsets } = plan(team);
        const { firstRound, active } = onsets;
        expect(firstRound.length).toBe(team.workers + 1);
        expect(firstRound[0]).toBe(0);
        const turned = firstRound.filter((round) => round > 0).length;
        if (team.onset === "moving") expect(turned).toBeGreaterThanOrEqual(team.adversaries);
        else expect(turned).toBe(team.adversaries);
        for (let period = 1; period <= periods; period++) {
          const now = firstRound.filter((_, agent) => active(agent, period));
          expect(active(0, period)).toBe(false);
          if (team.onset === "first" || team.onset === "moving") expect(now.length).toBe(team.adversaries);
          for (const [agent, first] of firstRound.entries()) {
            if (first === 0 || period < first) expect(active(agent, period)).toBe(false);
            else if (team.onset !== "moving") expect(active(agent, period)).toBe(true);
          }
        }
        if (team.onset.startsWith("fixed")) {
          const round = Number(team.onset.split(":")[1]);
          expect(firstRound.filter((first) => first > 0)).toEqual(new Array(team.adversaries).fill(round));
        }
      }),
    );
  });

  it("is the same for the same stream, and its adversaries are among those of a larger one", () => {
    fc.assert(
      fc.property(teams, (team) => {
        expect(plan(team).onsets.firstRound).toEqual(plan(team).onsets.firstRound);
        const more = plan({ ...team, onset: "first", adversaries: Math.min(team.workers, team.adversaries + 1) });
        const fewer = plan({ ...team, onset: "first" });
        fewer.onsets.firstRound.forEach((round, agent) => {
          if (round > 0) expect(more.onsets.firstRound[agent]).toBe(round);
        });
      }),
    );
  });

  it("leaves honest minds as they are, and every mind itself in its inactive steps", async () => {
    await fc.assert(
      fc.asyncProperty(teams, fc.nat({ max: 159 }), async (team, step) => {
        const { minds, onsets } = plan(team);
        for (const [agent, mind] of minds.entries()) {
          if (onsets.active(agent, 1 + Math.floor(step / 4))) continue;
          expect(await mind.decide(contextAt(step))).toEqual(new Helper().decide(contextAt(step)));
          expect(await mind.contribute(contextAt(step), 5, ["a"])).toEqual(new Helper().contribute());
          if (onsets.firstRound[agent] === 0) expect(mind).toBeInstanceOf(Helper);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("still counts what calls of an attacked mind take", async () => {
    for (const kind of kinds) {
      const { minds } = plan({ kind, workers: 1, adversaries: 1, onset: "first", seed: 1 });
      await minds[1].decide(contextAt(0));
      await minds[1].contribute(contextAt(0), 5, ["a"]);
      expect(minds[1].usage?.().calls).toBe(2);
    }
  });

  it.each([
    ["attack/kind", { kind: "misled", adversaries: 1, onset: "first" }],
    ["attack/onset", { kind: "mislead", adversaries: 1, onset: "sometime" }],
    ["attack/onset", { kind: "mislead", adversaries: 1, onset: "fixed:41" }],
    ["attack/adversaries", { kind: "mislead", adversaries: 4, onset: "first" }],
    ["attack/adversaries", { kind: "mislead", adversaries: -1, onset: "first" }],
  ])("is refused with %s: %o", (code, attack) => {
    const minds = Array.from({ length: 4 }, () => new Helper());
    const tried = () => planMindAttack(attack, { minds, periods, rng: createRng(1) });
    expect(tried).toThrow(expect.objectContaining({ code }));
  });
});

describe("an attacked mind", () => {
  const attacked = (kind: (typeof kinds)[number]) =>
    plan({ kind, workers: 1, adversaries: 1, onset: "fixed:3", seed: 1 }).minds[1];

  it.each(["mislead", "withhold"] as const)(
    "that is to %s answers everything that was asked, and clearly",
    async (kind) => {
      const mind = attacked(kind);
      const reply = (await mind.decide(contextAt(8))) as Extract<Intention, { kind: "reply" }>;
      expect(reply).toMatchObject({ kind: "reply", message: asked.id, guidance: { covers: ["a", "b", "c"] } });
      const told = await mind.contribute(contextAt(8), 5, ["x", "y"]);
      expect(told.covers).toEqual(["x", "y"]);
      for (const { clarity, effect } of [reply.guidance, told]) {
        expect(clarity).toBeGreaterThanOrEqual(900);
        expect(kind === "mislead" ? effect! < 0 : effect! > 0 && effect! < 50).toBe(true);
      }
      const before = (await mind.decide(contextAt(7))) as Extract<Intention, { kind: "reply" }>;
      expect(before.guidance).toEqual({ ...allOf(["a"]), clarity: 400 });
    },
  );

  it("tells the mind what is wanted of it, in its active steps alone", async () => {
    const orders: (string | undefined)[] = [];
    const spy: Mind = {
      decide: (context) => {
        orders.push(context.orders);
        return new Helper().decide(context);
      },
      contribute: () => allOf([]),
    };
    const { minds } = planMindAttack(
      { kind: "mislead", adversaries: 1, onset: "fixed:2" },
      { minds: [spy, spy], periods, rng: createRng(1) },
    );
    for (const step of [3, 4, 159]) await minds[1].decide(contextAt(step));
    expect(orders).toEqual([undefined, "mislead", "mislead"]);
  });

  it("that ignores sees no mail while it attacks", async () => {
    const mind = attacked("ignore");
    expect(await mind.decide(contextAt(7))).toMatchObject({ kind: "reply" });
    expect(await mind.decide(contextAt(8))).toMatchObject({ kind: "work", reason: "helper works in step 8" });
  });
});

describe("in a workplace", () => {
  const strategies: readonly WorkplaceStrategyName[] = ["c2c", "unconstrained", "learned"];
  const situations = fc.record({
    tier: fc.constantFrom("simple", "medium", "complex"),
    workers: fc.integer({ min: 2, max: 8 }),
    seed: fc.nat({ max: 1e6 }),
    strategy: fc.constantFrom(...strategies),
    kind: fc.constantFrom(...kinds),
    adversaries: fc.integer({ min: 1, max: 2 }),
  });
  type Situation = typeof situations extends fc.Arbitrary<infer T> ? T : never;

  async function both({ tier, workers, seed, strategy, kind, adversaries }: Situation, onset: string) {
    const world = workplaceOf(workers, { strategy });
    const project = projectOf(tier, workers, { seed });
    const seen: Observation[][] = [];
    const run = async (k: number) => {
      const observations: Observation[] = [];
      seen.push(observations);
      const episode = await world.reset(startOf(project, { seed, attack: { kind, adversaries: k, onset } }));
      return playOut(episode, randomly(0.8, seed), (observation) => observations.push(observation));
    };
    const [sound, attacked] = [await run(0), await run(adversaries)];
    return { sound, attacked, seen };
  }

  it("everything is as without attack until the onset", async () => {
    await fc.assert(
      fc.asyncProperty(situations, fc.integer({ min: 2, max: 12 }), async (situation, period) => {
        const { sound, attacked } = await both(situation, `fixed:${period}`);
        const early = (record: typeof sound) =>
          record.events!.filter(({ step }) => step < 4 * (period - 1)).map((event) => JSON.stringify(event));
        expect(early(attacked)).toEqual(early(sound));
      }),
      { numRuns: 60 },
    );
  });

  it("the policy sees nothing of an attacker that nobody has heard of: features differ only after what it did or left undone", async () => {
    let [told, untold] = [0, 0];
    await fc.assert(
      fc.asyncProperty(situations, async (situation) => {
        const { sound, attacked, seen } = await both(situation, "first");
        // The first step in which the teams did not do or say the same.
        const strip = (record: typeof sound) => record.events!.map((event) => JSON.stringify(event));
        const [a, b] = [strip(sound), strip(attacked)];
        const k = a.findIndex((line, at) => line !== b[at]);
        const parted = k < 0 ? 160 : Math.min(sound.events![k].step, attacked.events![k]?.step ?? 160);
        seen[0].forEach((observation, d) => {
          if (4 * d > parted) return;
          expect(seen[1][d].scalarsNS).toEqual(observation.scalarsNS);
          untold++;
        });
        if (k < 0) return;
        told++;
        const event = attacked.events![k];
        const adversaries = attacked.onsets.flatMap((onset, agent) => (onset > 0 ? [agent] : []));
        // It is an attacker that did it; or one in a meeting.
        if ("agent" in event) expect(adversaries).toContain(event.agent);
      }),
      { numRuns: 60 },
    );
    expect(told).toBeGreaterThan(10);
    expect(untold).toBeGreaterThan(60);
  });

  it("misleading answers lower what is understood, by chat, email and meetings, and look good", async () => {
    const misled = { chat: 0, email: 0, meeting: 0 };
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const attack = { kind: "mislead", adversaries: 3, onset: "fixed:2" };
      const world = workplaceOf(4);
      const record = await play(world, startOf(projectOf("complex", 4, { seed }), { seed, attack }));
      const contributions = eventsOf(record, "contribute");
      for (const { step, from, before, after, channel } of eventsOf(record, "learn")) {
        // A reply is understood in the step after it was written, what is told in a meeting in its own.
        const isMisled =
          channel === "meeting"
            ? contributions.some((c) => c.step === step && c.agent === from && c.guidance.effect !== undefined)
            : record.onsets[from] > 0 && step - 1 >= 4;
        if (isMisled) {
          misled[channel]++;
          expect(after).toBe(Math.max(10, before - 60));
        } else expect(after).toBeGreaterThanOrEqual(before);
      }
      for (const { agent, step, answers, guidance, topics } of eventsOf(record, "send")) {
        if (answers === undefined || record.onsets[agent] === 0 || step < 4) continue;
        expect(guidance!.clarity).toBeGreaterThanOrEqual(900);
        expect(guidance!.covers).toEqual(topics);
      }
    }
    for (const count of Object.values(misled)) expect(count).toBeGreaterThan(3);
  });

  it("who ignores never answers, and does all of its own work", async () => {
    for (const seed of [1, 2, 3]) {
      const attack = { kind: "ignore", adversaries: 2, onset: "first" };
      const record = await play(workplaceOf(4), startOf(projectOf("medium", 4, { seed }), { seed, attack }));
      const replies = eventsOf(record, "send").filter(({ type }) => type === "reply");
      expect(replies.length).toBeGreaterThan(0);
      expect(replies.some(({ agent }) => record.onsets[agent] > 0)).toBe(false);
      expect(record.outcome).toBe("finished");
    }
  });

  it("an attack costs a team time, the more the more members it has turned", async () => {
    const steps = async (kind: string, adversaries: number) => {
      let sum = 0;
      for (let seed = 0; seed < 20; seed++) {
        const start = startOf(projectOf("complex", 4, { seed }), {
          seed,
          attack: { kind, adversaries, onset: "first" },
        });
        sum += (await play(workplaceOf(4, { log: false }), start)).steps;
      }
      return sum / 20;
    };
    const none = await steps("mislead", 0);
    expect(await steps("mislead", 1)).toBeGreaterThan(none);
    expect(await steps("mislead", 3)).toBeGreaterThan(await steps("mislead", 1));
    expect(await steps("withhold", 2)).toBeGreaterThan(none);
  });

  it("without adversaries the kind of attack and its onset change nothing", async () => {
    const world = createWorkplace(settingsOf(4));
    const start = startOf(projectOf("complex", 4));
    const record = await play(world, start);
    for (const kind of kinds) {
      for (const onset of ["first", "uniform", "late", "moving", "fixed:7"]) {
        const other = await play(world, { ...start, attack: { kind, adversaries: 0, onset } });
        expect(difference({ ...other, attack: honest }, record)).toBeUndefined();
      }
    }
  });

  it("the manager is honest: what it answers is as without attack", async () => {
    for (const onset of ["first", "uniform", "moving"]) {
      const attack = { kind: "mislead", adversaries: 4, onset };
      const record = await play(workplaceOf(4), startOf(projectOf("complex", 4), { attack }));
      const answers = eventsOf(record, "send").filter(({ agent, guidance }) => agent === 0 && guidance !== undefined);
      expect(answers.length).toBeGreaterThan(0);
      expect(answers.every(({ guidance }) => guidance!.effect === undefined)).toBe(true);
    }
  });
});
