import type { Rng } from "../../base/rng.ts";
import type { Turn, Utterance } from "../../contracts/agent.ts";
import { weighOptions } from "./conformity.ts";
import type { Mind, Problem } from "./mind.ts";
import { normalCdf, normalQuantile } from "./normal.ts";
import type { IndependentSettings } from "./settings.ts";

/** What an utterance of this family carries. */
interface Carried {
  /** The speaker's last honest answer, whatever it says; -1 where it has given none. */
  readonly belief: number;
  readonly answer: number;
  /** How much its voice counts. */
  readonly force: number;
}

const carriedBy = (utterance: Utterance | null): Carried | undefined => utterance?.carries as Carried | undefined;

/** The family `independent`: P(right) = Φ(skill + strength of the role on the topic − difficulty). */
export function independentTeam(
  problem: Problem,
  setting: { readonly agents: number; readonly roles: number; readonly facts: Rng; readonly rng: Rng },
  law: IndependentSettings,
): Mind[] {
  const { agents, roles, facts, rng } = setting;
  const topic = facts.fork("topic").integer(roles);
  const difficulty = facts.fork("difficulty").normal() * law.difficultySpread;
  const misconception = (problem.gold + 1 + facts.fork("misconception").integer(problem.options - 1)) % problem.options;
  const mean = meanSkill(law, roles);
  const skills = rng.fork("skills");
  return Array.from({ length: agents }, (_, agent) => {
    const skill = mean + skills.normal() * law.skillSpread + (law.skillOffsets[agent % law.skillOffsets.length] ?? 0);
    const isExpert = agent % roles === topic;
    const strength = roles === 1 ? 0 : isExpert ? law.roleStrength : -law.roleStrength / (roles - 1);
    const right = normalCdf(skill + strength - difficulty);
    return createMind(problem, misconception, right, law);
  });
}

/** Mean skill for the stated accuracy: E Φ(μ + sZ) = Φ(μ / √(1 + s²)). */
function meanSkill(law: IndependentSettings, roles: number): number {
  const roleVariance = roles > 1 ? law.roleStrength ** 2 / (roles - 1) : 0;
  return normalQuantile(law.accuracy) * Math.sqrt(1 + law.skillSpread ** 2 + law.difficultySpread ** 2 + roleVariance);
}

function createMind({ options, gold }: Problem, misconception: number, right: number, law: IndependentSettings): Mind {
  const knowledge = new Array<number>(options);
  const popular = misconceptionShare(law.sameWrong, options - 1);
  for (let y = 0; y < options; y++) {
    knowledge[y] = y === gold ? right : (1 - right) * (y === misconception ? popular : (1 - popular) / (options - 2));
  }
  const logKnowledge = knowledge.map((p) => Math.log(Math.max(p, 1e-6)));
  const competence = 2 * right - 1;

  const answer = (turn: Turn): number => {
    const { rng } = turn;
    const belief = carriedBy(turn.own)?.belief ?? -1;
    const held = belief >= 0 ? belief : rng.weighted(knowledge);
    const voices = new Array<number>(options).fill(0);
    let heard = 0;
    for (const { utterance } of turn.heard) {
      const voice = carriedBy(utterance);
      if (voice === undefined) continue;
      voices[voice.answer] += voice.force;
      heard++;
    }
    if (heard > 0) return rng.weighted(weighOptions({ held, misconception, logKnowledge, voices, heard }, law));
    const thinksAnew = belief >= 0 && rng.uniform() < law.redraw;
    return thinksAnew ? rng.weighted(knowledge) : held;
  };

  return {
    think(turn) {
      const belief = answer(turn);
      return { answer: belief, carries: { belief, answer: belief, force: 1 } satisfies Carried, competence };
    },
    obey(turn, { target, manner }) {
      const said = target ?? turn.rng.integer(options);
      const belief = carriedBy(turn.own)?.belief ?? -1;
      return {
        answer: said,
        carries: { belief, answer: said, force: law.force[manner] } satisfies Carried,
        competence,
      };
    },
  };
}

/** a such that two wrong agents agree with the given probability: a² + (1−a)²/(w−1), w wrong options. */
export function misconceptionShare(sameWrong: number, wrongOptions: number): number {
  if (wrongOptions === 1) return 1;
  const rest = 1 / (wrongOptions - 1);
  // Below 1/w no share will do; then all wrong options are alike.
  const root = Math.sqrt(Math.max(0, rest ** 2 - (1 + rest) * (rest - sameWrong)));
  return (rest + root) / (1 + rest);
}
