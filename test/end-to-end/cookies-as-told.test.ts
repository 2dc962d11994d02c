import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RawSite, rawSite, reply } from '../adapters/browser/raw-pages.ts';
import { chromiums } from '../adapters/browser/stage.ts';
import { noBinding } from '../adapters/impersonate/kit.ts';
import { useService } from '../helpers/service.ts';

const utf8 = (text: string) => Buffer.from(text).toString('latin1');
const SET = [
  `Set-Cookie: city=${utf8('Zürich €')}; Path=/`,
  `Set-Cookie: ${utf8('größe')}=1`,
  'Set-Cookie: quoted="a, b"',
  'Set-Cookie: spaced name=1',
].join('\r\n');
/** Bytes that are no UTF-8. */
const LATIN = 'Set-Cookie: latin=\xe9t\xe9';

const NO_BROWSER = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const SCRAPERS = [
  ['http', false],
  ['http_impersonate', noBinding],
  ['browser', NO_BROWSER],
] as const;

describe('cookies beyond ASCII', () => {
  const service = useService();
  let site: RawSite;
  before(async () => {
    site = await rawSite({
      '/set': reply('200 OK', `Content-Type: text/html\r\n${SET}`, '<p>set'),
      '/led': reply('302 Found', `Location: /see\r\n${SET}\r\n${LATIN}`),
      '/tab': reply('200 OK', 'Content-Type: text/html\r\nSet-Cookie: tab=a\tb', '<p>tab'),
      '/see': reply('200 OK', 'Content-Type: text/html', '<p>see'),
    });
  });
  after(() => site?.[Symbol.asyncDispose]());

  const scrape = async (path: string, scraper: string, more: object = {}) => {
    const { status, body } = await service.scrape({ url: site.url + path, scraper, ...more });
    assert.deepEqual([status, body.errors], [200, []]);
    return body;
  };
  /** The cookies of the last request for `/see`, sorted. */
  const sent = () =>
    /^cookie: (.*)$/im
      .exec(site.heads.findLast((head) => head.startsWith('GET /see')) ?? '')![1]!
      .split('; ')
      .sort();
  const BYTES = [utf8('city=Zürich €'), utf8('größe=1'), 'quoted="a, b"', 'spaced name=1'];

  for (const [scraper, skip] of SCRAPERS) {
    test(`${scraper}: are reported as text, and accepted in requests as reported`, { skip }, async () => {
      const { cookies } = await scrape('/set', scraper);
      assert.deepEqual(cookies.map(({ name, value }) => `${name}=${value}`).sort(), [
        'city=Zürich €',
        'größe=1',
        'quoted="a, b"',
        'spaced name=1',
      ]);
      const again = await scrape('/see', scraper, { cookies });
      assert.deepEqual(again.cookies, []);
      assert.deepEqual(sent(), BYTES);
      const pairs = Object.fromEntries(cookies.map(({ name, value }) => [name, value]));
      await scrape('/see', scraper, { cookies: pairs });
      assert.deepEqual(sent(), BYTES);
    });

    test(`${scraper}: are sent on with their original bytes within a scrape`, { skip }, async () => {
      const { cookies } = await scrape('/led', scraper);
      assert.deepEqual(sent(), [...BYTES, 'latin=\xe9t\xe9'].sort());
      assert.equal(cookies.find(({ name }) => name === 'latin')?.value, 'été');
    });
  }

  test('a tab, which browsers do not accept', async () => {
    const { cookies } = await scrape('/tab', 'http');
    await scrape('/see', 'http', { cookies });
    assert.deepEqual(sent(), ['tab=a\tb']);
  });

  test('a value that no cookie can have is refused', async () => {
    for (const value of ['a;b', 'a\nb', 'a\0b', '\ud800', 'ü'.repeat(2048)]) {
      const { status, body } = await service.scrape({ url: `${site.url}/see`, cookies: { a: value } });
      assert.deepEqual([status, body.errors[0]?.pointer], [400, '/cookies/a']);
    }
  });
});
