import { hasNoBody } from '../assess/assess.ts';
import { type MemoryReservation, SMALL_BYTES } from '../base/memory-budget.ts';
import { DEADLINE_EXCEEDED, type Deadline } from '../base/time.ts';
import { type Charset, shownCharset } from '../content/charset/charset.ts';
import {
  type DecodeContentOptions,
  type DecodedContent,
  decodeContent,
  decodeLargeContent,
} from '../content/charset/decode-content.ts';
import { documentKind } from '../content/charset/document-kind.ts';
import { computeMimeType } from '../content/charset/mime-type.ts';
import { unmetAcceptConditions } from '../content/formats/accept.ts';
import { binaryReading, failedReading } from '../content/formats/empty-reading.ts';
import { wantsUnpacking } from '../content/reading/feed/packed-feed.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Page } from '../domain/fetch-result.ts';
import {
  dataLength,
  needsReading,
  READING_MEMORY_FACTOR,
  type Reading,
  type ReadingRequest,
  readingTargets,
} from '../domain/reading.ts';
import type { Task } from '../domain/task.ts';
import type { DocumentReader } from '../ports/document-reader.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import type { PageReader } from '../ports/page-reader.ts';
import { modelLimit } from './ask-model.ts';
import { CANCELLED } from './interruption.ts';
import { isMainDownload } from './main-download.ts';
import { readAsDocument } from './read-as-document.ts';

/** The content of a page, and what was read from it. */
export interface ReadResult extends Pick<DecodedContent, 'content' | 'charset' | 'replaced' | 'mime'> {
  /** Members of `router.accept` that the page does not meet. */
  readonly unmet: readonly string[];
  /** Formats, extraction and selectors; null: the task needs none of them. */
  readonly reading: Reading | null;
  /** The text is only the beginning, because the time was up before all of it was decoded; null: it is complete. */
  readonly cut: Failure | null;
}

interface ReadDeps {
  readonly deadline: Deadline;
  readonly reservation: MemoryReservation;
  readonly reader: PageReader;
  readonly documents: DocumentReader;
  readonly model: LanguageModel | null;
}

const NOTHING_UNMET: readonly string[] = Object.freeze([]);
const NOT_READ = { selectorMet: false, jsonPathMet: false };
const decodeTimeout = ({ timeoutMs }: Task): Failure =>
  failure(
    'timeout.total',
    `Timed out after ${(timeoutMs / 1000).toFixed(1)} s: the text of the page had not been decoded to its end.`,
    { details: { phase: 'decode' } },
  );
const MEMORY_TIMEOUT = failure(
  'service.unavailable',
  'The request timed out while it waited for memory for the text of the page; other scrapes use it.',
);

/**
 * Decodes the body of a page, parses it if the task needs that, and checks `router.accept`. The result is a promise only for
 * a body of more than 256 KiB, or if the page is parsed, so that most pages take no further turn of the event loop.
 * @returns a failure: the page could not be read
 */
export function readPage(page: Page, task: Task, deps: ReadDeps): ReadResult | Promise<ReadResult | Failure> {
  if (page.body.length > SMALL_BYTES) return readLargePage(page, task, deps);
  deps.reservation.countUnreserved(page.body.length);
  const { accept } = task.router;
  const { contentEncoding } = task.options;
  const options = contentOptions(page);
  const decoded = decodeContent({ ...options, want: contentEncoding });
  const parses = needsReading(task);
  if (accept === null && !parses) return readResult(page, decoded, NOTHING_UNMET, null);
  // `accept` and the parser need the text, also if the caller wants the bytes.
  const text = contentEncoding === 'auto' ? decoded : decodeContent({ ...options, want: 'auto' });
  return parses
    ? parseSmallPage(page, task, decoded, text, deps)
    : readResult(page, decoded, unmetCriteria(page, task, text, NOT_READ), null);
}

/** Browsers deliver documents as UTF-8; this is the charset of what the target has sent. */
const charsetOfDocument = ({ headers, body }: Page, name: string): Charset =>
  shownCharset(name, computeMimeType(headers, body).charsetLabel, body);

const readResult = (
  page: Page,
  { content, charset, replaced, mime }: DecodedContent,
  unmet: readonly string[],
  reading: Reading | null,
  cut: Failure | null = null,
): ReadResult => ({
  content,
  charset: page.documentCharset === undefined ? charset : charsetOfDocument(page, page.documentCharset),
  replaced,
  mime,
  unmet,
  reading,
  cut,
});

async function parseSmallPage(
  page: Page,
  task: Task,
  decoded: DecodedContent,
  text: DecodedContent,
  deps: ReadDeps,
): Promise<ReadResult | Failure> {
  const reading = await parseDocument(text, page, task, deps);
  if (reading === null) return CANCELLED;
  return readResult(page, decoded, unmetCriteria(page, task, text, reading), reading);
}

