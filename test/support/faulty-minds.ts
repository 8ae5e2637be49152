import type { Rng } from "../../src/base/rng.ts";
import type { Guidance } from "../../src/contracts/workplace/message.ts";
import type { Intention, Mind, MindContext } from "../../src/contracts/workplace/mind.ts";

/** Spoils a mind. What it does in a step depends on the step alone. */
export type Fault = (mind: Mind) => Mind;

/** Values that no list of topics, number, text or guidance can be. */
const garbage = [
  null,
  undefined,
  Number.NaN,
  -1,
  1.5,
  1e308,
  "seven",
  "",
  true,
  10n,
  Symbol("what"),
  [],
  {},
  [[]],
  () => 1,
  Object.create(null),
  new Date(0),
  new Array(100_000).fill("x"),
  "x".repeat(100_000),
];
const endless: Record<string, unknown> = {};
endless.itself = endless;

const anything = (rng: Rng): unknown => rng.pick([...garbage, endless, trap, new Proxy({}, {})]);

/** Looking at it throws. */
const trap = {
  get kind(): string {
    throw new Error("do not look");
  },
  get covers(): string[] {
    throw new Error("do not look");
  },
};

/** Mostly what would do, sometimes anything. */
const perhaps = (rng: Rng, good: unknown): unknown => (rng.uniform() < 0.75 ? good : anything(rng));

function anyGuidance(rng: Rng, topics: readonly string[]): unknown {
  const effect = rng.uniform() < 0.3 ? { effect: perhaps(rng, -100) } : {};
  const text = rng.uniform() < 0.3 ? { text: perhaps(rng, "so it goes") } : {};
  const [covers, clarity, words] = [perhaps(rng, topics), perhaps(rng, 700), perhaps(rng, 30)];
  return perhaps(rng, { covers, clarity, words, ...effect, ...text });
}

/** An intention of a random kind, any part of which may be wrong. */
function anyIntention({ subtasks, inbox, agent }: MindContext, rng: Rng): unknown {
  const reason = perhaps(rng, "why not");
  const subtask = rng.uniform() < 0.5 ? rng.integer(12) : (subtasks[0]?.id ?? 0);
  const somebody = (): number => (rng.uniform() < 0.2 ? agent : rng.integer(8) - (rng.uniform() < 0.1 ? 2 : 0));
  const invited = Array.from({ length: 1 + rng.integer(4) }, somebody);
  return rng.pick([
    () => anything(rng),
    () => ({ kind: perhaps(rng, "wait"), reason }),
    () => ({ kind: "work", subtask: perhaps(rng, subtask), reason }),
    () => ({
      kind: "communicate",
      type: perhaps(
        rng,
        rng.pick(["help_request", "need_clarification", "meeting_invite", "progress_update", "reply"]),
      ),
      to: perhaps(rng, rng.uniform() < 0.5 ? [somebody()] : invited),
      channel: perhaps(rng, rng.pick(["chat", "email", "meeting"])),
      about: perhaps(rng, subtask),
      topics: perhaps(rng, subtasks[0]?.topics.slice(0, rng.integer(4)) ?? []),
      words: perhaps(rng, rng.integer(2000)),
      text: perhaps(rng, "please"),
      reason,
    }),
    () => ({
      kind: "reply",
      message: perhaps(rng, inbox[0]?.id ?? rng.integer(40)),
      guidance: anyGuidance(rng, inbox[0]?.topics ?? []),
      reason,
    }),
  ])();
}

/** Fails in about a third of its steps, and else is itself. */
function sometimes(mind: Mind, decide: (context: MindContext, rng: Rng) => unknown, tell = decide): Mind {
  const fails = (context: MindContext, what: string): Rng | undefined => {
    const rng = context.rng.fork("fault", what);
    return rng.uniform() < 0.35 ? rng : undefined;
  };
  return {
    decide: (context) => {
      const rng = fails(context, "decide");
      return rng === undefined ? mind.decide(context) : (decide(context, rng) as Intention);
    },
    contribute: (context, about, topics) => {
      const rng = fails(context, "contribute");
      return rng === undefined ? mind.contribute(context, about, topics) : (tell(context, rng) as Guidance);
    },
  };
}

const fail = (rng: Rng): never => {
  throw rng.pick([new Error("a fault"), "a text", null, undefined, 7, Object.create(null), Symbol("what"), endless]);
};

/** Shuts its ears: it tries to change all that it can reach, and goes on as if nothing had been. */
function meddle(value: unknown, seen: Set<unknown>): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  const attempt = (change: () => unknown): void => {
    try {
      change();
    } catch {
      // It was told that it cannot.
    }
  };
  for (const key of Reflect.ownKeys(value)) {
    const part = (value as Record<PropertyKey, unknown>)[key];
    meddle(part, seen);
    if (!Array.isArray(value)) attempt(() => Object.assign(value, { [key]: 7 }));
  }
  if (Array.isArray(value)) for (const change of [() => value.push(7), () => value.reverse()]) attempt(change);
  if (Array.isArray(value)) attempt(() => value.splice(0));
  attempt(() => Object.assign(value, { extra: 1 }));
}

/** Everything that can be wrong with a mind and still must not stop a team. */
export const faults: Readonly<Record<string, Fault>> = {
  none: (mind) => mind,
  throws: (mind) => sometimes(mind, (_context, rng) => fail(rng)),
  rejects: (mind) => sometimes(mind, async (_context, rng) => fail(rng)),
  babbles: (mind) => sometimes(mind, anyIntention, (_context, rng) => anyGuidance(rng, ["x"])),
  babblesLater: (mind) =>
    sometimes(
      mind,
      async (context, rng) => anyIntention(context, rng),
      async (_context, rng) => anyGuidance(rng, ["x"]),
    ),
  alwaysWaits: (mind) => ({ ...mind, decide: () => ({ kind: "wait", reason: "it always waits" }) }),
  isNoMind: () => ({}) as Mind,
  givesOnlyNull: () => ({ decide: () => null, contribute: () => null }) as unknown as Mind,
  answersAnything: (mind) => ({
    ...mind,
    decide: (context) => ({
      kind: "reply",
      message: context.rng.integer(30),
      guidance: { covers: [], clarity: 0, words: 10_000 },
      reason: "it answers what was not asked",
    }),
  }),
  asksAlways: (mind) => ({
    ...mind,
    decide: (context) => ({
      ...({ kind: "communicate", type: "help_request", channel: "email", words: 3000, topics: [] } as const),
      to: [context.rng.integer(8)],
      about: context.subtasks[0]?.id ?? 0,
      reason: "it asks whomever about whatever",
    }),
  }),
  invitesAll: (mind) => ({
    ...mind,
    decide: (context) => ({
      ...({ kind: "communicate", type: "meeting_invite", channel: "meeting", words: 0, topics: ["a", "b"] } as const),
      to: Array.from({ length: 1 + context.rng.integer(5) }, (_, k) => (context.agent + 1 + k) % 5),
      about: context.subtasks[0]?.id ?? 0,
      reason: "it meets everybody",
    }),
  }),
  meddles: (mind) => ({
    decide: (context) => {
      meddleWith(context);
      return mind.decide(context);
    },
    contribute: (context, about, topics) => {
      meddle(topics, new Set());
      meddleWith(context);
      return mind.contribute(context, about, topics);
    },
  }),
};

function meddleWith(context: MindContext): void {
  const seen = new Set<unknown>();
  for (const { id } of context.subtasks) meddle(context.teammatesFor(id), seen);
  meddle(context.teammate(0), seen);
  meddle(context, seen);
}
