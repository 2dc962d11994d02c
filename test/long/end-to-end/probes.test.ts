import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { bare, prose } from '../../assess/a-page.ts';
import { listen } from '../../helpers/free-port.ts';
import { metric } from '../../helpers/many-at-once.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';

const TEXT = prose(400);
const SHELL = bare('Goods', '<div id="root"></div><script src="/app.js"></script>');
const RENDERED = bare(
  'Goods',
  `<div id="root"><h1>Goods</h1><p>${TEXT}</p></div><script src="/app.js"></script>`,
);
const SCRIPT = `document.getElementById('root').innerHTML = '<h1>Goods</h1><p>${TEXT}</p>';`;

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

/** A site whose pages need scripts, until it is made on the server; it counts how often its pages were fetched. */
interface Shop extends AsyncDisposable {
  readonly url: string;
  fetched(): number;
  render(): void;
}

async function startShop(): Promise<Shop> {
  let fetched = 0;
  let page = SHELL;
  const server: Server = createServer((request, response) => {
    if (request.url === '/app.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(SCRIPT);
    else if (request.url?.startsWith('/goods/') === true) {
      fetched++;
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    } else if (request.url === '/robots.txt') response.end('User-agent: *\nDisallow: /goods\n');
    else response.writeHead(404).end();
  });
  await listen(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fetched: () => fetched,
    render() {
      page = RENDERED;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Requests until the effort saved for a probe would pay for one, many times over. */
const MANY = 10;

describe('probes beside requests', { skip }, () => {
  let service: Service;
  before(async () => {
    service = await startService({ SLUICE_PROBE_BUDGET: '100' });
  });
  after(() => service.end());

  /** Three pages that need scripts, then, made on the server, up to `MANY`, until one comes without a browser. */
  async function visit(by: Service, shop: Shop, more: object = {}) {
    let own = 0;
    let last = '';
    for (let n = 0; n < 3 + MANY; n++) {
      if (n === 3) shop.render();
      const { status, body } = await by.scrape({ url: `${shop.url}/goods/${n}`, ...more });
      assert.equal(status, 200, JSON.stringify(body.errors));
      assert.equal(body.router.outcome, 'ok');
      own += body.router.attempts.filter(({ reused }) => reused.length === 0).length;
      last = body.router.attempts[0]!.scraper;
      if (n >= 3 && !last.startsWith('browser')) break;
    }
    return { own, last };
  }

  test('a probe finds out with one plain fetch that a site needs no scripts any more', async () => {
    await using shop = await startShop();
    const { own, last } = await visit(service, shop);
    assert.match(last, /^http/);
    await eventually(() => shop.fetched() === own + 1);
    const spent = await metric(service.base, 'sluice_probe_effort_today');
    assert.ok(spent >= 1 && spent < 3, `${spent}`);
  });

  const never: [string, object][] = [
    ['cookies', { cookies: { basket: '7' } }],
    ['what robots.txt disallows', { router: { robots: 'report' } }],
    ['credentials', { headers: { authorization: 'Basic eDp5' } }],
  ];
  for (const [what, more] of never)
    test(`never repeated: ${what}`, async () => {
      await using shop = await startShop();
      const { own, last } = await visit(service, shop, more);
      assert.match(last, /^browser/, 'what works is not changed');
      assert.equal(shop.fetched(), own);
    });

  test('without a budget there are none', async () => {
    await using shop = await startShop();
    await using plain = await startService({});
    const { own, last } = await visit(plain, shop);
    assert.match(last, /^browser/);
    assert.equal(shop.fetched(), own);
  });
});
