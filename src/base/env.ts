import { existsSync } from "node:fs";
import { parseEnv } from "node:util";
import { readText } from "./files.ts";

/** The environment variables the project reads, taken once at the door and passed on as a value. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The process's own variables and, for those it does not set, what a file `.env` in the current folder says. */
export const processEnvironment = (file = ".env"): Environment =>
  existsSync(file) ? { ...(parseEnv(readText(file)) as Environment), ...process.env } : process.env;
