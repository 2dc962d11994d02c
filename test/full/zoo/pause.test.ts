import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { bare } from '../../assess/a-page.ts';
import { useService } from '../../helpers/service.ts';
import { CONTENT_PAGE } from '../../zoo/kinds.ts';

/** Much less than what the site asks for, so that who waits that long is welcome, also on a slow machine. */
const BETWEEN_MS = 300;

/** The first visit, and all that follow another too soon, are asked to wait for `seconds`. */
function startBusy(seconds: number): Promise<Server> {
  let openAt: number | null = null;
  const server = createServer((_, response) => {
    const now = performance.now();
    const tooSoon = openAt === null || now < openAt;
    if (openAt === null || !tooSoon) openAt = now + BETWEEN_MS;
    if (tooSoon) response.setHeader('retry-after', seconds);
    response.writeHead(tooSoon ? 429 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(tooSoon ? bare('Slow down', '<p>Come back later.</p>') : CONTENT_PAGE);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describe('a site that wants a pause', () => {
  const service = useService();
  const servers: Server[] = [];
  const start = async (seconds: number): Promise<string> => {
    const server = await startBusy(seconds);
    servers.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  after(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  const only = ['http', 'http_impersonate'];
  const scrape = (at: string, more: object = {}) =>
    service.scrape({ url: at, scraper: 'auto', router: { only, max_attempts: 6 }, ...more });

  test('the content after the pause in one request, then in the first attempt', async () => {
    const url = await start(1);
    for (let time = 1; time <= 3; time++) {
      const { body } = await scrape(`${url}/goods/${time}`);
      const { attempts, timing, outcome } = body.router;
      const way = `request ${time}: ${attempts.map((one) => `${one.scraper} ${one.verdict} (${one.reason})`).join(', ')}`;
      assert.match(body.content ?? '', /The goods of the zoo/, way);
      assert.equal(outcome, 'ok', way);
      if (time === 1) {
        assert.deepEqual(
          attempts.map(({ verdict }) => verdict),
          ['rate', 'ok'],
          way,
        );
        assert.equal(attempts[0]!.scraper, attempts[1]!.scraper, way);
        assert.ok(timing.pause! > 500, String(timing.pause));
      } else assert.equal(attempts.length, 1, way);
    }
  });

  test('a pause that is longer than the time of the request is not begun', async () => {
    const far = await start(600);
    const { status, body } = await scrape(`${far}/goods/1`);
    assert.equal(status, 200);
    assert.equal(body.status_code, 429);
    assert.deepEqual(
      body.router.attempts.map(({ verdict }) => verdict),
      ['rate'],
    );
    assert.equal((await scrape(`${far}/goods/1`)).body.code, 'route.paced');
  });

  test('what is sent once is not sent again after a pause', async () => {
    const once = await start(1);
    const { body } = await service.scrape({
      url: once,
      method: 'POST',
      scraper: 'auto',
      data: 'a=1',
      router: { only },
    });
    assert.deepEqual(
      body.router.attempts.map(({ verdict }) => verdict),
      ['rate'],
    );
  });
});
