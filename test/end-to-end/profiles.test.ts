import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
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
