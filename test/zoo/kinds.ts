import type { IncomingMessage, ServerResponse } from 'node:http';
import { bare, ordinary, prose } from '../assess/a-page.ts';

/** How a site treats its visitors. */
export interface Kind {
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  /** What is only in the content; null: nobody gets it without signing in, consenting, living elsewhere. */
  readonly content: RegExp | null;
  /** The verdict on what plain HTTP is given. */
  readonly http: string;
  /** Over TLS, and only to those who greet like a browser. */
  readonly greeting?: boolean;
}

/** What all who are welcome get. */
export const CONTENT_PAGE = ordinary({ body: '<p id="goods">The goods of the zoo.</p>' });
const GOODS = /The goods of the zoo/;
const HTML = { 'content-type': 'text/html; charset=utf-8' };

const html =
  (body: string, status = 200, headers: Record<string, string | string[]> = {}) =>
  (_: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(status, { ...HTML, ...headers }).end(body);

/** Browsers say where a navigation comes from, and have a fixed order of fields. */
function looksLikeBrowser({ rawHeaders }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const place = (name: string) => names.indexOf(name);
  return (
    place('user-agent') !== -1 && place('user-agent') < place('accept') && place('sec-fetch-mode') !== -1
  );
}

const ifBrowser =
  (otherwise: (request: IncomingMessage, response: ServerResponse) => void) =>
  (request: IncomingMessage, response: ServerResponse): void =>
    (looksLikeBrowser(request) ? html(CONTENT_PAGE) : otherwise)(request, response);

/** By path, with a script at /app.js. */
const withScript =
  (page: string, script: string) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url === '/app.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else html(page)(request, response);
  };

const MAKES_GOODS = `document.getElementById('root').innerHTML = '<h1>Goods</h1><p>The goods of the zoo.</p><p>${prose(300)}</p>';`;
const FETCHES_GOODS = `fetch('/goods.json').then((answer) => answer.text()).then((text) => { document.getElementById('root').textContent = text; });`;
const LATE_MS = 900;
const MARKS =
  '<script>window._pxAppId="PX1";window.ddjskey="A";window.__CF$cv$params={r:"1"};</script><script>var api="https://challenges.cloudflare.com/turnstile/v0/api.js"</script>';
const HEAVY = `<style>${'.a{color:#123;background:url(data:image/png;base64,AAAA)}'.repeat(2200)}</style>`;

const wall =
  (place: string, page: string) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url?.startsWith(place) === true) html(page)(request, response);
    else response.writeHead(302, { location: `${place}?to=${encodeURIComponent(request.url ?? '')}` }).end();
  };

export const KINDS: Readonly<Record<string, Kind>> = {
  open: { serve: html(CONTENT_PAGE), content: GOODS, http: 'ok' },
  'made by scripts': {
    serve: withScript(bare('Goods', '<div id="root"></div><script src="/app.js"></script>'), MAKES_GOODS),
    content: GOODS,
    http: 'js_shell',
  },
  'fetched by scripts, after the load': {
    serve: ({ url = '' }, response) => {
      const page = bare('Goods', '<div id="root">Loading…</div><script src="/app.js"></script>');
      if (url === '/app.js')
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(FETCHES_GOODS);
      else if (url === '/goods.json')
        setTimeout(() => response.end('The goods of the zoo are told late.'), LATE_MS);
      else response.writeHead(200, HTML).end(page);
    },
    content: GOODS,
    http: 'js_shell',
  },
  'made on the server, then hydrated': {
    serve: withScript(
      bare(
        'Goods',
        `<div id="root"><p>The goods of the zoo.</p><p>${prose(400)}</p></div><script>window.__INITIAL_STATE__={}</script><script src="/app.js"></script>`,
      ),
      MAKES_GOODS,
    ),
    content: GOODS,
    http: 'ok',
  },
  'looks at headers': {
    serve: ifBrowser(html(bare('403 Forbidden', '<h1>403 Forbidden</h1>'), 403)),
    content: GOODS,
    http: 'block',
  },
  'looks at the greeting of TLS': {
    serve: html(bare('Access Denied', '<h1>Access Denied</h1>'), 403),
    content: GOODS,
    http: 'block',
    greeting: true,
  },
  'sets a cookie by script': {
    serve: (request, response) =>
      (request.headers.cookie?.includes('pass=49') === true
        ? html(CONTENT_PAGE)
        : html(
            '<html><body><script>document.cookie="pass="+(7*7)+"; path=/";location.reload();</script></body></html>',
            503,
          ))(request, response),
    content: GOODS,
    http: 'challenge',
  },
  'blocks with 200': {
    serve: ifBrowser(html(bare('Access Denied', '<h1>Access denied</h1><p>Your request was denied.</p>'))),
    content: GOODS,
    http: 'block',
  },
  'blocks with more than 100 KB': {
    serve: ifBrowser(html(bare('Access to this page has been denied', '<p>No.</p>', HEAVY), 403)),
    content: GOODS,
    http: 'block',
  },
  'wants to sign in': {
    serve: wall('/login', bare('Log in', '<form><input name="u"><input type="password"></form>')),
    content: null,
    http: 'wall',
  },
  'wants consent': {
    serve: wall(
      '/consent',
      bare('Before you continue', '<p>We use cookies.</p><form><button>Accept all</button></form>'),
    ),
    content: null,
    http: 'wall',
  },
  'is not for visitors from here': {
    serve: html(bare('Sorry', '<p>This site is not available in your country.</p>'), 451),
    content: null,
    http: 'wall',
  },
  empty: { serve: html(''), content: null, http: 'empty' },
  tiny: { serve: html('<html><body>The goods of the zoo</body></html>'), content: GOODS, http: 'ok' },
  JSON: {
    serve: (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"text":"The goods of the zoo"}'),
    content: GOODS,
    http: 'ok',
  },
  'an article about captchas': {
    serve: html(
      ordinary({
        title: 'Access denied: how captchas work',
        body: '<p>The goods of the zoo. You have been blocked, verify you are human.</p>',
      }),
    ),
    content: GOODS,
    http: 'ok',
  },
  'full of marks of vendors': {
    serve: html(
      ordinary({ head: MARKS, body: '<p>The goods of the zoo.</p><div class="g-recaptcha"></div>' }),
      200,
      {
        'set-cookie': ['_abck=A~-1~; path=/', 'datadome=a; path=/', '_pxhd=1; path=/', '__cf_bm=a; path=/'],
        'x-iinfo': '1-2-0 NNYN',
        'x-datadome': 'protected',
        'cf-ray': 'a-FRA',
      },
    ),
    content: GOODS,
    http: 'ok',
  },
};
