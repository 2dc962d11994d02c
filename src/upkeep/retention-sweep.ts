import type { Clock } from '../base/time.ts';
import type { ProfileStore } from '../ports/profiles.ts';
import type { BlobStore, RecordStore } from '../ports/store.ts';
import { type BackgroundLoop, jumpResistantNow, startBackgroundLoop } from './background-loop.ts';

export interface RetentionSweepDeps {
  readonly records: Pick<RecordStore, 'sweep' | 'referencedBlobs'>;
  readonly profiles: Pick<ProfileStore, 'sweep'>;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  /** How long records are kept. */
  readonly retentionMs: number;
  /** Called with every error. The sweep continues in the next round. */
  readonly onError: (error: unknown) => void;
}

const PAUSE_MS = 60_000;
/** Records deleted in one transaction. Between the batches, the writing thread can store other records. */
const BATCH_SIZE = 500;
/** Younger blobs are not orphans yet: a blob is written before its record. */
const ORPHAN_AGE_MS = 15 * 60_000;
/** Orphans are searched for at the start, once more when those of the previous process are old enough, and then daily. */
const SECOND_ORPHAN_SWEEP_MS = 20 * 60_000;
const ORPHAN_SWEEP_INTERVAL_MS = 24 * 3_600_000;

/** Deletes records older than the retention, expired profiles, and orphaned blobs, in the background, until `stop` has settled. */
export function startRetentionSweep(deps: RetentionSweepDeps): BackgroundLoop {
  const { clock, retentionMs, onError } = deps;
  const now = jumpResistantNow(clock);
  let orphansDue = Number.NEGATIVE_INFINITY;
  // With a short retention, records must not outlive it by much.
  const pauseMs = Math.min(PAUSE_MS, retentionMs / 4);
  return startBackgroundLoop({ pauseMs, onError }, async (isStopped) => {
    await sweepExpired(deps, now() - retentionMs, isStopped);
    await deps.profiles.sweep(now());
    if (clock.monotonic() < orphansDue) return;
    await sweepOrphans(deps, now() - ORPHAN_AGE_MS, isStopped);
    const first = orphansDue === Number.NEGATIVE_INFINITY;
    orphansDue = clock.monotonic() + (first ? SECOND_ORPHAN_SWEEP_MS : ORPHAN_SWEEP_INTERVAL_MS);
  });
}

async function sweepExpired(
  deps: RetentionSweepDeps,
  before: number,
  isStopped: () => boolean,
): Promise<void> {
  while (!isStopped()) {
    const { deleted, blobs } = await deps.records.sweep(before, BATCH_SIZE);
    for (const key of blobs) await deps.blobs.delete(key);
    if (deleted < BATCH_SIZE) break;
  }
}

/** Deletes blobs without a record, which a crash can leave. Their age is known from their key (UUID version 7). */
async function sweepOrphans(
  deps: RetentionSweepDeps,
  before: number,
  isStopped: () => boolean,
): Promise<void> {
  let batch: string[] = [];
  const flush = async () => {
    const referenced = new Set(await deps.records.referencedBlobs(batch));
    for (const key of batch) if (!referenced.has(key)) await deps.blobs.delete(key);
    batch = [];
  };
  for await (const key of deps.blobs.keys()) {
    if (isStopped()) return;
    // Its first 48 bits are milliseconds since the epoch (RFC 9562 §5.7).
    // Its first 48 bits are milliseconds since the epoch (RFC 9562 §5.7).
    const createdAt = Number.parseInt(key.replaceAll('-', '').slice(0, 12), 16);
    if (createdAt > before) continue;
    batch.push(key);
    if (batch.length >= BATCH_SIZE) await flush();
  }
  if (batch.length > 0) await flush();
}
