import { bootstrapMean, type Measurement } from "../../base/intervals.ts";
import type { Rng } from "../../base/rng.ts";
import { mean, sum, sumKnown } from "../../base/stats.ts";
import { unitsPerHour } from "../../contracts/workplace/project.ts";
import type { Tally } from "../../contracts/workplace/record.ts";
import type { Average, Estimate, WorkplaceCell } from "../../contracts/workplace/results.ts";
import { stepLimit, stepsPerHour } from "../../environments/workplace/settings.ts";
import type { WorkplaceNumbers } from "./numbers.ts";
import type { WorkplaceResultRow } from "./schema.ts";

/*
 * What is measured of the episodes of one method in one cell. Hours are of project time unless they are said to be of
 * people. C2C defines most of these in section 4.2; what is ours is said.
 */

type Episodes = readonly WorkplaceNumbers[];

const isDone = ({ outcome }: WorkplaceNumbers): boolean => outcome === "finished";

/** Hours of an episode: steps / 4. One that was not finished counts as the limit, 40 hours. */
export const hoursOf = (episode: WorkplaceNumbers): number =>
  (isDone(episode) ? episode.steps : stepLimit) / stepsPerHour;

/** Hours an episode's agents spent on communication, by the ledger: minutes of writing, reading, preparing and meeting / 60. */
export const communicationHoursOf = ({ communicationMinutes }: WorkplaceNumbers): number => communicationMinutes / 60;

/** Finished episodes / episodes: all tasks are done within the 160 steps of an episode [ours]. */
export const completionRate = (episodes: Episodes): number => episodes.filter(isDone).length / episodes.length;

/** Completion rate: tasks that are done within their time budget, the tier's hours / tasks (C2C, section 4.1). */
export function completedInBudget(episodes: Episodes, budgetHours: number): number {
  const tasks = episodes.flatMap(({ doneAt }) => doneAt);
  return tasks.filter((at) => at !== null && at <= budgetHours * stepsPerHour).length / tasks.length;
}

/** Communication share: steps on messages, replies and meetings / (agents × steps); the mean over episodes. */
export const communicationShare = (episodes: Episodes): number =>
  mean(
    episodes.map(({ occupancy: { communicate, reply, meeting }, workers, steps }) =>
      steps === 0 ? 0 : (sum(communicate) + sum(reply) + sum(meeting)) / ((workers + 1) * steps),
    ),
  );

/** Efficiency: the tier's hours, of all tasks at once / the mean hours of the finished episodes. @returns `null` where none was finished */
export const efficiency = (budgetHours: number, hours: Estimate | null): number | null =>
  hours === null || hours.mean === 0 ? null : budgetHours / hours.mean;

/**
 * Productivity: hours of effort / person-hours of the whole team, its manager included; the mean over episodes, of which an
 * unfinished one has delivered nothing. At most 1, since an hour of work gives at most an hour of effort [ours].
 */
export const productivity = (episodes: Episodes): number =>
  mean(
    episodes.map((episode) =>
      isDone(episode) && episode.steps > 0
        ? episode.effort / unitsPerHour / ((episode.workers + 1) * (episode.steps / stepsPerHour))
        : 0,
    ),
  );

/** Utilisation: steps in which workers worked / (workers × steps); the mean over episodes. The manager does no work of its own. */
export const utilisation = (episodes: Episodes): number =>
  mean(
    episodes.map(({ occupancy: { work }, workers, steps }) =>
      steps === 0 ? 0 : sum(work.slice(1)) / (workers * steps),
    ),
  );

/** Messages per hour: messages of all types / hours; the mean over episodes. */
export const messagesPerHour = (episodes: Episodes): number =>
  mean(episodes.map(({ sent, steps }) => (steps === 0 ? 0 : sum(Object.values(sent)) / (steps / stepsPerHour))));

/** Hub index (see `hubIndex`): the mean over the episodes in which anybody wrote; 0 where nobody did. */
export function meanHub(episodes: Episodes): number {
  const known = episodes.flatMap(({ hub }) => hub ?? []);
  return known.length === 0 ? 0 : mean(known);
}

