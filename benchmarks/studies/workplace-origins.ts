/**
 * How a number of the table beside C2C's came about: `chosen` parameters were chosen so that it comes out, `follows` from such
 * numbers, came out by `itself`, or is `exact` arithmetic.
 */
export const origins = {
  hours: {
    came: "chosen on it",
    sentence:
      "Hours of the complex tier with 1+4 agents, without communication and under c2c: how its subtasks are linked, how many there are and how far talk can teach (`links`, `subtasks`, `ceiling`) were chosen on them.",
  },
  alignment: {
    came: "chosen on it",
    sentence:
      "Final alignment of the medium and the complex tier with 1+4 agents: how far talk can teach and how often gaps are noticed (`ceiling`, `ceilingUnskilled`, `gaps`) were chosen on it.",
  },
  mix: {
    came: "chosen on it",
    sentence:
      "Message mix of the three tiers with 1+4 agents: how often requirements are unclear and gaps are shared (`unclear`, `gaps`, `deep`, `shared`) were chosen on it.",
  },
  gains: {
    came: "chosen on it",
    sentence: "Mean gains of AF by type: the judge's factors were chosen on them.",
  },
  medium: {
    came: "chosen on it",
    sentence:
      "Hours of the medium tier with 1+8 agents, for one task and for two at once: its links, gaps, and how its subtasks grow with the team (`links`, `gaps`, `growth`) were chosen on them. C2C does not say the tier of its table of team sizes; medium is our reading.",
  },
  follows: {
    came: "follows from what was chosen",
    sentence: "Ratios and orders of numbers that parameters were chosen on: they hold where those do.",
  },
  closed: {
    came: "closed form",
    sentence:
      "Closed form: one equal share a worker and nothing that waits takes E / (0.3 · W) hours, rounded up to a step. Nothing was chosen; 33.50 h alone is published, the others follow from it.",
  },
  rule: {
    came: "a rule of the world",
    sentence: "A rule of the world: only replies and meetings raise AF, so an update raises it by 0.",
  },
  itself: {
    came: "by itself",
    sentence: "Everything else: no parameter was chosen on it.",
  },
} as const;

export type Origin = keyof typeof origins;
