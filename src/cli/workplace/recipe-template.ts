import { stringify } from "yaml";
import { workplaceFeatureNames, workplaceStrategies } from "../../assemble/index.ts";

const listed = (names: readonly string[]): string => names.map((name) => `    - ${name}`).join("\n");

/**
 * A recipe of a workplace with every key at its default and a line that explains it. `test/workplace-recipe.test.ts` checks
 * that it holds all keys and nothing but defaults.
 */
export const workplaceTemplate = (
  name: string,
): string => `# A recipe for \`colloquy train\`. Every key but \`name\` and \`world\` may be left out.
name: ${stringify(name).trim()}  # also names the run folder: runs/NAME-sSEED-HASH
world: workplace-v1           # a manager and workers finish tasks on a clock, where talking costs time
seed: 1                       # every random number of the run follows from it
backend: wasm                 # auto, tensorflow, wasm or cpu; results are byte-equal for a seed and a backend

team:
  workers: [4, 8, 16]         # sizes of the teams that are trained with; a manager comes to each

projects:                     # the work, drawn at random
  tier: [complex]             # trained on, each equally often: simple, medium, complex
  tasks: 1                    # given to the team at once
  train: 200                  # projects that are trained on
  validation: 40              # projects that the best weights are chosen on
  test: 100                   # projects of each kind that are judged on
  seed: 1                     # they are drawn from; no project is in two of the three sets

decomposition: adaptive       # how the manager cuts tasks: adaptive, manual, naive, hierarchical or equal
reassign: true                # a worker who has nothing left takes unbegun work from the most loaded one

minds:
  kind: simulated             # members without language models
  knowledge: [0.7, 1]         # chance that a worker knows a topic it has the skill for: each draws its own
  managerKnowledge: 0.6       # the same of the manager, for all skills
  clarity: [250, 750]         # how clear a worker's answers are in a chat, in thousandths: each draws its own
  managerClarity: 600         # the same of the manager

# Live language models instead: take out the minds above, and the "# " before these lines.
# minds:
#   kind: llm
#   models:                   # agent i speaks with model i, around again; a name alone will do: [gpt-4o-mini]
#     - model: gpt-4o-mini    # its name on the server
#       provider: openai      # any server that speaks the OpenAI API; or scripted: a stand-in without a server
#       # baseURL: http://localhost:11434/v1  # default: OPENAI_BASE_URL, else the hosted API
#       keyVariable: OPENAI_API_KEY  # environment variable that holds the key
#       # temperature: 0.7    # of decisions; this unless given
#       # topP: 0.9           # left to the server unless given
#       maxTokens: 1024       # of a reply, hidden reasoning included
#       structured: false     # ask for a reply in a JSON form the server holds it to
#       sendSeed: true        # send the number of the draw as seed
#       tokensParameter: auto # max_tokens or max_completion_tokens, as the server takes it; or: none
#       omit: []              # parameters the server refuses: temperature, top_p, seed, response_format
#       extra: {}             # further fields of the request, as the server names them
#   draws: null               # different replies to one prompt; null: every episode asks anew
#   judge: overlap            # of what an answer teaches: overlap (by what it covers), or model (the first one)

costs:                        # what communication takes
  chatMinutes: 3              # minutes of writing a chat message
  emailMinutes: 9             # minutes of writing an email, its words apart
  writingWords: 40            # words an email's sender writes in a minute
  readingWords: 200           # words its receiver reads in a minute
  meetingMinutes: 30          # minutes of a meeting of two
  agendaMinutes: 5            # minutes the organiser prepares each item
  participantMinutes: 2       # minutes for everybody, for each participant beyond two
  chatWindow: 1               # steps within which a chat message is to be answered
  emailWindow: 4              # steps within which an email is to be answered
  meetingPatience: 8          # steps after which a meeting that could not start is cancelled

tiers:                        # what differs from the usual numbers of a tier, as in { hours: 24 }
  simple: {}                  # of simple tasks
  medium: {}                  # of medium ones
  complex: {}                 # of complex ones

calls:                        # how live models are called; decides no result
  retries: 5                  # of one call
  timeoutSeconds: 120         # for a whole reply
  longestWaitSeconds: 300     # a server that asks for more ends the run, saved
  requestsPerMinute: null     # of each server; null: no limit
  tokensPerMinute: null       # the same
  prices: {}                  # US dollars per million tokens, as in { my-model: { input: 0.1, output: 0.4 } }

topology:                     # budgets of who may ask whom, where the policy decides
  in: 16                      # how many an agent may ask between two decisions; null: no limit
  out: null                   # how many may ask an agent
  depth: null                 # levels of who may ask whom; 1 means nobody
  edges: null                 # pairs of who may ask whom, in all

behaviour:
  features:                   # what the policy sees of every agent
${listed([...workplaceFeatureNames])}

network:
  kind: credit-gru            # credit-mlp: without memory, an ablation
  hidden: 16                  # H, hidden units an agent
  context: none               # team: an agent's input also holds the mean of all agents' inputs
  rank: decide                # what says who may be asked: a credit of its own, or communicate: the one for talking
  initialCredit: 2            # the credit for talking that everybody begins with; 2: seven of eight are at hand
  clamp: 6                    # credits stay within plus and minus this

train:
  steps: 200                  # updates of the weights
  calls: null                 # calls of models after which training stops; null: no limit
  starts: 8                   # episode starts an update plays ...
  samples: 8                  # ... each this often
  baseline: leave-one-out     # none, moving-mean, question-mean or leave-one-out
  normalizeAdvantages: true   # divide advantages by their deviation
  cost:                       # what an episode costs comes off its reward
    weight: 0                 # reward that one unit takes off
    per: communication        # communication (share of all steps), hours (of it, by the ledger) or calls
  entropy: 0.01               # bonus on undecided participation at the first update; falls to 0
  learningRate: 0.01          # of Adam, at the first update
  learningRateEnd: 0.2        # share of it that is left at the last update
  weightDecay: 0              # of weight matrices at each update (AdamW)
  clipNorm: 1                 # longer gradients are cut to this norm
  averaging: 0                # decay of the moving average of the weights that is judged; 0: none
  reuse:                      # of a batch
    epochs: 1                 # how often it is used; above 1 with clipped ratios (PPO)
    clip: 0.2                 # ratios count within 1 plus and minus this
    minimumEffectiveShare: 0.5  # below this share of effective samples it is given up
  validation:                 # on projects of their own, the same episodes each time; the best weights are kept
    every: 20                 # updates between two validations
    episodes: 80              # of one validation
    patience: 0               # validations without a better one before training stops; 0: never

attack:                       # what training episodes are attacked with
  kind: mislead               # mislead, withhold or ignore
  adversaries: [0, 1]         # workers; each episode draws one of these ...
  onsets: [first, uniform]    # ... and one of these: first, uniform, late, moving or fixed:PERIOD (of four steps)

evaluate:
  methods:                    # see: colloquy list methods
${listed(Object.keys(workplaceStrategies))}
  workers: [4, 8, 16]         # sizes of teams, without the manager
  # tiers: [complex]          # default: those trained on
  tasks: [1]                  # given to the team at once
  # decompositions: [adaptive]  # default: the recipe's own
  # kind: mislead             # of the attack; default: the kind trained on
  adversaries: [0, 1]         # how many; each with each onset is a cell
  onsets: [first]             # from when on
  episodes: 100               # of a cell, method and seed
  seeds: [1]                  # of the episodes; more of them make intervals honest about luck
  participation: threshold    # threshold: an agent may talk where its probability is at least one half; or: sampled
`;
