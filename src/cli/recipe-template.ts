import { stringify } from "yaml";

/**
 * A recipe with every key at its default and a line that explains it. `test/recipe.test.ts` checks that it holds all keys
 * and nothing but defaults.
 */
export const recipeTemplate = (
  name: string,
): string => `# A recipe for \`colloquy train\`. Every key but \`name\` and \`population\` may be left out.
name: ${stringify(name).trim()}
world: deliberation-v1
seed: 1                       # every random number of the run follows from it
backend: wasm                 # auto, tensorflow, wasm or cpu; results are byte-equal for a seed and a backend

team:
  agents: 6                   # N
  rounds: 3                   # T; round 1 is answered alone

population:
  kind: simulated             # agents without language models; or: kind: recorded with bank: FILE.jsonl
  seed: 0
  roles: [mathematician, physician, lawyer, historian, engineer, economist]
  embeddingDimension: 32
  signal: [0.79, 0.93, 0.87]  # AUC by which adversarial utterances can be told, by round; 0.5: not at all
  questionTrace: 2            # what all utterances about a question share, in deviations of the noise
  answerTrace: 1.5            # what all utterances with one answer share
  competenceTrace: 0          # a trace of how good the speaker is
  questions: { independent: 300, distributed: 0 }  # how many of each family
  independent: {}             # what differs from these, as in { accuracy: 0.7 }; everyone can answer alone
    # accuracy: 0.65          # mean accuracy of one agent
    # skillSpread: 0.4        # of the agents of a team, in probit units
    # skillOffsets: []        # added to the skill of agent 0, 1, ..., around again
    # difficultySpread: 2     # of the questions: the larger, the more agents are right and wrong together
    # roleStrength: 0.5       # what a role gains on its own topic
    # sameWrong: 0.6          # how often two wrong agents choose the same wrong option
    # ownWeight: 0.3          # weight of the answer one holds, when others are heard
    # misconceptionWeight: 0.9  # added for whoever holds the shared wrong option
    # crowdWeight: 9          # weight that a unanimous crowd tends to ...
    # halfVoices: 2.6         # ... half of which this many voices have
    # knowledge: 0.2          # power of one's own knowledge
    # redraw: 0.25            # chance of thinking anew when nobody is heard
    # force: { argue: 1, rebut: 1.25, babble: 0.5 }  # how much an adversary's voice counts; an honest one counts 1
  distributed: {}             # what differs from these; a question needs pieces of knowledge that the team shares
    # pieces: 4               # that a question needs
    # copies: 2               # agents that hold each piece at first
    # accuracy: 0.95          # of one who holds all pieces
    # falsePieces: 4          # pieces an adversary falsifies in each utterance

split:                        # by question, once, from its own seed
  train: 0.6
  validation: 0.15
  test: 0.25
  seed: 1

topology:
  rule: credit                # see: colloquy list topologies
  in: 2                       # how many an agent may hear; null: no limit
  out: null                   # how many may hear an agent
  depth: null                 # levels of a round; 1 means no edges

vote:
  voters: all                 # all: credits alone decide what a voice weighs; or: participants
  rule: credit                # credit or majority

behaviour:
  embedder: hashing           # for agents that speak in words: hashing, use-lite or none
  dimension: 2048             # of the hashing embedder
  units: words                # what it hashes: words, or pairs (words and pairs of neighbouring words)
  features:                   # what the policy sees beside the embedding
    - sameAnswerShare
    - heardSameShare
    - changedAnswer
    - cosineHeard
    - cosineSelf
    - unparsed
    - heardAnyone
    - heardShare
    - spoke
    - round2
    - round3
    - round4
    - round5+

network:
  projection: 32              # size of the learned linear map of the embedding
  hidden: 32                  # H of the GRU
  context: none               # team: an agent's input also holds the mean of all agents' inputs
  heads: two                  # two: one for speaking, one for the vote; or: shared
  clamp: 6                    # credits stay within plus and minus this

train:
  steps: 300                  # updates of the weights
  warmStartSteps: 0           # updates on the decision loss over round-1 answers, before the others
  calls: null                 # agent calls after which training stops; null: no limit
  starts: 16                  # episode starts an update plays ...
  samples: 4                  # ... each this often; the runs of one start share calls
  baseline: leave-one-out     # none, moving-mean, question-mean or leave-one-out
  normalizeAdvantages: false  # dividing by the deviation turns all-right groups into pure pruning
  decisionLoss: 1             # weight of the soft vote's cross-entropy
  reward: right               # right: 1 for the right answer; soft: the vote's share of it
  reinforce: 1                # weight of the REINFORCE loss
  entropy: 0.01               # bonus at the first update; falls to 0
  learningRate: 0.003
  learningRateEnd: 1          # share of it that is left at the last update
  embeddingRate: 1            # factor on it for the linear map of the embedding
  weightDecay: 0
  clipNorm: 1
  minimumQuestionShare: 0     # words heard on a smaller share of the training questions are silenced
  dropout: 0.5                # on the embedding input
  averaging: 0                # decay of the moving average of the weights that is judged; 0: none
  reuse: { epochs: 1, clip: 0.2, minimumEffectiveShare: 0.5 }  # above 1 epoch: clipped ratios (PPO)
  validation:                 # on questions of their own, the same episodes each time; the best weights are kept
    every: 25                 # updates
    episodes: 400
    score: confidence         # what is best: confidence (the vote's share of the right answer) or accuracy
    patience: 0               # validations without a better one before training stops; 0: never

attack:                       # what training episodes are attacked with
  kind: collude               # see: colloquy list attacks
  adversaries: [0, 1, 2, 3, 4]
  onsets: [first, uniform]    # first, uniform, late, moving or fixed:ROUND

evaluate:
  methods:                    # see: colloquy list methods
    - learned
    - untrained
    - single
    - vote-first
    - self-consistency
    - chain
    - star
    - tree
    - layered
    - random
    - complete
    - answer-flip
    - learned-vote
    - learned/random-order
    - oracle
  participation: threshold    # threshold: an agent speaks where its probability is at least one half; or: sampled
  # kind: collude             # default: the kind trained on
  adversaries: [0, 2, 3, 4]
  onsets: [first, uniform]
  episodes: 500               # a method, cell and seed
  seeds: [1]
`;
