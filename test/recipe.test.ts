import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { plainReinforce } from "../src/assemble/ablations.ts";
import {
  applyOverrides,
  checkRecipe,
  loadAnyRecipe,
  loadRecipe,
  openWorld,
  policyManifest,
  type Recipe,
  recipeJsonSchema,
  recipeSchema,
  runName,
  shippedRecipeNames,
  trainSettings,
} from "../src/assemble/index.ts";
import { openPopulation } from "../src/assemble/population.ts";
import { ColloquyError } from "../src/base/errors.ts";
import { isRecord } from "../src/base/json.ts";
import { createRng } from "../src/base/rng.ts";
import { readManifest } from "../src/checkpoint/manifest.ts";
import { recipeTemplate } from "../src/cli/recipe-template.ts";
import type { Population } from "../src/contracts/population.ts";
import type { Question } from "../src/contracts/task.ts";
import { checkSimulation } from "../src/populations/simulated/check-settings.ts";
import { defaultSimulation } from "../src/populations/simulated/settings.ts";
import { simulatedPopulation } from "../src/populations/simulated.ts";
import { freshFolder } from "./support/child.ts";
import { errorOf } from "./support/error-of.ts";

const least = { name: "least", population: { kind: "simulated" } };
const check = (changes: object = {}): Recipe => checkRecipe({ ...least, ...changes }, "the test");

/** A copy of a value with the part at a dotted path replaced. */
function withPart(value: unknown, path: readonly string[], part: unknown): unknown {
  if (path.length === 0) return part;
  const [key, ...rest] = path;
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === key ? withPart(item, rest, part) : item));
  return { ...(value as object), [key]: withPart((value as Record<string, unknown>)?.[key], rest, part) };
}

/** Every object of a plain value with its path. */
function objectsOf(value: unknown, path: readonly string[] = []): [string[], Record<string, unknown>][] {
  if (!isRecord(value)) return [];
  return [[[...path], value], ...Object.entries(value).flatMap(([key, inner]) => objectsOf(inner, [...path, key]))];
}

/** A complete recipe in which also the simulated families say everything. */
const everything = check({
  population: {
    kind: "simulated",
    independent: defaultSimulation.independent,
    distributed: defaultSimulation.distributed,
  },
  evaluate: { kind: "mislead" },
});

