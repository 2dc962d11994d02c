import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterwards } from '../../adapters/temp.ts';
import { endOf, jobOf, startBatch } from '../../end-to-end/job-calls.ts';
import {
  allResults,
  batchOf,
  ENV,
  PER_HOST,
  startReplicas,
  startTarget,
} from '../../full/replicas/replicas.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { eventually } from '../../helpers/service.ts';

/** Of one service (docs/postgresql.md). */
const MAX_CONNECTIONS = 16;

/** Whether a transaction of a service stands still, which those of a service that runs do not. */
async function standsStill(client: pg.Client): Promise<boolean> {
  for (;;) {
    const { rows } = await client.query(
      `SELECT max(clock_timestamp() - state_change) > interval '500 ms' AS stands FROM pg_stat_activity
WHERE datname = current_database() AND state = 'idle in transaction' AND backend_xid IS NOT NULL`,
    );
    const { stands } = rows[0] as { stands: boolean | null };
    if (stands !== false) return stands === true;
  }
}

/** Items that run, with their leases. */
async function leasedItems(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query(
    `SELECT encode(job_id, 'hex') || ' ' || item || ' ' || lease || ' ' || lease_until AS lease FROM job_items
WHERE state = 'running' AND lease_until > extract(epoch FROM clock_timestamp()) * 1000`,
  );
  return rows.map(({ lease }) => lease as string);
}

describe('leases of items on several services', { skip: noPostgres }, () => {
  test('under load there are as many connections as documented; a service that stops in a transaction keeps nobody from going on', async (t) => {
    const target = await startTarget(t, (_, response) => response.end('ok'));
    const { services, databaseUrl } = await startReplicas(t, 2, ENV);
    const [first, frozen] = services;
    const ITEMS = 250;
    const ids = await Promise.all(
      ['x', 'y', 'z'].map((name) => startBatch(first!, batchOf(target.url, name, ITEMS))),
    );
    const client = new pg.Client(databaseUrl);
    await client.connect();
    afterwards(t, () => client.end());
    // Beside the jobs, lists, statistics and scrapes at once.
    await Promise.all(
      services.flatMap(({ api, scrape }) =>
        Array.from({ length: 12 }, (_, n) => [
          api('GET', '/api/v1/scrape/'),
          api('GET', `/api/v1/stats/?window=${n % 2 === 0 ? '24h' : '7d'}`),
          scrape({ url: `${target.url}/alone/${n}`, scraper: 'http' }),
        ]).flat(),
      ),
    );
    const { rows } = await client.query(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'sluice'`,
    );
    const { count } = rows[0] as { count: number };
    assert.ok(count <= services.length * MAX_CONNECTIONS, `${count} connections`);
    const ended = async () => {
      const { rows } = await client.query(`SELECT sum(ok + failed)::int AS ended FROM jobs`);
      return rows[0].ended as number;
    };
    try {
      // Until it is stopped in the middle of a transaction: one that stands still, while those of the other service go on.
      await eventually(async () => {
        process.kill(frozen!.pid, 'SIGSTOP');
        if (await standsStill(client)) return true;
        process.kill(frozen!.pid, 'SIGCONT');
        return false;
      });
      const leased = await leasedItems(client);
      assert.ok(leased.length > 0);
      const before = await ended();
      assert.ok(before < ids.length * ITEMS - 100, 'enough items are left');
      await eventually(async () => (await ended()) >= before + 50);
      // The leases of the one that has stopped have not ended yet, which is when others would have gone on anyway.
      assert.ok((await leasedItems(client)).some((lease) => leased.includes(lease)));
    } finally {
      process.kill(frozen!.pid, 'SIGCONT');
    }
    for (const id of ids) {
      assert.equal((await endOf(first!, id)).counts.ok, ITEMS);
      assert.equal((await allResults(first!, id)).length, ITEMS);
    }
  });

  test('a service that was paused stores nothing of what it lost', async (t) => {
    let isSlow = true;
    const target = await startTarget(t, (_, response) => {
      if (!isSlow) response.end('ok');
      else setTimeout(() => response.end('late'), 14_000);
    });
    const { services } = await startReplicas(t, 2, ENV);
    const [first, paused] = services;
    const id = await startBatch(first!, batchOf(target.url, 'x', PER_HOST));
    await eventually(async () => target.inFlight === PER_HOST);
    process.kill(paused!.pid, 'SIGSTOP');
    isSlow = false;
    await pause(15_000);
    process.kill(paused!.pid, 'SIGCONT');
    const job = await endOf(first!, id);
    assert.equal(job.counts.ok, PER_HOST);
    await pause(1_000);
    const results = await allResults(first!, id);
    assert.equal(new Set(results.map(({ url }) => url)).size, PER_HOST);
    assert.deepEqual((await jobOf(paused!, id)).outcomes, { ok: PER_HOST });
  });

  test('a service that stops ends its items itself, even if they take longer than a lease', async (t) => {
    const target = await startTarget(t, (_, response) => {
      setTimeout(() => response.end('ok'), 12_000);
    });
    const { services } = await startReplicas(t, 2, ENV);
    const [first, stopped] = services;
    const id = await startBatch(first!, batchOf(target.url, 'x', PER_HOST));
    await eventually(async () => target.inFlight === PER_HOST);
    await stopped!.stop();
    assert.equal((await endOf(first!, id)).counts.ok, PER_HOST);
    assert.ok([...target.requests.values()].every((count) => count === 1));
  });
});
