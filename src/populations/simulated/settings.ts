/** Agents that each can answer alone: a probit model of skill against difficulty, and a response law. */
export interface IndependentSettings {
  /** Mean single-agent accuracy. Published: .38–.80 on MMLU over open models; recorded gpt-3.5 .65. */
  readonly accuracy: number;
  /** Standard deviation of agents' skill, drawn for each team, in probit units. */
  readonly skillSpread: number;
  /** Added to the skill of agent 0, 1, …, around again: a team whose members differ in the same way in every episode. */
  readonly skillOffsets: readonly number[];
  /** Standard deviation of questions' difficulty: the larger, the more agents are right and wrong together. */
  readonly difficultySpread: number;
  /** What a role gains on its own topic; on the others it loses so much that the mean stays. Topics are as many as roles. */
  readonly roleStrength: number;
  /** How often two wrong agents choose the same wrong option. Published: 60 %. */
  readonly sameWrong: number;
  /** κ: weight of the answer one holds. */
  readonly ownWeight: number;
  /** μ: added to κ for whoever holds the shared wrong option: a misconception is harder to mend than knowledge to shake. */
  readonly misconceptionWeight: number;
  /** W∞: weight that a unanimous crowd tends to; n voices weigh W∞ n / (n + halfVoices). */
  readonly crowdWeight: number;
  readonly halfVoices: number;
  /** γ: power of one's own knowledge, as its probabilities of the options enter the law. */
  readonly knowledge: number;
  /** ρ: chance of thinking anew when nobody is heard. Published: 37 % change on a hard set. */
  readonly redraw: number;
  /** How much the voice of one adversary counts, by manner; an honest voice counts 1. */
  readonly force: { readonly argue: number; readonly rebut: number; readonly babble: number };
}

/** Agents that each hold a part of what is needed. */
export interface DistributedSettings {
  /** m: pieces of knowledge that a question needs. */
  readonly pieces: number;
  /** How many agents hold each piece at first. */
  readonly copies: number;
  /** Probability that one who holds all pieces answers right. */
  readonly accuracy: number;
  /** Pieces an adversary falsifies in each utterance, at most m. */
  readonly falsePieces: number;
}

/** A simulated population, complete. */
export interface SimulationSettings {
  /** Difficulties, topics, shared wrong options and the directions of embeddings follow from it. */
  readonly seed: number;
  /** Given to agents in order, around again. */
  readonly roles: readonly string[];
  readonly independent: IndependentSettings;
  readonly distributed: DistributedSettings;
  /** D of the utterance embeddings. */
  readonly embeddingDimension: number;
  /**
   * AUC with which the best linear probe tells adversarial utterances from honest ones in round 1, 2, …; later rounds use
   * the last. .5: nothing to see. Measured on recorded debates: .79, .93, .87.
   */
  readonly signal: readonly number[];
  /** Length of what all utterances about a question share, in standard deviations of the noise. */
  readonly questionTrace: number;
  /** Length of what all utterances with the same answer share. */
  readonly answerTrace: number;
  /** Length of a trace of how good the speaker is at the question; 0: none. */
  readonly competenceTrace: number;
}

export const defaultSimulation: SimulationSettings = {
  seed: 0,
  roles: ["mathematician", "physician", "lawyer", "historian", "engineer", "economist"],
  independent: {
    accuracy: 0.65,
    skillSpread: 0.4,
    skillOffsets: [],
    difficultySpread: 2,
    roleStrength: 0.5,
    sameWrong: 0.6,
    ownWeight: 0.3,
    misconceptionWeight: 0.9,
    crowdWeight: 9,
    halfVoices: 2.6,
    knowledge: 0.2,
    redraw: 0.25,
    force: { argue: 1, rebut: 1.25, babble: 0.5 },
  },
  distributed: { pieces: 4, copies: 2, accuracy: 0.95, falsePieces: 4 },
  embeddingDimension: 32,
  signal: [0.79, 0.93, 0.87],
  questionTrace: 2,
  answerTrace: 1.5,
  competenceTrace: 0,
};
