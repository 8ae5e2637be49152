import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkRecipe, countsAllRounds, findWords, voteWeights } from "../src/assemble/index.ts";
import { cutText } from "../src/base/cut-text.ts";
import { sha256 } from "../src/base/hash.ts";
import { sigmoid } from "../src/base/sigmoid.ts";
import { quantile } from "../src/base/stats.ts";
import { openInBrowser } from "../src/cli/open-in-browser.ts";
import { collectReport, writeReport } from "../src/cli/report/write-report.ts";
import type { EpisodeRecord } from "../src/contracts/trace.ts";
import { keepEpisodes, parseResults, profileCredits } from "../src/evaluate/index.ts";
import { readJudged } from "../src/report/files/read-judged.ts";
import { readLines } from "../src/report/files/read-lines.ts";
import { readRecord } from "../src/report/files/read-record.ts";
import { sampleEpisodes } from "../src/report/files/sample-episodes.ts";
import { fillBrowser } from "../src/report/fill-browser.ts";
import { vote } from "../src/topology/vote.ts";
import { type JudgedRun, playJudgedRun, writeTrainedRun } from "./support/judged-run.ts";

const folder = mkdtempSync(join(tmpdir(), "colloquy-report-"));
let run: JudgedRun;
let learned: EpisodeRecord[];

