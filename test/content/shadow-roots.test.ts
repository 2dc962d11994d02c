import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspectPage } from '../../src/assess/page-facts.ts';
import { computeMimeType } from '../../src/content/charset/mime-type.ts';
import { extracted, reading, textOf } from './reading.ts';

const CARD = `<x-card id=c><template shadowrootmode="open"><style>p{}</style><h2><slot name=head>none</slot></h2>
<p id=price>12 <b>EUR</b></p><x-foot><template shadowrootmode=open><i>deep</i></template>unslotted</x-foot><slot></slot>
<a href=/in>in</a></template><em slot=head>Title</em>light<a href=/out>out</a></x-card>`;

describe('declarative shadow roots', () => {
  test('text: the shadow tree, its slots filled', () => {
    assert.equal(textOf(CARD), 'Title\n\n12 EUR\n\ndeeplightout in');
    assert.equal(textOf('<div><template shadowrootmode=open><slot>own</slot></template></div>'), 'own');
    assert.equal(textOf('<div><template shadowrootmode=open></template>lost</div>'), '');
  });

  test('links are those in both trees', () => {
    const { links } = reading(CARD, { formats: ['links'] }).data as { links: { url: string }[] };
    assert.deepEqual(
      links.map(({ url }) => url),
      ['http://site.test/in', 'http://site.test/out'],
    );
  });

  test('selectors find the content of a root as descendants of its host', () => {
    const { values } = extracted(CARD, {
      price: '#price',
      below: 'x-card > #price',
      deep: 'x-card x-foot i',
      first: 'x-card > :first-child',
      all: { selector: 'a', type: 'list' },
      host: { selector: 'x-foot', output: 'html' },
      shown: '#c',
      nested: { selector: 'x-card', output: { price: 'p b', out: '@id' } },
    });
    assert.deepEqual(values, {
      price: '12 EUR',
      below: '12 EUR',
      deep: 'deep',
      first: 'p{}',
      all: ['in', 'out'],
      host: '<x-foot><template shadowrootmode="open"><i>deep</i></template>unslotted</x-foot>',
      shown: 'Title\n\n12 EUR\n\ndeeplightout in',
      nested: { price: 'EUR', out: 'c' },
    });
  });

  test('a template that browsers do not make a shadow root stays a template', () => {
    for (const html of [
      'a<template shadowrootmode=open>b</template>'.replace('a', '<a>a').concat('</a>'),
      '<div>a<template shadowrootmode=none>b</template></div>',
      '<template><div>x<template shadowrootmode=open>b</template></div></template>a',
    ])
      assert.equal(textOf(html), 'a', html);
    assert.equal(
      textOf('<p><template shadowrootmode=open>1</template><template shadowrootmode=open>2</template></p>'),
      '1',
    );
  });

  test('a page with all of its text in shadow roots is not empty', () => {
    const html =
      '<template>no</template><x-app><template shadowrootmode="open"><p>yes</p></template></x-app>';
    const { text } = inspectPage(
      Buffer.from(html),
      computeMimeType([['content-type', 'text/html']], Buffer.from(html)),
      { cut: false },
    );
    assert.equal(text, 'yes');
  });
});
