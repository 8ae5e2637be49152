import {
  everyone,
  formatDollars,
  type Guess,
  isFirst,
  isLive,
  kindOf,
  type LiveOptions,
  leastGuess,
  loner,
  mostGuess,
  openRehearsal,
  openWorld,
  type PilotCall,
  pilotGuess,
  priceList,
  type Recipe,
  type Totals,
  type Trained,
  type World,
  type WorldOptions,
} from "../assemble/index.ts";
import { ColloquyError } from "../base/errors.ts";
import { groupBy } from "../base/group-by.ts";
import { createRng, type Rng } from "../base/rng.ts";
import type { Embedder } from "../contracts/embedder.ts";
import type { ChatRequest, LanguageModel } from "../contracts/language-model.ts";
import type { Policy } from "../contracts/policy.ts";
import type { RehearsalPart } from "../train/index.ts";
import { type LiveSettings, liveOptions, showPaid } from "./live.ts";
import type { Output } from "./output.ts";

/*
 * What a run will cost, before it is paid: it is played with models that send nothing and are counted. Twice at the
 * extremes, which gives a range; or once with replies drawn from a few real calls, which gives a number.
 */

/** A run that can be rehearsed. */
export interface RehearsedRun {
  readonly recipe: Recipe;
  open(live: LiveOptions): Promise<World>;
  /** Its episodes, with `policy` in place of every policy that decides by what it sees. */
  parts(world: World, policy: Policy | undefined): Promise<RehearsalPart[]> | RehearsalPart[];
}

/** What a run uses; `cost` in US dollars, `null` where a price is not known. */
export interface Bill {
  readonly calls: number;
  readonly tokens: number;
  readonly cost: number | null;
}

/** Between what a run will use if nothing of it is cached yet. */
export interface Estimate {
  readonly least: Bill;
  readonly most: Bill;
  /** What a pilot expects. */
  readonly likely?: Bill;
  /** Real calls the pilot made; they stand in the run's ledger and cache. */
  readonly pilotCalls: number;
}

/** Episodes of a rehearsal; longer runs are scaled up from so many. */
export const rehearsedEpisodes = 1500;

/** Calls of a pilot. */
const pilotSize = 20;

/**
 * Estimates a run.
 * @param live how the pilot's own calls are made; `null`: no pilot
 */
export async function estimateRun(
  run: RehearsedRun,
  offline: LiveOptions,
  live: LiveOptions | null,
  onCalls: (look: () => Totals) => void = () => {},
): Promise<Estimate> {
  const least = await rehearse(run, offline, leastGuess, loner);
  const most = await rehearse(run, offline, mostGuess(), everyone);
  if (live === null) return { least: least.bill, most: most.bill, pilotCalls: 0 };
  const calls = await flyPilot(run, offline, live, onCalls);
  const likely = await rehearse(run, offline, pilotGuess(calls, run.recipe.seed), undefined);
  return { least: least.bill, most: most.bill, likely: likely.bill, pilotCalls: calls.length };
}

/** A request with the model of the team that would send it. */
interface Wanted {
  readonly request: ChatRequest;
  readonly model: number;
}

async function rehearse(run: RehearsedRun, offline: LiveOptions, guess: Guess, policy: Policy | undefined) {
  const rehearsal = openRehearsal({ guess, priceOf: priceList(run.recipe.calls.prices), apart: policy === everyone });
  const wanted: Wanted[] = [];
  let models = 0;
  const observe = (model: LanguageModel): LanguageModel => {
    const index = models++;
    return {
      complete(request, signal) {
        wanted.push({ request, model: index });
        return model.complete(request, signal);
      },
    };
  };
  const world = await run.open({ ...offline, rehearsal, observe });
  const bill = { calls: 0, tokens: 0, cost: 0 as number | null };
  for (const { times, play } of await run.parts(world, policy)) {
    const before = { ...rehearsal.totals };
    await play();
    const { calls, promptTokens, completionTokens, cost } = rehearsal.totals;
    bill.calls += times * (calls - before.calls);
    bill.tokens += times * (promptTokens + completionTokens - before.promptTokens - before.completionTokens);
    bill.cost = bill.cost === null || cost === null ? null : bill.cost + times * (cost - before.cost!);
  }
  world.live?.account.close();
  const capped = capCalls({ ...bill, calls: Math.round(bill.calls), tokens: Math.round(bill.tokens) }, offline);
  return { bill: capped, wanted };
}

/** A run stops at its limit of calls. */
function capCalls(bill: Bill, { limits }: LiveOptions): Bill {
  const share = Math.min(1, (limits?.calls ?? Infinity) / Math.max(1, bill.calls));
  return {
    calls: Math.round(bill.calls * share),
    tokens: Math.round(bill.tokens * share),
    cost: bill.cost === null ? null : bill.cost * share,
  };
}

/**
 * Makes a few calls of the run for real: first words of questions spread over it, then later words whose prompts are
 * rehearsed with those replies.
 */
