import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { valueAt } from "../src/tasks/files/data-record.ts";
import { listDataFiles } from "../src/tasks/files/list-data-files.ts";
import { decodeText, readDataFile } from "../src/tasks/files/read-data-file.ts";
import { type ReadSettings, readRecords } from "../src/tasks/files/read-records.ts";
import { parquet } from "./support/parquet-files.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "colloquy-files-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const asIs: ReadSettings = { format: "auto", header: "auto", names: [] };
const read = (content: string | Uint8Array, settings: Partial<ReadSettings> = {}, name = "data") =>
  readRecords(write(name, content), { ...asIs, ...settings });
const fieldsOf = async (content: string | Uint8Array, settings: Partial<ReadSettings> = {}) =>
  (await read(content, settings)).map(({ fields }) => fields);
const bytes = (...values: number[]): Buffer => Buffer.from(values);

describe("a CSV file", () => {
  it("C13: keeps row 1 without a header, and takes no header for a question", async () => {
    const row = '"Line one\nline two, said ""x""",1,2,3,4,B\n';
    const cells = ['Line one\nline two, said "x"', "1", "2", "3", "4", "B"];
    expect((await fieldsOf(row)).map((fields) => Object.values(fields))).toEqual([cells]);
    const named = await fieldsOf(`question,A,B,C,D,answer\n${row}`);
    expect(named).toEqual([{ question: cells[0], A: "1", B: "2", C: "3", D: "4", answer: "B" }]);
  });

  it("gives back any text of any cell: quotes, line breaks, delimiters, words for nothing", async () => {
    const cell = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r\n", "\r", ";", "\t", " ", "a", "#", "\\", "{", "[") }),
      fc.constantFrom("None", "N/A", "nan", "NULL", "null", "", "0", "-", "undefined", "\uFEFF"),
    );
    const table = fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      )
      .filter((rows) => rows.every((row) => row.every((text) => !text.includes("\0") && !/\p{Cs}/u.test(text))));
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom("\n", "\r\n"), fc.boolean(), async (rows, lineEnd, hasLast) => {
        const lines = rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(","));
        const text = lines.join(lineEnd) + (hasLast ? lineEnd : "");
        const found = await fieldsOf(text, { header: false });
        expect(found.map((fields) => Object.values(fields))).toEqual(rows);
      }),
      { numRuns: 500 },
    );
  });

  it("names the true line of a row behind line breaks in quotes, blank lines and any line ends", async () => {
    const records = await read('"a\r\nb",1\r\n\r\n\r\nc,"2\r\n\r\n"\r\nd,3\r\n', { header: false });
    expect(records.map(({ place }) => place)).toEqual(["line 1", "line 5", "line 8"]);
    await expect(read('"a\r\nb",1\r\n\r\nc,2\r\nd,3,4\r\n')).rejects.toMatchObject({
      code: "task/record",
      message: expect.stringMatching(/line 5: 3 columns where line 1 has 2/),
    });
    const old = await read("a,1\rb,2\rc,3");
    expect(old.map(({ place }) => place)).toEqual(["line 1", "line 2", "line 3"]);
  });

  it.each([
    ["an unclosed quote", 'q,a\nx,"never ends\ny,z\n', /line 2: a quote is opened and never closed/],
    ["text behind a closing quote", 'q,a\nx,y\n"x"z,y\n', /line 3: Invalid Closing Quote/],
    ["a row of another length", "q,a\nx\n", /line 2: 1 columns where line 1 has 2/],
  ])("with %s is an error that names file and line", async (_, text, message) => {
    await expect(read(text, {}, "bad.csv")).rejects.toMatchObject({ message: expect.stringMatching(message) });
    await expect(read(text, {}, "bad.csv")).rejects.toThrow(/bad\.csv/);
  });

  it("reads a quote in the middle of an unquoted text as it is", async () => {
    expect(await fieldsOf('a 5" pipe?,yes,no,A\nb",x,y,B\n')).toEqual([
      { 0: 'a 5" pipe?', 1: "yes", 2: "no", 3: "A" },
      { 0: 'b"', 1: "x", 2: "y", 3: "B" },
    ]);
  });

  it.each([
    ["the delimiter of another inside quotes", '"","\t{\t,#","\t|"\n', [["", "\t{\t,#", "\t|"]]],
    ["a lone carriage return in the only row", '"x\r","y;\r;"', [["x\r", "y;\r;"]]],
    ["a list with bars in a cell", "q?,None|Two|Three|Four,A\n", [["q?", "None|Two|Three|Four", "A"]]],
    ["bars where nothing else parts the rows", "q?|1|2|B\n", [["q?", "1", "2", "B"]]],
    [
      "a delimiter behind every row",
      "q?,1,2,B,\nr?,1,2,A,\n",
      [
        ["q?", "1", "2", "B"],
        ["r?", "1", "2", "A"],
      ],
    ],
    ["the word of a spreadsheet about its delimiter", "sep=;\r\nq, one?;1;2;B\r\n", [["q, one?", "1", "2", "B"]]],
    ["line breaks of Windows in quotes", '"a\r\n\r\nb?",1,2,B\r\n', [["a\r\n\r\nb?", "1", "2", "B"]]],
    [
      "line ends of old Macintoshes",
      "q?,1,2,B\rr?,1,2,A\r",
      [
        ["q?", "1", "2", "B"],
        ["r?", "1", "2", "A"],
      ],
    ],
  ])("C13: reads %s", async (_, text, rows) => {
    expect((await fieldsOf(text, { header: false })).map((fields) => Object.values(fields))).toEqual(rows);
  });

  it("C13: reads rows that end with a delimiter where the header does not, and tabs called CSV", async () => {
    const expected = [{ question: "q?", A: "1", B: "2", answer: "B" }];
    expect(await fieldsOf("question,A,B,answer\nq?,1,2,B,\n")).toEqual(expected);
    expect(await fieldsOf("question\tA\tB\tanswer\nq?\t1\t2\tB\n", { format: "csv" })).toEqual(expected);
  });

  it("tells nothing at all from an empty text", async () => {
    expect(await fieldsOf('a,"",,b\n', { header: false })).toEqual([{ 0: "a", 1: "", 2: null, 3: "b" }]);
  });

  it("finds its delimiter by what parts the rows alike", async () => {
    const expected = [{ question: "Is 1,000; or so, much?", A: "yes", B: "no", answer: "A" }];
    expect(await fieldsOf("question\tA\tB\tanswer\nIs 1,000; or so, much?\tyes\tno\tA\n")).toEqual(expected);
    expect(await fieldsOf('question;A;B;answer\n"Is 1,000; or so, much?";yes;no;A\n')).toEqual(expected);
    expect(await fieldsOf('question,A,B,answer\n"Is 1,000; or so, much?",yes,no,A\n')).toEqual(expected);
  });

  it.each([
    ["Which does a computer need?,Input,Output,Key,Label,A", false],
    ["text,A,B", true],
    ["Question,Option A,Option B,Correct Answer", true],
    [",question,choice1,choice2,label,source", true],
    ["instruction,yes,no,A", false],
    ["What is this?,question,A,B,answer", false],
    ["Frage,A,B,C,D,Antwort", true],
    ["Pregunta,A,B,Respuesta", true],
    ["问题,A,B,答案", true],
    ["Unnamed: 0,question,A,B,answer", true],
    ["id,question", true],
    ["Q,A", true],
    ["How many?,72", false],
  ])("sees whether %j is a header", async (row, isHeader) => {
    const other = row.split(",").map((_, column) => `cell ${column}`);
    expect(await read(`${row}\n${other.join(",")}\n`)).toHaveLength(isHeader ? 1 : 2);
  });

  it("takes a row for the header that holds a name somebody asks for, and says so where none does", async () => {
    expect(await fieldsOf("Frage,Antwort\nx,y\n", { names: ["Frage"] })).toEqual([{ Frage: "x", Antwort: "y" }]);
    await expect(read("Frage,Antwort\nx,y\n", { names: ["Frag"] })).rejects.toMatchObject({
      code: "task/header",
      hint: expect.stringContaining('Did you mean "Frage"?'),
    });
    await expect(read("question,answer,answer\nx,y,z\n")).rejects.toThrow(/line 1: two columns are called "answer"/);
    expect(await fieldsOf("question,answer\nx,y\n", { names: ["0", "1"] })).toEqual([{ 0: "x", 1: "y" }]);
  });
});

