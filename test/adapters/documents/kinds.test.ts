import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { utils, write } from '@e965/xlsx';
import { readDocument } from '../../../src/adapters/documents/read-document.ts';
import { documentKind } from '../../../src/content/charset/document-kind.ts';
import { DOCUMENT_KINDS, type DocumentKind, type DocumentReading } from '../../../src/domain/document.ts';
import { reading as markdownOf } from '../../content/reading.ts';
import { encryptedPdf, lines, type PlacedText, pagePdf, pdfOf, streamOf, textPdf } from './make-pdf.ts';
import { docxOf, officeMembers, relationsOf, xlsxOf, zipOf } from './make-zip.ts';

const UNKNOWN = 'application/octet-stream';

describe('documents of each kind', () => {
  // Not in a process for each, which takes half a second: the contract of the reader has those.
  const read = (bytes: Buffer, kind: DocumentKind) =>
    readDocument(bytes, kind, { maxPages: 2000, ms: 30_000 });

  /** Reads a document as one that was sent as unknown data. */
  async function reading(bytes: Buffer, expected: DocumentKind, essence = UNKNOWN): Promise<DocumentReading> {
    assert.equal(documentKind(essence, bytes), expected);
    const result = await read(bytes, expected);
    assert.ok(result.kind === 'read', JSON.stringify(result));
    return result.reading;
  }
  const bodyOf = async (bytes: Buffer, expected: DocumentKind, essence?: string): Promise<string> => {
    const { html } = await reading(bytes, expected, essence);
    return /<body>(.*)<\/body>/s.exec(html)![1]!;
  };
  const pdfBody = (...texts: PlacedText[]) => bodyOf(textPdf([texts]), 'pdf');

  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const drawnAt = (text: string, matrix: string) => `BT /F 10 Tf ${matrix} Tm (${text}) Tj ET`;
  const at = (x: number, y: number, text: string) => drawnAt(text, `1 0 0 1 ${x} ${y}`);
  const sheetRow = (row: number, texts: readonly string[], attributes = '') => {
    const cells = texts.map(
      (text, n) => `<c r="${'ABC'[n]}${row}" t="inlineStr"><is><t>${text}</t></is></c>`,
    );
    return `<row r="${row}"${attributes}>${cells.join('')}</row>`;
  };
  const odsOf = (tables: string, styles = '') =>
    zipOf({
      mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
      'meta.xml':
        '<office:meta><dc:title>T</dc:title><meta:creation-date>2026-01-02T03:04:05</meta:creation-date></office:meta>',
    });
  const odsCell = (text: string, attributes = '') =>
    `<table:table-cell office:value-type="string" ${attributes}><text:p>${text}</text:p></table:table-cell>`;
  const odtOf = (content: string, styles = '') =>
    zipOf({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${content}</office:text></office:body></office:document-content>`,
      'meta.xml':
        '<office:meta><dc:title>T</dc:title><meta:creation-date>2026-01-02T03:04:05</meta:creation-date></office:meta>',
    });
  const slideText = (text: string) => `<p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody>`;
  const pptxOf = (slides: readonly string[]) => {
    const numbers = [...slides.keys()].map((n) => n + 1);
    return zipOf({
      ...officeMembers('ppt/presentation.xml', 'presentationml.presentation'),
      'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${numbers.map((n) => `<p:sldId id="${n}" r:id="r${n}"/>`).join('')}</p:sldIdLst></p:presentation>`,
      'ppt/_rels/presentation.xml.rels': relationsOf(
        Object.fromEntries(numbers.map((n) => [`r${n}`, ['slide', `slides/slide${n}.xml`] as const])),
      ),
      ...Object.fromEntries(numbers.map((n) => [`ppt/slides/slide${n}.xml`, slides[n - 1]!])),
    });
  };
  const epubOf = (chapter: string) =>
    zipOf({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml':
        '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
      'book.opf':
        '<package><manifest><item id="c" href="c.xhtml"/></manifest><spine><itemref idref="c"/></spine></package>',
      'c.xhtml': `<html><body>${chapter}</body></html>`,
    });
  const wordRun = (text: string, properties = '') =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;

  it('pdf: headings by size, paragraphs, lists', async () => {
    const body = await pdfBody(
      { text: 'Report', x: 50, y: 760, size: 24 },
      { text: 'Part one', x: 50, y: 720, size: 14 },
      ...lines(['The first line is long enough to end', 'at the edge. It goes on to here and on.'], 50, 700),
      ...lines(['\x95 apples', '\x95 pears'], 50, 650),
      ...lines(['A last paragraph.'], 50, 600),
    );
    assert.equal(
      body,
      '<section><h1>Report</h1><h2>Part one</h2><p>The first line is long enough to end at the edge. It goes on to here and on.</p><ul><li>apples</li><li>pears</li></ul><p>A last paragraph.</p></section>',
    );
  });

  /** Pages with a line at the top and one at the bottom, and text of their own at fixed places. */
  const framedPdf = (count: number, head: (n: number) => string, foot: (n: number) => string) =>
    textPdf(
      Array.from({ length: count }, (_, n) => [
        { text: head(n), x: n % 2 === 0 ? 50 : 400, y: 780, size: 9 },
        ...lines([`Page text ${'abcdefgh'[n]} that begins here`, 'and goes on to its end there.'], 50, 740),
        { text: foot(n), x: 300, y: 30, size: 9 },
      ]),
    );
  const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi'];
  const CHAPTERS = ['1: Start', '2: Middle', '2: Middle', '2: Middle', '3: End', '3: End'];
  const FRAMES: readonly (readonly [
    what: string,
    head: (n: number) => string,
    foot: (n: number) => string,
  ])[] = [
    ['a title and a number', () => 'Manual of the thing', (n) => `${n + 1}`],
    ['roman numbers', () => 'Manual of the thing', (n) => ROMAN[n]!],
    ['left and right pages', (n) => (n % 2 === 0 ? `${n + 7} Manual` : `The thing ${n + 7}`), () => 'Draft'],
    ['chapters, one with one page', (n) => `Chapter ${CHAPTERS[n]} ${n + 2}`, () => 'ACME 2024'],
    ['the number of pages', () => 'Manual', (n) => `Page ${n + 1} of 6`],
    ['dashes', () => 'Manual', (n) => `- ${n + 1} -`],
    ['words of German', () => 'Handbuch', (n) => `Seite ${n + 1}/6`],
    ['a bar', (n) => `${n + 1} | Manual`, () => 'www.site.test'],
  ];
  for (const [what, head, foot] of FRAMES)
    it(`pdf: what runs through the pages is told as such, and not in Markdown: ${what}`, async () => {
      const { html } = await reading(framedPdf(6, head, foot), 'pdf');
      for (let n = 0; n < 6; n++) {
        assert.ok(html.includes(`<header role="doc-pageheader">${head(n)}</header>`), html);
        assert.ok(html.includes(`<footer role="doc-pagefooter">${foot(n)}</footer>`), html);
      }
      const { data } = markdownOf(html, { formats: ['markdown', 'text'] });
      assert.equal(
        data.markdown,
        Array.from(
          'abcdef',
          (name) => `Page text ${name} that begins here and goes on to its end there.`,
        ).join('\n\n'),
      );
      for (let n = 0; n < 6; n++) assert.ok(String(data.text).includes(head(n)), 'text has it');
    });

  it('pdf: first lines and titles of slides do not run through the pages', async () => {
    const titles = ['Goals', 'Results', 'Results', 'Results', 'Goals', 'Goals'];
    const pages = titles.map((title, n) => [
      { text: title, x: 50, y: 700, size: 24 },
      ...lines([`Point ${'abcdef'[n]} of the talk`, 'and the next one'], 50, 600),
    ]);
    const body = await bodyOf(textPdf(pages), 'pdf');
    assert.ok(!body.includes('<header'), body);
    assert.equal(body.match(/<h1>/g)?.length, 6);
    const two = await bodyOf(
      framedPdf(
        2,
        () => 'Manual',
        (n) => `${n + 1}`,
      ),
      'pdf',
    );
    assert.ok(!two.includes('<header'), 'two pages are not enough');
  });

  it('pdf: entries of a table of contents are a list, whatever their size', async () => {
    const dots = ' . . . . . . . . . .';
    const body = await pdfBody(
      { text: `1 Introduction${dots} 1`, x: 50, y: 700, size: 14 },
      ...lines(
        [`1.1 What it is${dots} 1`, '1.2 A title that is so long that', `it has two lines${dots} 12`],
        60,
        680,
      ),
      ...lines(['A.1 Names........ A-3', 'Preface ..... iv', 'shell _ . . . . 8, 86'], 60, 640),
      ...lines(['The text of the first chapter is here, and it', 'has no dots that lead to 12'], 50, 560),
    );
    assert.equal(
      body,
      '<section><ul><li>1 Introduction … 1</li><li>1.1 What it is … 1</li><li>1.2 A title that is so long that it has two lines … 12</li><li>A.1 Names … A-3</li><li>Preface … iv</li><li>shell _ … 8, 86</li></ul><p>The text of the first chapter is here, and it has no dots that lead to 12</p></section>',
    );
  });

  it('pdf: options with their descriptions are items, and no table', async () => {
    const option = (y: number, name: string, ...description: string[]) => [
      { text: name, x: 50, y },
      ...lines(description, 150, y),
    ];
    const body = await pdfBody(
      ...option(700, '-a', 'Does all of it, and'.concat(' then it does'), 'nothing more for now.'),
      ...option(676, '-x, --long', 'Takes the long way.'),
      ...option(664, '--size=BYTES', 'How much it is. The limit', 'is high.'),
      ...option(640, '+n', 'Turns it off.'),
      { text: '--alone [file]', x: 50, y: 600 },
      ...lines(['Stands in a line of its own, and is', 'told below.'], 70, 588),
    );
    assert.equal(
      body,
      '<section><ul><li>-a Does all of it, and then it does nothing more for now.</li><li>-x, --long Takes the long way.</li><li>--size=BYTES How much it is. The limit is high.</li><li>+n Turns it off.</li><li>--alone [file]<br>Stands in a line of its own, and is told below.</li></ul></section>',
    );
  });

  it('pdf: items go on in the lines that hang under them', async () => {
    const body = await pdfBody(
      ...[700, 676].flatMap((y, n) => [
        { text: '\x95', x: 50, y },
        ...lines([`Item ${n} has a sentence.`, 'And it goes on here.'], 70, y),
      ]),
      { text: '\x95', x: 50, y: 652 },
      { text: 'The last', x: 70, y: 652 },
      ...lines(['1. The first step is done. ', '2. The next step is a longer one.'], 50, 600),
      { text: 'It goes on here.', x: 62, y: 576 },
    );
    assert.equal(
      body,
      '<section><ul><li>Item 0 has a sentence. And it goes on here.</li><li>Item 1 has a sentence. And it goes on here.</li><li>The last</li></ul><p>1. The first step is done.</p><p>2. The next step is a longer one. It goes on here.</p></section>',
    );
  });

  it('pdf: words divided at the end of a line', async () => {
    const body = await pdfBody(
      ...lines(
        [
          'A well-known rule says that words are hyphen-',
          'ated, but that this one is not: it is well-',
          'known and stays as it was, as all such are.',
        ],
        50,
        700,
      ),
    );
    assert.match(body, /words are hyphenated, but that this one is not: it is well-known and/);
  });

  it('pdf: hyphens at the end of a line that stay', async () => {
    const body = await pdfBody(
      ...lines(
        [
          'The factor is computed row-',
          'by-row, and entries that are out-of-',
          'range are left out, as all Hard-',
          'und Software of the time did it for them.',
        ],
        50,
        700,
      ),
    );
    assert.match(body, /computed row-by-row, and entries that are out-of-range .* all Hard- und Software of/);
  });

  const left = [
    'Left one begins here and',
    'left two goes on and then',
    'left three is here and',
    'left four is there and',
    'left five comes and goes',
    'left six is the end.',
  ];
  const right = left.map((text) => text.replace('left', 'right').replace('Left', 'Right'));
  const inColumns = (order: 'columns' | 'rows') => {
    const [a, b] = [lines(left, 50, 700), lines(right, 320, 700)];
    return order === 'columns' ? [...a, ...b] : a.flatMap((text, row) => [text, b[row]!]);
  };
  for (const order of ['columns', 'rows'] as const)
    it(`pdf: columns, written by ${order}, under a title that is written last`, async () => {
      const body = await pdfBody(...inColumns(order), {
        text: 'The title over both',
        x: 150,
        y: 750,
        size: 20,
      });
      assert.match(
        body,
        /^<section><h1>The title over both<\/h1><p>Left one .* left six is the end\.<\/p><p>Right one .* right six is the end\.<\/p><\/section>$/,
      );
    });

  it('pdf: rows of short texts are a table', async () => {
    const rows = [
      ['Name', 'Price', 'Stock'],
      ['Tea', '3.50', '12'],
      ['Coffee', '7.00', ''],
    ];
    const texts = rows.flatMap((cells, row) =>
      cells.flatMap((text, column) =>
        text === '' ? [] : [{ text, x: 50 + 100 * column, y: 700 - 14 * row }],
      ),
    );
    assert.match(
      await pdfBody(...texts),
      /<table><tr><td>Name<\/td><td>Price<\/td><td>Stock<\/td><\/tr><tr><td>Tea<\/td><td>3\.50<\/td><td>12<\/td><\/tr><tr><td>Coffee<\/td><td>7\.00<\/td><td><\/td><\/tr><\/table>/,
    );
  });

  it('pdf: lines that end early stay lines', async () => {
    const body = await pdfBody(
      ...lines(['Ann Example', 'Some Street 12', '12345 A Town with a Long Name'], 50, 700),
    );
    assert.match(body, /<p>Ann Example<br>Some Street 12<br>12345 A Town with a Long Name<\/p>/);
  });

  it('docx: headings, tables, links to nowhere, formulas', async () => {
    const paragraph = (text: string, style = '') =>
      `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;
    const fraction =
      '<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath>';
    const bytes = docxOf(
      `${paragraph('Title', 'Heading1')}<w:p><w:r><w:t xml:space="preserve">If </w:t></w:r>${fraction}</w:p><w:tbl><w:tr><w:tc>${paragraph('&lt;cell')}</w:tc></w:tr></w:tbl>`,
    );
    const { html, document } = await reading(bytes, 'docx');
    assert.match(
      html,
      /<h1>.*Title<\/h1>.*If <span class="math inline">\\\(\\frac\{a\}\{b\}\\\)<\/span><\/p><table>.*&lt;cell.*<\/table>/,
    );
    assert.deepEqual(
      [document.title, document.author, document.created],
      ['The title', 'Ann', '2026-01-02T03:04:05Z'],
    );
  });

  /** A page with annotations, which are written without their `/Type`. */
  const annotated = (content: string, annotations: readonly string[]) => {
    const places = annotations.map((_, n) => `${6 + n} 0 R`).join(' ');
    return pagePdf(content, {
      page: `/Annots[${places}]`,
      catalog: `/AcroForm<</Fields[${places}]/DA(/F 10 Tf 0 g)>>`,
      more: annotations.map((entries) => `<</Type/Annot${entries}>>`),
    });
  };
  const widget = (type: string, rect: string, entries: string) =>
    `/Subtype/Widget/FT/${type}/T(f${rect.replace(/\W/g, '')})/Rect[${rect}]${entries}`;
  const ticked = (rect: string, state: string) =>
    widget('Btn', rect, `/V/${state}/AS/${state}/AP<</N<</Yes 5 0 R/Off 5 0 R>>>>`);

  const TABLE = [
    ['Name', 'Price', 'Stock'],
    ['Tea', '3.50', '12'],
    ['Coffee', '7.00', '9'],
  ];
  /** How a text is placed that lies `along` the line and `down` the page as it is seen. */
  const SIDEWAYS: readonly (readonly [
    what: string,
    place: (along: number, down: number) => string,
    entries: string,
  ])[] = [
    ['upwards', (along, down) => `0 1 -1 0 ${100 + down} ${along}`, ''],
    ['upwards on a page that is turned', (along, down) => `0 1 -1 0 ${100 + down} ${along}`, '/Rotate 90'],
    ['downwards', (along, down) => `0 -1 1 0 ${500 - down} ${700 - along}`, ''],
    [
      'downwards on a page that is turned',
      (along, down) => `0 -1 1 0 ${500 - down} ${700 - along}`,
      '/Rotate 270',
    ],
    ['upside down', (along, down) => `-1 0 0 -1 ${500 - along} ${100 + down}`, '/Rotate 180'],
    [
      'a little aslant',
      (along, down) => `.9998 .0175 -.0175 .9998 ${50 + along} ${(700 - down + 0.0175 * along).toFixed(2)}`,
      '',
    ],
  ];

  /** A page and what a reader sees on it. */
  const SEEN: readonly (readonly [what: string, page: () => Buffer, body: string])[] = [
    [
      'the value of a field beside its label',
      () =>
        annotated(`${at(50, 700, 'Name:')} ${at(50, 600, 'The end.')}`, [
          widget('Tx', '100 696 300 712', '/V(Marjorie Daw)'),
        ]),
      '<p>Name: Marjorie Daw</p><p>The end.</p>',
    ],
    [
      'values in the order of the rows, whatever that of the fields',
      () =>
        annotated(`${at(50, 700, 'Name')} ${at(300, 700, 'Born')} ${at(50, 660, 'Town')}`, [
          widget('Tx', '100 656 200 672', '/V(Rome)'),
          widget('Tx', '350 696 400 712', '/V(1901)'),
          widget('Tx', '100 696 200 712', '/V(Ann)'),
        ]),
      '<table><tr><td>Name</td><td>Ann</td><td>Born</td><td>1901</td></tr><tr><td>Town</td><td>Rome</td><td></td><td></td></tr></table>',
    ],
    [
      'ticks before their labels',
      () =>
        annotated(`${at(70, 700, 'yes')} ${at(70, 660, 'no')}`, [
          ticked('50 698 60 708', 'Yes'),
          ticked('50 658 60 668', 'Off'),
        ]),
      '<p>☒ yes</p><p>☐ no</p>',
    ],
    [
      'choices as they are shown',
      () =>
        annotated(at(50, 700, 'Fruit'), [
          widget('Ch', '100 696 200 712', '/Ff 131072/V(b)/Opt[[(a)(Apple)][(b)(Banana)]]'),
        ]),
      '<p>Fruit Banana</p>',
    ],
    [
      'lines of a field',
      () => annotated(at(50, 700, 'To'), [widget('Tx', '50 640 300 690', '/Ff 4096/V(Ann\\rRome)')]),
      '<p>To</p><p>Ann Rome</p>',
    ],
    [
      'notes that are typed onto the page',
      () =>
        annotated(at(50, 700, 'Text.'), [
          '/Subtype/FreeText/Contents(A note)/DA(/F 10 Tf 0 g)/Rect[50 600 200 620]',
        ]),
      '<p>Text.</p><p>A note</p>',
    ],
    [
      'no notes that are closed, no hidden fields, no passwords',
      () =>
        annotated(at(50, 700, 'Text.'), [
          '/Subtype/Text/Contents(closed)/Rect[50 600 60 610]',
          widget('Tx', '50 500 200 512', '/F 2/V(hidden)'),
          widget('Tx', '50 400 200 412', '/Ff 8192/V(secret)'),
        ]),
      '<p>Text.</p>',
    ],
    [
      'links',
      () =>
        annotated(at(50, 700, 'See our site for more.'), [
          '/Subtype/Link/Rect[68 698 110 710]/A<</S/URI/URI(https://a.test/)>>',
        ]),
      '<p>See <a href="https://a.test/">our site</a> for more.</p>',
    ],
    [
      'a link over two lines, and none into the document or to a script',
      () =>
        annotated(
          `${at(50, 700, 'This is a long line that ends in a link')} ${at(50, 688, 'that goes on. And then')}`,
          [
            '/Subtype/Link/Rect[184 698 208 710]/A<</S/URI/URI(https://a.test/)>>',
            '/Subtype/Link/Rect[48 686 110 697]/A<</S/URI/URI(https://a.test/)>>',
            '/Subtype/Link/Rect[48 698 90 710]/Dest[3 0 R/Fit]',
            '/Subtype/Link/Rect[90 698 110 710]/A<</S/JavaScript/JS(x)>>',
          ],
        ),
      '<p>This is a long line that ends in <a href="https://a.test/">a link that goes on.</a> And then</p>',
    ],
    [
      'a line that is drawn twice to look bold once',
      () => pagePdf(`${at(50, 700, 'Total amount')} ${at(50.3, 700, 'Total amount')} ${at(50, 600, 'next')}`),
      '<p>Total amount</p><p>next</p>',
    ],
    [
      'a shadow, and what is drawn again later, once',
      () =>
        pagePdf(
          `${at(50, 700, 'Title')} ${at(50, 600, 'Text')} ${at(51, 699, 'Title')} ${at(50, 600, 'Text')}`,
        ),
      '<p>Title</p><p>Text</p>',
    ],
    [
      'equal texts in different places as often as they are there',
      () => pagePdf(`${at(50, 700, 'no')} ${at(65, 700, 'no')} ${at(50, 688, 'no')} ${at(50, 600, 'll')}`),
      '<p>no no no</p><p>ll</p>',
    ],
    [
      'accents that are drawn over their letters',
      () =>
        pagePdf(
          `BT /F 10 Tf 1 0 0 1 50 700 Tm [(la versi\xb4) 444 (on de Espa\x98) 444 (na y m\xb4) 444 (as, pero \xb4) 444 (el)] TJ ET ${at(50, 600, 'it\xb4s `code`')}`,
        ),
      '<p>la versión de España y más, pero él</p><p>it´s `code`</p>',
    ],
    [
      'raised accents of capitals, and cedillas',
      () =>
        pagePdf(
          `BT /F 10 Tf 1 0 0 1 50 700 Tm [(L\x92) ] TJ 2 Ts [(\xb4) 500] TJ 0 Ts [(Etat fran\xb8) 416 (cais, franc) 416 (\xb8) -83 (ais)] TJ ET`,
        ),
      '<p>L’État français, français</p>',
    ],
    [
      'letters that are set apart as words',
      () => pagePdf(`5 Tc ${at(50, 700, 'CHAPTER ONE')} 0 Tc ${at(50, 600, 'text')}`),
      '<p>CHAPTER ONE</p><p>text</p>',
    ],
    ['letters a little apart', () => pagePdf(`2 Tc ${at(50, 700, 'CHAPTER ONE')}`), '<p>CHAPTER ONE</p>'],
    [
      'letters that are placed one by one',
      () => pagePdf([...'CHAPTER ONE'].map((letter, n) => at(50 + 14 * n, 700, letter)).join(' ')),
      '<p>CHAPTER ONE</p>',
    ],
    [
      'single letters as they are',
      () =>
        pagePdf(
          `${at(50, 700, 'a b c')} ${at(50, 660, 'A B C D E F')} ${at(50, 600, 'x')} ${at(50, 560, 'y')}`,
        ),
      '<p>a b c</p><p>A B C D E F</p><p>x</p><p>y</p>',
    ],
    [
      'columns with a letter in each as a table',
      () =>
        pagePdf(
          [700, 686, 672]
            .flatMap((y) => [...'ABCDE'].map((letter, n) => at(50 + 60 * n, y, letter)))
            .join(' '),
        ),
      `<table>${'<tr><td>A</td><td>B</td><td>C</td><td>D</td><td>E</td></tr>'.repeat(3)}</table>`,
    ],
    ...SIDEWAYS.map(([what, place, entries]): (typeof SEEN)[number] => [
      `a table that runs ${what}, row by row`,
      () =>
        pagePdf(
          TABLE.flatMap((cells, row) =>
            cells.map((text, column) => drawnAt(text, place(100 + 100 * column, row * 14))),
          ).join(' '),
          { page: entries },
        ),
      `<table>${TABLE.map((cells) => `<tr>${cells.map((text) => `<td>${text}</td>`).join('')}</tr>`).join('')}</table>`,
    ]),
    [
      'what runs along the margin after the text of the page',
      () =>
        pagePdf(
          `${drawnAt('arXiv 1 May', '0 1 -1 0 20 300')} ${at(50, 700, 'The first line of the page is here')} ${at(50, 688, 'and goes on here.')}`,
        ),
      '<p>The first line of the page is here and goes on here.</p><p>arXiv 1 May</p>',
    ],
    [
      'a stamp across the page after its text',
      () =>
        pagePdf(
          `${at(50, 400, 'Above of it')} ${drawnAt('DRAFT COPY', '.7071 .7071 -.7071 .7071 60 300')} ${at(50, 388, 'and below it.')}`,
        ),
      '<p>Above of it and below it.</p><p>DRAFT COPY</p>',
    ],
  ];
  for (const [what, page, body] of SEEN)
    it(`pdf: ${what}`, async () => {
      assert.equal(await bodyOf(page(), 'pdf'), `<section>${body}</section>`);
    });

  const field = (kind: string, inside = '') =>
    `<w:r><w:fldChar w:fldCharType="${kind}">${inside}</w:fldChar></w:r>`;
  const code = (text: string) => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
  const box = (text: string) => `<w:txbxContent><w:p>${wordRun(text)}</w:p></w:txbxContent>`;
  const drawn = (text: string) =>
    `<w:drawing><a:graphic><wps:wsp><wps:txbx>${box(text)}</wps:txbx></wps:wsp></a:graphic></w:drawing>`;
  const styled = (style: string, text: string) =>
    `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${wordRun(text)}</w:p>`;
  const style = (id: string, name: string, properties: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${properties}</w:style>`;
  const STYLES =
    style('berschrift2', 'heading 2', '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>') +
    style('Own', 'Own heading', '<w:basedOn w:val="berschrift2"/>') +
    style('Own2', 'Own heading 2', '<w:basedOn w:val="Own"/>') +
    style('Level', 'By level', '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>') +
    style('Deep', 'heading 8', '') +
    style('TOC', 'TOC Heading', '<w:basedOn w:val="berschrift2"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>') +
    style('Loop', 'Loop', '<w:basedOn w:val="Loop"/>');

  /** What Word shows of the content of a body. */
  const WORDS: readonly (readonly [what: string, body: string, shown: string])[] = [
    [
      'a simple field',
      `<w:p>${wordRun('Table ')}<w:fldSimple w:instr=" SEQ Table ">${wordRun('7')}</w:fldSimple></w:p>`,
      '<p>Table 7</p>',
    ],
    [
      'a simple field in another',
      `<w:p><w:fldSimple w:instr="IF"><w:fldSimple w:instr="MERGEFIELD x">${wordRun('Ann')}</w:fldSimple></w:fldSimple></w:p>`,
      '<p>Ann</p>',
    ],
    [
      'a link that is a simple field',
      `<w:p><w:fldSimple w:instr="HYPERLINK &quot;https://a.test/&quot;">${wordRun('a')}</w:fldSimple></w:p>`,
      '<p><a href="https://a.test/">a</a></p>',
    ],
    [
      'check boxes of content controls',
      `<w:p><w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent>${wordRun('☒')}</w:sdtContent></w:sdt>${wordRun(' yes ')}<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="0"/></w14:checkbox></w:sdtPr><w:sdtContent>${wordRun('☐')}</w:sdtContent></w:sdt>${wordRun(' no')}</w:p>`,
      '<p>☒ yes ☐ no</p>',
    ],
    [
      'check boxes of forms',
      `<w:p>${field('begin', '<w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData>')}${code('FORMCHECKBOX')}${field('end')}${wordRun(' on')}</w:p>`,
      '<p>☒ on</p>',
    ],
    [
      'the choice of a form',
      `<w:p>${field('begin', '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList></w:ffData>')}${code('FORMDROPDOWN')}${field('end')}</w:p>`,
      '<p>blue</p>',
    ],
    [
      'a content control',
      `<w:sdt><w:sdtPr/><w:sdtContent><w:p>${wordRun('a')}</w:p></w:sdtContent></w:sdt>`,
      '<p>a</p>',
    ],
    [
      'links with a place, a tip and a window, in pieces',
      `<w:p>${field('begin')}${code('HYPERLINK "https://a.te')}${code('st/?q=1" \\l "v=2" \\o "A tip" \\t "_blank"')}${field('separate')}${wordRun('a')}${field('end')}${field('begin')}${code(' HYPERLINK \\o "Tip" "https://b.test/"')}${field('separate')}${wordRun('b')}${field('end')}</w:p>`,
      '<p><a href="https://a.test/?q=1#v=2">a</a><a href="https://b.test/">b</a></p>',
    ],
    [
      'ruby',
      `<w:p><w:r><w:ruby><w:rt>${wordRun('とう')}</w:rt><w:rubyBase>${wordRun('東')}</w:rubyBase></w:ruby></w:r></w:p>`,
      '<p>東(とう)</p>',
    ],
    [
      'a large first letter',
      `<w:p><w:pPr><w:framePr w:dropCap="drop" w:lines="3"/></w:pPr>${wordRun('D')}</w:p><w:p><w:pPr><w:jc/></w:pPr>${wordRun('rop')}</w:p><w:p><w:pPr><w:framePr w:dropCap="margin"/></w:pPr>${wordRun('A')}</w:p>`,
      '<p>Drop</p><p>A</p>',
    ],
    [
      'symbols',
      `<w:p><w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Arial" w:char="00E9"/><w:sym w:font="Arial" w:char="F041"/></w:r></w:p>`,
      '<p>✓αéA</p>',
    ],
    [
      'hyphens, breaks and tabs',
      '<w:p><w:r><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:cr/><w:t>c</w:t><w:ptab/><w:t>d</w:t></w:r></w:p>',
      '<p>a\u2011b<br />c\td</p>',
    ],
    [
      'tracked changes',
      `<w:p><w:ins w:id="1">${wordRun('new')}</w:ins><w:del w:id="2"><w:r><w:delText>old</w:delText></w:r></w:del><w:moveFrom>${wordRun('from')}</w:moveFrom><w:moveTo>${wordRun('to')}</w:moveTo></w:p>`,
      '<p>newto</p>',
    ],
    [
      'other directions',
      `<w:p><w:bdo w:val="rtl">${wordRun('a')}</w:bdo><w:dir w:val="ltr">${wordRun('b')}</w:dir></w:p>`,
      '<p>ab</p>',
    ],
    [
      'tags',
      `<w:p><w:smartTag>${wordRun('a')}</w:smartTag><w:customXml>${wordRun('b')}</w:customXml></w:p>`,
      '<p>ab</p>',
    ],
    ['a text box', `<w:p><w:r>${drawn('box')}</w:r></w:p>`, '<p>box</p>'],
    [
      'a text box beside what older programs show',
      `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps">${drawn('box')}</mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>${box('box')}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
      '<p>box</p>',
    ],
    [
      'the only alternative',
      `<w:p><mc:AlternateContent><mc:Choice Requires="w14">${wordRun('a')}</mc:Choice></mc:AlternateContent></w:p>`,
      '<p>a</p>',
    ],
    [
      'the alternative with text',
      `<w:p><mc:AlternateContent><mc:Choice Requires="x"><x/></mc:Choice><mc:Fallback>${wordRun('a')}</mc:Fallback></mc:AlternateContent></w:p>`,
      '<p>a</p>',
    ],
    [
      'a box of older programs',
      `<w:p><w:r><w:pict><v:oval><v:textbox>${box('box')}</v:textbox></v:oval></w:pict></w:r></w:p>`,
      '<p>box</p>',
    ],
    [
      'text as a drawing',
      '<w:p><w:r><w:pict><v:shape><v:textpath string="Sale"/></v:shape></w:pict></w:r></w:p>',
      '<p>Sale</p>',
    ],
    [
      'headings by what their style is based on',
      `${styled('Own', 'a')}${styled('Own2', 'b')}${styled('berschrift2', 'c')}`,
      '<h2>a</h2><h2>b</h2><h2>c</h2>',
    ],
    [
      'headings by level',
      `${styled('Level', 'a')}${styled('Deep', 'b')}<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>${wordRun('c')}</w:p>`,
      '<h3>a</h3><h6>b</h6><h1>c</h1>',
    ],
    [
      'paragraphs that look like headings',
      `${styled('TOC', 'a')}${styled('Loop', 'b')}${styled('None', 'c')}`,
      '<p>a</p><p>b</p><p>c</p>',
    ],
  ];
  for (const [what, body, shown] of WORDS)
    it(`docx: everything that Word shows: ${what}`, async () => {
      assert.equal(await bodyOf(docxOf(body, { styles: STYLES }), 'docx'), shown);
    });

  const mathRun = (text: string, properties = '') =>
    `<m:r><m:rPr>${properties}</m:rPr><m:t>${text}</m:t></m:r>`;
  const mathPart = (name: string, ...texts: readonly string[]) =>
    texts.map((text) => `<m:${name}>${text.startsWith('<') ? text : mathRun(text)}</m:${name}>`).join('');
  const FORMULAS: readonly (readonly [omml: string, tex: string])[] = [
    [`<m:f>${mathPart('num', 'mλ')}${mathPart('den', 'a')}</m:f>`, '\\frac{m\\lambda}{a}'],
    [
      `<m:f><m:fPr><m:type m:val="lin"/></m:fPr>${mathPart('num', 'a+b')}${mathPart('den', '2')}</m:f>`,
      '{a+b}/2',
    ],
    [
      `<m:f><m:fPr><m:type m:val="noBar"/></m:fPr>${mathPart('num', 'n')}${mathPart('den', 'k')}</m:f>`,
      '{n \\atop k}',
    ],
    [`<m:sSup>${mathPart('e', 'x')}${mathPart('sup', '2')}</m:sSup>${mathRun('+λx')}`, 'x^{2}+\\lambda x'],
    [`<m:sSup>${mathPart('e', '10')}${mathPart('sup', '−6')}</m:sSup>`, '10^{-6}'],
    [`<m:sSub>${mathPart('e', 'ab')}${mathPart('sub', 'i')}</m:sSub>`, '{ab}_{i}'],
    [
      `<m:sSubSup>${mathPart('e', 'α')}${mathPart('sub', '1')}${mathPart('sup', '2')}</m:sSubSup>`,
      '\\alpha_{1}^{2}',
    ],
    [`<m:sPre>${mathPart('sub', '2')}${mathPart('sup', '4')}${mathPart('e', 'H')}</m:sPre>`, '{}_{2}^{4}H'],
    [
      `<m:rad>${mathPart('deg', '3')}${mathPart('e', 'x')}</m:rad><m:rad><m:deg/>${mathPart('e', 'y')}</m:rad>`,
      '\\sqrt[3]{x}\\sqrt{y}',
    ],
    [`<m:d>${mathPart('e', 'a', 'b')}</m:d>`, '(a|b)'],
    [
      `<m:d><m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>${mathPart('e', 'x')}</m:d>`,
      '\\left\\{x\\right.',
    ],
    [
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${mathPart('sub', 'i=1')}${mathPart('sup', 'n')}${mathPart('e', 'i')}</m:nary>`,
      '\\sum_{i=1}^{n} i',
    ],
    [`<m:nary><m:sub/><m:sup/>${mathPart('e', 'f')}</m:nary>`, '\\int f'],
    [`<m:func>${mathPart('fName', 'sin')}${mathPart('e', 'θ')}</m:func>`, '\\sin {\\theta}'],
    [
      `<m:func><m:fName><m:limLow>${mathPart('e', 'lim')}${mathPart('lim', 'n→∞')}</m:limLow></m:fName>${mathPart('e', 'n')}</m:func>`,
      '\\lim_{n\\to\\infty}{n}',
    ],
    [`<m:acc><m:accPr><m:chr m:val="\u20d7"/></m:accPr>${mathPart('e', 'v')}</m:acc>`, '\\vec{v}'],
    [`<m:bar><m:barPr><m:pos m:val="top"/></m:barPr>${mathPart('e', 'x')}</m:bar>`, '\\overline{x}'],
    [`<m:groupChr>${mathPart('e', 'a')}</m:groupChr>`, '\\underbrace{a}'],
    [
      `<m:m><m:mr>${mathPart('e', 'a', 'b')}</m:mr><m:mr>${mathPart('e', 'c', 'd')}</m:mr></m:m>`,
      '\\begin{matrix} a & b \\\\ c & d \\end{matrix}',
    ],
    [
      `<m:eqArr>${mathPart('e', 'a&amp;=b', 'c&amp;=d')}</m:eqArr>`,
      '\\begin{aligned} a&=b \\\\ c&=d \\end{aligned}',
    ],
    [`<m:borderBox>${mathPart('e', 'x')}</m:borderBox>`, '\\boxed{x}'],
    [mathRun('if 5%', '<m:nor/>'), '\\text{if 5\\%}'],
    [mathRun('a≤b'), 'a\\leq b'],
  ];
  it('docx: formulas as TeX', async () => {
    const paragraphs = FORMULAS.map(([omml]) => `<w:p><m:oMath>${omml}</m:oMath></w:p>`);
    const body = await bodyOf(docxOf(paragraphs.join('')), 'docx');
    const shown = [...body.matchAll(/<p><span class="math inline">\\\((.*?)\\\)<\/span><\/p>/g)];
    assert.deepEqual(
      shown.map(([, tex]) => tex),
      FORMULAS.map(([, tex]) => escaped(tex)),
    );
    const alone = docxOf(
      `<w:p><m:oMathPara><m:oMathParaPr/><m:oMath>${mathRun('x')}</m:oMath></m:oMathPara></w:p>`,
    );
    assert.equal(await bodyOf(alone, 'docx'), '<p><span class="math display">\\[x\\]</span></p>');
  });

  it('docx: simple fields, headings and hidden text of notes', async () => {
    const note = `<w:footnote w:id="2"><w:p>${wordRun('See ')}<w:fldSimple w:instr="PAGEREF x">${wordRun('9')}</w:fldSimple>${wordRun('x', '<w:vanish/>')}</w:p></w:footnote>`;
    const body = `<w:p>${wordRun('a')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>`;
    assert.match(await bodyOf(docxOf(body, { footnotes: note }), 'docx'), /<li id="footnote-2"><p>See 9 <a/);
  });

  it('xlsx: sheets as tables, dates, merged cells; what lies far away is left out', async () => {
    const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
    const rows = `<row r="1">${cell('A1', 'Day')}${cell('B1', 'Price')}</row><row r="2"><c r="A2" s="1"><v>45000</v></c><c r="B2"><v>1.5</v></c></row><row r="3">${cell('A3', 'both')}</row>`;
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs>';
    const merged = '<mergeCells><mergeCell ref="A3:B3"/></mergeCells>';
    assert.equal(
      await bodyOf(xlsxOf(`<sheetData>${rows}</sheetData>${merged}`, styles), 'xlsx'),
      '<h2>Prices</h2><table><tr><th>Day</th><th>Price</th></tr><tr><td>2023-03-15</td><td>1.5</td></tr><tr><td colspan="2">both</td></tr></table>',
    );
    const far = `<row r="1048576">${cell('XFD1048576', 'far')}</row>`;
    const { html, document } = await reading(xlsxOf(`<sheetData>${rows}${far}</sheetData>`), 'xlsx');
    assert.match(html, /<td>1\.5<\/td>/);
    assert.deepEqual([document.truncated, document.title, document.author], [true, 'The title', 'Ann']);
  });

  // What Excel shows in an American setting. Sources: ECMA-376 part 1, §18.8.30 and §18.8.31.
  const SHOWN: readonly (readonly [code: string, value: number | string, shown: string])[] = [
    ['h:mm', 0.5, '12:00'],
    ['h:mm AM/PM', 0.75, '6:00 PM'],
    ['hh:mm:ss', 0.999988425925926, '23:59:59'],
    ['[h]:mm:ss', 1.5, '36:00:00'],
    ['[mm]:ss', 0.0625, '90:00'],
    ['mm:ss.0', 0.0123, '17:42.7'],
    ['dd/mm/yyyy', 45000, '15/03/2023'],
    ['d-mmm-yy', 45000, '15-Mar-23'],
    ['yyyy"年"m"月"d"日"', 45000, '2023年3月15日'],
    ['[$-407]d. mmmm yyyy', 45000, '15. März 2023'],
    ['yyyy-mm-dd hh:mm', 45000.25, '2023-03-15 06:00'],
    ['yyyy-mm-dd', 60, '1900-02-29'],
    ['General', 0.1 + 0.2, '0.3'],
    ['General', 19.99 * 3, '59.97'],
    ['General', 5901234123457, '5901234123457'],
    ['General', 1e21, '1E+21'],
    ['0.00', 1.1 * 3, '3.30'],
    ['0%', 0.07, '7%'],
    ['0.0%', 0.1234, '12.3%'],
    ['#,##0', 1234567, '1,234,567'],
    ['#,##0.00 "€"', 1234.5, '1,234.50 €'],
    ['[$€-407] #,##0.00', 1234.5, '€ 1,234.50'],
    ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', -1234.5, '$(1,234.50)'],
    ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', 0, '$-'],
    ['#,##0.0;[Red]-#,##0.0', -2.71, '-2.7'],
    ['00000', 1234, '01234'],
    ['(000) 000-0000', 5551234567, '(555) 123-4567'],
    ['# ?/?', 1.25, '1 1/4'],
    ['0.00E+00', 123456, '1.23E+05'],
    ['0.0,,"M"', 12345678, '12.3M'],
    ['[>=1000]0.0,"k";0', 1500, '1.5k'],
    ['"yes";;"no"', 0, 'no'],
    [';;;', 5, ''],
    ['"<"@">"', 'text', '<text>'],
    ['not [a format', 5, '5'],
  ];
  const shownIn = (body: string) => [...body.matchAll(/<tr><td>(.*?)<\/td><td>end/g)].map(([, text]) => text);
  const expectedCells = SHOWN.map(([, , shown]) => escaped(shown));
  const end = '<is><t>end</t></is>';

  it('xlsx: cells are what the sheet shows', async () => {
    const codes = SHOWN.map(([code], n) => `<numFmt numFmtId="${200 + n}" formatCode="${escaped(code)}"/>`);
    const formats = SHOWN.map((_, n) => `<xf numFmtId="${200 + n}" applyNumberFormat="1"/>`);
    const styles = `<numFmts>${codes.join('')}</numFmts><cellXfs>${formats.join('')}</cellXfs>`;
    const rows = SHOWN.map(([, value], n) => {
      const cell =
        typeof value === 'number'
          ? `<c r="A${n + 1}" s="${n}"><v>${value}</v></c>`
          : `<c r="A${n + 1}" s="${n}" t="inlineStr"><is><t>${value}</t></is></c>`;
      return `<row r="${n + 1}">${cell}<c r="B${n + 1}" t="inlineStr">${end}</c></row>`;
    });
    const body = await bodyOf(xlsxOf(`<sheetData>${rows.join('')}</sheetData>`, styles), 'xlsx');
    assert.deepEqual(shownIn(body), expectedCells);
  });

  // Ids of formats that need no code in the file, as Excel shows them in an American setting (ECMA-376 part 1, §18.8.30).
  const IMPLIED: readonly (readonly [id: number, value: number, shown: string])[] = [
    [5, -2, '($2)'],
    [8, 1234.5, '$1,234.50'],
    [14, 45000, '2023-03-15'],
    [22, 45000.25, '2023-03-15 06:00'],
    [31, 45000, '2023-03-15'],
    [33, 0.5, '12:00:00'],
    [37, -1234, '(1,234)'],
    [41, 1234, '1,234'],
    [44, 1234.5, '$1,234.50'],
    [47, 0.0123, '17:42.7'],
    [57, 45000, '2023-03-15'],
    [58, 45000, '2023年'],
    [62, 1234.5, '1,234.50'],
  ];

  it('xlsx: formats that the file need not define, and one that it does', async () => {
    const formats = IMPLIED.map(([id]) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`);
    const rows = IMPLIED.map(
      ([, value], n) =>
        `<row r="${n + 1}"><c r="A${n + 1}" s="${n}"><v>${value}</v></c><c r="B${n + 1}" t="inlineStr">${end}</c></row>`,
    );
    const own = '<numFmts><numFmt formatCode="yyyy&quot;年&quot;" numFmtId="58"/></numFmts>';
    const shownWith = async (numFmts: string) =>
      shownIn(
        await bodyOf(
          xlsxOf(
            `<sheetData>${rows.join('')}</sheetData>`,
            `${numFmts}<cellXfs>${formats.join('')}</cellXfs>`,
          ),
          'xlsx',
        ),
      );
    const expected = IMPLIED.map(([, , shown]) => shown);
    assert.deepEqual(await shownWith(own), expected);
    const undefinedShown = expected.with(
      IMPLIED.findIndex(([id]) => id === 58),
      '2023-03-15',
    );
    assert.deepEqual(await shownWith(''), undefinedShown);
    assert.deepEqual(await shownWith('<numFmts count="0"/>'), undefinedShown);
  });

  it('xls: a format that the file need not define', async () => {
    const sheet = utils.aoa_to_sheet([
      [
        { v: 45000, t: 'n', z: 'h:mm:ss AM/PM' },
        { v: 'end', t: 's' },
      ],
    ]);
    const bytes: Buffer = write(
      { SheetNames: ['S'], Sheets: { S: sheet } },
      { type: 'buffer', bookType: 'biff8' },
    );
    // The format of the cell: a record XF with its length, a font, and the id 19 ([MS-XLS] §2.4.353).
    const at = bytes.toString('latin1').search(/\xe0\x00\x14\x00..\x13\x00/s);
    assert.ok(at > 0);
    bytes.writeUInt16LE(57, at + 6);
    assert.deepEqual(shownIn(await bodyOf(bytes, 'xls', 'application/vnd.ms-excel')), ['2023-03-15']);
  });

  it('xlsx: truth, errors, results of formulas, links and dates as text', async () => {
    const row = `<row r="1"><c r="A1" t="b"><v>1</v></c><c r="B1" t="e"><v>#DIV/0!</v></c><c r="C1" t="str"><f>A1&amp;"x"</f><v>1x</v></c><c r="D1" t="d" s="1"><v>2026-01-02</v></c><c r="E1" t="inlineStr"><is><r><t>ri</t></r><r><t>ch</t></r></is></c></row>`;
    assert.equal(
      await bodyOf(
        xlsxOf(`<sheetData>${row}</sheetData>`, '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'),
        'xlsx',
      ),
      '<h2>Prices</h2><table><tr><td>TRUE</td><td>#DIV/0!</td><td>1x</td><td>2026-01-02</td><td>rich</td></tr></table>',
    );
  });

  for (const type of ['biff8', 'biff5', 'xlsx'] as const)
    it(`${type === 'xlsx' ? 'xlsx' : 'xls'}: cells are what the sheet shows, as ${type}, in both date systems`, async () => {
      const kind = type === 'xlsx' ? 'xlsx' : 'xls';
      for (const date1904 of [false, true]) {
        const texts = SHOWN.filter(([code]) => code !== 'not [a format' && !/[年€]/.test(code));
        const cells = texts.map(([z, v]) => [
          // Of the date system of the file, which counts from 1462 days later.
          { v: date1904 && v === 45000 ? 45000 - 1462 : v, t: typeof v === 'number' ? 'n' : 's', z },
          { v: 'end', t: 's' },
        ]);
        const sheet = utils.aoa_to_sheet(cells);
        const Workbook = { WBProps: { date1904 } };
        const workbook = { SheetNames: ['S'], Sheets: { S: sheet }, Workbook };
        const bytes = Buffer.from(write(workbook, { type: 'buffer', bookType: type }));
        const expected = texts
          .filter(([code]) => !date1904 || !code.startsWith('yyyy'))
          .map(([, , shown]) => escaped(shown));
        const shown = shownIn(
          await bodyOf(bytes, kind, type === 'xlsx' ? UNKNOWN : 'application/vnd.ms-excel'),
        );
        const kept = shown.filter((_, n) => !date1904 || !texts[n]![0].startsWith('yyyy'));
        assert.deepEqual(kept, expected);
      }
    });

  it('ods: cells are what the sheet shows; repeated, merged, grouped and far ones', async () => {
    const time =
      '<table:table-cell office:value-type="time" office:time-value="PT36H00M00S"><text:p>36:00</text:p></table:table-cell>';
    const number =
      '<table:table-cell office:value-type="float" office:value="2"><office:annotation><text:p>comment</text:p></office:annotation><text:p>2.00</text:p></table:table-cell>';
    const bare = '<table:table-cell office:value-type="float" office:value="3"/>';
    const tables = `<table:table table:name="S"><table:table-header-rows><table:table-row>${odsCell('a')}${odsCell('b')}</table:table-row></table:table-header-rows><table:table-row-group><table:table-row>${time}${number}</table:table-row></table:table-row-group><table:table-row>${odsCell('twice', 'table:number-columns-repeated="2"')}</table:table-row><table:table-row>${odsCell('both<text:s/>x<text:line-break/>y', 'table:number-columns-spanned="2"')}<table:covered-table-cell/></table:table-row><table:table-row>${bare}<table:table-cell table:number-columns-repeated="16383"/></table:table-row><table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`;
    const { html, document } = await reading(odsOf(tables), 'ods');
    assert.match(
      html,
      /<body><h2>S<\/h2><table><tr><th>a<\/th><th>b<\/th><\/tr><tr><td>36:00<\/td><td>2\.00<\/td><\/tr><tr><td>twice<\/td><td>twice<\/td><\/tr><tr><td colspan="2">both x\ny<\/td><\/tr><tr><td>3<\/td><td><\/td><\/tr><\/table><\/body>/,
    );
    assert.deepEqual([document.title, document.pages, document.truncated], ['T', 1, false]);
  });

  it('odt: headings, lists, tables, notes; no deleted text', async () => {
    const content =
      '<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:h text:outline-level="2">Head</text:h><text:p>a<text:s text:c="2"/>b<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p></text:note-body></text:note></text:p><text:list text:style-name="L1"><text:list-item><text:p>one</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>cell</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table>';
    const styles =
      '<text:list-style style:name="L1"><text:list-level-style-number text:level="1"/></text:list-style>';
    const bytes = odtOf(content, styles);
    assert.equal(
      await bodyOf(bytes, 'odt'),
      '<h2>Head</h2><p>a  b<sup>1</sup> (note)</p><ol><li><p>one</p></li></ol><table><tr><td colspan="2"><p>cell</p></td></tr></table>',
    );
  });

  it('odt: formulas', async () => {
    const draw = (name: string) =>
      `<draw:frame><draw:object xlink:href="./${name}"/><draw:image xlink:href="./ObjectReplacements/${name}"/></draw:frame>`;
    const bytes = zipOf({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': `<office:document-content><office:body><office:text><text:p>a ${draw('Object 1')} b${draw('Object 2')}${draw('gone')}</text:p></office:text></office:body></office:document-content>`,
      'Object 1/content.xml':
        '<math:math xmlns:math="http://www.w3.org/1998/Math/MathML"><math:semantics><math:msup><math:mi>c</math:mi><math:mn>2</math:mn></math:msup><math:annotation math:encoding="StarMath 5.0">c^2</math:annotation></math:semantics></math:math>',
      'Object 2/content.xml':
        '<office:document-content><office:body><office:chart><text:p>chart</text:p></office:chart></office:body></office:document-content>',
    });
    assert.equal(
      await bodyOf(bytes, 'odt'),
      '<p>a <math><semantics><msup><mi>c</mi><mn>2</mn></msup></semantics></math> b</p>',
    );
  });

  it('odt: bold and italic text', async () => {
    const style = (name: string, properties: string, parent = '') =>
      `<style:style style:name="${name}"${parent}><style:text-properties ${properties}/></style:style>`;
    const styles = `${style('B', 'fo:font-weight="bold"')}${style('BI', 'fo:font-style="italic"', ' style:parent-style-name="B"')}${style('N', 'fo:font-weight="normal"', ' style:parent-style-name="B"')}`;
    const span = (name: string) => `<text:span text:style-name="${name}">${name}</text:span>`;
    assert.equal(
      await bodyOf(odtOf(`<text:p>${span('B')} ${span('BI')} ${span('N')}</text:p>`, styles), 'odt'),
      '<p><strong>B</strong> <strong><em>BI</em></strong> N</p>',
    );
  });

  it('rtf: links, bold and italic text, lists, numbers of headings', async () => {
    const item = (mark: string, text: string, level = 0) =>
      `{\\listtext\\pard ${mark}\\tab}\\pard\\ilvl${level}\\ls1 ${text}\\par`;
    const field = (code: string, text: string) => `{\\field{\\*\\fldinst{${code}}}{\\fldrslt{\\ul ${text}}}}`;
    const rtf = [
      '{\\rtf1\\ansi{\\fonttbl{\\f3\\fcharset2 Symbol;}}',
      `a {\\b b {\\i c}} d ${field('HYPERLINK "https://a.test/?q=1" \\\\l "v" \\\\o "Tip"', '{\\b e}f')}${field(' DATE \\\\@ "d" ', '5')}\\par`,
      item('1.', 'one'),
      item("\\'B7", 'sub', 1),
      item('2.', 'two'),
      '\\pard between\\par',
      item('3.', 'three'),
      '{\\listtext\\pard 1.1\\tab}\\pard\\outlinelevel1 {\\b Head}\\par}',
    ].join('\n');
    assert.equal(
      await bodyOf(Buffer.from(rtf), 'rtf'),
      '<p>a <strong>b <em>c</em></strong> d <a href="https://a.test/?q=1#v"><strong>e</strong>f</a>5</p><ol><li>one</li><ul><li>sub</li></ul><li>two</li></ol><p>between</p><ol start="3"><li>three</li></ol><h2>1.1 Head</h2>',
    );
  });

  it('pptx: slides in their order, with titles, lists, tables and notes', async () => {
    const text = (value: string, level = 0) =>
      `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${value}</a:t></a:r></a:p>`;
    const shape = (type: string, body: string) =>
      `<p:sp><p:nvSpPr><p:nvPr>${type === '' ? '' : `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${body}</p:txBody></p:sp>`;
    const table = `<a:tbl><a:tr><a:tc><a:txBody>${text('cell')}</a:txBody></a:tc></a:tr></a:tbl>`;
    const bytes = zipOf({
      ...officeMembers('ppt/presentation.xml', 'presentationml.presentation'),
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId id="1" r:id="r2"/><p:sldId id="2" r:id="r1"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relationsOf({
        r1: ['slide', 'slides/slide1.xml'],
        r2: ['slide', 'slides/slide2.xml'],
      }),
      'ppt/slides/slide1.xml': `<p:sld>${shape('', text('second'))}${table}${shape('sldNum', text('2'))}</p:sld>`,
      'ppt/slides/slide2.xml': `<p:sld>${shape('title', text('First'))}${shape('body', text('a') + text('b', 1))}</p:sld>`,
      'ppt/slides/_rels/slide2.xml.rels': relationsOf({
        r1: ['notesSlide', '../notesSlides/notesSlide1.xml'],
      }),
      'ppt/notesSlides/notesSlide1.xml': `<p:notes>${shape('', text('to be said'))}</p:notes>`,
    });
    const { html, document } = await reading(bytes, 'pptx');
    assert.match(
      html,
      /<section><h2>First<\/h2><ul><li>a<\/li><ul><li>b<\/li><\/ul><\/ul><aside><p>to be said<\/p><\/aside><\/section><section><p>second<\/p><table><tr><td><p>cell<\/p><\/td><\/tr><\/table><\/section>/,
    );
    assert.deepEqual([document.pages, document.pagesRead, document.title], [2, 2, 'The title']);
  });

  it('epub: chapters in the order of the spine, without scripts', async () => {
    const bytes = zipOf({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml':
        '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
      'OPS/book.opf':
        '<package><metadata><dc:title>Book</dc:title></metadata><manifest><item id="a" href="a%20b.xhtml"/><item id="c" href="c.xhtml"/></manifest><spine><itemref idref="c"/><itemref idref="a"/></spine></package>',
      'OPS/a b.xhtml':
        '<html><head><title>x</title></head><body><p onclick="x()">two&nbsp;<a href="https://a.test/">link</a><a href="c.xhtml">inside</a><script>x</script></p></body></html>',
      'OPS/c.xhtml': '<html><body><h1>One</h1></body></html>',
    });
    assert.equal(
      await bodyOf(bytes, 'epub'),
      '<section><h1>One</h1></section><section><p>two\u00a0<a href="https://a.test/">link</a><a>inside</a></p></section>',
    );
  });

  it('rtf: encodings, tables, properties', async () => {
    const source = String.raw`{\rtf1\ansi\ansicpg1251{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset128 B;}}{\info{\title T}{\creatim\yr2026\mo1\dy2\hr3\min4}}{\*\generator x;}\pard\outlinelevel0 Head\par\pard \'cf\'f0 {\f1\'93\'fa} \u8217? \u-10179?\u-8704? \{x\}\par\trowd\pard\intbl a\cell b\cell\row\pard end\par}`;
    const { html, document } = await reading(Buffer.from(source, 'latin1'), 'rtf');
    assert.match(
      html,
      /<body><h1>Head<\/h1><p>Пр 日 ’ 😀 \{x\}<\/p><table><tr><td><p>a<\/p><\/td><td><p>b<\/p><\/td><\/tr><\/table><p>end<\/p><\/body>/,
    );
    assert.deepEqual([document.title, document.created], ['T', '2026-01-02T03:04:00Z']);
  });

  /** A document, what it shows, and what the warning counts. */
  const HIDDEN: readonly (readonly [
    what: string,
    DocumentKind,
    () => Buffer,
    shown: RegExp,
    hidden: object | null,
  ])[] = [
    [
      'hidden and very hidden sheets',
      'xlsx',
      () => xlsxOf(`<sheetData>${sheetRow(1, ['a', 'b'])}</sheetData>`, '', ['hidden', 'veryHidden']),
      /^<h2>Prices<\/h2><table><tr><th>a<\/th><th>b<\/th><\/tr><\/table>$/,
      { sheets: 2 },
    ],
    [
      'rows and columns, with merged cells around them',
      'xlsx',
      () =>
        xlsxOf(
          `<cols><col min="2" max="2" hidden="1"/><col min="5" max="16384" hidden="1"/></cols><sheetData>${sheetRow(1, ['a', 'x', 'c'])}${sheetRow(2, ['x', 'x', 'x'], ' hidden="1"')}${sheetRow(3, ['d', 'x', 'f'])}${sheetRow(4, ['g'])}</sheetData><mergeCells><mergeCell ref="A4:C4"/></mergeCells>`,
        ),
      /<tr><th>a<\/th><th>c<\/th><\/tr><tr><td>d<\/td><td>f<\/td><\/tr><tr><td colspan="2">g<\/td><\/tr>/,
      { rows: 1, columns: 1 },
    ],
    [
      'columns without width',
      'xlsx',
      () =>
        xlsxOf(
          `<cols><col min="1" max="1" width="0" customWidth="1"/></cols><sheetData>${sheetRow(1, ['x', 'b'])}</sheetData>`,
        ),
      /<tr><th>b<\/th><\/tr>/,
      { columns: 1 },
    ],
    [
      'a hidden sheet',
      'xls',
      () => {
        const Sheets = { A: utils.aoa_to_sheet([['a']]), B: utils.aoa_to_sheet([['x']]) };
        const Workbook = { Sheets: [{ Hidden: 0 as const }, { Hidden: 1 as const }] };
        return Buffer.from(
          write({ SheetNames: ['A', 'B'], Sheets, Workbook }, { type: 'buffer', bookType: 'biff8' }),
        );
      },
      /^<h2>A<\/h2><table><tr><th>a<\/th><\/tr><\/table>$/,
      { sheets: 1 },
    ],
    [
      'a hidden sheet, filtered rows and collapsed columns',
      'ods',
      () =>
        odsOf(
          `<table:table table:name="S"><table:table-column/><table:table-column table:visibility="collapse"/><table:table-row>${odsCell('a')}${odsCell('x')}</table:table-row><table:table-row table:visibility="filter">${odsCell('x')}</table:table-row></table:table><table:table table:name="H" table:style-name="ta2"><table:table-row>${odsCell('x')}</table:table-row></table:table>`,
          '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>',
        ),
      /^<h2>S<\/h2><table><tr><th>a<\/th><\/tr><\/table>$/,
      { rows: 1, columns: 1, sheets: 1 },
    ],
    [
      'text, paragraphs, sections and rows',
      'odt',
      () =>
        odtOf(
          '<text:p>a<text:span text:style-name="T1">xxx</text:span>b</text:p><text:p text:style-name="P1">xx</text:p><text:section text:display="none"><text:p>xx</text:p></text:section><text:hidden-paragraph text:is-hidden="true"/><table:table><table:table-row table:visibility="collapse"><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
          '<style:style style:name="T1"><style:text-properties text:display="none"/></style:style><style:style style:name="P1" style:parent-style-name="T1"/>',
        ),
      /^<p>ab<\/p><table><\/table>$/,
      { characters: 8 },
    ],
    [
      'slides and shapes',
      'pptx',
      () =>
        pptxOf([
          '<p:sld show="0"><p:sp>x</p:sp></p:sld>',
          `<p:sld><p:sp><p:nvSpPr><p:cNvPr id="1" hidden="1"/></p:nvSpPr>${slideText('x')}</p:sp><p:grpSp><p:nvGrpSpPr><p:cNvPr hidden="1"/></p:nvGrpSpPr><p:sp>${slideText('x')}</p:sp></p:grpSp><p:sp>${slideText('a')}</p:sp></p:sld>`,
        ]),
      /^<section><p>a<\/p><\/section>$/,
      { slides: 1, shapes: 2 },
    ],
    [
      'text of runs, styles and rows',
      'docx',
      () =>
        docxOf(
          `<w:p>${wordRun('a')}${wordRun('xxx', '<w:vanish/>')}${wordRun('b', '<w:vanish w:val="0"/>')}${wordRun('xx', '<w:rStyle w:val="Secret2"/>')}</w:p><w:p><w:pPr><w:pStyle w:val="Note"/></w:pPr>${wordRun('xx')}${wordRun('c', '<w:vanish w:val="false"/>')}</w:p><w:tbl><w:tr><w:trPr><w:hidden/></w:trPr><w:tc><w:p>${wordRun('x')}</w:p></w:tc></w:tr></w:tbl>`,
          {
            styles:
              '<w:style w:type="character" w:styleId="Secret"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="character" w:styleId="Secret2"><w:name w:val="S2"/><w:basedOn w:val="Secret"/></w:style><w:style w:type="paragraph" w:styleId="Note"><w:name w:val="Note"/><w:rPr><w:vanish w:val="true"/></w:rPr></w:style>',
          },
        ),
      /^<p>ab<\/p><p>c<\/p>(?:<table><\/table>)?$/,
      { characters: 7, rows: 1 },
    ],
    [
      'text',
      'rtf',
      () => Buffer.from(String.raw`{\rtf1 a{\v xxx}\v yy\v0 b{\deleted zz}c\par}`),
      /^<p>abc<\/p>$/,
      { characters: 5 },
    ],
    [
      'elements',
      'epub',
      () =>
        epubOf(
          '<p>a<span hidden="hidden">xx</span><b style="color: red; display:none">xxx</b></p><div hidden=""><p>x</p></div>',
        ),
      /^<section><p>a<\/p><\/section>$/,
      { characters: 6 },
    ],
    [
      'layers that are off, also of forms; no text that is drawn invisibly, as over scans',
      'pdf',
      () =>
        pagePdf(
          `/P <</MCID 0>> BDC ${at(50, 700, 'shown')} EMC /OC /O1 BDC ${at(50, 650, 'xxxx')} EMC /OC /O2 BDC 3 Tr ${at(50, 600, 'on, final')} EMC /X1 Do`,
          {
            catalog: '/OCProperties<</OCGs[6 0 R 7 0 R]/D<</OFF[6 0 R]>>>>',
            resources: '/Properties<</O1 6 0 R/O2 7 0 R>>/XObject<</X1 8 0 R>>',
            more: [
              '<</Type/OCG/Name(off)>>',
              '<</Type/OCG/Name(on)>>',
              streamOf(
                at(50, 500, 'x x'),
                '/Type/XObject/Subtype/Form/BBox[0 0 600 800]/OC 6 0 R/Resources<</Font<</F 4 0 R>>>>',
              ),
            ],
          },
        ),
      /^<section><p>shown<\/p><p>on, final<\/p><\/section>$/,
      { characters: 7 },
    ],
    ['nothing', 'docx', () => docxOf(`<w:p>${wordRun('a')}</w:p>`), /^<p>a<\/p>$/, null],
  ];
  for (const [what, kind, make, shown, hidden] of HIDDEN)
    it(`${kind}: leaves out what is hidden, and says so: ${what}`, async () => {
      const { html, warnings } = await reading(
        make(),
        kind,
        kind === 'xls' ? 'application/vnd.ms-excel' : UNKNOWN,
      );
      assert.match(/<body>(.*)<\/body>/s.exec(html)![1]!, shown);
      const told = warnings.map(({ code, details }) => [code, details]);
      assert.deepEqual(told, hidden === null ? [] : [['document.hidden', hidden]]);
    });

  it('csv: finds the separator', async () => {
    const table = '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>x;&quot;y</td></tr></table>';
    for (const separator of [',', ';', '\t', '|'])
      assert.equal(
        await bodyOf(Buffer.from(`\ufeffa${separator}b\r\n1${separator}"x;""y"\r\n`), 'csv', 'text/csv'),
        table,
      );
  });

  it('pdf: text in an encoding that is not known is told', async () => {
    const bytes = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 4 0 R/G 7 0 R>>>>/Contents 6 0 R>>',
      '<</Type/Font/Subtype/Type0/BaseFont/Ryumin/Encoding/90ms-RKSJ-H/DescendantFonts[5 0 R]>>',
      '<</Type/Font/Subtype/CIDFontType0/BaseFont/Ryumin/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/FontDescriptor 8 0 R>>',
      streamOf('BT /G 10 Tf 50 700 Td (Known) Tj ET BT /F 10 Tf 50 600 Td <93fa967b> Tj ET'),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
      '<</Type/FontDescriptor/FontName/Ryumin/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/StemV 80>>',
    ]);
    const { html, document, warnings } = await reading(bytes, 'pdf');
    assert.match(html, /Known/);
    assert.deepEqual([document.truncated, document.textLayer, document.pagesRead], [true, true, 1]);
    const [{ code, message }, ...others] = warnings as [{ code: string; message: string }];
    assert.deepEqual([code, others], ['document.truncated', []]);
    assert.match(message, /Chinese, Japanese or Korean encodings/);
  });

  const fails = async (bytes: Buffer, kind: DocumentKind, reason: string) => {
    const result = await read(bytes, kind);
    assert.ok(result.kind === 'unreadable', kind);
    assert.equal(result.reason, reason, result.message);
  };

  it('says which documents are encrypted', async () => {
    const manifest = '<manifest:manifest><manifest:encryption-data/></manifest:manifest>';
    const ole2 = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]);
    await fails(encryptedPdf(), 'pdf', 'encrypted');
    await fails(zipOf({ 'content.xml': 'x', 'META-INF/manifest.xml': manifest }), 'odt', 'encrypted');
    for (const kind of ['docx', 'xlsx', 'pptx'] as const) await fails(ole2, kind, 'encrypted');
  });

  it('says which documents are forms that cannot be read', async () => {
    const content = at(50, 700, 'Please wait... If this message is not eventually replaced');
    const form = (fields: string) =>
      pagePdf(content, {
        catalog: `/NeedsRendering true/AcroForm<</Fields[${fields}]/XFA 6 0 R>>`,
        page: `/Annots[${fields}]`,
        more: [streamOf('<xdp:xdp/>'), `<</Type/Annot${widget('Tx', '100 600 200 612', '/V(Ann)')}>>`],
      });
    await fails(form(''), 'pdf', 'unsupported');
    assert.match(await bodyOf(form('7 0 R'), 'pdf'), /Ann/);
  });

  it('says which documents are broken', async () => {
    for (const kind of DOCUMENT_KINDS)
      if (kind !== 'csv') await fails(Buffer.from('no document'), kind, 'broken');
  });

  it('knows kinds by their bytes, and leaves everything else alone', () => {
    const pdf = textPdf([[]]);
    assert.equal(documentKind('application/pdf', pdf), 'pdf');
    assert.equal(documentKind('application/msword', docxOf('')), null);
    assert.equal(documentKind('application/vnd.ms-excel', xlsxOf('')), 'xlsx', 'declared as the old format');
    assert.equal(documentKind('application/zip', docxOf('')), 'docx');
    assert.equal(documentKind('application/zip', zipOf({ 'a.txt': 'PK' })), null);
    assert.equal(documentKind('text/html', pdf), null);
    assert.equal(documentKind(UNKNOWN, Buffer.from('PK\x03\x04')), null);
    assert.equal(documentKind(UNKNOWN, Buffer.alloc(0)), null);
    assert.equal(documentKind('text/csv', Buffer.from('a,b')), 'csv');
  });
});
