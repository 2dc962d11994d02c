import type { Clock } from '../base/time.ts';
import type { IdempotencyStore } from '../ports/idempotency.ts';
import { type BackgroundLoop, startBackgroundLoop } from './background-loop.ts';

interface IdempotencySweepDeps {
  readonly keys: IdempotencyStore;
  readonly clock: Clock;
  /** For all responses together. */
  readonly maxBytes: number;
  readonly onError: (error: unknown) => void;
}

const PAUSE_MS = 30_000;
const BATCH_SIZE = 200;

/** Deletes expired Idempotency-Keys, and the oldest responses when all together are too large, in the background. */
export function startIdempotencySweep({
  keys,
  clock,
  maxBytes,
  onError,
}: IdempotencySweepDeps): BackgroundLoop {
  return startBackgroundLoop({ pauseMs: PAUSE_MS, onError }, async (isStopped) => {
    while (!isStopped() && (await keys.sweep(clock.now(), BATCH_SIZE)) === BATCH_SIZE);
    while (!isStopped() && (await keys.trim(maxBytes, BATCH_SIZE)) === BATCH_SIZE);
  });
}
