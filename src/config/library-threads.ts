import { availableParallelism } from 'node:os';

/**
 * Gives the client library of `http_impersonate` a thread for every second processor, four at most, where the operator has
 * not said how many (`TOKIO_WORKER_THREADS`); by itself it takes one for each. What it does passes through the main
 * thread, which fewer keep busy, and fewer wake each other less (docs/history/performance-0.1.md). To be called before it is loaded.
 */
export function limitLibraryThreads(): void {
  process.env.TOKIO_WORKER_THREADS ??= String(Math.max(1, Math.min(4, availableParallelism() >> 1)));
}
