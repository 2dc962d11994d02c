import { uuidText } from '../../../../base/uuid7.ts';
import type { VisitedPage } from '../../../../domain/jobs.ts';
import type { ClaimResult, ItemEnd, ItemEndResult, JobStore } from '../../../../ports/jobs.ts';
import { sqliteJobDialect } from '../../queries/jobs/job-dialect.ts';
import { createJobQueries, createJobUpdates } from '../../queries/jobs/job-queries.ts';
import { allParts, type RetriedPart, retryInParts } from '../../queries/jobs/retry-in-parts.ts';
import type { RunStatements } from '../../queries/statements.ts';
import { type Db, idBytes, idOrNull } from '../../schema/tables.ts';
import { insertRowOf } from '../put-batcher.ts';
import type { EndedItem, EndedPage } from './end-items.ts';
import type { JobTransactionName } from './job-transactions.ts';
import type { ClaimedRow } from './leases.ts';
import { packItems } from './packed-items.ts';

/** @param transact runs a transaction of `prepareJobTransactions` in the writer thread */
export function createJobStore({
  db,
  read,
  write,
  transact,
}: {
  readonly db: Db;
  readonly read: RunStatements;
  readonly write: RunStatements;
  readonly transact: (name: JobTransactionName, args: readonly unknown[]) => Promise<unknown>;
}): JobStore {
  async function deleteJob(id: Uint8Array): Promise<boolean> {
    if (!(await transact('hide', [id]))) return false;
    while (!(await transact('deletePart', [id])));
    return true;
  }

  return {
    ...createJobUpdates(db, write),
    async add(jobId, items, now) {
      await transact('add', [idBytes(jobId), packItems(items), now]);
    },
    async start(jobId, now, limits, spec = undefined) {
      const id = idBytes(jobId);
      const refused = (await transact('start', [id, now, limits, spec ?? null])) as Awaited<
        ReturnType<JobStore['start']>
      >;
      if (refused !== null) await deleteJob(id);
      return refused;
    },
    async delete(jobId) {
      const id = idOrNull(jobId);
      return id !== null && (await deleteJob(id));
    },
    ...createJobQueries(db, read, sqliteJobDialect),
    async claim({ jobs, ...request }) {
      const args = { ...request, jobs: jobs.map(({ id, limit }) => ({ id: idBytes(id), limit })) };
      const { items, waiting } = (await transact('claim', [args])) as {
        items: ClaimedRow[];
        waiting: { id: Uint8Array; readyAt: number | null }[];
      };
      const readyAt = new Map(waiting.map((job) => [uuidText(job.id), job.readyAt]));
      const claimed = items.map(({ job_id, reads, ...item }) => ({
        ...item,
        jobId: uuidText(job_id),
        reads: reads === null ? null : uuidText(reads),
      }));
      return { items: claimed, readyAt } satisfies ClaimResult;
    },
    // Only one service uses the database at a time.
    listen() {},
    async renew(leases, leaseUntil) {
      const held = (await transact('renew', [leases.map(leaseKey), leaseUntil])) as boolean[];
      return leases.filter((_, index) => !held[index]);
    },
    async end(ends) {
      return (await transact('end', [ends.map(endedItem)])) as ItemEndResult[];
    },
    async release(leases, now) {
      await transact('release', [leases.map(leaseKey), now]);
    },
    async recover(now, all, interrupted) {
      let recovered = 0;
      for (;;) {
        const before = all ? Number.MAX_SAFE_INTEGER : now;
        const count = (await transact('recover', [now, before, interrupted])) as number;
        recovered += count;
        if (count === 0) break;
      }
      for (const id of (await transact('unfinished', [now])) as Uint8Array[]) await deleteJob(id);
      return recovered;
    },
    ...createStateChanges(transact),
  };
}

/** The methods that change the state or the settings of jobs. */
function createStateChanges(
  transact: (name: JobTransactionName, args: readonly unknown[]) => Promise<unknown>,
): Pick<
  JobStore,
  'pause' | 'resume' | 'resumeDue' | 'cancel' | 'fail' | 'skipQueued' | 'retryFailed' | 'tryNow' | 'moveKey'
> {
  return {
    async tryNow(jobId, items, now) {
      const args = [idBytes(jobId), items === null ? null : JSON.stringify(items), now];
      return await allParts(async () => (await transact('tryPart', args)) as number | null);
    },
    async pause(jobId, reason, resumesAt, now, keyId) {
      return (await transact('pause', [idBytes(jobId), reason, resumesAt, now, keyId])) as boolean;
    },
    async resume(jobId, keyId, now) {
      return (await transact('resume', [idBytes(jobId), keyId, now])) as boolean;
    },
    async resumeDue(now) {
      return ((await transact('resumeDue', [now])) as Uint8Array[]).map(uuidText);
    },
    async cancel(jobId, now) {
      return (await transact('cancel', [idBytes(jobId), now])) as boolean;
    },
    async fail(jobId, error, now) {
      await transact('fail', [idBytes(jobId), error, now]);
    },
    async skipQueued(jobId, reason, limit, now) {
      return (await transact('skipQueued', [idBytes(jobId), JSON.stringify(reason), limit, now])) as number;
    },
    async retryFailed(jobId, now) {
      return await retryInParts(
        async (after) => (await transact('retryPart', [idBytes(jobId), after, now])) as RetriedPart | null,
      );
    },
    async moveKey(from, to, now) {
      await transact('moveKey', [from, to, now]);
    },
  };
}

const leaseKey = ({ jobId, item, lease }: { jobId: string; item: number; lease: number }) => ({
  jobId: idBytes(jobId),
  item,
  lease,
});

const endedPage = ({ redirected, content, blocks, delayMs }: VisitedPage): EndedPage => ({
  redirected: redirected === null ? null : packItems([redirected]),
  content: content === null ? null : Uint8Array.from(content),
  blocks,
  delayMs,
});

function endedItem(end: ItemEnd): EndedItem {
  const { record } = end;
  return {
    jobId: idBytes(end.jobId),
    item: end.item,
    lease: end.lease,
    state: end.state,
    retryAt: end.retryAt,
    uncounted: end.isUncounted === true ? 1 : 0,
    outcome: end.outcome,
    error: end.error === null ? null : JSON.stringify(end.error),
    facts: end.facts,
    cost: end.cost,
    scrapeId: record === null ? null : idBytes(record.id),
    row: record === null ? null : insertRowOf(record),
    // A copy, because `postMessage` of a view copies the whole buffer behind it.
    content: record === null || record.content === null ? null : Uint8Array.from(record.content),
    webhookContent: end.webhookContent,
    found: end.found.length === 0 ? null : packItems(end.found),
    unlisted: end.unlisted,
    page: end.page === null ? null : endedPage(end.page),
    now: end.now,
  };
}
