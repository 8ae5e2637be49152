/**
 * Tags between which models think: `<think>`, `[THINK]`, `◁think▷`, `<|begin_of_thought|>`, and the channels
 * `<|channel|>analysis … <|channel|>final<|message|>`. Names of tags differ between opening and closing often enough, so
 * any closing tag closes.
 */
const names = "(?:think|thinking|thought|thoughts|reasoning|reason|reflection|scratchpad|analysis)";
const tag = new RegExp(
  [
    `(?<open><${names}(?:\\s[^<>\\n]{0,80})?>|\\[${names}\\]|◁think▷|<\\|begin_of_thought\\|>|<\\|channel\\|>\\s?(?:analysis|commentary)\\b)`,
    `(?<close></\\s?${names}\\s?>|\\[/${names}\\]|◁/think▷|<\\|end_of_thought\\|>|<\\|channel\\|>\\s?final\\b[^<>\\n]{0,40}(?:<\\|constrain\\|>\\w{0,20})?(?:<\\|message\\|>)?)`,
  ].join("|"),
  "gi",
);
const control = /<\|[\w/]{1,40}\|>/g;

/**
 * The text without hidden thoughts, which are never an answer. A block that is not closed hides all that follows; a
 * closing tag without its opening one (servers swallow it) hides all before. Linear in the text.
 */
export function dropThoughts(text: string): string {
  const marked = markBareChannels(text);
  let spoken = "";
  let from = 0;
  let isHidden = false;
  for (const match of marked.matchAll(tag)) {
    const isOpening = match.groups?.["open"] !== undefined;
    if (isOpening && !isHidden) spoken += `${marked.slice(from, match.index)}\n`;
    if (!isOpening && !isHidden) spoken = "";
    isHidden = isOpening;
    from = match.index + match[0].length;
  }
  if (!isHidden) spoken += marked.slice(from);
  return spoken.replace(control, "");
}

/** Nothing is left when spaces and invisible characters are taken away. */
export function isBlank(text: string): boolean {
  return !/(?!\uFE0F)[^\s\p{Cf}\p{Cc}\u115F\u1160\u2800\u3164]/u.test(text);
}

/** Some servers strip the channel tokens and leave their names glued to the text: `analysisWe … assistantfinalB`. */
function markBareChannels(text: string): string {
  if (!/^\s*analysis(?=\p{Lu})/u.test(text)) return text;
  return text.replace(/^\s*analysis/, "<think>").replace("assistantfinal", "</think>");
}
