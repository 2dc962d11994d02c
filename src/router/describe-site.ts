import type { Step } from '../domain/scrape.ts';
import { SCRAPER_NAMES, type ScraperName } from '../domain/scrapers.ts';
import type { PooledType, Task } from '../domain/task.ts';
import { POOLED_TYPES } from '../domain/task.ts';
import { DEFENSES } from './defenses.ts';
import type { Experience } from './experience.ts';
import { REASONS } from './reasons.ts';
import { bestRoute, describeBelief, WEIGHTS_BY_SORT } from './route-choice.ts';
import { routeIndex } from './routes.ts';
import type { SiteKey } from './site-key.ts';

interface DefenseWords {
  readonly name: string;
  /** See `Defense.words`. */
  readonly words: string;
}

/** What is believed about one kind of page of a site. Times are in seconds. */
export interface PageView {
  readonly pattern: string;
  /** All recorded attempts, including old ones that count for little now. */
  readonly attempts: number;
  /** Those with a probability of at least 1 %, the most likely first. */
  readonly defenses: readonly (DefenseWords & { readonly p: number })[];
  /** Which defense it was believed to have since when, the newest first; empty: none was believed with certainty yet. */
  readonly history: readonly (DefenseWords & { readonly at: number })[];
  readonly routes: readonly (Step & {
    readonly success: number;
    readonly effort: number;
    /** Attempts that still count, with their decayed weights. */
    readonly remembered: number;
  })[];
  /** The first step of `auto` for a request that names no proxy type; null: none is available here. */
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
 * What is known about a site (`host` or `host:port`), and which step would be chosen for its pages; null if nothing is known.
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
  const { routes } = experience;
  const indexOf = (step: Step) => routeIndex(step, routes);
  const pages = (patterns ?? []).slice(0, MAX_PAGES).map((pattern): PageView => {
    const outlook = experience.outlook({ site, pattern }, now, []);
    const plain = steps.filter(({ proxyType }) => proxyType === PLAIN);
    const bounds = { secondsLeft: Number.POSITIVE_INFINITY, mustTry: true };
    const best = bestRoute(routes, plain.map(indexOf), outlook, WEIGHTS_BY_SORT.balanced, bounds);
    const chosen = plain.find((step) => indexOf(step) === best?.route) ?? null;
    return {
      pattern,
      attempts: outlook.attemptCount,
      defenses: [...outlook.belief]
        .map((p, index) => ({ name: DEFENSES[index]!.name, words: DEFENSES[index]!.words, p }))
        .filter(({ p }) => p >= MIN_PROBABILITY)
        .sort((a, b) => b.p - a.p),
      history: defenseHistory(experience, { site, pattern }),
      routes: steps.map((step) => {
        const route = indexOf(step);
        return {
          ...step,
          success: outlook.success(route),
          effort: outlook.effort(route),
          remembered: outlook.attempts(route),
        };
      }),
      // A request that names no proxy type never uses other proxy types, even if one is pinned.
      ...(pinned?.proxyType === PLAIN && isAvailable(pinned)
        ? { next: pinned, reason: REASONS.pinned }
        : { next: chosen, reason: describeBelief(outlook) }),
    };
  });
  return { site, pinned, pages };
}

/** The proxy type of a request that names none. */
const PLAIN: Task['proxyType'] = 'datacenter';

function defenseHistory(experience: Experience, key: SiteKey): PageView['history'] {
  const changes = experience.memory.historyOf(key)?.defenseChanges ?? [];
  // Those of other versions may be unknown here.
  return changes.toReversed().flatMap(({ at, defense }) => {
    const known = DEFENSES.find(({ name }) => name === defense);
    return known === undefined ? [] : [{ at, name: known.name, words: known.words }];
  });
}

/** When the defense of a kind of page changed. */
export interface SiteChange {
  /** Seconds. */
  readonly at: number;
  readonly pattern: string;
  readonly before: DefenseWords;
  readonly after: DefenseWords;
}

/** The latest change of a defense at a site (`host` or `host:port`); null: none is known. */
export function lastChange(experience: Experience, site: string): SiteChange | null {
  const changes = (experience.memory.patterns(site) ?? []).flatMap((pattern): readonly SiteChange[] => {
    const [after, before] = defenseHistory(experience, { site, pattern });
    return before === undefined ? [] : [{ at: after!.at, pattern, before, after: after! }];
  });
  return changes.sort((a, b) => b.at - a.at)[0] ?? null;
}
