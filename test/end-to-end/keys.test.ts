import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import type { KeyObject, Problem } from '../helpers/wire-types.ts';

const KEYS = '/api/v1/keys/';
const SCRAPE = '/api/v1/scrape/';
/** Contract §9: revocation works within 1 s. */
const SOON_MS = 1000;

describe('keys', () => {
  const site = useSite();
  const service = useOwnService();

  const create = async (members: Record<string, unknown> = {}): Promise<KeyObject & { key: string }> => {
    const { status, body, text } = await service.api<KeyObject>('POST', KEYS, {
      body: { name: 'a key', ...members },
    });
    assert.equal(status, 201, text);
    return { ...body, key: body.key! };
  };
  const text = () => ({ url: `${site.url}/text` });
  const status = async (key: string) => (await service.api('GET', SCRAPE, { key })).status;

  test('a new key has every member; the key itself is returned once', async () => {
    const { key, ...made } = await create({ name: 'First of all' });
    assert.match(key, /^slc_live_[A-Za-z0-9]{40,}$/);
    assert.deepEqual(Object.keys(made).sort(), [
      'concurrency',
      'cost_today',
      'created_at',
      'daily_budget',
      'domains',
      'expires_at',
      'id',
      'ips',
      'last4',
      'last_used_at',
      'name',
      'prefix',
      'requests_today',
      'revoked_at',
      'scopes',
      'test',
    ]);
    assert.equal(made.name, 'First of all');
    assert.deepEqual(made.scopes, ['scrape', 'read', 'jobs']);
    assert.deepEqual([made.domains, made.ips], [[], []]);
    assert.deepEqual(
      [made.last_used_at, made.expires_at, made.revoked_at, made.daily_budget, made.concurrency],
      [null, null, null, null, null],
    );
    assert.ok(key.startsWith(made.prefix) && key.endsWith(made.last4));
    assert.ok(made.prefix.length < 24);
    const read = await service.api<KeyObject>('GET', `${KEYS}${made.id}/`);
    assert.partialDeepStrictEqual(read.body, made);
    const all = await service.api<{ items: KeyObject[] }>('GET', KEYS);
    assert.ok(all.body.items.some(({ id }) => id === made.id));
    assert.ok(!all.text.includes(key) && !read.text.includes(key));
    assert.ok(!(await service.output()).includes(key), 'nor in the log');
    assert.equal(await status(key), 200, 'it works at once');
  });

  test('a key is not in the data folder as text', async () => {
    const { key } = await create();
    await service.api('GET', SCRAPE, { key });
    const { readdirSync, readFileSync, statSync } = await import('node:fs');
    for (const name of readdirSync(service.dataDir, { recursive: true, encoding: 'utf8' })) {
      const file = `${service.dataDir}/${name}`;
      if (statSync(file).isFile()) assert.ok(!readFileSync(file).includes(key.slice(20)), name);
    }
  });

  test('last_used_at follows use', async () => {
    const { id, key } = await create();
    await status(key);
    await eventually(
      async () => (await service.api<KeyObject>('GET', `${KEYS}${id}/`)).body.last_used_at !== null,
      15_000,
    );
  });

  test('a key is revoked within a second, and for ever; revoking it again is 404', async () => {
    const { id, key } = await create();
    assert.equal(await status(key), 200);
    const { status: deleted } = await service.api('DELETE', `${KEYS}${id}/`);
    assert.equal(deleted, 204);
    await eventually(async () => (await status(key)) === 401, SOON_MS);
    const { body } = await service.api<Problem>('GET', SCRAPE, { key });
    assert.equal(body.code, 'auth.invalid');
    assert.equal((await service.api('DELETE', `${KEYS}${id}/`)).status, 404);
    assert.equal((await service.api('DELETE', `${KEYS}unknown/`)).status, 404);
    assert.equal((await service.api('PATCH', `${KEYS}unknown/`, { body: { name: 'x' } })).status, 404);
  });

  test('changes of name, scopes, expiry and lists take effect within a second', async () => {
    const { id, key } = await create();
    const patch = async (body: Record<string, unknown>) => {
      const reply = await service.api<KeyObject>('PATCH', `${KEYS}${id}/`, { body });
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };
    assert.equal((await patch({ name: 'Renamed' })).name, 'Renamed');
    assert.deepEqual((await patch({ scopes: ['read'] })).scopes, ['read']);
    await eventually(async () => (await service.scrape(text(), { key })).status === 403, SOON_MS);
    await patch({ scopes: ['scrape', 'read'], domains: ['example.com', '*.example.org'] });
    await eventually(
      async () => (await service.scrape(text(), { key })).body.code === 'policy.domain',
      SOON_MS,
    );
    await patch({ domains: [], ips: ['192.0.2.1'] });
    await eventually(async () => (await service.scrape(text(), { key })).body.code === 'auth.ip', SOON_MS);
    await patch({ ips: [], expires_at: new Date(Date.now() + 300).toISOString() });
    await eventually(async () => (await status(key)) === 401, 300 + SOON_MS);
    await patch({ expires_at: null });
    await eventually(async () => (await status(key)) === 200, SOON_MS);
    assert.equal(
      (await service.api('PATCH', `${KEYS}${id}/`, { body: { id: 'x' } })).status,
      400,
      'what is not to be changed',
    );
  });

  test('after a rotation the new key works, and the old one does not', async () => {
    const old = await create({ name: 'rotates', scopes: ['read'] });
    const { status: rotated, body } = await service.api<KeyObject>('POST', `${KEYS}${old.id}/rotate/`, {
      body: {},
    });
    assert.ok(rotated === 200 || rotated === 201, String(rotated));
    assert.notEqual(body.key, old.key);
    assert.deepEqual([body.name, body.scopes], ['rotates', ['read']]);
    await eventually(async () => (await status(body.key!)) === 200, SOON_MS);
    await eventually(async () => (await status(old.key)) === 401, SOON_MS);
  });

  test('wrong members are refused with their pointers', async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{}, '/name'],
      [{ name: '' }, '/name'],
      [{ name: 'x', scope: ['read'] }, '/scope'],
      [{ name: 'x', scopes: ['write'] }, '/scopes/0'],
      [{ name: 'x', ips: ['localhost'] }, '/ips/0'],
      [{ name: 'x', domains: ['http://example.com/'] }, '/domains/0'],
      [{ name: 'x', expires_at: 'tomorrow' }, '/expires_at'],
      [{ name: 'x', expires_at: '2001-01-01T00:00:00Z' }, '/expires_at'],
      [{ name: 'x', daily_budget: { amount: 5, unit: 'cost' } }, '/daily_budget/unit'],
      [{ name: 'x', daily_budget: { amount: -1, unit: 'scrapes' } }, '/daily_budget/amount'],
      [{ name: 'x', concurrency: 0 }, '/concurrency'],
    ];
    for (const [body, pointer] of cases) {
      const reply = await service.api<Problem>('POST', KEYS, { body });
      assert.equal(reply.status, 400, JSON.stringify(body));
      assert.equal(reply.body.errors[0]?.pointer, pointer, reply.text);
    }
  });

  test('a daily budget of three', async () => {
    const { key } = await create({ daily_budget: { amount: 3, unit: 'scrapes' } });
    // Refused requests do not count.
    await service.scrape({}, { key });
    await service.scrape({ ...text(), proxy: 'mobile' }, { key });
    for (let n = 0; n < 3; n++) assert.equal((await service.scrape(text(), { key })).status, 200);
    const { status: over, body } = await service.scrape(text(), { key });
    assert.equal(over, 402);
    assert.equal(body.code, 'budget.exhausted');
    assert.equal(await status(key), 200, 'reading goes on');
  });

  test('requests_today counts scrapes, at once, and nothing else', async () => {
    const { id, key } = await create();
    const today = async () => (await service.api<KeyObject>('GET', `${KEYS}${id}/`)).body.requests_today;
    assert.equal(await today(), 0);
    await status(key);
    await service.scrape({}, { key });
    for (let n = 0; n < 2; n++) assert.equal((await service.scrape(text(), { key })).status, 200);
    assert.equal(await today(), 2);
    const listed = await service.api<{ items: KeyObject[] }>('GET', KEYS);
    assert.equal(listed.body.items.find((one) => one.id === id)?.requests_today, 2);
  });

  test('a budget also limits concurrent scrapes', async () => {
    const { key } = await create({ daily_budget: { amount: 5, unit: 'scrapes' } });
    const url = `${site.url}/delay/100`;
    const all = await Promise.all(Array.from({ length: 15 }, () => service.scrape({ url }, { key })));
    assert.equal(all.filter((one) => one.status === 200).length, 5);
    assert.equal(all.filter((one) => one.status === 402).length, 10);
  });

  test('domains: the named ones and their subdomains are allowed', async () => {
    const { key } = await create({ domains: ['localhost'] });
    const port = new URL(site.url).port;
    for (const host of ['localhost', 'deep.sub.localhost', 'LOCALHOST'])
      assert.equal((await service.scrape({ url: `http://${host}:${port}/text` }, { key })).status, 200, host);
    for (const host of ['127.0.0.1', 'notlocalhost', 'localhost.example.com']) {
      const { status: refused, body } = await service.scrape({ url: `http://${host}:${port}/text` }, { key });
      assert.equal(refused, 403, host);
      assert.equal(body.code, 'policy.domain');
    }
  });

  test('a share of the concurrency', async () => {
    const { key } = await create({ concurrency: 2 });
    const away = new AbortController();
    site.log.length = 0;
    const running = [1, 2].map(() =>
      service.scrape({ url: `${site.url}/hang` }, { key, signal: away.signal }).catch(() => {}),
    );
    await eventually(() => site.log.length === 2);
    const { status: refused, headers, body } = await service.api<Problem>('GET', SCRAPE, { key });
    assert.equal(refused, 429);
    // RateLimit shows the smaller of the two limits, here the key's share.
    assert.match(
      body.detail,
      /^2 requests of this key or 50 of its user are running, which are the limits\./,
    );
    assert.equal(headers.get('ratelimit-policy'), '"concurrency";q=2;qu="concurrent-requests"');
    away.abort();
    await Promise.all(running);
    await eventually(async () => (await status(key)) === 200);
  });

  test('changes of keys are in the log', async () => {
    const { id } = await create();
    await service.api('PATCH', `${KEYS}${id}/`, { body: { concurrency: 7 } });
    await service.api('DELETE', `${KEYS}${id}/`);
    await eventually(
      async () => (await service.log()).filter((line) => JSON.stringify(line).includes(id)).length >= 3,
    );
  });

  test('a key without admin manages no keys, not even its own', async () => {
    const { id, key } = await create();
    for (const [method, path] of [
      ['GET', KEYS],
      ['POST', KEYS],
      ['PATCH', `${KEYS}${id}/`],
      ['DELETE', `${KEYS}${id}/`],
      ['POST', `${KEYS}${id}/rotate/`],
    ] as const) {
      const { status: refused, body } = await service.api<Problem>(method, path, {
        key,
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
      });
      assert.equal(refused, 403, `${method} ${path}`);
      assert.equal(body.code, 'auth.scope');
    }
  });
});
