import { type BodyMemory, SMALL_BYTES } from '../../base/memory-budget.ts';

/** Memory that a large body of unknown length gets first. */
const FIRST_GROWTH_BYTES = 2 ** 20;
/** A small body of known length and at least this size is copied into one buffer, so that its pieces can be freed at once. */
const COPY_FROM_BYTES = 8 * 1024;

/** Each piece costs about a hundred bytes more than its content. A target that sends single bytes must not fill the memory. */
const MAX_PIECES = 1_024;

/**
 * Collects a body of at most `limit` bytes. The pieces of a small body are kept, and joined at the end. A large body
 * reserves memory before it grows, and is written into one buffer that grows in place, so that there is no second copy.
 */
export class BodyBuffer {
  size = 0;
  readonly #limit: number;
  readonly #memory: BodyMemory | null;
  /** Length as declared by the sender; null: not known. */
  readonly #expected: number | null;
  #pieces: Uint8Array[] = [];
  #buffer: ArrayBuffer | null = null;
  #view: Uint8Array | null = null;
  #reserved = 0;
  #dropped = false;

  /** @param memory null: no memory is reserved */
  constructor(limit: number, memory: BodyMemory | null, expected: number | null) {
    this.#limit = limit;
    this.#memory = memory;
    this.#expected = expected;
    this.#allocateIfSmall();
  }

  /** The body is in one buffer, not in pieces. */
  get isLarge(): boolean {
    return this.#view !== null;
  }

  /** Whether `add` would copy a piece of this length without waiting for memory. */
  copiesImmediately(length: number): boolean {
    return this.#view !== null && this.size + length <= this.#reserved;
  }

  /**
   * @param piece must not exceed the limit
   * @returns null: added; else a promise while memory is short: true when the piece was added, false when the wait was ended
   */
  add(piece: Uint8Array): null | Promise<boolean> {
    const size = this.size + piece.length;
    if (this.#view === null && (this.#memory === null || this.#fits(size))) {
      if (piece.length > 0 && this.#pieces.push(piece) > MAX_PIECES)
        this.#pieces = [Buffer.concat(this.#pieces, size)];
      this.size = size;
      return null;
    }
    if (size <= this.#reserved) {
      this.#write(piece);
      return null;
    }
    return this.#grow(piece, size);
  }

  /** The whole body. A large one becomes empty when the reservation is closed. */
  bytes(): Uint8Array {
    if (this.#buffer === null) {
      if (this.#view !== null) return this.#view.subarray(0, this.size);
      if (this.#pieces.length === 1) return this.#pieces[0]!;
      return Buffer.concat(this.#pieces, this.size);
    }
    const { reservation } = this.#memory!;
    reservation.shrink(this.size, this.size * reservation.memoryPerByte);
    return new Uint8Array(this.#buffer, 0, this.size);
  }

  /** Discards the body. Its memory stays reserved until `retain` or `shrink` of the reservation is called. */
  drop(): void {
    this.#pieces = [];
    this.size = 0;
    this.#reserved = 0;
    this.#view = null;
    this.#dropped = true;
    if (this.#buffer !== null) this.#memory!.reservation.free(this.#buffer);
    this.#buffer = null;
  }

  /** Allocates the buffer of a small body of known length. */
  #allocateIfSmall(): void {
    const expected = Math.min(this.#expected ?? 0, this.#limit);
    if (this.#memory === null || this.#view !== null) return;
    if (expected < COPY_FROM_BYTES || expected > SMALL_BYTES) return;
    this.#view = Buffer.allocUnsafeSlow(expected);
    this.#reserved = expected;
  }

  /** Whether the body is small, and not declared as large. */
  #fits(size: number): boolean {
    return size <= SMALL_BYTES && (this.#expected === null || this.#expected <= SMALL_BYTES);
  }

  #grow(piece: Uint8Array, size: number): null | Promise<boolean> {
    const { reservation, signal } = this.#memory!;
    const declared = this.#expected === null ? this.#limit : Math.min(this.#limit, this.#expected);
    // The declared length in one step. If there is none, or it was wrong, double the size.
    const nextSize =
      size <= declared && this.#expected !== null
        ? declared
        : Math.max(FIRST_GROWTH_BYTES, 2 * this.#reserved);
    const reserved = Math.min(this.#limit, Math.max(size, nextSize));
    const maxBytes = Math.max(reserved, declared) * reservation.memoryPerByte;
    const wait = reservation.reserve(reserved, maxBytes, signal);
    if (wait === null) {
      this.#enlarge(reserved);
      this.#write(piece);
      return null;
    }
    return wait.then((granted) => {
      if (!granted || this.#dropped) return false;
      this.#enlarge(reserved);
      this.#write(piece);
      return true;
    });
  }

  #enlarge(reserved: number): void {
    this.#reserved = reserved;
    if (this.#buffer === null) {
      // More was received than declared.
      if (this.#view !== null) this.#pieces = [this.#view.subarray(0, this.size)];
      this.#buffer = this.#memory!.reservation.allocate(this.#limit);
      this.#view = new Uint8Array(this.#buffer);
      this.#buffer.resize(reserved);
      let offset = 0;
      for (const piece of this.#pieces) {
        this.#view.set(piece, offset);
        offset += piece.length;
      }
      this.#pieces = [];
    } else this.#buffer.resize(reserved);
  }

  #write(piece: Uint8Array): void {
    this.#view!.set(piece, this.size);
    this.size += piece.length;
  }
}
