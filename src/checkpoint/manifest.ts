import { ColloquyError } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import type { NetworkConfig } from "../contracts/policy.ts";
import type { PlainBudget, PlainLimit } from "../contracts/topology.ts";

/** The version of `config.json`; a change of meaning raises it. */
export const manifestSchema = "colloquy.policy/1";

/** `config.json` of a policy folder: all one must know to use the weights beside it. Plain JSON. */
export interface PolicyManifest {
  readonly schema: typeof manifestSchema;
  readonly name: string;
  /** The world it was trained in: `deliberation-v1`, `workplace-v1`, … */
  readonly environment: string;
  /** The architecture; `scalars` names every feature in order. */
  readonly network: NetworkConfig;
  /** The embedder its embeddings come from; `null` where the network reads none. */
  readonly embedder: string | null;
  /** Defaults of a session. */
  readonly decision: {
    /** Name of the topology rule. */
    readonly topology: string;
    /** A limit may be a list: one for each of the rounds 2, 3, …, its last for all later ones. */
    readonly budget: PlainBudget;
    /** Floor on participants. */
    readonly minimum: number;
    /** An agent takes part where σ(c) ≥ cut. */
    readonly cut: number;
    /**
     * Whose voices the vote weighs: those who take part in the last decision, or all (credits alone then decide). Absent
     * where the world ends in no vote.
     */
    readonly voters?: "all" | "participants";
    /** How voices are weighed; `credit` where it is not said. Absent without a vote. */
    readonly vote?: "credit" | "majority";
  };
  /** Where it comes from: the training step, and whatever facts the trainer adds (seed, recipe, hash, …). */
  readonly training: { readonly step: number; readonly [fact: string]: string | number | boolean | null };
  /** The complete recipe it was trained with, so that it can be judged again; not read by the runtime. */
  readonly recipe?: Readonly<Record<string, unknown>>;
  /** Keys of the questions it was trained and validated on, so that nobody judges it on them by mistake. */
  readonly questions?: readonly string[];
}

/**
 * Checks a parsed `config.json` from a stranger and keeps the fields above only.
 * @param file its name, for errors
 * @throws ColloquyError `manifest/schema` for another version, `manifest/field` naming the field, what it should be and
 * what was found
 */
export function readManifest(value: unknown, file: string): PolicyManifest {
  const field = fieldsOf(file);
  const root = field.record(value, "the file");
  if (root["schema"] !== manifestSchema) {
    throw new ColloquyError(
      "manifest/schema",
      `${file} has schema ${show(root["schema"])}, this version reads "${manifestSchema}"`,
      {
        hint: "It is no policy of this program, or one of a newer version. Update the package, or export the policy again.",
      },
    );
  }
  const network = readNetwork(root["network"], field);
  const decision = field.record(root["decision"], "decision");
  const embedder = root["embedder"] === null ? null : field.text(root["embedder"], "embedder");
  if ((embedder === null) !== (network.embedding === 0)) {
    throw field.wrong("embedder", network.embedding === 0 ? "null, as network.embedding is 0" : "a name", embedder);
  }
  const training = field.record(root["training"], "training");
  for (const [fact, found] of Object.entries(training)) {
    if (found !== null && !["string", "number", "boolean"].includes(typeof found)) {
      throw field.wrong(`training.${fact}`, "text, a number, true, false or null", found);
    }
  }
  return {
    schema: manifestSchema,
    name: field.text(root["name"], "name"),
    environment: field.text(root["environment"], "environment"),
    network,
    embedder,
    decision: {
      topology: field.text(decision["topology"], "decision.topology"),
      budget: readBudget(decision["budget"], field),
      minimum: field.integer(decision["minimum"], "decision.minimum", 0, 1e9),
      cut: field.between(decision["cut"], "decision.cut", 0, 1),
      ...readVote(decision, field.text(root["environment"], "environment"), field),
    },
    training: {
      ...(training as PolicyManifest["training"]),
      step: field.integer(training["step"], "training.step", 0, Number.MAX_SAFE_INTEGER),
    },
    ...(root["recipe"] === undefined ? {} : { recipe: field.record(root["recipe"], "recipe") }),
    ...(root["questions"] === undefined ? {} : { questions: field.texts(root["questions"], "questions") }),
  };
}

