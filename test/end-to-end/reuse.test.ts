import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { listen } from '../helpers/free-port.ts';
import { useService } from '../helpers/service.ts';

const SHELL =
  '<!doctype html><html><head><title>App</title></head><body><noscript>You need to enable JavaScript.</noscript><div id="root"></div><script src="/app.js"></script></body></html>';
/** The script writes the cookies of its own request into the page. */
const app = (sent: string) =>
  `document.getElementById('root').innerHTML = '<h1>Made by scripts</h1><p>cookie: ${sent} | ' + document.cookie + ' | ' + location.pathname + location.hash + '</p>';`;

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('a document that was fetched is not fetched again', { skip }, () => {
  const service = useService();
  let server: Server;
  let url = '';
  let asked: IncomingMessage[] = [];
  const times = (path: string) => asked.filter((one) => one.url === path).length;

  before(async () => {
    server = createServer((request, response) => {
      asked.push(request);
      const path = request.url ?? '';
      const html = { 'content-type': 'text/html; charset=utf-8' };
      if (path === '/go')
        response.writeHead(302, { location: '/app', 'set-cookie': 'way=redirect; Path=/' }).end();
      else if (path === '/app')
        response
          .writeHead(200, {
            ...html,
            'x-served': String(times('/app')),
            'set-cookie': ['seen=1; Path=/', 'secret=2; HttpOnly'],
          })
          .end(SHELL);
      else if (path === '/app.js')
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(app(request.headers.cookie ?? ''));
      else response.writeHead(404, html).end('no');
    });
    await listen(server);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    asked = [];
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  test('a browser shows the fetched page, with its cookies', async () => {
    const { status, body } = await service.scrape({
      url: `${url}/go#part`,
      router: { accept: { contains: 'Made by scripts' }, only: ['http', 'browser'], order: ['http'] },
    });
    assert.equal(status, 200, JSON.stringify(body.errors));
    assert.equal(body.router.outcome, 'ok');
    assert.deepEqual(
      body.router.attempts?.map(({ scraper, verdict, reused }) => ({ scraper, verdict, reused })),
      [
        { scraper: 'http', verdict: 'js_shell', reused: [] },
        { scraper: 'browser', verdict: 'ok', reused: ['document'] },
      ],
    );
    assert.equal(times('/go'), 1);
    assert.equal(times('/app'), 1, 'not twice');
    assert.equal(times('/app.js'), 1, 'what the page needs goes out as ever');
    assert.match(
      body.content ?? '',
      /cookie: way=redirect; seen=1; secret=2 \| way=redirect; seen=1 \| \/app#part/,
    );
    assert.equal(body.status_code, 200);
    assert.equal(body.headers['x-served'], '1');
    assert.match(body.router.request_headers['user-agent'] ?? '', /^Sluice\//);
    assert.deepEqual(body.cookies.map(({ name, http_only }) => `${name} ${http_only}`).sort(), [
      'secret true',
      'seen false',
      'way false',
    ]);
    assert.equal(body.final_url, `${url}/app#part`);
    assert.deepEqual(body.router.redirects, [{ url: `${url}/go#part`, status_code: 302 }]);
    assert.equal(body.router.remote_ip, '127.0.0.1');
  });

  test('a named browser fetches the page itself', async () => {
    const { body } = await service.scrape({ url: `${url}/app`, scraper: 'browser' });
    assert.deepEqual(
      body.router.attempts?.map(({ reused }) => reused),
      [[]],
    );
    assert.equal(times('/app'), 1);
    assert.doesNotMatch(body.router.request_headers['user-agent'] ?? '', /^Sluice\//);
  });
});
