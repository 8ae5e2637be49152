import { ColloquyError } from "../base/errors.ts";
import type { Item } from "../contracts/environment.ts";
import type { EpisodeTrace } from "../contracts/trace.ts";
import { costIn } from "./episode-cost.ts";
import type { TrainInput } from "./input.ts";

/**
 * Refuses what no update could be made from, before anything is played.
 * @throws ColloquyError `train/questions`, `train/answers`, `train/cost`, `train/order`, `train/minimum`
 */
export function checkInput<Q extends Item, R extends EpisodeTrace>(input: TrainInput<Q, R>): void {
  const { questions, settings, reading, environment, minimum = 1 } = input;
  if (questions.train.length === 0) {
    throw new ColloquyError("train/questions", "there is no question to train on", {
      hint: "Give split.train a share above 0.",
    });
  }
  if (reading.answers === undefined) {
    const { decisionLoss, warmStartSteps, reward } = settings;
    for (const [name, value, without] of [
      ["decisionLoss", decisionLoss, 0],
      ["warmStartSteps", warmStartSteps, 0],
      ["reward", reward, "right"],
    ]) {
      if (value === without) continue;
      throw new ColloquyError(
        "train/answers",
        `train.${name} is ${value}, but agents of ${environment.spec.name} give no answers to learn from`,
        { hint: `Set train.${name} to ${without}: this world is learned from its utility alone.` },
      );
    }
  }
  if (settings.cost.weight !== 0) costIn(reading.costUnits, settings.cost.per);
  if (settings.order && (input.network.rank !== "decide" || settings.reuse.epochs > 1)) {
    throw new ColloquyError(
      "train/order",
      `the order of agents cannot be learned with network.rank ${input.network.rank ?? "communicate"} and ${settings.reuse.epochs} uses of a batch`,
      { hint: "Set network.rank to decide and train.reuse.epochs to 1, or train.order to false." },
    );
  }
  const exported = input.manifest(0, 0).decision.minimum;
  if (exported !== minimum) {
    throw new ColloquyError(
      "train/minimum",
      `the policy is trained with at least ${minimum} participants, but its config would say ${exported}`,
      { hint: "Give the input and decision.minimum of its manifest the same floor." },
    );
  }
}
