import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import {
  checkAnyRecipe,
  checkRecipe,
  loadAnyRecipe,
  openWorkplace,
  runName,
  shippedRecipeNames,
  type WorkplaceRecipe,
  workplaceFeatureNames,
  workplaceManifest,
  workplaceRecipeSchema,
} from "../src/assemble/index.ts";
import { isRecord } from "../src/base/json.ts";
import { readManifest } from "../src/checkpoint/manifest.ts";
import { workplaceTemplate } from "../src/cli/workplace/recipe-template.ts";
import { defaultCosts, defaultTiers, everyone, runEpisode, workplaceStrategies } from "../src/environments/index.ts";
import { defaultTraits } from "../src/minds/index.ts";
import { errorOf } from "./support/error-of.ts";

const least = { name: "least", world: "workplace-v1" };
const check = (changes: object = {}): WorkplaceRecipe =>
  checkRecipe({ ...least, ...changes }, "the test", "workplace-v1");

describe("a recipe of the workplace", () => {
  it("needs nothing but a name and its world, and has the defaults of the world", () => {
    const recipe = check();
    expect(recipe).toMatchObject({
      team: { workers: [4, 8, 16] },
      projects: { tier: ["complex"], tasks: 1, train: 200, validation: 40, test: 100 },
      topology: { in: 16, out: null, depth: null, edges: null },
      evaluate: { workers: [4, 8, 16], adversaries: [0, 1] },
    });
    expect(recipe.costs).toEqual(defaultCosts);
    expect(recipe.minds).toEqual({ kind: "simulated", ...defaultTraits });
    expect(recipe.behaviour.features).toEqual(workplaceFeatureNames);
    expect(recipe.evaluate.methods).toEqual(Object.keys(workplaceStrategies));
    expect(checkAnyRecipe(structuredClone(recipe), "again")).toEqual(recipe);
  });

  it("is one of the deliberation where it does not say its world", () => {
    const error = errorOf(() => checkAnyRecipe({ name: "least", minds: { kind: "simulated" } }, "the test"));
    expect(error.message).toContain('unknown key "minds"');
    expect(error.message).toContain("population");
  });

  it("is refused where one of another world is needed, and a world that there is not is named with those there are", () => {
    expect(errorOf(() => checkRecipe(least, "mine.yaml"))).toMatchObject({
      code: "recipe/world",
      message: "mine.yaml is a recipe of workplace-v1, and one of deliberation-v1 is needed here",
    });
    expect(errorOf(() => checkAnyRecipe({ ...least, world: "workplce-v1" }, "mine.yaml")).message).toContain(
      'world: there is no "workplce-v1". Did you mean "workplace-v1"?',
    );
  });

  it.each<[string, object, RegExp]>([
    ["an unknown key", { projects: { teir: ["simple"] } }, /unknown key "projects\.teir"\. Did you mean "tier"\?/],
    ["a key of the other minds", { minds: { kind: "llm", models: ["m"], clarity: [0, 1] } }, /"minds\.clarity"/],
    ["an unknown cost", { costs: { chatMinute: 3 } }, /"costs\.chatMinute"\. Did you mean "chatMinutes"\?/],
    ["an unknown number of a tier", { tiers: { simple: { ceilings: 1 } } }, /Did you mean "ceiling"\?/],
    ["an unknown tier", { projects: { tier: ["complx"] } }, /there is no "complx"\. Did you mean "complex"\?/],
    ["an attack of the other world", { attack: { kind: "collude" } }, /there is no "collude"/],
    ["a method of the other world", { evaluate: { methods: ["oracle"] } }, /there is no "oracle"/],
    ["a feature of the other world", { behaviour: { features: ["spoke"] } }, /there is no "spoke"/],
    ["more adversaries than workers", { attack: { adversaries: [5] } }, /5 adversaries among 4 workers/],
    [
      "more of them than the smallest team has",
      { evaluate: { workers: [9, 2], adversaries: [3] } },
      /3 adversaries among 2/,
    ],
    ["an onset after the end", { attack: { onsets: ["fixed:41"] } }, /has 40 periods/],
    ["a range that falls", { minds: { kind: "simulated", knowledge: [1, 0.5] } }, /must not be above/],
    ["hours that are no whole quarters", { tiers: { simple: { hours: 8.1 } } }, /tiers\.simple\.hours/],
    ["a decision loss", { train: { decisionLoss: 1 } }, /unknown key "train\.decisionLoss"/],
    ["a cost in edges", { train: { cost: { per: "edges" } } }, /there is no "edges"/],
  ])("refuses %s", (_, changes, said) => {
    const error = errorOf(() => check(changes));
    expect(error.code).toBe("recipe/invalid");
    expect(error.message).toMatch(said);
  });

  it("gives equal recipes one run folder, however they are judged", () => {
    expect(runName(check())).toMatch(/^least-s1-[0-9a-f]{8}$/);
    expect(runName(check({ evaluate: { episodes: 7 }, calls: { retries: 1 } }))).toBe(runName(check()));
    expect(runName(check({ costs: { chatMinutes: 4 } }))).not.toBe(runName(check()));
  });

  it("comes with the package", async () => {
    expect(shippedRecipeNames()).toContain("workplace");
    expect(await loadAnyRecipe("workplace")).toMatchObject({ name: "workplace", world: "workplace-v1" });
  });

  it("says of every key what it means", () => {
    const schema = z.toJSONSchema(workplaceRecipeSchema, { io: "input" });
    const bare: string[] = [];
    const visit = (shape: unknown, path: string): void => {
      const { properties, oneOf } = shape as {
        properties?: Record<string, Record<string, unknown>>;
        oneOf?: unknown[];
      };
      for (const one of oneOf ?? []) visit(one, path);
      for (const [key, inner] of Object.entries(properties ?? {})) {
        const isSection = "properties" in inner || "oneOf" in inner;
        if (!isSection && inner["description"] === undefined) bare.push(`${path}${key}`);
        visit(inner, `${path}${key}.`);
      }
    };
    visit(schema, "");
    // Those that the deliberation's models and calls have without a description as well.
    expect(bare.filter((key) => !/^(calls)\./.test(key))).toEqual([]);
  });
});

