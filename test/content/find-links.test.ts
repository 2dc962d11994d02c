import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findLinks, findLinksInSource } from '../../src/content/document/find-links.ts';
import { parseHtml } from '../../src/content/document/parse-page.ts';
import { toParsedPage } from '../../src/content/document/parsed-page.ts';

const URL_OF_PAGE = 'http://a.test/dir/page?x=1';

const byTree = (html: string) => findLinks(toParsedPage(parseHtml(html, false), URL_OF_PAGE, null), false);

const CASES: Readonly<Record<string, readonly [html: string, links: readonly string[]]>> = {
  'a and area': ['<a href="b">b</a><area href="/c">', ['http://a.test/dir/b', 'http://a.test/c']],
  'each once, without fragments': [
    '<a href="/b#x"></a><a href="/b#y"></a><a href="#z"></a>',
    ['http://a.test/b'],
  ],
  base: ['<head><base href="/other/"></head><a href="b">', ['http://a.test/other/b']],
  entities: ['<a href="/b?c=1&amp;d=2">', ['http://a.test/b?c=1&d=2']],
  relations: [
    '<link rel="canonical" href="/c"><link rel="next" href="/n"><link rel=stylesheet href="/s">',
    ['http://a.test/c', 'http://a.test/n'],
  ],
  frames: ['<iframe src="/f"></iframe>', ['http://a.test/f']],
  'other schemes': ['<a href="mailto:a@b.c"></a><a href="javascript:x()"></a><a href="http://[/">', []],
  'scripts and templates': [
    '<script>"<a href=/no>"</script><template><a href="/no"></a><template></template><a href="/no"></a></template><a href="/yes">',
    ['http://a.test/yes'],
  ],
  noscript: [
    '<p><noscript><a href="/b"></a></noscript><a href="/c">',
    ['http://a.test/b', 'http://a.test/c'],
  ],
  'JSON-LD': [
    '<script type="application/ld+json">{"@type":"WebPage","url":"/j","image":"/no","mainEntityOfPage":{"@id":"/m"}}</script>',
    ['http://a.test/j', 'http://a.test/m'],
  ],
  'not closed': ['<p><a href="/b">x<p><a href="/c"', ['http://a.test/b']],
};

describe('links of a page', () => {
  for (const [name, [html, links]] of Object.entries(CASES))
    test(`${name}: the same by the tree and in the source`, () => {
      const tree = byTree(html);
      const source = findLinksInSource(html, URL_OF_PAGE)!;
      assert.deepEqual(
        tree.links.map(({ url }) => url),
        links,
      );
      assert.deepEqual(source.links, tree.links);
      assert.equal(source.left, tree.left);
    });

  test('nofollow of links, and of the page', () => {
    for (const found of [byTree, (html: string) => findLinksInSource(html, URL_OF_PAGE)!]) {
      const page = found(
        '<meta name=robots content="noindex, nofollow"><a rel="x nofollow" href="/b"></a><a href="/c">',
      );
      assert.equal(page.nofollow, true);
      assert.deepEqual(
        page.links.map(({ nofollow }) => nofollow),
        [true, false],
      );
      // A link that is also there without it is followed.
      assert.equal(found('<a rel=nofollow href="/b"></a><a href="/b">').links[0]!.nofollow, false);
    }
  });

  test('pages that only the tree shows are not read from the source', () => {
    assert.equal(findLinksInSource('<iframe srcdoc="<a href=/b>">', URL_OF_PAGE), null);
    assert.equal(byTree('<iframe srcdoc="<a href=/b>">').links.length, 1);
    const lures =
      '<a href="/cdn-cgi/l/email-protection">x</a><a href="/cdn-cgi/l/email-protection#2a4b6a48">y</a>';
    assert.equal(findLinksInSource(lures, URL_OF_PAGE), null);
    assert.deepEqual(byTree(lures).links, []);
  });

  for (const html of [
    '<a href="b">b</a><base href="/other/"><a href="c">c</a>',
    '<body><p><a href="b">b</a><div><base target="_top"><base href="/other/"><base href="/no/"></div><a href="c">c</a>',
    '<link rel="next" href="b"><base href="http://a.test/other/"><iframe src="c"></iframe>',
  ])
    test(`a late base is that of all links: ${html}`, () => {
      assert.equal(findLinksInSource(html, URL_OF_PAGE), null);
      assert.deepEqual(
        byTree(html).links.map(({ url }) => url),
        ['http://a.test/other/b', 'http://a.test/other/c'],
      );
    });

  test('the hash of the content is that of what is shown, without the path of the page', () => {
    const hashOf = (html: string) => findLinksInSource(html, URL_OF_PAGE)!.contentHash;
    assert.equal(hashOf('<p>/dir/page?x=1 is missing</p>'), hashOf('<p> is missing</p><script>1</script>'));
    assert.notEqual(hashOf('<p>one</p>'), hashOf('<p>two</p>'));
    assert.notEqual(hashOf('<img src=1.png>'), hashOf('<img src=2.png>'));
    assert.equal(hashOf('<style>a{}</style>'), null);
    // Pages that only list links are as different as these.
    const list = (...urls: string[]) => urls.map((url) => `<a href="${url}">More</a>`).join('');
    assert.notEqual(hashOf(list('/a', '/b')), hashOf(list('/a', '/c')));
    assert.notEqual(hashOf(list('/a')), hashOf(list('http://other.test/a')));
    assert.equal(hashOf(list('/a?from=1', '#top')), hashOf(list('/a?from=2', URL_OF_PAGE)));
    // What nobody sees does not tell pages about missing pages apart.
    const unseen = (url: string) => `<link rel=canonical href=${url}><p>not found</p><a href=${url}></a>`;
    assert.equal(hashOf(unseen('/a')), hashOf(unseen('/b')));
    const text = '<p>word</p>'.repeat(300);
    assert.equal(hashOf(text + list('/a')), hashOf(text + list('/c')));
    assert.equal(byTree(list('/a', '/b')).contentHash, hashOf(list('/a', '/b')));
  });

  test('beyond the limit, links are only counted', () => {
    const links = Array.from({ length: 10_005 }, (_, n) => `<a href="/${n}">`).join('');
    const { links: found, left } = findLinksInSource(
      `${links}<a href="/${'x'.repeat(30_000)}">`,
      URL_OF_PAGE,
    )!;
    assert.deepEqual([found.length, left], [10_000, 6]);
  });
});
