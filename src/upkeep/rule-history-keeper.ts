import type { Clock } from '../base/time.ts';
import { type ExperienceStore, StorageError } from '../ports/store.ts';
import type { RuleHistory } from '../router/rule-history.ts';
import { type BackgroundLoop, startBackgroundLoop } from './background-loop.ts';

interface RuleHistoryKeeperDeps {
  readonly rules: RuleHistory;
  readonly store: ExperienceStore;
  /** Whether there are other replicas, which store rules as well. */
  readonly isShared: boolean;
  readonly clock: Clock;
  /** Called with unexpected errors. Errors of the storage are left out: the next stored record reports them. */
  readonly onError: (error: unknown) => void;
}

const FLUSH_INTERVAL_MS = 5_000;
const SWEEP_INTERVAL_MS = 3_600_000;
/** Rules that were not used for so long are forgotten. */
const RETENTION_S = 90 * 86_400;
const BATCH_SIZE = 500;
const MAX_RULES_READ = 20_000;
/** The clocks of replicas may differ by so much. */
const CLOCK_DIFFERENCE_S = 30;

/** Reads the stored history of rules, then stores changes in batches, in the background, until `stop` has settled. */
export function startRuleHistoryKeeper({
  rules,
  store,
  isShared,
  clock,
  onError,
}: RuleHistoryKeeperDeps): BackgroundLoop {
  const epochSeconds = () => Math.floor(clock.now() / 1000);
  let loaded = false;
  let readSince = epochSeconds();
  let sweepDue = clock.monotonic();
  const report = (error: unknown) => {
    if (!(error instanceof StorageError)) onError(error);
  };
  const loop = startBackgroundLoop({ pauseMs: FLUSH_INTERVAL_MS, onError: report }, async () => {
    if (!loaded) {
      rules.restore(await store.list('rule', MAX_RULES_READ, 0));
      loaded = true;
    }
    await flush(rules, store, epochSeconds());
    if (isShared) {
      const readAt = epochSeconds();
      await readChanges(rules, store, readSince);
      readSince = readAt - CLOCK_DIFFERENCE_S;
    }
    if (clock.monotonic() < sweepDue) return;
    sweepDue = clock.monotonic() + SWEEP_INTERVAL_MS;
    await store.sweep('rule', epochSeconds() - RETENTION_S);
  });
  return {
    async stop() {
      await loop.stop();
      // A full disk must not make the shutdown fail. What is lost will be learned again.
      if (loaded) await flush(rules, store, epochSeconds()).catch(report);
    },
  };
}

/** Reads what other replicas have stored since `since` (s). */
async function readChanges(rules: RuleHistory, store: ExperienceStore, since: number): Promise<void> {
  for (let skip = 0; skip < MAX_RULES_READ; skip += BATCH_SIZE) {
    const rows = await store.list('rule', BATCH_SIZE, skip);
    const recent = rows.filter(({ at }) => at >= since);
    rules.update(recent);
    if (recent.length < BATCH_SIZE) return;
  }
}

async function flush(rules: RuleHistory, store: ExperienceStore, at: number): Promise<void> {
  for (;;) {
    const changed = rules.takeChanged(BATCH_SIZE);
    const forgotten = rules.takeForgotten(BATCH_SIZE);
    if (changed.length === 0 && forgotten.length === 0) return;
    try {
      await store.put(
        'rule',
        changed.map(([name, data]) => ({ name, at, data })),
      );
    } catch (error) {
      rules.markChanged(changed.map(([name]) => name));
      throw error;
    }
    for (const name of forgotten) await store.delete('rule', name);
  }
}
