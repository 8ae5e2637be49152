#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { ColloquyError } from "../base/errors.ts";
import { describeFailure } from "./output.ts";
import { packageVersion } from "./provenance.ts";

/*
 * The table of commands. Each loads its own code when it is run, so that help is quick and TensorFlow is read only by
 * commands that need it. Exit codes: 0 ok, 1 failed or incomplete, 2 wrong usage, 130 interrupted after saving.
 */

const program = new Command("colloquy")
  .description(
    "Learns who should speak to whom in a team of language-model agents, and keeps the team right under attack.",
  )
  .version(packageVersion())
  .showSuggestionAfterError()
  .exitOverride();

const json = ["--json", "print the result as JSON"] as const;
const concurrency = ["--concurrency <n>", "episodes, and calls of live models, at a time", positive, 16] as const;

/** What may be said of live models: what they may cost, and what it would be. */
const live = (command: Command): Command =>
  command
    .option("--dry-run", "say what the calls may cost, between which bounds, and stop")
    .option("--pilot", "make 20 calls, say what all would cost, and stop")
    .option("--max-calls <n>", "stop, saved, after this many calls of live models", positive)
    .option("--max-tokens <n>", "stop, saved, after this many tokens", positive)
    .option("--max-cost <dollars>", "stop, saved, once this much is spent", dollars)
    .option("--allow-code", "run programs that models wrote, to judge them: no security boundary");

program
  .command("demo")
  .description("train a policy offline on simulated agents and judge it under attack, in under a minute")
  .option("--out <dir>", "where the files go", "runs/demo")
  .option("--fresh", "start over")
  .option(...json)
  .action(async (options) => exit(await (await import("./demo.ts")).demo(options)));

live(program.command("train"))
  .argument("<recipe>", "a .yaml, .json or .js file, or the name of a recipe that comes with the package")
  .description("train a policy; the same command again goes on where it stopped")
  .option("--set <key=value>", "change a key of the recipe, by dotted path", collect, [])
  .option("--out <dir>", "the run folder")
  .option("--fresh", "start over in a run folder that is in the way")
  .option(...concurrency)
  .option(...json)
  .action(async (recipe, options) => exit(await (await import("./train.ts")).trainCommand(recipe, options)));

live(program.command("evaluate"))
  .argument("<checkpoint|recipe>", "a checkpoint, an exported policy, a run folder, or a recipe that has been trained")
  .description("judge a policy against every method under attack, on questions it never saw")
  .option("--methods <names>", "comma-separated; see `colloquy list methods`", list)
  .option("--attack-rates <rates>", "comma-separated shares of adversaries, for example 0,0.33,0.5,0.67", numbers)
  .option("--attack <kind>", "kind of attack")
  .option("--onset <kinds>", "comma-separated onset schedules", list)
  .option("--agents <n>", "team size", positive)
  .option("--rounds <n>", "rounds of speaking", positive)
  .option("--budget <limits>", "for example in=2,out=3,depth=2", list)
  .option("--limit <n>", "at most this many questions", positive)
  .option("--episodes <n>", "episodes a method, cell and seed", positive)
  .option("--seeds <seeds>", "comma-separated", numbers)
  .option("--set <key=value>", "change a key of the recipe it was trained with, by dotted path", collect, [])
  .option("--allow-overlap", "judge on questions it was trained on, too")
  .option("--out <dir>", "where the results go")
  .option(...concurrency)
  .option(...json)
  .action(async (source, options) => exit(await (await import("./evaluate.ts")).evaluateCommand(source, options)));

program
  .command("report")
  .argument("<run>", "the folder of a run, an evaluation or a study; it may still be written")
  .description("write report.html there: one file with the figures, the tables and the episodes")
  .option("--open", "show it in the browser")
  .option(...json)
  .action(async (run, options) => exit(await (await import("./report.ts")).reportCommand(run, options)));

program
  .command("watch")
  .argument("<run>", "a run folder")
  .description("follow a run in the browser as it goes, on this machine alone")
  .option("--port <n>", "of the page; default: any that is free", positive)
  .option(...json)
  .action(async (run, options) => exit(await (await import("./watch.ts")).watchCommand(run, options)));

live(program.command("run"))
  .argument("<policy>", "an exported policy, a checkpoint, a run folder, or a recipe that has been trained")
  .description("let a live team answer questions under a policy, and show what each agent says and whom it heard")
  .option("--question <text>", "the question")
  .option("--options <texts>", 'its options, as in "Paris|Rome|Oslo"; without them the answer is open', options)
  .addOption(
    new Option(
      "--kind <kind>",
      "of the answers; default: choice with options, else as a file's answers look, or words",
    ).choices(["choice", "number", "text"]),
  )
  .option("--questions <file>", "a file of questions instead: CSV, JSON, JSON lines or Parquet")
  .option("--limit <n>", "at most this many of them", positive)
  .option("--model <name>", "who speaks; several times for a mixed team", collectNames)
  .option("--agents <n>", "team size; default: as trained", positive)
  .option("--rounds <n>", "rounds of speaking; default: as trained", positive)
  .option("--adversaries <n>", "turn so many agents against the team", whole, 0)
  .option("--seed <n>", "of everything that is drawn", whole)
  .option("--set <key=value>", "change a key of the recipe it was trained with, by dotted path", collect, [])
  .option(...concurrency)
  .option(...json)
  .action(async (policy, options) => exit(await (await import("./run.ts")).runCommand(policy, options)));