describe("a recipe", () => {
  it("needs nothing but a name and a population", () => {
    const recipe = check();
    expect(recipe).toMatchObject({ seed: 1, team: { agents: 6, rounds: 3 }, topology: { rule: "credit", in: 2 } });
    expect(check({ population: { kind: "recorded", bank: "bank.jsonl" } }).population).toEqual({
      kind: "recorded",
      bank: "bank.jsonl",
    });
    expect(errorOf(() => checkRecipe({}, "the test")).message).toMatch(/- name: .*\n +- population: /);
  });

  it("stays as it is when it is checked again", () => {
    expect(checkRecipe(structuredClone(everything), "again")).toEqual(everything);
    expect(checkRecipe(JSON.parse(JSON.stringify(check())), "again")).toEqual(check());
  });

  it("takes the trainer's settings under the trainer's own names", () => {
    const recipe = check({ train: plainReinforce, attack: { kind: "noise" } });
    expect(trainSettings(recipe)).toMatchObject({ ...plainReinforce, attack: { kind: "noise" } });
  });

  it("gives equal recipes one run folder and different ones different folders", () => {
    expect(runName(check())).toBe(
      runName(checkRecipe({ population: { kind: "simulated", seed: 0 }, name: "least" }, "the test")),
    );
    expect(runName(check({ train: { steps: 7 } }))).not.toBe(runName(check()));
    expect(runName(check())).toMatch(/^least-s1-[0-9a-f]{8}$/);
  });

  describe("refuses an unknown key, with its place and the key that was meant", () => {
    const places = objectsOf(everything).flatMap(([path, object]) =>
      Object.keys(object)
        // A one-letter key is near to nothing.
        .filter((key) => key.length > 2)
        .map((key): [string, string[], string] => [[...path, key].join("."), path, key]),
    );

    it("everywhere", () => {
      expect(places.length).toBeGreaterThan(80);
      for (const [, path, key] of places) {
        const misspelt = `${key.slice(0, -1)}${key.at(-1) === "x" ? "y" : "x"}`;
        const error = errorOf(() => checkRecipe(withPart(everything, [...path, misspelt], 1), "the test"));
        expect(error.code).toBe("recipe/invalid");
        expect(error.message).toContain(`unknown key "${[...path, misspelt].join(".")}". Did you mean "${key}"?`);
      }
    });

    it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("also %s", (key) => {
      for (const path of [[], ["train"], ["population"], ["population", "independent", "force"]]) {
        const raw = JSON.parse(JSON.stringify(everything)) as unknown;
        const place = path.reduce((part, step) => (part as Record<string, unknown>)[step], raw);
        Object.defineProperty(place, key, { value: 1, enumerable: true, configurable: true, writable: true });
        expect(errorOf(() => checkRecipe(raw, "the test")).message).toContain(
          `unknown key "${[...path, key].join(".")}"`,
        );
      }
    });

    it("and those of the other kind of population", () => {
      const error = errorOf(() => check({ population: { kind: "recorded", bank: "b", signal: [0.5] } }));
      expect(error.message).toContain('unknown key "population.signal". Known: kind, bank.');
    });
  });

  const wrong: [string, ...unknown[]][] = [
    ["name", "", "a b", "a/b", "ü", "x".repeat(101), 7, null],
    ["world", "deliberation-v2", null],
    ["seed", -1, 1.5, "1", NaN, 2 ** 53, null],
    ["backend", "gpu"],
    ["team.agents", 0, -3, 2.5, 10_001, "six"],
    ["team.rounds", 0, 101, 1.5],
    ["population", null, "simulated", []],
    ["population.kind", "simualted", null, 1],
    ["population.seed", 0.5, "a"],
    ["population.roles", [], [""], "mathematician", [1]],
    ["population.embeddingDimension", 1, 0, 2.5],
    ["population.signal", [], [0.4], [1], ["0.9"], 0.9],
    ["population.questionTrace", -1, Infinity],
    ["population.answerTrace", -0.1, NaN],
    ["population.competenceTrace", -1, null],
    ["population.independent", null, []],
    ["population.independent.accuracy", 0, 1, -1, "high"],
    ["population.independent.skillOffsets", 0.1, ["a"], [Infinity]],
    ["population.independent.force", null, 1],
    ["population.independent.force.argue", -1, null],
    ["population.distributed.pieces", 0, 1.5],
    ["population.distributed.copies", -1, 0.5],
    ["population.questions.independent", -1, 1.5],
    ["split.train", -0.1, 1.1, 0.7],
    ["split.seed", -1, 0.5],
    ["topology.rule", "creditt", null],
    ["topology.in", -1, 1.5, Infinity, 2e9, "2"],
    ["topology.out", -1, 0.1],
    ["topology.depth", 0, -1, 1.5],
    ["vote.voters", "some"],
    ["vote.rule", "borda"],
    ["behaviour.embedder", "word2vec"],
    ["behaviour.dimension", 0, 65_537, 1.5],
    ["behaviour.units", "letters"],
    ["behaviour.features", "spoke", ["spoken"], ["spoke", "spoke"], [null]],
    ["network.projection", 0, 1.5],
    ["network.hidden", 0, -1, 4097],
    ["network.heads", "three"],
    ["network.clamp", 0, -6, 1000],
    ["train.steps", -1, 1.5],
    ["train.starts", 0],
    ["train.samples", 0],
    ["train.baseline", "critic"],
    ["train.normalizeAdvantages", "yes", 1],
    ["train.decisionLoss", -1],
    ["train.reward", "hard"],
    ["train.reinforce", -1],
    ["train.entropy", -0.01],
    ["train.learningRate", 0, -1],
    ["train.learningRateEnd", -0.1, 1.1],
    ["train.embeddingRate", 0],
    ["train.weightDecay", -1],
    ["train.clipNorm", 0],
    ["train.minimumQuestionShare", -1, 1.5],
    ["train.dropout", -0.1, 1],
    ["train.averaging", -0.1, 1],
    ["train.reuse", null],
    ["train.reuse.epochs", 0],
    ["train.reuse.minimumEffectiveShare", 2],
    ["train.validation.every", 0],
    ["train.validation.episodes", 0],
    ["train.validation.patience", -1],
    ["attack.kind", "colude"],
    ["attack.adversaries", [], [-1], [7], [0.5], 2],
    ["attack.onsets", [], ["frist"], ["fixed"], ["fixed:0"], ["fixed:4"], ["fixed:1.5"], "first"],
    ["evaluate.methods", [], ["lerned"], ["learned", "learned"], "learned"],
    ["evaluate.kind", "colude", null],
    ["evaluate.adversaries", [], [7], [2, 2]],
    ["evaluate.onsets", ["fixed:9"], ["first", "first"], [1]],
    ["evaluate.episodes", 0, 1.5],
    ["evaluate.seeds", [], [1, 1], [-1], [0.5]],
  ];

  it.each(wrong)("refuses what is out of range at %s, naming place and value", (place, ...values) => {
    for (const value of values) {
      const error = errorOf(() => checkRecipe(withPart(everything, place.split("."), value), "my.yaml"));
      expect(error.code).toBe("recipe/invalid");
      expect(error.message).toMatch(/^my\.yaml is not a valid recipe:\n {2}- /);
      const part = place.startsWith("split.train") ? "split" : place;
      expect(error.message).toContain(`- ${part}`);
      if (typeof value === "number" && Number.isFinite(value) && part === place)
        expect(error.message).toContain(String(value));
      expect(error.hint).toContain("colloquy init");
    }
  });

  it.each<[string, unknown, string]>([
    ["attack.kind", "colude", "collude"],
    ["topology.rule", "compleet", "complete"],
    ["evaluate.methods", ["oracle", "lerned"], "learned"],
    ["behaviour.features", ["spoken"], "spoke"],
    ["population.kind", "simualted", "simulated"],
    ["backend", "wsam", "wasm"],
  ])("suggests the name that was meant at %s", (place, value, meant) => {
    const error = errorOf(() => checkRecipe(withPart(everything, place.split("."), value), "the test"));
    expect(error.message).toContain(`Did you mean "${meant}"?`);
  });

  it("names every fault at once", () => {
    const error = errorOf(() => check({ seed: -1, team: { agnets: 3 }, train: { steps: "many", loss: 1 } }));
    for (const place of ["seed", '"team.agnets"', "train.steps", '"train.loss"'])
      expect(error.message).toContain(place);
    expect(error.message.split("\n")).toHaveLength(5);
  });

  it("shows no more of a wrong value than one line can hold", () => {
    const error = errorOf(() => check({ team: "x".repeat(5000) }));
    expect(error.message.length).toBeLessThan(300);
  });

  it("allows what is odd but meant: one agent, one round, no edges, no limits, k of N", () => {
    const recipe = check({
      team: { agents: 1, rounds: 1 },
      topology: { in: 0, out: 0, depth: 1 },
      attack: { adversaries: [1, 0, 1], onsets: ["fixed:1", "first"] },
      evaluate: { adversaries: [1], onsets: ["late"] },
      split: { train: 1, validation: 0, test: 0 },
    });
    expect(recipe.attack.adversaries).toEqual([1, 0, 1]);
    expect(check({ topology: { in: null } }).topology.in).toBeNull();
  });

  it("gives a policy that can be read again, however extreme it is", async () => {
    const extremes = [
      { name: "x".repeat(100), seed: Number.MAX_SAFE_INTEGER },
      { topology: { in: 1e9, out: 0, depth: 1e9 }, network: { projection: 4096, hidden: 4096, clamp: 999.9 } },
      { topology: { in: null, out: null, depth: null }, network: { projection: 1, hidden: 1, clamp: 1e-9 } },
      { behaviour: { features: [] }, vote: { voters: "participants", rule: "majority" } },
      { population: { kind: "simulated", embeddingDimension: 2 } },
    ];
    for (const changes of extremes) {
      const manifest = policyManifest(await openWorld(check(changes)), 3, 900);
      expect(readManifest(JSON.parse(JSON.stringify(manifest)), "config.json")).toEqual(manifest);
    }
    const blind = { population: { kind: "recorded", bank: "b" }, behaviour: { embedder: "none", features: [] } };
    expect(errorOf(() => check(blind)).message).toContain("behaviour: without an embedder and without features");
  });

  it("attacks a team that is smaller than the usual numbers of adversaries by no more than it has", () => {
    expect(check({ team: { agents: 3 } })).toMatchObject({
      attack: { adversaries: [0, 1, 2] },
      evaluate: { adversaries: [0, 1, 2] },
    });
    expect(check({ team: { agents: 1 } }).attack.adversaries).toEqual([0]);
    const error = errorOf(() => check({ team: { agents: 3 }, attack: { adversaries: [4] } }));
    expect(error.message).toContain("attack.adversaries.0: 4 adversaries in a team of 3");
  });
});

