import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { createOpenIdProvider } from '../../../src/adapters/oidc/open-id-provider.ts';
import { openHouse } from '../../account/setup.ts';
import { freePort } from '../../helpers/free-port.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type People,
  signToken,
  startOpenIdProvider,
  type TestProvider,
} from '../../helpers/open-id-provider.ts';
import { type Service, startService } from '../../helpers/service.ts';
import { newUser, PASSWORD, signIn, visit } from '../../helpers/visitor.ts';
import type { Problem, SessionObject, UserObject } from '../../helpers/wire-types.ts';

const OIDC = '/api/v1/session/oidc/';

/** The cookies of one site. */
class Cookies {
  readonly #values = new Map<string, string>();

  get header(): string {
    return [...this.#values].map(([name, value]) => `${name}=${value}`).join('; ');
  }
  get(name: string): string | undefined {
    return this.#values.get(name);
  }
  set(name: string, value: string): void {
    this.#values.set(name, value);
  }
  take({ headers }: Pick<Response, 'headers'>): void {
    for (const cookie of headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (value === '') this.#values.delete(name!);
      else this.#values.set(name!, value!);
    }
  }
}

/** A browser that does not follow redirects by itself. */
class Browser {
  readonly service: Service;
  readonly #address: string;
  readonly own = new Cookies();
  readonly #ofProvider = new Cookies();

  /** @param address of the person, for the throttle of sign-in */
  constructor(service: Service, address: string) {
    this.service = service;
    this.#address = address;
  }

