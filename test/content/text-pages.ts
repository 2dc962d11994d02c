import fc from '../helpers/fast-check.ts';

/** Pages with the text that browsers give for them: name, HTML, `document.body.innerText`. */
export const TEXT_PAGES: readonly (readonly [name: string, html: string, text: string])[] = [
  ['nothing', '', ''],
  ['white space collapses', '<p> a  b\n\tc </p>', 'a b c'],
  ['white space over the borders of elements', 'a <b> b </b> <i> c</i>d', 'a b cd'],
  ['no-break spaces stay', '<p>a&nbsp;&nbsp;b', 'a\u00a0\u00a0b'],
  ['blocks begin lines', '<div>a</div><div>b<div>c</div></div>d', 'a\nb\nc\nd'],
  ['paragraphs leave an empty line', '<p>a</p><p>b</p>c', 'a\n\nb\n\nc'],
  ['a heading and a paragraph', '<h1>T</h1><p>x</p>', 'T\n\nx'],
  ['empty blocks are nothing', '<div></div>a<div><div></div></div>b<p></p>c', 'a\nb\n\nc'],
  ['br', 'a<br>b<br><br> c ', 'a\nb\n\nc'],
  ['lists', '<ul><li>a</li><li>b<ol><li>c</ol></ul>', 'a\nb\nc'],
  ['definitions', '<dl><dt>a<dd>b<dt>c<dd>d</dl>', 'a\nb\nc\nd'],
  [
    'tables',
    '<table><caption>C</caption><tr><th>a</th> <th>b</th></tr>\n<tr><td>c</td><td>d</td></tr></table>x',
    'C\na\tb\nc\td\nx',
  ],
  [
    'tables in sections',
    '<table><thead><tr><td>a<tbody><tr><td>b<tr><td>c<td>d<tfoot><tr><td>e</table>',
    'a\nb\nc\td\ne',
  ],
  ['empty cells', '<table><tr><td></td><td>a</td><td></td></tr></table>', '\ta\t'],
  ['pre', '<pre>\n a\n  b\tc </pre>d', ' a\n  b\tc \nd'],
  ['pre in a paragraph', '<div>x <pre>a  b</pre> y</div>', 'x\na  b\ny'],
  ['scripts, styles, templates', 'a<script>b</script><style>c</style><template>d</template>e', 'ae'],
  ['noscript', 'a<noscript><p>b</p></noscript>c', 'ac'],
  ['head', '<head><title>t</title></head><body>b', 'b'],
  ['comments', 'a<!-- b -->c', 'ac'],
  ['hidden', 'a<div hidden>b</div><span style="display: none">c</span>d', 'ad'],
  [
    'hidden, and shown by style',
    'a<div hidden style="display: block">b</div><div hidden style="color: red">c</div><div hidden style="visibility: visible">d</div>e',
    'a\nb\ne',
  ],
  ['closed dialog, shown by style', 'a<dialog style="display: block">b</dialog>c', 'a\nb\nc'],
  [
    'display with a value that there is not',
    'a<b style="display:none;display:foo">b</b><b style="display:none;display:block none">c</b><b style="display:foo">d</b><b style="display:none !x">e</b>f',
    'adef',
  ],
  [
    'display with a value that there is',
    'a<b style="display:none;display:inline">b</b><b style="display:none;display:inline flow">c</b><b style="display:none!important;display:inline">d</b><b style="display:none/*x*/">e</b>f',
    'abcf',
  ],
  [
    'visibility with a value that there is not',
    'a<b style="visibility:hidden;visibility:foo">b</b><b style="visibility:hidden;visibility:visible">c</b>d',
    'acd',
  ],
  ['popover', 'a<div popover>b</div><b popover=manual>c</b>d', 'ad'],
  ['popover, shown by style', 'a<div popover style="display: block">b</div>c', 'a\nb\nc'],
  ['open dialog that is a popover', 'a<dialog open popover>b</dialog>c', 'a\nb\nc'],
  ['progress and meter', 'a<progress>b</progress><meter>c</meter>d', 'ad'],
  ['entities', '&lt;a&gt; &amp;amp; &eacute;&#x1F600;&copy', '<a> &amp; é😀©'],
  ['textarea and input', 'a<textarea>b</textarea><input value=c>d', 'ad'],
  ['buttons and labels', '<label>a</label> <button> b </button> c', 'a b c'],
  ['media and frames', 'a<video>b</video><audio>c</audio><iframe>d</iframe><canvas>e</canvas>f', 'af'],
  ['images', 'a<img alt=b>c', 'ac'],
  ['hr', 'a<hr>b', 'a\nb'],
  ['fieldset', '<fieldset><legend>a</legend>b</fieldset>c', 'a\nb\nc'],
  [
    'sectioning',
    '<main><article><header>a</header><section>b</section><footer>c</footer></article></main>',
    'a\nb\nc',
  ],
  ['quotes', '<blockquote>a</blockquote>b<q>c</q>', 'a\nbc'],
  ['figures', '<figure><img><figcaption>a</figcaption></figure>b', 'a\nb'],
  ['custom elements', '<x-a>a</x-a><x-b>b</x-b>', 'ab'],
  ['svg', 'a<svg><title>t</title><text>b</text></svg>c', 'a\nb\nc'],
  ['closed dialog', 'a<dialog>b</dialog>c', 'ac'],
  ['open dialog', 'a<dialog open>b</dialog>c', 'a\nb\nc'],
  ['br at the end of a block', '<div>a<br></div><div>b</div>', 'a\n\nb'],
  ['br alone in a block', '<div>a</div><div><br></div><div>b</div>', 'a\n\n\nb'],
  ['paragraphs in cells', '<table><tr><td><p>a</p></td><td>b</td></tr></table>', 'a\n\n\tb'],
  ['select', 'a<select><option>b</option><option>c</option></select>d', 'a\nb\nc\nd'],
  ['ruby', '<ruby>a<rp>(</rp><rt>b</rt></ruby>c', 'abc'],
  ['nested tables', '<table><tr><td><table><tr><td>a<td>b</table><td>c</table>', 'a\tb\n\tc'],
  ['pre with a line break at its end', '<pre>a\n</pre>b', 'a\n\nb'],
  ['wbr and soft hyphen', 'a<wbr>b&shy;c', 'ab\u00adc'],
  ['spaces around br', 'a <br> b', 'a\nb'],
  ['block in an inline element', '<b>a<div>b</div>c</b>', 'a\nb\nc'],
  ['link in text', 'see <a href=x>here</a>, <em>or</em> not', 'see here, or not'],
];

const TAGS =
  '<div> </div> <p> </p> <table> <tr> <td> <th> <tbody> </td> </table> <caption> <br> <ul> <li> </ul> <dl> <dd> <h1> </h1>' +
  ' <b> </b> <a> </a> <span> </span> <hr> <section> </section> <blockquote> <fieldset> <legend> <x-y> <i> </i> <!--x--> &nbsp; <form> </form> <label> <summary> <center> <figure>';

/** HTML in any order, balanced or not; without what has a box of its own in a line, beside which browsers keep a space. */
export const TEXT_PARTS: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.stringMatching(/^[ \n\t]?[a-z]{1,3}[ \n\t]{0,2}$/),
      fc.constantFrom(
        ' ',
        '\n',
        '<script>x</script>',
        '<style>y</style>',
        '<p hidden>z</p>',
        ...TAGS.split(' '),
      ),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));
