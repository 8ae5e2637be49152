import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lockFolder } from "../src/base/lock.ts";
import type { LogRow } from "../src/contracts/run-log.ts";
import { drawBar, drawSparkline } from "../src/loggers/bar.ts";
import { followLog } from "../src/loggers/follow-log.ts";
import { followRun } from "../src/loggers/follow-run.ts";
import { createScreen } from "../src/loggers/screen.ts";
import { formatDuration, paceOf } from "../src/loggers/time-left.ts";
import { createTrainingView, type TrainingReport } from "../src/loggers/training-view.ts";
import { bundleScript, freshFolder } from "./support/child.ts";
import { createTerminal } from "./support/tiny-terminal.ts";

const line = (step: number, value: number): string => `${JSON.stringify({ step, "a/b": value })}\n`;
const row = (step: number, value: number): LogRow => ({ step, values: [["a/b", value]] });

describe("a log that is followed", () => {
  it("gives every row once and in order, however the writer's bytes come", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 })), fc.array(fc.nat(400)), (values, cuts) => {
        const path = join(freshFolder(), "log.jsonl");
        const log = followLog(path);
        const bytes = values.map((value, step) => line(step, value)).join("");
        const found: LogRow[] = [];
        const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        let start = 0;
        for (const end of ends) {
          appendFileSync(path, bytes.slice(start, end));
          start = end;
          const { restarted, rows } = log.look();
          expect(restarted).toBe(false);
          found.push(...rows);
        }
        // JSON knows no minus zero.
        expect(found).toEqual(values.map((value, step) => row(step, value + 0)));
      }),
      { numRuns: 40 },
    );
  });

  it("may not be there yet, and passes over what are no rows: torn, damaged, foreign and endless lines", () => {
    const path = join(freshFolder(), "log.jsonl");
    const log = followLog(path, 1e12);
    expect(log.look()).toEqual({ restarted: false, rows: [] });
    const odd = `\n{"step":1\n[1]\nnull\n{"step":-1,"a":1}\n{"step":"x"}\n\u0000\n{"step":9e12,"a/b":1}\n{"step":2,"huge":1e300,"t":true,"n":null,"s":"x","a/b":2}\n`;
    writeFileSync(path, `${odd}${"x".repeat(300_000)}\n${line(3, 3)}{"step":4`);
    const rows = [log.look(), log.look(), log.look()].flatMap((look) => look.rows);
    expect(rows).toEqual([row(2, 2), row(3, 3)]);
    appendFileSync(path, `,"a/b":4}\n`);
    expect(log.look().rows).toEqual([row(4, 4)]);
  });

  it("begins anew when it was cut off, even where it has grown past its old end since", () => {
    const path = join(freshFolder(), "log.jsonl");
    const log = followLog(path);
    writeFileSync(path, line(1, 1) + line(2, 2));
    log.look();
    truncateSync(path, line(1, 1).length);
    expect(log.look()).toEqual({ restarted: true, rows: [row(1, 1)] });
    appendFileSync(path, line(2, 2));
    log.look();
    writeFileSync(path, line(1, 1) + line(2, 7) + line(3, 3));
    expect(log.look()).toEqual({ restarted: true, rows: [row(1, 1), row(2, 7), row(3, 3)] });
    rmSync(path);
    expect(log.look()).toEqual({ restarted: true, rows: [] });
  });
});

