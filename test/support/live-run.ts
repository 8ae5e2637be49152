import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bank, bankQuestions } from "../../src/populations/index.ts";

/** No part of it may turn up anywhere but in the header of a request. */
export const secret = "sk-live-0123456789abcdefSECRET";

/** The environment of a command that talks to a server of ours. */
export const liveEnvironment = (url: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  OPENAI_BASE_URL: url,
  OPENAI_API_KEY: secret,
  ...more,
});

/** Prices of the server's model, in dollars per million tokens. */
export const price = { input: 3, output: 15 };

/** A small recipe of live models over the questions of a bank, with its data file, in a folder. @returns its path */
export function writeLiveRecipe(folder: string, bank: Bank, changes: Record<string, unknown> = {}): string {
  const lines = bankQuestions(bank).map(({ id, text, options, gold }) =>
    JSON.stringify({ id, question: text, choices: options, answer: gold }),
  );
  writeFileSync(join(folder, "questions.jsonl"), `${lines.join("\n")}\n`);
  const recipe = {
    name: "live-test",
    population: { kind: "llm", models: [{ model: "debater", maxTokens: 400 }] },
    task: { file: "questions.jsonl" },
    calls: { prices: { debater: price } },
    team: { agents: 4, rounds: 3 },
    attack: { adversaries: [0, 1, 2] },
    network: { projection: 4, hidden: 8 },
    train: { steps: 4, starts: 4, samples: 2, reward: "soft", validation: { every: 2, episodes: 4 } },
    evaluate: { methods: ["learned", "vote-first", "complete"], adversaries: [0, 2], onsets: ["first"], episodes: 12 },
    ...changes,
  };
  const path = join(folder, "live-test.json");
  writeFileSync(path, JSON.stringify(recipe, null, 2));
  return path;
}
