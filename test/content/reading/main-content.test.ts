import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { compileSelector } from '../../../src/content/document/css-selector.ts';
import { pageLinks } from '../../../src/content/document/page-links.ts';
import { parseHtml } from '../../../src/content/document/parse-page.ts';
import { toParsedPage } from '../../../src/content/document/parsed-page.ts';
import { selectionText } from '../../../src/content/document/visible-text.ts';
import {
  findMainContent,
  type MainContentOptions,
  withoutFrame,
} from '../../../src/content/reading/main/main-content.ts';

const SENTENCE = 'This sentence is long enough to be prose, and it says something about the thing at hand. ';
const paragraphs = (count: number, about = '') =>
  Array.from({ length: count }, (_, n) => `<p>${about} ${n}. ${SENTENCE}</p>`).join('');

function read(
  html: string,
  options: Partial<MainContentOptions> = {},
  url = 'http://site.test/page',
  scripting = false,
) {
  const page = toParsedPage(parseHtml(html, scripting), url, null);
  const main = findMainContent(page, { include: [], exclude: [], commonBlocks: null, ...options });
  return { ...main, page, text: selectionText(main, page.plainXml, 1_000_000).text };
}

const HEAD = `<header>Head of site</header><nav><a href="/">Home link</a></nav>`;
const FOOT = `<footer>Foot of site</footer>`;
const article = (inside: string) => `${HEAD}<div id="page"><div class="text">${inside}</div></div>${FOOT}`;

test('boilerplate is left out, the article is found', () => {
  const { text, kind, method, selector, shareOfText } = read(
    article(`<h1>Title</h1>${paragraphs(8, 'Story')}`),
  );
  ok(text.includes('Title') && text.includes('Story 7.'));
  ok(!/Head of site|Home link|Foot of site/.test(text), text);
  equal(kind, 'article');
  equal(method, 'prose');
  equal(selector, 'div.text');
  ok(shareOfText > 0.8 && shareOfText < 1, String(shareOfText));
});

const LINK = '<a href="/framed">framed</a>';
const KEPT = '<a href="/kept">kept</a>';
const FRAMES: readonly string[] = [
  `<header>${LINK}</header>`,
  `<div role="banner">${LINK}</div>`,
  `<nav>${LINK}</nav>`,
  `<div class="nav-bar"><ul class="navbar"><li>${LINK}</ul></div>`,
  `<div role="navigation">${LINK}</div>`,
  `<ol class="breadcrumb"><li>${LINK}</ol>`,
  `<aside>${LINK}</aside>`,
  `<div role="complementary">${LINK}</div>`,
  `<div id="sidebar">${LINK}</div>`,
  `<footer>${LINK}</footer>`,
  `<div class="site-footer">${LINK}</div>`,
  `<div role="contentinfo">${LINK}</div>`,
  `<div class="cookie-consent">${LINK}</div>`,
  `<dialog open>${LINK}</dialog>`,
  `<div class="menu" style="display:none">${LINK}</div>`,
  `<nav hidden>${LINK}</nav>`,
];
const SECTIONS: readonly string[] = [
  `<section class="related">${KEPT}</section>`,
  `<article><header>${KEPT}</header></article>`,
  `<section><footer>${KEPT}</footer></section>`,
  `<div class="card">${KEPT}</div>`,
  `<div class="comments">${KEPT}</div>`,
  `<div class="product-variants">${KEPT}</div>`,
  `<form><input type="search">${KEPT}</form>`,
  `<p hidden>${KEPT}</p>`,
];

test('without its frame, a page keeps the links of its sections', () => {
  const urlsOf = (html: string) => {
    const document = toParsedPage(parseHtml(html, false), 'http://site.test/', null);
    return pageLinks([{ document, selection: withoutFrame(document, []) }]).links.map(({ url }) => url);
  };
  for (const frame of FRAMES)
    deepEqual(
      urlsOf(`<body>${frame}<main>${KEPT}<p>${SENTENCE}</p></main>`),
      ['http://site.test/kept'],
      frame,
    );
  for (const section of SECTIONS)
    deepEqual(urlsOf(`<body><p>${SENTENCE}</p>${section}`), ['http://site.test/kept'], section);
});

test('the main content is never a single paragraph of several', () => {
  const { text } = read(
    `${HEAD}<main><h1>Title</h1><p>${SENTENCE.repeat(4)}</p><p>A short end.</p></main>${FOOT}`,
  );
  ok(text.includes('Title') && text.includes('A short end.'), text);
});

test('a shop that says the same twice is read once; equal cells of a table stay', () => {
  const points = '<ul><li>Dishwasher safe, of course</li><li>Keeps cold drinks cold for hours</li></ul>';
  const table =
    '<table><tr><td>Lid</td><td>Brushed stainless steel, 18/8</td></tr><tr><td>Cup</td><td>Brushed stainless steel, 18/8</td></tr></table>';
  const data = '{"@type":"Product","name":"Cup","offers":{"@type":"Offer","price":35}}';
  const { text } = read(
    `<script type="application/ld+json">${data}</script>${HEAD}<main><h1>Cup</h1><div class="narrow">${points}</div><div class="wide">${points}</div>${table}</main>${FOOT}`,
  );
  equal(text.split('Keeps cold drinks cold').length, 2, text);
  equal(text.split('Brushed stainless steel').length, 3, text);
});