describe("a JSON file", () => {
  const records = [{ q: "one" }, { q: "two" }];

  it("C14: loses no record to a byte-order mark, CRLF or a blank last line", async () => {
    const line = '{"question":"q","answer":"#### 18"}\r\n';
    const mark = bytes(0xef, 0xbb, 0xbf);
    expect(await read(Buffer.concat([mark, Buffer.from(`${line}${line}\r\n`)]))).toHaveLength(2);
    expect(await fieldsOf(Buffer.concat([mark, Buffer.from(JSON.stringify(records))]))).toEqual(records);
    expect(await fieldsOf(Buffer.concat([mark, Buffer.from("question,answer\r\nx,y\r\n\r\n")]))).toEqual([
      { question: "x", answer: "y" },
    ]);
  });

  it.each([
    ["a mark on every line", '\uFEFF{"q":"one"}\n\uFEFF{"q":"two"}\n'],
    ["two marks at its start", '\uFEFF\uFEFF{"q":"one"}\n{"q":"two"}\n'],
    ["blank lines with spaces", '{"q":"one"}\n   \n\t\r\n{"q":"two"}'],
    ["line ends of old Macintoshes", '{"q":"one"}\r{"q":"two"}\r'],
    ["a list under a name of one's own", '{"entries":[{"q":"one"},{"q":"two"}]}'],
    ["a list in a file of JSON lines", '[{"q":"one"},\n{"q":"two"}]'],
  ])("C14: is read with %s", async (_, text) => {
    for (const format of ["auto", "jsonl", "json"] as const) expect(await fieldsOf(text, { format })).toEqual(records);
  });

  it("C15: of lines is read so where it is called CSV", async () => {
    expect(await fieldsOf('{"q":"one"}\n{"q":"two"}\n', { format: "csv" })).toEqual(records);
  });

  it("is told apart from JSON lines and CSV by its content, whatever it is called or said to be", async () => {
    const lines = records.map((record) => JSON.stringify(record)).join("\n");
    for (const format of ["auto", "json", "jsonl"] as const) {
      expect(await fieldsOf(lines, { format })).toEqual(records);
      expect(await fieldsOf(JSON.stringify(records), { format })).toEqual(records);
      expect(await fieldsOf(JSON.stringify(records, null, 2), { format })).toEqual(records);
    }
    expect(await fieldsOf('[a] or {b}?,yes,no,A\n"{""c""}",yes,no,B\n')).toHaveLength(2);
    expect(await fieldsOf("{a} or [b]?,yes,no,A\n")).toHaveLength(1);
  });

  it("may hold its records in an object, one list or one a part", async () => {
    for (const name of ["data", "questions", "test"]) {
      expect(await fieldsOf(JSON.stringify({ [name]: records }))).toEqual(records);
      expect(await fieldsOf(JSON.stringify({ [name]: records }, null, 1))).toEqual(records);
    }
    expect(await fieldsOf(JSON.stringify({ version: { n: 1 }, data: records }))).toEqual(records);
    const parts = await read(JSON.stringify({ train: records, test: [{ q: "three" }] }, null, 1));
    expect(parts.map(({ part, place }) => `${part}: ${place}`)).toEqual([
      "train: line 3 (record 1)",
      "train: line 6 (record 2)",
      "test: line 11 (record 3)",
    ]);
  });

  it("of one line is one record, even where that holds a list of records", async () => {
    const record = { question: "q", choices: [{ text: "a", label: "A" }], answer: "A" };
    expect(await fieldsOf(JSON.stringify(record))).toEqual([record]);
  });

  it.each([
    ['{"a":1}\n{"a":2\n{"a":3}', /line 2: not valid JSON/],
    ['{"a":1}\n\n{"a":"cut', /line 3: not valid JSON .*cut off/],
    ['[\n {"a":1},\n {"a":2,,}\n]', /line 3: not valid JSON/],
    ['[{"a":1},\n 7]', /record 2: a record should be an object with named fields, not a number/],
    ['{"a":1}\n["b"]', /line 2: a record should be .* not a list/],
    ['{"a":NaN}', /line 1: not valid JSON/],
    ["[]", /holds no records/],
    ["", /holds no records/],
  ])("that is damaged is an error that names the place: %j", async (text, message) => {
    await expect(read(text, { format: "json" })).rejects.toMatchObject({
      code: "task/record",
      message: expect.stringMatching(message),
    });
  });

  it("says at which line each record of a list begins", async () => {
    const text = '[\n{"a":"}\\"{[",\n"b":[{"c":1}]},\n\n{"a":2}]';
    expect((await read(text)).map(({ place }) => place)).toEqual(["line 2 (record 1)", "line 5 (record 2)"]);
  });
});

