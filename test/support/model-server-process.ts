import { spawn } from "node:child_process";
import { bundleScript } from "./child.ts";
import type { Logged, ModelServerSettings } from "./model-server.ts";

/**
 * The same server in a process of its own, so that it takes no time from the one that is measured.
 * @param settings those that are plain data
 */
export async function startModelServerProcess(
  settings: Pick<ModelServerSettings, "faultsAt" | "apiKey" | "port"> & { readonly delayMs?: number } = {},
): Promise<{ readonly url: string; readLog(): Promise<readonly Logged[]>; close(): void }> {
  const script = bundleScript(`
    import { startModelServer } from "../test/support/model-server.ts";
    const { url } = await startModelServer(${JSON.stringify(settings)});
    process.stdout.write(url);
  `);
  const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (data: Buffer) => resolve(data.toString("utf8")));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the model server ended with ${code}`)));
  });
  return {
    url,
    readLog: async () => (await fetch(new URL("/log", url))).json() as Promise<Logged[]>,
    close: () => void child.kill(),
  };
}
