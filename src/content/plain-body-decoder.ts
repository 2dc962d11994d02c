import type { BodyDecoder, DecodedBody } from './decoded-body.ts';

/** A body without coding, or with one that cannot be undone. Never waits; copies only to join pieces. */
export class PlainBodyDecoder implements BodyDecoder {
  readonly #limit: number;
  readonly #problem: string | null;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #over = false;

  /** @param problem why the body is given undecoded; null: it is as it should be */
  constructor(limit: number, problem: string | null) {
    this.#limit = limit;
    this.#problem = problem;
  }

  push(piece: Uint8Array): 'more' | 'full' {
    const room = this.#limit - this.#size;
    if (piece.length <= room) {
      if (piece.length > 0) this.#pieces.push(piece);
      this.#size += piece.length;
      return 'more';
    }
    if (room > 0) this.#pieces.push(piece.subarray(0, room));
    this.#size = this.#limit;
    this.#over = true;
    return 'full';
  }

  end(): DecodedBody {
    const bytes = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces, this.#size);
    if (this.#problem !== null && bytes.length > 0) {
      return { bytes, state: 'decode_failed', undecoded: true, detail: this.#problem };
    }
    return { bytes, state: this.#over ? 'over_limit' : 'whole', undecoded: false, detail: null };
  }

  destroy(): void {
    this.#pieces = [];
    this.#size = 0;
  }
}