describe("the simulated population of a recipe", () => {
  const shapes = z.toJSONSchema(recipeSchema, { io: "input" }) as unknown as {
    properties: {
      population: { oneOf: { properties: Record<string, { properties: Record<string, { properties?: object }> }> }[] };
    };
  };
  const { independent, distributed } = shapes.properties.population.oneOf[0].properties;

  it("knows every setting of the families, and no other", () => {
    expect(Object.keys(independent.properties).sort()).toEqual(Object.keys(defaultSimulation.independent).sort());
    expect(Object.keys(distributed.properties).sort()).toEqual(Object.keys(defaultSimulation.distributed).sort());
    expect(Object.keys(independent.properties["force"].properties!).sort()).toEqual(
      Object.keys(defaultSimulation.independent.force).sort(),
    );
  });

  it("takes the values that the population takes, and refuses those it refuses", () => {
    const accepts = (work: () => unknown): boolean => {
      try {
        work();
        return true;
      } catch (error) {
        if (error instanceof ColloquyError) return false;
        throw error;
      }
    };
    const families = { independent: defaultSimulation.independent, distributed: defaultSimulation.distributed };
    const places = objectsOf(families).flatMap(([path, object]) =>
      Object.entries(object).flatMap(([key, value]) => (typeof value === "number" ? [[...path, key]] : [])),
    );
    expect(places).toHaveLength(18);
    for (const place of places) {
      for (const value of [-1, 0, 0.5, 1, 1.5, 2, 1e6, Infinity, NaN, "1", null, [1]]) {
        const atDoor = accepts(() => check({ population: withPart({ kind: "simulated" }, place, value) }));
        const inside = accepts(() =>
          checkSimulation(withPart(defaultSimulation, place, value) as typeof defaultSimulation),
        );
        expect({ place: place.join("."), value, accepted: atDoor }).toEqual({
          place: place.join("."),
          value,
          accepted: inside,
        });
      }
    }
  });

  /** What a team says in round 1 and, having heard the others, in round 2. */
  function listen(population: Population, question: Question): (string | null)[] {
    const team = population.team(question, 4, createRng("team"));
    const ask = (i: number, round: number, heard: never[]) =>
      team[i].respond({
        question,
        round,
        heard,
        own: null,
        rng: createRng(`${i} ${round}`),
        orders: { target: "B", manner: "argue" },
      });
    return [0, 1, 2, 3].map((i) => JSON.stringify(ask(i, 1, [])));
  }

  it("is the default but for what the recipe says, also inside `force`", async () => {
    const { population, questions } = await openPopulation(
      check({
        population: {
          kind: "simulated",
          independent: { accuracy: 0.8, force: { argue: 7 } },
          questions: { independent: 5 },
        },
      }),
    );
    const expected = simulatedPopulation({
      ...defaultSimulation,
      independent: {
        ...defaultSimulation.independent,
        accuracy: 0.8,
        force: { ...defaultSimulation.independent.force, argue: 7 },
      },
    });
    expect(questions).toHaveLength(5);
    for (const question of questions) {
      expect(listen(population, question)).toEqual(listen(expected, question));
      expect(listen(population, question)).not.toEqual(listen(simulatedPopulation(), question));
    }
  });
});

