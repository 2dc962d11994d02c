import { AnswerHead } from '../answer-head.ts';
import { parseStatusLine } from './status-line.ts';

/** Anything but lines that end in CR LF and are not folded. */
const ODD = /\r(?!\n)|(?<!\r)\n|\n[ \t]|\0/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Reads a head as Chromium does: lines end at CR, LF or both; a folded line (RFC 9112 §5.2) is joined with one space
 * to the field before it; white space before the colon is dropped; a line without a colon, or whose name is not a
 * token, is skipped.
 * @param text Latin-1 of the head from the status line on, with or without the empty line at its end
 * @returns why it cannot be read, when it cannot: the status line has no code, or there is a NUL
 */
export function parseHead(text: string): AnswerHead | string {
  const odd = ODD.test(text);
  if (odd && text.includes('\0')) return 'There is a NUL byte in its head.';
  const lines = odd ? unfolded(text) : text.split('\r\n');
  const status = parseStatusLine(lines[0]!);
  if (status === null) return `Its status line is ${JSON.stringify(lines[0]!.slice(0, 80))}.`;
  const head = new AnswerHead(status.status, status.http10, odd || status.odd);
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!;
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    let nameEnd = colon;
    while (nameEnd > 0 && isBlank(line.charCodeAt(nameEnd - 1))) nameEnd--;
    const name = line.slice(0, nameEnd);
    if (!TOKEN.test(name)) continue;
    head.add(name.toLowerCase(), trimmed(line, colon + 1));
  }
  return head;
}

function unfolded(text: string): string[] {
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

function trimmed(line: string, from: number): string {
  let start = from;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) start++;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--;
  return line.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}