describe("the recipe that `colloquy init --world workplace-v1` writes", () => {
  const text = workplaceTemplate("office");
  const written = parseYaml(text) as Record<string, unknown>;

  it("holds every key in the order of the schema, and nothing but defaults", () => {
    const defaults = check({ name: "office" });
    expect(written).toEqual(defaults);
    expect(JSON.stringify(written)).toBe(JSON.stringify(defaults));
  });

  it("shows language models as a block that needs no more than its marks taken off", () => {
    const lines = text.split("\n");
    const start = lines.indexOf("# minds:");
    const block = lines.slice(start, lines.indexOf("", start)).map((line) => line.replace(/^# /, ""));
    const { minds } = parseYaml(block.join("\n")) as { minds: object };
    expect(check({ minds })).toEqual(check({ minds: { kind: "llm", models: ["gpt-4o-mini"] } }));
  });

  it("fits a terminal's width twice over, and stays a recipe under any name", () => {
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
    for (const name of ["a", "my.recipe-2", "-", "2024", "true", "null", "0x1f"])
      expect(parseYaml(workplaceTemplate(name))).toMatchObject({ name });
  });
});

describe("an opened workplace", () => {
  const small = { projects: { tier: ["simple", "medium"], train: 5, validation: 3, test: 4 } };
  const idsOf = (projects: readonly { readonly id: string }[]): string[] => projects.map(({ id }) => id);

  it("never shows a project of training or validation in judging, whatever the seeds, and none twice", () => {
    const seed = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(seed, seed, fc.integer({ min: 1, max: 6 }), (one, other, workers) => {
        const [own, theirs] = [one, other].map((drawn) =>
          openWorkplace(
            check({
              team: { workers: [workers] },
              attack: { adversaries: [0] },
              projects: { ...small.projects, seed: drawn },
            }),
          ),
        );
        const test = (["simple", "medium"] as const).flatMap((tier) =>
          idsOf(theirs.testProjects({ tier, workers, tasks: 1 })),
        );
        const seen = [...idsOf(own.projects.train), ...idsOf(own.projects.validation)];
        expect(new Set([...seen, ...test]).size).toBe(seen.length + test.length);
        expect([own.projects.train.length, own.projects.validation.length, test.length]).toEqual([5, 3, 8]);
      }),
      { numRuns: 20 },
    );
  });

  it("plays teams, tasks and strategies other than those it is trained with", async () => {
    const world = openWorkplace(check(small));
    const [project] = world.testProjects({ tier: "simple", workers: 6, tasks: 2 });
    const environment = world.environment(workplaceStrategies.c2c, { workers: 6, log: true });
    expect(environment.spec).toMatchObject({ agents: 7, embedding: 0, scalars: workplaceFeatureNames });
    const start = {
      question: project,
      seed: 1,
      sample: 0,
      attack: { kind: "mislead", adversaries: 0, onset: "first" },
    };
    const record = await runEpisode(environment, everyone, start);
    expect(record).toMatchObject({ workers: 6, outcome: "finished", doneAt: [expect.any(Number), expect.any(Number)] });
    expect(record.events!.at(-1)).toMatchObject({ kind: "end" });
  });

  it("takes costs and tiers from its recipe", () => {
    const world = openWorkplace(check({ tiers: { simple: { hours: 4 } }, ...small }));
    expect(world.tiers).toEqual({ ...defaultTiers, simple: { ...defaultTiers.simple, hours: 4 } });
    const [{ tasks }] = world.testProjects({ tier: "simple", workers: 2, tasks: 1 });
    expect(tasks[0].requirements.reduce((sum, { effort }) => sum + effort, 0)).toBe(4 * 4000);
  });

  it("describes its policies so that they can be read again", () => {
    for (const rank of ["communicate", "decide"]) {
      const world = openWorkplace(check({ ...small, network: { rank } }));
      const manifest = workplaceManifest(world, 3, 0);
      expect(readManifest(JSON.parse(JSON.stringify(manifest)), "config.json")).toEqual(manifest);
      expect(isRecord(manifest.recipe) && checkAnyRecipe(manifest.recipe, "its recipe")).toEqual(world.recipe);
    }
  });

  it("refuses language models without word of how to call them", () => {
    const error = errorOf(() => openWorkplace(check({ minds: { kind: "llm", models: ["m"] } })));
    expect(error.code).toBe("usage/live");
  });
});
