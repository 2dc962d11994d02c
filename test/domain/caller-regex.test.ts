import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type CallerRegex, compileRegex } from '../../src/domain/caller-regex.ts';
import { isFailure } from '../../src/domain/failure.ts';
import fc from '../helpers/fast-check.ts';

function compiled(source: string): CallerRegex {
  const regex = compileRegex(source, '/regex');
  assert.ok(!isFailure(regex), JSON.stringify(regex));
  return regex;
}

function refusal(source: string): string {
  const regex = compileRegex(source, '/include/0');
  assert.ok(isFailure(regex), source);
  assert.equal(regex.code, 'request.validation');
  assert.equal(regex.pointer, '/include/0');
  return regex.message;
}

describe('regular expressions of callers', () => {
  test('find all matches, and the first group that took part', () => {
    const found = (source: string, text: string) => [...compiled(source).matches(text)];
    assert.deepEqual(found('b+', 'abbab'), [
      { text: 'bb', group: null },
      { text: 'b', group: null },
    ]);
    assert.deepEqual(found('(?i)(?:EUR (\\d+)|(\\d+) eur)', 'eur 5, 7 Eur'), [
      { text: 'eur 5', group: '5' },
      { text: '7 Eur', group: '7' },
    ]);
    assert.deepEqual(found('x*', 'axxb'), [{ text: 'xx', group: null }]);
    assert.deepEqual(found('\\p{L}+', 'Caf\u00e9 \u{1D400}'), [
      { text: 'Caf\u00e9', group: null },
      { text: '\u{1D400}', group: null },
    ]);
    assert.equal(compiled('^/blog/').test('/blog/a'), true);
    assert.equal(compiled('^/blog/').test('/a/blog/'), false);
  });

  test('are refused if they are not RE2, too long, or repeat too much', () => {
    for (const source of ['(a', 'a)', '*', '[z-a]', '(a)\\1', '(?=a)', '(?<!a)b', 'a{1001}', '\\'])
      assert.match(refusal(source), /^`\/include\/0` is not a regular expression .*RE2/);
    assert.match(refusal('a'.repeat(501)), /at most 500 characters, this one has 501/);
    assert.match(refusal('a{1000}'.repeat(6)), /repeats too much/);
    compiled('a'.repeat(500));
  });

  test('end for texts with which an engine that backtracks would not', () => {
    // With 100,000 characters such an engine takes more steps than there are atoms in the universe.
    const text = `${'a'.repeat(100_000)}!`;
    for (const source of ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^(.*a){20}$', '^((a*)*)*b'])
      assert.equal(compiled(source).test(text), false, source);
  });

  test('end whatever the expression is', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', 'a?', '\\w', '$');
    const expression = fc.letrec<{ any: string }>((tie) => ({
      any: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        atom,
        fc.tuple(tie('any'), tie('any')).map(([a, b]) => `${a}${b}`),
        fc.tuple(tie('any'), tie('any')).map(([a, b]) => `(${a}|${b})`),
        fc.tuple(tie('any'), fc.constantFrom('*', '+', '?', '{2,9}')).map(([a, n]) => `(?:${a})${n}`),
      ),
    })).any;
    // None of the expressions matches `!`, so that each has to be tried in every way.
    const text = `${'ab'.repeat(1000)}${'a'.repeat(2000)}!`;
    fc.assert(
      fc.property(
        expression.filter((source) => source.length < 300),
        (source) => {
          const regex = compileRegex(`^(?:${source})#`, '');
          if (!isFailure(regex)) assert.equal(regex.test(text), false);
        },
      ),
      { numRuns: 300 },
    );
  });
});
