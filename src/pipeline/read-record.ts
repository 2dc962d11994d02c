import { type MemoryReservation, SMALL_BYTES } from '../base/memory-budget.ts';
import { deadlineUnder } from '../base/time.ts';
import { documentKind } from '../content/document-kind.ts';
import { binaryReading } from '../content/empty-reading.ts';
import { wantsUnpacking } from '../content/reading/packed-feed.ts';
import { WARNINGS, type Warning } from '../domain/failure.ts';
import {
  dataLength,
  READING_MEMORY_FACTOR,
  type Reading,
  type ReadingOptions,
  type ReadingRequest,
  readingTargets,
} from '../domain/reading.ts';
import type { DocumentReader } from '../ports/document-reader.ts';
import type { PageReader } from '../ports/page-reader.ts';
import { readAsDocument } from './read-as-document.ts';
import { readableText, type StoredContent } from './stored-content.ts';

/** The content of a record, with what the record tells about the page. */
export interface StoredPage extends StoredContent {
  readonly url: string;
  /** Encoding that the body had; null: unknown. */
  readonly charset: string | null;
  /** A browser ran the scripts of the page. */
  readonly scripting: boolean;
  /** The content is only the beginning of the page. */
  readonly cut: boolean;
}

interface ReadRecordDeps {
  readonly reader: PageReader;
  readonly documents: DocumentReader;
  readonly reservation: MemoryReservation;
}

/** Limit of the time for reading, as there is no `timeout_ms`. */
const READ_MS = 30_000;
/** How long to wait for memory. */
const MEMORY_WAIT_MS = 10_000;

const CUT: Warning = { code: 'content.truncated', message: WARNINGS['content.truncated'] };

/**
 * Reads a stored page as a scrape reads the page that it delivers. The documents in the frames of the page are not stored,
 * except for those in `srcdoc`.
 * @returns `out of memory`: no memory could be reserved; null: the signal was aborted
 */
export async function readRecord(
  page: StoredPage,
  options: ReadingOptions,
  signal: AbortSignal,
  { reader, documents, reservation }: ReadRecordDeps,
): Promise<Reading | 'out of memory' | null> {
  using waiting = deadlineUnder(MEMORY_WAIT_MS, signal);
  const targets = readingTargets(options, '');
  const readable = await readableText(page, { reservation, signal: waiting.signal });
  if (readable === 'out of memory') return signal.aborted ? null : 'out of memory';
  const warnings = page.cut ? [CUT] : [];
  const { kind, essence } = readable;
  const document = documentKind(essence, page.bytes);
  const bytes = readable.bytes ?? (document !== null || wantsUnpacking(targets, essence) ? page.bytes : null);
  if (bytes === null) return { ...binaryReading(targets, essence), warnings };
  const needed = bytes.length > SMALL_BYTES ? (1 + READING_MEMORY_FACTOR) * bytes.length : 0;
  const release = needed === 0 ? () => {} : await reservation.reserveTemporarily(needed, waiting.signal);
  if (release === null) return signal.aborted ? null : 'out of memory';
  try {
    const request: ReadingRequest = {
      ...targets,
      kind,
      essence,
      charset: page.charset,
      url: page.url,
      scripting: page.scripting,
      frames: null,
      selector: null,
      jsonPath: null,
    };
    const limits = { ms: READ_MS, signal };
    const reading =
      document === null
        ? await reader.read(bytes, request, limits)
        : await readAsDocument(bytes, document, request, limits, { reader, documents });
    if (reading === null) return null;
    reservation.countUnreserved(dataLength(reading.data));
    return { ...reading, warnings: [...warnings, ...reading.warnings] };
  } finally {
    release();
  }
}