async function flyPilot(
  run: RehearsedRun,
  offline: LiveOptions,
  live: LiveOptions,
  onCalls: (look: () => Totals) => void,
): Promise<PilotCall[]> {
  const world = await run.open(live);
  onCalls(world.live!.account.ledger.totals);
  try {
    const { models } = world.live!;
    const send = (wanted: readonly Wanted[]): Promise<PilotCall[]> =>
      Promise.all(
        wanted.map(async ({ request, model }) => ({ request, reply: await models[model].model.complete(request) })),
      );
    const rng = createRng(run.recipe.seed).fork("pilot");
    const blind = await rehearse(run, offline, mostGuess(), undefined);
    const opening = blind.wanted.filter(isOpening);
    // As many first words as their share of the run, but some of both.
    const share = Math.round((pilotSize * opening.length) / Math.max(1, blind.wanted.length));
    const first = await send(spread(opening, Math.min(pilotSize * 0.75, Math.max(pilotSize * 0.25, share)), rng));
    if (first.length === 0)
      throw new ColloquyError("usage/pilot", "this run makes no calls, so there is nothing to try");
    const informed = await rehearse(run, offline, pilotGuess(first, run.recipe.seed), undefined);
    const later = informed.wanted.filter((wanted) => !isOpening(wanted));
    const rest = later.length > 0 ? later : informed.wanted;
    return [...first, ...(await send(spread(rest, pilotSize - first.length, rng)))];
  } finally {
    world.live?.account.close();
  }
}

const isOpening = ({ request: { label = "" } }: Wanted): boolean => isFirst(label);

/** At most `count` requests: sorted by kind, in so many stretches, and one of each at random. So each kind has its share. */
function spread(wanted: readonly Wanted[], count: number, rng: Rng): Wanted[] {
  const sorted = [...groupBy(wanted, ({ request }) => kindOf(request))].sort(([a], [b]) => (a < b ? -1 : 1));
  const items = sorted.flatMap(([, own]) => own);
  const taken = Math.min(count, items.length);
  return Array.from({ length: taken }, (_, k) => items[Math.floor(((k + rng.uniform()) * items.length) / taken)]);
}

/**
 * What `--dry-run` and `--pilot` print.
 * @param ledgerPath of the run, where a pilot's calls are written
 * @throws ColloquyError `usage/estimate` where nothing is paid
 */
export async function showEstimate(
  run: RehearsedRun,
  settings: LiveSettings,
  ledgerPath: string | null,
  output: Output,
): Promise<number> {
  if (!isLive(run.recipe)) {
    throw new ColloquyError(
      "usage/estimate",
      `the agents of "${run.recipe.name}" are no live models: nothing is paid`,
      {
        hint: "Leave out --dry-run and --pilot.",
      },
    );
  }
  const live = settings.pilot ? liveOptions(settings, ledgerPath) : null;
  let paid: (() => Totals) | undefined;
  const estimate = await estimateRun(run, { ...liveOptions(settings, null), onNotice: () => {} }, live, (look) => {
    paid = look;
  });
  output.print(describeEstimate(estimate));
  showPaid(output, paid?.());
  output.json({ estimate });
  return 0;
}

/**
 * Opens the world of a run. In a rehearsal nothing is sent, so no server embeds texts either: all vectors are empty then.
 * @param trained of a policy that is there already: the vectors are of the size it wants
 */
export function openForEstimate(
  recipe: Recipe,
  live: LiveOptions,
  options: Omit<WorldOptions, "live"> = {},
  trained?: Trained,
): Promise<World> {
  const isSilent = live.rehearsal !== undefined && recipe.behaviour.embedder === "endpoint";
  const dimension = trained?.checkpoint.manifest.network.embedding ?? 1;
  const nothing = { dimension, indices: new Int32Array(0), values: new Float32Array(0) };
  const silent: Embedder = {
    name: trained?.checkpoint.manifest.embedder ?? "none",
    dimension,
    embed: (texts) => texts.map(() => nothing),
  };
  return openWorld(recipe, { ...options, live, ...(isSilent ? { embedder: silent } : {}) });
}

/** For people. */
function describeEstimate({ least, most, likely, pilotCalls }: Estimate): string {
  const number = (value: number): string => value.toLocaleString("en-US");
  const range = (of: (bill: Bill) => number): string => `${number(of(least))} to ${number(of(most))}`;
  const money = (cost: number | null): string =>
    cost === null ? "unknown (a model's price is not known)" : formatDollars(cost);
  const lines =
    likely === undefined
      ? [
          `calls    ${range((bill) => bill.calls)}`,
          `tokens   ${range((bill) => bill.tokens)}`,
          `cost     ${least.cost === null ? money(null) : `${money(least.cost)} to ${money(most.cost)}`}`,
          "What the cache holds already costs nothing. --pilot narrows this with 20 real calls.",
        ]
      : [
          `calls    about ${number(likely.calls)}  (${range((bill) => bill.calls)})`,
          `tokens   about ${number(likely.tokens)}  (${range((bill) => bill.tokens)})`,
          `cost     ${likely.cost === null ? money(null) : `about ${money(likely.cost)}  (${money(least.cost)} to ${money(most.cost)})`}`,
          `From ${pilotCalls} calls of it, whose replies are in the cache. What the cache holds costs nothing.`,
        ];
  return ["This run, if nothing of it is cached yet:", ...lines.map((line) => `  ${line}`)].join("\n");
}
