import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Without rights of its own, a machine takes one such change in a tenth of a second. */
const AGAIN_MS = 110;
const MOST_TRIES = 20;

/**
 * Sets the nice value of a whole session, where sessions share the processors between them before their processes do
 * (sched(7), autogroup): 0 is that of all others. Unlike that of a process, everybody may set it back. Does nothing
 * where there is no such thing. Never rejects.
 */
export async function niceSession(leader: number, nice: number): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    try {
      await writeFile(`/proc/${leader}/autogroup`, String(nice));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
    await pause(AGAIN_MS, undefined, { ref: false });
  }
}
