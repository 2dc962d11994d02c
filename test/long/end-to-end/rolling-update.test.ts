import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { tempFolder } from '../../adapters/temp.ts';
import { allResults } from '../../full/replicas/replicas.ts';
import { runChild } from '../../helpers/child.ts';
import {
  type LoadBalancer,
  type Replica,
  type Role,
  startCluster,
  startLoadBalancer,
} from '../../helpers/cluster.ts';
import { type MadeMigration, nextVersion, SCHEMA_VERSION } from '../../helpers/next-version.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { cleanEnvironment } from '../../helpers/repository.ts';
import { eventually } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import type { Problem } from '../../helpers/wire-types.ts';

const LONG = process.env.LONG === '1';
/** Items of a batch, each of which takes 0.2 s. Eight of a host run at once. */
const ITEMS = LONG ? 150 : 25;
const ROLES: readonly Role[] = LONG
  ? ['api', 'api', 'api', 'worker', 'worker']
  : ['api', 'api', 'worker', 'worker'];
const CALLERS = LONG ? 3 : 1;
/** Tables that the load reads and writes. */
const USED = [
  'users',
  'api_keys',
  'records',
  'record_bodies',
  'jobs',
  'job_items',
  'job_hosts',
  'hand_overs',
];

/** What the next version adds: a table, and a column to each table that is in use. */
const ADDITIONS: readonly MadeMigration[] = [
  { isCompatible: true, statements: ['CREATE TABLE made_notes (id BIGINT PRIMARY KEY, note TEXT)'] },
  ...USED.map((table) => ({
    isCompatible: true,
    statements: [`ALTER TABLE ${table} ADD COLUMN made_note TEXT NOT NULL DEFAULT 'none'`],
  })),
];

describe('a rolling update to a version with a newer schema', { skip: noPostgres }, () => {
  const site = useSite();

  /** Callers that scrape one page after the other, without and with a browser. */
  function startCallers(balancer: LoadBalancer) {
    const failures: string[] = [];
    let count = 0;
    let isRunning = true;
    const caller = async (number: number, pauseMs: number, change: object) => {
      while (isRunning) {
        const body = { url: `${site.url}/text?load${number}-${count++}`, ...change };
        const reply = await balancer
          .api<Partial<Problem>>('POST', '/api/v1/scrape/', { body })
          .catch((error: Error) => error);
        if (reply instanceof Error) failures.push(`${reply.message}: ${String(reply.cause)}`);
        else if (reply.status !== 200)
          failures.push(`${reply.status} ${JSON.stringify(reply.body).slice(0, 500)}`);
        await pause(pauseMs);
      }
    };
    const callers = Array.from({ length: CALLERS }, (_, number) => caller(number, LONG ? 50 : 150, {}));
    callers.push(caller(CALLERS, LONG ? 200 : 1_500, { scraper: 'browser', timeout_ms: 60_000 }));
    return {
      failures,
      get count() {
        return count;
      },
      async stop() {
        isRunning = false;
        await Promise.all(callers);
      },
    };
  }

  test('under load: no request fails, no item of a job is lost or stored twice; there is no way back past a schema that is too new', async (t) => {
    await using cluster = await startCluster(ROLES);
    await using balancer = await startLoadBalancer(cluster);
    const program = nextVersion(t, '98.0.0', ADDITIONS);
    await eventually(
      async () => (await balancer.api<{ status: string }>('GET', '/readyz')).body.status === 'ok',
    );
    const jobs: string[] = [];
    const startBatch = async () => {
      const n = jobs.length;
      const requests = Array.from({ length: ITEMS }, (_, index) => ({
        url: `${site.url}/delay/200?job${n}-${index}`,
      }));
      const started = await balancer.api<{ id: string }>('POST', '/api/v1/batches/', { body: { requests } });
      assert.equal(started.status, 202, JSON.stringify(started.body));
      jobs.push(started.body.id);
    };
    const callers = startCallers(balancer);
    const isWorker = ({ role }: Replica) => role === 'worker';
    const [workers, others] = [
      cluster.replicas.filter(isWorker),
      cluster.replicas.filter((one) => !isWorker(one)),
    ];
    for (const old of [...workers, ...others]) {
      await cluster.start(old.role, {}, { program });
      // So that the old one stops amid a job.
      if (isWorker(old)) await startBatch();
      await cluster.stop(old);
    }
    for (const job of jobs) {
      const path = `/api/v1/jobs/${job}/`;
      const done = await eventually(async () => {
        const { body } = await balancer.api<{ state: string; counts: Record<string, number> }>('GET', path);
        return body.state === 'done' && body;
      }, 60_000);
      assert.equal(done.counts.ok, ITEMS, JSON.stringify(done));
      const results = await allResults(balancer, job);
      assert.equal(new Set(results.map(({ url }) => url)).size, ITEMS);
      assert.equal(results.length, ITEMS);
    }
    await callers.stop();
    assert.deepEqual(callers.failures, []);
    assert.ok(callers.count > 50, `${callers.count} requests`);
    const seen = site.log.filter(({ url }) => url.startsWith('/delay/')).map(({ url }) => url);
    assert.equal(new Set(seen).size, jobs.length * ITEMS);
    assert.equal(seen.length, jobs.length * ITEMS, 'an item was requested twice');

    // The old version could be started again, until a migration says that it does not work with the schema.
    const tooNew = nextVersion(t, '99.0.0', [
      ...ADDITIONS,
      { isCompatible: false, statements: ['SELECT 1'] },
    ]);
    const env = { ...cleanEnvironment(), SLUICE_DATABASE_URL: cluster.databaseUrl };
    const migrated = await runChild(tooNew, ['migrate'], { cwd: tempFolder(t), env });
    assert.equal(migrated.code, 0, migrated.stderr);
    const needed = SCHEMA_VERSION + ADDITIONS.length + 1;
    await assert.rejects(
      cluster.start('api'),
      new RegExp(
        `exit code 1.*the database was migrated by a newer Sluice: its schema has version ${needed}, which needs a program of version ${needed}; this one is of version ${SCHEMA_VERSION}`,
        's',
      ),
    );
  });
});
