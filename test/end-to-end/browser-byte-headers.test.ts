import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RawSite, rawSite, reply } from '../adapters/browser/raw-pages.ts';
import { chromiums } from '../adapters/browser/stage.ts';
import { type Authority, createAuthority } from '../helpers/certificates.ts';
import { useService } from '../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

const utf8 = (text: string) => Buffer.from(text).toString('latin1');
const ALL = String.fromCharCode(...Array.from({ length: 128 }, (_, n) => 0x80 + n));
const FIELDS = [
  'Content-Type: text/html',
  `X-Utf8: "${utf8('café ü €')}"`,
  'X-Latin: "caf\xe9 \xfc" z',
  'X-Latin: \xe9t\xe9',
  `X-All: a${ALL}z`,
  `Content-Disposition: inline; filename="${utf8('résumé')}.txt"`,
  'Set-Cookie: plain=1',
  'Set-Cookie: latin=\xe9t\xe9; Path=/',
  'Set-Cookie: n\xe4me=caf\xe9x',
  'Set-Cookie: latin=caf\xe9; Path=/sub',
].join('\r\n');
const PAGES = {
  '/': reply('200 OK', FIELDS, '<p>here'),
  '/caf%E9': reply('200 OK', 'Content-Type: text/html', '<p>there'),
  '/led': reply('302 Found', 'Location: /caf\xe9\r\nSet-Cookie: city=K\xf6ln'),
};

describe('header bytes beyond ASCII, in a browser', { skip }, () => {
  const service = useService();
  let authority: Authority;
  let site: RawSite;
  let secure: RawSite;
  before(async () => {
    authority = createAuthority();
    site = await rawSite(PAGES);
    secure = await rawSite(PAGES, authority.issue({ names: 'DNS:localhost' }));
  });
  after(async () => {
    await site?.[Symbol.asyncDispose]();
    await secure?.[Symbol.asyncDispose]();
    authority?.[Symbol.dispose]();
  });

  async function told(url: string, scraper: string, options: object) {
    const scraper_options = url.startsWith('https') ? { verify_tls: false } : options;
    const { body } = await service.scrape({ url, scraper, scraper_options });
    assert.deepEqual(body.errors, [], url);
    const cookies = body.cookies.map(({ name, value, path }) => `${path} ${name}=${value}`);
    return { headers: body.headers, final: body.final_url, cookies: cookies.sort() };
  }

  test('are reported as by HTTP scrapers, and so are cookies', async () => {
    for (const path of ['/', '/led'])
      for (const [url, options] of [
        [site.url, {}],
        [site.url, { color_scheme: 'dark' }],
        [secure.url, {}],
      ] as const) {
        const expected = await told(url + path, 'http', {});
        assert.deepEqual(await told(url + path, 'browser', options), expected, url + path);
      }
  });
});
