import { uuidText } from '../../../../base/uuid7.ts';
import type { JobStore } from '../../../../ports/jobs.ts';
import type { Postgres, PostgresConnection } from '../../../postgres/postgres.ts';
import { postgresJobDialect } from '../../queries/jobs/job-dialect.ts';
import { createJobQueries, createJobUpdates } from '../../queries/jobs/job-queries.ts';
import { allParts, retryInParts } from '../../queries/jobs/retry-in-parts.ts';
import { type Db, idBytes, idOrNull } from '../../schema/tables.ts';
import { addItems, loadItems } from './add-items.ts';
import {
  endJob,
  moveKey,
  pauseJob,
  resumeDue,
  resumeJob,
  retryPart,
  skipQueued,
  startJob,
  tryPart,
} from './change-jobs.ts';
import { claimItems, claimOfLocked } from './claim-items.ts';
import { deletePart, hideJob, UNFINISHED_SQL, unfinishedBefore } from './delete-job.ts';
import { endItems } from './end-items.ts';
import { changeJobs } from './locked-jobs.ts';
import { recoverItems, releaseItems, renewLeases } from './release-items.ts';
import { JOBS_CHANNEL } from './write-jobs.ts';

/**
 * Every transaction that changes a job, its items or its hosts first locks the row of the job (see `LockedJobs`), so that those of
 * one job run one after the other, in whatever process.
 */
export function createPostgresJobStore(postgres: Postgres, db: Db): JobStore {
  return {
    ...createJobQueries(db, (statements) => postgres.read(statements), postgresJobDialect),
    ...createJobUpdates(db, (statements) => postgres.write(statements)),
    ...createLifecycle(postgres),
    ...createLeaseMethods(postgres),
    ...createStateMethods(postgres),
    listen(onChange) {
      postgres.listen(JOBS_CHANNEL, onChange, () => {});
    },
  };
}

type Transact = <T>(work: (connection: PostgresConnection) => Promise<T>) => Promise<T>;

async function deleteJob(transact: Transact, id: Uint8Array): Promise<boolean> {
  if (!(await transact((connection) => hideJob(connection, id)))) return false;
  while (!(await transact((connection) => deletePart(connection, id))));
  return true;
}

function createLifecycle({ transaction }: Postgres): Pick<JobStore, 'add' | 'start' | 'delete'> {
  return {
    async add(jobId, items, now) {
      const id = idBytes(jobId);
      await transaction((connection) =>
        changeJobs(connection, [id], async (jobs) => {
          const job = jobs.get(id);
          if (job === undefined) return;
          await loadItems(jobs, [{ job, items }]);
          addItems(job, items, now);
        }),
      );
    },
    async start(jobId, now, limits, spec) {
      const id = idBytes(jobId);
      const refused = await transaction((connection) => startJob(connection, id, now, limits, spec ?? null));
      if (refused !== null) await deleteJob(transaction, id);
      return refused;
    },
    async delete(jobId) {
      const id = idOrNull(jobId);
      return id !== null && (await deleteJob(transaction, id));
    },
  };
}

const leaseKey = ({ jobId, item, lease }: { jobId: string; item: number; lease: number }) => ({
  jobId: idBytes(jobId),
  item,
  lease,
});

/** Looking for jobs that were not started reads all jobs, so it is done rarely; leases are looked for often. */
const SWEEP_MS = 60_000;

function createLeaseMethods({
  transaction,
  read,
}: Postgres): Pick<JobStore, 'claim' | 'renew' | 'end' | 'release' | 'recover'> {
  let sweepAt = 0;
  return {
    claim: (request) =>
      transaction((connection) => claimItems(connection, request)).catch((error: unknown) =>
        claimOfLocked(error, request),
      ),
    async renew(leases, leaseUntil) {
      if (leases.length === 0) return [];
      const keys = leases.map(leaseKey);
      const held = await transaction((connection) => renewLeases(connection, keys, leaseUntil));
      return leases.filter((_, index) => !held[index]);
    },
    end: (ends) => transaction((connection) => endItems(connection, ends)),
    release: (leases, now) =>
      transaction((connection) => releaseItems(connection, leases.map(leaseKey), now)),
    async recover(now, all, interrupted) {
      const before = all ? Number.MAX_SAFE_INTEGER : now;
      let recovered = 0;
      for (;;) {
        const count = await transaction((connection) => recoverItems(connection, now, before, interrupted));
        recovered += count;
        if (count === 0) break;
      }
      if (performance.now() < sweepAt) return recovered;
      sweepAt = performance.now() + SWEEP_MS;
      const [unfinished] = await read([[UNFINISHED_SQL, [unfinishedBefore(now)]]]);
      for (const { id } of unfinished!.rows as readonly { id: Buffer }[]) await deleteJob(transaction, id);
      return recovered;
    },
  };
}

function createStateMethods({
  transaction,
}: Postgres): Pick<
  JobStore,
  'pause' | 'resume' | 'resumeDue' | 'cancel' | 'fail' | 'skipQueued' | 'retryFailed' | 'tryNow' | 'moveKey'
> {
  return {
    pause: (jobId, reason, resumesAt, now, keyId) =>
      transaction((connection) => pauseJob(connection, idBytes(jobId), { reason, resumesAt, now }, keyId)),
    resume: (jobId, keyId, now) =>
      transaction((connection) => resumeJob(connection, idBytes(jobId), keyId, now)),
    resumeDue: async (now) => (await transaction((connection) => resumeDue(connection, now))).map(uuidText),
    cancel: (jobId, now) =>
      transaction((connection) => endJob(connection, idBytes(jobId), 'cancelled', null, now)),
    async fail(jobId, error, now) {
      await transaction((connection) => endJob(connection, idBytes(jobId), 'failed', error, now));
    },
    skipQueued: (jobId, reason, limit, now) =>
      transaction((connection) => skipQueued(connection, idBytes(jobId), reason, limit, now)),
    retryFailed: (jobId, now) =>
      retryInParts((after) => transaction((connection) => retryPart(connection, idBytes(jobId), after, now))),
    tryNow: (jobId, items, now) =>
      allParts(() => transaction((connection) => tryPart(connection, idBytes(jobId), items, now))),
    moveKey: (from, to, now) => transaction((connection) => moveKey(connection, from, to, now)),
  };
}
