import fc from '../../helpers/fast-check.ts';

/** Texts that mean something in Markdown, and characters around which delimiters work differently. */
const NASTY = [
  '*',
  '**',
  '_',
  '__',
  '***',
  '`',
  '``',
  '```',
  '~',
  '~~',
  '~~~',
  '#',
  '##',
  '1.',
  '2)',
  '-',
  '+',
  '>',
  '|',
  '\\',
  '<',
  '>',
  '&amp;amp;',
  '&amp;',
  '&amp;lt;',
  '&lt;b&gt;',
  '&lt;!-- x --&gt;',
  '[x](y)',
  '![x](y)',
  '[x]',
  '[x]: y',
  '[^1]',
  '[1]',
  '[ ] x',
  '[x] y',
  ']',
  '[',
  '(',
  ')',
  '!',
  '---',
  '===',
  '***',
  '* * *',
  '|---|',
  '| a | b |',
  ':--',
  'snake_case_x',
  '_x_',
  '*x*',
  '**x**',
  '`x`',
  '~~x~~',
  '$x$',
  '$',
  'http://a.test/b_c_d',
  'https://a.test/*x*',
  'www.a.test/_x_',
  'x_y@a.test',
  '😀',
  '中文',
  '“',
  '”',
  '。',
  '，',
  '™',
  '…',
  '\u00a0',
  '  ',
  '\n',
  '\t',
  'é',
  '1986. A',
  'a\\',
  '\\*',
  '&amp;#35;',
  ':',
  '"',
  "'",
  '.',
  ',',
  '- x',
  '# x',
  '> x',
  '+ x',
];
const word = fc.stringMatching(/^[a-z]{1,4}$/);
const nasty = fc.constantFrom(...NASTY);
const space = fc.constantFrom('', '', ' ', ' ', '\n');
const text = fc
  .array(fc.tuple(space, fc.oneof(word, nasty), space), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.flat().join(''));

const element = (name: string, attributes: string, content: string) =>
  `<${name}${attributes}>${content}</${name}>`;

interface Trees {
  inline: string;
  block: string;
}

const { block } = fc.letrec((tie: fc.LetrecTypedTie<Trees>) => ({
  inline: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.constantFrom('<br>', ' ', '<img src="i.png" alt="a]*b">'),
    fc
      .tuple(
        fc.constantFrom(
          'b',
          'i',
          'em',
          'strong',
          'del',
          'code',
          'kbd',
          'sub',
          'sup',
          'span',
          'a href="u_v*(x"',
          'a href="/"',
        ),
        fc.array(tie('inline'), { minLength: 1, maxLength: 3 }),
      )
      .map(([name, content]) =>
        element(name.split(' ')[0]!, name.slice(name.split(' ')[0]!.length), content.join('')),
      ),
  ),
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .array(tie('inline'), { minLength: 1, maxLength: 5 })
      .map((content) => element('p', '', content.join(''))),
    fc
      .array(tie('inline'), { minLength: 1, maxLength: 5 })
      .map((content) => element('div', '', content.join(''))),
    fc
      .tuple(fc.integer({ min: 1, max: 6 }), tie('inline'))
      .map(([level, content]) => element(`h${level}`, '', content)),
    text.map((content) => element('pre', '', element('code', ' class="language-js"', content))),
    fc.constant('<hr>'),
    fc
      .tuple(
        fc.constantFrom('ul', 'ol', 'ol start=3', 'ol reversed'),
        fc.array(fc.array(tie('block'), { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
      )
      .map(([list, items]) =>
        element(
          list.split(' ')[0]!,
          list.slice(2),
          items.map((item) => element('li', '', item.join(''))).join(''),
        ),
      ),
    fc
      .array(tie('inline'), { minLength: 1, maxLength: 3 })
      .map((items) => element('ul', '', items.map((item) => element('li', '', item)).join(''))),
    fc
      .array(tie('block'), { minLength: 1, maxLength: 3 })
      .map((content) => element('blockquote', '', content.join(''))),
    fc
      .tuple(tie('inline'), tie('block'))
      .map(([term, description]) => `<dl><dt>${term}</dt><dd>${description}</dd></dl>`),
    fc
      .array(fc.array(tie('inline'), { minLength: 2, maxLength: 3 }), { minLength: 2, maxLength: 3 })
      .map((rows) =>
        element(
          'table',
          '',
          rows.map((row) => element('tr', '', row.map((cell) => element('th', '', cell)).join(''))).join(''),
        ),
      ),
    fc
      .array(fc.array(tie('block'), { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 })
      .map((rows) =>
        element(
          'table',
          '',
          rows.map((row) => element('tr', '', row.map((cell) => element('td', '', cell)).join(''))).join(''),
        ),
      ),
  ),
}));

/** HTML of a body whose text is as nasty as can be for Markdown. */
export const nastyPages: fc.Arbitrary<string> = fc
  .array(block, { minLength: 1, maxLength: 4 })
  .map((blocks) => blocks.join(''));
