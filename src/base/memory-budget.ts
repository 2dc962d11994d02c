import { waitForCallback } from './wait.ts';

/** Bodies up to this size are counted, but never have to wait for memory. */
export const SMALL_BYTES = 256 * 1024;

/**
 * Memory that a large body needs in addition to its bytes (measured): chunks between socket and body, the window of the
 * compressor, chunks of the response.
 */
const OVERHEAD_BYTES = 1.5 * 2 ** 20;

/** What one scrape holds of the budget, and the most that it may come to hold. */
interface Allocation {
  held: number;
  maximum: number;
}

/** The part of `MemoryBudget` that a reservation uses. */
interface AllocationBudget {
  addUnreserved(change: number): void;
  raise(allocation: Allocation, held: number, maximum: number, signal: AbortSignal): null | Promise<boolean>;
  lower(allocation: Allocation, held: number, maximum: number): void;
}

/**
 * The part of the budget that one scrape holds, over all its attempts, and the memory itself. All memory for large bodies
 * is allocated or adopted here, and `close` frees it at once, without waiting for the garbage collector. One body is built
 * at a time; finished bodies are kept until `close`.
 */
export class MemoryReservation {
  /** Milliseconds spent waiting. */
  waitedMs = 0;
  /** A wait for memory is under way, or ended without success. */
  starved = false;
  readonly #budget: AllocationBudget;
  readonly #allocation: Allocation = { held: 0, maximum: 0 };
  readonly #buffers: ArrayBuffer[] = [];
  #unreserved = 0;
  /** Bytes that are kept until `close`, beside all bodies. */
  #kept = 0;
  /** Bytes of finished bodies. */
  #retained = 0;
  /** The most that one body may come to need. */
  #largestBody = 0;
  #closed = false;
  /**
   * Bytes that a scrape may come to hold for each byte of a body: the byte itself, and up to three when a text is
   * converted to UTF-8. Must be set before the first reservation.
   */
  memoryPerByte = 4;
  /** Another body may be built while the best one so far is kept. */
  expectsAnotherBody = false;

  constructor(budget: AllocationBudget) {
    this.#budget = budget;
  }

