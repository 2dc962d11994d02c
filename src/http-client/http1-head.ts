import { ResponseHead } from './response-head.ts';

interface StatusLine {
  /** 100 to 999. */
  readonly status: number;
  /** HTTP/1.0 or older, or a version that cannot be read. */
  readonly http10: boolean;
  /** Not as RFC 9112 §4 has it. */
  readonly malformed: boolean;
}

/** Bytes of junk that may stand before the status line, as in Chromium: mostly line ends of the answer before. */
const MAX_JUNK_BYTES = 4;
const MIN_BYTES_TO_REJECT = MAX_JUNK_BYTES + 4;

export const NOT_HTTP = -1;
export const NEED_MORE = -2;

/**
 * Where the status line begins in what has come so far: an offset, `NEED_MORE`, or `NOT_HTTP` when no `HTTP` (or the
 * `ICY` of Shoutcast) stands in the first bytes. Letter case does not matter.
 */
export function findStatusLine(bytes: Buffer): number {
  if (bytes.length >= 4 && isHttp(bytes, 0)) return 0;
  const last = Math.min(bytes.length - 4, MAX_JUNK_BYTES);
  for (let at = 0; at <= last; at++) {
    if (isHttp(bytes, at) || isIcy(bytes, at)) return at;
  }
  return bytes.length >= MIN_BYTES_TO_REJECT ? NOT_HTTP : NEED_MORE;
}

/** `line` without its end, beginning at `HTTP` or `ICY`. null: there is no status code in it that can be one. */
function parseStatusLine(line: string): StatusLine | null {
  if (line.startsWith('HTTP/1.') && line.charCodeAt(8) === 32) {
    const minor = line.charCodeAt(7);
    const status = parseThreeDigits(line, 9);
    if (
      status >= 100 &&
      (minor === 49 || minor === 48) &&
      (line.length === 12 || line.charCodeAt(12) === 32)
    ) {
      return { status, http10: minor === 48, malformed: false };
    }
  }
  return parseMalformedStatusLine(line);
}

/** Any version or none, any white space before the code, more digits than one in the version (as Chromium). */
function parseMalformedStatusLine(line: string): StatusLine | null {
  const found = /^(?:ICY|HTTP[^ \t]*)[ \t]+(\d+)/i.exec(line);
  if (found === null) return null;
  const status = Number(found[1]);
  if (status < 100 || status > 999) return null;
  // One run of digits: two that share zeros would split a long line of them in every way.
  const version = /^HTTP\/(\d+)\.(\d+)/i.exec(line);
  const [major, minor] = [Number(version?.[1]), Number(version?.[2])];
  const modern = major > 1 || (major === 1 && minor > 0);
  return { status, http10: !modern, malformed: true };
}

function parseThreeDigits(line: string, at: number): number {
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

/** Anything but lines that end in CR LF and are not folded. */
const MALFORMED = /\r(?!\n)|(?<!\r)\n|\n[ \t]|\0/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Reads a head as Chromium does: lines end at CR, LF or both; a folded line (RFC 9112 §5.2) is joined with one space
 * to the field before it; white space before the colon is dropped; a line without a colon, or whose name is not a
 * token, is skipped.
 * @param text Latin-1 of the head from the status line on, with or without the empty line at its end
 * @returns why it cannot be read, when it cannot: the status line has no code, or there is a NUL
 */
export function parseHead(text: string): ResponseHead | string {
  const odd = MALFORMED.test(text);
  if (odd && text.includes('\0')) return 'There is a NUL byte in its head.';
  const lines = odd ? unfoldLines(text) : text.split('\r\n');
  const status = parseStatusLine(lines[0]!);
  if (status === null) return `Its status line is ${JSON.stringify(lines[0]!.slice(0, 80))}.`;
  const head = new ResponseHead(status.status, status.http10, odd || status.malformed);
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!;
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    let nameEnd = colon;
    while (nameEnd > 0 && isBlank(line.charCodeAt(nameEnd - 1))) nameEnd--;
    const name = line.slice(0, nameEnd);
    if (!TOKEN.test(name)) continue;
    head.addField(name.toLowerCase(), trimmedFrom(line, colon + 1));
  }
  return head;
}

function unfoldLines(text: string): string[] {
  const raw = text.split(/[\r\n]+/);
  const lines = [raw[0]!];
  let open = false;
  for (let i = 1; i < raw.length; i++) {
    const line = raw[i]!;
    const blank = isBlank(line.charCodeAt(0));
    if (open && blank) {
      lines[lines.length - 1] += ` ${line.replace(/^[ \t]+/, '')}`;
      continue;
    }
    lines.push(line);
    // Only a field can be continued: what follows a skipped line is skipped too.
    open = !blank && line.indexOf(':') > 0;
  }
  return lines;
}

function trimmedFrom(line: string, from: number): string {
  let start = from;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) start++;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--;
  return line.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}
