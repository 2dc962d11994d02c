import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseTotpSeed, type Totp, totpCode } from '../../../src/domain/totp.ts';
import { type Routes, startTarget, type Target } from './target.ts';

/** What the site lets in. The password has characters that are escaped in each format. */
export const USER = {
  username: 'ann@example.com',
  password: `Pa$$"w<o>rd&'1 ü/+=`,
  totpSeed: 'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ',
};
const TOTP = parseTotpSeed(USER.totpSeed) as Totp;

export interface LogInSite extends Target {
  /** The fields of each form that was sent, and of each JSON body. */
  readonly sent: Readonly<Record<string, string>>[];
}

/** A site with several ways to log in. All lead to `/home`, which greets whoever has the cookie. */
export async function startLogInSite(): Promise<LogInSite> {
  const sent: Readonly<Record<string, string>>[] = [];
  const target = await startTarget(routes(sent));
  return Object.assign(target, { sent });
}

const page = (body: string) =>
  `<!doctype html><title>Log in</title><form role=search><input name=q placeholder=Search></form>${body}`;

const USER_FIELD = '<label>E-mail <input name=user autocomplete=username></label>';
const PASSWORD_FIELD = '<label>Password <input name=password type=password></label>';
const form = (action: string, fields: string, method = 'post') =>
  `<form method=${method} action=${action}>${fields}<button type=button>Show</button><button>Go on</button></form>`;

const isCode = (code = '') => [0, -30_000].some((offset) => code === totpCode(TOTP, Date.now() + offset));

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function routes(sent: Readonly<Record<string, string>>[]): Routes {
  const show = (response: ServerResponse, body: string, status = 200) =>
    void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(page(body));
  const go = (response: ServerResponse, to: string, cookie?: string) =>
    void response
      .writeHead(303, { location: to, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) })
      .end();
  const SESSION = 'session=the-session-of-ann; Max-Age=3600; HttpOnly; Path=/';
  const fieldsOf = async (request: IncomingMessage): Promise<Readonly<Record<string, string>>> => {
    const url = new URL(request.url!, 'http://a');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const fields = text.startsWith('{')
      ? (JSON.parse(text) as Record<string, string>)
      : Object.fromEntries([...new URLSearchParams(text), ...url.searchParams]);
    if (Object.keys(fields).length > 0) sent.push(fields);
    return fields;
  };
  const isRight = ({ user, password }: Readonly<Record<string, string>>) =>
    user === USER.username && password === USER.password;
  return {
    '/home': (request, response) =>
      show(
        response,
        request.headers.cookie?.includes('session=the-session-of-ann') === true
          ? '<h1>Welcome, Ann</h1>'
          : '<h1>Please log in</h1><a href=/one>Log in</a>',
      ),
    // A wrong password is shown again, as badly made pages do.
    '/one': async (request, response) => {
      const fields = await fieldsOf(request);
      if (isRight(fields)) return go(response, '/home', SESSION);
      const again = fields.password === undefined ? '' : `<p>Not right: ${escaped(fields.password)}</p>`;
      show(response, again + form('/one', USER_FIELD + PASSWORD_FIELD));
    },
    '/refuses': async (request, response) => {
      const { password = '' } = await fieldsOf(request);
      show(
        response,
        `<p>Not right: ${escaped(password)}</p>${form('/refuses', USER_FIELD + PASSWORD_FIELD)}`,
      );
    },
    '/by-get': async (request, response) => {
      const fields = await fieldsOf(request);
      show(
        response,
        fields.password === undefined
          ? form('/by-get', USER_FIELD + PASSWORD_FIELD, 'get')
          : '<h1>Welcome, Ann</h1>',
      );
    },
    '/steps': async (request, response) => {
      const fields = await fieldsOf(request);
      const { step } = fields;
      if (step === undefined)
        return show(
          response,
          form('/steps', '<input type=hidden name=step value=1><input name=identifier type=email>'),
        );
      if (step === '1')
        return show(
          response,
          form(
            '/steps',
            `<input type=hidden name=step value=2><input name=shown value="${escaped(fields.identifier!)}" readonly>${PASSWORD_FIELD}`,
          ),
        );
      if (step === '2')
        return show(
          response,
          fields.password === USER.password
            ? form(
                '/steps',
                '<input type=hidden name=step value=3><label>Verification code <input name=c inputmode=numeric></label>',
              )
            : 'no',
        );
      if (isCode(fields.c)) return go(response, '/home', SESSION);
      show(response, 'wrong code');
    },
    // Boxes for single digits, which send themselves, in a document that stays; the token is in IndexedDB.
    '/app': (_, response) =>
      show(
        response,
        `<div id=app><input id=user placeholder="Your e-mail"><input id=pass type=password><div role=button id=go>Sign in</div></div>
        <script>
          const post = async (body) => (await fetch('/api', { method: 'POST', body: JSON.stringify(body) })).json();
          const first = async () => {
            const { ok } = await post({ user: user.value, password: pass.value });
            if (!ok) return;
            app.innerHTML = '<p id=echo></p>' + '<input maxlength=1 aria-label=digit>'.repeat(6);
            echo.textContent = 'typed';
            app.oninput = async () => {
              const code = [...app.querySelectorAll('input')].map((box) => box.value).join('');
              if (code.length < 6) return;
              const { token } = await post({ c: code });
              const opening = indexedDB.open('auth', 1);
              opening.onupgradeneeded = () => opening.result.createObjectStore('tokens');
              opening.onsuccess = () => {
                opening.result.transaction('tokens', 'readwrite').objectStore('tokens').put(token, 'token');
                app.innerHTML = '<h1>Welcome, Ann</h1>';
              };
            };
          };
          document.querySelector('#pass').onkeydown = ({ key }) => key === 'Enter' && first();
        </script>`,
      ),
    '/api': async (request, response) => {
      const fields = await fieldsOf(request);
      const answer =
        fields.c === undefined
          ? { ok: isRight(fields), you_sent: fields }
          : { token: isCode(fields.c) ? 'token-of-ann' : null };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    },
    // The form is in a frame of another site: `localhost` beside 127.0.0.1.
    '/elsewhere': (request, response) =>
      show(response, `<iframe src="http://localhost:${request.socket.localPort}/one"></iframe>`),
    '/framed': (_, response) => show(response, '<iframe src=/one></iframe>'),
    '/none': (_, response) => show(response, '<p>Nothing to log in with</p>'),
  };
}
