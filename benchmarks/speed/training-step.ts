import { checkRecipe, trainSettings } from "../../src/assemble/index.ts";
import { createDeliberation } from "../../src/environments/index.ts";
import { type BackendName, backendNames, networks, openBackend, startAdam } from "../../src/nets/index.ts";
import { networkPolicy } from "../../src/runtime/network-policy.ts";
import { packBatch, type Rollout } from "../../src/train/batch.ts";
import { deliberationReading } from "../../src/train/deliberation-reading.ts";
import { playRollouts } from "../../src/train/rollout.ts";
import { update } from "../../src/train/update.ts";
import { type Benchmark, interleave, type Row } from "./measure.ts";
import { recordedWorld, type SpeedWorld, simulatedWorld } from "./worlds.ts";

const episodes = 32;
const settings = trainSettings(checkRecipe({ name: "speed", population: { kind: "simulated" } }, "speed"));
const terms = { reinforce: 1, decisionLoss: 1, entropy: 0.01, rate: 1 };

/** What an update of the weights costs on each TensorFlow backend. */
export const trainingStep: Benchmark = {
  summary: `One update of the weights from ${episodes} episodes (6 agents, 3 rounds), with the default settings: forward, backward, Adam.`,
  async run({ bank }) {
    const works = await listBackends();
    const rows: Row[] = [];
    for (const [name, world] of [
      ["D = 32, dense", simulatedWorld()],
      ["D = 2048, sparse", recordedWorld(bank)],
    ] as const) {
      rows.push(...(await compareBackends(name, world, works)));
    }
    const missing = backendNames.filter((backend) => !works.includes(backend));
    return [
      ...rows,
      ...missing.map((backend): Row => {
        return { name: backend, value: null, unit: "×", note: "does not work here; colloquy doctor says why" };
      }),
    ];
  },
};

async function listBackends(): Promise<BackendName[]> {
  const working: BackendName[] = [];
  for (const name of backendNames) {
    const opened = await openBackend(name).catch(() => undefined);
    if (opened !== undefined) working.push(name);
  }
  return working;
}

async function compareBackends(name: string, world: SpeedWorld, backends: readonly BackendName[]): Promise<Row[]> {
  const play = (): Promise<Rollout[]> => {
    const policy = networkPolicy("training", world.forward, "sampled");
    return playRollouts(createDeliberation(world.settings), policy, world.starts(episodes), 1, 1);
  };
  const rollouts = await play();
  const works: Record<string, () => unknown> = { play };
  for (const backend of backends) works[backend] = await updating(world, rollouts, backend);
  const timesMs = await interleave(works);
  const rows: Row[] = backends
    .filter((backend) => backend !== "wasm")
    .map((backend) => ({
      name: `${name}: ${backend} over wasm`,
      value: timesMs[backend] / timesMs["wasm"],
      unit: "×",
    }));
  rows.push({
    name: `${name}: playing the episodes over the update on wasm`,
    value: timesMs["play"] / timesMs["wasm"],
    unit: "×",
  });
  for (const backend of backends) rows.push({ name: `${name}: ${backend}`, value: timesMs[backend], unit: "ms" });
  return rows;
}

/** An update on a backend, with a network of its own; weights and moments move on from call to call. */
async function updating(
  world: SpeedWorld,
  rollouts: readonly Rollout[],
  name: BackendName,
): Promise<() => Promise<void>> {
  const { tf } = await openBackend(name);
  const credit = networks["credit-gru"];
  const batch = packBatch(rollouts, deliberationReading);
  const advantages = Float32Array.from(rollouts, ({ record }) => record.utility - 0.5);
  const network = credit.fromWeights(tf, world.network, world.weights);
  let state = startAdam(world.weights);
  return async () => {
    // The current backend is a property of the process, and the works take turns.
    await tf.setBackend(name);
    state = update(network, [{ batch, orders: null, advantages, share: 1 }], terms, settings, state, 1).state;
  };
}
