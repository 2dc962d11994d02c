import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseTotpSeed, type Totp, totpCode } from '../../../src/domain/totp.ts';
import { type Routes, startTarget, type Target } from '../../adapters/browser/target.ts';

/** Stands in each page: a search for secrets must find it. */
export const MARKER = 'the-marker-of-each-page';

/** Of this run alone, so that the folders of other programs have none. */
const random = () => `${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;

/** Every secret of a log-in, with characters that are written differently in URLs, JSON and HTML. */
export const SECRETS = {
  state: `state-${random()}+/=%7Ea`,
  text: `text-${random()}:b`,
  command: `command-${random()}`,
  hop: `hop-${random()}`,
  renewedByHttp: `renewed-${random()}`,
  renewedByScript: `script-${random()}`,
  inAddress: `address-${random()}`,
  session: `session-${random()}`,
  local: `local-${random()}"'&<`,
  database: `database-${random()}\\n`,
  password: `Pa$$"w<o>rd&'1 ${random()}/+=`,
  seed: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
};

export const CREDENTIALS = {
  username: 'ann@example.com',
  password: SECRETS.password,
  totp_seed: `otpauth://totp/site:ann?secret=${SECRETS.seed}&digits=8`,
};
const TOTP = parseTotpSeed(CREDENTIALS.totp_seed) as Totp;

export interface LeakySite extends Target {
  /** The codes that were sent. */
  readonly codes: string[];
  /** The `Cookie` headers that came. */
  readonly cookies: Set<string>;
  /** To be called when the next page asks for its token; null: nobody waits. */
  onToken: (() => void) | null;
}

const page = (body: string) =>
  `<!doctype html><title>Orders</title><h1>${MARKER}</h1><p>Your orders.</p>${body}`;
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const filler = () => Array.from({ length: 8_000 }, () => `<p>${crypto.randomUUID()}`).join('');
const LOG_IN = (fields: string) =>
  `<!doctype html><title>Log in</title><h1>Log in</h1><form method=post action=/login>${fields}<button>Log in</button></form>`;

/** Keeps what the API answers: in a cookie, localStorage and IndexedDB, each within JSON also. */
const STORES = `<p id=state>…</p><script>
  (async () => {
    const { local, database, cookie } = await (await fetch('/token')).json();
    document.cookie = 'script=' + cookie;
    localStorage.setItem('token', local);
    localStorage.setItem('auth', JSON.stringify({ user: 'ann', access: local }));
    const opening = indexedDB.open('app', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('tokens');
    opening.onsuccess = () => {
      const put = opening.result.transaction('tokens', 'readwrite').objectStore('tokens');
      put.put({ access: database, at: new Date(0) }, 'token').onsuccess = () => { state.textContent = 'stored'; };
    };
  })();
</script>`;

/** A site whose pages never show the secrets that it gives in cookies, headers and answers of its API; one shows the password. */
export async function startLeakySite(): Promise<LeakySite> {
  const codes: string[] = [];
  const cookies = new Set<string>();
  const show = (response: ServerResponse, body: string, status = 200, headers = {}) =>
    void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
  const go = (response: ServerResponse, location: string, cookie: string) =>
    void response.writeHead(302, { location, 'set-cookie': `${cookie}; Path=/; Max-Age=3600` }).end();
  const guarded =
    (route: Routes[string]): Routes[string] =>
    (request, response) => {
      if (request.headers.cookie !== undefined) cookies.add(request.headers.cookie);
      route(request, response);
    };
  const fieldsOf = async (request: IncomingMessage) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
  };
  const routes: Routes = {
    '/': (_, response) => show(response, page('<a href=/a>a</a><a href=/b>b</a>')),
    '/a': (_, response) => show(response, page('<p>a</p>')),
    '/b': (_, response) =>
      show(response, page('<p>b</p>'), 200, {
        'set-cookie': `renewed=${SECRETS.renewedByHttp}; Path=/; Max-Age=3600; HttpOnly`,
        'x-session': SECRETS.renewedByHttp,
      }),
    // A value that the next answer replaces, and one that becomes a part of the address.
    '/hop': (_, response) => go(response, '/hop2', `hop=${SECRETS.hop}`),
    '/hop2': (_, response) =>
      go(response, `/landed;jsessionid=${SECRETS.inAddress}`, 'hop=no-secret-any-more'),
    [`/landed;jsessionid=${SECRETS.inAddress}`]: (_, response) =>
      show(response, page('<p>landed</p>'), 200, {
        'set-cookie': `JSESSIONID=${SECRETS.inAddress}; Path=/; Max-Age=3600`,
      }),
    '/stores': (_, response) => show(response, page(STORES)),
    '/token': ({ headers }, response) => {
      const { local, database, renewedByScript: cookie } = SECRETS;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ local, database, cookie, got: headers.cookie ?? null }));
      const wake = site.onToken;
      site.onToken = null;
      wake?.();
    },
    '/broken': (request) => void request.socket.destroy(),
    '/private': ({ headers }, response) =>
      headers.cookie?.includes(SECRETS.session) === true
        ? show(response, page('<p>private</p>'))
        : show(response, LOG_IN('<input name=user><input type=password name=password>'), 401),
    // Where the log-in ends: so long that its content is not stored with its record, and with the password as sites repeat it.
    '/welcome': (_, response) => {
      const { password } = SECRETS;
      const form = JSON.stringify({ password, again: password });
      show(response, page(`<p>private</p><p>${escaped(password)}<script>form = ${form}</script>${filler()}`));
    },
    '/login': async (request, response) => {
      const { user, password, code } = await fieldsOf(request);
      if (code !== undefined) {
        codes.push(code);
        const isRight = [0, -30_000].some((offset) => code === totpCode(TOTP, Date.now() + offset));
        if (isRight) return go(response, '/welcome', `session=${SECRETS.session}`);
      }
      if (user === CREDENTIALS.username && password === CREDENTIALS.password)
        return show(
          response,
          LOG_IN('<label>Verification code <input name=code autocomplete=one-time-code></label>'),
        );
      show(response, LOG_IN('<input name=user autocomplete=username><input type=password name=password>'));
    },
  };
  const target = await startTarget(
    Object.fromEntries(Object.entries(routes).map(([path, route]) => [path, guarded(route)])),
  );
  const site: LeakySite = Object.assign(target, { codes, cookies, onToken: null });
  return site;
}
