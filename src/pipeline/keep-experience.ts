import type { Clock } from '../base/clock.ts';
import type { ExperienceStore } from '../ports/experience-store.ts';
import { StorageError } from '../ports/storage-error.ts';
import type { Experience } from '../router/experience.ts';
import { readPin } from '../router/pin.ts';
import { readSite, type Site, siteText, TABLES_NAME } from '../router/site-text.ts';
import { type Rounds, startRounds } from './rounds.ts';

export interface KeepExperienceParts {
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
const AT_ONCE = 500;
const READ_MOST = 50_000;
const PINS_MOST = 10_000;

/** Reads what was learned, in the background, then stores what is learned in batches, until `stop` has settled. */
export function keepExperience({ experience, store, clock, onTrouble }: KeepExperienceParts): Rounds {
  const { memory, population, pins } = experience;
  const seconds = () => Math.floor(clock.now() / 1000);
  let isRead = false;
  let tablesDue = clock.monotonic() + TABLES_EVERY_MS;
  let sweepDue = clock.monotonic();

  async function readAll(isStopped: () => boolean): Promise<void> {
    for (const { name, data } of await store.list('pin', PINS_MOST, 0)) {
      const step = readPin(data);
      if (step !== null && !pins.has(name)) pins.set(name, step);
    }
    const [tables] = (await store.list('tables', 10, 0)).filter(({ name }) => name === TABLES_NAME);
    if (tables !== undefined) population.restore(tables.data);
    const kept: [string, Site][] = [];
    for (let skip = 0; skip < READ_MOST && !isStopped(); skip += AT_ONCE) {
      const rows = await store.list('site', AT_ONCE, skip);
      for (const { name, data } of rows) {
        const site = readSite(data);
        if (site !== null) kept.push([name, site]);
      }
      if (rows.length < AT_ONCE) break;
    }
    memory.restore(kept);
    isRead = true;
  }

  async function flush(): Promise<void> {
    for (;;) {
      const changed = memory.takeChanged(AT_ONCE);
      if (changed.length === 0) return;
      const at = seconds();
      try {
        await store.put(
          'site',
          changed.map(([name, site]) => ({ name, at, data: siteText(site) })),
        );
      } catch (error) {
        memory.stillChanged(changed.map(([name]) => name));
        throw error;
      }
    }
  }

  async function flushTables(): Promise<void> {
    await store.put('tables', [{ name: TABLES_NAME, at: seconds(), data: population.text() }]);
    tablesDue = clock.monotonic() + TABLES_EVERY_MS;
  }

  const failed = (error: unknown) => {
    if (!(error instanceof StorageError)) onTrouble(error);
  };
  const rounds = startRounds({ everyMs: EVERY_MS, onTrouble: failed }, async (isStopped) => {
    if (!isRead) await readAll(isStopped);
    await flush();
    if (clock.monotonic() >= tablesDue && population.isTaught) await flushTables();
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
        if (population.isTaught) await flushTables();
      } catch (error) {
        // A disk that is full must not make an orderly end look like a failure: what is lost is learned again.
        failed(error);
      }
    },
  };
}
