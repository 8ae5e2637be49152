#!/usr/bin/env node
// npm run study -- NAME [--bank FILE] [--out DIR] [--set key=value]…
// Node 20 reads no TypeScript: the study is bundled first; `colloquy` is this package itself, as built.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = import.meta.dirname;
const outfile = join(here, ".bundle", "main.mjs");
mkdirSync(join(here, ".bundle"), { recursive: true });
await build({
  entryPoints: [join(here, "main.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  tsconfigRaw: "{}",
  logLevel: "error",
});
try {
  const { main } = await import(pathToFileURL(outfile).href);
  process.exitCode = await main(process.argv.slice(2));
} finally {
  rmSync(join(here, ".bundle"), { recursive: true, force: true });
}
