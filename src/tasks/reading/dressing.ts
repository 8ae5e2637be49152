/** Characters without width: joiners, marks of direction, variants of emoji, byte order marks. */
export const invisible = /\p{Cf}|\uFE0F/gu;

/** Characters that are read of a very long text: its beginning and, mostly, its end, where answers stand. */
const headLength = 4_000;
const tailLength = 16_000;

/** A text that is short enough to be read closely. */
export function cap(text: string): string {
  if (text.length <= headLength + tailLength) return text;
  return `${text.slice(0, headLength)}\n…\n${text.slice(-tailLength)}`;
}

/** Takes off what only dresses words: width and invisible characters, struck-out words, emphasis, quotes, LaTeX, HTML. */
export function undress(text: string): string {
  return text
    .normalize("NFKC")
    .replace(invisible, "")
    .replace(/~~[^~\n]{1,200}~~/g, "")
    .replace(/\\(?:begin|end)\{[a-z*]{1,20}\}(?:\{[a-z|]{0,20}\})?/g, " ")
    .replace(/<\/?(?:b|i|u|p|em|br|strong|span|code|div)\s?\/?>/g, "")
    .replace(
      /\\(?:text(?:bf|rm|it|tt|sf)?|math(?:bf|rm|it|sf)|bf|rm|boxed|fbox|mbox|emph|left|right)(?![A-Za-z])\s*/g,
      "",
    )
    .replace(/\\[()[\]]/g, "")
    .replace(/[*`$"“”„«»「」『』]|(?<![\p{L}\p{N}])['‘’_]+|['‘’_]+(?![\p{L}\p{N}])/gu, "")
    .replace(/【/g, "[")
    .replace(/】/g, "]")
    .replace(/^[#>\t ]+/gm, "")
    .replace(/(?<=\p{L}{2})_(?=\p{L}{2})/gu, " ")
    .replace(/\{\s*([A-Za-z])\s*\}/g, "($1)")
    .trim();
}