  /** A GET of the service. @returns where it leads */
  async go(url: string): Promise<URL> {
    const headers = { cookie: this.own.header, 'x-forwarded-for': this.#address };
    const reply = await this.service.api('GET', url.replace(this.service.base, ''), { key: null, headers });
    assert.equal(reply.status, 302, reply.text);
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    this.own.take(reply);
    return new URL(reply.headers.get('location')!);
  }

  start(next?: string): Promise<URL> {
    return this.go(`${OIDC}start/${next === undefined ? '' : `?next=${encodeURIComponent(next)}`}`);
  }

  /** Signs in at the provider. @returns the redirect URI with its parameters */
  async atProvider(from: URL, subject: string): Promise<string> {
    let [url, body]: [URL, string | null] = [from, null];
    for (let steps = 0; steps < 10; steps++) {
      const response: Response = await fetch(url, {
        method: body === null ? 'GET' : 'POST',
        headers: { cookie: this.#ofProvider.header },
        redirect: 'manual',
        body: body === null ? null : new URLSearchParams({ subject: body }),
      });
      this.#ofProvider.take(response);
      const location = response.headers.get('location');
      if (location === null) {
        assert.equal(response.status, 200, await response.text());
        body = subject;
        continue;
      }
      url = new URL(location, url);
      body = null;
      if (url.origin === this.service.base) return url.href;
    }
    return assert.fail('the provider leads nowhere');
  }

  /** All steps. @returns where the sign-in leads */
  async signIn(subject: string, next?: string): Promise<URL> {
    return await this.go(await this.atProvider(await this.start(next), subject));
  }

  async session(): Promise<SessionObject> {
    const reply = await visit<SessionObject>(this.service, 'GET', '/api/v1/session/', {
      headers: { cookie: this.own.header },
    });
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  }
}

interface Audit {
  readonly items: readonly {
    readonly action: string;
    readonly actor: { readonly user_id: string | null; readonly via: string };
    readonly details: Readonly<Record<string, unknown>>;
  }[];
}

describe('sign-in by OpenID Connect', () => {
  const people: People = {
    'sub-ada': { email: 'Ada@example.com', email_verified: true },
    'sub-bob': { email: 'bob@example.com', email_verified: false },
    'sub-carol': { email: 'carol@example.com', email_verified: true },
    'sub-nobody': { email: 'nobody@example.com', email_verified: true },
    'sub-root': { email: 'admin@localhost', email_verified: true, groups: ['staff'] },
  };
  /** Only users sign in; roles are ours. */
  let closed: Service;
  /** Everybody of the provider signs in; roles are the provider's. */
  let open: Service;
  let provider: TestProvider;
  let addresses = 0;
  const browser = (service: Service) => new Browser(service, `192.0.2.${++addresses}`);
  const errorOf = (url: URL) => `${url.pathname} ${url.searchParams.get('error')}`;
  const audit = async (service: Service, { id }: { readonly id: string }) =>
    (await service.api<Audit>('GET', `/api/v1/audit/?user_id=${id}`)).body.items;
  const userOf = async (service: Service, id: string) =>
    (await service.api<UserObject>('GET', `/api/v1/users/${id}/`)).body;

  before(async () => {
    const [port, closedPort, openPort] = [await freePort(), await freePort(), await freePort()];
    const env = {
      SLUICE_OIDC_ISSUER: `http://127.0.0.1:${port}`,
      SLUICE_OIDC_CLIENT_ID: CLIENT_ID,
      SLUICE_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      SLUICE_TRUSTED_PROXIES: 'loopback',
    };
    closed = await startService({ ...env, SLUICE_OIDC_NAME: 'Example Login' }, { port: closedPort });
    const roles = { SLUICE_OIDC_ROLE_CLAIM: 'groups', SLUICE_OIDC_ROLES: 'chiefs=admin, staff=user' };
    open = await startService({ ...env, ...roles, SLUICE_OIDC_SIGN_UP: 'true' }, { port: openPort });
    // The services have started without the provider.
    assert.equal(errorOf(await browser(closed).start()), '/sign-in provider_unavailable');
    const redirectUris = [closed, open].map(({ base }) => `${base}${OIDC}callback/`);
    provider = await startOpenIdProvider(port, redirectUris, people);
  });
  after(async () => {
    await Promise.all([closed.end(), open.end()]);
    await provider[Symbol.asyncDispose]();
  });

  test('a user is linked by the verified address, and found by the subject afterwards', async () => {
    const settings = await visit(closed, 'GET', OIDC);
    assert.deepEqual(settings.body, { enabled: true, name: 'Example Login' });
    const user = await newUser(closed, { email: 'ada@EXAMPLE.com' });
    assert.equal(user.has_identity, false);
    const ada = browser(closed);
    const started = await ada.start('/history?outcome=failed');
    assert.equal(started.searchParams.get('code_challenge_method'), 'S256');
    assert.equal(started.searchParams.get('scope'), 'openid email profile');
    const to = await ada.go(await ada.atProvider(started, 'sub-ada'));
    assert.equal(to.href, `${closed.base}/history?outcome=failed`);
    assert.equal((await ada.session()).user.id, user.id);
    assert.equal(ada.own.get('sluice_oidc'), undefined, 'the ticket is removed');
    assert.equal((await userOf(closed, user.id)).has_identity, true);
    const events = (await audit(closed, user)).slice(0, 2);
    assert.deepEqual(
      events.map(({ action, actor, details }) => [action, actor.user_id, actor.via, details]),
      [
        ['session.created', user.id, 'sign_in', { method: 'openid_connect' }],
        ['identity.linked', user.id, 'sign_in', { issuer: provider.issuer }],
      ],
    );
    people['sub-ada'] = { email: 'ada@new.example', email_verified: false };
    const again = browser(closed);
    assert.equal((await again.signIn('sub-ada')).href, `${closed.base}/`);
    assert.equal((await again.session()).user.id, user.id);
    // The password works, too.
    await signIn(closed, user.email);
  });

  test('an invited user is taken over, and the link stops working', async () => {
    const invited = await newUser(closed, { email: 'carol@example.com', password: null, role: 'viewer' });
    const link = await closed.api<{ url: string }>('POST', `/api/v1/users/${invited.id}/link/`);
    const carol = browser(closed);
    assert.equal((await carol.signIn('sub-carol')).href, `${closed.base}/`);
    const { user } = await carol.session();
    assert.deepEqual([user.id, user.role, user.has_password], [invited.id, 'viewer', false]);
    const body = { token: link.body.url.split('#')[1] };
    assert.equal((await visit(closed, 'POST', '/api/v1/session/link/', { body })).status, 401);

    // Another account with the same address, until an administrator unlinks the first one.
    people['sub-carol-2'] = people['sub-carol']!;
    assert.equal(errorOf(await browser(closed).signIn('sub-carol-2')), '/sign-in other_identity');
    const identities = `/api/v1/users/${invited.id}/identities/`;
    const session = { key: null, headers: { origin: closed.base, cookie: carol.own.header } };
    const passwords = { current_password: 'x', new_password: PASSWORD };
    const changed = { ...session, body: passwords };
    const noPassword = await closed.api<Problem>('POST', '/api/v1/session/password/', changed);
    assert.deepEqual([noPassword.status, noPassword.body.errors?.[0]?.pointer], [400, '/current_password']);
    assert.equal((await closed.api('DELETE', identities, session)).status, 403);
    assert.equal((await closed.api('DELETE', identities)).status, 204);
    const late = await closed.api<Problem>('DELETE', identities);
    assert.deepEqual([late.status, late.body.code], [400, 'request.validation']);
    assert.equal((await browser(closed).signIn('sub-carol-2')).href, `${closed.base}/`);
    assert.equal(errorOf(await browser(closed).signIn('sub-carol')), '/sign-in other_identity');

    await closed.api('PATCH', `/api/v1/users/${invited.id}/`, { body: { disabled: true } });
    assert.equal(errorOf(await browser(closed).signIn('sub-carol-2')), '/sign-in disabled');
    const [refused] = await audit(closed, invited);
    assert.deepEqual(
      [refused!.action, refused!.details],
      ['session.refused', { method: 'openid_connect', reason: 'disabled' }],
    );
  });

  test('unverified addresses, unknown people and those who cancel are refused; the requested page is kept', async () => {
    await newUser(closed, { email: 'bob@example.com' });
    const refused = await browser(closed).signIn('sub-bob', '/keys');
    assert.equal(refused.href, `${closed.base}/sign-in?error=email_not_verified&next=%2Fkeys`);
    assert.equal(errorOf(await browser(closed).signIn('sub-nobody')), '/sign-in no_user');
    assert.equal(errorOf(await browser(closed).signIn('cancel')), '/sign-in cancelled');
  });

  test('a response of the provider works once, for the browser that began', async () => {
    const ada = browser(closed);
    const started = await ada.start();
    const ticket = ada.own.get('sluice_oidc')!;
    const callback = await ada.atProvider(started, 'sub-ada');
    const wrongState = new URL(callback);
    wrongState.searchParams.set('state', 'of another browser');
    for (const [name, url, cookie] of [
      ['another state', wrongState.href, ticket],
      ['no ticket', callback, null],
      ['a changed ticket', callback, `${ticket.slice(0, -4)}AAAA`],
      ['no ticket at all', callback, 'made-up'],
    ] as const) {
      const other = browser(closed);
      if (cookie !== null) other.own.set('sluice_oidc', cookie);
      assert.equal(errorOf(await other.go(url)), '/sign-in expired', name);
      assert.equal(other.own.get('sluice_session'), undefined, name);
    }
    const later = browser(closed);
    later.own.set('sluice_oidc', ticket);
    assert.equal((await ada.go(callback)).href, `${closed.base}/`);
    assert.equal(errorOf(await later.go(callback)), '/sign-in provider_failed');
    assert.equal(later.own.get('sluice_session'), undefined);
    // A ticket of another service.
    const foreign = browser(open);
    foreign.own.set('sluice_oidc', ticket);
    const url = callback.replace(closed.base, open.base);
    assert.equal(errorOf(await foreign.go(url)), '/sign-in expired');
  });

  test('sign-in leads only to pages of this service', async () => {
    for (const next of ['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])
      assert.equal((await browser(closed).signIn('sub-ada', next)).href, `${closed.base}/`, next);
    const odd = await closed.api('GET', `${OIDC}start/?next=/keys&next=/users`, { key: null });
    assert.equal(odd.status, 302);
  });

  test('failures of an address are slowed down', async () => {
    const bob = browser(closed);
    for (let tries = 0; tries < 6; tries++)
      assert.equal(errorOf(await bob.signIn('sub-bob')), '/sign-in email_not_verified');
    assert.equal(errorOf(await bob.signIn('sub-bob')), '/sign-in too_many');
    assert.equal((await browser(closed).signIn('sub-ada')).href, `${closed.base}/`);
  });

  test('made-up codes stop nobody', async () => {
    const ada = browser(closed);
    for (let tries = 0; tries < 40; tries++) {
      const state = (await ada.start()).searchParams.get('state')!;
      const made = await ada.go(`${closed.base}${OIDC}callback/?code=made-up-${tries}&state=${state}`);
      assert.equal(errorOf(made), '/sign-in provider_failed');
    }
    assert.equal((await ada.signIn('sub-ada')).href, `${closed.base}/`);
  });

  const now = Math.floor(Date.now() / 1000);
  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const tokens: readonly [name: string, change: (token: string) => string, isTaken?: boolean][] = [
    ['a broken signature', (token) => `${token.slice(0, -8)}AAAAAAAA`],
    ['no signature', (token) => token.slice(0, token.lastIndexOf('.') + 1)],
    [
      'changed claims',
      (token) => token.replace(/\.[^.]+\./, `.${signToken(token, { x: 1 }).split('.')[1]}.`),
    ],
    ['the signature of another key', (token) => signToken(token, {}, foreign)],
    [
      'the algorithm none',
      (token) => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`,
    ],
    ['issued in the year 2286', (token) => signToken(token, { iat: 9_999_999_999, exp: 9_999_999_999 })],
    ['issued in an hour', (token) => signToken(token, { iat: now + 3_600, exp: now + 7_200 })],
    ['expired', (token) => signToken(token, { exp: now - 3_600 })],
    ['of another issuer', (token) => signToken(token, { iss: 'https://evil.example' })],
    ['for another client', (token) => signToken(token, { aud: 'other' })],
    ['signed again', (token) => signToken(token, {}), true],
    ['issued in a minute, by another clock', (token) => signToken(token, { iat: now + 60 }), true],
  ];
  for (const [name, change, isTaken = false] of tokens)
    test(`an ID token: ${name}`, async (t) => {
      provider.changeToken = change;
      t.after(() => {
        provider.changeToken = null;
      });
      const ada = browser(closed);
      const to = await ada.signIn('sub-ada');
      assert.equal(errorOf(to), isTaken ? '/ null' : '/sign-in provider_failed');
      assert.equal(ada.own.get('sluice_session') !== undefined, isTaken);
    });

  test('with sign-up, unknown people get a user; the claim gives the role at each sign-in', async () => {
    people['sub-dora'] = { email: 'dora@example.com', email_verified: true, groups: ['other', 'staff'] };
    const role = async () => {
      const dora = browser(open);
      assert.equal((await dora.signIn('sub-dora')).href, `${open.base}/`);
      return (await dora.session()).user;
    };
    const created = await role();
    assert.deepEqual([created.email, created.role], ['dora@example.com', 'user']);
    people['sub-dora'] = { ...people['sub-dora'], groups: ['staff', 'chiefs'] };
    assert.deepEqual([(await role()).role, (await role()).id], ['admin', created.id]);
    people['sub-dora'] = { ...people['sub-dora'], groups: 'staff' };
    assert.equal((await role()).role, 'user');
    people['sub-dora'] = { ...people['sub-dora'], groups: [] };
    assert.equal(errorOf(await browser(open).signIn('sub-dora')), '/sign-in no_role');
    // The last administrator keeps the role.
    const root = browser(open);
    assert.equal((await root.signIn('sub-root')).href, `${open.base}/`);
    assert.equal((await root.session()).user.role, 'admin');
    people['sub-eve'] = { email: 'eve@example.com', email_verified: true };
    assert.equal(errorOf(await browser(open).signIn('sub-eve')), '/sign-in no_role');
    const { items } = (await open.api<{ items: UserObject[] }>('GET', '/api/v1/users/')).body;
    assert.ok(!items.some(({ email }) => email === 'eve@example.com'));
  });

  test('the ticket is valid for ten minutes', async () => {
    const openId = {
      provider: createOpenIdProvider({
        issuer: provider.issuer,
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        scopes: 'openid',
        roleClaim: null,
        roles: [],
        onProblem: assert.fail,
      }),
      name: 'x',
      signUp: false,
    };
    await using house = await openHouse(null, openId);
    const { openId: signInBy } = house.accounts;
    const begun = await signInBy!.begin({ redirectUri: 'http://127.0.0.1:1/', next: '/keys' });
    assert.ok('ticket' in begun);
    house.clock.moveTo(Date.now() + 600_000);
    const state = new URL(begun.url).searchParams.get('state')!;
    const late = await signInBy!.finish({
      callbackUrl: new URL(`http://127.0.0.1:1/?code=x&state=${state}`),
      ticket: begun.ticket,
      ip: '192.0.2.1',
      userAgent: null,
    });
    assert.deepEqual(late, { refusal: 'expired', next: '/keys' });
  });

  test('a provider that goes away is said so, and nobody is slowed down for it', async () => {
    const ada = browser(closed);
    const callback = await ada.atProvider(await ada.start(), 'sub-ada');
    const ticket = ada.own.get('sluice_oidc')!;
    await provider[Symbol.asyncDispose]();
    for (let tries = 0; tries < 8; tries++) {
      ada.own.set('sluice_oidc', ticket);
      assert.equal(errorOf(await ada.go(callback)), '/sign-in provider_unavailable');
    }
    const lines = await closed.log();
    assert.ok(lines.some(({ msg }) => msg === 'the OpenID provider cannot be used'));
    assert.ok(!(await closed.output()).includes(CLIENT_SECRET));
    const redirectUris = [closed, open].map(({ base }) => `${base}${OIDC}callback/`);
    provider = await startOpenIdProvider(Number(new URL(provider.issuer).port), redirectUris, people);
    assert.equal((await ada.signIn('sub-ada')).href, `${closed.base}/`);
  });
});
