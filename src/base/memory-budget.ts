/** Bodies up to this size are counted, but nobody waits for them. */
export const SMALL_BYTES = 256 * 1024;

/**
 * What a large body costs beside its bytes: pieces between socket and body, the compressor's window, pieces of the
 * reply (measured).
 */
const OVERHEAD_BYTES = 1.5 * 2 ** 20;

/** What one holder has of the budget, and what it may still come to need: never more than `most`. */
interface Allocation {
  held: number;
  maximum: number;
}

/** What a room needs of the budget: see `ByteBudget`. */
interface AllocationBudget {
  count(change: number): void;
  raise(account: Allocation, need: number, most: number, signal: AbortSignal): null | Promise<boolean>;
  lower(account: Allocation, held: number, most: number): void;
}

/**
 * The part of the budget that one scrape has, over all its attempts, and the memory that stands for it. Whatever a
 * scrape keeps of large bodies is in memory from here, and is gone when the room is closed, at once: not when the
 * garbage collector comes by. One body at a time is being made; what is finished is kept until the end.
 */
export class MemoryReservation {
  /** Milliseconds spent waiting. */
  waitedMs = 0;
  /** A wait is under way, or ended without success. */
  starved = false;
  readonly #budget: AllocationBudget;
  readonly #account: Allocation = { held: 0, maximum: 0 };
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
  maxPerByte = 4;
  /** Whether another body may be made while the best one so far is kept. */
  expectsAnother = false;

