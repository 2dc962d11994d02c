import type { Clock } from '../base/time.ts';

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
  let stopped = false;
  let wake = () => {};
  const nap = () =>
    new Promise<void>((resolve) => {
      if (stopped) return resolve();
      const timer = setTimeout(resolve, everyMs).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const loop = async () => {
    while (!stopped) {
      await round(() => stopped).catch(onTrouble);
      await nap();
    }
  };
  const running = loop();
  return {
    stop() {
      stopped = true;
      wake();
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
