const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/**
 * Collects a head (of a request or an answer) from pieces cut anywhere, up to and with its empty line. Empty lines
 * before it are passed over (RFC 9112 §2.2). A line may end with a bare LF: whoever is strict looks at the text.
 */
export class HeadScanner {
  readonly #limit: number;
  #text = '';
  #blank = true;
  #begun = false;

  /** @param limit characters */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get tooLong(): boolean {
    return this.#text.length > this.#limit;
  }

  /** The index after the head, -1 when it goes on in the next piece or has become too long. */
  feed(piece: Buffer, from: number): number {
    let start = from;
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at]!;
      if (byte === LINE_FEED) {
        if (this.#begun && this.#blank) {
          this.#text += piece.toString('latin1', start, at + 1);
          return this.tooLong ? -1 : at + 1;
        }
        this.#blank = true;
      } else if (byte !== CARRIAGE_RETURN) {
        if (!this.#begun) start = at;
        this.#begun = true;
        this.#blank = false;
      }
    }
    if (this.#begun) this.#text += piece.toString('latin1', start, piece.length);
    return -1;
  }

  /** The whole head, one character a byte; begins anew. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    this.#blank = true;
    this.#begun = false;
    return text;
  }
}

/** Lengths of a body that are no number of bytes. */
export const CHUNKED = -1;
export const UNTIL_CLOSE = -2;

const CR = 0x0d;
const LF = 0x0a;
const MAX_CHUNK_SIZE = 2 ** 48;

type ChunkState =
  | 'size'
  | 'extension'
  | 'size-lf'
  | 'data'
  | 'data-cr'
  | 'data-lf'
  | 'line'
  | 'trailer'
  | 'last-lf';

/**
 * Finds where a body ends in pieces cut anywhere, and changes nothing in it (RFC 9112 §6, §7.1). Strict, for what we
 * send on: a reading that differs from the target's would let one request hide in another. Else bare LF ends lines, too.
 */
export class BodyScanner {
  readonly #strict: boolean;
  #remaining = 0;
  #state: ChunkState = 'size';
  #digits = 0;
  #chunked = false;
  #done = true;
  #malformed = false;

  constructor(strict: boolean) {
    this.#strict = strict;
  }

  /** Nothing of the body is missing. */
  get done(): boolean {
    return this.#done;
  }

  /** What came is not chunked coding; nothing can be said of the end. */
  get malformed(): boolean {
    return this.#malformed;
  }

  /** @param length bytes, `CHUNKED` or `UNTIL_CLOSE` */
  start(length: number): void {
    this.#chunked = length === CHUNKED;
    this.#remaining = length === UNTIL_CLOSE ? Number.POSITIVE_INFINITY : Math.max(0, length);
    this.#state = 'size';
    this.#digits = 0;
    this.#done = length === 0;
    this.#malformed = false;
  }

  /** The index after what belongs to the body; then look at `done` and `broken`. */
  feed(piece: Buffer, from: number): number {
    if (this.#done) return from;
    if (!this.#chunked) {
      const end = this.#skip(piece, from);
      this.#done = this.#remaining === 0;
      return end;
    }
    let at = from;
    while (at < piece.length && !this.#done && !this.#malformed) {
      at = this.#state === 'data' ? this.#skip(piece, at) : this.#step(piece[at]!, at);
      if (this.#state === 'data' && this.#remaining === 0) this.#state = 'data-cr';
    }
    return at;
  }

  #skip(piece: Buffer, from: number): number {
    const take = Math.min(this.#remaining, piece.length - from);
    this.#remaining -= take;
    return from + take;
  }

  #step(byte: number, at: number): number {
    switch (this.#state) {
      case 'size':
        this.#size(byte);
        break;
      case 'extension':
        if (byte === CR || byte === LF) this.#lineEnd(byte, 'size-lf');
        break;
      case 'size-lf':
      case 'data-lf':
      case 'last-lf':
        if (byte === LF) this.#afterLine(this.#state);
        else this.#malformed = true;
        break;
      case 'data-cr':
        this.#lineEnd(byte, 'data-lf');
        break;
      case 'line':
        if (byte === CR || byte === LF) this.#lineEnd(byte, 'last-lf');
        else this.#state = 'trailer';
        break;
      default:
        if (byte === LF) this.#state = 'line';
    }
    return at + 1;
  }

  #size(byte: number): void {
    const digit = hexDigit(byte);
    if (digit >= 0) {
      this.#remaining = this.#remaining * 16 + digit;
      this.#digits++;
      if (this.#remaining > MAX_CHUNK_SIZE) this.#malformed = true;
    } else if (this.#digits === 0) this.#malformed = true;
    else if (byte === 0x3b || byte === 0x20 || byte === 0x09) this.#state = 'extension';
    else this.#lineEnd(byte, 'size-lf');
  }

  #lineEnd(byte: number, next: 'size-lf' | 'data-lf' | 'last-lf'): void {
    if (byte === CR) this.#state = next;
    else if (byte === LF && !this.#strict) this.#afterLine(next);
    else this.#malformed = true;
  }

  #afterLine(which: 'size-lf' | 'data-lf' | 'last-lf'): void {
    if (which === 'last-lf') this.#done = true;
    else if (which === 'size-lf') this.#state = this.#remaining === 0 ? 'line' : 'data';
    else {
      this.#state = 'size';
      this.#digits = 0;
      this.#remaining = 0;
    }
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
