import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MimeKind } from '../../src/content/charset/mime-type.ts';
import { selectorProblem } from '../../src/content/document/css-selector.ts';
import { unmetAcceptConditions } from '../../src/content/formats/accept.ts';
import { readDocument } from '../../src/content/formats/read-document.ts';
import { jsonPathProblem } from '../../src/content/json/json-path.ts';
import { readingTargets } from '../../src/domain/reading.ts';
import { DEFAULT_SCRAPER_OPTIONS } from '../../src/domain/scraper-options.ts';
import type { AcceptCriteria } from '../../src/domain/task.ts';

function accept(members: Partial<AcceptCriteria>): AcceptCriteria {
  return {
    status: [],
    selector: null,
    contains: null,
    notContains: null,
    minBytes: 0,
    jsonPath: null,
    ...members,
  };
}

const NOT_READ = { selectorMet: false, jsonPathMet: false };
const EMPTY_REQUEST = {
  essence: 'x/y',
  charset: null,
  url: 'http://site/',
  scripting: true,
  frames: null,
  finds: null,
  ...readingTargets(DEFAULT_SCRAPER_OPTIONS, '/scraper_options'),
} as const;

function unmet(members: Partial<AcceptCriteria>, kind: MimeKind, text: string | null, statusCode = 200) {
  const bytes = Buffer.from(text ?? 'bytes');
  const { selector = null, jsonPath = null } = members;
  const encoding = text === null ? 'base64' : 'utf-8';
  return unmetAcceptConditions(accept(members), {
    statusCode,
    content: { encoding, bytes },
    byteLength: bytes.length,
    reading:
      kind === 'binary'
        ? NOT_READ
        : readDocument({ ...EMPTY_REQUEST, kind, selector, jsonPath }, bytes, { ms: 2000, clockMs: 2000 }),
  });
}

describe('accept', () => {
  it('without members accepts anything', () => {
    assert.deepEqual(unmet({}, 'binary', null), []);
  });

  it('names each member that is not met as the request does', () => {
    const all = { status: [201], selector: 'b', contains: 'q', notContains: 'x', minBytes: 9, jsonPath: '$' };
    assert.deepEqual(unmet(all, 'text', 'x'), [
      'status',
      'selector',
      'contains',
      'not_contains',
      'min_bytes',
      'json_path',
    ]);
  });

  it('compares text with regard to case, and finds nothing in bytes', () => {
    assert.deepEqual(unmet({ contains: 'Hello' }, 'text', 'say Hello'), []);
    assert.deepEqual(unmet({ contains: 'hello' }, 'text', 'say Hello'), ['contains']);
    assert.deepEqual(unmet({ contains: 'Ynl0ZXM', notContains: 'Ynl0ZXM' }, 'binary', null), ['contains']);
  });

  it('counts decoded bytes, not characters', () => {
    assert.deepEqual(unmet({ minBytes: 4 }, 'text', 'éé'), []);
    assert.deepEqual(unmet({ minBytes: 5 }, 'text', 'éé'), ['min_bytes']);
  });

  const SELECTORS: readonly [MimeKind, string, string, boolean][] = [
    ['html', '<p><a href=x>y</a>', 'p > a[href]', true],
    ['html', '<p>y', 'a', false],
    ['html', '<table><tr><td>x</table>', 'html > body > table > tbody > tr', true],
    ['html', '<p class=foo>', '.FOO', true],
    ['html', '<!doctype html><p class=foo>', '.FOO', false],
    ['html', '<P DATA-A=1>', 'p[data-a="1"]', true],
    ['html', '<svg><linearGradient id=a></svg>', 'svg linearGradient#a', true],
    ['html', '<!-- <a> --><script>"<a>"</script>', 'a', false],
    ['html', '<template><a></a></template>', 'a', false],
    ['html', '<ul><li>1<li class=x>2', 'li:nth-child(2).x', true],
    ['html', '<div><img></div>', 'div:has(> img)', true],
    [
      'xml',
      '<rss><Item a="1"><c:encoded><![CDATA[<x/>]]></c:encoded></Item></rss>',
      'rss > Item[a="1"] > encoded',
      true,
    ],
    ['xml', '<rss><Item/></rss>', 'item', false],
    ['xml', '<a><b/><c/></a>', 'b + c', true],
    ['json', '{"a":"<p>"}', 'p', false],
    ['text', '<p>', 'p', false],
  ];
  for (const [kind, text, selector, met] of SELECTORS) {
    it(`selector ${selector} on ${kind} ${text}`, () => {
      assert.deepEqual(unmet({ selector }, kind, text), met ? [] : ['selector']);
    });
  }

  const PATHS: readonly [MimeKind, string, string, boolean][] = [
    ['json', '{"a":[{"b":2}]}', '$.a[?@.b>1]', true],
    ['json', '{"a":[{"b":2}]}', '$.a[?@.b>2]', false],
    ['json', '{"a":null}', '$.a', true],
    ['json', '{"a":1', '$', false],
    ['json', '', '$', false],
    ['json', '[1,2]', '$[-1]', true],
    ['json', '{"x":{"y":{"id":1}}}', '$..id', true],
    ['text', '{"a":1}', '$.a', true],
    ['html', '{"a":1}', '$.a', true],
    ['html', '<p>{"a":1}', '$.a', false],
    ['json', '\ufeff{"a":1}', '$.a', true],
    ['json', ')]}\',\n{"a":1}', '$.a', true],
    ['json', ")]}'\n[1]", '$[0]', true],
    ['json', 'while(1);{"a":1}', '$.a', true],
    ['json', 'for (;;);{"a":1}', '$.a', true],
    ['json', '{}&&{"a":1}', '$.a', true],
    ['text', 'cb({"a":1});', '$.a', true],
    ['text', '/**/ jQuery1_2.x[0]({"a":")"})\n', '$.a', true],
    ['text', "/**/ typeof cb === 'function' && cb([1]);", '$[0]', true],
    ['text', 'cb({"a":1}); more()', '$.a', false],
    ['text', '{"b":1}\n{"a":1}\r\n\n', '$.a', true],
    ['text', '{"b":1}\n{"a":1', '$.b', false],
    ['text', '\x1e{"a":1}\n\x1e{"b":2}\n', '$.b', true],
  ];
  for (const [kind, text, jsonPath, met] of PATHS) {
    it(`json_path ${jsonPath} on ${kind} ${text}`, () => {
      assert.deepEqual(unmet({ jsonPath }, kind, text), met ? [] : ['json_path']);
    });
  }
});

