/**
 * A recipe with every key at its default and a line that explains it. `test/recipe.test.ts` checks that it holds all keys
 * and nothing but defaults.
 */
export const recipeTemplate = (
  name: string,
): string => `# A recipe for \`colloquy train\`. Every key but \`name\` and \`population\` may be left out.
name: ${name}
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
  independent: {}             # settings of this family of questions that differ from the defaults
  distributed: {}
  questions: { independent: 300, distributed: 0 }

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
  heads: two                  # two: one for speaking, one for the vote; or: shared
  clamp: 6                    # credits stay within plus and minus this

train:
  steps: 300                  # updates of the weights
  warmStartSteps: 0           # updates on the decision loss over round-1 answers, before the others
  starts: 16                  # episode starts an update plays ...
  samples: 4                  # ... each this often; the runs of one start share calls
  baseline: leave-one-out     # none, moving-mean, question-mean or leave-one-out
  normalizeAdvantages: false  # dividing by the deviation turns all-right groups into pure pruning
  decisionLoss: 1             # weight of the soft vote's cross-entropy
  reinforce: 1                # weight of the REINFORCE loss
  entropy: 0.01               # bonus at the first update; falls to 0
  learningRate: 0.003
  weightDecay: 0
  clipNorm: 1
  minimumQuestions: 0         # words heard on fewer training questions are silenced
  dropout: 0.5                # on the embedding input
  averaging: 0                # decay of the moving average of the weights that is judged; 0: none
  reuse: { epochs: 1, clip: 0.2, minimumEffectiveShare: 0.5 }  # above 1 epoch: clipped ratios (PPO)
  validation: { every: 25, episodes: 400, patience: 0 }        # patience 0: never stops early

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
  # kind: collude             # default: the kind trained on
  adversaries: [0, 2, 3, 4]
  onsets: [first, uniform]
  episodes: 500               # a method, cell and seed
  seeds: [1]
`;
