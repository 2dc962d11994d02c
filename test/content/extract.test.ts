import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { extracted } from './reading.ts';

const PAGE = `<!doctype html><html lang="en"><body><h1> Shop </h1>
<p class="price">Price: $1,299.50 (was $1,499)</p><p class="date">Updated on 3 May 2024</p>
<a href="../a?x=1" title="A" id="a1">Mail Ann@Example.org or bob@example.org</a><a href="b">none</a>
<table id="t"><caption>Stock</caption><tr><th>Name<th>Count<tr><td>Pen<td>5<tr><td>Ink<td><table><tr><td>9</table></table>
<table id="plain"><tr><td>only</table><div id="around"><p>x</p><table><tr><th>H<tr><td>1</table></div>
<ul><li><b>One</b> 1 EUR</li><li>Two</li><li><b>Three</b> 3 EUR</li></ul></body></html>`;

const valueFor = (rule: unknown, page = PAGE): unknown => {
  const { values, failures } = extracted(page, { a: rule });
  assert.deepEqual(failures, []);
  return (values as Record<string, unknown>).a;
};
const numberOf = (text: string, lang = ''): unknown =>
  valueFor({ selector: 'p', transform: 'number' }, `<html lang="${lang}"><p>${text}</p>`);

describe('regex', () => {
  test('gives the first group, or all that matches', () => {
    assert.equal(valueFor({ selector: '.price', regex: '\\$([\\d,.]+)' }), '1,299.50');
    assert.equal(valueFor({ selector: '.price', regex: '\\d' }), '1');
    assert.equal(valueFor({ selector: '.price', regex: 'no' }), null);
  });

  test('an item is the first match in any of the elements', () => {
    assert.equal(valueFor({ selector: 'p', regex: 'on (.*)' }), '3 May 2024');
    assert.equal(valueFor({ selector: 'a', output: '@title', regex: 'B' }), null);
  });

  test('a list has all matches in all elements', () => {
    const mails = { selector: 'a', type: 'list', regex: '(?i)[a-z]+@[a-z.]+' };
    assert.deepEqual(valueFor(mails), ['Ann@Example.org', 'bob@example.org']);
    assert.deepEqual(valueFor({ ...mails, transform: 'lower' }), ['ann@example.org', 'bob@example.org']);
    assert.deepEqual(valueFor({ selector: 'li', type: 'list', regex: '\\d+ EUR' }), ['1 EUR', '3 EUR']);
    assert.deepEqual(valueFor({ selector: 'li', type: 'list', regex: 'z*' }), []);
  });

  test('reads attributes and HTML', () => {
    assert.equal(valueFor({ selector: 'a', output: '@href', regex: 'x=(\\d)' }), '1');
    assert.equal(valueFor({ selector: 'ul', output: 'html', regex: '<b>(T.*?)</b>' }), 'Three');
  });

  test('only what it finds counts towards the limit of the result', () => {
    const large = `<p>${'x'.repeat(3 * 2 ** 20)}y</p>`;
    const rules = Object.fromEntries(['a', 'b', 'c'].map((n) => [n, { selector: 'p', regex: 'xy' }]));
    const { values, failures } = extracted(large, rules);
    assert.deepEqual(failures, []);
    assert.deepEqual({ ...(values as object) }, { a: 'xy', b: 'xy', c: 'xy' });
  });
});

describe('lists of attributes and tables', () => {
  test('several attributes are an object', () => {
    assert.deepEqual(valueFor({ selector: 'a', type: 'list', output: ['@href', '@title'] }), [
      { href: 'http://site.test/a?x=1', title: 'A' },
      { href: 'http://site.test/dir/b', title: null },
    ]);
  });

  test('a table has header and rows', () => {
    assert.deepEqual(valueFor({ selector: '#t', output: 'table' }), {
      caption: 'Stock',
      header: ['Name', 'Count'],
      rows: [
        ['Pen', '5'],
        ['Ink', ''],
      ],
    });
    assert.deepEqual(valueFor({ selector: '#around', output: 'table' }), {
      caption: null,
      header: ['H'],
      rows: [['1']],
    });
    assert.deepEqual(valueFor({ selector: '#plain', output: 'table' }), {
      caption: null,
      header: [],
      rows: [['only']],
    });
    assert.equal(valueFor({ selector: 'h1', output: 'table' }), null);
    assert.equal((valueFor({ selector: 'table', type: 'list', output: 'table' }) as unknown[]).length, 4);
  });
});

