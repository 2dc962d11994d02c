import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trimOws } from '../../src/base/http-syntax.ts';
import fc from '../helpers/fast-check.ts';

test('spaces and tabs go, line breaks and other blanks stay', () => {
  for (const [text, bare] of [
    ['', ''],
    [' \t ', ''],
    ['a', 'a'],
    [' \ta b\t ', 'a b'],
    ['\r\n a \n', '\r\n a \n'],
    ['\u00a0a\u2003', '\u00a0a\u2003'],
  ] as const) {
    assert.equal(trimOws(text), bare, JSON.stringify(text));
  }
  const signs = fc.string({ unit: fc.constantFrom(' ', '\t', 'x', '\n') });
  fc.assert(
    fc.property(signs, (text) => trimOws(text) === text.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '')),
  );
});

test('a long run of blanks in the middle costs nothing', () => {
  const text = `a${' '.repeat(4 << 20)}b`;
  const begun = performance.now();
  assert.equal(trimOws(` ${text} `), text);
  // With a regular expression this would be hours.
  assert.ok(performance.now() - begun < 10_000);
});