describe("a Parquet file", () => {
  it.each(["arcSnappy", "arcPlain"] as const)("is read by content, lists and records inside: %s", async (name) => {
    const records = await read(Buffer.from(parquet[name], "base64"), {}, "x.csv");
    expect(records.map(({ fields }) => fields)).toEqual([
      {
        id: "Mercury_1",
        question: "Which is a gas?",
        choices: { text: ["iron", "oxygen", "wood", "salt"], label: ["A", "B", "C", "D"] },
        answerKey: "B",
      },
      {
        id: "NYSEDREGENTS_2",
        question: "Which is «ice» (é)?",
        choices: { text: ["liquid", "solid", "gas"], label: ["1", "2", "3"] },
        answerKey: "2",
      },
    ]);
    expect(records.map(({ place }) => place)).toEqual(["record 1", "record 2"]);
  });

  it.each(["mmluGzip", "mmluBrotli"] as const)("is unpacked, and whole numbers are numbers: %s", async (name) => {
    expect((await fieldsOf(Buffer.from(parquet[name], "base64")))[1]).toEqual({
      question: "None?",
      subject: "logic",
      choices: ["None", "x", "y", "z"],
      answer: 0,
    });
  });

  it("in another compression, or cut off, is an error that says what to do", async () => {
    const whole = Buffer.from(parquet.mmluZstd, "base64");
    await expect(read(whole)).rejects.toMatchObject({
      message: expect.stringContaining("ZSTD"),
      hint: expect.stringContaining("snappy"),
    });
    const plain = Buffer.from(parquet.arcPlain, "base64");
    for (const cut of [plain.subarray(0, 400), plain.subarray(0, 5)]) {
      await expect(read(cut)).rejects.toMatchObject({ code: "task/record" });
    }
  });
});

