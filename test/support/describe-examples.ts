import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { checkRecipe, importRecording, openWorkplace, workplaceFeatureNames } from "../../src/assemble/index.ts";
import { openPopulation } from "../../src/assemble/population.ts";
import { createRng } from "../../src/base/rng.ts";
import { runTraining } from "../../src/cli/run-training.ts";
import type { ChatRequest } from "../../src/contracts/language-model.ts";
import type { Question } from "../../src/contracts/task.ts";
import { everyone, runEpisode, workplaceStrategies } from "../../src/environments/index.ts";
import { exportPolicy } from "../../src/export/index.ts";
import { createAttempts, type EndpointSettings, openAccount, openStack } from "../../src/llm/index.ts";
import { openBackend } from "../../src/nets/index.ts";
import { readBank } from "../../src/populations/index.ts";
import { type Rival, rivals } from "../../src/rivals/index.ts";
import { loadPolicy } from "../../src/runtime/index.ts";
import { openTask } from "../../src/tasks/open-task.ts";
import type { TaskSettings } from "../../src/tasks/task-settings.ts";
import { topologies } from "../../src/topology/index.ts";
import { fitRival } from "../../src/train/index.ts";
import { listBlocks } from "./describe-changes.ts";
import { readPage } from "./describe-page.ts";
import { toySettings } from "./toy-training.ts";
import { deliberate, says, scripted } from "./worlds.ts";

/*
 * Plays the examples of `docs/extending.md` that no table's suite plays. It runs in the copy of the repository that
 * `test/docs-extending.test.ts` makes, where they are there.
 */

const root = resolve(import.meta.dirname, "..", "..");
const page = readPage("docs/extending.md");
const outside = (name: string): Promise<Record<string, unknown>> => import(join(root, "outside", `${name}.ts`));

