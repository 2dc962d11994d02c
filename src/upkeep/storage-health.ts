import { ContentsError, StorageError, type StorageHealth, withStorageTimeout } from '../ports/store.ts';

interface MonitorDeps {
  /** Rejects with `StorageError` if the storage fails. */
  readonly check: () => Promise<unknown>;
  /** Called when the storage begins to fail, and when it works again (null). */
  readonly onChange: (problem: StorageError | null) => void;
}

export interface StorageHealthDeps {
  readonly records: MonitorDeps;
  /** Of large contents that are stored apart. */
  readonly contents: MonitorDeps;
}

/** Interval of checks while the storage fails. */
const CHECK_INTERVAL_MS = 500;
/** A good result is reused for this time: anybody may call the readiness endpoint as often as they like. */
const FRESH_MS = 1_000;

export function monitorStorage(deps: StorageHealthDeps): StorageHealth {
  const records = monitor(deps.records);
  const contents = monitor(deps.contents);
  return {
    problem: records.problem,
    contentsProblem: contents.problem,
    reportFailure: (error) => (error instanceof ContentsError ? contents : records).reportFailure(error),
    async check() {
      contents.check().catch(() => {});
      await records.check();
    },
    stop() {
      records.stop();
      contents.stop();
    },
  };
}

function monitor({ check, onChange }: MonitorDeps): Omit<StorageHealth, 'contentsProblem'> {
  let problem: StorageError | null = null;
  let timer: NodeJS.Timeout | undefined;
  let runningCheck: Promise<void> | null = null;
  let stopped = false;
  let workedAt = Number.NEGATIVE_INFINITY;

  function reportFailure(error: StorageError): void {
    if (stopped) return;
    const worked = problem === null;
    problem = error;
    if (worked) {
      onChange(error);
      scheduleCheck();
    }
  }

  function scheduleCheck(): void {
    timer = setTimeout(() => {
      checkNow().catch(() => {
        if (!stopped) scheduleCheck();
      });
    }, CHECK_INTERVAL_MS).unref();
  }

  /** Concurrent calls share one check. */
  function checkNow(): Promise<void> {
    runningCheck ??= runCheck().finally(() => {
      runningCheck = null;
    });
    return runningCheck;
  }

  async function runCheck(): Promise<void> {
    try {
      await withStorageTimeout(check());
    } catch (error) {
      const cause = error instanceof StorageError ? error : new StorageError(String(error), { cause: error });
      reportFailure(cause);
      throw cause;
    }
    workedAt = performance.now();
    if (problem === null || stopped) return;
    problem = null;
    clearTimeout(timer);
    onChange(null);
  }

  return {
    problem: () => problem?.message ?? null,
    reportFailure,
    async check() {
      if (problem !== null) throw problem;
      if (performance.now() - workedAt > FRESH_MS) await checkNow();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
