import type { MarkdownOptions } from '../../../src/domain/scraper-options.ts';

export interface MarkdownCase {
  readonly name: string;
  readonly html: string;
  readonly markdown: string;
  readonly options?: Partial<MarkdownOptions>;
}

/** HTML of a page at https://site.test/dir/page, and its Markdown. */
export const MARKDOWN_CASES: readonly MarkdownCase[] = [
  {
    name: 'headings, also by role, and paragraphs',
    html: '<h1>One</h1><h6>Six</h6><div role=heading aria-level=3>Three</div>a<p>b',
    markdown: '# One\n\n###### Six\n\n### Three\n\na\n\nb',
  },
  {
    name: 'a heading is not bold twice, and has one line',
    html: '<h2><b>a</b><br>b #</h2>',
    markdown: '## a b \\#',
  },
  {
    name: 'blanks at inline edges',
    html: '<p>a<b> b </b>c <i> d</i>&nbsp;<b>&nbsp;e</b>',
    markdown: 'a **b** c *d*\u00a0\u00a0**e**',
  },
  {
    name: 'the source of a quote is a paragraph',
    html: '<blockquote>To be.<cite>Hamlet</cite></blockquote>',
    markdown: '> To be.\n>\n> *Hamlet*',
  },
  {
    name: 'icons are left out',
    html: '<p>a <i class=material-icons>arrow_forward</i> b</p><h2>c<a href="#c">\uf0c1</a></h2>',
    markdown: 'a b\n\n## c',
  },
  {
    name: 'a gallery has each picture once, whatever its size',
    html: `<ul><li><img src="/a-1024x768.jpg?v=1" alt=A></li><li><img src="/b.jpg?w=900"></li><li><img src="/a-1024x768.jpg?v=1"></li></ul>
<div><a href="/b.jpg"><img src="/b.jpg?w=80&amp;h=80"></a> <img src="/a-100x100.jpg?v=1"><img src="/a.jpg?v=2"></div>`,
    markdown:
      '- ![A](https://site.test/a-1024x768.jpg?v=1)\n- ![](https://site.test/b.jpg?w=900)\n\n![](https://site.test/a.jpg?v=2)',
  },
  {
    name: 'pictures with text between, stars and signs stay',
    html: '<p><img src=s.png><img src=s.png> a</p><p><img src=s.png></p><p><img src=i.png width=16> <b><img src=i.png width=16></b></p>',
    markdown:
      '![](https://site.test/dir/s.png)![](https://site.test/dir/s.png) a\n\n![](https://site.test/dir/s.png)\n\n![](https://site.test/dir/i.png) **![](https://site.test/dir/i.png)**',
  },
  { name: 'punctuation beside a delimiter', html: '<p>a<b>(b)</b>c', markdown: 'a(**b**)c' },
  { name: 'equal neighbours are one', html: '<p><b>a</b><b>b</b><i>c</i>', markdown: '**ab**c' },
  { name: 'struck text', html: '<p><del>a</del> <s>b</s>', markdown: '~~a~~ ~~b~~' },
  {
    name: 'marks around and within a link',
    html: '<p><b>see <a href=x>t</a></b> <a href=/>a <i>b</i></a> <b><a href=y>c</a></b>',
    markdown:
      '**see [t](https://site.test/dir/x)** [a *b*](https://site.test/) [**c**](https://site.test/dir/y)',
  },
  {
    name: 'links to scripts are text, a link around blocks is written once',
    html: '<p><a href="javascript:x()">a</a></p><a href=/b><h3>t</h3><p>u</p></a>',
    markdown: 'a\n\n### [t](https://site.test/b)\n\nu',
  },
  {
    name: 'a link whose text is its URL',
    html: '<a href="https://a.test/b_c_">https://a.test/b_c_</a>',
    markdown: '<https://a.test/b_c_>',
  },
  {
    name: 'odd characters of URLs',
    html: '<a href="/a(b">x</a> <a href="/c d">y</a>',
    markdown: '[x](<https://site.test/a(b>) [y](https://site.test/c%20d)',
  },
  {
    name: 'HTML where Markdown has no form',
    html: '<p>H<sub>2</sub>O x<sup>2</sup> <kbd>Esc</kbd>',
    markdown: 'H<sub>2</sub>O x<sup>2</sup> <kbd>Esc</kbd>',
  },
  {
    name: 'code with backticks',
    html: '<p><code>a`b</code> <code>`</code> <code>x</code><code>y</code>',
    markdown: '``a`b`` `` ` `` `xy`',
  },
  ...(
    [
      ['<span class="math notranslate nohighlight">\\(\\alpha_i\\)</span>', true],
      ['<span class="math">$\\alpha_i$</span>', true],
      ['<span class="math inline">\\(\\alpha_i\\)</span>', true],
      ['<span class="math inline">\\alpha_i</span>', true],
      ['<span class="arithmatex">\\(\\alpha_i\\)</span>', true],
      [
        '<span class="arithmatex"><span class="MathJax_Preview">\\alpha_i</span><script type="math/tex">\\alpha_i</script></span>',
        true,
      ],
      ['<span class="kdmath">$\\alpha_i$</span>', true],
      ['<code class="js-render-math" data-math-style="inline">\\alpha_i</code>', true],
      ['<code data-math-style="inline" class="code math">\\alpha_i</code>', true],
      ['<code class="language-math math-inline">\\alpha_i</code>', true],
      ['<span class="katex-inline">\\alpha_i</span>', true],
      ['<span class="tex2jax_process">\\(\\alpha_i\\)</span>', true],
      ['<div class="math notranslate nohighlight">\n\\[\\alpha_i\\]</div>', false],
      [
        '<div class="math notranslate" id="equation-e"><span class="eqno">(1)<a class="headerlink" href="#e">#</a></span>\\[\\alpha_i\\]</div>',
        false,
      ],
      ['<div class="arithmatex">\\[\n\\alpha_i\n\\]</div>', false],
      ['<div class="kdmath">$$\n\\alpha_i\n$$</div>', false],
      ['<span class="math display">\\[\\alpha_i\\]</span>', false],
      ['<span class="math display">\\alpha_i</span>', false],
      [
        '<pre class="code math js-syntax-highlight" data-math-style="display"><code>\\alpha_i</code></pre>',
        false,
      ],
    ] as const
  ).map(([html, inline]) => ({
    name: `TeX in ${html}`,
    html: `<p>a</p>${inline ? '<p>See ' : ''}${html}${inline ? ' b</p>' : '<p>b</p>'}`,
    markdown: inline ? 'a\n\nSee $\\alpha_i$ b' : 'a\n\n$$\\alpha_i$$\n\nb',
  })),
  {
    name: 'what is named after formulas and is none stays text',
    html: '<p class=math>Costs $5 or $6</p><p><span class=formula>2 + 2</span> and <span class=math>all of \\(a\\) and \\(b\\)</span></p>',
    markdown: 'Costs \\$5 or \\$6\n\n2 + 2 and all of \\\\(a\\\\) and \\\\(b\\\\)',
  },
  ...(
    [
      [
        'Gitea',
        '<table><tbody><tr><td class="lines-num"><span id="L1" data-line-number="1"></span></td><td rel="L1" class="lines-code chroma"><code class="code-inner"><span class="k">if</span> a:\n</code></td></tr><tr><td class="lines-num"><span id="L2" data-line-number="2"></span></td><td rel="L2" class="lines-code chroma"><code class="code-inner">    b\n</code></td></tr></tbody></table>',
      ],
      [
        'Gitea with numbers, marks and white space',
        '<table class="highlight"><tr>\n<td class="lines-num"><a>1</a></td>\n<td class="lines-escape"></td>\n<td class="lines-code">\n  <code>if a:</code>\n</td></tr><tr><td class="lines-num"><a>2</a></td><td class="lines-escape"></td><td class="lines-code"><code>    b</code></td></tr></table>',
      ],
      [
        'GitHub',
        '<table class="highlight tab-size js-file-line-container"><tr><td id="L1" class="blob-num js-line-number" data-line-number="1"></td><td id="LC1" class="blob-code blob-code-inner js-file-line">if a:</td></tr><tr><td id="L2" class="blob-num js-line-number" data-line-number="2"></td><td id="LC2" class="blob-code blob-code-inner js-file-line">    b</td></tr></table>',
      ],
      [
        'Trac',
        '<table class="code"><thead><tr><th class="lineno" title="Line numbers">1</th><th class="content">if a:</th></tr></thead><tbody><tr><th id="L2"><a href="#L2">2</a></th><td><code>    b</code></td></tr></tbody></table>',
      ],
      [
        'cgit',
        '<table class="blob"><tr><td class="linenumbers"><pre><a href="#n1">1</a>\n<a href="#n2">2</a>\n</pre></td><td class="lines"><pre><code>if a:\n    b</code></pre></td></tr></table>',
      ],
      [
        'SyntaxHighlighter',
        '<div class="syntaxhighlighter"><table><tr><td class="gutter"><div class="line number1">1</div><div class="line number2">2</div></td><td class="code"><div class="container"><div class="line number1"><code>if</code> <code>a:</code></div><div class="line number2"><code class="spaces">&nbsp;&nbsp;&nbsp;&nbsp;</code><code>b</code></div></div></td></tr></table></div>',
      ],
      [
        'Crayon',
        '<table class="crayon-table"><tr><td class="crayon-nums"><div class="crayon-nums-content"><div class="crayon-num">1</div><div class="crayon-num">2</div></div></td><td class="crayon-code"><div class="crayon-pre"><div class="crayon-line">if a:</div><div class="crayon-line">&nbsp;&nbsp;&nbsp;&nbsp;b</div></div></td></tr></table>',
      ],
      [
        'an editor',
        '<div class="ace_content"><div class="ace_text-layer"><div class="ace_line">if a:</div><div class="ace_line">    b</div></div></div>',
      ],
      [
        'highlight.js with numbers',
        '<pre><code><table class="hljs-ln"><tr><td class="hljs-ln-line hljs-ln-numbers" data-line-number="1"><div class="hljs-ln-n"></div></td><td class="hljs-ln-line hljs-ln-code">if a:</td></tr><tr><td class="hljs-ln-numbers"></td><td class="hljs-ln-code">    b</td></tr></table></code></pre>',
      ],
      ...[
        'hl-gutter',
        'lineno',
        'linenos',
        'linenumber react-syntax-highlighter-line-number',
        'ln',
        'lnt',
        'line-number',
        'line-numbers',
        'line_number',
        'lines-num',
        'gutter',
        'CodeMirror-gutter-elt',
        'cm-lineNumber',
        'ace_gutter-cell',
        'linenr',
        'num',
        'blob-num',
      ].map((name) => [
        name,
        `<pre><span class="${name}">1</span>if a:\n<span class="${name}"> 2 </span>    b\n</pre>`,
      ]),
      [
        'lines without line breaks',
        '<pre><code><span class="line">if a:</span><span class="line">    b</span></code></pre>',
      ],
      [
        'lines with numbers and without line breaks',
        '<pre><span class="gutter">1</span><div class="code-line">if a:</div><span class="gutter">2</span><div class="code-line">    b</div></pre>',
      ],
      [
        'lines with line breaks',
        '<pre><code><span class="line">if a:</span>\n<span class="line">    b</span></code></pre>',
      ],
      [
        'lines that end with line breaks',
        '<pre><span class="token-line">if a:<br></span><span class="token-line">    b<br></span></pre>',
      ],
      [
        'lines by attribute',
        '<pre><code><span data-line="">if a:</span><span data-line="">    b</span></code></pre>',
      ],
    ] as const
  ).map(([tool, html]) => ({
    name: `code without numbers, blanks kept: ${tool}`,
    html: html as string,
    markdown: '```\nif a:\n    b\n```',
  })),
  {
    name: 'tables of data and lines of text are no code',
    html: '<table><tr><td class=num>1</td><td>a</td></tr><tr><td class=num>2</td><td>b</td></tr></table><div class=poem><div class=line>one</div><div class=line>two</div></div>',
    markdown: '|  |  |\n| --- | --- |\n| 1 | a |\n| 2 | b |\n\none\n\ntwo',
  },
  {
    name: 'images: absolute, late ones, no data: URLs, no pixels',
    html: '<p><img src=a.png alt="a]"><img src="data:image/gif;base64,AA" data-src=b.png><img src="data:,x" alt=d><img src=p.gif width=1 height=1>',
    markdown: '![a\\]](https://site.test/dir/a.png)![](https://site.test/dir/b.png)',
  },
  {
    name: 'a figure',
    html: '<figure><a href=/big><img src=a.png alt=A></a><figcaption>Fig. 1</figcaption></figure>',
    markdown: '[![A](https://site.test/dir/a.png)](https://site.test/big)\n\nFig. 1',
  },
  {
    name: 'line breaks, and two of them',
    html: '<p>a<br>b<br><br>c<br>',
    markdown: 'a\\\nb\n\nc',
  },
  {
    name: 'what begins a block is escaped, and only there',
    html: '<p># a<p>a # b<p>1. a<p>1.5 a<p>- a<p>-a<p>> a<p>+<p>---<p>```<p>[x]: y<p>a<br>===<p>5 * 3, a_b, C:\\x, a*, 1986. x',
    markdown:
      '\\# a\n\na # b\n\n1\\. a\n\n1.5 a\n\n\\- a\n\n-a\n\n\\> a\n\n\\+\n\n\\---\n\n\\```\n\n\\[x]: y\n\na\\\n\\===\n\n5 * 3, a_b, C:\\x, a*, 1986. x',
  },
  {
    name: 'what means something within a line is escaped',
    html: '<p>*a* _b_ `c` ~d~ [e](f) &lt;g> &amp;amp; &lt; 3 & x!<a href=/>y</a>',
    markdown: '\\*a\\* \\_b\\_ \\`c\\` \\~d\\~ [e\\](f) \\<g> \\&amp; < 3 & x\\![y](https://site.test/)',
  },
  {
    name: 'lists: nested, with start, value and reversed; two side by side',
    html: '<ul><li>a<ol start=3><li>b<li value=7>c<li>d</ol><li>e</ul><ul><li>f</ul><ol reversed><li>g<li>h</ol>',
    markdown: '- a\n\n  3. b\n  7. c\n  8. d\n\n- e\n\n* f\n\n2. g\n1. h',
  },
  {
    name: 'items with several blocks, and lists directly in lists',
    html: '<ul><li><p>a<p>b<li>c<ul><li>d</ul></li><ul><li>e</ul><li>f</ul>',
    markdown: '- a\n\n  b\n\n- c\n  - d\n\n  * e\n\n- f',
  },
  {
    name: 'tasks',
    html: '<ul><li><input type=checkbox checked>a<li><label><input type=checkbox> b</label><li>[ ] c',
    markdown: '- [x] a\n- [ ] b\n- \\[ ] c',
  },
  {
    name: 'definitions',
    html: '<dl><dt>T<dd>a<dd>b<dt>U<dd><p>c<p>d</dl>',
    markdown: '**T**\n\n- a\n- b\n\n**U**\n\n- c\n\n  d',
  },
  {
    name: 'quotes',
    html: '<blockquote><p>a<p>b<blockquote>c</blockquote><ul><li>d</ul></blockquote>',
    markdown: '> a\n>\n> b\n>\n> > c\n>\n> - d',
  },
  {
    name: 'a fence longer than those inside, and its language',
    html: '<pre><code class="hljs language-js">a\n```\n  b\n\n</code></pre>',
    markdown: '````js\na\n```\n  b\n````',
  },
  {
    name: 'languages of other highlighters, numbers of lines left out',
    html: '<div class="highlight highlight-source-shell"><pre>ls</pre></div><pre class="brush: php">x</pre><pre class="sourceCode python"><code><span class=lineno>1</span>a<br><span class=lineno>2</span>b</code></pre>',
    markdown: '```shell\nls\n```\n\n```php\nx\n```\n\n```python\na\nb\n```',
  },
  {
    name: 'the language of Hexo, Sphinx, GitHub and EnlighterJS; none of other classes',
    html: '<figure class="highlight js"><table><tr><td class=gutter><pre><span class=line>1</span></pre></td><td class=code><pre><span class=line>a</span></pre></td></tr></table></figure><div class="highlight-python notranslate"><div class=highlight><pre>b</pre></div></div><pre lang=ruby>c</pre><pre data-enlighter-language=php>d</pre><pre class=shiki><code class="highlight-wrap language-ts">e</code></pre><div data-lang=en><pre class=highlight-box>f</pre></div><figure class="highlight plaintext"><pre>g</pre></figure><pre lang=cs>h</pre>',
    markdown:
      '```js\na\n```\n\n```python\nb\n```\n\n```ruby\nc\n```\n\n```php\nd\n```\n\n```ts\ne\n```\n\n```\nf\n```\n\n```\ng\n```\n\n```\nh\n```',
  },
  {
    name: 'boxes with remarks are quotes, with their label',
    html: '<div class="admonition note"><p class=admonition-title>Note<p>a</div><p>x<div class="markdown-alert markdown-alert-tip"><p class=markdown-alert-title>Tip</p><ul><li>b</ul></div><div class="alert alert-warning" role=alert>c</div><ul><li>d<aside class=callout><div class=callout-title><div class=callout-title-inner>T</div></div><div class=callout-content><p>e</div></aside></ul><div class="alert-box">f</div>',
    markdown: '> **Note**\n>\n> a\n\nx\n\n> **Tip**\n>\n> - b\n\n> c\n\n- d\n\n  > **T**\n  >\n  > e\n\nf',
  },
  {
    name: 'a table with a caption, line breaks and pipes',
    html: '<table><caption>C</caption><tr><th>a<th>b<tr><td>c<br>d<td>e|f<p>g</table>',
    markdown: 'C\n\n| a | b |\n| --- | --- |\n| c<br>d | e\\|f<br>g |',
  },
  {
    name: 'a table without a header',
    html: '<table><tr><td>a<td>b<tr><td>c<td>d</table>',
    markdown: '|  |  |\n| --- | --- |\n| a | b |\n| c | d |',
  },
  {
    name: 'spans are repeated',
    html: '<table><tr><th colspan=2>a<th rowspan=2>b<tr><td>c<td>d</table>',
    markdown: '| a | a | b |\n| --- | --- | --- |\n| c | d | b |',
  },
  {
    name: 'a layout table is unrolled',
    html: '<table><tr><td><h2>a</h2><td><p>b<p>c</table>',
    markdown: '## a\n\nb\n\nc',
  },
  {
    name: 'a nested table follows',
    html: '<table><tr><th>a<th>b<tr><td>c<td>d<table><tr><th>x<th>y<tr><td>1<td>2</table></table>',
    markdown: '| a | b |\n| --- | --- |\n| c | d |\n\n| x | y |\n| --- | --- |\n| 1 | 2 |',
  },
  {
    name: 'a complex table as HTML',
    html: '<table class=x><tr><th colspan=2>a<tr><td>b<td>c</table>',
    options: { html: true },
    markdown: '<table><tbody><tr><th colspan="2">a</th></tr><tr><td>b</td><td>c</td></tr></tbody></table>',
  },
  {
    name: 'footnotes',
    html: '<p>a<sup><a href=#n1 id=r1>1</a></sup>.<hr><ol><li id=n1>The first note <a href=#r1>↩</a></ol>',
    markdown: 'a[^1].\n\n---\n\n[^1]: The first note',
  },
  {
    name: 'footnotes of few letters',
    html: '<p>a<sup><a href="#n1">[1]</a></sup> b<sup><a href="#n2">[2]</a></sup></p><ol><li id=n1><p>The first note <a href="#r1">↑</a></p><li id=n2><p>Fin. <a href="#r2">↑</a></p></ol>',
    markdown: 'a[^1] b[^2]\n\n[^1]: The first note\n\n[^2]: Fin.',
  },
  {
    name: 'numbers of places are no footnotes',
    html: '<p>a<sup><a href="#n1">[1]</a></sup></p><p id=n1>1 ↑</p>',
    markdown: 'a[<sup>\\[1\\]</sup>](https://site.test/dir/page#n1)\n\n1 ↑',
  },
  {
    name: 'footnotes without links: the number is raised, or the item is called one',
    html: '<p>a<sup>1</sup> b.<sup>[2]</sup><p>c<hr><p><sup>1</sup> The first note<p><b><sup>2</sup> Note:</b> the second',
    markdown: 'a[^1] b.[^2]\n\nc\n\n---\n\n[^1]: The first note\n\n[^2]: **Note:** the second',
  },
  {
    name: 'footnotes in a list without links back',
    html: '<p>a<sup>1</sup><h4>Footnotes</h4><ol><li id=footnote-1>The first note</ol>',
    markdown: 'a[^1]\n\n#### Footnotes\n\n[^1]: The first note',
  },
  {
    name: 'powers and isotopes are no footnotes',
    html: '<p>2<sup>1</sup> 3<sup>1</sup> of <sup>14</sup>C<p><sup>14</sup>C decays<p><sup>1</sup> is one power',
    markdown:
      '2<sup>1</sup> 3<sup>1</sup> of <sup>14</sup>C\n\n<sup>14</sup>C decays\n\n<sup>1</sup> is one power',
  },
  {
    name: 'formulas, with the dollars of the text escaped',
    html: '<p>$5 <math><mfrac><mi>a</mi><mn>2</mn></mfrac></math> <span class=katex><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math><span aria-hidden=true>x2</span></span><script type="math/tex; mode=display">y_1</script>',
    markdown: '\\$5 $\\frac{a}{2}$ $x^2$\n\n$$y_1$$',
  },
  {
    name: 'pictures of formulas, where they are TeX',
    html: '<p><img class=latex src="//s0.wp.com/latex.php?latex=A%2C+B&amp;bg=ffffff" alt="A, B"> <img src="https://latex.codecogs.com/svg.image?\\inline&amp;space;\\frac{a}{b}"> <img class=tex src=/t.png alt="x_1"> <img src="/latex.png" alt="LaTeX"> $5',
    markdown: '$A, B$ $\\frac{a}{b}$ $x_1$ ![LaTeX](https://site.test/latex.png) \\$5',
  },
  {
    name: 'what is hidden is left out, what is folded up is not',
    html: '<p hidden>a<p style="display:none">b<script>c</script><details><summary>d</summary>e</details>',
    markdown: 'd\n\ne',
  },
  {
    name: 'links as references',
    html: '<p><a href=/a>a</a> <a href=/b>b</a> <a href=/a>c</a> [1]',
    options: { links: 'reference' },
    markdown: '[a][1] [b][2] [c][1] [1\\]\n\n[1]: https://site.test/a\n[2]: https://site.test/b',
  },
  { name: 'links as text', html: '<a href=/a>a</a>', options: { links: 'text' }, markdown: 'a' },
  {
    name: 'images as text',
    html: '<p>x <img src=a alt="A b">',
    options: { images: 'alt' },
    markdown: 'x A b',
  },
  { name: 'no images', html: '<p>x <img src=a alt="A b">', options: { images: 'none' }, markdown: 'x' },
  {
    name: 'front matter',
    html: '<html lang=en><title>A: "b"</title><p>x',
    options: { frontMatter: true },
    markdown: '---\ntitle: "A: \\"b\\""\nurl: "https://site.test/dir/page"\nlanguage: "en"\n---\n\nx',
  },
  {
    name: 'the documents of frames follow',
    html: '<p>a<iframe srcdoc="<p>b"></iframe>',
    markdown: 'a\n\nb',
  },
  {
    name: 'running heads and page numbers are left out, by their roles',
    html: '<p>a<span role="doc-pagebreak">[Page 2]</span> b</p><header role="doc-pageheader">Head</header><p>c</p><footer role="doc-pagefooter">3</footer><footer>d</footer>',
    markdown: 'a b\n\nc\n\nd',
  },
];
