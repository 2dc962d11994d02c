import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { rawHttp } from '../helpers/raw-http.ts';
import { useService } from '../helpers/service.ts';
import { createUser, type TestUser } from '../helpers/users.ts';
import { newUser, signIn, type Visitor } from '../helpers/visitor.ts';
import type { Problem } from '../helpers/wire-types.ts';

const PROFILES = '/api/v1/profiles/';

interface Profile extends Problem {
  readonly name: string;
  readonly sites: readonly string[];
  readonly cookies: number;
  readonly size_bytes: number;
  readonly shared: boolean;
  readonly identity: object | null;
  readonly owner: { readonly id: string; readonly email: string };
  readonly used_by: readonly object[] | null;
  readonly used_at: string | null;
  readonly refreshed_at: string;
  readonly state: string;
}

interface State {
  readonly cookies: readonly { readonly name: string; readonly value: string; readonly domain: string }[];
  readonly origins: readonly object[];
}

const cookie = (name: string, value: string, domain: string, more: object = {}) => ({
  ...{ name, value, domain, path: '/' },
  ...more,
});
const state = (...cookies: readonly object[]) => ({ cookies, origins: [] });

/** One cookie, in the export format of each tool. */
const EXPORTS = {
  'Cookie-Editor': {
    ...{ domain: '.example.com', hostOnly: false, name: 'sid', value: 'v', path: '/', storeId: null },
    ...{ expirationDate: 4_000_000_000, session: false, sameSite: 'no_restriction' },
    ...{ secure: true, httpOnly: true },
  },
  Selenium: {
    ...{ domain: '.example.com', name: 'sid', value: 'v', path: '/', expiry: 4_000_000_000 },
    ...{ sameSite: 'None', secure: true, httpOnly: true },
  },
  Puppeteer: {
    ...{ domain: '.example.com', name: 'sid', value: 'v', path: '/', expires: 4_000_000_000, session: false },
    ...{ sameSite: 'None', secure: true, httpOnly: true, size: 4, sameParty: false, priority: 'Medium' },
    ...{ sourceScheme: 'Secure', sourcePort: 443 },
  },
};
/** What the tools write all of their cookies into, and formats of their own. */
const HAR = { log: { version: '1.2', entries: [{ request: { cookies: [{ name: 'sid', value: 'v' }] } }] } };
const ROW_OF_FIREFOX = {
  ...{ host: '.example.com', name: 'sid', value: 'v', path: '/', expiry: 4_000_000_000 },
  ...{ isSecure: 1, isHttpOnly: 1, sameSite: 0 },
};
const ofExample = (more: object) => state(cookie('sid', 'v', 'example.com', more));
const NO_LINE = /in line 1: domain, TRUE or FALSE, path/;
const OTHER_FORMATS: readonly (readonly [string, object, pointer: string, expected: RegExp])[] = [
  ['a list', { storage_state: [EXPORTS.Selenium] }, '/storage_state', /must be an object, got an array of 1/],
  [
    'a HAR',
    { storage_state: HAR },
    '/storage_state/log',
    /is unknown \("log"\); known here are cookies, origins/,
  ],
  ['a HAR as text', { cookies_txt: JSON.stringify(HAR) }, '/cookies_txt', NO_LINE],
  [
    'a row of cookies.sqlite',
    { storage_state: state(ROW_OF_FIREFOX) },
    '/storage_state/cookies/0/domain',
    /is required/,
  ],
  ['cookies.sqlite', { cookies_txt: 'SQLite format 3\0\x10\0\x01\x01\0@  ' }, '/cookies_txt', NO_LINE],
  ['a Cookie header', { cookies_txt: 'sid=v; lang=de' }, '/cookies_txt', NO_LINE],
  [
    'a Cookie header',
    { storage_state: 'sid=v; lang=de' },
    '/storage_state',
    /must be an object, got a string/,
  ],
  [
    'a sameSite that no tool writes',
    { storage_state: ofExample({ sameSite: 'loose' }) },
    '/storage_state/cookies/0/sameSite',
    /must be strict, lax or none \(or no_restriction or unspecified/,
  ],
  [
    'no_restriction of a cookie that is not secure',
    { storage_state: ofExample({ sameSite: 'no_restriction' }) },
    '/storage_state/cookies/0/secure',
    /must be true for a cookie with the sameSite None/,
  ],
  [
    'two dates',
    { storage_state: ofExample({ expires: 4_000_000_000, expirationDate: 4_000_000_000 }) },
    '/storage_state/cookies/0/expirationDate',
    /means the same as `expires`/,
  ],
  [
    'milliseconds',
    { storage_state: ofExample({ expires: 1_900_000_000_000 }) },
    '/storage_state/cookies/0/expires',
    /seconds up to/,
  ],
  [
    'a date as text',
    { storage_state: ofExample({ expires: '2030-01-01T00:00:00Z' }) },
    '/storage_state/cookies/0/expires',
    /must be a number/,
  ],
];

/** Keys of users with the scopes of a test, for profiles. */
async function keyOf(visitor: Visitor, ...scopes: readonly string[]): Promise<string> {
  const body = { name: 'profiles', scopes };
  const made = await visitor.call<{ key: string }>('POST', '/api/v1/keys/', { body });
  assert.equal(made.status, 201, made.text);
  return made.body.key;
}

describe('profiles: keeping them', () => {
  const service = useService();
  let ann: Visitor;
  let annId: string;
  /** With the scopes that profiles need. */
  let key: string;
  let bert: TestUser;
  let bertKey: string;
  let viewer: Visitor;
  before(async () => {
    const user = await newUser(service);
    annId = user.id;
    ann = await signIn(service, user.email);
    key = await keyOf(ann, 'scrape', 'read', 'jobs', 'profiles', 'profiles_export');
    bert = await createUser(service);
    bertKey = await keyOf(await signIn(service, bert.email), 'scrape', 'read', 'profiles', 'profiles_export');
    viewer = await signIn(service, (await newUser(service, { role: 'viewer' })).email);
  });
  const create = (body: object, as = key) => service.api<Profile>('POST', PROFILES, { body, key: as });
  const change = (name: string, body: object, as = key) =>
    service.api<Profile>('PATCH', `${PROFILES}${name}/`, { body, key: as });
  const get = (name: string, as = key) => service.api<Profile>('GET', `${PROFILES}${name}/`, { key: as });
  const exported = async (name: string) => {
    const reply = await service.api<{ storage_state: State }>('GET', `${PROFILES}${name}/export/`, { key });
    assert.equal(reply.status, 200, reply.text);
    return reply.body.storage_state;
  };
  const refused = async (body: object) => {
    const { status, body: problem } = await create({ name: 'refused', ...body });
    const error = problem.errors?.[0] as { pointer?: string; message: string } | undefined;
    return [status, error?.pointer, error?.message] as const;
  };

  test('are made of a storage state, found, exported, changed and deleted, without their values', async () => {
    const secret = 'value-that-nobody-sees';
    const storage_state = {
      cookies: [
        cookie('sid', secret, '.shop.example.com', { httpOnly: true, secure: true }),
        cookie('old', 'x', 'example.com', { expires: 1 }),
        cookie('other', 'x', 'example.org'),
      ],
      origins: [{ origin: 'https://example.com', localStorage: [{ name: 'token', value: secret }] }],
    };
    const made = await create({ name: 'shop', sites: ['www.example.com'], storage_state });
    assert.equal(made.status, 201, made.text);
    assert.partialDeepStrictEqual(made.body, {
      ...{ name: 'shop', sites: ['example.com'], cookies: 1, state: 'ready', shared: false, used_at: null },
      ...{ identity: null, exit: null, expires_at: null, owner: { id: annId } },
    });
    assert.equal(made.text.includes(secret), false);
    const list = await service.api<{ items: Profile[] }>('GET', PROFILES, { key });
    // Other files on this service share some of theirs.
    const own = list.body.items.filter(({ owner }) => owner.id === annId);
    assert.deepEqual(own, [made.body]);
    const kept = await exported('shop');
    assert.deepEqual(
      kept.cookies.map(({ name, value, domain }) => [name, value, domain]),
      [['sid', secret, '.shop.example.com']],
    );
    assert.deepEqual(kept.origins, storage_state.origins);
    const renamed = await change('shop', {
      name: 'shop2',
      identity: { locale: 'de-CH' },
      exit: { session: 'a1' },
    });
    assert.partialDeepStrictEqual(renamed.body, {
      ...{ name: 'shop2', cookies: 1, identity: { locale: 'de-CH' } },
      exit: { session: 'a1' },
    });
    const widened = await change('shop2', { sites: ['example.com', 'example.org'], identity: null });
    assert.deepEqual([widened.body.sites, widened.body.identity], [['example.com', 'example.org'], null]);
    assert.equal((await service.api('DELETE', `${PROFILES}shop2/`, { key })).status, 204);
    assert.equal((await get('shop2')).status, 404);
  });

  test('are made of a file of cookies, or empty', async () => {
    const lines = [
      '# Netscape HTTP Cookie File',
      '',
      '#HttpOnly_.example.net\tTRUE\t/\tTRUE\t0\tsid\ts1',
      'www.example.net\tFALSE\t/a\tFALSE\t4102444800\tlang\tde',
    ];
    const made = await create({ name: 'file', cookies_txt: lines.join('\r\n') });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual([made.body.sites, made.body.cookies], [['example.net'], 2]);
    assert.partialDeepStrictEqual((await exported('file')).cookies, [
      { name: 'sid', value: 's1', domain: '.example.net', httpOnly: true, expires: -1 },
      { name: 'lang', value: 'de', domain: 'www.example.net', path: '/a', expires: 4_102_444_800 },
    ]);
    const empty = await create({ name: 'empty', sites: ['localhost', '127.0.0.1', 'a.github.io'] });
    assert.deepEqual(
      [empty.body.state, empty.body.sites],
      ['empty', ['localhost', '127.0.0.1', 'a.github.io']],
    );
  });

  test('what cannot be kept is refused, with the member named', async () => {
    const array = [cookie('a', 'b', 'example.com')];
    const [status, pointer, message] = await refused({ storage_state: array });
    assert.deepEqual([status, pointer], [400, '/storage_state'], String(message));
    const many = Array.from({ length: 10_000 }, (_, n) => cookie(`c${n}`, 'v', 'example.com'));
    assert.deepEqual((await refused({ storage_state: state(...many) })).slice(0, 2), [
      400,
      '/storage_state/cookies',
    ]);
    assert.deepEqual((await refused({ cookies_txt: '[{"name": "sid"}]' })).slice(0, 2), [
      400,
      '/cookies_txt',
    ]);
    const expired = state(cookie('a', 'b', 'example.com', { expires: 5 }));
    assert.match(String((await refused({ storage_state: expired }))[2]), /expired/);
    assert.deepEqual((await refused({})).slice(0, 2), [400, '/sites']);
    assert.deepEqual((await refused({ sites: ['co.uk'] })).slice(0, 2), [400, '/sites/0']);
    assert.deepEqual((await refused({ sites: ['https://a.example/'] })).slice(0, 2), [400, '/sites/0']);
    assert.deepEqual((await refused({ sites: ['a.test'], expires_at: '2020-01-01T00:00:00Z' })).slice(0, 2), [
      400,
      '/expires_at',
    ]);
    const both = {
      cookies_txt: '.a.test\tTRUE\t/\tTRUE\t0\ta\tb',
      storage_state: state(cookie('a', 'b', 'a.test')),
    };
    assert.deepEqual((await refused(both)).slice(0, 2), [400, '/cookies_txt']);
    const huge = state(cookie('a', 'x'.repeat(6_000_000), 'example.com'));
    assert.equal((await refused({ storage_state: huge }))[0], 413);
  });

  test('what other tools export is taken, by POST and by PATCH', async () => {
    for (const [tool, exportedCookie] of Object.entries(EXPORTS)) {
      const storage_state = state(exportedCookie);
      const made = await create({ name: tool, storage_state });
      assert.equal(made.status, 201, made.text);
      const changed = await change(tool, { storage_state });
      assert.equal(changed.status, 200, `${tool}: ${changed.text}`);
      assert.deepEqual(
        (await exported(tool)).cookies,
        [
          {
            ...{ name: 'sid', value: 'v', domain: '.example.com', path: '/', expires: 4_000_000_000 },
            ...{ httpOnly: true, secure: true, sameSite: 'None' },
          },
        ],
        tool,
      );
    }
  });

  test('other formats are refused with what is expected', async () => {
    for (const [what, body, pointer, expected] of OTHER_FORMATS) {
      const [status, at, message] = await refused(body);
      assert.deepEqual([status, at], [400, pointer], `${what}: ${message}`);
      assert.match(message!, expected, what);
    }
    assert.equal((await get('refused')).status, 404);
  });

  test('100,000 cookies and 40 MB are refused', async () => {
    const numbers = Array.from({ length: 100_000 }, (_, n) => n);
    const lines = numbers.map((n) => `a.test\tFALSE\t/\tFALSE\t0\tc${n}\tv`);
    const [status, pointer, message] = await refused({ cookies_txt: lines.join('\n') });
    assert.deepEqual([status, pointer], [400, '/cookies_txt']);
    assert.match(message!, /has 100000 cookies; at most 3000/);
    const many = state(...numbers.map((n) => cookie(`c${n}`, 'v', 'a.test')));
    assert.equal((await refused({ storage_state: many }))[0], 413);
    const head = `POST ${PROFILES} HTTP/1.1\r\nHost: x\r\nAuthorization: Api-Key ${key}\r\nContent-Type: application/json\r\n`;
    const answer = await rawHttp(service.port, `${head}Content-Length: ${40 << 20}\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 413 /);
  });

  test('others use a shared one, and neither change nor export it; administrators end it', async () => {
    const values = { storage_state: state(cookie('sid', 'v', 'example.com')) };
    assert.equal((await create({ name: 'private', ...values })).status, 201);
    assert.equal((await create({ name: 'shared', shared: true, ...values })).status, 201);
    assert.equal((await get('private', bertKey)).status, 404);
    assert.deepEqual((await get('shared', bertKey)).body.owner.id, annId);
    assert.equal((await change('shared', { shared: false }, bertKey)).status, 404);
    const path = `${PROFILES}shared/`;
    assert.equal((await service.api('GET', `${path}export/`, { key: bertKey })).status, 404);
    assert.equal((await service.api('DELETE', path, { key: bertKey })).status, 404);
    assert.equal((await service.api('DELETE', `${path}?user_id=${annId}`, { key: bertKey })).status, 400);
    const taken = await create({ name: 'shared', shared: true, ...values }, bertKey);
    assert.deepEqual([taken.status, taken.body.errors![0]!.pointer], [400, '/name']);
    // An administrator and a viewer list them, and read no value.
    const all = `${PROFILES}?user_id=${annId}`;
    const seen = await viewer.call<{ items: Profile[] }>('GET', all);
    assert.equal(
      seen.body.items.some(({ name }) => name === 'private'),
      true,
    );
    assert.equal((await viewer.call('GET', `${path}export/`)).status, 404);
    assert.equal(
      (await viewer.call('POST', PROFILES, { body: { name: 'x', sites: ['a.test'] } })).status,
      403,
    );
    assert.equal((await service.api('GET', `${PROFILES}private/export/`)).status, 404);
    assert.equal((await service.api('DELETE', `${path}?user_id=${annId}`)).status, 204);
    assert.equal((await get('shared')).status, 404);
    const audit = await service.api<{ items: { action: string; target: { name: string } }[] }>(
      'GET',
      `/api/v1/audit/?user_id=${annId}`,
    );
    const actions = audit.body.items
      .filter(({ target }) => target?.name === 'shared')
      .map(({ action }) => action);
    assert.deepEqual(actions, ['profile.shared', 'profile.created']);
  });

  test('one that is read tells which monitors and schedules name it', async () => {
    await create({ name: 'named', sites: ['sluice.test'] });
    const url = 'https://login.sluice.test/account';
    const made = async (kind: 'monitors' | 'schedules', body: object) => {
      const rest = { schedule: { every_s: 86_400 }, first_run: 'scheduled', ...body };
      const { first_run: _, ...scheduled } = rest;
      const path = `/api/v1/${kind}/`;
      const reply = await service.api<{ id: string }>('POST', path, {
        body: kind === 'monitors' ? rest : scheduled,
        key,
      });
      assert.equal(reply.status, 201, reply.text);
      return reply.body.id;
    };
    const by = (profile: unknown) => ({ scraper_options: { profile } });
    const monitor = await made('monitors', { name: 'Orders', request: { url, ...by('named') } });
    await made('monitors', {
      name: 'Other',
      request: { url, ...by('file'), router: { tags: { profile: 'named' } } },
    });
    const batch = { requests: [{ url }, { url: `${url}?2`, ...by({ name: 'named', save: 'never' }) }] };
    const items = await made('schedules', { name: 'Of an item', job: { kind: 'batch', ...batch } });
    const logIn = { url, scraper: 'browser', page_actions: [{ type: 'login', profile: 'named' }] };
    const scrape = await made('schedules', { name: 'Logs in', job: { kind: 'scrape', ...logIn } });
    assert.deepEqual((await get('named')).body.used_by, [
      { type: 'monitor', id: monitor, name: 'Orders' },
      { type: 'schedule', id: scrape, name: 'Logs in' },
      { type: 'schedule', id: items, name: 'Of an item' },
    ]);
    assert.equal((await get('named', await keyOf(ann, 'profiles'))).body.used_by, null);
    const { body } = await service.api<{ items: Profile[] }>('GET', PROFILES, { key });
    assert.equal(body.items.find(({ name }) => name === 'named')!.used_by, null);
  });

  test('need their scopes', async () => {
    const plain = await keyOf(ann, 'scrape', 'read', 'jobs');
    assert.equal((await get('file', plain)).body.code, 'auth.scope');
    assert.equal((await create({ name: 'x', sites: ['a.test'] }, plain)).status, 403);
    const uses = await keyOf(ann, 'profiles');
    assert.equal((await get('file', uses)).status, 200);
    // Whoever names a channel makes it send.
    const told = { name: 'x', sites: ['a.test'], channels: ['01890000-0000-7000-8000-00000000000a'] };
    assert.equal((await create(told, uses)).body.code, 'auth.scope');
    const reply = await service.api<Problem>('GET', `${PROFILES}file/export/`, { key: uses });
    assert.equal(reply.body.code, 'auth.scope');
  });
});
