import type { Clock } from '../base/clock.ts';

/** More than clocks are corrected by, less than what matters to retention. */
const JUMP_MS = 3_600_000;
/** A jump that has lasted so long is the truth. */
const BELIEVED_AFTER_MS = 24 * 3_600_000;

/**
 * The time for deciding what may be destroyed: a wall clock that leaps ahead (a wrong time server, a machine that was
 * asleep) is only believed after a day, until then time goes on from before the leap. One that goes back is believed at
 * once: that destroys less. Of this process only: a process that starts believes the clock it finds.
 */
export function steadyNow(clock: Clock): () => number {
  let wall = clock.now();
  let at = clock.monotonic();
  let doubtedSince: number | null = null;
  return () => {
    const now = clock.now();
    const monotonic = clock.monotonic();
    const expected = wall + (monotonic - at);
    if (now - expected > JUMP_MS) {
      doubtedSince ??= monotonic;
      if (monotonic - doubtedSince < BELIEVED_AFTER_MS) return expected;
    }
    doubtedSince = null;
    wall = now;
    at = monotonic;
    return now;
  };
}
