import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Answer, Order } from './messages.ts';
import type { Turn } from './turn.ts';

/** `.ts` when run from the sources, `.js` when packed. */
const ENTRY = new URL(
  `reader-thread${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`,
  import.meta.url,
);
/** A page of this size in bytes is read in 150 to 450 ms where nothing is odd about it. */
const MIB = 2 ** 20;
/** Of a processor. */
const LEAST_MS = 1000;
const MS_PER_MIB = 500;
/** A machine that is busy with other things may make it take so many times as long by the clock. */
const MOST_CLOCK = 4;
/** The thread keeps to a shorter time by itself, and then still gives what it has. */
const OWN_SHARE = 0.85;
/** So often, at most, is looked at what it has used. */
const LOOK_MS = 50;
/** Copied between two turns of the event loop: some 2 ms. */
const SLICE = 4 * MIB;

export interface SlotOrder {
  /** Megabytes that the thread may have for its objects. */
  readonly heapMb: number;
  /** It is free for the next turn. */
  readonly onFree: (slot: ReaderSlot) => void;
  /** The thread has ended, and with it this slot. `cause`: why, when nobody wanted it. */
  readonly onEnd: (slot: ReaderSlot, cause: unknown) => void;
}

/** One thread that reads one page at a time. What it may take is enforced by ending it. */
export class ReaderSlot {
  /** It has started, and reads nothing. */
  free = false;
  /** Ever since it was free. */
  started = false;
  freeSince = 0;
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #order: SlotOrder;
  #turn: Turn | null = null;
  #limit: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  /** What the thread had used of processors before the page that it reads, ms. */
  #usedBefore = 0;
  #wanted = true;

  constructor(order: SlotOrder) {
    this.#order = order;
    this.#worker = new Worker(ENTRY, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: order.heapMb },
    });
    let cause: unknown;
    this.#worker.on('message', (answer: Answer) => this.#onAnswer(answer));
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        clearTimeout(this.#limit);
        clearTimeout(this.#looking);
        this.free = false;
        const outOfMemory = (cause as NodeJS.ErrnoException)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
        this.#turn?.fail(
          outOfMemory ? 'Reading the page takes too much memory.' : 'The page could not be read.',
        );
        order.onEnd(this, this.#wanted && !outOfMemory ? (cause ?? new Error('the thread ended')) : null);
        resolve();
      });
    });
  }

  /** Only when `free`. */
  async take(turn: Turn): Promise<void> {
    this.free = false;
    this.#turn = turn;
    const { text, ask } = turn;
    const most = LEAST_MS + (text.length / MIB) * MS_PER_MIB;
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length && !turn.settled; at += SLICE) {
      if (at > 0) await setImmediate();
      // The bytes belong to the caller again as soon as it is settled.
      if (!turn.settled) bytes.set(text.subarray(at, at + SLICE), at);
    }
    const ms = Math.min(turn.remaining, most);
    const clockMs = Math.min(turn.remaining, MOST_CLOCK * most);
    if (turn.settled || ms < 1) {
      turn.fail('No time was left to read the page.');
      this.#becomeFree();
      return;
    }
    this.#limit = setTimeout(() => this.#tooLong(turn), clockMs);
    this.#look(turn, ms, ms);
    const time = { ms: ms * OWN_SHARE, clockMs: clockMs * OWN_SHARE };
    const order: Order = { ask, bytes, time };
    this.#worker.postMessage(order, [bytes.buffer]);
  }

  /** Looks when a reading may have used `ms` of a processor. In a call that nothing interrupts only the clock ends it. */
  #look(turn: Turn, ms: number, inMs: number): void {
    this.#looking = setTimeout(async () => {
      const used = await this.#worker.cpuUsage().catch(() => null);
      if (used === null || this.#turn !== turn) return;
      const left = ms - (usedMs(used) - this.#usedBefore);
      if (left > 0) this.#look(turn, ms, Math.max(left, LOOK_MS));
      else this.#tooLong(turn);
    }, inMs).unref();
  }

  #tooLong(turn: Turn): void {
    turn.fail('The page takes too long to read.');
    this.end();
  }

  /** At once, whatever it does. */
  end(): void {
    this.#wanted = false;
    this.free = false;
    void this.#worker.terminate();
  }

  #onAnswer(answer: Answer): void {
    clearTimeout(this.#limit);
    clearTimeout(this.#looking);
    this.#usedBefore = usedMs(answer.used);
    if (answer.kind === 'read') this.#turn?.settle(answer.reading);
    else this.started = true;
    if (this.#wanted) this.#becomeFree();
  }

  #becomeFree(): void {
    this.#turn = null;
    this.free = true;
    this.freeSince = performance.now();
    this.#order.onFree(this);
  }
}

const usedMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;
