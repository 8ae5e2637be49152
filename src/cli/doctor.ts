import { diagnose } from "../assemble/index.ts";
import { systemClock } from "../base/clock.ts";
import { processEnvironment } from "../base/env.ts";
import { createOutput } from "./output.ts";

/** `colloquy doctor`: 0 where training can run here and a model that was named replies, else 1. */
export async function doctorCommand(options: { readonly model?: string; readonly json?: boolean }): Promise<number> {
  const output = createOutput(options.json ?? false, systemClock);
  const findings = await diagnose(processEnvironment(), options.model);
  for (const { what, ok, message } of findings) output.print(`${ok ? "ok  " : "no  "} ${what.padEnd(20)} ${message}`);
  const canTrain = findings.some(({ what, ok }) => what.startsWith("backend") && ok);
  const replies =
    options.model === undefined || findings.some(({ what, ok }) => what === `model ${options.model}` && ok);
  output.print(canTrain ? "Training works here." : "No TensorFlow backend works here; exported policies still run.");
  output.json({ findings, canTrain });
  if (!replies) output.print(`The model ${options.model} does not reply.`);
  return canTrain && replies ? 0 : 1;
}
