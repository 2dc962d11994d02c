import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RawSite, rawSite, reply } from '../adapters/browser/raw-pages.ts';
import { chromiums } from '../adapters/browser/stage.ts';
import { useService } from '../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

/** A non-public address, at a port that browsers block themselves. */
const CLOSED = 'http://10.0.0.1:22/';
const html = (text: string) => reply('200 OK', 'Content-Type: text/html', text);
const PAGES = {
  '/page': html('<p>here'),
  '/redirect': reply('302 Found', `Location: ${CLOSED}`),
  '/script': html(`<p>here<script>location = '${CLOSED}'</script>`),
};

describe('a URL whose port the browser blocks itself', { skip }, () => {
  const service = useService();
  let site: RawSite;
  before(async () => {
    site = await rawSite(PAGES);
  });
  after(async () => await site?.[Symbol.asyncDispose]());

  async function causeOf(url: string, more: object = {}) {
    const { status, body } = await service.scrape({ url, scraper: 'browser', ...more });
    return [url, status, body.errors[0]?.code];
  }

  test('is policy.address if the address policy forbids it', async () => {
    for (const scraper_options of [{}, { color_scheme: 'dark' }]) {
      const more = { scraper_options };
      for (const url of [CLOSED, 'https://192.168.0.1:25/', 'http://10.0.0.1:0/'])
        assert.deepEqual(await causeOf(url, more), [url, 403, 'policy.address']);
      for (const url of [`${site.url}/redirect`, `${site.url}/script`])
        assert.deepEqual(await causeOf(url, more), [url, 403, 'policy.address']);
    }
    const goto = [{ type: 'goto', url: CLOSED }];
    const url = `${site.url}/page`;
    assert.deepEqual(await causeOf(url, { page_actions: goto }), [url, 403, 'policy.address']);
  });

  test('is reported as blocked by the browser if the policy allows the address', async () => {
    const url = 'http://127.0.0.1:22/';
    assert.deepEqual(await causeOf(url), [url, 502, 'connect.unreachable']);
  });
});
