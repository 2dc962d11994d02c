import { SiteTextMemory, type SiteTexts } from './assess/text-comparison.ts';
import type { Clock } from './base/time.ts';
import type { Step } from './domain/scrape.ts';
import type { Logging } from './observe/logger.ts';
import { Probes, type ProbesDeps } from './pipeline/probes.ts';
import { createSiteDirectory, type SiteDirectory } from './pipeline/site-directory.ts';
import type { Store } from './ports/store.ts';
import { Experience } from './router/experience.ts';
import { ROUTES } from './router/routes.ts';
import { startExperienceKeeper } from './upkeep/experience-keeper.ts';

/** What is learned of sites: held in memory, kept in the store, shown to administrators. */
export interface Learning {
  readonly experience: Experience;
  /** Only in memory. */
  readonly texts: SiteTexts;
  /** @param isAvailable whether a step is available here */
  sites(isAvailable: (step: Step) => boolean): SiteDirectory;
  /** null: they may take nothing. To be called before `opened` moves. */
  probes(deps: Omit<ProbesDeps, 'experience' | 'onError' | 'clock'>): Probes | null;
}

export interface LearningDeps {
  readonly store: Pick<Store, 'experience'>;
  readonly logging: Logging;
  readonly clock: Clock;
}

/** Begins to read what was learned. What is open is put on `opened` at once. */
export function openLearning(
  opened: AsyncDisposableStack,
  { store: { experience: store }, logging, clock }: LearningDeps,
): Learning {
  const experience = new Experience(ROUTES);
  const onError = (error: unknown) => logging.logger.error({ err: error }, 'internal error');
  const texts = new SiteTextMemory();
  const kept = startExperienceKeeper({ experience, store, clock, onError });
  opened.defer(() => kept.stop());
  return {
    experience,
    texts,
    sites: (isAvailable) => createSiteDirectory({ experience, texts, store, clock, isAvailable }),
    probes(deps) {
      if (deps.budget === 0) return null;
      const probes = new Probes({ ...deps, experience, clock, onError });
      opened.defer(() => probes.stop());
      return probes;
    },
  };
}
