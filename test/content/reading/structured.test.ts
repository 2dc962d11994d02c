import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TreeNode } from '../../../src/content/document/page-tree.ts';
import { elementsOf } from '../../../src/content/document/page-tree.ts';
import { structuredData } from '../../../src/content/reading/structured/structured.ts';
import { htmlPage, structuredOf, xmlPage } from './page.ts';

describe('JSON-LD, Open Graph and Twitter', () => {
  test('lists are taken apart, and what is no object is left out', () => {
    const { json_ld } = structuredOf(`<script type="application/ld+json">[{"a":1},null,{"b":2}]</script>
<script type="application/ld+json">null</script><script type="application/ld+json">{"c":3,}</script>`);
    assert.deepEqual(json_ld, [{ a: 1 }, { b: 2 }, { c: 3 }]);
  });

  test('blocks that cannot be read are told', () => {
    const { structured, unread } = structuredData(
      htmlPage('<script type="application/ld+json">{"a" 1}</script>'),
      null,
    );
    assert.deepEqual(structured.json_ld, []);
    assert.deepEqual(
      unread.map(({ block, line, column }) => [block, line, column]),
      [[1, 1, 6]],
    );
  });

  test('vocabularies that the page declares belong to Open Graph, undeclared ones do not', () => {
    const { open_graph, twitter } = structuredOf(`<html xmlns:shop="http://shop.test/ns#">
<head prefix="og: http://ogp.me/ns# food: http://food.test/ns#"><meta property="og:title" content="T">
<meta property="food:kcal" content="99"><meta property="shop:size" content="L"><meta property="al:x" content="n">
<meta property="https://ogp.me/ns#image" content="/i"><meta name="twitter:card" content="summary">`);
    assert.deepEqual(open_graph, { title: 'T', 'food:kcal': '99', 'shop:size': 'L', image: '/i' });
    assert.deepEqual(twitter, { card: 'summary' });
  });

  test('a feed has no structured data', () => {
    const { structured } = structuredData(xmlPage('<rss><channel><title>T</title></channel></rss>'), null);
    assert.deepEqual(structured.entities, []);
  });
});

describe('microdata', () => {
  const itemsOf = (html: string) => structuredOf(html).microdata;

  test('values come from the attribute that the element has for them', () => {
    const [item] = itemsOf(`<div itemscope itemtype="https://schema.org/A  https://x.test/B" itemid="/id">
<meta itemprop=m content=" c "><a itemprop="u v" href="../x">text</a><img itemprop=i src="y.png"><object itemprop=o data=z></object>
<data itemprop=d value=1>one</data><meter itemprop=me value=2>two</meter><time itemprop=t datetime=2024>now</time>
<time itemprop=t2>2025</time><span itemprop=s content=hidden>shown</span><p itemprop=p>two <b>words</b><script>no</script></p><input itemprop=q-input name=q required></div>`);
    assert.deepEqual(item, {
      type: ['https://schema.org/A', 'https://x.test/B'],
      id: 'http://site.test/id',
      properties: {
        m: ['c'],
        u: ['http://site.test/x'],
        v: ['http://site.test/x'],
        i: ['http://site.test/dir/y.png'],
        o: ['http://site.test/dir/z'],
        d: ['1'],
        me: ['2'],
        t: ['2024'],
        t2: ['2025'],
        s: ['hidden'],
        p: ['two words'],
        'q-input': ['required name=q'],
      },
    });
  });

  test('an item is a property, or stands alone, and its own properties are not those of the outer one', () => {
    const items = itemsOf(`<div itemscope><div itemscope itemprop=in><i itemprop=n>1</i></div>
<div itemscope><i itemprop=n>2</i></div><i itemprop=n>3</i></div><i itemprop=lost>4</i>`);
    assert.deepEqual(items, [
      { type: [], properties: { in: [{ type: [], properties: { n: ['1'] } }], n: ['3'] } },
      { type: [], properties: { n: ['2'] } },
    ]);
  });

  test('an item without properties is its text', () => {
    const [item] = itemsOf(
      '<div itemscope><b itemprop=author itemscope itemtype=http://schema.org/Person>Ann</b></div>',
    );
    assert.deepEqual(item?.properties.author, [
      { type: ['http://schema.org/Person'], properties: {}, value: 'Ann' },
    ]);
  });

  test('`itemref` adds properties, and an item that contains itself is left out', () => {
    assert.deepEqual(
      itemsOf('<div itemscope itemref="b none a"></div><i id=a itemprop=p>1</i><i id=b itemprop=p>2</i>'),
      [{ type: [], properties: { p: ['2', '1'] } }],
    );
    assert.deepEqual(
      itemsOf(
        '<div itemscope itemref=x><i itemprop=n>1</i></div><div id=x itemprop=p itemscope itemref=x></div>',
      ),
      [{ type: [], properties: { n: ['1'], p: [{ type: [], properties: {} }] } }],
    );
  });

  test('`__proto__` is a name like any other', () => {
    const { microdata } = structuredData(
      htmlPage('<p itemscope><i itemprop=__proto__>1</i>'),
      null,
    ).structured;
    assert.equal(JSON.stringify(microdata), '[{"type":[],"properties":{"__proto__":["1"]}}]');
  });
});

