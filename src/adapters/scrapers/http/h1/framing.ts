import type { AnswerHead } from '../answer-head.ts';

export type Framing =
  /** No body by nature. */
  | { readonly kind: 'none' }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'length'; readonly length: number }
  /** The body ends with the connection. */
  | { readonly kind: 'close' }
  | { readonly kind: 'refused'; readonly why: string };

const NONE: Framing = { kind: 'none' };
const CHUNKED: Framing = { kind: 'chunked' };
const CLOSE: Framing = { kind: 'close' };

/**
 * How the body of a final answer is delimited: RFC 9112 §6.3, with Chromium's reading of what is not as it says:
 * `chunked` anywhere in Transfer-Encoding beats Content-Length, other transfer codings are left as they are, a
 * Content-Length that is no number is as none, different ones are refused (request smuggling looks like that).
 */
export function framingOf(head: AnswerHead, method: string): Framing {
  if (method === 'HEAD' || head.status === 204 || head.status === 304) return NONE;
  if (head.transferEncoding !== null && listHas(head.transferEncoding, 'chunked')) return CHUNKED;
  if (head.contentLength === null) {
    // Chromium takes 205 as bodiless always; a server that announces a body gets it read.
    return head.status === 205 && head.transferEncoding === null ? NONE : CLOSE;
  }
  return lengthOf(head.contentLength);
}

/** Whether the connection stands after this answer, as the peer says it (RFC 9112 §9.3). */
export function staysOpen(head: AnswerHead): boolean {
  if (head.odd) return false;
  // Both kinds of framing at once: whoever is in between may have read the other one.
  if (head.transferEncoding !== null && (head.contentLength !== null || head.http10)) return false;
  if (head.connection === null) return !head.http10;
  if (listHas(head.connection, 'close')) return false;
  return !head.http10 || listHas(head.connection, 'keep-alive');
}

function lengthOf(value: string): Framing {
  if (!value.includes(',')) return digits(value);
  let first: Framing | null = null;
  for (const part of value.split(',')) {
    const one = digits(part.trim());
    if (first === null) first = one;
    else if (
      one.kind !== first.kind ||
      (one.kind === 'length' && one.length !== (first as typeof one).length)
    ) {
      return { kind: 'refused', why: 'It has Content-Length fields that differ.' };
    }
  }
  return first ?? CLOSE;
}

function digits(value: string): Framing {
  if (!/^\d+$/.test(value)) return CLOSE;
  const length = Number(value);
  return Number.isSafeInteger(length) ? { kind: 'length', length } : CLOSE;
}

/** Whether a comma-separated list names the (lower-case) token, without regard to letter case. */
export function listHas(list: string, token: string): boolean {
  if (list === token) return true;
  for (const part of list.split(',')) if (part.trim().toLowerCase() === token) return true;
  return false;
}
