import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { listen } from '../../helpers/free-port.ts';
import { useService } from '../../helpers/service.ts';

const leads = (to: string) => `<p id="here">here<script>location = ${to}</script>`;
const MADE = `URL.createObjectURL(new Blob(['<p id="made">made'], { type: 'text/html' }))`;
const PAGES: Readonly<Record<string, string>> = {
  '/blob': leads(MADE),
  '/blank': leads(`'about:blank'`),
  '/app': leads(`'some-app:open'`),
  '/nothing': leads(`'/204'`),
  '/file': leads(`'/download'`),
  '/slowly': `<p id="here">here<script>onload = () => setTimeout(() => { location = '/never' }, 0)</script>`,
  '/drips': `<p>here<script>onload = () => setTimeout(() => { location = '/endless' }, 0)</script>`,
  '/start': '<p>begin',
  '/stop': '<p id="here">here<script>window.stop()</script>',
};
/** Options for the driver cdp, and options that need playwright. */
const OPTIONS_OF_DRIVERS = [{}, { timezone: 'UTC' }];

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('documents that stop loading before they are complete', { skip }, () => {
  const service = useService();
  let server: Server;
  let url = '';

  before(async () => {
    server = createServer(({ url: path = '' }, response) => {
      if (path === '/never') return;
      if (path === '/endless')
        return void response.writeHead(200, { 'content-type': 'application/json' }).write('[1, 2,');
      if (path === '/204') response.writeHead(204).end();
      else if (path === '/download')
        response.writeHead(200, { 'content-disposition': 'attachment; filename=a.txt' }).end('a file');
      else if (PAGES[path] === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end(PAGES[path]);
    });
    await listen(server);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const read = async (path: string, scraper_options: object, timeout_ms = 20_000) => {
    const ask = { url: url + path, scraper: 'browser', timeout_ms, scraper_options };
    const { body } = await service.scrape(ask);
    assert.deepEqual(
      [body.status_code, body.final_url, body.errors, body.router.outcome],
      [200, url + path, [], 'ok'],
      path,
    );
    return body.content ?? '';
  };

  for (const options of OPTIONS_OF_DRIVERS) {
    const driver = 'timezone' in options ? 'playwright' : 'cdp';
    test(`a document that the page made itself is loaded by itself (driver ${driver})`, async () => {
      assert.match(await read('/blob', options), /<p id="made">made/);
      assert.match(await read('/blank', options), /<body><\/body>/);
    });

    test(`a document that the browser has stopped loading is read as it stands (driver ${driver})`, async () => {
      for (const path of ['/app', '/nothing', '/file', '/stop'])
        assert.match(await read(path, options), /<p id="here">here/);
    });
  }

  for (const options of OPTIONS_OF_DRIVERS)
    test(`a document that navigates to a server without a response is read when the time for waits is up (${JSON.stringify(options)})`, async () => {
      assert.match(await read('/slowly', options, 4_000), /<p id="here">here/);
    });

  test('a document that navigates to an endless download: its bytes are delivered when the time is up', async () => {
    const ask = { url: `${url}/drips`, scraper: 'browser', timeout_ms: 4_000 };
    const { body } = await service.scrape(ask);
    assert.deepEqual([body.content, body.errors.map(({ code }) => code)], ['[1, 2,', ['timeout.total']]);
  });

  test('actions wait for the states of a document that the page made', async () => {
    const page_actions = [
      { evaluate: `setTimeout(() => { location = ${MADE} }, 0)` },
      { wait_for_selector: '#made' },
      { wait_for_load_state: 'load' },
      { evaluate: 'document.readyState' },
    ];
    const { body } = await service.scrape({ url: `${url}/start`, scraper: 'browser', page_actions });
    const { actions } = body.scraper_data as { actions: { status: string; result?: unknown }[] };
    assert.deepEqual([body.errors, actions.at(-1)?.result], [[], 'complete']);
  });
});
