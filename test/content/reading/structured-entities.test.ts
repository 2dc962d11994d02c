import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type {
  Entity,
  EntityPart,
  EntityValue,
} from '../../../src/content/reading/structured/structured-data.ts';
import { structuredOf } from './page.ts';

const jsonLd = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

/** Values of a property, short: `value (from path)`; parts as objects of such values. */
function shortValues(values: readonly EntityValue[]): unknown[] {
  return values.map(({ value, from, path }) =>
    typeof value === 'object' ? short(value) : `${value} (${from} ${path})`,
  );
}

function short(thing: Entity | EntityPart): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(thing).map(([name, values]) => [
      name,
      typeof values === 'object' && values !== null ? shortValues(values) : values,
    ]),
  );
}

const entitiesOf = (html: string) => structuredOf(html).entities.map(short);

const MICRODATA_PRODUCT = `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop=name>Anvil</h1>
<span itemprop=brand>ACME</span><i itemprop=sku>A-1</i><div itemprop=offers itemscope itemtype="http://schema.org/Offer">
<meta itemprop=price content=99.50><link itemprop=availability href="http://schema.org/InStock"></div></div>`;

describe('entities', () => {
  test('one product, told in four ways, is one entity', () => {
    const html = `<meta property=og:type content=product><meta property=og:title content="Anvil | ACME">
<meta property=product:price:amount content=99.5><meta property=product:price:currency content=EUR>
${jsonLd({ '@type': 'Product', name: 'anvil', brand: { '@type': 'Brand', name: 'ACME' }, offers: { '@type': 'Offer', price: 99.5 } })}
${MICRODATA_PRODUCT}<table><tr><th>Weight:<td>9 kg<tr><th>Colour<td>black</table>`;
    assert.deepEqual(entitiesOf(html), [
      {
        type: 'Product',
        name: ['anvil (json_ld /json_ld/0/name)', 'Anvil | ACME (og /open_graph/title)'],
        brand: [{ type: 'Brand', name: ['ACME (json_ld /json_ld/0/brand/name)'] }],
        offers: [
          {
            type: 'Offer',
            price: ['99.5 (json_ld /json_ld/0/offers/price)'],
            availability: [
              'http://schema.org/InStock (microdata /microdata/0/properties/offers/0/properties/availability/0)',
            ],
            priceCurrency: ['EUR (og /open_graph/product:price:currency)'],
          },
        ],
        sku: ['A-1 (microdata /microdata/0/properties/sku/0)'],
        additionalProperty: [
          {
            type: 'PropertyValue',
            name: ['Weight (table /tables/0/rows/0/0)'],
            value: ['9 kg (table /tables/0/rows/0/1)'],
          },
          {
            type: 'PropertyValue',
            name: ['Colour (table /tables/0/rows/1/0)'],
            value: ['black (table /tables/0/rows/1/1)'],
          },
        ],
      },
    ]);
  });

  test('a table whose first cells are no names does not describe the product', () => {
    const [product] = entitiesOf(
      `${MICRODATA_PRODUCT}<table><tr><td>ACME<td>Anvils Ltd<tr><td>a<td>b</table>`,
    );
    assert.equal(product?.additionalProperty, undefined);
  });

  test('each path is a JSON pointer to the value', () => {
    const html = `<meta property=og:type content=article><meta property=og:title content="T~1">
<meta property="og:image" content=/a><meta property="og:image" content=/b>
${jsonLd({
  '@graph': [
    { '@type': 'NewsArticle', headline: 'T~1', 'a/b~c': ['x', { '@value': 'y' }], author: { '@id': '#me' } },
    { '@id': '#me', '@type': 'Person', name: 'Ann' },
  ],
})}
<div vocab="http://schema.org/" typeof=Event><b property=name>E</b><a property=url href=/e>e</a></div>${MICRODATA_PRODUCT}`;
    const data = structuredOf(html);
    let checked = 0;
    const check = (thing: Entity | EntityPart): void => {
      for (const values of Object.values(thing)) {
        if (typeof values !== 'object' || values === null) continue;
        for (const { value, path } of values) {
          const found = path
            .slice(1)
            .split('/')
            .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
            .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], data);
          checked++;
          if (typeof value === 'object') {
            assert.equal(typeof found, 'object', path);
            check(value);
          } else
            assert.ok(
              [found].flat().some((text) => String(value).endsWith(String(text))),
              `${path}: ${JSON.stringify(found)}`,
            );
        }
      }
    };
    data.entities.forEach(check);
    assert.deepEqual(
      data.entities.map(({ type }) => type),
      ['Article', 'Product', 'Event'],
    );
    assert.ok(checked >= 15, String(checked));
  });

  test('things with other names are other things', () => {
    const product = (name: string) => ({ '@type': 'Product', name, url: 'http://site.test/dir/page' });
    assert.equal(entitiesOf(jsonLd([product('A'), product('B')])).length, 2);
    assert.equal(entitiesOf(jsonLd([product('A')]) + MICRODATA_PRODUCT).length, 2);
    assert.equal(entitiesOf(jsonLd([product('A'), product('A')])).length, 1);
  });

  test('special types belong to the general one, and what is inside of an entity is a part of it', () => {
    const page = {
      '@type': 'WebPage',
      breadcrumb: {
        '@type': 'BreadcrumbList',
        itemListElement: [{ '@type': 'ListItem', position: 1, name: 'Home' }],
      },
      mainEntity: {
        '@type': ['BlogPosting'],
        headline: 'H',
        publisher: { '@type': 'Organization', name: 'P' },
      },
    };
    assert.deepEqual(entitiesOf(jsonLd(page)), [
      {
        type: 'BreadcrumbList',
        itemListElement: [
          {
            type: 'ListItem',
            position: ['1 (json_ld /json_ld/0/breadcrumb/itemListElement/0/position)'],
            name: ['Home (json_ld /json_ld/0/breadcrumb/itemListElement/0/name)'],
          },
        ],
      },
      {
        type: 'Article',
        headline: ['H (json_ld /json_ld/0/mainEntity/headline)'],
        publisher: [{ type: 'Organization', name: ['P (json_ld /json_ld/0/mainEntity/publisher/name)'] }],
        additionalType: ['BlogPosting (json_ld /json_ld/0/mainEntity/@type)'],
      },
    ]);
  });

  const kinds: readonly (readonly [string, string | null])[] = [
    ['MusicEvent', 'Event'],
    ['Restaurant', 'Organization'],
    ['https://schema.org/JobPosting', 'JobPosting'],
    ['schema:Recipe', 'Recipe'],
    ['AggregateOffer', 'Offer'],
    ['CriticReview', 'Review'],
    ['FAQPage', 'FAQPage'],
    ['Person', null],
    ['toString', null],
  ];
  for (const [kind, type] of kinds)
    test(`${kind} is ${type ?? 'no entity'}`, () => {
      const [entity] = entitiesOf(jsonLd({ '@type': kind, name: 'N' }));
      assert.equal(entity?.type ?? null, type);
    });

  test('references that lead in a circle end', () => {
    const graph = [
      { '@id': '#a', '@type': 'Product', name: 'A', isRelatedTo: { '@id': '#b' } },
      { '@id': '#b', '@type': 'Product', name: 'B', isRelatedTo: [{ '@id': '#a' }, { '@id': '#none' }] },
    ];
    const [a, b] = entitiesOf(jsonLd({ '@graph': graph }));
    assert.deepEqual(a?.isRelatedTo, [
      {
        type: 'Product',
        name: ['B (json_ld /json_ld/0/@graph/1/name)'],
        isRelatedTo: ['#none (json_ld /json_ld/0/@graph/1/isRelatedTo/1/@id)'],
      },
    ]);
    assert.equal(b?.type, 'Product');
  });

  test('Open Graph makes an article if nothing else tells of one', () => {
    assert.deepEqual(
      entitiesOf(`<meta property=og:type content=article><meta property=og:title content=T>
<meta property=og:image content=/i.png><meta property=article:author content="https://social.test/ann">`),
      [
        {
          type: 'Article',
          headline: ['T (og /open_graph/title)'],
          image: ['http://site.test/i.png (og /open_graph/image)'],
        },
      ],
    );
    assert.deepEqual(
      entitiesOf('<meta property=og:type content=website><meta property=og:title content=T>'),
      [],
    );
  });
});
