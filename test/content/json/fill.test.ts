import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CallerSchema } from '../../../src/domain/json-extraction.ts';
import { BOOLEAN, DATE, INTEGER, jsonOf, LINK, list, NUMBER, object, TEXT } from './json-of-page.ts';

const jsonLd = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const PRODUCT = jsonLd({
  '@type': 'Product',
  name: 'Anvil',
  image: ['/a.jpg', '/b.jpg'],
  brand: { '@type': 'Brand', name: 'ACME' },
  keywords: 'iron, heavy',
  offers: { price: '1299.50', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
  aggregateRating: { ratingValue: 4.5, reviewCount: '12' },
  review: [
    { '@type': 'Review', author: { name: 'Ann' }, reviewBody: 'Heavy.', datePublished: '2024-05-01' },
    { '@type': 'Review', author: { name: 'Bob' }, reviewBody: 'Loud.' },
  ],
});

test('the only text of a page can be the word for a property', () => {
  assert.deepEqual(jsonOf('Title', object({ title: TEXT })).missing, ['/title']);
});

/** Page, schema, and what must be found and missing. */
const TABLE: Readonly<
  Record<string, readonly [html: string, schema: CallerSchema, value: unknown, missing: string[]]>
> = {
  'names of schema.org, aliases, and parts of parts': [
    PRODUCT,
    object({
      name: TEXT,
      price: NUMBER,
      currency: TEXT,
      brand_name: TEXT,
      rating: NUMBER,
      review_count: INTEGER,
    }),
    { name: 'Anvil', price: 1299.5, currency: 'EUR', brand_name: 'ACME', rating: 4.5, review_count: 12 },
    [],
  ],
  'an object is a part of the thing': [
    PRODUCT,
    object({ rating: object({ value: NUMBER, count: INTEGER }), offer: object({ price: NUMBER }) }),
    { rating: { value: 4.5, count: 12 }, offer: { price: 1299.5 } },
    [],
  ],
  'lists: parts, texts, and a text with commas': [
    PRODUCT,
    object({
      reviews: list(object({ author: TEXT, text: TEXT, date: DATE })),
      images: list(LINK),
      tags: list(TEXT),
    }),
    {
      reviews: [
        { author: 'Ann', text: 'Heavy.', date: '2024-05-01' },
        { author: 'Bob', text: 'Loud.' },
      ],
      images: ['http://site.test/a.jpg', 'http://site.test/b.jpg'],
      tags: ['iron', 'heavy'],
    },
    ['/reviews/1/date'],
  ],
  'booleans and choices, written otherwise': [
    PRODUCT,
    object({ in_stock: BOOLEAN, availability: { enum: ['in_stock', 'out_of_stock'] } }),
    { in_stock: true, availability: 'in_stock' },
    [],
  ],
  'microdata and Open Graph': [
    `<meta property=og:site_name content=Shop><div itemscope itemtype="http://schema.org/Event"><h1 itemprop=name>Fair</h1>
<time itemprop=startDate datetime="2024-06-01T10:00+02:00">1 June</time></div>`,
    object({ title: TEXT, start: { type: 'string', format: 'date-time' }, publisher: TEXT }),
    { title: 'Fair', start: '2024-06-01T10:00:00+02:00', publisher: 'Shop' },
    [],
  ],
  'labels: dl, table, colon, bold, element beside it': [
    `<dl><dt>Colour<dd>black</dl><table><tr><th>Weight<td>9,5 kg<tr><th>Height<td>1.299 mm</table>
<p>Material: steel</p><p><b>Made in</b> Bern</p><div><span>Guarantee</span><span>3 years</span></div>`,
    object({ color: TEXT, weight: NUMBER, height: NUMBER, material: TEXT, made_in: TEXT, guarantee: TEXT }),
    { color: 'black', weight: 9.5, height: 1.299, material: 'steel', made_in: 'Bern', guarantee: '3 years' },
    [],
  ],
  'the language decides what a separator means': [
    '<html lang=de-CH><p>Gewicht: 1.299 kg</p><p>Preis: 1.299,50 €</p>',
    object({ gewicht: NUMBER, price: { type: 'number', title: 'Preis' } }),
    { gewicht: 1299, price: 1299.5 },
    [],
  ],
  'title and description of a property are labels': [
    '<p>Wohnfläche: 80 m²</p><p>Baujahr: 1930</p>',
    object({
      area: { type: 'number', title: 'Wohnfläche' },
      year: { type: 'integer', description: 'Baujahr' },
    }),
    { area: 80, year: 1930 },
    [],
  ],
  'names of classes and ids, if they name one thing': [
    '<span class="price">5</span><i id=stock>7</i><b class=size>S</b><b class=size>L</b>',
    object({ price: NUMBER, stock: INTEGER, size: TEXT, sizes: list(TEXT) }),
    { price: 5, stock: 7, sizes: ['S', 'L'] },
    ['/size'],
  ],
  'labels that say different things are not taken': [
    '<p>Price: 5</p><p>Price: 6</p>',
    object({ price: NUMBER }),
    {},
    ['/price'],
  ],
  'what the page says about itself': [
    `<html lang=en><title>T | Site</title><meta name=description content=D><meta name=author content="A B">
<meta property=article:published_time content="2024-05-01T08:00:00Z"><link rel=canonical href=/c><h1>T</h1>`,
    object({ title: TEXT, description: TEXT, author: TEXT, published: DATE, url: LINK, language: TEXT }),
    {
      title: 'T',
      description: 'D',
      author: 'A B',
      published: '2024-05-01',
      url: 'http://site.test/c',
      language: 'en',
    },
    [],
  ],
  'rows of a table': [
    '<table><tr><th>City<th>Population<tr><td>Bern<td>134,591<tr><td>Basel<td>178,120</table>',
    object({ cities: list(object({ city: TEXT, population: INTEGER })) }),
    {
      cities: [
        { city: 'Bern', population: 134591 },
        { city: 'Basel', population: 178120 },
      ],
    },
    [],
  ],
  'items that repeat in the page': [
    `<ul>${[1, 2, 3].map((n) => `<li class=book><h3><a href="/b${n}">Book ${n}</a></h3><p class=price>£${n}.50</p></li>`).join('')}</ul>`,
    list(object({ title: TEXT, price: NUMBER, url: LINK })),
    [1, 2, 3].map((n) => ({ title: `Book ${n}`, price: n + 0.5, url: `http://site.test/b${n}` })),
    [],
  ],
  'things of a type': [
    jsonLd([
      {
        '@type': 'JobPosting',
        title: 'Smith',
        hiringOrganization: { name: 'ACME' },
        jobLocation: { address: { addressLocality: 'Bern' } },
      },
      { '@type': 'JobPosting', title: 'Baker', hiringOrganization: { name: 'Loaf' } },
    ]),
    object({ jobs: list(object({ job_title: TEXT, company: TEXT, city: TEXT })) }),
    {
      jobs: [
        { job_title: 'Smith', company: 'ACME', city: 'Bern' },
        { job_title: 'Baker', company: 'Loaf' },
      ],
    },
    ['/jobs/1/city'],
  ],
  'of several things, the one that the title names': [
    `<title>Spoon | Shop</title>${jsonLd([
      { '@type': 'Product', name: 'Fork', offers: { price: 1 } },
      { '@type': 'Product', name: 'Spoon', offers: { price: 2 } },
    ])}`,
    object({ name: TEXT, price: NUMBER }),
    { name: 'Spoon', price: 2 },
    [],
  ],
  'of several things, none, if nothing tells which': [
    `<title>Shop</title>${jsonLd([
      { '@type': 'Product', name: 'Fork', offers: { price: 1 } },
      { '@type': 'Product', name: 'Spoon', offers: { price: 2 } },
    ])}`,
    object({ price: NUMBER }),
    {},
    ['/price'],
  ],
  'references, null, and what is required': [
    '<p>Price: 5</p>',
    {
      type: 'object',
      properties: {
        price: { $ref: '#/$defs/money' },
        gone: { type: ['string', 'null'] },
        also: { anyOf: [TEXT, { type: 'null' }] },
      },
      required: ['gone', 'also', 'price'],
      $defs: { money: { type: 'number' } },
    },
    { price: 5, gone: null, also: null },
    ['/gone', '/also'],
  ],
  'a page that says nothing of it': [
    `${jsonLd({ '@type': 'Organization', name: 'ACME' })}<h1>Hello</h1><p>Nothing is here.</p>`,
    object({
      price: NUMBER,
      tracks: list(object({ artist: TEXT, length: TEXT })),
      address: object({ city: TEXT }),
    }),
    {},
    ['/price', '/tracks', '/address'],
  ],
  'two numbers are no number, a date without a day is no date': [
    '<p>Size: 3 x 5</p><p>Built: 1930</p><p>Score: 4,5 out of 5</p>',
    object({ size: NUMBER, built: DATE, score: NUMBER }),
    { score: 4.5 },
    ['/size', '/built'],
  ],
  'a schema that refers to itself': [
    '<p>Name: a</p>',
    object({ name: TEXT, child: { $ref: '#' } }),
    { name: 'a' },
    ['/child'],
  ],
};

describe('data by a schema, without a model', () => {
  for (const [what, [html, schema, value, missing]] of Object.entries(TABLE))
    test(what, () => {
      const found = jsonOf(html, schema);
      assert.deepEqual(found.value, value);
      assert.deepEqual(found.missing, missing);
    });

  test('each value has its place, and with `evidence` what stands there', () => {
    const html = `${PRODUCT}<table><tr><th>Weight<td>9 kg</table><p id=m>Material: steel</p>`;
    const schema = object({ price: NUMBER, weight: NUMBER, material: TEXT });
    assert.deepEqual(jsonOf(html, schema, { evidence: true }).sources, {
      '/price': { from: 'json_ld', path: '/json_ld/0/offers/price', quote: '1299.50' },
      '/weight': { from: 'table', path: '/tables/0/rows/0/1', quote: '9 kg' },
      '/material': { from: 'text', selector: '#m', quote: 'steel' },
    });
    assert.equal(jsonOf(html, schema).sources['/price']?.quote, undefined);
  });

  test('valid, and what is not', () => {
    const schema = object(
      { price: { type: 'number', maximum: 10 }, name: TEXT },
      { required: ['name', 'size'] },
    );
    const found = jsonOf(PRODUCT, schema);
    assert.equal(found.valid, false);
    assert.deepEqual(found.invalid, [{ pointer: '/price', message: 'must be <= 10' }]);
    assert.equal(jsonOf(PRODUCT, object({ name: TEXT }, { required: ['name'] })).valid, true);
  });

  test('`from: structured` reads no text', () => {
    const html = `${PRODUCT}<h1>H</h1><p>Material: steel</p><table><tr><th>Weight<td>9 kg</table>`;
    const found = jsonOf(html, object({ name: TEXT, material: TEXT, weight: NUMBER }), {
      from: 'structured',
    });
    assert.deepEqual(found.value, { name: 'Anvil', weight: 9 });
  });

  test('names such as __proto__ are names', () => {
    const found = jsonOf(
      '<p>__proto__: 5</p>',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"number"}}}'),
    );
    assert.deepEqual(Object.keys(found.value as object).length + found.missing.length, 1);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });
});
