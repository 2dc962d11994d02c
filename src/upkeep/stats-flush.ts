import type { Clock } from '../base/time.ts';
import { KEPT_SITE_MONTHS, monthStart, SITE_LIMITS } from '../domain/site-stats.ts';
import { STAT_STEPS, type StatCount } from '../domain/stats.ts';
import { MERGED_MS, USAGE_STEPS } from '../domain/usage.ts';
import type { ScrapeCounters } from '../observe/scrape-counters.ts';
import type { StatsStore } from '../ports/store.ts';
import { StorageError } from '../ports/store.ts';
import { type BackgroundLoop, jumpResistantNow, startBackgroundLoop } from './background-loop.ts';

export interface StatsFlushDeps {
  readonly counters: Pick<
    ScrapeCounters,
    'drain' | 'drainSites' | 'restoreSites' | 'drainUsage' | 'restoreUsage'
  >;
  readonly stats: StatsStore;
  readonly clock: Clock;
  /** Called with unexpected errors. Errors of the storage are left out: the next stored record reports them. */
  readonly onError: (error: unknown) => void;
}

const FLUSH_INTERVAL_MS = 1_000;
const SWEEP_INTERVAL_MS = 60_000;
/** The counters of sites and of usage grow slowly, and reading how many there are takes longer. */
const SLOW_SWEEP_INTERVAL_MS = 600_000;
/** Number of counters kept while they cannot be stored (about 5 MB). Further counters are lost. */
const MAX_PENDING = 20_000;

/**
 * Stores the counters about once a second, and deletes old time steps, until `stop` has settled. `stop` rejects with
 * StorageError if the last counts cannot be stored.
 */
export function startStatsFlush({ counters, stats, clock, onError }: StatsFlushDeps): BackgroundLoop {
  const now = jumpResistantNow(clock);
  /** Counts that could not be stored yet. */
  const pending = new Map<string, StatCount>();
  let sweepDue = clock.monotonic() + SWEEP_INTERVAL_MS;
  let slowSweepDue = clock.monotonic() + SLOW_SWEEP_INTERVAL_MS;

  async function flush(): Promise<void> {
    const drained = counters.drain();
    const counts = pending.size === 0 ? drained : [...pending.values(), ...drained];
    if (counts.length === 0) return;
    try {
      await stats.add(counts);
      pending.clear();
    } catch (error) {
      for (const count of drained) mergePending(pending, count);
      throw error;
    }
  }

  async function flushSites(): Promise<void> {
    const increments = counters.drainSites();
    try {
      await stats.addSites(increments);
    } catch (error) {
      counters.restoreSites(increments);
      throw error;
    }
  }

  async function flushUsage(): Promise<void> {
    const counts = counters.drainUsage();
    try {
      await stats.addUsage(counts);
    } catch (error) {
      counters.restoreUsage(counts);
      throw error;
    }
  }

  async function sweep(): Promise<void> {
    if (clock.monotonic() < sweepDue) return;
    sweepDue = clock.monotonic() + SWEEP_INTERVAL_MS;
    for (const { seconds, keptMs } of STAT_STEPS) await stats.sweep(seconds, now() - keptMs);
    if (clock.monotonic() < slowSweepDue) return;
    slowSweepDue = clock.monotonic() + SLOW_SWEEP_INTERVAL_MS;
    await stats.sweepSites(monthStart(now(), KEPT_SITE_MONTHS - 1), SITE_LIMITS);
    for (const { seconds, keptMs, limits } of USAGE_STEPS)
      await stats.sweepUsage(
        { step: seconds, before: now() - keptMs, mergedFrom: now() - MERGED_MS },
        limits,
      );
  }

  const loop = startBackgroundLoop(
    {
      pauseMs: FLUSH_INTERVAL_MS,
      onError: (error) => {
        if (!(error instanceof StorageError)) onError(error);
      },
    },
    async () => {
      await flush();
      await flushSites();
      await flushUsage();
      await sweep();
    },
  );
  return {
    async stop() {
      await loop.stop();
      await flush();
      await flushSites();
      await flushUsage();
    },
  };
}

/** Adds a count to the pending one of the same counter. */
function mergePending(pending: Map<string, StatCount>, count: StatCount): void {
  const { userId, step, at, kind, name } = count;
  const key = `${userId} ${step} ${at} ${kind} ${name}`;
  const before = pending.get(key);
  if (before !== undefined) pending.set(key, { ...before, count: before.count + count.count });
  else if (pending.size < MAX_PENDING) pending.set(key, count);
}
