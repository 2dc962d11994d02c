import type { NewItem } from '../../../../domain/jobs.ts';
import { LIMIT_COUNTER, LIMIT_REACHED, MAX_SKIPPED_ITEMS, tooMany } from '../../queries/jobs/job-rules.ts';
import { hexOf } from './json-rows.ts';
import type { LockedHost, LockedJob } from './locked-job.ts';
import type { LockedJobs } from './locked-jobs.ts';

/** Items that are to be added to a job, or asked for. */
interface ItemsOf {
  readonly job: LockedJob;
  readonly items: readonly NewItem[];
}

const nameOf = (text: string): string => Buffer.from(text).toString('hex');

/**
 * Reads what `addItems` must know of the items: their hosts, whether they are there already, and how many URLs have their form.
 * @param counters further counters to be read, by their names in hexadecimal
 */
export async function loadItems(
  jobs: LockedJobs,
  all: readonly ItemsOf[],
  counters: readonly { readonly job: LockedJob; readonly counter: string }[] = [],
): Promise<void> {
  await jobs.loadHosts(
    all.flatMap(({ job, items }) => distinct(items.map(({ host }) => host)).map((host) => ({ job, host }))),
  );
  await loadFingerprints(jobs, all);
  const forms = all.flatMap(({ job, items }) =>
    distinct(items.flatMap(({ form }) => (form === null ? [] : [nameOf(form.text)]))).map((counter) => ({
      job,
      counter,
    })),
  );
  const limits = all.flatMap(({ job }) =>
    job.row.max_visits === null ? [] : [{ job, counter: nameOf(LIMIT_COUNTER) }],
  );
  await loadCounters(jobs, [...forms, ...limits, ...counters]);
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];

async function loadFingerprints(jobs: LockedJobs, all: readonly ItemsOf[]): Promise<void> {
  const pairs = all.flatMap(({ job, items }) =>
    items.flatMap(({ fingerprint }) => (fingerprint === null ? [] : [{ id: job.row.id, fingerprint }])),
  );
  if (pairs.length === 0) return;
  const { rows } = await jobs.connection.run(
    `SELECT i.job_id, i.fingerprint, i.item FROM unnest(?::bytea[], ?::bytea[]) AS x (job_id, fingerprint)
JOIN job_items AS i ON i.job_id = x.job_id AND i.fingerprint = x.fingerprint AND i.fingerprint IS NOT NULL`,
    [pairs.map(({ id }) => id), pairs.map(({ fingerprint }) => fingerprint)],
  );
  for (const { job_id, fingerprint, item } of rows as readonly {
    job_id: Buffer;
    fingerprint: Buffer;
    item: number;
  }[])
    jobs.get(job_id)!.fingerprints.set(hexOf(fingerprint)!, item);
}

async function loadCounters(
  jobs: LockedJobs,
  wanted: readonly { readonly job: LockedJob; readonly counter: string }[],
): Promise<void> {
  if (wanted.length === 0) return;
  for (const { job, counter } of wanted) job.counters.set(counter, { count: 0, isChanged: false });
  const { rows } = await jobs.connection.run(
    `SELECT c.job_id, c.counter, c.count FROM unnest(?::bytea[], ?::bytea[]) AS x (job_id, counter)
JOIN job_counters AS c ON c.job_id = x.job_id AND c.counter = x.counter`,
    [wanted.map(({ job }) => job.row.id), wanted.map(({ counter }) => Buffer.from(counter, 'hex'))],
  );
  for (const { job_id, counter, count } of rows as readonly {
    job_id: Buffer;
    counter: Buffer;
    count: number;
  }[])
    jobs.get(job_id)!.counters.set(hexOf(counter)!, { count, isChanged: false });
}

/** @param name in hexadecimal, of a counter that was loaded */
export function countOf(job: LockedJob, name: string): number {
  return job.counters.get(name)!.count;
}

export function addCount(job: LockedJob, name: string): void {
  job.counters.set(name, { count: countOf(job, name) + 1, isChanged: true });
}

/**
 * Adds items that are not there yet, unless the job has ended. Beyond the limit of visits, the first one is skipped, and the others
 * are counted.
 * @param unlisted skipped URLs that are not in `items`
 */
export function addItems(job: LockedJob, items: readonly NewItem[], now: number, unlisted = 0): void {
  const { row } = job;
  if (!job.isOpen && row.state !== 'created') return;
  row.unlisted += unlisted;
  for (const item of items) {
    const reason = reasonToSkip(job, item);
    if (reason !== null && row.skipped >= MAX_SKIPPED_ITEMS) {
      row.unlisted++;
      continue;
    }
    const fingerprint = hexOf(item.fingerprint);
    if (fingerprint !== null && job.fingerprints.has(fingerprint)) {
      row.duplicates++;
      continue;
    }
    if (reason === LIMIT_REACHED) {
      if (countOf(job, nameOf(LIMIT_COUNTER)) > 0) {
        row.unlisted++;
        continue;
      }
      addCount(job, nameOf(LIMIT_COUNTER));
    }
    row.last_item++;
    if (fingerprint !== null) job.fingerprints.set(fingerprint, row.last_item);
    const { ref, url, host, depth, parent } = item;
    const common = { item: row.last_item, ref, url, host, fingerprint, depth, parent };
    const repeatable = item.repeatable ? 1 : 0;
    if (reason === null) {
      row.queued++;
      row.visits++;
      addToHost(job, host, now);
      if (item.form !== null) addCount(job, nameOf(item.form.text));
      const waiting = { state: 'queued', n: null, error: null, ended_at: null };
      job.added.push({ ...common, repeatable, request: hexOf(item.request), ...waiting });
    } else {
      row.skipped++;
      row.last_n++;
      const skipped = { state: 'skipped', n: row.last_n, error: JSON.stringify(reason), ended_at: now };
      job.added.push({ ...common, repeatable, request: null, ...skipped });
    }
  }
}

function reasonToSkip(job: LockedJob, { skipped, form }: NewItem) {
  const { visits, max_visits: maxVisits } = job.row;
  if (skipped !== null) return skipped;
  if (maxVisits !== null && visits >= maxVisits) return LIMIT_REACHED;
  return form !== null && countOf(job, nameOf(form.text)) >= form.limit ? tooMany(form) : null;
}

function addToHost(job: LockedJob, name: string, now: number): void {
  const host = job.hosts.get(name);
  if (host === undefined) {
    const added: LockedHost = { host: name, queued: 1, running: 0, ready_at: now, delay_ms: 0, pages: 0 };
    job.hosts.set(name, added);
    return;
  }
  host.queued++;
  host.ready_at = Math.min(host.ready_at, now + job.row.delay_ms + host.delay_ms);
}
