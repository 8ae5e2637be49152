import { createRng, type Rng } from "../../src/base/rng.ts";
import type { Channel, RequestType } from "../../src/contracts/workplace/message.ts";
import type { WorkplaceEvent, WorkplaceRecord } from "../../src/contracts/workplace/record.ts";
import type { Difference, Estimate, WorkplaceComparison, WorkplaceRow } from "../../src/contracts/workplace/results.ts";
import type { ShownWorkplaceEpisode, WorkplaceReportData } from "../../src/report/workplace/report-data.ts";

const names = [
  "Ines",
  "Dana",
  "Chidi Okafor",
  "Bo",
  "Marta",
  "Yuki",
  "Sam",
  "Leila",
  "Tom",
  "Priya",
  "Aleksandra",
  "Wei",
];
const titles = ["token rotation", "index choice", "retry queue", "session cache", "form validation", "export to CSV"];
const methods = ["learned", "c2c", "no-communication", "fixed-steps", "unconstrained"];
const step = 0.25;

export interface SampleSettings {
  readonly workers: number;
  readonly steps: number;
  readonly method?: string;
  readonly seed?: number;
  readonly adversaries?: number;
  /** What requests and replies say. */
  readonly text?: string;
}

/** A made-up episode that looks like a real one: all that the log says agrees with the counts of the record. */
export function sampleEpisode({
  workers,
  steps,
  method = "c2c",
  seed = 0,
  adversaries = 0,
  text,
}: SampleSettings): ShownWorkplaceEpisode {
  const N = workers + 1;
  const rng = createRng(`sample ${workers} ${seed} ${method}`);
  const owners = Array.from({ length: 3 * workers }, (_, s) => 1 + (s % workers));
  const subtasks = owners.map((_, s) => `${titles[s % titles.length]} of component ${1 + (s % 4)}`);
  const log: WorkplaceEvent[] = owners.map((agent, about) => ({
    step: 0,
    kind: "assign",
    agent,
    about,
    reason: "best by skill, least load",
  }));
  const occupancy = { work: zeros(N), communicate: zeros(N), reply: zeros(N), meeting: zeros(N), wait: zeros(N) };
  const alignmentS = owners.map(() => 300);
  const busyUntil = zeros(N);
  const pairs = new Map<string, number>();
  const [sent, channels] = [
    { help_request: 0, need_clarification: 0, meeting_invite: 0, progress_update: 0, reply: 0 },
    { chat: 0, email: 0, meeting: 0 },
  ];
  let message = 0;
  const asked: { id: number; from: number; to: number; about: number; type: RequestType; channel: Channel }[] = [];
  const currentOf = (agent: number, t: number): number =>
    agent - 1 + workers * Math.min(2, Math.floor((3 * t) / steps));
  const post = (from: number, to: number, type: keyof typeof sent, channel: Channel): number => {
    sent[type]++;
    channels[channel]++;
    pairs.set(`${from} ${to}`, (pairs.get(`${from} ${to}`) ?? 0) + 1);
    return message++;
  };
  const occupy = (agent: number, how: keyof typeof occupancy, t: number, length: number): void => {
    busyUntil[agent] = t + length;
    occupancy[how][agent] += Math.min(steps, t + length) - t;
  };

  for (let t = 0; t < steps; t++) {
    if (method === "learned" && t % 4 === 0)
      log.push({
        step: t,
        kind: "decide",
        focused: [1, 2],
        edges: [
          [0, 1],
          [3, 2],
        ],
      });
    if (t % 30 === 10 && method !== "no-communication") holdMeeting(t);
    for (let agent = 0; agent < N; agent++) {
      if (busyUntil[agent] > t) continue;
      const question = asked.findIndex(({ to, id }) => to === agent && id >= 0);
      if (question >= 0) answer(t, agent, asked.splice(question, 1)[0]);
      else if (agent === 0 || rng.uniform() < 0.04) {
        log.push({
          step: t,
          kind: "wait",
          agent,
          reason: agent === 0 ? "has no request to answer" : "waits for what its subtask needs",
        });
        occupy(agent, "wait", t, 1);
      } else if (method !== "no-communication" && rng.uniform() < 0.09) ask(t, agent, rng);
      else {
        log.push({
          step: t,
          kind: "work",
          agent,
          about: currentOf(agent, t),
          done: alignmentS[currentOf(agent, t)],
          reason: "works on the first of its subtasks that can go on",
        });
        occupy(agent, "work", t, 1);
      }
      if (agent > 0 && currentOf(agent, t + 1) !== currentOf(agent, t))
        log.push({ step: t, kind: "done", agent, about: currentOf(agent, t) });
    }
  }
  owners.forEach((agent, about) => {
    if (about >= 2 * workers) log.push({ step: steps - 1, kind: "done", agent, about });
  });
  log.push({ step: steps, kind: "end", outcome: "finished" });

  function ask(t: number, agent: number, draw: Rng): void {
    const to = draw.uniform() < 0.4 ? 0 : 1 + draw.integer(workers);
    if (to === agent) return ask(t, agent, draw);
    const about = currentOf(agent, t);
    const channel = draw.uniform() < 0.6 ? "chat" : "email";
    const type = draw.uniform() < 0.75 ? "help_request" : "need_clarification";
    const id = post(agent, to, type, channel);
    asked.push({ id, from: agent, to, about, type, channel });
    const reason = `asked agent ${to} on subtask ${about} by ${channel}: 6.0 h left at AF .30, expected 2.1 h saved, against one step each`;
    log.push({
      step: t,
      kind: "send",
      agent,
      message: id,
      type,
      channel,
      to: [to],
      about,
      topics: [titles[about % titles.length]],
      words: 60,
      minutes: channel === "chat" ? 3 : 20,
      ...(text === undefined ? {} : { text }),
      reason,
    });
    occupy(agent, "communicate", t, channel === "chat" ? 1 : 2);
  }
  function answer(t: number, agent: number, { id, from, about, type, channel }: (typeof asked)[number]): void {
    const isFoe = agent > 0 && agent <= adversaries;
    const guidance = {
      covers: [titles[about % titles.length]],
      clarity: 800,
      words: 80,
      ...(text === undefined ? {} : { text: `About that: ${text}` }),
    };
    const reply = post(agent, from, "reply", channel);
    log.push({
      step: t,
      kind: "send",
      agent,
      message: reply,
      type: "reply",
      channel,
      to: [from],
      about,
      topics: guidance.covers,
      words: 80,
      minutes: 3,
      answers: id,
      guidance,
      reason: `answers agent ${from} on subtask ${about}, the oldest`,
    });
    occupy(agent, "reply", t, 1);
    const delta = isFoe ? -60 : 80 + rng.integer(120);
    const after = Math.min(700, Math.max(10, alignmentS[about] + delta));
    log.push({ step: t, kind: "judge", about, delta });
    log.push({
      step: t,
      kind: "learn",
      agent: from,
      about,
      from: agent,
      type,
      channel,
      before: alignmentS[about],
      after,
    });
    alignmentS[about] = after;
  }
  function holdMeeting(t: number): void {
    const members = [1, 2, Math.min(3, workers)].filter(
      (agent, k, all) => all.indexOf(agent) === k && busyUntil[agent] <= t,
    );
    if (members.length < 2) return;
    const id = post(members[0], members[1], "meeting_invite", "meeting");
    log.push({ step: t, kind: "meeting", meeting: id, what: "started", members });
    for (const agent of members) occupy(agent, "meeting", t, 3);
    if (t + 3 < steps) log.push({ step: t + 3, kind: "meeting", meeting: id, what: "ended", members });
  }

  const record: WorkplaceRecord = {
    ...{
      environment: "workplace-v1",
      question: `complex-${workers}w-${seed}`,
      seed,
      sample: 0,
      decisions: [],
      utility: 0.4,
    },
    attack:
      adversaries === 0 ? { kind: "none", adversaries: 0, onset: "" } : { kind: "mislead", adversaries, onset: "1" },
    onsets: Array.from({ length: N }, (_, agent) => (agent > 0 && agent <= adversaries ? 1 : 0)),
    ...{ outcome: "finished", calls: 0, tokens: 0, tier: "complex", workers, steps, doneAt: [steps], effort: 160_000 },
    ...{ communicationMinutes: 3 * message, occupancy, alignment: { final: 0.56, mean: 0.48 }, sent, channels },
    gains: {
      help_request: { count: 9, sum: 1200 },
      need_clarification: { count: 3, sum: 400 },
      meeting_invite: { count: 2, sum: 500 },
    },
    responses: { chat: { count: 9, sum: 14 }, email: { count: 3, sum: 9 }, meeting: { count: 2, sum: 6 } },
    pairs: [...pairs].map(([key, count]) => [...key.split(" ").map(Number), count] as [number, number, number]),
    ...{
      subtasks: { count: owners.length, clarity: 870, reassigned: 1 },
      meetings: { held: channels.meeting, cancelled: 0 },
      faults: 0,
      malformed: 0,
    },
    events: log
      .map((event, k) => ({ event, k }))
      .sort((a, b) => a.event.step - b.event.step || a.k - b.k)
      .map(({ event }) => event),
  };
  return { method, members: Array.from({ length: N }, (_, k) => names[k % names.length]), subtasks, record };
}

