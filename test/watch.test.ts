import type { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { createConnection } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import axe from "axe-core";
import { buildSync } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import { followRun } from "../src/loggers/index.ts";
import { serveWatch, type WatchServer } from "../src/report/live/serve.ts";
import { type BuiltCommand, buildCommand, startCommand } from "./support/built-command.ts";
import { bundleScript, freshFolder } from "./support/child.ts";
import { openStream, rowsOf, type StreamEvent } from "./support/event-stream.ts";

const root = join(import.meta.dirname, "..");
const sources = join(root, "src", "report", "live", "page");

const build = (name: string): Uint8Array =>
  buildSync({ entryPoints: [join(sources, name)], bundle: true, minify: true, format: "esm", write: false })
    .outputFiles[0].contents;
const [script, style] = [build("watch.ts"), build("watch.css")];

const servers: WatchServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function watch(folder: string, port = 0): Promise<WatchServer> {
  const server = await serveWatch({
    ...{ follower: followRun(folder, systemClock), port, script, style, origin: `t${servers.length}` },
    reportPath: join(folder, "report.html"),
  });
  servers.push(server);
  return server;
}

const line = (step: number, values: Record<string, unknown> = { "rollout/utility": step / 10 }): string =>
  `${JSON.stringify({ step, ...values })}\n`;
const row = (step: number) => [step, [["rollout/utility", step / 10]]];

function runFolder(...steps: readonly number[]): string {
  const folder = freshFolder();
  writeFileSync(join(folder, "metrics.jsonl"), steps.map((step) => line(step)).join(""));
  return folder;
}

const hasRows =
  (count: number) =>
  (events: readonly StreamEvent[]): boolean =>
    rowsOf(events).length >= count;

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

function ask(url: string, path: string, options: { method?: string; headers?: Record<string, string> } = {}) {
  const { hostname, port } = new URL(url);
  return new Promise<Answer>((resolve, reject) => {
    const asked = request({ hostname, port, path, agent: false, ...options }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, body }));
    });
    asked.on("error", reject).end();
  });
}

describe("the server of a watched run", () => {
  it("listens on one address of this machine", async () => {
    const { url } = await watch(runFolder(1));
    const port = Number(new URL(url).port);
    const canConnect = (host: string): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = createConnection({ host, port });
        const end = (is: boolean) => () => {
          socket.destroy();
          resolve(is);
        };
        socket.on("connect", end(true)).on("error", end(false));
      });
    expect([await canConnect("127.0.0.1"), await canConnect("127.0.0.2"), await canConnect("::1")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("answers to its own names only, so that no stranger's name can be led here", async () => {
    const { url } = await watch(runFolder(1));
    const { host, port } = new URL(url);
    for (const name of [host, `localhost:${port}`, `LocalHost:${port}`]) {
      expect((await ask(url, "/", { headers: { Host: name } })).status).toBe(200);
    }
    for (const name of ["evil.example", `evil.example:${port}`, "localhost", "127.0.0.1", `[::1]:${port}`]) {
      for (const path of ["/", "/events", "/report"]) {
        expect((await ask(url, path, { headers: { Host: name } })).status).toBe(403);
      }
    }
    const twice = createConnection({ host: "127.0.0.1", port: Number(port) });
    twice.end(`GET / HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\n\r\n`);
    expect(await new Promise((resolve) => twice.once("data", (text) => resolve(String(text))))).toMatch(
      /^HTTP\/1\.1 403 /,
    );
    const nameless = createConnection({ host: "127.0.0.1", port: Number(port) });
    nameless.end("GET / HTTP/1.0\r\n\r\n");
    const said = await new Promise((resolve) => nameless.once("data", (text) => resolve(String(text))));
    expect(said).toMatch(/^HTTP\/1\.1 403 /);
  });

  it("serves GET of five paths, HEAD without their bodies, and nothing else", async () => {
    const folder = runFolder(1);
    writeFileSync(join(folder, "secret.txt"), "secret");
    const { url } = await watch(folder);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
      const { status, headers } = await ask(url, "/", { method });
      expect({ method, status, allow: headers.allow }).toEqual({ method, status: 405, allow: "GET, HEAD" });
    }
    for (const path of ["/", "/watch.js", "/events", "/report"]) {
      const { status, body } = await ask(url, path, { method: "HEAD" });
      expect({ path, status, body }).toEqual({ path, status: path === "/report" ? 404 : 200, body: "" });
    }
    const paths = [
      "/secret.txt",
      "/metrics.jsonl",
      "/../secret.txt",
      "/%2e%2e/secret.txt",
      "/report/",
      "/?x=1",
      "/events?after=a&b",
      "//",
    ];
    for (const path of [...paths, "http://evil.example/", "*", "/report"]) {
      expect({ path, status: (await ask(url, path)).status }).toEqual({ path, status: 404 });
    }
  });

  it("lets no other site read it, frame it, or make the page load anything", async () => {
    const { url } = await watch(runFolder(1));
    for (const path of ["/", "/watch.js", "/watch.css", "/nothing"]) {
      const { headers } = await ask(url, path, { headers: { Origin: "http://evil.example" } });
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "no-store",
      });
      const policy = headers["content-security-policy"] as string;
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/);
      expect(policy).not.toMatch(/unsafe|\*|http/);
    }
    const foreign = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors" };
    expect((await ask(url, "/events", { headers: foreign })).status).toBe(403);
    expect((await ask(url, "/", { headers: { ...foreign, "Sec-Fetch-Mode": "navigate" } })).status).toBe(200);
  });

  it("serves the report once there is one, kept from everything around it", async () => {
    const folder = runFolder(1);
    const { url } = await watch(folder);
    writeFileSync(join(folder, "report.html"), "<!doctype html><p>A report</p>");
    const { status, headers, body } = await ask(url, "/report");
    expect([status, body]).toEqual([200, "<!doctype html><p>A report</p>"]);
    expect(headers["content-security-policy"]).toMatch(/^sandbox allow-scripts[^;]*; default-src 'none'/);
    expect(headers["content-security-policy"]).not.toMatch(/allow-same-origin|connect-src/);
  });

  it("refuses a port that is taken, and says what to do", async () => {
    const { url } = await watch(runFolder(1));
    await expect(watch(runFolder(1), Number(new URL(url).port))).rejects.toMatchObject({
      code: "watch/port",
      hint: expect.stringContaining("--port"),
    });
  });

  it("keeps at most 50 pages, and has room again when one is closed", async () => {
    const { url } = await watch(runFolder(1));
    const streams = Array.from({ length: 50 }, () => openStream(url));
    for (const stream of streams) await stream.until(hasRows(1));
    expect((await ask(url, "/events")).body).toBe("retry: 5000\nevent: full\ndata: {}\n\n");
    streams[0].close();
    await expect
      .poll(async () => {
        const next = openStream(url);
        const isIn = await Promise.race([next.until(hasRows(1)).then(() => true), sleep(200).then(() => false)]);
        next.close();
        return isIn;
      })
      .toBe(true);
    for (const stream of streams) stream.close();
  });
});