test('a page whose scripts ran is read as it is shown, without its noscript', () => {
  const html = `<body><div class="splash"></div><noscript><div>${paragraphs(8)}</div></noscript>`;
  const { text, method, selector } = read(html, {}, undefined, true);
  deepEqual([text, method, selector], ['', 'page', 'html']);
  equal(read(html).method, 'noscript');
});

test('a word inside a longer name is not its meaning', () => {
  const card = (n: number) => `<div class="m-nestedNavCard"><h3>Service ${n}</h3><p>${SENTENCE}</p></div>`;
  const { text } = read(
    `${HEAD}<main><h1>Title</h1><p>${SENTENCE}</p>${[1, 2, 3].map(card).join('')}<div class="mainNav">Menu</div></main>${FOOT}`,
  );
  ok(text.includes('Service 3'), text);
  ok(!text.includes('Menu'), text);
});

test('a repeated label stays if it is the only link of its item', () => {
  const items = (title: (n: number) => string) =>
    `<main><h1>News</h1>${[1, 2, 3, 4, 5]
      .map(
        (n) =>
          `<div><h2>${title(n)}</h2><p>Few words about ${n}</p><p><a href="/${n}">Read more</a></p></div>`,
      )
      .join('')}</main>`;
  equal(read(items((n) => `Item ${n}`)).text.split('Read more').length, 6);
  equal(read(items((n) => `<a href="/${n}">Item ${n}</a>`)).text.split('Read more').length, 1);
});

test('names are compared by whole words', () => {
  const { text } = read(
    article(`${paragraphs(8)}<div class="elementorwidgets subscribers">kept words</div>`),
  );
  ok(text.includes('kept words'));
});

test('what holds most of the prose is kept whatever its name', () => {
  for (const name of ['sidebar', 'comments', 'has-sidebar', 'share', 'related', 'modal']) {
    const { text } = read(`${HEAD}<div class="${name}">${paragraphs(8, 'Story')}</div>${FOOT}`);
    ok(text.includes('Story 7.'), name);
  }
});

test('legal texts in a footer or a dialog are left out, though they are longer than the content', () => {
  const content = `<div><h1>Kettle</h1>${paragraphs(2, 'Story')}</div>`;
  for (const layer of ['footer', 'dialog open', 'div role="dialog"'])
    equal(read(`${content}<${layer}>${paragraphs(8, 'Terms')}`).text.includes('Terms'), false, layer);
});

test('links to the pages of a list are left out; what is named after them but holds items stays', () => {
  const items = [1, 2, 3, 4, 5].map((n) => `<article><h3><a href="/${n}">Desk ${n}</a></h3>$ 90</article>`);
  const pages = `<div class="pagination"><a href="?2">Page 2</a></div>`;
  const { text } = read(
    `${HEAD}<main><h1>Desks</h1><p>${SENTENCE}</p><div class="sorting-and-pagination">${items.join('')}</div>${pages}</main>`,
  );
  ok(text.includes('Desk 5'), text);
  ok(!text.includes('Page 2'), text);
});

test('an article with most of the sentences is the content of a page that calls itself an article', () => {
  const items = `<ul>${`<li>${SENTENCE}</li>`.repeat(4)}</ul>`;
  const body = `<body><h1>Desks</h1>${items}<article>${paragraphs(8, 'Guide')}</article>`;
  const meta = '<meta property="og:type" content="article">';
  equal(read(meta + body).text.includes('Desks'), false);
  ok(read(body).text.includes('Desks'));
});

test('teasers with half of the text are the content of a page', () => {
  const teaser = (n: number) =>
    `<div class="promo"><h3><a href="/${n}">Desk ${n}</a></h3><p>${SENTENCE}</p></div>`;
  const { text } = read(
    `${HEAD}<main><h1>Desks</h1>${paragraphs(3)}${[1, 2, 3, 4].map(teaser).join('')}</main>`,
  );
  ok(text.includes('Desk 4'), text);
});

test('labels of controls are left out; titles of parts that open stay', () => {
  const { text } = read(
    `${HEAD}<main><h1>Desks</h1><div><label><input type="radio"> Oak</label><label for="b">Beech</label></div>
    <p>${SENTENCE}</p><label for="part">Delivery</label><div><p>${SENTENCE}</p></div></main>`,
  );
  ok(!/Oak|Beech/.test(text), text);
  ok(text.includes('Delivery'), text);
});

