import { availableParallelism } from 'node:os';
import type { DocumentKind, DocumentReading } from '../../domain/document.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { DocumentReader } from '../../ports/document-reader.ts';
import type { ReadingLimits } from '../../ports/page-reader.ts';
import type { DocumentOrder } from './document-frame.ts';
import { DocumentProcess } from './document-process.ts';

interface DocumentReaderOptions {
  /** Most pages, slides, sheets or chapters of a document that are read. */
  readonly maxPages?: number;
  /** Most memory that the reading of one document may take, in MiB. */
  readonly memoryMb?: number;
  /** Called with unexpected errors. */
  readonly onError: (error: unknown) => void;
}

const MAX_PROCESSES = 4;
const MAX_PAGES = 2000;
const MEMORY_MB = 768;
/** No document gets more time than this. Of 113,000 PDFs in a published test, one in a thousand took longer than 19 s. */
const MAX_MS = 60_000;
/** The process itself stops after this share of the time, and returns what it has read. */
const PROCESS_SHARE = 0.8;

/** Starting a process and compiling its program costs more than reading a small document, so it waits so long for another. */
const KEPT_MS = 30_000;
/** A process that takes more memory is not kept: it would lack it for the next document. */
const KEPT_MEMORY_MB = 256;

/**
 * Reads documents in processes, at most one per core, less one, at once. A process whose document was read is kept for others of its
 * kind; one that failed is not, and what fails in a process that was kept is read again in a new one.
 */
export function createDocumentReader(options: DocumentReaderOptions): DocumentReader {
  const { maxPages = MAX_PAGES, memoryMb = MEMORY_MB, onError } = options;
  const maxProcesses = Math.min(MAX_PROCESSES, Math.max(1, availableParallelism() - 1));
  const slots = new ProcessSlots(maxProcesses);
  const kept = new KeptProcesses(maxProcesses);
  const running = new Set<Promise<void>>();
  const closing = new AbortController();

  function startProcess(kind: DocumentKind): DocumentProcess {
    const process = new DocumentProcess(kind, memoryMb);
    const end = process.ended.then(() => void running.delete(end));
    running.add(end);
    return process;
  }

  /** @returns `freed` settles when another process may read instead */
  async function readIn(
    process: DocumentProcess,
    bytes: Uint8Array,
    order: DocumentOrder,
    stop: AbortSignal,
  ) {
    const outcome = await process.read(bytes, order, stop);
    const isSound = outcome.kind === 'read' && !outcome.reading.document.truncated;
    const memory = isSound ? await process.residentMb() : null;
    const isKept = memory !== null && memory < KEPT_MEMORY_MB && !closing.signal.aborted;
    if (isKept) kept.add(process);
    else process.kill();
    return { outcome, freed: isKept ? Promise.resolve() : process.ended };
  }

  async function readWithin(
    bytes: Uint8Array,
    kind: DocumentKind,
    ms: number,
    stop: AbortSignal,
  ): Promise<DocumentReading | Failure> {
    const endsAt = performance.now() + ms;
    if (!(await slots.take(stop))) return timeoutFailure();
    const order = (): DocumentOrder => ({ maxPages, ms: (endsAt - performance.now()) * PROCESS_SHARE });
    const earlier = kept.take(kind);
    let read = earlier === null ? null : await readIn(earlier, bytes, order(), stop);
    if (read === null || read.outcome.kind === 'unreadable' || read.outcome.kind === 'crashed')
      read = await readIn(startProcess(kind), bytes, order(), stop);
    const { outcome, freed } = read;
    void freed.then(() => slots.release());
    switch (outcome.kind) {
      case 'read':
        return outcome.reading;
      case 'unreadable':
        return unreadable(outcome.reason, outcome.message);
      case 'stopped':
        return timeoutFailure();
      case 'crashed':
        onError(outcome.error);
        return unreadable('broken', 'The document could not be read.');
    }
  }

  return {
    async read(bytes, kind, { ms, signal }: ReadingLimits) {
      const timeout = new AbortController();
      const limitMs = Math.min(ms, MAX_MS);
      const timer = setTimeout(() => timeout.abort(), limitMs);
      try {
        const stop = AbortSignal.any([signal, timeout.signal, closing.signal]);
        const reading = await readWithin(bytes, kind, limitMs, stop);
        return signal.aborted ? null : reading;
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      closing.abort();
      kept.end();
      await Promise.all(running);
    },
  };
}

/** Processes that wait for another document. */
class KeptProcesses {
  readonly #most: number;
  /** In the order in which they were added. */
  readonly #timers = new Map<DocumentProcess, NodeJS.Timeout>();

  /** @param most the oldest one is ended when there are more */
  constructor(most: number) {
    this.#most = most;
  }

  add(process: DocumentProcess): void {
    this.#timers.set(process, setTimeout(() => this.#end(process), KEPT_MS).unref());
    void process.ended.then(() => this.#remove(process));
    const [oldest] = this.#timers.keys();
    if (this.#timers.size > this.#most) this.#end(oldest!);
  }

  /** One that reads this kind; null: there is none. */
  take(kind: DocumentKind): DocumentProcess | null {
    const process = this.#timers.keys().find((process) => process.kind === kind) ?? null;
    if (process !== null) this.#remove(process);
    return process;
  }

  end(): void {
    for (const process of this.#timers.keys()) this.#end(process);
  }

  #end(process: DocumentProcess): void {
    this.#remove(process);
    process.kill();
  }

  #remove(process: DocumentProcess): void {
    clearTimeout(this.#timers.get(process));
    this.#timers.delete(process);
  }
}

/** Limits how many processes read at once. Those who wait get their turn in order. */
class ProcessSlots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** @returns false: the signal aborted first */
  async take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#free > 0) {
      this.#free--;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const grant = () => resolve(true);
    const giveUp = () => resolve(false);
    this.#waiting.add(grant);
    signal.addEventListener('abort', giveUp, { once: true });
    const granted = await promise;
    signal.removeEventListener('abort', giveUp);
    // If both happened, the slot was granted first, and `granted` is true.
    this.#waiting.delete(grant);
    return granted;
  }

  release(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free++;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}

function timeoutFailure(): Failure {
  return unreadable('timeout', 'The document takes too long to read.');
}

function unreadable(reason: string, message: string): Failure {
  return failure('document.unreadable', message, { details: { reason } });
}
