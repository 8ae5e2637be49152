import { playSplit, type SplitTask } from "./split.ts";

/** One split in a process of its own: the task is the argument, notes go to stderr. */
await playSplit(JSON.parse(process.argv[2]) as SplitTask, (line) => process.stderr.write(`${line}\n`));
