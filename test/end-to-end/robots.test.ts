import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { listen } from '../helpers/free-port.ts';
import { startProxy } from '../helpers/proxy-server.ts';
import { useOwnService, useService } from '../helpers/service.ts';

/** A site with this robots.txt; `asked` has the requested paths, in their order. */
interface Site {
  readonly url: string;
  readonly asked: string[];
  readonly agents: (string | undefined)[];
}

const servers: Server[] = [];

async function startSite(robots: string | number | { readonly location: string }): Promise<Site> {
  const asked: string[] = [];
  const agents: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    agents.push(request.headers['user-agent']);
    const { cookie, authorization, 'x-own': own } = request.headers;
    if (request.url !== '/robots.txt') return void response.end('page\n');
    // Headers, cookies and credentials of the caller must not be sent for robots.txt.
    if (cookie !== undefined || authorization !== undefined || own !== undefined) response.statusCode = 500;
    else if (typeof robots === 'number') response.statusCode = robots;
    else if (typeof robots === 'object') response.writeHead(302, robots);
    else response.setHeader('content-type', 'text/plain');
    response.end(typeof robots === 'string' ? robots : '');
  });
  await listen(server);
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, agents };
}

function closeSites(): void {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
}

const RULES =
  'User-agent: *\nDisallow: /no\nAllow: /no/but\n\nUser-agent: FriendBot\nDisallow: /friends-no\n';
const respect = { robots: 'respect' };

