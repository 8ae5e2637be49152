import {
  openWorkplace,
  openWorkplaceMethods,
  type WorkplaceMethod,
  type WorkplaceWorld,
  workplaceRecipeSchema,
} from "../../src/assemble/workplace/index.ts";
import { sum } from "../../src/base/stats.ts";
import type { Project } from "../../src/contracts/workplace/project.ts";
import { drawProjects, runEpisode, type Workplace } from "../../src/environments/index.ts";
import { type Benchmark, growth, median, type Row } from "./measure.ts";

const sizes = [5, 9, 17, 33, 65, 129, 257, 501];
const largest = sizes[sizes.length - 1];
/** A task at once for so many workers, so that everybody has work. */
const workersPerTask = 16;
const turns = 11;
/** Of the usual team, and how many of them a turn plays. */
const episodes = 1000;
const usualTeam = 17;
const episodesPerTurn = 50;

/** How long it takes to simulate complex projects, and how the cost of a step grows with the team. */
export const workplace: Benchmark = {
  summary: `Complex projects: ${episodes} of ${usualTeam} agents one after the other, then teams of ${sizes[0]} to ${largest} with a task at once for every ${workersPerTask} workers. All times are the processor's. Under a policy (an untrained one) everybody may ask three others between two decisions.`,
  async run() {
    const recipe = workplaceRecipeSchema.parse({ name: "speed", world: "workplace-v1", topology: { in: 3 } });
    const world = openWorkplace(recipe);
    const contenders = openWorkplaceMethods(world, ["c2c", "untrained"], null).map(
      (method): Contender => ({
        name: method.name === "c2c" ? "c2c" : "under a policy",
        play: (projects) => play(world, method, projects),
      }),
    );
    return [...(await measureUsualTeam(contenders, world)), ...(await measureGrowth(contenders, world))];
  },
};

interface Contender {
  readonly name: string;
  play(projects: readonly Project[]): Promise<Played>;
}

/** What episodes have taken, one after the other. */
interface Played {
  readonly steps: number;
  readonly messages: number;
  /** Plans, and all else that is made before the first step. */
  readonly beginMs: number;
  readonly stepsMs: number;
}

async function measureUsualTeam(contenders: readonly Contender[], world: WorkplaceWorld): Promise<Row[]> {
  const projects = draw(world, usualTeam, episodes);
  const played = contenders.map((): Played[] => []);
  for (let first = 0; first < episodes; first += episodesPerTurn) {
    for (const [c, { play }] of contenders.entries())
      played[c].push(await play(projects.slice(first, first + episodesPerTurn)));
  }
  return contenders.flatMap(({ name }, c): Row[] => {
    const total = (part: keyof Played): number => sum(played[c].map((turn) => turn[part]));
    const totalMs = total("beginMs") + total("stepsMs");
    const row = (what: string, value: number, unit: Row["unit"], note?: string): Row => ({
      name: `N = ${usualTeam}, ${name}: ${what}`,
      value,
      unit,
      note,
    });
    return [
      row("what comes before the first step", (100 * total("beginMs")) / totalMs, "%", "of an episode"),
      row(`${episodes} episodes`, totalMs / 1000, "s", "with all that compiling and collecting garbage takes"),
      row("an episode", totalMs / episodes, "ms", `${(total("steps") / episodes).toFixed(1)} steps`),
      row("steps", (1000 * total("steps")) / totalMs, "per s"),
    ];
  });
}

/** A turn plays about as many steps of agents at every size: what the machine does beside it weighs the same on all. */
async function measureGrowth(contenders: readonly Contender[], world: WorkplaceWorld): Promise<Row[]> {
  const projectsOf = sizes.map((agents) => draw(world, agents, Math.ceil(largest / agents)));
  const played = contenders.map(() => sizes.map((): Played[] => []));
  for (let turn = 0; turn <= turns; turn++) {
    for (const k of sizes.keys()) {
      for (const [c, { play }] of contenders.entries()) {
        const result = await play(projectsOf[k]);
        if (turn > 0) played[c][k].push(result);
      }
    }
  }
  return contenders.flatMap(({ name }, c): Row[] => {
    const medians = (read: (turn: Played) => number): number[] => played[c].map((own) => median(own.map(read)));
    const stepMs = medians(({ stepsMs, steps }) => stepsMs / steps);
    const messages = medians(({ messages, steps }) => messages / steps);
    const beginMs = medians(({ beginMs }) => beginMs).map((ms, k) => ms / projectsOf[k].length);
    const sizesAndMessages = sizes.map((agents, k) => agents + messages[k]);
    const note = `slope of log time, ${sizes[0]} to ${largest} agents`;
    return [
      { name: `growth of a step with N, ${name}`, value: growth(sizes, stepMs), unit: "exponent", note },
      {
        name: `growth of a step with N and its messages, ${name}`,
        value: growth(sizesAndMessages, stepMs),
        unit: "exponent",
        note,
      },
      {
        name: `growth of what comes before the first step with N, ${name}`,
        value: growth(sizes, beginMs),
        unit: "exponent",
        note,
      },
      ...sizes.map(
        (agents, k): Row => ({
          name: `N = ${agents}, ${name}: a step`,
          value: stepMs[k],
          unit: "ms",
          note: `${messages[k].toFixed(1)} messages in it; before the first one ${beginMs[k].toFixed(1)} ms`,
        }),
      ),
    ];
  });
}

const draw = ({ tiers }: WorkplaceWorld, agents: number, count: number): Project[] => {
  const workers = agents - 1;
  const tasks = Math.ceil(workers / workersPerTask);
  return drawProjects({ tier: "complex", workers, tasks, seed: 1, count }, tiers.complex);
};

async function play(
  world: WorkplaceWorld,
  { strategy, policy }: WorkplaceMethod,
  projects: readonly Project[],
): Promise<Played> {
  const environment = world.environment(strategy, { workers: projects[0].members.length - 1 });
  let beginMs = 0;
  const timed: Workplace = {
    ...environment,
    async reset(start) {
      const beganMs = processorMs();
      const episode = await environment.reset(start);
      beginMs += processorMs() - beganMs;
      return episode;
    },
  };
  const attack = { kind: "mislead", adversaries: 0, onset: "first" };
  const startedMs = processorMs();
  let [steps, messages] = [0, 0];
  for (const question of projects) {
    const record = await runEpisode(timed, policy, { question, seed: 1, sample: 0, attack });
    steps += record.steps;
    messages += sum(Object.values(record.sent));
  }
  return { steps, messages, beginMs, stepsMs: processorMs() - startedMs - beginMs };
}

/** Other processes do not count: works of this length do not get a processor for themselves on a busy machine. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
