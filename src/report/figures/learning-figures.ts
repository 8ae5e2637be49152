import { mean } from "../../base/stats.ts";
import { type ChartLine, lineChart } from "../charts/line-chart.ts";
import type { Logged, RunMetrics } from "../files/metrics.ts";
import type { Figure } from "../report-data.ts";

/** Points a line of rollouts is drawn with, at most; each is the mean of its updates. */
const mostPoints = 60;

/** What a world's validations score: right answers, or how soon and well work is done. */
export type LearningScore = "accuracy" | "utility";

const wordings = {
  accuracy: {
    items: "questions",
    curve: "Accuracy on validation questions",
    rollout: { title: "Right in training", what: "share of training episodes that end right" },
  },
  utility: {
    items: "projects",
    curve: "Utility on validation projects",
    rollout: { title: "Utility in training", what: "mean utility of training episodes" },
  },
} as const satisfies Record<LearningScore, unknown>;

const rolloutsOf = (
  score: LearningScore,
): readonly { readonly key: string; readonly title: string; readonly what: string }[] => [
  { key: "rollout/utility", ...wordings[score].rollout },
  { key: "train/entropy", title: "Entropy of participation", what: "nats a decision; 0 when the policy draws no more" },
  { key: "rollout/participants", title: "Who speaks", what: "agents that take part in a round" },
  { key: "rollout/edges", title: "Who is heard", what: "edges of a round" },
];

/** What validations scored, then what training episodes looked like: one line a run. */
export function learningFigures(runs: readonly RunMetrics[], score: LearningScore = "accuracy"): Figure[] {
  const curve = validationFigure(runs, score);
  const others = rolloutsOf(score).flatMap(({ key, title, what }): Figure[] => {
    const lines = runs.map((run) => ({ ...lineOf(run, runs), points: thin(run.series.get(key) ?? []) }));
    if (lines.every(({ points }) => points.length === 0)) return [];
    const svg = lineChart({ title, xLabel: "update", yLabel: what, lines, markers: false });
    return [{ svg, caption: `${title}: ${what}, averaged over neighbouring updates.` }];
  });
  return curve === undefined ? others : [curve, ...others];
}

function validationFigure(runs: readonly RunMetrics[], score: LearningScore): Figure | undefined {
  if (runs.every(({ validations }) => validations.length === 0)) return undefined;
  const isOne = runs.length === 1;
  const lines = runs.map((run): ChartLine => {
    const points = run.validations.map(({ step, value, low, high }) => ({
      x: step,
      y: value,
      ...(isOne && low !== undefined && high !== undefined ? { low, high } : {}),
    }));
    return { ...lineOf(run, runs), points };
  });
  const sizes = [...new Set(runs.flatMap(({ validations }) => validations.map(({ episodes }) => episodes)))];
  const interval = isOne
    ? ` The band is the 95 % interval of a bootstrap over ${wordings[score].items}.`
    : ` One line for each of ${runs.length} runs; runs of one learner share a colour.`;
  return {
    svg: lineChart({
      title: "Learning curve",
      xLabel: "update",
      yLabel: `validation ${score}`,
      lines,
      intervals: "band",
      markers: isOne,
    }),
    caption: `${wordings[score].curve}, ${sizes.join(" or ")} episodes each time, by update.${interval}`,
  };
}

/** `learned-3` is the third run of `learned`: only the first run of a learner is named. */
const learnerOf = ({ name }: RunMetrics): string => name.replace(/[-_]?\d+$/, "") || name;

function lineOf(run: RunMetrics, runs: readonly RunMetrics[]): Pick<ChartLine, "name" | "colour"> {
  const learners = [...new Set(runs.map(learnerOf))];
  return { name: run.name === "" ? "this run" : run.name, colour: learners.indexOf(learnerOf(run)) };
}

/** Means over equal stretches of updates. */
function thin(logged: readonly Logged[]): { readonly x: number; readonly y: number }[] {
  const stretch = Math.ceil(logged.length / mostPoints);
  const points: { x: number; y: number }[] = [];
  for (let start = 0; start < logged.length; start += stretch) {
    const part = logged.slice(start, start + stretch);
    points.push({ x: mean(part.map(({ step }) => step)), y: mean(part.map(({ value }) => value)) });
  }
  return points;
}
