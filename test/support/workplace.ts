import { planMindAttack } from "../../src/attacks/minds/index.ts";
import { createRng, type Rng } from "../../src/base/rng.ts";
import type { Episode, EpisodeStart } from "../../src/contracts/environment.ts";
import type { Observation, Policy } from "../../src/contracts/policy.ts";
import type { Guidance } from "../../src/contracts/workplace/message.ts";
import type { Intention, Mind, MindContext } from "../../src/contracts/workplace/mind.ts";
import type { Plan, Project, Subtask, Tier } from "../../src/contracts/workplace/project.ts";
import type { WorkplaceEvent, WorkplaceRecord } from "../../src/contracts/workplace/record.ts";
import {
  createWorkplace,
  type DecompositionName,
  defaultCosts,
  defaultTiers,
  drawProjects,
  judgeByOverlap,
  makePlan,
  type TierSettings,
  type Workplace,
  type WorkplaceSettings,
  type WorkplaceStrategyName,
  workplaceFeatureNames,
  workplaceStrategies,
} from "../../src/environments/index.ts";
import { defaultTraits, drawTraits, simulatedMind } from "../../src/minds/index.ts";
import { buildDag } from "../../src/topology/index.ts";

/** What tests change about a workplace of simulated minds. */
export interface Changes extends Partial<Omit<WorkplaceSettings, "agents" | "minds">> {
  readonly strategy?: WorkplaceStrategyName;
  readonly decomposition?: DecompositionName;
  /** Puts another mind in the place of an agent's simulated one. */
  readonly wrap?: (mind: Mind, agent: number) => Mind;
}

/** The settings of a workplace of W workers with simulated minds and a log. */
export function settingsOf(workers: number, changes: Changes = {}): WorkplaceSettings {
  const { strategy = "c2c", decomposition = "adaptive", wrap = (mind) => mind, ...rest } = changes;
  const { gate, manner, prompt } = workplaceStrategies[strategy];
  const tiers = rest.tiers ?? defaultTiers;
  return {
    agents: workers + 1,
    plan: (project) => makePlan(project, decomposition, tiers[project.tier]),
    minds: ({ members }, rng) =>
      members.map((_, agent) => wrap(simulatedMind(drawTraits(agent === 0, defaultTraits, rng.fork(agent))), agent)),
    judge: judgeByOverlap,
    attack: planMindAttack,
    gate,
    manner,
    prompt,
    topology: buildDag,
    budget: { in: 3, out: Infinity, depth: Infinity },
    tiers,
    costs: defaultCosts,
    reassign: true,
    features: workplaceFeatureNames,
    log: true,
    ...rest,
  };
}

export const workplaceOf = (workers: number, changes: Changes = {}): Workplace =>
  createWorkplace(settingsOf(workers, changes));

/** The first of the projects that are drawn for a tier and a team. */
export function projectOf(
  tier: Tier,
  workers: number,
  { tasks = 1, seed = 7, tiers = defaultTiers }: { tasks?: number; seed?: number; tiers?: typeof defaultTiers } = {},
): Project {
  return drawProjects({ tier, workers, tasks, seed, count: 1 }, tiers[tier])[0];
}

/** Tiers with less to do, so that many episodes can be played. */
export const shortTiers: Readonly<Record<Tier, TierSettings>> = {
  simple: { ...defaultTiers.simple, hours: 2, requirements: 6, subtasks: 4 },
  medium: { ...defaultTiers.medium, hours: 5, requirements: 9, subtasks: 6 },
  complex: { ...defaultTiers.complex, hours: 9, requirements: 14, subtasks: 9 },
};

export const honest = { kind: "mislead", adversaries: 0, onset: "first" } as const;

export const startOf = (question: Project, changes: Partial<EpisodeStart<Project>> = {}): EpisodeStart<Project> => ({
  question,
  seed: 3,
  sample: 0,
  attack: honest,
  ...changes,
});

/** Everybody takes part, with equal credits. */
export const everyone: Policy = {
  name: "everyone",
  begin: () => ({
    act: ({ agents }) => ({ creditsN: new Float32Array(agents), participantsN: new Uint8Array(agents).fill(1) }),
  }),
};

/** Random credits, and each agent takes part with this chance. */
export const randomly = (share: number, seed = 1): Policy => ({
  name: "random",
  begin: () => {
    const rng = createRng(seed);
    return {
      act: ({ agents }) => ({
        creditsN: Float32Array.from({ length: agents }, () => rng.normal()),
        participantsN: Uint8Array.from({ length: agents }, () => (rng.uniform() < share ? 1 : 0)),
      }),
    };
  },
});

