import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { eventually, useOwnService } from '../helpers/service.ts';
import { createUser } from '../helpers/users.ts';
import type { ScrapeAnswer } from '../helpers/wire-types.ts';

/** Responds to `/429/<Retry-After>` with that status and header, and to `/` with a page. */
function startStrict(): Promise<Server> {
  const server = createServer(({ url }, response) => {
    const [, status, pause] = url!.split('/');
    if (status === '429') response.setHeader('retry-after', pause ?? '');
    response.statusCode = status === '429' ? 429 : 200;
    response.end(`${status}\n`);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describe('a site that responds with 429', () => {
  const service = useOwnService();
  const servers: Server[] = [];
  const urls: string[] = [];
  before(async () => {
    for (let i = 0; i < 5; i++) {
      const server = await startStrict();
      servers.push(server);
      urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    }
  });
  after(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  const scrape = (url: string, more: object = {}) => service.scrape({ url, scraper: 'http', ...more });

  test('gets no request of any user until Retry-After has passed; other sites do', async () => {
    const { body: first } = await scrape(`${urls[0]}/429/600`);
    assert.equal(first.router.verdict?.kind, 'rate');
    assert.equal(first.status_code, 429);
    const { status, body, headers } = await scrape(`${urls[0]}/`);
    assert.equal(status, 503);
    assert.equal(body.code, 'route.paced');
    assert.equal(body.retryable, true);
    const seconds = Number(headers.get('retry-after'));
    assert.ok(seconds > 500 && seconds <= 600, String(seconds));
    assert.deepEqual(body.router.attempts, []);
    assert.equal(body.router.outcome, 'failed');
    assert.equal(body.router.scraper, null);
    const stored = await service.api<typeof body>('GET', `/api/v1/scrape/${body.id}/`);
    assert.equal(stored.body.errors[0]!.code, 'route.paced');
    const { key } = await createUser(service);
    const other = await service.scrape({ url: `${urls[0]}/`, scraper: 'http' }, { key });
    assert.equal(other.status, 503, 'another user');
    assert.equal(other.body.code, 'route.paced');
    assert.equal((await scrape(`${urls[1]}/`)).status, 200);
  });

  test('gets the next request after the pause; the wait is in timing.pause', async () => {
    await scrape(`${urls[2]}/429/2`);
    const { status, body } = await scrape(`${urls[2]}/`);
    assert.equal(status, 200);
    assert.ok(body.router.timing.pause! > 1_000, String(body.router.timing.pause));
    assert.ok(body.router.attempts[0]!.duration_ms < body.router.timing.total! - 1_000);
  });

  test('a further attempt that would exceed the time limit is skipped, and the first page is delivered', async () => {
    const { status, body } = await scrape(`${urls[3]}/429/600`, { router: { max_attempts: 3 } });
    assert.equal(status, 200);
    assert.equal(body.router.attempts.length, 1);
    assert.equal(body.router.outcome, 'target_error');
    const metrics = await (await fetch(`${service.base}/metrics`)).text();
    assert.match(metrics, /^sluice_paced_sites [1-9]/m);
  });

  test('a caller that disconnects before the further attempt has cancelled the scrape, although there is a page', async () => {
    const leaving = new AbortController();
    const left = fetch(`${service.base}/api/v1/scrape/`, {
      method: 'POST',
      headers: { authorization: `Api-Key ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        url: `${urls[4]}/429/30`,
        scraper: 'http',
        router: { max_attempts: 2, tags: { who: 'leaves' } },
      }),
      signal: leaving.signal,
    });
    const paced = async () =>
      (await scrape(`${urls[4]}/`, { timeout_ms: 1_000 })).body.code === 'route.paced';
    await eventually(paced);
    leaving.abort();
    await assert.rejects(left);
    interface List {
      readonly items: readonly {
        readonly id: string;
        readonly error_code: string;
        readonly outcome: string;
      }[];
    }
    const [item] = await eventually(async () => {
      const { body } = await service.api<List>('GET', '/api/v1/scrape/?tag=who:leaves');
      return body.items.length > 0 && body.items;
    });
    assert.deepEqual([item!.error_code, item!.outcome], ['request.cancelled', 'failed']);
    const { body } = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${item!.id}/`);
    assert.equal(body.status_code, null);
    assert.deepEqual(
      body.router.attempts!.map(({ status_code }) => status_code),
      [429],
    );
  });
});
