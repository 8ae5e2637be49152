import { spawn } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BuiltCommand, buildCommand } from "./support/built-command.ts";
import { freshFolder } from "./support/child.ts";
import { liveEnvironment, secret } from "./support/live-run.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";

const root = resolve(import.meta.dirname, "..");
const section = readFileSync(join(root, "README.md"), "utf8").split("## With a real model\n")[1].split("\n## ")[0];
const blocks = (language: string): string[] =>
  [...section.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(([, block]) => block);

describe("the README's section on real models, word for word", () => {
  let command: BuiltCommand;
  let server: ModelServer;
  const folder = freshFolder();

  beforeAll(async () => {
    command = buildCommand();
    server = await startModelServer({ apiKey: secret });
    symlinkSync(join(root, "checkpoints"), join(folder, "checkpoints"), "junction");
  }, 60_000);
  afterAll(async () => {
    command.remove();
    await server.close();
  });

  /** What a shell makes of it, in a checkout where `npx` finds the command. */
  const type = (script: string): Promise<{ code: number | null; said: string }> =>
    new Promise((done, fail) => {
      const npx = `npx() { shift; '${process.execPath}' '${command.path}' "$@"; }`;
      const env = liveEnvironment(server.url);
      const child = spawn("sh", ["-e", "-c", `${npx}\n${script}`], { cwd: folder, env });
      let said = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => {
          said += text;
        });
      child.on("error", fail).on("close", (code) => done({ code, said }));
    });

  it("its commands run", { timeout: 180_000 }, async () => {
    const [exports, commands] = blocks("sh");
    for (const name of ["OPENAI_API_KEY", "OPENAI_BASE_URL"]) expect(exports).toContain(`export ${name}=`);
    expect(commands.match(/^npx colloquy /gm)?.length).toBeGreaterThan(6);
    // The last one trains on the bank for a minute: two updates show as much.
    const { code, said } = await type(commands.replace(/^npx colloquy train recorded/m, "$& --set train.steps=2"));
    expect(code, said).toBe(0);
    for (const sign of [/ok +model gpt-4o-mini/, /Round 1: everyone alone/, /calls +about/, /Trained for 10 updates/])
      expect(said).toMatch(sign);
    expect(said).toMatch(/300 debates of 300 in bank\.jsonl/);
    expect(said).toMatch(/Trained for 2 updates/);
    expect(said).not.toContain(secret);
  });

  it("its recipe for one's own questions trains and is judged", { timeout: 120_000 }, async () => {
    writeFileSync(join(folder, "mine.yaml"), blocks("yaml")[0]);
    writeFileSync(join(folder, "questions.csv"), readFileSync(join(root, "training", "questions.csv"), "utf8"));
    const dry = section.match(/`npx (colloquy train mine\.yaml --dry-run)`/)![0].replaceAll("`", "");
    const { code, said } = await type(
      `${dry}\nnpx colloquy train mine.yaml --set train.steps=2\nnpx colloquy evaluate mine.yaml --set train.steps=2`,
    );
    expect(code, said).toBe(0);
    for (const sign of [/^ +calls +[\d,]+ to /m, /Trained for 2 updates/, /^vote-first +\.\d\d \[/m])
      expect(said).toMatch(sign);
  });
});
