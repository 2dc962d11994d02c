import { randomUUID } from 'node:crypto';
import { SiteTextMemory, type SiteTexts } from './assess/text-comparison.ts';
import type { Clock } from './base/time.ts';
import type { Step } from './domain/scrape.ts';
import type { Logging } from './observe/logger.ts';
import { Probes, type ProbesDeps } from './pipeline/probes.ts';
import { createSiteDirectory, type SiteDirectory } from './pipeline/site-directory.ts';
import type { SiteLimiter } from './pipeline/site-limiter.ts';
import type { MessageBus } from './ports/coordination.ts';
import type { Store } from './ports/store.ts';
import { Experience } from './router/experience.ts';
import { ROUTES, vendorRoute } from './router/routes.ts';
import { RuleHistory } from './router/rule-history.ts';
import type { Vendors } from './scrapers/vendor/create-vendors.ts';
import { startExperienceKeeper } from './upkeep/experience-keeper.ts';
import { ExperienceSharing } from './upkeep/experience-sharing.ts';
import { startRuleHistoryKeeper } from './upkeep/rule-history-keeper.ts';

/** What the service learns about sites: it is in memory, stored in the background, and shown to administrators. */
export interface Learning {
  readonly experience: Experience;
  /** Of `extract`. */
  readonly rules: RuleHistory;
  /** Texts of pages, for comparison. Not stored. */
  readonly texts: SiteTexts;
  /** For administrators. @param isAvailable whether the service can take this step with its configuration */
  sites(isAvailable: (step: Step) => boolean, limiter: Pick<SiteLimiter, 'paces'>): SiteDirectory;
  /** null: the budget for probes is 0. Must be called before `opened` is moved. */
  probes(deps: Omit<ProbesDeps, 'experience' | 'onError' | 'clock'>): Probes | null;
}

export interface LearningDeps {
  readonly store: Pick<Store, 'experience' | 'experienceLog'>;
  readonly bus: MessageBus;
  readonly vendors: Pick<Vendors, 'list' | 'onReplaced'>;
  readonly logging: Logging;
  readonly clock: Clock;
}

/**
 * Starts to read the stored experience.
 * @param opened ends the background work when it is disposed
 */
export function openLearning(
  opened: AsyncDisposableStack,
  { store: { experience: store, experienceLog: log }, bus, vendors, logging, clock }: LearningDeps,
): Learning {
  const experience = new Experience(ROUTES);
  const addVendors = () =>
    experience.addRoutes(
      vendors
        .list()
        .flatMap(({ scraper, proxyTypes, effort, paidBy }) =>
          proxyTypes.map((proxyType) => vendorRoute({ scraper, proxyType }, { units: effort, paidBy })),
        ),
    );
  addVendors();
  vendors.onReplaced = addVendors;
  const onError = (error: unknown) =>
    logging.logger.error({ err: error }, 'unexpected error in probes or while storing experience');
  const texts = new SiteTextMemory();
  const sharing = log === null ? null : new ExperienceSharing(experience, { log, bus, origin: randomUUID() });
  const keeper = startExperienceKeeper({ experience, store, sharing, clock, onError });
  opened.defer(() => keeper.stop());
  const rules = new RuleHistory();
  const ruleKeeper = startRuleHistoryKeeper({ rules, store, isShared: log !== null, clock, onError });
  opened.defer(() => ruleKeeper.stop());
  return {
    experience,
    rules,
    texts,
    sites: (isAvailable, limiter) =>
      createSiteDirectory({ experience, texts, store, clock, isAvailable, limiter }),
    probes(deps) {
      if (deps.budget === 0) return null;
      const probes = new Probes({ ...deps, experience, clock, onError });
      opened.defer(() => probes.stop());
      return probes;
    },
  };
}
