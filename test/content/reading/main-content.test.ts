import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { compileSelector } from '../../../src/content/document/css-selector.ts';
import { parseHtml } from '../../../src/content/document/parse-page.ts';
import { toParsedPage } from '../../../src/content/document/parsed-page.ts';
import { selectionText } from '../../../src/content/document/visible-text.ts';
import { findMainContent, type MainContentOptions } from '../../../src/content/reading/main-content.ts';

const SENTENCE = 'This sentence is long enough to be prose, and it says something about the thing at hand. ';
const paragraphs = (count: number, about = '') =>
  Array.from({ length: count }, (_, n) => `<p>${about} ${n}. ${SENTENCE}</p>`).join('');

function read(html: string, options: Partial<MainContentOptions> = {}, url = 'http://site.test/page') {
  const page = toParsedPage(parseHtml(html, false), url, null);
  const main = findMainContent(page, { include: [], exclude: [], ...options });
  return { ...main, page, text: selectionText(main, page.plainXml, 1_000_000).text };
}

const FRAME = `<header>Head of site</header><nav><a href="/">Home link</a></nav>`;
const FOOT = `<footer>Foot of site</footer>`;
const article = (inside: string) => `${FRAME}<div id="page"><div class="text">${inside}</div></div>${FOOT}`;

test('the frame of a page is left out, its article is found', () => {
  const { text, kind, method, selector, shareOfText } = read(
    article(`<h1>Title</h1>${paragraphs(8, 'Story')}`),
  );
  ok(text.includes('Title') && text.includes('Story 7.'));
  ok(!/Head of site|Home link|Foot of site/.test(text), text);
  equal(kind, 'article');
  equal(method, 'prose');
  equal(selector, 'div.text');
  ok(shareOfText > 0.8 && shareOfText < 1, String(shareOfText));
});

test('names are compared by whole words', () => {
  const { text } = read(
    article(`${paragraphs(8)}<div class="elementorwidgets subscribers">kept words</div>`),
  );
  ok(text.includes('kept words'));
});

test('what holds most of the prose is kept whatever its name', () => {
  for (const name of ['sidebar', 'comments', 'has-sidebar', 'share', 'related', 'modal']) {
    const { text } = read(`${FRAME}<div class="${name}">${paragraphs(8, 'Story')}</div>${FOOT}`);
    ok(text.includes('Story 7.'), name);
  }
});

test('the content is kept if all of it has the name of a frame', () => {
  for (const html of [
    '<nav><a href="/">only a link</a></nav>',
    '<div class="cookie-banner">only a banner</div>',
    '<body><button>only a button</button>',
    '<main></main><footer>only a footer</footer>',
    'bare text',
  ])
    ok(read(html).text.includes(/only a \w+|bare text/.exec(html)![0]), html);
});

test('an empty page has an empty selection', () => {
  const { text, shareOfText } = read('');
  deepEqual([text, shareOfText], ['', 0]);
});

test('consent layers are known by what they say', () => {
  const layer = `<div class="x1"><p>Wir nutzen Cookies, und Cookies von Dritten, damit diese Seite Ihnen gefällt.</p><button>Alle</button></div>`;
  const { text } = read(`${article(paragraphs(3, 'Story'))}${layer}`);
  ok(text.includes('Story 2.') && !text.includes('Dritten'), text);
});

test('posts of a discussion are content, the cards of their authors are not', () => {
  const post = (n: number) =>
    `<div class="post"><div class="card"><b>user${n}</b> Joined 2010</div><div class="body"><p>Post ${n}: ${SENTENCE}</p></div></div>`;
  const { text, kind } = read(
    `${FRAME}<h1>Question</h1><div id="posts">${[1, 2, 3, 4].map(post).join('')}</div>${FOOT}`,
    {},
    'http://forum.test/thread/5',
  );
  equal(kind, 'discussion');
  for (const n of [1, 2, 3, 4]) ok(text.includes(`Post ${n}:`), text);
  ok(text.includes('Question') && !text.includes('Joined'), text);
});

test('items of a list are content', () => {
  const item = (n: number) => `<li class="item"><a href="/${n}">Thing ${n}</a> <b>${n}.99</b></li>`;
  const items = Array.from({ length: 12 }, (_, n) => item(n)).join('');
  const { text, kind } = read(`${FRAME}<div class="grid"><ul>${items}</ul></div>${FOOT}`);
  equal(kind, 'listing');
  ok(text.includes('Thing 11') && text.includes('11.99'));
});

test('a product keeps its description and specification', () => {
  const { text, kind } = read(
    `<script type="application/ld+json">{"@type": "Product"}</script>${FRAME}<main><h1>Lamp</h1><p>${SENTENCE}</p>
    <table><tr><th>Watt</th><td>40</td></tr></table><div class="reviews">${paragraphs(1, 'Review')}</div></main>`,
  );
  equal(kind, 'product');
  ok(/Lamp.*prose.*Watt\s+40/s.test(text) && !text.includes('Review'), text);
});

test('the selectors of the caller decide', () => {
  const html = article(`${paragraphs(6, 'Story')}<div class="box">boxed</div><p id="last">last words</p>`);
  equal(read(html, { include: ['.box', '#last'] }).text, 'boxed\n\nlast words');
  equal(read(html, { include: ['.box'] }).method, 'include');
  equal(read(html, { include: ['#page, .box'], exclude: ['p', '.text > h1'] }).text, 'boxed');
  ok(!read(html, { exclude: ['#last'] }).text.includes('last words'));
  equal(read(html, { include: ['nav'] }).text, 'Home link');
  ok(read(html, { include: ['.nothing'] }).text.includes('Story 5.'));
});

test('what a page without scripts shows in noscript is its content', () => {
  const { text, method } = read(
    `<div>Loading</div><noscript><div>${paragraphs(6, 'Story')}</div></noscript>`,
  );
  ok(text.includes('Story 5.'));
  equal(method, 'noscript');
});

test('what is hidden until a script runs is the content if there is nothing else', () => {
  const { text, method } = read(`<div style="visibility: hidden"><div>${paragraphs(6, 'Story')}</div></div>`);
  ok(text.includes('Story 5.'));
  equal(method, 'hidden');
});

test('the selector finds the root again, and nothing else', () => {
  for (const html of [
    `<div><div><div>${paragraphs(6)}</div><div>b</div></div></div>`,
    `<div id="7">${paragraphs(6)}</div>`,
    `<article class="a:b x">${paragraphs(6)}</article>`,
    `<section><p>a</p></section><section>${paragraphs(6)}</section>`,
    'text',
    '',
  ]) {
    const { page, selector, roots } = read(html);
    deepEqual(compileSelector(page.tree, selector).all(page.tree.root), [roots[0]], selector);
  }
});

test('hostile pages are read', () => {
  const nested = (open: string, times: number) => `${open.repeat(times)}text of the page`;
  for (const html of [
    nested('<div>', 20_000),
    nested('<span class="a">', 20_000),
    nested('<ul><li>', 2_000),
    nested('<table><tr>', 5_000),
    nested('<p>', 100_000),
    nested('<div style="display:none">', 3_000),
    nested('<noscript>', 3_000),
    nested('<nav>', 3_000),
    nested('<form>', 3_000),
    nested('<div class="comments">', 3_000),
    '<div class="item"><a href="/">x</a></div>'.repeat(20_000),
    `<div class="${'c '.repeat(100_000)}">text of the page</div>`,
  ]) {
    const { text, shareOfText } = read(html);
    ok(text.length > 0 || shareOfText === 0, html.slice(0, 60));
  }
});