describe('transform', () => {
  const NUMBERS: readonly (readonly [text: string, number: number | null, lang?: string])[] = [
    ['₹1,23,456.00', 123456],
    ['₹ 1,23,456', 123456],
    ['Rs. 12,34,56,789.5/-', 123456789.5],
    ['-₹1,00,000', -100000],
    ['१,२३,४५६.५०', 123456.5],
    ['١٢٬٣٤٥٫٦', 12345.6],
    ['۱۲۳ تومان', 123],
    ['￥１，２３４', 1234],
    ['1,2345,6789', 123456789],
    ['1,23,45', null],
    ['12,345,67', null],
    ['5', 5],
    ['$1,299.50', 1299.5],
    ['1.299,50 \u20ac', 1299.5],
    ['1 299,50 \u20ac', 1299.5],
    ['1\u202f299\u202f000', 1299000],
    ["1'299.50", 1299.5],
    ['1,234,567', 1234567],
    ['1.234.567', 1234567],
    ['0.5', 0.5],
    ['0,5', 0.5],
    ['.5', 0.5],
    ['-3.2', -3.2],
    ['\u22123', -3],
    ['-$5', -5],
    ['10-20', 10],
    ['A-5', 5],
    ['4.8 of 5', 4.8],
    ['2024 100', 2024],
    ['12,34', 12.34],
    ['1234.567', 1234.567],
    ['0.125', 0.125],
    ['1,299', 1299],
    ['1.299', 1.299],
    ['1,299', 1.299, 'de'],
    ['1.299', 1299, 'de'],
    ['1.299', 1.299, 'en-US'],
    ['1.299', 1.299, 'not a language'],
    ['1.2.3', null],
    ['192.168.1.10', null],
    ['none', null],
    ['', null],
  ];
  for (const [text, number, lang] of NUMBERS)
    test(`number: ${text}${lang ? ` in ${lang}` : ''}`, () => assert.equal(numberOf(text, lang), number));

  test('date, url, trim, lower', () => {
    assert.equal(valueFor({ selector: '.date', regex: 'on (.*)', transform: 'date' }), '2024-05-03');
    assert.equal(valueFor({ selector: 'h1', transform: 'date' }), null);
    assert.equal(valueFor({ selector: 'h1', output: 'html', transform: 'lower' }), '<h1> shop </h1>');
    assert.equal(
      valueFor({ selector: 'p', output: '@data-u', transform: 'url' }, '<p data-u=" x/y ">'),
      'http://site.test/dir/x/y',
    );
    assert.equal(valueFor({ selector: 'p', transform: 'url' }, '<p>http://[</p>'), null);
    assert.equal(valueFor({ selector: 'p', output: '@data-u', transform: 'trim' }, '<p data-u=" x ">'), 'x');
  });

  test('what has no value is passed over', () => {
    assert.equal(valueFor({ selector: 'li', transform: 'number' }), 1);
    assert.deepEqual(valueFor({ selector: 'li', type: 'list', transform: 'number' }), [1, 3]);
    assert.equal(valueFor({ selector: 'li:nth-child(2), h1', transform: 'number' }), null);
  });
});

describe('XPath in rules', () => {
  test('selects elements, other nodes and values', () => {
    assert.equal(valueFor('//h1'), 'Shop');
    assert.equal(valueFor('//a/@href'), 'http://site.test/a?x=1');
    assert.deepEqual(valueFor({ selector: '//li/b/text()', type: 'list' }), ['One', 'Three']);
    assert.equal(valueFor('xpath=count(//li)'), 3);
    assert.equal(valueFor('xpath=boolean(//li)'), true);
    assert.equal(valueFor('xpath=string(//h6)'), null);
    assert.equal(valueFor('xpath=number(//h1)'), null);
    assert.equal(valueFor('//h6'), null);
    assert.deepEqual(valueFor({ selector: '//h6', type: 'list' }), []);
    assert.equal(valueFor({ selector: '//a', output: '@title' }), 'A');
    assert.equal(valueFor({ selector: '//a/@href', output: 'html' }), null);
    assert.equal(
      valueFor({ selector: '//p[@class="price"]/text()', regex: '[\\d,.]+', transform: 'number' }),
      1299.5,
    );
  });

  test('is relative in nested rules', () => {
    const rule = {
      selector: '//li',
      type: 'list',
      output: { name: './b', all: 'xpath=count(//li)', css: 'b' },
    };
    assert.deepEqual(
      (valueFor(rule) as object[]).map((item) => ({ ...item })),
      [
        { name: 'One', all: 3, css: 'One' },
        { name: null, all: 3, css: null },
        { name: 'Three', all: 3, css: 'Three' },
      ],
    );
  });

  test('goes on in frames', () => {
    const page = '<p>out</p><iframe srcdoc="<b>in</b>"></iframe>';
    assert.equal(valueFor('//b', page), 'in');
  });

  test('is ended when it takes too long', () => {
    const page = `<body>${'<i>x</i>'.repeat(6000)}`;
    const slow = '//i[count(//i[. = //i]) = count(following::i[. = preceding::i])]';
    const { values, failures } = extracted(page, { slow, fast: '//i[1]' }, {}, 1000);
    assert.deepEqual({ ...(values as object) }, { slow: null, fast: 'x' });
    assert.equal(failures.length, 1);
    assert.match(failures[0]!.message, /took too long/);
    assert.equal(failures[0]!.pointer, '/scraper_options/extract/slow');
  });
});
