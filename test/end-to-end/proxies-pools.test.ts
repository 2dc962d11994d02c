import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { descriptorsOf } from '../helpers/descriptors.ts';
import { linkPage, startMadeSite } from '../helpers/made-site.ts';
import { type ProxyServer, startProxy } from '../helpers/proxy-server.ts';
import { eventually, startService, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { profileKey } from '../helpers/visitor.ts';
import { ended, startCrawl } from './crawling.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-pools-'));
after(() => rmSync(folder, { recursive: true }));

interface Seen {
  readonly file: { readonly problems: readonly string[] } | null;
  readonly waiting: number;
  readonly pools: readonly {
    readonly name: string;
    readonly attempts: number;
    readonly bytes_in: number;
    readonly health: { readonly healthy: number; readonly cooling: number };
    readonly in_flight: number;
    readonly proxies: readonly {
      readonly server: string;
      readonly attempts: number;
      readonly failed: number;
    }[];
  }[];
}

const urlOf = ({ port }: ProxyServer, user = ''): string => `http://${user}127.0.0.1:${port}`;
/** A pool of the file; members as in docs/guides. */
type Pool = { readonly name: string } & Readonly<Record<string, unknown>>;

const poolOf = (name: string, ...proxies: string[]): Pool => ({ name, type: 'datacenter', proxies });

