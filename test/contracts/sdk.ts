import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { newSecret, signatureHeaders } from '../../src/webhooks/signature.ts';
import { scriptedServer } from '../helpers/scripted-server.ts';
import { eventually, startService, useService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { profileKey } from '../helpers/visitor.ts';

/** A call of an SDK. The names are those of TypeScript; Python's are the same in snake case. */
export interface SdkCall {
  /** A method of the client, such as `scrape` or `jobs.results`. */
  readonly method: string;
  readonly args?: readonly unknown[];
  /** The last argument (Python: keyword arguments). */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Of lists and events: how many are read; the default is all. */
  readonly take?: number;
  /** The caller ends the call after this time. */
  readonly abortAfterMs?: number;
  /** Options of the client. */
  readonly client: { readonly baseUrl: string; readonly apiKey: string } & Readonly<Record<string, unknown>>;
}

/** What a call gave, as JSON. */
export interface SdkOutcome {
  /** Items of lists and events as an array; bytes as Base64. */
  readonly value?: unknown;
  readonly error?: {
    /** `aborted`: what the language throws for a call that its caller has ended. */
    readonly kind: 'sluice' | 'webhook' | 'aborted';
    readonly code?: string;
    readonly status?: number | null;
    readonly retryable?: boolean;
    readonly requestId?: string | null;
    readonly pointers?: readonly string[];
    /** The failed scrape. */
    readonly scrape?: Readonly<Record<string, unknown>> | null;
    /** Of a webhook. */
    readonly reason?: string;
    readonly message: string;
  };
}

/** An SDK under test. */
export interface Sdk {
  call(call: SdkCall): Promise<SdkOutcome>;
  /** Why its calls cannot be ended by the caller; false: they can. */
  readonly cannotAbort: string | false;
  verifyWebhook(
    secret: string | readonly string[],
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<SdkOutcome>;
}

type Body = Readonly<Record<string, unknown>>;

const NO_SUCH = '01890000-0000-7000-8000-00000000000a';

/** What the SDK of every language must do. */
export function sdkContract(name: string, sdk: Sdk): void {
  describe(`${name}: with a service`, () => withService(sdk));
  describe(`${name}: retries and limits`, () => withScriptedServer(sdk));
  describe(`${name}: webhooks`, () => webhooks(sdk));
  test(`${name}: a scrape outlives a service that is killed`, () => killedService(sdk));
}

function withService(sdk: Sdk): void {
  const site = useSite();
  const service = useService();
  const call = (method: string, args: readonly unknown[], more: Partial<SdkCall> = {}) =>
    sdk.call({ method, args, client: { baseUrl: `${service.base}/`, apiKey: service.key }, ...more });
  /** The value of a call that must not fail. */
  const value = async <T = Body>(method: string, args: readonly unknown[], more?: Partial<SdkCall>) => {
    const { error, value: got } = await call(method, args, more);
    assert.equal(error, undefined, JSON.stringify(error));
    return got as T;
  };
  const batchOf = async (pages: number) => {
    const requests = Array.from({ length: pages }, (_, n) => ({
      url: `${site.url}/text?n=${n}`,
      ref: String(n),
    }));
    return (await value('batch', [{ requests, defaults: { scraper: 'http' } }])).id as string;
  };

  test('a scrape, its record, its content, and reading it again', async () => {
    const page = await value('scrape', [{ url: `${site.url}/html`, scraper: 'http' }]);
    assert.partialDeepStrictEqual(page, { status_code: 200, errors: [], router: { outcome: 'ok' } });
    const { id } = page as { id: string };
    assert.partialDeepStrictEqual(await value('scrapes.get', [id]), { id, status_code: 200 });
    const content = Buffer.from(await value<string>('scrapes.content', [id]), 'base64').toString();
    assert.equal(content, page.content);
    const read = await value('read', [id, { formats: ['metadata'] }]);
    assert.equal(typeof (read.scraper_data as Body).metadata, 'object');
    assert.equal((await value('scrapes.request', [id])).scraper, 'http');
    await value('scrapes.delete', [id]);
    assert.equal((await call('scrapes.get', [id])).error?.code, 'request.not_found');
  });

  test('a failed scrape keeps what is known of it', async () => {
    const { error } = await call('scrape', [{ url: 'http://127.0.0.1:1/', scraper: 'http' }], {
      client: { baseUrl: service.base, apiKey: service.key, maxRetries: 0 },
    });
    assert.partialDeepStrictEqual(error, {
      kind: 'sluice',
      code: 'connect.refused',
      status: 502,
      retryable: true,
    });
    assert.match(error!.requestId!, /./);
    assert.partialDeepStrictEqual(error!.scrape, { content: null, router: { outcome: 'failed' } });
    assert.match(error!.scrape!.id as string, /^[0-9a-f-]{36}$/);
  });

  test('refusals have their code, and the place in the request', async () => {
    const invalid = await call('scrape', [{ url: `${site.url}/html`, timeout_ms: 'soon' }]);
    assert.partialDeepStrictEqual(invalid.error, {
      code: 'request.validation',
      status: 400,
      retryable: false,
      pointers: ['/timeout_ms'],
      scrape: null,
    });
    const unknown = await call('jobs.get', ['01970000-0000-7000-8000-000000000000']);
    assert.partialDeepStrictEqual(unknown.error, { code: 'request.not_found', status: 404 });
    const stranger = await call('jobs.get', ['x'], { client: { baseUrl: service.base, apiKey: 'wrong' } });
    assert.partialDeepStrictEqual(stranger.error, { code: 'auth.invalid', status: 401 });
    assert.doesNotMatch(stranger.error!.message, /wrong/);
  });

  test('a call with the same idempotency key gets the same scrape', async () => {
    const request = { url: `${site.url}/text?same`, scraper: 'http' };
    const options = { idempotencyKey: crypto.randomUUID() };
    const first = await value('scrape', [request], { options });
    assert.equal((await value('scrape', [request], { options })).id, first.id);
    assert.notEqual((await value('scrape', [request])).id, first.id);
  });

  test('an asynchronous scrape is waited for', async () => {
    const started = await value('startScrape', [{ url: `${site.url}/text`, scraper: 'http' }]);
    assert.equal(started.state, 'queued');
    const record = await value('scrapes.wait', [started.id]);
    assert.partialDeepStrictEqual(record, { id: started.id, status_code: 200 });
  });

  test('lists of records go over pages', async () => {
    for (let n = 0; n < 5; n++)
      await service.scrape({
        url: `${site.url}/text`,
        scraper: 'http',
        router: { tags: { list: 'a', n: String(n) } },
      });
    const tag = 'list:a';
    const records = await value<Body[]>('scrapes.list', [{ limit: 2, tag }]);
    assert.deepEqual(
      records.map(({ tags }) => (tags as Body).n),
      ['4', '3', '2', '1', '0'],
    );
    assert.equal((await value<Body[]>('scrapes.list', [{ limit: 2, tag }], { take: 3 })).length, 3);
  });

  test('a batch: its results over pages while it runs, its end, its list', async () => {
    const id = await batchOf(7);
    const results = await value<Body[]>('jobs.results', [id, { limit: 2, include: 'full' }]);
    assert.deepEqual(
      results.map(({ n }) => n),
      [1, 2, 3, 4, 5, 6, 7],
    );
    assert.equal((results[0]!.scrape as Body).status_code, 200);
    assert.partialDeepStrictEqual(await value('jobs.wait', [id]), { id, state: 'done', counts: { ok: 7 } });
    assert.equal((await value<Body[]>('jobs.results', [id, { cursor: '5' }])).length, 2);
    assert.equal((await value<Body[]>('jobs.list', [{ kind: 'batch', limit: 1 }], { take: 1 })).length, 1);
    assert.equal((await value<Body[]>('jobs.folders', [id]))[0]!.folder, `${new URL(site.url).host}/`);
    const items = await value<Body[]>('jobs.items', [id, { limit: 3, sort: 'bytes', state: 'ok' }]);
    assert.equal(items.length, 7);
    assert.equal((await call('jobs.tryNow', [id, null])).error?.code, 'job.state');
    assert.equal((await call('jobs.tryNow', [id, [1]])).error?.code, 'job.state');
  });

  test('a job is paused, resumed, changed, cancelled, cloned and deleted', async () => {
    const requests = Array.from({ length: 3 }, (_, n) => ({
      url: `${site.url}/hang?n=${n}`,
      scraper: 'http',
    }));
    const { id } = (await value('batch', [{ requests, concurrency: 1 }])) as { id: string };
    assert.equal((await value('jobs.pause', [id])).state, 'paused');
    assert.equal((await value('jobs.change', [id, { priority: 3 }])).priority, 3);
    assert.equal((await call('jobs.pause', [id])).error?.code, 'job.state');
    assert.deepEqual(await value('jobs.results', [id, { follow: false }]), []);
    await value('jobs.resume', [id]);
    await value('jobs.cancel', [id]);
    assert.equal((await value('jobs.wait', [id])).state, 'cancelled');
    const clone = await value('jobs.clone', [id]);
    assert.notEqual(clone.id, id);
    await value('jobs.delete', [clone.id]);
    assert.equal((await call('jobs.get', [clone.id])).error?.code, 'request.not_found');
  });

  test('a wait has a limit', async () => {
    const { id } = (await value('batch', [
      { requests: [{ url: `${site.url}/hang?wait`, scraper: 'http' }] },
    ])) as { id: string };
    const { error } = await call('jobs.wait', [id], { options: { timeoutMs: 600 } });
    assert.equal(error?.code, 'client.timeout');
    await value('jobs.delete', [id]);
  });

  test('a crawl and its events', async () => {
    const { id } = (await value('crawl', [
      { url: `${site.url}/html`, limit: 2, request: { scraper: 'http' } },
    ])) as { id: string };
    const events = await value<Body[]>('jobs.events', [id]);
    assert.equal(events[0]!.type, 'started');
    assert.equal(events.at(-1)!.type, 'done');
    const rest = await value<Body[]>('jobs.events', [id], { options: { lastEventId: events.length - 1 } });
    assert.deepEqual(
      rest.map(({ type }) => type),
      ['done'],
    );
  });

  test('a map, and an imported command', async () => {
    const map = await value('map', [{ url: `${site.url}/html` }]);
    assert.ok(Array.isArray(map.items));
    const imported = await value('importRequest', [{ curl: `curl -X PUT ${site.url}/text` }]);
    assert.partialDeepStrictEqual(imported.request, { method: 'PUT', scraper: 'http' });
  });

  test('a monitor, its run and its list', async () => {
    const request = { url: `${site.url}/text`, scraper: 'http' };
    const monitor = await value('monitors.create', [
      {
        name: 'text',
        request,
        schedule: { every_s: 86_400 },
        compare: { format: 'text' },
        first_run: 'scheduled',
      },
    ]);
    const { id } = monitor as { id: string };
    const preview = await value('monitors.preview', [{ request, compare: { format: 'text' } }]);
    assert.deepEqual([preview.reason, preview.truncated], [null, false]);
    assert.ok((await value<number>('monitors.run', [id])) >= 1);
    assert.equal((await value<Body[]>('monitors.runs', [id], { take: 1 })).length, 1);
    assert.equal((await value('monitors.pause', [id])).id, id);
    assert.equal((await value('monitors.resume', [id])).id, id);
    assert.equal((await value('monitors.change', [id, { name: 'other' }])).name, 'other');
    assert.ok((await value<Body[]>('monitors.list', [])).some((one) => one.id === id));
    assert.deepEqual((await value('monitors.noise', [id])).items, []);
    await value('monitors.delete', [id]);
  });

  test('a schedule, its run and its list', async () => {
    const job = { kind: 'scrape', url: `${site.url}/text`, scraper: 'http' };
    const { id } = (await value('schedules.create', [
      { name: 'text', job, schedule: { every_s: 86_400 } },
    ])) as { id: string };
    assert.ok((await value<number>('schedules.run', [id])) >= 1);
    assert.equal((await value<Body[]>('schedules.runs', [id], { take: 1 })).length, 1);
    assert.equal((await value('schedules.pause', [id])).id, id);
    assert.equal((await value('schedules.resume', [id])).id, id);
    assert.equal((await value('schedules.change', [id, { name: 'other' }])).name, 'other');
    assert.ok((await value<Body[]>('schedules.list', [])).some((one) => one.id === id));
    await value('schedules.delete', [id]);
  });

  test('a channel', async () => {
    const request = { name: 'Ops', type: 'webhook', url: 'https://93.184.216.34/hook' };
    const { id } = (await value('channels.create', [request])) as { id: string };
    assert.ok((await value<Body[]>('channels.list', [])).some((one) => one.id === id));
    assert.equal((await value('channels.change', [id, { name: 'Team' }])).name, 'Team');
    assert.equal((await value('channels.get', [id])).name, 'Team');
    // Nothing is sent: it is not paused, and the other does not exist.
    assert.equal((await call('channels.resume', [id])).error?.code, 'job.state');
    assert.equal((await call('channels.test', [NO_SUCH])).error?.code, 'request.not_found');
    await value('channels.delete', [id, { detach: '1' }]);
    assert.equal((await call('channels.get', [id])).error?.code, 'request.not_found');
  });

  test('a profile', async () => {
    const client = { baseUrl: service.base, apiKey: await profileKey(service) };
    const ask = async <T = Body>(method: string, ...args: unknown[]) => {
      const { value: found, error } = await sdk.call({ method, args, client });
      assert.equal(error, undefined, JSON.stringify(error));
      return found as T;
    };
    const cookie = { name: 'session', value: 'b1946ac9', domain: 'example.com', path: '/' };
    const made = await ask('profiles.create', { name: 'shop', storage_state: { cookies: [cookie] } });
    assert.deepEqual([made.name, made.cookies, made.sites], ['shop', 1, ['example.com']]);
    assert.equal((await ask('profiles.change', 'shop', { name: 'other-shop' })).name, 'other-shop');
    assert.equal((await ask('profiles.get', 'other-shop')).state, 'ready');
    assert.equal((await ask<Body[]>('profiles.list')).length, 1);
    const { storage_state } = await ask<{ storage_state: { cookies: Body[] } }>(
      'profiles.export',
      'other-shop',
    );
    assert.equal(storage_state.cookies[0]!.value, 'b1946ac9');
    await sdk.call({ method: 'profiles.delete', args: ['other-shop'], client });
    const gone = await sdk.call({ method: 'profiles.get', args: ['other-shop'], client });
    assert.equal(gone.error?.code, 'request.not_found');
  });

  test('exports of a job, and a dataset of its results', async () => {
    const { id: job } = (await value('batch', [
      {
        requests: [{ url: `${site.url}/html/1000` }],
        defaults: { scraper: 'http', scraper_options: { extract: { text: 'p' } } },
      },
    ])) as { id: string };
    await value('jobs.wait', [job]);
    const sent = await value('exports.send', [job, { format: 'csv', target: { kind: 'link' } }]);
    const { items } = (await value('exports.list', [job])) as unknown as { items: Body[] };
    assert.deepEqual(
      items.map(({ id }) => id),
      [sent.id],
    );
    assert.partialDeepStrictEqual(await value('exports.get', [sent.id]), { job_id: job, format: 'csv' });
    const text = (base64: string) => Buffer.from(base64, 'base64').toString();
    assert.match(text(await value<string>('exports.download', [job, { format: 'csv' }])), /extract\.text/);

    const { id } = (await value('datasets.create', [{ name: 'Texts' }])) as { id: string };
    assert.equal(await value<number>('datasets.importJob', [id, job]), 1);
    const hasRow = async () => (await value<Body[]>('datasets.rows', [id])).length === 1;
    await eventually(hasRow);
    assert.equal((await value<Body[]>('datasets.runs', [id])).length, 1);
    assert.match(text(await value<string>('datasets.export', [id, { format: 'csv' }])), /,scrape,text\r\n/);
    assert.equal((await value('datasets.change', [id, { name: 'Other' }])).name, 'Other');
    assert.equal((await value('datasets.get', [id])).rows, 1);
    assert.ok((await value<Body[]>('datasets.list', [])).some((one) => one.id === id));
    await value('datasets.delete', [id]);
    await value('jobs.delete', [job]);
  });

  test('prices, and limits of a site', async () => {
    assert.equal((await value('prices.get', [])).source, 'database');
    // What would be set holds for all who share the service.
    const { error } = await call('prices.set', [{ currency: 'EUR', scrapers: { http: -1 } }]);
    assert.deepEqual([error?.status, error?.pointers], [400, ['/scrapers/http']]);
    const host = 'limits-of-sdk.example';
    assert.equal((await value('siteLimits.change', [host, { concurrency: 3 }])).concurrency, 3);
    assert.partialDeepStrictEqual(await value('siteLimits.get', [host]), { host, concurrency: 3 });
    assert.equal((await value('siteLimits.change', [host, { concurrency: null }])).concurrency, null);
  });

  test('any endpoint can be called', async () => {
    const request = { method: 'GET', path: '/api/v1/stats/', query: { window: '1h' } };
    assert.equal((await value('request', [request])).window, '1h');
    assert.deepEqual(await value('webhooks.list', []), []);
  });
}

const PROBLEM = { 'content-type': 'application/problem+json' };
const problem = (code: string, status: number, retryable: boolean, more: Body = {}) =>
  JSON.stringify({
    ...{ type: 'about:blank', title: 'x', status, detail: 'x', code, request_id: 'r' },
    ...{ retryable, errors: [{ code, level: 'error', message: 'x', source: 'service', retryable }] },
    ...more,
  });
const scrapeProblem = (id: string) => problem('connect.reset', 502, true, { id, router: {}, content: null });
const SCRAPE = { url: 'http://example.com/' };

function withScriptedServer(sdk: Sdk): void {
  const run = async (
    server: Awaited<ReturnType<typeof scriptedServer>>,
    more: Partial<SdkCall> = {},
  ): Promise<SdkOutcome> =>
    await sdk.call({
      ...{ method: 'scrape', args: [SCRAPE], client: { baseUrl: server.url, apiKey: 'a-key' } },
      ...more,
    });
  const keysOf = ({ requests }: Awaited<ReturnType<typeof scriptedServer>>) =>
    requests.map(({ headers }) => headers['idempotency-key']);

  test('429 is tried again after `Retry-After`, with the same key', async () => {
    await using server = await scriptedServer([
      {
        status: 429,
        headers: { ...PROBLEM, 'retry-after': '1' },
        body: problem('limit.concurrency', 429, true),
      },
      { body: '{"id":"1","router":{}}' },
    ]);
    assert.deepEqual((await run(server)).value, { id: '1', router: {} });
    const [first, second] = server.requests;
    assert.equal(server.requests.length, 2);
    assert.ok(second!.at - first!.at >= 950, `${second!.at - first!.at} ms`);
    assert.match(String(keysOf(server)[0]), /^[\x21-\x7e]{16,255}$/);
    assert.equal(keysOf(server)[0], keysOf(server)[1]);
    assert.equal(first!.headers.authorization, 'Api-Key a-key');
    assert.deepEqual(JSON.parse(second!.body), SCRAPE);
  });

  test('503 and broken connections are tried again with the same key', async () => {
    await using server = await scriptedServer([
      { status: 503, headers: PROBLEM, body: problem('service.unavailable', 503, true) },
      'reset',
      { body: '{"id":"2"}' },
    ]);
    assert.deepEqual((await run(server)).value, { id: '2' });
    assert.equal(new Set(keysOf(server)).size, 1);
    assert.equal(server.requests.length, 3);
  });

  test('each call has its own key', async () => {
    await using server = await scriptedServer([{ body: '{"id":"1"}' }, { body: '{"id":"2"}' }]);
    await run(server);
    await run(server);
    assert.equal(new Set(keysOf(server)).size, 2);
  });

  test('what is not retryable is not tried again, and no more often than `maxRetries`', async () => {
    await using server = await scriptedServer([
      { status: 422, headers: PROBLEM, body: problem('route.none', 422, false) },
    ]);
    assert.equal((await run(server)).error?.code, 'route.none');
    assert.equal(server.requests.length, 1);
    const busy = {
      status: 503,
      headers: { ...PROBLEM, 'retry-after': '0' },
      body: problem('service.storage', 503, true),
    };
    await using always = await scriptedServer([busy, busy, busy, busy, busy]);
    assert.equal((await run(always)).error?.code, 'service.storage');
    assert.equal(always.requests.length, 3);
    await using once = await scriptedServer([busy, busy]);
    const client = { baseUrl: once.url, apiKey: 'a-key', maxRetries: 0 };
    assert.equal((await run(once, { client })).error?.status, 503);
    assert.equal(once.requests.length, 1);
  });

  test('a scrape that has failed is tried again with a new key, but not with a key of the caller', async () => {
    const failed = { status: 502, headers: { ...PROBLEM, 'retry-after': '0' }, body: scrapeProblem('s1') };
    await using server = await scriptedServer([failed, { body: '{"id":"s2"}' }]);
    assert.deepEqual((await run(server)).value, { id: 's2' });
    assert.equal(new Set(keysOf(server)).size, 2);
    await using own = await scriptedServer([failed, { body: '{"id":"s2"}' }]);
    const { error } = await run(own, { options: { idempotencyKey: 'mine' } });
    assert.equal(error?.code, 'connect.reset');
    assert.deepEqual(keysOf(own), ['mine']);
  });

  test('while the first try still runs, its response is waited for', async () => {
    const running = {
      status: 409,
      headers: { ...PROBLEM, 'retry-after': '0' },
      body: problem('idempotency.conflict', 409, false),
    };
    await using server = await scriptedServer([
      'reset',
      running,
      running,
      running,
      running,
      { body: '{"id":"1"}' },
    ]);
    assert.deepEqual((await run(server)).value, { id: '1' });
    assert.equal(new Set(keysOf(server)).size, 1);
  });

  test('what may have had its effect is not sent again without a key', async () => {
    await using server = await scriptedServer(['reset', { body: '{}' }]);
    assert.equal((await run(server, { method: 'jobs.clone', args: ['x'] })).error?.code, 'client.connection');
    assert.equal(server.requests.length, 1);
    await using reading = await scriptedServer(['reset', { body: '{"id":"x"}' }]);
    assert.deepEqual((await run(reading, { method: 'jobs.get', args: ['x'] })).value, { id: 'x' });
  });

  test('a call has a time limit, and does not wait beyond it', async () => {
    await using server = await scriptedServer(['hang']);
    const { error } = await run(server, { options: { timeoutMs: 300 } });
    assert.partialDeepStrictEqual(error, { code: 'client.timeout', status: null, retryable: true });
    await using later = await scriptedServer([
      {
        status: 429,
        headers: { ...PROBLEM, 'retry-after': '3600' },
        body: problem('limit.items', 429, true),
      },
    ]);
    assert.equal((await run(later)).error?.code, 'limit.items');
  });

  test('a body that does not end is a timeout, too', async () => {
    await using server = await scriptedServer(['half']);
    assert.equal((await run(server, { options: { timeoutMs: 300 } })).error?.code, 'client.timeout');
  });

  test('the caller can end a call', { skip: sdk.cannotAbort }, async () => {
    await using server = await scriptedServer(['hang']);
    assert.equal((await run(server, { abortAfterMs: 200 })).error?.kind, 'aborted');
    await server.closed(0);
  });

  test("what is not Sluice's is told", async () => {
    await using server = await scriptedServer([
      { status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' },
      { headers: { 'content-type': 'text/html' }, body: '<p>Hello' },
      { status: 404, headers: { 'content-type': 'text/html' }, body: '<p>Nothing' },
    ]);
    const redirect = await run(server);
    assert.equal(redirect.error?.code, 'client.response');
    assert.match(redirect.error!.message, /elsewhere\.example/);
    assert.equal((await run(server)).error?.code, 'client.response');
    assert.partialDeepStrictEqual((await run(server)).error, { code: 'client.response', status: 404 });
    await using none = await scriptedServer([]);
    const { url } = none;
    await none.close();
    const client = { baseUrl: url, apiKey: 'a-key', maxRetries: 0 };
    assert.equal(
      (await sdk.call({ method: 'scrape', args: [SCRAPE], client })).error?.code,
      'client.connection',
    );
  });

  test('events go on after a cut connection', async () => {
    const event = (n: number) => `id: ${n}\nevent: page\ndata: {"type":"page","sequence":${n}}\n\n`;
    const headers = { 'content-type': 'text/event-stream' };
    await using server = await scriptedServer([
      { headers, body: `retry: 50\n\n${event(1)}:\n\n${event(2)}id: 3\nevent: page\nda`, cut: true },
      { headers, body: '', cut: true },
      { headers, body: event(3) },
      { status: 204, body: '' },
    ]);
    const { value } = await run(server, { method: 'jobs.events', args: ['x'] });
    assert.deepEqual(
      (value as { sequence: number }[]).map(({ sequence }) => sequence),
      [1, 2, 3],
    );
    assert.deepEqual(
      server.requests.map(({ headers: sent }) => sent['last-event-id']),
      ['0', '2', '2', '3'],
    );
  });
}

function webhooks(sdk: Sdk): void {
  const body = '{"type":"job.done","timestamp":"x","sequence":1,"data":{"name":"Grüße"}}';
  const signed = (secrets: readonly string[], at = Date.now()) =>
    Object.fromEntries(signatureHeaders('msg_1', at, Buffer.from(body), secrets));

  test('a right signature gives the message, also while secrets are rotated', async () => {
    const [secret, old] = [newSecret(), newSecret()];
    assert.deepEqual((await sdk.verifyWebhook(secret, signed([secret]), body)).value, JSON.parse(body));
    assert.deepEqual((await sdk.verifyWebhook(old, signed([secret, old]), body)).value, JSON.parse(body));
    const either = await sdk.verifyWebhook([secret, old], signed([old]), body);
    assert.deepEqual(either.value, JSON.parse(body));
    const capital = Object.fromEntries(
      Object.entries(signed([secret])).map(([name, value]) => [name.toUpperCase(), value]),
    );
    assert.deepEqual((await sdk.verifyWebhook(secret, capital, body)).value, JSON.parse(body));
  });

  test('wrong signatures, other bodies, old and future times, and missing headers are refused', async () => {
    const secret = newSecret();
    const reason = async (headers: Record<string, string>, text = body) =>
      (await sdk.verifyWebhook(secret, headers, text)).error?.reason;
    assert.equal(await reason(signed([newSecret()])), 'signature');
    assert.equal(await reason(signed([secret]), `${body} `), 'signature');
    assert.equal(await reason({ ...signed([secret]), 'webhook-id': 'msg_2' }), 'signature');
    assert.equal(await reason({ ...signed([secret]), 'webhook-signature': 'v1,!! v1a,x v1,' }), 'signature');
    assert.equal(await reason(signed([secret], Date.now() - 301_000)), 'timestamp');
    assert.equal(await reason(signed([secret], Date.now() + 302_000)), 'timestamp');
    assert.equal(await reason({ ...signed([secret]), 'webhook-timestamp': 'now' }), 'timestamp');
    assert.equal(await reason({}), 'headers');
  });
}

async function killedService(sdk: Sdk): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-sdk-'));
  try {
    const page = { headers: { 'content-type': 'text/plain' }, body: 'the page' };
    await using target = await scriptedServer(['hang', page]);
    await using first = await startService({}, { dataDir });
    const client = { baseUrl: first.base, apiKey: first.key, maxRetries: 20 };
    const scrape = sdk.call({ method: 'scrape', args: [{ url: target.url, scraper: 'http' }], client });
    await eventually(() => target.requests.length === 1);
    await first.kill9();
    await using second = await startService({}, { dataDir, port: first.port });
    const { value, error } = await scrape;
    assert.equal((value as Body | undefined)?.content, 'the page', JSON.stringify(error));
    const { items } = (await second.api('GET', '/api/v1/scrape/')).body as { items: readonly unknown[] };
    assert.equal(items.length, 1);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}
