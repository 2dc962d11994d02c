import { parentPort, Worker } from 'node:worker_threads';
import { StorageError } from '../../ports/store.ts';
import { deserializeError, type SerializedError, serializeError } from './sqlite-errors.ts';

/** A thread that holds the lock for longer is taken to be dead. SQLite's own locks still protect the data. */
const MAX_HELD_MS = 1_000;

const WRITER_INDEX = 0;
const CHECKPOINTER_INDEX = 1;

/** Memory for a `WalLock`, which the threads of a store share. */
export function createWalLockMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}

/**
 * A lock for writing to the log and for ending a checkpoint, which SQLite does not allow at the same time. With SQLite's own
 * lock, the second thread would sleep for 1, 2, 5, 10, 15 and 20 ms between its attempts. With this one it continues at once.
 */
export class WalLock {
  readonly #state: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#state = new Int32Array(memory);
  }

  /** Called by the writer. */
  whileWriting<T>(work: () => T): T {
    this.#enter();
    try {
      return work();
    } finally {
      Atomics.store(this.#state, WRITER_INDEX, 0);
      if (Atomics.load(this.#state, CHECKPOINTER_INDEX) === 1) Atomics.notify(this.#state, WRITER_INDEX);
    }
  }

  /** Called by the checkpointer, which has precedence: the writer always has work and would never let it in. */
  whileCheckpointing(work: () => void): void {
    Atomics.store(this.#state, CHECKPOINTER_INDEX, 1);
    try {
      Atomics.wait(this.#state, WRITER_INDEX, 1, MAX_HELD_MS);
      work();
    } finally {
      Atomics.store(this.#state, CHECKPOINTER_INDEX, 0);
      Atomics.notify(this.#state, CHECKPOINTER_INDEX);
    }
  }

  #enter(): void {
    for (;;) {
      Atomics.store(this.#state, WRITER_INDEX, 1);
      if (Atomics.load(this.#state, CHECKPOINTER_INDEX) === 0) return;
      Atomics.store(this.#state, WRITER_INDEX, 0);
      Atomics.notify(this.#state, WRITER_INDEX);
      const ended = Atomics.wait(this.#state, CHECKPOINTER_INDEX, 1, MAX_HELD_MS) !== 'timed-out';
      if (!ended) Atomics.store(this.#state, CHECKPOINTER_INDEX, 0);
    }
  }
}

/** Messages to the thread, and back. A reply to call 0 is a line for the log. */
type ThreadRequest = readonly [call: number, kind: string, ...args: unknown[]];
type ThreadReply = readonly [call: number, error: SerializedError | null, result: unknown];

/** Handles the requests in a thread, by kind. Thrown errors are sent back. The thread ends after `close`. */
export function handleRequests(handlers: Readonly<Record<string, (...args: never[]) => unknown>>): void {
  const port = parentPort!;
  port.on('message', ([call, kind, ...args]: ThreadRequest) => {
    let reply: ThreadReply;
    try {
      reply = [call, null, handlers[kind]!(...(args as never[]))];
    } catch (error) {
      reply = [call, serializeError(error), null];
    }
    port.postMessage(reply);
    if (kind === 'close') port.close();
  });
}

export function sendLogLine(event: string, fields: Record<string, unknown>): void {
  parentPort!.postMessage([0, null, [event, fields]] satisfies ThreadReply);
}

/** A thread that has ended is started again by the next call, but not sooner than this after its last start. */
const RESTART_MS = 1_000;

export type LogEventFunction = (event: string, fields: Record<string, unknown>) => void;
type ReplyCallback = (error: Error | null, result: unknown) => void;

/** A thread that handles calls one after the other. */
export interface StorageThread {
  /** For the hot path, without a promise. `done` is called exactly once. */
  send(kind: string, args: readonly unknown[], transfer: readonly ArrayBuffer[], done: ReplyCallback): void;
  call(kind: string, ...args: unknown[]): Promise<unknown>;
  /** Ends the thread after the earlier calls. If its last work fails, this rejects after the thread has ended. */
  close(): Promise<void>;
}

interface StorageThreadOptions {
  /** Path of the thread's module relative to this one, without extension. */
  readonly entry: string;
  readonly data: unknown;
  readonly log: LogEventFunction;
}

export function startThread(options: StorageThreadOptions): StorageThread {
  // `.ts` when run from the sources, `.js` when packed.
  const url = new URL(
    `${options.entry}${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`,
    import.meta.url,
  );
  const waiting = new Map<number, ReplyCallback>();
  let worker: Worker | null = null;
  let ended: Promise<void> = Promise.resolve();
  let startedAt = Number.NEGATIVE_INFINITY;
  let lastCall = 0;
  let closing = false;

  function start(): Worker {
    const now = performance.now();
    if (now - startedAt < RESTART_MS)
      throw new StorageError('the storage thread has ended; it will be started again');
    startedAt = now;
    const started = new Worker(url, { workerData: options.data, execArgv: [] });
    let cause: unknown;
    started.on('message', onReply);
    started.on('error', (error) => {
      cause = error;
    });
    ended = new Promise((resolve) => {
      started.on('exit', (exitCode) => {
        worker = null;
        if (!closing)
          options.log('store.thread_ended', { thread: options.entry, exitCode, error: String(cause) });
        const error = new StorageError('the storage thread has ended', { cause });
        const pending = [...waiting.values()];
        waiting.clear();
        for (const done of pending) done(error, null);
        resolve();
      });
    });
    return started;
  }

  function onReply(reply: ThreadReply | Readonly<Record<string, unknown>>): void {
    // With `node --watch`, threads also send the names of the files that they have loaded.
    if (!Array.isArray(reply)) return;
    const [call, error, result] = reply;
    if (call === 0) {
      const [event, fields] = result as [string, Record<string, unknown>];
      options.log(event, fields);
      return;
    }
    const done = waiting.get(call);
    waiting.delete(call);
    done?.(error === null ? null : deserializeError(error), result);
  }

  function send(
    kind: string,
    args: readonly unknown[],
    transfer: readonly ArrayBuffer[],
    done: ReplyCallback,
  ): void {
    const call = ++lastCall;
    try {
      if (closing && kind !== 'close') throw new StorageError('the store is closed');
      worker ??= start();
      waiting.set(call, done);
      worker.postMessage([call, kind, ...args], transfer);
    } catch (error) {
      waiting.delete(call);
      done(error as Error, null);
    }
  }

  function call(kind: string, ...args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      send(kind, args, [], (error, result) => (error === null ? resolve(result) : reject(error)));
    });
  }

  // Started at once, so that several threads start in parallel.
  worker = start();

  return {
    send,
    call,
    async close() {
      closing = true;
      if (worker === null) return;
      try {
        await call('close');
      } finally {
        await ended;
      }
    },
  };
}
