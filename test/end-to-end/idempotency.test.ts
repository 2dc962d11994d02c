import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { listen } from '../helpers/free-port.ts';
import { eventually, useService } from '../helpers/service.ts';
import { createUser } from '../helpers/users.ts';
import type { ScrapeAnswer } from '../helpers/wire-types.ts';

const SCRAPE = '/api/v1/scrape/';

interface Counted {
  readonly code?: string;
  readonly id: string | null;
  readonly content: string | null;
  readonly details?: unknown;
}

describe('Idempotency-Key', () => {
  const service = useService();
  /** Requests by path. */
  const served = new Map<string, number>();
  const held: (() => void)[] = [];
  const target = createServer((request, response) => {
    const path = request.url!;
    const count = (served.get(path) ?? 0) + 1;
    served.set(path, count);
    request.resume();
    const end = () => {
      response.writeHead(path.startsWith('/503') ? 503 : 200, { 'content-type': 'text/html' });
      const size = Number(/^\/size\/(\d+)/.exec(path)?.[1] ?? 0);
      response.end(`<p>number ${count}</p>${'x'.repeat(size)}`);
    };
    if (path.startsWith('/held')) held.push(end);
    else if (path.startsWith('/reset')) request.socket.destroy();
    else end();
  });
  let url: string;
  before(async () => {
    url = `http://127.0.0.1:${await listen(target)}`;
  });
  after(() => {
    target.closeAllConnections();
    target.close();
  });

  let keys = 0;
  const newKey = () => `key-${++keys}`;
  const send = (
    key: string,
    path: string,
    members: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) =>
    service.api<Counted>('POST', SCRAPE, {
      body: { url: url + path, scraper: 'http', router: { max_attempts: 1 }, ...members },
      headers: { 'Idempotency-Key': key, ...headers },
    });
  const count = (path: string) => served.get(path) ?? 0;

  test('the same request again: the first response, without another fetch', async () => {
    const key = newKey();
    const first = await send(key, '/a', { method: 'POST', data: 'x' });
    assert.equal(first.status, 200);
    assert.equal(first.headers.get('idempotent-replayed'), null);
    const second = await send(key, '/a', { method: 'POST', data: 'x' });
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual([second.status, second.text], [200, first.text]);
    for (const name of ['content-type', 'x-scrape-id'])
      assert.equal(second.headers.get(name), first.headers.get(name), name);
    assert.notEqual(second.headers.get('x-request-id'), first.headers.get('x-request-id'));
    assert.equal(count('/a'), 1);
    const otherKey = await send(newKey(), '/a', { method: 'POST', data: 'x' });
    assert.notEqual(otherKey.body.id, first.body.id);
    assert.equal(count('/a'), 2);
  });

  test('the order of members makes no difference; anything else is another request', async () => {
    const key = newKey();
    const raw = (raw: string, path = SCRAPE) =>
      service.api<Counted>('POST', path, {
        raw,
        headers: { 'Idempotency-Key': key, 'Content-Type': 'application/json' },
      });
    const first = await raw(
      `{"url":"${url}/b","scraper":"http","data":{"n":12345678901234567890},"method":"POST"}`,
    );
    assert.equal(first.status, 200);
    const again = await raw(
      `{"method":"POST", "data":{"n":12345678901234567890}, "scraper":"http", "url":"${url}/b"}`,
      '/api/v1/scrape',
    );
    assert.equal(again.text, first.text, 'also without the last slash');
    for (const other of [
      `{"url":"${url}/b","scraper":"http","data":{"n":12345678901234567891},"method":"POST"}`,
      `{"url":"${url}/b","scraper":"http"}`,
    ]) {
      const { status, body } = await raw(other);
      assert.deepEqual([status, body.code], [422, 'idempotency.mismatch']);
    }
    assert.equal(count('/b'), 1);
  });

  test('while the first one runs: 409 with Retry-After; a caller that hung up gets the response later', async () => {
    const key = newKey();
    const controller = new AbortController();
    const first = service.api('POST', SCRAPE, {
      body: { url: `${url}/held`, scraper: 'http', router: { max_attempts: 1 }, method: 'POST' },
      headers: { 'Idempotency-Key': key },
      signal: controller.signal,
    });
    await eventually(() => held.length === 1);
    const early = await send(key, '/held', { method: 'POST' });
    assert.deepEqual([early.status, early.body.code], [409, 'idempotency.conflict']);
    assert.equal(early.headers.get('retry-after'), '1');
    controller.abort();
    await assert.rejects(first);
    held.pop()!();
    await eventually(async () => (await send(key, '/held', { method: 'POST' })).status === 200);
    const { headers, body } = await send(key, '/held', { method: 'POST' });
    assert.equal(headers.get('idempotent-replayed'), 'true');
    assert.match(body.content!, /number 1/);
    assert.equal(count('/held'), 1);
  });

  test('many at once: the target gets one request', async () => {
    const key = newKey();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => send(key, '/many', { method: 'POST', data: 'x' })),
    );
    assert.equal(count('/many'), 1);
    for (const { status, body } of replies)
      assert.ok(status === 200 || body.code === 'idempotency.conflict', `${status} ${body.code}`);
  });

  test('a request that did not reach the target is sent again; one that the target answered or reset is not', async () => {
    const key = newKey();
    assert.equal((await send(key, '/c', { no_such_member: 1 })).status, 400);
    assert.equal((await send(key, '/c', { scraper: 'auto', proxy: 'residential' })).status, 422);
    const refused = await send(key, '', { url: 'http://127.0.0.1:1/' });
    assert.equal(refused.status, 502);
    const again = await send(key, '', { url: 'http://127.0.0.1:1/' });
    assert.equal(again.headers.get('idempotent-replayed'), null);
    assert.notEqual(again.body.id, refused.body.id);
    assert.equal((await send(key, '/c')).status, 200, 'so the key is free for another request');
    const reset = newKey();
    const failed = await send(reset, '/reset', { method: 'POST' });
    assert.equal(failed.status, 502);
    assert.equal((await send(reset, '/reset', { method: 'POST' })).body.id, failed.body.id);
    assert.equal(count('/reset'), 1);
    const busy = newKey();
    await send(busy, '/503');
    assert.equal((await send(busy, '/503')).headers.get('idempotent-replayed'), 'true');
    assert.equal(count('/503'), 1);
  });

  test('a large response comes back whole; one above the limit is fetched again, or not if it may not be', async () => {
    for (const size of [300_000, 5_000_000]) {
      const key = newKey();
      const first = await send(key, `/size/${size}`);
      const second = await send(key, `/size/${size}`);
      assert.equal(second.headers.get('idempotent-replayed'), 'true');
      assert.ok(second.text === first.text);
    }
    // Responses above 16 MiB are not kept.
    const path = `/size/${17 * 1024 * 1024}`;
    const members = { scraper_options: { max_content_bytes: 20_000_000 } };
    const key = newKey();
    assert.equal((await send(key, path, members)).status, 200);
    assert.equal((await send(key, path, members)).status, 200);
    assert.equal(count(path), 2);
    const once = newKey();
    const first = await send(once, path, { ...members, method: 'POST' });
    const { status, body } = await service.api<{ code: string; errors: { details: { id: string } }[] }>(
      'POST',
      SCRAPE,
      {
        body: { url: url + path, scraper: 'http', router: { max_attempts: 1 }, ...members, method: 'POST' },
        headers: { 'Idempotency-Key': once },
      },
    );
    assert.deepEqual([status, body.code], [409, 'idempotency.unknown']);
    assert.equal(body.errors[0]!.details.id, first.body.id);
    assert.equal(count(path), 3);
  });

  test('`retain: none` and a deleted record change nothing', async () => {
    const key = newKey();
    const members = { router: { max_attempts: 1, retain: 'none' } };
    const first = await send(key, '/d', members);
    assert.equal((await send(key, '/d', members)).text, first.text);
    const other = newKey();
    const { body, text } = await send(other, '/e');
    await service.api('DELETE', `${SCRAPE}${body.id}/`);
    assert.equal((await send(other, '/e')).text, text);
  });

  test('keys of different users are different; a key that may not scrape the site gets no response', async () => {
    const key = newKey();
    const request = { url: `${url}/f`, scraper: 'http', router: { max_attempts: 1 } };
    const headers = { 'Idempotency-Key': key };
    const first = await service.api<ScrapeAnswer>('POST', SCRAPE, { body: request, headers });
    const otherUsersKey = (await createUser(service)).key;
    const second = await service.api<ScrapeAnswer>('POST', SCRAPE, {
      body: request,
      headers,
      key: otherUsersKey,
    });
    assert.equal(second.status, 200);
    assert.notEqual(second.body.id, first.body.id);
    const made = await service.api<{ key: string }>('POST', '/api/v1/keys/', {
      body: { name: 'one site', domains: ['example.com'] },
    });
    const refused = await service.api<{ code: string }>('POST', SCRAPE, {
      body: request,
      headers,
      key: made.body.key,
    });
    assert.deepEqual([refused.status, refused.body.code], [403, 'policy.domain']);
  });

  test('a replay counts no scrape of the budget, and works when it is used up', async () => {
    const made = await service.api<{ key: string }>('POST', '/api/v1/keys/', {
      body: { name: 'one a day', daily_budget: { amount: 1, unit: 'scrapes' } },
    });
    const options = {
      key: made.body.key,
      body: { url: `${url}/g`, scraper: 'http' },
      headers: { 'Idempotency-Key': newKey() },
    };
    const first = await service.api('POST', SCRAPE, options);
    assert.equal(first.status, 200);
    assert.equal((await service.api('POST', SCRAPE, options)).text, first.text);
    const other = { ...options, headers: { 'Idempotency-Key': newKey() } };
    assert.equal((await service.api('POST', SCRAPE, other)).status, 402);
  });

  test('an asynchronous scrape, a batch and a monitor are accepted once', async () => {
    const key = newKey();
    const prefer = { Prefer: 'respond-async' };
    const first = await send(key, '/h', {}, prefer);
    assert.equal(first.status, 202);
    const second = await send(key, '/h', {}, prefer);
    assert.deepEqual([second.status, second.text], [202, first.text]);
    for (const name of ['location', 'preference-applied'])
      assert.equal(second.headers.get(name), first.headers.get(name));
    const batch = {
      body: { requests: [{ url: `${url}/i` }], defaults: { scraper: 'http' } },
      headers: { 'Idempotency-Key': key },
    };
    const accepted = await service.api<{ id: string }>('POST', '/api/v1/batches/', batch);
    assert.equal(accepted.status, 202, 'the same key at another path is another key');
    const again = await service.api<{ id: string }>('POST', '/api/v1/batches/', batch);
    assert.deepEqual([again.status, again.body.id], [202, accepted.body.id]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    const invalid = {
      ...batch,
      body: { requests: [{ url: 'no' }] },
      headers: { 'Idempotency-Key': newKey() },
    };
    assert.equal((await service.api('POST', '/api/v1/batches/', invalid)).status, 400);
    const valid = { ...batch, headers: invalid.headers };
    assert.equal((await service.api('POST', '/api/v1/batches/', valid)).status, 202);
    const monitor = {
      body: { name: 'm', request: { url: `${url}/m`, scraper: 'http' }, schedule: { every_s: 86_400 } },
      headers: { 'Idempotency-Key': key },
    };
    const watching = await service.api<{ id: string }>('POST', '/api/v1/monitors/', monitor);
    assert.equal(watching.status, 201);
    const same = await service.api<{ id: string }>('POST', '/api/v1/monitors/', monitor);
    assert.deepEqual([same.status, same.body.id], [201, watching.body.id]);
    await eventually(() => count('/i') === 2 && count('/h') === 1);
  });

  test('keys in odd forms, and where there is no such header', async () => {
    for (const key of ['a'.repeat(256), 'two words', 'caf\u00e9', '']) {
      const { status, body } = await send(key, '/j');
      assert.deepEqual([status, body.code], [400, 'request.validation'], key);
    }
    for (const key of ['a'.repeat(255), '"quoted"', '!~']) assert.equal((await send(key, '/j')).status, 200);
    const headers = { 'Idempotency-Key': newKey() };
    for (const [method, path, body] of [
      ['GET', SCRAPE, undefined],
      ['POST', '/api/v1/keys/', { name: 'x' }],
    ] as const) {
      const { status, body: problem } = await service.api<{ code: string }>(method, path, { headers, body });
      assert.deepEqual([status, problem.code], [400, 'request.validation'], path);
    }
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const { status } = await service.api('POST', SCRAPE, {
      raw: `{"url":"${url}/k","scraper":"http","method":"POST","data":${deep}}`,
      headers: { ...headers, 'Content-Type': 'application/json' },
    });
    assert.ok(status < 500, String(status));
  });
});