  constructor(budget: AllocationBudget) {
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
    const need = this.#kept + bytes + OVERHEAD_BYTES;
    if (need <= this.#account.held) return null;
    this.#claim = Math.max(this.#claim, most);
    const raised = this.#budget.raise(this.#account, need, this.#most(most), signal);
    return raised === null ? null : this.#wait(raised);
  }

  /**
   * Room for `bytes` that are needed for a while beside everything else. Gives what gives them back; null when the signal
   * ended the wait.
   */
  async reserveTemporarily(bytes: number, signal: AbortSignal): Promise<(() => void) | null> {
    if (this.#closed) return null;
    const { held, maximum } = this.#account;
    const need = (held === 0 ? OVERHEAD_BYTES : held) + bytes;
    const raised = this.#budget.raise(this.#account, need, Math.max(need, maximum), signal);
    if (raised !== null && !(await this.#wait(raised))) return null;
    return () => this.#budget.lower(this.#account, Math.min(held, this.#account.held), maximum);
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
  shrink(bytes: number, most: number): void {
    if (this.#account.held === 0) return;
    const held = this.#kept + bytes;
    this.#budget.lower(this.#account, held === 0 ? 0 : held + OVERHEAD_BYTES, this.#most(most));
  }

  /** No body is in the making; finished ones of `bytes` are kept. */
  retain(bytes: number): void {
    this.#kept = bytes;
    this.shrink(0, 0);
  }

  #most(most: number): number {
    return this.#kept + most + OVERHEAD_BYTES + (this.expectsAnother ? this.#claim : 0);
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
    detachBuffer(buffer as ArrayBuffer);
  }

  /** Gives everything back; a second call does nothing. Nobody may look at the memory any more. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const buffer of this.#given) detachBuffer(buffer);
    this.#given.length = 0;
    if (this.#counted > 0) this.#budget.count(-this.#counted);
    if (this.#account.held > 0) this.#budget.lower(this.#account, 0, 0);
  }
}

/** The memory goes now. It may have gone before: two views of one memory can have been adopted. */
function detachBuffer(buffer: ArrayBuffer): void {
  if (!buffer.detached) buffer.transfer(0);
}

/** Who waits for the budget. `need` is what is held after the wait, `most` the new claim. */
interface PendingRequest {
  readonly account: Allocation;
  readonly need: number;
  readonly maximum: number;
  readonly done: (granted: boolean) => void;
}

/**
 * Bytes of memory that all scrapes share. Whoever wants more than there is waits: first those that hold something
 * already, because only they can give something back, then the others in the order in which they came.
 *
 * Waiting never ends in a deadlock. Everybody says at the beginning how much it can come to need at most, and bytes are
 * only given away while there is still an order in which all holders could get their most, one after the other (Dijkstra,
 * the banker's algorithm). Claims beyond the whole budget are taken as all of it: such a holder gets it alone.
 */
export class MemoryBudget implements AllocationBudget {
  readonly capacity: number;
  readonly #holders = new Set<Allocation>();
  readonly #growing: PendingRequest[] = [];
  readonly #coming: PendingRequest[] = [];
  #used = 0;
  #counted = 0;

  /** @param capacity bytes */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** Bytes that are held or counted now. */
  get inUse(): number {
    return this.#used + this.#counted;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#growing.length + this.#coming.length;
  }

  /** For one scrape; to be closed by whoever opened it. */
  open(): MemoryReservation {
    return new MemoryReservation(this);
  }

  /** Bytes that are there without having been asked for: they make others wait, but never wait themselves. */
  count(change: number): void {
    this.#counted += change;
    if (change < 0 && this.waiting > 0) this.#next();
  }

  /**
   * Raises what the account holds to `need`, and what it may come to hold to `most`. null: it has it; otherwise true
   * when it has it, false when the signal ended the wait.
   */
  raise(account: Allocation, need: number, most: number, signal: AbortSignal): null | Promise<boolean> {
    const all = this.capacity;
    const wait = { account, need: Math.min(need, all), maximum: Math.min(Math.max(need, most), all) };
    const queue = account.held > 0 ? this.#growing : this.#coming;
    const turn = account.held > 0 || (this.#coming.length === 0 && this.#growing.length === 0);
    if (turn && this.#grant(wait)) return null;
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (granted: boolean) => {
        signal.removeEventListener('abort', onAbort);
        resolve(granted);
      };
      const entry: PendingRequest = { ...wait, done: end };
      const onAbort = () => {
        queue.splice(queue.indexOf(entry), 1);
        end(false);
        // Whoever stood behind it may come now.
        this.#next();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      queue.push(entry);
    });
  }

  /** Gives back down to `held`; from now on at most `most` is needed. */
  lower(account: Allocation, held: number, most: number): void {
    const kept = Math.min(held, account.held);
    this.#used -= account.held - kept;
    account.held = kept;
    account.maximum = Math.min(Math.max(kept, most), account.maximum);
    if (kept === 0) this.#holders.delete(account);
    if (this.waiting > 0) this.#next();
  }

  #next(): void {
    for (let at = 0; at < this.#growing.length; ) {
      const wait = this.#growing[at]!;
      if (this.#grant(wait)) {
        this.#growing.splice(at, 1);
        wait.done(true);
      } else at++;
    }
    while (this.#coming.length > 0 && this.#grant(this.#coming[0]!)) this.#coming.shift()!.done(true);
  }

  #grant({ account, need, maximum }: Omit<PendingRequest, 'done'>): boolean {
    const more = Math.max(0, need - account.held);
    if (this.#used + this.#counted + more > this.capacity) return false;
    const { held: heldBefore, maximum: mostBefore } = account;
    account.held += more;
    account.maximum = Math.max(maximum, account.held);
    this.#used += more;
    this.#holders.add(account);
    if (this.#allCanEnd()) return true;
    account.held = heldBefore;
    account.maximum = mostBefore;
    this.#used -= more;
    if (heldBefore === 0) this.#holders.delete(account);
    return false;
  }

  /** Whether there is an order in which every holder gets all it may need. What is only counted comes back by itself. */
  #allCanEnd(): boolean {
    let free = this.capacity - this.#used;
    let neediest = 0;
    for (const { held, maximum } of this.#holders) neediest = Math.max(neediest, maximum - held);
    if (neediest <= free) return true;
    const modestFirst = [...this.#holders].sort((a, b) => a.maximum - a.held - (b.maximum - b.held));
    for (const { held, maximum } of modestFirst) {
      if (maximum - held > free) return false;
      free += held;
    }
    return true;
  }
}

/**
 * Frees the memory of bytes that nobody needs any more, at once: the garbage collector is late when pieces of large
 * bodies come fast. Does nothing when other bytes may be in the same memory.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  if (byteLength > 0 && buffer.byteLength === byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
