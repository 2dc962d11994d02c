import type { Clock } from '../base/time.ts';
import { sleep } from '../base/wait.ts';

export interface BackgroundLoop {
  /** Settles when the round that runs has ended. */
  stop(): Promise<void>;
}

interface BackgroundLoopOptions {
  /** Pause between the end of a round and the next. */
  readonly everyMs: number;
  /** Told of what a round threw; the next one comes all the same. */
  readonly onTrouble: (error: unknown) => void;
}

/** Work in the background, one round after the other, the first at once. */
export function startBackgroundLoop(
  { everyMs, onTrouble }: BackgroundLoopOptions,
  round: (isStopped: () => boolean) => Promise<void>,
): BackgroundLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async () => {
    do await round(() => signal.aborted).catch(onTrouble);
    while (await sleep(everyMs, signal));
  };
  const running = loop();
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}

/** More than clocks are corrected by, less than what matters to retention. */
const MAX_CORRECTION_MS = 3_600_000;
/** A jump that has lasted so long is the truth. */
const BELIEVED_AFTER_MS = 24 * 3_600_000;

/**
 * The time for deciding what may be destroyed: a wall clock that leaps ahead (a wrong time server, a machine that was
 * asleep) is only believed after a day, until then time goes on from before the leap. One that goes back is believed at
 * once: that destroys less. Of this process only: a process that starts believes the clock it finds.
 */
export function jumpResistantNow(clock: Clock): () => number {
  let wall = clock.now();
  let at = clock.monotonic();
  let doubtedSince: number | null = null;
  return () => {
    const now = clock.now();
    const monotonic = clock.monotonic();
    const expected = wall + (monotonic - at);
    if (now - expected > MAX_CORRECTION_MS) {
      doubtedSince ??= monotonic;
      if (monotonic - doubtedSince < BELIEVED_AFTER_MS) return expected;
    }
    doubtedSince = null;
    wall = now;
    at = monotonic;
    return now;
  };
}
