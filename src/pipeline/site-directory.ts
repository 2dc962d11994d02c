import type { SiteTexts } from '../assess/text-comparison.ts';
import type { Clock } from '../base/time.ts';
import type { Step } from '../domain/scrape.ts';
import type { ExperienceStore } from '../ports/store.ts';
import { describeSite, type SiteView } from '../router/describe-site.ts';
import type { Experience } from '../router/experience.ts';
import { serializePin } from '../router/site-memory.ts';

/**
 * What is known of sites, for administrators. A host name without a port stands for the site on the default port, or where
 * nothing is known of that, for the site of that name used last. Changes are stored when the promise settles, which rejects
 * with StorageError.
 */
export interface SiteDirectory {
  /** null: nothing is known of it, and nothing pinned. */
  describe(site: string): SiteView | null;
  /** null: there are too many pins. */
  pin(site: string, step: Step): Promise<SiteView | null>;
  /** False: nothing was pinned. */
  unpin(site: string): Promise<boolean>;
  /** False: nothing was known. */
  forget(site: string): Promise<boolean>;
}

interface SiteDirectoryDeps {
  readonly experience: Experience;
  readonly texts: Pick<SiteTexts, 'forget'>;
  readonly store: ExperienceStore;
  readonly clock: Clock;
  /** Whether a step is available here. */
  readonly isAvailable: (step: Step) => boolean;
}

/** No administrator reads more. */
const MAX_PINS = 10_000;

export function createSiteDirectory({
  experience,
  texts,
  store,
  clock,
  isAvailable,
}: SiteDirectoryDeps): SiteDirectory {
  const { memory, pins } = experience;
  const describe = (site: string) => describeSite(experience, site, clock.now() / 1000, isAvailable);
  // Records have the name alone.
  const siteOf = (name: string) => (describe(name) === null ? memory.latestSiteOf(name) : null) ?? name;
  return {
    describe: (name) => describe(siteOf(name)),
    async pin(name, step) {
      const site = siteOf(name);
      if (pins.size >= MAX_PINS && !pins.has(site)) return null;
      await store.put('pin', [{ name: site, at: Math.floor(clock.now() / 1000), data: serializePin(step) }]);
      pins.set(site, step);
      return describe(site);
    },
    async unpin(name) {
      const site = siteOf(name);
      await store.delete('pin', site);
      return pins.delete(site);
    },
    async forget(name) {
      const site = siteOf(name);
      await store.delete('site', site);
      texts.forget(site);
      return memory.forget(site);
    },
  };
}