test('items to tick off are content: ingredients, steps, tasks; filters are not', () => {
  const things = ['200 g flour', '3 eggs', 'A pinch of salt'];
  const list = (item: (thing: string, n: number) => string, around = ['<ul>', '</ul>']) =>
    `<h2>Needed</h2>${around[0]}${things.map(item).join('')}${around[1]}`;
  const content: readonly string[] = [
    list((thing) => `<li><label><input type=checkbox> <span>${thing}</span></label></li>`),
    list((thing, n) => `<li><input type=checkbox id=i${n}><label for=i${n}>${thing}</label></li>`),
    list(
      (thing) =>
        `<li class="task-list-item"><label><input type="checkbox" disabled checked> ${thing}</label>`,
      ['<ol>', '</ol>'],
    ),
    list(
      (thing) => `<tr><td><label><input type=CHECKBOX>${thing}</label></td></tr>`,
      ['<table>', '</table>'],
    ),
    list(
      (thing) =>
        `<div class="recipe-ingredient"><label><input type=checkbox name=i value="${thing}">${thing}</label></div>`,
      ['<div>', '</div>'],
    ),
    list((thing) => `<p><label><input type=checkbox>${thing}</label></p>`, ['<section>', '</section>']),
  ];
  const filters: readonly string[] = [
    list((thing) => `<li><label><input type=radio name=a>${thing}</label></li>`),
    list((thing) => `<li><label><input type=checkbox name=brand value="${thing}">${thing}</label></li>`),
    list((thing) => `<li><label><input type=checkbox>${thing}</label></li>`, ['<form><ul>', '</ul></form>']),
    list(
      (thing) => `<li><label><input type=checkbox>${thing}</label></li>`,
      ['<div class=product-filters><ul>', '</ul></div>'],
    ),
  ];
  const pageOf = (part: string) =>
    read(`${HEAD}<main><h1>Cake</h1>${paragraphs(3)}${part}<h2>Next</h2>${paragraphs(3)}</main>`);
  for (const part of content)
    for (const thing of ['Needed', ...things]) ok(pageOf(part).text.includes(thing), `${thing}: ${part}`);
  for (const part of filters) ok(!pageOf(part).text.includes('200 g'), part);
});

test('the parts that a page builder composed a text of are one text', () => {
  const widget = (kind: string, inside: string) =>
    `<div class="elementor-element elementor-widget elementor-widget-${kind}"><div class="elementor-widget-container">${inside}</div></div>`;
  const title = '<h1 class="elementor-heading-title elementor-size-default">Cake</h1>';
  const points = `<ul class="elementor-icon-list-items">${['Sweet', 'Soft'].map((point) => `<li class="elementor-icon-list-item"><span class="elementor-icon-list-text">${point}</span></li>`).join('')}</ul>`;
  const parts = [widget('heading', title), widget('text-editor', paragraphs(6)), widget('icon-list', points)];
  const section = (inside: string) =>
    `<section class="elementor-section elementor-top-section"><div class="elementor-column"><div class="elementor-widget-wrap">${inside}</div></div></section>`;
  const module = (name: string) => (inside: string) =>
    `<div class="${name}"><div class="inner">${inside}</div></div>`;
  const plain = [title, paragraphs(6), points];
  const around = (inside: readonly string[]) => `<div class="page">${inside.join('')}</div>`;
  const pages: readonly string[] = [
    `<main>${parts.join('')}</main>`,
    `<div class="elementor elementor-12">${section(parts.join(''))}</div>`,
    `<div class="elementor elementor-12">${parts.map(section).join('')}</div>`,
    ...[
      'et_pb_module et_pb_text',
      'wpb_text_column wpb_content_element',
      'fl-module fl-module-rich-text',
      'brxe-text',
      'fusion-text',
      'ct-text-block',
      'sqs-block html-block',
      'wp-block-group',
      'e-con e-child',
    ].map((name) => around(plain.map(module(name)))),
  ];
  for (const page of pages) {
    const { text } = read(`<title>A site</title>${HEAD}${page}${FOOT}`);
    for (const part of ['Cake', '5. This sentence', 'Sweet', 'Soft'])
      ok(text.includes(part), `${part}: ${page}`);
    ok(!/Head of site|Foot of site/.test(text), text);
  }
});

test('the content is kept if all of it is boilerplate by name', () => {
  for (const html of [
    '<nav><a href="/">only a link</a></nav>',
    '<div class="cookie-banner">only a banner</div>',
    '<body><button>only a button</button>',
    '<main></main><footer>only a footer</footer>',
    'bare text',
  ])
    ok(read(html).text.includes(/only a \w+|bare text/.exec(html)![0]), html);
});

test('an empty page has an empty selection', () => {
  const { text, shareOfText } = read('');
  deepEqual([text, shareOfText], ['', 0]);
});

test('consent layers are known by what they say', () => {
  const layer = `<div class="x1"><p>Wir nutzen Cookies, und Cookies von Dritten, damit diese Seite Ihnen gefällt.</p><button>Alle</button></div>`;
  const { text } = read(`${article(paragraphs(3, 'Story'))}${layer}`);
  ok(text.includes('Story 2.') && !text.includes('Dritten'), text);
});

