import type { Clock } from '../base/time.ts';
import { STAT_STEPS, type StatCount } from '../domain/stats.ts';
import type { ScrapeCounters } from '../observe/scrape-counters.ts';
import type { StatsStore } from '../ports/store.ts';
import { StorageError } from '../ports/store.ts';
import { type BackgroundLoop, jumpResistantNow, startBackgroundLoop } from './background-loop.ts';

export interface StatsFlushDeps {
  readonly counters: Pick<ScrapeCounters, 'drain'>;
  readonly stats: StatsStore;
  readonly clock: Clock;
  /** Told of what is not the storage's trouble; that is seen where records are stored. */
  readonly onTrouble: (error: unknown) => void;
}

const FLUSH_MS = 1_000;
const SWEEP_MS = 60_000;
/** Different counters that are kept while they cannot be stored: some 5 MB. Those beyond are lost. */
const MAX_PENDING = 20_000;

/**
 * Stores what has been counted about once a second, and deletes old steps, until `stop` has settled, which rejects
 * with StorageError when the last counts could not be stored.
 */
export function startStatsFlush({ counters, stats, clock, onTrouble }: StatsFlushDeps): BackgroundLoop {
  const now = jumpResistantNow(clock);
  const kept = new Map<string, StatCount>();
  let sweepDue = clock.monotonic() + SWEEP_MS;

  async function flush(): Promise<void> {
    const taken = counters.drain();
    const counts = kept.size === 0 ? taken : [...kept.values(), ...taken];
    if (counts.length === 0) return;
    try {
      await stats.add(counts);
      kept.clear();
    } catch (error) {
      for (const count of taken) mergePending(kept, count);
      throw error;
    }
  }

  async function sweep(): Promise<void> {
    if (clock.monotonic() < sweepDue) return;
    sweepDue = clock.monotonic() + SWEEP_MS;
    for (const { seconds, keptMs } of STAT_STEPS) await stats.sweep(seconds, now() - keptMs);
  }

  const rounds = startBackgroundLoop(
    {
      everyMs: FLUSH_MS,
      onTrouble: (error) => {
        if (!(error instanceof StorageError)) onTrouble(error);
      },
    },
    async () => {
      await flush();
      await sweep();
    },
  );
  return {
    async stop() {
      await rounds.stop();
      await flush();
    },
  };
}

/** As one with those of the same counter. */
function mergePending(kept: Map<string, StatCount>, count: StatCount): void {
  const { userId, step, at, kind, name } = count;
  const key = `${userId} ${step} ${at} ${kind} ${name}`;
  const before = kept.get(key);
  if (before !== undefined) kept.set(key, { ...before, count: before.count + count.count });
  else if (kept.size < MAX_PENDING) kept.set(key, count);
}
