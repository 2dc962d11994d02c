import type { BodyBytes } from './body-bytes.ts';
import type { BodyDecoder, DecodedBody } from './decoded-body.ts';

/** A body without coding, or with one that cannot be undone. Copies only to join pieces. */
export class PlainBodyDecoder implements BodyDecoder {
  readonly #limit: number;
  readonly #problem: string | null;
  readonly #body: BodyBytes;
  #over = false;

  /** @param problem why the body is given undecoded; null: it is as it should be */
  constructor(limit: number, problem: string | null, body: BodyBytes) {
    this.#limit = limit;
    this.#problem = problem;
    this.#body = body;
  }

  get copies(): boolean {
    return this.#body.large;
  }

  copiesNow(length: number): boolean {
    return this.#body.copiesNow(Math.min(length, this.#limit - this.#body.size));
  }

  push(piece: Uint8Array): 'more' | 'full' | Promise<'more' | 'full'> {
    const room = this.#limit - this.#body.size;
    this.#over = piece.length > room;
    const state = this.#over ? 'full' : 'more';
    const waits = this.#body.add(this.#over ? piece.subarray(0, room) : piece);
    return waits === null ? state : waits.then((granted) => (granted ? state : 'full'));
  }

  end(): DecodedBody {
    const bytes = this.#body.bytes();
    if (this.#problem !== null && bytes.length > 0) {
      return { bytes, state: 'decode_failed', undecoded: true, detail: this.#problem };
    }
    return { bytes, state: this.#over ? 'over_limit' : 'whole', undecoded: false, detail: null };
  }

  destroy(): void {
    this.#body.drop();
  }
}
