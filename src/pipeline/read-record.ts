import { type MemoryReservation, SMALL_BYTES } from '../base/memory-budget.ts';
import { deadlineUnder } from '../base/time.ts';
import { documentKind } from '../content/charset/document-kind.ts';
import { binaryReading } from '../content/formats/empty-reading.ts';
import { wantsUnpacking } from '../content/reading/feed/packed-feed.ts';
import { EFFORT_UNIT, type Prices, pricedUse } from '../domain/cost.ts';
import { WARNINGS, type Warning } from '../domain/failure.ts';
import {
  dataLength,
  READING_MEMORY_FACTOR,
  type Reading,
  type ReadingOptions,
  type ReadingRequest,
  readingTargets,
} from '../domain/reading.ts';
import type { Scrape } from '../domain/scrape.ts';
import type { DocumentReader } from '../ports/document-reader.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import type { PageReader } from '../ports/page-reader.ts';
import { askModel, modelLimit, withOutcome } from './ask-model.ts';
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

/** What was read, and what a model cost. */
export interface RecordReading extends Reading, Pick<Scrape, 'model' | 'costUnit'> {}

interface ReadRecordDeps {
  readonly reader: PageReader;
  readonly documents: DocumentReader;
  /** null: the operator has none. */
  readonly model: LanguageModel | null;
  readonly prices: Prices | null;
  readonly reservation: MemoryReservation;
  /** How long to wait for memory; absent: 10 s. */
  readonly memoryWaitMs?: number;
}

/** Limit of the time for reading, as there is no `timeout_ms`. */
const READ_MS = 30_000;
/** The same for the model, whose own limit is usually shorter. */
const MODEL_MS = 600_000;
/** The default of `memoryWaitMs`. */
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
  deps: ReadRecordDeps,
): Promise<RecordReading | 'out of memory' | null> {
  const { reader, documents, reservation, memoryWaitMs = MEMORY_WAIT_MS } = deps;
  using waiting = deadlineUnder(memoryWaitMs, signal);
  const targets = readingTargets(options, '');
  const readable = await readableText(page, { reservation, signal: waiting.signal });
  if (readable === 'out of memory') return signal.aborted ? null : 'out of memory';
  const warnings = page.cut ? [CUT] : [];
  const { kind, essence } = readable;
  const document = documentKind(essence, page.bytes);
  const bytes = readable.bytes ?? (document !== null || wantsUnpacking(targets, essence) ? page.bytes : null);
  const costUnit = deps.prices?.currency ?? EFFORT_UNIT;
  if (bytes === null) return { ...binaryReading(targets, essence), warnings, model: null, costUnit };
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
      ...modelLimit(deps.model, options),
      finds: null,
    };
    const limits = { ms: READ_MS, signal };
    const reading =
      document === null
        ? await reader.read(bytes, request, limits)
        : await readAsDocument(bytes, document, request, limits, { reader, documents });
    if (reading === null) return null;
    const { modelTask } = reading;
    const outcome =
      modelTask === undefined || options.json === null
        ? null
        : await askModel(deps, modelTask, options.json, '', { signal, ms: MODEL_MS, maxCost: null });
    const complete = outcome === null ? reading : withOutcome(reading, outcome);
    const use = outcome?.use ?? null;
    const model = use === null ? null : pricedUse(deps.prices, use);
    reservation.countUnreserved(dataLength(complete.data));
    return { ...complete, warnings: [...warnings, ...complete.warnings], model, costUnit };
  } finally {
    release();
  }
}
