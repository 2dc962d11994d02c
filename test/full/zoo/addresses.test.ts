import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { bare } from '../../assess/a-page.ts';
import { listen } from '../../helpers/free-port.ts';
import { type ProxyServer, startProxy } from '../../helpers/proxy-server.ts';
import { type Service, startService } from '../../helpers/service.ts';
import { CONTENT_PAGE } from '../../zoo/kinds.ts';

/** As a household's: the site lets it in. Addresses of 127.0.0.0/8 are all our own. */
const WELCOME = '127.0.0.2';

describe('a site with a list of addresses', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-addresses-'));
  let service: Service;
  let server: Server;
  let proxy: ProxyServer;
  let url = '';
  before(async () => {
    server = createServer((request, response) => {
      const welcome = request.socket.remoteAddress === WELCOME;
      response.writeHead(welcome ? 200 : 403, { 'content-type': 'text/html; charset=utf-8' });
      response.end(
        welcome
          ? CONTENT_PAGE
          : bare('Access denied', '<h1>Access denied</h1><p>Your IP address has been blocked.</p>'),
      );
    });
    await listen(server);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    proxy = await startProxy({ from: WELCOME });
    const file = join(folder, 'proxies.json');
    const proxies = [`http://127.0.0.1:${proxy.port}`];
    writeFileSync(file, JSON.stringify({ pools: [{ name: 'homes', type: 'residential', proxies }] }));
    service = await startService({ SLUICE_PROXIES: file });
  });
  after(async () => {
    await service?.end();
    await proxy?.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const only = ['http', 'http_impersonate'];
  const scrape = async (path: string, router: object = {}) =>
    (
      await service.scrape({
        url: `${url}${path}`,
        scraper: 'auto',
        router: { only, max_attempts: 6, ...router },
      })
    ).body;

  test('only some proxies pass: the content where the request allows them, by the third request first', async () => {
    for (let time = 1; time <= 3; time++) {
      const { router, content } = await scrape(`/goods/${time}`, { escalate_proxy: ['residential'] });
      const way = router
        .attempts!.map((one) => `${one.scraper}/${one.proxy_type}: ${one.verdict}`)
        .join(', ');
      assert.match(content ?? '', /The goods of the zoo/, way);
      assert.equal(router.outcome, 'ok', way);
      assert.equal(router.proxy_type, 'residential', way);
      if (time === 3) assert.equal(router.attempts!.length, 1, way);
    }
  });

  test('where it does not, it is told that the address is what was missing', async () => {
    const { router, errors } = await scrape('/goods/9');
    assert.equal(router.outcome, 'blocked');
    assert.ok(router.attempts!.every(({ proxy_type }) => proxy_type === 'datacenter'));
    assert.equal(errors[0]!.code, 'target.blocked');
  });
});
