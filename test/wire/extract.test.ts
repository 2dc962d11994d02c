import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jobOf, refused } from './job-of.ts';

const ruleOf = (rule: unknown) => jobOf({ scraper_options: { extract: { a: rule } } }).options.extract?.[0];
const base = '/scraper_options/extract';

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
      assert.deepEqual(ruleOf(text), { name: 'a', selector, list: false, output, pointer: `${base}/a` });
    });

  test('long form, nested, with null for omitted members', () => {
    assert.deepEqual(
      ruleOf({
        selector: 'li',
        type: 'list',
        output: { own: '@id', html: { selector: 'b', type: null, output: 'html' } },
      }),
      {
        name: 'a',
        selector: 'li',
        list: true,
        pointer: `${base}/a/selector`,
        output: {
          kind: 'rules',
          rules: [
            {
              name: 'own',
              selector: null,
              list: false,
              output: { kind: 'attribute', name: 'id' },
              pointer: `${base}/a/output/own`,
            },
            {
              name: 'html',
              selector: 'b',
              list: false,
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
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`r${n}`, 'a']));
    refused({ scraper_options: { extract: many } }, `${base}/r100`, /at most 100/);
    let deep: unknown = 'b';
    for (let n = 0; n < 11; n++) deep = { selector: 'a', output: { x: deep } };
    wrong(deep, `/a${'/output/x'.repeat(9)}/output`, /deeper than 10/);
  });
});
