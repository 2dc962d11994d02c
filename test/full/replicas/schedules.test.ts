import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import pg from 'pg';
import { afterwards } from '../../adapters/temp.ts';
import { makeSchedule } from '../../end-to-end/scheduling.ts';
import { sharedSettings } from '../../helpers/cluster.ts';
import { noPostgres, testDatabase } from '../../helpers/postgres.ts';
import { noRedis, startRedis } from '../../helpers/redis.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { startTarget } from './replicas.ts';

const LONG = process.env.LONG === '1';
/** All due in the same minute. */
const COUNT = LONG ? 1_000 : 60;
const MOST_MS = LONG ? 600_000 : 180_000;
/** What a dead service may have had under way: it is requested again. */
const AT_ONCE = 50;

async function startThree(t: TestContext, databaseUrl: string): Promise<readonly Service[]> {
  const shared = {
    ...sharedSettings(databaseUrl),
    SLUICE_REDIS_URL: (await startRedis()).url,
    SLUICE_JOB_HOST_CONCURRENCY: String(AT_ONCE),
  };
  const services: Service[] = [];
  // One after the other: the first one follows the schedules.
  for (let n = 0; n < 3; n++) {
    const service = await startService(shared);
    afterwards(t, () => service[Symbol.asyncDispose]());
    services.push(service);
  }
  return services;
}

const COUNTS = `SELECT count(*)::int AS runs,
(count(*) FILTER (WHERE r.state = 'ended'))::int AS ended,
(count(*) FILTER (WHERE r.missed > 0))::int AS missed,
(SELECT count(*) FROM jobs WHERE schedule_id IS NOT NULL AND state NOT IN ('created', 'deleted'))::int AS jobs,
(SELECT count(*) FROM jobs WHERE schedule_id IS NOT NULL AND state = 'done' AND ok = 1)::int AS done,
(SELECT rows FROM datasets)::int AS rows
FROM schedule_runs AS r`;

describe('schedules of several services', { skip: noPostgres || noRedis }, () => {
  test(`of ${COUNT} schedules that are due in one minute each runs once, also if a service is killed`, async (t) => {
    const databaseUrl = await testDatabase();
    const services = await startThree(t, databaseUrl);
    const survivor = services[2]!;
    const target = await startTarget(t, ({ url }, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<title>t</title><h1>${url}</h1>`);
    });
    const database = new pg.Client(databaseUrl);
    await database.connect();
    afterwards(t, () => database.end());
    const made = await survivor.api<{ id: string; user_id: string }>('POST', '/api/v1/datasets/', {
      body: { name: 'all' },
    });
    const { id: dataset, user_id: userId } = made.body;
    const limits = { schedules: COUNT, open_jobs: COUNT };
    assert.equal((await survivor.api('PATCH', `/api/v1/users/${userId}/`, { body: { limits } })).status, 200);
    const extract = { scraper: 'http', scraper_options: { extract: { h: 'h1' } } };
    for (let n = 0; n < COUNT; n++)
      await makeSchedule(survivor, {
        name: `s${n}`,
        job: { kind: 'scrape', url: `${target.url}/${n}`, ...extract },
        dataset,
      });

    const counted = async () => (await database.query(COUNTS)).rows[0] as Readonly<Record<string, number>>;
    // The first service follows the schedules; when it is dead, the second or the third does.
    for (const [round, killed] of services.slice(0, 2).entries()) {
      // Instead of waiting for February 29th: all within the minute that begins now.
      await database.query(
        `UPDATE schedules SET next_at = extract(epoch FROM clock_timestamp()) * 1000 + 10 * (row.number % 1000)
FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM schedules) AS row WHERE row.id = schedules.id`,
      );
      await eventually(async () => (await counted()).runs! > COUNT * (round + 1 / 5), MOST_MS);
      await killed.kill9();
      const all = COUNT * (round + 1);
      const expected = { runs: all, ended: all, jobs: all, done: all, missed: 0, rows: all };
      await eventually(async () => {
        const { ended, rows } = await counted();
        return ended === all && rows === all;
      }, MOST_MS).catch(async () => assert.deepEqual(await counted(), expected));
      assert.deepEqual(await counted(), expected);
    }
    const { rows: runs } = await database.query(
      `SELECT count(*)::int AS schedules, min(runs)::int AS least, max(runs)::int AS most
FROM (SELECT schedule_id, count(*) AS runs FROM jobs WHERE schedule_id IS NOT NULL GROUP BY schedule_id) AS s`,
    );
    assert.deepEqual(runs[0], { schedules: COUNT, least: 2, most: 2 });
    const { rows: values } = await database.query(
      'SELECT min(n)::int AS least, max(n)::int AS most FROM (SELECT count(*) AS n FROM dataset_rows GROUP BY key) AS r',
    );
    assert.deepEqual(values[0], { least: 2, most: 2 }, 'the results of each run are in the dataset once');
    const requests = Array.from({ length: COUNT }, (_, n) => target.requests.get(`/${n}`) ?? 0);
    assert.ok(requests.every((count) => count >= 2));
    const again = requests.reduce((sum, count) => sum + count - 2, 0);
    assert.ok(again <= 2 * AT_ONCE, `${again} requests were repeated`);
  });
});
