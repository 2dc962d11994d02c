import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { useService } from '../helpers/service.ts';
import { useTarget } from './text-target.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

const MENU = '<title>m</title><a href="next" target=main>next</a>';
const MAIN = '<title>M</title><base href="/deep/"><h1 id=price>12 EUR</h1><a href=more>more</a>';

describe('pages that show other documents in frames', () => {
  const service = useService();
  const target = useTarget({
    '/set': [
      'text/html',
      '<title>t</title><frameset cols="20%,*"><frame src="/menu" name=menu><frame src="main"></frameset>',
    ],
    '/menu': ['text/html', MENU],
    '/main': ['text/html', MAIN],
    '/only': ['text/html', '<body><iframe src="/main" title="the shop">old browser</iframe></body>'],
    '/written': ['text/html', `<body><iframe srcdoc="<p id=price>7 EUR</p><a href='/x'>x</a>"></iframe>`],
    '/beside': [
      'text/html',
      '<p>own</p><iframe src="/main"></iframe><iframe src="/menu" style="display:none"></iframe><iframe src="/other"></iframe>',
    ],
    '/other': ['text/html', () => Buffer.from('<p>no frame of its own site</p>')],
    '/away': ['text/html', () => Buffer.from(`<iframe src="${elsewhere()}/main"></iframe>`)],
    '/ads': ['text/html', () => Buffer.from(`<p>own</p><iframe src="${elsewhere()}/main"></iframe>`)],
  });
  /** The same target under a name that belongs to another site. */
  const elsewhere = () => target.url.replace('127.0.0.1', 'localhost');
  const options = {
    formats: ['text', 'links'],
    extract: { price: '#price', links: { selector: 'a', type: 'list' } },
  };
  const ask = async (path: string, scraper: string, more: object = {}) => {
    const { body } = await service.scrape({
      url: target.url + path,
      scraper,
      scraper_options: { ...options, ...more },
    });
    const { text, links, extract } = body.scraper_data as ReturnType<typeof JSON.parse>;
    const urls = links.map(({ url }: { url: string }) => url.replace(target.url, ''));
    const unread = body.router.warnings.find(({ code }) => code === 'frames.unread');
    return { body, text, urls, links, extract, unread };
  };

  test('without a browser, frames are links, and a warning says that they were not read', async () => {
    const { body, text, urls, extract, unread } = await ask('/set', 'http');
    assert.deepEqual([text, urls, extract], ['', ['/menu', '/main'], { price: null, links: [] }]);
    assert.deepEqual(unread?.details, { urls: [`${target.url}/menu`, `${target.url}/main`] });
    assert.deepEqual([body.errors, body.router.outcome], [[], 'ok']);
    const only = await ask('/only', 'http');
    assert.deepEqual(only.links, [{ url: `${target.url}/main`, text: 'the shop', rel: [], nofollow: false }]);
    assert.ok(only.unread);
  });

  test('a srcdoc frame is read without a browser', async () => {
    const { text, urls, extract, unread } = await ask('/written', 'http');
    assert.deepEqual([text, urls, unread], ['7 EUR\n\nx', ['/x'], undefined]);
    assert.deepEqual(extract, { price: '7 EUR', links: ['x'] });
  });

  test('if a page has text, its frames are not in links', async () => {
    const { text, urls, unread } = await ask('/beside', 'http');
    assert.deepEqual([text, urls, unread], ['own', [], undefined]);
  });

  describe('in a browser', { skip }, () => {
    before(async () => void (await service.scrape({ url: `${target.url}/none`, scraper: 'browser' })));

    for (const options of [{}, { locale: 'en-GB' }])
      test(`their documents are read ${JSON.stringify(options)}`, async () => {
        const set = await ask('/set', 'browser', options);
        assert.equal(set.text, 'next\n\n12 EUR\nmore');
        assert.deepEqual(set.urls, ['/menu', '/main', '/next', '/deep/more']);
        assert.deepEqual(set.extract, { price: '12 EUR', links: ['next', 'more'] });
        assert.deepEqual([set.unread, set.body.errors], [undefined, []]);
        const only = await ask('/only', 'browser', options);
        assert.deepEqual([only.text, only.urls], ['12 EUR\nmore', ['/main', '/deep/more']]);
      });

    test('a hidden frame is not read, and text of the page comes first', async () => {
      const { text, urls, extract } = await ask('/beside', 'browser');
      assert.equal(text, 'own\n\n12 EUR\nmore\n\nno frame of its own site');
      assert.deepEqual([urls, extract.links], [['/deep/more'], ['more']]);
    });

    test('a srcdoc frame is read', async () => {
      const { text, urls } = await ask('/written', 'browser');
      assert.deepEqual([text, urls], ['7 EUR\n\nx', ['/x']]);
    });

    for (const options of [{}, { locale: 'en-GB' }])
      test(`frames of other sites are read if the page has no text ${JSON.stringify(options)}`, async () => {
        const away = await ask('/away', 'browser', options);
        assert.equal(away.text, '12 EUR\nmore');
        assert.deepEqual(away.urls, [`${elsewhere()}/main`, `${elsewhere()}/deep/more`]);
        const ads = await ask('/ads', 'browser', options);
        assert.deepEqual([ads.text, ads.urls, ads.unread], ['own', [], undefined]);
      });
  });
});
