import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { bare, prose } from '../assess/a-page.ts';
import { listen } from '../helpers/free-port.ts';
import { type Service, startService } from '../helpers/service.ts';
import { CONTENT_PAGE } from '../zoo/kinds.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
/** A block page that names the IP address as the reason, with the size of real ones. */
const REFUSAL = bare(
  'Blocked',
  `<p>You have been blocked by network security. Log in, or file a ticket.</p><style>/*${prose(160_000)}*/</style>`,
);

/** Contract §7: every route that might succeed is tried before a blocked page is delivered. */
describe('auto tries other routes after a blocked page', { skip }, () => {
  let service: Service;
  let server: Server;
  let site = '';
  before(async () => {
    service = await startService();
    const { body } = await service.api<{
      browsers: { items: { used: boolean; version: string }[] };
    }>('GET', '/api/v1/scrapers/');
    const major = body.browsers.items.find(({ used }) => used)!.version.split('.')[0]!;
    server = createServer(({ url, headers }, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      const open = url!.startsWith('/browsers') && headers['user-agent']!.includes(`Chrome/${major}.`);
      response.writeHead(open ? 200 : 403).end(open ? CONTENT_PAGE : REFUSAL);
    });
    await listen(server);
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await service?.end();
    server?.closeAllConnections();
    server?.close();
  });
  const scrape = async (path: string, router: unknown = {}, more: object = {}) => {
    const { body } = await service.scrape({ url: site + path, scraper: 'auto', router, ...more });
    return { ...body.router, ways: body.router.attempts!.map(({ scraper }) => scraper) };
  };

  test('if no other route may be tried, router.stopped says why', async () => {
    const one = await scrape('/a', { max_attempts: 1 });
    assert.equal(one.outcome, 'blocked');
    assert.equal(one.stopped?.reason, 'max_attempts');
    assert.match(one.stopped.message, /browser\/datacenter/);
    const cheap = await scrape('/b', 'cheapest');
    assert.equal(cheap.stopped?.reason, 'sort');
    const late = await scrape('/c', {}, { timeout_ms: 2_000 });
    assert.deepEqual([late.ways.includes('browser'), late.stopped?.reason], [false, 'timeout']);
    const once = await scrape('/d', {}, { method: 'POST', data: { a: 1 } });
    assert.deepEqual([once.ways.length, once.stopped?.reason], [1, 'method']);
  });

  test('the first request gets the page by a browser, although the blocked page blames the address', async () => {
    const { outcome, scraper, ways, stopped } = await scrape('/browsers');
    assert.deepEqual([outcome, scraper, stopped], ['ok', 'browser', null]);
    assert.deepEqual(ways.toSorted(), ['browser', 'http', 'http_impersonate']);
    const next = await scrape('/browsers');
    assert.deepEqual([next.outcome, next.scraper], ['ok', 'browser']);
  });

  test('a bare 403 is the answer of a site that gives its pages; an unknown site is asked by other methods', async () => {
    const forbidden = bare(
      '403 Forbidden',
      '<center><h1>403 Forbidden</h1></center><hr><center>nginx</center>',
    );
    const other = createServer(({ url }, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      const isClosed = url!.startsWith('/closed');
      response.writeHead(isClosed ? 403 : 200).end(isClosed ? forbidden : CONTENT_PAGE);
    });
    await listen(other);
    const { port } = other.address() as AddressInfo;
    const ask = async (host: string, path: string, router: object = {}) =>
      (await service.scrape({ url: `http://${host}:${port}${path}`, scraper: 'auto', router })).body.router;
    try {
      const unknown = await ask('localhost', '/closed');
      assert.deepEqual([unknown.outcome, unknown.attempts.length], ['blocked', 3]);
      for (const path of ['/one', '/two']) assert.equal((await ask('127.0.0.1', path)).outcome, 'ok');
      const dry = await ask('127.0.0.1', '/closed', { dry_run: true });
      const known = await ask('127.0.0.1', '/closed');
      assert.deepEqual([known.outcome, known.attempts.length], ['blocked', 1]);
      assert.equal(dry.candidates.find(({ selected }) => selected)?.scraper, known.attempts[0]!.scraper);
      assert.equal(known.stopped?.reason, 'answered');
      assert.match(known.stopped.message, /recently given pages to this method, so the 403 is its answer/);
      // The site may have begun to refuse its visitors.
      assert.equal((await ask('127.0.0.1', '/closed')).attempts.length, 3);
      const asked = await ask('127.0.0.1', '/closed/b', { max_attempts: 2 });
      assert.equal(asked.attempts.length, 2);
    } finally {
      other.closeAllConnections();
      other.close();
    }
  });

  test('after every route has failed several times, the blocked page is delivered at once, with the reason', async () => {
    const other = async (path: string) => {
      // Another site, which blocks browsers too.
      const url = site.replace('127.0.0.1', 'localhost') + path;
      return (await service.scrape({ url, scraper: 'auto' })).body.router;
    };
    for (let n = 1; n <= 3; n++) {
      const { outcome, attempts, stopped } = await other('/never');
      assert.deepEqual([outcome, attempts.length, stopped], ['blocked', 3, null], `request ${n}`);
    }
    const { outcome, attempts, stopped } = await other('/never');
    assert.deepEqual([outcome, stopped?.reason], ['blocked', 'refused_before']);
    assert.ok(attempts.every(({ scraper }) => scraper !== 'browser'));
    // For another kind of page of the site, all routes are tried again.
    assert.equal((await other('/another')).attempts.length, 3);
  });
});
