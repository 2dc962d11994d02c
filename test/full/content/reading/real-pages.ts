import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { elementsOf, type TreeNode, textContent } from '../../../../src/content/document/page-tree.ts';
import { visibleText } from '../../../../src/content/document/visible-text.ts';
import { toMarkdown } from '../../../../src/content/reading/markdown/page-markdown.ts';
import { foldSpace, parsed, visibleMarkdown } from '../../../content/reading/markdown-text.ts';

const data = process.env.READING_DATA;
/** Every fifteenth page, and with LONG=1 every one. */
const STEP = process.env.LONG === '1' ? 1 : 15;
const FORMULA_TAGS = /<math[\s>]|<script[^>]+math\/tex/i;

/**
 * Takes away what Markdown says otherwise on purpose: spans are repeated, footnotes and nested tables move, numbers of
 * lines, which are known by their class, are left out, and pictures of formulas are TeX.
 */
function plain(root: TreeNode): void {
  const outer = new Set<TreeNode>();
  for (const element of elementsOf(root))
    if (element.tagName === 'table')
      for (let node = element.parentNode; node?.tagName !== undefined; node = node.parentNode)
        if (node.tagName === 'table') outer.add(node);
  for (const element of elementsOf(root)) {
    const node = element as { attrs?: TreeNode['attrs']; tagName: string };
    if (node.tagName === 'sup' && /^\W?\d+\W?$/.test(textContent(element, 10).trim())) node.tagName = 'small';
    const kept = (element.attrs ?? []).filter(
      ({ name, value }) =>
        !/^(?:colspan|rowspan|class|role|id)$/.test(name) &&
        !(name === 'href' && value.includes('#')) &&
        !(name === 'src' && /latex|cht=tx/.test(value)),
    );
    node.attrs = outer.has(element) ? [...kept, { name: 'role', value: 'presentation' }] : kept;
  }
}

/** Tests that the Markdown of the pages in a folder of the benchmark data says the same as the page. */
export function testRealPages(folder: string): void {
  it(`Markdown says the same as the page: ${folder}`, {
    skip: data === undefined ? 'READING_DATA is not set' : false,
  }, () => {
    for (const [n, name] of readdirSync(join(data!, folder)).entries()) {
      if (n % STEP > 0) continue;
      const bytes = readFileSync(join(data!, folder, name));
      const html = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8');
      if (FORMULA_TAGS.test(html)) continue;
      const page = parsed(html);
      const documents = [page, ...page.frames];
      for (const { tree } of documents) plain(tree.root);
      const expected = documents.map(({ tree }) => visibleText(tree.root, false, 1e8).text).join('\n');
      assert.equal(visibleMarkdown(toMarkdown(page, null).markdown), foldSpace(expected), name);
    }
  });
}
