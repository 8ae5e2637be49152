import { z } from "zod";
import { recipeSchema, workplaceRecipeSchema } from "../../src/assemble/index.ts";
import { recipeTemplate } from "../../src/cli/recipe-template.ts";
import { workplaceTemplate } from "../../src/cli/workplace/recipe-template.ts";
import { defaultTiers } from "../../src/environments/index.ts";
import { table } from "./describe-page.ts";

/** A part of the recipe's JSON Schema. */
interface Shape {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly items?: Shape;
  readonly prefixItems?: readonly Shape[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
}

/** A key of the recipe as a page shows it. */
export interface Setting {
  /** Dotted, within its section. */
  readonly key: string;
  readonly usual: string;
  readonly range: string;
  readonly meaning: string;
}

/** What the recipe's template says of each key, by dotted path: the value it shows and the line that explains it. */
export interface TemplateLine {
  readonly value: string;
  readonly comment: string;
}

/**
 * Keys that are commented out count as well: they show the value that holds without them. The block of live models, marked
 * line by line, stands under `population/llm` or `minds/llm`.
 */
export function readTemplate(text = recipeTemplate("name")): ReadonlyMap<string, TemplateLine> {
  const lines = new Map<string, TemplateLine>();
  const open: { readonly indent: number; readonly key: string }[] = [];
  for (const written of text.split("\n")) {
    const line = written
      .replace(/^# /, "")
      .replace(/^( *)(?:# )/, "$1")
      .replace(/^( *)- (?=\w+:)/, "$1  ");
    const found = /^( *)([\w+$]+):(?: +((?:[^#\s]|\s(?!\s*#)|#(?<! #))*))?(?:\s*# (.*))?$/.exec(line);
    if (found === null) continue;
    const [, { length: indent }, name, value = "", comment = ""] = found;
    const key = /^# (?:population|minds):$/.test(written) ? `${name}/llm` : name;
    while (open.length > 0 && open[open.length - 1].indent >= indent) open.pop();
    open.push({ indent, key });
    const path = open.map((part) => part.key).join(".");
    lines.set(path, { value: value.trim(), comment: comment.trim() });
  }
  return lines;
}

/** The recipes of a world, as the page shows them. */
interface Recipes {
  readonly schema: Shape;
  readonly template: ReadonlyMap<string, TemplateLine>;
  /** The section that comes in several kinds, each with keys of its own. */
  readonly ofKinds: string;
  /** What headings begin with. */
  readonly rank: string;
}

const deliberation: Recipes = {
  schema: z.toJSONSchema(recipeSchema, { io: "input" }) as Shape,
  template: readTemplate(),
  ofKinds: "population",
  rank: "##",
};

export const workplace: Recipes = {
  schema: z.toJSONSchema(workplaceRecipeSchema, { io: "input" }) as Shape,
  template: readTemplate(workplaceTemplate("name")),
  ofKinds: "minds",
  rank: "###",
};

/** Everything between the marks of `docs/settings.md`. */
export function describeSettings(of: Recipes = deliberation): string {
  const sections = Object.entries(of.schema.properties!);
  const isSection = ([, shape]: [string, Shape]): boolean => shape.properties !== undefined;
  const single = sections.filter((section) => section[0] !== of.ofKinds && !isSection(section));
  return [
    [`${of.rank} The run`, "", tableOf(single.flatMap(([key, shape]) => listSettings(of, shape, key, "")))].join("\n"),
    ...sections
      .filter((section) => isSection(section) || section[0] === of.ofKinds)
      .flatMap(([key, shape]) => (key === of.ofKinds ? describeKinds(of, shape) : [describeSection(of, key, shape)])),
  ].join("\n\n");
}

/** Every key of the recipe that has a value of its own. */
export const listAllSettings = (of: Recipes = deliberation): readonly Setting[] =>
  Object.entries(of.schema.properties!).flatMap(([key, shape]) =>
    shape.oneOf === undefined
      ? listSettings(of, shape, key, key)
      : shape.oneOf.flatMap((one) => listSettings(of, one, placeOf(of, one), placeOf(of, one))),
  );

/** Where the template explains a kind. */
const placeOf = ({ ofKinds }: Recipes, { properties }: Shape): string => {
  const kind = String(properties!.kind.const);
  return kind === "simulated" ? ofKinds : `${ofKinds}/${kind}`;
};

function describeSection(of: Recipes, key: string, shape: Shape): string {
  const { comment = "" } = of.template.get(key) ?? {};
  const intro = comment || (shape.description ?? "");
  return [
    `${of.rank} \`${key}\``,
    "",
    ...(intro === "" ? [] : [sentence(intro), ""]),
    tableOf(listSettings(of, shape, key, "")),
    ...(key === "tiers" ? ["", describeTiers(shape)] : []),
  ].join("\n");
}

/** What a tier's numbers are unless a recipe says else. */
const describeTiers = (shape: Shape): string =>
  table(
    ["key of a tier", "simple", "medium", "complex", "may be", "meaning"],
    Object.entries(shape.properties!.simple.properties!).map(([key, inner]) => [
      `\`${key}\``,
      ...Object.values(defaultTiers).map((tier) => `\`${tier[key as keyof typeof tier]}\``),
      rangeOf(inner),
      inner.description ?? "",
    ]),
  );

const describeKinds = (of: Recipes, shape: Shape): string[] =>
  shape.oneOf!.map((one) =>
    [
      `${of.rank} \`${of.ofKinds}\`, kind \`${String(one.properties!.kind.const)}\``,
      "",
      sentence(one.description ?? ""),
      "",
      tableOf(listSettings(of, one, placeOf(of, one), "")),
    ].join("\n"),
  );

/** @param path in the template @param shown what of the path the table shows */
function listSettings(of: Recipes, shape: Shape, path: string, shown: string): Setting[] {
  const { template } = of;
  const inner = shape.properties ?? shape.items?.anyOf?.find(({ properties }) => properties)?.properties;
  const isOpen =
    inner !== undefined && (shown === "" || [...template.keys()].some((key) => key.startsWith(`${path}.`)));
  const own: Setting = {
    key: shown === "" ? path.split(".").at(-1)! : shown,
    usual: usualOf(of, shape, path),
    range: shape.items !== undefined && isOpen ? "a list of: text, or settings as follow" : rangeOf(shape),
    meaning: template.get(path)?.comment || shape.description || "",
  };
  if (!isOpen) return [own];
  // Which kind it is, the heading says.
  const keys = Object.entries(inner).filter(
    ([, { const: only, default: usual }]) => only === undefined || usual === only,
  );
  const children = keys.flatMap(([key, child]) =>
    listSettings(of, child, `${path}.${key}`, shown === "" ? key : `${shown}.${key}`),
  );
  return shape.properties === undefined ? [own, ...children] : children;
}

function usualOf({ template }: Recipes, shape: Shape, path: string): string {
  if (Array.isArray(shape.default) && shape.default.length > 8) return describeLongDefault(shape);
  if (shape.default !== undefined && JSON.stringify(shape.default) !== "{}") return showValue(shape.default);
  const { value = "" } = template.get(path) ?? {};
  // The families' own defaults stand in the template, beside marks that take them out.
  return /^population\.(independent|distributed)\./.test(path) || value === "{}" ? `\`${value}\`` : "";
}

const showValue = (value: unknown): string => `\`${Array.isArray(value) ? `[${value.join(", ")}]` : String(value)}\``;

/** A long list is told by what is not in it. */
function describeLongDefault({ default: usual, items }: Shape): string {
  const missing = items!
    .enum!.filter((name) => !(usual as unknown[]).includes(name))
    .map((name) => `\`${String(name)}\``);
  return missing.length === 0 ? "all" : `all but ${missing.join(", ")}`;
}

/** What a value may be, in words. */
export function rangeOf(shape: Shape): string {
  const { type, pattern, anyOf, items, prefixItems, properties, additionalProperties } = shape;
  if (shape.const !== undefined) return `\`${String(shape.const)}\``;
  if (shape.enum !== undefined) {
    const names = shape.enum.map((name) => `\`${String(name)}\``);
    return names.length > 12 ? `${names.slice(0, 3).join(", ")}, … (${names.length} names)` : names.join(", ");
  }
  if (anyOf !== undefined) {
    const ranges = anyOf.map(rangeOf);
    const [one, many] = ranges;
    return many === `a list of: ${one}` ? `${one}; or a list of such` : ranges.join(" or ");
  }
  if (type === "null") return "`null`";
  if (type === "boolean") return "`true`, `false`";
  if (prefixItems !== undefined) return `\`[least, most]\`, each a ${rangeOf(prefixItems[0])}`;
  if (type === "array") return `a list of: ${rangeOf(items!)}`;
  if (properties !== undefined) return `\`{ ${Object.keys(properties).join(", ")} }\``;
  if (type === "object") {
    const inner = typeof additionalProperties === "object" ? additionalProperties.properties : undefined;
    return inner === undefined ? "names and values" : `by name \`{ ${Object.keys(inner).join(", ")} }\``;
  }
  if (type === "integer" || type === "number") return boundsOf(shape, type === "integer" ? "whole number" : "number");
  if (pattern?.includes("uniform")) return "`first`, `uniform`, `late`, `moving`, `fixed:ROUND`";
  if (pattern === undefined) return "text";
  return pattern.includes(".-") ? "letters, digits, dots, dashes and underscores" : "letters, digits and underscores";
}

function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Shape, what: string): string {
  const safe = (limit: number | undefined): number | undefined =>
    limit !== undefined && Math.abs(limit) >= 1e9 ? undefined : limit;
  const [least, most] = [safe(minimum), safe(maximum)];
  const low = exclusiveMinimum !== undefined ? `above ${exclusiveMinimum}` : least === undefined ? "" : `from ${least}`;
  const high = exclusiveMaximum !== undefined ? `below ${exclusiveMaximum}` : most === undefined ? "" : `to ${most}`;
  return [what, low, high].filter(Boolean).join(" ");
}

const tableOf = (settings: readonly Setting[]): string =>
  table(
    ["key", "default", "may be", "meaning"],
    settings.map(({ key, usual, range, meaning }) => [`\`${key}\``, usual, range, escapeBars(meaning)]),
  );

const escapeBars = (text: string): string => text.replaceAll("|", "\\|");

const sentence = (text: string): string =>
  text === "" ? "" : `${text[0].toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
