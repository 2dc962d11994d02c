import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { moduleFile } from '../../base/program-files.ts';
import { failedReading } from '../../content/formats/empty-reading.ts';
import type { Reading, ReadingRequest } from '../../domain/reading.ts';
import type { ReadingLimits } from '../../ports/page-reader.ts';
import type { ReaderReply, ReaderRequest } from './reader-thread.ts';

/** A page to be read. It settles once: with the result, when its time is up, or when the caller aborts. */
export class ReadingTask {
  readonly text: Uint8Array;
  readonly request: ReadingRequest;
  readonly result: Promise<Reading | null>;
  settled = false;
  /** Monotonic, in ms. */
  readonly #endsAt: number;
  readonly #signal: AbortSignal;
  readonly #resolve: (reading: Reading | null) => void;
  readonly #timer: NodeJS.Timeout;

  constructor(text: Uint8Array, request: ReadingRequest, { ms, signal }: ReadingLimits) {
    this.text = text;
    this.request = request;
    const { promise, resolve } = Promise.withResolvers<Reading | null>();
    this.result = promise;
    this.#resolve = resolve;
    this.#signal = signal;
    this.#endsAt = performance.now() + ms;
    this.#timer = setTimeout(() => this.fail('No time was left to read the page.'), ms);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  get remainingMs(): number {
    return this.#endsAt - performance.now();
  }

  fail(why: string): void {
    this.settle(failedReading(this.request, why));
  }

  /** @param reading null: the caller has aborted */
  settle(reading: Reading | null): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#resolve(reading);
  }

  readonly #onAbort = (): void => this.settle(null);
}

const THREAD_FILE = moduleFile('adapters/reader/reader-thread');
const MIB = 2 ** 20;
/** Processor time that a page of any size may take. A thread whose code is not compiled yet is three times slower. */
const MIN_CPU_MS = 2000;
/** Additional processor time for each MiB. An ordinary page takes 150 to 450 ms for each MiB, a book of short paragraphs 1200. */
const CPU_MS_PER_MIB = 1500;
/** The thread itself ends reading after this share of the time that the request has left, and returns what it has read. */
const THREAD_SHARE = 0.85;
/**
 * The thread is ended at this multiple of its processor time, with all that it has read: what it does cannot be interrupted. Up to
 * there it may repeat what it had to interrupt because the machine was busy.
 */
const MAX_OVERRUN = 3;
/** The processor time is checked at intervals of at least this. */
const MIN_CHECK_MS = 50;
/** Number of bytes copied at once: about 2 ms. Then other work of the event loop gets its turn. */
const SLICE_BYTES = 4 * MIB;

interface ReaderWorkerOptions {
  /** Limit of the thread's heap, in MiB. */
  readonly heapMb: number;
  readonly onIdle: (worker: ReaderWorker) => void;
  /** Called when the thread has ended. `cause` is the error, or null if the end was intended. */
  readonly onEnd: (worker: ReaderWorker, cause: unknown) => void;
}

/** A thread that reads one page at a time. It is terminated if it exceeds the limits. */
export class ReaderWorker {
  /** The thread has started and can take a task. */
  idle = false;
  hasStarted = false;
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #options: ReaderWorkerOptions;
  #task: ReadingTask | null = null;
  #clockTimer: NodeJS.Timeout | undefined;
  #cpuTimer: NodeJS.Timeout | undefined;
  /** Processor time of the thread before the current task, in ms. */
  #cpuMsBefore = 0;
  #terminating = false;

  constructor(options: ReaderWorkerOptions) {
    this.#options = options;
    this.#worker = new Worker(THREAD_FILE, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: options.heapMb },
    });
    let cause: unknown;
    this.#worker.on('message', (reply: ReaderReply) => this.#onReply(reply));
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        clearTimeout(this.#clockTimer);
        clearTimeout(this.#cpuTimer);
        this.idle = false;
        const outOfMemory = (cause as NodeJS.ErrnoException)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
        this.#task?.fail(
          outOfMemory ? 'Reading the page takes too much memory.' : 'The page could not be read.',
        );
        const expected = this.#terminating || outOfMemory;
        options.onEnd(this, expected ? null : (cause ?? new Error('the thread ended')));
        resolve();
      });
    });
  }

  /** Must only be called when `idle`. */
  async read(task: ReadingTask): Promise<void> {
    this.idle = false;
    this.#task = task;
    const { text, request } = task;
    const maxCpuMs = MIN_CPU_MS + (text.length / MIB) * CPU_MS_PER_MIB;
    const bytes = new Uint8Array(text.length);
    for (let offset = 0; offset < text.length && !task.settled; offset += SLICE_BYTES) {
      if (offset > 0) await setImmediate();
      // The text must not be accessed after the task has settled.
      if (!task.settled) bytes.set(text.subarray(offset, offset + SLICE_BYTES), offset);
    }
    // How long other threads use the processors is no fault of the page: the clock is that of the request.
    const clockMs = task.remainingMs;
    const cpuMs = Math.min(clockMs, maxCpuMs);
    if (task.settled || cpuMs < 1) {
      task.fail('No time was left to read the page.');
      this.#becomeIdle();
      return;
    }
    this.#clockTimer = setTimeout(() => this.#endTask(task), clockMs);
    // The limit cannot be reached before this much time has passed.
    const limitMs = MAX_OVERRUN * cpuMs;
    this.#checkCpuTime(task, limitMs, limitMs);
    const budget = { ms: cpuMs * THREAD_SHARE, clockMs: clockMs * THREAD_SHARE };
    const message: ReaderRequest = { request, bytes, budget };
    this.#worker.postMessage(message, [bytes.buffer]);
  }

  /** Ends the task when it has used `limitMs` of processor time. @param delayMs until the first check */
  #checkCpuTime(task: ReadingTask, limitMs: number, delayMs: number): void {
    this.#cpuTimer = setTimeout(async () => {
      const used = await this.#worker.cpuUsage().catch(() => null);
      if (used === null || this.#task !== task) return;
      const remainingMs = limitMs - (cpuMsOf(used) - this.#cpuMsBefore);
      if (remainingMs > 0) this.#checkCpuTime(task, limitMs, Math.max(remainingMs, MIN_CHECK_MS));
      else this.#endTask(task);
    }, delayMs).unref();
  }

  #endTask(task: ReadingTask): void {
    task.fail('The page takes too long to read.');
    this.end();
  }

  /** Terminates the thread at once. */
  end(): void {
    this.#terminating = true;
    this.idle = false;
    void this.#worker.terminate();
  }

  #onReply(reply: ReaderReply): void {
    clearTimeout(this.#clockTimer);
    clearTimeout(this.#cpuTimer);
    this.#cpuMsBefore = cpuMsOf(reply.used);
    if (reply.kind === 'read') this.#task?.settle(reply.reading);
    else this.hasStarted = true;
    if (!this.#terminating) this.#becomeIdle();
  }

  #becomeIdle(): void {
    this.#task = null;
    this.idle = true;
    this.#options.onIdle(this);
  }
}

const cpuMsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;
