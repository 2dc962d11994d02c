import { headEndOffset } from '../base/http-syntax.ts';
import { ChunkedDecoder, framingOf, isPersistent } from './http1-framing.ts';
import { findStatusLine, NEED_MORE, NOT_HTTP, parseHead } from './http1-head.ts';
import type { ResponseHead } from './response-head.ts';

/** Collects copies of pieces. It doubles when it is full, so that a peer that sends single bytes causes few copies. */
class GrowingBuffer {
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** All bytes so far; valid until the next `add`. */
  get bytes(): Buffer {
    return this.#buffer.length === this.#length ? this.#buffer : this.#buffer.subarray(0, this.#length);
  }

  add(bytes: Buffer): void {
    const length = this.#length + bytes.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * length, 1024));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    bytes.copy(this.#buffer, this.#length);
    this.#length = length;
  }

  clear(): void {
    this.#buffer = EMPTY;
    this.#length = 0;
  }
}

const EMPTY = Buffer.alloc(0);

/** Limit of all heads of a response together, interim ones included; as in Chromium. */
const MAX_HEAD_BYTES = 262_144;

export interface ResponseSink {
  /** Called for the final head; interim responses (1xx) are skipped. */
  onHead(head: ResponseHead): void;
  onBody(piece: Buffer): void;
  /** The response is complete. `reusable`: the connection persists, and no bytes came after the response. */
  onComplete(reusable: boolean): void;
  /**
   * The response is invalid. After `onHead`, the body up to here is valid.
   * @param message a sentence about the response: `It has …`, `Its head is …`
   */
  onProtocolError(message: string): void;
  /** The connection ended before the response was complete. */
  onConnectionLost(message: string): void;
}

/** The states of the parser: which part of the response comes next. `CLOSE`: a body that ends with the connection. */
const HEAD = 0;
const CHUNKED = 1;
const LENGTH = 2;
const CLOSE = 3;
const DONE = 4;

/**
 * Parses responses of HTTP/1.x from pieces of any size, leniently. The result does not depend on how the pieces are cut. One
 * response at a time: `start`, then `feed` until exactly one of `onComplete`, `onProtocolError` and `onConnectionLost` is
 * called. Never throws.
 */
export class ResponseParser {
  readonly #sink: ResponseSink;
  #state = DONE;
  #method = 'GET';
  readonly #pending = new GrowingBuffer();
  /** The end of the head is not before this offset in `#pending`. */
  #searchedUntil = 0;
  #headBytes = 0;
  #remaining = 0;
  #chunks: ChunkedDecoder | null = null;
  #persistent = false;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  /** Expects the response to a request with this method. */
  start(method: string): void {
    this.#method = method;
    this.#state = HEAD;
    this.#pending.clear();
    this.#searchedUntil = 0;
    this.#headBytes = 0;
    this.#chunks = null;
    this.#persistent = false;
  }

  /** Nothing more is reported of this response. */
  stop(): void {
    this.#state = DONE;
    this.#pending.clear();
  }

