import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { failedReading } from '../../content/empty-reading.ts';
import type { Reading, ReadingRequest } from '../../domain/reading.ts';
import type { ReadingLimits } from '../../ports/page-reader.ts';
import type { ReaderReply, ReaderRequest } from './reader-thread.ts';

/** One page that waits to be read, or is being read. Settles once, whoever is first: the thread, the time, the caller. */
export class ReadingTask {
  readonly text: Uint8Array;
  readonly request: ReadingRequest;
  readonly result: Promise<Reading | null>;
  settled = false;
  readonly #end: number;
  readonly #signal: AbortSignal;
  readonly #resolve: (reading: Reading | null) => void;
  readonly #timer: NodeJS.Timeout;

  constructor(text: Uint8Array, ask: ReadingRequest, { ms, signal }: ReadingLimits) {
    this.text = text;
    this.request = ask;
    const { promise, resolve } = Promise.withResolvers<Reading | null>();
    this.result = promise;
    this.#resolve = resolve;
    this.#signal = signal;
    this.#end = performance.now() + ms;
    this.#timer = setTimeout(() => this.fail('No time was left to read the page.'), ms);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  /** Milliseconds. */
  get remaining(): number {
    return this.#end - performance.now();
  }

  fail(why: string): void {
    this.settle(failedReading(this.request, why));
  }

  /** null: nobody wants it any more. */
  settle(reading: Reading | null): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#resolve(reading);
  }

  readonly #onAbort = (): void => this.settle(null);
}

/** `.ts` when run from the sources, `.js` when packed. */
const THREAD_URL = new URL(
  `reader-thread${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`,
  import.meta.url,
);
/** A page of this size in bytes is read in 150 to 450 ms where nothing is odd about it. */
const MIB = 2 ** 20;
/** Of a processor. */
const MIN_CPU_MS = 1000;
const CPU_MS_PER_MIB = 500;
/** A machine that is busy with other things may make it take so many times as long by the clock. */
const MAX_CLOCK_FACTOR = 4;
/** The thread keeps to a shorter time by itself, and then still gives what it has. */
const THREAD_SHARE = 0.85;
/** So often, at most, is looked at what it has used. */
const MIN_CHECK_MS = 50;
/** Copied between two turns of the event loop: some 2 ms. */
const SLICE_BYTES = 4 * MIB;

interface ReaderWorkerOptions {
  /** Megabytes that the thread may have for its objects. */
  readonly heapMb: number;
  /** It is free for the next turn. */
  readonly onIdle: (slot: ReaderWorker) => void;
  /** The thread has ended, and with it this slot. `cause`: why, when nobody wanted it. */
  readonly onEnd: (slot: ReaderWorker, cause: unknown) => void;
}

/** One thread that reads one page at a time. What it may take is enforced by ending it. */
export class ReaderWorker {
  /** It has started, and reads nothing. */
  idle = false;
  /** Ever since it was free. */
  hasStarted = false;
  idleSince = 0;
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #order: ReaderWorkerOptions;
  #turn: ReadingTask | null = null;
  #limit: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  /** What the thread had used of processors before the page that it reads, ms. */
  #usedBefore = 0;
  #wanted = true;

  constructor(order: ReaderWorkerOptions) {
    this.#order = order;
    this.#worker = new Worker(THREAD_URL, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: order.heapMb },
    });
    let cause: unknown;
    this.#worker.on('message', (answer: ReaderReply) => this.#onAnswer(answer));
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        clearTimeout(this.#limit);
        clearTimeout(this.#looking);
        this.idle = false;
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
  async read(turn: ReadingTask): Promise<void> {
    this.idle = false;
    this.#turn = turn;
    const { text, request } = turn;
    const most = MIN_CPU_MS + (text.length / MIB) * CPU_MS_PER_MIB;
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length && !turn.settled; at += SLICE_BYTES) {
      if (at > 0) await setImmediate();
      // The bytes belong to the caller again as soon as it is settled.
      if (!turn.settled) bytes.set(text.subarray(at, at + SLICE_BYTES), at);
    }
    const ms = Math.min(turn.remaining, most);
    const clockMs = Math.min(turn.remaining, MAX_CLOCK_FACTOR * most);
    if (turn.settled || ms < 1) {
      turn.fail('No time was left to read the page.');
      this.#becomeFree();
      return;
    }
    this.#limit = setTimeout(() => this.#tooLong(turn), clockMs);
    this.#look(turn, ms, ms);
    const time = { ms: ms * THREAD_SHARE, clockMs: clockMs * THREAD_SHARE };
    const order: ReaderRequest = { request, bytes, time };
    this.#worker.postMessage(order, [bytes.buffer]);
  }

  /** Looks when a reading may have used `ms` of a processor. In a call that nothing interrupts only the clock ends it. */
  #look(turn: ReadingTask, ms: number, inMs: number): void {
    this.#looking = setTimeout(async () => {
      const used = await this.#worker.cpuUsage().catch(() => null);
      if (used === null || this.#turn !== turn) return;
      const left = ms - (usedMs(used) - this.#usedBefore);
      if (left > 0) this.#look(turn, ms, Math.max(left, MIN_CHECK_MS));
      else this.#tooLong(turn);
    }, inMs).unref();
  }

  #tooLong(turn: ReadingTask): void {
    turn.fail('The page takes too long to read.');
    this.end();
  }

  /** At once, whatever it does. */
  end(): void {
    this.#wanted = false;
    this.idle = false;
    void this.#worker.terminate();
  }

  #onAnswer(answer: ReaderReply): void {
    clearTimeout(this.#limit);
    clearTimeout(this.#looking);
    this.#usedBefore = usedMs(answer.used);
    if (answer.kind === 'read') this.#turn?.settle(answer.reading);
    else this.hasStarted = true;
    if (this.#wanted) this.#becomeFree();
  }

  #becomeFree(): void {
    this.#turn = null;
    this.idle = true;
    this.idleSince = performance.now();
    this.#order.onIdle(this);
  }
}

const usedMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;
