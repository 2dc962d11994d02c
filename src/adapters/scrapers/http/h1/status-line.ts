export interface StatusLine {
  /** 100 to 999. */
  readonly status: number;
  /** HTTP/1.0 or older, or a version that cannot be read. */
  readonly http10: boolean;
  /** Not as RFC 9112 §4 has it. */
  readonly odd: boolean;
}

/** Bytes of junk that may stand before the status line, as in Chromium: mostly line ends of the answer before. */
const JUNK = 4;
const SURE = JUNK + 4;

export const NOT_HTTP = -1;
export const NEED_MORE = -2;

/**
 * Where the status line begins in what has come so far: an offset, `NEED_MORE`, or `NOT_HTTP` when no `HTTP` (or the
 * `ICY` of Shoutcast) stands in the first bytes. Letter case does not matter.
 */
export function findStatusLine(bytes: Buffer): number {
  if (bytes.length >= 4 && isHttp(bytes, 0)) return 0;
  const last = Math.min(bytes.length - 4, JUNK);
  for (let at = 0; at <= last; at++) {
    if (isHttp(bytes, at) || isIcy(bytes, at)) return at;
  }
  return bytes.length >= SURE ? NOT_HTTP : NEED_MORE;
}

/** `line` without its end, beginning at `HTTP` or `ICY`. null: there is no status code in it that can be one. */
export function parseStatusLine(line: string): StatusLine | null {
  if (line.startsWith('HTTP/1.') && line.charCodeAt(8) === 32) {
    const minor = line.charCodeAt(7);
    const status = threeDigits(line, 9);
    if (
      status >= 100 &&
      (minor === 49 || minor === 48) &&
      (line.length === 12 || line.charCodeAt(12) === 32)
    ) {
      return { status, http10: minor === 48, odd: false };
    }
  }
  return parseOddLine(line);
}

/** Any version or none, any white space before the code, more digits than one in the version (as Chromium). */
function parseOddLine(line: string): StatusLine | null {
  const found = /^(?:ICY|HTTP[^ \t]*)[ \t]+(\d+)/i.exec(line);
  if (found === null) return null;
  const status = Number(found[1]);
  if (status < 100 || status > 999) return null;
  // One run of digits: two that share zeros would split a long line of them in every way.
  const version = /^HTTP\/(\d+)\.(\d+)/i.exec(line);
  const [major, minor] = [Number(version?.[1]), Number(version?.[2])];
  const modern = major > 1 || (major === 1 && minor > 0);
  return { status, http10: !modern, odd: true };
}

function threeDigits(line: string, at: number): number {
  const a = line.charCodeAt(at) - 48;
  const b = line.charCodeAt(at + 1) - 48;
  const c = line.charCodeAt(at + 2) - 48;
  // NaN (the line is too short) fails the comparisons.
  return a >= 0 && a < 10 && b >= 0 && b < 10 && c >= 0 && c < 10 ? a * 100 + b * 10 + c : -1;
}

function isHttp(bytes: Buffer, at: number): boolean {
  return (
    (bytes[at]! | 32) === 104 &&
    (bytes[at + 1]! | 32) === 116 &&
    (bytes[at + 2]! | 32) === 116 &&
    (bytes[at + 3]! | 32) === 112
  );
}

function isIcy(bytes: Buffer, at: number): boolean {
  return (
    (bytes[at]! | 32) === 105 &&
    (bytes[at + 1]! | 32) === 99 &&
    (bytes[at + 2]! | 32) === 121 &&
    bytes[at + 3] === 32
  );
}
