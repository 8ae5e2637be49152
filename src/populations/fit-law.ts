import { groupBy } from "../base/group-by.ts";
import { createRng } from "../base/rng.ts";
import { questionKey } from "../tasks/choice.ts";
import type { Bank } from "./bank.ts";
import { minimize, type Objective } from "./minimize.ts";
import { countVoices, publishedLaw, pull, type ResponseLaw } from "./response-law.ts";
import { recordedTransitions, type Transition } from "./transitions.ts";

const weightNames = ["voices", "own", "intrinsicFresh", "intrinsicLater", "mood"] as const;

/** Draws of ε over which the likelihood of a debate's round is averaged. */
const draws = 32;
/** Strength of the pull towards the published law, so that a small bank gives a sane law. */
const ridge = 1;
/** Fewer steps without a voice than this say nothing about `redraw`. */
const minSilent = 30;

/**
 * Fits the response law of the honest agents of a bank by maximum likelihood, averaged over the moods (simulated maximum
 * likelihood with antithetic draws from a fixed stream: the same bank gives the same law). A bank without transitions
 * gives the published law.
 */
export function fitLaw(bank: Bank): ResponseLaw {
  const transitions = recordedTransitions(bank);
  const [silent, swayed] = partition(transitions, ({ heard }) => heard.every((answer) => answer < 0));
  const start = weightNames.map((name) => publishedLaw[name]);
  const logLikelihood = logLikelihoodOf(swayed);
  const { point } = minimize((at) => penalize(logLikelihood(at), at, start), start);
  const weights = Object.fromEntries(weightNames.map((name, i) => [name, point[i]])) as Record<
    (typeof weightNames)[number],
    number
  >;
  return {
    schema: "colloquy.law/1",
    ...weights,
    // Only the size of the mood has a meaning.
    mood: Math.abs(weights.mood),
    redraw: estimateRedraw(silent) ?? publishedLaw.redraw,
    fit: {
      debates: bank.debates.length,
      questions: new Set(bank.debates.map((debate) => questionKey(debate.question))).size,
      transitions: swayed.length,
      silentTransitions: silent.length >= minSilent ? silent.length : 0,
      logLikelihood: logLikelihood(point).value,
    },
  };
}

/** log L of the weights and its gradient. */
function logLikelihoodOf(transitions: readonly Transition[]): Objective {
  const rng = createRng("response-law");
  const groups = [...groupBy(transitions, ({ group }) => group).values()].map((steps, index) =>
    prepareGroup(steps, drawMoods(steps, rng.fork(index))),
  );
  return (point) => {
    const gradient = point.map(() => 0);
    const value = groups.reduce((sum, group) => sum + addGroup(group, point, gradient), 0);
    return { value, gradient };
  };
}

/** −log L + ½ ridge |θ − prior|². */
function penalize(
  { value, gradient }: ReturnType<Objective>,
  point: readonly number[],
  prior: readonly number[],
): ReturnType<Objective> {
  const away = point.map((w, i) => w - prior[i]);
  return {
    value: -value + 0.5 * ridge * away.reduce((sum, d) => sum + d * d, 0),
    gradient: away.map((d, i) => ridge * d - gradient[i]),
  };
}

/** The steps of one debate and round, ready to be evaluated. K options, F = 4 features and the mood. */
interface Group {
  readonly options: number;
  /** One K×F matrix a step, row-major. */
  readonly featuresKF: readonly Float64Array[];
  readonly next: readonly number[];
  /** One ε of K entries a draw. */
  readonly moodsK: readonly Float64Array[];
}

function prepareGroup(steps: readonly Transition[], moodsK: readonly Float64Array[]): Group {
  const options = steps[0].intrinsic.length;
  const featuresKF = steps.map(({ own, isFresh, heard, intrinsic }) => {
    const features = new Float64Array(options * 4);
    for (const [y, voices] of countVoices(own, heard, options).entries()) {
      features[y * 4] = pull(voices);
      features[y * 4 + 1] = y === own ? 1 : 0;
      features[y * 4 + (isFresh ? 2 : 3)] = Math.log(intrinsic[y]);
    }
    return features;
  });
  return { options, featuresKF, next: steps.map(({ next }) => next), moodsK };
}

function drawMoods(steps: readonly Transition[], rng: ReturnType<typeof createRng>): Float64Array[] {
  const half = Array.from({ length: draws / 2 }, () => Float64Array.from(steps[0].intrinsic, () => rng.normal()));
  return half.flatMap((moods) => [moods, moods.map((mood) => -mood)]);
}

/** Returns the log-likelihood of a group and adds its gradient to `gradient`. */
function addGroup({ options, featuresKF, next, moodsK }: Group, point: readonly number[], gradient: number[]): number {
  const fixedK = featuresKF.map((features) => {
    const utilities = new Float64Array(options);
    for (let y = 0; y < options; y++) {
      for (let f = 0; f < 4; f++) utilities[y] += point[f] * features[y * 4 + f];
    }
    return utilities;
  });
  const logs = moodsK.map(() => 0);
  const slopes = moodsK.map(() => new Float64Array(5));
  const p = new Float64Array(options);
  for (const [d, moods] of moodsK.entries()) {
    for (let s = 0; s < next.length; s++) {
      let total = 0;
      for (let y = 0; y < options; y++) total += p[y] = Math.exp(fixedK[s][y] + point[4] * moods[y]);
      logs[d] += Math.log(p[next[s]] / total);
      for (let y = 0; y < options; y++) {
        const residual = (y === next[s] ? 1 : 0) - p[y] / total;
        for (let f = 0; f < 4; f++) slopes[d][f] += residual * featuresKF[s][y * 4 + f];
        slopes[d][4] += residual * moods[y];
      }
    }
  }
  const top = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - top));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  for (const [d, weight] of weights.entries()) {
    for (let f = 0; f < 5; f++) gradient[f] += (weight / total) * slopes[d][f];
  }
  return top + Math.log(total / draws);
}

/** Keeping an answer is not the same as not redrawing it: a redraw may land on it again, with probability π. */
function estimateRedraw(silent: readonly Transition[]): number | undefined {
  if (silent.length < minSilent) return undefined;
  const changed = silent.filter(({ own, next }) => own !== next).length;
  const expected = silent.reduce((sum, { own, intrinsic }) => sum + 1 - intrinsic[own], 0);
  return expected > 0 ? Math.min(1, changed / expected) : undefined;
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const passed: T[] = [];
  const others: T[] = [];
  for (const item of items) (test(item) ? passed : others).push(item);
  return [passed, others];
}
