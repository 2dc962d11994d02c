import type { ResponseHead } from './response-head.ts';

/** How the end of a body is found. */
type Framing =
  /** No body. */
  | { readonly kind: 'none' }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'length'; readonly length: number }
  /** The body ends with the connection. */
  | { readonly kind: 'close' }
  | { readonly kind: 'refused'; readonly message: string };

const NO_BODY: Framing = { kind: 'none' };
const CHUNKED: Framing = { kind: 'chunked' };
const CLOSE: Framing = { kind: 'close' };

/**
 * How the body of a final response ends (RFC 9112 §6.3). Deviations are handled as in Chromium: `chunked` anywhere in
 * Transfer-Encoding takes precedence over Content-Length; other transfer codings are not decoded; an invalid Content-Length
 * is ignored; several different ones are refused, because they may be an attempt at response smuggling.
 */
export function framingOf(head: ResponseHead, method: string): Framing {
  if (method === 'HEAD' || head.status === 204 || head.status === 304) return NO_BODY;
  if (head.transferEncoding !== null && listIncludes(head.transferEncoding, 'chunked')) return CHUNKED;
  if (head.contentLength === null) {
    // A 205 has a body only if the head announces one; in Chromium it never has.
    return head.status === 205 && head.transferEncoding === null ? NO_BODY : CLOSE;
  }
  return contentLengthFraming(head.contentLength);
}

/** Whether the connection persists after this response (RFC 9112 §9.3). */
export function isPersistent(head: ResponseHead): boolean {
  if (head.malformed) return false;
  // With two kinds of framing, an intermediary may have found another end of the body (RFC 9112 §6.1).
  if (head.transferEncoding !== null && (head.contentLength !== null || head.http10)) return false;
  if (head.connection === null) return !head.http10;
  if (listIncludes(head.connection, 'close')) return false;
  return !head.http10 || listIncludes(head.connection, 'keep-alive');
}

function contentLengthFraming(value: string): Framing {
  if (!value.includes(',')) return parseContentLength(value);
  let first: Framing | null = null;
  for (const part of value.split(',')) {
    const framing = parseContentLength(part.trim());
    if (first === null) first = framing;
    else if (
      framing.kind !== first.kind ||
      (framing.kind === 'length' && framing.length !== (first as typeof framing).length)
    ) {
      return { kind: 'refused', message: 'It has Content-Length fields that differ.' };
    }
  }
  return first ?? CLOSE;
}

function parseContentLength(value: string): Framing {
  if (!/^\d+$/.test(value)) return CLOSE;
  const length = Number(value);
  return Number.isSafeInteger(length) ? { kind: 'length', length } : CLOSE;
}

/** Whether a comma-separated list contains the token, ignoring case. @param token lower-case */
function listIncludes(list: string, token: string): boolean {
  if (list === token) return true;
  for (const part of list.split(',')) if (part.trim().toLowerCase() === token) return true;
  return false;
}

/** Limit of a line between chunks (size with extensions, or one trailer field), as in Chromium. */
const MAX_LINE_LENGTH = 16_384;
/** Limit of all trailer fields together, which are ignored. */
const MAX_TRAILERS_LENGTH = 65_536;

const LF = 10;
/** The states of the decoder: which part of the coding comes next. */
const SIZE = 0;
const DATA = 1;
const DATA_END = 2;
const TRAILER = 3;
const DONE = 4;

interface ChunkedBodySink {
  onBody(piece: Buffer): void;
}

/**
 * Decodes the chunked transfer coding (RFC 9112 §7.1) from pieces of any size. As in Chromium, lines may end with a bare LF,
 * spaces may follow the size, and extensions are ignored.
 */
export class ChunkedDecoder {
  #state = SIZE;
  #remaining = 0;
  #line = '';
  #trailersLength = 0;

  /** The last chunk has come: the body is complete, although trailers may be missing (RFC 9112 §8). */
  get bodyComplete(): boolean {
    return this.#state >= TRAILER;
  }

  /** The empty line after the trailers has come. */
  get done(): boolean {
    return this.#state === DONE;
  }

  /**
   * Decodes the bytes from offset `from` on.
   * @returns how many of them were consumed (all, unless `done`), or why the coding is invalid
   */
  feed(bytes: Buffer, from: number, sink: ChunkedBodySink): number | string {
    let offset = from;
    while (offset < bytes.length && this.#state !== DONE) {
      if (this.#state === DATA) {
        const end = Math.min(bytes.length, offset + this.#remaining);
        this.#remaining -= end - offset;
        if (this.#remaining === 0) this.#state = DATA_END;
        sink.onBody(offset === 0 && end === bytes.length ? bytes : bytes.subarray(offset, end));
        offset = end;
        continue;
      }
      const lf = bytes.indexOf(LF, offset);
      const end = lf === -1 ? bytes.length : lf;
      if (this.#line.length + (end - offset) > MAX_LINE_LENGTH)
        return 'A line between its chunks is too long.';
      const part = bytes.toString('latin1', offset, end);
      this.#line = this.#line === '' ? part : this.#line + part;
      if (lf === -1) return bytes.length - from;
      offset = lf + 1;
      const error = this.#onLine(this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line);
      if (error !== null) return error;
      this.#line = '';
    }
    return offset - from;
  }

  /** @returns why the coding is invalid; null: it is valid so far */
  #onLine(line: string): string | null {
    if (this.#state === TRAILER) {
      this.#trailersLength += line.length + 2;
      if (line === '') this.#state = DONE;
      return this.#trailersLength > MAX_TRAILERS_LENGTH ? 'Its trailers are too long.' : null;
    }
    if (this.#state === DATA_END) {
      this.#state = SIZE;
      return line === '' ? null : 'A chunk is longer than its declared size.';
    }
    const size = parseChunkSize(line);
    if (size < 0) return `A chunk has the size ${JSON.stringify(line.slice(0, 40))}.`;
    this.#remaining = size;
    this.#state = size === 0 ? TRAILER : DATA;
    return null;
  }
}

/** @returns -1 for an invalid size */
function parseChunkSize(line: string): number {
  const semicolon = line.indexOf(';');
  const text = semicolon === -1 ? line : line.slice(0, semicolon);
  if (!/^[0-9a-fA-F]+[ \t]*$/.test(text)) return -1;
  const size = Number.parseInt(text, 16);
  return Number.isSafeInteger(size) ? size : -1;
}
