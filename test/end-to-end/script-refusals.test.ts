import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { ordinary } from '../assess/a-page.ts';
import { listen } from '../helpers/free-port.ts';
import { useService } from '../helpers/service.ts';

const SCRIPT_ALONE = '<html><head></head><body><script src="/c.js"></script></body></html>';
const SETS_COOKIE = 'document.cookie = "passed=1; path=/"; location.reload();';
const APP = 'document.getElementById("root").innerHTML = "<h1>Kettles</h1><p>Made by the application.</p>";';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('a refusal that shows nothing but scripts', { skip }, () => {
  const service = useService();
  let server: Server;
  let url = '';
  before(async () => {
    server = createServer((request, response) => {
      const path = request.url ?? '';
      const passed = request.headers.cookie?.includes('passed=1') === true;
      const send = (status: number, body: string) =>
        response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(body);
      if (path === '/c.js' || path === '/app.js')
        response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end(path === '/c.js' ? SETS_COOKIE : APP);
      else if (path === '/app') send(404, '<div id="root"></div><script src="/app.js"></script>');
      else if (path === '/words') send(403, '<h1>Not yet public</h1><p>Come back on Monday.</p>');
      else if (passed) send(200, ordinary());
      else send(Number(/^\/(\d+)$/.exec(path)?.[1] ?? 404), SCRIPT_ALONE);
    });
    await listen(server);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const status of [403, 401, 503])
    test(`${status}: auto tries the browser, which gets the page`, async () => {
      const { body } = await service.scrape({ url: `${url}/${status}`, scraper: 'auto' });
      assert.equal(body.router.outcome, 'ok', JSON.stringify(body.router.attempts));
      assert.equal(body.status_code, 200);
      assert.equal(body.router.scraper, 'browser');
      assert.match(body.content ?? '', /Kettles and teapots/);
    });

  test('404: an application as error page is shown by the browser, with its status', async () => {
    const { body } = await service.scrape({ url: `${url}/app`, scraper: 'auto' });
    assert.equal(body.status_code, 404);
    assert.match(body.content ?? '', /Made by the application/);
    assert.equal(body.router.outcome, 'target_error');
  });

  test('a 403 with text is no block', async () => {
    const { body } = await service.scrape({ url: `${url}/words`, scraper: 'auto' });
    assert.equal(body.router.attempts?.length, 1);
    assert.equal(body.router.verdict?.kind, 'ok');
    assert.equal(body.status_code, 403);
  });

  test('http alone reports a refusal that needs scripts', async () => {
    const { body } = await service.scrape({ url: `${url}/403`, scraper: 'http' });
    assert.equal(body.router.verdict?.kind, 'challenge');
    assert.deepEqual(body.errors[0]?.details, { verdict: 'challenge', failed: 'js' });
  });
});
