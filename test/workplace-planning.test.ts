import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Plan, Project } from "../src/contracts/workplace/project.ts";
import {
  type DecompositionName,
  decompositions,
  defaultTiers,
  drawProjects,
  makePlan,
  type TierSettings,
} from "../src/environments/index.ts";
import { assign, skillMatch } from "../src/environments/workplace/planning/assign.ts";
import { skillPool } from "../src/environments/workplace/planning/catalogue.ts";
import { checkPlan } from "../src/environments/workplace/planning/check-plan.ts";
import { evenRuns } from "../src/environments/workplace/planning/cut.ts";
import { rankSkills } from "../src/environments/workplace/planning/rank-skills.ts";
import { subtaskCount } from "../src/environments/workplace/planning/tiers.ts";

const names = [...Object.keys(decompositions), "equal"] as DecompositionName[];
const tierNames = ["simple", "medium", "complex"] as const;

/** Any project of the tiers there are, or of others. */
const projects = fc
  .record({
    tier: fc.constantFrom(...tierNames),
    workers: fc.integer({ min: 1, max: 24 }),
    tasks: fc.integer({ min: 1, max: 3 }),
    seed: fc.nat(),
    links: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
    requirements: fc.option(fc.integer({ min: 2, max: 60 }), { nil: undefined }),
  })
  .map(({ links, requirements, ...draw }) => {
    const usual = defaultTiers[draw.tier];
    const settings: TierSettings = {
      ...usual,
      links: links ?? usual.links,
      requirements: requirements ?? usual.requirements,
      components: Math.min(usual.components, requirements ?? usual.requirements),
    };
    return { ...draw, settings, project: drawProjects({ ...draw, count: 1 }, settings)[0] };
  });

/** Everything in a plan that waits for something can be done in some order. */
function canBeDone({ subtasks }: Plan): boolean {
  const done = new Set<number>();
  for (let before = -1; before < done.size; ) {
    before = done.size;
    subtasks.forEach(({ after }, s) => {
      if (after.every((other) => done.has(other))) done.add(s);
    });
  }
  return done.size === subtasks.length;
}

describe.each(names)("a plan cut %s", (name) => {
  const forAll = (check: (drawn: Parameters<Parameters<typeof projects.map>[0]>[0], plan: Plan) => void) =>
    fc.assert(
      fc.property(projects, (drawn) => check(drawn, makePlan(drawn.project, name, drawn.settings))),
      { numRuns: 60 },
    );

  it("adds up to the tier's hours, task by task, to the unit", () => {
    forAll(({ project, settings }, { subtasks }) => {
      project.tasks.forEach((_, task) => {
        const own = subtasks.filter((subtask) => subtask.task === task);
        expect(own.reduce((sum, { effort }) => sum + effort, 0)).toBe(settings.hours * 4000);
        expect(own.every(({ effort }) => Number.isInteger(effort) && effort > 0)).toBe(true);
      });
    });
  });

  it("has no cycle, and joins subtasks of one task only, both ways", () => {
    forAll(({ project }, plan) => {
      expect(() => checkPlan(plan, project)).not.toThrow();
      expect(canBeDone(plan)).toBe(true);
      plan.subtasks.forEach(({ after, linked, task }, s) => {
        for (const other of [...after, ...linked]) {
          expect(plan.subtasks[other].task).toBe(task);
          expect(other).not.toBe(s);
        }
        expect(new Set(linked).size).toBe(linked.length);
        for (const other of after) expect(linked).toContain(other);
        for (const other of linked) expect(plan.subtasks[other].linked).toContain(s);
      });
    });
  });

  it("is owned by workers, and says how clearly each part is cut", () => {
    forAll(({ workers }, { subtasks, owners }) => {
      expect(owners.length).toBe(subtasks.length);
      expect(owners.every((owner) => owner >= 1 && owner <= workers)).toBe(true);
      expect(subtasks.every(({ clarity }) => Number.isInteger(clarity) && clarity >= 0 && clarity <= 1000)).toBe(true);
    });
  });

  it("is the same for the same project", () => {
    forAll(({ project, settings }, plan) => {
      expect(makePlan(structuredClone(project), name, settings)).toEqual(plan);
    });
  });

  it("leaves no requirement out: every topic, and what it waits for, is in one subtask", () => {
    if (name === "equal") return;
    forAll(({ project }, { subtasks }) => {
      project.tasks.forEach(({ requirements }, task) => {
        const own = subtasks.map((subtask, s) => ({ ...subtask, s })).filter((subtask) => subtask.task === task);
        const topics = own.flatMap((subtask) => subtask.topics);
        expect([...topics].sort()).toEqual(requirements.flatMap((r) => r.topics).sort());
        const homeOf = requirements.map(({ topics }) => own.find((subtask) => subtask.topics.includes(topics[0]))!);
        requirements.forEach(({ skill, after }, r) => {
          expect(homeOf[r].skills).toContain(skill);
          for (const other of after)
            if (homeOf[other] !== homeOf[r]) expect(homeOf[r].after).toContain(homeOf[other].s);
        });
      });
    });
  });
});

