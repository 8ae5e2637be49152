#!/usr/bin/env node
// npm run bench -- [NAME…] [--json] [--bank FILE]
// Node 20 reads no TypeScript: the benchmarks are bundled first.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const bundle = join(import.meta.dirname, ".bundle");
await build({
  entryPoints: [join(import.meta.dirname, "main.ts")],
  outfile: join(bundle, "main.mjs"),
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  tsconfigRaw: "{}",
  logLevel: "error",
});
try {
  const { main } = await import(pathToFileURL(join(bundle, "main.mjs")).href);
  process.exitCode = await main(process.argv.slice(2));
} finally {
  rmSync(bundle, { recursive: true, force: true });
}
