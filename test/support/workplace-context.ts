import { createRng } from "../../src/base/rng.ts";
import type { Message } from "../../src/contracts/workplace/message.ts";
import type { MindContext, SubtaskView, Teammate } from "../../src/contracts/workplace/mind.ts";

/** A subtask of an agent's own: ready, one topic of two not understood. */
export const subtaskView = (changes: Partial<SubtaskView> = {}): SubtaskView => ({
  id: 3,
  title: "security of the account store: token rotation, password hashing",
  skills: ["security"],
  topics: ["token rotation of the account store", "password hashing of the account store"],
  effort: 10_000,
  left: 8000,
  alignment: 300,
  ceiling: 550,
  isReady: true,
  isUnclear: false,
  gap: ["token rotation of the account store"],
  tried: [],
  sharers: [],
  linked: [2],
  ...changes,
});

/** A request for help from agent 2. */
export const requestMessage = (changes: Partial<Message> = {}): Message => ({
  id: 17,
  type: "help_request",
  channel: "chat",
  from: 2,
  to: 1,
  about: 5,
  topics: ["index choice of the account store"],
  sentAt: 3,
  thread: 17,
  depth: 0,
  words: 8,
  text: "Which indexes does the account store need?",
  ...changes,
});

const teammate = (agent: number): Teammate => ({
  agent,
  member: { name: agent === 0 ? "manager" : `worker ${agent}`, skills: ["security", "database"] },
  isManager: agent === 0,
  isFree: agent !== 2,
  rate: agent === 0 ? 0 : 300,
  unanswered: agent === 2 ? 1 : 0,
  answers: 0,
  gained: 0,
});

/** Agent 1 of a team of four in step 4 of 32, with one subtask and one request; it may turn to agents 0 and 2, not to 3. */
export function mindContext(changes: Partial<MindContext> = {}): MindContext {
  return {
    agent: 1,
    member: { name: "worker 1", skills: ["security", "testing"] },
    isManager: false,
    tier: "simple",
    step: 4,
    limit: 32,
    subtasks: [subtaskView()],
    milestone: null,
    inbox: [requestMessage()],
    dueOf: ({ sentAt }) => sentAt + 1,
    open: [],
    teammatesFor: () => [teammate(0), teammate(2), teammate(3)],
    teammate,
    matchOf: (agent) => (agent === 2 ? 500 : 1000),
    manner: "weigh",
    isAtHand: false,
    mayAsk: true,
    mayAskAgent: (agent) => agent !== 3,
    rng: createRng(7).fork("agent", 1, 4),
    ...changes,
  };
}