describe("the events of a watched run", () => {
  it("begin with all that is there and go on with what comes", async () => {
    const folder = runFolder(1, 2);
    const stream = openStream((await watch(folder)).url);
    await stream.until(hasRows(2));
    appendFileSync(join(folder, "metrics.jsonl"), line(3));
    expect(rowsOf(await stream.until(hasRows(3)))).toEqual([row(1), row(2), row(3)]);
    expect(stream.events[0].name).toBe("begin");
    stream.close();
  });

  it("miss nothing and repeat nothing for a page that lost its connection, wherever it was", async () => {
    const folder = runFolder(1, 2, 3, 4);
    const { url } = await watch(folder);
    const stream = openStream(url);
    const events = [...(await stream.until(hasRows(4)))];
    stream.close();
    appendFileSync(join(folder, "metrics.jsonl"), line(5));
    for (const { id } of events.filter(({ name }) => name === "row")) {
      const again = openStream(url, id);
      const before = rowsOf(events.slice(0, events.findIndex((event) => event.id === id) + 1));
      const after = await again.until((found) => found.some(({ data }) => JSON.stringify(data).startsWith("[5,")));
      expect(after.map(({ name }) => name)).not.toContain("begin");
      expect([...before, ...rowsOf(after)]).toEqual([1, 2, 3, 4, 5].map(row));
      again.close();
    }
  });

  it("go on where a page left off that says so in the address", async () => {
    const { url } = await watch(runFolder(1, 2));
    const stream = openStream(url);
    const [id] = (await stream.until(hasRows(2))).flatMap(({ name, id }) => (name === "row" ? [id!] : []));
    stream.close();
    const again = openStream(url, undefined, `?after=${id}`);
    expect(rowsOf(await again.until(hasRows(1)))).toEqual([row(2)]);
    again.close();
  });

  it("begin anew for a page that was elsewhere: another server's, a run started over, or nonsense", async () => {
    const folder = runFolder(1, 2, 3);
    const { url } = await watch(folder);
    for (const id of ["other-0:2", "t0-0:4", "t0-1:1", "t0-0:-1", "nonsense", "t0-0:99999999999999999999"]) {
      const stream = openStream(url, id);
      await stream.until(hasRows(3));
      expect(stream.events.slice(0, 2).map(({ name }) => name)).toEqual(["begin", "row"]);
      stream.close();
    }
    const stream = openStream(url);
    await stream.until(hasRows(3));
    writeFileSync(join(folder, "metrics.jsonl"), line(1) + line(7));
    await stream.until((events) => events.filter(({ name }) => name === "begin").length === 2 && hasRows(2)(events));
    expect(rowsOf(stream.events)).toEqual([row(1), row(7)]);
    stream.close();
  });

  it("wait for a page that does not read, and keep little for it", async () => {
    const folder = runFolder();
    const many = Array.from({ length: 40_000 }, (_, step) =>
      line(step, { "train/loss": step, "train/entropy": 1 / 3 }),
    );
    writeFileSync(join(folder, "metrics.jsonl"), many.join(""));
    const { url } = await watch(folder);
    const slow = openStream(url);
    await slow.until(hasRows(1));
    slow.pause();
    const fast = openStream(url);
    await fast.until(hasRows(40_000));
    expect(rowsOf(slow.events).length).toBeLessThan(40_000);
    expect(rowsOf(fast.events).map((data) => (data as [number])[0])).toEqual(many.map((_, step) => step));
    slow.close();
    fast.close();
  });

  it("tell how a real training stands, from before it begins until it has ended", async () => {
    const command = buildCommand();
    const folder = freshFolder();
    const run = join(folder, "run");
    const stream = openStream((await watch(run)).url);
    const states = (): string[] =>
      stream.events.flatMap(({ name, data }) => (name === "status" ? [(data as { state: string }).state] : []));
    await stream.until(() => states().length > 0);
    const args = [
      "train",
      "quickstart",
      "--set",
      "train.steps=12",
      "--set",
      "train.validation.every=6",
      "--out",
      "run",
    ];
    const { code } = await startCommand(command, args, folder).ended;
    expect(code).toBe(0);
    await stream.until(() => states().at(-1) === "finished");
    expect(states().filter((state, k) => state !== states()[k - 1])).toEqual(["waiting", "running", "finished"]);
    expect(stream.events.findLast(({ name }) => name === "status")!.data).toMatchObject({
      name: "quickstart",
      steps: 12,
    });
    const logged = ["metrics.jsonl", "timing.jsonl"].flatMap((name) =>
      readFileSync(join(run, name), "utf8")
        .trim()
        .split("\n")
        .map((text) => {
          const { step, ...values } = JSON.parse(text) as Record<string, unknown>;
          return JSON.stringify([step, Object.entries(values).filter(([, value]) => typeof value === "number")]);
        }),
    );
    expect(
      rowsOf(stream.events)
        .map((data) => JSON.stringify(data))
        .sort(),
    ).toEqual(logged.sort());
    stream.close();
    command.remove();
  });
});

const chromiumPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

describe.skipIf(chromiumPath === undefined)(
  `the page of a watched run${chromiumPath === undefined ? " (skipped: no Chromium)" : ""}`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
    });
    afterAll(() => browser.close());

    const said: string[] = [];
    async function open(url: string, options: Parameters<Browser["newPage"]>[0] = {}): Promise<Page> {
      const page = await browser.newPage(options);
      said.length = 0;
      page.on("console", (message) => said.push(message.text()));
      page.on("pageerror", (error) => said.push(String(error)));
      await page.goto(url);
      return page;
    }

    const write = (folder: string, from: number, to: number): void => {
      const values = (step: number) => ({
        ...{
          "rollout/utility": 0.3 + step / 100,
          "rollout/participants": 3,
          "rollout/edges": 4.5,
          "rollout/calls": 1500,
        },
        "train/entropy": 0.69 - step / 200,
      });
      for (let step = from; step <= to; step++) {
        appendFileSync(join(folder, "metrics.jsonl"), line(step, values(step)));
        if (step % 5 === 0) {
          appendFileSync(
            join(folder, "metrics.jsonl"),
            line(step, { "eval/accuracy": 0.6, "eval/low": 0.502, "eval/high": 0.691, "eval/episodes": 100 }),
          );
        }
      }
    };

    function folderOfRun(name = "mine"): string {
      const folder = freshFolder();
      writeFileSync(join(folder, "recipe.json"), JSON.stringify({ name, train: { steps: 40 } }));
      return folder;
    }

    const numbersOf = async (page: Page): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await page.locator("#numbers tr").all()).length === 0
          ? []
          : await page
              .locator("#numbers tr")
              .evaluateAll((rows) =>
                rows.map((one) => [one.querySelector("code")?.textContent, one.querySelector("td")?.textContent]),
              ),
      );

    it("draws a run as it goes, and says everything in words, too", async () => {
      const folder = folderOfRun();
      const page = await open((await watch(folder)).url);
      await expect.poll(() => page.locator("#state").textContent()).toBe("Waiting for the run to begin");
      write(folder, 1, 10);
      await expect.poll(() => page.locator("#progress-text").textContent()).toBe("Update 10 of 40");
      expect(await numbersOf(page)).toMatchObject({ "rollout/utility": "0.4", "eval/accuracy": "0.6" });
      const curve = page.getByRole("img", { name: /^Learning curve by update/ });
      expect(await curve.getAttribute("aria-label")).toBe(
        "Learning curve by update. validation accuracy: 0.6 (95 %: 0.502 to 0.691), best 0.6. utility of the episodes played: 0.4.",
      );
      const points = (await curve.locator("polyline.second").getAttribute("points"))!.split(" ");
      expect(points).toHaveLength(10);
      expect(await curve.locator("polygon.band").count()).toBe(1);
      write(folder, 11, 40);
      await expect.poll(() => page.locator("#state").textContent()).toBe("Finished");
      expect(await page.title()).toBe("mine · Finished");
      expect(await page.getByRole("img").count()).toBe(5);
      expect(await page.locator("#age").textContent()).toMatch(/^Last update \d+ s ago\.$/);
      expect(said).toEqual([]);
      await page.close();
    });

    it("takes up a lost connection without a gap, and shows that it was lost", async () => {
      const folder = folderOfRun();
      const first = await watch(folder);
      const page = await open(first.url);
      write(folder, 1, 4);
      await expect.poll(() => page.locator("#progress-text").textContent()).toBe("Update 4 of 40");
      await first.close();
      await expect.poll(() => page.locator("#state").textContent()).toBe("No connection; trying again");
      write(folder, 5, 6);
      await watch(folder, Number(new URL(first.url).port));
      await expect.poll(() => page.locator("#progress-text").textContent(), { timeout: 10_000 }).toBe("Update 6 of 40");
      const line = page.getByRole("img", { name: /^Learning/ }).locator("polyline.second");
      expect((await line.getAttribute("points"))!.split(" ")).toHaveLength(6);
      await page.close();
    });

    it("lets go of its connection while nobody sees it, and goes on without a gap when somebody does", async () => {
      const folder = folderOfRun();
      const page = await open((await watch(folder)).url);
      const show = (state: string): Promise<void> =>
        page.evaluate((state) => {
          Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }, state);
      write(folder, 1, 4);
      await expect.poll(() => page.locator("#progress-text").textContent()).toBe("Update 4 of 40");
      await show("hidden");
      write(folder, 5, 9);
      await sleep(1000);
      expect(await page.locator("#progress-text").textContent()).toBe("Update 4 of 40");
      await show("visible");
      await expect.poll(() => page.locator("#progress-text").textContent()).toBe("Update 9 of 40");
      const line = page.getByRole("img", { name: /^Learning/ }).locator("polyline.second");
      expect((await line.getAttribute("points"))!.split(" ")).toHaveLength(9);
      expect(said).toEqual([]);
      await page.close();
    });

    it("says that too many pages are open", async () => {
      const { url } = await watch(folderOfRun());
      const streams = Array.from({ length: 50 }, () => openStream(url));
      for (const stream of streams) await stream.until((events) => events.length > 0);
      const page = await open(url);
      await expect
        .poll(() => page.locator("#state").textContent())
        .toBe("Too many pages of this run are open; trying again");
      for (const stream of streams) stream.close();
      await expect
        .poll(() => page.locator("#state").textContent(), { timeout: 10_000 })
        .toBe("Waiting for the run to begin");
      await page.close();
    });

    it("forgets a run that is started over", async () => {
      const folder = folderOfRun();
      const page = await open((await watch(folder)).url);
      write(folder, 1, 20);
      await expect.poll(() => page.locator("#progress-text").textContent()).toBe("Update 20 of 40");
      rmSync(join(folder, "metrics.jsonl"));
      write(folder, 1, 2);
      await expect.poll(() => page.locator("#progress-text").textContent()).toBe("Update 2 of 40");
      expect(Object.keys(await numbersOf(page))).not.toContain("eval/accuracy");
      await page.close();
    });

    it("shows what strangers wrote as text", async () => {
      const evil = `<img src=x onerror="document.title='broken'">`;
      const folder = folderOfRun(evil);
      appendFileSync(join(folder, "metrics.jsonl"), line(1, { [evil]: 1 }));
      writeFileSync(join(folder, "results.json"), JSON.stringify({ headline: `${evil} wins` }));
      const page = await open((await watch(folder)).url);
      await expect.poll(() => page.locator("#name").textContent()).toBe(evil);
      expect(await page.locator("#headline").textContent()).toBe(`${evil} wins`);
      expect(await page.locator("#numbers th").textContent()).toBe(evil);
      expect(await page.locator("img").count()).toBe(0);
      expect(said).toEqual([]);
      await page.close();
    });

    it("leads to the report when there is one", async () => {
      const folder = folderOfRun();
      const page = await open((await watch(folder)).url);
      expect(await page.locator("#report").isVisible()).toBe(false);
      writeFileSync(join(folder, "report.html"), "<!doctype html><title>The report</title><p>All about it");
      await page.locator("#report").click();
      await expect.poll(() => page.title()).toBe("The report");
      await page.close();
    });

    it.each([
      ["light", { width: 1280, height: 800 }],
      ["dark", { width: 1280, height: 800 }],
      ["light", { width: 390, height: 844 }],
      ["dark", { width: 390, height: 844 }],
    ] as const)("passes axe and fits, in %s at %o", async (colorScheme, viewport) => {
      const folder = folderOfRun("a-name-that-does-not-fit-into-one-line-of-a-phone-because-it-has-no-blanks-at-all");
      write(folder, 1, 20);
      mkdirSync(join(folder, "checkpoints"));
      writeFileSync(join(folder, "results.json"), JSON.stringify({ headline: "learned is level with the best." }));
      writeFileSync(join(folder, "report.html"), "<p>");
      const page = await open((await watch(folder)).url, { colorScheme, viewport, bypassCSP: true });
      await expect.poll(() => page.locator("#report").isVisible()).toBe(true);
      await page.addScriptTag({ content: axe.source });
      const { violations } = (await page.evaluate("axe.run()")) as { violations: { id: string; nodes: unknown[] }[] };
      expect(violations.map(({ id }) => id)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
      expect(said).toEqual([]);
      await page.close();
    });
  },
);