test('posts of a discussion are content, the cards of their authors are not', () => {
  const post = (n: number) =>
    `<div class="post"><div class="card"><b>user${n}</b> Joined 2010</div><div class="body"><p>Post ${n}: ${SENTENCE}</p></div></div>`;
  const { text, kind } = read(
    `${HEAD}<h1>Question</h1><div id="posts">${[1, 2, 3, 4].map(post).join('')}</div>${FOOT}`,
    {},
    'http://forum.test/thread/5',
  );
  equal(kind, 'discussion');
  for (const n of [1, 2, 3, 4]) ok(text.includes(`Post ${n}:`), text);
  ok(text.includes('Question') && !text.includes('Joined'), text);
});

test('items of a list are content', () => {
  const item = (n: number) => `<li class="item"><a href="/${n}">Thing ${n}</a> <b>${n}.99</b></li>`;
  const items = Array.from({ length: 12 }, (_, n) => item(n)).join('');
  const { text, kind } = read(`${HEAD}<div class="grid"><ul>${items}</ul></div>${FOOT}`);
  equal(kind, 'listing');
  ok(text.includes('Thing 11') && text.includes('11.99'));
});

test('a product keeps its description and specification', () => {
  const { text, kind } = read(
    `<script type="application/ld+json">{"@type": "Product"}</script>${HEAD}<main><h1>Lamp</h1><p>${SENTENCE}</p>
    <table><tr><th>Watt</th><td>40</td></tr></table><div class="reviews">${paragraphs(1, 'Review')}</div></main>`,
  );
  equal(kind, 'product');
  ok(/Lamp.*prose.*Watt\s+40/s.test(text) && !text.includes('Review'), text);
});

test('posts keep who wrote them and when', () => {
  const post = (n: number) =>
    `<article class="message"><div class="user-card"><h4 class="username">Writer ${n}</h4><i>Joined long ago</i></div>
     <div class="head"><time datetime="2024-01-0${n}">Jan ${n}, 2024</time><a href="#">Report</a></div>
     <div class="body"><p>Opinion ${n}. ${SENTENCE}</p></div></article>`;
  const { text } = read(
    `<h1>Question</h1><div class="posts">${post(1)}${post(2)}${post(3)}</div><div>Similar threads <a href="/1">One</a></div>`,
    {},
    'http://site.test/forum/1',
  );
  ok(/Question.*Writer 1.*Jan 1, 2024.*Opinion 1.*Writer 3/s.test(text), text);
  ok(!/Joined|Report|Similar threads/.test(text), text);
});

test('cards of other products are left out of the page of a product', () => {
  const card = (n: number) =>
    `<li><a href="/p/${n}"><img src="${n}.jpg" alt="">Other lamp ${n}</a> $ ${n}</li>`;
  const offer = '{"@type":"Product","name":"Lamp","offers":{"@type":"Offer","price":"9"}}';
  const cards = Array.from({ length: 12 }, (_, n) => card(n)).join('');
  const page = (head: string) =>
    read(
      `${head}<h1>Lamp</h1><p>${SENTENCE}</p><table><tr><td>Watt<td>40</table>
       <section><h2>Aus dem Sortiment</h2><ul>${cards}</ul></section>`,
    ).text;
  const text = page(`<script type="application/ld+json">${offer}</script>`);
  ok(/Lamp.*prose.*Watt/s.test(text) && !/Other lamp|Sortiment/.test(text), text);
  ok(page('').includes('Other lamp 11'), 'the items of a list are its content');
  const rated = '{"@type":"Product","aggregateRating":{"@type":"AggregateRating"}}';
  ok(page(`<script type="application/ld+json">${rated}</script>`).includes('Other lamp 11'), 'a rating only');
});

test('sections that announce other pages are left out', () => {
  const others = '<ul><li><a href="/1">One more</a></li><li><a href="/2">Another</a></li></ul>';
  for (const heading of ['You may also like', 'Related articles', 'Ähnliche Beiträge']) {
    const whole = read(article(`${paragraphs(8)}<div><h3>${heading}</h3>${others}</div>`)).text;
    ok(!/One more|like|Related|Ähnliche/.test(whole), whole);
    const flat = read(article(`${paragraphs(8)}<h3>${heading}</h3>${others}<h3>Notes</h3><p>Kept.</p>`)).text;
    ok(!flat.includes('One more') && flat.includes('Kept.'), flat);
  }
});

test('notices before the title and the rights after the content are not content', () => {
  const items = Array.from({ length: 9 }, (_, n) => `<li><a href="/${n}">Item ${n}</a> with some words</li>`);
  const { text } = read(
    `<div>Free delivery this week</div><h1>Items</h1><ul>${items.join('')}</ul>
     <div><div>About the shop</div><div>© 2026 The shop</div></div>`,
  );
  ok(text.includes('Items') && text.includes('Item 8') && !/delivery|About|©/.test(text), text);
});

const opinion = (n: number) =>
  `<div class="entry"><p class="tagline"><a class="author" href="/user/${n}">writer${n}</a> <time>${n} hours ago</time></p>
   <div class="words"><p>Opinion ${n}. ${SENTENCE}</p></div></div>`;
const opinions = [1, 2, 3, 4, 5].map(opinion).join('');

