import { createRequire } from "node:module";
import { dirname, sep } from "node:path";
import util from "node:util";
import type * as tfjs from "@tensorflow/tfjs";
import { processEnvironment } from "../base/env.ts";
import { ColloquyError, suggest } from "../base/errors.ts";

/** The TensorFlow.js module, loaded by `openBackend` and passed on as a value. */
export type TensorFlow = typeof tfjs;

/** Fastest first: native TensorFlow (`@tensorflow/tfjs-node`), WebAssembly, plain JavaScript. */
export const backendNames = ["tensorflow", "wasm", "cpu"] as const;
export type BackendName = (typeof backendNames)[number];

/** What one backend said when it was tried. */
export interface BackendTrial {
  readonly name: BackendName;
  readonly ok: boolean;
  readonly message: string;
}

export interface Backend {
  readonly tf: TensorFlow;
  readonly name: BackendName;
  /** In the order of trial; the last one is the backend in use. */
  readonly tried: readonly BackendTrial[];
}

/**
 * Loads TensorFlow.js and makes a backend current. `auto` takes the first that computes a small operation **and its
 * gradient** rightly: a native library can load and then fail at the first gradient. The current backend is a
 * property of the process: opening another one changes it for all.
 * @throws ColloquyError `backend/unknown`, `backend/unavailable` (a pinned backend does not work here; nothing else is tried)
 */
export async function openBackend(preferred: "auto" | BackendName = "auto"): Promise<Backend> {
  if (preferred !== "auto" && !backendNames.includes(preferred)) {
    throw new ColloquyError("backend/unknown", `there is no TensorFlow backend "${preferred}"`, {
      hint: suggest(preferred, ["auto", ...backendNames]),
    });
  }
  const tf = await loadTensorFlow();
  const tried: BackendTrial[] = [];
  for (const name of preferred === "auto" ? backendNames : [preferred]) {
    const trial = await tryBackend(tf, name);
    tried.push(trial);
    if (trial.ok) return { tf, name, tried };
  }
  throw new ColloquyError(
    "backend/unavailable",
    preferred === "auto"
      ? `no TensorFlow backend works here (${tried.map((t) => `${t.name}: ${t.message}`).join("; ")})`
      : `the TensorFlow backend "${preferred}" does not work here: ${tried[0].message}`,
    {
      hint:
        preferred === "tensorflow"
          ? "Set backend: auto to use WebAssembly, or install the native library: npm install @tensorflow/tfjs-node"
          : "Set backend: auto, and reinstall the packages if that fails too: npm ci",
    },
  );
}

/** Tries every backend and leaves the best one current: for a report on this machine. */
export async function tryBackends(): Promise<readonly BackendTrial[]> {
  const tf = await loadTensorFlow();
  const trials: BackendTrial[] = [];
  for (const name of backendNames) trials.push(await tryBackend(tf, name));
  const best = trials.find((trial) => trial.ok);
  if (best) await tf.setBackend(best.name);
  return trials;
}

async function loadTensorFlow(): Promise<TensorFlow> {
  const tf = await import("@tensorflow/tfjs");
  // Production mode silences the banner that advertises the native backend; checks of shapes stay on.
  tf.env().set("PROD", true);
  return tf;
}

async function tryBackend(tf: TensorFlow, name: BackendName): Promise<BackendTrial> {
  try {
    if (name === "tensorflow") await registerNative();
    if (name === "wasm") await registerWasm();
    if (!(await withoutNewListeners(() => tf.setBackend(name)))) throw new Error("it did not start");
    checkGradient(tf);
    return { name, ok: true, message: "computes gradients" };
  } catch (error) {
    return { name, ok: false, message: firstLine(error) };
  }
}

/** d/dw Σ σ(x·w) at w = 0 is x/4. */
function checkGradient(tf: TensorFlow): void {
  const slope = tf.tidy(() => {
    const x = tf.tensor2d([[0.5, -1]]);
    const f = (w: tfjs.Tensor) => tf.sum(tf.sigmoid(tf.matMul(x, w as tfjs.Tensor2D)));
    return tf
      .grad(f)(tf.zeros([2, 1]))
      .dataSync();
  });
  if (Math.abs(slope[0] - 0.125) > 1e-6 || Math.abs(slope[1] + 0.25) > 1e-6) {
    throw new Error(`it computes a wrong gradient: ${Array.from(slope).join(", ")} for 0.125, -0.25`);
  }
}

async function registerNative(): Promise<void> {
  // Read once by the native library while it loads; without it every start prints a page of log lines.
  (processEnvironment() as Record<string, string | undefined>)["TF_CPP_MIN_LOG_LEVEL"] ??= "2";
  // Node 23 removed two functions the package still calls.
  const legacy = util as unknown as Record<string, unknown>;
  legacy["isNullOrUndefined"] ??= (value: unknown) => value === null || value === undefined;
  legacy["isArray"] ??= Array.isArray;
  // Not a literal, so that neither the compiler nor a bundler needs the optional package.
  const optional: string = "@tensorflow/tfjs-node";
  await import(optional);
}

async function registerWasm(): Promise<void> {
  const wasm = await import("@tensorflow/tfjs-backend-wasm");
  const entry = createRequire(import.meta.url).resolve("@tensorflow/tfjs-backend-wasm");
  wasm.setWasmPaths(dirname(entry) + sep);
}

/** The WebAssembly module catches and rethrows every uncaught error of the process, which hides where it came from. */
async function withoutNewListeners<T>(start: () => Promise<T>): Promise<T> {
  const events = ["uncaughtException", "unhandledRejection"];
  const before = events.map((event) => process.rawListeners(event));
  const result = await start();
  for (const [k, event] of events.entries()) {
    for (const listener of process.rawListeners(event)) {
      if (!before[k].includes(listener)) process.off(event, listener as () => void);
    }
  }
  return result;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0].trim();
}
