import { statSync } from 'node:fs';
import type { Clock } from '../base/time.ts';

/** How long a change may go unnoticed. A stat takes a few µs. */
const CHECK_INTERVAL_MS = 2000;

/**
 * @returns whether the file was changed, created or deleted since it last returned true; the first call returns true. It
 *   looks at the disk at most every 2 s. It uses no watcher, so nothing has to be closed.
 */
export function fileChangeDetector(path: string, clock: Clock): () => boolean {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let lastVersion = '';
  return () => {
    const now = clock.monotonic();
    if (now - checkedAt < CHECK_INTERVAL_MS) return false;
    checkedAt = now;
    const version = versionOf(path);
    if (version === lastVersion) return false;
    lastVersion = version;
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