live(program.command("record"))
  .argument("<recipe>", "a recipe with live models")
  .description("record debates of live models as a behaviour bank, so that training can go on without them")
  .requiredOption("--out <bank.jsonl>", "the bank")
  .option("--debates <n>", "of each question; default: one under each number of adversaries in the recipe", positive)
  .option("--limit <n>", "at most this many questions", positive)
  .option("--set <key=value>", "change a key of the recipe, by dotted path", collect, [])
  .option(...concurrency)
  .option(...json)
  .action(async (recipe, options) => exit(await (await import("./record.ts")).recordCommand(recipe, options)));

program
  .command("export")
  .argument("<checkpoint>", "a checkpoint or a run folder")
  .description("write a policy folder for the runtime, checked by loading it")
  .requiredOption("--out <dir>", "the policy folder")
  .option("--format <format>", "safetensors", "safetensors")
  .option(...json)
  .action(async (checkpoint, options) => exit(await (await import("./export.ts")).exportCommand(checkpoint, options)));

program
  .command("import")
  .argument("<format>", "see `colloquy list formats`")
  .argument("<path>", "a folder of recorded debates")
  .description("turn recorded debates into a behaviour bank")
  .requiredOption("--out <bank.jsonl>", "the bank")
  .option("--questions <dir>", "the benchmark the recording leaves its questions to")
  .option("--map <file>", "which question each recorded line is about")
  .option(...json)
  .action(async (format, path, options) =>
    exit(await (await import("./import.ts")).importCommand(format, path, options)),
  );

program
  .command("fit")
  .argument("<bank>", "a behaviour bank")
  .description("fit the response law of recorded agents and show how well it replays the recording")
  .option(...json)
  .action(async (bank, options) => exit(await (await import("./fit.ts")).fitCommand(bank, options)));

program
  .command("list")
  .argument("[what]", "tasks, attacks, topologies, methods, environments, populations, formats, …")
  .description("show what can be named in a recipe or a command")
  .option(...json)
  .action(async (what, options) => exit(await (await import("./list.ts")).listCommand(what, options)));

program
  .command("init")
  .argument("[name]", "name of the recipe", "my-recipe")
  .description("write a recipe with every key explained")
  .option("--world <name>", "see `colloquy list environments`", "deliberation-v1")
  .option("--force", "replace an existing file")
  .action(async (name, options) => exit(await (await import("./init.ts")).initCommand(name, options)));

program
  .command("doctor")
  .description("look at what this machine can do, and whether the model server answers")
  .option("--model <name>", "also make one small call to this model")
  .option(...json)
  .action(async (options) => exit(await (await import("./doctor.ts")).doctorCommand(options)));

function exit(code: number): void {
  process.exitCode = code;
}

function collect(value: string, previous: string[]): string[] {
  return [...previous, value];
}

function collectNames(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

/** Separated by bars, since options hold commas. */
function options(value: string): string[] {
  const items = value.split("|").map((item) => item.trim());
  if (items.some((item) => item === "")) throw new InvalidArgumentError("An empty option stands in the list.");
  return items;
}

function list(value: string): string[] {
  const items = value.split(",").map((item) => item.trim());
  if (items.some((item) => item === "")) throw new InvalidArgumentError("An empty name stands in the list.");
  return items;
}

function numbers(value: string): number[] {
  return list(value).map((item) => {
    const number = Number(item);
    if (!Number.isFinite(number)) throw new InvalidArgumentError(`"${item}" is not a number.`);
    return number;
  });
}

function dollars(value: string): number {
  const number = Number(value);
  if (!(number >= 0 && Number.isFinite(number))) throw new InvalidArgumentError("It must be an amount of at least 0.");
  return number;
}

function whole(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number))
    throw new InvalidArgumentError("It must be a whole number of at least 0.");
  return number;
}

function positive(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError("It must be a whole number of at least 1.");
  return number;
}

// Whoever reads may stop early (`| head`): what is left to say goes nowhere, and the work is finished all the same.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

/** Errors that a different command line would avoid. */
const usageCodes = /^(?:recipe|usage|list)\/|^(?:evaluate\/sweep|attack\/rate|code\/not-allowed)$/;

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = error instanceof ColloquyError && usageCodes.test(error.code) ? 2 : 1;
  }
}
