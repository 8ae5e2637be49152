import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { planMindAttack } from "../src/attacks/minds/index.ts";
import { createRng } from "../src/base/rng.ts";
import {
  checkEnvironment,
  createWorkplace,
  defaultCosts,
  defaultTiers,
  drawProjects,
  judgeByOverlap,
  makePlan,
  runEpisode,
  workplaceFeatureNames,
} from "../src/environments/index.ts";
import { exportPolicy } from "../src/export/index.ts";
import { defaultTraits, drawTraits, simulatedMind } from "../src/minds/index.ts";
import { openBackend } from "../src/nets/index.ts";
import { initialWeights } from "../src/nets/initial-weights.ts";
import { createSession, loadPolicy } from "../src/runtime/index.ts";
import { networkPolicy } from "../src/runtime/network-policy.ts";
import { buildDag } from "../src/topology/index.ts";
import { train, workplaceReading } from "../src/train/index.ts";
import { toySettings } from "./support/toy-training.ts";

const root = mkdtempSync(join(tmpdir(), "colloquy-train-workplace-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const workplace = createWorkplace({
  agents: 5,
  plan: (project) => makePlan(project, "manual", defaultTiers[project.tier]),
  minds: ({ members }, rng) => members.map((_, i) => simulatedMind(drawTraits(i === 0, defaultTraits, rng.fork(i)))),
  judge: judgeByOverlap,
  attack: planMindAttack,
  gate: "policy",
  manner: "weigh",
  prompt: false,
  topology: buildDag,
  budget: { in: 2, out: Infinity, depth: Infinity },
  tiers: defaultTiers,
  costs: defaultCosts,
  reassign: true,
  features: workplaceFeatureNames,
  log: false,
});
const projects = (seed: number, count: number) =>
  drawProjects({ tier: "medium", workers: 4, tasks: 1, seed, count }, defaultTiers.medium);

it("a workplace is trained, charged for its communication, exported, and decides in a session from its features", async () => {
  const { tf } = await openBackend("wasm");
  const network = {
    kind: "credit-gru",
    embedding: 0,
    projection: 0,
    scalars: workplaceFeatureNames,
    hidden: 8,
    heads: "shared",
    clamp: 6,
  } as const;
  const attack = { kind: "mislead", adversaries: [0, 1], onsets: ["first"] };
  const [project] = projects(9, 1);
  const start = { question: project, seed: 4, sample: 0, attack: { kind: "mislead", adversaries: 1, onset: "first" } };
  await checkEnvironment(workplace, [start]);

  const { checkpoint, validation } = await train({
    settings: {
      ...toySettings,
      steps: 6,
      starts: 4,
      attack,
      cost: { weight: 0.5, per: "communication" },
      validation: { every: 3, episodes: 8, score: "accuracy", patience: 0 },
    },
    seed: 1,
    network,
    initial: initialWeights(network, createRng(1)),
    environment: workplace,
    reading: workplaceReading,
    minimum: 0,
    questions: { train: projects(1, 12), validation: projects(2, 4) },
    backend: { name: "wasm", tf, tried: [] },
    folder: join(root, "run"),
    recipe: {},
    provenance: {},
    manifest: (step) => ({
      schema: "colloquy.policy/1",
      name: "office",
      environment: workplace.spec.name,
      network,
      embedder: null,
      decision: { topology: "credit", budget: { in: 2, out: null, depth: null }, minimum: 0, cut: 0.5 },
      training: { step },
    }),
    card: () => ({ summary: "An office." }),
    fresh: false,
    concurrency: 2,
    clock: { now: () => 0, elapsedMs: () => 0 },
  });
  const rows = readFileSync(join(root, "run", "metrics.jsonl"), "utf8")
    .trim()
    .split("\n");
  const last = JSON.parse(rows.at(-1)!) as Record<string, number>;
  expect(last["eval/utility"]).toBeGreaterThan(0);
  expect(last).toHaveProperty("eval/unfinished");
  expect(validation!.charge).toBeGreaterThan(0);
  expect(validation!.charge).toBeLessThan(0.5);
  expect(JSON.parse(rows[0])).toMatchObject({ "train/moved": true });

  const policy = await loadPolicy(await exportPolicy(tf, checkpoint, join(root, "exported")));
  const session = createSession(policy);
  let decisions = 0;
  await runEpisode(workplace, networkPolicy("learned", policy.forward, "threshold", 0), start, (seen, done) => {
    session.observe({ features: seen.scalarsNS });
    expect([...session.decide().participants].sort()).toEqual(
      [...done.participantsN.keys()].filter((i) => done.participantsN[i] === 1),
    );
    decisions++;
  });
  expect(decisions).toBeGreaterThan(3);
});
