import { ColloquyError, suggest } from "../../base/errors.ts";

/** Names of columns and keys as they are compared: letters and digits only, in lower case. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** What fields are usually called, in order of trust (as `plainName` gives it). */
export const usualNames = {
  question: [
    "question",
    "questionstem",
    "stem",
    "questiontext",
    "prompt",
    "problem",
    "query",
    "squestion",
    "instruction",
    "text",
    "input",
    "q",
    ...[
      "frage",
      "pregunta",
      "pergunta",
      "domanda",
      "vraag",
      "pytanie",
      "вопрос",
      "问题",
      "問題",
      "题目",
      "題目",
      "질문",
    ],
  ],
  options: ["options", "choices", "answerchoices", "answeroptions", "candidates"],
  answer: [
    ...["answeridx", "answerkey", "answerindex", "answerletter", "correctoption", "correctanswer", "correctchoice"],
    ...[
      "gold",
      "goldanswer",
      "answer",
      "finalanswer",
      "label",
      "correct",
      "target",
      "solution",
      "output",
      "key",
      "cop",
    ],
    ...["antwort", "lösung", "réponse", "respuesta", "resposta", "risposta", "antwoord", "odpowiedź", "ответ"],
    ...["答案", "答え", "正解", "정답"],
  ],
  id: ["id", "taskid", "questionid", "qid", "uid", "uuid"],
  subject: ["subject", "subjectname", "category", "topic", "domain"],
} as const;

const kinds = Object.keys(usualNames) as (keyof typeof usualNames)[];
const isUsual = (kind: keyof typeof usualNames, name: string): boolean =>
  (usualNames[kind] as readonly string[]).includes(name);
const optionName = /^(?:option|choice|opt|op|answer|ans|ending)?(?:[a-j]|\d{1,2})$/;

/**
 * Whether the first row names columns: it holds a name somebody asked for; or usual names of a question and of an answer
 * or several options, and nothing that reads like a sentence; or nothing but usual names.
 * @throws ColloquyError `task/header` where names were asked for and the row holds none of them
 */
export function isHeader(file: string, cells: readonly (string | null)[], asked: readonly string[]): boolean {
  const texts = cells.map((cell) => (cell ?? "").trim());
  if (asked.length > 0) {
    if (asked.some((name) => texts.includes(name))) return true;
    throw new ColloquyError("task/header", `${file}: the first row has no column "${asked[0]}"`, {
      hint: `${suggest(
        asked[0],
        texts.filter((text) => text !== "").map((text) => text.slice(0, 60)),
      )} Columns without names are numbers, from 0.`,
    });
  }
  const names = texts.map(plainName);
  const isSentence = (text: string): boolean =>
    text.length > 50 || /[?.!:]$/.test(text) || text.split(/\s+/).length > 5;
  if (texts.some(isSentence) || !names.some((name) => isUsual("question", name))) return false;
  return (
    names.some((name) => isUsual("answer", name)) ||
    names.filter((name) => optionName.test(name)).length >= 2 ||
    names.every((name) => name === "a" || kinds.some((kind) => isUsual(kind, name)))
  );
}
