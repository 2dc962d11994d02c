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
  /** Told of what is not the storage's trouble; that is seen where records are stored. */
  readonly onTrouble: (error: unknown) => void;
}

const EVERY_MS = 5_000;
const TABLES_EVERY_MS = 60_000;
const SWEEP_EVERY_MS = 3_600_000;
/** What was learned is forgotten by itself long before. */
const KEPT_S = 30 * 86_400;
const BATCH_SIZE = 500;
const MAX_SITES_READ = 50_000;
const MAX_PINS_READ = 10_000;

/** Reads what was learned, in the background, then stores what is learned in batches, until `stop` has settled. */
export function startExperienceKeeper({
  experience,
  store,
  clock,
  onTrouble,
}: ExperienceKeeperDeps): BackgroundLoop {
  const { memory, population, pins } = experience;
  const seconds = () => Math.floor(clock.now() / 1000);
  let isRead = false;
  let tablesDue = clock.monotonic() + TABLES_EVERY_MS;
  let sweepDue = clock.monotonic();

  async function readAll(isStopped: () => boolean): Promise<void> {
    for (const { name, data } of await store.list('pin', MAX_PINS_READ, 0)) {
      const step = parsePin(data);
      if (step !== null && !pins.has(name)) pins.set(name, step);
    }
    const [tables] = (await store.list('tables', 10, 0)).filter(({ name }) => name === TABLES_VERSION);
    if (tables !== undefined) population.restore(tables.data);
    const kept: [string, SiteKnowledge][] = [];
    for (let skip = 0; skip < MAX_SITES_READ && !isStopped(); skip += BATCH_SIZE) {
      const rows = await store.list('site', BATCH_SIZE, skip);
      for (const { name, data } of rows) {
        const site = parseSite(data);
        if (site !== null) kept.push([name, site]);
      }
      if (rows.length < BATCH_SIZE) break;
    }
    memory.restore(kept);
    isRead = true;
  }

  async function flush(): Promise<void> {
    for (;;) {
      const changed = memory.takeChanged(BATCH_SIZE);
      if (changed.length === 0) return;
      const at = seconds();
      try {
        await store.put(
          'site',
          changed.map(([name, site]) => ({ name, at, data: serializeSite(site) })),
        );
      } catch (error) {
        memory.markChanged(changed.map(([name]) => name));
        throw error;
      }
    }
  }

  async function flushTables(): Promise<void> {
    await store.put('tables', [{ name: TABLES_VERSION, at: seconds(), data: population.serialize() }]);
    tablesDue = clock.monotonic() + TABLES_EVERY_MS;
  }

  const failed = (error: unknown) => {
    if (!(error instanceof StorageError)) onTrouble(error);
  };
  const rounds = startBackgroundLoop({ everyMs: EVERY_MS, onTrouble: failed }, async (isStopped) => {
    if (!isRead) await readAll(isStopped);
    await flush();
    if (clock.monotonic() >= tablesDue && population.hasLearned) await flushTables();
    if (clock.monotonic() < sweepDue) return;
    sweepDue = clock.monotonic() + SWEEP_EVERY_MS;
    await store.sweep('site', seconds() - KEPT_S);
  });
  return {
    async stop() {
      await rounds.stop();
      if (!isRead) return;
      try {
        await flush();
        if (population.hasLearned) await flushTables();
      } catch (error) {
        // A disk that is full must not make an orderly end look like a failure: what is lost is learned again.
        failed(error);
      }
    },
  };
}
