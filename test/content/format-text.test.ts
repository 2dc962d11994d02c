import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '../helpers/fast-check.ts';
import { reading, textOf } from './reading.ts';
import { TEXT_PAGES, TEXT_PARTS } from './text-pages.ts';

describe('format text', () => {
  for (const [name, html, expected] of TEXT_PAGES) it(name, () => assert.equal(textOf(html), expected));

  it('includes the content of a closed details, unlike browsers', () => {
    assert.equal(textOf('<details><summary>Q</summary>A</details>'), 'Q\nA');
  });

  it('puts the source of a quote on a line of its own', () => {
    const quote = (inside: string) => textOf(`<blockquote>${inside}</blockquote>`);
    assert.equal(quote('To be.<cite>Hamlet</cite>\n'), 'To be.\nHamlet');
    assert.equal(quote('<p>To <i>be</i><cite>Hamlet</cite></p>'), 'To be\nHamlet');
    // These are parts of a sentence.
    assert.equal(quote('So says <cite>Hamlet</cite>'), 'So says Hamlet');
    assert.equal(quote('(<cite>Hamlet</cite>) says so'), '(Hamlet) says so');
    assert.equal(textOf('<p>To be.<cite>Hamlet</cite></p>'), 'To be.Hamlet');
  });

  it('leaves out what fonts show as icons', () => {
    const icon = '<i class="icon material-icons-outlined md-18">arrow_forward</i>';
    assert.equal(
      textOf(`<p>Next${icon}</p><a href=x><span class=material-symbols-rounded> home </span>`),
      'Next',
    );
    assert.equal(textOf('<p>a<i class=fa>\uf101</i><b>\u{f0001} \ue000</b></p>'), 'a');
    // Words, and characters among others.
    assert.equal(textOf('<i class=material-icons>See all</i> <i class=materials>done</i>'), 'See all done');
    assert.equal(textOf('<b>\uf8ff Pie</b> \ue000'), '\uf8ff Pie \ue000');
    assert.equal(textOf('<table><tr><td>\ue000</td><td>b</td></tr></table>'), '\ue000\tb');
  });

  /** As Cloudflare writes an address, with any key. */
  const hide = (address: string, key: number) =>
    Buffer.from([key, ...Buffer.from(address).map((byte) => byte ^ key)]).toString('hex');
  const HIDDEN_ADDRESSES: readonly (readonly [html: (hex: string) => string, text: string])[] = [
    [
      (hex) =>
        `<a href="/cdn-cgi/l/email-protection#${hex}"><span class="__cf_email__" data-cfemail="${hex}">[email&#160;protected]</span></a>`,
      'jo@shop.test',
    ],
    [
      (hex) =>
        `<a href="/cdn-cgi/l/email-protection" class="__cf_email__" data-cfemail="${hex.toUpperCase()}">[email protected]</a>`,
      'jo@shop.test',
    ],
    [(hex) => `<a href="https://site.test/cdn-cgi/l/email-protection#${hex}">Write</a>`, 'Write'],
    [(hex) => `<a href="//site.test/cdn-cgi/l/email-protection#${hex}">Write</a>`, 'Write'],
    [
      (hex) => `<p>To <b class=__cf_email__ data-cfemail=${hex}><i>[email</i> protected]</b>.`,
      'To jo@shop.test.',
    ],
    [
      (hex) => `<x-a><template shadowrootmode=open><i data-cfemail=${hex}>x</i></template></x-a>`,
      'jo@shop.test',
    ],
    [(hex) => `<table><tr><td data-cfemail=${hex}>x<td>b</table>`, 'jo@shop.test\tb'],
    // What cannot be read is left, and is no link.
    [
      () => '<a href="/cdn-cgi/l/email-protection#zz">a</a> <i data-cfemail="">[email protected]</i>',
      'a [email protected]',
    ],
  ];
  it('has the addresses that a CDN hides, the same with any key', () => {
    for (const [html, expected] of HIDDEN_ADDRESSES)
      for (const key of [0x5a, 0x13, 0]) {
        const page = html(hide('jo@shop.test', key));
        const { data } = reading(page, { formats: ['text', 'markdown', 'links'] });
        assert.equal(data.text, expected, page);
        const shown = JSON.stringify(data);
        assert.doesNotMatch(shown, /cdn-cgi/, page);
        assert.equal(/jo@shop/.test(shown), /jo@shop/.test(expected) || /Write/.test(expected), page);
        assert.deepEqual(
          data,
          reading(html(hide('jo@shop.test', 0x77)), { formats: ['text', 'markdown', 'links'] }).data,
        );
      }
    // Bytes of UTF-8, and a subject behind the address.
    assert.equal(
      textOf(`<i data-cfemail=${hide('jö@shöp.test?subject=A b', 7)}>`),
      'jö@shöp.test?subject=A b',
    );
    const xml = `<html xmlns="http://www.w3.org/1999/xhtml"><p><i data-cfemail="${hide('a@b.test', 9)}">x</i></p></html>`;
    assert.equal(reading(xml, { kind: 'xml', formats: ['text'] }).data.text, 'a@b.test');
  });

  it('heeds hidden and style, but no style sheet', () => {
    assert.equal(
      textOf('<style>.x{display:none}</style><p class=x>a<p style="color:red; DISPLAY : none">b<p hidden>c'),
      'a',
    );
  });

  it('treats every element of XML as a block, and CDATA as text', () => {
    const xml =
      '<?xml version="1.0"?><rss><channel><title>A &amp; B</title><item><d><![CDATA[<b>x</b>]]></d></item></channel></rss>';
    assert.equal(reading(xml, { kind: 'xml', formats: ['text'] }).data.text, 'A & B\n<b>x</b>');
  });

  it('reads XHTML as HTML', () => {
    const xml =
      '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body><p>a<i>b</i></p><p>c</p></body></html>';
    const { data } = reading(xml, { kind: 'xml', formats: ['text', 'html'] });
    assert.deepEqual(data, { text: 'ab\n\nc', html: xml });
  });

  it('is the text itself where there are no elements', () => {
    for (const kind of ['json', 'text'] as const) {
      const { data, failures } = reading('{"a": 1}\n', {
        kind,
        formats: ['text', 'html', 'links', 'metadata'],
      });
      assert.deepEqual(data, { text: '{"a": 1}\n', html: null, links: null, metadata: null });
      assert.deepEqual(failures, []);
    }
  });

  it('is cut at its limit, at a whole character', () => {
    const { data, failures } = reading(
      `<p>a${'😀'.repeat(3 * 2 ** 20)}`,
      { formats: ['text', 'html'] },
      20_000,
    );
    const text = data.text as string;
    assert.equal(text.length, 5 * 2 ** 20 - 1);
    assert.ok(text.isWellFormed());
    assert.ok((data.html as string).isWellFormed());
    assert.deepEqual(
      failures.map(({ code, pointer }) => [code, pointer]),
      [
        ['content.truncated', '/scraper_options/formats/0'],
        ['content.truncated', '/scraper_options/formats/1'],
      ],
    );
  });

  const words = fc.array(fc.stringMatching(/^[a-z\u00e4\u4e2d]{1,8}$/), { maxLength: 20 });
  const inline = fc.constantFrom(
    '',
    '<b>',
    '</b>',
    '<i>',
    '</i>',
    '<span>',
    '<!-- x -->',
    ' ',
    '\n\t ',
    '<a href=x>',
  );
  it('of inline elements alone is the words with single spaces', () => {
    fc.assert(
      fc.property(words, fc.infiniteStream(inline), (list, between) => {
        const html = list.map((word) => ` ${word} ${between.next().value}`).join(' ');
        assert.equal(textOf(html), list.join(' '));
      }),
    );
  });

  it('of preserved text is that text', () => {
    const texts = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\0\r]/.test(text));
    fc.assert(
      fc.property(texts, (text) => {
        const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
        assert.equal(textOf(`<p>before<pre>\n${escaped}</pre>`), `before\n\n${text}`);
      }),
    );
  });

  it('of anything has neither two spaces in a row nor any at the ends of lines', () => {
    fc.assert(
      fc.property(TEXT_PARTS, (html) => {
        const text = textOf(html) as string;
        assert.ok(text.isWellFormed());
        assert.doesNotMatch(text, / {2}|^ | $| \n|\n /);
      }),
    );
  });
});

