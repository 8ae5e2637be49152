import { ColloquyError } from "../base/errors.ts";
import { isRecord, parseJson } from "../base/json.ts";
import { type PolicyManifest, readManifest } from "../checkpoint/manifest.ts";
import { readSafetensors } from "../checkpoint/safetensors.ts";
import { createForward, type ForwardPass } from "./forward.ts";
import { checkParityFile } from "./parity.ts";

/** A policy that is ready to decide. Share one among any number of sessions. */
export interface LoadedPolicy {
  readonly manifest: PolicyManifest;
  readonly forward: ForwardPass;
}

/** The files of a policy folder as bytes, for programs that keep them elsewhere. */
export interface PolicyFiles {
  /** `config.json` */
  readonly config: Uint8Array;
  /** `policy.safetensors` */
  readonly policy: Uint8Array;
  /** `parity.json`; without it nothing is checked. */
  readonly parity?: Uint8Array;
}

/**
 * Loads an exported policy from a folder or from bytes, and checks on the spot that it decides here as it did where it was
 * exported.
 *
 * @throws ColloquyError `policy/missing`, and one for every way a file can be damaged; `policy/parity` where the recorded
 * decisions do not come out
 */
export async function loadPolicy(source: string | PolicyFiles): Promise<LoadedPolicy> {
  const files = typeof source === "string" ? await readFolder(source) : source;
  const place = typeof source === "string" ? source : "policy";
  const manifest = readManifest(
    parseJson(new TextDecoder().decode(files.config), `${place}/config.json`),
    `${place}/config.json`,
  );
  const { tensors } = readSafetensors(files.policy, `${place}/policy.safetensors`);
  const forward = createForward(manifest.network, tensors);
  if (files.parity !== undefined) {
    const parity = parseJson(new TextDecoder().decode(files.parity), `${place}/parity.json`);
    if (!isRecord(parity)) throw new ColloquyError("policy/parity", `${place}/parity.json does not hold an object`);
    checkParityFile(parity, manifest, forward, `${place}/parity.json`);
  }
  return { manifest, forward };
}

async function readFolder(folder: string): Promise<PolicyFiles> {
  // Loaded here alone, so that programs without a file system can use the runtime with bytes.
  const { readFileSync, existsSync } = await import("node:fs");
  const read = (name: string): Uint8Array => {
    const path = `${folder}/${name}`;
    if (!existsSync(path)) {
      throw new ColloquyError("policy/missing", `${folder} is no policy folder: ${name} is missing`, {
        hint: "Give a folder that `colloquy export` wrote, or a checkpoint.",
      });
    }
    return readFileSync(path);
  };
  const parity = existsSync(`${folder}/parity.json`) ? read("parity.json") : undefined;
  return { config: read("config.json"), policy: read("policy.safetensors"), parity };
}
