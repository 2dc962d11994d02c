import { ReaderSlot } from './reader-slot.ts';
import type { Turn } from './turn.ts';

export interface LaneOrder {
  readonly threads: number;
  readonly heapMb: number;
  /** Told of what should not happen. */
  readonly onTrouble: (error: unknown) => void;
}

/** A thread with nothing to do is kept so long: it holds some 20 MB. */
const IDLE_MS = 30_000;

/** Turns in the order in which they come, and the threads that take them; these are started when they are needed. */
export class Lane {
  readonly #order: LaneOrder;
  readonly #waiting: Turn[] = [];
  readonly #slots = new Set<ReaderSlot>();
  #idle: NodeJS.Timeout | undefined;

  constructor(order: LaneOrder) {
    this.#order = order;
  }

  add(turn: Turn): void {
    this.#waiting.push(turn);
    this.#next();
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    for (const turn of this.#waiting.splice(0)) turn.fail('The service is shutting down.');
    const slots = [...this.#slots];
    for (const slot of slots) slot.end();
    await Promise.all(slots.map((slot) => slot.ended));
  }

  #next(): void {
    clearTimeout(this.#idle);
    for (const slot of this.#slots) {
      const turn = slot.free ? this.#first() : undefined;
      if (turn !== undefined) void slot.take(turn);
    }
    let starting = 0;
    for (const slot of this.#slots) if (!slot.started) starting++;
    if (this.#waiting.length > starting && this.#slots.size < this.#order.threads) this.#start();
    if (this.#waiting.length === 0 && this.#slots.size > 0)
      this.#idle = setTimeout(() => this.#rest(), IDLE_MS).unref();
  }

  #first(): Turn | undefined {
    let turn = this.#waiting.shift();
    while (turn?.settled) turn = this.#waiting.shift();
    return turn;
  }

  #start(): void {
    const slot = new ReaderSlot({
      heapMb: this.#order.heapMb,
      onFree: () => this.#next(),
      onEnd: (ended, cause) => {
        this.#slots.delete(ended);
        if (cause !== null) this.#order.onTrouble(cause);
        // One that cannot even start would be started again for ever.
        if (!ended.started)
          for (const turn of this.#waiting.splice(0)) turn.fail('The page could not be read.');
        this.#next();
      },
    });
    this.#slots.add(slot);
  }

  #rest(): void {
    for (const slot of this.#slots) if (slot.free) slot.end();
  }
}