describe("a run that is followed", () => {
  const clock = { now: () => Date.now(), elapsedMs: () => 0 };
  const recipe = JSON.stringify({ name: "mine", train: { steps: 2, warmStartSteps: 1 } });

  it("waits, runs, rests and is finished, and says how far it is", () => {
    const folder = join(freshFolder(), "run");
    const run = followRun(folder, clock);
    expect(run.status()).toMatchObject({ state: "waiting", name: "run", steps: null, ageMs: null, headline: null });
    const release = lockFolder(folder);
    writeFileSync(join(folder, "recipe.json"), recipe);
    expect(run.look()).toBe(true);
    expect(run.status()).toMatchObject({ state: "running", name: "mine", steps: 3 });
    appendFileSync(join(folder, "metrics.jsonl"), line(1, 1));
    run.look();
    release();
    expect(run.look()).toBe(true);
    expect(run.status().state).toBe("resting");
    expect(run.look()).toBe(false);
    appendFileSync(join(folder, "timing.jsonl"), line(3, 3));
    run.look();
    expect(run.status().state).toBe("finished");
    expect(run.rows()).toEqual([row(1, 1), row(3, 3)]);
    expect(run.epoch()).toBe(0);
  });

  it("is finished once it has been judged, and shows what the results say, but not those of an earlier run", async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, "metrics.jsonl"), line(1, 1));
    const run = followRun(folder, clock);
    run.look();
    expect(run.status()).toMatchObject({ state: "resting", headline: null, hasReport: false });
    writeFileSync(join(folder, "results.json"), JSON.stringify({ headline: "learned is best" }));
    writeFileSync(join(folder, "report.html"), "<p>");
    run.look();
    expect(run.status()).toMatchObject({ state: "finished", headline: "learned is best", hasReport: true });
    await new Promise((resolve) => setTimeout(resolve, 20));
    appendFileSync(join(folder, "metrics.jsonl"), line(2, 1));
    run.look();
    expect(run.status().headline).toBe(null);
  });

  it("forgets what it was told when the run is started over", () => {
    const folder = freshFolder();
    writeFileSync(join(folder, "metrics.jsonl"), line(1, 1) + line(2, 2));
    writeFileSync(join(folder, "timing.jsonl"), line(1, 9));
    const run = followRun(folder, clock);
    run.look();
    writeFileSync(join(folder, "timing.jsonl"), "");
    writeFileSync(join(folder, "metrics.jsonl"), line(1, 5));
    run.look();
    expect(run.rows()).toEqual([row(1, 5)]);
    expect(run.epoch()).toBe(1);
  });

  it("rests as soon as a process that was seen alive here is gone, though its logs are new and its lock is left", async () => {
    const folder = freshFolder();
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    writeFileSync(join(folder, "lock"), `${child.pid}\n`);
    writeFileSync(join(folder, "metrics.jsonl"), line(1, 1));
    const run = followRun(folder, clock);
    run.look();
    expect(run.status().state).toBe("running");
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    run.look();
    expect(run.status().state).toBe("resting");
    // Nobody here has ever seen this one: it may be of another machine.
    const other = followRun(folder, clock);
    other.look();
    expect(other.status().state).toBe("running");
  });

  it("does not wait for a pipe in place of any file", () => {
    const folder = freshFolder();
    for (const name of ["recipe.json", "results.json", "lock", "metrics.jsonl", "report.html"])
      spawnSync("mkfifo", [join(folder, name)]);
    const run = followRun(folder, clock);
    run.look();
    expect(run.status()).toMatchObject({ state: "waiting", steps: null, headline: null, hasReport: false });
  });

  it("takes nonsense in place of any file", () => {
    const folder = freshFolder();
    for (const name of ["recipe.json", "results.json", "lock"]) writeFileSync(join(folder, name), "{nonsense");
    for (const name of ["metrics.jsonl", "report.html"]) mkdirSync(join(folder, name));
    const run = followRun(folder, clock);
    run.look();
    expect(run.status()).toMatchObject({ state: "waiting", steps: null, headline: null, hasReport: false });
  });
});

describe("lines redrawn in place", () => {
  it("stand whole below everything that was printed, whatever is drawn and printed in whatever order", () => {
    const text = fc.string({ minLength: 1, maxLength: 30, unit: fc.constantFrom("a", "b", "█", " ", "é") });
    const act = fc.oneof(
      fc.record({ draw: fc.array(text, { minLength: 1, maxLength: 6 }) }),
      fc.record({ print: text }),
      fc.record({ wait: fc.nat(300) }),
    );
    fc.assert(
      fc.property(fc.array(act), fc.boolean(), (acts, leaves) => {
        const terminal = createTerminal(20);
        let nowMs = 0;
        const screen = createScreen(terminal, { now: () => 0, elapsedMs: () => nowMs });
        const printed: string[] = [];
        let drawn: readonly string[] = [];
        for (const one of acts) {
          if ("wait" in one) nowMs += one.wait;
          else if ("draw" in one) {
            drawn = one.draw;
            screen.draw(drawn);
          } else {
            screen.aside(() => terminal.write(`${one.print.slice(0, 20)}\n`));
            printed.push(one.print.slice(0, 20));
          }
          expect(terminal.isTidy()).toBe(true);
        }
        if (leaves) screen.leave();
        else screen.clear();
        const cut = leaves ? drawn.map((text) => (text.length > 19 ? `${text.slice(0, 18)}…` : text)) : [];
        expect(terminal.lines()).toEqual([...printed, ...cut]);
        screen.leave();
        expect(terminal.isTidy()).toBe(true);
      }),
    );
  });

  it("are cut in a terminal that is narrow or low, letters of two columns among them", () => {
    const terminal = { ...createTerminal(12), rows: 3 };
    const screen = createScreen(terminal, { now: () => 0, elapsedMs: () => 0 });
    screen.draw(["漢".repeat(40), "abcdefghijklmnop", "third"]);
    screen.leave();
    expect(terminal.lines()).toEqual([`${"漢".repeat(10)}…`, "abcdefghij…"]);
  });

  const hasScript = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

  it.skipIf(!hasScript).each([
    ["ends", "output.end();", 0],
    ["fails", "throw new Error('broken');", 1],
    ["is killed", "process.kill(process.pid, 'SIGKILL');", 137],
  ])(`leave a terminal whole where the process %s${hasScript ? "" : " (skipped: no script command)"}`, (_, last) => {
    const path = bundleScript(`
      import { createOutput } from "./cli/output.ts";
      const output = createOutput(false, { now: () => 0, elapsedMs: () => performance.now() }, { TERM: "xterm" });
      output.table(["first", "of two"]);
      output.note("a note");
      output.print("a result");
      output.table(["second", "of two"]);
      await new Promise((resolve) => setTimeout(resolve, 120));
      output.table(["third", "of two"]);
      ${last}`);
    const log = join(freshFolder(), "log");
    spawnSync("script", ["-qec", `stty cols 60 rows 20; exec ${process.execPath} ${path}`, log], { stdio: "ignore" });
    const said = readFileSync(log, "utf8").split("\n").slice(1, -2).join("\n");
    const terminal = createTerminal(60);
    terminal.write(`${said.replace(/Error: broken[\s\S]*|file:[\s\S]*|Session[\s\S]*/, "")}`);
    expect(terminal.lines().slice(0, 4)).toEqual(["a note", "a result", "third", "of two"]);
    expect(said).not.toContain("\u001b[?25l");
  });

  it.each([{ CI: "1", TERM: "xterm" }, { TERM: "dumb" }])("are not drawn under %o", (environment) => {
    const path = bundleScript(`
      import { createOutput } from "./cli/output.ts";
      Object.defineProperty(process.stderr, "isTTY", { value: true });
      const clock = { now: () => 0, elapsedMs: () => 0 };
      const output = createOutput(false, clock, ${JSON.stringify(environment)});
      const line = output.progress("working", 2);
      line.update(1, "half");
      line.update(2, "done");
      line.end();
      console.log(output.table === null);`);
    const { stdout, stderr } = spawnSync(process.execPath, [path], { encoding: "utf8" });
    expect({ stdout, stderr }).toEqual({ stdout: "true\n", stderr: "working 2/2 · done · 0 s\n" });
  });
});

