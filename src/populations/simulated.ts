import { ColloquyError } from "../base/errors.ts";
import { createRng } from "../base/rng.ts";
import type { Agent, Orders } from "../contracts/agent.ts";
import type { Population } from "../contracts/population.ts";
import { optionLetter, type Question } from "../contracts/task.ts";
import { checkSimulation } from "./simulated/check-settings.ts";
import { distributedTeam } from "./simulated/distributed.ts";
import { independentTeam } from "./simulated/independent.ts";
import type { Command, Mind, Problem } from "./simulated/mind.ts";
import { defaultSimulation, type SimulationSettings } from "./simulated/settings.ts";
import { createVoices, type Voice } from "./simulated/voice.ts";

/**
 * Teams without text models. Questions whose `subject` is `distributed` need knowledge that is spread over the team; all
 * others can be answered by everyone. What is true of a question (its difficulty, its topic, its shared wrong option)
 * follows from its id and the population's seed; who is in the team, from the episode's stream.
 * Agents keep no state: what they know goes from round to round in their own utterances.
 * @throws ColloquyError `population/setting`; on use `population/question` for a question that is no choice with a gold
 * answer, `population/target` for orders to say something that is no option
 */
export function simulatedPopulation(settings: SimulationSettings = defaultSimulation): Population {
  checkSimulation(settings);
  const { roles, independent, distributed } = settings;
  const questions = createRng(settings.seed).fork("questions");
  const createVoice = createVoices(settings);
  return {
    name: "simulated",
    embeddingDimension: settings.embeddingDimension,
    team(question, agents, rng) {
      const problem = readProblem(question);
      const facts = questions.fork(question.id);
      const minds =
        question.subject === "distributed"
          ? distributedTeam(problem, { agents, rng }, distributed)
          : independentTeam(problem, { agents, roles: roles.length, facts, rng }, independent);
      const voice = createVoice(facts);
      return minds.map((mind, agent) => createAgent(roles[agent % roles.length], mind, voice, problem));
    },
    targets(question) {
      const { options, gold } = readProblem(question);
      return Array.from({ length: options }, (_, y) => optionLetter(y)).filter((_, y) => y !== gold);
    },
  };
}

function createAgent(role: string, mind: Mind, voice: Voice, problem: Problem): Agent {
  return {
    role,
    respond(turn) {
      const { round, rng, orders } = turn;
      const { answer, carries, competence } =
        orders === undefined ? mind.think(turn) : mind.obey(turn, readOrders(orders, problem));
      const isAdversarial = orders !== undefined;
      const embedding = voice({ answer, round, isAdversarial, competence, rng: rng.fork("voice") });
      return { answer: optionLetter(answer), status: "parsed", text: "", embedding, carries };
    },
  };
}

function readProblem({ id, options, gold }: Question): Problem {
  const index = gold === null ? -1 : options.findIndex((_, y) => optionLetter(y) === gold);
  if (index >= 0 && options.length >= 2) return { options: options.length, gold: index };
  throw new ColloquyError("population/question", `simulated agents cannot answer question "${id}"`, {
    hint: "They answer questions with two or more options, one of which is marked as right.",
  });
}

function readOrders({ target, manner }: Orders, { options }: Problem): Command {
  if (target === null) return { target, manner };
  const index = target.length === 1 ? target.charCodeAt(0) - 65 : -1;
  if (index >= 0 && index < options) return { target: index, manner };
  throw new ColloquyError("population/target", `"${target}" is not one of the ${options} options of the question`);
}
