import type { DocumentKind, DocumentReading } from '../domain/document.ts';
import type { Failure } from '../domain/failure.ts';
import type { ReadingLimits } from './page-reader.ts';

/**
 * Reads documents that are not pages: PDF, office documents, books, tables. Every implementation guarantees: whatever the
 * bytes are, `read` settles at the latest 100 ms after `limits.ms` and does not reject. A document that is broken, encrypted,
 * or needs more time or memory than it may have is a failure `document.unreadable`; one of which only a part was read says
 * so in `truncated` and in a warning. Nothing that a document contains or refers to is run, opened or fetched. A crash of
 * the code that reads it ends the reading of that document alone. After `read` has settled, `bytes` is not accessed. The
 * calling thread is not blocked.
 */
export interface DocumentReader {
  /**
   * @param bytes as served; CSV as UTF-8
   * @returns null: the signal was aborted
   */
  read(
    bytes: Uint8Array,
    kind: DocumentKind,
    limits: ReadingLimits,
  ): Promise<DocumentReading | Failure | null>;
  /** Ends all reading. `read` must not be called afterwards. */
  close(): Promise<void>;
}
