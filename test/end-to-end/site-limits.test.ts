import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { listen } from '../helpers/free-port.ts';
import { eventually, useService } from '../helpers/service.ts';
import { createUser } from '../helpers/users.ts';
import { endOf, startBatch } from './job-calls.ts';

interface Limits {
  readonly host: string;
  readonly concurrency: number | null;
  readonly delay_ms: number | null;
  readonly budget_day: number | null;
  readonly budget_month: number | null;
  readonly spent_month: number | null;
}

/** An address of its own, because limits hold for a host with all its ports. */
const HOST = '127.0.0.77';

describe('limits of a site', () => {
  const service = useService();
  let server: Server;
  let url = '';
  let running = 0;
  let most = 0;
  before(async () => {
    server = createServer((_, response) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running--;
        response.end('page');
      }, 50);
    });
    await listen(server, HOST);
    url = `http://${HOST}:${(server.address() as AddressInfo).port}/`;
  });
  after(() => server.close());

  const PATH = `/api/v1/sites/${HOST}/limits/`;
  const change = (body: unknown, key?: string) =>
    service.api<Limits>('PATCH', PATH, { body, ...(key === undefined ? {} : { key }) });

  test('nothing is limited until an administrator limits it; null removes a limit', async () => {
    const none = { concurrency: null, delay_ms: null, budget_day: null, budget_month: null };
    const { cost_unit, spent_day, ...limits } = (
      await service.api<Limits & Record<string, unknown>>('GET', PATH)
    ).body;
    assert.deepEqual(limits, { host: HOST, ...none, spent_month: null });
    assert.equal(spent_day, null);
    assert.equal(cost_unit, 'effort');
    const set = await change({ concurrency: 1, delay_ms: 20 });
    assert.equal(set.status, 200);
    assert.deepEqual([set.body.concurrency, set.body.delay_ms], [1, 20]);
    const withPort = await service.api<Limits>('GET', `/api/v1/sites/${HOST}:8080/limits/`);
    assert.equal(withPort.body.concurrency, 1, 'the port does not count');
    assert.deepEqual((await change({ delay_ms: null })).body.concurrency, 1, 'what is left out stays');
    assert.equal((await change({})).body.delay_ms, null);
  });

  test('attempts take turns', async () => {
    await change({ concurrency: 1 });
    most = 0;
    const scrapes = await Promise.all(
      Array.from({ length: 6 }, () => service.scrape({ url, scraper: 'http' })),
    );
    for (const { status, text } of scrapes) assert.equal(status, 200, text);
    assert.equal(most, 1);
    await change({ concurrency: null });
  });

  test('whoever has no time to wait gets 429 with Retry-After, and the limit by name', async () => {
    await change({ delay_ms: 30_000 });
    assert.equal((await service.scrape({ url, scraper: 'http' })).status, 200);
    const refused = await service.scrape({ url, scraper: 'http', timeout_ms: 1_000 });
    assert.equal(refused.status, 429, refused.text);
    assert.equal(refused.body.code, 'limit.site');
    assert.equal(refused.body.errors?.[0]?.details?.limit, 'delay');
    assert.equal(refused.headers.get('retry-after'), '30');
    await change({ delay_ms: null });
  });

  test('items of jobs wait for their turn, and do not fail for it', async () => {
    await change({ delay_ms: 1_000 });
    const requests = [1, 2, 3, 4].map((n) => ({ url: `${url}${n}` }));
    const request = { requests, defaults: { scraper: 'http', timeout_ms: 1_500 }, retries: 0 };
    const job = await endOf(service, await startBatch(service, request));
    assert.equal(job.state, 'done');
    assert.equal(job.counts.ok, 4, JSON.stringify(job.counts));
    await change({ delay_ms: null });
  });

  test('jobs and items that the limits of the site hold say so', async () => {
    await change({ delay_ms: 3_000_000 });
    const requests = [1, 2].map((n) => ({ url: `${url}${n}` }));
    const request = { requests, defaults: { scraper: 'http', timeout_ms: 1_000 }, retries: 0 };
    const id = await startBatch(service, request);
    type Wait = { waiting: { reason: string; until: string } | null; next_try_at: string | null };
    const told = async () => (await service.api<Wait>('GET', `/api/v1/jobs/${id}/`)).body;
    const { waiting, next_try_at: nextTry } = await eventually(async () => {
      const job = await told();
      return job.waiting?.reason === 'site_limit' ? job : null;
    });
    assert.ok(Date.parse(waiting!.until) > Date.now());
    assert.equal(nextTry, null, 'it was no try');
    const { body } = await service.api<{ items: (Wait & { error: { code: string } })[] }>(
      'GET',
      `/api/v1/jobs/${id}/items/?state=queued`,
    );
    assert.partialDeepStrictEqual(body.items.at(-1), {
      waiting: { reason: 'site_limit' },
      error: { code: 'limit.site' },
      next_try_at: null,
    });
    await service.api('DELETE', `/api/v1/jobs/${id}/`);
    await change({ delay_ms: null });
  });

  test('what is no limit is refused with a pointer', async () => {
    const cases: readonly [unknown, string][] = [
      [{ concurrency: 0 }, '/concurrency'],
      [{ concurrency: 1.5 }, '/concurrency'],
      [{ delay_ms: 0 }, '/delay_ms'],
      [{ delay_ms: 3_600_001 }, '/delay_ms'],
      [{ budget_day: -1 }, '/budget_day'],
      [{ budget_month: 1e308 }, '/budget_month'],
      [{ budget_month: 0.000_000_1 }, '/budget_month'],
      [{ budget_day: 'NaN' }, '/budget_day'],
      // Nothing has a price.
      [{ budget_day: 5 }, '/budget_day'],
      [{ more: 1 }, '/more'],
    ];
    for (const [body, pointer] of cases) {
      const refused = await service.api<{ errors: { pointer: string }[] }>('PATCH', PATH, { body });
      assert.equal(refused.status, 400, JSON.stringify(body));
      assert.equal(refused.body.errors[0]!.pointer, pointer);
    }
    assert.equal((await service.api('GET', '/api/v1/sites/a%2Fb/limits/')).status, 404);
  });

  test('users see the limits, and neither change them nor see what all have spent', async () => {
    await change({ concurrency: 7 });
    const { key } = await createUser(service);
    const seen = await service.api<Limits>('GET', PATH, { key });
    assert.equal(seen.body.concurrency, 7);
    assert.equal(seen.body.spent_month, null);
    assert.equal((await change({ concurrency: null }, key)).status, 403);
    await change({ concurrency: null });
    const { body } = await service.api<{ items: { action: string; details: { changed: string[] } }[] }>(
      'GET',
      `/api/v1/audit/?action=site.limited&target_id=${HOST}&limit=1`,
    );
    assert.deepEqual(body.items[0]?.details.changed, ['concurrency']);
  });
});
