import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";
import { afterAll } from "vitest";

const src = resolve(import.meta.dirname, "..", "..", "src");

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder of this test's own; removed when all tests of the file have run. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-test-"));
  folders.push(folder);
  return folder;
}

/** Makes a script that a real second process can run. `code` imports from `src/` as if it lay there: `./base/lock.ts`. */
export function bundleScript(code: string): string {
  const outfile = join(freshFolder(), "script.mjs");
  buildSync({
    stdin: { contents: code, resolveDir: src, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  });
  return outfile;
}

/** Whether this machine lets us mount small disks of our own: a user and mount namespace that nobody else sees. */
export const canMount =
  process.platform === "linux" &&
  spawnSync("unshare", ["-rm", "sh", "-c", `mount -t tmpfs -o size=64k none ${tmpdir()}`]).status === 0;

/**
 * Runs a script on a disk of its own, mounted at `folder`.
 * @returns what the script printed, as JSON
 */
export function runOnDisk(script: string, { sizeKb, folder }: { sizeKb: number; folder: string }): unknown {
  const mount = `mount -t tmpfs -o size=${sizeKb}k none "$2"`;
  const command = ["-rm", "sh", "-c", `${mount} && exec "$0" "$1" "$2"`, process.execPath, script, folder];
  const { stdout, stderr } = spawnSync("unshare", command, { encoding: "utf8" });
  if (stdout === "") throw new Error(`the script printed nothing: ${stderr}`);
  return JSON.parse(stdout);
}
