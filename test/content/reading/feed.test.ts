import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { gunzippedText, readFeed } from '../../../src/content/reading/feed/feed.ts';
import type { FeedEntry, SitemapEntry } from '../../../src/content/reading/feed/feed-data.ts';
import { packedFeed } from '../../../src/content/reading/feed/packed-feed.ts';
import { sitemapLinks } from '../../../src/content/reading/feed/sitemap-links.ts';
import { PAGE_URL, xmlPage } from './page.ts';

const feedOf = (text: string) => readFeed(text, PAGE_URL, null);
const entryOf = (text: string) => feedOf(text)?.items[0] as FeedEntry;

const EMPTY_ENTRY = {
  id: null,
  url: null,
  title: null,
  summary: null,
  content: null,
  published: null,
  updated: null,
  authors: [],
  categories: [],
  image: null,
  attachments: [],
};

describe('RSS', () => {
  test('a feed with all of it', () => {
    const xml = `<?xml version="1.0"?><rss version="2.0" xmlns:media="m" xmlns:content="c" xmlns:dc="d" xmlns:atom="a"><channel>
<title>News</title><atom:link rel="self" href="/self"/><link>/home</link><description>About</description><language>de</language>
<lastBuildDate>Tue, 10 Jun 2003 04:00:00 GMT</lastBuildDate><atom:link rel="next" href="?page=2"/>
<item><media:title>Not this</media:title><title>A &amp;amp; &lt;b&gt;B&lt;/b&gt;</title><guid isPermaLink="false">id-1</guid><link>/a</link>
<description>&lt;p&gt;short&lt;/p&gt;</description><content:encoded><![CDATA[<p>long</p>]]></content:encoded>
<pubDate>Wed, 11 Jun 2003 04:00:00 +0200</pubDate><author>a@b.test (Ann)</author><dc:creator>Bob</dc:creator>
<category>x</category><category>x</category><enclosure url="/a.mp3" type="audio/mpeg" length="99"/>
<media:thumbnail url="/t.png"/></item></channel></rss>`;
    assert.deepEqual(feedOf(xml), {
      kind: 'rss',
      title: 'News',
      description: 'About',
      url: 'http://site.test/home',
      language: 'de',
      updated: '2003-06-10T04:00:00Z',
      next: 'http://site.test/dir/page?page=2',
      items: [
        {
          id: 'id-1',
          url: 'http://site.test/a',
          title: 'A & B',
          summary: '<p>short</p>',
          content: '<p>long</p>',
          published: '2003-06-11T04:00:00+02:00',
          updated: null,
          authors: ['Ann', 'Bob'],
          categories: ['x'],
          image: 'http://site.test/t.png',
          attachments: [{ url: 'http://site.test/a.mp3', type: 'audio/mpeg', bytes: 99 }],
        },
      ],
      truncated: false,
    });
  });

  test('a `guid` is the URL of an item without a link, unless it says that it is not', () => {
    const item = (members: string) => entryOf(`<rss><channel><item>${members}</item></channel></rss>`);
    assert.equal(item('<guid>http://x.test/1</guid>').url, 'http://x.test/1');
    assert.equal(item('<guid isPermaLink="false">http://x.test/1</guid>').url, null);
    assert.equal(item('<guid>17</guid>').url, null);
    assert.deepEqual(item(''), EMPTY_ENTRY);
  });

  test('RSS 0.91 and 1.0, whose items stand beside the channel', () => {
    assert.equal(
      feedOf('<rss version="0.91"><channel><item><title>T</title></item></channel></rss>')?.kind,
      'rss',
    );
    const rdf = `<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/"><channel><title>C</title><items/></channel>
<item rdf:about="http://x.test/1"><title>T</title><link>http://x.test/1</link><dc:date>2003-06-10</dc:date></item></rdf:RDF>`;
    assert.deepEqual([feedOf(rdf)?.kind, feedOf(rdf)?.title], ['rdf', 'C']);
    assert.deepEqual(entryOf(rdf), {
      ...EMPTY_ENTRY,
      id: 'http://x.test/1',
      url: 'http://x.test/1',
      title: 'T',
      published: '2003-06-10T00:00:00Z',
    });
  });
});