/** `readPage` for large bodies: decodes in slices, and reserves memory for the text and its tree. */
async function readLargePage(page: Page, task: Task, deps: ReadDeps): Promise<ReadResult | Failure> {
  const { reservation } = deps;
  const { signal } = deps.deadline;
  const isTimeout = () => signal.reason === DEADLINE_EXCEEDED;
  const options = contentOptions(page);
  const { contentEncoding } = task.options;
  const { accept } = task.router;
  const size = page.body.length;
  const memory = { reservation, signal };
  // A file is also delivered as it was received, and a page through the proxy port only so.
  const keepBody = isMainDownload(page) || task.isProxied;
  const decoded = await decodeLargeContent({ ...options, want: contentEncoding }, memory, { keepBody });
  if (decoded === null) return isTimeout() ? MEMORY_TIMEOUT : CANCELLED;
  let unmet = NOTHING_UNMET;
  let reading: Reading | null = null;
  const parses = needsReading(task);
  if (accept !== null || parses) {
    const text =
      contentEncoding === 'auto'
        ? decoded
        : await decodeLargeContent({ ...options, want: 'auto' }, memory, { keepBody: true });
    if (text === null) return isTimeout() ? MEMORY_TIMEOUT : CANCELLED;
    if (parses) {
      const bytes = size + text.content.bytes.length + READING_MEMORY_FACTOR * size;
      const reserving = reservation.reserve(bytes, bytes, signal);
      if (reserving !== null && !(await reserving)) return isTimeout() ? MEMORY_TIMEOUT : CANCELLED;
      reading = await parseDocument(text, page, task, deps);
      if (reading === null) return CANCELLED;
    }
    if (accept !== null) unmet = unmetCriteria(page, task, text, reading ?? NOT_READ, size);
    if (text !== decoded && text.content.bytes.buffer !== page.body.buffer)
      reservation.free(text.content.bytes.buffer);
  }
  if (keepBody && decoded.content.bytes.buffer !== page.body.buffer) reservation.countUnreserved(size);
  reservation.shrink(decoded.content.bytes.length, decoded.content.bytes.length);
  if (!decoded.stopped) return readResult(page, decoded, unmet, reading);
  return isTimeout() ? readResult(page, decoded, unmet, reading, decodeTimeout(task)) : CANCELLED;
}

/** Added to the remaining time, so that a page can still be read if its body took all of the time. */
const GRACE_MS = 200;
const TOO_LATE = 'The request timed out before the page was read.';

/** Reads formats, extraction and the selectors of `accept` from the text of a page. @returns null: the scrape was cancelled */
async function parseDocument(
  { content, mime, charset }: DecodedContent,
  page: Page,
  task: Task,
  { deadline, reservation, reader, documents, model }: ReadDeps,
): Promise<Reading | null> {
  const targets = readingTargets(task.options, '/scraper_options');
  const { accept } = task.router;
  const document = documentKind(mime.essence, content.bytes);
  // Some APIs send JSON as application/octet-stream, and sitemaps come packed. Nothing else is read of bytes but documents.
  const wantsBytes =
    mime.kind === 'binary' &&
    ((accept?.jsonPath ?? null) !== null ||
      wantsUnpacking(targets, mime.essence) ||
      task.finds === 'sitemap');
  if (document === null && (content.encoding === 'base64' || mime.kind === 'binary') && !wantsBytes)
    return binaryReading(targets, mime.kind === 'binary' ? mime.essence : null);
  const request: ReadingRequest = {
    ...targets,
    kind: mime.kind,
    essence: mime.essence,
    charset: page.documentCharset ?? charset?.name ?? null,
    url: page.finalUrl,
    // Only a browser overrides the content type, for a document that it has serialized: there, scripts may have run.
    scripting: page.contentTypeOverride !== undefined && task.options.javascript,
    frames: page.frames ?? null,
    ...(page.elementBoxes === undefined ? {} : { elementBoxes: page.elementBoxes }),
    selector: accept?.selector ?? null,
    jsonPath: accept?.jsonPath ?? null,
    ...modelLimit(model, task.options),
    finds: task.finds,
  };
  const isTimeout = () => deadline.signal.reason === DEADLINE_EXCEEDED;
  // After a timeout the page is still read, within the grace period. A new signal, because that of the deadline is aborted.
  const signal = isTimeout() ? new AbortController().signal : deadline.signal;
  const limits = { ms: deadline.remaining() + GRACE_MS, signal };
  const reading =
    document === null
      ? await reader.read(content.bytes, request, limits)
      : await readAsDocument(content.bytes, document, request, limits, { reader, documents });
  if (reading === null) return isTimeout() ? failedReading(request, TOO_LATE) : null;
  // The data stays in memory until the response has been sent.
  reservation.countUnreserved(dataLength(reading.data));
  return reading;
}

function contentOptions(page: Page): Omit<DecodeContentOptions, 'want'> {
  return {
    body: page.body,
    headers:
      page.contentTypeOverride === undefined ? page.headers : [['content-type', page.contentTypeOverride]],
    undecoded: page.undecoded,
    cutAtLimit: page.cut !== null,
    noBody: page.body.length === 0 || hasNoBody(page.method, page.statusCode),
  };
}

function unmetCriteria(
  page: Page,
  task: Task,
  { content }: DecodedContent,
  reading: Pick<Reading, 'selectorMet' | 'jsonPathMet'>,
  byteLength = page.body.length,
): readonly string[] {
  const { accept } = task.router;
  if (accept === null) return NOTHING_UNMET;
  return unmetAcceptConditions(accept, { statusCode: page.statusCode, content, byteLength, reading });
}
