import type { Job, PooledType } from '../domain/job.ts';
import { POOLED_TYPES } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import { SCRAPER_NAMES, type ScraperName } from '../domain/scrapers.ts';
import { DEFENSES } from './defenses.ts';
import type { Experience } from './experience.ts';
import { bestRoute, describeBelief, PINNED, WEIGHTS_BY_SORT } from './route-choice.ts';
import { ROUTES, routeIndex } from './routes.ts';

/** What is believed of one kind of page of a site. */
export interface PageView {
  readonly pattern: string;
  /** Attempts that were recorded, also those that count for little by now. */
  readonly attempts: number;
  /** The likeliest first, those of at least 1 %. */
  readonly defenses: readonly { readonly name: string; readonly words: string; readonly p: number }[];
  readonly routes: readonly (Step & {
    readonly success: number;
    readonly cost: number;
    /** Attempts that still count. */
    readonly remembered: number;
  })[];
  /** What a plain request by `auto` would begin with; null: nothing is available here. */
  readonly next: Step | null;
  /** Why that step. */
  readonly reason: string;
}

export interface SiteView {
  readonly site: string;
  readonly pinned: Step | null;
  readonly pages: readonly PageView[];
}

const MIN_PROBABILITY = 0.01;
const MAX_PAGES = 64;

/**
 * What is known of a site (`host` or `host:port`), and what would be chosen for its pages; null: nothing.
 * @param isAvailable whether a step is available here
 */
export function describeSite(
  experience: Experience,
  site: string,
  now: number,
  isAvailable: (step: Step) => boolean,
): SiteView | null {
  const patterns = experience.memory.patterns(site);
  const pinned = experience.pins.get(site) ?? null;
  if (patterns === null && pinned === null) return null;
  const steps = SCRAPER_NAMES.flatMap((scraper: ScraperName) =>
    POOLED_TYPES.map((proxyType: PooledType) => ({ scraper, proxyType })),
  ).filter(isAvailable);
  const pages = (patterns ?? []).slice(0, MAX_PAGES).map((pattern): PageView => {
    const outlook = experience.outlook({ site, pattern }, now, []);
    const plain = steps.filter(({ proxyType }) => proxyType === PLAIN);
    const bounds = { secondsLeft: Number.POSITIVE_INFINITY, mustTry: true };
    const best = bestRoute(ROUTES, plain.map(routeIndex), outlook, WEIGHTS_BY_SORT.balanced, bounds);
    const chosen = plain.find((step) => routeIndex(step) === best?.route) ?? null;
    return {
      pattern,
      attempts: outlook.seen,
      defenses: [...outlook.belief]
        .map((p, k) => ({ name: DEFENSES[k]!.name, words: DEFENSES[k]!.words, p }))
        .filter(({ p }) => p >= MIN_PROBABILITY)
        .sort((a, b) => b.p - a.p),
      routes: steps.map((step) => {
        const route = routeIndex(step);
        return {
          ...step,
          success: outlook.success(route),
          cost: outlook.cost(route),
          remembered: outlook.attempts(route),
        };
      }),
      // A plain request does not take other proxy types, whatever is pinned.
      ...(pinned?.proxyType === PLAIN && isAvailable(pinned)
        ? { next: pinned, reason: PINNED }
        : { next: chosen, reason: describeBelief(outlook) }),
    };
  });
  return { site, pinned, pages };
}

const PLAIN: Job['proxyType'] = 'datacenter';
