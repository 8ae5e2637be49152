import { describeError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { connect } from "./connection.ts";
import { openaiClient } from "./openai.ts";
import { redact } from "./redact.ts";

/** A server to be looked at. */
export interface ProbeSettings {
  readonly baseURL?: string;
  readonly apiKey?: string;
  /** Makes one small call to it; without it only the list of models is asked for. */
  readonly model?: string;
}

/** One thing that was looked at, with what it said. */
export interface ProbeFinding {
  readonly what: string;
  readonly ok: boolean;
  readonly message: string;
}

const timeoutMs = 30_000;

/** Looks at a model server: whether it is there and takes the key, what it serves, and how a model replies. Throws nothing. */
export async function probeServer({ baseURL, apiKey, model }: ProbeSettings): Promise<ProbeFinding[]> {
  const findings = [await tell("model server", () => listModels({ baseURL, apiKey }))];
  if (model !== undefined) findings.push(await tell(`model ${model}`, () => tryModel({ baseURL, apiKey }, model)));
  return findings;
}

async function tell(what: string, look: () => Promise<string>): Promise<ProbeFinding> {
  try {
    return { what, ok: true, message: await look() };
  } catch (error) {
    return { what, ok: false, message: describeError(error) };
  }
}

async function listModels(settings: ProbeSettings): Promise<string> {
  const connection = connect({ ...settings, timeoutMs });
  const { baseURL, apiKey } = connection;
  const body = await connection.request({
    asked: { url: `${baseURL}/models`, apiKey },
    send: (client, options) => client.models.list(options),
  });
  const names = (Array.isArray(body["data"]) ? body["data"] : []).flatMap((entry: unknown) =>
    isRecord(entry) && typeof entry["id"] === "string" ? [entry["id"]] : [],
  );
  const shown = redact(names.slice(0, 8).join(", ").slice(0, 400), apiKey);
  return `${baseURL} serves ${names.length} ${names.length === 1 ? "model" : "models"}${names.length === 0 ? "" : `: ${shown}`}${names.length > 8 ? ", …" : ""}`;
}

async function tryModel(settings: ProbeSettings, model: string): Promise<string> {
  const notices: string[] = [];
  const client = openaiClient({ ...settings, timeoutMs, onNotice: (notice) => notices.push(notice) });
  const ask = () =>
    client.complete({
      model,
      messages: [{ role: "user", content: "Reply with the letter B and nothing else." }],
      maxTokens: 256,
      seed: 1,
      sample: 0,
    });
  // What a model refuses is left out the second time, as in a run.
  const reply = await ask().catch((error: unknown) => (notices.length > 0 ? ask() : Promise.reject(error)));
  const said = reply.text.trim();
  const words = said === "" ? `nothing (finish: ${reply.finish})` : JSON.stringify(said.slice(0, 60));
  const usage =
    reply.usage === null ? "tokens not counted" : `${reply.usage.prompt} + ${reply.usage.completion} tokens`;
  return [`replies ${words}, ${usage}`, ...notices].join("\n  ");
}
