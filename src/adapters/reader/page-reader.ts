import { availableParallelism } from 'node:os';
import type { PageReader } from '../../ports/page-reader.ts';
import { ReaderWorker, ReadingTask } from './reader-worker.ts';

interface ReaderQueueOptions {
  readonly threads: number;
  readonly heapMb: number;
  /** Told of what should not happen. */
  readonly onTrouble: (error: unknown) => void;
}

/** A thread with nothing to do is kept so long: it holds some 20 MB. */
const IDLE_MS = 30_000;

/** Turns in the order in which they come, and the threads that take them; these are started when they are needed. */
class ReaderQueue {
  readonly #order: ReaderQueueOptions;
  readonly #waiting: ReadingTask[] = [];
  readonly #slots = new Set<ReaderWorker>();
  #idle: NodeJS.Timeout | undefined;

  constructor(order: ReaderQueueOptions) {
    this.#order = order;
  }

  add(turn: ReadingTask): void {
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
      const turn = slot.idle ? this.#first() : undefined;
      if (turn !== undefined) void slot.read(turn);
    }
    let starting = 0;
    for (const slot of this.#slots) if (!slot.hasStarted) starting++;
    if (this.#waiting.length > starting && this.#slots.size < this.#order.threads) this.#start();
    if (this.#waiting.length === 0 && this.#slots.size > 0)
      this.#idle = setTimeout(() => this.#rest(), IDLE_MS).unref();
  }

  #first(): ReadingTask | undefined {
    let turn = this.#waiting.shift();
    while (turn?.settled) turn = this.#waiting.shift();
    return turn;
  }

  #start(): void {
    const slot = new ReaderWorker({
      heapMb: this.#order.heapMb,
      onIdle: () => this.#next(),
      onEnd: (ended, cause) => {
        this.#slots.delete(ended);
        if (cause !== null) this.#order.onTrouble(cause);
        // One that cannot even start would be started again for ever.
        if (!ended.hasStarted)
          for (const turn of this.#waiting.splice(0)) turn.fail('The page could not be read.');
        this.#next();
      },
    });
    this.#slots.add(slot);
  }

  #rest(): void {
    for (const slot of this.#slots) if (slot.idle) slot.end();
  }
}

interface PageReaderOptions {
  /** Of the budget for contents: bounds the memory of a thread. */
  readonly memoryBytes: number;
  /** Told of what should not happen. */
  readonly onTrouble: (error: unknown) => void;
}

const MIB = 2 ** 20;
/** Texts up to this size have threads of their own, so that a large one holds up none of them. */
const SMALL_TEXT_BYTES = MIB;
const MAX_THREADS = 4;
const SMALL_HEAP_MB = 256;
const MAX_HEAP_MB = 2048;

/** Reads pages in threads. Nothing is started before the first page comes, and threads end when they have long rested. */
export function createPageReader({ memoryBytes, onTrouble }: PageReaderOptions): PageReader {
  const threads = Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1));
  const heapMb = Math.min(MAX_HEAP_MB, Math.max(SMALL_HEAP_MB, Math.floor(memoryBytes / MIB)));
  const small = new ReaderQueue({ threads, heapMb: SMALL_HEAP_MB, onTrouble });
  const large = new ReaderQueue({ threads: 1, heapMb, onTrouble });
  return {
    read(text, ask, limits) {
      const turn = new ReadingTask(text, ask, limits);
      (text.length <= SMALL_TEXT_BYTES ? small : large).add(turn);
      return turn.result;
    },
    async close() {
      await Promise.all([small.close(), large.close()]);
    },
  };
}