/** How the software of a forum names what a page is. */
const FORUM_SOFTWARE: readonly (readonly [name: string, html: string, head: string, body: string])[] = [
  ['XenForo', 'id="XF" data-app="public"', '', ''],
  ['XenForo 1', 'id="XenForo" class="Public NoJs"', '', ''],
  ['XenForo, by its template', '', '', 'data-template="thread_view"'],
  ['phpBB', '', '', 'id="phpbb" class="nojs section-viewtopic ltr"'],
  ['vBulletin', 'id="vbulletin_html"', '', ''],
  ['vBulletin, by its generator', '', '<meta name="generator" content="vBulletin 4.2.5">', ''],
  ['Discourse', '', '<meta name="generator" content="Discourse 3.2.0 - https://github.com/discourse">', ''],
  ['MyBB', '', '<meta name="Generator" content="MyBB">', ''],
  ['Flarum', '', '<meta name="generator" content="Flarum">', ''],
  ['Invision', '', '', 'class="ipsApp" data-pageController="topic"'],
  ['NodeBB', '', '', 'class="page-topic template-topic"'],
  ['FluxBB', '', '', 'id="punviewtopic"'],
  ['bbPress', '', '', 'class="topic single-topic bbpress"'],
  ['Discuz!', '', '<meta name="generator" content="Discuz! X3.4">', ''],
];

test('a thread of a forum is known by the software, although the page says that it is an article', () => {
  const post = (n: number) =>
    `<li class="message"><h3><a class="username" href="/u/${n}">Member ${n}</a></h3><div class="messageText">Post ${n}. ${SENTENCE.repeat(2)}</div><a href="/p/${n}"><span class="DateTime">May ${n}, 2024</span></a></li>`;
  const advert = `<li class="promoted"><p>Buy the thing of the day. ${SENTENCE}</p></li>`;
  for (const [name, html, head, body] of FORUM_SOFTWARE) {
    const { kind, text } = read(
      `<html ${html}><head>${head}<meta property="og:type" content="article"></head><body ${body}>${HEAD}<h1>A question</h1>
      <ol class="messageList">${post(1)}${advert}${[2, 3, 4].map(post).join('')}</ol>${FOOT}`,
    );
    equal(kind, 'discussion', name);
    for (const n of [1, 2, 3, 4]) ok(text.includes(`Post ${n}.`) && text.includes(`Member ${n}`), text);
    equal(text.includes('thing of the day'), false, `${name}: ${text}`);
  }
  equal(read(`<body class="topic-page">${HEAD}${paragraphs(8)}`).kind === 'discussion', false);
});

test('posts keep their authors and dates where no name marks them, and where all have the same date', () => {
  const thread = (byline: (n: number) => string) =>
    read(
      `<html id="XF"><main><h1>Thread</h1>${[1, 2, 3, 4]
        .map(
          (n) =>
            `<div class="card"><div class="top">${byline(n)}</div><div class="copy"><p>Post ${n}. ${SENTENCE}</p></div><div class="side">Joined Jan 2019</div></div>`,
        )
        .join('')}</main>`,
    ).text;
  for (const byline of [
    (n: number) => `Person ${n} &middot; <span>03/0${n}/2026 19:44</span>`,
    (n: number) => `<b>Person ${n}</b> <small>${n} hours ago</small>`,
    (n: number) => `<b>Person ${n}</b><i>May ${n}, 2024</i>`,
    (n: number) => `<b class="author">Person ${n}</b> <a href="/p"><time>May 1, 2024</time></a>`,
  ]) {
    const text = thread(byline);
    for (const n of [1, 2, 3, 4]) ok(text.includes(`Person ${n}`), text);
    equal(text.match(/2026|ago|2024/g)?.length, 4, text);
    equal(text.includes('Joined'), false, text);
  }
});

test('what a forum shows about a user is left out, also where posts have no common shape', () => {
  const user = (n: number) =>
    `<div class="message-user"><h4 class="message-name"><a class="username">Member ${n}</a></h4><h5 class="userTitle message-userTitle">Prominent</h5>
    <div class="message-userExtras"><dl><dd>Jun 15, 2020</dd></dl><dl><dd>275</dd></dl></div></div>`;
  const { text } = read(
    `<html id="XF"><main><h1>Thread</h1>${[1, 2, 3]
      .map(
        (n) =>
          `<article class="message">${user(n)}<${'bis'[n - 1]}div>Post ${n}. ${SENTENCE}</${'bis'[n - 1]}div></article>`,
      )
      .join('')}</main>`,
  );
  for (const n of [1, 2, 3]) ok(text.includes(`Post ${n}.`) && text.includes(`Member ${n}`), text);
  equal(/2020|275/.test(text), false, text);
});

