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
});
