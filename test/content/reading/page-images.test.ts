import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageImages } from '../../../src/content/document/page-images.ts';
import { elementsOf } from '../../../src/content/document/page-tree.ts';
import { parseHtml } from '../../../src/content/document/parse-page.ts';
import { toParsedPage } from '../../../src/content/document/parsed-page.ts';
import { parseSrcset } from '../../../src/content/document/srcset.ts';
import { reading } from '../reading.ts';
import { htmlPage, PAGE_URL } from './page.ts';

const imagesOf = (html: string) => pageImages(htmlPage(html), null).images;
const urlsOf = (html: string) => imagesOf(html).map(({ url }) => url.replace('http://site.test/', '/'));

describe('images', () => {
  test('the best of `srcset` and `picture`, with all candidates', () => {
    const [image, ...others] =
      imagesOf(`<base href="/img/"><picture><source srcset="a-900.webp 900w, a-2000.webp 2000w" media="(min-width: 1px)">
<source srcset="a-300.webp 300w"><img src=a.jpg srcset="a.jpg 1x, a@2x.jpg 2x" alt=" An  anvil " width=300 height="200px"></picture>`);
    const file = (name: string, width: number | null, density: number | null) => ({
      url: `http://site.test/img/${name}`,
      width,
      density,
    });
    assert.deepEqual(others, []);
    assert.deepEqual(image, {
      url: 'http://site.test/img/a-2000.webp',
      alt: 'An anvil',
      width: 300,
      height: 200,
      candidates: [
        file('a-2000.webp', 2000, null),
        file('a-900.webp', 900, null),
        file('a-300.webp', 300, null),
        file('a@2x.jpg', null, 2),
        file('a.jpg', null, 1),
      ],
    });
  });

  test('lazy attributes replace the placeholder', () => {
    assert.deepEqual(urlsOf('<img src=/blank.gif data-src=/a.jpg>'), ['/a.jpg']);
    assert.deepEqual(urlsOf('<img src="data:image/gif;base64,R0" data-srcset="/a 1x, /b 2x">'), ['/b']);
    assert.deepEqual(urlsOf('<img src=/real.jpg data-image=17 data-src>'), ['/real.jpg']);
    assert.deepEqual(
      urlsOf('<img src="data:image/gif;base64,R0"><noscript><img src=/c.jpg alt=C></noscript>'),
      ['/c.jpg'],
    );
  });

  /** What an `img` with these attributes shows, in all formats: by lazy loaders, plugins, CDNs and forums. */
  const LAZY: readonly (readonly [html: string, url: string])[] = [
    ...`data-src data-lazy-src data-original data-lazy data-lazyload data-lazy-load data-lazy-url data-lazy-img data-lazysrc
data-original-src data-hi-res-src data-url data-image data-img-src data-img-url data-imgsrc data-echo data-unveil data-defer-src
data-flickity-lazyload data-splide-lazy data-delayed-url data-actualsrc data-real-src data-cfsrc data-ezsrc data-nitro-lazy-src
nitro-lazy-src data-opt-src lazy-src file zoomfile data-unheard-of`
      .split(/\s+/)
      .flatMap((name) =>
        ['/blank.gif', 'data:image/gif;base64,R0', '/img/placeholder-300x200.png', ''].map(
          (src) => [`<img src="${src}" ${name}="/a.jpg">`, '/a.jpg'] as const,
        ),
      ),
    ...`data-srcset data-lazy-srcset data-original-set data-lazyload-srcset data-cfsrcset data-ezsrcset nitro-lazy-srcset
data-flickity-lazyload-srcset data-splide-lazy-srcset`
      .split(/\s+/)
      .map((name) => [`<img src=/loading.gif ${name}="/b-1.jpg 1x, /b.jpg 2x">`, '/b.jpg'] as const),
    ['<picture><source data-srcset="/p.webp 800w"><img src="data:,"></picture>', '/p.webp'],
    // Not lazy: other things are kept in such attributes.
    ['<img src=/real.jpg data-url="/page" data-image=17 data-lazy=true data-src="{{x.jpg}}">', '/real.jpg'],
    ['<img src=/real.jpg data-pin-media=/other.jpg data-thumb=/thumb.jpg>', '/real.jpg'],
    ['<img src=/real.jpg data-src>', '/real.jpg'],
    // A page without scripts has the picture in `noscript`, alone or beside its placeholder, before or after it.
    ['<p><noscript><img src=/n.jpg alt=N></noscript></p>', '/n.jpg'],
    ['<figure><a href=/x><noscript><img data-src=/n.jpg src=/blank.gif></noscript></a></figure>', '/n.jpg'],
    ['<img src=/blank.gif>\n<noscript><img src=/n.jpg></noscript>', '/n.jpg'],
    ['<noscript><picture><img src=/n.jpg></picture></noscript><img src="data:," alt="">', '/n.jpg'],
    ['<span><img src=/lazy.svg></span><noscript><img src=/n.jpg></noscript>', '/n.jpg'],
    ['<picture><source><img src=/blank.png></picture><noscript><img src=/n.jpg></noscript>', '/n.jpg'],
    ['<img data-src=/n.jpg src=/blank.gif><noscript><img src=/n.jpg></noscript>', '/n.jpg'],
  ];
  test('one list of lazy attributes, in all formats, whether scripts ran or not', () => {
    for (const [html, expected] of LAZY)
      for (const scripting of [false, true]) {
        const formats = ['images', 'markdown', 'main_html'] as const;
        const page = `<main><p>Before it there is text.</p>${html}<p>After it, too.</p></main>`;
        const { data } = reading(page, { formats, scripting, wantsMain: true });
        const [image] = data.images as { url: string }[];
        assert.equal(image?.url, `http://site.test${expected}`, html);
        for (const format of ['markdown', 'main_html'])
          assert.deepEqual(
            String(data[format]).match(/(?<=[("])http:[^)"]+\.\w+(?=[)"])/g),
            [`http://site.test${expected}`],
            `${format} of ${html}`,
          );
      }
  });

  test('a counter of visits in `noscript` is no picture', () => {
    for (const image of [
      '<img src="https://count.test/tr?id=1&noscript=1" height=1 width=1>',
      '<img src="https://count.test/watch/1" style="position:absolute; left:-9999px;" alt="">',
      '<img src="https://count.test/1.gif" style="display:none">',
      '<img src="https://count.test/p?c1=2">',
    ])
      for (const scripting of [false, true]) {
        const page = `<p>a</p><noscript>${image}</noscript>`;
        assert.equal(reading(page, { formats: ['markdown'], scripting }).data.markdown, 'a', image);
      }
  });

  test('backgrounds: of inline styles, each layer, and those that load late', () => {
    assert.deepEqual(
      urlsOf(`<div style="color: red; background-image: URL( '/a b.jpg' ), linear-gradient(red, blue), url(/c\\(1\\).png)">
<p style="BACKGROUND:#fff url(&quot;/d.jpg;x=1&quot;) no-repeat; mask: url(/mask.svg)"><b style="cursor:url(/cursor.cur)"></b>
<i style="background:url(data:image/gif;base64,R0;/x)"></i><i style="background:url(#gradient)"></i><i style="--background:url(/v)"></i>
<div data-bg="/e.jpg"></div><div data-bg="url(/f.jpg)"></div><div data-background-image='url("/g.jpg")'></div>
<div data-background="#fff"></div><div data-background="rgba(0,0,0,.5)"></div><div data-bg="dark"></div>
<div data-bgset="/h-300.jpg 300w, /h-900.jpg 900w"></div><div data-lazy-bg=/i.jpg></div><div data-src=/j.jpg uk-img></div>
<section data-original=/k.png data-src=/page></section></div><img src=/c(1).png>`),
      [
        '/a%20b.jpg',
        '/c(1).png',
        '/d.jpg;x=1',
        '/e.jpg',
        '/f.jpg',
        '/g.jpg',
        '/h-900.jpg',
        '/i.jpg',
        '/j.jpg',
        '/k.png',
      ],
    );
    const [image] = imagesOf('<div role=img aria-label=" A  hall " style="background:url(/hall.jpg)"></div>');
    assert.deepEqual(image, {
      url: 'http://site.test/hall.jpg',
      alt: 'A hall',
      width: null,
      height: null,
      candidates: [{ url: 'http://site.test/hall.jpg', width: null, density: null }],
    });
    assert.deepEqual(urlsOf(`<p style="background:${'url('.repeat(5000)}">`), []);
  });

  test('other images; no tracking pixels, no inlined images, each URL once', () => {
    const images =
      imagesOf(`<img src=/a><img src=/a alt=A><img src=/pixel width=1 height=1><img src="data:,x"><img>
<svg><image href=/s /></svg><input type=image src=/i><input src=/n><video poster=/v></video><img src="javascript:1"><img alt="" src=/d>`);
    assert.deepEqual(
      images.map(({ url, alt }) => [url.replace('http://site.test', ''), alt]),
      [
        ['/a', 'A'],
        ['/s', null],
        ['/i', null],
        ['/v', null],
        ['/d', ''],
      ],
    );
  });

  test('those of a selection, or those of the page and its frames', () => {
    const html = '<img src=/out><main><img src=/in><p><img src=/no></p></main>';
    const frame = { url: 'http://frame.test/', html: '<img src=f>' };
    const page = toParsedPage(parseHtml(html, true), PAGE_URL, [frame]);
    const named = (name: string) => [...elementsOf(page.tree.root)].filter(({ tagName }) => tagName === name);
    const selection = { roots: named('main'), excluded: new Set(named('p')) };
    const urls = (chosen: typeof selection | null) => pageImages(page, chosen).images.map(({ url }) => url);
    assert.deepEqual(urls(selection), ['http://site.test/in']);
    assert.deepEqual(urls(null), [
      'http://site.test/out',
      'http://site.test/in',
      'http://site.test/no',
      'http://frame.test/f',
    ]);
  });

  test('more than the limit is told', () => {
    const html = Array.from({ length: 5001 }, (_, at) => `<img src=/${at}>`).join('');
    const { images, truncated } = pageImages(htmlPage(html), null);
    assert.deepEqual([images.length, truncated], [5000, true]);
    assert.equal(pageImages(htmlPage('<img src=/1>'), null).truncated, false);
  });
});

describe('srcset', () => {
  const cases: readonly (readonly [string, readonly (readonly [string, number | null, number | null])[]])[] =
    [
      ['', []],
      ['a', [['a', null, null]]],
      [
        'a, b 2x',
        [
          ['a', null, null],
          ['b', null, 2],
        ],
      ],
      [
        'a 1.5x,b 300w',
        [
          ['a', null, 1.5],
          ['b', 300, null],
        ],
      ],
      [
        'w_1,h_2/a.jpg 100w, c',
        [
          ['w_1,h_2/a.jpg', 100, null],
          ['c', null, null],
        ],
      ],
      [
        ' ,, a 100w 50h , b junk,',
        [
          ['a', 100, null],
          ['b', null, null],
        ],
      ],
      [
        'data:image/gif;base64,R0 1x, /b 2x',
        [
          ['data:image/gif;base64,R0', null, 1],
          ['/b', null, 2],
        ],
      ],
    ];
  for (const [text, images] of cases)
    test(JSON.stringify(text), () =>
      assert.deepEqual(
        parseSrcset(text).map(({ url, width, density }) => [url, width, density]),
        images,
      ),
    );
});
