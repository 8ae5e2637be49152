import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { writeCheckpoint } from "../src/checkpoint/folder.ts";
import { manifestSchema, type PolicyManifest, readManifest } from "../src/checkpoint/manifest.ts";
import type { Policy } from "../src/contracts/policy.ts";
import type { EpisodeRecord } from "../src/contracts/trace.ts";
import { replayEpisode, runEpisode } from "../src/environments/index.ts";
import { createForward } from "../src/runtime/forward.ts";
import { createSession, loadPolicy } from "../src/runtime/index.ts";
import { networkPolicy } from "../src/runtime/network-policy.ts";
import { buildDag } from "../src/topology/index.ts";
import { deliberate, networkFor, sources, startOf, strongWeights } from "./support/worlds.ts";

const folder = mkdtempSync(join(tmpdir(), "colloquy-trust-"));
afterAll(() => rmSync(folder, { recursive: true }));

const source = sources.simulated();
const world = deliberate(source);
const config = { ...networkFor(world.spec), rank: "decide" as const };
const weights = strongWeights(config);
const policy: Policy = networkPolicy("trusting", createForward(config, weights), "threshold");
const play = (): Promise<EpisodeRecord[]> =>
  Promise.all(source.questions.map((question) => runEpisode(world, policy, startOf(question))));

describe("a policy whose graphs rank agents by the credit of their vote", () => {
  it("lets the credit for speaking say who speaks, and the trust who is heard", async () => {
    let differs = 0;
    for (const { decisions } of await play()) {
      for (const { credits, participants, trust, edges, round } of decisions.slice(0, -1)) {
        const draw = (by: readonly number[]) => {
          const graph = buildDag({
            credits: by,
            participants,
            budget: { in: 2, out: Infinity, depth: Infinity },
            round,
          });
          return Array.from(graph.sources, (from, e) => [from, graph.targets[e]]);
        };
        expect(edges).toEqual(draw(trust!));
        if (JSON.stringify(draw(credits)) !== JSON.stringify(edges)) differs++;
        expect(participants).toEqual(credits.map((credit, i) => (credit >= 0 || participants[i] === 1 ? 1 : 0)));
      }
      expect(decisions.at(-1)).not.toHaveProperty("trust");
    }
    expect(differs).toBeGreaterThan(5);
  });

  it("leaves records that replay", async () => {
    for (const [k, record] of (await play()).entries())
      expect(await replayEpisode(world, record, source.questions[k])).toEqual(record);
  });

  it("decides the same in the exported runtime", async () => {
    const manifest: PolicyManifest = {
      schema: manifestSchema,
      name: "trusting",
      environment: "deliberation-v1",
      network: config,
      embedder: `given-${config.embedding}`,
      decision: {
        topology: "credit",
        budget: { in: 2, out: null, depth: null },
        minimum: 1,
        cut: 0.5,
        voters: "all",
      },
      training: { step: 0 },
    };
    expect(readManifest(JSON.parse(JSON.stringify(manifest)), "config.json")).toEqual(manifest);
    writeCheckpoint(join(folder, "policy"), { manifest, weights }, "# card");
    const loaded = await loadPolicy(join(folder, "policy"));
    const seen: { scalars: Float32Array; embeddings: readonly unknown[] }[] = [];
    const record = await runEpisode(world, policy, startOf(source.questions[0]), ({ scalarsNS, embeddingsN }) => {
      seen.push({ scalars: scalarsNS, embeddings: embeddingsN });
    });
    const session = createSession(loaded);
    record.decisions.slice(0, -1).forEach(({ edges }, d) => {
      session.observe({ features: seen[d].scalars, embeddings: seen[d].embeddings as never });
      expect(session.decide().edges).toEqual(edges);
    });
  });

  it("ranks as ever where both heads are one", () => {
    const shared = { ...config, heads: "shared" as const };
    const forward = createForward(shared, strongWeights(shared));
    const session = networkPolicy("shared", forward, "threshold").begin({ agents: 6, rng: undefined as never });
    const scalarsNS = new Float32Array(6 * world.spec.scalars.length).map((_, k) => (k % 7) / 7);
    const action = session.act({
      agents: 6,
      round: 2,
      head: "communicate",
      scalarsNS,
      embeddingsN: new Array(6).fill(null),
      eligibleN: new Uint8Array(6).fill(1),
      forcedN: new Uint8Array(6),
    });
    expect(action.trustN).toEqual(action.creditsN);
  });
});
