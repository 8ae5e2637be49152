// benchmarks/speed/live-server-process.ts
import { createServer } from "node:http";

// src/base/rng.ts
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";

// src/base/fnv.ts
function hash32(text, seed = 0) {
  let h = (2166136261 ^ seed) >>> 0;
  for (let i = 0; i < text.length; i++) {
    h ^= text.charCodeAt(i);
    h = Math.imul(h, 16777619);
  }
  return mix32(h);
}
function mix32(value) {
  let h = value | 0;
  h ^= h >>> 16;
  h = Math.imul(h, 2246822507);
  h ^= h >>> 13;
  h = Math.imul(h, 3266489909);
  h ^= h >>> 16;
  return h >>> 0;
}

// src/base/rng.ts
function createRng(seed) {
  if (typeof seed === "string") return stream(hash32(seed, 1), hash32(seed, 2));
  if (!Number.isInteger(seed)) throw new RangeError(`a seed is an integer or a text, got ${seed}`);
  return stream(mix32(seed | 0), mix32(Math.floor(seed / 4294967296) ^ 2654435769));
}
function hashName(part) {
  if (typeof part === "string") return hash32(part, 3);
  return part === (part | 0) ? mix32(part) ^ 1540483477 : hash32(String(part), 4);
}
function stream(a, b) {
  let generator;
  const next = () => {
    generator ??= xoroshiro128plusFromState([a | 1, mix32(a ^ b) | 0, b | 0, mix32(b + 1831565813) | 0]);
    return generator.next() >>> 0;
  };
  const uniform = () => ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;
  const integer = (n) => {
    if (!(Number.isInteger(n) && n > 0)) throw new RangeError(`integer(n) needs a positive integer, got ${n}`);
    return Math.floor(uniform() * n);
  };
  return {
    fork(...parts) {
      let x = a;
      let y = b;
      for (const part of parts) {
        const p = hashName(part);
        x = mix32(x ^ p);
        y = mix32(y + Math.imul(p, 2654435761) ^ x);
      }
      return stream(x, mix32(y + 2135587861));
    },
    uniform,
    integer,
    normal() {
      return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
    },
    pick(items) {
      if (items.length === 0) throw new RangeError("pick from an empty list");
      return items[integer(items.length)];
    },
    weighted(weights) {
      let total = 0;
      for (let i = 0; i < weights.length; i++) total += weights[i];
      if (!(total > 0)) return integer(weights.length);
      let left = uniform() * total;
      for (let i = 0; i < weights.length; i++) {
        left -= weights[i];
        if (left < 0) return i;
      }
      return lastPositive(weights);
    },
    shuffle(items) {
      const result = items.slice();
      for (let i = result.length - 1; i > 0; i--) {
        const j = integer(i + 1);
        [result[i], result[j]] = [result[j], result[i]];
      }
      return result;
    }
  };
}
function lastPositive(weights) {
  for (let i = weights.length - 1; i >= 0; i--) if (weights[i] > 0) return i;
  return 0;
}

// benchmarks/speed/live-server-process.ts
var latencyMs = Number(process.argv[2]);
var rng = createRng("live server");
var words = "the of and that this which claim option because check first second rules out follows keeps stands fails".split(" ").concat(Array.from({ length: 400 }, (_, k) => `word${k.toString(36)}`));
var replies = Array.from({ length: 500 }, () => {
  const sentence = () => `${Array.from({ length: 15 }, () => rng.pick(words)).join(" ")}.`;
  const text = `${Array.from({ length: 10 }, sentence).join("\n")}
ANSWER: ${rng.pick(["A", "B", "C", "D"])}`;
  return Buffer.from(
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 17e8,
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
      usage: { prompt_tokens: 600, completion_tokens: 220, total_tokens: 820 }
    })
  );
});
var asked = 0;
var server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    const body = replies[asked++ % replies.length];
    setTimeout(() => {
      response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
      response.end(body);
    }, latencyMs);
  });
});
server.keepAliveTimeout = 6e4;
server.listen(0, "127.0.0.1", 4096, () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/v1
`);
});
