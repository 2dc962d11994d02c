import type { Reading, ReadingRequest } from '../domain/reading.ts';

export interface ReadingLimits {
  /** Time limit in milliseconds, including the wait for a thread. */
  readonly ms: number;
  /** Aborts when the result is no longer needed. */
  readonly signal: AbortSignal;
}

/**
 * Reads the texts of pages: formats, extraction, and the conditions of `accept` that need a parsed page. Every implementation
 * guarantees: whatever the text, selectors and paths are, `read` settles at the latest 100 ms after `limits.ms` and does not
 * reject; what could not be read within the limits of time and memory is in `failures`. After `read` has settled, `text` is
 * not accessed. The calling thread is not blocked.
 */
export interface PageReader {
  /**
   * @param text UTF-8
   * @returns null: the signal was aborted
   */
  read(text: Uint8Array, request: ReadingRequest, limits: ReadingLimits): Promise<Reading | null>;
  /** Ends all reading. `read` must not be called afterwards. */
  close(): Promise<void>;
}
