import type { Step } from '../domain/scrape.ts';
import type { Experience } from './experience.ts';
import { routeIndex } from './routes.ts';

/** What attempts by a step have shown at a site lately. */
export interface LearnedRoute {
  /** P(page), over the kinds of pages as often as they are fetched. */
  readonly success: number;
  /** Attempts that still count, with their decayed weights, at the kind of page with the most of them. */
  readonly remembered: number;
}

/** Kinds of pages that are looked at: those with the most attempts. */
const MAX_PAGES = 8;

/**
 * What is learned of steps at a site (`host` or `host:port`); null: nothing is known about the site.
 * @param now seconds since the epoch
 */
export function learnedRoutes(
  experience: Experience,
  site: string,
  now: number,
): ((step: Step) => LearnedRoute | null) | null {
  const patterns = experience.memory.patterns(site);
  if (patterns === null) return null;
  const outlooks = patterns
    .map((pattern) => ({ pattern, attempts: experience.memory.historyOf({ site, pattern })!.attemptCount }))
    .sort((a, b) => b.attempts - a.attempts)
    .slice(0, MAX_PAGES)
    .map(({ pattern, attempts }) => ({ attempts, outlook: experience.outlook({ site, pattern }, now, []) }));
  const total = outlooks.reduce((sum, { attempts }) => sum + attempts, 0);
  return (step) => {
    const route = routeIndex(step, experience.routes);
    if (route === -1 || total === 0) return null;
    return {
      success:
        outlooks.reduce((sum, { attempts, outlook }) => sum + attempts * outlook.success(route), 0) / total,
      remembered: Math.max(...outlooks.map(({ outlook }) => outlook.attempts(route))),
    };
  };
}
