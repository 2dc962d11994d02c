/** A copy of bytes that are added piece by piece; doubles its room, so that a dribbling peer costs no copy for each byte. */
export class GrowingBuffer {
  #room: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** All bytes so far; valid until the next `add`. */
  get bytes(): Buffer {
    return this.#room.length === this.#length ? this.#room : this.#room.subarray(0, this.#length);
  }

  add(bytes: Buffer): void {
    const length = this.#length + bytes.length;
    if (length > this.#room.length) {
      const room = Buffer.allocUnsafe(Math.max(2 * length, 1024));
      this.#room.copy(room, 0, 0, this.#length);
      this.#room = room;
    }
    bytes.copy(this.#room, this.#length);
    this.#length = length;
  }

  clear(): void {
    this.#room = EMPTY;
    this.#length = 0;
  }
}

const EMPTY = Buffer.alloc(0);
