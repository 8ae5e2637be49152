import { type Ablation, ablations } from "../../src/assemble/ablations.ts";
import {
  type Strategy,
  type StrategyName,
  strategies,
  type WorkplaceStrategy,
  workplaceStrategies,
} from "../../src/environments/index.ts";
import { type Rival, rivals } from "../../src/rivals/index.ts";
import { table } from "./describe-page.ts";

/** What `docs/methods.md` says of every method, from the table of the code. */
export function describeMethods(): string {
  const rows = Object.entries(strategies).map(([name, strategy]: [string, Strategy]) => [
    `\`${name}\``,
    strategy.summary,
    describeGraph(strategy),
    describeVote(strategy),
    describeTraining(name as StrategyName, strategy),
  ]);
  return table(["method", "what it does", "graph and budget", "vote", "trained"], rows);
}

/** The ablations with the keys of the recipe that they change. */
export function describeAblations(): string {
  const rows = Object.entries(ablations).map(([name, ablation]) => [
    `\`${name}\``,
    ablation.summary,
    describeChanges(name, ablation),
  ]);
  return table(["method", "what it does", "what it changes in the recipe"], rows);
}

/** The same of every method of the workplace. */
export function describeWorkplaceMethods(): string {
  const rows = Object.entries(workplaceStrategies).map(([name, strategy]: [string, WorkplaceStrategy]) => [
    `\`${name}\``,
    strategy.summary,
    gates[strategy.gate],
    strategy.gate === "closed" ? "–" : manners[strategy.manner],
    strategy.prompt ? "at once" : strategy.gate === "policy" ? "at once where at hand, else when due" : "when due",
    { network: "the run's policy", initial: "no", none: "nothing to learn" }[strategy.policy],
  ]);
  return table(["method", "what it does", "who may begin to talk", "how minds talk", "answers", "trained"], rows);
}

const gates: Readonly<Record<WorkplaceStrategy["gate"], string>> = {
  policy: "as the policy decides, every 4 steps",
  open: "everybody, at any step",
  scheduled: "everybody, at every 16th step",
  closed: "nobody",
};
const manners: Readonly<Record<WorkplaceStrategy["manner"], string>> = {
  weigh: "weighing gain against cost",
  freely: "whenever they like",
  report: "progress reports alone",
};

function describeGraph({ topology, budget = "own", rounds }: Strategy): string {
  if (rounds === 1) return "round 1 alone";
  const rule = topology === undefined ? "the run's rule" : `\`${topology}\``;
  if (budget === "layers") return `${rule}, everyone through time`;
  return budget === "own" ? `${rule}, the run's budgets` : `${rule}, no budget`;
}

function describeVote({ settings = {} }: Strategy): string {
  const { vote, ballots, panel } = settings;
  if (panel !== undefined) return "its answer";
  if (vote === undefined) return "the run's";
  const counted = ballots === "all" ? " over the answers of all rounds" : "";
  return `${vote === "majority" ? "majority" : "by credit"}${counted}`;
}

function describeTraining(name: StrategyName, { policy }: Strategy): string {
  if (policy === "network") return "the run's policy";
  if (policy !== "rival") return "no";
  const { learn }: Rival = rivals[name as keyof typeof rivals];
  return learn === undefined ? "nothing to learn" : "yes";
}

function describeChanges(name: string, { changes, without }: Ablation) {
  if (without !== undefined)
    return `\`behaviour.features\` without ${without.map((feature) => `\`${feature}\``).join(", ")}`;
  if (name === "learned/plain-reinforce") return "`train`: [`plainReinforce`](../src/assemble/ablations.ts#L1)";
  return Object.entries(changes)
    .map(([section, keys]) => {
      const parts = Object.entries(keys).map(([key, value]) => `${key}: ${String(value)}`);
      return `\`${section}: { ${parts.join(", ")} }\``;
    })
    .join(", ");
}
