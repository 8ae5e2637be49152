import type { PlainBudget, PlainLimit } from "../contracts/topology.ts";
import type { PolicyManifest } from "./manifest.ts";

/** A table of results: every number comes as the text to be shown, with its n and interval. */
export interface CardTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The command that makes the table again. */
  readonly command?: string;
}

/** What a card says beside the manifest. */
export interface CardContent {
  /** One paragraph: what the policy is for. */
  readonly summary: string;
  readonly tables?: readonly CardTable[];
  /** What a user should know before relying on it, one sentence each. */
  readonly limits?: readonly string[];
}

/** The model card of a policy folder (its `README.md`), as Markdown. */
export function renderCard(manifest: PolicyManifest, content: CardContent): string {
  const parts = [
    `# ${manifest.name}`,
    content.summary,
    "## What it is",
    table(["", ""], describe(manifest)),
    ...(content.tables ?? []).flatMap(({ title, columns, rows, command }) => [
      `## ${title}`,
      table(columns, rows),
      ...(command === undefined ? [] : [`Made with \`${command}\`.`]),
    ]),
    ...(content.limits?.length ? ["## Limits", content.limits.map((sentence) => `- ${sentence}`).join("\n")] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}

function describe({ environment, network, embedder, decision, training }: PolicyManifest): [string, string][] {
  const { topology, cut, minimum, voters } = decision;
  const { step, ...facts } = training;
  return [
    ["world", environment],
    [
      "network",
      `${network.kind}, ${network.hidden} hidden units, heads: ${network.heads}, credits within ±${network.clamp}`,
    ],
    ["embeddings", embedder === null ? "none" : `${embedder}, ${network.embedding} → ${network.projection}`],
    ["features", network.scalars.join(", ") || "none"],
    ["graph", `${topology}; ${describeBudget(decision.budget)}`],
    [
      "participation",
      `σ(credit) ≥ ${cut}, at least ${minimum}${voters === undefined ? "" : `; the vote weighs ${voters}`}`,
    ],
    ["trained", `${step} steps`],
    ...Object.entries(facts).map(([fact, value]): [string, string] => [fact, String(value)]),
  ];
}

function describeBudget(budget: PlainBudget): string {
  const { edges = null, temporal = 0 } = budget;
  return [
    `in ${describeLimit(budget.in)}`,
    `out ${describeLimit(budget.out)}`,
    `depth ${describeLimit(budget.depth)}`,
    ...(edges === null ? [] : [`edges of a round ${describeLimit(edges)}`]),
    ...(temporal === 0 ? [] : [`heard through time ${describeLimit(temporal)}`]),
  ].join(", ");
}

/** `3`, `no limit`, or `3 in round 2 and 1 from round 3 on`. */
function describeLimit(limit: PlainLimit): string {
  const one = (value: number | null): string => (value === null ? "no limit" : String(value));
  if (typeof limit === "number" || limit === null) return one(limit);
  const last = limit.length - 1;
  if (last === 0) return one(limit[0]);
  const rounds = limit.map((value, i) => `${one(value)} ${i < last ? `in round ${i + 2}` : `from round ${i + 2} on`}`);
  return `${rounds.slice(0, last).join(", ")} and ${rounds[last]}`;
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(" | ")} |`;
  return [line(columns), `|${"---|".repeat(columns.length)}`, ...rows.map(line)].join("\n");
}

const escapeCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");
