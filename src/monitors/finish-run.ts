import type { Clock } from '../base/time.ts';
import type { ItemRow, JobRow } from '../domain/jobs.ts';
import type { Change, ChangedPage, MonitorRow, MonitorRunRow, RunResult } from '../domain/monitors.ts';
import type { StoredRecord } from '../domain/record.ts';
import type { WebhookEvent } from '../domain/webhooks.ts';
import type { JobStore } from '../ports/jobs.ts';
import type { MonitorStore, RunEnd } from '../ports/monitors.ts';
import type { RecordStore } from '../ports/store.ts';
import { recordErrors } from '../wire/record/record-json.ts';
import { comparePages } from './compare-pages.ts';
import { readSnapshot, type SnapshotDeps } from './read-snapshot.ts';

export interface FinishDeps extends SnapshotDeps {
  readonly monitors: MonitorStore;
  readonly jobs: Pick<JobStore, 'results'>;
  readonly records: Pick<RecordStore, 'get'>;
}

interface EndedRun {
  readonly monitor: MonitorRow;
  readonly run: MonitorRunRow;
  readonly job: JobRow;
  readonly now: number;
}

type FoundRun = Omit<RunEnd, 'event'>;

/** Errors in a row after which the user is told. */
const TOLD_ERRORS = 3;

/** A page that used to be open and now asks for a sign-in is told at once; other errors when they last. */
function eventOf({ result, errors }: FoundRun): WebhookEvent | null {
  if (result.state === 'error') {
    const isTold = errors === TOLD_ERRORS || (errors === 1 && result.reason === 'signed_out');
    return isTold ? 'failed' : null;
  }
  return ['changed', 'gone', 'back'].includes(result.state) ? 'changed' : 'done';
}

const ITEMS_PER_CALL = 100;
/** Changed pages that a run lists. All are counted. */
const MAX_PAGES = 1_000;

const NO_CHANGE: Omit<Change, 'state'> = {
  reason: null,
  previousId: null,
  added: 0,
  removed: 0,
  similarity: 1,
  diff: null,
  fields: [],
  picture: null,
};

/**
 * Compares the pages of a run whose job has ended, and stores the result. May be called again for the same run after a crash:
 * it compares with the same earlier pages.
 */
export async function finishRun(deps: FinishDeps, ended: EndedRun): Promise<void> {
  const found = await (ended.monitor.kind === 'request' ? compareRequest : compareAll)(deps, ended);
  const end = { ...found, event: eventOf(found) };
  await deps.monitors.endRun(ended.monitor.id, ended.run.n, end);
  if (ended.monitor.kind !== 'request') {
    const gone = end.result.pages.filter(({ state }) => state === 'gone').map(({ url }) => url);
    await deps.monitors.deletePages(ended.monitor.id, gone);
  }
}

/** Ends a run that could not begin. */
export async function failRun(
  { monitors, clock }: Pick<FinishDeps, 'monitors'> & { readonly clock: Clock },
  monitor: MonitorRow,
  n: number,
  reason: string,
): Promise<void> {
  const found = failedRun(monitor, reason, clock.now());
  await monitors.endRun(monitor.id, n, { ...found, event: eventOf(found) });
}

const failedRun = ({ errors, isGone }: MonitorRow, reason: string, now: number): FoundRun => ({
  result: { ...NO_CHANGE, state: 'error', reason, pages: [] },
  scrapeId: null,
  snapshot: null,
  errors: errors + 1,
  isGone,
  now,
});

async function compareRequest(deps: FinishDeps, ended: EndedRun): Promise<FoundRun> {
  const { monitor, run, job, now } = ended;
  const [item] = await deps.jobs.results(job.id, 0, 1);
  const scrapeId = item?.scrapeId ?? null;
  const common = { scrapeId, now, snapshot: null };
  const failed = (reason: string): FoundRun => ({ ...failedRun(monitor, reason, now), scrapeId });
  if (item === undefined) return failed(job.error?.code ?? `job_${job.state}`);
  const record = scrapeId === null ? null : await deps.records.get(scrapeId, null);
  const previous = await deps.monitors.page(monitor.id, BASELINE, run.n);
  const trouble = troubleOf(item, record, previous !== null);
  if (trouble === 'gone')
    return {
      ...common,
      result: goneResult(monitor, previous?.scrapeId ?? null),
      errors: 0,
      isGone: true,
    };
  if (trouble !== null) return failed(trouble);
  const snapshot = await readSnapshot(record!, monitor.compare, deps);
  if (typeof snapshot === 'string') return failed(snapshot);
  await deps.monitors.putPage(monitor.id, run.n, { url: BASELINE, scrapeId: scrapeId!, bytes: snapshot });
  const result = resultOf(monitor, previous, snapshot);
  return { ...common, result, snapshot, errors: 0, isGone: false };
}

/** The page of a monitor of one request has this name, because its URL may change by redirects. */
const BASELINE = '';

function goneResult({ isGone }: MonitorRow, previousId: string | null): RunResult {
  return { ...NO_CHANGE, state: isGone ? 'same' : 'gone', previousId, similarity: isGone ? 1 : 0, pages: [] };
}