describe("overrides", () => {
  const raw = {
    name: "r",
    population: { kind: "simulated" },
    train: { steps: 5, reuse: { epochs: 2 } },
    evaluate: { seeds: [1, 2] },
  };

  it.each<[string, string[], unknown]>([
    ["train.steps=7", ["train", "steps"], 7],
    ["train.reuse.epochs=3", ["train", "reuse", "epochs"], 3],
    ["topology.in=null", ["topology", "in"], null],
    ["train.normalizeAdvantages=true", ["train", "normalizeAdvantages"], true],
    ["evaluate.seeds=[1, 2, 3]", ["evaluate", "seeds"], [1, 2, 3]],
    ["evaluate.seeds=[]", ["evaluate", "seeds"], []],
    ["attack.onsets=[first, fixed:2]", ["attack", "onsets"], ["first", "fixed:2"]],
    ["population={kind: recorded, bank: b.jsonl}", ["population"], { kind: "recorded", bank: "b.jsonl" }],
    ["name=plain text", ["name"], "plain text"],
    ['name="7"', ["name"], "7"],
    ["population.bank=a=b.jsonl", ["population", "bank"], "a=b.jsonl"],
    ["population.bank=C:/x y/bank.jsonl", ["population", "bank"], "C:/x y/bank.jsonl"],
    ["name=", ["name"], null],
    ["train.learningRate=1e-3", ["train", "learningRate"], 0.001],
    ["new.deep.key=1", ["new", "deep", "key"], 1],
    ["constructor.prototype.polluted=1", ["constructor", "prototype", "polluted"], 1],
    ["toString=1", ["toString"], 1],
  ])("--set %s", (override, path, value) => {
    expect(applyOverrides(raw, [override])).toEqual(withPart(raw, path, value));
  });

  it("are applied in order, and the later one wins", () => {
    expect(applyOverrides(raw, ["train.steps=6", "train={steps: 9}", "train.samples=2"])).toMatchObject({
      train: { steps: 9, samples: 2 },
    });
  });

  it("leave the recipe they are given and everything else as it was", () => {
    const before = structuredClone(raw);
    applyOverrides(raw, ["train.steps=9", "train.reuse.epochs=9", "constructor.prototype.polluted=1", "new.key=1"]);
    expect(raw).toEqual(before);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it.each([
    "",
    "train.steps",
    "=5",
    ".steps=5",
    "train.=5",
    "train..steps=5",
    "__proto__.polluted=1",
    "train.__proto__.x=1",
    "a.__proto__=1",
  ])("of the form %j are refused", (override) => {
    const error = errorOf(() => applyOverrides(raw, [override]));
    expect(error.code).toBe("recipe/override");
    expect(error.hint).toContain("--set train.steps=100");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("cannot reach into lists, texts and numbers, and say so", () => {
    for (const [override, message] of [
      ["evaluate.seeds.0=3", '--set evaluate.seeds.0=3: "seeds" is [1,2], which has no keys'],
      ["name.first=x", '--set name.first=x: "name" is "r", which has no keys'],
      ["train.steps.more=1", '"steps" is 5'],
    ]) {
      const error = errorOf(() => applyOverrides(raw, [override]));
      expect(error.code).toBe("recipe/override");
      expect(error.message).toContain(message);
    }
  });

  it("are checked with the recipe: a wrong key or value fails as if it stood in the file", () => {
    const message = (override: string) =>
      errorOf(() => checkRecipe(applyOverrides(raw, [override]), "the test")).message;
    expect(message("train.stesp=7")).toContain('unknown key "train.stesp". Did you mean "steps"?');
    expect(message("constructor.prototype.polluted=1")).toContain('unknown key "constructor"');
    expect(message("team.agents=0")).toContain("team.agents");
    expect(errorOf(() => applyOverrides(raw, ["evaluate.seeds=[1"])).code).toBe("recipe/syntax");
  });

  it("of any key and value come back as they were given", () => {
    const key = fc.string({ minLength: 1 }).filter((text) => !/[.=]/.test(text) && text !== "__proto__");
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 4 }), fc.jsonValue(), (path, value) => {
        const set = applyOverrides({}, [`${path.join(".")}=${JSON.stringify(value)}`]);
        const found = path.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], set);
        expect(found).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe("recipe files", () => {
  let folder: string;
  beforeEach(() => {
    folder = freshFolder();
  });
  const write = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const yaml = "name: least\npopulation:\n  kind: simulated\n";
  const failing = async (name: string, overrides: string[] = []): Promise<ColloquyError> => {
    const error: unknown = await loadRecipe(name, overrides).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ColloquyError);
    return error as ColloquyError;
  };

  it("in YAML, JSON or JavaScript say the same, a byte-order mark in front or not", async () => {
    const json = JSON.stringify(least);
    const files: [string, string][] = [
      ["a.yaml", yaml],
      ["a.yml", yaml],
      ["bom.yaml", `\uFEFF${yaml}`],
      ["crlf.yaml", yaml.replaceAll("\n", "\r\n")],
      ["no-extension", yaml],
      ["json.yaml", json],
      ["a.json", json],
      ["bom.json", `\uFEFF${json}`],
      ["schema.json", JSON.stringify({ $schema: "./recipe.schema.json", ...least })],
      ["a.mjs", `export default ${json};`],
      [
        "computed.mjs",
        `const kind = ["simul", "ated"].join("");\nexport default { name: "least", population: { kind } };`,
      ],
    ];
    for (const [name, content] of files) expect(await loadRecipe(write(name, content))).toEqual(check());
    write("package.json", '{"type":"module"}');
    expect(await loadRecipe(write("a.js", `export default ${json};`))).toEqual(check());
  });

  it("take overrides", async () => {
    expect(await loadRecipe(write("a.yaml", yaml), ["seed=4", "train.steps=2"])).toEqual(
      check({ seed: 4, train: { steps: 2 } }),
    );
    const functions = write(
      "f.mjs",
      `export default { name: "least", population: { kind: "simulated" }, seed: () => 1 };`,
    );
    expect((await failing(functions, ["train.steps=2"])).message).toContain("seed");
  });

  it.each<[string, string, string, RegExp]>([
    ["broken YAML", "a.yaml", "name: [", /recipe\/syntax .*a\.yaml is not valid YAML/],
    ["a key that stands twice", "a.yaml", "name: a\nname: b\n", /recipe\/syntax .*unique/],
    ["two documents", "a.yaml", `${yaml}---\n${yaml}`, /recipe\/syntax/],
    ["broken JSON", "a.json", "{", /json\/invalid .*a\.json is not valid JSON/],
    ["an empty file", "a.yaml", "", /recipe\/invalid .*does not hold a recipe/],
    ["a list", "a.yaml", "- a\n- b\n", /recipe\/invalid .*does not hold a recipe/],
    ["broken JavaScript", "a.mjs", "export default {", /recipe\/syntax .*cannot load/],
    ["a module without a recipe", "a.mjs", "export const recipe = 1;", /recipe\/invalid .*does not hold a recipe/],
    ["a module that throws", "a.mjs", 'throw new Error("not today");', /recipe\/syntax .*not today/],
    ["a poisoned key", "a.yaml", `${yaml}__proto__: { polluted: 1 }\n`, /recipe\/invalid .*unknown key "__proto__"/s],
    ["a wrong value", "a.yaml", `${yaml}seed: x\n`, /recipe\/invalid .*a\.yaml is not a valid recipe/s],
  ])("that hold %s are refused by name", async (_what, name, content, message) => {
    const { code, message: text } = await failing(write(name, content));
    expect(`${code} ${text}`).toMatch(message);
    expect(text).toContain(name);
  });

  it("that are not UTF-8 are refused", async () => {
    expect((await failing(write("a.yaml", Uint8Array.of(0x61, 0xe9)))).code).toBe("file/encoding");
  });

  it("that are not there are missing, with the names there are", async () => {
    for (const name of [join(folder, "none.yaml"), join(folder, "none.json"), join(folder, "none.js"), "quikstart"]) {
      const error = await failing(name);
      expect(error.code).toBe("recipe/missing");
      expect(error.message).toContain(name);
      expect(error.hint).toContain("quickstart");
    }
    expect((await failing("quikstart")).hint).toContain('Did you mean "quickstart"?');
  });

  it("that come with the package are found by name and are whole, even where a folder of that name stands in the way", async () => {
    expect(shippedRecipeNames()).toContain("quickstart");
    for (const name of shippedRecipeNames()) expect((await loadAnyRecipe(name)).name).toBe(name);
    const here = process.cwd();
    mkdirSync(join(folder, "quickstart"));
    process.chdir(folder);
    try {
      expect((await loadRecipe("quickstart")).name).toBe("quickstart");
    } finally {
      process.chdir(here);
    }
  });
});

/** The part of the JSON Schema that is looked into here. */
interface Shape {
  readonly const?: unknown;
  readonly properties: Record<string, Shape>;
  readonly items: { readonly anyOf: readonly Shape[] };
}
interface Properties {
  readonly population: { readonly oneOf: readonly Shape[] };
  readonly task: Shape;
}

describe("the recipe that `colloquy init` writes", () => {
  const text = recipeTemplate("my-recipe");
  const written = parseYaml(text) as Record<string, unknown>;
  const defaults = checkRecipe({ name: "my-recipe", population: { kind: "simulated" } }, "the defaults");

  it("holds every key and nothing but defaults", () => {
    expect(written).toEqual(defaults);
    expect(checkRecipe(written, "the template")).toEqual(defaults);
  });

  it("keeps them in the order of the schema", () => {
    for (const [path, object] of objectsOf(defaults)) {
      const here = path.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], written);
      expect(Object.keys(here as object).sort()).toEqual(Object.keys(object).sort());
    }
    expect(Object.keys(written)).toEqual(Object.keys(defaults));
  });

  it("shows what may be added, with the value that holds without it", () => {
    const shown = text
      .split("\n")
      .filter((line) => /^ {4}# \w+:/.test(line))
      .map((line) => line.slice(6))
      .join("\n");
    const { force, ...independent } = defaultSimulation.independent;
    const { accuracy, ...distributed } = defaultSimulation.distributed;
    expect(parseYaml(shown.replace(/^accuracy: 0\.95.*$/m, "other: 0.95"))).toEqual({
      ...independent,
      force,
      ...distributed,
      other: accuracy,
    });
    expect(text).toMatch(/^ {2}# kind: collude/m);
  });

  it("stays a recipe under any name that a recipe may have", () => {
    for (const name of ["a", "my.recipe-2", "UPPER_case", "-", "2024", "1e3", "true", "null", ".", "0x1f"]) {
      expect(parseYaml(recipeTemplate(name))).toMatchObject({ name });
    }
  });

  describe("shows live language models as a block", () => {
    const lines = text.split("\n");
    const start = lines.indexOf("# population:");
    const block = lines.slice(start, lines.indexOf("", start)).map((line) => line.replace(/^# /, ""));
    const rest = `${lines.slice(0, lines.indexOf("population:")).join("\n")}\n${lines.slice(start + block.length).join("\n")}`;

    it("that needs no more than its marks taken off, in the place of the other population", () => {
      const live = parseYaml(`${rest}\n${block.join("\n")}`) as object;
      const least = { kind: "llm", models: ["gpt-4o-mini"] };
      expect(checkRecipe(live, "the template")).toEqual(
        checkRecipe({ name: "my-recipe", population: least, task: { file: "questions.csv" } }, "the defaults"),
      );
    });

    it("that holds every key", () => {
      const all = block.map((line) => line.replace(/^( *)# (\w+:)/, "$1$2").replace("fields: {}", "fields:"));
      const { population, task } = parseYaml(all.join("\n")) as Record<string, Record<string, unknown>>;
      const { properties } = z.toJSONSchema(recipeSchema, { io: "input" }) as unknown as { properties: Properties };
      const shape = properties.population.oneOf.find(({ properties: { kind } }) => kind.const === "llm")!.properties;
      const [model] = population["models"] as object[];
      expect(Object.keys(population)).toEqual(Object.keys(shape));
      expect(Object.keys(model)).toEqual(Object.keys(shape["models"].items.anyOf[1].properties));
      expect(Object.keys(task)).toEqual(Object.keys(properties.task.properties));
      expect(Object.keys(task["fields"] as object)).toEqual(
        Object.keys(properties.task.properties["fields"].properties),
      );
      const complete = { name: "all", population, task: { ...task, name: undefined } };
      expect(checkRecipe(complete, "the block").population).toMatchObject({ models: [{ topP: 0.9 }] });
    });
  });

  it("shows the parts of a split, and an embedder's model", () => {
    const shown = text.replace(/^ {2}# (parts|model):/gm, "  $1:");
    expect(checkRecipe(parseYaml(shown), "the template")).toMatchObject({
      split: { parts: { train: ["train"], validation: ["dev"], test: ["test"] } },
      behaviour: { model: "Xenova/all-MiniLM-L6-v2" },
    });
  });

  it("fits a terminal's width twice over, and says something of every part", () => {
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  });
});

describe("the JSON Schema for editors", () => {
  const schema = z.toJSONSchema(recipeSchema, { io: "input" });

  it("is published beside the recipes as the schema says it (npx vitest run test/recipe.test.ts -u writes it anew)", async () => {
    await expect(`${JSON.stringify(recipeJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(
      "../training/recipe.schema.json",
    );
  });

  it("holds a recipe to the keys of its own world", () => {
    const { oneOf } = recipeJsonSchema() as { oneOf: { required: string[]; properties: Record<string, object> }[] };
    expect(oneOf.map(({ required, properties }) => [properties["world"], required])).toEqual([
      [{ type: "string", const: "deliberation-v1", default: "deliberation-v1" }, ["name", "population"]],
      [expect.objectContaining({ const: "workplace-v1" }), ["name", "world"]],
    ]);
  });

  it("asks for what a recipe needs and refuses keys it does not know", () => {
    expect(schema.required).toEqual(["name", "population"]);
    // What a server or a user names himself.
    const open = new Set<string>();
    const visit = (part: unknown, key: string): void => {
      if (typeof part !== "object" || part === null) return;
      if (isRecord(part) && part["type"] === "object" && part["additionalProperties"] !== false) open.add(key);
      for (const [inner, value] of Object.entries(part)) visit(value, inner);
    };
    visit(schema, "");
    expect([...open].sort()).toEqual(["extra", "prices"]);
  });
});
