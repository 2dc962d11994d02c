import type { Clock } from '../base/time.ts';
import type { ExperienceStore } from '../ports/store.ts';
import { StorageError } from '../ports/store.ts';
import type { Experience } from '../router/experience.ts';
import {
  parsePin,
  parseSite,
  type SiteKnowledge,
  serializeSite,
  TABLES_VERSION,
} from '../router/site-memory.ts';
import { type BackgroundLoop, startBackgroundLoop } from './background-loop.ts';

export interface ExperienceKeeperDeps {
  readonly experience: Experience;
  readonly store: ExperienceStore;
  readonly clock: Clock;
  /** Called with unexpected errors. Errors of the storage are left out: the next stored record reports them. */
  readonly onError: (error: unknown) => void;
}

const FLUSH_INTERVAL_MS = 5_000;
/** Interval at which the statistics of all sites (`Experience.population`) are stored, as the kind `tables`. */
const TABLES_INTERVAL_MS = 60_000;
const SWEEP_INTERVAL_MS = 3_600_000;
/** Older knowledge about a site is deleted: the router would ignore it. */
const RETENTION_S = 30 * 86_400;
const BATCH_SIZE = 500;
/** At the start, only the sites that changed last are read; others are learned again. */
const MAX_SITES_READ = 50_000;
const MAX_PINS_READ = 10_000;

/** Reads the stored experience, then stores changes in batches, in the background, until `stop` has settled. */
export function startExperienceKeeper(deps: ExperienceKeeperDeps): BackgroundLoop {
  const { experience, store, clock } = deps;
  const { population } = experience;
  const epochSeconds = () => Math.floor(clock.now() / 1000);
  let loaded = false;
  let tablesDue = clock.monotonic() + TABLES_INTERVAL_MS;
  let sweepDue = clock.monotonic();

  const onError = (error: unknown) => {
    if (!(error instanceof StorageError)) deps.onError(error);
  };
  const loop = startBackgroundLoop({ pauseMs: FLUSH_INTERVAL_MS, onError }, async (isStopped) => {
    if (!loaded) {
      await loadExperience(experience, store, isStopped);
      loaded = true;
    }
    await flushSites(experience, store, epochSeconds());
    if (clock.monotonic() >= tablesDue && population.hasLearned) {
      await flushTables(experience, store, epochSeconds());
      tablesDue = clock.monotonic() + TABLES_INTERVAL_MS;
    }
    if (clock.monotonic() < sweepDue) return;
    sweepDue = clock.monotonic() + SWEEP_INTERVAL_MS;
    await store.sweep('site', epochSeconds() - RETENTION_S);
  });
  return {
    async stop() {
      await loop.stop();
      if (!loaded) return;
      try {
        await flushSites(experience, store, epochSeconds());
        if (population.hasLearned) await flushTables(experience, store, epochSeconds());
      } catch (error) {
        // A full disk must not make the shutdown fail. What is lost will be learned again.
        onError(error);
      }
    },
  };
}

async function loadExperience(
  { memory, population, pins }: Experience,
  store: ExperienceStore,
  isStopped: () => boolean,
): Promise<void> {
  for (const { name, data } of await store.list('pin', MAX_PINS_READ, 0)) {
    const step = parsePin(data);
    if (step !== null && !pins.has(name)) pins.set(name, step);
  }
  // There may also be rows of earlier versions, but fewer than 10.
  const [tables] = (await store.list('tables', 10, 0)).filter(({ name }) => name === TABLES_VERSION);
  if (tables !== undefined) population.restore(tables.data);
  const sites: [string, SiteKnowledge][] = [];
  for (let skip = 0; skip < MAX_SITES_READ && !isStopped(); skip += BATCH_SIZE) {
    const rows = await store.list('site', BATCH_SIZE, skip);
    for (const { name, data } of rows) {
      const site = parseSite(data);
      if (site !== null) sites.push([name, site]);
    }
    if (rows.length < BATCH_SIZE) break;
  }
  memory.restore(sites);
}

async function flushSites(
  { memory }: Experience,
  store: ExperienceStore,
  epochSeconds: number,
): Promise<void> {
  for (;;) {
    const changed = memory.takeChanged(BATCH_SIZE);
    if (changed.length === 0) return;
    const rows = changed.map(([name, site]) => ({ name, at: epochSeconds, data: serializeSite(site) }));
    try {
      await store.put('site', rows);
    } catch (error) {
      memory.markChanged(changed.map(([name]) => name));
      throw error;
    }
  }
}

async function flushTables(
  { population }: Experience,
  store: ExperienceStore,
  epochSeconds: number,
): Promise<void> {
  await store.put('tables', [{ name: TABLES_VERSION, at: epochSeconds, data: population.serialize() }]);
}
