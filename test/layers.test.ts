import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, it } from "vitest";

/** Which rooms of `src/` a room may import from. Imports go down only; this table is the architecture. */
const allowed: Record<string, readonly string[]> = {
  contracts: ["base"],
  base: [],
  topology: ["contracts", "base"],
  tasks: ["contracts", "base"],
  behaviour: ["contracts", "base"],
  llm: ["contracts", "base"],
  nets: ["contracts", "base"],
  checkpoint: ["contracts", "base"],
  loggers: ["contracts", "base"],
  report: ["contracts", "base"],
  agents: ["contracts", "base", "tasks"],
  minds: ["contracts", "base"],
  attacks: ["contracts", "base"],
  populations: ["contracts", "base", "tasks", "agents"],
  environments: ["contracts", "base", "topology", "behaviour"],
  runtime: ["contracts", "base", "topology", "behaviour", "checkpoint"],
  rivals: ["contracts", "base", "behaviour", "nets"],
  train: ["contracts", "base", "nets", "checkpoint", "environments", "runtime", "rivals"],
  evaluate: ["contracts", "base", "topology", "environments"],
  export: ["contracts", "base", "nets", "checkpoint", "runtime"],
  assemble: [
    ...["contracts", "base", "topology", "tasks", "behaviour", "llm", "nets", "checkpoint", "loggers"],
    ...["agents", "minds", "attacks", "populations", "environments", "runtime", "rivals"],
  ],
  cli: ["contracts", "base", "assemble", "train", "evaluate", "export", "report", "runtime", "loggers"],
};

const root = resolve(import.meta.dirname, "..");
const src = join(root, "src");
const files = listFiles(src);
const imports = new Map(files.map((file) => [file, importsOf(file)]));

function listFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? listFiles(path) : path.endsWith(".ts") ? [path] : [];
  });
}

function importsOf(file: string): string[] {
  const specifiers = [...readFileSync(file, "utf8").matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map(
    (m) => m[1],
  );
  return specifiers.map((specifier) => (specifier.startsWith(".") ? resolve(dirname(file), specifier) : specifier));
}

const roomOf = (file: string): string => {
  const [first, ...rest] = relative(src, file).split(sep);
  return rest.length === 0 ? "index" : first;
};

/** The first cycle met in a graph of names, or an empty list. */
function findCycle(edges: Map<string, Iterable<string>>): string[] {
  const done = new Set<string>();
  const visit = (node: string, path: string[]): string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return [];
    for (const next of edges.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle.length > 0) return cycle;
    }
    done.add(node);
    return [];
  };
  for (const node of edges.keys()) {
    const cycle = visit(node, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

describe("the house", () => {
  it("has no room that the table does not know", () => {
    expect(files.map(roomOf).filter((room) => room !== "index" && !(room in allowed))).toEqual([]);
  });

  it("imports go down only", () => {
    const broken = files.flatMap((file) =>
      imports
        .get(file)!
        .filter((target) => target.startsWith(src))
        .filter((target) => roomOf(file) !== "index" && roomOf(target) !== roomOf(file))
        .filter((target) => !allowed[roomOf(file)].includes(roomOf(target)))
        .map((target) => `${relative(root, file)} → ${relative(root, target)}`),
    );
    expect(broken).toEqual([]);
  });

  it("nothing in src imports training, benchmarks or tests", () => {
    const outside = files.flatMap((file) =>
      imports.get(file)!.filter((target) => target.startsWith(root) && !target.startsWith(src)),
    );
    expect(outside).toEqual([]);
  });

  it("benchmarks and recipes stand on the public face; only the speed benchmarks reach inside, and none reach tests", () => {
    const outside = ["training", "benchmarks"].flatMap((folder) => listFiles(join(root, folder)));
    const inside = outside
      .filter((file) => !file.startsWith(join(root, "benchmarks", "speed")))
      .filter((file) => importsOf(file).some((target) => target.startsWith(src)));
    const tested = outside.filter((file) => importsOf(file).some((target) => target.startsWith(join(root, "test"))));
    expect([...inside, ...tested].map((file) => relative(root, file))).toEqual([]);
  });

  it("has no import cycle between files", () => {
    expect(findCycle(imports).map((file) => relative(root, file))).toEqual([]);
  });

  it("has no import cycle between folders", () => {
    const folders = new Map<string, Set<string>>();
    for (const [file, targets] of imports) {
      const from = dirname(file);
      const into = folders.get(from) ?? new Set();
      folders.set(from, into);
      for (const target of targets) if (target.startsWith(src) && dirname(target) !== from) into.add(dirname(target));
    }
    expect(findCycle(folders).map((folder) => relative(root, folder))).toEqual([]);
  });

  it("imports TensorFlow only where tensors are needed", () => {
    const users = files
      .filter((file) => imports.get(file)!.some((target) => target.startsWith("@tensorflow/")))
      .map((file) => relative(src, file).split(sep).join("/"));
    expect(users.filter((file) => !/^(nets|train)\//.test(file) && file !== "behaviour/use-lite.ts")).toEqual([]);
  });

  it("takes chance, time and environment only from the file that wraps each", () => {
    const wrappers: Record<string, RegExp> = {
      "base/rng.ts": /\bMath\.random\b/,
      "base/clock.ts": /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/,
      "base/env.ts": /\bprocess\.env\b/,
    };
    const broken = Object.entries(wrappers).flatMap(([wrapper, pattern]) =>
      files
        .filter(
          (file) => relative(src, file).split(sep).join("/") !== wrapper && pattern.test(readFileSync(file, "utf8")),
        )
        .map((file) => `${relative(root, file)} instead of ${wrapper}`),
    );
    expect(broken).toEqual([]);
  });

  it("keeps the runtime free of packages and of Node", () => {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      if (file.startsWith(src)) for (const target of valueImportsOf(file)) visit(target);
    };
    visit(join(src, "runtime", "index.ts"));
    // A folder is read with node:fs, loaded only when loadPolicy is given a path.
    const foreign = [...seen].filter(
      (target) => !target.startsWith(src) && target !== "node:fs" && target !== "node:path",
    );
    expect(foreign).toEqual([]);
  });

  it("keeps files short enough to hold one idea", () => {
    const long = files
      .filter((file) => readFileSync(file, "utf8").split("\n").length > 251)
      .map((file) => relative(root, file));
    expect(long).toEqual([]);
  });
});

/** Imports that remain when types are erased. */
function valueImportsOf(file: string): string[] {
  const text = readFileSync(file, "utf8").replace(/\b(?:import|export)\s+type\b[^;]*;/g, "");
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map(([, specifier]) =>
    specifier.startsWith(".") ? resolve(dirname(file), specifier) : specifier,
  );
}
