import type { Clock } from '../base/time.ts';
import type { BlobStore, RecordStore } from '../ports/store.ts';
import { type BackgroundLoop, jumpResistantNow, startBackgroundLoop } from './background-loop.ts';

export interface RetentionSweepDeps {
  readonly records: RecordStore;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  /** How long records are kept, ms. */
  readonly retentionMs: number;
  /** Told of every failure; the sweep goes on at the next round. */
  readonly onTrouble: (error: unknown) => void;
}

const ROUND_MS = 60_000;
/** Records deleted in one go: small enough that the writer serves scrapes in between. */
const BATCH = 500;
/** A blob is written before its record; younger ones without a record may still get it. */
const ORPHAN_AGE_MS = 15 * 60_000;
/** A walk over all blobs: at the start, once more when those of the process before are old enough, then daily. */
const ORPHANS_AGAIN_MS = 20 * 60_000;
const ORPHANS_EVERY_MS = 24 * 3_600_000;

/** Deletes what is older than the retention, in the background, until `stop` has settled. */
export function startRetentionSweep(parts: RetentionSweepDeps): BackgroundLoop {
  const now = jumpResistantNow(parts.clock);
  let orphansDue = Number.NEGATIVE_INFINITY;
  const everyMs = Math.min(ROUND_MS, parts.retentionMs / 4);
  return startBackgroundLoop({ everyMs, onTrouble: parts.onTrouble }, async (isStopped) => {
    await sweepExpired(parts, now() - parts.retentionMs, isStopped);
    if (parts.clock.monotonic() < orphansDue) return;
    await sweepOrphans(parts, now() - ORPHAN_AGE_MS, isStopped);
    const first = orphansDue === Number.NEGATIVE_INFINITY;
    orphansDue = parts.clock.monotonic() + (first ? ORPHANS_AGAIN_MS : ORPHANS_EVERY_MS);
  });
}

async function sweepExpired(
  parts: RetentionSweepDeps,
  before: number,
  isStopped: () => boolean,
): Promise<void> {
  while (!isStopped()) {
    const { deleted, blobs } = await parts.records.sweep(before, BATCH);
    for (const key of blobs) await parts.blobs.delete(key);
    if (deleted < BATCH) break;
  }
}

/** Blobs whose record never came (a crash in between): found by the time in their id (UUID version 7). */
async function sweepOrphans(
  parts: RetentionSweepDeps,
  before: number,
  isStopped: () => boolean,
): Promise<void> {
  let batch: string[] = [];
  const flush = async () => {
    const known = new Set(await parts.records.referencedBlobs(batch));
    for (const key of batch) if (!known.has(key)) await parts.blobs.delete(key);
    batch = [];
  };
  for await (const key of parts.blobs.keys()) {
    if (isStopped()) return;
    const madeAt = Number.parseInt(key.replaceAll('-', '').slice(0, 12), 16);
    if (madeAt > before) continue;
    batch.push(key);
    if (batch.length >= BATCH) await flush();
  }
  if (batch.length > 0) await flush();
}
