import { type MemoryReservation, SMALL_BYTES } from '../../base/memory-budget.ts';

const FIRST_GROWTH_BYTES = 2 ** 20;
/** From here on a small body of known length is written into memory of its own: its pieces can go at once. */
const COPY_FROM_BYTES = 8 * 1024;

/** Each costs a hundred bytes beside its own: a target that sends one by one must not have more than a few. */
const MAX_PIECES = 1_024;

/** Where large bodies have to ask for room. */
export interface BodyMemory {
  readonly room: MemoryReservation;
  /** Ends waiting. */
  readonly signal: AbortSignal;
}

/**
 * Collects a body of at most `limit` bytes. A small one is its pieces, joined at the end. A large one asks for room
 * before it grows, and is written into one memory that grows in place: no second copy of it ever exists.
 */
export class BodyBuffer {
  size = 0;
  readonly #limit: number;
  readonly #where: BodyMemory | null;
  /** Length as announced; null: not known. */
  readonly #expected: number | null;
  #pieces: Uint8Array[] = [];
  #buffer: ArrayBuffer | null = null;
  #view: Uint8Array | null = null;
  #reserved = 0;
  #dropped = false;

  /** @param where null: bodies of this one never get large, or nobody counts */
  constructor(limit: number, where: BodyMemory | null, expected: number | null) {
    this.#limit = limit;
    this.#where = where;
    this.#expected = expected;
    this.#prepare();
  }

  /** It is in memory of its own, and no longer in pieces. */
  get isLarge(): boolean {
    return this.#view !== null;
  }

  /** Whether `add` would copy so many bytes at once. */
  copiesImmediately(length: number): boolean {
    return this.#view !== null && this.size + length <= this.#reserved;
  }

  /** @param piece within the limit. A promise: there is no room yet; false: there will be none, nothing was taken. */
  add(piece: Uint8Array): null | Promise<boolean> {
    const size = this.size + piece.length;
    if (this.#view === null && (this.#where === null || this.#fits(size))) {
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

  /** All of it. Views of a large body are empty once its room is closed. */
  bytes(): Uint8Array {
    if (this.#buffer === null) {
      if (this.#view !== null) return this.#view.subarray(0, this.size);
      if (this.#pieces.length === 1) return this.#pieces[0]!;
      return Buffer.concat(this.#pieces, this.size);
    }
    this.#where!.room.shrink(this.size, this.size * this.#where!.room.memoryPerByte);
    return new Uint8Array(this.#buffer, 0, this.size);
  }

  /** Nothing of it is wanted. What is reserved stays so until the room is told what is kept. */
  drop(): void {
    this.#pieces = [];
    this.size = 0;
    this.#reserved = 0;
    this.#view = null;
    this.#dropped = true;
    if (this.#buffer !== null) this.#where!.room.free(this.#buffer);
    this.#buffer = null;
  }

  #prepare(): void {
    const expected = Math.min(this.#expected ?? 0, this.#limit);
    if (this.#where === null || this.#view !== null) return;
    if (expected < COPY_FROM_BYTES || expected > SMALL_BYTES) return;
    this.#view = Buffer.allocUnsafeSlow(expected);
    this.#reserved = expected;
  }

  /** Small, and not announced as large. */
  #fits(size: number): boolean {
    return size <= SMALL_BYTES && (this.#expected === null || this.#expected <= SMALL_BYTES);
  }

  #grow(piece: Uint8Array, size: number): null | Promise<boolean> {
    const { room, signal } = this.#where!;
    const announced = this.#expected === null ? this.#limit : Math.min(this.#limit, this.#expected);
    // What was announced in one step; else, or when that was a lie, twice as much as there is.
    const next =
      size <= announced && this.#expected !== null
        ? announced
        : Math.max(FIRST_GROWTH_BYTES, 2 * this.#reserved);
    const reserved = Math.min(this.#limit, Math.max(size, next));
    const most = Math.max(reserved, announced) * room.memoryPerByte;
    const waits = room.reserve(reserved, most, signal);
    if (waits === null) {
      this.#enlarge(reserved);
      this.#write(piece);
      return null;
    }
    return waits.then((granted) => {
      if (!granted || this.#dropped) return false;
      this.#enlarge(reserved);
      this.#write(piece);
      return true;
    });
  }

  #enlarge(reserved: number): void {
    this.#reserved = reserved;
    if (this.#buffer === null) {
      // More came than was announced.
      if (this.#view !== null) this.#pieces = [this.#view.subarray(0, this.size)];
      this.#buffer = this.#where!.room.allocate(this.#limit);
      this.#view = new Uint8Array(this.#buffer);
      this.#buffer.resize(reserved);
      let at = 0;
      for (const piece of this.#pieces) {
        this.#view.set(piece, at);
        at += piece.length;
      }
      this.#pieces = [];
    } else this.#buffer.resize(reserved);
  }

  #write(piece: Uint8Array): void {
    this.#view!.set(piece, this.size);
    this.size += piece.length;
  }
}
