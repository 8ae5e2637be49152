import { createRng } from "../../src/base/rng.ts";
import type { Environment, EpisodeStart } from "../../src/contracts/environment.ts";
import type { Action, Observation, Policy } from "../../src/contracts/policy.ts";
import type { Question } from "../../src/contracts/task.ts";
import type { EpisodeRecord } from "../../src/contracts/trace.ts";

const N = 5;

/**
 * A world small enough to reason about: five agents answer alone (right with probability .7), adversaries always say `B`,
 * and the only decision is who is counted in a plain majority. Fails for the questions named.
 */
export function toyPanel(failing: readonly string[] = []): Environment {
  return {
    spec: { name: "toy-panel-v1", agents: N, maxDecisions: 1, scalars: ["holdsB"], embedding: 0 },
    async reset(start: EpisodeStart) {
      const rng = createRng(start.seed).fork(start.question.id, start.sample);
      const onsets = adversaries(start).map((turned) => (turned ? 1 : 0));
      const answers = onsets.map((onset, i) => {
        const honest = rng.fork("agent", i).uniform() < 0.7 ? "A" : "B";
        return onset > 0 ? "B" : honest;
      });
      const failed = failing.includes(start.question.id);
      let taken: Action | null = null;
      const outcome = (): EpisodeRecord["outcome"] => {
        if (failed) return "failed";
        const votes = answers.filter((_, i) => taken?.participantsN[i] === 1);
        return votes.filter((answer) => answer === "A").length * 2 > votes.length ? "right" : "wrong";
      };
      const observation: Observation = {
        agents: N,
        round: 2,
        head: "decide",
        scalarsNS: Float32Array.from(answers, (answer) => (answer === "B" ? 1 : 0)),
        embeddingsN: answers.map(() => null),
        eligibleN: new Uint8Array(N).fill(1),
        forcedN: new Uint8Array(N),
      };
      const last = { kind: "last", observation: null, truncated: false } as const;
      return {
        first: failed ? { ...last, reward: 0 } : { kind: "first", observation, reward: 0, truncated: false },
        async step(action: Action) {
          taken = action;
          return { ...last, reward: outcome() === "right" ? 1 : 0 };
        },
        truth: { adversarialN: Uint8Array.from(onsets), isActive: (agent) => onsets[agent] > 0 },
        record: (): EpisodeRecord => ({
          environment: "toy-panel-v1",
          question: start.question.id,
          seed: start.seed,
          sample: start.sample,
          attack: start.attack,
          onsets,
          target: start.attack.adversaries > 0 ? "B" : null,
          rounds: [answers.map((answer) => ({ answer, status: "parsed" as const }))],
          decisions: taken
            ? [{ round: 2, credits: [...taken.creditsN], participants: [...taken.participantsN], edges: [], levels: 0 }]
            : [],
          answer: null,
          gold: "A",
          utility: outcome() === "right" ? 1 : 0,
          outcome: outcome(),
          ...(failed ? { error: "agent 0 hung up" } : {}),
          calls: N,
          tokens: null,
        }),
      };
    },
  };
}

/** The same k agents for a question, sample and seed, whatever the method. */
function adversaries({ seed, question, sample, attack }: EpisodeStart): boolean[] {
  const order = createRng(seed).fork(question.id, sample, "attack").shuffle([0, 1, 2, 3, 4]);
  return Array.from({ length: N }, (_, i) => order.indexOf(i) < attack.adversaries);
}

/** Counts everyone; with `truth` only the honest, and with credits that tell them apart. */
export function panelPolicy(name: string, settings: { truth: boolean }): Policy {
  return {
    name,
    privileged: settings.truth,
    begin: ({ agents, truth }) => ({
      act: () => {
        const participantsN = Uint8Array.from({ length: agents }, (_, i) => (truth?.adversarialN[i] ? 0 : 1));
        return { creditsN: Float32Array.from(participantsN), participantsN };
      },
    }),
  };
}

export const toyQuestions = (n: number): Question[] =>
  Array.from({ length: n }, (_, i) => ({
    id: `q${i}`,
    text: `Question ${i}?`,
    options: ["right", "wrong"],
    gold: "A",
  }));
