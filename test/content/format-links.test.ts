import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageLink } from '../../src/content/document/page-links.ts';
import fc from '../helpers/fast-check.ts';
import { extracted, reading } from './reading.ts';

const linksOf = (html: string): PageLink[] => reading(html, { formats: ['links'] }).data.links as PageLink[];

describe('format links', () => {
  const CASES: readonly (readonly [name: string, html: string, urls: string[]])[] = [
    [
      'relative ones',
      '<a href=a>1</a><a href=/b>2</a><a href=//c.test/>3</a><a href="?d">4</a>',
      ['http://site.test/dir/a', 'http://site.test/b', 'http://c.test/', 'http://site.test/dir/page?d'],
    ],
    ['with a base', '<base href="/x/"><base href="/y/"><a href=a>', ['http://site.test/x/a']],
    ['with an invalid base', '<base href="data:,"><a href=a>', ['http://site.test/dir/a']],
    [
      'fragments of the page itself do not count',
      '<a href="#x"><a href="page?q#y"><a href="other#z">',
      ['http://site.test/dir/other#z'],
    ],
    [
      'other schemes do not count',
      '<a href="mailto:a@b"><a href="javascript:void 0"><a href="tel:1"><a href="http://[">',
      [],
    ],
    [
      'areas, and links in drawings',
      '<map><area href=a></map><svg><a xlink:href=b></a></svg>',
      ['http://site.test/dir/a', 'http://site.test/dir/b'],
    ],
    [
      'each once, in order',
      '<a href=b><a href=a><a href=b>',
      ['http://site.test/dir/b', 'http://site.test/dir/a'],
    ],
  ];
  for (const [name, html, urls] of CASES)
    it(name, () =>
      assert.deepEqual(
        linksOf(html).map(({ url }) => url),
        urls,
      ),
    );

  it('the text is that of the first link that has any, else of its image, label or title', () => {
    const html =
      '<a href=a><img alt=" pic  one "></a><a href=b aria-label=lab></a><a href=c title=tit></a><a href=d></a><a href=d> x\n<b>y</b></a>';
    assert.deepEqual(
      linksOf(html).map(({ text }) => text),
      ['pic one', 'lab', 'tit', 'x y'],
    );
  });

  it('nofollow when every link to it says so', () => {
    const html = '<a href=a rel=nofollow></a><a href=b rel=nofollow></a><a href=b></a>';
    assert.deepEqual(
      linksOf(html).map(({ nofollow }) => nofollow),
      [true, false],
    );
  });

  it('are what the URL parser gives, each once, whatever href contains', () => {
    const hrefs = fc.array(
      fc.oneof(fc.webUrl({ withFragments: true }), fc.string({ unit: 'grapheme' }), fc.webPath()),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(hrefs, (list) => {
        const escaped = list.map((href) =>
          href
            .replaceAll('&', '&amp;')
            .replaceAll('"', '&quot;')
            .replaceAll(/[\0\r]/g, ''),
        );
        const urls = linksOf(escaped.map((href) => `<a href="${href}">x</a>`).join('')).map(({ url }) => url);
        assert.equal(new Set(urls).size, urls.length);
        for (const url of urls) {
          assert.match(url, /^https?:/);
          assert.equal(new URL(url).href, url);
        }
        const expected = list.map(
          (href) => URL.parse(href.replaceAll(/[\0\r]/g, ''), 'http://site.test/dir/page?q')?.href ?? '',
        );
        for (const url of urls) assert.ok(expected.includes(url), url);
      }),
    );
  });
});

describe('extract', () => {
  it('text is trimmed and as a reader sees it; of a hidden element it is all text', () => {
    const html = '<title> T  t </title><script id=s>a < b</script><p> x <b hidden>y</b><i>z</i></p>';
    assert.deepEqual(extracted(html, { t: 'title', s: '#s', p: 'p', b: 'b' }).values, {
      t: 'T  t',
      s: 'a < b',
      p: 'x z',
      b: 'y',
    });
  });

  it('attributes that are URLs are absolute, all others as written', () => {
    const html =
      '<base href="/b/"><a href=x data-x=x srcset="y 2x">1</a><img src="//i.test/z"><form action=""></form><a class=n href="http://[">';
    const rules = { a: 'a@href', d: 'a@data-x', s: 'a@srcset', i: 'img@SRC', f: 'form@action', n: '.n@href' };
    assert.deepEqual(extracted(html, rules).values, {
      a: 'http://site.test/b/x',
      d: 'x',
      s: 'y 2x',
      i: 'http://i.test/z',
      f: 'http://site.test/b/',
      n: 'http://[',
    });
  });

  it('names of rules may be any text', () => {
    const { values } = extracted(
      '<p>x',
      JSON.parse('{"__proto__": "p", "constructor": {"selector": "p", "output": {"__proto__": ":scope"}}}'),
    );
    assert.equal(JSON.stringify(values), '{"__proto__":"x","constructor":{"__proto__":null}}');
  });

  it('a value over the limit fails alone', () => {
    const html = `<p>${'x'.repeat(6 * 2 ** 20)}</p><b>y</b>`;
    const { values, failures } = extracted(html, { p: 'p', b: 'b' }, {}, 20_000);
    assert.deepEqual(values, { p: null, b: 'y' });
    assert.equal(failures[0]?.pointer, '/scraper_options/extract/p');
  });
});
