import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startCluster } from '../../helpers/cluster.ts';
import { noPostgres, startPostgres } from '../../helpers/postgres.ts';
import { eventually } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import type { Problem } from '../../helpers/wire-types.ts';

interface Answer extends Partial<Problem> {
  readonly id: string;
}

describe('two services, and trouble with what they share', { skip: noPostgres }, () => {
  const site = useSite();

  test('PostgreSQL stops and crashes: clear 503s, nothing acknowledged is lost, and all is well afterwards', async () => {
    const postgres = await startPostgres();
    await using cluster = await startCluster(['all', 'all'], {
      SLUICE_DATABASE_URL: await postgres.createDatabase(),
    });
    const stored: string[] = [];
    const refused: string[] = [];
    let isRunning = true;
    let count = 0;
    const caller = async () => {
      while (isRunning) {
        const body = { url: `${site.url}/text?n${count++}`, scraper: 'http' };
        const reply = await cluster.random().api<Answer>('POST', '/api/v1/scrape/', { body });
        if (reply.status === 200) stored.push(reply.body.id);
        else refused.push(`${reply.status} ${reply.body.code ?? JSON.stringify(reply.body)}`);
        await pause(20);
      }
    };
    const callers = Array.from({ length: 4 }, caller);
    const isWell = async () => {
      const replies = await Promise.all(
        cluster.replicas.map(({ api }) =>
          api('POST', '/api/v1/scrape/', { body: { url: `${site.url}/text`, scraper: 'http' } }),
        ),
      );
      return replies.every(({ status }) => status === 200);
    };
    try {
      for (const how of ['fast', 'immediate'] as const) {
        await eventually(async () => stored.length > 0);
        await postgres.stop(how);
        const before = refused.length;
        await eventually(async () => refused.length > before + 10, 20_000);
        await postgres.start();
        // After a crash nobody knows for ten seconds who holds what.
        await eventually(isWell, 30_000);
      }
    } finally {
      isRunning = false;
    }
    await Promise.all(callers);
    const kinds = [...new Set(refused)].toSorted();
    for (const kind of kinds) assert.match(kind, /^503 service\.(storage|unavailable)$/, kinds.join(', '));
    for (const id of stored) {
      const { status } = await cluster.random().api('GET', `/api/v1/scrape/${id}/`);
      assert.equal(status, 200, `${id} was acknowledged`);
    }
    await cluster[Symbol.asyncDispose]();
    await postgres.close();
  });

  test('a key that one revokes is refused by the other; a new one is accepted at once', async () => {
    await using cluster = await startCluster(['all', 'all']);
    const [a, b] = cluster.replicas;
    for (let n = 0; n < 5; n++) {
      const made = await a!.api<{ id: string; key: string }>('POST', '/api/v1/keys/', {
        body: { name: `k${n}` },
      });
      assert.equal(made.status, 201);
      const asOther = { key: made.body.key };
      assert.equal((await b!.api('GET', '/api/v1/scrapers/', asOther)).status, 200);
      assert.ok((await a!.api('DELETE', `/api/v1/keys/${made.body.id}/`)).status < 300);
      await eventually(async () => (await b!.api('GET', '/api/v1/scrapers/', asOther)).status === 401);
    }
  });
});