test('the preview of a text that opens is left out, a quote is not', () => {
  const full = `<p>Answer 1. ${SENTENCE}</p><p>More. ${SENTENCE.repeat(2)}</p>`;
  for (const preview of [
    `<p>Answer 1. ${SENTENCE}</p><p>More. ${SENTENCE.slice(0, 30)}</p>`,
    `<p>Answer 1. ${SENTENCE}</p><p>More. ${SENTENCE.slice(0, 20)}…</p>`,
    `<p>Answer 1. ${SENTENCE}</p><p>More. ${SENTENCE.slice(0, 20)}... Read more</p>`,
    `<p>Answer 1. ${SENTENCE}</p><p>More. ${SENTENCE.slice(0, 21)}</p><button>Continue Reading</button>`,
  ]) {
    const { text } = read(
      `<main><h1>T</h1>${paragraphs(6)}<div><div>${preview}</div><div>${full}</div></div></main>`,
    );
    equal(text.split('Answer 1.').length, 2, text);
    equal(text.split('says something').length, 6 + 3 + 1, text);
  }
  const { text } = read(
    `<main><h1>T</h1>${paragraphs(6)}<div><p>Answer 1. ${SENTENCE}</p></div><blockquote><p>Answer 1. ${SENTENCE}</p><p>Yes</p></blockquote></main>`,
  );
  equal(text.split('Answer 1.').length, 3, text);
});

test('a discussion is found by its posts, without metadata', () => {
  const { text, kind } = read(`${HEAD}<h1>Question</h1><div>${opinions}</div>${FOOT}`);
  equal(kind, 'discussion');
  ok(/writer1\s+1 hours ago.*Opinion 1.*writer5.*Opinion 5/s.test(text), text);
});

test('comments on an article and reviews of a product are left out, whatever their names are', () => {
  const story = read(
    article(`<h1>Title</h1>${paragraphs(6, 'Story')}<div><h3>5 voices</h3>${opinions}</div>`),
  );
  ok(story.text.includes('Story 5.') && !/Opinion|voices/.test(story.text), story.text);
  const offer = '{"@type":"Product","name":"Lamp","offers":{"@type":"Offer","price":"9"}}';
  const product = read(
    `<script type="application/ld+json">${offer}</script><h1>Lamp</h1><p>${SENTENCE}</p><div>${opinions}</div>`,
  );
  ok(/Lamp.*prose/s.test(product.text) && !product.text.includes('Opinion'), product.text);
});

test('teasers with author and date are content, their repeated links are not', () => {
  const teaser = (n: number) =>
    `<div class="entry"><h2><a href="/${n}">Story ${n}</a></h2><i class="author">writer${n}</i> <time>May ${n}, 2024</time>
     <p>Summary ${n}. ${SENTENCE}</p><div><a href="/${n}">Read it all</a></div></div>`;
  const { text } = read(`${HEAD}<h1>News</h1><div>${[1, 2, 3, 4, 5].map(teaser).join('')}</div>${FOOT}`);
  ok(/Story 1.*Summary 1.*Story 5.*Summary 5/s.test(text) && !text.includes('Read it all'), text);
});

test('the selectors of the caller decide', () => {
  const html = article(`${paragraphs(6, 'Story')}<div class="box">boxed</div><p id="last">last words</p>`);
  equal(read(html, { include: ['.box', '#last'] }).text, 'boxed\n\nlast words');
  equal(read(html, { include: ['.box'] }).method, 'include');
  equal(read(html, { include: ['#page, .box'], exclude: ['p', '.text > h1'] }).text, 'boxed');
  ok(!read(html, { exclude: ['#last'] }).text.includes('last words'));
  equal(read(html, { include: ['nav'] }).text, 'Home link');
  ok(read(html, { include: ['.nothing'] }).text.includes('Story 5.'));
});

test('what a page without scripts shows in noscript is its content', () => {
  const { text, method } = read(
    `<div>Loading</div><noscript><div>${paragraphs(6, 'Story')}</div></noscript>`,
  );
  ok(text.includes('Story 5.'));
  equal(method, 'noscript');
});

test('what is hidden until a script runs is the content if there is nothing else', () => {
  const { text, method } = read(`<div style="visibility: hidden"><div>${paragraphs(6, 'Story')}</div></div>`);
  ok(text.includes('Story 5.'));
  equal(method, 'hidden');
});

test('links that skip to the content are left out; a table of contents is not one', () => {
  const list = Array.from({ length: 12 }, (_, n) => `<li><a href="/${n}">Thing ${n}</a></li>`).join('');
  const skip = '<div><a href="#x" tabindex="1">Zum Inhalt</a> <a href="#y">Skip to <b>menu</b></a></div>';
  const { text } = read(`${skip}<div id="x"><p>Things</p><ul>${list}</ul></div><a href="#top">Up</a>`);
  ok(text.startsWith('Things') && text.endsWith('Up'), text);
  const contents = [1, 2, 3, 4].map((n) => `<a href="#c${n}">Chapter ${n}</a><br>`).join('');
  ok(read(`${contents}<ul>${list}</ul>`).text.startsWith('Chapter 1'));
  ok(read(`<p>Title</p>${skip}<ul>${list}</ul>`).text.includes('Zum Inhalt'), 'text stands before them');
  ok(read(`<a href="#x">On</a>`).text.includes('On'), 'nothing else is there');
  const heading = '<h2 id="a"><a href="#a">What is it?</a></h2>';
  ok(read(`${HEAD}<main>${heading}${paragraphs(6)}</main>`).text.startsWith('What is it?'));
  ok(read(`<nav>Menu</nav><div><a href="#1">#1</a> Post</div>`).text.startsWith('#1'), 'not the first text');
});