describe("a project", () => {
  it("is of its draw alone: its number in the list says nothing of the others", () => {
    fc.assert(
      fc.property(fc.constantFrom(...tierNames), fc.nat(), fc.integer({ min: 1, max: 20 }), (tier, seed, workers) => {
        const draw = (count: number) => drawProjects({ tier, workers, tasks: 1, seed, count }, defaultTiers[tier]);
        expect(draw(2)).toEqual(draw(5).slice(0, 2));
        const ids = draw(5).map(({ id }) => id);
        expect(new Set(ids).size).toBe(5);
      }),
    );
  });

  it("has an id of its own for every tier, team, number of tasks and seed", () => {
    const ids = tierNames.flatMap((tier) =>
      [4, 8].flatMap((workers) =>
        [1, 2].flatMap((tasks) =>
          [1, 2].flatMap((seed) =>
            drawProjects({ tier, workers, tasks, seed, count: 3 }, defaultTiers[tier]).map(({ id }) => id),
          ),
        ),
      ),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("has a manager, and workers of 2 to 4 different skills, which cover the pool from three workers on", () => {
    fc.assert(
      fc.property(projects, ({ project: { members }, workers }) => {
        const [manager, ...team] = members;
        expect(team.length).toBe(workers);
        expect([...manager.skills].sort()).toEqual([...skillPool].sort());
        for (const { skills } of team) {
          expect(skills.length).toBeGreaterThanOrEqual(2);
          expect(skills.length).toBeLessThanOrEqual(4);
          expect(new Set(skills).size).toBe(skills.length);
        }
        if (workers >= 3) expect(new Set(team.flatMap(({ skills }) => skills)).size).toBe(skillPool.length);
      }),
    );
  });

  it("asks for topics that are different everywhere in a project, and waits for earlier requirements alone", () => {
    fc.assert(
      fc.property(projects, ({ project, settings }) => {
        const topics = project.tasks.flatMap(({ requirements }) => requirements.flatMap((r) => r.topics));
        expect(new Set(topics).size).toBe(topics.length);
        for (const { requirements } of project.tasks) {
          expect(requirements.length).toBe(settings.requirements);
          requirements.forEach(({ after, component }, r) => {
            for (const other of after) {
              expect(other).toBeLessThan(r);
              expect(requirements[other].component).toBe(component);
            }
          });
        }
      }),
    );
  });
});

describe("the number of subtasks", () => {
  it("grows with the team, and by less than the team", () => {
    for (const tier of tierNames) {
      const counts = [4, 8, 16].map((workers) => subtaskCount(defaultTiers[tier], workers));
      expect(counts[1]).toBeGreaterThan(counts[0]);
      expect(counts[2]).toBeGreaterThan(counts[1]);
      expect(counts[1]).toBeLessThan(2 * counts[0]);
      expect(counts[2]).toBeLessThan(4 * counts[0]);
    }
  });

  it("grows with the tier", () => {
    const counts = tierNames.map((tier) => subtaskCount(defaultTiers[tier], 4));
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(new Set(counts).size).toBe(3);
  });

  it("is that of four workers where a plan is made by hand", () => {
    for (const tier of tierNames) {
      const count = (workers: number, name: DecompositionName) => {
        const drawn = drawProjects({ tier, workers, tasks: 1, seed: 2, count: 20 }, defaultTiers[tier]);
        const all = drawn.map((project) => makePlan(project, name, defaultTiers[tier]).subtasks.length);
        return all.reduce((sum, n) => sum + n, 0) / all.length;
      };
      expect(count(16, "manual")).toBe(count(4, "manual"));
      for (const name of ["adaptive", "naive", "hierarchical"] as const)
        expect(count(16, name)).toBeGreaterThan(count(4, name));
    }
  });
});

describe("assigning", () => {
  const loadOf = ({ subtasks, owners }: Plan, members: Project["members"]): number[] => {
    const load = members.map(() => 0);
    owners.forEach((owner, s) => {
      load[owner] += subtasks[s].effort;
    });
    return load.slice(1);
  };

  it("leaves nobody with more than an equal share and the largest part, a quarter each for skills not had", () => {
    fc.assert(
      fc.property(projects, fc.constantFrom("adaptive", "naive", "manual", "hierarchical"), (drawn, name) => {
        const plan = makePlan(drawn.project, name as DecompositionName, drawn.settings);
        const load = loadOf(plan, drawn.project.members);
        const total = plan.subtasks.reduce((sum, { effort }) => sum + effort, 0);
        const largest = Math.max(...plan.subtasks.map(({ effort }) => effort));
        expect(Math.max(...load)).toBeLessThanOrEqual(1.25 * (total / load.length + largest));
      }),
    );
  });

  it("gives work to who has its skills where loads are alike", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...skillPool], { minLength: 4 }), (skills) => {
        const members = ["M", ...skills].map((name) => ({ name, skills: [name] }));
        const subtasks = skills.map((skill, s) => {
          const part = { task: 0, title: `${s}`, topics: [], effort: 1000, after: [], linked: [], clarity: 1000 };
          return { ...part, skills: [skill] };
        });
        expect(assign(subtasks, members)).toEqual(skills.map((_, s) => s + 1));
      }),
    );
  });

  it("matches skills better when work is cut by them, and cuts it more clearly than without", () => {
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const of = (name: DecompositionName) => {
      const drawn = drawProjects({ tier: "complex", workers: 8, tasks: 1, seed: 3, count: 40 }, defaultTiers.complex);
      const plans = drawn.map((project) => ({ project, plan: makePlan(project, name, defaultTiers.complex) }));
      return {
        clarity: mean(plans.flatMap(({ plan }) => plan.subtasks.map(({ clarity }) => clarity))),
        match: mean(
          plans.flatMap(({ project, plan }) =>
            plan.subtasks.map(({ skills }, s) => skillMatch(project.members[plan.owners[s]], skills, false)),
          ),
        ),
      };
    };
    const [adaptive, naive] = [of("adaptive"), of("naive")];
    expect(adaptive.clarity).toBeGreaterThan(1.05 * naive.clarity);
    expect(adaptive.match).toBeGreaterThan(naive.match);
  });
});

