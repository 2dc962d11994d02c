const LF = 0x0a;
const CR = 0x0d;

/**
 * Offset after the first empty line at or after `from`: LF LF or LF CR LF, because Chromium accepts both as the end of an
 * HTTP/1 head. -1: there is none. When more bytes arrive, the search must go back two bytes: the end may be cut.
 */
export function headEndOffset(bytes: Buffer, from: number): number {
  for (let lf = bytes.indexOf(LF, from); lf !== -1; lf = bytes.indexOf(LF, lf + 1)) {
    const next = bytes[lf + 1] === CR ? lf + 2 : lf + 1;
    if (bytes[next] === LF) return next + 1;
  }
  return -1;
}

/**
 * The text without the spaces and tabs around it (RFC 9110 §5.6.3, OWS); line breaks stay. Not a regular expression:
 * `/[ \t]+$/` takes quadratic time on a long run of blanks in the middle, and the text is untrusted.
 */
export function trimOws(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isOws(text.charCodeAt(from))) from++;
  while (to > from && isOws(text.charCodeAt(to - 1))) to--;
  return to - from === text.length ? text : text.slice(from, to);
}

function isOws(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
