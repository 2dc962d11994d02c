import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { parseTotpSeed, type Totp, totpCode } from '../../../src/domain/totp.ts';
import { USER } from '../../adapters/browser/log-in-site.ts';
import { chromiums } from '../../adapters/browser/stage.ts';
import { type Routes, startTarget, type Target } from '../../adapters/browser/target.ts';
import { useService } from '../../helpers/service.ts';
import { profileKey } from '../../helpers/visitor.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const TOTP = parseTotpSeed(USER.totpSeed) as Totp;
/** A site may keep what was typed, which is masked elsewhere. */
const REMEMBERED = Buffer.from(USER.password).toString('base64url');
const TOKEN = 'token-of-ann-4711';

/** An application that keeps its token in IndexedDB, and asks an identity provider in a window of its own. */
const APP = `<!doctype html><title>Shop</title><main id=main>…</main><script>
  const openDb = () => new Promise((resolve) => {
    const opening = indexedDB.open('auth', 2);
    opening.onupgradeneeded = () => opening.result.createObjectStore('tokens', { keyPath: 'id' });
    opening.onsuccess = () => resolve(opening.result);
  });
  const asked = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  (async () => {
    const db = await openDb();
    const code = new URLSearchParams(location.search).get('code');
    if (code !== null) {
      const { token } = await (await fetch('/token?code=' + code)).json();
      await asked(db.transaction('tokens', 'readwrite').objectStore('tokens').put({ id: 'current', token }));
      history.replaceState(null, '', '/app');
    }
    const kept = await asked(db.transaction('tokens').objectStore('tokens').get('current'));
    const me = kept && (await (await fetch('/me', { headers: { authorization: 'Bearer ' + kept.token } })).json());
    main.innerHTML = me?.name
      ? '<h1>Welcome, ' + me.name + '</h1><p>Your last orders: a bicycle, a lamp and a pair of shoes.</p>'
      : '<p>You see this page as a guest.</p><button id=open>Log in</button>';
    if (!me?.name) document.querySelector('#open').onclick = () => window.open('/start', 'login', 'width=400,height=500');
  })();
</script>`;

const page = (body: string) => `<!doctype html><title>Identity</title>${body}`;
const form = (action: string, fields: string) =>
  page(`<form method=post action=${action}>${fields}<button>Next</button></form>`);

/** The shop is at 127.0.0.1, the identity provider at localhost: another site. */
function routes(tokensAsked: string[]): Routes {
  const html = (response: ServerResponse, body: string, headers = {}) =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
  const go = (response: ServerResponse, location: string, cookie: string) =>
    void response
      .writeHead(303, { location, 'set-cookie': `${cookie}; Path=/; HttpOnly; Max-Age=3600` })
      .end();
  const at = (host: string, { socket }: IncomingMessage, path: string) =>
    `http://${host}:${socket.localPort}${path}`;
  const fieldsOf = async (request: IncomingMessage) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return new URLSearchParams(Buffer.concat(chunks).toString());
  };
  return {
    '/app': (_, response) => html(response, APP),
    '/start': (request, response) => go(response, at('localhost', request, '/authorize'), 'flow=started'),
    '/authorize': (_, response) =>
      html(
        response,
        form(
          '/password',
          '<label>E-mail <input name=user type=email></label><label>Password <input name=password type=password></label>',
        ),
      ),
    '/password': async (request, response) => {
      const fields = await fieldsOf(request);
      const isRight = fields.get('user') === USER.username && fields.get('password') === USER.password;
      html(
        response,
        isRight
          ? form('/code', '<label>Authentication code <input name=c inputmode=numeric></label>')
          : page('<p>No</p>'),
        { 'set-cookie': 'step=1; Path=/; HttpOnly' },
      );
    },
    '/code': async (request, response) => {
      const code = (await fieldsOf(request)).get('c');
      const isRight = [0, -30_000].some((offset) => code === totpCode(TOTP, Date.now() + offset));
      if (!isRight || request.headers.cookie?.includes('step=1') !== true)
        return html(response, page('<p>No</p>'));
      go(response, at('127.0.0.1', request, '/callback'), `sso=${REMEMBERED}`);
    },
    '/callback': (_, response) => go(response, '/app?code=once', 'shop=shop-session-1'),
    '/token': ({ headers }, response) => {
      tokensAsked.push(headers.cookie ?? '');
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ token: TOKEN }));
    },
    '/me': ({ headers }, response) => {
      const name = headers.authorization === `Bearer ${TOKEN}` ? 'Ann' : null;
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ name }));
    },
    '/orders': ({ headers }, response) =>
      headers.cookie?.includes('shop=shop-session-1') === true
        ? html(response, page('<h1>Orders of Ann</h1><p>A bicycle, a lamp and a pair of shoes.</p>'))
        : html(response, form('/password', '<input name=user><input name=password type=password>')),
    '/again': ({ headers }, response) =>
      html(response, page(`<p>${headers.cookie?.includes(`sso=${REMEMBERED}`) === true}</p>`)),
  };
}

describe('a log-in that lasts', { skip }, () => {
  const service = useService();
  const tokensAsked: string[] = [];
  let site: Target;
  let key: string;
  before(async () => {
    site = await startTarget(routes(tokensAsked));
    key = await profileKey(service);
    const credentials = { username: USER.username, password: USER.password, totp_seed: USER.totpSeed };
    const body = { name: 'shop', sites: ['127.0.0.1', 'localhost'], credentials };
    const made = await service.api('POST', '/api/v1/profiles/', { body, key });
    assert.equal(made.status, 201, made.text);
  });
  after(() => site?.[Symbol.asyncDispose]());
  const scrape = async (url: string, scraper: string, more: object = {}) => {
    const body = { url, scraper, timeout_ms: 300_000, scraper_options: { profile: 'shop' }, ...more };
    const done = await service.scrape(body, { key });
    assert.deepEqual([done.status, done.body.errors], [200, []], done.text);
    return done.body;
  };

  test('in a window of its own, at another site, with a code, into IndexedDB', async () => {
    const logged = await scrape(`${site.url}/app`, 'browser', {
      page_actions: [{ click: '#open' }, { login: 'shop' }, { wait_for_selector: 'h1' }],
    });
    assert.match(logged.content!, /Welcome, Ann/);
    assert.equal(logged.final_url, `${site.url}/app`);
    assert.equal(tokensAsked.length, 1);
  });

  test('the next scrapes are logged in, by browser and by HTTP', async () => {
    const shown = await scrape(`${site.url}/app`, 'browser', { wait_for_selector: 'h1' });
    assert.match(shown.content!, /Welcome, Ann/);
    const orders = await scrape(`${site.url}/orders`, 'http');
    assert.match(orders.content!, /Orders of Ann/);
    const provider = await scrape(`${site.url.replace('127.0.0.1', 'localhost')}/again`, 'http');
    assert.match(provider.content!, /true/);
    assert.equal(tokensAsked.length, 1);
  });
});
