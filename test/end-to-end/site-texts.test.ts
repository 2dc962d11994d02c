import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { bare, ordinary } from '../assess/a-page.ts';
import { listen } from '../helpers/free-port.ts';
import { startProxy } from '../helpers/proxy-server.ts';
import { useService } from '../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
/** A wall that fits no rule. */
const WALL = bare(
  'Shop',
  '<p>We are sorry, our shop is taking a little rest at the moment. Do come and see us again.</p>',
);
const isBrowser = ({ headers }: IncomingMessage): boolean => headers['sec-fetch-mode'] === 'navigate';

describe('comparison of the short texts of a site', { skip }, () => {
  const service = useService();
  let server: Server;
  let url = '';
  before(async () => {
    server = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(isBrowser(request) ? ordinary({ title: 'Goods' }) : WALL);
    });
    await listen(server);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const verdictAt = async (path: string, scraper: string, more: object = {}) =>
    (await service.scrape({ url: `${url}${path}`, scraper, ...more })).body.router.verdict!;

  test('the same text at several URLs is recognised as a wall, and auto tries another route', async () => {
    await using proxy = await startProxy();
    const own = { proxy: `http://127.0.0.1:${proxy.port}` };
    for (const path of ['/a', '/b']) assert.equal((await verdictAt(path, 'http')).kind, 'ok', path);
    assert.equal((await verdictAt('/b', 'browser')).kind, 'ok');
    // Pages through a proxy of the caller are not compared.
    assert.equal((await verdictAt('/c', 'http', own)).kind, 'ok');
    assert.equal((await verdictAt('/d', 'http', own)).kind, 'ok');
    const { kind, signals } = await verdictAt('/e', 'http');
    assert.deepEqual([kind, signals], ['block', ['text/same-for-many-urls']]);

    const { body } = await service.scrape({
      url: `${url}/f`,
      scraper: 'auto',
      router: { order: ['http', 'browser'], only: ['http', 'browser'] },
    });
    assert.deepEqual(
      body.router.attempts!.map(({ scraper, verdict }) => [scraper, verdict]),
      [
        ['http', 'block'],
        ['browser', 'ok'],
      ],
    );
    assert.equal(body.router.outcome, 'ok');
  });

  test('if an administrator deletes the knowledge about a site, its texts are deleted too', async () => {
    assert.equal((await verdictAt('/g', 'http')).kind, 'block');
    const path = `/api/v1/sites/${encodeURIComponent(new URL(url).host)}/`;
    assert.equal((await service.api('DELETE', path)).status, 204);
    assert.equal((await verdictAt('/h', 'http')).kind, 'ok');
  });
});
