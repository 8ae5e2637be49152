/** What every line of a stranger's text begins with in a prompt. No line of ours begins with it. */
export const quoteMark = "| ";

const cutMark = " … [cut] … ";

/**
 * A stranger's text (a peer's, a dataset's, one's own earlier one) as a block of quoted lines. Whatever it contains, it
 * cannot end its block: every line break becomes ours, every line begins with `quoteMark`, nothing invisible is left, and
 * what chat templates take for a token is changed visibly.
 */
export function quoteText(text: string): string {
  return cleanText(text)
    .split("\n")
    .map((line) => quoteMark + line)
    .join("\n");
}

/** Shortens to at most `length` characters (code points): the beginning and the end stay, with a mark between them. */
export function cutText(text: string, length: number): string {
  // Code points are never more than code units.
  if (text.length <= length) return text;
  const points = Array.from(text);
  if (points.length <= length) return text;
  const kept = Math.max(0, length - cutMark.length);
  if (kept === 0) return points.slice(0, length).join("");
  const head = Math.ceil(kept / 2);
  return points.slice(0, head).join("") + cutMark + points.slice(points.length - (kept - head)).join("");
}

/** A stranger's text on one line, for places where a block cannot stand. */
export function cleanLine(text: string, length = 200): string {
  return cutText(cleanText(text).replace(/\s+/gu, " ").trim(), length);
}

/**
 * A name that can stand in a header of ours: letters, digits and a few marks on one line, at most 60 characters. Brackets,
 * colons and the like are left out, so that it cannot look like the rest of a header.
 */
export function cleanName(name: string): string {
  const words = cleanText(name).replace(/[^\p{L}\p{M}\p{N}'’.,&/+#-]+/gu, " ");
  return cutText(words.trim(), 60) || "agent";
}

/** All but printable ASCII, and the brackets that chat tokens begin with. Most texts have none of it. */
const suspicious = /[^\t\n -;=-Z\\-~]/;

/** Line breaks as `\n`, without control characters and invisible ones, and with chat tokens defused. */
export function cleanText(text: string): string {
  if (!suspicious.test(text)) return text;
  const visible = text
    .replace(/\r\n|[\n\r\v\f\x85\u2028\u2029]/g, "\n")
    // Bidi marks, zero-width characters and fillers are "default ignorable"; tab and line feed are controls that stay.
    .replace(/[^\P{Cc}\t\n]|\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu, "")
    .replace(/\p{Surrogate}/gu, "\ufffd");
  return defuseTokens(visible);
}

/**
 * Servers without care read `<|im_start|>` in a message as the token that begins a message. `<|im_start|>` becomes
 * `<¦im_start¦>`, `[INST]` `[¦INST¦]`, `<<SYS>>` `<¦SYS¦>`, `<s>` `<¦s¦>`: plain to see, and no token.
 */
function defuseTokens(text: string): string {
  return text
    .replace(/[<＜][|｜]([^\s<>|＜＞｜][^\n<>|＜＞｜]{0,60})[|｜][>＞]/gu, "<¦$1¦>")
    .replace(/<<(\/?SYS)>>/gi, "<¦$1¦>")
    .replace(/\[(\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT))\]/gi, "[¦$1¦]")
    .replace(/<(\/?s|bos|eos|pad|unk|(?:start|end)_of_turn|(?:begin|end)_of_text|\/?think(?:ing)?)>/gi, "<¦$1¦>");
}
