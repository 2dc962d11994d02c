import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { useService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

const AGENT =
  'Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.6099.5 Mobile Safari/537.36';

/** With the driver cdp only, because Playwright does not report shared workers. */
describe('shared workers', { skip }, () => {
  const service = useService();
  let target: Target;
  const sent = new Map<string, IncomingHttpHeaders>();
  before(async () => {
    target = await startTarget({
      '/page': html(`<pre id=out></pre><script>
new SharedWorker('/worker.js').port.onmessage = ({ data }) => { out.textContent = data; out.className = 'done'; };</script>`),
      '/worker.js': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end(`onconnect = async ({ ports }) => {
  await fetch('/data');
  ports[0].postMessage([navigator.userAgentData.platform, navigator.userAgentData.mobile].join());
};`),
      '/data': ({ headers }, response) => {
        sent.set('/data', headers);
        response.writeHead(200, { 'content-type': 'text/plain' }).end('x');
      },
    });
  });
  after(() => target[Symbol.asyncDispose]());

  test('their requests and client hints have the user agent that was asked for', async () => {
    const { body } = await service.scrape({
      url: `${target.url}/page`,
      scraper: 'browser',
      scraper_options: { user_agent: AGENT },
      wait_for_selector: '.done',
      timeout_ms: 20_000,
    });
    assert.deepEqual(body.errors, []);
    assert.equal(sent.get('/data')?.['user-agent'], AGENT);
    assert.match(body.content!, /Android,true/);
  });

  test('block applies to their requests too', async () => {
    target.asked.length = 0;
    await service.scrape({
      url: `${target.url}/page`,
      scraper: 'browser',
      scraper_options: { block: { url_patterns: ['**/data'] } },
      wait_for_timeout_ms: 500,
    });
    assert.deepEqual(
      target.asked.filter((one) => /worker|data/.test(one)),
      ['GET /worker.js'],
    );
  });
});
