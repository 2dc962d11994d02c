import { StorageError } from '../ports/storage-error.ts';
import { inTime } from './in-time.ts';

export interface StorageHealthParts {
  /** Resolves when every medium takes a write now; rejects with `StorageError`. */
  readonly check: () => Promise<unknown>;
  /** Told when it begins to fail, and when it is well again (null). */
  readonly onChange: (trouble: StorageError | null) => void;
}

/** What is known of the media that records are stored on, so that no target is bothered for what cannot be kept. */
export interface StorageHealth {
  /** Why nothing can be stored; null: as far as is known, everything can. */
  trouble(): string | null;
  /** Something could not be stored: from now on it is looked every half second whether it is well again. */
  failed(error: StorageError): void;
  /** What is known, or where that is nothing bad and older than a second, what a look now tells. Rejects with `StorageError`. */
  check(): Promise<void>;
  stop(): void;
}

const PROBE_MS = 500;
/** Anybody may ask whether the service is ready; the disk is not to be busy with that. */
const FRESH_MS = 1_000;

export function watchStorage({ check, onChange }: StorageHealthParts): StorageHealth {
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
      await inTime(check());
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
