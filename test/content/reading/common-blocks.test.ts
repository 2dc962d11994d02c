import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from '../../../src/content/document/parse-page.ts';
import { toParsedPage } from '../../../src/content/document/parsed-page.ts';
import { selectionText } from '../../../src/content/document/visible-text.ts';
import { findMainContent } from '../../../src/content/reading/main/main-content.ts';
import { reading } from '../reading.ts';

const SENTENCE = 'This sentence is long enough to be prose, and it says something about the thing at hand.';
const paragraphs = (about: string, count: number) =>
  Array.from({ length: count }, (_, n) => `<p>${about} ${n}. ${SENTENCE}</p>`).join('');
const PROMO = `<div class="box"><h3>Join us</h3><p>Our offers come every Friday, and you can read them all for nothing at all.</p><a href="/join">Join now</a></div>`;
const page = (inside: string) => `<main><h1>Title</h1>${inside}</main>`;

/** @param common pages whose blocks are common */
function read(html: string, ...common: readonly string[]) {
  const parse = (source: string) => toParsedPage(parseHtml(source, false), 'http://site.test/p', null);
  const options = { include: [], exclude: [] };
  const blocks = common.flatMap(
    (source) => findMainContent(parse(source), { ...options, commonBlocks: [] }).site!.blocks,
  );
  const main = findMainContent(parse(html), { ...options, commonBlocks: blocks });
  return { ...main, leftOut: main.site!.leftOut, text: selectionText(main, false, 100_000).text };
}

test('a common block is left out of the text, with all that is inside', () => {
  const html = page(paragraphs('First', 3) + PROMO + paragraphs('Second', 3));
  const { text, leftOut, shareOfText } = read(html, PROMO);
  ok(text.includes('First 2.') && text.includes('Second 2.'), text);
  ok(!/Join|Friday/.test(text), text);
  deepEqual(leftOut, { blocks: 1, characters: 'Join us'.length + 75 + 'Join now'.length });
  ok(shareOfText < 1);
});

test('white space and class names do not matter', () => {
  const other = PROMO.replace('Our offers', ' Our\n  offers').replace('class="box"', 'class="box active"');
  ok(!read(page(paragraphs('Text', 6) + other), PROMO).text.includes('Friday'));
});

test('short texts, cells of tables, terms and code stay where they are', () => {
  const long = 'Washable at thirty degrees, not in a dryer, please';
  const repeated = `<h2>Description</h2><table><tr><td>${long}</td><td>%</td></tr></table><dl><dt>Care</dt><dd>${long}</dd><dt>Weight</dt><dd>%</dd></dl><pre>${long}</pre>`;
  const { text } = read(page(paragraphs('Own', 3) + repeated.replaceAll('%', '7')), page(repeated));
  equal(text.split(long).length, 4, text);
  ok(text.includes('Description'));
});

test('a page that consists of common blocks stays as it is', () => {
  const html = page(paragraphs('Same', 5) + PROMO);
  const { text, leftOut } = read(html, html);
  ok(text.includes('Same 4.') && text.includes('Friday'), text);
  deepEqual(leftOut, { blocks: 0, characters: 0 });
  // A clock is not what such a page is about.
  ok(read(html.replace('Title', '12:01'), html).text.includes('Same 4.'));
});

test('a list with few sentences loses the only one that is common', () => {
  const list = Array.from({ length: 20 }, (_, n) => `<li><a href="/${n}">Thing number ${n}</a> €${n}</li>`);
  const { text, leftOut } = read(page(`${PROMO}<ul>${list.join('')}</ul>`), PROMO);
  ok(text.includes('Thing number 19') && !text.includes('Friday'), text);
  equal(leftOut.blocks, 1);
});

test('`main.boilerplate` and the blocks are there only if asked for', () => {
  const html = page(paragraphs('Text', 3));
  const mainContent = { include: [], exclude: [], commonBlocks: [], linksFrom: 'content' as const };
  const asked = reading(html, { mainContent, wantsMain: true, finds: 'page' });
  deepEqual((asked.data.main as { boilerplate: unknown }).boilerplate, { blocks: 0, characters: 0 });
  // The three paragraphs, and `main`.
  equal(asked.found!.blocks!.length, 4);
  const plain = reading(html, { wantsMain: true, finds: 'page' });
  ok(!('boilerplate' in (plain.data.main as object)));
  equal(plain.found!.blocks, null);
});

test('the blocks of a page are bounded, and each is there once', () => {
  const many = reading(page(paragraphs('Text', 2_000)), {
    mainContent: { include: [], exclude: [], commonBlocks: [], linksFrom: 'content' },
    wantsMain: true,
    finds: 'page',
  }).found!.blocks!;
  equal(many.length, 500);
  equal(new Set(many).size, 500);
  ok(many.every((block) => Number.isSafeInteger(block) && block >= 0));
});
