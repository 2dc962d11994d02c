import { orTimeout } from '../../base/wait.ts';
import { isServerError } from './sql-state.ts';

interface ReadReplicaOptions {
  /** A query that takes no time. Rejects if the replica does not answer. */
  readonly ping: () => Promise<unknown>;
  /** All connections to the replica are in use: their queries tell whether it answers. */
  readonly isBusy: () => boolean;
  /** Called when the replica begins to fail, with the reason, and with null when it answers again. */
  readonly onChange: (problem: Error | null) => void;
}

/** A server whose queries go elsewhere while it fails. */
export interface ReadReplica {
  /** Why the replica is not asked; null: it is. */
  problem(): Error | null;
  /** Runs `onReplica`; if the replica is gone or refuses the query, `onFirst`. A query that the replica is too slow for rejects. */
  read<T>(onReplica: () => Promise<T>, onFirst: () => Promise<T>): Promise<T>;
  close(): void;
}

/** How often the replica is asked whether it answers. */
const PING_MS = 2_000;
const PING_TIMEOUT_MS = 2_000;

export function createReadReplica({ ping, isBusy, onChange }: ReadReplicaOptions): ReadReplica {
  let problem: Error | null = null;
  let pinging: Promise<void> | null = null;

  async function pingOnce(): Promise<void> {
    const before = problem;
    try {
      const answers = ping().then(() => true);
      problem = (await orTimeout(answers, PING_TIMEOUT_MS, false)) ? null : new Error('it does not answer');
    } catch (error) {
      problem = error as Error;
    }
    if ((problem === null) !== (before === null)) onChange(problem);
  }

  /** Concurrent calls share one. */
  function check(): Promise<void> {
    pinging ??= pingOnce().finally(() => {
      pinging = null;
    });
    return pinging;
  }

  const timer = setInterval(() => {
    if (problem !== null || !isBusy()) void check();
  }, PING_MS).unref();
  return {
    problem: () => problem,
    async read(onReplica, onFirst) {
      if (problem !== null) return await onFirst();
      try {
        return await onReplica();
      } catch (error) {
        // Such as that it lacks a table that is new, has too many connections, or has removed a row meanwhile.
        const isRefused = isServerError(error);
        if (!isRefused) await check();
        if (!isRefused && problem === null) throw error;
        return await onFirst();
      }
    },
    close: () => clearInterval(timer),
  };
}
