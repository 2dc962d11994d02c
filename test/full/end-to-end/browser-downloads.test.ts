import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { useService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

const keeps = (path: string) =>
  html(`<p>the page</p><a id=a download href=${path}>x</a><script>onload = () => a.click()</script>`);

describe('downloads that a page starts', { skip }, () => {
  const service = useService();
  let target: Target;
  before(async () => {
    target = await startTarget({
      '/keeps-page': keeps('/page'),
      '/keeps-data': keeps('/data'),
      '/keeps-led': keeps('/led'),
      '/page': html('<p>a file</p>'),
      '/data': (_, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":"file"}'),
      '/led': (_, response) => void response.writeHead(302, { location: '/data' }).end(),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  for (const [driver, scraper_options] of [
    ['cdp', {}],
    ['playwright', { color_scheme: 'light' }],
  ] as const)
    for (const path of ['/keeps-page', '/keeps-data', '/keeps-led'])
      test(`are not delivered, and not waited for: ${path}, driver ${driver}`, async () => {
        const url = `${target.url}${path}`;
        const began = performance.now();
        const { body } = await service.scrape({
          url,
          scraper: 'browser',
          scraper_options,
          timeout_ms: 40_000,
        });
        assert.match(body.content!, /the page/);
        assert.deepEqual([body.final_url, body.errors, body.router.redirects], [url, [], []]);
        assert.ok(performance.now() - began < 30_000, 'it waits for a page that never comes');
      });

  test('a download that starts during a navigation does not replace it', async () => {
    const { body } = await service.scrape({
      url: `${target.url}/keeps-data`,
      page_actions: [
        { evaluate: 'a.onclick = null; setTimeout(() => a.click()); setTimeout(() => a.click(), 5)' },
        { goto: `${target.url}/page` },
      ],
    });
    assert.match(body.content!, /a file/);
    assert.equal(body.final_url, `${target.url}/page`);
  });
});
