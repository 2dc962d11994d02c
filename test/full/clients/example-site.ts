import { type MadeSite, startMadeSite } from '../../helpers/made-site.ts';

export type ExampleSite = MadeSite;

const page = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><header><a href="/">Home</a> <a href="/docs/">Docs</a> <a href="/products/">Products</a></header><main><h1>${title}</h1>${body}</main><footer>Imprint</footer></body></html>`;

const PROSE =
  '<p>A paragraph about this page, which is long enough to be the main content of it. It has several sentences. They say little, but they are what a reader would want to read here.</p>'.repeat(
    3,
  );

const PRODUCT = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Anvil',
  sku: 'A-1',
  offers: {
    '@type': 'Offer',
    price: '39.90',
    priceCurrency: 'EUR',
    availability: 'https://schema.org/InStock',
  },
};

/** The pages of example.com in the guides. All other paths have a page, too. */
const PAGES: Readonly<Record<string, string>> = {
  '/': page('Example', `${PROSE}<ul><li><a href="/docs/">Docs</a><li><a href="/products/">Products</a></ul>`),
  '/docs/': page('Docs', `${PROSE}<a href="/docs/install">Install</a> <a href="/docs/limits">Limits</a>`),
  '/docs/install': page('Install', PROSE),
  '/docs/limits': page('Limits', PROSE),
  '/products/': page('Products', '<ul><li><a class="product" href="/products/anvil">Anvil</a></ul>'),
  '/products/anvil': page(
    'Anvil',
    `${PROSE}<p class="price">EUR 39.90</p><p class="stock">in stock</p>`,
    `<script type="application/ld+json">${JSON.stringify(PRODUCT)}</script>`,
  ),
  '/search': page(
    'Search',
    `<form><input name="q"><button>Search</button></form><ul id="results"></ul>
<script>
document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  setTimeout(() => {
    const word = document.querySelector('[name=q]').value;
    document.querySelector('#results').innerHTML = [1, 2, 3].map((n) => '<li class="result">' + word + ' ' + n + '</li>').join('');
  }, 100);
});
</script>`,
  ),
};

/** The site that stands in for example.com. */
export const startExampleSite = (): Promise<ExampleSite> =>
  startMadeSite((path, { headers }, response) => {
    const { pathname } = new URL(path, 'http://a.test');
    if (pathname === '/robots.txt') {
      response.setHeader('content-type', 'text/plain');
      response.end(`User-agent: *\nDisallow: /private/\nSitemap: http://${headers.host}/sitemap.xml\n`);
      return undefined;
    }
    if (pathname === '/sitemap.xml') {
      response.setHeader('content-type', 'application/xml');
      const urls = Object.keys(PAGES).map((known) => `<url><loc>http://${headers.host}${known}</loc></url>`);
      response.end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`);
      return undefined;
    }
    return PAGES[pathname] ?? page('Page', PROSE);
  });