beforeAll(async () => {
  run = await playJudgedRun(folder);
  learned = run.played.filter(({ method }) => method === "learned").map(({ record }) => record);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let folders = 0;
const newFolder = (): string => join(folder, `run-${folders++}`);
const cell = { kind: "collude", adversaries: 2, rate: 0.33, onset: "first" };
const page = { script: "", style: "" };
const linesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("the episodes that an evaluation keeps", () => {
  it("are the same starts for every method of a cell", () => {
    const starts = new Map<string, string[]>();
    for (const line of linesOf(run.judged).slice(1)) {
      const { method, record } = line as { method: string; record: EpisodeRecord };
      const key = `${method} ${record.attack.adversaries}`;
      starts.set(key, [...(starts.get(key) ?? []), `${record.question} ${record.seed} ${record.sample}`]);
    }
    expect(starts.size).toBe(6 * 3);
    const [first] = starts.values();
    expect(first).toHaveLength(6);
    for (const own of starts.values()) expect(own).toEqual(first);
  });

  it("are fewer of each, never of some, where they grow too large", () => {
    const kept = keepEpisodes({ methods: 6, cells: 3, mostBytes: 60_000 });
    for (const { record, method, cell } of run.played) kept.add(record, method, cell);
    const text = kept.lines({});
    expect(text.length).toBeLessThan(60_100);
    const counts = new Map<string, number>();
    for (const line of linesOf(text).slice(1)) {
      const { method, record } = line as { method: string; record: EpisodeRecord };
      const key = `${method} ${record.attack.adversaries}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect(new Set(counts.values()).size).toBe(1);
    expect(counts.size).toBe(18);
  });

  it("never exceed the limit, not even with one of each", () => {
    const kept = keepEpisodes({ methods: 6, cells: 3, mostBytes: 5000 });
    for (const { record, method, cell } of run.played) kept.add(record, method, cell);
    expect(kept.lines({}).length).toBeLessThan(5100);
  });
});

describe("the credits of an evaluation", () => {
  it("have the quantiles of all credits, to the width of a bin", () => {
    const credits = learned.flatMap(({ decisions, attack }) =>
      attack.adversaries === 0 ? decisions[0].credits.map(sigmoid) : [],
    );
    const row = run.results.credits!.find(
      ({ method, adversaries, round }) => method === "learned" && adversaries === 0 && round === 2,
    )!;
    expect(row).toMatchObject({ side: "honest", n: credits.length });
    for (const [key, p] of [
      ["p10", 0.1],
      ["p25", 0.25],
      ["p50", 0.5],
      ["p75", 0.75],
      ["p90", 0.9],
    ] as const)
      expect(Math.abs(row[key] - quantile(credits, p))).toBeLessThan(0.005);
    expect(row.mean).toBeCloseTo(credits.reduce((a, b) => a + b, 0) / credits.length, 10);
  });

  it("count an agent as adversarial from its onset on", () => {
    const profile = profileCredits();
    profile.add({ ...learned[0], outcome: "right", onsets: [0, 3, 0, 0, 0, 0] }, "learned", cell);
    const sides = profile.rows().map(({ round, side, n }) => `${round} ${side} ${n}`);
    expect(sides).toEqual(["2 honest 6", "3 honest 5", "3 adversarial 1", "4 honest 5", "4 adversarial 1"]);
  });

  it("count an agent of a moving attack in the rounds in which it attacks, and in the vote by the last one", () => {
    const profile = profileCredits();
    const record = { ...learned[0], outcome: "right" as const, onsets: [1, 2, 3, 0, 0, 0], active: [[0], [1], [2, 3]] };
    profile.add(record, "learned", cell);
    expect(profile.rows().map(({ round, side, n }) => `${round} ${side} ${n}`)).toEqual([
      ...["2 honest 5", "2 adversarial 1", "3 honest 4", "3 adversarial 2", "4 honest 4", "4 adversarial 2"],
    ]);
  });

  it("leave out failed episodes and methods whose credits never vary", () => {
    expect([...new Set(run.results.credits!.map(({ method }) => method))]).toEqual(["learned", "untrained"]);
    const profile = profileCredits();
    profile.add({ ...learned[0], outcome: "failed" }, "learned", cell);
    expect(profile.rows()).toEqual([]);
  });

  it("are the same whether counted together or apart and put together", () => {
    const whole = profileCredits();
    const [one, other] = [profileCredits(), profileCredits()];
    learned.forEach((record, k) => {
      whole.add(record, "learned", cell);
      (k < 10 ? one : other).add(record, "learned", cell);
    });
    const parts = JSON.parse(JSON.stringify([...one.counts(), ...other.counts()]));
    const together = profileCredits(parts).rows();
    expect(together.map((row) => ({ ...row, mean: 0 }))).toEqual(whole.rows().map((row) => ({ ...row, mean: 0 })));
  });

  it("may be absent from results", () => {
    const { credits: _none, ...older } = run.results;
    expect(parseResults(JSON.stringify(older), "results.json").credits).toBeUndefined();
    expect(parseResults(JSON.stringify(run.results), "results.json").credits).toEqual(run.results.credits);
  });
});

describe("the weights of voices", () => {
  it("give the answer that the team gave, under every method's rule", () => {
    for (const { record, method } of run.played) {
      if (method === "self-consistency") continue;
      const last = record.onsets.map(
        (_, i) => record.rounds.map((round) => round[i]).findLast((said) => said !== null)?.answer ?? null,
      );
      const weightsN = voteWeights(record, method, run.recipe);
      expect(vote({ answersN: last, weightsN, creditsN: record.decisions.at(-1)!.credits }).answer).toBe(record.answer);
    }
  });

  it("are 0 for who has no readable answer, and for all of a failed episode", () => {
    const silent = { answer: null, status: "unparsed" } as const;
    const record = {
      ...learned[0],
      rounds: learned[0].rounds.map((round) => round.map((said, i) => (i === 2 ? silent : said))),
    };
    expect(voteWeights(record, "learned", run.recipe)[2]).toBe(0);
    expect(voteWeights({ ...record, outcome: "failed" }, "learned", run.recipe)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it("give the answer of a vote over all rounds, each answer one voice", () => {
    for (const { record, method } of run.played.filter(({ method }) => method === "self-consistency")) {
      expect(countsAllRounds(method)).toBe(true);
      const weightsN = voteWeights(record, method, run.recipe);
      const answersN = record.rounds.flatMap((round) => round.map((said) => said?.answer ?? null));
      const repeated = { weightsN: record.rounds.flatMap(() => weightsN), creditsN: answersN.map(() => 0) };
      expect(vote({ answersN, ...repeated }).answer).toBe(record.answer);
    }
  });
});

describe("reading lines", () => {
  it("gives back every line whatever the lengths, those too long counted", () => {
    const path = join(folder, "lines.txt");
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 40 })), fc.boolean(), (texts, ends) => {
        const lines = texts.map((text) => text.replaceAll("\n", " "));
        writeFileSync(path, lines.join("\n") + (ends && lines.length > 0 ? "\n" : ""));
        const whole = ends ? lines : lines.slice(0, -1);
        const read: string[] = [];
        const { oversized, torn } = readLines(path, 30, ({ text }) => read.push(text));
        expect(read).toEqual(whole.filter((line) => Buffer.byteLength(line) <= 30));
        expect(oversized).toBe(whole.length - read.length);
        expect(torn).toBe(!ends && (lines.at(-1) ?? "") !== "");
      }),
    );
  });

  it("never keeps a line longer than the limit, though it be larger than a block", () => {
    const path = join(folder, "long.txt");
    writeFileSync(path, `${"x".repeat(5e6)}\nshort\n${"y".repeat(3e6)}\n`);
    const read: string[] = [];
    expect(readLines(path, 2e6, ({ text }) => read.push(text))).toMatchObject({ lines: 3, oversized: 2, torn: false });
    expect(read).toEqual(["short"]);
  });
});

describe("a record from outside", () => {
  it("is read as it was written", () => {
    for (const { record } of run.played.slice(0, 50))
      expect(readRecord(JSON.parse(JSON.stringify(record)))).toEqual(record);
    const moving = { ...learned[0], active: [[0, 1], [2], []] };
    expect(readRecord(JSON.parse(JSON.stringify(moving)))).toEqual(moving);
  });

  it("is refused where its parts do not fit together", () => {
    const [record] = learned;
    const [decision] = record.decisions;
    const broken: unknown[] = [
      null,
      [],
      {},
      { ...record, onsets: [0, 0] },
      { ...record, rounds: [[null]] },
      { ...record, outcome: "great" },
      { ...record, utility: null },
      { ...record, active: [[0]] },
      { ...record, decisions: [{ ...decision, edges: [[0, 99]] }] },
      { ...record, decisions: [{ ...decision, credits: ["<b>"] }] },
    ];
    for (const value of broken) expect(readRecord(value)).toBeUndefined();
  });
});

/** Writes many episodes that differ in name, setting and outcome; the text of one is a real one's. */
function writeMany(path: string, count: number): void {
  const texts = learned.slice(0, 24).map((record) => JSON.stringify({ step: 0, ...record }));
  const file = openSync(path, "w");
  for (let start = 0; start < count; start += 10_000) {
    const lines: string[] = [];
    for (let k = start; k < Math.min(count, start + 10_000); k++)
      lines.push(texts[k % texts.length].replace(/"sample":\d+/, `"sample":${k}`));
    writeSync(file, `${lines.join("\n")}\n`);
  }
  closeSync(file);
}

describe("the sample of training episodes", () => {
  it("holds equally many of each third, attack and outcome, and the same ones again", () => {
    const path = join(folder, "many.jsonl");
    writeMany(path, 6000);
    const sample = sampleEpisodes(path);
    expect(sample).toMatchObject({ total: 6000, skipped: 0, torn: false });
    expect(sample.records).toHaveLength(120);
    const strata = new Map<string, number>();
    for (const { sample: k, attack, outcome } of sample.records) {
      const key = `${Math.floor(k / 2000)} ${attack.adversaries} ${outcome}`;
      strata.set(key, (strata.get(key) ?? 0) + 1);
    }
    const sizes = [...strata.values()];
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    expect(new Set([...strata.keys()].map((key) => key[0]))).toEqual(new Set(["0", "1", "2"]));
    expect(sampleEpisodes(path)).toEqual(sample);
  });

  it("skips and counts what is damaged, foreign or too long, and leaves out a last line without an end", () => {
    const path = join(folder, "hostile.jsonl");
    const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
    const hostile = ["not json\n", "null\n", line({ __proto__: 1 }), line({ ...learned[0], onsets: "x" }), "\u0000\n"];
    const huge = line({ ...learned[0], error: "x".repeat(4.1e6) });
    writeFileSync(
      path,
      [line(learned[0]), ...hostile, huge, line(learned[1]), line(learned[2]).slice(0, 200)].join(""),
    );
    const sample = sampleEpisodes(path);
    expect(sample).toMatchObject({ total: 2, skipped: hostile.length + 1, torn: true });
    expect(sample.records).toEqual([learned[0], learned[1]]);
  });

  it("is taken of 150,000 episodes quickly, in little memory, for a report of less than 30 MB", async () => {
    const place = writeTrainedRun(newFolder(), run.recipe, []);
    writeMany(join(place, "episodes.jsonl"), 150_000);
    const before = process.memoryUsage.rss();
    const started = performance.now();
    const report = await writeReport(place, page);
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(300e6);
    expect(statSync(report.path).size).toBeLessThan(30e6);
    expect(report.episodes).toBe(120);
    expect(readFileSync(report.path, "utf8")).toContain("120 of 150,000 training episodes");
    rmSync(place, { recursive: true });
  }, 60_000);
});

describe("the episode browser", () => {
  const found = (record: EpisodeRecord, method = "learned") => ({
    method,
    phase: "judging" as const,
    weights: [],
    record,
    question: () => undefined,
    utterance: () => "word ".repeat(2000),
  });

  it("brings the methods of one start together", () => {
    const episodes = run.played.slice(0, 6 * 24).map(({ record, method }) => found(record, method));
    const shown = fillBrowser(episodes, [], 1e9).episodes;
    const starts = shown.map(({ record }) => `${record.question} ${record.seed} ${record.sample}`);
    expect(starts.filter((start, k) => start !== starts[k - 1])).toHaveLength(new Set(starts).size);
  });

  it("cuts texts, then leaves out whole groups evenly, and says so", () => {
    const episodes = learned.map((record) => found(record));
    const sizeOf = (most: number): number => Buffer.byteLength(JSON.stringify(fillBrowser(episodes, [], most)));
    expect(fillBrowser(episodes, ["note."], 1e9).note).toBe("note.");
    const cut = fillBrowser(episodes, [], 2.5e6);
    expect(cut.note).toMatch(/^Texts are cut at \d+ characters/);
    expect(cut.episodes).toHaveLength(episodes.length);
    const few = fillBrowser(episodes, [], 1e5);
    expect(few.note).toMatch(/\d+ of \d+ chosen episodes are left out/);
    expect(few.episodes.length).toBeGreaterThan(3);
    expect(new Set(few.episodes.map(({ record }) => record.attack.adversaries)).size).toBeGreaterThan(1);
    for (const most of [2.5e6, 1e6, 3e5, 1e5]) expect(sizeOf(most)).toBeLessThan(most + 300);
    expect(fillBrowser(episodes, [], 0).episodes).toEqual([]);
  });

  it("takes any question id as a name", () => {
    const browser = fillBrowser([found({ ...learned[0], question: "__proto__" })], [], 1e9);
    expect(Object.keys(browser.questions)).toEqual(["__proto__"]);
    expect(JSON.parse(JSON.stringify(browser)).questions).toHaveProperty(["__proto__"]);
  });

  it("keeps the weight of the smallest voice", () => {
    const episode = { ...found(learned[0]), weights: [0.000123456, 0.98765432] };
    expect(fillBrowser([episode], [], 1e9).episodes[0].weights).toEqual([0.0001235, 0.9877]);
  });

  it("never cuts a character in half", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 20 }), (text, most) => {
        const cut = cutText(text, most);
        expect(/\p{Cs}/u.test(cut)).toBe(/\p{Cs}/u.test(text));
        expect(text.length <= most ? cut === text : cut.startsWith(text.slice(0, most - 1))).toBe(true);
      }),
    );
  });
});

describe("a report", () => {
  const headings = (report: Awaited<ReturnType<typeof collectReport>>) =>
    report.data.sections.map(({ heading }) => heading);

  it("of a run that was only trained shows how it learned, its credits and its episodes with their words", async () => {
    const place = writeTrainedRun(newFolder(), run.recipe, learned);
    const report = await collectReport(place);
    expect(headings(report)).toEqual([
      "Credits of honest and adversarial agents",
      "How it learned",
      "Not in this report",
    ]);
    expect(report.data.headline).toMatch(
      /^Trained for 20 of 300 updates .* Best validation accuracy \.70 .*It has not been judged\.$/,
    );
    expect(report.missing.join()).toContain("colloquy evaluate");
    const { episodes, questions, note } = report.data.browser;
    expect(episodes).toHaveLength(learned.length);
    expect(note).toContain(`${learned.length} of ${learned.length} training episodes`);
    const said = episodes.flatMap(({ record }) => record.rounds.flat()).filter((one) => one !== null);
    expect(said.every(({ text }) => text !== undefined && text.length > 10)).toBe(true);
    for (const { record } of episodes) expect(questions[record.question].options.length).toBeGreaterThan(1);
  });

  it("of a run that was judged begins with the judge's headline and holds every method", async () => {
    const place = writeTrainedRun(newFolder(), run.recipe, learned);
    writeFileSync(join(place, "results.json"), JSON.stringify(run.results));
    writeFileSync(join(place, "episodes-judged.jsonl"), run.judged);
    const { data, missing } = await collectReport(place);
    expect(missing).toEqual([]);
    expect(data.headline).toBe(run.results.headline);
    expect(data.sections.map(({ heading }) => heading)).toEqual([
      "Accuracy under attack",
      "Every method in every cell",
      "What it costs",
      "Credits of honest and adversarial agents",
      "Who gets through",
      "How it learned",
      "Every comparison",
    ]);
    const forest = data.sections[1].figures!.map(({ svg }) => svg).join("");
    for (const method of ["learned", "vote-first", "oracle"]) expect(forest.split(`>${method}<`)).toHaveLength(4);
    expect(data.browser.episodes.filter(({ phase }) => phase === "judging")).toHaveLength(108);
    expect(data.facts).toContainEqual(["Command", "colloquy evaluate tiny"]);
  });

  it("of an evaluation's own folder asks the recipe it was played under for the words", async () => {
    const place = newFolder();
    mkdirSync(place);
    writeFileSync(join(place, "results.json"), JSON.stringify(run.results));
    writeFileSync(join(place, "episodes-judged.jsonl"), run.judged);
    const { episodes } = (await collectReport(place)).data.browser;
    expect(episodes[0].record.rounds[0][0]!.text!.length).toBeGreaterThan(10);
  });

  it("of a study draws one line a run", async () => {
    const place = newFolder();
    for (const name of ["split-1", "split-2"]) writeTrainedRun(join(place, "runs", name), run.recipe, learned);
    const { data } = await collectReport(place);
    const learning = data.sections.find(({ heading }) => heading === "How it learned")!;
    for (const name of ["split-1", "split-2"]) expect(learning.figures![0].svg).toContain(`>${name}<`);
    expect(data.facts).toContainEqual(["Runs", "split-1, split-2"]);
  });

  it("of a run at work takes what is whole and changes nothing but report.html", async () => {
    const place = writeTrainedRun(newFolder(), run.recipe, learned);
    appendFileSync(join(place, "metrics.jsonl"), '{"step":21,"rollout/util');
    appendFileSync(join(place, "episodes.jsonl"), '{"step":21,"environ');
    const names = ["recipe.json", "environment.json", "metrics.jsonl", "episodes.jsonl"];
    const hashes = (): string[] => names.map((name) => sha256(readFileSync(join(place, name))));
    const before = hashes();
    const report = await writeReport(place, page);
    expect(hashes()).toEqual(before);
    expect(report.missing).toContain("The run was being written: this is how far it had come.");
    expect(readFileSync(report.path, "utf8")).toContain("The last episode was not whole yet.");
  });

  it("says what is gone: the bank, a damaged result, a recipe of another version", async () => {
    const place = writeTrainedRun(newFolder(), run.recipe, learned);
    const gone = { ...run.recipe, population: { kind: "recorded", bank: join(folder, "gone.jsonl") } };
    writeFileSync(join(place, "recipe.json"), JSON.stringify(gone));
    writeFileSync(join(place, "results.json"), '{"schema":"colloquy.results/1"');
    const { data, missing } = await collectReport(place);
    expect(data.browser.note).toContain("What was asked and said is not at hand");
    expect(data.browser.questions[learned[0].question].text).toContain(learned[0].question);
    expect(missing.join()).toContain("results.json is not valid JSON");
    writeFileSync(join(place, "recipe.json"), '{"name":"old","unknown":1}');
    expect((await collectReport(place)).missing.join()).toContain("recipe.json is not a valid recipe");
  });

  it("has the words of a team smaller than the default numbers of adversaries", async () => {
    const population = { kind: "simulated", questions: { independent: 4 } };
    const input = { name: "three", team: { agents: 3 }, population, attack: { adversaries: [0, 1] } };
    const recipe = checkRecipe({ ...input, evaluate: { adversaries: [0, 1] } }, "the test");
    const place = writeTrainedRun(newFolder(), recipe, []);
    const { data, missing } = await collectReport(place);
    expect(missing.join()).not.toContain("recipe");
    expect(data.title).toBe("three");
    expect(data.facts).toContainEqual(["Team", "3 agents, 3 rounds"]);
  });

  it("never says of damaged results that nothing was judged; where there is nothing else it is an error", async () => {
    const place = writeTrainedRun(newFolder(), run.recipe, learned);
    writeFileSync(join(place, "results.json"), '{"schema":"colloquy.results/1"');
    const { data } = await collectReport(place);
    expect(data.headline).toMatch(/ Results are there and cannot be read: .*results\.json is not valid JSON/);
    expect(data.headline).not.toContain("not been judged");
    const alone = newFolder();
    mkdirSync(alone);
    writeFileSync(join(alone, "results.json"), "{");
    await expect(collectReport(alone)).rejects.toThrow("results.json is not valid JSON");
  });

  it("gives the whole reason why something could not be read", async () => {
    const place = writeTrainedRun(newFolder(), run.recipe, learned);
    writeFileSync(join(place, "recipe.json"), '{"name":"old","unknown":1}');
    expect((await collectReport(place)).missing.join()).toMatch(/not a valid recipe.*unknown/s);
  });

  it("says how many judged episodes it did not look at", () => {
    const path = join(folder, "many-judged.jsonl");
    const line = JSON.stringify({ method: "m", record: learned[0] });
    writeFileSync(path, `${line}\n`.repeat(5003));
    expect(readJudged(path)).toMatchObject({ beyond: 3, skipped: 0 });
  });

  it("takes numbers that cannot be true for unknown ones", async () => {
    const place = writeTrainedRun(newFolder(), run.recipe, []);
    appendFileSync(
      join(place, "metrics.jsonl"),
      '{"step":21,"rollout/calls":1e300,"rollout/utility":1e13}\n{"step":9e12}\n',
    );
    const { data, missing } = await collectReport(place);
    expect(data.headline).toContain("Trained for 21 of 300 updates (160 episodes, an unknown number of agent calls).");
    expect(missing.join()).toContain("1 line of metrics.jsonl could not be read.");
  });

  it("is refused for a folder without a run, a file, and a folder that is not there", async () => {
    const refusal = (place: string) => expect(collectReport(place)).rejects;
    await refusal(folder).toMatchObject({ code: "usage/report", message: expect.stringContaining("holds no run") });
    const path = join(folder, "a-file");
    writeFileSync(path, "");
    await refusal(path).toMatchObject({ code: "usage/report", message: expect.stringContaining("is a file") });
    await refusal(join(folder, "gone")).toMatchObject({ message: expect.stringContaining("there is no folder") });
  });

  it("names what is no regular file, and does not wait for a pipe", async () => {
    const place = writeTrainedRun(newFolder(), run.recipe, learned);
    execFileSync("mkfifo", [join(place, "results.json")]);
    expect((await collectReport(place)).missing.join()).toMatch(/results\.json: it is no regular file/);
    rmSync(join(place, "metrics.jsonl"));
    mkdirSync(join(place, "metrics.jsonl"));
    await expect(collectReport(place)).rejects.toThrow(/metrics\.jsonl: it is no regular file/);
  });

  it("says what to do where its folder cannot be written to", async () => {
    const place = writeTrainedRun(newFolder(), run.recipe, learned);
    mkdirSync(join(place, "report.html"));
    await expect(writeReport(place, page)).rejects.toMatchObject({
      code: "file/write",
      hint: expect.stringContaining("name the copy"),
    });
  });

  it("does not depend on when it is made", async () => {
    const place = writeTrainedRun(newFolder(), run.recipe, learned);
    expect(await collectReport(place)).toEqual(await collectReport(place));
  });
});

describe("the words of a run", () => {
  it("are there for simulated questions, too", async () => {
    const population = { kind: "simulated", seed: 3, questions: { independent: 2, distributed: 2 } };
    const words = await findWords({ population: population as never, task: undefined });
    expect(words.question("distributed/3/1")?.text).toContain("Simulated question 1");
    expect(words.question("distributed/3/9")).toBeUndefined();
  });
});

describe("opening a browser", () => {
  it("says what is wrong where there is none", async () => {
    const path = process.env["PATH"];
    process.env["PATH"] = "";
    try {
      expect(await openInBrowser("report.html")).toMatch(/ENOENT/);
    } finally {
      process.env["PATH"] = path;
    }
  });
});
