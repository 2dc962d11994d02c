import { SiteTextMemory, type SiteTexts } from './assess/text-comparison.ts';
import type { Clock } from './base/time.ts';
import type { Step } from './domain/scrape.ts';
import type { Logging } from './observe/logger.ts';
import { createProbes, type Probes, type ProbesDeps } from './pipeline/probes.ts';
import { createSiteDirectory, type SiteDirectory } from './pipeline/site-directory.ts';
import type { Store } from './ports/store.ts';
import { Experience } from './router/experience.ts';
import { ROUTES } from './router/routes.ts';
import { startExperienceKeeper } from './upkeep/experience-keeper.ts';

/** What is learned of sites: in memory, kept in the store, shown. */
export interface Learning {
  readonly experience: Experience;
  /** Only in memory. */
  readonly texts: SiteTexts;
  /** @param can whether a step can be had here */
  sites(can: (step: Step) => boolean): SiteDirectory;
  /** null: they may take nothing. To be called before `opened` moves. */
  probes(parts: Omit<ProbesDeps, 'experience' | 'onTrouble' | 'clock'>): Probes | null;
}

export interface LearningDeps {
  readonly store: Pick<Store, 'experience'>;
  readonly logging: Logging;
  readonly clock: Clock;
}

/** Begins to read what was learned. What is open is put on `opened` at once. */
export function openLearning(opened: AsyncDisposableStack, parts: LearningDeps): Learning {
  const { logging, clock } = parts;
  const store = parts.store.experience;
  const experience = new Experience(ROUTES);
  const onTrouble = (error: unknown) => logging.logger.error({ err: error }, 'internal error');
  const texts = new SiteTextMemory();
  const kept = startExperienceKeeper({ experience, store, clock, onTrouble });
  opened.defer(() => kept.stop());
  return {
    experience,
    texts,
    sites: (can) => createSiteDirectory({ experience, texts, store, clock, can }),
    probes(more) {
      if (more.budget === 0) return null;
      const probes = createProbes({ ...more, experience, clock, onTrouble });
      opened.defer(() => probes.stop());
      return probes;
    },
  };
}
