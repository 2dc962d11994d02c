import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import pg from 'pg';
import { afterwards } from '../../adapters/temp.ts';
import { makeSchedule } from '../../end-to-end/scheduling.ts';
import { sharedSettings } from '../../helpers/cluster.ts';
import { noPostgres, testDatabase } from '../../helpers/postgres.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { startTarget } from './replicas.ts';

const LONG = process.env.LONG === '1';
/** All due in the same minute. */
const COUNT = LONG ? 1_000 : 150;
const MOST_MS = LONG ? 600_000 : 180_000;

async function startThree(t: TestContext, databaseUrl: string): Promise<readonly Service[]> {
  const shared = { ...sharedSettings(databaseUrl), SLUICE_JOB_HOST_CONCURRENCY: '50' };
  const services: Service[] = [];
  // One after the other: the first one follows the schedules.
  for (let n = 0; n < 3; n++) {
    const service = await startService(shared);
    afterwards(t, () => service[Symbol.asyncDispose]());
    services.push(service);
  }
  return services;
}

interface RunCount {
  readonly runs: number;
  readonly ended: number;
  readonly jobs: number;
  readonly missed: number;
}

describe('schedules of several services', { skip: noPostgres }, () => {
  test(`of ${COUNT} schedules that are due in one minute each runs once, also if a service is killed`, async (t) => {
    const databaseUrl = await testDatabase();
    const services = await startThree(t, databaseUrl);
    const [first, second] = services as [Service, Service];
    const target = await startTarget(t, (_, response) => void response.end('ok'));
    const database = new pg.Client(databaseUrl);
    await database.connect();
    afterwards(t, () => database.end());
    const { body: me } = await second.api<{ user: { id: string } | null; user_id?: string }>(
      'GET',
      '/api/v1/key/',
    );
    const { body: users } = await second.api<{ items: { id: string }[] }>('GET', '/api/v1/users/');
    const userId = me.user_id ?? me.user?.id ?? users.items[0]!.id;
    const limits = { schedules: COUNT, open_jobs: COUNT + 100 };
    assert.equal((await second.api('PATCH', `/api/v1/users/${userId}/`, { body: { limits } })).status, 200);
    for (let n = 0; n < COUNT; n++)
      await makeSchedule(second, {
        name: `s${n}`,
        job: { kind: 'scrape', url: `${target.url}/${n}`, scraper: 'http' },
      });

    const counted = async (): Promise<RunCount> => {
      const { rows } = await database.query(`SELECT count(*)::int AS runs,
(count(*) FILTER (WHERE r.state = 'ended'))::int AS ended,
(count(*) FILTER (WHERE r.missed > 0))::int AS missed,
(SELECT count(*) FROM jobs WHERE schedule_id IS NOT NULL AND state NOT IN ('created', 'deleted'))::int AS jobs
FROM schedule_runs AS r`);
      return rows[0] as RunCount;
    };
    // Instead of waiting for February 29th: all within the minute that begins now.
    await database.query(
      `UPDATE schedules SET next_at = extract(epoch FROM clock_timestamp()) * 1000 + 10 * (row.number % 1000)
FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM schedules) AS row WHERE row.id = schedules.id`,
    );
    await eventually(async () => (await counted()).runs > COUNT / 5, MOST_MS);
    await first.kill9();
    await eventually(async () => (await counted()).ended === COUNT, MOST_MS).catch(async () =>
      assert.deepEqual(await counted(), { runs: COUNT, ended: COUNT, jobs: COUNT, missed: 0 }),
    );
    assert.deepEqual(await counted(), { runs: COUNT, ended: COUNT, jobs: COUNT, missed: 0 });
    const { rows } = await database.query(
      'SELECT count(DISTINCT schedule_id)::int AS schedules, max(n)::int AS n FROM schedule_runs',
    );
    assert.deepEqual(rows[0], { schedules: COUNT, n: 1 });
    const requests = Array.from({ length: COUNT }, (_, n) => target.requests.get(`/${n}`) ?? 0);
    assert.ok(requests.every((count) => count >= 1));
    // Only what the dead one had under way is requested again.
    assert.ok(requests.filter((count) => count > 1).length <= 60, String(requests));
  });
});
