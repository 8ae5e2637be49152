#!/usr/bin/env node
// npm run bench -- [NAME…] [--json] [--bank FILE]            the speed benchmarks
// npm run study -- NAME [--bank FILE] [--out DIR] [--set key=value]…
// Node 20 reads no TypeScript, so the folder's main.ts is bundled first, and beside it what it runs in processes of their
// own (NAME-process.ts); `colloquy` in it is this package, as built.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const [folder, ...args] = process.argv.slice(2);
const here = join(import.meta.dirname, folder);
// One of its own for each process: several may run at once.
const bundle = join(here, `.bundle-${process.pid}`);
await build({
  entryPoints: readdirSync(here)
    .filter((name) => /^main\.ts$|-process\.ts$/.test(name))
    .map((name) => join(here, name)),
  outdir: bundle,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  tsconfigRaw: "{}",
  logLevel: "error",
});
try {
  const { main } = await import(pathToFileURL(join(bundle, "main.mjs")).href);
  process.exitCode = await main(args);
} finally {
  rmSync(bundle, { recursive: true, force: true });
}
