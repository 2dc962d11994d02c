const LF = 0x0a;
const CR = 0x0d;

/**
 * Offset after the first empty line at or after `from` (LF LF, or LF CR LF, as Chromium ends heads of HTTP/1); -1: not
 * yet, and the next search may begin two bytes before the end. Line by line: a search for each of the two would go over
 * all that follows for each of many interim heads.
 */
export function headEndOffset(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    const next = bytes[at + 1] === CR ? at + 2 : at + 1;
    if (bytes[next] === LF) return next + 1;
  }
  return -1;
}

/**
 * Without the spaces and tabs around it (RFC 9110 §5.6.3, OWS); line breaks stay. By hand: `/[ \t]+$/` takes a time that
 * grows with the square of a run of blanks in the middle, which strangers choose.
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
