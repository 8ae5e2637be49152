import { planMindAttack } from "../../attacks/minds/index.ts";
import { createRng } from "../../base/rng.ts";
import type { NetworkConfig, Weights } from "../../contracts/policy.ts";
import type { MindUsage } from "../../contracts/workplace/mind.ts";
import type { Plan, Project } from "../../contracts/workplace/project.ts";
import type { WorkplaceEvent } from "../../contracts/workplace/record.ts";
import {
  createWorkplace,
  type DecompositionName,
  makePlan,
  type Workplace,
  type WorkplaceSettings,
  type WorkplaceStrategy,
  workplaceStrategies,
} from "../../environments/index.ts";
import { initialWeights } from "../../nets/initial-weights.ts";
import { budgetOfRound } from "../../topology/budget.ts";
import { topologies } from "../../topology/index.ts";
import { type LiveOptions, type LiveTeam, needLive, openLiveTeam } from "../parts/live.ts";
import { countUsage } from "./count-usage.ts";
import { hireStaff } from "./minds.ts";
import { type ProjectKind, type Tiers, testProjects, tiersOf, trainingProjects } from "./projects.ts";
import type { WorkplaceRecipe } from "./recipe.ts";

/** How one environment of a workplace differs from the one that is trained in. */
export interface WorkplaceChanges {
  readonly workers?: number;
  readonly decomposition?: DecompositionName;
  /** Keep the event log in records. */
  readonly log?: boolean;
  /** Told of every event as it happens, with a way to see what calls of models have taken until then. */
  readonly onEvent?: (event: WorkplaceEvent, usage: () => MindUsage) => void;
  /** What they took before an interruption of the episode that is gone on with. */
  readonly spent?: MindUsage;
}

/** A recipe of a workplace come alive. */
export interface WorkplaceWorld {
  readonly recipe: WorkplaceRecipe;
  /** What is trained and validated on. */
  readonly projects: { readonly train: readonly Project[]; readonly validation: readonly Project[] };
  /** What is judged on: projects that nobody was trained on, for any team. */
  testProjects(kind: ProjectKind): readonly Project[];
  readonly tiers: Tiers;
  /** The manager's plan for a project. */
  plan(project: Project, decomposition?: DecompositionName): Plan;
  /** The architecture that fits this world. */
  readonly network: NetworkConfig;
  /** The world as a strategy plays it; as the policy does where none is given. */
  environment(strategy?: WorkplaceStrategy, changes?: WorkplaceChanges): Workplace;
  /** The models' ledger and cache, where minds are language models; `null` where no call is paid. */
  readonly live: LiveTeam | null;
}

/**
 * Makes names and settings into live objects.
 * @throws ColloquyError `usage/live` where minds are language models and nobody said how to call them; `llm/…`
 */
export function openWorkplace(recipe: WorkplaceRecipe, { live }: { readonly live?: LiveOptions } = {}): WorkplaceWorld {
  const { minds } = recipe;
  const team = minds.kind === "llm" ? openLiveTeam(minds.models, recipe.calls, needLive(live)) : null;
  const staff = hireStaff(recipe, team);
  const tiers = tiersOf(recipe);
  const planFor = planOnce((project, decomposition) => makePlan(project, decomposition, tiers[project.tier]));
  const { kind, hidden, clamp, context, rank } = recipe.network;
  return {
    recipe,
    projects: { train: trainingProjects(recipe, "train"), validation: trainingProjects(recipe, "validation") },
    testProjects: (kind) => testProjects(recipe, kind),
    tiers,
    plan: (project, decomposition) => planFor(project, decomposition ?? recipe.decomposition),
    network: {
      kind,
      hidden,
      clamp,
      embedding: 0,
      projection: 0,
      // There is no vote: a second head is of use only where it says who is asked.
      ...(rank === "decide" ? { heads: "two", rank } : { heads: "shared" }),
      scalars: recipe.behaviour.features,
      ...(context === "team" ? { context } : {}),
    },
    environment: ({ gate, manner, prompt }: WorkplaceStrategy = workplaceStrategies.learned, changes = {}) => {
      const { workers = Math.max(...recipe.team.workers), decomposition = recipe.decomposition, log = false } = changes;
      const create = (parts: Pick<WorkplaceSettings, "judge" | "minds" | "onEvent">): Workplace =>
        createWorkplace({
          agents: workers + 1,
          plan: (project) => planFor(project, decomposition),
          attack: planMindAttack,
          gate,
          manner,
          prompt,
          topology: topologies.credit.draw,
          // Decisions of a workplace are all alike.
          budget: budgetOfRound(recipe.topology, 2),
          tiers,
          costs: recipe.costs,
          reassign: recipe.reassign,
          features: recipe.behaviour.features,
          log,
          ...parts,
        });
      if (team !== null) return countUsage({ staff, ...changes, create });
      return create({ judge: staff.openJudge(), minds: staff.minds });
    },
    live: team,
  };
}

/** Plans depend on the project alone, and a project is played many times. */
function planOnce(
  make: (project: Project, decomposition: DecompositionName) => Plan,
): (project: Project, decomposition: DecompositionName) => Plan {
  const known = new WeakMap<Project, Map<DecompositionName, Plan>>();
  return (project, decomposition) => {
    const plans = known.get(project) ?? new Map<DecompositionName, Plan>();
    known.set(project, plans);
    const plan = plans.get(decomposition) ?? make(project, decomposition);
    plans.set(decomposition, plan);
    return plan;
  };
}

/** The weights a run starts from: drawn, but that everybody begins with the recipe's credit for talking. */
export function untrainedWorkplaceWeights({ recipe, network }: WorkplaceWorld): Weights {
  const weights = initialWeights(network, createRng(recipe.seed).fork("weights"));
  const bias = { shape: [1], data: Float32Array.of(recipe.network.initialCredit) };
  return { ...weights, "communicate.bias": bias };
}
