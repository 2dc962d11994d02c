import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageImages } from '../../../src/content/document/page-images.ts';
import { readFeed } from '../../../src/content/reading/feed/feed.ts';
import { structuredData } from '../../../src/content/reading/structured/structured.ts';
import type { StructuredData } from '../../../src/content/reading/structured/structured-data.ts';
import fc from '../../helpers/fast-check.ts';
import { htmlPage, PAGE_URL } from './page.ts';

const N = 20_000;
const LONG = 'long '.repeat(20_000);

/** Pages that take quadratic time or memory, or endless recursion, if they are read carelessly. */
const PAGES: Readonly<Record<string, string>> = {
  'nested div': '<div>'.repeat(N),
  'open tr': `<table>${'<tr>'.repeat(N)}`,
  'nested items': `${'<div itemscope itemprop=a>'.repeat(N)}x`,
  'nested properties': `<div itemscope>${'<div itemprop=a>'.repeat(N)}x`,
  'references to a long list': `<div id=x>${'<i itemprop=a>x</i>'.repeat(3000)}</div>${'<div itemscope itemref=x></div>'.repeat(3000)}`,
  'references that double at each level': Array.from(
    { length: 40 },
    (_, at) => `<div id=a${at} itemscope itemprop=p itemref="a${at + 1} b${at + 1}"></div>
<div id=b${at} itemscope itemprop=p itemref="a${at + 1} b${at + 1}"></div>`,
  )
    .join('')
    .concat('<div itemscope itemref="a0 b0"></div>'),
  'nested RDFa nodes': `<div vocab="http://schema.org/">${'<div property=a typeof=Product>'.repeat(N)}x`,
  'waiting relations': `<div>${'<div rel="foaf:a foaf:b foaf:c">'.repeat(N)}<a about=/y>`,
  'declared prefixes': Array.from({ length: N }, (_, at) => `<div prefix="a${at}: http://a/${at}#">`).join(
    '',
  ),
  'nested tables': `${'<table><tr><th>a<td>b<tr><td>'.repeat(2000)}x`,
  'wide spans': `<table>${'<tr><th colspan=1000 rowspan=60000>x<td colspan=1000 rowspan=1000>y'.repeat(2000)}`,
  'the same product': `<script type="application/ld+json">[${'{"@type":"Product","name":"a","url":"/x"},'.repeat(4000)}1]</script>`,
  'references between all products': `<script type="application/ld+json">{"@graph":[${Array.from(
    { length: 1000 },
    (_, at) =>
      `{"@id":"#${at}","@type":"Product","a":[{"@id":"#${(at * 7) % 1000}"},{"@id":"#${(at * 13 + 1) % 1000}"}]}`,
  ).join(',')}]}</script>`,
  'open comments in JSON-LD': `<script type="application/ld+json">${'<!--'.repeat(60_000)}</script>`,
  'many names of Open Graph': Array.from(
    { length: N },
    (_, at) => `<meta property="og:a${at}" content=b>`,
  ).join(''),
  'one picture': `<picture>${'<source srcset="a 1x, b 2x">'.repeat(2000)}${'<img src=a srcset="c 2x">'.repeat(2000)}`,
  'a long text with many names': `<div itemscope vocab="http://schema.org/">${`<p itemprop="a b c d e f g h i j" property="a b c d e f g h i j">${LONG}`.repeat(20)}`,
  'a long text that many items refer to': `<p id=x itemprop=a>${LONG}</p>${'<div itemscope itemref=x></div>'.repeat(3000)}`,
  'a long text in many cells': `<table>${`<tr><th colspan=200 rowspan=5000>${LONG}${'<tr>'.repeat(5000)}`}`,
  'a long text in a part of many products': `<script type="application/ld+json">{"@graph":[{"@id":"#x","@type":"Brand","name":"${LONG}"},${'{"@type":"Product","brand":{"@id":"#x"}},'.repeat(1000)}1]}</script>`,
  'many noscript': '<noscript><img src=a></noscript>'.repeat(5000),
};

function countOf({ microdata, rdfa, tables, entities }: StructuredData): number {
  const cells = tables.reduce((sum, { rows }) => sum + rows.length * (rows[0]?.length ?? 0), 0);
  return microdata.length + rdfa.length + cells + entities.length;
}

describe('hostile pages are read within the limits', () => {
  for (const [name, html] of Object.entries(PAGES))
    test(name, () => {
      const page = htmlPage(html);
      const { structured } = structuredData(page, null);
      assert.ok(countOf(structured) <= 1_100_000, String(countOf(structured)));
      const { length } = JSON.stringify(structured);
      assert.ok(length < 12 * 2 ** 20, String(length));
      const { images } = pageImages(page, null);
      assert.ok(images.length <= 5000 && images.every(({ candidates }) => candidates.length <= 50));
    });

  const feeds: Readonly<Record<string, string>> = {
    'nested items': `<rss><channel>${'<item>'.repeat(N)}`,
    'many authors': `<rss><channel><item>${'<author>a</author>'.repeat(N)}</item></channel></rss>`,
    'nested markup': `<feed><entry><content type="xhtml">${'<div>'.repeat(N)}</content></entry></feed>`,
    'nested lists': `{"version":"https://jsonfeed.org/version/1","items":${'['.repeat(N)}`,
  };
  for (const [name, text] of Object.entries(feeds))
    test(`feed: ${name}`, () => {
      const feed = readFeed(text, PAGE_URL, null);
      assert.ok(feed === null || feed.items.length <= 1);
    });
});

test('whatever the markup, all is JSON, and paths lead to values', () => {
  const attribute = fc.constantFrom(
    'itemscope',
    'itemprop=name',
    'itemprop="a/b offers"',
    'itemtype=http://schema.org/Product',
    'itemref="x y"',
    'id=x',
    'id=y',
    'typeof=schema:Offer',
    'property=schema:name',
    'rel=schema:offers',
    'about=#z',
    'vocab=http://schema.org/',
    'href=/h',
    'content=c',
    'colspan=3',
    'rowspan=2',
  );
  const tag = fc.constantFrom(
    'div',
    'p',
    'a',
    'table',
    'tr',
    'th',
    'td',
    'meta',
    'link',
    'img',
    'span',
    '/div',
    '/table',
  );
  const piece = fc
    .tuple(tag, fc.array(attribute, { maxLength: 4 }), fc.constantFrom('', 'text'))
    .map(([name, attributes, text]) => `<${[name, ...attributes].join(' ')}>${text}`);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const { structured } = structuredData(htmlPage(pieces.join('')), null);
      const data = JSON.parse(JSON.stringify(structured)) as StructuredData;
      for (const [, path] of JSON.stringify(data.entities).matchAll(/"path":"([^"]*)"/g)) {
        const names = String(path).slice(1).split('/');
        const found = names.reduce<unknown>((value, name) => {
          const member = name.replaceAll('~1', '/').replaceAll('~0', '~');
          return (value as Record<string, unknown>)[member];
        }, data);
        assert.notEqual(found, undefined, String(path));
      }
      for (const { header, rows } of data.tables)
        for (const row of rows)
          assert.ok(row.length === rows[0]!.length && [0, row.length].includes(header.length));
    }),
    { numRuns: 500 },
  );
});
