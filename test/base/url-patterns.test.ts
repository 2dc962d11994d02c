import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { urlGlob, urlGlobProblem } from '../../src/base/url-patterns.ts';
import fc from '../helpers/fast-check.ts';

/** As Playwright's own tests have them, and what they leave open. */
const CASES: readonly (readonly [glob: string, matching: readonly string[], other: readonly string[]])[] = [
  ['**/*.js', ['https://a.test/foo.js', 'https://a.test/x/y.js'], ['https://a.test/foo.jsx', 'foo.css']],
  ['https://**/*.js', ['https://a.test/foo.js', 'https://a.test/b/foo.js'], ['http://a.test/foo.js']],
  ['http://a.test/simple/path.js', ['http://a.test/simple/path.js'], ['http://a.test/simple/path.js?q']],
  [
    '**/{a,b}.js',
    ['https://x.test/a.js', 'https://x.test/b.js'],
    ['https://x.test/c.js', 'https://x.test/ab.js'],
  ],
  ['**/*.{png,jpg,jpeg}', ['https://x.test/c.jpg', 'https://x.test/c.jpeg'], ['https://x.test/c.css']],
  ['http://a.test/*', ['http://a.test/', 'http://a.test/x?y'], ['http://a.test/x/y', 'http://a.test']],
  ['http://a.test/**', ['http://a.test/', 'http://a.test/x/y'], ['http://b.test/']],
  ['http://a.test/**/end', ['http://a.test/end', 'http://a.test/x/y/end'], ['http://a.test/x/friend']],
  ['http://a.test', ['http://a.test/'], ['http://a.test/x']],
  ['http://*.test', ['http://a.test/'], ['http://a.test/x']],
  ['**/api/v?/x', ['http://a.test/api/v?/x'], ['http://a.test/api/v1/x']],
  ['http://a.test/\\*', ['http://a.test/*'], ['http://a.test/x']],
  ['http://a.test/[0-9].$^(a|b)+', ['http://a.test/[0-9].$^(a|b)+'], ['http://a.test/5.a']],
  ['**,x', ['http://a.test/,x'], ['http://a.test/x']],
  ['{**/a,**/b/*}', ['http://x.test/a', 'http://x.test/b/c'], ['http://x.test/b/c/d']],
  ['**', ['http://a.test/', `http://a.test/${'x'.repeat(20_000)}`, ''], []],
  ['http://a.test/{}', ['http://a.test/'], ['http://a.test/x']],
];

describe('globs of URLs', () => {
  for (const [glob, matching, other] of CASES)
    test(glob, () => {
      assert.equal(urlGlobProblem(glob), null);
      const { matches } = urlGlob(glob);
      for (const url of matching) assert.ok(matches(url), `${url.slice(0, 60)} should match`);
      for (const url of other) assert.ok(!matches(url), `${url} should not match`);
    });

  test('what is none is named', () => {
    for (const glob of ['{a,{b}}', '{a', 'a}', '**/}{']) {
      assert.match(urlGlobProblem(glob) ?? '', /braces?|`[{}]`/);
      assert.throws(() => urlGlob(glob));
    }
  });

  test('an escaped text matches itself alone, and two stars match all', () => {
    const text = fc.string({ unit: fc.constantFrom(...'a/*{},\\?.:é'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(text, text, text, (one, two, rest) => {
        const escaped = one.replaceAll(/[*{}\\]/g, '\\$&');
        assert.ok(urlGlob(escaped).matches(one));
        assert.equal(urlGlob(escaped).matches(two), one === two);
        assert.ok(urlGlob(`${escaped}**`).matches(one + rest));
        assert.ok(urlGlob(`{${escaped.replaceAll(',', '\\,')},zzz}`).matches(one));
      }),
      { numRuns: 500 },
    );
  });

  test('a pattern that would keep a regular expression busy for ever is judged', () => {
    const glob = `http://a.test/${'**a'.repeat(600)}b`;
    assert.equal(urlGlob(glob).matches(`http://a.test/${'a'.repeat(8_000)}`), false);
  });
});