describe('RDFa', () => {
  const nodesOf = (html: string) => structuredOf(html).rdfa;

  test('Lite: vocab, typeof, property, resource, prefix', () => {
    const nodes =
      nodesOf(`<div vocab="http://schema.org/" typeof=Person resource="#me" prefix="Ex: http://ex.test/ns#">
<b property=name>Ann</b> <a property="url ex:home" href="/ann">home</a>
<p property=address typeof=PostalAddress><i property=addressLocality>Bern</i></p></div>`);
    assert.deepEqual(nodes, [
      {
        '@id': 'http://site.test/dir/page',
        'http://www.w3.org/ns/rdfa#usesVocabulary': [{ '@id': 'http://schema.org/' }],
      },
      {
        '@id': 'http://site.test/dir/page#me',
        '@type': ['http://schema.org/Person'],
        'http://schema.org/name': [{ '@value': 'Ann' }],
        'http://schema.org/url': [{ '@id': 'http://site.test/ann' }],
        'http://ex.test/ns#home': [{ '@id': 'http://site.test/ann' }],
        'http://schema.org/address': [{ '@id': '_:1' }],
      },
      {
        '@id': '_:1',
        '@type': ['http://schema.org/PostalAddress'],
        'http://schema.org/addressLocality': [{ '@value': 'Bern' }],
      },
    ]);
  });

  test('words of `rel` that mean nothing to RDFa change nothing', () => {
    assert.deepEqual(nodesOf('<a rel="nofollow noopener" href=/x>x</a><link rel=stylesheet href=/y>'), []);
    assert.deepEqual(nodesOf('<a rel=license href=/l>x</a>'), [
      {
        '@id': 'http://site.test/dir/page',
        'http://www.w3.org/1999/xhtml/vocab#license': [{ '@id': 'http://site.test/l' }],
      },
    ]);
  });

  test('a relation waits for its object', () => {
    const nodes = nodesOf(`<div about="/a" rel="foaf:knows"><p><a typeof=foaf:Person about=/b>B</a></p>
<i property=foaf:name lang=de>C</i></div>`);
    assert.deepEqual(nodes, [
      { '@id': 'http://site.test/b', '@type': ['http://xmlns.com/foaf/0.1/Person'] },
      {
        '@id': 'http://site.test/a',
        'http://xmlns.com/foaf/0.1/knows': [{ '@id': 'http://site.test/b' }, { '@id': '_:1' }],
      },
      { '@id': '_:1', 'http://xmlns.com/foaf/0.1/name': [{ '@value': 'C', '@language': 'de' }] },
    ]);
  });

  test('datatypes, contents, and each statement once', () => {
    const [node] = nodesOf(`<p property=dc:date datatype=xsd:date content=2024-01-02>x</p>
<p property=dc:title>T</p><p property=dc:title>T</p><time property=dc:issued datetime=2024>y</time>`);
    assert.deepEqual(node, {
      '@id': 'http://site.test/dir/page',
      'http://purl.org/dc/terms/date': [
        { '@value': '2024-01-02', '@type': 'http://www.w3.org/2001/XMLSchema#date' },
      ],
      'http://purl.org/dc/terms/title': [{ '@value': 'T' }],
      'http://purl.org/dc/terms/issued': [{ '@value': '2024' }],
    });
  });
});

