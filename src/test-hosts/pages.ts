import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { TEST_DOMAIN } from '../domain/test-hosts.ts';
import {
  article,
  CSV,
  changingPage,
  consentReply,
  cookiesOf,
  headersOf,
  json,
  largeText,
  logIn,
  logInWithToken,
  MAX_BYTES,
  MAX_SLOW_MS,
  notFound,
  orNotFound,
  PDF,
  raw,
  redirectTo,
  SCROLL_LAST,
  SCROLL_PAGE,
  SPA_PAGE,
  statusReply,
  TEST_LOGIN,
  truncated,
  wallReply,
} from './answers.ts';
import { GUIDE_PATHS, guidePage } from './guides.ts';
import { escaped, htmlPage } from './html.ts';
import { HTML, numberOf, type OddReply, type Responder, type TestReply, type TestRequest } from './reply.ts';
import { scrollItems, shopList, shopProduct } from './shop.ts';
import { CAPTCHA, WALLS } from './walls.ts';

/** A page of every test host. */
export interface TestPage {
  /** What must match the whole path. */
  readonly path: RegExp;
  /** A path and query that work as they stand, for the list of pages. */
  readonly example: string;
  /** One sentence, for the list of pages. */
  readonly about: string;
  /** Default: GET. HEAD is answered as GET. */
  readonly methods?: readonly string[];
  readonly respond: Responder;
}

