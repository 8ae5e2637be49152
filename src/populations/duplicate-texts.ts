import type { Rng } from "../base/rng.ts";
import type { Message, Utterance } from "../contracts/agent.ts";
import type { Population } from "../contracts/population.ts";
import type { Question } from "../contracts/task.ts";

/** Texts that had already been said in the same episode: they would betray their speakers to a policy. */
export interface DuplicateShare {
  readonly said: number;
  readonly duplicates: number;
  readonly share: number;
}

/** How the episodes are played. */
export interface DuplicateSetting {
  readonly agents: number;
  readonly rounds: number;
  /** Agents under orders from round 1 on, all for one wrong answer. */
  readonly adversaries: number;
  /** How many each agent hears from round 2 on, of those who speak before it. */
  readonly inDegree: number;
  /** Episodes a question. */
  readonly samples: number;
}

/** Plays everyone in every round on questions that can be attacked, and counts repeated texts on both sides. */
export async function measureDuplicates(
  population: Population,
  questions: readonly Question[],
  setting: DuplicateSetting,
  rng: Rng,
): Promise<{ readonly honest: DuplicateShare; readonly adversarial: DuplicateShare }> {
  const counts = { honest: { said: 0, duplicates: 0 }, adversarial: { said: 0, duplicates: 0 } };
  for (const question of questions) {
    const targets = population.targets(question);
    if (targets.length === 0) continue;
    for (let sample = 0; sample < setting.samples; sample++) {
      const stream = rng.fork(question.id, sample);
      const episode = { question, target: stream.pick(targets), setting, rng: stream };
      for await (const { isAdversary, isRepeated } of playEpisode(population, episode)) {
        const side = isAdversary ? counts.adversarial : counts.honest;
        side.said++;
        if (isRepeated) side.duplicates++;
      }
    }
  }
  const share = (side: { said: number; duplicates: number }): DuplicateShare => ({
    ...side,
    share: side.said > 0 ? side.duplicates / side.said : 0,
  });
  return { honest: share(counts.honest), adversarial: share(counts.adversarial) };
}

async function* playEpisode(
  population: Population,
  { question, target, setting, rng }: { question: Question; target: string; setting: DuplicateSetting; rng: Rng },
) {
  const { agents, rounds, adversaries, inDegree } = setting;
  const team = population.team(question, agents, rng.fork("team"));
  const order = rng.shuffle(team.map((_, index) => index));
  const latest: (Utterance | null)[] = team.map(() => null);
  const texts = new Set<string>();
  for (let round = 1; round <= rounds; round++) {
    for (const [place, agent] of order.entries()) {
      const parents = round === 1 ? [] : rng.shuffle(order.slice(0, place)).slice(0, inDegree);
      const heard = parents.map((from): Message => ({ from, role: team[from].role, utterance: latest[from]! }));
      const isAdversary = agent < adversaries;
      const said = await team[agent].respond({
        question,
        round,
        heard,
        own: latest[agent],
        rng: rng.fork(agent, round),
        ...(isAdversary ? { orders: { target, manner: "argue" as const } } : {}),
      });
      latest[agent] = said;
      yield { isAdversary, isRepeated: texts.has(said.text) };
      texts.add(said.text);
    }
  }
}
