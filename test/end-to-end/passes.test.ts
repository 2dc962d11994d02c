import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { ordinary } from '../assess/a-page.ts';
import { useService } from '../helpers/service.ts';
import { createUser } from '../helpers/users.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const check = (pass: string, more = '') =>
  `<html><body><script>document.cookie="pass=${pass}; path=/${more}";location.reload();</script></body></html>`;

describe('cookies of a passed check', { skip }, () => {
  const service = useService();
  const servers: Server[] = [];
  /** The value of the cookie that the site accepts. */
  let pass = 'one';
  let seen: (string | undefined)[] = [];
  const startSite = async (): Promise<string> => {
    const server = createServer((request, response) => {
      const { cookie } = request.headers;
      if (request.url !== '/favicon.ico') seen.push(cookie);
      const passed = cookie?.includes(`pass=${pass}`) === true;
      response.writeHead(passed ? 200 : 503, { 'content-type': 'text/html; charset=utf-8' });
      const more = request.url === '/short' ? '; max-age=3' : '';
      response.end(passed ? ordinary({ body: '<p>Behind the check.</p>' }) : check(pass, more));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  let url = '';
  before(async () => {
    url = await startSite();
  });
  beforeEach(() => {
    seen = [];
  });
  after(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  const only = ['http', 'http_impersonate', 'browser'];
  const scrape = async (path: string, session: string | null, more: object = {}, options: object = {}) => {
    const proxy = session === null ? {} : { proxy: { session } };
    const { body } = await service.scrape(
      { url: `${url}${path}`, scraper: 'auto', router: { only, max_attempts: 4 }, ...proxy, ...more },
      options,
    );
    return body;
  };
  const reusedOf = async (...of: Parameters<typeof scrape>) =>
    (await scrape(...of)).router.attempts!.map(({ scraper, reused }) => [scraper, ...reused]);

  test('are sent with later HTTP attempts of the session, and reported', async () => {
    const first = await scrape('/a', 's1');
    assert.equal(first.router.attempts!.at(-1)!.scraper, 'browser');
    assert.ok(first.router.attempts!.every(({ reused }) => reused.length === 0));
    seen = [];
    const body = await scrape('/b', 's1', { cookies: { own: '1' } });
    assert.match(body.content!, /Behind the check/);
    assert.equal(body.router.attempts!.length, 1);
    assert.deepEqual(body.router.attempts![0]!.reused, ['cookies']);
    assert.equal(body.router.attempts![0]!.scraper, 'http_impersonate');
    assert.match(body.router.attempts![0]!.reason, /cookies of a passed bot check/);
    assert.deepEqual(seen, ['own=1; pass=one']);
    assert.deepEqual(body.cookies, [], 'the target has not set them in this scrape');
    const stored = await service.api('GET', `/api/v1/scrape/${body.id}/request/`);
    assert.ok(!stored.text.includes('pass'), 'the caller has not sent them');
    assert.deepEqual(await reusedOf('/c', 's1', { scraper: 'http', router: {} }), [['http', 'cookies']]);
    await scrape('/d', 's1', { scraper: 'http', router: {}, cookies: { pass: 'mine' } });
    assert.equal(seen.at(-1), 'pass=mine', 'the cookie of the caller wins');
  });

  test('are not used for other sessions, users or sites, nor without a session', async () => {
    await scrape('/a', 's2');
    const { key } = await createUser(service);
    const cheap = { scraper: 'http', router: {} };
    seen = [];
    for (const of of [
      ['/x', null, cheap],
      ['/x', 'never', cheap],
      ['/x', 's2', cheap, { key }],
      ['/x', 's2', { ...cheap, url: await startSite() }],
    ] as Parameters<typeof scrape>[])
      assert.deepEqual(await reusedOf(...of), [['http']]);
    assert.deepEqual(seen, [undefined, undefined, undefined, undefined]);
  });

  test('are forgotten when the site rejects them', async () => {
    await scrape('/a', 's3');
    pass = 'two';
    const body = await scrape('/b', 's3');
    assert.deepEqual(body.router.attempts!.map(({ verdict, reused }) => [verdict, ...reused])[0], [
      'challenge',
      'cookies',
    ]);
    assert.equal(body.router.outcome, 'ok');
    assert.deepEqual(await reusedOf('/c', 's3'), [['http_impersonate', 'cookies']]);
    assert.equal(seen.at(-1), 'pass=two');
  });

  test('expire with the session', async () => {
    await scrape('/a', null, { proxy: { session: 's4', session_ttl_s: 1 } });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    assert.deepEqual(await reusedOf('/b', 's4', { scraper: 'http', router: {} }), [['http']]);
  });

  test('are neither reported nor forgotten if the caller sends cookies of the same names', async () => {
    await scrape('/a', 's5');
    const cheap = { scraper: 'http', router: {} };
    const own = await scrape('/b', 's5', { ...cheap, cookies: { pass: 'wrong' } });
    assert.deepEqual(
      own.router.attempts!.map(({ verdict, reused }) => [verdict, ...reused]),
      [['challenge']],
    );
    assert.deepEqual(await reusedOf('/c', 's5', cheap), [['http', 'cookies']]);
  });

  test('each expire at their own time', async () => {
    await scrape('/short', 's6');
    const cheap = { scraper: 'http', router: {} };
    assert.deepEqual(await reusedOf('/b', 's6', cheap), [['http', 'cookies']]);
    await new Promise((resolve) => setTimeout(resolve, 3_100));
    seen = [];
    assert.deepEqual(await reusedOf('/c', 's6', cheap), [['http']]);
    assert.deepEqual(seen, [undefined]);
  });
});