/** All pages. Each is on every test host. */
export const TEST_PAGES: readonly TestPage[] = [
  {
    path: /^\/ok$/,
    example: '/ok',
    about: 'A page that works.',
    respond: () => article('It works', 'This page is served by Sluice itself, so it needs no network.'),
  },
  {
    path: /^\/status\/([1-5]\d\d)$/,
    example: '/status/503?times=2',
    about: 'The status in the path; with `times`, so many times, then the page, again and again.',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    respond: statusReply,
  },
  {
    path: /^\/slow$/,
    example: '/slow?ms=2000',
    about: 'A page that comes after so many milliseconds.',
    async respond({ url, signal }) {
      const ms = numberOf(url, 'ms', 2_000, MAX_SLOW_MS);
      await sleep(ms, undefined, { signal });
      return article('Late', `This page came after ${ms} ms.`);
    },
  },
  {
    path: /^\/captcha$/,
    example: '/captcha',
    about: 'A captcha instead of the page.',
    methods: ['GET', 'POST'],
    respond: () => ({ status: 403, body: CAPTCHA }),
  },
  {
    path: /^\/block$/,
    example: '/block?by=cloudflare&passes=browser',
    about: `A wall instead of the page. \`by\`: ${Object.keys(WALLS).join(', ')}. \`passes\`: \`http_impersonate\` or \`browser\` get the page; without it nobody does.`,
    respond: wallReply,
  },
  {
    path: /^\/consent$/,
    example: '/consent',
    about: 'A page that asks for consent first, on a host of its own; `#accept` and `#reject` go on.',
    methods: ['GET', 'POST'],
    respond: consentReply,
  },
  {
    path: /^\/truncated$/,
    example: '/truncated',
    about: 'A page whose connection ends before it does.',
    respond: () => truncated,
  },
  {
    path: /^\/redirect\/loop$/,
    example: '/redirect/loop',
    about: 'A redirect to itself.',
    respond: () => redirectTo('/redirect/loop'),
  },
  {
    path: /^\/redirect\/invalid$/,
    example: '/redirect/invalid',
    about: 'A redirect to what is no URL.',
    respond: () => redirectTo('http://[half-an-address'),
  },
  {
    path: /^\/redirect\/private$/,
    example: '/redirect/private',
    about: 'A redirect to a host whose address is not allowed.',
    respond: () => redirectTo(`http://policy-address.${TEST_DOMAIN}/`),
  },
  {
    path: /^\/redirect\/(\d{1,3})$/,
    example: '/redirect/3',
    about: 'So many redirects, then the page.',
    respond: ({ groups }) => {
      const left = Number(groups[0]);
      return redirectTo(left > 1 ? `/redirect/${left - 1}` : '/ok');
    },
  },
  {
    path: /^\/spa$/,
    example: '/spa',
    about: 'An app: its page is empty until its scripts have run; `li` come a moment later.',
    respond: () => ({ body: SPA_PAGE }),
  },
  {
    path: /^\/spa\/data\.json$/,
    example: '/spa/data.json',
    about: 'What the app loads.',
    respond: () => json({ items: ['First', 'Second', 'Third'] }),
  },
  {
    path: /^\/scroll$/,
    example: '/scroll',
    about: `A list of ${SCROLL_LAST} items, of which ten more come whenever the end is in sight.`,
    respond: () => ({ body: SCROLL_PAGE }),
  },
  {
    path: /^\/scroll\/items\.json$/,
    example: '/scroll/items.json?from=1',
    about: 'What the list loads.',
    respond: ({ url }) => ({
      body: scrollItems(numberOf(url, 'from', 1, SCROLL_LAST), 10, SCROLL_LAST),
      type: 'application/json',
    }),
  },
  {
    path: /^\/login$/,
    example: '/login',
    about: `A form to log in: ${TEST_LOGIN.username}, password “${TEST_LOGIN.password}”.`,
    methods: ['GET', 'POST'],
    respond: logIn,
  },
  {
    path: /^\/login\/token$/,
    example: '/login/token',
    about: 'The same form with a hidden token (CSRF), without which it is refused.',
    methods: ['GET', 'POST'],
    respond: logInWithToken,
  },
  {
    path: /^\/account$/,
    example: '/account',
    about: 'A page for those who have logged in; others are sent to `/login`.',
    respond: (request) =>
      cookiesOf(request).get('session') === 'signed-in'
        ? {
            body: htmlPage({
              title: 'Your account',
              body: `<main><h1>Hello Anna</h1><p>You are logged in as ${TEST_LOGIN.username}.</p><ul class="orders"><li class="order">Steel Kettle, small</li><li class="order">Oak Stool, large</li></ul></main>`,
            }),
          }
        : redirectTo('/login?next=%2Faccount'),
  },
  {
    path: /^\/pdf$/,
    example: '/pdf',
    about: 'A PDF of two pages.',
    respond: () => ({ body: PDF, type: 'application/pdf' }),
  },
  {
    path: /^\/pdf\/broken$/,
    example: '/pdf/broken',
    about: 'A PDF that cannot be read.',
    respond: () => ({ body: Buffer.from('%PDF-1.7\nnothing of a PDF follows'), type: 'application/pdf' }),
  },
  {
    path: /^\/shop$/,
    example: '/shop?page=2',
    about: 'A shop: 300 products on 15 pages of a list, each with a page and JSON-LD.',
    respond: ({ url }) =>
      orNotFound(shopList(numberOf(url, 'page', 1, 999_999_999)), 'The list has 15 pages.'),
  },
  {
    path: /^\/shop\/([\w-]{1,20})$/,
    example: '/shop/SL-001',
    about: 'A product, from `SL-001` to `SL-300`.',
    respond: ({ groups }) => orNotFound(shopProduct(groups[0]!), 'Products are SL-001 to SL-300.'),
  },
  {
    path: /^\/docs(?:\/[a-z/]{1,60})?$/,
    example: '/docs',
    about: `A site of ${GUIDE_PATHS.length} pages for crawls, with a sitemap and a robots.txt.`,
    respond: ({ url }) => orNotFound(guidePage(url.pathname), 'There is no such guide.'),
  },
  {
    path: /^\/private\/notes$/,
    example: '/private/notes',
    about: 'A page that robots.txt forbids to crawls.',
    respond: () => article('Notes', 'robots.txt asks programs not to read this page.'),
  },
  {
    path: /^\/changes$/,
    example: '/changes?every=60',
    about:
      'A page for monitors: its price changes every so many seconds (0: at each visit), its clock always.',
    respond: changingPage,
  },
  {
    path: /^\/download$/,
    example: '/download',
    about: 'A file of comma-separated values, as a download.',
    respond: () => ({
      body: CSV,
      type: 'text/csv; charset=utf-8',
      headers: { 'content-disposition': 'attachment; filename="prices.csv"' },
    }),
  },
  {
    path: /^\/headers$/,
    example: '/headers',
    about: 'The headers of the request, as JSON.',
    respond: (request) => json({ headers: headersOf(request) }),
  },
  {
    path: /^\/echo$/,
    example: '/echo',
    about: 'Method, headers and body of the request, as JSON.',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    respond: (request) =>
      json({ method: request.method, headers: headersOf(request), body: request.body.toString() }),
  },
  {
    path: /^\/cookies$/,
    example: '/cookies',
    about: 'Sets two cookies, and says which ones came.',
    respond: (request) => ({
      ...json({ cookies: Object.fromEntries(cookiesOf(request)) }),
      headers: { 'set-cookie': ['flavour=oat; Path=/', 'visits=1; Path=/; HttpOnly'] },
    }),
  },
  {
    path: /^\/charset$/,
    example: '/charset',
    about: 'A page in Windows-1252 that does not say so.',
    respond: () => ({
      body: Buffer.from(
        '<!doctype html><title>Caf\xe9</title><h1>Caf\xe9 M\xfcller</h1><p>Br\xf6tchen f\xfcr 1,20 \x80, \x84jeden Tag\x93.</p>',
        'latin1',
      ),
      type: 'text/html',
    }),
  },
  {
    path: /^\/large$/,
    example: '/large?bytes=1000000',
    about: 'A text of so many bytes.',
    respond: ({ url }) => largeText(numberOf(url, 'bytes', 1_000_000, MAX_BYTES)),
  },
  {
    path: /^\/empty$/,
    example: '/empty',
    about: 'An answer without a body.',
    respond: () => ({ type: HTML }),
  },
  {
    path: /^\/encoded\/(br|gzip)$/,
    example: '/encoded/br',
    about: 'A page that is compressed: `br` or `gzip`.',
    respond: ({ groups }) => {
      const coding = groups[0]!;
      const page = article('Compressed', `This page came as ${coding}.`).body!;
      const body = coding === 'br' ? brotliCompressSync(page) : gzipSync(page);
      return { body, headers: { 'content-encoding': coding } };
    },
  },
  {
    path: /^\/encoded\/broken$/,
    example: '/encoded/broken',
    about: 'A page that says that it is compressed, and is not.',
    respond: () => ({ body: 'This is no gzip.', headers: { 'content-encoding': 'gzip' } }),
  },
  {
    path: /^\/reset$/,
    example: '/reset',
    about: 'The connection ends before an answer.',
    respond: () => (response) => response.socket?.resetAndDestroy(),
  },
  {
    path: /^\/no-http$/,
    example: '/no-http',
    about: 'An answer that is no HTTP.',
    respond: () => raw('220 this is no web server\r\n'),
  },
  {
    path: /^\/robots\.txt$/,
    example: '/robots.txt',
    about: 'Forbids `/private/` to crawls.',
    respond: ({ url }) => ({
      body: `User-agent: *\nDisallow: /private/\nSitemap: ${url.origin}/sitemap.xml\n`,
      type: 'text/plain; charset=utf-8',
    }),
  },
  {
    path: /^\/sitemap\.xml$/,
    example: '/sitemap.xml',
    about: 'The guides.',
    respond: ({ url }) => ({
      body: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${GUIDE_PATHS.map((path) => `<url><loc>${url.origin}${path}</loc></url>`).join('')}</urlset>\n`,
      type: 'application/xml',
    }),
  },
];

/** The list of all pages, at `/`. */
function listPage(): string {
  const row = ({ example, about }: TestPage) =>
    `<tr><td><a href="${escaped(example)}">${escaped(example)}</a></td><td>${escaped(about.replaceAll('`', ''))}</td></tr>`;
  return htmlPage({
    title: 'Test hosts of Sluice',
    body: `<main><h1>Test hosts of Sluice</h1><p>Every host below ${TEST_DOMAIN} has these pages.</p><table>${TEST_PAGES.map(row).join('\n')}</table></main>`,
  });
}

/** @returns the answer of a test host */
export async function respond(request: TestRequest): Promise<TestReply | OddReply> {
  const { pathname } = request.url;
  if (pathname === '/') return { body: listPage() };
  for (const { path, methods = ['GET'], respond: answer } of TEST_PAGES) {
    const match = path.exec(pathname);
    if (match === null) continue;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (!methods.includes(method))
      return { ...notFound('Use another method.'), status: 405, headers: { allow: methods.join(', ') } };
    try {
      return await answer({ ...request, groups: match.slice(1) });
    } catch (error) {
      // Of `numberOf`.
      if (error instanceof RangeError) return { ...notFound(error.message), status: 400 };
      throw error;
    }
  }
  return notFound(`No test host has ${pathname}.`);
}
