import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RULES } from '../../src/assess/match-rules.ts';
import { PatternPrefilter, requiredLiterals } from '../../src/assess/rule-prefilter.ts';
import fc from '../helpers/fast-check.ts';

const PATTERNS = RULES.flatMap(({ when: { html, text, title } }) => [html, text, title]).filter(
  (one) => one !== undefined,
);

describe('literals that a pattern needs', () => {
  test('of each alternative the longest that cannot be left out', () => {
    const told: readonly (readonly [RegExp, readonly string[]])[] = [
      [/abc/, ['abc']],
      [/ABC\.d\/e/i, ['abc.d/e']],
      [/abc|de/, ['abc', 'de']],
      [/ab?cde*/, ['cd']],
      [/ab+cd{2}ef/, ['ef']],
      [/a[bc]de|[^)\]|]fg/, ['de', 'fg']],
      [/x(?:abcd|efgh)y/, ['abcd', 'efgh']],
      [/x(abcd|efgh)?yz/, ['yz']],
      [/^\s{0,3}ab\b c$/, ['ab c']],
      [/a.bcé(?:def|g)/, ['bcé']],
      [/a\d(?:не робот|验证)/i, ['не робот', '验证']],
    ];
    for (const [pattern, literals] of told)
      assert.deepEqual(requiredLiterals(pattern), literals, String(pattern));
  });

  test('of what may be looked for without one, or is not understood, none is told', () => {
    for (const pattern of [/a|/, /\d+/, /(?:ab)?/, /\x41bc/, /\u0041bc/, /(a)\1bc/, /abc/u, /a\tbc/])
      assert.deepEqual(requiredLiterals(pattern), [], String(pattern));
    assert.deepEqual(requiredLiterals(/(?=abcd)ef(?!ghi)/), ['ef']);
    assert.deepEqual(requiredLiterals(/(?<!abcd)(?<name>xyz)ef/), ['ef']);
  });
});

describe('the sift', () => {
  const sift = new PatternPrefilter(PATTERNS, 6);
  const fits = (text: string) => {
    const small = text.toLowerCase();
    return sift.candidates(Buffer.from(small), Buffer.byteLength(small));
  };
  const needles = PATTERNS.filter((one) => sift.covers(one)).flatMap((pattern) =>
    requiredLiterals(pattern).map((literal) => ({ pattern, literal })),
  );

  test('takes a pattern of nearly all rules that look at texts before anything else', () => {
    const left = RULES.filter(({ when: { html, text, title, password, finalUrl } }) => {
      const first = title === undefined && password === undefined && finalUrl === undefined;
      return first && (html ?? text) !== undefined && ![html, text].some((one) => one && sift.covers(one));
    });
    assert.ok(left.length <= 2, left.map(({ id }) => id).join('\n'));
  });

  test('finds each literal at each place, in capitals too, and tells of none that is not whole', () => {
    for (const { pattern, literal } of needles)
      for (let before = 0; before < 9; before++) {
        const text = `${' '.repeat(before)}${before % 2 === 0 ? literal : literal.toUpperCase()}`;
        assert.ok(fits(text).has(pattern), text);
        assert.ok(fits(`${text} and more`).has(pattern), text);
        const others = requiredLiterals(pattern).filter((one) => literal.slice(0, -1).includes(one));
        if (others.length === 0) assert.ok(!fits(text.slice(0, -1)).has(pattern), text);
      }
  });

  test('never passes over what fits', () => {
    const piece = fc.oneof(
      fc.constantFrom(...needles.map(({ literal }) => literal)),
      fc.string({ maxLength: 9 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const text = pieces.join('');
        const found = fits(text);
        for (const pattern of PATTERNS)
          if (sift.covers(pattern) && pattern.test(text)) assert.ok(found.has(pattern), String(pattern));
      }),
    );
  });
});
