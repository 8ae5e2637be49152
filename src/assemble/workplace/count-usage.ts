import { sum, sumKnown } from "../../base/stats.ts";
import type { Episode, EpisodeStart } from "../../contracts/environment.ts";
import type { Judge, Mind, MindUsage } from "../../contracts/workplace/mind.ts";
import type { Project } from "../../contracts/workplace/project.ts";
import type { WorkplaceEvent, WorkplaceRecord } from "../../contracts/workplace/record.ts";
import type { Workplace, WorkplaceSettings } from "../../environments/index.ts";
import type { ModelJudge } from "../../minds/language/index.ts";
import type { Staff } from "./minds.ts";

/** What language models of an episode are told apart by: their settings, and whoever listens. */
interface Counted {
  readonly staff: Staff;
  /** What calls took before the episode was interrupted. */
  readonly spent?: MindUsage;
  /** Told of every event, with a way to see what calls have taken until then. */
  readonly onEvent?: (event: WorkplaceEvent, usage: () => MindUsage) => void;
  create(parts: Pick<WorkplaceSettings, "judge" | "minds" | "onEvent">): Workplace;
}

/**
 * A workplace whose episodes each have minds and a judge of their own, so that records say what all calls took: the judge's,
 * and those made before an interruption.
 */
export function countUsage({ staff, spent, onEvent, create }: Counted): Workplace {
  const begin = async (
    open: (world: Workplace) => Promise<Episode<WorkplaceRecord>>,
  ): Promise<Episode<WorkplaceRecord>> => {
    const judge = staff.openJudge();
    let minds: readonly Mind[] = [];
    const usage = (): MindUsage => addUsage([...minds.map(usageOf), usageOf(judge), ...(spent ? [spent] : [])]);
    const world = create({
      judge,
      minds: (project, rng) => {
        minds = staff.minds(project, rng);
        return minds;
      },
      ...(onEvent === undefined ? {} : { onEvent: (event: WorkplaceEvent) => onEvent(event, usage) }),
    });
    const episode = await open(world);
    return { ...episode, record: () => withUsage(episode.record(), usage()) };
  };
  return {
    spec: create({ judge: staff.openJudge(), minds: staff.minds }).spec,
    reset: (start: EpisodeStart<Project>) => begin((world) => world.reset(start)),
    resume: (start, log) => begin((world) => world.resume(start, log)),
  };
}

const nothing: MindUsage = { calls: 0, tokens: 0, cost: 0, malformed: 0 };

const usageOf = (caller: Mind | Judge | ModelJudge): MindUsage =>
  ("usage" in caller ? caller.usage?.() : undefined) ?? nothing;

const addUsage = (parts: readonly MindUsage[]): MindUsage => ({
  calls: sum(parts.map(({ calls }) => calls)),
  tokens: sumKnown(parts.map(({ tokens }) => tokens)),
  cost: sumKnown(parts.map(({ cost }) => cost)),
  malformed: sum(parts.map(({ malformed }) => malformed)),
});

function withUsage(record: WorkplaceRecord, { cost, ...usage }: MindUsage): WorkplaceRecord {
  const { cost: _own, ...rest } = record;
  // To a billionth of a dollar: in what order calls were added up must not show.
  return { ...rest, ...usage, ...(cost === 0 ? {} : { cost: cost === null ? null : Math.round(cost * 1e9) / 1e9 }) };
}
