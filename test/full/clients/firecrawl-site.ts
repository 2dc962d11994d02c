import { Firecrawl } from 'firecrawl';
import { type MadeSite, startMadeSite } from '../../helpers/made-site.ts';
import type { ServiceApi } from '../../helpers/service.ts';

const text = (topic: string): string =>
  `The page about ${topic} has a sentence that is long enough to count as text. `.repeat(6);

const page = (topic: string, links: readonly string[]): string => `<!doctype html><html lang="en"><head>
  <title>About ${topic}</title><meta name="description" content="All of ${topic}">
  <meta property="og:title" content="Open ${topic}"><script>var unseen = 1</script></head><body>
  <nav class="menu"><a href="/docs/">Docs</a></nav>
  <main class="content"><h1>${topic}</h1><p class="price">Price: 5</p><p>${text(topic)}</p>
  <article><p>${text(`the article of ${topic}`)}</p></article>
  ${links.map((link) => `<p><a href="${link}">to ${link}</a></p>`).join('')}
  <img src="/logo.png" alt="logo"><button id="more" onclick="this.insertAdjacentHTML('afterend', '<p id=done>Clicked</p>')">More</button>
  </main><footer>Imprint</footer></body></html>`;

const PAGES: Readonly<Record<string, readonly string[]>> = {
  '/': ['/docs/', '/docs/first', '/other/'],
  '/docs/': ['/docs/first', '/docs/second?page=1', '/docs/second?page=2', '/other/'],
  '/docs/first': ['/docs/', '/docs/private/secret'],
  '/docs/second?page=1': [],
  '/docs/second?page=2': [],
  '/docs/private/secret': [],
  '/other/': ['/docs/'],
};

/** A home page: what it has are links to other pages. */
const HOME = `<!doctype html><title>Home</title><header><a href="/"><img src="/head.png"></a><nav><a href="/nav">Nav</a></nav></header>
<main><section class="hero"><h1>Home</h1><p>${text('the home page')}</p></section>
<div class="teasers"><div class="card"><a href="/docs/"><img src="/docs.png" alt="Docs">Docs</a></div>
<div class="card"><a href="/other/"><img src="/other.png" alt="Other">Other</a></div></div></main>
<aside class="ad"><a href="/ad">Ad</a></aside><footer><a href="/imprint">Imprint</a></footer>`;

/** A small site: `/docs/` with a few pages, one that robots.txt forbids, one that breaks off, one that changes. */
export async function startDocsSite(): Promise<MadeSite> {
  let visits = 0;
  const site = await startMadeSite((path, request, response) => {
    if (path === '/robots.txt') {
      response.end(`User-agent: *\nDisallow: /docs/private/\nSitemap: ${site.url}/sitemap.xml\n`);
      return undefined;
    }
    if (path === '/sitemap.xml') {
      response.setHeader('content-type', 'application/xml');
      response.end(
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${site.url}/docs/first</loc></url></urlset>`,
      );
      return undefined;
    }
    if (path === '/broken') {
      request.socket.destroy();
      return undefined;
    }
    if (path === '/home') return HOME;
    if (path === '/changing') return page(`change ${++visits}`, []);
    if (path === '/headers') return `<main><pre>${JSON.stringify(request.headers)}</pre></main>`;
    const links = PAGES[path] ?? null;
    return links === null ? null : page(path, links);
  });
  return site;
}

/** The client as its users make it. */
export const clientOf = (service: ServiceApi, apiKey = service.key): Firecrawl =>
  new Firecrawl({ apiKey, apiUrl: service.base });
