import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createPageReader } from '../../src/adapters/reader/page-reader.ts';
import type { JsonOptions } from '../../src/domain/json-extraction.ts';
import type { ExtractRule } from '../../src/domain/page-action.ts';
import { type ReadingRequest, readingTargets } from '../../src/domain/reading.ts';
import { DEFAULT_SCRAPER_OPTIONS, FORMATS } from '../../src/domain/scraper-options.ts';

const MIB = 2 ** 20;
const NEVER_ABORTED = new AbortController().signal;
const REQUEST: ReadingRequest = {
  ...readingTargets(DEFAULT_SCRAPER_OPTIONS, '/scraper_options'),
  kind: 'html',
  essence: 'text/html',
  charset: 'utf-8',
  url: 'http://site.test/',
  formats: ['text'],
  selector: null,
  scripting: true,
  frames: null,
  jsonPath: null,
  finds: null,
};
const JSON_OPTIONS: JsonOptions = {
  schema: {
    type: 'object',
    properties: {
      text: { type: 'string' },
      items: { type: 'array', items: { type: 'object', properties: { title: { type: 'string' } } } },
    },
  },
  prompt: null,
  from: 'markdown',
  model: 'auto',
  evidence: false,
};
const rule = (name: string, selector: string): ExtractRule => ({
  name,
  selector,
  language: 'css',
  list: true,
  output: { kind: 'text' },
  regex: null,
  transform: null,
  pointer: `/${name}`,
});

describe('the page reader', () => {
  const errors: unknown[] = [];
  const reader = createPageReader({ memoryBytes: 256 * MIB, onError: (error) => errors.push(error) });
  after(() => reader.close());
  const read = (text: string, request: Partial<ReadingRequest> = {}, ms = 30_000, signal = NEVER_ABORTED) =>
    reader.read(Buffer.from(text), { ...REQUEST, ...request }, { ms, signal });
  const readsPage = async () => assert.deepEqual((await read('<p>a'))?.data, [['text', '"a"']]);

  it('reads a page', readsPage);

  const HOSTILE: readonly [string, () => string, Partial<ReadingRequest>][] = [
    ['100,000 nested elements', () => '<div>'.repeat(100_000), { extract: [rule('a', 'div div p')] }],
    ['nested XML elements', () => '<a>'.repeat(100_000), { kind: 'xml', extract: [rule('a', 'a a b')] }],
    [
      'selectors in selectors',
      () => '<div>'.repeat(3000),
      { extract: [rule('a', ':has(p) :has(p) :has(p) :has(p)')] },
    ],
    [
      'siblings of siblings',
      () => '<a></a>'.repeat(5000),
      { selector: 'x ~ a ~ a ~ a ~ a', extract: [rule('a', 'x ~ a ~ a ~ a')] },
    ],
    [
      'formatting that is never closed',
      () => Array.from({ length: 5000 }, (_, n) => `<p><b a=${n}>`).join(''),
      {},
    ],
    ['50,000 attributes', () => `<p ${Array.from({ length: 50_000 }, (_, n) => `a${n}=1`).join(' ')}>x`, {}],
    ['more elements than memory', () => '<b></b>'.repeat((20 * MIB) / 7), {}],
    [
      'JSON nested 100,000 deep',
      () => '['.repeat(100_000) + ']'.repeat(100_000),
      { kind: 'json', jsonPath: '$..a' },
    ],
  ];
  for (const [name, make] of [
    ['nested elements', () => `${'<div>'.repeat(20_000)}text`],
    ['2 MB of paragraphs', () => '<p>word <b>bold</b>'.repeat((2 * MIB) / 19)],
    ['open rows', () => `<table>${'<tr><td>x'.repeat(20_000)}`],
    ['tables in cells', () => '<table><tr><td>x'.repeat(3000)],
    ['list items in lists', () => '<ul><li>a'.repeat(5000)],
  ] as const)
    it(`${name}: every format has a value, or the reason why not`, async () => {
      const formats = FORMATS.filter((format) => format !== 'feed');
      const request = readingTargets(
        { ...DEFAULT_SCRAPER_OPTIONS, formats, json: JSON_OPTIONS, onlyMainContent: true },
        '/scraper_options',
      );
      const result = await read(make(), request, 30_000);
      const failed = new Set(result!.failures.map(({ pointer }) => pointer));
      for (const [n, format] of formats.entries()) {
        const json = result!.data.find(([member]) => member === format)![1];
        const isEmpty = json === 'null' || json === '""';
        const why = `${format}: ${json.slice(0, 80)} ${JSON.stringify(result!.failures)}`;
        const isTold = ['/formats', `/formats/${n}`, `/${format}`].some((end) =>
          failed.has(`/scraper_options${end}`),
        );
        assert.ok(!isEmpty || isTold, why);
      }
      await readsPage();
    });

  for (const [name, make, request] of HOSTILE)
    it(`${name}: reading ends in time, and the next page is read`, async () => {
      const text = make();
      const began = performance.now();
      const result = await read(text, request, 10_000);
      // Some would take hours.
      assert.ok(performance.now() - began < 30_000);
      assert.ok(result !== null && !result.selectorMet && !result.jsonPathMet);
      const names = request.extract === undefined ? ['text'] : ['text', 'extract'];
      assert.deepEqual(
        result.data.map(([member]) => member),
        names,
      );
      for (const [, json] of result.data) JSON.parse(json);
      await readsPage();
    });

  it('fails only the rule that takes too long', async () => {
    const extract = [rule('before', 'u'), rule('bad', 'x ~ a ~ a ~ a ~ a')];
    const result = await read(`<u>1</u>${'<a></a>'.repeat(8000)}`, { extract });
    assert.deepEqual(result?.data, [
      ['text', '"1"'],
      ['extract', '{"before":["1"],"bad":null}'],
    ]);
    assert.deepEqual(
      result?.failures.map(({ code, pointer }) => [code, pointer]),
      [['extract.failed', '/bad']],
    );
  });

  it('counts the wait for a thread towards the time limit of a page', async () => {
    const slow = [rule('a', 'x ~ a ~ a ~ a ~ a')];
    // More than there are threads, which are at most four.
    const abort = new AbortController();
    const slowReads = Array.from({ length: 6 }, () =>
      read('<a></a>'.repeat(8000), { extract: slow }, 30_000, abort.signal),
    );
    const timedOut = await read('<p>a', {}, 200);
    assert.equal(timedOut?.failures[0]?.code, 'extract.failed');
    abort.abort();
    await Promise.all(slowReads);
  });

  it('returns null when the signal aborts', async () => {
    const abort = new AbortController();
    const reading = read(
      '<a></a>'.repeat(8000),
      { extract: [rule('a', 'x ~ a ~ a ~ a')] },
      5000,
      abort.signal,
    );
    abort.abort();
    assert.equal(await reading, null);
    await readsPage();
  });

  it('does not change the bytes, and accepts invalid UTF-8', async () => {
    const bytes = Buffer.from([0x3c, 0x70, 0x3e, 0xff, 0x61]);
    const result = await reader.read(bytes, REQUEST, { ms: 5000, signal: NEVER_ABORTED });
    assert.deepEqual(result?.data, [['text', '"\ufffda"']]);
    assert.equal(bytes.length, 5);
  });

  it('has reported no errors in the tests above', () => assert.deepEqual(errors, []));
});
