import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A field of a protobuf message: numbers as varints, the rest with its length. */
function field(number: number, value: number | string | Buffer): Buffer {
  if (typeof value === "number") return Buffer.concat([varint(number << 3), varint(value)]);
  const bytes = Buffer.from(value);
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}

const message = (...fields: Buffer[]): Buffer => Buffer.concat(fields);

/** ONNX's numbers for the types of tensors. */
const float = 1;
const int64 = 7;

/** ValueInfoProto: a named tensor; sizes given as words are free. */
const valueInfo = (name: string, type: number, sizes: readonly (string | number)[]): Buffer => {
  const shape = message(...sizes.map((size) => field(1, typeof size === "number" ? field(1, size) : field(2, size))));
  return message(field(1, name), field(2, field(1, message(field(1, type), field(2, shape)))));
};

/** ModelProto of one node: last_hidden_state = Gather(table, input_ids). */
function gatherModel(tableVD: readonly (readonly number[])[]): Buffer {
  const [vocabulary, dimension] = [tableVD.length, tableVD[0].length];
  const table = message(
    field(1, vocabulary),
    field(1, dimension),
    field(2, float),
    field(8, "table"),
    field(9, Buffer.from(Float32Array.from(tableVD.flat()).buffer)),
  );
  const node = message(field(1, "table"), field(1, "input_ids"), field(2, "last_hidden_state"), field(4, "Gather"));
  const inputs = ["input_ids", "attention_mask", "token_type_ids"].map((name) =>
    field(11, valueInfo(name, int64, ["batch", "length"])),
  );
  const output = field(12, valueInfo("last_hidden_state", float, ["batch", "length", dimension]));
  const graph = message(field(1, node), field(2, "tiny"), field(5, table), ...inputs, output);
  return message(field(1, 8), field(8, field(2, 13)), field(7, graph));
}

/**
 * Writes a sentence model in the form of a hub's: a WordPiece tokenizer over `words` and one vector a token.
 * @param vectorOf the vector of a token; the special ones are `[PAD]`, `[UNK]`, `[CLS]`, `[SEP]`
 */
export function writeTinyModel(
  folder: string,
  words: readonly string[],
  vectorOf: (token: string) => readonly number[],
  { weights = "model.onnx", maxTokens = 16 } = {},
): void {
  const tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", ...words];
  const special = (content: string) => ({ id: tokens.indexOf(content), content, special: true });
  const json = (name: string, value: object): void => writeFileSync(join(folder, name), JSON.stringify(value));
  mkdirSync(join(folder, "onnx"), { recursive: true });
  json("config.json", { model_type: "bert", max_position_embeddings: maxTokens });
  json("tokenizer_config.json", { tokenizer_class: "BertTokenizer", pad_token: "[PAD]", model_max_length: 1e30 });
  json("tokenizer.json", {
    added_tokens: tokens.slice(0, 4).map(special),
    normalizer: { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: { type: "BertProcessing", cls: ["[CLS]", 2], sep: ["[SEP]", 3] },
    decoder: { type: "WordPiece", prefix: "##" },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
    },
  });
  writeFileSync(join(folder, "onnx", weights), gatherModel(tokens.map(vectorOf)));
}