test('a heading goes with the list that it stands before; headings of what stays do not', () => {
  const links = `<ul class="related">${'<li><a href="/a">Another article of ours</a></li>'.repeat(4)}</ul>`;
  const { text } = read(
    article(
      `<h1>Title</h1>${paragraphs(4)}<div><h3>Read more</h3></div>${links}<h2>Details</h2><h3>Size</h3>${paragraphs(4)}<h2>Pictures</h2><img src="a.jpg">${links}<h2>See also</h2><h3>Elsewhere</h3>${links}`,
    ),
  );
  deepEqual(
    ['Read more', 'Details', 'Size', 'Pictures', 'See also', 'Elsewhere'].filter((word) =>
      text.includes(word),
    ),
    ['Details', 'Size', 'Pictures'],
    text,
  );
  // The text after the heading is not in an element of its own; and the section was empty from the start.
  const own = read(article(`${paragraphs(8)}<div><h2>Own</h2>${links} text.</div><h2>Empty</h2>`)).text;
  ok(own.includes('Own') && own.includes('Empty'), own);
});

test('a title that stands before the article belongs to it, if the metadata repeats it', () => {
  const body = `<div class="text">${paragraphs(6, 'Story')}</div>`;
  const page = (head: string, before: string) =>
    read(`<head>${head}</head><div>${before}</div><div>${body}</div>`);
  const { text, selector } = page('<title>The  story – News</title>', '<h1>The <i>story</i></h1><p>Ann</p>');
  ok(text.startsWith('The story\n\nStory 0.'), text);
  equal(selector, 'div.text');
  ok(
    page('<meta property="og:title" content="The story">', '<h1>The story</h1>').text.startsWith('The story'),
  );
  for (const [head, before] of [
    ['<title>Another story</title>', '<h1>The story</h1>'],
    ['<title>The story of News</title>', '<h1>News</h1><h1>The story</h1>'],
    ['<title>The story</title>', '<nav><h1>The story</h1></nav>'],
    ['', '<h1>The story</h1>'],
  ] as const)
    ok(page(head, before).text.startsWith('Story 0.'), before);
  equal(
    read(`<title>The story</title><h1>The story</h1>${body}`, { include: ['.text p'] }).roots.length,
    6,
    'the caller says what is content',
  );
});

test('the selector finds the root again, and nothing else', () => {
  for (const html of [
    `<div><div><div>${paragraphs(6)}</div><div>b</div></div></div>`,
    `<div id="7">${paragraphs(6)}</div>`,
    `<article class="a:b x">${paragraphs(6)}</article>`,
    `<section><p>a</p></section><section>${paragraphs(6)}</section>`,
    'text',
    '',
  ]) {
    const { page, selector, roots } = read(html);
    deepEqual(compileSelector(page.tree, selector).all(page.tree.root), [roots[0]], selector);
  }
});

test('hostile pages are read', () => {
  const nested = (open: string, times: number) => `${open.repeat(times)}text of the page`;
  for (const html of [
    nested('<div>', 20_000),
    nested('<span class="a">', 20_000),
    nested('<ul><li>', 2_000),
    nested('<table><tr>', 5_000),
    nested('<p>', 100_000),
    nested('<div style="display:none">', 3_000),
    nested('<noscript>', 3_000),
    nested('<nav>', 3_000),
    nested('<form>', 3_000),
    nested('<div class="comments">', 3_000),
    '<div class="item"><a href="/">x</a></div>'.repeat(20_000),
    `<div class="${'c '.repeat(100_000)}">text of the page</div>`,
  ]) {
    const { text, shareOfText } = read(html);
    ok(text.length > 0 || shareOfText === 0, html.slice(0, 60));
  }
});

test('footers and sidebars of repeated items are parts of these, a menu stays a menu', () => {
  const card = (n: number) =>
    `<div class="card"><h3><a href="/${n}">News ${n}</a></h3><p>${SENTENCE}</p>
    <div class="card__footer">by Writer Number ${n} on March ${n}</div></div>`;
  const menu = (n: number) => `<div class="nav-group"><a href="/m${n}">Menu entry of the site ${n}</a></div>`;
  const { text } = read(
    `<div>${[1, 2, 3, 4].map(menu).join('')}</div><main><h1>News</h1>${[1, 2, 3, 4].map(card).join('')}</main>
    <div class="footer">Foot of site</div>`,
  );
  ok(text.includes('by Writer Number 4'), text);
  ok(!/Menu entry|Foot of site/.test(text), text);
});

