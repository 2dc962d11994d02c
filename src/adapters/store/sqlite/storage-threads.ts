import { parentPort, Worker } from 'node:worker_threads';
import { moduleFile } from '../../../base/program-files.ts';
import { StorageError } from '../../../ports/store.ts';
import { deserializeError, type SerializedError, serializeError } from './sqlite-errors.ts';

/** If a thread holds the lock for longer, the other one assumes that it is dead. SQLite's own locks still protect the data. */
const MAX_HELD_MS = 1_000;

/**
 * Indexes into the memory of the lock. The writer's cell is 1 while it holds the lock; the checkpointer's cell is 1 while it
 * holds the lock or waits for it.
 */
const WRITER_INDEX = 0;
const CHECKPOINTER_INDEX = 1;

/** Memory for a `WalLock`, which the threads of a store share. */
export function createWalLockMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}

/**
 * A lock between the writer and the checkpointer, because SQLite does not allow writing to the WAL and a restart checkpoint
 * at the same time. With SQLite's own lock, the waiting thread would sleep for 1, 2, 5, 10, 15 and 20 ms between attempts.
 * With this lock, it continues as soon as the other thread is done.
 */
export class WalLock {
  readonly #state: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#state = new Int32Array(memory);
  }

  /** For the writer. */
  whileWriting<T>(work: () => T): T {
    this.#waitForCheckpointer();
    try {
      return work();
    } finally {
      Atomics.store(this.#state, WRITER_INDEX, 0);
      if (Atomics.load(this.#state, CHECKPOINTER_INDEX) === 1) Atomics.notify(this.#state, WRITER_INDEX);
    }
  }

  /** For the checkpointer. It has precedence, because under load the writer would take the lock again immediately. */
  whileCheckpointing(work: () => void): void {
    Atomics.store(this.#state, CHECKPOINTER_INDEX, 1);
    try {
      // Returns at once if the writer does not hold the lock.
      Atomics.wait(this.#state, WRITER_INDEX, 1, MAX_HELD_MS);
      work();
    } finally {
      Atomics.store(this.#state, CHECKPOINTER_INDEX, 0);
      Atomics.notify(this.#state, CHECKPOINTER_INDEX);
    }
  }

  /** Waits until the checkpointer neither holds the lock nor waits for it, then takes it. */
  #waitForCheckpointer(): void {
    for (;;) {
      // Taken before the check: if both threads only checked, both could enter.
      Atomics.store(this.#state, WRITER_INDEX, 1);
      if (Atomics.load(this.#state, CHECKPOINTER_INDEX) === 0) return;
      Atomics.store(this.#state, WRITER_INDEX, 0);
      Atomics.notify(this.#state, WRITER_INDEX);
      const timedOut = Atomics.wait(this.#state, CHECKPOINTER_INDEX, 1, MAX_HELD_MS) === 'timed-out';
      if (timedOut) Atomics.store(this.#state, CHECKPOINTER_INDEX, 0);
    }
  }
}

/** Messages to a thread, and back. `call` numbers the requests, and says which request a reply belongs to. */
type ThreadRequest = readonly [call: number, kind: string, ...args: unknown[]];
type ThreadReply = readonly [call: number, error: SerializedError | null, result: unknown];
/** The `call` of messages that are not replies, but lines for the service log. */
const LOG_LINE = 0;

/** Runs in the thread: handles the requests by their kind. Thrown errors are sent back. The thread ends after `close`. */
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

/** Runs in the thread: writes a line to the service log. */
export function sendLogLine(event: string, fields: Record<string, unknown>): void {
  parentPort!.postMessage([LOG_LINE, null, [event, fields]] satisfies ThreadReply);
}

/** The next call starts a thread again that has ended unexpectedly, but not sooner than this after its last start. */
const RESTART_MS = 1_000;

export type LogEventFunction = (event: string, fields: Record<string, unknown>) => void;
type ReplyCallback = (error: Error | null, result: unknown) => void;

/** A thread that handles calls one after the other. */
export interface StorageThread {
  /** Like `call`, without the cost of a promise. `done` is called exactly once. */
  send(kind: string, args: readonly unknown[], transfer: readonly ArrayBuffer[], done: ReplyCallback): void;
  /** @param kind names the handler in the thread @returns its result */
  call(kind: string, ...args: unknown[]): Promise<unknown>;
  /** Ends the thread after the earlier calls. If its handler for `close` fails, this rejects after the thread has ended. */
  close(): Promise<void>;
}

interface StorageThreadOptions {
  /** The thread's module: a name in this folder, without extension. */
  readonly entry: string;
  readonly data: unknown;
  readonly log: LogEventFunction;
}

export function startThread(options: StorageThreadOptions): StorageThread {
  const file = moduleFile(`adapters/store/sqlite/${options.entry}`);
  /** Callbacks of the calls without a reply, by call number. */
  const unanswered = new Map<number, ReplyCallback>();
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
    const started = new Worker(file, { workerData: options.data, execArgv: [] });
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
        const callbacks = [...unanswered.values()];
        unanswered.clear();
        for (const done of callbacks) done(error, null);
        resolve();
      });
    });
    return started;
  }

  function onReply(reply: ThreadReply | Readonly<Record<string, unknown>>): void {
    // With `node --watch`, threads also send the names of the files that they have loaded.
    if (!Array.isArray(reply)) return;
    const [call, error, result] = reply;
    if (call === LOG_LINE) {
      const [event, fields] = result as [string, Record<string, unknown>];
      options.log(event, fields);
      return;
    }
    const done = unanswered.get(call);
    unanswered.delete(call);
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
      unanswered.set(call, done);
      worker.postMessage([call, kind, ...args], transfer);
    } catch (error) {
      unanswered.delete(call);
      done(error as Error, null);
    }
  }

  function call(kind: string, ...args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      send(kind, args, [], (error, result) => (error === null ? resolve(result) : reject(error)));
    });
  }

  // Not started by the first call, so that several threads start in parallel.
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