describe("colloquy watch", () => {
  /** The command alone, without the command line, beside the page as it is built. */
  function buildWatch(): BuiltCommand {
    const folder = freshFolder();
    mkdirSync(join(folder, "cli"));
    mkdirSync(join(folder, "report"));
    writeFileSync(join(folder, "report", "watch.js"), script);
    writeFileSync(join(folder, "report", "watch.css"), style);
    const path = join(folder, "cli", "watch.mjs");
    const code = `
      import { watchCommand } from "./cli/watch.ts";
      const [run, port, json] = process.argv.slice(2);
      watchCommand(run, { port: port && Number(port), json: json === "json" }).then(
        (code) => { process.exitCode = code; },
        (error) => { console.error(error.code, error.message); process.exitCode = 2; },
      );`;
    writeFileSync(path, readFileSync(bundleScript(code)));
    return { path, remove: () => {} };
  }
  let command: BuiltCommand;
  beforeAll(() => {
    command = buildWatch();
  });

  const firstLine = (child: ReturnType<typeof spawn>): Promise<string> =>
    new Promise((resolve) => child.stdout!.once("data", (text: Buffer) => resolve(String(text))));

  it.each(["SIGINT", "SIGTERM"] as const)(
    "says where it serves, waits for a run, and ends well on %s",
    async (signal) => {
      const folder = freshFolder();
      const { child, ended } = startCommand(command, ["run"], folder);
      const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(await firstLine(child))![0];
      const stream = openStream(url);
      await stream.until((events) => events.length > 0);
      expect((await ask(url, "/watch.js")).body.length).toBeGreaterThan(1000);
      child.kill(signal);
      expect(await ended).toEqual({
        code: 0,
        stdout: `Watching run at ${url} (Ctrl-C ends it)\n`,
        stderr: "run is not there yet; the page waits for it.\n",
      });
    },
  );

  it("tells programs in one line of JSON", async () => {
    const { child, ended } = startCommand(command, [".", "0", "json"], freshFolder());
    expect(JSON.parse(await firstLine(child))).toEqual({ run: ".", url: expect.stringMatching(/^http:/) });
    child.kill("SIGINT");
    expect((await ended).code).toBe(0);
  });

  it("refuses a file in place of a run, and a port that cannot be", async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, "file"), "");
    const refusal = async (...args: string[]) => (await startCommand(command, args, folder).ended).stderr;
    expect(await refusal("file")).toBe("usage/run file is a file, and a run is a folder\n");
    expect(await refusal(".", "70000")).toBe("usage/port there is no port 70000\n");
  });
});
