import { availableParallelism } from 'node:os';
import type { PageReader } from '../../ports/page-reader.ts';
import { ReaderWorker, ReadingTask } from './reader-worker.ts';

interface ReaderQueueOptions {
  /** Maximum number of threads. */
  readonly threads: number;
  /** Limit of the heap of each thread, in MiB. */
  readonly heapMb: number;
  /** Called with unexpected errors. */
  readonly onError: (error: unknown) => void;
}

/** An idle thread is kept for this time. It takes about 20 MB. */
const IDLE_MS = 30_000;

/** Runs tasks in the order of their arrival, in threads that are started on demand. */
class ReaderQueue {
  readonly #options: ReaderQueueOptions;
  readonly #waiting: ReadingTask[] = [];
  readonly #workers = new Set<ReaderWorker>();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: ReaderQueueOptions) {
    this.#options = options;
  }

  add(task: ReadingTask): void {
    this.#waiting.push(task);
    this.#assignTasks();
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    for (const task of this.#waiting.splice(0)) task.fail('The service is shutting down.');
    const workers = [...this.#workers];
    for (const worker of workers) worker.end();
    await Promise.all(workers.map((worker) => worker.ended));
  }

  #assignTasks(): void {
    clearTimeout(this.#idleTimer);
    for (const worker of this.#workers) {
      const task = worker.idle ? this.#nextTask() : undefined;
      if (task !== undefined) void worker.read(task);
    }
    let starting = 0;
    for (const worker of this.#workers) if (!worker.hasStarted) starting++;
    if (this.#waiting.length > starting && this.#workers.size < this.#options.threads) this.#startWorker();
    if (this.#waiting.length === 0 && this.#workers.size > 0)
      this.#idleTimer = setTimeout(() => this.#endIdleWorkers(), IDLE_MS).unref();
  }

  #nextTask(): ReadingTask | undefined {
    let task = this.#waiting.shift();
    while (task?.settled) task = this.#waiting.shift();
    return task;
  }

  #startWorker(): void {
    const worker = new ReaderWorker({
      heapMb: this.#options.heapMb,
      onIdle: () => this.#assignTasks(),
      onEnd: (ended, cause) => {
        this.#workers.delete(ended);
        if (cause !== null) this.#options.onError(cause);
        // The thread could not start. Without this, it would be started again and again.
        if (!ended.hasStarted)
          for (const task of this.#waiting.splice(0)) task.fail('The page could not be read.');
        this.#assignTasks();
      },
    });
    this.#workers.add(worker);
  }

  #endIdleWorkers(): void {
    for (const worker of this.#workers) if (worker.idle) worker.end();
  }
}

interface PageReaderOptions {
  /** Memory budget for contents. It limits the heap of the thread for large texts. */
  readonly memoryBytes: number;
  /** Called with unexpected errors. */
  readonly onError: (error: unknown) => void;
}

const MIB = 2 ** 20;
/** Larger texts have a thread of their own, so that small ones never wait for them. */
const SMALL_TEXT_BYTES = MIB;
const MAX_THREADS = 4;
const SMALL_HEAP_MB = 256;
const MAX_HEAP_MB = 2048;

/** Reads pages in threads, which start with the first page, and end when they have been idle for 30 s. */
export function createPageReader({ memoryBytes, onError }: PageReaderOptions): PageReader {
  const threads = Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1));
  const heapMb = Math.min(MAX_HEAP_MB, Math.max(SMALL_HEAP_MB, Math.floor(memoryBytes / MIB)));
  const small = new ReaderQueue({ threads, heapMb: SMALL_HEAP_MB, onError });
  const large = new ReaderQueue({ threads: 1, heapMb, onError });
  return {
    read(text, request, limits) {
      const task = new ReadingTask(text, request, limits);
      (text.length <= SMALL_TEXT_BYTES ? small : large).add(task);
      return task.result;
    },
    async close() {
      await Promise.all([small.close(), large.close()]);
    },
  };
}
