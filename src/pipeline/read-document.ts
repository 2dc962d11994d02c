import { DEADLINE, type Deadline } from '../base/deadline.ts';
import { failedReading, readingOfBytes } from '../content/no-reading.ts';
import type { MadeContent } from '../content/to-content.ts';
import type { Page } from '../domain/fetched.ts';
import type { Job } from '../domain/job.ts';
import type { Reading, ReadingAsk } from '../domain/reading.ts';
import type { PageReader } from '../ports/page-reader.ts';

/** After the time of the request, so that a page whose body took all of it can still be judged. */
const GRACE_MS = 200;
const TOO_LATE = 'The request timed out before the page was read.';

/**
 * Formats, extraction and the selectors of `accept`, read from the text of a page. null: nobody waits for it any more.
 * @param made the content as text where it is one
 */
export async function readDocument(
  reader: PageReader,
  made: MadeContent,
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
    return readingOfBytes({ formats, extract }, mime.kind === 'binary' ? mime.essence : null);
  const ask: ReadingAsk = {
    kind: mime.kind,
    essence: mime.essence,
    charset: charset?.name ?? null,
    url: page.finalUrl,
    // Only a document that a browser has written anew is one in which scripts may have run.
    scripting: page.readAs !== undefined && job.browser.javascript,
    frames: page.frames ?? null,
    formats,
    extract,
    selector: accept?.selector ?? null,
    jsonPath: accept?.jsonPath ?? null,
  };
  const late = deadline.signal.reason === DEADLINE;
  const signal = late ? new AbortController().signal : deadline.signal;
  const reading = await reader.read(content.bytes, ask, { ms: deadline.remaining() + GRACE_MS, signal });
  if (reading !== null || deadline.signal.reason !== DEADLINE) return reading;
  return failedReading(ask, TOO_LATE);
}
