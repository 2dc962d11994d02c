import type { NewItem, StoredError } from '../../../../domain/jobs.ts';
import type { ItemEnd, ItemEndResult } from '../../../../ports/jobs.ts';
import type { PostgresConnection } from '../../../postgres/postgres.ts';
import { FORGET_EVERY, MAX_SAME_PAGES, SAME_PAGE } from '../../queries/jobs/job-rules.ts';
import { idBytes } from '../../schema/tables.ts';
import { insertJobRecords } from '../records/insert-job-records.ts';
import { addCount, addItems, countOf, loadItems } from './add-items.ts';
import { hexOf } from './json-rows.ts';
import { type LeasedItem, loadLeased } from './leased-items.ts';
import type { LockedHost, LockedJob } from './locked-job.ts';
import { changeJobs, type LockedJobs } from './locked-jobs.ts';

/** An end whose lease holds. */
interface HeldEnd {
  readonly end: ItemEnd;
  readonly job: LockedJob;
  readonly item: LeasedItem;
}

/** The end with what is known of other pages: the page may be one of them. */
type JudgedEnd = Pick<ItemEnd, 'state' | 'error' | 'found' | 'unlisted'>;

/** Part of a transaction. @returns for each end whether its lease still held */
export async function endItems(
  connection: PostgresConnection,
  ends: readonly ItemEnd[],
): Promise<readonly ItemEndResult[]> {
  const ids = [...new Set(ends.map(({ jobId }) => jobId))].map(idBytes);
  return await changeJobs(connection, ids, async (jobs) => {
    const held = await heldEnds(jobs, ends);
    const all = held.filter((one) => one !== null);
    await load(jobs, all);
    await insertJobRecords(
      connection,
      all.flatMap(({ end: { record }, job }) => (record === null ? [] : [{ record, jobId: job.row.id }])),
    );
    for (const one of all) endItem(one);
    return held.map((one) => (one === null ? 'lost' : 'stored'));
  });
}

/** null: the lease is lost. */
async function heldEnds(jobs: LockedJobs, ends: readonly ItemEnd[]): Promise<readonly (HeldEnd | null)[]> {
  const leased = await loadLeased(
    jobs,
    ends.map(({ jobId, item, lease }) => ({ jobId: idBytes(jobId), item, lease })),
  );
  const seen = new Set<LeasedItem>();
  return ends.map((end, index) => {
    const item = leased[index]!;
    if (item === null || seen.has(item)) return null;
    seen.add(item);
    return { end, job: item.job, item };
  });
}

async function load(jobs: LockedJobs, ends: readonly HeldEnd[]): Promise<void> {
  const items = ends.map(({ job, end: { found, page } }) => ({
    job,
    items: page?.redirected ? [page.redirected, ...found] : found,
  }));
  const pages = ends.flatMap(({ job, item, end: { page } }) =>
    page?.content ? [{ job, counter: contentName(page.content, item.host) }] : [],
  );
  await jobs.loadHosts(ends.map(({ job, item: { host } }) => ({ job, host })));
  await loadItems(jobs, items, pages);
}

/** Name of the counter of pages of a host with this content, in hexadecimal. */
const contentName = (content: Uint8Array, host: string): string =>
  Buffer.concat([content, Buffer.from(host)]).toString('hex');

function judged({ end, job, item }: HeldEnd): JudgedEnd {
  const { page, state, now } = end;
  if (page === null || state === 'queued') return end;
  const host = job.hosts.get(item.host)!;
  if (page.delayMs > 0) {
    host.delay_ms = page.delayMs;
    host.ready_at = Math.max(host.ready_at, now + page.delayMs);
  }
  if (state !== 'ok') return end;
  const skipped = (error: StoredError): JudgedEnd => ({ state: 'skipped', error, found: [], unlisted: 0 });
  const { redirected, content } = page;
  const other = redirected === null ? undefined : job.fingerprints.get(hexOf(redirected.fingerprint)!);
  if (other !== undefined && other !== item.item) return skipped(redirected!.skipped!);
  if (content !== null) {
    const name = contentName(content, item.host);
    if (countOf(job, name) >= MAX_SAME_PAGES) return skipped(SAME_PAGE);
    addCount(job, name);
  }
  const found: readonly NewItem[] =
    redirected === null || other !== undefined ? end.found : [redirected, ...end.found];
  return { state, error: end.error, found, unlisted: end.unlisted };
}

function endItem(held: HeldEnd): void {
  const { end, job, item } = held;
  const { state, error, found, unlisted } = judged(held);
  const { outcome, now, page, record } = end;
  const host = job.hosts.get(item.host)!;
  const scrape_id = record === null ? null : idBytes(record.id);
  const { facts } = end;
  const tries = end.isUncounted === true ? item.tries - 1 : item.tries;
  const common = { item: item.item, tries, outcome, error: textOf(error), scrape_id, facts };
  host.running--;
  if (state === 'queued') {
    if (host.queued === 0) host.ready_at = end.retryAt;
    host.queued++;
    job.countBack();
    job.changes.set(item.item, { ...common, state, n: null, run_at: end.retryAt, ended_at: null });
  } else {
    const n = job.countEnd('running', state, now);
    job.changes.set(item.item, { ...common, state, n, run_at: item.run_at, ended_at: now });
    if (state === 'skipped' && outcome === null) job.row.visits--;
    if (state === 'ok' && page?.blocks) countBlocks(job, host, page.blocks);
    if (found.length > 0 || unlisted > 0) addItems(job, found, now, unlisted);
    if (state !== 'skipped')
      job.addEvent(state === 'ok' ? 'page' : 'item_failed', item.item, now, end.webhookContent);
  }
  if (error !== null && state !== 'skipped') job.noteError(error, item.item, item.url, now);
  if (outcome !== null) countScrape(job, outcome, end.cost);
}

const textOf = (error: StoredError | null): string | null => (error === null ? null : JSON.stringify(error));

function countScrape({ row }: LockedJob, outcome: string, cost: number): void {
  const outcomes = JSON.parse(row.outcomes) as Record<string, number>;
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  row.outcomes = JSON.stringify(outcomes);
  row.cost += cost;
}

/** @param blocks of one page, each once */
function countBlocks(job: LockedJob, host: LockedHost, blocks: readonly number[]): void {
  host.pages++;
  for (const block of blocks) {
    const key = `${block} ${host.host}`;
    const pages = (job.blocks.get(key)?.pages ?? 0) + 1;
    job.blocks.set(key, { host: host.host, block, pages, lastPage: host.pages });
  }
  if (host.pages % FORGET_EVERY === 0) job.forgetful.add(host.host);
}