describe('accept of bytes', () => {
  it('json_path is met by JSON even of a binary type', () => {
    const read = (text: string) =>
      readDocument({ ...EMPTY_REQUEST, kind: 'binary', selector: 'p', jsonPath: '$.a' }, Buffer.from(text), {
        ms: 2000,
        clockMs: 2000,
      });
    assert.deepEqual(
      [read('{"a":1}'), read('<p>\0')].map((one) => [one.jsonPathMet, one.selectorMet]),
      [
        [true, false],
        [false, false],
      ],
    );
  });
});

describe('accept against hostile pages', () => {
  const HOSTILE: readonly [string, MimeKind, Partial<AcceptCriteria>, string][] = [
    [
      'a regular expression that backtracks',
      'json',
      { jsonPath: '$[?match(@,"(a+)+b")]' },
      JSON.stringify(['a'.repeat(60)]),
    ],
    ['JSON nested 50,000 deep', 'json', { jsonPath: '$..a' }, '['.repeat(50_000) + ']'.repeat(50_000)],
    [
      'filters in filters',
      'json',
      { jsonPath: '$[?$[?$[?@.q==1]]]' },
      JSON.stringify(Array(2000).fill({ a: 1 })),
    ],
    ['one call after another', 'text', { jsonPath: '$' }, 'a('.repeat(200_000)],
    ['names without a call', 'text', { jsonPath: '$' }, 'a'.repeat(400_000)],
    ['HTML nested 60,000 deep', 'html', { selector: 'x div div a' }, `${'<div>'.repeat(60_000)}<a>`],
    [
      'descendants of descendants',
      'html',
      { selector: 'x div div div div div div a' },
      `${'<div>'.repeat(400)}<a>`,
    ],
    ['siblings of siblings', 'html', { selector: 'x ~ a ~ a ~ a ~ a' }, '<a></a>'.repeat(5000)],
    ['siblings in XML', 'xml', { selector: 'x ~ a ~ a ~ a' }, `<r>${'<a/>'.repeat(20_000)}</r>`],
    [
      'formatting that is never closed',
      'html',
      { selector: 'x' },
      Array.from({ length: 5000 }, (_, n) => `<p><b a=${n}>`).join(''),
    ],
  ];
  for (const [name, kind, members, text] of HOSTILE) {
    it(`${name}: not met, and soon`, () => {
      const started = performance.now();
      assert.equal(unmet(members, kind, text).length, 1);
      assert.ok(performance.now() - started < 20_000);
    });
  }
});

describe('selectorProblem', () => {
  for (const good of [
    'a',
    'p > a[href="x=y"]',
    'a, b',
    '.a\\@b',
    ':not(a)',
    'div:has(> img)',
    '*',
    'a:nth-child(2n + 1)',
    'input[name=a i]',
    '#a.b-c._d.é.\\31',
  ]) {
    it(`accepts ${good}`, () => assert.equal(selectorProblem(good), null));
  }
  const bad = [
    '',
    '  ',
    'a >',
    'a,',
    '> a',
    'text=foo',
    '@x',
    'a{}',
    'a::before',
    'a:foo',
    '[x',
    'a||b',
    'p..x',
    '..x',
    'p.',
    '#.x',
    'a'.repeat(2001),
  ];
  for (const css of [...bad, `${':not('.repeat(11)}a${')'.repeat(11)}`]) {
    it(`refuses ${css.slice(0, 30)}`, () => assert.equal(typeof selectorProblem(css), 'string'));
  }
});

describe('jsonPathProblem', () => {
  for (const good of [
    '$',
    '$.a',
    '$..a[0]',
    '$[?@.a && length(@.b)>2]',
    '$[?count(@.*)==1]',
    '$[?match(@.a, "x.*")]',
  ]) {
    it(`accepts ${good}`, () => assert.equal(jsonPathProblem(good), null));
  }
  const bad = [
    '',
    'a',
    '$.',
    '$[01]',
    '$[?foo(@)]',
    '$[?length(@.*)<3]',
    '$[?count(1)>1]',
    '$[?match(@.a,"x")==true]',
    '$[?length(@.a)]',
    '$[9007199254740992]',
    '$[?$[?$[?$[?@.a]]]]',
  ];
  for (const path of [...bad, `$${'.a'.repeat(1000)}`, `$[?${'('.repeat(990)}`]) {
    it(`refuses ${path.slice(0, 30)}`, () => assert.equal(typeof jsonPathProblem(path), 'string'));
  }
});