  /** @param bytes `onBody` gets views of them; the parser copies bytes that it keeps */
  feed(bytes: Buffer): void {
    if (this.#state === HEAD) {
      if (this.#pending.length === 0) {
        this.#feedHead(bytes);
        return;
      }
      this.#pending.add(bytes);
      this.#feedHead(this.#pending.bytes);
    } else if (this.#state !== DONE) this.#feedBody(bytes, 0);
  }

  /** The target has closed its side of the connection: some responses are complete then. */
  end(): void {
    if (this.#state === DONE) return;
    if (this.#state === CLOSE) this.#complete(/* reusable */ false);
    else if (this.#state === CHUNKED && this.#chunks!.bodyComplete) this.#complete(/* reusable */ false);
    else if (this.#state === HEAD && isNotHttp(this.#pending.bytes)) {
      this.#protocolError(notHttpMessage(this.#pending.bytes));
    } else this.connectionLost('The target closed the connection before the response was complete.');
  }

  /** The connection is lost. */
  connectionLost(message: string): void {
    if (this.#state === DONE) return;
    this.stop();
    this.#sink.onConnectionLost(message);
  }

  #feedHead(bytes: Buffer): void {
    let from = 0;
    while (this.#state === HEAD) {
      const rest = from === 0 ? bytes : bytes.subarray(from);
      const start = findStatusLine(rest);
      if (start === NOT_HTTP) {
        this.#protocolError(notHttpMessage(rest));
        return;
      }
      const end = start === NEED_MORE ? -1 : headEndOffset(rest, Math.max(start, this.#searchedUntil));
      if (this.#headBytes + (end === -1 ? rest.length : end) > MAX_HEAD_BYTES) {
        this.#protocolError(`Its head is longer than ${MAX_HEAD_BYTES / 1024} KiB.`);
        return;
      }
      if (end === -1) {
        this.#searchedUntil = Math.max(0, rest.length - 2);
        if (from > 0 || this.#pending.length === 0) {
          this.#pending.clear();
          this.#pending.add(rest);
        }
        return;
      }
      this.#headBytes += end;
      this.#searchedUntil = 0;
      from += end;
      if (!this.#onHeadText(rest.toString('latin1', start, end))) return;
    }
    this.#pending.clear();
    this.#feedBody(bytes, from);
  }

  /** @returns false after an error; true: the body follows, or the next head after an interim one */
  #onHeadText(text: string): boolean {
    const head = parseHead(text);
    if (typeof head === 'string') {
      this.#protocolError(head);
      return false;
    }
    if (head.status < 200) {
      if (head.status !== 101) return true;
      this.#protocolError('It switches to another protocol, which was not requested.');
      return false;
    }
    const framing = framingOf(head, this.#method);
    if (framing.kind === 'refused') {
      this.#protocolError(framing.message);
      return false;
    }
    this.#persistent = isPersistent(head);
    if (framing.kind === 'chunked') {
      this.#state = CHUNKED;
      this.#chunks = new ChunkedDecoder();
    } else if (framing.kind === 'close') this.#state = CLOSE;
    else {
      this.#state = LENGTH;
      this.#remaining = framing.kind === 'length' ? framing.length : 0;
    }
    this.#sink.onHead(head);
    return true;
  }

  #feedBody(bytes: Buffer, from: number): void {
    if (this.#state === LENGTH) {
      const end = Math.min(bytes.length, from + this.#remaining);
      this.#remaining -= end - from;
      if (end > from)
        this.#sink.onBody(from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end));
      if (this.#remaining === 0 && this.#state === LENGTH)
        this.#complete(this.#persistent && end === bytes.length);
    } else if (this.#state === CHUNKED) {
      const consumed = this.#chunks!.feed(bytes, from, this);
      if (typeof consumed === 'string') this.#protocolError(consumed);
      else if (this.#chunks!.done && this.#state === CHUNKED) {
        this.#complete(this.#persistent && from + consumed === bytes.length);
      }
    } else if (this.#state === CLOSE) {
      if (from < bytes.length) this.#sink.onBody(from === 0 ? bytes : bytes.subarray(from));
    }
  }

  /** For the chunked decoder: a piece of the decoded body. */
  onBody(piece: Buffer): void {
    if (this.#state === CHUNKED) this.#sink.onBody(piece);
  }

  #complete(reusable: boolean): void {
    this.stop();
    this.#sink.onComplete(reusable);
  }

  #protocolError(message: string): void {
    if (this.#state === DONE) return;
    this.stop();
    this.#sink.onProtocolError(message);
  }
}

/** Whether bytes that are too few for `findStatusLine` cannot be the beginning of a head. */
function isNotHttp(bytes: Buffer): boolean {
  // From 8 bytes on, `findStatusLine` has decided already.
  if (bytes.length >= 8 || findStatusLine(bytes) >= 0) return false;
  const text = bytes.toString('latin1').trimStart().toLowerCase();
  return !'http'.startsWith(text) && !'icy '.startsWith(text);
}

function notHttpMessage(bytes: Buffer): string {
  return `It begins with ${JSON.stringify(bytes.toString('latin1', 0, 24))}.`;
}
