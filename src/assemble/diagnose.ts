import type { Environment as Variables } from "../base/env.ts";
import { describeError } from "../base/errors.ts";
import { probeServer } from "../llm/index.ts";
import { tryBackends } from "../nets/index.ts";

/** One thing that was looked at, with what it said. */
export interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly message: string;
}

/**
 * Looks at what this machine can do: Node, what each TensorFlow backend says when it is tried, whether programs of code
 * questions could be judged, and the model server that the variables name.
 * @param model makes one small call to it
 */
export async function diagnose(variables: Variables, model?: string): Promise<Finding[]> {
  const major = Number(process.versions.node.split(".")[0]);
  const node = { what: "node", ok: major >= 20, message: `${process.version} on ${process.platform}-${process.arch}` };
  const backends = await tryBackends();
  return [
    node,
    ...backends.map(({ name, ok, message }) => ({
      what: `backend ${name}`,
      ok,
      // The native library may be missing: everything works without it.
      message: name === "tensorflow" && !ok ? `optional, and not here: ${message}` : message,
    })),
    await lookForPython(),
    ...(await lookForServer(variables, model)),
  ];
}

async function lookForPython(): Promise<Finding> {
  const { findPython } = await import("../tasks/code/find-python.ts");
  try {
    const { path, version } = await findPython();
    return { what: "python", ok: true, message: `${version} at ${path}, for --allow-code` };
  } catch (error) {
    return { what: "python", ok: false, message: `optional: ${describeError(error)}` };
  }
}

async function lookForServer(variables: Variables, model: string | undefined): Promise<readonly Finding[]> {
  const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey } = variables;
  if (baseURL !== undefined || apiKey !== undefined) return probeServer({ baseURL, apiKey, model });
  const message =
    "optional, and not set up: live models need OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own, in the environment or in ./.env";
  return [{ what: "model server", ok: false, message }];
}
