import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite-store.ts';
import type { ExperienceStore } from '../../src/ports/store.ts';
import { Experience } from '../../src/router/experience.ts';
import { OK } from '../../src/router/observations.ts';
import { ROUTES, routeIndex } from '../../src/router/routes.ts';
import { startExperienceKeeper } from '../../src/upkeep/experience-keeper.ts';
import { afterwards, tempFolder } from '../adapters/temp.ts';
import { eventually } from '../helpers/service.ts';

const NOW = 1_900_000_000;
const HTTP = routeIndex({ scraper: 'http', proxyType: 'datacenter' });
const DAY = 86_400;

async function keeping(t: TestContext) {
  const file = join(tempFolder(t), 'sluice.db');
  const opened = await openSqliteStore({ file, durability: 'normal' });
  afterwards(t, () => opened.close());
  /** How many sites each batch had, as it ended. */
  const batches: number[] = [];
  const store: ExperienceStore = {
    list: (...of) => opened.experience.list(...of),
    delete: (...of) => opened.experience.delete(...of),
    sweep: (...of) => opened.experience.sweep(...of),
    async put(kind, rows) {
      await opened.experience.put(kind, rows).finally(() => {
        if (kind === 'site') batches.push(rows.length);
      });
    },
  };
  const clock = { now: () => NOW * 1000, monotonic: () => performance.now() };
  const troubles: unknown[] = [];
  afterwards(t, () => assert.deepEqual(troubles, []));
  return {
    batches,
    file,
    store,
    keep(experience: Experience) {
      return startExperienceKeeper({
        experience,
        store,
        sharing: null,
        clock,
        onError: (error) => troubles.push(error),
      });
    },
  };
}

function learn(experience: Experience, sites: number): void {
  for (let n = 0; n < sites; n++)
    experience.record({ site: `site-${n}.test`, pattern: '/' }, NOW, { route: HTTP, observation: OK }, null);
}

const isKnown = ({ memory }: Experience, site: string) => memory.patterns(site) !== null;

test('what was learned is stored in batches, each site once until it changes, and read at the next start', async (t) => {
  const { batches, keep } = await keeping(t);
  const experience = new Experience(ROUTES);
  learn(experience, 1_203);
  const first = keep(experience);
  await eventually(() => batches.length === 3);
  assert.deepEqual(batches, [500, 500, 203]);
  await first.stop();
  assert.equal(batches.length, 3, 'nothing has changed since');

  const next = new Experience(ROUTES);
  const second = keep(next);
  await eventually(() => next.memory.size === 1_203);
  await second.stop();
  assert.equal(batches.length, 3, 'what was read is no change');
  assert.ok(next.population.hasLearned, 'the tables for all sites too');
  const key = { site: 'site-777.test', pattern: '/' };
  const p = (of: Experience) => of.outlook(key, NOW, []).success(HTTP);
  assert.ok(Math.abs(p(next) - p(experience)) < 0.01, `${p(next)} ${p(experience)}`);
});

test('what cannot be stored is kept in memory, and stored when that works again', async (t) => {
  const { batches, file, keep } = await keeping(t);
  const other = new Database(file);
  afterwards(t, () => other.close());
  const earlier = new Experience(ROUTES);
  learn(earlier, 1);
  await keep(earlier).stop();
  const experience = new Experience(ROUTES);
  const kept = keep(experience);
  await eventually(() => experience.memory.size === 1);
  const from = batches.length;
  other.exec('ALTER TABLE experience RENAME TO elsewhere');
  learn(experience, 600);
  await eventually(() => batches.length > from, 15_000);
  assert.deepEqual(batches.slice(from), [500], 'the first that fails ends the round');
  other.exec('ALTER TABLE elsewhere RENAME TO experience');
  await kept.stop();
  assert.equal(
    batches.slice(from + 1).reduce((sum, one) => sum + one, 0),
    600,
    'none is lost, none stored twice',
  );
  const next = new Experience(ROUTES);
  const again = keep(next);
  await eventually(() => next.memory.size === 600);
  await again.stop();
});

test('a disk that is full at the end does not make it fail', async (t) => {
  const { file, keep } = await keeping(t);
  const other = new Database(file);
  const experience = new Experience(ROUTES);
  const kept = keep(experience);
  other.exec('ALTER TABLE experience RENAME TO elsewhere');
  other.close();
  learn(experience, 3);
  await kept.stop();
  assert.ok(isKnown(experience, 'site-2.test'));
});

test('what was not used for a month is swept; what another version kept, or nobody can read, is not read', async (t) => {
  const { store, keep } = await keeping(t);
  const experience = new Experience(ROUTES);
  learn(experience, 2);
  const before = keep(experience);
  await before.stop();
  const [row] = await store.list('site', 1, 0);
  const { data } = row!;
  await store.put('site', [
    { name: 'old.test', at: NOW - 31 * DAY, data },
    { name: 'younger.test', at: NOW - 29 * DAY, data },
    { name: 'broken.test', at: NOW, data: '{' },
    { name: 'other.test', at: NOW, data: data.replace('"tables":"1 ', '"tables":"0 ') },
  ]);
  const next = new Experience(ROUTES);
  const kept = keep(next);
  await eventually(() => isKnown(next, 'younger.test'));
  for (const name of ['broken.test', 'other.test']) assert.equal(isKnown(next, name), false, name);
  await eventually(async () => !(await store.list('site', 100, 0)).some(({ name }) => name === 'old.test'));
  await kept.stop();
});