/** A mean with its 95 % interval, by a bootstrap over projects and seeds. @returns `null` of nothing */
export function estimate(
  episodes: Episodes,
  amountOf: (episode: WorkplaceNumbers) => number,
  rng: Rng,
): Estimate | null {
  if (episodes.length === 0) return null;
  const measured = episodes.map(
    (episode): Measurement => ({ cluster: episode.question, block: episode.seed, value: amountOf(episode) }),
  );
  return { mean: mean(measured.map(({ value }) => value)), ...bootstrapMean(measured, rng) };
}

/** Tallies of all episodes, pooled. @param unit what a mean of 1 is counted in */
function pool(tallies: readonly Tally[], unit: number): Average {
  const count = sum(tallies.map((tally) => tally.count));
  return { count, mean: count === 0 ? null : sum(tallies.map((tally) => tally.sum)) / count / unit };
}

/** The same for every key of a record of tallies, or of counts. */
const byKey = <K extends string, T, U>(
  episodes: Episodes,
  of: (episode: WorkplaceNumbers) => Readonly<Record<K, T>>,
  join: (values: readonly T[]) => U,
): Record<K, U> =>
  Object.fromEntries(
    (Object.keys(of(episodes[0])) as K[]).map((key) => [key, join(episodes.map((episode) => of(episode)[key]))]),
  ) as Record<K, U>;

/**
 * The row of one method in one cell.
 * @param budgetHours of the cell's tier
 * @throws RangeError without episodes
 */
export function measureRow(
  episodes: Episodes,
  {
    method,
    cell,
    budgetHours,
  }: { readonly method: string; readonly cell: WorkplaceCell; readonly budgetHours: number },
  rng: Rng,
): WorkplaceResultRow {
  const meanOf = (of: (episode: WorkplaceNumbers) => number): number => mean(episodes.map(of));
  const hours = estimate(episodes.filter(isDone), hoursOf, rng.fork("interval"));
  const tokens = sumKnown(episodes.map((episode) => episode.tokens));
  const cost = sumKnown(episodes.map((episode) => episode.cost ?? (episode.cost === null ? null : 0)));
  return {
    ...cell,
    method,
    seeds: [...new Set(episodes.map(({ seed }) => seed))].sort((a, b) => a - b),
    n: episodes.length,
    projects: new Set(episodes.map(({ question }) => question)).size,
    completed: completionRate(episodes),
    inBudget: completedInBudget(episodes, budgetHours),
    hours,
    communicationHours: estimate(episodes, communicationHoursOf, rng.fork("interval"))!,
    communicationShare: communicationShare(episodes),
    alignmentFinal: meanOf(({ alignment }) => alignment.final),
    alignmentMean: meanOf(({ alignment }) => alignment.mean),
    efficiency: efficiency(budgetHours * cell.tasks, hours),
    productivity: productivity(episodes),
    utilisation: utilisation(episodes),
    clarity: meanOf(({ subtasks }) => subtasks.clarity / 1000),
    subtasks: meanOf(({ subtasks }) => subtasks.count),
    messages: byKey(episodes, ({ sent }) => sent, mean),
    channels: byKey(episodes, ({ channels }) => channels, mean),
    messagesPerHour: messagesPerHour(episodes),
    reassigned: meanOf(({ subtasks }) => subtasks.reassigned),
    meetingsHeld: meanOf(({ meetings }) => meetings.held),
    faults: meanOf(({ faults }) => faults),
    malformed: meanOf(({ malformed }) => malformed),
    gains: byKey(
      episodes,
      ({ gains }) => gains,
      (tallies) => pool(tallies, 1000),
    ),
    responses: byKey(
      episodes,
      ({ responses }) => responses,
      (tallies) => pool(tallies, stepsPerHour),
    ),
    hub: meanHub(episodes),
    calls: meanOf(({ calls }) => calls),
    tokens: tokens === null ? null : tokens / episodes.length,
    cost: cost === null ? null : cost / episodes.length,
  };
}