describe("even runs", () => {
  it("keep order and items, are as many as wanted and never empty", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 40 }), fc.nat(), (items, n) => {
        const count = 1 + (n % items.length);
        const runs = evenRuns(items, count, (item) => item);
        expect(runs.flat()).toEqual(items);
        expect(runs.length).toBe(count);
        expect(runs.every((run) => run.length > 0)).toBe(true);
        const sums = runs.map((run) => run.reduce((sum, item) => sum + item, 0));
        const total = items.reduce((sum, item) => sum + item, 0);
        expect(Math.max(...sums)).toBeLessThanOrEqual(total / count + 2 * Math.max(...items));
      }),
    );
  });
});

describe("the best by skill", () => {
  it("are workers, no one twice, the better before the worse, and spread by where one starts", () => {
    fc.assert(
      fc.property(projects, fc.shuffledSubarray([...skillPool], { minLength: 1 }), fc.nat(), (drawn, skills, start) => {
        const { members } = drawn.project;
        const best = rankSkills(members).best(skills, start, 8);
        const matches = best.map((w) => skillMatch(members[w], skills, false));
        expect(new Set(best).size).toBe(best.length);
        expect(best.includes(0)).toBe(false);
        expect(matches.every((match) => match > 0)).toBe(true);
        expect(matches).toEqual([...matches].sort((a, b) => b - a));
        const others = [...members.keys()].filter((w) => w > 0 && !best.includes(w));
        for (const w of others) {
          const match = skillMatch(members[w], skills, false);
          if (best.length < 8) expect(match).toBe(0);
          else expect(match).toBeLessThanOrEqual(matches[7]);
        }
      }),
    );
  });
});
