import type { BlobStore, Store } from '../ports/store.ts';
import { type BackgroundLoop, startBackgroundLoop } from './background-loop.ts';

export interface StorageQuotaDeps {
  readonly store: Store;
  readonly blobs: BlobStore;
  /** What database and blobs may take together. */
  readonly limitBytes: number;
  /** Told when something had to go. */
  readonly onFreed: (made: FreedStorage) => void;
  readonly onTrouble: (error: unknown) => void;
}

export interface FreedStorage {
  /** Contents that were given up. */
  readonly contents: number;
  /** Records whose pictures were given up. */
  readonly pictures: number;
  /** Records that were deleted as a whole. */
  readonly records: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

export interface StorageQuota extends BackgroundLoop {
  /** Of the last round; NaN before the first. */
  usedBytes(): number;
}

const ROUND_MS = 1_000;
/** When the limit is passed, it is made room for more than the next moment. */
const TARGET_SHARE = 0.97;
/** What goes first, in this order. */
const DISCARD_ORDER = ['contents', 'pictures'] as const;
/** Given up between two looks at what is used: each may have 50 MiB. */
const DISCARD_BATCH = 20;
const RECORDS_AT_ONCE = 100;
/** Free pages that the database may keep for the records to come. */
const MAX_FREE_BYTES = 64 * 1024 * 1024;
const SHRINKS_PER_ROUND = 16;
/** What came in late, before the place where the last round had stopped, is found at such times. */
const FROM_START_EVERY_MS = 3_600_000;

/**
 * Keeps what is stored within its limit, in the background. What goes first: the contents of the oldest records, whose
 * lines and answers stay; then their screenshots; then the oldest records as a whole.
 */
export function enforceStorageQuota(parts: StorageQuotaDeps): StorageQuota {
  const { store, blobs, limitBytes } = parts;
  const spareMost = Math.min(MAX_FREE_BYTES, limitBytes / 20);
  let used = Number.NaN;
  /** Behind these there may be contents and pictures; what lies before has none any more. */
  const behind: Record<(typeof DISCARD_ORDER)[number], string | null> = { contents: null, pictures: null };
  let fromStartDue = 0;

  async function measure(): Promise<number> {
    used = (await store.usage()).used + (await blobs.usage());
    return used;
  }

  /** Gives up one batch of contents, or when there are none left of pictures, or deletes one of records. False: nothing is left. */
  async function step(gone: { contents: number; pictures: number; records: number }): Promise<boolean> {
    for (const what of DISCARD_ORDER) {
      const given = await store.records.discard(what, behind[what], DISCARD_BATCH);
      await remove(given.blobs);
      if (given.last === null) continue;
      behind[what] = given.last;
      gone[what] += given.count;
      return true;
    }
    const swept = await store.records.sweep(Number.MAX_SAFE_INTEGER, RECORDS_AT_ONCE);
    await remove(swept.blobs);
    gone.records += swept.deleted;
    return swept.deleted > 0;
  }

  async function remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) await blobs.delete(key);
  }

  async function makeRoom(isStopped: () => boolean): Promise<void> {
    const bytesBefore = used;
    const gone = { contents: 0, pictures: 0, records: 0 };
    if (performance.now() >= fromStartDue) {
      for (const what of DISCARD_ORDER) behind[what] = null;
      fromStartDue = performance.now() + FROM_START_EVERY_MS;
    }
    while (!isStopped() && (await measure()) > limitBytes * TARGET_SHARE) if (!(await step(gone))) break;
    if (gone.contents + gone.pictures + gone.records > 0)
      parts.onFreed({ ...gone, bytesBefore, bytesAfter: used });
  }

  const rounds = startBackgroundLoop({ everyMs: ROUND_MS, onTrouble: parts.onTrouble }, async (isStopped) => {
    if ((await measure()) > limitBytes) await makeRoom(isStopped);
    const { spare } = await store.usage();
    if (spare <= spareMost) return;
    for (let n = 0; n < SHRINKS_PER_ROUND && !isStopped(); n++) if (!(await store.shrink(spareMost))) return;
  });
  return { ...rounds, usedBytes: () => used };
}
