import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isFailure } from '../../src/domain/failure.ts';
import { compileNameMatch, compileUrlMatch } from '../../src/domain/url-match.ts';

const CASES: readonly (readonly [string, string, boolean])[] = [
  ['/blog/**', 'http://a.test/blog/x/y?z=1', true],
  ['/blog/**', 'http://a.test/my/blog/x', false],
  ['/blog/*', 'http://a.test/blog/x?z=1', true],
  ['/blog/*', 'http://a.test/blog/x/y', false],
  ['*.pdf', 'http://a.test/x/y.pdf', true],
  ['*.pdf', 'http://a.test/x/y.pdf?z', false],
  ['http://a.test/**', 'http://a.test/x', true],
  ['https://a.test/**', 'http://a.test/x', false],
  ['/\\?page=[0-9]+$/', 'http://a.test/list?page=7', true],
  ['/^/item/', 'http://a.test/item/1', true],
  ['/^https?:..a[.]test/x$/', 'http://a.test/x', true],
  ['/a[.]test/', 'http://a.test/x', false],
];

describe('patterns for URLs', () => {
  for (const [pattern, url, expected] of CASES)
    test(`${pattern} ${expected ? 'matches' : 'does not match'} ${url}`, () => {
      const match = compileUrlMatch(pattern, '/include/0');
      assert.ok(!isFailure(match));
      assert.equal(match(new URL(url)), expected);
    });

  for (const pattern of ['/{a', '/(a/', '/a(?=b)/', `/${'x'.repeat(501)}/`, 'x'.repeat(501)])
    test(`${pattern.slice(0, 20)} is refused`, () => {
      const refused = compileUrlMatch(pattern, '/include/0');
      assert.ok(isFailure(refused));
      assert.equal(refused.pointer, '/include/0');
    });

  test('names of parameters', () => {
    const match = compileNameMatch(['sort', 'ref_*', '/^s[0-9]$/'], '/ignore_query');
    assert.ok(!isFailure(match));
    assert.deepEqual(
      ['sort', 'sorted', 'ref_x', 's1', 's12', 'a.b'].map((name) => match(name)),
      [true, false, true, true, false, false],
    );
  });
});