test('Atom: links by `rel`, `xml:base`, persons, XHTML', () => {
  const xml = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en" xml:base="http://x.test/blog/"><title type="text">Blog</title>
<link rel="self" href="feed"/><link href="."/><updated>2024-05-01T00:00:00Z</updated>
<entry xml:base="2024/"><id>tag:1</id><title type="html">1 &lt; 2</title><link rel="enclosure" href="f.mp3" length="0"/><link href="post"/>
<published>2024-05-01T10:00:00Z</published><updated>2024-05-02T10:00:00Z</updated><author><name>Ann</name><uri>u</uri></author>
<category term="t" label="Label"/><category term="u"/><summary>S</summary>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Hi <b>you</b></p></div></content></entry></feed>`;
  const feed = feedOf(xml);
  assert.deepEqual(
    [feed?.kind, feed?.title, feed?.url, feed?.language, feed?.updated],
    ['atom', 'Blog', 'http://x.test/blog/', 'en', '2024-05-01T00:00:00Z'],
  );
  assert.deepEqual(feed?.items, [
    {
      id: 'tag:1',
      url: 'http://x.test/blog/2024/post',
      title: '1 < 2',
      summary: 'S',
      content: '<p>Hi <b>you</b></p>',
      published: '2024-05-01T10:00:00Z',
      updated: '2024-05-02T10:00:00Z',
      authors: ['Ann'],
      categories: ['Label', 'u'],
      image: null,
      attachments: [{ url: 'http://x.test/blog/2024/f.mp3', type: null, bytes: null }],
    },
  ]);
});

test('JSON Feed', () => {
  const json = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'J',
    home_page_url: '/',
    next_url: '?2',
    items: [
      {
        id: 7,
        url: '/a',
        content_text: 'text',
        date_published: '2024-05-01T00:00:00+02:00',
        author: { name: 'Ann' },
        tags: ['x', 1],
        attachments: [{ url: 'f', mime_type: 'a/b', size_in_bytes: 5 }, {}],
      },
      'no item',
    ],
  });
  const feed = feedOf(json);
  assert.deepEqual(
    [feed?.kind, feed?.title, feed?.url, feed?.next],
    ['json_feed', 'J', 'http://site.test/', 'http://site.test/dir/page?2'],
  );
  assert.deepEqual(feed?.items, [
    {
      ...EMPTY_ENTRY,
      id: '7',
      url: 'http://site.test/a',
      content: 'text',
      published: '2024-05-01T00:00:00+02:00',
      authors: ['Ann'],
      categories: ['x'],
      attachments: [{ url: 'http://site.test/dir/f', type: 'a/b', bytes: 5 }],
    },
  ]);
});

describe('sitemaps', () => {
  const SITEMAP = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc> http://x.test/?a=1&amp;b=2 </loc>
<lastmod>2024-05</lastmod><changefreq>daily</changefreq><priority>0.5</priority><image:image><image:loc>/no</image:loc></image:image></url>
<url><loc>/b</loc><priority>high</priority></url><url><lastmod>2024</lastmod></url></urlset>`;
  const ENTRIES: readonly SitemapEntry[] = [
    {
      url: 'http://x.test/?a=1&b=2',
      updated: '2024-05-01T00:00:00Z',
      change_frequency: 'daily',
      priority: 0.5,
    },
    { url: 'http://site.test/b', updated: null, change_frequency: null, priority: null },
  ];

  test('a sitemap, also in gzip', () => {
    assert.deepEqual(feedOf(SITEMAP)?.items, ENTRIES);
    assert.equal(feedOf(SITEMAP)?.kind, 'sitemap');
    assert.equal(gunzippedText(gzipSync(SITEMAP)), SITEMAP);
    assert.equal(gunzippedText(Buffer.from(SITEMAP)), null);
    assert.equal(gunzippedText(gzipSync(SITEMAP).subarray(0, 50)), null);
    assert.equal(gunzippedText(gzipSync(Buffer.alloc(51 * 2 ** 20))), null);
  });

  const SITEMAP_NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
  const ONE = `<u:url><u:loc>http://x.test/a</u:loc><u:lastmod>2024-05-01</u:lastmod></u:url>`;
  /** The same page at http://x.test/a, listed in files with any prefix. */
  const PREFIXED: readonly string[] = [
    ...['sit', 'sm', 'ns0', 'x.y-z', 'urlset'].map((prefix) =>
      `<?xml version="1.0"?>\n<u:urlset xmlns:u="${SITEMAP_NAMESPACE}">${ONE}</u:urlset>`
        .replaceAll('u:', `${prefix}:`)
        .replace(`xmlns:${prefix}:`, `xmlns:${prefix}`),
    ),
    `<u:urlset xmlns:u="https://sitemaps.org/schemas/sitemap/0.9/">${ONE}</u:urlset>`,
    `<u:urlset xmlns:u="http://www.google.com/schemas/sitemap/0.84">${ONE}</u:urlset>`,
    // Of another or no namespace: the root decides.
    `<u:urlset xmlns:u="urn:other">${ONE}</u:urlset>`,
    `<u:urlset>${ONE}</u:urlset>`,
    `<urlset xmlns="${SITEMAP_NAMESPACE}" xmlns:u="${SITEMAP_NAMESPACE}">${ONE}</urlset>`,
    `<urlset xmlns:u="${SITEMAP_NAMESPACE}">${ONE}</urlset>`,
    // Other vocabularies have a `loc`, too, with and without a prefix of their own.
    `<u:urlset xmlns:u="${SITEMAP_NAMESPACE}" xmlns:i="urn:image">${ONE.replace('<u:lastmod>', '<i:image><i:loc>/no</i:loc></i:image><u:lastmod>')}</u:urlset>`,
    `<u:urlset xmlns:u="${SITEMAP_NAMESPACE}">${ONE.replace('<u:lastmod>', '<image xmlns="urn:image"><loc>/no</loc></image><u:lastmod>')}</u:urlset>`,
    `<urlset xmlns="${SITEMAP_NAMESPACE}">${ONE.replaceAll('u:', '').replace('<lastmod>', '<loc xmlns="urn:image">/no</loc><lastmod>')}</urlset>`,
  ];
  test('elements count by their namespace, whatever their prefix is', () => {
    for (const xml of PREFIXED) {
      const item = {
        url: 'http://x.test/a',
        updated: '2024-05-01T00:00:00Z',
        change_frequency: null,
        priority: null,
      };
      assert.deepEqual(feedOf(xml)?.items, [item], xml);
      const { links, problem } = sitemapLinks(Buffer.from(xml), PAGE_URL);
      assert.deepEqual(
        [problem, links.map(({ url, lastModified }) => [url, lastModified])],
        [null, [[item.url, item.updated]]],
        xml,
      );
    }
    const index = `<s:sitemapindex xmlns:s="${SITEMAP_NAMESPACE}"><s:sitemap><s:loc>/1.xml</s:loc></s:sitemap></s:sitemapindex>`;
    assert.equal(feedOf(index)?.items[0]?.url, 'http://site.test/1.xml');
    assert.equal(sitemapLinks(Buffer.from(index), PAGE_URL).links[0]?.kind, 'sitemap');
    const atom =
      '<a:feed xmlns:a="http://www.w3.org/2005/Atom" xmlns:d="http://purl.org/dc/elements/1.1/"><a:entry><a:title>T</a:title><a:link href="/b"/><d:creator>Jo</d:creator></a:entry></a:feed>';
    const [entry] = feedOf(atom)!.items as readonly FeedEntry[];
    assert.deepEqual([entry?.title, entry?.url, entry?.authors], ['T', 'http://site.test/b', ['Jo']]);
    assert.equal(sitemapLinks(Buffer.from(atom), PAGE_URL).links[0]?.title, 'T');
  });

  test('a sitemap of text, a URL a line, also in gzip', () => {
    const text = '\ufeffhttp://x.test/a b\r\n';
    assert.equal(readFeed(text, PAGE_URL, null), null);
    const lines = '\ufeffhttp://x.test/?a=1&b=2\r\n\r\n  HTTPS://x.test/ü \n';
    for (const feed of [readFeed(lines, PAGE_URL, null), packedFeed(gzipSync(lines), PAGE_URL)]) {
      assert.equal(feed?.kind, 'sitemap');
      assert.deepEqual(feed.items, [
        { url: 'http://x.test/?a=1&b=2', updated: null, change_frequency: null, priority: null },
        { url: 'https://x.test/%C3%BC', updated: null, change_frequency: null, priority: null },
      ]);
    }
  });

  test('an index of sitemaps', () => {
    const feed = feedOf(
      '<sitemapindex><sitemap><loc>/1.xml.gz</loc><lastmod>2024-05-01</lastmod></sitemap></sitemapindex>',
    );
    assert.deepEqual(
      [feed?.kind, feed?.items],
      [
        'sitemap_index',
        [
          {
            url: 'http://site.test/1.xml.gz',
            updated: '2024-05-01T00:00:00Z',
            change_frequency: null,
            priority: null,
          },
        ],
      ],
    );
  });

  test('more items than the limit are told', () => {
    const feed = feedOf(`<urlset>${'<url><loc>/a</loc></url>'.repeat(50_001)}</urlset>`);
    assert.deepEqual([feed?.items.length, feed?.truncated], [50_000, true]);
  });
});

test('what is no feed', () => {
  for (const text of [
    '',
    'text',
    '<html><p>x',
    '<?xml version="1.0"?><other/>',
    '{"a":1}',
    '{',
    '[]',
    '<!-- x --><p>',
    'http://x.test/',
    'http://x.test/a\nhttp://x.test/b is down',
    'http://x.test/a\nx',
  ])
    assert.equal(feedOf(text), null, text);
  assert.equal(readFeed('<x/>', PAGE_URL, xmlPage('<x/>')), null);
});
