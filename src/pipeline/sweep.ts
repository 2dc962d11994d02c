import type { Clock } from '../base/clock.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import { StorageError } from '../ports/storage-error.ts';
import type { RecordStore } from '../ports/store.ts';

export interface SweepParts {
  readonly records: RecordStore;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  /** How long records are kept, ms. */
  readonly retentionMs: number;
  /** Told of the medium's failures; the sweep goes on at the next round. */
  readonly onTrouble: (error: StorageError) => void;
}

const ROUND_MS = 60_000;
/** Records deleted in one go: small enough that the writer serves scrapes in between. */
const BATCH = 500;
/** A blob is written before its record; younger ones without a record may still get it. */
const ORPHAN_AGE_MS = 15 * 60_000;

/** Deletes what is older than the retention, in the background, until `stop` has settled. */
export function startSweeper(parts: SweepParts): { stop(): Promise<void> } {
  let stopped = false;
  let wake: (() => void) | undefined;
  const nap = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (stopped) wake();
    });
  const loop = async () => {
    let orphansDue = true;
    while (!stopped) {
      try {
        await sweepOnce(parts, () => stopped);
        if (orphansDue) await sweepOrphans(parts, () => stopped);
        orphansDue = false;
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        parts.onTrouble(error);
      }
      await nap(Math.min(ROUND_MS, parts.retentionMs / 4));
    }
  };
  const running = loop();
  return {
    stop() {
      stopped = true;
      wake?.();
      return running;
    },
  };
}

/** One round over the records; gives how many were deleted. */
export async function sweepOnce(parts: SweepParts, isStopped: () => boolean): Promise<number> {
  let total = 0;
  while (!isStopped()) {
    const { deleted, blobs } = await parts.records.sweep(parts.clock.now() - parts.retentionMs, BATCH);
    for (const key of blobs) await parts.blobs.delete(key);
    total += deleted;
    if (deleted < BATCH) break;
  }
  return total;
}

/** Blobs whose record never came (a crash in between): found by the time in their id (UUID version 7). */
async function sweepOrphans(parts: SweepParts, isStopped: () => boolean): Promise<void> {
  let batch: string[] = [];
  const flush = async () => {
    const known = new Set(await parts.records.withBlob(batch));
    for (const key of batch) if (!known.has(key)) await parts.blobs.delete(key);
    batch = [];
  };
  for await (const key of parts.blobs.keys()) {
    if (isStopped()) return;
    const madeAt = Number.parseInt(key.replaceAll('-', '').slice(0, 12), 16);
    if (parts.clock.now() - madeAt < ORPHAN_AGE_MS) continue;
    batch.push(key);
    if (batch.length >= BATCH) await flush();
  }
  if (batch.length > 0) await flush();
}