const zeros = (n: number): number[] => new Array<number>(n).fill(0);

/** Rows of every method in cells of three tiers and three sizes of teams, and with adversaries on the complex tier. */
export function sampleRows(): WorkplaceRow[] {
  const budgets = { simple: 8, medium: 24, complex: 40 } as const;
  const cells = (["simple", "medium", "complex"] as const).flatMap((tier) =>
    [4, 8, 16].flatMap((workers) =>
      [0, ...(tier === "complex" ? [1] : [])].map((adversaries) => ({ tier, workers, adversaries })),
    ),
  );
  return cells.flatMap(({ tier, workers, adversaries }) =>
    methods.map((method, k): WorkplaceRow => {
      const rng = createRng(`row ${tier} ${workers} ${adversaries} ${method}`);
      const budget = budgets[tier];
      const hours = [0.56, 0.62, 0.84, 0.91, 0.75][k] * budget * (4 / workers) ** 0.7 * (1 + 0.08 * adversaries);
      const talk = method === "no-communication" ? 0 : [5, 6, 0, 6, 14][k] * (workers / 4) ** 0.5 * (budget / 40);
      return {
        ...{
          tier,
          workers,
          tasks: 1,
          decomposition: "adaptive",
          adversaries,
          attack: adversaries === 0 ? "none" : "mislead",
        },
        ...{ onset: adversaries === 0 ? "" : "1", method, n: 50, completed: k === 4 && tier === "complex" ? 0.96 : 1 },
        ...{
          hours: estimate(hours, rng),
          communicationHours: estimate(talk, rng),
          communicationShare: talk / (hours * (workers + 1)),
        },
        ...{
          alignmentFinal: 0.56,
          alignmentMean: 0.44,
          efficiency: budget / hours,
          productivity: budget / (hours * (workers + 1)),
        },
        ...{
          utilisation: 0.8,
          clarity: 0.87,
          subtasks: 16,
          reassigned: 1.2,
          meetingsHeld: talk / 3,
          faults: 0,
          malformed: 0,
          hub: 0.4,
        },
        messages: {
          help_request: talk * 2,
          need_clarification: talk * 0.5,
          meeting_invite: talk * 0.3,
          progress_update: method === "fixed-steps" ? 8 : talk * 0.4,
          reply: talk * 2.2,
        },
        channels: { chat: talk * 3, email: talk * 1.5, meeting: talk * 0.3 },
        gains: {
          help_request: { count: 40, mean: talk === 0 ? null : 0.15 },
          need_clarification: { count: 9, mean: talk === 0 ? null : 0.12 },
          meeting_invite: { count: 5, mean: talk === 0 ? null : 0.27 },
        },
        responses: {
          chat: { count: 30, mean: 2 * step },
          email: { count: 10, mean: 4 * step },
          meeting: { count: 5, mean: 3 * step },
        },
      };
    }),
  );
}

