import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jobOf, refused } from './job-of.ts';

const ruleOf = (rule: unknown) => jobOf({ scraper_options: { extract: { a: rule } } }).options.extract?.[0];
const base = '/scraper_options/extract';
const PLAIN = { language: 'css', list: false, regex: null, transform: null };

describe('extract', () => {
  const SHORT_FORMS: readonly (readonly [text: string, selector: string, attribute: string | null])[] = [
    ['h1', 'h1', null],
    [' a.b > c ', 'a.b > c', null],
    ['a@href', 'a', 'href'],
    ['a[title="x@y"]', 'a[title="x@y"]', null],
    ['a[title="x@y"]@data-id', 'a[title="x@y"]', 'data-id'],
    ['.a\\@b', '.a\\@b', null],
    [':not([a="]@b"])@xml:lang', ':not([a="]@b"])', 'xml:lang'],
  ];
  for (const [text, selector, attribute] of SHORT_FORMS)
    test(`short form ${text}`, () => {
      const output = attribute === null ? { kind: 'text' } : { kind: 'attribute', name: attribute };
      assert.deepEqual(ruleOf(text), { ...PLAIN, name: 'a', selector, output, pointer: `${base}/a` });
    });

  const XPATHS: readonly (readonly [text: string, selector: string])[] = [
    ['//a/@href', '//a/@href'],
    [' (//a)[2] ', '(//a)[2]'],
    ['./a', './a'],
    ['../a', '../a'],
    ['xpath=count(//a)', 'count(//a)'],
  ];
  for (const [text, selector] of XPATHS)
    test(`short form ${text}`, () => {
      const expected = { ...PLAIN, name: 'a', selector, language: 'xpath', output: { kind: 'text' } };
      assert.deepEqual(ruleOf(text), { ...expected, pointer: `${base}/a` });
      assert.deepEqual(ruleOf({ selector: text }), { ...expected, pointer: `${base}/a/selector` });
    });

  test('regex, transform, lists of attributes and tables', () => {
    const common = { ...PLAIN, name: 'a', selector: 'p', pointer: `${base}/a/selector` };
    assert.deepEqual(ruleOf({ selector: 'p', regex: '(\\d+)', transform: 'number' }), {
      ...common,
      output: { kind: 'text' },
      regex: '(\\d+)',
      transform: 'number',
    });
    assert.deepEqual(ruleOf({ selector: 'p', output: ['@id', '@data-a'] }), {
      ...common,
      output: { kind: 'attributes', names: ['id', 'data-a'] },
    });
    assert.deepEqual(ruleOf({ selector: 'css=p', output: 'table' }), {
      ...common,
      output: { kind: 'table' },
    });
  });

  test('long form, nested, with null for omitted members', () => {
    assert.deepEqual(
      ruleOf({
        selector: 'li',
        type: 'list',
        output: { own: '@id', html: { selector: 'b', type: null, output: 'html' } },
      }),
      {
        ...PLAIN,
        name: 'a',
        selector: 'li',
        list: true,
        pointer: `${base}/a/selector`,
        output: {
          kind: 'rules',
          rules: [
            {
              ...PLAIN,
              name: 'own',
              selector: null,
              output: { kind: 'attribute', name: 'id' },
              pointer: `${base}/a/output/own`,
            },
            {
              ...PLAIN,
              name: 'html',
              selector: 'b',
              output: { kind: 'html' },
              pointer: `${base}/a/output/html/selector`,
            },
          ],
        },
      },
    );
  });

  test('without effect', () => {
    assert.equal(jobOf({ scraper_options: { extract: {} } }).options.extract, null);
    assert.deepEqual(jobOf({ scraper_options: { formats: ['text', 'html', 'text'] } }).options.formats, [
      'text',
      'html',
    ]);
  });

  test('refused', () => {
    const wrong = (rule: unknown, pointer: string, message?: RegExp) =>
      refused({ scraper_options: { extract: { a: rule } } }, base + pointer, message);
    wrong('', '/a', /empty/);
    wrong('@href', '/a', /selector before the `@`/);
    wrong(null, '/a');
    wrong({ output: 'text' }, '/a/selector');
    wrong({ selector: 'a', output: {} }, '/a/output', /no rules/);
    wrong({ selector: 'a', output: '@' }, '/a/output');
    wrong({ selector: 'a', output: [] }, '/a/output');
    wrong({ selector: 'a', output: ['@a', '@a'] }, '/a/output');
    wrong({ selector: 'a', output: ['text'] }, '/a/output/0');
    wrong({ selector: 'a', transform: 'upper' }, '/a/transform');
    wrong({ selector: 'a', output: 'table', transform: 'number' }, '/a/transform', /one text/);
    wrong({ selector: 'a', output: ['@a'], regex: 'a' }, '/a/regex', /one text/);
    wrong({ selector: 'a', output: { b: 'b' }, regex: 'a' }, '/a/regex', /one text/);
    wrong({ selector: 'a', regex: '(a' }, '/a/regex', /RE2 syntax.*missing closing/);
    wrong({ selector: 'a', regex: '(a)\\1' }, '/a/regex', /RE2 syntax/);
    wrong({ selector: 'a', regex: '(?=a)' }, '/a/regex', /RE2 syntax/);
    wrong({ selector: 'a', regex: 'a'.repeat(501) }, '/a/regex', /500/);
    wrong({ selector: 'a', regex: 'a{1000}'.repeat(9) }, '/a/regex', /repeats too much/);
    wrong(
      { selector: 'ul', output: { b: { selector: 'li', regex: '*' } } },
      '/a/output/b/regex',
      /RE2 syntax/,
    );
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`r${n}`, 'a']));
    refused({ scraper_options: { extract: many } }, `${base}/r100`, /at most 100/);
    let deep: unknown = 'b';
    for (let n = 0; n < 11; n++) deep = { selector: 'a', output: { x: deep } };
    wrong(deep, `/a${'/output/x'.repeat(9)}/output`, /deeper than 10/);
  });
});
