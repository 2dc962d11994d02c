import type { Reading, ReadingRequest } from '../domain/reading.ts';

/** How a reading is bounded. */
export interface ReadingLimits {
  /** For all of it, also for waiting for a turn. */
  readonly ms: number;
  /** Abort: nobody wants the result any more. */
  readonly signal: AbortSignal;
}

/**
 * Reads the texts of pages: formats, extraction, and the parts of `accept` that need a parsed page. Every implementation
 * keeps this: `read` settles, always, at the latest 100 ms after `limits.ms` have passed, whatever text, selector and path
 * are, and never rejects for these; what could not be read in time or memory is told in `failures`. null: the signal was
 * aborted. Nobody looks at `text` once it has settled. The thread that calls goes on meanwhile.
 */
export interface PageReader {
  /** @param text UTF-8 */
  read(text: Uint8Array, ask: ReadingRequest, limits: ReadingLimits): Promise<Reading | null>;
  /** What is being read is ended. After it, `read` is not called. */
  close(): Promise<void>;
}
