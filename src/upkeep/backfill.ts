import { sleep } from '../base/wait.ts';
import type { Logger } from '../observe/logger.ts';
import type { Store } from '../ports/store.ts';
import { type BackgroundLoop, startBackgroundLoop } from './background-loop.ts';

interface BackfillDeps {
  readonly store: Pick<Store, 'backfill'>;
  readonly logger: Logger;
  /** Called with every error. The next round goes on where the last step ended. */
  readonly onError: (error: unknown) => void;
}

const PAUSE_MS = 60_000;
/** Between two steps, so that most of the time of the writing thread is left for scrapes. */
const STEP_PAUSE_MS = 50;

/** Does what an update has left to do on older rows, in the background, until `stop` has settled. */
export function startBackfill({ store, logger, onError }: BackfillDeps): BackgroundLoop {
  return startBackgroundLoop({ pauseMs: PAUSE_MS, onError }, async (isStopped) => {
    let steps = 0;
    while (!isStopped() && (await store.backfill())) {
      steps++;
      await sleep(STEP_PAUSE_MS);
    }
    if (steps > 0 && !isStopped()) logger.info({ steps }, 'the back-fill of older records has ended');
  });
}
