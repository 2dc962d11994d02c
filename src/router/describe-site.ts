import type { Job, PooledType } from '../domain/job.ts';
import { POOLED_TYPES } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import { SCRAPER_NAMES, type ScraperName } from '../domain/scrapers.ts';
import { DEFENSES } from './defenses.ts';
import type { Experience } from './experience.ts';
import { bestRoute, describeBelief, PINNED, WEIGHTS_BY_SORT } from './route-choice.ts';
import { ROUTES, routeIndex } from './routes.ts';

/** What is thought of one kind of page of a site. */
export interface PageView {
  readonly pattern: string;
  /** Attempts that were noted, also those that count for little by now. */
  readonly attempts: number;
  /** Likeliest first, those of at least 1 %. */
  readonly demands: readonly { readonly name: string; readonly words: string; readonly p: number }[];
  readonly ways: readonly (Step & {
    readonly success: number;
    readonly cost: number;
    readonly remembered: number;
  })[];
  /** What a plain request by `auto` would begin with; null: nothing is to be had here. */
  readonly next: Step | null;
  /** Why that one. */
  readonly reason: string;
}

export interface SiteView {
  readonly site: string;
  readonly pinned: Step | null;
  readonly pages: readonly PageView[];
}

const LEAST_P = 0.01;
/** What the reader of a page may look at. */
const PAGES_MOST = 64;

/**
 * What is known of a site (`host` or `host:port`), and what would be chosen for its pages; null: nothing. `can` tells
 * which steps can be had here.
 */
export function describeSite(
  experience: Experience,
  site: string,
  now: number,
  can: (step: Step) => boolean,
): SiteView | null {
  const patterns = experience.memory.patterns(site);
  const pinned = experience.pins.get(site) ?? null;
  if (patterns === null && pinned === null) return null;
  const steps = SCRAPER_NAMES.flatMap((scraper: ScraperName) =>
    POOLED_TYPES.map((proxyType: PooledType) => ({ scraper, proxyType })),
  ).filter(can);
  const pages = (patterns ?? []).slice(0, PAGES_MOST).map((pattern): PageView => {
    const view = experience.outlook({ site, pattern }, now, []);
    const plain = steps.filter(({ proxyType }) => proxyType === PLAIN);
    const bounds = { secondsLeft: Number.POSITIVE_INFINITY, mustTry: true };
    const best = bestRoute(ROUTES, plain.map(routeIndex), view, WEIGHTS_BY_SORT.balanced, bounds);
    const chosen = plain.find((step) => routeIndex(step) === best?.route) ?? null;
    return {
      pattern,
      attempts: view.seen,
      demands: [...view.belief]
        .map((p, k) => ({ name: DEFENSES[k]!.name, words: DEFENSES[k]!.words, p }))
        .filter(({ p }) => p >= LEAST_P)
        .sort((a, b) => b.p - a.p),
      ways: steps.map((step) => {
        const way = routeIndex(step);
        return { ...step, success: view.success(way), cost: view.cost(way), remembered: view.looks(way) };
      }),
      // A plain request does not take other exits, whatever is pinned.
      ...(pinned?.proxyType === PLAIN && can(pinned)
        ? { next: pinned, reason: PINNED }
        : { next: chosen, reason: describeBelief(view) }),
    };
  });
  return { site, pinned, pages };
}

const PLAIN: Job['proxyType'] = 'datacenter';
