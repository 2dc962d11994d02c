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
import {
  type ExperienceSharing,
  type IncludedChanges,
  splitIncluded,
  withIncluded,
} from './experience-sharing.ts';

export interface ExperienceKeeperDeps {
  readonly experience: Experience;
  readonly store: ExperienceStore;
  /** null: there are no other replicas. */
  readonly sharing: ExperienceSharing | null;
  readonly clock: Clock;
  /** Called with unexpected errors. Errors of the storage are left out: the next stored record reports them. */
  readonly onError: (error: unknown) => void;
}

const FLUSH_INTERVAL_MS = 5_000;
/** With other replicas: what one has learned is used by all within two intervals. */
const SHARED_INTERVAL_MS = 2_000;
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
  const { experience, store, sharing, clock } = deps;
  const { population } = experience;
  const epochSeconds = () => Math.floor(clock.now() / 1000);
  let loaded = false;
  let tablesDue = clock.monotonic() + TABLES_INTERVAL_MS;
  let sweepDue = clock.monotonic();

  const onError = (error: unknown) => {
    if (!(error instanceof StorageError)) deps.onError(error);
  };
  const flush = async (withTables: boolean) => {
    let tablesWanted = withTables && population.hasLearned;
    for (let isMore = true; isMore; ) {
      sharing?.take();
      const tables = tablesWanted ? population.serialize() : null;
      isMore = await flushSites(deps, tables, epochSeconds());
      if (tables === null) continue;
      tablesDue = clock.monotonic() + TABLES_INTERVAL_MS;
      tablesWanted = false;
    }
  };
  const pauseMs = sharing === null ? FLUSH_INTERVAL_MS : SHARED_INTERVAL_MS;
  const loop = startBackgroundLoop({ pauseMs, onError }, async (isStopped) => {
    if (!loaded) {
      await loadExperience(deps, isStopped);
      loaded = true;
    }
    await flush(clock.monotonic() >= tablesDue);
    await sharing?.read();
    if (clock.monotonic() < sweepDue) return;
    sweepDue = clock.monotonic() + SWEEP_INTERVAL_MS;
    await store.sweep('site', epochSeconds() - RETENTION_S);
    await sharing?.sweep();
  });
  sharing?.start(() => loop.wake());
  return {
    async stop() {
      sharing?.stop();
      await loop.stop();
      if (!loaded) return;
      try {
        await flush(true);
      } catch (error) {
        // A full disk must not make the shutdown fail. What is lost will be learned again.
        onError(error);
      }
    },
  };
}

async function loadExperience(
  { experience: { memory, population, pins, routes }, store, sharing }: ExperienceKeeperDeps,
  isStopped: () => boolean,
): Promise<void> {
  for (const { name, data } of await store.list('pin', MAX_PINS_READ, 0)) {
    const step = parsePin(data);
    if (step !== null && !pins.has(name)) pins.set(name, step);
  }
  // There may also be rows of earlier versions, but fewer than 10.
  const [tables] = (await store.list('tables', 10, 0)).filter(({ name }) => name === TABLES_VERSION);
  const [inTables, tablesData] = tables === undefined ? [null, null] : splitIncluded(tables.data);
  if (tablesData !== null) population.restore(tablesData);
  const sites: [string, SiteKnowledge][] = [];
  const included = new Map<string, IncludedChanges>();
  for (let skip = 0; skip < MAX_SITES_READ && !isStopped(); skip += BATCH_SIZE) {
    const rows = await store.list('site', BATCH_SIZE, skip);
    for (const { name, data } of rows) {
      const [inSite, siteData] = splitIncluded(data);
      const site = parseSite(siteData, routes);
      if (site === null) continue;
      sites.push([name, site]);
      if (inSite !== null) included.set(name, inSite);
    }
    if (rows.length < BATCH_SIZE) break;
  }
  memory.restore(sites);
  await sharing?.read(included, inTables);
}

/**
 * Stores at most `BATCH_SIZE` changed sites, and the tables.
 * @param tables the serialized tables; null: they are not stored now
 * @returns whether there may be more changed sites
 */
async function flushSites(
  { experience: { memory, routes }, store, sharing }: ExperienceKeeperDeps,
  tables: string | null,
  at: number,
): Promise<boolean> {
  const changed = memory.takeChanged(BATCH_SIZE);
  const sites = changed.map(([name, site]) => ({ name, at, data: serializeSite(site, routes) }));
  try {
    const included = (await sharing?.append()) ?? null;
    const rowOf = ({ name, data }: { readonly name: string; readonly data: string }) => ({
      name,
      at,
      data: included === null ? data : withIncluded(included, data),
    });
    if (sites.length > 0) await store.put('site', sites.map(rowOf));
    if (tables !== null) await store.put('tables', [rowOf({ name: TABLES_VERSION, data: tables })]);
  } catch (error) {
    memory.markChanged(changed.map(([name]) => name));
    throw error;
  }
  return changed.length === BATCH_SIZE;
}
