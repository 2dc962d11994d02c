import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { bare, ordinary, type Sample } from '../assess/a-page.ts';
import { EXAMPLES } from '../assess/examples/all.ts';
import { listen } from '../helpers/free-port.ts';
import { useService } from '../helpers/service.ts';

const PAGES: Readonly<Record<string, Sample>> = {
  '/blocked': EXAMPLES['akamai/reference']!.for,
  '/captcha': EXAMPLES['human/px-captcha']!.for,
  '/challenge': EXAMPLES['cloudflare/cf-mitigated']!.for,
  '/geo': EXAMPLES['wall/geo-text']!.for,
  '/marks': EXAMPLES['datadome/banned']!.against,
  '/shell': {
    body: bare(
      'App',
      '<noscript>You need to enable JavaScript.</noscript><div id="root"></div><script src="/app.js"></script>',
    ),
  },
  '/missing': { status: 404, body: bare('Nothing here', '<p>There is no such page.</p>') },
  '/puzzle': { body: bare('500 Piece Jigsaw Puzzle', '<p>Currently unavailable.</p>') },
  '/help': {
    body: bare('Error 429', '<p>You have sent too many requests in a minute. Wait for the next one.</p>'),
  },
  '/gift': { body: bare('Mug', '<p>This item is not available in your country as a gift.</p>') },
  '/data': EXAMPLES['human/block-script']!.for,
  '/wp-login.php?redirect_to=%2Fmembers': { body: bare('Log in', '<form><input type="password"></form>') },
  '/members': { status: 302, headers: { location: '/wp-login.php?redirect_to=%2Fmembers' } },
  '/article': { body: ordinary({ title: 'Access denied: how captchas work' }) },
};

describe('verdicts in the running service', () => {
  const service = useService();
  let server: Server;
  let url = '';
  before(async () => {
    server = createServer((request, response) => {
      const { status = 200, headers = {}, type = 'text/html', body = '' } = PAGES[request.url ?? ''] ?? {};
      response.writeHead(status, { ...headers, 'content-type': type }).end(body);
    });
    await listen(server);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const http = async (path: string, router: object = {}) =>
    service.scrape({ url: `${url}${path}`, scraper: 'http', router });

  test('a blocked page is a 200 with the page, and says what was missing', async () => {
    const { status, body } = await http('/blocked');
    assert.equal(status, 200);
    assert.equal(body.router.outcome, 'blocked');
    assert.deepEqual(body.router.verdict, {
      kind: 'block',
      confidence: 0.95,
      signals: ['akamai/reference'],
      by: 'akamai',
    });
    assert.deepEqual(
      body.errors.map(({ code, retryable, source }) => ({ code, retryable, source })),
      [{ code: 'target.blocked', retryable: false, source: 'target' }],
    );
    assert.deepEqual(body.errors[0]?.details, { verdict: 'block', failed: 'fingerprint' });
    assert.equal(body.errors[0]?.message, 'The site sent an access-denied page instead of the page.');
    assert.equal(body.status_code, 403);
    assert.match(body.content ?? '', /Access Denied/);
    assert.equal(body.router.attempts?.[0]?.verdict, 'block');
    assert.equal(body.router.attempts?.[0]?.outcome, 'rejected');
    assert.equal(body.router.attempts?.[0]?.error_code, 'target.blocked');
  });

  test('on_blocked: fail changes the status and adds the problem, nothing else', async () => {
    const kept = await http('/captcha');
    const { status, body } = await http('/captcha', { on_blocked: 'fail' });
    assert.equal(status, 502);
    assert.equal(body.code, 'target.blocked');
    assert.equal(body.status, 502);
    assert.equal(body.detail, body.errors[0]?.message);
    assert.equal(body.content, kept.body.content);
    assert.equal(body.status_code, 403);
    assert.equal(body.router.outcome, 'blocked');
    assert.equal(kept.status, 200);
    assert.equal((await http('/missing', { on_blocked: 'fail' })).status, 200);
  });

  test('a page that meets accept is not blocked', async () => {
    const accept = { contains: 'Access Denied' };
    const { status, body } = await http('/blocked', { on_blocked: 'fail', accept });
    assert.equal(status, 200);
    assert.equal(body.router.outcome, 'target_error', 'for its status is 403');
    assert.equal(body.router.verdict?.kind, 'block');
    assert.deepEqual(body.errors, []);
    const unmet = await http('/blocked', { accept: { contains: 'kettle' } });
    assert.equal(unmet.body.router.outcome, 'blocked');
    assert.deepEqual(
      unmet.body.errors.map(({ code }) => code),
      ['target.blocked', 'accept.unmet'],
    );
    // An accepted status alone does not overrule the verdict.
    const status403 = await http('/blocked', { accept: { status: [403] } });
    assert.equal(status403.body.router.outcome, 'blocked');
  });

  test('details.wall names the kind of a wall', async () => {
    const { body } = await http('/geo');
    assert.equal(body.router.verdict?.kind, 'wall');
    assert.deepEqual(body.errors[0]?.details, { verdict: 'wall', failed: 'wall', wall: 'geo' });
    const members = await http('/members');
    assert.deepEqual(members.body.errors[0]?.details, { verdict: 'wall', failed: 'wall', wall: 'login' });
    const challenge = await http('/challenge');
    assert.deepEqual(challenge.body.errors[0]?.details, { verdict: 'challenge', failed: 'js' });
    const data = await http('/data');
    assert.deepEqual(data.body.errors[0]?.details, { verdict: 'captcha', failed: 'fingerprint' });
  });

  test('a page that needs scripts is delivered with a warning', async () => {
    const { body } = await http('/shell');
    assert.equal(body.router.verdict?.kind, 'js_shell');
    assert.equal(body.router.outcome, 'ok');
    assert.deepEqual(body.errors, []);
    assert.deepEqual(
      body.router.warnings.map(({ code }) => code).filter((code) => code !== 'proxy.direct'),
      ['page.js_shell'],
    );
  });

  test('ordinary responses are ok', async () => {
    for (const [path, outcome] of [
      ['/missing', 'target_error'],
      ['/article', 'ok'],
      ['/puzzle', 'ok'],
      ['/help', 'ok'],
      ['/gift', 'ok'],
      ['/marks', 'ok'],
    ] as const) {
      const { body } = await http(path);
      assert.equal(body.router.verdict?.kind, 'ok', path);
      assert.equal(body.router.outcome, outcome, path);
      assert.deepEqual(body.errors, [], path);
    }
  });
});
