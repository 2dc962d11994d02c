import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toCleanHtml } from '../../../src/content/document/clean-html.ts';
import { elementsOf } from '../../../src/content/document/page-tree.ts';
import { parseXml } from '../../../src/content/document/parse-page.ts';
import { toParsedPage } from '../../../src/content/document/parsed-page.ts';
import { visibleText } from '../../../src/content/document/visible-text.ts';
import { toMarkdown } from '../../../src/content/reading/markdown/page-markdown.ts';
import { DEFAULT_MARKDOWN } from '../../../src/domain/scraper-options.ts';
import fc from '../../helpers/fast-check.ts';
import { MARKDOWN_CASES } from './markdown-cases.ts';
import { foldSpace, markdownOf, parsed, visibleMarkdown } from './markdown-text.ts';
import { nastyPages } from './page-trees.ts';

describe('format markdown', () => {
  for (const { name, html, options, markdown } of MARKDOWN_CASES)
    it(name, () => assert.equal(markdownOf(html, options), markdown));

  it('of a selection has its roots without the excluded elements', () => {
    const page = parsed('<nav>n</nav><main><p>a<aside>x</aside><p>b</main><footer>f</footer>');
    const byName = (name: string) => [...elementsOf(page.tree.root)].find(({ tagName }) => tagName === name)!;
    const selection = { roots: [byName('main')], excluded: new Set([byName('aside')]) };
    assert.equal(toMarkdown(page, selection).markdown, 'a\n\nb');
    assert.equal(toCleanHtml(selection, page.urls.base, 1e6).html, '<main><p>a</p><p>b</p></main>');
  });

  it('of XML has a paragraph for each element', () => {
    const page = toParsedPage(
      parseXml('<rss><item><title>*A* *</title><n>1.</n></item></rss>'),
      'http://a.test/',
      null,
    );
    assert.equal(toMarkdown(page, null).markdown, '\\*A\\* *\n\n1\\.');
  });

  it('says the same as the page, whatever its text means in Markdown', () => {
    fc.assert(
      fc.property(nastyPages, (html) => {
        const page = parsed(html);
        const expected = foldSpace(visibleText(page.tree.root, false, 1e8).text);
        assert.equal(visibleMarkdown(toMarkdown(page, null).markdown), expected);
      }),
      { numRuns: 300 },
    );
  });

  it('can be read in parts, which are cut at blocks and are the whole together', () => {
    fc.assert(
      fc.property(nastyPages, fc.integer({ min: 1, max: 60 }), (html, maxChars) => {
        const page = parsed(`${html}<p>${'word '.repeat(30)}<p>😀😀😀😀`);
        const whole = toMarkdown(page, null).markdown;
        let offset: number | null = 0;
        let together = '';
        while (offset !== null) {
          const contentOffset: number = offset;
          const part = toMarkdown(page, null, { ...DEFAULT_MARKDOWN, maxChars, contentOffset });
          assert.ok(part.markdown.length <= Math.max(maxChars, 2) && part.markdown.isWellFormed());
          assert.ok(whole.startsWith(part.markdown, contentOffset));
          assert.ok(part.nextOffset === null || part.nextOffset > contentOffset);
          together += part.markdown;
          offset = part.nextOffset;
        }
        assert.equal(together.replace(/\s/g, ''), whole.replace(/\s/g, ''));
      }),
      { numRuns: 50 },
    );
    const { markdown, nextOffset } = toMarkdown(parsed('<p>one two<p>three<p>four'), null, {
      ...DEFAULT_MARKDOWN,
      maxChars: 16,
    });
    assert.deepEqual({ markdown, nextOffset }, { markdown: 'one two\n\nthree', nextOffset: 16 });
  });

  const hostile: Record<string, string> = {
    'nested div': `${'<div>'.repeat(20_000)}x`,
    'nested lists': '<ul><li>x'.repeat(2000),
    'nested quotes': '<blockquote>x'.repeat(2000),
    'open rows': `<table>${'<tr><td>x'.repeat(20_000)}`,
    'raised numbers behind blanks': `<p>${' <!-- -->'.repeat(50_000)}${'<sup>1</sup> '.repeat(5000)}`,
    'pieces without end in one paragraph': '<b>x</b>'.repeat(150_000),
    'spans that reach everywhere': `<table><tr>${'<td rowspan=65534 colspan=1000>x'.repeat(500)}${'<tr><td>a'.repeat(5000)}`,
    'links side by side': '<a href=/x>1</a>'.repeat(20_000),
    delimiters: `<p>${'*'.repeat(100_000)}<b>${'(😀'.repeat(50_000)}</b>x${'`a'.repeat(50_000)}${']('.repeat(50_000)}`,
  };
  for (const [name, html] of Object.entries(hostile))
    it(`of a hostile page: ${name}`, () => assert.notEqual(markdownOf(html), ''));
});

describe('main_html', () => {
  const clean = (html: string) => {
    const { tree, urls } = parsed(html);
    return toCleanHtml({ roots: [tree.root], excluded: new Set() }, urls.base, 1e6).html;
  };

  it('keeps what means something, with absolute URLs and few attributes', () => {
    assert.equal(
      clean(
        '<div class=a onclick=x()><font><p id=p lang=en>a <a href=/b rel=x>b</a><a href="javascript:x()">c</a><img src="data:,x" data-src=i.png alt="&quot;" width=3><span>d</span> &lt;e&gt;</p></font></div><script>f()</script><form><button>g</button></form><!-- h --><p hidden>i',
      ),
      '<div><p lang="en">a <a href="https://site.test/b">b</a><a>c</a><img src="https://site.test/dir/i.png" alt="&quot;">d &lt;e&gt;</p></div><div>g</div>',
    );
  });

  it('is cut at its limit, with all that is open closed', () => {
    const { tree, urls } = parsed(`<ul>${'<li>word'.repeat(1000)}</ul>`);
    const { html, truncated } = toCleanHtml({ roots: [tree.root], excluded: new Set() }, urls.base, 100);
    assert.ok(truncated && html.length < 200 && html.endsWith('</li></ul>'), html);
  });
});
