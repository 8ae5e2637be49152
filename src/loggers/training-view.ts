import type { Clock } from "../base/clock.ts";
import { mean } from "../base/stats.ts";
import { drawBar, drawSparkline } from "./bar.ts";
import { formatDuration, paceOf } from "./time-left.ts";

interface ValidationScore {
  readonly step: number;
  readonly accuracy: number;
  /** Its 95 % interval, where it is known. */
  readonly low?: number;
  readonly high?: number;
  readonly n: number;
}

/** What an update of a training tells. */
export interface TrainingReport {
  readonly step: number;
  readonly steps: number;
  readonly utility: number;
  readonly entropy: number;
  readonly participants: number;
  readonly edges: number;
  readonly levels?: number;
  /** So far, as are tokens and dollars; `null` or absent where nobody counted. */
  readonly calls: number;
  readonly tokens?: number | null;
  readonly cost?: number | null;
  readonly batchEpisodes: number;
  readonly rolloutMs: number;
  readonly latest: ValidationScore | null;
  readonly best: ValidationScore | null;
}

/** A training as people see it in a terminal. */
export interface TrainingView {
  see(report: TrainingReport): void;
  /** A small table. */
  table(): string[];
  /** The same in one line. */
  line(): string;
}

/** Updates whose mean utility and speed are shown: those of single ones jump. */
const recent = 10;
const grouped = new Intl.NumberFormat("en-US");

/**
 * Collects what a training reports and puts it into words.
 * @param formatCost dollars for people
 */
export function createTrainingView(label: string, clock: Clock, formatCost: (cost: number) => string): TrainingView {
  const pace = paceOf(clock);
  const validations: ValidationScore[] = [];
  let reports: TrainingReport[] = [];
  let leftMs: number | null = null;
  return {
    see(report) {
      reports = [...reports, report].slice(-recent);
      leftMs = pace(report.step, report.steps);
      const { latest } = report;
      if (latest !== null && latest.step !== validations.at(-1)?.step) validations.push(latest);
    },
    table: () => drawTable(label, reports, validations, leftMs, formatCost),
    line: () => describeLine(reports, formatCost),
  };
}

function drawTable(
  label: string,
  reports: readonly TrainingReport[],
  validations: readonly ValidationScore[],
  leftMs: number | null,
  formatCost: (cost: number) => string,
): string[] {
  const now = reports.at(-1);
  if (now === undefined) return [label];
  const left = now.step >= now.steps ? "" : `  ${leftMs === null ? "…" : `${formatDuration(leftMs)} left`}`;
  const validation =
    now.latest === null
      ? "none yet"
      : `${describeScore(now.latest)}  best ${now.best!.accuracy.toFixed(3)} at ${now.best!.step}  ${drawSparkline(validations.map(({ accuracy }) => accuracy))}`;
  const cells: [string, string][] = [
    ["utility", meanUtility(reports).toFixed(3)],
    ["participants", now.participants.toFixed(1)],
    ["edges", now.edges.toFixed(1)],
    ["entropy", now.entropy.toFixed(3)],
    ["levels", now.levels === undefined ? "–" : now.levels.toFixed(1)],
    ["episodes/s", String(speed(reports))],
    ["calls", grouped.format(now.calls)],
    ["tokens", now.tokens == null ? "–" : grouped.format(now.tokens)],
    ["cost", now.cost == null ? "–" : formatCost(now.cost)],
  ];
  const rows = [cells.slice(0, 3), cells.slice(3, 6), cells.slice(6)];
  return [
    label,
    `  updates     ${drawBar(now.step, now.steps)}  ${now.step}/${now.steps}${left}`,
    `  validation  ${validation}`,
    ...rows.map((row) => `  ${row.map(([name, value]) => `${name.padEnd(12)}${value.padStart(11)}`).join("   ")}`),
  ];
}

function describeLine(reports: readonly TrainingReport[], formatCost: (cost: number) => string): string {
  const now = reports.at(-1);
  if (now === undefined) return "";
  const { latest, best } = now;
  return [
    ...(latest === null ? [] : [`validation ${describeScore(latest)}, best ${best!.accuracy.toFixed(3)}`]),
    `utility ${meanUtility(reports).toFixed(2)}`,
    `${now.edges.toFixed(1)} edges`,
    `${now.participants.toFixed(1)} speak`,
    `entropy ${now.entropy.toFixed(2)}`,
    `${now.calls} calls`,
    ...(now.tokens == null ? [] : [`${now.tokens} tokens`]),
    ...(now.cost == null ? [] : [formatCost(now.cost)]),
    `${speed(reports)} episodes/s`,
  ].join(" · ");
}

/** A share with its 95 % interval. */
function describeScore({ accuracy, low, high }: ValidationScore): string {
  if (low === undefined || high === undefined) return accuracy.toFixed(3);
  return `${accuracy.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

const meanUtility = (reports: readonly TrainingReport[]): number => mean(reports.map(({ utility }) => utility));

/** Episodes played in a second of playing. */
function speed(reports: readonly TrainingReport[]): number {
  const ms = reports.reduce((sum, { rolloutMs }) => sum + rolloutMs, 0);
  const episodes = reports.reduce((sum, { batchEpisodes }) => sum + batchEpisodes, 0);
  return ms > 0 ? Math.round((1000 * episodes) / ms) : 0;
}
