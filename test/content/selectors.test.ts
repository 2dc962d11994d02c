import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileSelector, selectorProblem } from '../../src/content/document/css-selector.ts';
import { parseHtml, parseXml } from '../../src/content/document/parse-page.ts';
import { SELECTOR_PAGE, SELECTORS } from './selector-table.ts';

describe('selectors', () => {
  const tree = parseHtml(SELECTOR_PAGE, true);
  const find = (css: string, where = tree) =>
    compileSelector(where, css)
      .all(where.root)
      .map(({ attrs, tagName }) => attrs!.find(({ name }) => name === 'id')?.value ?? tagName)
      .join(' ');

  for (const [css, found] of SELECTORS) {
    it(`${css} finds what browsers find`, () => {
      assert.equal(selectorProblem(css), null);
      assert.equal(find(css), found);
    });
  }

  it(':scope is the element that the search begins at', () => {
    const [context] = compileSelector(tree, '#n1').all(tree.root);
    const ids = (css: string) =>
      compileSelector(tree, css)
        .all(context!)
        .map(({ attrs }) => attrs!.find(({ name }) => name === 'id')!.value);
    assert.deepEqual(ids(':scope > div'), ['n2']);
    assert.deepEqual(ids('body div'), ['n2', 'n3']);
    assert.deepEqual(ids('div:not(:has(*)):not(:scope)'), ['n3']);
  });

  it('XML has the same ones', () => {
    const xml = parseXml('<html><a id="x" href="/"/><link id="y" href="/"/><i id="z"> </i></html>');
    assert.equal(find(':link', xml), 'x');
    assert.equal(find('i:empty', xml), '');
  });

  const REFUSED: readonly [string, RegExp][] = [
    ['div:has(:scope > div)', /":scope" in ":has\(\)" is not supported; ":has\(> a\)"/],
    [':not(:has(:is(:scope)))', /":scope" in ":has\(\)" is not supported/],
    ['div:has(> :is(body p))', /":is\(\)" with combinators is not supported in ":has\(\)"/],
    [':has(:has(a))', /":has\(\)" is not allowed inside ":has\(\)"/],
    ['a:has(< b)', /"<" is not a CSS combinator/],
    ['*ads*', /must be the beginning of a compound selector/],
    ['.a*', /must be the beginning/],
    ['div:is(#b*)', /must be the beginning/],
    [':constructor', /Unknown pseudo-class :constructor/],
    [':__proto__', /Unknown pseudo-class :__proto__/],
    [':valid', /Unknown pseudo-class :valid/],
    [':default', /Unknown pseudo-class :default/],
    [':link()', /link doesn't have any arguments/],
    [':checked(1)', /checked/],
  ];
  for (const [css, problem] of REFUSED)
    it(`${css} is refused`, () => assert.match(selectorProblem(css) ?? '', problem));
});
