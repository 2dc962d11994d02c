import { statSync } from 'node:fs';
import type { Clock } from '../base/time.ts';

/** How stale the settings of the machine may be; a stat costs a few µs. */
const CHECK_INTERVAL_MS = 2000;

/**
 * Tells by its return whether the file changed, came or went since the last call that said so; the first call says so.
 * Looks at the disk at most every 2 s. Without a watcher: nothing is held open and nothing has to be closed.
 */
export function fileChangeDetector(path: string, clock: Clock): () => boolean {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let seen = '';
  return () => {
    const now = clock.monotonic();
    if (now - checkedAt < CHECK_INTERVAL_MS) return false;
    checkedAt = now;
    const mark = versionOf(path);
    if (mark === seen) return false;
    seen = mark;
    return true;
  };
}

function versionOf(path: string): string {
  try {
    const stat = statSync(path);
    return `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
  } catch {
    return 'unreadable';
  }
}
