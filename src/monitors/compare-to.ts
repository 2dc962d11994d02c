import { type Failure, failure } from '../domain/failure.ts';
import { isObject } from '../domain/json-schema.ts';
import type { Change, CompareOptions, CompareTo } from '../domain/monitors.ts';
import type { NewRecord, StoredRecord } from '../domain/record.ts';
import { ANY_RECORD, pictureKey, picturesOf, SCREENSHOT_NUMBER } from '../domain/record.ts';
import type { Scrape } from '../domain/scrape.ts';
import type { Task } from '../domain/task.ts';
import { canonicalUrl } from '../jobs/crawl/canonical-url.ts';
import type { RecordStore } from '../ports/store.ts';
import { recordData } from '../wire/record/record-json.ts';
import { comparePages } from './compare-pages.ts';
import { NO_CHANGE, recordTrouble } from './ended-run.ts';
import { readVersion, type SnapshotDeps } from './read-snapshot.ts';

/** What a scrape is compared with (`router.compare_to`). */
export interface Baseline {
  /** null: there is none, and `reason` says why. */
  readonly previous: { readonly id: string; readonly bytes: Uint8Array } | null;
  /** The latest record says that the page is gone. */
  readonly isGone: boolean;
  /** Why there is none although the page was scraped before; null: it was not, or there is one. */
  readonly reason: string | null;
}

type Records = Pick<RecordStore, 'list' | 'get' | 'request'>;

const RECORDS_PER_CALL = 200;
/** Records of the host that are looked at. */
const MAX_CALLS = 5;
/** Records of the same page that are looked at. */
const MAX_MATCHES = 20;

/** The latest record of the same page that can be compared. @param userId whose records count */
export async function lastBaseline(
  task: Task,
  compareTo: CompareTo,
  userId: string,
  records: Records,
  deps: SnapshotDeps,
): Promise<Baseline> {
  let isGone: boolean | null = null;
  let reason: string | null = null;
  let matches = 0;
  let after: string | null = null;
  for (let call = 0; call < MAX_CALLS; call++) {
    const filter = { ...ANY_RECORD, userId, host: task.host, tag: compareTo.tag };
    const { items, next } = await records.list(filter, RECORDS_PER_CALL, after);
    for (const { id, url, method } of items) {
      if (url === null || method !== task.method || !isSameUrl(url, task.url)) continue;
      const record = await records.get(id, userId);
      if (record === null || (await mismatch(record, task, compareTo, records)) !== null) continue;
      if (++matches > MAX_MATCHES) return { previous: null, isGone: isGone ?? false, reason };
      const trouble = recordTrouble(record, compareTo.format, false);
      if (trouble === 'gone') isGone ??= true;
      if (trouble !== null || isNoBaseline(record)) continue;
      if (!hasContent(record, compareTo)) {
        isGone ??= false;
        reason = 'record.no_content';
        continue;
      }
      const bytes = await readVersion(record, compareTo, deps, false);
      // Empty pages are passed over, as those are that failed.
      if (typeof bytes === 'string') continue;
      isGone ??= false;
      return { previous: { id, bytes }, isGone, reason: null };
    }
    if (next === null) break;
    after = next;
  }
  return { previous: null, isGone: isGone ?? false, reason };
}

/** Whether the page of a record was compared, and was not the page. */
const isNoBaseline = (record: StoredRecord): boolean =>
  (recordData(record).change as { readonly state?: unknown } | undefined)?.state === 'error';

/** A record that the caller named. @returns why it cannot be compared: it is of another page, or has no content */
export async function namedBaseline(
  record: StoredRecord,
  task: Task,
  compareTo: CompareTo,
  records: Records,
  deps: SnapshotDeps,
): Promise<Baseline | Failure> {
  const pointer = '/router/compare_to/record';
  const other = await mismatch(record, task, compareTo, records);
  if (other !== null)
    return failure('request.validation', `\`${pointer}\` is a record with another ${other}.`, { pointer });
  const trouble = recordTrouble(record, compareTo.format, false);
  if (trouble === 'gone') return { previous: null, isGone: true, reason: null };
  if (trouble === null && hasContent(record, compareTo)) {
    const bytes = await readVersion(record, compareTo, deps, false);
    const isRead = typeof bytes !== 'string';
    return {
      previous: isRead ? { id: record.id, bytes } : null,
      isGone: false,
      reason: isRead ? null : bytes,
    };
  }
  const reason = trouble !== null ? 'no_page' : record.contentBytes === null ? 'retain' : 'storage';
  const message = `The record has nothing to compare in the format ${compareTo.format}.`;
  return failure('record.no_content', message, { pointer, details: { reason } });
}

/** What of a record differs from the request, so that their pages are not compared; null: nothing. */
async function mismatch(
  { id, userId, url, method, tags }: StoredRecord,
  task: Task,
  { tag }: CompareTo,
  records: Records,
): Promise<'URL' | 'method' | 'tag' | 'country' | 'device' | null> {
  if (url === null || !isSameUrl(url, task.url)) return 'URL';
  if (method !== task.method) return 'method';
  if (tag !== null && tags[tag.name] !== tag.value) return 'tag';
  const before = placeOf(await records.request(id, userId));
  const now = placeOf(task.requestJson());
  if (before.country !== now.country) return 'country';
  return before.device === now.device ? null : 'device';
}

const isSameUrl = (a: string, b: string): boolean =>
  canonicalUrl(new URL(a), null) === canonicalUrl(new URL(b), null);

/** Country and device of a request as it was written. */
function placeOf(requestJson: string | null): { readonly country: unknown; readonly device: unknown } {
  const { proxy, scraper_options: options } = JSON.parse(requestJson ?? '{}') as Record<string, unknown>;
  const country = isObject(proxy) && typeof proxy.country === 'string' ? proxy.country.toUpperCase() : null;
  return { country, device: (isObject(options) ? options.device : null) ?? null };
}

function hasContent(record: StoredRecord, { format }: CompareOptions): boolean {
  if (format === 'screenshot') return record.hasScreenshot;
  if (format === 'extract' || format === 'json') return recordData(record)[format] !== undefined;
  return record.contentEncoding !== null;
}

/**
 * Compares the page of a scrape.
 * @param record of the scrape, with its content, as it would be stored
 */
export async function changeOf(
  scrape: Scrape,
  record: NewRecord,
  compareTo: CompareTo,
  { previous, isGone, reason }: Baseline,
  deps: SnapshotDeps,
): Promise<Change> {
  const change = { ...NO_CHANGE, previousId: previous?.id ?? null };
  const trouble = recordTrouble(record, compareTo.format, previous !== null);
  if (trouble === 'gone') return { ...change, state: isGone ? 'same' : 'gone', similarity: isGone ? 1 : 0 };
  if (trouble !== null) return { ...change, state: 'error', reason: trouble };
  const { bytes } = scrape.delivered!.content!;
  const screenshot = picturesOf(scrape.delivered!.page)[SCREENSHOT_NUMBER]?.bytes ?? null;
  // Nothing is stored yet.
  const unstored = {
    get: async (key: string) => (key === pictureKey(record.id, SCREENSHOT_NUMBER) ? screenshot : bytes),
  };
  const stored = { ...record, contentInBlob: true };
  const after = await readVersion(stored, compareTo, { ...deps, blobs: unstored }, previous !== null);
  if (typeof after === 'string') return { ...change, state: 'error', reason: after };
  if (previous === null) return { ...change, state: isGone ? 'back' : 'first', reason };
  const comparison = await comparePages(previous.bytes, after, compareTo);
  return { ...change, ...comparison, state: isGone ? 'back' : comparison.state };
}
