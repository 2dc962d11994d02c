import type { SiteTexts } from '../assess/site-texts.ts';
import type { Clock } from '../base/clock.ts';
import type { Step } from '../domain/scrape.ts';
import type { ExperienceStore } from '../ports/experience-store.ts';
import { describeSite, type SiteView } from '../router/describe-site.ts';
import type { Experience } from '../router/experience.ts';
import { pinText } from '../router/pin.ts';

/** What is known of sites, for people. What changes is stored when it settles; rejects with StorageError. */
export interface Sites {
  /** null: nothing is known of it, and nothing pinned. A name without a port: the site of that name used last, if that has one. */
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
  const look = (site: string) => {
    const found = describe(site);
    if (found !== null) return found;
    // Records tell the name alone.
    const onPort = memory.lastOf(site);
    return onPort === null ? null : describe(onPort);
  };
  return {
    look,
    async pin(site, step) {
      if (pins.size >= PINS_MOST && !pins.has(site)) return null;
      await store.put('pin', [{ name: site, at: Math.floor(clock.now() / 1000), data: pinText(step) }]);
      pins.set(site, step);
      return look(site);
    },
    async unpin(site) {
      await store.delete('pin', site);
      return pins.delete(site);
    },
    async forget(site) {
      await store.delete('site', site);
      texts.forget(site);
      return memory.forget(site);
    },
  };
}
