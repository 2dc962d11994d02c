import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PageMetadata } from '../../src/content/document/page-metadata.ts';
import { reading } from './reading.ts';

const metadataOf = (html: string) => reading(html, { formats: ['metadata'] }).data.metadata as PageMetadata;

describe('metadata', () => {
  test('the type of a script or link may have parameters', () => {
    const { json_ld, feeds } = metadataOf(`<script type="application/ld+json; charset=utf-8">{"x":1}</script>
<script type="application/ld+jsonx">{"y":1}</script>
<link rel=alternate type="Application/RSS+xml;charset=utf-8" hreflang=de href=/rss title=R>`);
    assert.deepEqual(json_ld, [{ x: 1 }]);
    assert.deepEqual(feeds, [{ url: 'http://site.test/rss', type: 'application/rss+xml', title: 'R' }]);
  });

  test('every robots element counts', () => {
    const { robots, keywords } = metadataOf(`<meta name=robots content="Index, follow">
<meta name=ROBOTS content="noarchive,follow"><meta name=keywords content="a, b">`);
    assert.deepEqual(robots, ['index', 'follow', 'noarchive']);
    assert.deepEqual(keywords, ['a', 'b']);
  });

  test('a link without a URL is null, not the page itself', () => {
    const { favicon, canonical } = metadataOf(
      '<link rel=icon href=""><link rel=canonical href=" "><link rel=icon href="/i">',
    );
    assert.deepEqual([favicon, canonical], ['http://site.test/i', null]);
  });

  const graph = (...things: object[]) =>
    `<script type="application/ld+json">${JSON.stringify({ '@graph': things })}</script>`;
  const site = {
    '@type': 'WebSite',
    datePublished: '2001-01-01',
    author: 'Owner',
    dateModified: '2001-02-02',
  };
  const article = { '@type': 'NewsArticle', datePublished: '2023-05-06' };
  const DAY = '2023-05-06';
  const PUBLISHED: readonly string[] = [
    graph(site, article),
    graph(site, { '@type': ['Thing', 'https://schema.org/BlogPosting'], datePublished: DAY }),
    graph(site, { '@type': 'WebPage', datePublished: '2010-01-01' }, article),
    graph(site, { '@type': 'WebPage', datePublished: DAY }),
    graph({ '@type': 'VideoObject', uploadDate: DAY }),
    graph({
      '@type': 'JobPosting',
      datePosted: DAY,
      hiringOrganization: { '@type': 'Organization', datePublished: '2001' },
    }),
    graph({
      '@type': 'Article',
      comment: [{ '@type': 'Comment', datePublished: '2024' }],
      datePublished: { '@value': DAY },
    }),
    `${graph(site)}<meta name=date content="${DAY}">`,
    ...`citation_publication_date citation_online_date citation_date bepress_citation_date prism.publicationDate eprints.date
DC.date.issued dcterms.issued parsely-pub-date sailthru.date article.published publication_date publishdate publish-date
datePublished pubdate DC.date dcterms.created article:published_time og:published_time date_published`
      .split(/\s+/)
      .flatMap((name) => [
        `<meta name="${name}" content="${DAY}">`,
        `<meta property="${name}" content="${DAY}">`,
      ]),
    `<span itemprop=datePublished>${DAY}</span>`,
    `<span itemprop="datePublished dateModified" content="${DAY}">6 May</span>`,
    `<div itemscope itemtype="https://schema.org/Comment"><time itemprop=datePublished datetime="2024">x</time></div><b itemprop=datePublished>${DAY}</b>`,
    `<div itemscope itemtype="https://schema.org/Article"><meta itemprop=datePublished content="${DAY}"></div>`,
    `<div typeof="schema:Article"><span property="schema:datePublished" content="${DAY}">May</span></div>`,
    `<time pubdate datetime="${DAY}">May</time>`,
    `<time class="entry-date published" datetime="${DAY}">May</time>`,
    `<div class=h-entry><time class=dt-published datetime="${DAY}">May</time></div>`,
    `<abbr class=published title="${DAY}">May</abbr>`,
  ];
  test('the day of an article, by all names in use', () => {
    for (const html of PUBLISHED) assert.equal(metadataOf(html).published, DAY, html);
  });

  test('a day that is not that of the article is none', () => {
    for (const html of [
      graph(site),
      graph({ '@type': 'Organization', datePublished: DAY }, { '@type': 'ImageObject', datePublished: DAY }),
      `<div itemscope itemtype="https://schema.org/Review"><span itemprop=datePublished>${DAY}</span></div>`,
      '<span itemprop=datePublished>soon</span>',
      `<time datetime="${DAY}">May</time>`,
    ])
      assert.equal(metadataOf(html).published, null, html);
  });

  test('the author and the last change of an article', () => {
    const person = { '@type': 'Person', '@id': '#jo', name: 'Jo Doe' };
    assert.equal(metadataOf(graph(site, { ...article, author: { '@id': '#jo' } }, person)).author, 'Jo Doe');
    assert.equal(metadataOf(graph(site, { ...article, author: [{ name: ['Jo Doe'] }] })).author, 'Jo Doe');
    assert.equal(metadataOf('<meta name=citation_author content="Doe, Jo">').author, 'Doe, Jo');
    assert.equal(metadataOf(graph(site, { ...article, dateModified: DAY })).modified, DAY);
    assert.equal(metadataOf(`<meta name="DC.date.modified" content="${DAY}">`).modified, DAY);
    assert.equal(metadataOf(`<span itemprop=dateModified>${DAY}</span>`).modified, DAY);
  });
});