describe('pools of the operator', () => {
  const site = useSite();
  const file = join(folder, 'pools.json');
  // A pool, because a file without one is refused.
  writeFileSync(file, JSON.stringify({ pools: [poolOf('first', 'http://127.0.0.1:9')] }));
  const service = useOwnService({ SLUICE_PROXIES: file });
  /** Writes the file, and waits until the service has read it. Each test names its pools, so that none has counts of another. */
  const use = async (...pools: readonly Pool[]): Promise<void> => {
    writeFileSync(file, JSON.stringify({ pools }));
    process.kill(service.pid, 'SIGHUP');
    await eventually(async () => {
      const names = (await seen()).pools.map(({ name }) => name);
      return names.join() === pools.map(({ name }) => name).join();
    });
  };
  const seen = async (): Promise<Seen> => (await service.api<Seen>('GET', '/api/v1/proxies/')).body;
  const scrape = async (proxy: unknown, more: object = {}) => {
    const { body } = await service.scrape({ url: `${site.url}/text`, scraper: 'http', proxy, ...more });
    return body;
  };

  test('exits take turns, a session keeps its exit, and the list of exits shows no secrets', async () => {
    await using one = await startProxy({ auth: ['u', 'geheim'] });
    await using two = await startProxy({ auth: ['u', 'geheim'] });
    await using gate = await startProxy();
    await use(
      { ...poolOf('dc', ...[one, two].map((p) => urlOf(p, 'u:geheim@'))), countries: ['DE'] },
      {
        name: 'res',
        type: 'residential',
        template: urlOf(gate, 'a-{session}-{country}:geheim@'),
        countries: ['US'],
      },
    );
    for (let at = 0; at < 10; at++) {
      const body = await scrape('datacenter');
      assert.equal(body.status_code, 200);
      assert.deepEqual([body.router.proxy_type, body.router.attempts?.[0]?.country], ['datacenter', 'DE']);
      assert.deepEqual(body.router.warnings, []);
    }
    assert.deepEqual([one.targets.length, two.targets.length], [5, 5]);
    for (let at = 0; at < 6; at++) await scrape({ session: 'a', country: 'de' });
    assert.equal(Math.abs(one.targets.length - two.targets.length), 6);

    const body = await scrape({ type: 'residential', country: 'US' });
    assert.deepEqual([body.router.proxy_type, body.router.attempts?.[0]?.country], ['residential', 'US']);
    assert.equal(gate.targets.length, 1);

    const refused = [
      [{ country: 'FR' }, 'proxy.country_unavailable'],
      [{ type: 'residential', city: 'Rome' }, 'proxy.country_unavailable'],
      [{ pool: 'res' }, 'proxy.pool_unconfigured'],
      [{ type: 'mobile' }, 'proxy.pool_unconfigured'],
      [{ type: 'none' }, 'proxy.forbidden'],
    ] as const;
    for (const [proxy, code] of refused) assert.equal((await scrape(proxy)).code, code);

    const { text, body: list } = await service.api<Seen>('GET', '/api/v1/proxies/');
    assert.deepEqual(
      list.pools.map(({ name, attempts }) => [name, attempts]),
      [
        ['dc', 16],
        ['res', 1],
      ],
    );
    assert.ok(list.pools[0]!.bytes_in > 0);
    const choices = await service.api('GET', '/api/v1/proxies/choices/');
    assert.equal(choices.status, 200);
    assert.doesNotMatch(text + (await service.output()) + JSON.stringify(choices.body), /geheim/);
  });

  test('a profile has one session and country, also for others who use it', async () => {
    await using gate = await startProxy();
    const template = urlOf(gate, 'a-{session}-{country}:p@');
    await use({ name: 'visitors', type: 'residential', template, countries: ['US', 'DE'] });
    const [ann, bert] = [await profileKey(service), await profileKey(service)];
    const exit = { country: 'US', session: 'shop' };
    const body = { name: 'visitor', sites: ['127.0.0.1'], shared: true, exit };
    assert.equal((await service.api('POST', '/api/v1/profiles/', { body, key: ann })).status, 201);
    const userOf = async (key: string, proxy: object, scraper_options: object = { profile: 'visitor' }) => {
      const asked = { url: `${site.url}/text`, scraper: 'http', proxy: { type: 'residential', ...proxy } };
      const done = await service.scrape({ ...asked, scraper_options }, { key });
      assert.equal(done.body.status_code, 200, done.text);
      return gate.users.at(-1)!;
    };
    const visitor = await userOf(ann, {});
    assert.match(visitor, /-us$/);
    assert.equal(await userOf(bert, {}), visitor);
    assert.equal(await userOf(ann, exit, {}), visitor);
    assert.notEqual(await userOf(bert, exit, {}), visitor);
    assert.match(await userOf(ann, { session: 'another', country: 'DE' }), /-de$/);
  });

  test('bypassed requests share no connection with others', async () => {
    await using one = await startProxy();
    await use(poolOf('bypassed', urlOf(one)));
    for (const scraper of ['http', 'http_impersonate']) {
      one.targets.length = 0;
      for (const bypass of [['127.0.0.1'], [], ['127.0.0.1'], []])
        assert.equal((await scrape({ bypass }, { scraper })).status_code, 200);
      assert.equal(one.targets.length, 2, scraper);
    }
  });

  test('rotate decides whether further attempts use another exit', async () => {
    await using one = await startProxy();
    await using two = await startProxy();
    await use(poolOf('rotated', urlOf(one), urlOf(two)));
    const router = { max_attempts: 2, accept: { contains: 'never there' } };
    await scrape({ rotate: 'per_attempt' }, { router });
    assert.deepEqual([one.targets.length, two.targets.length], [1, 1]);
    await scrape({ rotate: 'per_request' }, { router });
    assert.deepEqual([one.targets.length, two.targets.length].sort(), [1, 3]);
  });

  test('a target that responds like a failing proxy does not disable an exit', async () => {
    await using one = await startProxy();
    await using two = await startProxy();
    await use(poolOf('lied-to', urlOf(one), urlOf(two)));
    const said = [
      'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="a"\r\nContent-Length: 0\r\n\r\n',
      'nothing that is HTTP\r\n\r\n',
    ];
    for (const answer of said) {
      const liar = createServer(
        (socket) => void socket.on('error', () => {}).once('data', () => socket.end(answer)),
      );
      // A connection that a failure leaves open delays no other request.
      await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve).unref());
      const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}/`;
      for (const scraper of ['http', 'http_impersonate']) {
        const body = await scrape(undefined, { url, scraper });
        assert.equal(body.code, 'proxy.failed', JSON.stringify(body));
        assert.equal(body.errors[0]!.details!.stage, 'tunnel');
        const { pools } = await seen();
        assert.deepEqual(
          [pools[0]!.health.healthy, pools[0]!.health.cooling],
          [2, 0],
          `${scraper}: ${answer}`,
        );
        // A success in between resets the count of failures.
        for (let at = 0; at < 4; at++) assert.equal((await scrape(undefined)).status_code, 200);
      }
      liar.close();
    }
  });

  test('a failing proxy is paused; if all are paused, the error says so', async () => {
    await using good = await startProxy();
    await using bad = await startProxy();
    await use(poolOf('failing', urlOf(bad), urlOf(good)));
    await bad.close();
    const outcomes: (string | null)[] = [];
    for (let at = 0; at < 8; at++)
      outcomes.push((await scrape(undefined, { router: { max_attempts: 2 } })).router.outcome);
    assert.deepEqual(new Set(outcomes), new Set(['ok']));
    const { pools } = await seen();
    assert.deepEqual([pools[0]!.health.healthy, pools[0]!.health.cooling], [1, 1]);
    assert.equal(pools[0]!.proxies[0]!.failed, 1);
    await good.close();
    await scrape(undefined);
    const body = await scrape(undefined);
    assert.deepEqual([body.code, body.errors[0]!.details!.reason], ['proxy.failed', 'exhausted']);
  });

  test('robots.txt and sitemaps move on to the next exit; a crawl does not wait for minutes', async () => {
    await using alive = await startProxy();
    await using dead = await startProxy();
    await using dying = await startProxy({ hostile: (socket) => socket.destroy() });
    await dead.close();
    // The names differ, so that no exit is known to be dead; the sites, so that no robots.txt is known.
    const exits = async (name: string) => await use(poolOf(name, urlOf(dead), urlOf(dying), urlOf(alive)));
    const startTarget = () =>
      startMadeSite((path) => {
        if (path === '/robots.txt') return 'User-agent: *\nDisallow: /no';
        return linkPage(path, path === '/' ? ['/no', '/yes'] : []);
      });
    for (let turn = 0; turn < 3; turn++) {
      await using target = await startTarget();
      await exits(`dying-${turn}`);
      const { body } = await service.scrape({
        url: `${target.url}/no`,
        scraper: 'http',
        proxy: 'datacenter',
        router: { robots: 'respect' },
      });
      assert.equal(body.code, 'policy.robots', JSON.stringify(body.errors));
    }
    await using target = await startTarget();
    await exits('crawled');
    const request = { scraper: 'http', proxy: 'datacenter', router: { max_attempts: 1 } };
    const { job, items } = await ended(service, await startCrawl(service, { url: target.url, request }));
    assert.equal(job.state, 'done', JSON.stringify(job));
    assert.ok(items.some(({ url, error }) => url.endsWith('/no') && error?.code === 'skip.robots'));
  });

  test('a changed file is applied without disturbing scrapes; an invalid file changes nothing', async () => {
    await using one = await startProxy();
    await using two = await startProxy();
    const pools = (...proxies: ProxyServer[]) => ({
      pools: [poolOf('changing', ...proxies.map((p) => urlOf(p)))],
    });
    await use(...pools(one).pools);
    let stop = false;
    let done = 0;
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!stop) {
          const body = await scrape(undefined);
          assert.equal(body.status_code, 200, JSON.stringify(body.errors));
          done++;
        }
      }),
    );
    await eventually(() => done > 4);
    writeFileSync(file, JSON.stringify(pools(two)));
    process.kill(service.pid, 'SIGHUP');
    await eventually(() => two.targets.length > 4);
    writeFileSync(file, '{"pools": [{"name": "dc"}]}');
    // Until it is written whole, it may have been read as an empty file.
    await eventually(async () => /type/.test((await seen()).file?.problems.join() ?? ''));
    const before = done;
    await eventually(() => done > before + 4);
    writeFileSync(file, JSON.stringify(pools(one, two)));
    await eventually(async () => {
      const now = await seen();
      return now.file?.problems.length === 0 && now.pools[0]!.proxies.length === 2;
    });
    stop = true;
    await load;
  });

  test('an invalid file stops the start, with all its errors', async () => {
    const invalid = join(folder, 'invalid.json');
    const pools = [{ name: 'a', type: 'b', proxies: ['http://u:geheim@a'] }, { name: 'c' }];
    writeFileSync(invalid, JSON.stringify({ pools }));
    await assert.rejects(startService({ SLUICE_PROXIES: invalid }), (error: Error) => {
      assert.match(error.message, /\/pools\/0\/type/);
      assert.match(error.message, /\/pools\/1\/type/);
      assert.doesNotMatch(error.message, /geheim/);
      return true;
    });
  });

  const count = process.env.LONG === '1' ? 10_000 : 500;
  test(`${count} scrapes over 100 proxies of which 30 die`, { timeout: 280_000 }, async (t) => {
    const proxies = await Promise.all(Array.from({ length: 100 }, () => startProxy()));
    await use(poolOf('many', ...proxies.map((p) => urlOf(p))));
    try {
      const descriptors = () => descriptorsOf(service);
      // Idle connections are closed after 4 s.
      const quiet = () => proxies.every((proxy) => proxy.open() === 0);
      await Promise.all(Array.from({ length: 20 }, () => scrape(undefined)));
      await eventually(quiet);
      const before = descriptors();
      let left = count;
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          while (left-- > 0) {
            if (left === count - 200) for (const proxy of proxies.slice(0, 30)) void proxy.close();
            const body = await scrape(undefined, { router: { max_attempts: 4 } });
            assert.equal(body.status_code, 200, JSON.stringify(body.errors));
          }
        }),
      );
      const [pool] = (await seen()).pools;
      assert.equal(pool!.in_flight, 0);
      // The requests by exit, as counted by the service and by the proxies.
      const alive = proxies.slice(30);
      for (const [at, proxy] of alive.entries())
        assert.equal(pool!.proxies[at + 30]!.attempts, proxy.targets.length);
      const shares = alive.map((proxy) => proxy.targets.length);
      const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
      for (const share of shares)
        assert.ok(Math.abs(share - mean) <= Math.max(1.5, mean * 0.1), `${share} of ${mean}`);
      t.diagnostic(
        `${Math.min(...shares)} to ${Math.max(...shares)} by each exit that lived, ${mean.toFixed(1)} on average`,
      );
      await eventually(() => quiet() && descriptors().sockets <= before.sockets);
      t.diagnostic(`descriptors: ${JSON.stringify(before)} before, ${JSON.stringify(descriptors())} after`);
    } finally {
      await Promise.all(proxies.map((proxy) => proxy.close()));
    }
  });
});
