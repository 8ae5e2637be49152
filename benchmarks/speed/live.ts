import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Batch, Order } from "./live-batch-process.ts";
import { type Benchmark, median, type Row } from "./measure.ts";

const latencyMs = 50;
const lanes = 64;
/** Fresh processes a graph; each plays a cold batch and then warm ones. */
const processes = 5;
const batches = 8;
/** Batches until the code is compiled. */
const warmingUp = 4;
/** Of six agents each: so many episodes ask 2,000 calls and more at once. */
const crowd = { episodes: 334, lanes: 2000 };

/** How near a batch of live episodes comes to what latency and lanes allow, through the whole stack. */
export const live: Benchmark = {
  summary: `${lanes} episodes (6 agents, 3 rounds) at once in ${lanes} lanes, over HTTP from a server in another process that answers in ${latencyMs} ms; cache and book on disk. The bound is the larger of levels × latency and calls × latency / lanes.`,
  async run() {
    const { url, stop } = await startServer();
    try {
      return [
        ...(await measureBatches({ url, graph: "complete", episodes: lanes, lanes, batches })),
        ...(await measureBatches({ url, graph: "depth 2", episodes: lanes, lanes, batches })),
        ...(await measureCrowd({ url, graph: "complete", ...crowd, batches: 1 })),
      ];
    } finally {
      stop();
    }
  },
};

async function measureBatches(order: Order): Promise<Row[]> {
  const played: (readonly Batch[])[] = [];
  for (let k = 0; k < processes; k++) played.push((await play(order)).batches);
  const cold = played.map(([first]) => first);
  const warm = played.flatMap((each) => each.slice(warmingUp));
  const { calls, levels } = cold[0];
  const boundMs = Math.max(levels * latencyMs, (calls * latencyMs) / order.lanes);
  const over = (some: readonly Batch[]): number => median(some.map(({ wallMs }) => wallMs)) / boundMs;
  const perCallMs = (some: readonly Batch[]): number => median(some.map(({ cpuMs }) => cpuMs / calls));
  const note = `${calls} calls, ${levels} levels: at least ${boundMs} ms`;
  const row = (what: string, value: number, unit: Row["unit"], note?: string): Row => ({
    name: `${order.graph}: ${what}`,
    value,
    unit,
    note,
  });
  return [
    row("time over the bound", over(warm), "×", note),
    row("time over the bound, first batch of a process", over(cold), "×", note),
    row("processor time a call", perCallMs(warm), "ms"),
    row("processor time a call, first batch of a process", perCallMs(cold), "ms"),
  ];
}

/** Everyone speaks at once in round 1, in a fresh process. */
async function measureCrowd(order: Order): Promise<Row[]> {
  const { batches, peakMb, errors } = await play(order);
  const [{ wallMs, cpuMs, calls, levels }] = batches;
  const boundMs = Math.max(levels * latencyMs, (calls * latencyMs) / order.lanes);
  const row = (what: string, value: number, unit: Row["unit"], note?: string): Row => ({
    name: `${order.lanes} lanes: ${what}`,
    value,
    unit,
    note,
  });
  return [
    row("time over the bound, first batch of a process", wallMs / boundMs, "×", "the processor is the limit here"),
    row("most memory of the process", peakMb, "MB", `${calls} calls`),
    row("warnings of Node and other errors", errors, "lines"),
    row("processor time a call, first batch of a process", cpuMs / calls, "ms"),
  ];
}

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Plays batches in a fresh process. @returns what it says, and how many lines it wrote on its error output */
async function play(order: Order): Promise<{ batches: readonly Batch[]; peakMb: number; errors: number }> {
  const args = ["--trace-warnings", script("live-batch-process.mjs"), JSON.stringify(order)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  return { ...JSON.parse(stdout), errors: stderr.split("\n").length - 1 };
}

async function startServer(): Promise<{ readonly url: string; stop(): void }> {
  const args = [script("live-server-process.mjs"), String(latencyMs)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data");
  return { url: String(line).trim(), stop: () => void child.kill() };
}
