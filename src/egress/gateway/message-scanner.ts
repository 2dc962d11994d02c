const CR = 0x0d;
const LF = 0x0a;

/**
 * Collects the head of a request or response from pieces of any size, up to and including its empty line. Skips empty lines
 * before it (RFC 9112 §2.2). Accepts a bare LF as a line end; a caller that does not accept it must check the text.
 */
export class HeadScanner {
  readonly #limit: number;
  #text = '';
  #lineEmpty = true;
  #started = false;

  /** @param limit characters */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get tooLong(): boolean {
    return this.#text.length > this.#limit;
  }

  /** @returns the index after the head; -1: it continues in the next piece, or is too long */
  feed(piece: Buffer, from: number): number {
    let start = from;
    for (let index = from; index < piece.length; index++) {
      const byte = piece[index]!;
      if (byte === LF) {
        if (this.#started && this.#lineEmpty) {
          this.#text += piece.toString('latin1', start, index + 1);
          return this.tooLong ? -1 : index + 1;
        }
        this.#lineEmpty = true;
      } else if (byte !== CR) {
        if (!this.#started) start = index;
        this.#started = true;
        this.#lineEmpty = false;
      }
    }
    if (this.#started) this.#text += piece.toString('latin1', start, piece.length);
    return -1;
  }

  /** Returns the whole head, one character per byte, and starts over. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    this.#lineEmpty = true;
    this.#started = false;
    return text;
  }
}

/** Lengths of a body that are not a number of bytes. */
export const CHUNKED = -1;
export const UNTIL_CLOSE = -2;

/** Far more than any chunk has, and small enough to be counted exactly. */
const MAX_CHUNK_SIZE = 2 ** 48;

/**
 * The part of the chunked coding (RFC 9112 §7.1) that the next byte belongs to. `trailer-start`: the start of a trailer line.
 */
type ChunkState =
  | 'size'
  | 'extension'
  | 'size-lf'
  | 'data'
  | 'data-cr'
  | 'data-lf'
  | 'trailer-start'
  | 'trailer'
  | 'final-lf';

/**
 * Finds the end of a body in pieces of any size, without changing it (RFC 9112 §6, §7.1). For requests it is strict: if the
 * target read the body differently, one request could hide in another. For responses it also accepts a bare LF as a line
 * end.
 */
export class BodyScanner {
  readonly #strict: boolean;
  /** Bytes of the body, or of the current chunk. */
  #remaining = 0;
  #state: ChunkState = 'size';
  /** Digits of the current chunk size. */
  #digits = 0;
  #chunked = false;
  #done = true;
  #malformed = false;

  constructor(message: 'request' | 'response') {
    this.#strict = message === 'request';
  }

  /** The body is complete. */
  get done(): boolean {
    return this.#done;
  }

  /** The chunked coding is invalid: the end of the body is not known. */
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

  /** @returns the index after the bytes of the body; check `done` and `malformed` afterwards */
  feed(piece: Buffer, from: number): number {
    if (this.#done) return from;
    if (!this.#chunked) {
      const end = this.#skip(piece, from);
      this.#done = this.#remaining === 0;
      return end;
    }
    let index = from;
    while (index < piece.length && !this.#done && !this.#malformed) {
      index = this.#state === 'data' ? this.#skip(piece, index) : this.#scanByte(piece[index]!, index);
      if (this.#state === 'data' && this.#remaining === 0) this.#state = 'data-cr';
    }
    return index;
  }

  #skip(piece: Buffer, from: number): number {
    const count = Math.min(this.#remaining, piece.length - from);
    this.#remaining -= count;
    return from + count;
  }

  #scanByte(byte: number, index: number): number {
    switch (this.#state) {
      case 'size':
        this.#scanSize(byte);
        break;
      case 'extension':
        if (byte === CR || byte === LF) this.#scanLineEnd(byte, 'size-lf');
        break;
      case 'size-lf':
      case 'data-lf':
      case 'final-lf':
        if (byte === LF) this.#endLine(this.#state);
        else this.#malformed = true;
        break;
      case 'data-cr':
        this.#scanLineEnd(byte, 'data-lf');
        break;
      case 'trailer-start':
        if (byte === CR || byte === LF) this.#scanLineEnd(byte, 'final-lf');
        else this.#state = 'trailer';
        break;
      default:
        if (byte === LF) this.#state = 'trailer-start';
    }
    return index + 1;
  }

  #scanSize(byte: number): void {
    const digit = hexDigit(byte);
    if (digit >= 0) {
      this.#remaining = this.#remaining * 16 + digit;
      this.#digits++;
      if (this.#remaining > MAX_CHUNK_SIZE) this.#malformed = true;
    } else if (this.#digits === 0) this.#malformed = true;
    // A semicolon, a space or a tab.
    else if (byte === 0x3b || byte === 0x20 || byte === 0x09) this.#state = 'extension';
    else this.#scanLineEnd(byte, 'size-lf');
  }

  #scanLineEnd(byte: number, next: 'size-lf' | 'data-lf' | 'final-lf'): void {
    if (byte === CR) this.#state = next;
    else if (byte === LF && !this.#strict) this.#endLine(next);
    else this.#malformed = true;
  }

  #endLine(state: 'size-lf' | 'data-lf' | 'final-lf'): void {
    if (state === 'final-lf') this.#done = true;
    else if (state === 'size-lf') this.#state = this.#remaining === 0 ? 'trailer-start' : 'data';
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
