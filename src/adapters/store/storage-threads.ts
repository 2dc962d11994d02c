import { parentPort, Worker } from 'node:worker_threads';
import { StorageError } from '../../ports/store.ts';
import { deserializeError, type SerializedError, serializeError } from './sqlite-errors.ts';

/** Whoever held it up so long is taken to have died; SQLite's own locks are there all the same. */
const MAX_HELD_MS = 1_000;

const WRITER_INDEX = 0;
const CHECKPOINTER_INDEX = 1;

/** Memory that the threads of a store share for their turns. */
export function walLockMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}

/**
 * Writing to the log and moving the last of it into the database exclude each other. SQLite lets the one who comes
 * second sleep for 1, 2, 5, 10, 15 and 20 ms, at the end of which it looks again; here it goes on at once.
 */
export class WalLock {
  readonly #state: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#state = new Int32Array(memory);
  }

  /** For the writer. */
  whileWriting<T>(work: () => T): T {
    this.#enter();
    try {
      return work();
    } finally {
      Atomics.store(this.#state, WRITER_INDEX, 0);
      if (Atomics.load(this.#state, CHECKPOINTER_INDEX) === 1) Atomics.notify(this.#state, WRITER_INDEX);
    }
  }

  /** For who moves the log, who goes first: there is always something to be written. */
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

/** `[call, kind, ...arguments]` to the thread, `[call, error, result]` back; call 0 is a line for the log. */
type ThreadRequest = readonly [call: number, kind: string, ...args: unknown[]];
type ThreadReply = readonly [call: number, error: SerializedError | null, result: unknown];

/** A thread's handlers by kind; what they throw goes back as the error. After `close` the thread ends. */
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

/** A thread that died is started again at the next call, but not sooner than this after its last start. */
const RESTART_MS = 1_000;

export type LogEventFunction = (event: string, fields: Record<string, unknown>) => void;
type ReplyCallback = (error: Error | null, result: unknown) => void;

/** The near end of a thread that answers calls one by one. */
export interface StorageThread {
  /** For the hot path: no promise. `done` is called exactly once. */
  send(kind: string, args: readonly unknown[], transfer: readonly ArrayBuffer[], done: ReplyCallback): void;
  call(kind: string, ...args: unknown[]): Promise<unknown>;
  /** Lets the thread end after what was sent before. Rejects when its last work fails; it has ended all the same. */
  close(): Promise<void>;
}

interface StorageThreadOptions {
  /** File name beside this one, without extension. */
  readonly entry: string;
  readonly data: unknown;
  readonly log: LogEventFunction;
}

export function startThread(order: StorageThreadOptions): StorageThread {
  // `.ts` when run from the sources, `.js` when packed.
  const url = new URL(
    `${order.entry}${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`,
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
    const started = new Worker(url, { workerData: order.data, execArgv: [] });
    let cause: unknown;
    started.on('message', onReply);
    started.on('error', (error) => {
      cause = error;
    });
    ended = new Promise((resolve) => {
      started.on('exit', (exitCode) => {
        worker = null;
        if (!closing)
          order.log('store.thread_ended', { thread: order.entry, exitCode, error: String(cause) });
        const error = new StorageError('the storage thread has ended', { cause });
        const lost = [...waiting.values()];
        waiting.clear();
        for (const done of lost) done(error, null);
        resolve();
      });
    });
    return started;
  }

  function onReply(reply: ThreadReply | Readonly<Record<string, unknown>>): void {
    // `node --watch` lets threads tell which files they loaded.
    if (!Array.isArray(reply)) return;
    const [call, note, result] = reply;
    if (call === 0) {
      const [event, fields] = result as [string, Record<string, unknown>];
      order.log(event, fields);
      return;
    }
    const done = waiting.get(call);
    waiting.delete(call);
    done?.(note === null ? null : deserializeError(note), result);
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

  // At once: threads that are started together boot at the same time.
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
