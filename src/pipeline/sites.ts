import type { SiteTexts } from '../assess/site-texts.ts';
import type { Clock } from '../base/clock.ts';
import type { Step } from '../domain/scrape.ts';
import type { ExperienceStore } from '../ports/experience-store.ts';
import { describeSite, type SiteView } from '../router/describe-site.ts';
import type { Experience } from '../router/experience.ts';
import { pinText } from '../router/pin.ts';

/**
 * What is known of sites, for people. A name without a port is the site of that name used last, where nothing is known of
 * that on the scheme's own port. What changes is stored when it settles; rejects with StorageError.
 */
export interface Sites {
  /** null: nothing is known of it, and nothing pinned. */
  look(site: string): SiteView | null;
  /** null: there are too many pins. */
  pin(site: string, step: Step): Promise<SiteView | null>;
  /** False: nothing was pinned. */
  unpin(site: string): Promise<boolean>;
  /** False: nothing was known. */
  forget(site: string): Promise<boolean>;
}

interface SitesParts {
  readonly experience: Experience;
  readonly texts: Pick<SiteTexts, 'forget'>;
  readonly store: ExperienceStore;
  readonly clock: Clock;
  /** Whether a step can be had here. */
  readonly can: (step: Step) => boolean;
}

/** More than this no administrator reads. */
const PINS_MOST = 10_000;

export function createSites({ experience, texts, store, clock, can }: SitesParts): Sites {
  const { memory, pins } = experience;
  const describe = (site: string) => describeSite(experience, site, clock.now() / 1000, can);
  // Records tell the name alone.
  const named = (name: string) => (describe(name) === null ? memory.lastOf(name) : null) ?? name;
  return {
    look: (name) => describe(named(name)),
    async pin(name, step) {
      const site = named(name);
      if (pins.size >= PINS_MOST && !pins.has(site)) return null;
      await store.put('pin', [{ name: site, at: Math.floor(clock.now() / 1000), data: pinText(step) }]);
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
