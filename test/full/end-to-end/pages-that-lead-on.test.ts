import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { useService } from '../../helpers/service.ts';

/** Each page has different text, because the same short text at many URLs counts as a wall. */
const text = (name: string) =>
  `<h1>${name}</h1><p>${`This page about ${name} has words that nobody came for. `.repeat(6)}</p>`;
const LONG = `<p>${'Words of a page that is content by its length alone. '.repeat(40)}</p>`;
const page = (body: string, head = '') =>
  `<!doctype html><html><head><title>Moved</title>${head}</head>${body.startsWith('<body') ? body : `<body>${body}</body>`}</html>`;
const refresh = (content: string) => `<meta http-equiv="refresh" content="${content}">`;

/** Each navigates to /real at once. */
const LEADING: Readonly<Record<string, ReturnType<typeof html>>> = {
  '/header': html(page(text('header')), 200, { refresh: '0; url=/real' }),
  '/meta': html(page(text('meta'), refresh('0; url=/real'))),
  '/meta-long': html(page(LONG, refresh('1; url=/real'))),
  '/script': html(page(`${text('script')}<script>location.replace('/real')</script>`)),
  '/onload': html(page(`<body onload="location.href='/real'">${text('onload')}</body>`)),
};
/** Each navigates to /real a moment after it is loaded. */
const SOON: Readonly<Record<string, ReturnType<typeof html>>> = {
  '/timer': html(page(`${text('timer')}<script>setTimeout(() => location.replace('/real'), 100)</script>`)),
  '/half': html(page(`${LONG}<script>setTimeout(() => location = "/real", 400)</script>`)),
  '/named': html(
    page(
      `${text('name')}<script>function go() { location.href = '/real' }\nonload = () => setTimeout(go, 500)</script>`,
    ),
  ),
  '/interval': html(
    page(
      `${text('interval')}<script>let left = 3; setInterval(() => { if (--left === 0) location.assign('/real') }, 200)</script>`,
    ),
  ),
  '/on-load': html(
    page(`<body onload="setTimeout('location.href=\\'/real\\'', 300)">${text('body')}</body>`),
  ),
  '/loaded-script': html(page(`${text('file')}<script src="/lead.js"></script>`)),
  '/data': html(
    page(
      `${text('data')}<script>fetch('/where').then((one) => one.text()).then((to) => { location.href = to })</script>`,
    ),
  ),
};
/** None of them navigates. */
const STAYING: Readonly<Record<string, ReturnType<typeof html>>> = {
  '/noscript': html(page(text('noscript'), `<noscript>${refresh('0; url=/real')}</noscript>`)),
  '/later': html(page(text('later'), refresh('60; url=/real'))),
  '/itself': html(page(text('itself'), refresh('0; url=/itself'))),
  '/header-later': html(page(text('late header')), 200, { refresh: '60; url=/real' }),
};

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('pages that navigate to another page by themselves', { skip }, () => {
  const service = useService();
  let target: Target;
  before(async () => {
    target = await startTarget({
      ...LEADING,
      ...SOON,
      ...STAYING,
      '/lead.js': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end("function go() { location.href = '/real' }\nsetTimeout(go, 400);"),
      '/where': (_, response) => void setTimeout(() => response.end('/real'), 300),
      '/countdown': html(
        page(`${text('countdown')}<script>setTimeout(() => location.href = '/real', 30000)</script>`),
      ),
      '/real': html(page(`<h1>Real</h1>${LONG}`)),
    });
  });
  after(() => target[Symbol.asyncDispose]());
  const scraped = async (path: string, more: object = {}) =>
    (await service.scrape({ url: target.url + path, timeout_ms: 30_000, ...more })).body;
  /** Scrapes under auto, with an HTTP scraper first. */
  const http = { router: { only: ['http', 'browser'], order: ['http'] } };

  test('auto delivers the page that they navigate to', async () => {
    for (const path of Object.keys(LEADING)) {
      const { final_url, content, router } = await scraped(path, http);
      const told = JSON.stringify([path, final_url, router.attempts]);
      assert.equal(final_url, `${target.url}/real`, told);
      assert.match(content ?? '', /<h1>Real<\/h1>/, told);
      assert.deepEqual([router.outcome, router.scraper], ['ok', 'browser'], told);
      assert.deepEqual(router.redirects, [{ url: target.url + path, status_code: null }], told);
    }
  });

  test('auto delivers pages that do not navigate, from the first attempt', async () => {
    for (const path of Object.keys(STAYING)) {
      const { final_url, router } = await scraped(path, http);
      const told = JSON.stringify([path, router.attempts]);
      assert.equal(final_url, target.url + path, told);
      assert.deepEqual([router.outcome, router.attempts?.length], ['ok', 1], told);
    }
  });

  test('a navigation within a second after the load is followed, in a named browser and under auto', async () => {
    for (const path of Object.keys(SOON))
      for (const more of [{ scraper: 'browser' }, { router: { only: ['browser'] } }]) {
        const { final_url, content, errors, router } = await scraped(path, more);
        const told = JSON.stringify([path, more, final_url, errors]);
        assert.equal(final_url, `${target.url}/real`, told);
        assert.match(content ?? '', /<h1>Real<\/h1>/, told);
        assert.deepEqual(router.redirects, [{ url: target.url + path, status_code: null }], told);
      }
    const { final_url } = await scraped('/countdown', { scraper: 'browser' });
    assert.equal(final_url, `${target.url}/countdown`);
  });

  test('a named HTTP scraper delivers the page itself, and says so', async () => {
    const { final_url, router } = await scraped('/meta', { scraper: 'http' });
    assert.equal(final_url, `${target.url}/meta`);
    const warning = router.warnings?.find(({ code }) => code === 'page.js_shell');
    assert.match(warning?.message ?? '', /redirects by script or refresh/);
  });
});