describe("the bytes of a data file", () => {
  it("C15: are unzipped by what they are, never by the name", async () => {
    const text = '{"task_id":"a"}\n{"task_id":"b"}\n';
    const plain = await read(text, {}, "HumanEval.jsonl.gz");
    const zipped = await read(gzipSync(text), {}, "x.jsonl");
    expect(plain.map(({ fields }) => fields)).toEqual(zipped.map(({ fields }) => fields));
    expect(plain).toHaveLength(2);
    const parts = Buffer.concat([gzipSync('{"task_id":"a"}\n'), gzipSync('{"task_id":"b"}\n')]);
    expect((await read(parts, {}, "PARTS.JSONL")).map(({ fields }) => fields)).toEqual(
      plain.map(({ fields }) => fields),
    );
    const cut = gzipSync(text).subarray(0, 20);
    await expect(read(cut, {}, "cut.gz")).rejects.toMatchObject({ code: "file/read" });
  });

  it.each([
    [Buffer.from("\uFEFFq,a\n", "utf16le"), /is UTF-16 text/],
    [Buffer.from("q,a\n", "utf16le"), /is no text: line 1 holds a NUL byte/],
    [bytes(0xfe, 0xff, 0, 0x71), /is UTF-16 text/],
    [Buffer.from("ok\nq,\0\n"), /line 2 holds a NUL byte/],
    [Buffer.from("q,a\nh\xe9,b\n", "latin1"), /not UTF-8 text: see line 2/],
  ])("are refused where they are no UTF-8 text: %#", async (content, message) => {
    await expect(read(content)).rejects.toMatchObject({
      code: "file/encoding",
      message: expect.stringMatching(message),
      hint: expect.anything(),
    });
  });

  it("lose one mark at the start and no other", () => {
    const text = "\uFEFFa\uFEFFb";
    expect(decodeText("x", Buffer.from(text))).toBe("a\uFEFFb");
  });

  it("are refused before they fill the memory, zipped or not", async () => {
    const huge = write("huge.csv", "q,a\n");
    truncateSync(huge, 500_000_001);
    await expect(readRecords(huge, asIs)).rejects.toMatchObject({ code: "file/large" });
    rmSync(huge);
    const bomb = write("bomb.gz", gzipSync(Buffer.alloc(2_000_000)));
    expect(() => readDataFile(bomb, 1_000_000)).toThrow(expect.objectContaining({ code: "file/large" }));
  });
});