describe("a training in a terminal", () => {
  const report = (step: number, more: Partial<TrainingReport> = {}): TrainingReport => ({
    ...{ step, steps: 40, utility: step / 40, entropy: 0.5, participants: 3.21, edges: 4, levels: 2 },
    ...{ calls: 1200 * step, tokens: null, cost: null, batchEpisodes: 128, rolloutMs: 64, latest: null, best: null },
    ...more,
  });
  const show = (reports: readonly TrainingReport[]) => {
    let nowMs = 0;
    const clock = { now: () => 0, elapsedMs: () => nowMs };
    const view = createTrainingView("training mine", clock, (cost) => `$${cost.toFixed(2)}`);
    for (const one of reports) {
      view.see(one);
      nowMs += 1000;
    }
    return view;
  };

  it("shows accuracy with its interval, the best, the team, what was used, and the time left by its own pace", () => {
    const score = { step: 20, accuracy: 0.7, low: 0.604, high: 0.781, n: 100 };
    const reports = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20].map((step) => report(step));
    const last = report(21, {
      latest: score,
      best: { ...score, step: 10, accuracy: 0.75 },
      tokens: 1234567,
      cost: 0.5,
    });
    const table = show([...reports, last]).table();
    const all = table.join("\n").replace(/ +/g, " ");
    // A run that goes on from update 10 has no pace but that of this process: 1 s an update.
    expect(all).toContain("21/40 19 s left");
    expect(all).toContain("validation 0.700 [0.604, 0.781] best 0.750 at 10 ▄");
    expect(all).toContain("utility 0.412 participants 3.2 edges 4.0");
    expect(all).toContain("entropy 0.500 levels 2.0 episodes/s 2000");
    expect(all).toContain("calls 25,200 tokens 1,234,567 cost $0.50");
    expect(Math.max(...table.map((text) => text.length))).toBeLessThan(80);
  });

  it("says what is not known, and never shows it as 0", () => {
    const view = show([report(1)]);
    const all = view.table().join("\n").replace(/ +/g, " ");
    expect(all).toContain("validation none yet");
    expect(all).toContain("tokens – cost –");
    expect(view.line()).not.toMatch(/tokens|\$/);
    expect(show([]).table()).toEqual(["training mine"]);
  });

  it("draws bars and sparklines of any numbers", () => {
    expect([drawBar(0, 8, 4), drawBar(5, 8, 4), drawBar(9, 8, 4), drawBar(0, 0, 4)]).toEqual([
      "░░░░",
      "██░░",
      "████",
      "░░░░",
    ]);
    expect([drawSparkline([]), drawSparkline([1, 1]), drawSparkline([0, 7, 3]), drawSparkline([9, 0, 1], 2)]).toEqual([
      "",
      "▄▄",
      "▁█▄",
      "▁█",
    ]);
    expect([40_000, 120_000, 7_500_000].map(formatDuration)).toEqual(["40 s", "2 min", "2 h 5 min"]);
    const pace = paceOf({ now: () => 0, elapsedMs: () => 5 });
    expect([pace(3, 9), pace(9, 9)]).toEqual([null, 0]);
  });
});
