import { randomBytes } from 'node:crypto';
import { isTestHost, TEST_DOMAIN } from '../domain/test-hosts.ts';
import { escaped, htmlPage } from './html.ts';
import { pdfOf } from './pdf.ts';
import { HTML, numberOf, type OddReply, type TestReply, type TestRequest } from './reply.ts';
import { CONSENT, WALLS } from './walls.ts';

export const MAX_SLOW_MS = 120_000;
export const MAX_BYTES = 64 * 1024 * 1024;
const BROWSER = /Chrome|Firefox|Safari/;
export const notFound = (what: string): TestReply => ({
  status: 404,
  body: htmlPage({
    title: 'Not found',
    body: `<h1>Not found</h1><p>${escaped(what)}</p><p><a href="/">All pages</a></p>`,
  }),
});
export const article = (title: string, text: string): TestReply => ({
  body: htmlPage({ title, body: `<main><h1>${escaped(title)}</h1><p>${escaped(text)}</p></main>` }),
});
export const redirectTo = (location: string, status = 302, headers = {}): TestReply => ({
  status,
  headers: { location, ...headers },
  type: null,
});
export const json = (value: unknown): TestReply => ({
  body: JSON.stringify(value),
  type: 'application/json',
});
export const orNotFound = (html: string | null, what: string): TestReply =>
  html === null ? notFound(what) : { body: html };
export const cookiesOf = ({ headers }: TestRequest): ReadonlyMap<string, string> =>
  new Map(
    (headers.cookie ?? '').split(/; */).map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

/** The only account of the test hosts. */
export const TEST_LOGIN = { username: `anna@${TEST_DOMAIN}`, password: 'correct horse' };
const SESSION = 'session=signed-in; Path=/; HttpOnly; SameSite=Lax';

function loginForm(next: string, problem = '', token: string | null = null): string {
  const path = token === null ? '/login' : '/login/token';
  const hidden = token === null ? '' : `<input type="hidden" name="token" value="${token}">`;
  return htmlPage({
    title: 'Log in',
    body: `<main><h1>Log in</h1>${problem === '' ? '' : `<p class="error">${problem}</p>`}<form method="post" action="${path}?next=${encodeURIComponent(next)}">${hidden}<p><label>E-mail <input name="username" type="email" autocomplete="username"></label></p><p><label>Password <input name="password" type="password" autocomplete="current-password"></label></p><button type="submit">Log in</button></form><p>The account is ${TEST_LOGIN.username}, its password “${TEST_LOGIN.password}”.</p></main>`,
  });
}

export function logIn(request: TestRequest): TestReply {
  const asked = request.url.searchParams.get('next') ?? '';
  // Only paths of this host, as every site should.
  const next = /^\/(?![/\\])/.test(asked) ? asked : '/account';
  if (request.method !== 'POST') return { body: loginForm(next) };
  const form = new URLSearchParams(request.body.toString());
  if (form.get('username') !== TEST_LOGIN.username || form.get('password') !== TEST_LOGIN.password)
    return { status: 401, body: loginForm(next, 'E-mail or password are wrong.') };
  return redirectTo(next, 303, { 'set-cookie': SESSION });
}

/** As `logIn`, but a form counts only with the token (CSRF) that came with it, which a cookie repeats. */
export function logInWithToken(request: TestRequest): TestReply {
  const cookie = cookiesOf(request).get('token');
  const form = new URLSearchParams(request.body.toString());
  if (request.method === 'POST' && cookie !== undefined && form.get('token') === cookie)
    return logIn(request);
  const token = randomBytes(8).toString('hex');
  const isLate = request.method === 'POST';
  return {
    status: isLate ? 403 : 200,
    headers: { 'set-cookie': `token=${token}; Path=/login; HttpOnly; SameSite=Lax` },
    body: loginForm('/account', isLate ? 'The token of the form is missing or wrong.' : '', token),
  };
}

/** As sites do that share one question for consent: the question is on a host of its own, which sends the visitor back. */
export function consentReply(request: TestRequest): TestReply {
  const { url } = request;
  if (!url.hostname.startsWith('consent.'))
    return cookiesOf(request).has('consent')
      ? article('Behind the question', 'You have answered, and this is the page.')
      : redirectTo(
          `${url.protocol}//consent.${TEST_DOMAIN}/consent?continue=${encodeURIComponent(url.href)}`,
        );
  if (request.method !== 'POST') return { body: CONSENT };
  const next = URL.parse(url.searchParams.get('continue') ?? '');
  return redirectTo(next !== null && isTestHost(next.hostname) ? next.href : '/', 303, {
    'set-cookie': `consent=given; Path=/; Domain=${TEST_DOMAIN}`,
  });
}

/** Answers that were given so far, by URL. */
const given = new Map<string, number>();
const MAX_GIVEN = 1_000;

/** The status, or `times` times the status and then 200, again and again. */
export function statusReply({ url, groups }: TestRequest): TestReply {
  const status = Number(groups[0]);
  const times = numberOf(url, 'times', 0, 1_000);
  if (times > 0) {
    const count = given.get(url.href) ?? 0;
    given.delete(url.href);
    if (count < times) given.set(url.href, count + 1);
    if (given.size > MAX_GIVEN) given.delete(given.keys().next().value!);
    if (count >= times)
      return article('Here you are', `After ${times} answers with the status ${status}, this is the page.`);
  }
  const headers =
    status === 429 || status === 503 ? { 'retry-after': String(numberOf(url, 'retry_after', 1, 3_600)) } : {};
  if (status === 204 || status === 304) return { status, type: null };
  return {
    status,
    headers,
    body: htmlPage({
      title: `Status ${status}`,
      body: `<h1>Status ${status}</h1><p>This page always has the status ${status}.</p>`,
    }),
  };
}

/** Refuses what is no browser; with `passes=browser` a browser gets the page after its script has run. */
export function wallReply(request: TestRequest): TestReply {
  const { searchParams } = request.url;
  const by = searchParams.get('by') ?? 'cloudflare';
  const passes = searchParams.get('passes');
  const wall = WALLS[by];
  if (wall === undefined || !Object.hasOwn(WALLS, by))
    return { ...notFound(`There is no wall “${by}”. These exist: ${Object.keys(WALLS).join(', ')}.`) };
  const isBrowserLike =
    BROWSER.test(request.headers['user-agent'] ?? '') && request.headers['sec-fetch-mode'] !== undefined;
  const page = article('Behind the wall', 'The check was passed, and this is the page.');
  if (passes === 'http_impersonate' && isBrowserLike) return page;
  if (passes === 'browser' && cookiesOf(request).get('checked') === by) return page;
  const script =
    passes === 'browser'
      ? `<script>document.cookie='checked=${by};path=/'</script><meta http-equiv="refresh" content="1">`
      : '';
  return {
    status: wall.status ?? 200,
    ...(wall.headers === undefined ? {} : { headers: wall.headers }),
    body: wall.html.replace('</body>', `${script}</body>`),
  };
}

/** Begins an answer and ends the connection in the middle of it. */
export const truncated: OddReply = (response) => {
  const whole = article('Cut off', 'The rest of this page never comes.').body as string;
  response.writeHead(200, { 'content-type': HTML, 'content-length': Buffer.byteLength(whole) + 1_000 });
  response.write(whole.slice(0, -20), () => response.destroy());
};

export const raw =
  (text: string): OddReply =>
  (response) =>
    response.socket?.end(text);

const PIECE = Buffer.alloc(64 * 1024, 'All work and no play. ');

/** Sent piece by piece, so that many at once take no memory. */
export const largeText =
  (bytes: number): OddReply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': bytes });
    let left = bytes;
    const send = () => {
      while (left > 0 && !response.destroyed) {
        const piece = left < PIECE.length ? PIECE.subarray(0, left) : PIECE;
        left -= piece.length;
        if (!response.write(piece)) return response.once('drain', send);
      }
      return response.end();
    };
    send();
  };

