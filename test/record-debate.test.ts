import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planAttack } from "../src/attacks/index.ts";
import type { Turn } from "../src/contracts/agent.ts";
import type { Population } from "../src/contracts/population.ts";
import type { Question } from "../src/contracts/task.ts";
import { readBank, recordDebate, recordedPopulation, writeBank } from "../src/populations/index.ts";
import { publishedLaw } from "../src/populations/response-law.ts";
import { choice, says, scripted } from "./support/worlds.ts";

const quiet = { kind: "mislead", adversaries: 0, onset: "first" };
const record = (population: Population, changes: Partial<Parameters<typeof recordDebate>[0]> = {}) =>
  recordDebate({
    ...{ population, question: choice, agents: 4, rounds: 3, attack: planAttack, setting: quiet, seed: 2, sample: 7 },
    ...changes,
  });

/** Says its orders, or a letter of its number, in words that no other turn has. */
const talkative = (turns: { agent: number; turn: Turn }[] = []) =>
  scripted(async (agent, turn) => {
    turns.push({ agent, turn });
    const letter = turn.orders?.target ?? "ABCD"[(agent + turn.round) % 4];
    return says(letter, `agent ${agent}, round ${turn.round}: ${letter}`);
  });

describe("a recorded debate", () => {
  it("is held as the recordings were: alone at first, then all hear all others of the round before", async () => {
    const turns: { agent: number; turn: Turn }[] = [];
    const debate = await record(talkative(turns));
    expect(turns).toHaveLength(12);
    for (const { agent, turn } of turns) {
      const others = turn.round === 1 ? [] : [0, 1, 2, 3].filter((other) => other !== agent);
      expect(turn.heard.map(({ from }) => from)).toEqual(others);
      for (const { from, utterance } of [...turn.heard, ...(turn.own ? [{ from: agent, utterance: turn.own }] : [])]) {
        expect(utterance.text).toBe(debate.rounds[turn.round - 2][from]!.text);
      }
      expect(turn.own === null).toBe(turn.round === 1);
    }
    expect(debate).toMatchObject({ run: "q1/s2/7", question: choice, heard: "all-previous" });
    expect(debate.agents).toEqual(Array(4).fill({ role: "speaker", adversary: false, target: null }));
  });

  it("says which agents were adversaries and what each was told to argue for", async () => {
    const debate = await record(talkative(), { setting: { kind: "independent", adversaries: 2, onset: "first" } });
    const liars = debate.agents.flatMap(({ adversary }, i) => (adversary ? [i] : []));
    expect(liars).toHaveLength(2);
    expect(new Set(liars.map((i) => debate.agents[i].target))).toEqual(new Set(["B", "C"]));
    for (const i of liars) for (const round of debate.rounds) expect(round[i]!.answer).toBe(debate.agents[i].target);
    for (const { adversary, target } of debate.agents) if (!adversary) expect(target).toBeNull();
  });

  it("makes a bank that can be written, read and played from", async () => {
    const setting = { kind: "collude", adversaries: 1, onset: "first" };
    const debates = await Promise.all([0, 1, 2].map((sample) => record(talkative(), { sample, setting })));
    const folder = mkdtempSync(join(tmpdir(), "colloquy-"));
    try {
      const path = join(folder, "bank.jsonl");
      writeBank(path, { source: "a test", debates, warnings: [] });
      const bank = readBank(path);
      expect(bank.debates).toEqual(debates);
      expect(recordedPopulation({ bank, law: publishedLaw }).targets(choice).length).toBeGreaterThan(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("keeps a silenced agent as one that was not asked, heard by nobody", async () => {
    const turns: { agent: number; turn: Turn }[] = [];
    const debate = await record(talkative(turns), { setting: { kind: "silence", adversaries: 1, onset: "first" } });
    const silent = debate.agents.findIndex(({ adversary }) => adversary);
    expect(debate.rounds.map((round) => round[silent])).toEqual([null, null, null]);
    expect(turns.flatMap(({ turn }) => turn.heard).some(({ from }) => from === silent)).toBe(false);
  });

  it("refuses questions that no bank can hold", async () => {
    const others: Question[] = [
      { ...choice, gold: null },
      { ...choice, options: ["one"] },
      { ...choice, kind: "number", options: [] },
    ];
    for (const question of others) {
      await expect(record(talkative(), { question })).rejects.toMatchObject({ code: "bank/question" });
    }
  });

  it("throws what an agent throws, the first in their order, once nobody is speaking any more", async () => {
    let speaking = 0;
    const failing = scripted(async (agent) => {
      speaking++;
      await new Promise((resolve) => setTimeout(resolve, 20 - 5 * agent));
      speaking--;
      throw new Error(`no answer from ${agent}`);
    });
    await expect(record(failing)).rejects.toThrow("no answer from 0");
    expect(speaking).toBe(0);
  });

  it("stops between rounds when it is told to", async () => {
    const controller = new AbortController();
    const turns: { agent: number; turn: Turn }[] = [];
    const population = talkative(turns);
    const interrupting = scripted(async (agent, turn) => {
      if (turn.round === 2) controller.abort();
      return population.team(choice, 4, turn.rng)[agent].respond(turn);
    });
    await expect(record(interrupting, { signal: controller.signal })).rejects.toThrow(/abort/i);
    expect(Math.max(...turns.map(({ turn }) => turn.round))).toBe(2);
  });
});
