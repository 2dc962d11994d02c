import type { Clock } from '../base/time.ts';
import { MAX_NOTIFICATIONS, NOTIFICATIONS_KEPT_MS } from '../domain/notifications.ts';
import type { BlobStore, Store } from '../ports/store.ts';
import { type BackgroundLoop, startBackgroundLoop } from './background-loop.ts';

interface JobSweepDeps {
  readonly store: Pick<Store, 'jobs' | 'records' | 'webhooks' | 'notifications'>;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

interface PurgeDeps {
  readonly store: Pick<Store, 'jobs' | 'records'>;
  readonly blobs: BlobStore;
}

const PAUSE_MS = 60_000;
const BATCH_SIZE = 500;
const DAY_MS = 86_400_000;
/** How long the list of items is kept after the results have expired, and deliveries of webhooks after their event (contract §13). */
const LINES_KEPT_MS = 30 * DAY_MS;

/** Deletes the results of jobs that have expired, and later the jobs, and old deliveries of webhooks, in the background. */
export function startJobSweep(deps: JobSweepDeps): BackgroundLoop {
  const { store, clock, onError } = deps;
  return startBackgroundLoop({ pauseMs: PAUSE_MS, onError }, async (isStopped) => {
    for (const id of await store.jobs.expired(clock.now(), BATCH_SIZE)) {
      if (isStopped()) return;
      await deleteResults(deps, id);
      await store.jobs.markResultsDeleted(id);
    }
    for (const id of await store.jobs.outdated(clock.now() - LINES_KEPT_MS, BATCH_SIZE)) {
      if (isStopped()) return;
      await store.jobs.delete(id);
    }
    const before = clock.now() - LINES_KEPT_MS;
    while (!isStopped() && (await store.webhooks.sweep(before, BATCH_SIZE)) === BATCH_SIZE);
    const old = clock.now() - NOTIFICATIONS_KEPT_MS;
    while (
      !isStopped() &&
      (await store.notifications.sweep(old, MAX_NOTIFICATIONS, BATCH_SIZE)) >= BATCH_SIZE
    );
  });
}

/** Deletes a job with its results. */
export async function purgeJob(deps: PurgeDeps, id: string): Promise<void> {
  await deleteResults(deps, id);
  await deps.store.jobs.delete(id);
}

/** Deletes the records of all items. */
async function deleteResults({ store, blobs }: PurgeDeps, id: string): Promise<void> {
  for (;;) {
    const swept = await store.records.sweepJob(id, BATCH_SIZE);
    for (const key of swept.blobs) await blobs.delete(key);
    if (swept.deleted < BATCH_SIZE) return;
  }
}
