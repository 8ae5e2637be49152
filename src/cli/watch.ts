import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../base/clock.ts";
import { ColloquyError } from "../base/errors.ts";
import { readBytes } from "../base/files.ts";
import { followRun } from "../loggers/index.ts";
import { serveWatch } from "../report/live/serve.ts";
import { createOutput } from "./output.ts";

/** `colloquy watch`: serves a page that follows a run until Ctrl-C, which is how it is meant to end. */
export async function watchCommand(
  run: string,
  options: { readonly port?: number; readonly json?: boolean },
): Promise<number> {
  const output = createOutput(options.json ?? false, systemClock);
  if (existsSync(run) && !statSync(run).isDirectory()) {
    throw new ColloquyError("usage/run", `${run} is a file, and a run is a folder`, {
      hint: "Name the folder that `colloquy train` writes, for example one in runs/.",
    });
  }
  if ((options.port ?? 0) > 65_535) {
    throw new ColloquyError("usage/port", `there is no port ${options.port}`, { hint: "Ports go from 1 to 65535." });
  }
  const ended = new Promise<void>((resolve) => {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => resolve());
  });
  const server = await serveWatch({
    follower: followRun(run, systemClock),
    port: options.port ?? 0,
    script: readBuilt("watch.js"),
    style: readBuilt("watch.css"),
    reportPath: join(run, "report.html"),
    origin: systemClock.now().toString(36),
  });
  if (!existsSync(run)) output.note(`${run} is not there yet; the page waits for it.`);
  output.print(`Watching ${run} at ${server.url} (Ctrl-C ends it)`);
  output.json({ run, url: server.url });
  await ended;
  await server.close();
  return 0;
}

/** A file of the page, as `npm run build` makes it beside the report's. */
const readBuilt = (name: string): Buffer => readBytes(join(import.meta.dirname, "..", "report", name));
