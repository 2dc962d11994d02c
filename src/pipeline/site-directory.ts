import type { SiteTexts } from '../assess/text-comparison.ts';
import type { Clock } from '../base/time.ts';
import type { Step } from '../domain/scrape.ts';
import type { ExperienceStore } from '../ports/store.ts';
import { describeSite, lastChange, type SiteChange, type SiteView } from '../router/describe-site.ts';
import type { Experience } from '../router/experience.ts';
import { type LearnedRoute, learnedRoutes } from '../router/learned-routes.ts';
import { serializePin } from '../router/site-memory.ts';
import type { SiteLimiter } from './site-limiter.ts';
import type { KnownPace } from './site-pacer.ts';

/**
 * The knowledge about sites, for administrators. A host name without a port means the site on the default port; if nothing is
 * known about that, the site of that name with the most attempts. A change is stored when its promise resolves; the promise
 * rejects with StorageError.
 */
export interface SiteDirectory {
  /** null: nothing is known about the site, and no step is pinned for it. */
  describe(site: string): SiteView | null;
  /**
   * What is learned of steps at the sites of these hosts, which have no port: if there are several of a name, at the one with the
   * most attempts. Unknown ones are missing.
   */
  learned(hostnames: ReadonlySet<string>): ReadonlyMap<string, (step: Step) => LearnedRoute | null>;
  /** The latest changes of defenses at these sites, as `learned` looks them up. Those without one are missing. */
  changes(hostnames: ReadonlySet<string>): ReadonlyMap<string, SiteChange>;
  /** See `SitePacer.paces`. */
  paces(hostnames: ReadonlySet<string>): Promise<ReadonlyMap<string, KnownPace>>;
  /** Pins the first step of `auto`. @returns null: there are too many pins */
  pin(site: string, step: Step): Promise<SiteView | null>;
  /** @returns false: no step was pinned */
  unpin(site: string): Promise<boolean>;
  /** @returns false: nothing was known */
  forget(site: string): Promise<boolean>;
}

interface SiteDirectoryDeps {
  readonly experience: Experience;
  readonly texts: Pick<SiteTexts, 'forget'>;
  readonly store: ExperienceStore;
  readonly clock: Clock;
  /** Whether a step is available here. */
  readonly isAvailable: (step: Step) => boolean;
  readonly limiter: Pick<SiteLimiter, 'paces'>;
}

/** Pins are set by hand; more of them would be a mistake. */
const MAX_PINS = 10_000;

export function createSiteDirectory({
  experience,
  texts,
  store,
  clock,
  isAvailable,
  limiter,
}: SiteDirectoryDeps): SiteDirectory {
  const { memory, pins } = experience;
  const describe = (site: string) => describeSite(experience, site, clock.now() / 1000, isAvailable);
  // Administrators copy names from records, which have no port.
  const siteOf = (name: string) =>
    (describe(name) === null ? memory.mainSitesOf(new Set([name])).get(name) : null) ?? name;
  return {
    describe: (name) => describe(siteOf(name)),
    learned(hostnames) {
      const now = clock.now() / 1000;
      const found = new Map<string, (step: Step) => LearnedRoute | null>();
      for (const [hostname, site] of memory.mainSitesOf(hostnames)) {
        const routes = learnedRoutes(experience, site, now);
        if (routes !== null) found.set(hostname, routes);
      }
      return found;
    },
    changes(hostnames) {
      const found = new Map<string, SiteChange>();
      for (const [hostname, site] of memory.mainSitesOf(hostnames)) {
        const change = lastChange(experience, site);
        if (change !== null) found.set(hostname, change);
      }
      return found;
    },
    paces: (hostnames) => limiter.paces(hostnames),
    async pin(name, step) {
      const site = siteOf(name);
      if (pins.size >= MAX_PINS && !pins.has(site)) return null;
      await store.put('pin', [{ name: site, at: Math.floor(clock.now() / 1000), data: serializePin(step) }]);
      experience.pin(site, step);
      return describe(site);
    },
    async unpin(name) {
      const site = siteOf(name);
      await store.delete('pin', site);
      const wasPinned = pins.has(site);
      experience.pin(site, null);
      return wasPinned;
    },
    async forget(name) {
      const site = siteOf(name);
      await store.delete('site', site);
      texts.forget(site);
      return experience.forget(site);
    },
  };
}
