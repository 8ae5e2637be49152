import { createRng, type Rng } from "../../../base/rng.ts";
import {
  type Member,
  type Project,
  type Requirement,
  type TaskBrief,
  type Tier,
  unitsPerHour,
} from "../../../contracts/workplace/project.ts";
import { aspects, components, descriptions, type Skill, skillPool } from "./catalogue.ts";
import type { TierSettings } from "./tiers.ts";

/** What projects are drawn from. */
export interface ProjectDraw {
  readonly tier: Tier;
  readonly workers: number;
  /** Tasks at once. */
  readonly tasks: number;
  readonly seed: number;
  readonly count: number;
}

/** Projects with teams of their own, each drawn from the seed and its number alone [ours]. */
export function drawProjects(draw: ProjectDraw, settings: TierSettings): Project[] {
  return Array.from({ length: draw.count }, (_, k) => drawProject(draw, settings, k));
}

function drawProject({ tier, workers, tasks, seed }: ProjectDraw, settings: TierSettings, number: number): Project {
  const rng = createRng(seed).fork("project", tier, workers, tasks, number);
  return {
    id: `${tier}-${workers}w-${tasks}t-s${seed}-${number}`,
    tier,
    members: drawTeam(workers, rng.fork("team")),
    tasks: Array.from({ length: tasks }, (_, k) => drawTask(tier, settings, k, rng.fork("task", k))),
  };
}

/** The manager, and workers with 2 to 4 skills each; every skill is held by somebody as far as there are enough workers. */
function drawTeam(workers: number, rng: Rng): Member[] {
  const inTurn = rng.shuffle([...skillPool]);
  const team = Array.from({ length: workers }, (_, w) => {
    const count = 2 + rng.integer(3);
    const own = [inTurn[(2 * w) % inTurn.length], inTurn[(2 * w + 1) % inTurn.length]];
    const others = rng.shuffle(skillPool.filter((skill) => !own.includes(skill)));
    return { name: `worker ${w + 1}`, skills: [...own, ...others].slice(0, count) };
  });
  return [{ name: "manager", skills: [...skillPool] }, ...team];
}

/** The most requirements that one waits for behind each other: longer chains would leave a team idle past the limit [ours]. */
const deepest = 2;

/**
 * A task: requirements component by component, each needing one skill, of uneven effort that adds up to the tier's hours,
 * some of them waiting for an earlier one of the same component.
 */
function drawTask(tier: Tier, settings: TierSettings, place: number, rng: Rng): TaskBrief {
  const parts = rng.shuffle(components[tier]).slice(0, settings.components);
  const names = parts.map((part) => (place === 0 ? part : `${part} ${place + 1}`));
  const efforts = splitEffort(settings.hours * unitsPerHour, settings.requirements, rng.fork("effort"));
  const used = new Map<string, number>();
  const depths: number[] = [];
  const requirements = efforts.map((effort, r): Requirement => {
    const component = Math.floor((r * names.length) / efforts.length);
    const skill = rng.pick<Skill>(skillPool);
    const key = `${component} ${skill}`;
    const nth = used.get(key) ?? 0;
    used.set(key, nth + 1);
    const from = aspects[skill];
    const topics = [0, 1].map((k) => {
      const n = 2 * nth + k;
      const round = Math.floor(n / from.length);
      return `${from[n % from.length]} of the ${names[component]}${round === 0 ? "" : ` (${round + 1})`}`;
    });
    const first = Math.ceil((component * efforts.length) / names.length);
    const earlier = Array.from({ length: r - first }, (_, k) => first + k).filter((k) => depths[k] < deepest);
    const after = earlier.length > 0 && rng.uniform() < settings.links ? [rng.pick(earlier)] : [];
    depths.push(after.length === 0 ? 0 : depths[after[0]] + 1);
    return {
      title: `${skill} of the ${names[component]}: ${topics.map((topic) => topic.split(" of the ")[0]).join(", ")}`,
      component,
      skill,
      topics,
      effort,
      after,
    };
  });
  return {
    title: `${tier} task ${place + 1}: ${names.join(", ")}`,
    description: descriptions[tier](names),
    requirements,
  };
}

/** Whole units that add up to `total`, each within about a third of the mean. */
function splitEffort(total: number, count: number, rng: Rng): number[] {
  const weights = Array.from({ length: count }, () => 0.7 + 0.6 * rng.uniform());
  const sum = weights.reduce((a, b) => a + b, 0);
  const efforts = weights.map((weight) => Math.floor((total * weight) / sum));
  efforts[0] += total - efforts.reduce((a, b) => a + b, 0);
  return efforts;
}