function resultOf(
  { compare, isGone }: MonitorRow,
  previous: { readonly scrapeId: string; readonly bytes: Uint8Array } | null,
  snapshot: Uint8Array,
): RunResult {
  if (previous === null) return { ...NO_CHANGE, state: isGone ? 'back' : 'first', pages: [] };
  const comparison = comparePages(previous.bytes, snapshot, compare);
  const state = isGone ? 'back' : comparison.state;
  return { ...NO_CHANGE, ...comparison, state, previousId: previous.scrapeId, pages: [] };
}

/**
 * Why a page is not compared: `gone` (404, 410), or the reason of an error; null: it is compared.
 * @param wasOpen the page was got before, so that a sign-in page is news
 */
function troubleOf(item: ItemRow, record: StoredRecord | null, wasOpen: boolean): string | null {
  const errors = record === null ? [] : recordErrors(record);
  if (errors.some(({ details }) => (details as { wall?: unknown } | undefined)?.wall === 'login'))
    return wasOpen ? 'signed_out' : 'login';
  if (item.state !== 'ok') return item.error?.code ?? item.outcome ?? item.state;
  if (record === null) return 'record.expired';
  if (record.statusCode === 404 || record.statusCode === 410) return 'gone';
  if (record.outcome === 'target_error') return `status_${record.statusCode}`;
  return null;
}

/** Compares the pages of a batch or a crawl by their URLs. */
async function compareAll(deps: FinishDeps, ended: EndedRun): Promise<FoundRun> {
  const { monitor, run, job, now } = ended;
  const pages: ChangedPage[] = [];
  const counts = { added: 0, removed: 0, seen: 0, failed: 0 };
  const seen = new Set<string>();
  const note = (page: ChangedPage) => pages.length < MAX_PAGES && pages.push(page);
  for (let after = 0; ; ) {
    const items = await deps.jobs.results(job.id, after, ITEMS_PER_CALL);
    for (const item of items) {
      if (item.state === 'skipped') continue;
      seen.add(item.url);
      const page = await comparePage(deps, ended, item);
      if (page === 'failed') counts.failed++;
      else counts.seen++;
      if (typeof page === 'string') continue;
      counts.added += page.added;
      counts.removed += page.removed;
      note(page);
    }
    if (items.length < ITEMS_PER_CALL) break;
    after = items.at(-1)!.n!;
  }
  const isFirst = await hasNoPages(deps.monitors, monitor.id, run.n);
  // A crawl that was cut short by errors has not seen that pages are gone.
  if (counts.failed === 0 && job.state === 'done')
    for (const page of await missingPages(deps, ended, seen)) note(page);
  const nothing = counts.seen === 0;
  const state = nothing ? 'error' : isFirst ? 'first' : pages.length > 0 ? 'changed' : 'same';
  const reason = nothing ? (job.error?.code ?? 'no_pages') : null;
  const share = seen.size === 0 ? 1 : Math.max(0, 1 - pages.length / seen.size);
  const { added, removed } = counts;
  return {
    result: { ...NO_CHANGE, state, reason, added, removed, similarity: share, pages: isFirst ? [] : pages },
    scrapeId: null,
    snapshot: null,
    errors: nothing ? monitor.errors + 1 : 0,
    isGone: false,
    now,
  };
}

async function hasNoPages(monitors: MonitorStore, id: string, n: number): Promise<boolean> {
  return (await monitors.pageUrls(id, n, '', 1)).length === 0;
}

async function comparePage(
  deps: FinishDeps,
  { monitor, run }: EndedRun,
  item: ItemRow,
): Promise<ChangedPage | 'same' | 'failed'> {
  const record = item.scrapeId === null ? null : await deps.records.get(item.scrapeId, null);
  const previous = await deps.monitors.page(monitor.id, item.url, run.n);
  const trouble = troubleOf(item, record, previous !== null);
  const { url, scrapeId } = item;
  if (trouble === 'gone')
    return previous === null
      ? 'same'
      : { ...NO_CHANGE, url, scrapeId, state: 'gone', previousId: previous.scrapeId, similarity: 0 };
  if (trouble !== null) return 'failed';
  const snapshot = await readSnapshot(record!, monitor.compare, deps);
  if (typeof snapshot === 'string') return 'failed';
  await deps.monitors.putPage(monitor.id, run.n, { url, scrapeId: scrapeId!, bytes: snapshot });
  if (previous === null) return { ...NO_CHANGE, url, scrapeId, state: 'new', similarity: 0 };
  const { state, ...comparison } = comparePages(previous.bytes, snapshot, monitor.compare);
  if (state !== 'changed') return 'same';
  return { ...NO_CHANGE, ...comparison, url, scrapeId, state, previousId: previous.scrapeId };
}

/** Pages of earlier runs that this run did not see. */
async function missingPages(
  { monitors }: FinishDeps,
  { monitor, run }: EndedRun,
  seen: ReadonlySet<string>,
): Promise<ChangedPage[]> {
  const missing: ChangedPage[] = [];
  for (let after = ''; ; ) {
    const urls = await monitors.pageUrls(monitor.id, run.n, after, ITEMS_PER_CALL);
    for (const { url, scrapeId } of urls)
      if (!seen.has(url))
        missing.push({
          ...NO_CHANGE,
          url,
          scrapeId: null,
          state: 'gone',
          previousId: scrapeId,
          similarity: 0,
        });
    if (urls.length < ITEMS_PER_CALL) return missing;
    after = urls.at(-1)!.url;
  }
}
