import { groupBy } from "../base/group-by.ts";
import type { EpisodeTrace } from "../contracts/trace.ts";
import { type Batch, packBatch, type Rollout } from "./batch.ts";
import { packOrders } from "./order-loss.ts";
import type { WorldReading } from "./world-reading.ts";

/** Episodes of an update that go through the network at once. */
export interface Part {
  readonly batch: Batch;
  /** Orders that were drawn, see `packOrders`. */
  readonly orders: Float32Array | null;
  /** A, one an episode. */
  readonly advantages: Float32Array;
  /** Its share of the update's episodes. */
  readonly share: number;
}

/** The most rows (decisions × episodes × agents) that go through the network at once: a bound on memory. */
const mostRows = 40_000;

/**
 * Divides an update so that no part has more rows than fit, and teams of different sizes are not padded to the largest.
 * Losses are means over episodes, so the gradients of the parts add up by their shares. What fits stays whole.
 * @param whole all rollouts, packed
 */
export function divide<R extends EpisodeTrace>(
  whole: Batch,
  rollouts: readonly Rollout<R>[],
  advantages: Float32Array,
  reading: WorldReading<R>,
): readonly Part[] {
  const sizes = groupBy(rollouts.keys(), (e) => rollouts[e].decisions[0].observation.agents);
  const rows = whole.decisions * whole.agents;
  if (sizes.size === 1 && rows * whole.episodes <= mostRows) return [partOf(whole, rollouts, advantages, 1)];
  return [...sizes].flatMap(([agents, episodes]) => {
    const most = Math.max(1, Math.floor(mostRows / (whole.decisions * agents)));
    return Array.from({ length: Math.ceil(episodes.length / most) }, (_, k): Part => {
      const own = episodes.slice(k * most, (k + 1) * most);
      const played = own.map((e) => rollouts[e]);
      const earned = Float32Array.from(own, (e) => advantages[e]);
      return partOf(packBatch(played, reading), played, earned, own.length / rollouts.length);
    });
  });
}

const partOf = <R extends EpisodeTrace>(
  batch: Batch,
  rollouts: readonly Rollout<R>[],
  advantages: Float32Array,
  share: number,
): Part => ({ batch, orders: packOrders(rollouts, batch), advantages, share });
