/** Bodies up to this size are counted, but nobody waits for them. */
export const SMALL_BYTES = 256 * 1024;

/**
 * What a large body costs beside its bytes: pieces between socket and body, the compressor's window, pieces of the
 * reply (measured).
 */
const BESIDE_BYTES = 1.5 * 2 ** 20;

/** What one holder has of the budget, and what it may still come to need: never more than `most`. */
export interface Account {
  held: number;
  most: number;
}

/** What a room needs of the budget: see `ByteBudget`. */
export interface Bank {
  count(change: number): void;
  raise(account: Account, need: number, most: number, signal: AbortSignal): null | Promise<boolean>;
  lower(account: Account, held: number, most: number): void;
}

/**
 * The part of the budget that one scrape has, over all its attempts, and the memory that stands for it. Whatever a
 * scrape keeps of large bodies is in memory from here, and is gone when the room is closed, at once: not when the
 * garbage collector comes by. One body at a time is being made; what is finished is kept until the end.
 */
export class ByteRoom {
  /** Milliseconds spent waiting. */
  waitedMs = 0;
  /** A wait is under way, or ended without success. */
  starved = false;
  readonly #budget: Bank;
  readonly #account: Account = { held: 0, most: 0 };
  readonly #given: ArrayBuffer[] = [];
  #counted = 0;
  /** Of bodies that are finished. */
  #kept = 0;
  /** The most that one body asked for. */
  #claim = 0;
  #closed = false;
  /**
   * Bytes that a scrape may come to hold for each byte of a body: its own, and up to three when a text is turned into
   * UTF-8. To be set before anything is reserved.
   */
  mostPerByte = 4;
  /** Whether another body may be made while the best one so far is kept. */
  again = false;

  constructor(budget: Bank) {
    this.#budget = budget;
  }

  /** A small body that is there: never waits. */
  count(bytes: number): void {
    if (this.#closed) return;
    this.#counted += bytes;
    this.#budget.count(bytes);
  }

  /**
   * Room for `bytes` of the body in the making, which may become `most`. null: it is there. Otherwise true when it is
   * there, false when the signal ended the wait: then nothing more may be taken.
   */
  reserve(bytes: number, most: number, signal: AbortSignal): null | Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    const need = this.#kept + bytes + BESIDE_BYTES;
    if (need <= this.#account.held) return null;
    this.#claim = Math.max(this.#claim, most);
    const raised = this.#budget.raise(this.#account, need, this.#most(most), signal);
    return raised === null ? null : this.#wait(raised);
  }

  /**
   * Room for `bytes` that are needed for a while beside everything else. Gives what gives them back; null when the signal
   * ended the wait.
   */
  async lend(bytes: number, signal: AbortSignal): Promise<(() => void) | null> {
    if (this.#closed) return null;
    const { held, most } = this.#account;
    const need = (held === 0 ? BESIDE_BYTES : held) + bytes;
    const raised = this.#budget.raise(this.#account, need, Math.max(need, most), signal);
    if (raised !== null && !(await this.#wait(raised))) return null;
    return () => this.#budget.lower(this.#account, Math.min(held, this.#account.held), most);
  }

  async #wait(raised: Promise<boolean>): Promise<boolean> {
    const began = performance.now();
    this.starved = true;
    const granted = await raised;
    this.waitedMs += performance.now() - began;
    if (granted && this.#closed) this.#budget.lower(this.#account, 0, 0);
    this.starved = !granted;
    return granted && !this.#closed;
  }

  /** The body in the making needs `bytes` now, and at most `most` from now on. */
  settle(bytes: number, most: number): void {
    if (this.#account.held === 0) return;
    const held = this.#kept + bytes;
    this.#budget.lower(this.#account, held === 0 ? 0 : held + BESIDE_BYTES, this.#most(most));
  }

  /** No body is in the making; finished ones of `bytes` are kept. */
  keep(bytes: number): void {
    this.#kept = bytes;
    this.settle(0, 0);
  }

  #most(most: number): number {
    return this.#kept + most + BESIDE_BYTES + (this.again ? this.#claim : 0);
  }

  /** Memory without any bytes yet, which can be resized up to `most`: only what is written takes room in the machine. */
  memory(most: number): ArrayBuffer {
    const buffer = new ArrayBuffer(0, { maxByteLength: most });
    this.#given.push(buffer);
    return buffer;
  }

  /** Takes over memory that was made elsewhere, of which these bytes are all. */
  adopt({ buffer, byteLength }: Uint8Array): void {
    if (!this.#closed && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength)
      this.#given.push(buffer);
  }

  /** Gives memory back before the end; its views are empty from then on. */
  free(buffer: ArrayBufferLike): void {
    const at = this.#given.indexOf(buffer as ArrayBuffer);
    if (at === -1) return;
    this.#given.splice(at, 1);
    giveBack(buffer as ArrayBuffer);
  }

  /** Gives everything back; a second call does nothing. Nobody may look at the memory any more. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const buffer of this.#given) giveBack(buffer);
    this.#given.length = 0;
    if (this.#counted > 0) this.#budget.count(-this.#counted);
    if (this.#account.held > 0) this.#budget.lower(this.#account, 0, 0);
  }
}

/** The memory goes now. It may have gone before: two views of one memory can have been adopted. */
function giveBack(buffer: ArrayBuffer): void {
  if (!buffer.detached) buffer.transfer(0);
}
