import type { Deadline } from '../../base/deadline.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import { whyEnded } from './reached.ts';

interface Site {
  running: number;
  /** First come, first served. */
  readonly waiting: Set<() => void>;
}

/** How many attempts are at one host at once, over all users. */
export interface SiteSlots {
  /** null: a slot is taken, to be given back by `leave`. Else settles with that, or with why there was none in time. */
  enter(host: string, deadline: Deadline): Promise<Failure | null> | null;
  leave(host: string): void;
}

/** @param most at one host */
export function createSiteSlots(most: number): SiteSlots {
  /** Only hosts where somebody is. */
  const sites = new Map<string, Site>();

  function enter(host: string, deadline: Deadline): Promise<Failure | null> | null {
    const site = sites.get(host) ?? { running: 0, waiting: new Set() };
    sites.set(host, site);
    if (site.running < most) {
      site.running++;
      return null;
    }
    const { signal } = deadline;
    return new Promise((resolve) => {
      const go = () => {
        signal.removeEventListener('abort', stop);
        resolve(null);
      };
      const stop = () => {
        site.waiting.delete(go);
        resolve(whyEnded(deadline) ?? full(most));
      };
      site.waiting.add(go);
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) {
        signal.removeEventListener('abort', stop);
        stop();
      }
    });
  }

  function leave(host: string): void {
    const site = sites.get(host)!;
    const [next] = site.waiting;
    if (next !== undefined) {
      // The slot goes on to the next one.
      site.waiting.delete(next);
      next();
    } else if (--site.running === 0) sites.delete(host);
  }

  return { enter, leave };
}

function full(most: number): Failure {
  return failure(
    'service.unavailable',
    `The request timed out while it waited its turn: at most ${most} scrapes run on one site at once.`,
  );
}