test('a button that opens a part of the page is its title', () => {
  const answer = `<div><p>${SENTENCE}</p></div>`;
  const { text } = read(
    `${HEAD}<main><h1>Help</h1>${paragraphs(3)}<h3><button>How much is it?</button></h3>${answer}
    <ul><li><div role="button">When does it come?</div>${answer}</li></ul><p><button>Buy now</button></p></main>${FOOT}`,
  );
  ok(text.includes('How much is it?') && text.includes('When does it come?'), text);
  ok(!text.includes('Buy now'), text);
});

test('what a link with a label hides from screen readers is read, icons are not', () => {
  const item = (n: number) =>
    `<li><h3><a href="/${n}">Book ${n}</a></h3><a href="/r${n}" aria-label="4.${n} of 5 stars, 58${n} ratings"><i aria-hidden="true">4.${n} of 5 stars</i></a><i aria-hidden="true">star</i></li>`;
  const { text } = read(`${HEAD}<main><h1>Books</h1><ul>${[1, 2, 3, 4].map(item).join('')}</ul></main>`);
  ok(text.includes('4.3 of 5 stars'), text);
  equal(/stars?star/.test(text.replace(/\s/g, '')), false, text);
});

test('filters are left out; what is named after them but has sentences holds the items', () => {
  const items = [1, 2, 3, 4].map(
    (n) => `<article><h3><a href="/${n}">Desk ${n}</a></h3>${SENTENCE}</article>`,
  );
  const page = (filters: string) =>
    read(`${HEAD}<main><h1>Desks</h1>${paragraphs(12)}<div class="list-filters">${filters}</div></main>`)
      .text;
  ok(page(`<b>Colour</b>${items.join('')}`).includes('Desk 4'));
  equal(page('<b>Colour</b><a href="?c=oak">Oak</a>').includes('Oak'), false);
});

test('signatures below posts are left out, unless they name the author', () => {
  const post = (n: number, signature: string) =>
    `<div class="post"><div class="body"><p>Post ${n}. ${SENTENCE.repeat(2)}</p>${signature}</div></div>`;
  const page = (signature: string) =>
    read(
      `<main><h1>Question</h1>${[1, 2, 3].map((n) => post(n, signature)).join('')}</main>`,
      {},
      'http://site.test/forum/threads/1',
    ).text;
  const plain = page('<div class="signature">Fishing since 1970</div>');
  ok(plain.includes('Post 3.') && !plain.includes('Fishing'), plain);
  ok(page('<div class="post-signature">asked by <a class="username">Ann Doe</a></div>').includes('Ann Doe'));
});

test('words in links or spans that follow each other are separated', () => {
  const { text } = read(
    `<main><h1>Title</h1>${paragraphs(3)}<p><a href="/a">Action</a><a href="/b">Role play</a>, <span>re</span>play
    <span>H</span><span>e</span><span>llo</span> <code><span>let</span> <span>x</span></code></p>
    <pre><span>con</span><span>st</span></pre></main>`,
  );
  ok(text.includes('Action Role play, replay Hello'), text);
  ok(text.includes('const'), text);
});

test('labels that repeat are left out in all lists', () => {
  const list = (name: string) =>
    `<ul class="${name}">${[1, 2, 3, 4, 5]
      .map(
        (n) =>
          `<li><h3><a href="/${name}${n}">${name} ${n}</a></h3><p>Few words</p><p><a href="/buy">Add to cart</a></p></li>`,
      )
      .join('')}</ul>`;
  const { text } = read(`${HEAD}<main><h1>Shop</h1>${list('Desks')}<h2>More</h2>${list('Chairs')}</main>`);
  ok(text.includes('Chairs 5') && text.includes('Desks 5'), text);
  equal(text.includes('Add to cart'), false, text);
});

test('a manual that explains cookies is content, also in sections named after them', () => {
  const section = `<section id="cookies"><h2>Cookies</h2><p>A cookie is set by cookies.set. ${SENTENCE}
    <a href="/api">All functions</a></p><pre>cookies.set(1)</pre></section>`;
  const { text } = read(
    article(
      `<h1>Manual</h1>${paragraphs(8)}${section}<h2 id="how-to-share">How to share</h2>${paragraphs(2, 'Share')}`,
    ),
  );
  ok(text.includes('A cookie is set') && text.includes('How to share'), text);
});

test('reviews are left out beside a list, and stay where they are most of a page', () => {
  const reviews = (count: number) => `<div class="reviews">${paragraphs(count, 'Review')}</div>`;
  const page = (count: number) =>
    read(`<main><h1>Desks</h1>${paragraphs(5, 'Desk')}${reviews(count)}</main>`).text;
  equal(page(2).includes('Review'), false);
  ok(page(8).includes('Review'));
});

test('tags of an article are left out; a note that is named after its kind stays', () => {
  const { text } = read(
    article(
      `<h1>Title</h1>${paragraphs(8)}<blockquote class="blockquote-tag"><p>Note this. ${SENTENCE}</p></blockquote>${paragraphs(2)}<div class="post-tags"><b>Oak, beech</b></div>`,
    ),
  );
  ok(text.includes('Note this.'), text);
  equal(text.includes('beech'), false);
});
