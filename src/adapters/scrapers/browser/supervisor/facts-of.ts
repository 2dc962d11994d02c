import type { BrowserRank } from '../../../../domain/browsers-at-work.ts';
import type { Lane } from '../launch/lane.ts';
import type { LaunchedBrowser } from '../launch/launched-browser.ts';

/** What the log tells of a browser. */
export function factsOf({ found, headless, lane, pid, smallShm }: LaunchedBrowser<Lane>, rank: BrowserRank) {
  return {
    type: found.type,
    path: found.path,
    version: found.version,
    headless,
    lane,
    rank,
    pid,
    ...(smallShm ? { shared_memory: 'too little in /dev/shm: it uses files' } : {}),
  };
}
