import { ColloquyError } from "../base/errors.ts";
import { createRng } from "../base/rng.ts";
import type { Agent, Message, Utterance } from "../contracts/agent.ts";
import type { AttackPlanner } from "../contracts/attack.ts";
import type { Population } from "../contracts/population.ts";
import { kindOf, type Question } from "../contracts/task.ts";
import type { BankUtterance, Debate } from "./bank.ts";

/** One debate to be played and kept. */
export interface Recording {
  readonly population: Population;
  readonly question: Question;
  readonly agents: number;
  readonly rounds: number;
  /** Places the adversaries; `setting` as in an episode. */
  readonly attack: AttackPlanner;
  readonly setting: Parameters<AttackPlanner>[0];
  readonly seed: number;
  readonly sample: number;
  readonly signal?: AbortSignal;
}

/**
 * Plays the protocol of the recordings: round 1 alone, then everyone hears what everyone else said in the round before.
 * Streams are named as in `deliberation-v1`, so the first round is the same as an episode's.
 *
 * A bank marks whole agents as adversarial, so an onset after round 1 also marks what they said honestly before it: record
 * with the onset `first`. Whoever stayed silent by order stands in the bank as not asked.
 * @throws ColloquyError `bank/question` for a question that is no choice with a gold answer; what an agent throws
 */
export async function recordDebate(recording: Recording): Promise<Debate> {
  const { population, question, agents, rounds, seed, sample, signal } = recording;
  checkQuestion(question);
  const rng = createRng(seed).fork(question.id, sample);
  const told = new Array<string | null>(agents).fill(null);
  const { team, onsets } = recording.attack(recording.setting, {
    question,
    team: population
      .team(question, agents, rng.fork("team"))
      .map((agent, i) => noteTarget(agent, (t) => (told[i] = t))),
    targets: population.targets(question),
    rounds,
    rng: rng.fork("attack"),
  });
  const said: (Utterance | null)[][] = [];
  for (let round = 1; round <= rounds; round++) {
    signal?.throwIfAborted();
    const heardBy = (i: number) => listMessages(team, said.at(-1), i);
    const own = (i: number) => said.findLast((row) => row[i] !== null)?.[i] ?? null;
    const turnOf = (i: number) => ({
      question,
      round,
      heard: heardBy(i),
      own: own(i),
      rng: rng.fork("agent", i, round),
      signal,
    });
    const asked = team.map(async (agent, i) => agent.respond(turnOf(i)));
    said.push((await settleAll(asked)).map((utterance) => (utterance.silent ? null : utterance)));
  }
  return {
    run: `${question.id}/s${seed}/${sample}`,
    question,
    agents: team.map(({ role }, i) => ({ role, adversary: onsets.firstRound[i] > 0, target: told[i] })),
    rounds: said.map((row) => row.map((utterance) => utterance && keep(utterance))),
    heard: "all-previous",
  };
}

function checkQuestion(question: Question): void {
  if (kindOf(question) === "choice" && question.options.length >= 2 && question.gold !== null) return;
  throw new ColloquyError("bank/question", `question "${question.id}" cannot be kept in a behaviour bank`, {
    hint: "A bank holds choice questions with at least two options, one of them marked as right.",
  });
}

/** Attacks choose what each adversary argues for; it shows in the orders. Orders without a target tell nothing. */
function noteTarget(agent: Agent, note: (target: string) => void): Agent {
  return {
    role: agent.role,
    respond(turn) {
      if (turn.orders?.target) note(turn.orders.target);
      return agent.respond(turn);
    },
  };
}

function listMessages(
  team: readonly Agent[],
  said: readonly (Utterance | null)[] | undefined,
  hearer: number,
): Message[] {
  return (said ?? []).flatMap((utterance, from) =>
    from === hearer || utterance === null ? [] : [{ from, role: team[from].role, utterance }],
  );
}

/** All results, or the first failure in the order of agents once all have ended: nothing is left running. */
async function settleAll<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}

const keep = ({ text, answer, status }: Utterance): BankUtterance => ({ text, answer, status });
