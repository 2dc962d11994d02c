import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { totpCode } from '../../../src/account/totp.ts';
import { startTarget } from '../../full/replicas/replicas.ts';
import { type Cluster, type Replica, startCluster } from '../../helpers/cluster.ts';
import { type HoldingProxy, startHoldingProxy } from '../../helpers/holding-proxy.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { eventually } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import { base32Bytes, newUser, PASSWORD, signIn, visit } from '../../helpers/visitor.ts';
import type { Problem } from '../../helpers/wire-types.ts';

/** With `LONG=1` enough for a 99th percentile. */
const LONG = process.env.LONG === '1';
const REVOCATIONS = LONG ? 300 : 5;

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.ceil(sorted.length * share) - 1]!;

describe('two services, one of them cut off', { skip: noPostgres }, () => {
  const site = useSite();
  let cluster: Cluster;
  let a: Replica;
  let b: Replica;
  /** Between PostgreSQL and the second service: all of its connections, and the one that gets notifications. */
  let network: HoldingProxy;
  let listening: HoldingProxy;
  /** Leads to the same database, in place of a read replica of the second service. */
  let readReplica: HoldingProxy;
  before(async () => {
    cluster = await startCluster(['all']);
    const { port, pathname, username } = new URL(cluster.databaseUrl);
    network = await startHoldingProxy(Number(port));
    listening = await startHoldingProxy(network.port);
    readReplica = await startHoldingProxy(Number(port));
    const over = (proxy: HoldingProxy) => `postgres://${username}@127.0.0.1:${proxy.port}${pathname}`;
    a = cluster.replicas[0]!;
    b = await cluster.start('all', {
      SLUICE_DATABASE_URL: over(network),
      SLUICE_DATABASE_DIRECT_URL: over(listening),
      SLUICE_DATABASE_READ_URL: over(readReplica),
    });
  });
  after(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await listening?.[Symbol.asyncDispose]();
    await network?.[Symbol.asyncDispose]();
    await readReplica?.[Symbol.asyncDispose]();
  });

  describe('what one has made is known to the other at once:', () => {
    /** Each round is made by the first service and used by the second, which asks for changes now and then only. */
    const ROUNDS = 5;
    const cases: Readonly<Record<string, () => Promise<readonly [status: number, expected: number]>>> = {
      'a session': async () => {
        const { cookie } = await signIn(a, (await newUser(a)).email);
        return [(await visit(b, 'GET', '/api/v1/session/', { headers: { cookie } })).status, 200];
      },
      'a session, in the list of sessions': async () => {
        const { email } = await newUser(a);
        const { call } = await signIn(b, email);
        const { session } = (await signIn(a, email)).session;
        return [(await call('DELETE', `/api/v1/session/all/${session.id}/`)).status, 204];
      },
      'a user, at sign-in': async () => {
        const { email } = await newUser(a);
        const body = { email, password: PASSWORD };
        return [(await visit(b, 'POST', '/api/v1/session/', { body })).status, 201];
      },
      'a user': async () => {
        const { id } = await newUser(a);
        return [(await b.api('GET', `/api/v1/users/${id}/`)).status, 200];
      },
      'a user who is changed': async () => {
        const { id } = await newUser(a);
        const body = { concurrency: 3 };
        return [(await b.api('PATCH', `/api/v1/users/${id}/`, { body })).status, 200];
      },
      'a user who gets a link': async () => {
        const { id } = await newUser(a);
        return [(await b.api('POST', `/api/v1/users/${id}/link/`)).status, 201];
      },
      'a key that is changed': async () => {
        const made = await a.api<{ id: string }>('POST', '/api/v1/keys/', { body: { name: 'k' } });
        return [(await b.api('PATCH', `/api/v1/keys/${made.body.id}/`, { body: { name: 'l' } })).status, 200];
      },
      'an invitation that is sent again': async () => {
        const body = { email: `invited${invited++}@example.com` };
        const { id } = (await a.api<{ id: string }>('POST', '/api/v1/invitations/', { body })).body;
        return [(await b.api('POST', `/api/v1/invitations/${id}/resend/`)).status, 201];
      },
      'a link that sets a password': async () => {
        const { id } = await newUser(a);
        const { url } = (await a.api<{ url: string }>('POST', `/api/v1/users/${id}/link/`)).body;
        const body = { token: url.slice(url.indexOf('#') + 1) };
        return [(await visit(b, 'POST', '/api/v1/session/link/', { body })).status, 200];
      },
      'another password': async () => {
        const { email } = await newUser(a);
        const { call } = await signIn(a, email);
        const password = 'staple of the day';
        const body = { current_password: PASSWORD, new_password: password };
        assert.equal((await call('POST', '/api/v1/session/password/', { body })).status, 204);
        return [(await visit(b, 'POST', '/api/v1/session/', { body: { email, password } })).status, 201];
      },
      'a second factor that is confirmed': async () => {
        const { cookie, call } = await signIn(b, (await newUser(a)).email);
        const path = '/api/v1/session/second-factor/';
        const begin = { headers: { cookie }, body: { password: PASSWORD } };
        const { secret } = (await visit<{ secret: string }>(a, 'POST', path, begin)).body;
        const code = totpCode(base32Bytes(secret), Math.floor(Date.now() / 30_000));
        return [(await call('POST', `${path}confirm/`, { body: { code } })).status, 200];
      },
    };
    let invited = 0;
    for (const [name, run] of Object.entries(cases))
      test(name, async () => {
        for (let round = 0; round < ROUNDS; round++) {
          const [status, expected] = await run();
          assert.equal(status, expected, `round ${round}`);
        }
      });
  });

  test('a key that one revokes is refused by the other, also if its notifications are held; a new one is accepted at once', async (t) => {
    const round = async (n: number) => {
      const made = await a.api<{ id: string; key: string }>('POST', '/api/v1/keys/', {
        body: { name: `k${n}` },
      });
      assert.equal(made.status, 201);
      const asOther = { key: made.body.key };
      assert.equal((await b.api('GET', '/api/v1/scrapers/', asOther)).status, 200);
      assert.ok((await a.api('DELETE', `/api/v1/keys/${made.body.id}/`)).status < 300);
      const revokedAt = performance.now();
      await eventually(async () => (await b.api('GET', '/api/v1/scrapers/', asOther)).status === 401);
      return Math.round(performance.now() - revokedAt);
    };
    listening.hold();
    const times: number[] = [];
    for (let n = 0; n < REVOCATIONS; n++) times.push(await round(n));
    listening.release();
    times.sort((one, other) => one - other);
    const [median, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    // Of several lines, because scripts/test.ts prints only those.
    t.diagnostic(`${REVOCATIONS} revocations
  refused after p50 ${median} ms, p99 ${p99} ms, at most ${times.at(-1)} ms`);
    if (LONG) assert.ok(p99 < 1_000, `p99 ${p99} ms`);
  });

  const losses: Readonly<Record<string, readonly [lose: () => unknown, bringBack: () => unknown]>> = {
    'answers nothing': [() => readReplica.hold(), () => readReplica.release()],
    'refuses connections': [
      () => readReplica[Symbol.asyncDispose](),
      async () => {
        readReplica = await startHoldingProxy(Number(new URL(cluster.databaseUrl).port), readReplica.port);
      },
    ],
  };
  for (const [name, [lose, bringBack]] of Object.entries(losses))
    test(`a read replica that ${name}: lists and statistics go on, /readyz tells it until it is back`, async () => {
      const state = async () => {
        const reply = await b.api<{ status: string; read_replica: { state: string }; warnings: string[] }>(
          'GET',
          '/readyz',
        );
        const { status, read_replica, warnings } = reply.body;
        const isTold = warnings.some((text) => text.includes('SLUICE_DATABASE_READ_URL'));
        return [reply.status, status, read_replica.state, isTold];
      };
      assert.deepEqual(await state(), [200, 'ok', 'ready', false]);
      await lose();
      for (const path of ['/api/v1/scrape/', '/api/v1/stats/?window=24h', '/api/v1/stats/?window=7d'])
        assert.equal((await b.api('GET', path)).status, 200, path);
      await eventually(async () => (await state())[2] === 'down');
      assert.deepEqual(await state(), [200, 'ok', 'down', true]);
      for (const path of ['/api/v1/scrape/', '/api/v1/stats/?window=1h'])
        assert.equal((await b.api('GET', path)).status, 200, path);
      await bringBack();
      await eventually(async () => (await state())[2] === 'ready');
    });

  test('a service that is cut off from PostgreSQL says 503, never 401, and comes back', async () => {
    const scrape = (service: typeof b) =>
      service.api<Partial<Problem>>('POST', '/api/v1/scrape/', {
        body: { url: `${site.url}/text`, scraper: 'http' },
      });
    network.hold();
    // Longer than the lease.
    const end = performance.now() + 14_000;
    while (performance.now() < end) {
      const { status, body } = await scrape(b);
      assert.equal(status, 503, JSON.stringify(body));
      assert.match(String(body.code), /^service\.(storage|unavailable)$/);
      assert.equal((await scrape(a)).status, 200);
      await pause(100);
    }
    network.release();
    await eventually(async () => (await scrape(b)).status === 200);
  });

  test('a service that stood still for 15 s holds nothing when it wakes', async (t) => {
    const target = await startTarget(t, () => {});
    const call = (service: Replica) =>
      service.api<Partial<Problem>>('POST', '/api/v1/scrape/', {
        body: { url: `${target.url}/held`, scraper: 'http', timeout_ms: 60_000 },
      });
    const held = Array.from({ length: 50 }, () => call(a));
    await eventually(() => target.inFlight === 50);
    assert.equal((await call(b)).status, 429);
    await cluster.pause(a, 15_000);
    const replies = await Promise.all(held);
    for (const { status, body } of replies)
      assert.deepEqual([status, body.code], [503, 'service.unavailable']);
    const cancel = new AbortController();
    // Until the service that wakes has its lease again, it refuses.
    const hold = async (service: Replica): Promise<void> => {
      while (!cancel.signal.aborted) {
        const body = { url: `${target.url}/later`, scraper: 'http', timeout_ms: 60_000 };
        const options = { body, signal: cancel.signal };
        const reply = await service.api('POST', '/api/v1/scrape/', options).catch(() => null);
        if (reply === null || ![429, 503].includes(reply.status)) return;
        await pause(100);
      }
    };
    const later = Array.from({ length: 50 }, (_, n) => hold(n % 2 === 0 ? a : b));
    await eventually(() => target.inFlight === 50);
    cancel.abort();
    await Promise.all(later);
  });
});
