import { hasNoBody } from '../assess/assess.ts';
import type { MemoryReservation } from '../base/memory-budget.ts';
import { DEADLINE_EXCEEDED, type Deadline } from '../base/time.ts';
import { unmetAcceptConditions } from '../content/accept.ts';
import {
  type DecodeContentOptions,
  type DecodedContent,
  decodeContent,
  decodeLargeContent,
} from '../content/decode-content.ts';
import { binaryReading, failedReading } from '../content/empty-reading.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Page } from '../domain/fetch-result.ts';
import type { Job } from '../domain/job.ts';
import { needsReading, READING_MEMORY_FACTOR, type Reading, type ReadingRequest } from '../domain/reading.ts';
import type { PageReader } from '../ports/page-reader.ts';

/** After the time of the request, so that a page whose body took all of it can still be judged. */
const GRACE_MS = 200;
const TOO_LATE = 'The request timed out before the page was read.';

/**
 * Formats, extraction and the selectors of `accept`, read from the text of a page. null: nobody waits for it any more.
 * @param made the content as text where it is one
 */
async function readDocument(
  reader: PageReader,
  made: DecodedContent,
  page: Page,
  job: Job,
  deadline: Deadline,
): Promise<Reading | null> {
  const { content, mime, charset } = made;
  const { formats, extract } = job.options;
  const { accept } = job.router;
  // Nothing else can be asked of bytes: some APIs send their JSON as application/octet-stream.
  const asksJson = mime.kind === 'binary' && accept !== null && accept.jsonPath !== null;
  if ((content.encoding === 'base64' || mime.kind === 'binary') && !asksJson)
    return binaryReading({ formats, extract }, mime.kind === 'binary' ? mime.essence : null);
  const ask: ReadingRequest = {
    kind: mime.kind,
    essence: mime.essence,
    charset: charset?.name ?? null,
    url: page.finalUrl,
    // Only a document that a browser has written anew is one in which scripts may have run.
    scripting: page.contentTypeOverride !== undefined && job.browser.javascript,
    frames: page.frames ?? null,
    formats,
    extract,
    selector: accept?.selector ?? null,
    jsonPath: accept?.jsonPath ?? null,
  };
  const late = deadline.signal.reason === DEADLINE_EXCEEDED;
  const signal = late ? new AbortController().signal : deadline.signal;
  const reading = await reader.read(content.bytes, ask, { ms: deadline.remaining() + GRACE_MS, signal });
  if (reading !== null || deadline.signal.reason !== DEADLINE_EXCEEDED) return reading;
  return failedReading(ask, TOO_LATE);
}

export interface ReadResult extends Pick<DecodedContent, 'content' | 'charset' | 'replaced' | 'mime'> {
  /** Members of `router.accept` that the page does not meet. */
  readonly unmet: readonly string[];
  /** null: nothing was asked that has to be read. */
  readonly reading: Reading | null;
  /** The time was up before all of the text was decoded: it is only the beginning. */
  readonly cut: Failure | null;
}

const NOTHING_UNMET: readonly string[] = Object.freeze([]);
const NOT_READ = { selectorMet: false, jsonPathMet: false };
const DECODE_TIMEOUT = failure('timeout.total', 'The request timed out while the text was being decoded.');
const CANCELLED = failure('request.cancelled', 'The client disconnected.');
const MEMORY_TIMEOUT = failure(
  'service.unavailable',
  'The request timed out while it waited for memory for the text of the page; other scrapes use it.',
);

/** The content of a page of which nothing has to be read. */
export function readPage(page: Page, job: Job): ReadResult {
  const asked = contentOptions(page);
  const made = decodeContent({ ...asked, want: job.options.contentEncoding });
  if (job.router.accept === null) return { ...made, unmet: NOTHING_UNMET, reading: null, cut: null };
  const judged = job.options.contentEncoding === 'auto' ? made : decodeContent({ ...asked, want: 'auto' });
  return { ...made, unmet: unmetCriteria(page, job, judged, NOT_READ), reading: null, cut: null };
}

/** The same of a page that has to be read; or why it cannot be. */
export async function readParsedPage(
  page: Page,
  job: Job,
  deadline: Deadline,
  reader: PageReader,
): Promise<ReadResult | Failure> {
  const asked = contentOptions(page);
  const made = decodeContent({ ...asked, want: job.options.contentEncoding });
  // Judged and read is the text, also when the caller wants the bytes of it.
  const judged = job.options.contentEncoding === 'auto' ? made : decodeContent({ ...asked, want: 'auto' });
  const reading = await readDocument(reader, judged, page, job, deadline);
  if (reading === null) return CANCELLED;
  return { ...made, unmet: unmetCriteria(page, job, judged, reading), reading, cut: null };
}

/** The same for a body of more than 256 KiB, in slices and with room for what is made of it; or why it cannot be. */
export async function readLargePage(
  page: Page,
  job: Job,
  deadline: Deadline,
  reservation: MemoryReservation,
  reader: PageReader,
): Promise<ReadResult | Failure> {
  const { signal } = deadline;
  const asked = contentOptions(page);
  const { contentEncoding } = job.options;
  const { accept } = job.router;
  const size = page.body.length;
  const memory = { reservation, signal };
  const made = await decodeLargeContent({ ...asked, want: contentEncoding }, memory);
  if (made === null) return signal.reason === DEADLINE_EXCEEDED ? MEMORY_TIMEOUT : CANCELLED;
  let unmet = NOTHING_UNMET;
  let reading: Reading | null = null;
  const reads = needsReading(job);
  if (accept !== null || reads) {
    const judged =
      contentEncoding === 'auto' ? made : await decodeLargeContent({ ...asked, want: 'auto' }, memory, true);
    const { length } = judged?.content.bytes ?? [];
    const all = size + length + READING_MEMORY_FACTOR * size;
    const waits = reads && judged !== null ? reservation.reserve(all, all, signal) : null;
    if (judged === null || (waits !== null && !(await waits)))
      return signal.reason === DEADLINE_EXCEEDED ? MEMORY_TIMEOUT : CANCELLED;
    if (reads) reading = await readDocument(reader, judged, page, job, deadline);
    if (reads && reading === null) return CANCELLED;
    if (accept !== null) unmet = unmetCriteria(page, job, judged, reading ?? NOT_READ, size);
    if (judged !== made && judged.content.bytes.buffer !== page.body.buffer)
      reservation.free(judged.content.bytes.buffer);
  }
  reservation.shrink(made.content.bytes.length, made.content.bytes.length);
  if (!made.stopped) return { ...made, unmet, reading, cut: null };
  return signal.reason === DEADLINE_EXCEEDED ? { ...made, unmet, reading, cut: DECODE_TIMEOUT } : CANCELLED;
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
  job: Job,
  { content }: DecodedContent,
  reading: Pick<Reading, 'selectorMet' | 'jsonPathMet'>,
  byteLength = page.body.length,
): readonly string[] {
  const { accept } = job.router;
  if (accept === null) return NOTHING_UNMET;
  return unmetAcceptConditions(accept, { statusCode: page.statusCode, content, byteLength, reading });
}