/** A deliberation always says who votes; other worlds may have no vote. */
function readVote(
  { voters, vote }: Record<string, unknown>,
  environment: string,
  field: Fields,
): Pick<PolicyManifest["decision"], "voters" | "vote"> {
  if (voters === undefined && !environment.startsWith("deliberation-")) return {};
  return {
    voters: field.oneOf<"all" | "participants">(voters, "decision.voters", ["all", "participants"]),
    ...(vote === undefined
      ? {}
      : { vote: field.oneOf<"credit" | "majority">(vote, "decision.vote", ["credit", "majority"]) }),
  };
}

function readBudget(value: unknown, field: Fields): PlainBudget {
  const budget = field.record(value, "decision.budget");
  const limit = (name: string, least: number): PlainLimit => {
    const path = `decision.budget.${name}`;
    const one = (found: unknown, at: string) => (found === null ? null : field.integer(found, at, least, 1e9));
    const found = budget[name];
    if (!Array.isArray(found)) return one(found, path);
    if (found.length === 0 || found.length > 100) throw field.wrong(path, "a list of 1 to 100 limits", found);
    return found.map((item, i) => one(item, `${path}[${i}]`));
  };
  return {
    in: limit("in", 0),
    out: limit("out", 0),
    depth: limit("depth", 1),
    ...(budget["edges"] === undefined ? {} : { edges: limit("edges", 0) }),
    ...(budget["temporal"] === undefined ? {} : { temporal: limit("temporal", 0) }),
  };
}

function readNetwork(value: unknown, field: Fields): NetworkConfig {
  const network = field.record(value, "network");
  const size = (name: string, least: number) => field.integer(network[name], `network.${name}`, least, 1_000_000);
  const scalars = network["scalars"];
  if (!Array.isArray(scalars) || scalars.length > 10_000 || new Set(scalars).size !== scalars.length) {
    throw field.wrong("network.scalars", "a list of different names", scalars);
  }
  const embedding = size("embedding", 0);
  if (embedding === 0 && scalars.length === 0)
    throw field.wrong("network.scalars", "some names, as embedding is 0", scalars);
  return {
    kind: field.oneOf(network["kind"], "network.kind", ["credit-gru", "credit-mlp"]),
    embedding,
    projection: size("projection", embedding > 0 ? 1 : 0),
    scalars: scalars.map((name, i) => field.text(name, `network.scalars[${i}]`)),
    hidden: size("hidden", 1),
    ...(network["context"] === undefined
      ? {}
      : { context: field.oneOf<"team">(network["context"], "network.context", ["team"]) }),
    heads: field.oneOf(network["heads"], "network.heads", ["two", "shared"]),
    ...(network["rank"] === undefined
      ? {}
      : { rank: field.oneOf<"decide">(network["rank"], "network.rank", ["decide"]) }),
    clamp: field.between(network["clamp"], "network.clamp", 0, 1000),
  };
}

type Fields = ReturnType<typeof fieldsOf>;

function fieldsOf(file: string) {
  const wrong = (path: string, expected: string, found: unknown): ColloquyError =>
    new ColloquyError("manifest/field", `${file}: ${path} should be ${expected}, found ${show(found)}`, {
      hint: "The file was changed by hand or is damaged. Export the policy again.",
    });
  const isNumber = (value: unknown, least: number, most: number): value is number =>
    typeof value === "number" && value >= least && value <= most;
  return {
    wrong,
    record(value: unknown, path: string): Record<string, unknown> {
      if (isRecord(value)) return value;
      throw wrong(path, "an object", value);
    },
    text(value: unknown, path: string): string {
      if (typeof value === "string" && value !== "" && value.length <= 500) return value;
      throw wrong(path, "a text of 1 to 500 characters", value);
    },
    texts(value: unknown, path: string): string[] {
      if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
      throw wrong(path, "a list of texts", value);
    },
    integer(value: unknown, path: string, least: number, most: number): number {
      if (isNumber(value, least, most) && Number.isInteger(value)) return value;
      throw wrong(path, `an integer from ${least} to ${most}`, value);
    },
    /** Strictly between. */
    between(value: unknown, path: string, least: number, most: number): number {
      if (isNumber(value, least, most) && value > least && value < most) return value;
      throw wrong(path, `a number between ${least} and ${most}`, value);
    },
    oneOf<T extends string>(value: unknown, path: string, options: readonly T[]): T {
      const found = options.find((option) => option === value);
      if (found !== undefined) return found;
      throw wrong(path, options.map((option) => `"${option}"`).join(" or "), value);
    },
  };
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
