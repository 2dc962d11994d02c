import { StorageError, type StorageHealth, withStorageTimeout } from '../ports/store.ts';

export interface StorageHealthDeps {
  /** Resolves when every medium takes a write now; rejects with `StorageError`. */
  readonly check: () => Promise<unknown>;
  /** Told when it begins to fail, and when it is well again (null). */
  readonly onChange: (trouble: StorageError | null) => void;
}

const PROBE_MS = 500;
/** Anybody may ask whether the service is ready; the disk is not to be busy with that. */
const FRESH_MS = 1_000;

export function monitorStorage({ check, onChange }: StorageHealthDeps): StorageHealth {
  let trouble: StorageError | null = null;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let stopped = false;
  let wellAt = Number.NEGATIVE_INFINITY;

  function failed(error: StorageError): void {
    if (stopped) return;
    const before = trouble;
    trouble = error;
    if (before === null) {
      onChange(error);
      plan();
    }
  }

  function plan(): void {
    timer = setTimeout(() => {
      look().then(
        () => {},
        () => {
          if (!stopped) plan();
        },
      );
    }, PROBE_MS).unref();
  }

  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => {
      looking = null;
    });
    return looking;
  }

  async function lookOnce(): Promise<void> {
    try {
      await withStorageTimeout(check());
    } catch (error) {
      const cause = error instanceof StorageError ? error : new StorageError(String(error), { cause: error });
      failed(cause);
      throw cause;
    }
    wellAt = performance.now();
    if (trouble === null || stopped) return;
    trouble = null;
    clearTimeout(timer);
    onChange(null);
  }

  return {
    trouble: () => trouble?.message ?? null,
    failed,
    async check() {
      if (trouble !== null) throw trouble;
      if (performance.now() - wellAt > FRESH_MS) await look();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
