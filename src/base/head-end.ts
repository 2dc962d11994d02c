const LF = 0x0a;
const CR = 0x0d;

/**
 * Offset after the first empty line at or after `from` (LF LF, or LF CR LF, as Chromium ends heads of HTTP/1); -1: not
 * yet, and the next search may begin two bytes before the end. Line by line: a search for each of the two would go over
 * all that follows for each of many interim heads.
 */
export function headEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    const next = bytes[at + 1] === CR ? at + 2 : at + 1;
    if (bytes[next] === LF) return next + 1;
  }
  return -1;
}