function estimate(mean: number, rng: Rng): Estimate {
  const half = mean * (0.02 + 0.04 * rng.uniform());
  return { mean, low: mean - half, high: mean + half };
}

/** The learned method against the others, cell by cell. */
export function sampleComparisons(rows: readonly WorkplaceRow[]): WorkplaceComparison[] {
  const difference = (a: Estimate, b: Estimate): Difference => ({
    mean: a.mean - b.mean,
    low: a.low - b.high,
    high: a.high - b.low,
    p: 0.0004,
  });
  return rows
    .filter(({ method }) => method === "learned")
    .flatMap((own) =>
      rows
        .filter(
          (row) =>
            row.method !== "learned" &&
            row.tier === own.tier &&
            row.workers === own.workers &&
            row.adversaries === own.adversaries,
        )
        .map((row) => {
          const { tier, workers, tasks, decomposition, adversaries, attack, onset } = own;
          return {
            ...{
              tier,
              workers,
              tasks,
              decomposition,
              adversaries,
              attack,
              onset,
              method: "learned",
              reference: row.method,
              pairs: 50,
            },
            hours: difference(own.hours!, row.hours!),
            communicationHours: difference(own.communicationHours, row.communicationHours),
          };
        }),
    );
}

/** A whole report. */
export function sampleWorkplaceReport(episodes: readonly ShownWorkplaceEpisode[]): WorkplaceReportData {
  const rows = sampleRows();
  return {
    title: "Workplace: five strategies, three tiers",
    headline: [
      "On the complex tier the learned policy finished in 22.4 h, c2c in 24.8 h [difference −2.4 h, interval −3.1 to −1.7].",
      "It spent no more time on communication.",
    ],
    command: "colloquy evaluate workplace --seeds 5",
    facts: [["Seeds", "0 to 4"]],
    rows,
    comparisons: sampleComparisons(rows),
    episodes: { note: `${episodes.length} episodes were kept: the first of each cell.`, episodes },
  };
}
