import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { listen } from '../../helpers/free-port.ts';
import { useService } from '../../helpers/service.ts';

const page = (body: string) =>
  `<!doctype html><html><head><title>App</title></head><body>${body}</body></html>`;
/** What most applications do: they are loaded, show that they are working, and ask for what they show. */
const APP = (data: string) => `<div id="root"></div><script src="/app.js?${data}" defer></script>`;
const SCRIPT = `
  const root = document.getElementById('root');
  root.innerHTML = '<svg class="spinner"></svg>';
  const data = new URL(document.querySelector('script').src).search.slice(1);
  fetch('/' + data).then((answer) => answer.json()).then(({ title }) => {
    root.innerHTML = '<h1>' + title + '</h1><p>and all that is to be said of it, at some length.</p>';
  });
`;
/** Shows enough at once, and fetches the rest. */
const ARTICLE = `<p>${'Words that stand in the document from the beginning. '.repeat(5)}</p><div id="root"></div>`;

/** Filled by a timer, with nothing under way in the network. */
const LATE_ROOT = `<h1>App</h1><div id="root"></div><script>setTimeout(() => {
  document.getElementById('root').innerHTML = '<p>Made after a second and a half.</p>';
}, 1500)</script>`;
const LATE_TEXT = `<nav>${'<a href="/">A place to go to</a> '.repeat(12)}</nav><main>Loading…</main><script>setTimeout(() => {
  document.querySelector('main').textContent = 'Here it is.';
}, 3000)</script>`;
/** Complete after a moment, but for a picture that never comes. */
const HANGING = `<div id="root"></div><img src="/never"><script>setTimeout(() => {
  document.getElementById('root').innerHTML = '<p>${'Words of a page that is complete. '.repeat(10)}</p>';
}, 300)</script>`;
/** A script that takes its time is no part that hangs. */
const LATE_PART = `<p>${'Words that are there at once. '.repeat(10)}</p><img src="/never"><script src="/late.js" defer></script>`;
const LATE_SCRIPT = "document.body.append('the late part')";

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('pages whose content appears late', { skip }, () => {
  const service = useService();
  let server: Server;
  let url = '';

  before(async () => {
    server = createServer((request, response) => {
      const [path = '', data = ''] = (request.url ?? '').split('?');
      const send = (type: string, text: string, afterMs = 0) =>
        setTimeout(() => response.writeHead(200, { 'content-type': type }).end(text), afterMs);
      if (path === '/app') send('text/html', page(APP(data)));
      else if (path === '/app.js') send('text/javascript', SCRIPT);
      else if (path === '/soon') send('application/json', '{ "title": "Fetched after the load" }', 700);
      else if (path === '/never') return;
      else if (path === '/timer')
        send(
          'text/html',
          page(`<div id="root"></div><script>setTimeout(() => {
          document.getElementById('root').innerHTML = '<p>Made a moment after the load.</p>';
        }, 300)</script>`),
        );
      else if (path === '/article')
        send(
          'text/html',
          page(`${ARTICLE}<script>fetch('/soon').then((answer) => answer.json()).then(({ title }) => {
          document.getElementById('root').textContent = title;
        })</script>`),
        );
      else if (path === '/empty-root') send('text/html', page(LATE_ROOT));
      else if (path === '/says-loading') send('text/html', page(LATE_TEXT));
      else if (path === '/late-part') send('text/html', page(LATE_PART));
      else if (path === '/late.js') send('text/javascript', LATE_SCRIPT, 3000);
      else if (path === '/hanging-part') send('text/html', page(HANGING));
      else response.writeHead(404).end();
    });
    await listen(server);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const scraped = async (request: object) => (await service.scrape({ timeout_ms: 30_000, ...request })).body;

  test('auto waits for data that a page fetches, if the request names no wait', async () => {
    const body = await scraped({ url: `${url}/app?soon` });
    assert.match(body.content ?? '', /<h1>Fetched after the load<\/h1>/);
    assert.equal(body.router.outcome, 'ok');
    assert.equal(body.router.scraper, 'browser');
    assert.equal(body.router.verdict?.kind, 'ok');
    assert.ok((body.router.timing?.wait ?? 0) >= 500, 'and says how long');
    assert.deepEqual(
      body.router.warnings?.filter(({ code }) => code !== 'proxy.direct'),
      [],
    );
  });

  test('auto waits for content that appears by a timer', async () => {
    const body = await scraped({ url: `${url}/timer` });
    assert.match(body.content ?? '', /<div id="root"><p>Made a moment after the load\.<\/p>/);
  });

  test('auto waits for requests in flight, even if the page shows text', async () => {
    const body = await scraped({ url: `${url}/article`, router: { only: ['browser'] } });
    assert.match(body.content ?? '', /<div id="root">Fetched after the load<\/div>/);
  });

  test('a screenshot shows the page after the wait', async () => {
    const body = await scraped({ url: `${url}/app?soon`, screenshot: true });
    assert.match(body.content ?? '', /Fetched after the load/);
    assert.ok(body.screenshot_url !== null);
  });

  test('a wait in the request is the only wait', async () => {
    for (const request of [
      { scraper: 'browser' },
      { wait_for_load_state: 'load' },
      { wait_for_timeout_ms: 1 },
      { wait_for_selector: '.spinner', scraper_options: { wait_for_selector_state: 'attached' } },
      { page_actions: [{ type: 'evaluate', script: '1' }] },
    ]) {
      const body = await scraped({ url: `${url}/app?never`, ...request });
      const told = JSON.stringify([request, body.router.timing]);
      assert.match(body.content ?? '', /spinner/, told);
      assert.equal(body.router.scraper, 'browser', told);
      assert.ok((body.router.timing?.wait ?? 0) < 500, told);
    }
  });

  test('a page that never shows anything is js_shell, and delivered', async () => {
    const began = performance.now();
    const body = await scraped({ url: `${url}/app?never`, router: { only: ['browser'] } });
    assert.ok(performance.now() - began < 20_000);
    assert.match(body.content ?? '', /spinner/);
    assert.equal(body.router.outcome, 'ok');
  });

  test('auto waits while the element for the application is empty, or the page says that it is loading', async () => {
    const root = await scraped({ url: `${url}/empty-root` });
    assert.match(root.content ?? '', /Made after a second and a half/);
    const loading = await scraped({ url: `${url}/says-loading` });
    assert.match(loading.content ?? '', /<main>Here it is\.<\/main>/);
    for (const { router, errors } of [root, loading])
      assert.deepEqual([router.outcome, router.verdict?.kind, errors], ['ok', 'ok', []]);
  });

  test('auto does not wait for a resource that hangs, and a warning names it', async () => {
    const body = await scraped({ url: `${url}/hanging-part`, timeout_ms: 60_000 });
    assert.match(body.content ?? '', /Words of a page that is complete/);
    assert.deepEqual([body.router.outcome, body.errors], ['ok', []]);
    const warning = body.router.warnings?.find(({ code }) => code === 'wait.networkidle_timeout');
    assert.match(warning?.message ?? '', /still open: http:.*\/never\.$/);
    assert.ok((body.router.timing?.load ?? 0) < 20_000, JSON.stringify(body.router.timing));
  });

  test('a script that is late is waited for', async () => {
    const body = await scraped({ url: `${url}/late-part`, router: { only: ['browser'] } });
    assert.match(body.content ?? '', /the late part/);
  });

  test('a page that shows nothing after its scripts ran has a warning that says what helps', async () => {
    const body = await scraped({ url: `${url}/timer`, scraper: 'browser' });
    assert.equal(body.router.verdict?.kind, 'js_shell');
    assert.deepEqual(body.router.verdict?.signals, ['shell/nothing-shown']);
    const warning = body.router.warnings?.find(({ code }) => code === 'page.js_shell');
    assert.match(warning?.message ?? '', /wait_for_/);
    assert.equal(body.router.outcome, 'ok');
    assert.match(body.content ?? '', /<div id="root"><\/div>/);
  });
});
