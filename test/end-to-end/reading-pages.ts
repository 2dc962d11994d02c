import { gzipSync } from 'node:zlib';
import type { TextPage } from './text-target.ts';

const PARAGRAPH =
  'A harbour is a place where ships find shelter. Its walls break the waves, and its lights guide those who come at night. ';

/** A page with a frame around its main content. */
export const ARTICLE = `<!doctype html><html lang="en"><head><title>Harbours</title>
<meta property="og:title" content="Of harbours"><script type="application/ld+json">{"@type":"Article","headline":"Harbours"}</script>
</head><body>
<header><nav><ul><li><a href="/home">Home</a><li><a href="/shop">Shop</a><li><a href="/help">Help</a></ul></nav></header>
<main id="story"><article><h1>Harbours</h1><p>${PARAGRAPH.repeat(3)}<a href="/more">More</a></p>
<p class="advert">Buy a boat now.</p>
<p>${PARAGRAPH.repeat(3)}</p><img src="/pier.jpg" alt="A pier">
<table><caption>Depths</caption><tr><th>Place</th><th>Metres</th></tr><tr><td>North</td><td>12</td></tr></table>
</article></main>
<footer><time datetime="2001-01-01" pubdate>old</time><p>Imprint of the whole site</p><img src="/logo.png" alt="Logo"></footer>
</body></html>`;

/** A home page: an introduction, and sections that lead to the other pages. */
export const HOME = `<!doctype html><html lang="en"><head><title>Harbour guide</title></head><body>
<header class="top"><a href="/"><img src="/logo.png" alt="Logo"></a><nav><a href="/login">Log in</a></nav></header>
<div class="mobile-menu" style="display:none"><a href="/menu">Menu</a></div>
<main><section class="hero"><h1>The guide to harbours</h1><p>${PARAGRAPH.repeat(3)}</p></section>
<section class="cards"><h2>Regions</h2>
<article><header><h3><a href="/north">North</a></h3></header><img src="/north.jpg" alt="North"></article>
<article><header><h3><a href="/south">South</a></h3></header><img src="/south.jpg" alt="South"></article></section>
<section class="related"><h2>Latest</h2><ul><li><a href="/news/1">A new pier</a></li><li><a href="/news/2">An old wall</a></li></ul></section></main>
<aside><a href="/advert"><img src="/advert.png" alt="Buy"></a></aside>
<div id="cookie-banner">We use cookies. More about cookies: <a href="/cookies">here</a> <button>Accept</button></div>
<footer><a href="/imprint">Imprint</a></footer></body></html>`;

export const RSS = `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>http://n.test/</link>
<item><title>One</title><link>/one</link><guid>1</guid><pubDate>Wed, 01 May 2024 10:00:00 GMT</pubDate></item></channel></rss>`;

const SITEMAP = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://n.test/a</loc></url></urlset>`;
const JSON_FEED = JSON.stringify({
  version: 'https://jsonfeed.org/version/1.1',
  title: 'Notes',
  items: [{ id: '1', url: 'http://n.test/1', content_text: 'Hi' }],
});

/** Pages of all kinds that formats are read from. */
export const READING_PAGES: Readonly<Record<string, TextPage>> = {
  '/article': ['text/html; charset=utf-8', ARTICLE],
  '/home-page': ['text/html; charset=utf-8', HOME],
  '/rss': ['application/rss+xml', RSS],
  '/json-feed': ['application/feed+json', JSON_FEED],
  '/sitemap.xml.gz': ['application/gzip', gzipSync(SITEMAP)],
  '/json': ['application/json', '{"a":["<b>"]}'],
  '/plain': ['text/plain', 'a *b*\n\n  c & <d>'],
  '/readme': ['text/markdown', '# T\n\n*a*\n\nb'],
  '/bytes': ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1])],
  '/framed': [
    'text/html',
    `<p>${PARAGRAPH}</p><iframe srcdoc="<main><p>Inside of the frame</p></main>"></iframe>`,
  ],
  '/long': ['text/html', `<main>${`<p>${PARAGRAPH}</p>`.repeat(40)}</main>`],
};
