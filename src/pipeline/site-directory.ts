import type { SiteTexts } from '../assess/text-comparison.ts';
import type { Clock } from '../base/time.ts';
import type { Step } from '../domain/scrape.ts';
import type { ExperienceStore } from '../ports/store.ts';
import { describeSite, type SiteView } from '../router/describe-site.ts';
import type { Experience } from '../router/experience.ts';
import { serializePin } from '../router/site-memory.ts';

/**
 * What is known of sites, for people. A name without a port is the site of that name used last, where nothing is known of
 * that on the scheme's own port. What changes is stored when it settles; rejects with StorageError.
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
  /** Whether a step can be had here. */
  readonly can: (step: Step) => boolean;
}

/** More than this no administrator reads. */
const MAX_PINS = 10_000;

export function createSiteDirectory({
  experience,
  texts,
  store,
  clock,
  can,
}: SiteDirectoryDeps): SiteDirectory {
  const { memory, pins } = experience;
  const describe = (site: string) => describeSite(experience, site, clock.now() / 1000, can);
  // Records tell the name alone.
  const named = (name: string) => (describe(name) === null ? memory.latestSiteOf(name) : null) ?? name;
  return {
    describe: (name) => describe(named(name)),
    async pin(name, step) {
      const site = named(name);
      if (pins.size >= MAX_PINS && !pins.has(site)) return null;
      await store.put('pin', [{ name: site, at: Math.floor(clock.now() / 1000), data: serializePin(step) }]);
      pins.set(site, step);
      return describe(site);
    },
    async unpin(name) {
      const site = named(name);
      await store.delete('pin', site);
      return pins.delete(site);
    },
    async forget(name) {
      const site = named(name);
      await store.delete('site', site);
      texts.forget(site);
      return memory.forget(site);
    },
  };
}
