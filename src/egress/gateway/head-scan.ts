const CR = 0x0d;
const LF = 0x0a;

/**
 * Collects a head (of a request or an answer) from pieces cut anywhere, up to and with its empty line. Empty lines
 * before it are passed over (RFC 9112 §2.2). A line may end with a bare LF: whoever is strict looks at the text.
 */
export class HeadScan {
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
      if (byte === LF) {
        if (this.#begun && this.#blank) {
          this.#text += piece.toString('latin1', start, at + 1);
          return this.tooLong ? -1 : at + 1;
        }
        this.#blank = true;
      } else if (byte !== CR) {
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
