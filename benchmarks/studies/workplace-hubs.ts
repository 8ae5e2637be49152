import { loadRecipe, openWorkplace, type Policy, runEpisode } from "colloquy";
import { type Hub, hubOf, teams, tiers } from "./workplace-figures.ts";

type Pairs = Parameters<typeof hubOf>[2][number];

/** As evaluations play c2c, whose records say who wrote to whom. */
const c2c = { summary: "C2C", gate: "open", manner: "weigh", prompt: false, policy: "none" } as const;

/** Nobody is told when to talk: what a policy says does not count. */
const everyone: Policy = {
  name: "c2c",
  begin: () => ({
    act: ({ agents }) => ({
      creditsN: new Float32Array(agents),
      participantsN: new Uint8Array(agents).fill(1),
    }),
  }),
};

/** Counts who wrote to whom under c2c, in the projects of every tier and team. @param set changes to the recipe */
export async function playHubs(set: readonly string[]): Promise<Hub[]> {
  const recipe = await loadRecipe("workplace", set, "workplace-v1");
  const world = openWorkplace(recipe);
  const { seeds, episodes } = recipe.evaluate;
  const hubs: Hub[] = [];
  for (const tier of tiers) {
    for (const workers of teams) {
      const environment = world.environment(c2c, { workers });
      const projects = world.testProjects({ tier, workers, tasks: 1 }).slice(0, episodes);
      const played: Pairs[] = [];
      for (const [i, question] of projects.entries()) {
        const attack = { kind: "mislead", adversaries: 0, onset: "first" };
        const start = { question, seed: seeds[i % seeds.length], sample: 0, attack };
        played.push((await runEpisode(environment, everyone, start)).pairs);
      }
      hubs.push(hubOf(tier, workers, played));
    }
  }
  return hubs;
}
