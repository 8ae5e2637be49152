/** Words of other languages for "answer", and the words that link them to it. */
const words =
  "(?:antwort|lösung|ergebnis|réponse|respuesta|resposta|risposta|antwoord|odpowiedź|відповідь|ответ|svar|svaret|vastaus|cevap|jawaban|răspuns(?:ul)?|odpověď|válasz|απάντηση|đáp án|câu trả lời)";
const eastern = "(?:答案|答え|回答|解答|正解|正答|选择|選擇|应选|정답|답|الإجابة|الجواب|جواب|उत्तर|উত্তর|คำตอบ)";
const verbs = "(?:ist|lautet|wäre|est|serait|es|sería|é|è|is|to|jest|är|er|on|este|je|az|είναι|là|adalah)";
const fillers =
  "(?:die|der|das|la|le|el|a|o|il|lo|de|het|option|opción|opção|opzione|optie|вариант|correcta?|correta|corretta)";

/** Where a statement in another language ends and its answer begins: `Antwort: `, `La réponse est `, `答案是`. */
const statement =
  `(?:(?<!\\p{L})${words}(?!\\p{L})[^.!?\\n:]{0,40}?|${eastern}[^.!?。\\n:]{0,12}?)` +
  `(?:[:=→—–-]|(?<!\\p{L})${verbs}(?!\\p{L})|[是为為选選はは은는が이가]|هو|هي|है|হল|คือ)` +
  `\\s*(?:${fillers}\\s+){0,3}[\\s(\\[<:]*`;

export const foreignBefore = new RegExp(`${statement}$`, "iu");
export const foreignStatement = new RegExp(statement, "giu");
