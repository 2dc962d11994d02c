import type { Clock } from '../base/time.ts';
import type { Logger } from '../observe/logger.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { BlobStore, StorageError, StorageHealth, Store } from '../ports/store.ts';
import { startBackfill } from './backfill.ts';
import { startIdempotencySweep } from './idempotency-sweep.ts';
import { startRetentionSweep } from './retention-sweep.ts';
import { monitorStorage } from './storage-health.ts';
import { enforceStorageQuota } from './storage-quota.ts';

interface StoredData {
  readonly store: Store;
  readonly blobs: BlobStore;
}

/** Checks whether records and contents can be stored, and tells the log and the metrics. @param data called at each check */
export function watchStorage(logger: Logger, metrics: Metrics, data: () => StoredData): StorageHealth {
  const health = monitorStorage({
    records: {
      check: async () => {
        const { store, blobs } = data();
        await store.check();
        if (!blobs.isApart) await blobs.check();
      },
      onChange: storageLog(logger, 'records', 'scrapes are refused until they can'),
    },
    contents: {
      check: async () => {
        const { blobs } = data();
        if (blobs.isApart) await blobs.check();
      },
      onChange: storageLog(logger, 'large contents', 'scrapes with such fail until they can'),
    },
  });
  metrics.addGauge('sluice_storage_ok', '1 if records can be stored, otherwise 0.', () =>
    health.problem() === null ? 1 : 0,
  );
  metrics.addGauge('sluice_contents_ok', '1 if contents over 256 KiB can be stored, otherwise 0.', () =>
    (health.problem() ?? health.contentsProblem()) === null ? 1 : 0,
  );
  return health;
}

/** Logs when a part of the storage begins to fail, and when it works again. */
function storageLog(logger: Logger, what: string, consequence: string) {
  return (problem: StorageError | null): void => {
    if (problem === null) logger.warn(`${what} can be stored again`);
    else logger.error({ err: problem }, `${what} cannot be stored; ${consequence}`);
  };
}

/** At this share of the storage, jobs pause, so that scrapes of callers that wait go on. */
const JOB_STORAGE_SHARE = 0.9;

interface StorageUpkeepDeps extends StoredData {
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  /** How long records are kept. */
  readonly retentionMs: number;
  /** Limit of database and blobs together; null: there is none. */
  readonly limitBytes: number | null;
  /** Whether blobs count. */
  readonly countsBlobs: boolean;
  /** Limit of the responses to requests with an Idempotency-Key. */
  readonly maxAnswerBytes: number;
  readonly onError: (error: unknown) => void;
}

interface StorageUpkeep {
  /** As measured in the last round; NaN before the first. */
  readonly usedBytes: () => number;
  /** Whether there is room for the results of jobs. */
  readonly hasRoomForJobs: () => boolean;
  stop(): Promise<void>;
}

/** Starts the background work on stored data: deleting what is old or too much, and what an update has left to do. */
export async function startStorageUpkeep(deps: StorageUpkeepDeps): Promise<StorageUpkeep> {
  const { store, blobs, metrics, logger, clock, retentionMs, limitBytes, onError } = deps;
  const retentionSweep = startRetentionSweep({
    ...{ records: store.records, profiles: store.profiles, blobs },
    ...{ clock, retentionMs, onError },
  });
  const backfill = startBackfill({ store, logger, onError });
  // If only one service at a time uses the store, the runs of earlier ones have ended.
  if (!store.isShared) await store.idempotency.loseAll();
  const idempotencySweep = startIdempotencySweep({
    keys: store.idempotency,
    clock,
    maxBytes: deps.maxAnswerBytes,
    onError,
  });
  const quotaBytes = limitBytes ?? Number.POSITIVE_INFINITY;
  const quota = enforceStorageQuota({
    store,
    blobs,
    countsBlobs: deps.countsBlobs,
    limitBytes: quotaBytes,
    onFreed: (freed) => logger.info({ ...freed, limitBytes }, 'deleted old records to free storage'),
    onError,
  });
  const { usedBytes } = quota;
  metrics.addGauge('sluice_storage_used_bytes', 'Disk space used by the database and blobs.', usedBytes);
  if (limitBytes !== null)
    metrics.addGauge(
      'sluice_storage_limit_bytes',
      'Disk space available for the database and blobs.',
      () => limitBytes,
    );
  const loops = [backfill, idempotencySweep, retentionSweep, quota];
  return {
    usedBytes,
    hasRoomForJobs: () => !(usedBytes() >= quotaBytes * JOB_STORAGE_SHARE),
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
