import {
  type AnyRecipe,
  type LiveOptions,
  type LiveTeam,
  openWorkplace,
  openWorld,
  type Recipes,
  type Trained,
  type WorldName,
} from "../assemble/index.ts";
import type { CardContent } from "../export/index.ts";
import type { TrainResult } from "../train/index.ts";
import { describePolicy, readCardTables } from "./card.ts";
import { estimateTraining } from "./estimate-training.ts";
import type { JudgeFlags } from "./flags/judge-flags.ts";
import { judgeDeliberation } from "./judge-deliberation.ts";
import { judgeWorkplace, refuseEstimate } from "./judge-workplace.ts";
import type { Judging } from "./judging.ts";
import type { LiveSettings } from "./live.ts";
import type { Output } from "./output.ts";
import { type TrainingOptions, trainInFolder } from "./train-in-folder.ts";
import { trainWorld } from "./train-world.ts";
import { describeWorkplacePolicy, readWorkplaceTables } from "./workplace/card.ts";
import { workplaceTraining } from "./workplace/training.ts";

/** A world that is open, about to be trained in. */
interface OpenTraining {
  readonly live: LiveTeam | null;
  readonly warnings: readonly string[];
  train(folder: string, options: TrainingOptions): Promise<TrainResult>;
}

/** What the commands need to know of a world. */
export interface WorldCommands<R extends AnyRecipe> {
  /** What its validations score, for people and as a key of `--json`. */
  readonly score: "accuracy" | "utility";
  openTraining(recipe: R, live: LiveOptions | undefined): Promise<OpenTraining>;
  /** Says what a training may cost. @returns the exit code */
  estimateTraining(recipe: R, run: string, settings: LiveSettings, output: Output): Promise<number>;
  judge(recipe: R, trained: Trained<R> | null, flags: JudgeFlags, refuseUntrained: () => never): Judging;
  /** The card of an exported policy, with what its run was judged at. */
  describeTrained(trained: Trained<R>): CardContent;
}

/** All worlds. A world of its own adds a line here, to `recipeSchemas` and to the reports. */
const worlds: { readonly [W in WorldName]: WorldCommands<Recipes[W]> } = {
  "deliberation-v1": {
    score: "accuracy",
    async openTraining(recipe, live) {
      const world = await openWorld(recipe, live === undefined ? {} : { live });
      return { ...world, train: (folder, options) => trainWorld(world, folder, options) };
    },
    estimateTraining,
    judge: judgeDeliberation,
    describeTrained: ({ recipe, run }) => describePolicy(recipe, null, readCardTables(run)),
  },
  "workplace-v1": {
    score: "utility",
    async openTraining(recipe, live) {
      const world = openWorkplace(recipe, { live });
      const train: OpenTraining["train"] = (folder, options) =>
        trainInFolder(workplaceTraining(world), folder, recipe, options);
      return { live: world.live, warnings: [], train };
    },
    estimateTraining: refuseEstimate,
    judge: judgeWorkplace,
    describeTrained: ({ recipe, run }) => describeWorkplacePolicy(recipe, null, readWorkplaceTables(run)),
  },
};

/** What the commands need to know of a recipe's world. */
export const worldOf = <R extends AnyRecipe>({ world }: Pick<R, "world">): WorldCommands<R> =>
  worlds[world] as unknown as WorldCommands<R>;
