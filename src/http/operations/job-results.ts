import { type Deadline, deadlineOf } from '../../base/time.ts';
import type { ItemRow, JobRow } from '../../domain/jobs.ts';
import type { StoredRecord } from '../../domain/record.ts';
import { returnsContent } from '../../wire/answer/answer-json.ts';
import { type GoneReason, itemJson } from '../../wire/jobs/job-json.ts';
import type { ResultPart } from '../../wire/jobs/results-query.ts';
import { recordDataJson, recordJson } from '../../wire/record/record-json.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { MEMORY_WAIT_MS, outOfMemoryRefusal } from '../core/request-resources.ts';

/** Contract §13: a page has at most 16 MiB. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

export type ResultDeps = Pick<EndpointDeps, 'store' | 'blobs' | 'memory' | 'linkUrl' | 'clock'>;

/**
 * Items as JSON texts, until the page is full.
 * @returns `last`: `n` of the last one; null: there is none
 */
export async function resultLines(
  deps: ResultDeps,
  job: JobRow,
  items: readonly ItemRow[],
  include: ResultPart,
): Promise<{ readonly lines: readonly string[]; readonly last: number | null }> {
  const lines: string[] = [];
  let bytes = 0;
  let last: number | null = null;
  for (const item of items) {
    const line = await resultLine(deps, job, item, include);
    bytes += line.length;
    if (bytes > MAX_PAGE_BYTES && lines.length > 0) break;
    lines.push(line);
    last = item.n;
  }
  return { lines, last };
}

/** One item as JSON text. */
export async function resultLine(
  deps: ResultDeps,
  job: JobRow,
  item: ItemRow,
  include: ResultPart,
): Promise<string> {
  const { store, linkUrl, clock } = deps;
  const id = JSON.stringify(item.scrapeId);
  if (item.scrapeId === null || include === 'none') return itemJson(item, id, 'null');
  const record = await store.records.get(item.scrapeId, null);
  const hasExpired = job.expiresAt !== null && job.expiresAt <= clock.now();
  if (record === null) return itemJson(item, id, 'null', hasExpired ? 'retention' : 'storage');
  const gone = goneReason(record);
  if (include === 'formats') return itemJson(item, id, recordDataJson(record, linkUrl), gone);
  const context = { withUser: false };
  const scrape = returnsContent(record.answerJson)
    ? await withContent(deps, record, (content) => recordJson(record, content, linkUrl, context))
    : recordJson(record, null, linkUrl, context);
  return itemJson(item, scrape.toString('utf8'), 'null', gone);
}

/** A content that was stored and is no longer there has been deleted to free storage. */
function goneReason(record: StoredRecord): GoneReason | null {
  const { content, contentBytes, contentInBlob, answerJson, statusCode } = record;
  if (contentBytes === null) return answerJson === null || statusCode !== null ? 'retain' : null;
  return content === null && !contentInBlob && contentBytes > 0 ? 'storage' : null;
}

/** Calls `use` with the content, whose memory is freed afterwards. @throws Refusal if there is no memory for it now */
async function withContent<T>(
  { memory, blobs }: ResultDeps,
  record: StoredRecord,
  use: (content: Uint8Array | null) => T,
): Promise<T> {
  if (!record.contentInBlob) return use(record.content);
  const reservation = memory.open();
  try {
    using deadline: Deadline = deadlineOf(MEMORY_WAIT_MS);
    // Twice the size, because the blob is decompressed into pieces, which are then joined.
    const size = 2 * (record.contentBytes ?? 0);
    const waiting = reservation.reserve(size, size, deadline.signal);
    if (waiting !== null && !(await waiting)) throw outOfMemoryRefusal();
    return use(await blobs.get(record.id));
  } finally {
    reservation.close();
  }
}
