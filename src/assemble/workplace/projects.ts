import type { Project, Tier } from "../../contracts/workplace/project.ts";
import { defaultTiers, drawProjects, type TierSettings } from "../../environments/index.ts";
import type { WorkplaceRecipe } from "./recipe.ts";

export type Tiers = Readonly<Record<Tier, TierSettings>>;

/** The usual tiers with what a recipe says instead. */
export const tiersOf = ({ tiers }: Pick<WorkplaceRecipe, "tiers">): Tiers => ({
  simple: { ...defaultTiers.simple, ...tiers.simple },
  medium: { ...defaultTiers.medium, ...tiers.medium },
  complex: { ...defaultTiers.complex, ...tiers.complex },
});

/** What tells the sets apart: of each seed of a recipe's three seeds of drawing follow, and no two recipes share one. */
const sets = ["train", "validation", "test"] as const;

type SetName = (typeof sets)[number];

const seedOf = (seed: number, set: SetName): number => sets.length * seed + sets.indexOf(set);

/** Projects of the teams and tiers that are trained on; equally many of each kind, the first ones get what is left over. */
export function trainingProjects(recipe: WorkplaceRecipe, set: "train" | "validation"): Project[] {
  const { team, projects } = recipe;
  const seed = seedOf(projects.seed, set);
  const kinds = projects.tier.flatMap((tier) => team.workers.map((workers) => ({ tier, workers })));
  return kinds.flatMap(({ tier, workers }, k) => {
    const count = Math.floor(projects[set] / kinds.length) + (k < projects[set] % kinds.length ? 1 : 0);
    return drawProjects({ tier, workers, tasks: projects.tasks, seed, count }, tiersOf(recipe)[tier]);
  });
}

/** What of a cell decides its projects. */
export interface ProjectKind {
  readonly tier: Tier;
  readonly workers: number;
  readonly tasks: number;
}

/** Projects of one kind that nobody was trained on. */
export const testProjects = (recipe: WorkplaceRecipe, kind: ProjectKind): Project[] =>
  drawProjects(
    { ...kind, seed: seedOf(recipe.projects.seed, "test"), count: recipe.projects.test },
    tiersOf(recipe)[kind.tier],
  );
