/** Lengths of a body that are no number of bytes. */
export const CHUNKED = -1;
export const UNTIL_CLOSE = -2;

const CR = 0x0d;
const LF = 0x0a;
const MAX_CHUNK = 2 ** 48;

type State =
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
export class BodyCutter {
  readonly #strict: boolean;
  #left = 0;
  #state: State = 'size';
  #digits = 0;
  #chunked = false;
  #done = true;
  #broken = false;

  constructor(strict: boolean) {
    this.#strict = strict;
  }

  /** Nothing of the body is missing. */
  get done(): boolean {
    return this.#done;
  }

  /** What came is not chunked coding; nothing can be said of the end. */
  get broken(): boolean {
    return this.#broken;
  }

  /** @param length bytes, `CHUNKED` or `UNTIL_CLOSE` */
  begin(length: number): void {
    this.#chunked = length === CHUNKED;
    this.#left = length === UNTIL_CLOSE ? Number.POSITIVE_INFINITY : Math.max(0, length);
    this.#state = 'size';
    this.#digits = 0;
    this.#done = length === 0;
    this.#broken = false;
  }

  /** The index after what belongs to the body; then look at `done` and `broken`. */
  feed(piece: Buffer, from: number): number {
    if (this.#done) return from;
    if (!this.#chunked) {
      const end = this.#skip(piece, from);
      this.#done = this.#left === 0;
      return end;
    }
    let at = from;
    while (at < piece.length && !this.#done && !this.#broken) {
      at = this.#state === 'data' ? this.#skip(piece, at) : this.#step(piece[at]!, at);
      if (this.#state === 'data' && this.#left === 0) this.#state = 'data-cr';
    }
    return at;
  }

  #skip(piece: Buffer, from: number): number {
    const take = Math.min(this.#left, piece.length - from);
    this.#left -= take;
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
        else this.#broken = true;
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
      this.#left = this.#left * 16 + digit;
      this.#digits++;
      if (this.#left > MAX_CHUNK) this.#broken = true;
    } else if (this.#digits === 0) this.#broken = true;
    else if (byte === 0x3b || byte === 0x20 || byte === 0x09) this.#state = 'extension';
    else this.#lineEnd(byte, 'size-lf');
  }

  #lineEnd(byte: number, next: 'size-lf' | 'data-lf' | 'last-lf'): void {
    if (byte === CR) this.#state = next;
    else if (byte === LF && !this.#strict) this.#afterLine(next);
    else this.#broken = true;
  }

  #afterLine(which: 'size-lf' | 'data-lf' | 'last-lf'): void {
    if (which === 'last-lf') this.#done = true;
    else if (which === 'size-lf') this.#state = this.#left === 0 ? 'line' : 'data';
    else {
      this.#state = 'size';
      this.#digits = 0;
      this.#left = 0;
    }
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
