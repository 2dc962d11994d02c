import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExperienceLog, LoggedChanges } from '../../src/ports/experience-log.ts';
import type { ExperienceKind, ExperienceRow, ExperienceStore } from '../../src/ports/store.ts';
import { StorageError } from '../../src/ports/store.ts';
import { Experience } from '../../src/router/experience.ts';
import { OK, SHELL } from '../../src/router/observations.ts';
import { ROUTES, routeIndex } from '../../src/router/routes.ts';
import { startExperienceKeeper } from '../../src/upkeep/experience-keeper.ts';
import { ExperienceSharing } from '../../src/upkeep/experience-sharing.ts';
import { inProcess } from '../helpers/in-process.ts';
import { eventually } from '../helpers/service.ts';

const NOW = 1_900_000_000;
const HTTP = routeIndex({ scraper: 'http', proxyType: 'datacenter' });
const BROWSER = routeIndex({ scraper: 'browser', proxyType: 'datacenter' });
const KEY = { site: 'a.test:443', pattern: '/' };

/** A storage that several replicas share, in memory. `fails`: methods reject. */
function sharedStorage() {
  const rows = new Map<string, ExperienceRow & { readonly kind: ExperienceKind }>();
  const batches: (LoggedChanges & { readonly batch: number })[] = [];
  const storage = { fails: false };
  const check = () => {
    if (storage.fails) throw new StorageError('the test lets it fail');
  };
  const store: ExperienceStore = {
    async put(kind, changed) {
      check();
      for (const row of changed) rows.set(`${kind} ${row.name}`, { kind, ...row });
    },
    async list(kind, limit, skip) {
      check();
      return [...rows.values()].filter((row) => row.kind === kind).slice(skip, skip + limit);
    },
    async delete(kind, name) {
      check();
      rows.delete(`${kind} ${name}`);
    },
    async sweep() {},
  };
  const log: ExperienceLog = {
    async append(origin, batch, data) {
      check();
      const known = batches.find((one) => one.origin === origin && one.batch === batch);
      if (known !== undefined) return known.position;
      batches.push({ position: batches.length + 1, origin, batch, data });
      return batches.length;
    },
    async after(position, limit) {
      check();
      return batches.slice(position, position + limit);
    },
    async sweep() {},
  };
  const { bus } = inProcess();
  return { storage, store, log, batches, bus };
}

function replica({ store, log, bus }: ReturnType<typeof sharedStorage>, origin: string) {
  const experience = new Experience(ROUTES);
  const sharing = new ExperienceSharing(experience, { log, bus, origin });
  const clock = { now: () => NOW * 1000, monotonic: () => performance.now() };
  const troubles: unknown[] = [];
  const keeper = startExperienceKeeper({
    experience,
    store,
    sharing,
    clock,
    onError: (error) => troubles.push(error),
  });
  return {
    experience,
    /** Attempts at the site that it knows. */
    attempts: () => experience.memory.historyOf(KEY)?.attemptCount ?? 0,
    learn(count: number) {
      for (let n = 0; n < count; n++)
        experience.record(KEY, NOW + n, { route: HTTP, observation: SHELL }, null);
    },
    async stop() {
      await keeper.stop();
      assert.deepEqual(troubles, []);
    },
  };
}

const success = ({ experience }: ReturnType<typeof replica>, route: number) =>
  experience.outlook(KEY, NOW, []).success(route);

test('what one replica learns is used by the others, once', async () => {
  const shared = sharedStorage();
  const [a, b] = [replica(shared, 'a'), replica(shared, 'b')];
  a.learn(3);
  b.learn(4);
  a.experience.record(KEY, NOW + 9, { route: BROWSER, observation: OK }, 2);
  await eventually(() => a.attempts() === 8 && b.attempts() === 8);
  assert.ok(success(b, HTTP) < 0.3, `${success(b, HTTP)}`);
  assert.ok(success(b, BROWSER) > 0.7, `${success(b, BROWSER)}`);
  assert.ok(b.experience.population.hasLearned);
  await Promise.all([a.stop(), b.stop()]);
  assert.deepEqual([a.attempts(), b.attempts()], [8, 8]);
});

test('a replica that starts later knows everything once, whoever stored it and when', async () => {
  const shared = sharedStorage();
  const a = replica(shared, 'a');
  const b = replica(shared, 'b');
  a.learn(5);
  await eventually(() => b.attempts() === 5);
  b.learn(2);
  // b stores the site with its own attempts before it has read those that a adds now.
  a.learn(3);
  await eventually(() => a.attempts() === 10 && b.attempts() === 10);
  const late = replica(shared, 'c');
  await eventually(() => late.attempts() > 0);
  assert.equal(late.attempts(), 10);
  await b.stop();
  const later = replica(shared, 'd');
  await eventually(() => later.attempts() > 0);
  assert.equal(later.attempts(), 10);
  const counts = (one: ReturnType<typeof replica>) =>
    one.experience.population.counts.reduce((sum, count) => sum + count, 0);
  // What is stored of all sites is rounded, and decays in the order in which it was learned.
  assert.ok(Math.abs(counts(later) - counts(a)) < 0.1, `${counts(later)} ${counts(a)}`);
  await Promise.all([a.stop(), late.stop(), later.stop()]);
});

test('while the storage fails, what is learned waits', async () => {
  const shared = sharedStorage();
  const [a, b] = [replica(shared, 'a'), replica(shared, 'b')];
  a.learn(1);
  await eventually(() => b.attempts() === 1);
  shared.storage.fails = true;
  a.learn(2_500);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  assert.equal(b.attempts(), 1);
  shared.storage.fails = false;
  await eventually(() => b.attempts() === 2_501);
  await Promise.all([a.stop(), b.stop()]);
  assert.ok(shared.batches.length >= 4, 'in batches of at most a thousand');
});

test('pins, and sites that an administrator forgets', async () => {
  const shared = sharedStorage();
  const [a, b] = [replica(shared, 'a'), replica(shared, 'b')];
  a.learn(1);
  a.experience.pin(KEY.site, { scraper: 'browser', proxyType: 'datacenter' });
  await eventually(() => b.attempts() === 1 && b.experience.pins.has(KEY.site));
  assert.deepEqual(b.experience.pins.get(KEY.site), { scraper: 'browser', proxyType: 'datacenter' });
  b.experience.forget(KEY.site);
  b.experience.pin(KEY.site, null);
  await eventually(() => a.attempts() === 0 && !a.experience.pins.has(KEY.site));
  await Promise.all([a.stop(), b.stop()]);
});