  /** Counts a small body that is in memory already. Never waits. */
  countUnreserved(bytes: number): void {
    if (this.#closed) return;
    this.#unreserved += bytes;
    this.#budget.addUnreserved(bytes);
  }

  /**
   * Reserves `bytes` for the body that is being built, which may grow to `maxBytes`.
   * @returns null: reserved at once. Otherwise resolves to true when they are reserved, or to false when the signal ended the
   *   wait; then nothing more may be reserved.
   */
  reserve(bytes: number, maxBytes: number, signal: AbortSignal): null | Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    const need = this.#kept + this.#retained + bytes + OVERHEAD_BYTES;
    if (need <= this.#allocation.held) return null;
    this.#largestBody = Math.max(this.#largestBody, maxBytes);
    const raised = this.#budget.raise(this.#allocation, need, this.#maximumFor(maxBytes), signal);
    return raised === null ? null : this.#wait(raised);
  }

  /**
   * Reserves `bytes` for a while, in addition to everything else.
   * @returns a function that releases them; null: the signal ended the wait
   */
  async reserveTemporarily(bytes: number, signal: AbortSignal): Promise<(() => void) | null> {
    if (this.#closed) return null;
    const { held, maximum } = this.#allocation;
    const need = (held === 0 ? OVERHEAD_BYTES : held) + bytes;
    const raised = this.#budget.raise(this.#allocation, need, Math.max(need, maximum), signal);
    if (raised !== null && !(await this.#wait(raised))) return null;
    return () => this.#budget.lower(this.#allocation, Math.min(held, this.#allocation.held), maximum);
  }

  /**
   * Reserves `bytes` that are kept until `close`, beside all bodies. To be called before the first `reserve`: the response to a
   * large request is mostly small, so it is not claimed here, and may have to wait for memory later.
   * @param more how much more this method may be asked for
   * @returns false: the signal ended the wait
   */
  async keep(bytes: number, more: number, signal: AbortSignal): Promise<boolean> {
    if (this.#closed) return false;
    const need = this.#kept + bytes + OVERHEAD_BYTES;
    const raised = this.#budget.raise(this.#allocation, need, need + more, signal);
    if (raised !== null && !(await this.#wait(raised))) return false;
    this.#kept += bytes;
    return true;
  }

  async #wait(raised: Promise<boolean>): Promise<boolean> {
    const began = performance.now();
    this.starved = true;
    const granted = await raised;
    this.waitedMs += performance.now() - began;
    // `close` was called during the wait: everything is released again.
    if (granted && this.#closed) this.#budget.lower(this.#allocation, 0, 0);
    this.starved = !granted;
    return granted && !this.#closed;
  }

  /** The body that is being built needs `bytes` now, and at most `maxBytes` from now on. */
  shrink(bytes: number, maxBytes: number): void {
    if (this.#allocation.held === 0) return;
    const held = this.#kept + this.#retained + bytes;
    this.#budget.lower(this.#allocation, held === 0 ? 0 : held + OVERHEAD_BYTES, this.#maximumFor(maxBytes));
  }

  /** No body is being built; finished bodies of `bytes` in all are kept. */
  retain(bytes: number): void {
    this.#retained = bytes;
    this.shrink(0, 0);
  }

  #maximumFor(maxBytes: number): number {
    const { expectsAnotherBody } = this;
    return (
      this.#kept + this.#retained + maxBytes + OVERHEAD_BYTES + (expectsAnotherBody ? this.#largestBody : 0)
    );
  }

  /** An empty buffer that can be resized up to `maxBytes`. The system only provides memory for what is written. */
  allocate(maxBytes: number): ArrayBuffer {
    const buffer = new ArrayBuffer(0, { maxByteLength: maxBytes });
    this.#buffers.push(buffer);
    return buffer;
  }

  /** Takes over memory that was allocated elsewhere. Does nothing when the memory holds other bytes, too. */
  adopt({ buffer, byteLength }: Uint8Array): void {
    if (!this.#closed && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength)
      this.#buffers.push(buffer);
  }

  /** Frees memory before `close`; its views are empty from then on. */
  free(buffer: ArrayBufferLike): void {
    const index = this.#buffers.indexOf(buffer as ArrayBuffer);
    if (index === -1) return;
    this.#buffers.splice(index, 1);
    detachBuffer(buffer as ArrayBuffer);
  }

  /** Frees and releases everything; the memory must not be used any more. A second call does nothing. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const buffer of this.#buffers) detachBuffer(buffer);
    this.#buffers.length = 0;
    if (this.#unreserved > 0) this.#budget.addUnreserved(-this.#unreserved);
    if (this.#allocation.held > 0) this.#budget.lower(this.#allocation, 0, 0);
  }
}

/** Where large bodies reserve memory. */
export interface BodyMemory {
  readonly reservation: MemoryReservation;
  /** Ends a wait for memory. */
  readonly signal: AbortSignal;
}

/** Frees the memory at once. It may be detached already: two views of the same memory can have been adopted. */
function detachBuffer(buffer: ArrayBuffer): void {
  if (!buffer.detached) buffer.transfer(0);
}

/** A request that waits for memory. If it is granted, the allocation gets its `held` and `maximum`. */
interface PendingRequest {
  readonly allocation: Allocation;
  readonly held: number;
  readonly maximum: number;
  readonly done: (granted: boolean) => void;
}

/**
 * Bytes of memory that all scrapes share. A request for more than is free waits. Allocations that hold something already
 * are served first, because only they can release memory; the others follow in the order in which they came.
 *
 * Waiting never ends in a deadlock (the banker's algorithm of Dijkstra): each request names the maximum that its
 * allocation may come to hold, and bytes are granted only while there is an order in which all holders could reach their
 * maximum, one after the other. A maximum beyond the capacity counts as the capacity: such a holder gets it alone.
 */
export class MemoryBudget implements AllocationBudget {
  readonly capacity: number;
  readonly #holders = new Set<Allocation>();
  readonly #growingQueue: PendingRequest[] = [];
  readonly #newQueue: PendingRequest[] = [];
  #used = 0;
  #unreserved = 0;

  /** @param capacity bytes */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** Bytes in use now, reserved or not. */
  get inUse(): number {
    return this.#used + this.#unreserved;
  }

  /** How many requests wait. */
  get waiting(): number {
    return this.#growingQueue.length + this.#newQueue.length;
  }

  /** A reservation for one scrape; the caller closes it. */
  open(): MemoryReservation {
    return new MemoryReservation(this);
  }

  /** Counts bytes that were not reserved. They are never refused, but leave less for reservations. */
  addUnreserved(change: number): void {
    this.#unreserved += change;
    if (change < 0 && this.waiting > 0) this.#grantWaiting();
  }

  /**
   * Raises what the allocation holds to `held`, and what it may come to hold to `maximum`.
   * @returns null: granted at once. Otherwise resolves to true when granted, or to false when the signal ended the wait.
   */
  raise(allocation: Allocation, held: number, maximum: number, signal: AbortSignal): null | Promise<boolean> {
    const { capacity } = this;
    const request = {
      allocation,
      held: Math.min(held, capacity),
      maximum: Math.min(Math.max(held, maximum), capacity),
    };
    const queue = allocation.held > 0 ? this.#growingQueue : this.#newQueue;
    const mayGrantNow =
      allocation.held > 0 || (this.#newQueue.length === 0 && this.#growingQueue.length === 0);
    if (mayGrantNow && this.#grant(request)) return null;
    return waitForCallback<boolean>(
      signal,
      (done) => {
        const entry: PendingRequest = { ...request, done };
        queue.push(entry);
        return () => {
          const index = queue.indexOf(entry);
          if (index !== -1) queue.splice(index, 1);
        };
      },
      () => {
        // This request leaves the queue. A smaller request behind it may fit.
        this.#grantWaiting();
        return false;
      },
    );
  }

  /** Releases down to `held`; from now on at most `maximum` is needed. */
  lower(allocation: Allocation, held: number, maximum: number): void {
    const kept = Math.min(held, allocation.held);
    this.#used -= allocation.held - kept;
    allocation.held = kept;
    allocation.maximum = Math.min(Math.max(kept, maximum), allocation.maximum);
    if (kept === 0) this.#holders.delete(allocation);
    if (this.waiting > 0) this.#grantWaiting();
  }

  #grantWaiting(): void {
    for (let index = 0; index < this.#growingQueue.length; ) {
      const request = this.#growingQueue[index]!;
      if (this.#grant(request)) {
        this.#growingQueue.splice(index, 1);
        request.done(true);
      } else index++;
    }
    while (this.#newQueue.length > 0 && this.#grant(this.#newQueue[0]!)) this.#newQueue.shift()!.done(true);
  }

  /** Grants the request if the memory is free and the state stays safe. @returns whether it did */
  #grant({ allocation, held, maximum }: Omit<PendingRequest, 'done'>): boolean {
    const added = Math.max(0, held - allocation.held);
    if (this.#used + this.#unreserved + added > this.capacity) return false;
    const { held: heldBefore, maximum: maximumBefore } = allocation;
    allocation.held += added;
    allocation.maximum = Math.max(maximum, allocation.held);
    this.#used += added;
    this.#holders.add(allocation);
    if (this.#isSafe()) return true;
    allocation.held = heldBefore;
    allocation.maximum = maximumBefore;
    this.#used -= added;
    if (heldBefore === 0) this.#holders.delete(allocation);
    return false;
  }

  /**
   * Whether there is an order in which every holder can reach its maximum (a safe state of the banker's algorithm).
   * Unreserved bytes are left out: they are released without waiting.
   */
  #isSafe(): boolean {
    let free = this.capacity - this.#used;
    let largestNeed = 0;
    for (const { held, maximum } of this.#holders) largestNeed = Math.max(largestNeed, maximum - held);
    if (largestNeed <= free) return true;
    const smallestNeedFirst = [...this.#holders].sort((a, b) => a.maximum - a.held - (b.maximum - b.held));
    for (const { held, maximum } of smallestNeedFirst) {
      if (maximum - held > free) return false;
      free += held;
    }
    return true;
  }
}

/**
 * Frees the memory of bytes that are no longer needed, at once: the garbage collector is too slow when chunks of large
 * bodies arrive fast. Does nothing when the memory may hold other bytes, too.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  if (byteLength > 0 && buffer.byteLength === byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
