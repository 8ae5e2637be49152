/** A chat completion as the API words it; faults bend it. */
export type Completion = {
  choices: {
    index: number;
    message: { role: "assistant"; content: unknown; [field: string]: unknown };
    finish_reason: string | null;
  }[];
  usage?: Record<string, unknown>;
  [field: string]: unknown;
};

/** What goes wrong with one request. */
export type Fault =
  /** Something else is answered; a text is sent as it is. */
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body: unknown;
    }
  /** The right reply, changed: the work was done and counts. */
  | { readonly kind: "change"; readonly change: (completion: Completion) => unknown }
  /** Status 200 and the beginning of a body, then nothing. */
  | { readonly kind: "stall" }
  /** Status 200 and half a body, then the connection is closed. */
  | { readonly kind: "cut" }
  /** The connection is closed before any answer. */
  | { readonly kind: "reset" }
  /** The right reply, later. */
  | { readonly kind: "slow"; readonly ms: number };

/** A refusal in OpenAI's words. */
export const refuse = (
  status: number,
  error: { message?: string; code?: string | number; type?: string; param?: string },
  headers?: Record<string, string>,
): Fault => ({ kind: "answer", status, headers, body: { error } });

const change = (bend: (message: Completion["choices"][0]["message"], completion: Completion) => void): Fault => ({
  kind: "change",
  change: (completion) => {
    bend(completion.choices[0].message, completion);
    return completion;
  },
});

export const rateLimit = (headers?: Record<string, string>): Fault =>
  refuse(429, { message: "Rate limit reached for requests", type: "requests", code: "rate_limit_exceeded" }, headers);

export const unsupported = (param: string): Fault =>
  refuse(400, {
    message: `Unsupported parameter: '${param}' is not supported with this model.`,
    type: "invalid_request_error",
    param,
    code: "unsupported_parameter",
  });

/** Faults that need no argument, by name. Those under `passing` can be got over by asking again. */
export const passing = {
  "429": rateLimit(),
  "429 retry-after-ms": rateLimit({ "retry-after-ms": "15" }),
  "429 retry-after": rateLimit({ "retry-after": "0.02" }),
  "429 date": rateLimit({ "retry-after": "Thu, 01 Jan 2015 00:00:00 GMT" }),
  "429 reset": rateLimit({ "x-ratelimit-reset-requests": "20ms" }),
  "500": refuse(500, { message: "The server had an error", type: "server_error" }),
  "503": { kind: "answer", status: 503, body: "<html><body><h1>503 Service Unavailable</h1></body></html>" },
  "529": refuse(529, { message: "Overloaded", type: "overloaded_error" }),
  "408": refuse(408, { message: "Request timed out" }),
  stall: { kind: "stall" },
  cut: { kind: "cut" },
  reset: { kind: "reset" },
  "truncated JSON": { kind: "change", change: (completion) => JSON.stringify(completion).slice(0, 150) },
  "page instead of JSON": { kind: "answer", status: 200, body: "<!doctype html><title>Welcome</title>" },
  "200 with an error": refuse(200, { message: "rate limit exceeded" }),
  "200 with a coded error": refuse(200, { message: "Provider returned error", code: 502 }),
  "choices null": { kind: "answer", status: 200, body: { choices: null } },
  "choices empty": { kind: "answer", status: 200, body: { id: "x", choices: [] } },
  "choice with an error": {
    kind: "answer",
    status: 200,
    body: {
      choices: [{ error: { code: 502, message: "upstream" }, finish_reason: "error", message: { content: "" } }],
    },
  },
} as const satisfies Record<string, Fault>;

/** Faults that stay. */
export const lasting = {
  quota: refuse(429, {
    message: "You exceeded your current quota, please check your plan and billing details.",
    type: "insufficient_quota",
    code: "insufficient_quota",
  }),
  unauthorized: refuse(401, { message: "Incorrect API key provided.", code: "invalid_api_key" }),
  forbidden: refuse(403, { message: "You may not use this model." }),
  "not found": refuse(404, { message: "The model does not exist", code: "model_not_found" }),
  "too long": refuse(400, {
    message: "This model's maximum context length is 4096 tokens, max_tokens included.",
    param: "messages",
    code: "context_length_exceeded",
  }),
} as const satisfies Record<string, Fault>;

/** Odd replies: whole, and to be read for what they say. */
export const odd = {
  "no usage": change((_, completion) => delete completion.usage),
  "prompt_tokens 0": change((_, completion) => Object.assign(completion.usage!, { prompt_tokens: 0 })),
  "null content": change((message) => {
    message.content = null;
  }),
  "reasoning apart": change((message) => {
    message.reasoning_content = "Hidden thoughts, Answer: (Z)";
  }),
  "only reasoning": change((message, completion) => {
    Object.assign(message, { content: null, reasoning_content: "…so B" });
    completion.choices[0].finish_reason = "length";
  }),
  "unclosed think": change((message, completion) => {
    message.content = `<think>Perhaps Answer: (Z). ${message.content}`;
    completion.choices[0].finish_reason = "length";
  }),
  refusal: change((message) => Object.assign(message, { content: null, refusal: "I cannot help with that." })),
  filtered: change((_, completion) => {
    completion.choices[0].finish_reason = "content_filter";
  }),
} as const satisfies Record<string, Fault>;

/** All of the above. */
export const faults: Readonly<Record<string, Fault>> = { ...passing, ...lasting, ...odd };
