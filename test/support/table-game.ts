import { createRng } from "../../src/base/rng.ts";
import type { Policy } from "../../src/contracts/policy.ts";
import { sampled } from "../../src/runtime/decide.ts";
import type { Game } from "./game-world.ts";

/** Participations so far, each as digits with a blank behind: `"101 010 "`. */
type History = string;

/** A game of arbitrary utilities under arbitrary credits, small enough to enumerate. */
export interface TableGame {
  readonly agents: number;
  readonly decisions: number;
  utility(history: History): number;
  creditsOf(history: History): number[];
}

/** The same for a seed. Utilities are uniform, credits standard normal. */
export function tableGame(agents: number, decisions: number, seed: number): TableGame {
  const rng = createRng(seed);
  return {
    agents,
    decisions,
    utility: (history) => rng.fork("utility", history).uniform(),
    creditsOf: (history) => Array.from({ length: agents }, (_, i) => rng.fork("credit", history, i).normal()),
  };
}

export const writeHistory = (taken: readonly ArrayLike<number>[]): History =>
  taken.map((participants) => `${Array.from(participants).join("")} `).join("");

/** The game for `gameWorld`; what is seen of an agent is its place and whether it took part before. */
export const asGame = (game: TableGame): Game => ({
  agents: game.agents,
  decisions: game.decisions,
  scalars: ["place", "took part"],
  see: (_, taken, agent) => [agent / game.agents, taken.at(-1)?.[agent] ?? 0],
  utility: (_, taken) => game.utility(writeHistory(taken)),
});

/** A policy that looks its credits up in the table; drawing, floor and log π are the runtime's. */
export const tablePolicy = ({ creditsOf }: TableGame): Policy => ({
  name: "table",
  begin: ({ rng }) => {
    const taken: Uint8Array[] = [];
    return {
      act: ({ eligibleN, forcedN }) => {
        const creditsN = Float32Array.from(creditsOf(writeHistory(taken)));
        const action = { creditsN, ...sampled(creditsN, eligibleN, forcedN, { minimum: 1 }, rng) };
        taken.push(action.participantsN);
        return action;
      },
    };
  },
});

/** The participations that can come of some credits, each with its probability; the floor rule is written out. */
export function enumerateDraws(
  credits: ArrayLike<number>,
): { readonly participants: number[]; readonly probability: number }[] {
  const all = Array.from(credits);
  return Array.from({ length: 2 ** all.length }, (_, bits) => {
    const participants = all.map((_, i) => (bits >> i) & 1);
    const probability = all.reduce((p, c, i) => p / (1 + Math.exp(participants[i] === 1 ? -c : c)), 1);
    if (bits === 0) participants[all.indexOf(Math.max(...all))] = 1;
    return { participants, probability };
  });
}

/** ∂J/∂c for every credit of the table, by `history/agent`: central differences of the enumerated J, in 64 bits. */
export function exactGradient(game: TableGame): Map<string, number> {
  const step = 1e-5;
  return new Map(
    historiesOf(game).flatMap((history) =>
      Array.from({ length: game.agents }, (_, i): [string, number] => {
        const shifted = (by: number): number =>
          expectedUtility(game, (at) => game.creditsOf(at).map((c, j) => (at === history && j === i ? c + by : c)));
        return [`${history}/${i}`, (shifted(step) - shifted(-step)) / (2 * step)];
      }),
    ),
  );
}

function expectedUtility(game: TableGame, creditsOf: TableGame["creditsOf"], history: History = "", depth = 0): number {
  if (depth === game.decisions) return game.utility(history);
  return enumerateDraws(creditsOf(history)).reduce(
    (sum, { participants, probability }) =>
      sum + probability * expectedUtility(game, creditsOf, history + writeHistory([participants]), depth + 1),
    0,
  );
}

/** Every history after which there is something to decide. */
function historiesOf(game: TableGame, history: History = "", depth = 0): History[] {
  if (depth === game.decisions) return [];
  const next = new Set(enumerateDraws(game.creditsOf(history)).map(({ participants }) => writeHistory([participants])));
  return [history, ...[...next].flatMap((one) => historiesOf(game, history + one, depth + 1))];
}
