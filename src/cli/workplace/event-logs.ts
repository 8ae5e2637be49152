import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../../base/files.ts";
import { isRecord } from "../../base/json.ts";
import { appendJsonLines, readJsonLines } from "../../base/jsonl.ts";
import type { MindUsage } from "../../contracts/workplace/mind.ts";
import type { WorkplaceEvent } from "../../contracts/workplace/record.ts";
import { eventSchema } from "../../evaluate/workplace/index.ts";

const EVENTS_SCHEMA = "colloquy.events/1";

/** What an interrupted episode has left. */
interface Found {
  /** Steps that are whole; 0 where nothing was played. */
  readonly steps: number;
  /** Of these steps. */
  readonly events: readonly WorkplaceEvent[];
  /** What calls took in them. */
  readonly spent?: MindUsage;
}

const nothing: Found = { steps: 0, events: [] };

/** The log of one episode, written as it is played. */
export interface EventLog {
  readonly found: Found;
  append(event: WorkplaceEvent, usage: () => MindUsage): void;
  close(): void;
}

/** The event logs of an evaluation: one file an episode, from which it goes on after it was interrupted. */
export interface EventLogs {
  /** @param anew leaves what was played before */
  open(name: string, anew?: boolean): EventLog;
  /** At the end: logs of other episodes than these go. */
  keepOnly(names: ReadonlySet<string>): void;
}

/**
 * @param folder where they are
 * @param key names everything that decides an episode beside its start: logs made under another one are started over
 */
export function openEventLogs(folder: string, key: string): EventLogs {
  mkdirSync(folder, { recursive: true });
  const pathOf = (name: string): string => join(folder, `${name}.jsonl`);
  const head = { schema: EVENTS_SCHEMA, key };
  return {
    open(name, anew = false) {
      const path = pathOf(name);
      const found = anew || !existsSync(path) ? nothing : readLog(path, key);
      const { steps, events, spent } = found;
      const lines = [head, ...events, ...(spent === undefined ? [] : [{ whole: steps, usage: spent }])];
      writeFileAtomic(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      const file = appendJsonLines(path);
      let acted = -1;
      return {
        found,
        append(event, usage) {
          file.append(event);
          // All calls of a step are behind it when the first one acts; those of meetings and judgements when they are logged.
          const isLaterAct = isAct(event) && event.step === acted;
          if (isAct(event)) acted = event.step;
          if ((isAct(event) && !isLaterAct) || event.kind === "judge" || event.kind === "contribute")
            file.append({ step: event.step, usage: usage() });
        },
        close: file.close,
      };
    },
    keepOnly(names) {
      for (const file of readdirSync(folder)) {
        if (file.endsWith(".jsonl") && !names.has(file.slice(0, -".jsonl".length))) rmSync(join(folder, file));
      }
    },
  };
}

const isAct = ({ kind }: WorkplaceEvent): boolean => kind === "work" || kind === "wait" || kind === "send";

/** What calls had taken at some point of a step, or before the step `whole`. */
const usageLine = z.object({
  step: z.int().optional(),
  whole: z.int().min(0).optional(),
  usage: z.object({
    calls: z.number(),
    tokens: z.number().nullable(),
    cost: z.number().nullable(),
    malformed: z.number(),
  }),
});

/**
 * What a log holds of whole steps; the last one may be torn. What another evaluation wrote, and what cannot be read, counts
 * as nothing: the episode is then played anew.
 */
function readLog(path: string, key: string): Found {
  try {
    const [head, ...lines] = readJsonLines(path).records;
    if (!isRecord(head) || head["schema"] !== EVENTS_SCHEMA || head["key"] !== key) return nothing;
    const isUsage = (line: unknown): boolean => isRecord(line) && "usage" in line;
    const usages = z.array(usageLine).parse(lines.filter(isUsage));
    const all = lines.filter((line) => !isUsage(line));
    z.array(eventSchema).parse(all);
    const events = all as WorkplaceEvent[];
    const whole = usages.findLast((usage) => usage.whole !== undefined)?.whole ?? 0;
    const steps = Math.max(whole, events.at(-1)?.step ?? 0);
    return {
      steps,
      events: events.filter(({ step }) => step < steps),
      spent: usages.findLast(({ step = 0 }) => step < steps)?.usage,
    };
  } catch {
    return nothing;
  }
}
