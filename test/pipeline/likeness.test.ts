import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ContentPrint,
  contentPrint,
  likeness,
  type TriedWay,
  usableWays,
} from '../../src/pipeline/likeness.ts';

const bytes = (text: string) => Buffer.from(text);
const ofText = (text: string) => contentPrint(text, bytes(text));
const likenessOf = async (a: string, b: string) => likeness(await ofText(a), await ofText(b));
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `word${from + n}`).join(' ');

describe('likeness', () => {
  test('is the share of the runs of three words that both contents have', async () => {
    assert.equal(await likenessOf('a b c d', 'a b c d'), 1);
    // abc bcd, and bcd cde
    assert.equal(await likenessOf('a b c d', 'b c d e'), 1 / 3);
    assert.equal(await likenessOf('a b c d', 'd c b a'), 0);
    assert.equal(await likenessOf('a b', 'a b'), 1);
    assert.equal(await likenessOf('a b', 'a c'), 0);
  });

  test('does not depend on case, white space and punctuation, nor on the order of the contents', async () => {
    assert.equal(await likenessOf('One, two — THREE!\nFour', 'one two three four'), 1);
    const [long, short] = [numbered(0, 1_000), numbered(100, 900)];
    assert.equal(await likenessOf(long, short), await likenessOf(short, long));
  });

  test('scripts without blanks between words are compared by their characters', async () => {
    assert.equal(await likenessOf('東京都は日本の首都', '東京都は日本の首都'), 1);
    const partly = await likenessOf('東京都は日本の首都', '東京都は日本の古都');
    assert.ok(partly > 0.3 && partly < 1, String(partly));
    assert.equal(await likenessOf('naïve नमस्ते দুনিয়া', 'NAÏVE नमस्ते দুনিয়া'), 1);
  });

  test('of long texts, the first 10,000 words are compared', async () => {
    assert.equal(await likenessOf(numbered(0, 10_000), `${numbered(0, 10_000)} and more`), 1);
    assert.ok((await likenessOf(numbered(0, 9_000), numbered(0, 10_000))) < 0.91);
  });

  test('contents without words are the same only if all bytes are', async () => {
    const print = (text: string | null, of: string) => contentPrint(text, bytes(of));
    assert.equal(likeness(await print(null, '\x00a'), await print(null, '\x00a')), 1);
    assert.equal(likeness(await print(null, '\x00a'), await print(null, '\x00b')), 0);
    assert.equal(likeness(await print('', '<i>'), await print('…', '<b>')), 0);
    assert.equal(likeness(await print(null, 'a b c'), await ofText('a b c')), 0);
    const large = 'x'.repeat(3 * 2 ** 20);
    assert.equal(likeness(await print(null, large), await print(null, `${large.slice(1)}y`)), 0);
  });
});

describe('ways that one could use', () => {
  const PAGE = numbered(0, 200);
  interface NamedWay extends TriedWay {
    readonly name: string;
  }
  const way = (name: string, print: ContentPrint | null, more: Partial<TriedWay> = {}): NamedWay => ({
    name,
    print,
    isGood: true,
    cost: null,
    durationMs: 100,
    ...more,
  });
  const namesOf = (ways: readonly NamedWay[]) => usableWays(ways).map(({ name }) => name);

  test('the cheapest first, then the fastest; a cost that is not known comes last', async () => {
    const page = await ofText(PAGE);
    assert.deepEqual(
      namesOf([
        way('unknown', page, { durationMs: 1 }),
        way('slow', page, { cost: 10, durationMs: 900 }),
        way('dear', page, { cost: 500, durationMs: 1 }),
        way('fast', page, { cost: 10, durationMs: 90 }),
      ]),
      ['fast', 'slow', 'dear', 'unknown'],
    );
  });

  test('only those with the content of the page, even if most have another one', async () => {
    const page = await ofText(PAGE);
    const nearly = await ofText(`${numbered(0, 195)} an advertisement`);
    const shell = await ofText('Please wait while the shop is loading');
    assert.deepEqual(
      namesOf([
        way('shell', shell, { cost: 1 }),
        way('page', page, { cost: 9 }),
        way('another shell', shell, { cost: 2 }),
        way('nearly', nearly, { cost: 8 }),
        way('unread', null, { cost: 0 }),
      ]),
      ['nearly', 'page'],
    );
  });

  test('only good ones; none may be left', async () => {
    const wall = await ofText(numbered(500, 1_500));
    const page = await ofText(PAGE);
    assert.deepEqual(namesOf([way('wall', wall, { isGood: false }), way('page', page)]), ['page']);
    assert.deepEqual(namesOf([way('wall', wall, { isGood: false })]), []);
  });

  test('without any content, all good ones', () => {
    assert.deepEqual(namesOf([way('a', null, { cost: 2 }), way('b', null, { cost: 1 })]), ['b', 'a']);
  });
});
