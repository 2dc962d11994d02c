import { bodyless } from '../assess/bodyless.ts';
import type { ByteRoom } from '../base/byte-room.ts';
import { DEADLINE, type Deadline } from '../base/deadline.ts';
import { unmetAccept } from '../content/accept.ts';
import { type ContentAsk, type MadeContent, toContent } from '../content/to-content.ts';
import { toLargeContent } from '../content/to-large-content.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Page } from '../domain/fetched.ts';
import type { Job } from '../domain/job.ts';
import { asksReading, READING_PER_BYTE, type Reading } from '../domain/reading.ts';
import type { PageReader } from '../ports/page-reader.ts';
import { readDocument } from './read-document.ts';

export interface ReadPage extends Pick<MadeContent, 'content' | 'charset' | 'replaced' | 'mime'> {
  /** Members of `router.accept` that the page does not meet. */
  readonly unmet: readonly string[];
  /** null: nothing was asked that has to be read. */
  readonly reading: Reading | null;
  /** The time was up before all of the text was decoded: it is only the beginning. */
  readonly cut: Failure | null;
}

const MEETS_ALL: readonly string[] = Object.freeze([]);
const NOT_READ = { selectorMet: false, jsonPathMet: false };
const TIME_UP = failure('timeout.total', 'The request timed out while the text was being decoded.');
const HUNG_UP = failure('request.cancelled', 'The client disconnected.');
const NO_ROOM = failure(
  'service.unavailable',
  'The request timed out while it waited for memory for the text of the page; other scrapes use it.',
);

/** The content of a page of which nothing has to be read. */
export function readPage(page: Page, job: Job): ReadPage {
  const asked = askOf(page);
  const made = toContent({ ...asked, want: job.options.contentEncoding });
  if (job.router.accept === null) return { ...made, unmet: MEETS_ALL, reading: null, cut: null };
  const judged = job.options.contentEncoding === 'auto' ? made : toContent({ ...asked, want: 'auto' });
  return { ...made, unmet: unmetOf(page, job, judged, NOT_READ), reading: null, cut: null };
}

/** The same of a page that has to be read; or why it cannot be. */
export async function readAskedPage(
  page: Page,
  job: Job,
  deadline: Deadline,
  reader: PageReader,
): Promise<ReadPage | Failure> {
  const asked = askOf(page);
  const made = toContent({ ...asked, want: job.options.contentEncoding });
  // Judged and read is the text, also when the caller wants the bytes of it.
  const judged = job.options.contentEncoding === 'auto' ? made : toContent({ ...asked, want: 'auto' });
  const reading = await readDocument(reader, judged, page, job, deadline);
  if (reading === null) return HUNG_UP;
  return { ...made, unmet: unmetOf(page, job, judged, reading), reading, cut: null };
}

/** The same for a body of more than 256 KiB, in slices and with room for what is made of it; or why it cannot be. */
export async function readLargePage(
  page: Page,
  job: Job,
  deadline: Deadline,
  room: ByteRoom,
  reader: PageReader,
): Promise<ReadPage | Failure> {
  const { signal } = deadline;
  const asked = askOf(page);
  const { contentEncoding } = job.options;
  const { accept } = job.router;
  const size = page.body.length;
  const where = { room, signal };
  const made = await toLargeContent({ ...asked, want: contentEncoding }, where);
  if (made === null) return signal.reason === DEADLINE ? NO_ROOM : HUNG_UP;
  let unmet = MEETS_ALL;
  let reading: Reading | null = null;
  const reads = asksReading(job);
  if (accept !== null || reads) {
    const judged =
      contentEncoding === 'auto' ? made : await toLargeContent({ ...asked, want: 'auto' }, where, true);
    const { length } = judged?.content.bytes ?? [];
    const all = size + length + READING_PER_BYTE * size;
    const waits = reads && judged !== null ? room.reserve(all, all, signal) : null;
    if (judged === null || (waits !== null && !(await waits)))
      return signal.reason === DEADLINE ? NO_ROOM : HUNG_UP;
    if (reads) reading = await readDocument(reader, judged, page, job, deadline);
    if (reads && reading === null) return HUNG_UP;
    if (accept !== null) unmet = unmetOf(page, job, judged, reading ?? NOT_READ, size);
    if (judged !== made && judged.content.bytes.buffer !== page.body.buffer)
      room.free(judged.content.bytes.buffer);
  }
  room.settle(made.content.bytes.length, made.content.bytes.length);
  if (!made.stopped) return { ...made, unmet, reading, cut: null };
  return signal.reason === DEADLINE ? { ...made, unmet, reading, cut: TIME_UP } : HUNG_UP;
}

function askOf(page: Page): Omit<ContentAsk, 'want'> {
  return {
    body: page.body,
    headers: page.readAs === undefined ? page.headers : [['content-type', page.readAs]],
    undecoded: page.undecoded,
    cutAtLimit: page.cut !== null,
    noBody: page.body.length === 0 || bodyless(page.method, page.statusCode),
  };
}

function unmetOf(
  page: Page,
  job: Job,
  { content }: MadeContent,
  reading: Pick<Reading, 'selectorMet' | 'jsonPathMet'>,
  byteLength = page.body.length,
): readonly string[] {
  const { accept } = job.router;
  if (accept === null) return MEETS_ALL;
  return unmetAccept(accept, { statusCode: page.statusCode, content, byteLength, reading });
}
