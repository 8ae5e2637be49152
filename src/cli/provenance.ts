import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { readText } from "../base/files.ts";
import { isRecord, parseJson } from "../base/json.ts";

const root = resolve(import.meta.dirname, "..", "..");

/** The version in package.json. */
export function packageVersion(): string {
  const path = join(root, "package.json");
  const content = parseJson(readText(path), path);
  return isRecord(content) && typeof content["version"] === "string" ? content["version"] : "unknown";
}

/** What a run was made with: version, commit where there is one, Node, machine. */
export function describeProvenance(): Record<string, string> {
  return {
    colloquy: packageVersion(),
    commit: readCommit(),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  };
}

function readCommit(): string {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "unknown";
  }
}