/** Plays an episode that has begun to its end. */
export async function playOut(
  episode: Episode<WorkplaceRecord>,
  policy: Policy = everyone,
  onObservation?: (observation: Observation) => void,
): Promise<WorkplaceRecord> {
  let { observation } = episode.first;
  const session = policy.begin({ agents: observation!.agents, rng: createRng(1) });
  while (observation !== null) {
    onObservation?.(observation);
    ({ observation } = await episode.step(session.act(observation)));
  }
  return episode.record();
}

export const play = async (
  world: Workplace,
  start: EpisodeStart<Project>,
  policy: Policy = everyone,
): Promise<WorkplaceRecord> => playOut(await world.reset(start), policy);

/** The first thing in which two records differ, in a line; `undefined` where they are equal, byte for byte. */
export function difference(a: WorkplaceRecord, b: WorkplaceRecord): string | undefined {
  const linesOf = ({ events = [], ...rest }: WorkplaceRecord): string[] => [
    ...events.map((event) => JSON.stringify(event)),
    ...Object.entries(rest).map((entry) => JSON.stringify(entry)),
  ];
  const [first, second] = [linesOf(a), linesOf(b)];
  const k = first.findIndex((line, at) => line !== second[at]);
  if (k < 0 && first.length === second.length) return undefined;
  return `${first[Math.max(0, k)]} / ${second[Math.max(0, k)]}`;
}

export type EventOf<K extends WorkplaceEvent["kind"]> = Extract<WorkplaceEvent, { kind: K }>;

/** The events of one kind in a record's log. */
export const eventsOf = <K extends WorkplaceEvent["kind"]>({ events }: WorkplaceRecord, kind: K): EventOf<K>[] =>
  events!.filter((event): event is EventOf<K> => event.kind === kind);

/** Works on the first subtask that is ready, or waits. */
export function plod({ subtasks }: MindContext): Intention {
  const ready = subtasks.find(({ isReady }) => isReady);
  return ready === undefined
    ? { kind: "wait", reason: "nothing is ready" }
    : { kind: "work", subtask: ready.id, reason: "it is the first" };
}

export const allOf = (topics: readonly string[]): Guidance => ({ covers: topics, clarity: 1000, words: 40 });

/** A mind that does what it is told, and plods where it is told nothing. It knows everything. */
export const scripted = (script: (context: MindContext) => Intention | undefined): Mind => ({
  decide: (context) => script(context) ?? plod(context),
  contribute: (_context, _about, topics) => allOf(topics),
});

/** A project of one task whose plan is made by hand: workers have all skills. */
export function handMade(workers: number): Project {
  const skills = ["backend"];
  return {
    id: `hand-made-${workers}w`,
    tier: "complex",
    members: Array.from({ length: workers + 1 }, (_, agent) => ({ name: agent === 0 ? "M" : `W${agent}`, skills })),
    tasks: [{ title: "by hand", description: "", requirements: [] }],
  };
}

/** A plan by hand: for each subtask its owner and effort, and what it waits for. */
export function planOf(
  parts: readonly { readonly owner: number; readonly effort: number; readonly after?: readonly number[] }[],
): Plan {
  return {
    subtasks: parts.map(
      ({ effort, after = [] }, s): Subtask => ({
        task: 0,
        title: `part ${s}`,
        skills: ["backend"],
        topics: [`first of ${s}`, `second of ${s}`, `third of ${s}`],
        effort,
        after,
        linked: parts.map((_, other) => other).filter((other) => other !== s),
        clarity: 1000,
      }),
    ),
    owners: parts.map(({ owner }) => owner),
  };
}

/** Tiers in which nobody notices a gap and everything is clear: what happens is what minds are told to do. */
export const plainTiers: typeof defaultTiers = {
  simple: { ...defaultTiers.simple, gaps: 0, unclear: 0 },
  medium: { ...defaultTiers.medium, gaps: 0, unclear: 0 },
  complex: { ...defaultTiers.complex, gaps: 0, unclear: 0, ceiling: 1000, ceilingUnskilled: 1000 },
};

/** Answers that come when they come: each after a few turns of the loop, at random. */
export function slowly(mind: Mind, rng: Rng): Mind {
  if (typeof mind.decide !== "function") return mind;
  const late = async <T>(make: () => T | Promise<T>): Promise<T> => {
    for (let turns = rng.integer(6); turns > 0; turns--) await Promise.resolve();
    return make();
  };
  return {
    decide: (context) => late(() => mind.decide(context)),
    contribute: (context, about, topics) => late(() => mind.contribute(context, about, topics)),
  };
}
