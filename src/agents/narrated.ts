import type { Turn, Utterance } from "../contracts/agent.ts";
import type { Population } from "../contracts/population.ts";

/** Something was said, just now. */
export interface Narration {
  readonly agent: number;
  readonly role: string;
  readonly turn: Turn;
  readonly utterance: Utterance;
}

/**
 * The same population, with a listener who is told of each utterance as it comes. In a round agents are told of in the
 * order in which they finish; who stays silent by order is not asked, and not told of.
 */
export function narrated(population: Population, onUtterance: (said: Narration) => void): Population {
  return {
    ...population,
    team: (question, agents, rng) =>
      population.team(question, agents, rng).map((member, agent) => ({
        role: member.role,
        respond(turn) {
          const tell = (utterance: Utterance): Utterance => {
            onUtterance({ agent, role: member.role, turn, utterance });
            return utterance;
          };
          const reply = member.respond(turn);
          return reply instanceof Promise ? reply.then(tell) : tell(reply);
        },
      })),
  };
}
