import type { Clock } from '../base/time.ts';
import { sleep } from '../base/wait.ts';

export interface BackgroundLoop {
  /** Starts no further round. Settles when the current one has ended. */
  stop(): Promise<void>;
}

interface WakeableLoop extends BackgroundLoop {
  /** Ends the present pause. During a round: there is no pause after it. */
  wake(): void;
}

interface BackgroundLoopOptions {
  /** Pause between the end of a round and the beginning of the next. */
  readonly pauseMs: number;
  /** Called if a round rejects. The next one follows all the same. */
  readonly onError: (error: unknown) => void;
}

/** Runs rounds of background work, one after the other. The first one starts at once. */
export function startBackgroundLoop(
  { pauseMs, onError }: BackgroundLoopOptions,
  round: (isStopped: () => boolean) => Promise<void>,
): WakeableLoop {
  let isStopped = false;
  let waking = new AbortController();
  const loop = async () => {
    while (!isStopped) {
      waking = new AbortController();
      await round(() => isStopped).catch(onError);
      if (!isStopped) await sleep(pauseMs, waking.signal);
    }
  };
  const running = loop();
  return {
    wake: () => waking.abort(),
    stop() {
      isStopped = true;
      waking.abort();
      return running;
    },
  };
}

/** Larger steps of the wall clock are jumps. Ordinary corrections are smaller, and an hour does not matter for retention. */
const MAX_CORRECTION_MS = 3_600_000;
/** How long a clock must run after a jump before its time is believed. */
const ACCEPTED_AFTER_MS = 24 * 3_600_000;

/**
 * The current time, for deciding what to delete. If the wall clock jumps ahead (wrong time server, suspended machine), the
 * time goes on as before the jump, and the new time is accepted only after a day. A clock that goes back is accepted at
 * once, because then less is deleted. The time at the start of the process is always accepted.
 */
export function jumpResistantNow(clock: Clock): () => number {
  let acceptedTime = clock.now();
  let acceptedAt = clock.monotonic();
  let jumpSince: number | null = null;
  return () => {
    const now = clock.now();
    const monotonic = clock.monotonic();
    const expected = acceptedTime + (monotonic - acceptedAt);
    if (now - expected > MAX_CORRECTION_MS) {
      jumpSince ??= monotonic;
      if (monotonic - jumpSince < ACCEPTED_AFTER_MS) return expected;
    }
    jumpSince = null;
    acceptedTime = now;
    acceptedAt = monotonic;
    return now;
  };
}
