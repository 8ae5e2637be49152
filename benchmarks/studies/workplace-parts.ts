import { decompositions, methods, teams, tiers } from "./workplace-figures.ts";

/** One evaluation of the study. */
export interface Part {
  /** Also its folder. */
  readonly name: string;
  /** Changes to the recipe. */
  readonly set: readonly string[];
}

/** Projects of a kind that each seed plays. */
const projectsEach = 100;

const list = (values: readonly unknown[]): string => JSON.stringify(values);
const others = decompositions.filter((name) => name !== "adaptive");

/**
 * What is played: nobody attacks, nobody is trained. Each seed draws its own projects from as many as all need together, and
 * the same ones for every method and every way to cut them.
 */
export function workplaceParts(seeds: readonly number[]): Part[] {
  const common = [
    `projects.seed=${seeds[0]}`,
    `projects.test=${projectsEach * seeds.length}`,
    `evaluate.seeds=${list(seeds)}`,
    `evaluate.episodes=${projectsEach}`,
    "evaluate.adversaries=[0]",
  ];
  const part = (
    name: string,
    cells: {
      readonly tiers: readonly string[];
      readonly workers: readonly number[];
      readonly methods: readonly string[];
      readonly tasks?: number;
      readonly decompositions?: readonly string[];
    },
  ): Part => {
    const all = { tasks: 1, decompositions: ["adaptive"], ...cells };
    const grid = Object.entries(all).map(([key, values]) => `evaluate.${key}=${list([values].flat())}`);
    return { name, set: [...common, ...grid] };
  };
  return [
    part("tiers", { tiers, workers: teams, methods }),
    part("two-tasks", { tiers: ["medium"], workers: [8], tasks: 2, methods }),
    part("cuts-complex", { tiers: ["complex"], workers: [4], decompositions: others, methods: ["c2c"] }),
    part("cuts-medium", { tiers: ["medium"], workers: [8], decompositions: others, methods: ["c2c"] }),
    part("closed-form", { tiers, workers: teams, decompositions: ["equal"], methods: ["no-communication"] }),
  ];
}
