import { runEpisode, runName, type WorkplaceMethod, type WorkplaceWorld } from "../../assemble/index.ts";
import { ColloquyError } from "../../base/errors.ts";
import { shortHash } from "../../base/hash.ts";
import { canonicalJson } from "../../base/json.ts";
import type { WorkplaceEvent, WorkplaceRecord } from "../../contracts/workplace/record.ts";
import { nameEpisode, type WorkplaceEpisode } from "../../evaluate/workplace/index.ts";
import { type EventLog, openEventLogs } from "./event-logs.ts";

/** Plays the episodes of an evaluation. */
export interface Stage {
  play(episode: WorkplaceEpisode): Promise<WorkplaceRecord>;
  /** After the last one. */
  finish(): void;
}

interface StageSettings {
  /** Where events are written as they happen, so that an interrupted episode goes on from them; `null`: nowhere. */
  readonly folder: string | null;
  /** What tells the trained policy from others; `null` without one. */
  readonly policy: unknown;
  /** Whether an episode's record is to hold its events; asked once for each, in their order. */
  isKept(episode: WorkplaceEpisode): boolean;
  onWarning?(warning: string): void;
}

type Changes = NonNullable<Parameters<WorkplaceWorld["environment"]>[1]>;

/** Simulated minds play an episode again in no time; what language models said is written down. */
export function openStage(
  world: WorkplaceWorld,
  methods: readonly WorkplaceMethod[],
  { folder, policy, isKept, onWarning }: StageSettings,
): Stage {
  const byName = new Map<string, WorkplaceMethod>(methods.map((method) => [method.name, method]));
  const environmentOf = ({ method, cell }: WorkplaceEpisode, changes: Changes) => {
    const { workers, decomposition } = cell as Pick<Changes, "workers" | "decomposition">;
    return world.environment(byName.get(method)!.strategy, { workers, decomposition, ...changes });
  };
  const policyOf = ({ method }: WorkplaceEpisode) => byName.get(method)!.policy;
  if (folder === null) {
    return {
      play: (episode) => runEpisode(environmentOf(episode, { log: isKept(episode) }), policyOf(episode), episode.start),
      finish: () => {},
    };
  }
  const logs = openEventLogs(
    folder,
    shortHash(canonicalJson([runName(world.recipe), world.recipe.evaluate.participation, policy])),
  );
  const keptNames = new Set<string>();

  const playFrom = (episode: WorkplaceEpisode, { found, append }: EventLog): Promise<WorkplaceRecord> => {
    const { steps, events, spent } = found;
    // What ends a log is taken for torn.
    const log: readonly WorkplaceEvent[] = [...events, { step: steps, kind: "end", outcome: "interrupted" }];
    const environment = environmentOf(episode, { log: true, onEvent: append, spent });
    const resumed = { ...environment, reset: (start: typeof episode.start) => environment.resume(start, log) };
    return runEpisode(steps === 0 ? environment : resumed, policyOf(episode), episode.start);
  };
  const playLogged = async (episode: WorkplaceEpisode, anew: boolean): Promise<WorkplaceRecord> => {
    const log = logs.open(nameEpisode(episode), anew);
    try {
      return await playFrom(episode, log);
    } catch (error) {
      if (anew || !(error instanceof ColloquyError && error.code.startsWith("replay/"))) throw error;
      onWarning?.(`${nameEpisode(episode)} is played anew: ${error.message}`);
    } finally {
      log.close();
    }
    return playLogged(episode, true);
  };
  return {
    play: (episode) => {
      if (isKept(episode)) keptNames.add(nameEpisode(episode));
      return playLogged(episode, false);
    },
    finish: () => logs.keepOnly(keptNames),
  };
}
