import { Worker } from 'node:worker_threads';
import { StorageError } from '../../../ports/storage-error.ts';
import type { Reply } from './serve.ts';
import { errorOf } from './sqlite-errors.ts';

/** A thread that died is started again at the next call, but not sooner than this after its last start. */
const RESTART_MS = 1_000;

export type Log = (event: string, fields: Record<string, unknown>) => void;
type Done = (error: Error | null, result: unknown) => void;

/** The near end of a thread that answers calls one by one. */
export interface StorageThread {
  /** For the hot path: no promise. `done` is called exactly once. */
  send(kind: string, args: readonly unknown[], transfer: readonly ArrayBuffer[], done: Done): void;
  call(kind: string, ...args: unknown[]): Promise<unknown>;
  /** Lets the thread end after what was sent before. Rejects when its last work fails; it has ended all the same. */
  close(): Promise<void>;
}

export interface ThreadOrder {
  /** File name beside this one, without extension. */
  readonly entry: string;
  readonly data: unknown;
  readonly log: Log;
}

export function startThread(order: ThreadOrder): StorageThread {
  // `.ts` when run from the sources, `.js` when packed.
  const url = new URL(
    `${order.entry}${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`,
    import.meta.url,
  );
  const waiting = new Map<number, Done>();
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

  function onReply(reply: Reply | Readonly<Record<string, unknown>>): void {
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
    done?.(note === null ? null : errorOf(note), result);
  }

  function send(kind: string, args: readonly unknown[], transfer: readonly ArrayBuffer[], done: Done): void {
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