describe('router.robots', () => {
  const service = useService();
  let site: Site;
  before(async () => {
    site = await startSite(RULES);
  });
  after(closeSites);
  const scrape = (url: string, more: object = {}) => service.scrape({ url, scraper: 'http', ...more });

  test('ignore, the default: robots.txt is not requested', async () => {
    const { body } = await scrape(`${site.url}/no`);
    assert.equal(body.status_code, 200);
    assert.equal(body.router.robots, null);
    assert.deepEqual(site.asked, ['/no']);
  });

  test('respect: a disallowed page is 403 policy.robots with an explanation, and is not requested', async () => {
    site.asked.length = 0;
    const { status, body } = await scrape(`${site.url}/no?x`, {
      router: respect,
      headers: { 'X-Own': '1', Authorization: 'Basic YTpi' },
      cookies: { a: 'b' },
    });
    assert.equal(status, 403);
    assert.equal(body.code, 'policy.robots');
    assert.match(body.detail!, /Disallow: \/no/);
    assert.deepEqual(body.router.attempts, []);
    assert.equal(body.content, null);
    assert.deepEqual(body.router.robots, {
      mode: 'respect',
      url: `${site.url}/robots.txt`,
      agent: 'Sluice',
      allowed: false,
      rule: 'Disallow: /no',
      status_code: 200,
    });
    assert.deepEqual(site.asked, ['/robots.txt']);
    const stored = await service.api<typeof body>('GET', `/api/v1/scrape/${body.id}/`);
    assert.equal(stored.body.errors[0]!.code, 'policy.robots');
  });

  test('respect: an allowed page is fetched, and robots.txt is requested once', async () => {
    site.asked.length = 0;
    const both = await Promise.all(
      ['/no/but', '/yes'].map((path) => scrape(`${site.url}${path}`, { router: respect })),
    );
    for (const { status, body } of both) {
      assert.equal(status, 200);
      assert.equal(body.router.robots!.allowed, true);
      assert.equal(body.router.attempts.length, 1);
      assert.equal(body.router.attempts[0]!.n, 1);
    }
    assert.ok(!site.asked.includes('/robots.txt'));
  });

  test('report: a disallowed page is delivered with a warning', async () => {
    const { status, body } = await scrape(`${site.url}/no`, { router: { robots: 'report' } });
    assert.equal(status, 200);
    assert.equal(body.router.robots!.allowed, false);
    assert.ok(body.router.warnings.some(({ code }) => code === 'robots.disallowed'));
    assert.deepEqual(body.errors, []);
  });

  test('the rules are read for the product in the User-Agent of the caller', async () => {
    const headers = { 'User-Agent': 'FriendBot/2.0 (+https://friend.example)' };
    const { body } = await scrape(`${site.url}/no`, { router: respect, headers });
    assert.equal(body.router.robots!.agent, 'FriendBot');
    assert.equal(body.status_code, 200);
    const refused = await scrape(`${site.url}/friends-no`, { router: respect, headers });
    assert.equal(refused.body.code, 'policy.robots');
    const browser = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)' };
    const like = await scrape(`${site.url}/no`, { router: respect, headers: browser });
    assert.equal(like.body.router.robots!.agent, 'Sluice');
    assert.equal(like.status, 403);
  });

  test('4xx for robots.txt allows everything, 5xx allows nothing', async () => {
    const none = await startSite(404);
    const { body } = await scrape(none.url, { router: respect });
    assert.equal(body.status_code, 200);
    assert.equal(body.router.robots!.status_code, 404);
    const failing = await startSite(503);
    const { status, body: refused } = await scrape(failing.url, { router: respect });
    assert.equal(status, 403);
    assert.equal(refused.code, 'policy.robots');
    assert.match(refused.detail!, /503/);
    assert.deepEqual(failing.asked, ['/robots.txt']);
  });

  test('redirects of robots.txt are followed; a loop counts as no robots.txt', async () => {
    const moved = await startSite({ location: `${site.url}/robots.txt` });
    assert.equal((await scrape(`${moved.url}/no`, { router: respect })).body.code, 'policy.robots');
    const loop = await startSite({ location: '/robots.txt' });
    const { body } = await scrape(loop.url, { router: respect });
    assert.equal(body.router.robots!.allowed, true);
    assert.equal(loop.asked.filter((path) => path === '/robots.txt').length, 2);
  });

  test('an unreachable site: respect ends with the cause, report fetches the page and fails in the same way', async () => {
    const url = 'http://127.0.0.1:9/';
    const { body } = await scrape(url, { router: respect });
    assert.equal(body.code, 'connect.refused');
    assert.match(body.detail!, /robots\.txt could not be read/);
    assert.deepEqual(body.router.attempts, []);
    const reported = await scrape(url, { router: { robots: 'report' } });
    assert.equal(reported.body.code, 'connect.refused');
    assert.equal(reported.body.router.attempts.length, 1);
    assert.equal(reported.body.router.robots!.allowed, null);
  });

  test('only the first 500 KiB count', async () => {
    const filler = `# ${'x'.repeat(98)}\n`.repeat(5_200);
    const long = await startSite(`User-agent: *\nDisallow: /first\n${filler}Disallow: /last\n`);
    assert.equal((await scrape(`${long.url}/first`, { router: respect })).status, 403);
    assert.equal((await scrape(`${long.url}/last`, { router: respect })).status, 200);
  });

  test('robots.txt from a proxy of the caller is not used for other users', async () => {
    const fresh = await startSite(404);
    const lie = 'User-agent: *\nDisallow: /';
    await using proxy = await startProxy({
      hostile: (socket) =>
        void socket.end(
          `HTTP/1.1 200 OK\r\nContent-Length: ${lie.length}\r\nConnection: close\r\n\r\n${lie}`,
        ),
    });
    const through = { proxy: `http://127.0.0.1:${proxy.port}` };
    assert.equal((await scrape(fresh.url, { router: respect, ...through })).body.code, 'policy.robots');
    const { body } = await scrape(fresh.url, { router: respect });
    assert.equal(body.status_code, 200);
    assert.deepEqual(fresh.asked, ['/robots.txt', '/']);
    assert.equal((await scrape(fresh.url, { router: respect, ...through })).body.code, 'policy.robots');
  });

  test('a dry run requests nothing', async () => {
    const fresh = await startSite(RULES);
    const { body } = await scrape(`${fresh.url}/no`, { router: { ...respect, dry_run: true } });
    assert.equal(body.router.outcome, 'planned');
    assert.deepEqual(fresh.asked, []);
  });
});

describe('SLUICE_ROBOTS', () => {
  const service = useOwnService({ SLUICE_ROBOTS: 'respect' });
  after(closeSites);

  test('is the minimum for every request', async () => {
    const site = await startSite(RULES);
    for (const router of [undefined, { robots: 'ignore' }, { robots: 'report' }]) {
      const { status, body } = await service.scrape({ url: `${site.url}/no`, scraper: 'http', router });
      assert.equal(status, 403);
      assert.equal(body.router.robots!.mode, 'respect');
    }
    assert.deepEqual(site.asked, ['/robots.txt']);
  });
});
