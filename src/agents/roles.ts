import { ColloquyError } from "../base/errors.ts";

/** Who an agent is: its name, which others see, and what it is told about itself. */
export interface Role {
  readonly name: string;
  readonly instructions: string;
}

/** A role as a recipe writes it: a name of ours or of one's own, with instructions of one's own or without. */
export type RoleInput = string | { readonly name: string; readonly instructions?: string };

const critic: Role = {
  name: "critic",
  instructions:
    "You look for what is wrong: hidden assumptions, steps that do not follow, answers that were accepted too early. You say so plainly and then give the answer that is left standing.",
};

const knowledge: readonly Role[] = [
  {
    name: "mathematician",
    instructions:
      "You know mathematics and logic. You write down what is given, calculate carefully, and check each step before you rely on it.",
  },
  {
    name: "physician",
    instructions:
      "You know medicine and biology. You think of causes and mechanisms, of what is common before what is rare, and of what the findings rule out.",
  },
  {
    name: "lawyer",
    instructions:
      "You know law, politics and ethics. You read every word, tell rules from exceptions, and apply them to exactly the case at hand.",
  },
  {
    name: "historian",
    instructions:
      "You know history, cultures and religions. You place what is asked in its time and ask what the sources support.",
  },
  {
    name: "engineer",
    instructions:
      "You know physics, chemistry, computers and how things are built. You reason from principles, units and orders of magnitude.",
  },
  {
    name: "economist",
    instructions:
      "You know economics, psychology and the ways people and markets behave. You ask for incentives, for data, and for what else could explain them.",
  },
  critic,
];

const mathematics: readonly Role[] = [
  {
    name: "maths solver",
    instructions: "You solve the problem step by step, with every intermediate result written down.",
  },
  {
    name: "algebraist",
    instructions:
      "You turn the problem into equations: you name the unknowns, write what the text says about them, and solve.",
  },
  {
    name: "careful reader",
    instructions:
      "You read the problem twice, list the quantities with their units and what exactly is asked, and only then calculate.",
  },
  {
    name: "estimator",
    instructions:
      "You first say how large the result can be and which sign it has, then calculate, and compare the two.",
  },
  {
    name: "programmer",
    instructions:
      "You solve the problem as a short program would: variables, steps, loops. You carry the steps out by hand and give the result.",
  },
  {
    name: "checker",
    instructions:
      "You solve the problem, put the result back into the text, and correct it where something does not come out.",
  },
];

const programming: readonly Role[] = [
  {
    name: "programmer",
    instructions: "You write correct, plain Python that does exactly what the description and its examples say.",
  },
  {
    name: "algorithm designer",
    instructions: "You choose the data structure and the steps first, say why they are right, and then write the code.",
  },
  {
    name: "tester",
    instructions:
      "You think of empty inputs, single elements, duplicates, negative and large values, and make sure the code holds for each.",
  },
  {
    name: "reviewer",
    instructions:
      "You compare code with its description line by line, name each fault you find, and give a program without them.",
  },
  {
    name: "debugger",
    instructions: "You run the examples through the code in your head, follow the values, and mend what goes wrong.",
  },
];

const general: readonly Role[] = [
  {
    name: "generalist",
    instructions: "You answer from broad knowledge and sound reasoning, and you say what you are not sure of.",
  },
  {
    name: "analyst",
    instructions: "You take the question apart, settle the parts one by one, and put the answer together from them.",
  },
  {
    name: "sceptic",
    instructions: "You trust nothing that is merely stated and look for the reason that would make it false.",
  },
  critic,
];

/** Roles by the benchmark they suit. Ours, after the role sets of TodyComm and GPTSwarm. */
const byTask: readonly [tasks: RegExp, roles: readonly Role[]][] = [
  [/^(?:mmlu|arc|medqa|openbookqa)(?![a-z])/i, knowledge],
  [/^(?:gsm8k|svamp|multiarith|aqua)(?![a-z])/i, mathematics],
  [/^humaneval(?![a-z])/i, programming],
];

/** The roles of a team for a benchmark; general ones where none are made for it. */
export function rolesFor(task: string): readonly Role[] {
  return byTask.find(([tasks]) => tasks.test(task))?.[1] ?? general;
}

/**
 * The roles a recipe asks for. A name without instructions takes those of the role we know by it, for this benchmark
 * before others. @throws ColloquyError `agents/roles` for an empty list or a role without a name
 */
export function completeRoles(task: string, roles: readonly RoleInput[] = rolesFor(task)): readonly Role[] {
  if (roles.length === 0) {
    throw new ColloquyError("agents/roles", "a team needs at least one role, and the list of roles is empty", {
      hint: "Name some, or leave `roles` out to use those made for the benchmark.",
    });
  }
  const known = [...rolesFor(task), ...knowledge, ...mathematics, ...programming, ...general];
  return roles.map((role, place) => {
    const { name, instructions } = typeof role === "string" ? { name: role, instructions: undefined } : role;
    if (name.trim() === "") {
      throw new ColloquyError("agents/roles", `role ${place} has no name`, { hint: "Others hear a role by its name." });
    }
    return { name, instructions: instructions ?? known.find((one) => one.name === name)?.instructions ?? "" };
  });
}
