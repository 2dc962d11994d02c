import type { BlobStore, Store } from '../ports/store.ts';
import { type BackgroundLoop, startBackgroundLoop } from './background-loop.ts';

export interface StorageQuotaDeps {
  readonly store: Store;
  readonly blobs: BlobStore;
  /** Whether blobs count. */
  readonly countsBlobs: boolean;
  /** Limit of database and blobs together. */
  readonly limitBytes: number;
  /** Called after something was deleted. */
  readonly onFreed: (freed: FreedStorage) => void;
  readonly onError: (error: unknown) => void;
}

export interface FreedStorage {
  /** Number of records whose content was deleted. */
  readonly contents: number;
  /** Number of records whose files were deleted. */
  readonly files: number;
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
/** If the limit is exceeded, usage is reduced to this share of it, so that not every new record exceeds it again. */
const TARGET_SHARE = 0.97;
/** The parts of records that are deleted before whole records, in this order. */
const DISCARD_ORDER = ['contents', 'files', 'pictures'] as const;
/** Small, because the usage is only measured between batches, and each content may have 50 MiB. */
const DISCARD_BATCH_SIZE = 20;
const RECORD_BATCH_SIZE = 100;
/** Free space that the database may keep for further records. */
const MAX_FREE_BYTES = 64 * 1024 * 1024;
/** Limits how much of the database file is rewritten in one round. */
const SHRINKS_PER_ROUND = 16;
/** At this interval, the search begins with the oldest record again, to find records that were stored late. */
const RESTART_INTERVAL_MS = 3_600_000;

/**
 * Keeps the used storage below its limit, in the background. It deletes first the contents of the oldest records, then their
 * files, then their pictures, then the oldest records entirely.
 */
export function enforceStorageQuota(deps: StorageQuotaDeps): StorageQuota {
  const enforcer = new QuotaEnforcer(deps);
  const options = { pauseMs: PAUSE_MS, onError: deps.onError };
  const loop = startBackgroundLoop(options, (isStopped) => enforcer.runRound(isStopped));
  return { ...loop, usedBytes: () => enforcer.usedBytes };
}

interface DeletedCounts {
  contents: number;
  files: number;
  pictures: number;
  records: number;
}

class QuotaEnforcer {
  usedBytes = Number.NaN;
  readonly #deps: StorageQuotaDeps;
  readonly #maxFreeBytes: number;
  /** Where to continue: records up to these ids have no contents, files or pictures any more. */
  readonly #examinedUpTo: Record<(typeof DISCARD_ORDER)[number], string | null> = {
    contents: null,
    files: null,
    pictures: null,
  };
  #restartDue = 0;

  constructor(deps: StorageQuotaDeps) {
    this.#deps = deps;
    // If the limit is low, a twentieth of it.
    this.#maxFreeBytes = Math.min(MAX_FREE_BYTES, deps.limitBytes / 20);
  }

  async runRound(isStopped: () => boolean): Promise<void> {
    const { store, limitBytes } = this.#deps;
    if ((await this.#measure()) > limitBytes) await this.#reduceUsage(isStopped);
    const { free } = await store.usage();
    if (free <= this.#maxFreeBytes) return;
    for (let n = 0; n < SHRINKS_PER_ROUND && !isStopped(); n++)
      if (!(await store.shrink(this.#maxFreeBytes))) return;
  }

  async #measure(): Promise<number> {
    const { store, blobs, countsBlobs } = this.#deps;
    this.usedBytes = (await store.usage()).used + (countsBlobs ? await blobs.usage() : 0);
    return this.usedBytes;
  }

  async #reduceUsage(isStopped: () => boolean): Promise<void> {
    const { limitBytes, onFreed } = this.#deps;
    const bytesBefore = this.usedBytes;
    const deleted: DeletedCounts = { contents: 0, files: 0, pictures: 0, records: 0 };
    if (performance.now() >= this.#restartDue) {
      for (const part of DISCARD_ORDER) this.#examinedUpTo[part] = null;
      this.#restartDue = performance.now() + RESTART_INTERVAL_MS;
    }
    while (!isStopped() && (await this.#measure()) > limitBytes * TARGET_SHARE)
      if (!(await this.#deleteBatch(deleted))) break;
    if (Object.values(deleted).some((count) => count > 0))
      onFreed({ ...deleted, bytesBefore, bytesAfter: this.usedBytes });
  }

  /** Deletes one batch of what is left first in `DISCARD_ORDER`, then of records. @returns false: nothing is left */
  async #deleteBatch(deleted: DeletedCounts): Promise<boolean> {
    const { records } = this.#deps.store;
    for (const part of DISCARD_ORDER) {
      const discarded = await records.discard(part, this.#examinedUpTo[part], DISCARD_BATCH_SIZE);
      await this.#deleteBlobs(discarded.blobs);
      if (discarded.last === null) continue;
      this.#examinedUpTo[part] = discarded.last;
      deleted[part] += discarded.count;
      return true;
    }
    // Of any age.
    const swept = await records.sweep(Number.MAX_SAFE_INTEGER, RECORD_BATCH_SIZE);
    await this.#deleteBlobs(swept.blobs);
    deleted.records += swept.deleted;
    return swept.deleted > 0;
  }

  async #deleteBlobs(keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#deps.blobs.delete(key);
  }
}
