import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** What opens a file on each system; no shell is asked. */
const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  // `start` is a word of the shell; this is what it ends in.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/**
 * Opens a file, or an address, in the system's browser and lets it be.
 * @returns why it could not be opened, or `undefined`
 */
export function openInBrowser(target: string): Promise<string | undefined> {
  const address = /^https?:\/\//.test(target) ? target : pathToFileURL(resolve(target)).href;
  const [program, ...words] = openers[process.platform] ?? ["xdg-open"];
  return new Promise((resolve) => {
    const child = spawn(program, [...words, address], { stdio: "ignore", detached: true });
    child.once("error", (error) => resolve(`${program}: ${error.message}`));
    // A browser may stay in the foreground for as long as it is open.
    child.once("spawn", () => {
      const waiting = setTimeout(() => resolve(undefined), 1500);
      child.once("exit", (code) => {
        clearTimeout(waiting);
        resolve(code === 0 ? undefined : `${program} ended with ${code}`);
      });
      child.unref();
    });
  });
}
