import type { Rng } from "../../base/rng.ts";
import type { Judge, Mind } from "../../contracts/workplace/mind.ts";
import type { Project } from "../../contracts/workplace/project.ts";
import { judgeByOverlap } from "../../environments/index.ts";
import { drawTraits, simulatedMind } from "../../minds/index.ts";
import { languageMind, type ModelJudge, modelJudge } from "../../minds/language/index.ts";
import type { LiveTeam } from "../parts/live.ts";
import type { WorkplaceRecipe } from "./recipe.ts";

/** Who works in a workplace, and who judges what answers teach. */
export interface Staff {
  minds(project: Project, rng: Rng): readonly Mind[];
  /** A judge for one episode: one that asks a model counts its calls. */
  openJudge(): Judge | ModelJudge;
}

/** @param live the models, where minds are language models */
export function hireStaff({ minds }: WorkplaceRecipe, live: LiveTeam | null): Staff {
  if (minds.kind === "simulated" || live === null) {
    const traits = minds as Extract<WorkplaceRecipe["minds"], { kind: "simulated" }>;
    return {
      minds: (project, rng) =>
        project.members.map((_, agent) => simulatedMind(drawTraits(agent === 0, traits, rng.fork(agent)))),
      openJudge: () => judgeByOverlap,
    };
  }
  const { models } = live;
  const { draws, judge } = minds;
  return {
    minds: (project, rng) => {
      const draw = draws === null ? null : rng.fork("draw").integer(draws);
      return project.members.map((_, agent) => languageMind({ ...models[agent % models.length], draw }));
    },
    openJudge: () => {
      if (judge === "overlap") return judgeByOverlap;
      // A judge keeps to its own temperature: equal exchanges are to be judged alike.
      const { temperature: _of_minds, ...model } = models[0];
      return modelJudge({ ...model, fallback: judgeByOverlap });
    },
  };
}