it('of several declarations in `style`, the one that wins the cascade hides or shows', () => {
  const shown = (style: string) => textOf(`a<i style="${style}">b</i>`) === 'ab';
  for (const style of [
    'display:none;display:block',
    'display:none ; Display : flex!important',
    'visibility:hidden;visibility:visible',
    'display:none-x',
    'x-display:none',
  ])
    assert.ok(shown(style), style);
  for (const style of [
    'display:block;display:none',
    'display:none !important;display:block',
    'color:red;DISPLAY: NONE',
    'visibility:collapse',
    'display:none;visibility:visible',
    'display:none;;',
  ])
    assert.ok(!shown(style), style);
});

it('a page is read however busy the machine is, if it takes little of the processor', (t) => {
  const cpu = process.threadCpuUsage.bind(process);
  const paragraphs = '<p>word <b>bold</b></p>'.repeat(20_000);
  // Milliseconds of the processor. By the clock it takes longer than that, but less than a minute.
  const budget = 10;
  const ask = { formats: ['text' as const], onlyMainContent: true, wantsMain: true };
  const tooMuch = reading(paragraphs, ask, budget, 60_000);
  assert.equal(tooMuch.data.text, null);
  assert.equal(tooMuch.failures[0]?.code, 'extract.failed');
  t.mock.method(process, 'threadCpuUsage', () => {
    const { user, system } = cpu();
    return { user: user / 10_000, system: system / 10_000 };
  });
  const busy = reading(paragraphs, ask, budget, 60_000);
  assert.deepEqual(busy.failures, []);
  assert.ok(String(busy.data.text).endsWith('word bold'));
});
