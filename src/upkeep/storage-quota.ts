import type { BlobStore, Store } from '../ports/store.ts';
import { type BackgroundLoop, startBackgroundLoop } from './background-loop.ts';

export interface StorageQuotaDeps {
  readonly store: Store;
  readonly blobs: BlobStore;
  /** Limit of database and blobs together. */
  readonly limitBytes: number;
  /** Called after something was deleted. */
  readonly onFreed: (freed: FreedStorage) => void;
  readonly onError: (error: unknown) => void;
}

export interface FreedStorage {
  /** Number of records whose content was deleted. */
  readonly contents: number;
  /** Number of records whose pictures were deleted. */
  readonly pictures: number;
  /** Number of records deleted entirely. */
  readonly records: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

export interface StorageQuota extends BackgroundLoop {
  /** As measured in the last round; NaN before the first. */
  usedBytes(): number;
}

const PAUSE_MS = 1_000;
/** If the limit is exceeded, usage is reduced to this share of it. */
const TARGET_SHARE = 0.97;
/** What is deleted before whole records, in this order. */
const DISCARD_ORDER = ['contents', 'pictures'] as const;
/** Small, because the usage is only measured between batches, and each content may have 50 MiB. */
const DISCARD_BATCH_SIZE = 20;
const RECORD_BATCH_SIZE = 100;
/** Free space that the database may keep for further records. */
const MAX_FREE_BYTES = 64 * 1024 * 1024;
const SHRINKS_PER_ROUND = 16;
/** At this interval, the search begins with the oldest record again, to find records that were stored late. */
const RESTART_INTERVAL_MS = 3_600_000;

/**
 * Keeps the used storage below its limit, in the background. It deletes first the contents of the oldest records, then their
 * pictures, then the oldest records entirely.
 */
export function enforceStorageQuota({
  store,
  blobs,
  limitBytes,
  onFreed,
  onError,
}: StorageQuotaDeps): StorageQuota {
  const maxFreeBytes = Math.min(MAX_FREE_BYTES, limitBytes / 20);
  let used = Number.NaN;
  /** Where to continue: records up to these ids have no contents or pictures any more. */
  const examinedUpTo: Record<(typeof DISCARD_ORDER)[number], string | null> = {
    contents: null,
    pictures: null,
  };
  let restartDue = 0;

  async function measure(): Promise<number> {
    used = (await store.usage()).used + (await blobs.usage());
    return used;
  }

  /** Deletes one batch of contents; if there are none left, of pictures; then of records. @returns false: nothing is left */
  async function deleteBatch(deleted: {
    contents: number;
    pictures: number;
    records: number;
  }): Promise<boolean> {
    for (const what of DISCARD_ORDER) {
      const discarded = await store.records.discard(what, examinedUpTo[what], DISCARD_BATCH_SIZE);
      await deleteBlobs(discarded.blobs);
      if (discarded.last === null) continue;
      examinedUpTo[what] = discarded.last;
      deleted[what] += discarded.count;
      return true;
    }
    const swept = await store.records.sweep(Number.MAX_SAFE_INTEGER, RECORD_BATCH_SIZE);
    await deleteBlobs(swept.blobs);
    deleted.records += swept.deleted;
    return swept.deleted > 0;
  }

  async function deleteBlobs(keys: readonly string[]): Promise<void> {
    for (const key of keys) await blobs.delete(key);
  }

  async function reduceUsage(isStopped: () => boolean): Promise<void> {
    const bytesBefore = used;
    const deleted = { contents: 0, pictures: 0, records: 0 };
    if (performance.now() >= restartDue) {
      for (const what of DISCARD_ORDER) examinedUpTo[what] = null;
      restartDue = performance.now() + RESTART_INTERVAL_MS;
    }
    while (!isStopped() && (await measure()) > limitBytes * TARGET_SHARE)
      if (!(await deleteBatch(deleted))) break;
    if (deleted.contents + deleted.pictures + deleted.records > 0)
      onFreed({ ...deleted, bytesBefore, bytesAfter: used });
  }

  const loop = startBackgroundLoop({ pauseMs: PAUSE_MS, onError }, async (isStopped) => {
    if ((await measure()) > limitBytes) await reduceUsage(isStopped);
    const { free } = await store.usage();
    if (free <= maxFreeBytes) return;
    for (let n = 0; n < SHRINKS_PER_ROUND && !isStopped(); n++)
      if (!(await store.shrink(maxFreeBytes))) return;
  });
  return { ...loop, usedBytes: () => used };
}