const noise = (at: number): string => String((at * 2_654_435_761) % 1_000_000).padStart(6, '0');

let visits = 0;

/** A page whose price changes every so many seconds (0: at each visit), and whose clock and number change always. */
export function changingPage({ url }: TestRequest): TestReply {
  const every = numberOf(url, 'every', 60, 86_400);
  const now = Date.now();
  const version = every === 0 ? visits++ : Math.floor(now / (every * 1_000));
  const price = (1_900 + ((version * 37) % 500)) / 100;
  return {
    body: htmlPage({
      title: 'A page that changes',
      body: `<main><h1>Steel Kettle</h1><p class="price">€${price.toFixed(2)}</p><p class="stock">${(version * 7) % 23} in stock</p></main><footer>Page ${noise(now)}, made at <time>${new Date(now).toISOString()}</time>.</footer>`,
    }),
  };
}

export const SCROLL_LAST = 100;
export const SCROLL_PAGE = htmlPage({
  title: 'A list that goes on',
  body: `<main><h1>A list that goes on</h1><ol id="items"></ol><p id="end">Loading…</p></main>
<script>
let from = 1, busy = false, more = true;
const load = async () => {
  if (busy || !more) return;
  busy = true;
  const answer = await (await fetch('/scroll/items.json?from=' + from)).json();
  for (const { n, name, price } of answer.items) {
    const item = document.createElement('li');
    item.className = 'item';
    item.textContent = name + ', €' + price;
    items.append(item);
    from = n + 1;
  }
  more = answer.more;
  end.textContent = more ? 'Loading…' : 'That is all.';
  busy = false;
  if (end.getBoundingClientRect().top < innerHeight) load();
};
addEventListener('scroll', load);
load();
</script>`,
});

export const SPA_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>An app</title></head>
<body><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript>
<script>
document.title = 'Made by a script';
root.innerHTML = '<h1>Made by a script</h1><p>The items come a moment later.</p><ul></ul>';
fetch('/spa/data.json').then((answer) => answer.json()).then(({ items }) => {
  for (const text of items) {
    const item = document.createElement('li');
    item.textContent = text;
    root.querySelector('ul').append(item);
  }
});
</script></body></html>`;

export const PDF = pdfOf([
  [
    'Invoice 4711',
    '',
    'Steel Kettle, small     1     19.90',
    'Oak Stool, large         2     84.00',
    '',
    'Total                          103.90 EUR',
  ],
  ['Terms', '', 'Please pay within thirty days. Late payments cost five euros.'],
]);

export const CSV = 'sku,name,price\nSL-001,"Steel Anvil, small",84.14\nSL-002,"Steel Kettle, small",163.33\n';

export const headersOf = ({ rawHeaders }: TestRequest): readonly (readonly [string, string])[] =>
  rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1]!] as const] : []));