describe("a value at a path", () => {
  it("is found through keys, dots in keys, lists and lists of records", () => {
    const fields = { "a.b": 1, c: { d: { e: 2 } }, f: [{ g: 3 }, { g: 4 }], h: ["x", "y"] };
    expect(["a.b", "c.d.e", "f.g", "f.1.g", "h.0"].map((path) => valueAt(fields, path))).toEqual([
      1,
      2,
      [3, 4],
      4,
      "x",
    ]);
    expect(["c.x", "f.x", "h.5", "x", "c.d.e.f", "f"].map((path) => valueAt(fields, path))).toEqual([
      ...[undefined, undefined, undefined, undefined, undefined],
      fields.f,
    ]);
  });

  it("is never one of JavaScript's own", () => {
    const record = JSON.parse('{"__proto__":{"answer":"A"},"x":[]}');
    for (const path of ["answer", "constructor", "x.length", "toString", "constructor.name"]) {
      expect(valueAt(record, path)).toBeUndefined();
    }
    expect(({} as Record<string, unknown>).answer).toBeUndefined();
  });
});

describe("a folder of data files", () => {
  it("gives its files in order of name, with parts told by name or folder, and each once", () => {
    for (const name of [
      "set/b_test.csv",
      "set/a_dev.csv",
      "set/validation/x.jsonl",
      "set/data/train-00000-of-00001.parquet",
      "set/twice/t.csv",
      "set/twice/t.jsonl.gz",
      "set/README.txt",
      "set/.hidden.csv",
    ]) {
      write(name, "q,a\n");
    }
    const { files, warnings } = listDataFiles(join(folder, "set"));
    expect(files.map(({ stem, part }) => `${stem}: ${part ?? "-"}`)).toEqual([
      "a_dev: dev",
      "b_test: test",
      "train-00000-of-00001: train",
      "t: -",
      "x: val",
    ]);
    expect(files[3].path).toMatch(/jsonl\.gz$/);
    expect(warnings).toEqual([expect.stringContaining("1 files")]);
  });

  it("without a data file, or a path that leads nowhere, is an error", () => {
    write("nothing/README.txt", "x");
    expect(() => listDataFiles(join(folder, "nothing"))).toThrow(expect.objectContaining({ code: "task/no-files" }));
    expect(() => listDataFiles(join(folder, "nowhere"))).toThrow(expect.objectContaining({ code: "file/read" }));
  });
});
