import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { act, done, results } from '../../end-to-end/acting.ts';
import { useService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

/** An answer that browsers keep, and ask for again: who has it already is told that it is unchanged. */
const kept =
  (type: string, text: string) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const headers = { etag: '"a"', 'cache-control': 'no-cache', 'content-type': type };
    if (request.headers['if-none-match'] === '"a"')
      response.writeHead(304, { etag: '"a"', 'x-asked': 'again', 'set-cookie': 'again=1' }).end();
    else response.writeHead(200, { ...headers, 'x-asked': 'once' }).end(text);
  };

const ONCE_MORE =
  '<p>kept</p><script>onload = () => { if (sessionStorage.n) return; sessionStorage.n = 1; location.reload(); }</script>';

describe('a page that is requested again and is unchanged (304)', { skip }, () => {
  const service = useService();
  let target: Target;
  before(async () => {
    target = await startTarget({
      '/page': kept('text/html', '<p>kept</p>'),
      '/once-more': kept('text/html', ONCE_MORE),
      // The same address has a page and, for its scripts, data.
      '/both': (request, response) =>
        request.headers['x-data'] === undefined
          ? response
              .writeHead(200, { 'cache-control': 'max-age=600', 'content-type': 'text/html' })
              .end('<p>page</p><a href="/page">on</a>')
          : response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'),
      '/leads': html('<p>leads</p><a href="/both">back</a>'),
      '/never': (_, response) => void response.writeHead(304, { 'x-a': '1' }).end(),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  test('after goto or reload, the cached page is shown, and the next actions run', async () => {
    const url = `${target.url}/page`;
    const acted = await done(service, url, [
      { reload: true },
      { goto: url },
      { evaluate: 'document.body.textContent' },
    ]);
    assert.deepEqual(results(acted), [{ url, status_code: 200 }, { url, status_code: 200 }, 'kept']);
    const { status_code, headers, cookies, router } = acted.body;
    assert.deepEqual([status_code, headers['x-asked']], [200, 'again']);
    assert.match(acted.content, /<p>kept<\/p>/);
    assert.deepEqual(
      cookies.map(({ name }) => name),
      ['again'],
    );
    assert.equal(router.request_headers?.['if-none-match'], '"a"');
  });

  for (const driver of ['cdp', 'playwright'])
    test(`after a page reloads itself, the cached page is shown (driver ${driver})`, async () => {
      const { body } = await service.scrape({
        url: `${target.url}/once-more`,
        scraper: 'browser',
        ...(driver === 'playwright' ? { scraper_options: { locale: 'fr-FR' } } : {}),
      });
      assert.deepEqual([body.status_code, body.errors], [200, []]);
      assert.match(body.content!, /<p>kept<\/p>/);
      assert.deepEqual(body.router.redirects, [{ url: `${target.url}/once-more`, status_code: null }]);
    });

  test('data that a cached page fetches from its own URL is given to its scripts, and does not replace it', async () => {
    const acted = await done(service, `${target.url}/both`, [
      { goto: `${target.url}/leads` },
      { click: 'a' },
      { wait_for_url: '**/both' },
      {
        evaluate: 'fetch("/both", { cache: "reload", headers: { "x-data": "1" } }).then((one) => one.json())',
      },
      { wait: 100 },
    ]);
    assert.deepEqual(results(acted)[3], { a: 1 });
    assert.match(acted.content, /<p>page<\/p>/);
    const pages = target.asked.filter((one) => one === 'GET /both');
    assert.equal(pages.length, 2, 'the page once, and the data');
  });

  test('a 304 to a conditional request of the caller, or without a cached page, is the result', async () => {
    const headers = { 'if-none-match': '"a"' };
    const { body } = await service.scrape({ url: `${target.url}/page`, scraper: 'browser', headers });
    assert.deepEqual([body.status_code, body.content, body.errors], [304, '', []]);
    const acted = await act(service, `${target.url}/page`, [{ goto: `${target.url}/never` }]);
    assert.deepEqual([acted.body.status_code, acted.content], [304, '']);
  });
});
