import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { attributeOf, type TreeNode } from '../../src/content/document/page-tree.ts';
import { parseHtml, parseXml } from '../../src/content/document/parse-page.ts';
import { isAttribute, isComment, type XPathNode } from '../../src/content/xpath/node-index.ts';
import { nodeText } from '../../src/content/xpath/values.ts';
import { XPathSearch, xpathProblem } from '../../src/content/xpath/xpath.ts';
import fc from '../helpers/fast-check.ts';
import { REFUSED_XPATHS, XPATH_PAGE, XPATHS } from './xpath-table.ts';

function shown(node: XPathNode): string {
  if (isAttribute(node) || isComment(node) || node.value !== undefined) return nodeText(node);
  return attributeOf(node, 'id') ?? node.tagName ?? node.nodeName;
}

function evaluated(tree = parseHtml(XPATH_PAGE, true)) {
  const search = new XPathSearch(tree);
  return (xpath: string, context: TreeNode = tree.root) => {
    assert.equal(xpathProblem(xpath), null);
    const result = search.compile(xpath)(context);
    return typeof result === 'object' ? result.map(shown).join(' ') : result;
  };
}

/** Texts may begin and end with spaces. */
const squeezed = (value: unknown) => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : value);

describe('XPath', () => {
  const select = evaluated();
  for (const [xpath, expected] of XPATHS)
    it(xpath, () => {
      assert.equal(squeezed(select(xpath)), squeezed(String(expected).includes('|') ? 'One tail' : expected));
    });

  for (const [xpath, message] of REFUSED_XPATHS)
    it(`refuses ${xpath.slice(0, 40)}`, () => {
      assert.match(xpathProblem(xpath) ?? '', message);
    });

  it('is relative to its context', () => {
    const tree = parseHtml(XPATH_PAGE, true);
    const search = new XPathSearch(tree);
    const [list] = search.compile('//ul')(tree.root) as readonly TreeNode[];
    const from = evaluated(tree);
    assert.ok(list);
    const inList = (xpath: string) =>
      (search.compile(xpath)(list) as readonly XPathNode[]).map(shown).join(' ');
    assert.equal(inList('li[1]'), 'l1');
    assert.equal(inList('.'), 'u');
    assert.equal(inList('..'), 'b');
    assert.equal(inList('//b'), 'b1');
    assert.equal(from('//b'), 'b1');
  });

  it('reads XML, with and without prefixes', () => {
    const xml = evaluated(
      parseXml('<r xmlns:d="urn:d"><d:date>1</d:date><date>2</date><Item d:x="3" x="4"/></r>'),
    );
    assert.equal(xml('string(//d:date)'), '1');
    assert.equal(xml('count(//date)'), 2);
    assert.equal(xml('count(//d:*)'), 1);
    assert.equal(xml('count(//item)'), 0);
    assert.equal(xml('string(//Item/@d:x)'), '3');
    assert.equal(xml('name(//*[2])'), 'date');
  });

  it('a colon is a part of a name in HTML', () => {
    const page =
      '<a id=v :href=x @click=y>1</a><a id=x xml:lang=de>2</a><svg><use id=u xlink:href="#s"/></svg>';
    const found = evaluated(parseHtml(page, true));
    assert.equal(found('//*[@href]'), 'u');
    assert.equal(found('//*[@xml:lang]'), 'x');
    assert.equal(found('//*[@xlink:href]'), 'u');
    assert.equal(found('local-name(//a[2]/@*[2])'), 'xml:lang');
    assert.equal(found('name(//use/@*[2])'), 'xlink:href');
  });

  it('refuses an expression, or evaluates it, whatever it is', () => {
    const words =
      "// / a * @ @id [ ] ( ) .. . :: ancestor following-sibling text() last() count string = < | + - div and 1 'x' , id sum $x __proto__".split(
        ' ',
      );
    const tree = parseHtml(XPATH_PAGE, true);
    const search = new XPathSearch(tree);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words, ' '), { maxLength: 8 }), (parts) => {
        const xpath = parts.join('');
        if (xpathProblem(xpath) === null) search.compile(xpath)(tree.root);
      }),
      { numRuns: 5000 },
    );
  });

  it('finds the content of shadow roots below their host', () => {
    const html = '<div id=h><template shadowrootmode=open><b id=in>1</b></template><i id=own>2</i></div>';
    const found = evaluated(parseHtml(html, true));
    assert.equal(found('//div/*'), 'in own');
    assert.equal(found('//b/ancestor::div'), 'h');
  });

  it('has each node once, also on pages that are nested deeply', () => {
    const depth = 400;
    const tree = parseHtml(`${'<div>'.repeat(depth)}<b>x</b>`, true);
    const found = evaluated(tree);
    assert.equal(found('count(//div//div//div)'), depth - 2);
    assert.equal(found('count(//b/ancestor::div/descendant::*)'), depth);
  });
});

const EXECUTABLE = process.env.SLUICE_TEST_CHROMIUM ?? '/usr/bin/chromium';

describe('XPath of Chromium', { skip: existsSync(EXECUTABLE) ? false : `no ${EXECUTABLE} here` }, () => {
  let browser: Browser;
  let page: Page;
  before(async () => {
    browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
    page = await browser.newPage();
    await page.setContent(XPATH_PAGE);
  });
  after(() => browser?.close());

  /** Where we differ: `lang` of HTML counts, and characters are those of Unicode, as the specification has them. */
  const DIFFERENT = new Set(['//*[lang("en")][@href]', 'string-length("a\u{1F600}b")']);
  /** Runs in the page. */
  const IN_PAGE = `xpath => {
    let result = document.evaluate(xpath, document, null, XPathResult.ANY_TYPE, null);
    if (result.resultType === 1) return result.numberValue;
    if (result.resultType === 2) return result.stringValue;
    if (result.resultType === 3) return result.booleanValue;
    const shown = [];
    result = document.evaluate(xpath, document, null, XPathResult.ORDERED_NODE_ITERATOR_TYPE, null);
    for (let node = result.iterateNext(); node; node = result.iterateNext())
      shown.push(node.nodeType === 1 ? node.id || node.localName : node.nodeType === 9 ? '#document' : node.nodeValue);
    return shown.join(' ');
  }`;

  it('gives the same for every expression of the table', async () => {
    const select = evaluated();
    const differing: unknown[] = [];
    for (const [xpath] of XPATHS) {
      const ours = select(xpath);
      const theirs = await page.evaluate(`(${IN_PAGE})(${JSON.stringify(xpath)})`);
      if (ours !== theirs && !DIFFERENT.has(xpath)) differing.push([xpath, ours, theirs]);
    }
    assert.deepEqual(differing, []);
  });
});
