import { type SiteTexts, TextMemory } from './assess/site-texts.ts';
import type { Clock } from './base/clock.ts';
import type { Step } from './domain/scrape.ts';
import type { Logging } from './observe/logger.ts';
import { keepExperience } from './pipeline/keep-experience.ts';
import { createProbes, type Probes, type ProbesParts } from './pipeline/probes.ts';
import { createSites, type Sites } from './pipeline/sites.ts';
import type { Store } from './ports/store.ts';
import { Experience } from './router/experience.ts';
import { WAYS } from './router/ways.ts';

/** What is learned of sites: in memory, kept in the store, shown. */
export interface Learning {
  readonly experience: Experience;
  /** Only in memory. */
  readonly texts: SiteTexts;
  /** @param can whether a step can be had here */
  sites(can: (step: Step) => boolean): Sites;
  /** null: they may take nothing. To be called before `opened` moves. */
  probes(parts: Omit<ProbesParts, 'experience' | 'onTrouble' | 'clock'>): Probes | null;
}

export interface LearningParts {
  readonly store: Pick<Store, 'experience'>;
  readonly logging: Logging;
  readonly clock: Clock;
}

/** Begins to read what was learned. What is open is put on `opened` at once. */
export function openLearning(opened: AsyncDisposableStack, parts: LearningParts): Learning {
  const { logging, clock } = parts;
  const store = parts.store.experience;
  const experience = new Experience(WAYS);
  const onTrouble = (error: unknown) => logging.logger.error({ err: error }, 'internal error');
  const texts = new TextMemory();
  const kept = keepExperience({ experience, store, clock, onTrouble });
  opened.defer(() => kept.stop());
  return {
    experience,
    texts,
    sites: (can) => createSites({ experience, texts, store, clock, can }),
    probes(more) {
      if (more.budget === 0) return null;
      const probes = createProbes({ ...more, experience, clock, onTrouble });
      opened.defer(() => probes.stop());
      return probes;
    },
  };
}
