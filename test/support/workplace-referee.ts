import type { Project } from "../../src/contracts/workplace/project.ts";
import type { WorkplaceEvent, WorkplaceRecord } from "../../src/contracts/workplace/record.ts";
import type { WorkplaceSettings } from "../../src/environments/index.ts";
import type { EventOf } from "./workplace.ts";

/*
 * A second reading of the rules of spec 03: it goes through an event log from the first line to the last, keeps books of its
 * own and shares no code with the world. Whatever the log or the record says that the rules do not allow is thrown.
 */

interface Asked {
  readonly id: number;
  readonly from: number;
  readonly to: number;
  readonly about: number;
  readonly type: string;
  readonly channel: string;
  readonly at: number;
  /** Where it can be answered: 1 to 3 for its mail, "open" for the asker. */
  isInMail: boolean;
  isOpen: boolean;
}

interface Met {
  readonly id: number;
  readonly organiser: number;
  readonly invited: readonly number[];
  readonly at: number;
  members: readonly number[];
  state: "invited" | "accepted" | "started" | "over";
  endsAt: number;
}

const limit = 160;

/** @throws Error naming the step and the rule that was broken first */
export function referee(record: WorkplaceRecord, project: Project, settings: WorkplaceSettings): void {
  const { costs, gate } = settings;
  const plan = settings.plan(project);
  const { subtasks } = plan;
  const N = project.members.length;
  const events = record.events!;
  let step = 0;
  const must = (holds: boolean, rule: string, event?: WorkplaceEvent): void => {
    if (!holds)
      throw new Error(`step ${step}: ${rule}${event === undefined ? "" : ` (${JSON.stringify(event).slice(0, 400)})`}`);
  };

  const owner = [...plan.owners];
  const left = subtasks.map(({ effort }) => effort);
  const doneAt = subtasks.map(() => -1);
  const alignment = subtasks.map(() => 300);
  const known = new Map<string, number>();
  const busyUntil = new Array<number>(N).fill(0);
  const busyWith = new Array<"work" | "communicate" | "reply" | "meeting" | "wait">(N).fill("wait");
  const occupancy = { work: zeros(N), communicate: zeros(N), reply: zeros(N), meeting: zeros(N), wait: zeros(N) };
  const asked: Asked[] = [];
  const meetings: Met[] = [];
  const replies: EventOf<"send">[] = [];
  const reading: { readonly at: number; readonly minutes: number }[] = [];
  const sent = { help_request: 0, need_clarification: 0, meeting_invite: 0, progress_update: 0, reply: 0 };
  const channels = { chat: 0, email: 0, meeting: 0 };
  const pairs = new Map<string, [number, number, number]>();
  const gains = { help_request: tally(), need_clarification: tally(), meeting_invite: tally() };
  let minutes = 0;
  let worked = 0;
  let workedAlignment = 0;
  let reassigned = 0;
  let nextMessage = 0;
  let focused: readonly number[] = [];
  let edges: ReadonlySet<string> | null = null;

  const stepsOf = (m: number): number => Math.max(1, Math.ceil(m / 15));
  const isReady = (s: number): boolean => doneAt[s] < 0 && subtasks[s].after.every((o) => doneAt[o] >= 0);
  const isClosed = (agent: number, to: readonly number[]): boolean => {
    if (gate === "closed") return true;
    if (gate === "scheduled") return step === 0 || step % 16 !== 0;
    if (gate === "open") return false;
    const shut = [agent, ...to].some((a) => focused.includes(a));
    return shut || to.some((a) => edges === null || !edges.has(`${a} ${agent}`));
  };
  const occupy = (agent: number, how: keyof typeof occupancy, steps: number): void => {
    busyUntil[agent] = step + steps;
    busyWith[agent] = how;
  };

  // The beginning: everything is given out once, as planned.
  let k = 0;
  for (; k < events.length && events[k].kind === "assign" && k < subtasks.length; k++) {
    const event = events[k] as EventOf<"assign">;
    must(event.step === 0 && owner[event.about] === event.agent, "is given out as planned", event);
  }
  must(
    k === subtasks.length && new Set(events.slice(0, k).map((e) => (e as EventOf<"assign">).about)).size === k,
    "every subtask is given out once",
  );

  for (; step < record.steps; step++) {
    // What was sent in the last step arrives, before anything else; requests that are too old are taken back.
    for (const { at, minutes: m } of reading) if (at === step - 1) minutes += m;
    for (const request of asked) if (request.at === step - 1) request.isInMail = request.type !== "meeting_invite";
    for (const reply of replies.filter((reply) => reply.step === step - 1)) {
      const request = asked.find(({ id }) => id === reply.answers)!;
      request.isOpen = false;
    }
    for (const request of asked) {
      const window = request.channel === "chat" ? costs.chatWindow : costs.emailWindow;
      if (request.isOpen && request.type !== "meeting_invite" && step > request.at + window + 8)
        [request.isOpen, request.isInMail] = [false, false];
    }
    const readyAtStart = subtasks.map((_, s) => isReady(s));
    const acted = new Map<number, number>();
    /** What is left of a step of work after the subtask before. */
    const carried = new Map<number, { readonly worth: number; readonly alignment: number }>();
    let hasDecided = false;
    for (; k < events.length && events[k].step === step; k++) {
      const event = events[k];
      if ("reason" in event) must(event.reason !== "", "has a reason", event);
      switch (event.kind) {
        case "decide":
          must(gate === "policy" && step % 4 === 0 && acted.size === 0, "the policy decides every 4 steps", event);
          focused = event.focused;
          edges = new Set(event.edges.map(([i, j]) => `${i} ${j}`));
          must(!event.edges.flat().some((a) => focused.includes(a)), "who is focused has no edges", event);
          hasDecided = true;
          break;
        case "assign": {
          const before = owner[event.about];
          must(settings.reassign && event.agent > 0 && event.agent !== before, "goes to another worker", event);
          must(left[event.about] === subtasks[event.about].effort, "had not begun", event);
          known.set(`${event.about} ${before}`, alignment[event.about]);
          owner[event.about] = event.agent;
          alignment[event.about] = known.get(`${event.about} ${event.agent}`) ?? 300;
          reassigned++;
          break;
        }
        case "wait":
          must(busyUntil[event.agent] <= step && !acted.has(event.agent), "does one thing a step", event);
          acted.set(event.agent, -1);
          occupy(event.agent, "wait", 1);
          break;
        case "work": {
          const { agent, about, done } = event;
          const before = carried.get(agent);
          must(before !== undefined || (busyUntil[agent] <= step && !acted.has(agent)), "does one thing a step", event);
          must(owner[about] === agent && readyAtStart[about] && left[about] > 0, "works on what it can", event);
          const worth =
            before === undefined ? alignment[about] : Math.floor((before.worth * alignment[about]) / before.alignment);
          must(done === Math.min(left[about], worth) && done > 0, `does AF or what is left: ${worth}`, event);
          left[about] -= done;
          worked++;
          workedAlignment += alignment[about];
          acted.set(agent, about);
          if (left[about] === 0) carried.set(agent, { worth: worth - done, alignment: alignment[about] });
          else carried.delete(agent);
          occupy(agent, "work", 1);
          break;
        }
        case "send": {
          const { agent, to, type, channel, about, words } = event;
          must(busyUntil[agent] <= step && !acted.has(agent), "does one thing a step", event);
          acted.set(agent, -1);
          must(event.message === nextMessage, "is numbered in order", event);
          must(!to.includes(agent) && to.every((a) => a >= 0 && a < N), "goes to teammates", event);
          must(new Set(to).size === to.length, "goes to everybody once", event);
          nextMessage += to.length;
          sent[type]++;
          channels[channel]++;
          for (const other of to) {
            const pair = pairs.get(`${agent} ${other}`) ?? [agent, other, 0];
            pair[2]++;
            pairs.set(`${agent} ${other}`, pair);
            if (channel === "email") reading.push({ at: step, minutes: Math.ceil(words / costs.readingWords) });
          }
          const expected =
            channel === "chat"
              ? costs.chatMinutes
              : channel === "email"
                ? Math.ceil(costs.emailMinutes + words / costs.writingWords)
                : costs.agendaMinutes * Math.max(1, event.topics.length);
          must(event.minutes === expected, `costs ${expected} minutes`, event);
          minutes += expected;
          occupy(agent, type === "reply" ? "reply" : "communicate", stepsOf(expected));
          if (type === "reply") {
            const request = asked.find(({ id }) => id === event.answers);
            must(request?.isInMail === true, "answers what is in its mail", event);
            must(request!.to === agent && to.length === 1 && to[0] === request!.from, "goes to who asked", event);
            must(request!.at < step && request!.about === about, "answers an earlier step's question", event);
            must(replies.filter(({ answers }) => answers === request!.id).length < 3, "ends a thread of 3", event);
            request!.isInMail = false;
            replies.push(event);
            break;
          }
          must(!isClosed(agent, to), "begins a conversation where the gate is shut", event);
          if (type === "progress_update") break;
          must(owner[about] === agent && doneAt[about] < 0, "asks about work of its own", event);
          must(!asked.some((a) => a.from === agent && a.about === about && a.isOpen), "asks once at a time", event);
          const request = { id: event.message, from: agent, to: to[0], about, type, channel, at: step };
          asked.push({ ...request, isInMail: false, isOpen: true });
          if (type === "meeting_invite") {
            const id = event.message;
            meetings.push({ id, organiser: agent, invited: to, at: step, members: [], state: "invited", endsAt: -1 });
          }
          break;
        }
        case "meeting":
          must(acted.size === 0, "meetings move at the beginning of a step", event);
          moveMeeting(event);
          break;
        case "learn": {
          const { agent, about, from, type, before, after } = event;
          must(acted.size === 0, "understands at the beginning of a step", event);
          must(owner[about] === agent && alignment[about] === before, "learns on from what it knew", event);
          must(after >= 10 && after <= 1000, "AF stays within 0.01 and 1", event);
          alignment[about] = after;
          gains[type].count++;
          gains[type].sum += after - before;
          const met = meetings.some((m) => m.endsAt === step && m.members.includes(agent) && m.members.includes(from));
          const told = replies.some(
            (r) => r.step === step - 1 && r.agent === from && r.to[0] === agent && r.about === about,
          );
          must(type === "meeting_invite" ? met : told, "learns from what was said in the step before", event);
          break;
        }
        case "judge":
          must(acted.size === 0 && event.delta >= 0 && event.delta <= 500, "Δ is within 0 and 0.5", event);
          break;
        case "done": {
          const { agent, about } = event;
          must(owner[about] === agent && left[about] === 0 && doneAt[about] < 0, "is done once, when it is", event);
          doneAt[about] = step + 1;
          for (const request of asked)
            if (request.from === agent && request.about === about) [request.isOpen, request.isInMail] = [false, false];
          break;
        }
        case "contribute":
        case "fault":
        case "end":
          break;
      }
    }
    must(gate !== "policy" || hasDecided === (step % 4 === 0), "the policy decides every 4 steps");
    for (let agent = 0; agent < N; agent++) {
      must(busyUntil[agent] > step, `agent ${agent} does something, or is busy`);
      occupancy[busyWith[agent]][agent]++;
    }
    for (const m of meetings) {
      if (m.state === "accepted" && step >= m.at + 2)
        must(
          m.members.some((a) => !acted.has(a)),
          `meeting ${m.id} starts when all are free`,
        );
    }
    left.forEach((units, s) => {
      must((units === 0) === doneAt[s] >= 0, `subtask ${s} is done when nothing is left`);
    });
  }

  function moveMeeting(event: EventOf<"meeting">): void {
    const m = meetings.find(({ id }) => id === event.meeting)!;
    const request = asked.find(({ id }) => id === m.id)!;
    const { members, what } = event;
    switch (what) {
      case "accepted":
        must(m.state === "invited" && step === m.at + 1, "is accepted in the step after", event);
        must(members[0] === m.organiser && members.length > 1, "the organiser and somebody else", event);
        for (const a of m.invited) must(members.includes(a) === busyUntil[a] <= step, "who is free accepts", event);
        must(
          members.slice(1).every((a) => m.invited.includes(a)),
          "who was invited accepts",
          event,
        );
        [m.state, m.members] = ["accepted", members];
        break;
      case "started": {
        must(m.state === "accepted" && step >= m.at + 2, "starts two steps after at the earliest", event);
        must(doneAt[request.about] < 0, "is about what is not done", event);
        must(same(members, m.members), "is of those who accepted", event);
        must(
          members.every((a) => busyUntil[a] <= step),
          "starts when all are free",
          event,
        );
        const each = costs.meetingMinutes + costs.participantMinutes * Math.max(0, members.length - 2);
        minutes += each * members.length;
        [m.state, m.endsAt] = ["started", step + stepsOf(each)];
        for (const a of members) occupy(a, "meeting", stepsOf(each));
        break;
      }
      case "ended":
        must(m.state === "started" && step === m.endsAt, "ends when its time is over", event);
        [m.state, request.isOpen] = ["over", false];
        break;
      case "cancelled": {
        const isLate = m.state === "accepted" && step === m.at + 2 + costs.meetingPatience;
        const isRefused = m.state === "invited" && step === m.at + 1 && m.invited.every((a) => busyUntil[a] > step);
        const isMoot = m.state !== "started" && doneAt[request.about] >= 0;
        must((isLate || isRefused || isMoot) && !!event.reason, "is cancelled for a reason", event);
        [m.state, request.isOpen] = ["over", false];
      }
    }
  }

  const isFinished = doneAt.every((at) => at >= 0);
  must(isFinished || record.steps === limit, "goes on until all is done, or the limit");
  must(k === events.length - 1 && events[k].kind === "end" && events[k].step === step, "ends with its end");
  const equal = (name: string, booked: unknown, told: unknown): void =>
    must(
      same(booked, told),
      `${name} is ${JSON.stringify(booked)} by the events, ${JSON.stringify(told)} in the record`,
    );
  equal("outcome", isFinished ? "finished" : "unfinished", record.outcome);
  equal("outcome of the end", (events[k] as EventOf<"end">).outcome, record.outcome);
  equal("utility", isFinished ? 1 - step / limit : 0, record.utility);
  equal("minutes", minutes, record.communicationMinutes);
  equal("occupancy", occupancy, record.occupancy);
  for (let agent = 0; agent < N; agent++) {
    const all = Object.values(record.occupancy).reduce((sum, steps) => sum + steps[agent], 0);
    equal(`steps of agent ${agent}`, all, record.steps);
  }
  equal("sent", sent, record.sent);
  equal("channels", channels, record.channels);
  equal("gains", gains, record.gains);
  const sorted = [...pairs.values()].sort(([a, b], [c, d]) => a - c || b - d);
  equal("pairs", sorted, record.pairs);
  equal("reassigned", reassigned, record.subtasks.reassigned);
  equal("subtasks", subtasks.length, record.subtasks.count);
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  equal("final AF", mean(alignment) / 1000, record.alignment.final);
  equal("mean AF", worked === 0 ? 0 : workedAlignment / worked / 1000, record.alignment.mean);
  equal("held", meetings.filter(({ endsAt }) => endsAt >= 0).length, record.meetings.held);
  equal(
    "cancelled",
    count(events, (e) => e.kind === "meeting" && e.what === "cancelled"),
    record.meetings.cancelled,
  );
  equal(
    "faults",
    count(events, ({ kind }) => kind === "fault"),
    record.faults,
  );
  const ofTask = (task: number): number[] => [...subtasks.keys()].filter((s) => subtasks[s].task === task);
  const total = (ids: readonly number[], units: readonly number[]): number => ids.reduce((sum, s) => sum + units[s], 0);
  const efforts = subtasks.map(({ effort }) => effort);
  const tasks = [...project.tasks.keys()].map(ofTask);
  equal("effort", total([...subtasks.keys()], efforts), record.effort);
  equal(
    "done at",
    tasks.map((ids) => (ids.some((s) => doneAt[s] < 0) ? null : Math.max(...ids.map((s) => doneAt[s])))),
    record.doneAt,
  );
  equal(
    "progress",
    tasks.map((ids) => (total(ids, efforts) - total(ids, left)) / total(ids, efforts)),
    record.progress,
  );
}

const zeros = (n: number): number[] => new Array<number>(n).fill(0);
const tally = () => ({ count: 0, sum: 0 });
const count = <T>(items: readonly T[], holds: (item: T) => boolean): number => items.filter(holds).length;
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
