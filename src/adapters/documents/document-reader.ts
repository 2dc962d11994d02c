import { availableParallelism } from 'node:os';
import type { DocumentKind, DocumentReading } from '../../domain/document.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { DocumentReader } from '../../ports/document-reader.ts';
import type { ReadingLimits } from '../../ports/page-reader.ts';
import { type DocumentOrder, readInProcess } from './document-process.ts';

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

/** Reads documents in processes: one for each document, at most one per core, less one. */
export function createDocumentReader(options: DocumentReaderOptions): DocumentReader {
  const { maxPages = MAX_PAGES, memoryMb = MEMORY_MB, onError } = options;
  const processes = new ProcessSlots(Math.min(MAX_PROCESSES, Math.max(1, availableParallelism() - 1)));
  const running = new Set<Promise<void>>();
  const closing = new AbortController();

  async function readWithin(
    bytes: Uint8Array,
    kind: DocumentKind,
    ms: number,
    stop: AbortSignal,
  ): Promise<DocumentReading | Failure> {
    const endsAt = performance.now() + ms;
    if (!(await processes.take(stop))) return timeoutFailure();
    const remainingMs = endsAt - performance.now();
    const order: DocumentOrder = { kind, maxPages, memoryMb, ms: remainingMs * PROCESS_SHARE };
    const { result, ended } = readInProcess(bytes, order, stop);
    const end = ended.then(() => {
      processes.release();
      running.delete(end);
    });
    running.add(end);
    const outcome = await result;
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
      await Promise.all(running);
    },
  };
}

/** Limits how many processes run at once. Those who wait get their turn in order. */
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
