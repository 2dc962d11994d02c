import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elementSelectorProblem } from '../../src/content/document/css-selector.ts';
import fc from '../helpers/fast-check.ts';

test('selectors that browsers accept are accepted', () => {
  for (const selector of [
    'css=#late',
    'css=a:has(> b) ~ c, [data-x="a]b" i]',
    'css=:is(h1, h2):not(.x:nth-child(2n+1 of .y))',
    'css=a:visible',
    'css=a:has-text("x (y")',
    'css=a:text-is("(")',
    'css=:popover-open',
    'css=a:dir(rtl)',
    'css=a:foo(b[c="]"])',
    'css=.a\\:b',
    'xpath=/',
    'xpath=//*',
    'xpath=//a[contains(., "it\'s (here]")]',
    "xpath=(//a)[1]/@href | //b[. = '\\']",
    'xpath=.',
    'text=Log in',
    'text="a >> b"',
    'text=it is (not [closed',
  ])
    assert.equal(elementSelectorProblem(selector), null, selector);
});

test('selectors with an error are refused, with the reason', () => {
  for (const [selector, why] of [
    ['css=', /empty/],
    ['css=a[b', /terminate|closed/],
    ['css=:is(', /parenthesis/i],
    ['css=a >', /combinator/],
    ['css= > td', /cannot begin with ">"; write ":scope > \.\.\."/],
    ['css=a, ~ b', /cannot begin with "~"/],
    ['css=a >> text=b', /./],
    ['css=a{b}', /is not allowed/],
    ['css=a:has-text("x', /./],
    ['css=!!', /./],
    ['xpath=//a[', /"\[" is not closed/],
    ['xpath=//a[@b="c]', /a " is not closed/],
    ['xpath=//a)', /no opening counterpart/],
    ['xpath=//a[(])', /no opening counterpart/],
    ['xpath=//a/', /ends before/],
    ['xpath=//a/@', /ends before/],
    ['xpath= ', /empty/],
    ['xpath=//a >> //b', /not part/],
    ['text=', /empty/],
    ['text=a >> b', /quotes/],
  ] as const)
    assert.match(elementSelectorProblem(selector) ?? '', why, selector);
});

test('no text makes the check throw', () => {
  const piece = fc.constantFrom(
    'a',
    '[',
    ']',
    '(',
    ')',
    '"',
    "'",
    '\\',
    '>',
    ':',
    '=',
    ',',
    ' ',
    '#',
    '/',
    '@',
    '*',
  );
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.constantFrom('css=', 'xpath=', 'text='), text, (engine, rest) => {
      const problem = elementSelectorProblem(`${engine}${rest}`);
      assert.ok(problem === null || problem.length > 0);
    }),
  );
});
