import { kindOf, optionLetter, type Question } from "../contracts/task.ts";

/** The legal letters of a choice, in order. */
export const lettersOf = ({ options }: Question): string[] => options.map((_, index) => optionLetter(index));

/** What kind of answer is wanted, and in what form, in words. */
export function describeFormat(question: Question, structured: boolean): string {
  const letters = lettersOf(question).join(", ");
  if (structured) {
    const answer = {
      choice: `the letter of your answer, one of ${letters}`,
      number: "your answer as a number alone, without units",
      code: "the complete Python source of your program",
      text: "your answer in as few words as it needs",
    }[kindOf(question)];
    return `Reply with one JSON object of two fields: "analysis", your reasoning in words, and then "answer", ${answer}.`;
  }
  switch (kindOf(question)) {
    case "choice":
      return `Give your analysis, and end with a line \`ANSWER: X\`, where X is the letter of your answer: one of ${letters}.`;
    case "number":
      return "Give your analysis, and end with a line `ANSWER: N`, where N is your answer as a number alone, without units.";
    case "code":
      return "Give your analysis in a few sentences, and then the complete function, with its imports, in a single block that begins with ```python and ends with ```.";
    case "text":
      return "Give your analysis, and end with a line `ANSWER: ` followed by your answer in as few words as it needs.";
  }
}

/** The same as a JSON schema, for servers that hold a reply to one. The analysis comes first: it is to lead to the answer. */
export function answerSchema(question: Question): { name: string; schema: Readonly<Record<string, unknown>> } {
  const answer = kindOf(question) === "choice" ? { type: "string", enum: lettersOf(question) } : { type: "string" };
  return {
    name: "reply",
    schema: {
      type: "object",
      properties: { analysis: { type: "string" }, answer },
      required: ["analysis", "answer"],
      additionalProperties: false,
    },
  };
}