describe("an example", () => {
  it("of a benchmark gives its questions, by name and by field", async () => {
    const { task } = parseYaml(listBlocks(page, "yaml")[0]) as { task: TaskSettings };
    const file = join(root, "riddles.jsonl");
    for (const settings of [
      { ...task, file },
      { name: "riddles", file },
    ]) {
      const { questions, warnings } = await openTask(settings);
      expect(questions.map(({ gold, options }) => [gold, options.length])).toEqual([
        ["A", 3],
        ["B", 3],
      ]);
      expect(warnings).toEqual([]);
    }
  });

  it("of an environment keeps the contract, and is played as it says", async () => {
    const { accuracy } = await outside("play-panel");
    const said = Number(/\/\/ (\d+) %/.exec(readPage("outside/play-panel.ts"))![1]);
    expect(Math.round(100 * (accuracy as number))).toBe(said);
  });

  it("of a network, and of a topology, is trained from a recipe, exported and loaded", async () => {
    const recipe = checkRecipe(
      {
        name: "elman",
        population: { kind: "simulated", questions: { independent: 20 } },
        topology: { rule: "pairs" },
        network: { kind: "credit-elman", hidden: 4, projection: 4 },
        attack: { kind: "gang" },
        train: { steps: 2, starts: 2, validation: { episodes: 2 } },
      },
      "the test",
    );
    const { checkpoint } = await runTraining(recipe, { out: join(root, "run") });
    const { tf } = await openBackend("wasm");
    // Exporting loads the copy again and sees that it decides the same.
    const { manifest } = await loadPolicy(await exportPolicy(tf, checkpoint, join(root, "policy")));
    expect(manifest.network.kind).toBe("credit-elman");
  });

  it("of a rival learns whom to listen to", async () => {
    const rival: Rival = rivals["best-speaker" as keyof typeof rivals];
    const shape = { agents: 4, rounds: 2 };
    const knowing = scripted((agent, { heard }) => says(agent === 2 ? "A" : (heard[0]?.utterance.answer ?? "B")));
    const questions = Array.from({ length: 20 }, (_, i): Question => {
      return { id: `q${i}`, text: `Question ${i}?`, options: ["right", "wrong"], gold: "A" };
    });
    const { weights } = await fitRival({
      rival,
      shape,
      environment: deliberate(
        { population: knowing, embedder: null },
        {
          ...shape,
          topology: topologies.proposed.draw,
          vote: "majority",
          voters: "participants",
          features: [],
        },
      ),
      questions: { train: questions, validation: [] },
      settings: toySettings,
      seed: 1,
      calls: 2000,
      concurrency: 4,
    });
    const session = rival.policy(weights, shape, "threshold").begin({ agents: 4, rng: createRng(1) });
    const eligibleN = new Uint8Array(4).fill(1);
    const seen = { agents: 4, round: 2, head: "communicate", scalarsNS: new Float32Array(0), eligibleN } as const;
    const { proposal } = session.act({ ...seen, embeddingsN: [], forcedN: new Uint8Array(4) });
    expect(proposal?.edges.map(([source]) => source)).toEqual([2, 2, 2]);
  });

  it("of a bank can be read, and of an importer gives one", async () => {
    expect(readBank(join(root, "bank.jsonl")).debates[0].agents[1].target).toBe("A");
    const transcripts = join(root, "transcripts.jsonl");
    const replies = [
      ["It is 4.\nANSWER: B", "I say 3.\nANSWER: A"],
      ["ANSWER: B", "ANSWER: B"],
    ];
    writeFileSync(
      transcripts,
      `${JSON.stringify({ id: "q1", question: "2 + 2?", options: ["3", "4"], answer: "B", replies })}\n`,
    );
    const bank = join(root, "imported.jsonl");
    expect(importRecording("transcripts", transcripts, {}, bank)).toMatchObject({ runs: 1, utterances: 4, unread: {} });
    const answers = readBank(bank).debates[0].rounds.map((round) => round.map((said) => said?.answer));
    expect(answers).toEqual([
      ["B", "A"],
      ["B", "B"],
    ]);
    const population = { kind: "recorded", bank };
    const recipe = checkRecipe(
      { name: "imported", population, attack: { adversaries: [0] }, evaluate: { adversaries: [0] } },
      "the test",
    );
    expect((await openPopulation(recipe)).questions).toHaveLength(1);
    writeFileSync(transcripts, '{"id":"q1"}\n');
    expect(() => importRecording("transcripts", transcripts, {}, bank)).toThrow("line 1");
  });

  it("of a model of one's own answers in a team", async () => {
    expect((await outside("own-model")).said).toMatchObject({ answer: "B", status: "parsed" });
  });

  it("of a provider is asked, retried, cached and named in recipes", async () => {
    let asked = 0;
    const server = createServer((request, response) => {
      asked++;
      if (asked === 1) response.writeHead(503).end("busy");
      else response.end(JSON.stringify({ text: `heard ${request.url}` }));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const account = openAccount({ cacheFolder: null, ledgerPath: null, models: ["m"], onNotice: () => {} });
    const attempts = createAttempts({ retries: 2, longestWaitMs: 1000, lanes: 1, baseDelayMs: 1, rng: createRng(1) });
    const endpoint = { kind: "generate", baseURL, timeoutMs: 5000, attempts } as unknown as EndpointSettings;
    const request: ChatRequest = { model: "m", messages: [{ role: "user", content: "Hello" }], sample: 0 };
    const model = openStack(endpoint, account);
    expect(await model.complete(request)).toMatchObject({ text: "heard /generate", cached: false });
    expect(await model.complete(request)).toMatchObject({ text: "heard /generate", cached: true });
    expect(asked).toBe(2);
    server.close();
    const population = { kind: "llm", models: [{ model: "m", provider: "generate", baseURL }] };
    expect(() => checkRecipe({ name: "own", population, task: { file: "riddles.jsonl" } }, "the test")).not.toThrow();
  });

  /** An episode of the workplace from a recipe, with its log. */
  const work = (changes: object, attack = { kind: "mislead", adversaries: 0, onset: "first" }) => {
    const recipe = checkRecipe({ name: "at-work", world: "workplace-v1", ...changes }, "the test", "workplace-v1");
    const world = openWorkplace(recipe);
    const [question] = world.testProjects({ tier: "complex", workers: 4, tasks: 1 });
    const environment = world.environment(workplaceStrategies.c2c, { workers: 4, log: true });
    return runEpisode(environment, everyone, { question, seed: 1, sample: 0, attack });
  };

  it("of a mind works, asks and is answered, without a fault", async () => {
    const { outcome, faults, gains, sent } = await work({ minds: { kind: "apprentice" } });
    expect({ outcome, faults }).toEqual({ outcome: "finished", faults: 0 });
    expect(gains.help_request.sum).toBeGreaterThan(0);
    expect(sent.reply).toBeGreaterThan(0);
  });

  it("of an attack on minds blurs answers, of a decomposition is played, of a feature is seen", async () => {
    const attack = { kind: "mumble", adversaries: 4, onset: "first" };
    const { events, subtasks } = await work({ decomposition: "modular" }, attack);
    expect(subtasks.count).toBe(4);
    const answers = events!.flatMap((event) =>
      event.kind === "send" && event.guidance && event.agent > 0 ? [event.guidance.clarity] : [],
    );
    expect(Math.max(...answers)).toBeLessThanOrEqual(100);
    expect(workplaceFeatureNames).toContain("blocked");
  });

  it("of a channel is chosen, answered and counted", async () => {
    const { channels, responses, events } = await work({});
    expect(channels).toHaveProperty("call");
    expect((channels as unknown as Record<string, number>).call).toBeGreaterThan(0);
    expect((responses as unknown as Record<string, { count: number }>).call.count).toBeGreaterThan(0);
    const calls = events!.filter((event) => event.kind === "send" && (event.channel as string) === "call");
    for (const call of calls) expect(call).toHaveProperty("minutes", 6);
  });
});
