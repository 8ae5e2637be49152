import { tryBackends } from "../nets/index.ts";

/** One thing that was looked at, with what it said. */
export interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly message: string;
}

/** Looks at what this machine can do: Node, and what each TensorFlow backend says when it is tried. */
export async function diagnose(): Promise<Finding[]> {
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
  ];
}
