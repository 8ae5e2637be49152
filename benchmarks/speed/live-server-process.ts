import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRng } from "../../src/base/rng.ts";

/*
 * A chat server that answers each request after a while, run as a process of its own so that it takes no time from the
 * client that is measured: `node live-server-process.mjs LATENCY_MS`. It prints its base URL.
 */

const latencyMs = Number(process.argv[2]);
const rng = createRng("live server");

const words = "the of and that this which claim option because check first second rules out follows keeps stands fails"
  .split(" ")
  .concat(Array.from({ length: 400 }, (_, k) => `word${k.toString(36)}`));

/** Replies of about 150 words that end in a letter. */
const replies = Array.from({ length: 500 }, () => {
  const sentence = (): string => `${Array.from({ length: 15 }, () => rng.pick(words)).join(" ")}.`;
  const text = `${Array.from({ length: 10 }, sentence).join("\n")}\nANSWER: ${rng.pick(["A", "B", "C", "D"])}`;
  return Buffer.from(
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1_700_000_000,
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
      usage: { prompt_tokens: 600, completion_tokens: 220, total_tokens: 820 },
    }),
  );
});

let asked = 0;
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    const body = replies[asked++ % replies.length];
    setTimeout(() => {
      response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
      response.end(body);
    }, latencyMs);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", 4096, () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`);
});
