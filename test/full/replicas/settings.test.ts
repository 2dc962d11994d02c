import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { afterwards } from '../../adapters/temp.ts';
import { type Replica, sharedSettings, startCluster } from '../../helpers/cluster.ts';
import { noPostgres, testDatabase } from '../../helpers/postgres.ts';
import { startProxy } from '../../helpers/proxy-server.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { profileKey } from '../../helpers/visitor.ts';
import { startTarget } from './replicas.ts';

describe('settings of two services', { skip: noPostgres }, () => {
  let one: Service;
  let two: Service;
  before(async () => {
    const shared = sharedSettings(await testDatabase());
    [one, two] = await Promise.all([startService(shared), startService(shared)]);
  });
  after(() => Promise.all([one, two].map((service) => service?.[Symbol.asyncDispose]())));

  test('a pool that is changed on one service is used by the other; the history is of both', async (t) => {
    await using first = await startProxy();
    await using second = await startProxy();
    const target = await startTarget(t, (_, response) => response.end('a page with a few words'));
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

  test('scrapes on both that renew one profile at once lose nothing, and tell where the later value stands', async (t) => {
    const [ROUNDS, EACH] = [4, 3];
    const held: ServerResponse[] = [];
    // The pages of a round are answered at once: none of its scrapes begins with what another one of them has kept.
    const target = await startTarget(t, ({ url }, response) => {
      const scrape = new URL(url!, 'http://a').searchParams.get('scrape')!;
      const cookies = [`own-${scrape}=of-${scrape}`, `both=of-${scrape}`].map(
        (cookie) => `${cookie}; Path=/`,
      );
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': cookies });
      held.push(response);
      if (held.length === 2 * EACH) for (const each of held.splice(0)) each.end('<p>A page of the shop.</p>');
    });
    const key = await profileKey(one);
    const profile = { name: 'shop', sites: ['127.0.0.1'] };
    const made = await one.api('POST', '/api/v1/profiles/', { body: profile, key });
    assert.equal(made.status, 201, made.text);
    const names: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const told = await Promise.all(
        Array.from({ length: 2 * EACH }, async (_, n) => {
          names.push(`${round}-${n}`);
          const url = `${target.url}/?scrape=${round}-${n}`;
          const body = { url, scraper: 'http', scraper_options: { profile: 'shop' } };
          const reply = await [one, two][n % 2]!.scrape(body, { key });
          assert.deepEqual([reply.status, reply.body.errors], [200, []], reply.text);
          return reply.body.router.warnings
            .map(({ code }) => code)
            .find((code) => code.startsWith('profile.'));
        }),
      );
      // The first one that was kept met the value of the round before.
      assert.deepEqual(
        told.toSorted(),
        Array(2 * EACH - 1)
          .fill('profile.conflict')
          .concat([undefined]),
      );
    }
    type Exported = { storage_state: { cookies: { name: string; value: string }[] } };
    const kept = async (service: Service) => {
      const { body } = await service.api<Exported>('GET', '/api/v1/profiles/shop/export/', { key });
      return body.storage_state.cookies.map(({ name, value }) => `${name}=${value}`).toSorted();
    };
    const cookies = await kept(one);
    assert.deepEqual(await kept(two), cookies);
    const own = names.map((name) => `own-${name}=of-${name}`).toSorted();
    assert.deepEqual(cookies.slice(1), own);
    assert.match(cookies[0]!, new RegExp(`^both=of-${ROUNDS - 1}-\\d$`));
  });
});

describe('keys of two services', { skip: noPostgres }, () => {
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
