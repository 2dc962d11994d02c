/** Longest line between chunks (size and extensions, or one trailer line), as in Chromium. */
const MAX_LINE = 16_384;
/** All trailer lines together; they are dropped. */
const MAX_TRAILERS = 65_536;

const LF = 10;
const SIZE = 0;
const DATA = 1;
const DATA_END = 2;
const TRAILER = 3;
const DONE = 4;

export interface ChunkSink {
  onBody(piece: Buffer): void;
}

/**
 * The chunked transfer coding (RFC 9112 §7.1), fed with pieces of any size. As Chromium: lines may end in LF alone,
 * extensions are ignored, spaces after the size are fine.
 */
export class ChunkedDecoder {
  #state = SIZE;
  #left = 0;
  #line = '';
  #trailers = 0;

  /** The zero chunk has come: the body is whole, though its trailer may not be (RFC 9112 §8). */
  get whole(): boolean {
    return this.#state >= TRAILER;
  }

  /** The empty line after the trailers has come. */
  get done(): boolean {
    return this.#state === DONE;
  }

  /**
   * @returns how many bytes were used (fewer than given only once `done`), or why the coding cannot be read
   */
  feed(bytes: Buffer, from: number, sink: ChunkSink): number | string {
    let at = from;
    while (at < bytes.length && this.#state !== DONE) {
      if (this.#state === DATA) {
        const end = Math.min(bytes.length, at + this.#left);
        this.#left -= end - at;
        if (this.#left === 0) this.#state = DATA_END;
        sink.onBody(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end));
        at = end;
        continue;
      }
      const lf = bytes.indexOf(LF, at);
      const end = lf === -1 ? bytes.length : lf;
      if (this.#line.length + (end - at) > MAX_LINE) return 'A line between its chunks is too long.';
      const part = bytes.toString('latin1', at, end);
      this.#line = this.#line === '' ? part : this.#line + part;
      if (lf === -1) return bytes.length - from;
      at = lf + 1;
      const trouble = this.#endOfLine(this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line);
      if (trouble !== null) return trouble;
      this.#line = '';
    }
    return at - from;
  }

  #endOfLine(line: string): string | null {
    if (this.#state === TRAILER) {
      this.#trailers += line.length + 2;
      if (line === '') this.#state = DONE;
      return this.#trailers > MAX_TRAILERS ? 'Its trailers are too long.' : null;
    }
    if (this.#state === DATA_END) {
      this.#state = SIZE;
      return line === '' ? null : 'A chunk is longer than its declared size.';
    }
    const size = chunkSize(line);
    if (size < 0) return `A chunk has the size ${JSON.stringify(line.slice(0, 40))}.`;
    this.#left = size;
    this.#state = size === 0 ? TRAILER : DATA;
    return null;
  }
}

function chunkSize(line: string): number {
  const semicolon = line.indexOf(';');
  const text = semicolon === -1 ? line : line.slice(0, semicolon);
  if (!/^[0-9a-fA-F]+[ \t]*$/.test(text)) return -1;
  const size = Number.parseInt(text, 16);
  return Number.isSafeInteger(size) ? size : -1;
}
