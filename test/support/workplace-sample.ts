import { createRng, type Rng } from "../../src/base/rng.ts";
import type { Channel, RequestType } from "../../src/contracts/workplace/message.ts";
import type { WorkplaceEvent, WorkplaceRecord } from "../../src/contracts/workplace/record.ts";
import type { ShownWorkplaceEpisode } from "../../src/report/workplace/report-data.ts";

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
    const other = 1 + draw.integer(workers);
    const to = other === agent || draw.uniform() < 0.4 ? 0 : other;
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
