import { stringify } from "yaml";

/**
 * A recipe with every key at its default and a line that explains it. `test/recipe.test.ts` checks that it holds all keys
 * and nothing but defaults.
 */
export const recipeTemplate = (
  name: string,
): string => `# A recipe for \`colloquy train\`. Every key but \`name\` and \`population\` may be left out.
name: ${stringify(name).trim()}  # also names the run folder: runs/NAME-sSEED-HASH
world: deliberation-v1       # see: colloquy list environments
seed: 1                       # every random number of the run follows from it
backend: wasm                 # auto, tensorflow, wasm or cpu; results are byte-equal for a seed and a backend

team:
  agents: 6                   # N, how many are in the team
  rounds: 3                   # T; round 1 is answered alone

population:
  kind: simulated             # agents without language models; or: kind: recorded with bank: FILE.jsonl
  seed: 0                     # of the made-up questions
  roles: [mathematician, physician, lawyer, historian, engineer, economist]  # agent i has role i, around again
  embeddingDimension: 32      # numbers an utterance is seen by: simulated agents say no words
  signal: [0.79, 0.93, 0.87]  # AUC by which adversarial utterances can be told, by round; 0.5: not at all
  questionTrace: 2            # what all utterances about a question share, in deviations of the noise
  answerTrace: 1.5            # what all utterances with one answer share
  competenceTrace: 0          # a trace of how good the speaker is
  questions:                  # how many questions of each family are made
    independent: 300          # everyone can answer alone
    distributed: 0            # only the team together knows enough
  independent: {}             # what differs from these, as in { accuracy: 0.7 }
    # accuracy: 0.65          # mean accuracy of one agent
    # skillSpread: 0.4        # of the agents of a team, in probit units
    # skillOffsets: []        # added to the skill of agent 0, 1, ..., around again
    # difficultySpread: 2     # of the questions: the larger, the more agents are right and wrong together
    # roleStrength: 0.5       # what a role gains on its own topic
    # sameWrong: 0.6          # how often two wrong agents choose the same wrong option
    # ownWeight: 0.3          # weight of the answer one holds, when others are heard
    # misconceptionWeight: 0.9  # added for whoever holds the shared wrong option
    # crowdWeight: 9          # weight that the answer of a growing crowd tends to ...
    # halfVoices: 2.6         # ... half of which this many voices have
    # knowledge: 0.2          # power of one's own knowledge
    # redraw: 0.25            # chance of thinking anew when nobody is heard
    # force: { argue: 1, rebut: 1.25, babble: 0.5 }  # how much an adversary's voice counts; an honest one counts 1
  distributed: {}             # what differs from these
    # pieces: 4               # of knowledge that a question needs, spread over the team
    # copies: 2               # agents that hold each piece at first
    # accuracy: 0.95          # of one who holds all pieces
    # falsePieces: 4          # pieces an adversary falsifies in each utterance

# Live language models instead: take out the population above, and the "# " before these lines.
# population:
#   kind: llm
#   models:                   # agent i speaks with model i, around again; a name alone will do: [gpt-4o-mini]
#     - model: gpt-4o-mini    # its name on the server
#       provider: openai      # any server that speaks the OpenAI API; or scripted: a stand-in without a server
#       # baseURL: http://localhost:11434/v1  # default: OPENAI_BASE_URL, else the hosted API
#       keyVariable: OPENAI_API_KEY  # environment variable that holds the key
#       # temperature: 0.7    # left to the server unless given
#       # topP: 0.9           # the same
#       maxTokens: 1024       # of a reply, hidden reasoning included
#       structured: false     # ask for a reply in a JSON form the server holds it to
#       sendSeed: true        # send the number of the draw as seed
#       tokensParameter: auto # max_tokens or max_completion_tokens, as the server takes it; or: none
#       omit: []              # parameters the server refuses: temperature, top_p, seed, response_format
#       extra: {}             # further fields of the request, as the server names them
#   # roles: [mathematician, { name: sailor, instructions: You know the sea. }]  # default: those of the task
#   prompts: {}               # what differs of system, question, own, heard, message, closing
#   draws: null               # different replies to one prompt; null: every episode asks anew
#   messageLength: 4000       # characters of a message that its hearer is shown
#   truncatedPrompt: warn     # where a server seems to drop part of a prompt: warn or fail
# task:                       # the questions; see: colloquy list tasks
#   # name: mmlu              # a benchmark whose files are known; without it any file, read by its fields
#   file: questions.csv       # a file, or a folder of files
#   format: auto              # auto, csv, tsv, jsonl, json or parquet; gzip is seen by itself
#   header: auto              # whether a CSV file has one: auto, true or false
#   # kind: choice            # choice, number, code or text; default: what the answers look like
#   fields: {}                # names of columns or keys, where they are not the usual ones
#     # question: question    # a field, or a list of them, joined by a blank
#     # options: [A, B, C, D] # one field each, or the name of one that holds them all
#     # answer: answer        # a letter, a number or the text of an option
#     # answerBase: 0         # what the first option is called in numbers: 0 or 1
#     # id: id                # unique; made from file and line where there is none
#     # subject: subject      # a topic, kept in records
#   # parts: [test]           # of a folder's parts (train, dev, val, test) only these
#   limit: null               # at most this many questions

calls:                        # how live models are called; decides no result
  retries: 5                  # of one call
  timeoutSeconds: 120         # for a whole reply
  longestWaitSeconds: 300     # a server that asks for more ends the run, saved
  requestsPerMinute: null     # of each server; null: no limit
  tokensPerMinute: null       # the same
  prices: {}                  # US dollars per million tokens, as in { my-model: { input: 0.1, output: 0.4 } }

split:                        # by question, once, from its own seed
  train: 0.6                  # share of the questions that is trained on; the three shares add up to 1
  validation: 0.15            # share that the best weights are chosen on
  test: 0.25                  # share that is judged on
  # parts: { train: [train], validation: [dev], test: [test] }  # the benchmark's own parts instead of shares
  seed: 1                     # the same split under every seed of the run

topology:
  rule: credit                # see: colloquy list topologies
  in: 2                       # how many an agent may hear; null: no limit; [2, 1]: in round 2, and from round 3 on
  out: null                   # how many may hear an agent
  depth: null                 # levels of a round, which wait for each other; 1 means no edges
  edges: null                 # edges of a round in all, those through time included
  temporal: 0                 # how many an agent may hear through time: by what they said in an earlier round

vote:
  voters: all                 # all: credits alone decide what a voice weighs; or: participants
  rule: credit                # credit: a voice weighs its probability; or: majority, one voice each

behaviour:
  embedder: hashing           # for agents that speak in words: hashing, use-lite, transformers, endpoint or none
  # model: Xenova/all-MiniLM-L6-v2  # of transformers (a folder, or a name on the hub) or the endpoint
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
  kind: credit-gru            # credit-mlp: without memory, an ablation
  projection: 32              # size of the learned linear map of the embedding
  hidden: 32                  # H, hidden units an agent
  context: none               # team: an agent's input also holds the mean of all agents' inputs
  rank: communicate           # whose credits graphs rank agents by: the head for speaking, or decide: the vote's
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
  cost:                       # what an episode costs comes off its reward
    weight: 0                 # reward that one unit takes off
    per: calls                # the unit: calls, edges, levels or tokens (a thousand of them)
  reinforce: 1                # weight of the REINFORCE loss
  entropy: 0.01               # bonus on undecided participation at the first update; falls to 0
  learningRate: 0.003         # of Adam, at the first update
  learningRateEnd: 1          # share of it that is left at the last update
  embeddingRate: 1            # factor on it for the linear map of the embedding
  weightDecay: 0              # of weight matrices at each update (AdamW)
  clipNorm: 1                 # longer gradients are cut to this norm
  minimumQuestionShare: 0     # words heard on a smaller share of the training questions are silenced
  dropout: 0.5                # share of the embedding input that is dropped in training
  averaging: 0                # decay of the moving average of the weights that is judged; 0: none
  reuse:                      # of a batch
    epochs: 1                 # how often it is used; above 1 with clipped ratios (PPO)
    clip: 0.2                 # ratios count within 1 plus and minus this
    minimumEffectiveShare: 0.5  # below this share of effective samples it is given up
  validation:                 # on questions of their own, the same episodes each time; the best weights are kept
    every: 25                 # updates between two validations
    episodes: 400             # of one validation
    score: confidence         # what is best: confidence (the vote's share of the right answer) or accuracy
    patience: 0               # validations without a better one before training stops; 0: never

attack:                       # what training episodes are attacked with
  kind: collude               # see: colloquy list attacks
  adversaries: [0, 1, 2, 3, 4]  # how many; each episode draws one of these ...
  onsets: [first, uniform]    # ... and one of these: first, uniform, late, moving or fixed:ROUND

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
    - static-edges            # from here on rivals: trained first, each for as many calls as the policy was
    - static-edges/pruned
    - node-dropout
    - query-graph
    - dylan
    - credibility
    - detector
    - oracle
  participation: threshold    # threshold: an agent speaks where its probability is at least one half; or: sampled
  # kind: collude             # default: the kind trained on
  adversaries: [0, 2, 3, 4]   # how many; each with each onset is a cell
  onsets: [first, uniform]    # from when on
  episodes: 500               # a method, cell and seed
  seeds: [1]                  # of the episodes; more of them make intervals honest about luck
`;
