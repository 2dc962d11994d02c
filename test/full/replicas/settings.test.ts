import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { afterwards } from '../../adapters/temp.ts';
import { type Replica, sharedSettings, startCluster } from '../../helpers/cluster.ts';
import { noPostgres, testDatabase } from '../../helpers/postgres.ts';
import { startProxy } from '../../helpers/proxy-server.ts';
import { eventually, startService } from '../../helpers/service.ts';
import { startTarget } from './replicas.ts';

describe('settings of several services', { skip: noPostgres }, () => {
  test('a pool that is changed on one service is used by the other; the history is of both', async (t) => {
    await using first = await startProxy();
    await using second = await startProxy();
    const target = await startTarget(t, (_, response) => response.end('a page with a few words'));
    const shared = sharedSettings(await testDatabase());
    const [one, two] = await Promise.all([startService(shared), startService(shared)]);
    for (const service of [one, two]) afterwards(t, () => service[Symbol.asyncDispose]());
    const proxies = ({ port }: typeof first) => [`http://u:p@127.0.0.1:${port}`];
    const pools = '/api/v1/proxies/pools/';
    const scrape = async (service: typeof one) => {
      const reply = await service.scrape({ url: target.url, scraper: 'http', proxy: { pool: 'own' } });
      return reply.body.code ?? reply.body.status_code;
    };

    const body = { name: 'own', type: 'datacenter', proxies: proxies(first) };
    assert.equal((await one.api('POST', pools, { body })).status, 201);
    await eventually(async () => (await scrape(two)) === 200);
    assert.equal(await scrape(one), 200);
    const before = first.targets.length;
    const patch = { body: { proxies: proxies(second) } };
    assert.equal((await two.api('PATCH', `${pools}own/`, patch)).status, 200);
    await eventually(async () => (await scrape(one)) === 200 && second.targets.length > 0);
    // Two changes at once are both kept.
    const changes = [{ price_per_gb: 2 }, { concurrency_per_proxy: 3 }];
    const both = await Promise.all(
      changes.map((change, n) => [one, two][n]!.api('PATCH', `${pools}own/`, { body: change })),
    );
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    );
    type Settings = { price_per_gb?: number; concurrency_per_proxy?: number };
    await eventually(async () => {
      const { body: pool } = await one.api<Settings>('GET', `${pools}own/`);
      return pool.price_per_gb === 2 && pool.concurrency_per_proxy === 3;
    });

    const historyOf = async (service: typeof one) => {
      type History = { pools: { totals: { attempts: number } }[] };
      const { body: history } = await service.api<History>('GET', '/api/v1/proxies/history/?window=24h');
      return history.pools[0]!.totals.attempts;
    };
    await historyOf(two);
    assert.equal(await historyOf(one), first.targets.length + second.targets.length);
    assert.ok(first.targets.length >= before);

    assert.equal((await one.api('DELETE', `${pools}own/`)).status, 204);
    await eventually(async () => (await scrape(two)) === 'proxy.pool_unconfigured');
  });

  test('the encryption key is changed by restarting one service after the other', async (t) => {
    const [oldKey, newKey] = [1, 2].map((n) => Buffer.alloc(32, n).toString('base64')) as [string, string];
    const keys = (...list: string[]) => ({ SLUICE_ENCRYPTION_KEY: list.join() });
    const cluster = await startCluster(['all', 'all'], keys(oldKey));
    afterwards(t, () => cluster[Symbol.asyncDispose]());
    const restart = async (replica: Replica, env: NodeJS.ProcessEnv) => {
      await cluster.stop(replica);
      return await cluster.start('all', env);
    };
    /** A pool, which is stored encrypted, that one makes is read by the other. */
    let pools = 0;
    const checkPools = async (maker: Replica, reader: Replica) => {
      const body = { name: `p${pools++}`, type: 'datacenter', proxies: ['http://u:p@127.0.0.1:9'] };
      assert.equal((await maker.api('POST', '/api/v1/proxies/pools/', { body })).status, 201);
      await eventually(async () => {
        const { body: list } = await reader.api<{ items: unknown[] }>('GET', '/api/v1/proxies/pools/');
        return list.items.length === pools;
      });
    };
    const [first, second] = cluster.replicas as [Replica, Replica];
    await checkPools(first, second);
    const one = await restart(first, keys(newKey, oldKey));
    await checkPools(one, second);
    await checkPools(second, one);
    const two = await restart(second, keys(newKey, oldKey));
    await checkPools(two, one);
    const rotated = await one.cli(['secrets', 'rotate']);
    assert.equal(rotated.code, 0, rotated.stderr);
    assert.match(rotated.stdout, /^[1-9]\d* values were encrypted/);
    await assert.rejects(cluster.start('all', keys(oldKey)), /lacks the encryption key [0-9a-f]{8}/);
    const three = await restart(one, keys(newKey));
    await checkPools(three, two);
  });
});
