import { ResponseHead } from './response-head.ts';

interface StatusLine {
  /** 100 to 999. */
  readonly status: number;
  /** HTTP/1.0 or older, or an unknown version. */
  readonly http10: boolean;
  /** Not valid by RFC 9112 §4. */
  readonly malformed: boolean;
}

/** Up to 4 bytes before the status line are skipped, as in Chromium: mostly line ends after the previous response. */
const MAX_JUNK_BYTES = 4;
/** With fewer bytes, `HTTP` may still follow. */
/** With fewer bytes, `HTTP` may still follow. */
const MIN_BYTES_TO_REJECT = MAX_JUNK_BYTES + 4;

export const NOT_HTTP = -1;
export const NEED_MORE = -2;

/**
 * Finds where the status line begins. @returns an offset; `NEED_MORE`; or `NOT_HTTP`: the first bytes have neither `HTTP`
 * nor the `ICY` of Shoutcast, in any letter case
 */
export function findStatusLine(bytes: Buffer): number {
  if (bytes.length >= 4 && isHttp(bytes, 0)) return 0;
  const last = Math.min(bytes.length - 4, MAX_JUNK_BYTES);
  for (let offset = 0; offset <= last; offset++) {
    if (isHttp(bytes, offset) || isIcy(bytes, offset)) return offset;
  }
  return bytes.length >= MIN_BYTES_TO_REJECT ? NOT_HTTP : NEED_MORE;
}

/** @param line begins with `HTTP` or `ICY`, without the line end. null: it has no valid status code */
function parseStatusLine(line: string): StatusLine | null {
  // The common case without a regular expression, because this runs for every response.
  if (line.startsWith('HTTP/1.') && line[8] === ' ') {
    const minor = line[7];
    const status = parseThreeDigits(line, 9);
    if (status >= 100 && (minor === '1' || minor === '0') && (line.length === 12 || line[12] === ' ')) {
      return { status, http10: minor === '0', malformed: false };
    }
  }
  return parseMalformedStatusLine(line);
}

/** Accepts what Chromium does: any version or none, any white space before the code, versions with several digits. */
function parseMalformedStatusLine(line: string): StatusLine | null {
  const match = /^(?:ICY|HTTP[^ \t]*)[ \t]+(\d+)/i.exec(line);
  if (match === null) return null;
  const status = Number(match[1]);
  if (status < 100 || status > 999) return null;
  // No separate group for leading zeros: it would take quadratic time on a long run of zeros.
  const version = /^HTTP\/(\d+)\.(\d+)/i.exec(line);
  const [major, minor] = [Number(version?.[1]), Number(version?.[2])];
  const modern = major > 1 || (major === 1 && minor > 0);
  return { status, http10: !modern, malformed: true };
}

function parseThreeDigits(line: string, offset: number): number {
  const a = line.charCodeAt(offset) - 48;
  const b = line.charCodeAt(offset + 1) - 48;
  const c = line.charCodeAt(offset + 2) - 48;
  // NaN (the line is too short) fails the comparisons.
  return a >= 0 && a < 10 && b >= 0 && b < 10 && c >= 0 && c < 10 ? a * 100 + b * 10 + c : -1;
}

/** Whether `HTTP` begins at the offset, in any letter case: `| 32` makes an ASCII letter lower-case. */
function isHttp(bytes: Buffer, offset: number): boolean {
  return (
    (bytes[offset]! | 32) === 104 &&
    (bytes[offset + 1]! | 32) === 116 &&
    (bytes[offset + 2]! | 32) === 116 &&
    (bytes[offset + 3]! | 32) === 112
  );
}

/** Whether `ICY ` begins at the offset, in any letter case. */
function isIcy(bytes: Buffer, offset: number): boolean {
  return (
    (bytes[offset]! | 32) === 105 &&
    (bytes[offset + 1]! | 32) === 99 &&
    (bytes[offset + 2]! | 32) === 121 &&
    bytes[offset + 3] === 32
  );
}

/** Matches a head with a NUL, a folded line, or a line end that is not CR LF. */
const MALFORMED = /\r(?!\n)|(?<!\r)\n|\n[ \t]|\0/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Parses a head as Chromium does: lines end with CR, LF or both; a folded line (RFC 9112 §5.2) is joined to the field before
 * it with a space; white space before the colon is removed; a line without a colon, or whose name is not a token, is
 * skipped.
 * @param text the head in Latin-1 from the status line on, with or without the empty line at its end
 * @returns the head; or why it is invalid: its status line has no code, or it has a NUL
 */
export function parseHead(text: string): ResponseHead | string {
  const malformed = MALFORMED.test(text);
  if (malformed && text.includes('\0')) return 'There is a NUL byte in its head.';
  const lines = malformed ? unfoldLines(text) : text.split('\r\n');
  const statusLine = parseStatusLine(lines[0]!);
  if (statusLine === null) return `Its status line is ${JSON.stringify(lines[0]!.slice(0, 80))}.`;
  const head = new ResponseHead(statusLine.status, {
    http10: statusLine.http10,
    malformed: malformed || statusLine.malformed,
  });
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!;
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    let nameEnd = colon;
    while (nameEnd > 0 && isBlank(line.charCodeAt(nameEnd - 1))) nameEnd--;
    const name = line.slice(0, nameEnd);
    if (!TOKEN.test(name)) continue;
    head.addField(name.toLowerCase(), trimBlanks(line, colon + 1));
  }
  return head;
}

/** Splits a malformed head into lines, and joins folded lines. */
function unfoldLines(text: string): string[] {
  const rawLines = text.split(/[\r\n]+/);
  const lines = [rawLines[0]!];
  let mayContinue = false;
  for (let i = 1; i < rawLines.length; i++) {
    const line = rawLines[i]!;
    const blank = isBlank(line.charCodeAt(0));
    if (mayContinue && blank) {
      lines[lines.length - 1] += ` ${line.replace(/^[ \t]+/, '')}`;
      continue;
    }
    lines.push(line);
    // Only a field can be continued: a folded line after a skipped line is skipped, too.
    mayContinue = !blank && line.indexOf(':') > 0;
  }
  return lines;
}

function trimBlanks(line: string, from: number): string {
  let start = from;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) start++;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--;
  return line.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}