describe('tables', () => {
  const tablesOf = (html: string) => structuredOf(html).tables;

  test('header, caption and spans', () => {
    const [table] =
      tablesOf(`<table><caption> Sales <b>2024</b></caption><thead><tr><th rowspan=2>Town<th colspan=2>Units
<tr><th>May<th>June</thead><tbody><tr><td rowspan=2>Bern<td>1<td>2<tr><td colspan=2>none<tfoot><tr><td>Sum<td>1</table>`);
    assert.deepEqual(table, {
      caption: 'Sales 2024',
      header: ['Town', 'Units May', 'Units June'],
      rows: [
        ['Bern', '1', '2'],
        ['Bern', 'none', 'none'],
        ['Sum', '1', ''],
      ],
    });
  });

  test('a first row over all columns is the caption', () => {
    const [table] = tablesOf('<table><tr><th colspan=2>Size<tr><th>A<th>B<tr><td>1<td>2</table>');
    assert.deepEqual(table, { caption: 'Size', header: ['A', 'B'], rows: [['1', '2']] });
  });

  test('a first row in bold has the names, unless all rows are bold', () => {
    const [table, other, titled] =
      tablesOf(`<table><tr><td><p><b>A</b><td><strong>B</strong><tr><td>1<td>2</table>
<table><tr><td><b>A</b><td><b>B</b><tr><td><b>1</b><td><b>2</b></table>
<table><tr><td colspan=2><b>Size</b><tr><td>1<td>2<tr><td>3<td>4</table>`);
    assert.deepEqual(table?.header, ['A', 'B']);
    assert.deepEqual(other?.header, []);
    assert.deepEqual([titled?.caption, titled?.header], ['Size', []]);
  });

  test('names in the first column are cells', () => {
    const [table] = tablesOf('<table><tr><th>Weight<td>1 kg<tr><th>Colour<td>red</table>');
    assert.deepEqual(table, {
      caption: null,
      header: [],
      rows: [
        ['Weight', '1 kg'],
        ['Colour', 'red'],
      ],
    });
  });

  test('tables that arrange the page are left out, those in them are not', () => {
    const inner = '<table><tr><th>A<th>B<tr><td>1<td>2</table>';
    assert.equal(tablesOf(`<table><tr><td>menu<td>${inner}<tr><td>x<td>y</table>`).length, 1);
    assert.deepEqual(tablesOf('<table role=presentation><tr><th>a<td>b<tr><th>c<td>d</table>'), []);
    assert.deepEqual(tablesOf(`<table><tr><td>a<td>${'long '.repeat(300)}<tr><td>c<td>d</table>`), []);
    assert.deepEqual(tablesOf('<table><tr><td>a<td>b</table><table><tr><td>a<tr><td>b</table>'), []);
  });

  test('the text of a nested table is not that of the cell around it', () => {
    const tables = tablesOf(
      '<table><tr><th>A<th>B<tr><td>1<td>x<table><tr><td>p<td>q<tr><td>r<td>s</table></table>',
    );
    assert.deepEqual(
      tables.map(({ rows }) => rows),
      [
        [['1', 'x']],
        [
          ['p', 'q'],
          ['r', 's'],
        ],
      ],
    );
  });

  test('only the tables of the selection, without what it excludes', () => {
    const table = (id: string) => `<table id=${id}><tr><th>A<th>B<tr><td>1<td>${id}<i class=x>!</i></table>`;
    const page = htmlPage(`${table('out')}<main>${table('in')}${table('no')}</main>`);
    const elements = [...elementsOf(page.tree.root)];
    const find = (matches: (element: TreeNode) => boolean) => elements.filter(matches);
    const byId = (id: string) => (element: TreeNode) =>
      element.attrs?.some(({ value }) => value === id) === true;
    const selection = {
      roots: find(({ tagName }) => tagName === 'main'),
      excluded: new Set([...find(byId('no')), ...find(({ tagName }) => tagName === 'i')]),
    };
    assert.deepEqual(structuredData(page, selection).structured.tables, [
      { caption: null, header: ['A', 'B'], rows: [['1', 'in']] },
    ]);
  });
});
