import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { totpCode } from '../../src/account/totp.ts';
import { openApi } from '../helpers/openapi.ts';
import { eventually, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { newUser, PASSWORD, signIn, type Visitor, visit } from '../helpers/visitor.ts';
import type { KeyObject, Problem, RecordList, UserObject } from '../helpers/wire-types.ts';

const USERS = '/api/v1/users/';
const AUDIT = '/api/v1/audit/';
const SESSION = '/api/v1/session/';

/** What viewers may do besides reading: it concerns only their own account. */
const OWN_ACCOUNT =
  'signOut endOtherSessions endSession changePassword enrolSecondFactor confirmSecondFactor disableSecondFactor';

interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: {
    readonly user_id: string | null;
    readonly email: string | null;
    readonly key_name: string | null;
    readonly via: string;
  };
  readonly action: string;
  readonly email: string | null;
  readonly target: { readonly type: string; readonly id: string; readonly name: string | null } | null;
  readonly address: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}
interface AuditPage {
  readonly items: readonly AuditEntry[];
  readonly next_cursor: string | null;
}

const OPERATIONS = Object.entries(openApi().paths).flatMap(([path, methods]) =>
  Object.entries(methods as unknown as Record<string, { operationId: string; security: unknown[] }>).map(
    ([method, { operationId, security }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      isPublic: security.length === 0,
    }),
  ),
);

describe('roles and the audit log', () => {
  const site = useSite();
  const service = useOwnService({ SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' });
  let viewer: Visitor;
  let host: string;

  before(async () => {
    host = encodeURIComponent(new URL(site.url).host);
    const scraped = await service.scrape({ url: `${site.url}/text`, scraper: 'http' });
    assert.equal(scraped.status, 200);
    viewer = await signIn(service, (await newUser(service, { role: 'viewer' })).email);
  });

  const audit = async (query = '') =>
    (await service.api<AuditPage>('GET', `${AUDIT}?limit=200${query}`)).body.items;

  test('a viewer reads what an administrator reads', async () => {
    assert.equal(viewer.session.user.role, 'viewer');
    const { body } = await viewer.call<RecordList>('GET', '/api/v1/scrape/');
    assert.equal(body.items.length, 1, 'the scrape of the administrator');
    const { id } = body.items[0]!;
    for (const path of [
      `/api/v1/scrape/${id}/`,
      `/api/v1/scrape/${id}/content/`,
      '/api/v1/scrape/export/',
      `/api/v1/sites/${host}/`,
      '/api/v1/sites/',
      '/api/v1/stats/?window=24h',
      USERS,
      '/api/v1/system/',
      '/api/v1/proxies/',
      '/api/v1/jobs/',
      AUDIT,
    ])
      assert.equal((await viewer.call('GET', path)).status, 200, path);
    const users = await viewer.call<{ items: UserObject[] }>('GET', USERS);
    assert.equal(users.body.items.length, 2);
    const keys = await viewer.call<{ items: KeyObject[] }>('GET', '/api/v1/keys/');
    assert.deepEqual(keys.body.items, [], 'keys of others are not listed');
  });

  test('a viewer changes nothing: every other operation of the API is refused', async () => {
    const unsafe = OPERATIONS.filter(({ method, isPublic }) => method !== 'GET' && !isPublic);
    const own = OWN_ACCOUNT.split(' ');
    assert.ok(unsafe.length > 40 && own.every((id) => unsafe.some((operation) => operation.id === id)));
    for (const { id, method, path } of unsafe.filter((operation) => !own.includes(operation.id))) {
      const { status, body } = await viewer.call<Problem>(method, path.replaceAll(/\{\w+\}/g, 'x'));
      assert.deepEqual([status, body.code], [403, 'auth.role'], id);
    }
    const read = OPERATIONS.filter(({ method, isPublic }) => method === 'GET' && !isPublic);
    for (const { id, path } of read) {
      const { status } = await viewer.call('GET', path.replaceAll(/\{\w+\}/g, 'x'));
      assert.notEqual(status, 403, id);
    }
    const dialect = await viewer.call('GET', `/api/v1?url=${encodeURIComponent(site.url)}`);
    assert.notEqual(dialect.status, 200);
  });

  test('a viewer manages their own account', async () => {
    const { email } = await newUser(service, { role: 'viewer' });
    const { call } = await signIn(service, email);
    const other = await signIn(service, email);
    const change = { current_password: PASSWORD, new_password: 'another password' };
    assert.equal((await call('POST', `${SESSION}password/`, { body: change })).status, 204);
    assert.equal((await other.call('GET', SESSION)).status, 401);
    assert.equal((await call('DELETE', SESSION)).status, 204);
  });

  test('a user who becomes a viewer scrapes no more, also with a key', async () => {
    const { id, email } = await newUser(service);
    const { call } = await signIn(service, email);
    const made = await call<{ key: string }>('POST', '/api/v1/keys/', { body: { name: 'k' } });
    const { key } = made.body;
    const body = { url: `${site.url}/text`, scraper: 'http' };
    assert.equal((await service.scrape(body, { key })).status, 200);
    const job = await call<{ id: string }>('POST', '/api/v1/batches/', {
      body: { requests: [{ ...body, url: `${site.url}/hang` }] },
    });
    const changed = await service.api<UserObject>('PATCH', `${USERS}${id}/`, { body: { role: 'viewer' } });
    assert.equal(changed.body.role, 'viewer');
    const refused = await service.scrape(body, { key });
    assert.deepEqual([refused.status, refused.body.code], [403, 'auth.role']);
    const { body: list } = await service.api<RecordList>('GET', '/api/v1/scrape/', { key });
    assert.equal(list.items.length, 1, 'a key reads only its own');
    assert.equal((await call('DELETE', `/api/v1/jobs/${job.body.id}/`)).status, 403);
    const last = await service.cli(['users', 'set', '--email', email, '--role', 'user']);
    assert.equal(last.code, 0, last.stderr);
    await eventually(async () => (await service.scrape(body, { key })).status === 200);
    const both = await service.cli(['users', 'set', '--email', email, '--role', 'user', '--admin']);
    assert.deepEqual([both.code, /cannot be combined/.test(both.stderr)], [2, true]);
    const unknown = await service.cli(['users', 'set', '--email', email, '--role', 'root']);
    assert.deepEqual([unknown.code, /admin, user, viewer/.test(unknown.stderr)], [2, true]);
  });

  test('the audit log has who did what, and no secret', async () => {
    const created = await newUser(service);
    const { id, email } = created;
    const { call } = await signIn(service, email);
    const wrong = { email, password: 'a wrong password' };
    assert.equal((await visit(service, 'POST', SESSION, { body: wrong })).status, 401);
    const unknown = { email: 'typed@wrong.example', password: 'a wrong password' };
    assert.equal((await visit(service, 'POST', SESSION, { body: unknown })).status, 401);
    const key = await call<KeyObject & { key: string }>('POST', '/api/v1/keys/', {
      body: { name: 'secretive' },
    });
    await call('DELETE', `/api/v1/keys/${key.body.id}/`);
    await service.api('PATCH', `${USERS}${id}/`, { body: { role: 'admin' } });
    const pin = { scraper: 'http', proxy_type: 'datacenter' };
    const pinned = await call<Problem>('POST', `/api/v1/sites/${host}/pin/`, { body: pin });
    const unpinned = await call('DELETE', `/api/v1/sites/${host}/pin/`);
    assert.deepEqual([pinned.status, unpinned.status], [200, 204], pinned.text);
    assert.equal((await call('DELETE', `/api/v1/sites/${host}/pin/`)).status, 404, 'no event');
    assert.equal((await service.cli(['users', 'set', '--email', email, '--disable'])).code, 0);

    const entries = (await audit(`&user_id=${id}`)).toReversed();
    assert.deepEqual(
      entries.map(({ action, actor, target, address }) => [action, actor.via, target?.type, address]),
      [
        ['user.created', 'key', 'user', '127.0.0.1'],
        ['session.created', 'sign_in', 'session', '127.0.0.1'],
        ['session.refused', 'sign_in', 'user', '127.0.0.1'],
        ['key.created', 'session', 'key', '127.0.0.1'],
        ['key.revoked', 'session', 'key', '127.0.0.1'],
        ['user.updated', 'key', 'user', '127.0.0.1'],
        ['site.pinned', 'session', 'site', '127.0.0.1'],
        ['site.unpinned', 'session', 'site', '127.0.0.1'],
        ['user.updated', 'command_line', 'user', null],
      ],
    );
    assert.deepEqual([entries[1]?.actor.email, entries[1]?.email], [email, email]);
    assert.deepEqual(entries[5]?.details, { changed: ['role'], role: 'admin', email });
    assert.deepEqual(entries[6]?.details, { changed: ['scraper', 'proxy_type'], ...pin });
    assert.equal(entries[0]?.actor.key_name, 'first');
    const ofKey = await audit(`&target_id=${key.body.id}`);
    assert.deepEqual(
      ofKey.map(({ action, target }) => [action, target?.name]),
      [
        ['key.revoked', 'secretive'],
        ['key.created', 'secretive'],
      ],
    );
    assert.deepEqual(
      entries.slice(0, 6).map(({ target }) => target?.name),
      [email, null, email, 'secretive', 'secretive', email],
    );
    const alert = {
      kind: 'site_success',
      name: 'Sites work',
      channels: [{ type: 'webhook', url: `${site.url}/alerts` }],
    };
    const rule = await service.api<{ id: string }>('POST', '/api/v1/alerts/', { body: alert });
    assert.equal(rule.status, 201, rule.text);
    const path = `/api/v1/alerts/${rule.body.id}/`;
    await service.api('PATCH', path, { body: { name: 'All sites work' } });
    await service.api('DELETE', path);
    assert.deepEqual(
      (await audit(`&target_id=${rule.body.id}`)).map(({ action, target }) => [action, target?.name]),
      [
        ['alert.deleted', 'All sites work'],
        ['alert.updated', 'All sites work'],
        ['alert.created', 'Sites work'],
      ],
    );
    const all = await service.api<AuditPage>('GET', `${AUDIT}?limit=200`);
    const failed = all.body.items.find(({ action, actor }) => action === 'session.refused' && !actor.user_id);
    assert.deepEqual([failed?.email, failed?.target, failed?.address], [null, null, '127.0.0.1']);
    for (const secret of [PASSWORD, 'wrong', key.body.key.slice(21), 'typed@'])
      assert.ok(!all.text.includes(secret), secret);
  });

  test('the second factor, over HTTP: on, sign-in, reset by an administrator and at the command line', async () => {
    const FACTOR = `${SESSION}second-factor/`;
    const { id, email } = await newUser(service, { role: 'viewer' });
    const { call } = await signIn(service, email);
    const turnOn = async () => {
      const wrong = await call<Problem>('POST', FACTOR, { body: { password: 'a wrong password' } });
      assert.deepEqual([wrong.status, wrong.body.errors[0]?.pointer], [400, '/password']);
      const { body, headers } = await call<{ uri: string }>('POST', FACTOR, { body: { password: PASSWORD } });
      assert.equal(headers.get('cache-control'), 'no-store');
      const secret = secretOf(body.uri);
      const code = totpCode(secret, Math.floor(Date.now() / 30_000));
      const on = await call<{ recovery_codes: string[] }>('POST', `${FACTOR}confirm/`, { body: { code } });
      assert.equal(on.status, 200, on.text);
      return { secret, codes: on.body.recovery_codes };
    };
    const enter = async (code?: string) => {
      const body = { email, password: PASSWORD, ...(code === undefined ? {} : { code }) };
      const reply = await visit<Problem>(service, 'POST', SESSION, { body });
      return reply.status === 201 ? 'in' : [reply.status, reply.body.code].join(' ');
    };
    const { secret, codes } = await turnOn();
    assert.equal(await enter(), '401 auth.second_factor');
    assert.equal(await enter('123'), '401 auth.second_factor');
    assert.equal(await enter(totpCode(secret, Math.floor(Date.now() / 30_000) + 1)), 'in');
    assert.equal(await enter(codes[0]), 'in');
    assert.equal(await enter(codes[0]), '401 auth.second_factor');
    const state = await call<{ recovery_codes_left: number }>('GET', FACTOR);
    assert.equal(state.body.recovery_codes_left, 9);
    const shown = await service.api<UserObject & { has_second_factor: boolean }>('GET', `${USERS}${id}/`);
    assert.equal(shown.body.has_second_factor, true);
    assert.equal((await service.api('DELETE', `${USERS}${id}/second-factor/`)).status, 204);
    assert.equal((await service.api('DELETE', `${USERS}${id}/second-factor/`)).status, 400);
    assert.equal(await enter(), 'in');
    const second = await turnOn();
    const done = await service.cli(['users', 'reset-second-factor', '--email', email]);
    assert.equal(done.code, 0, done.stderr);
    await eventually(async () => (await enter()) === 'in');
    const third = await turnOn();
    const body = { password: PASSWORD, code: third.codes[0] };
    assert.equal((await call('POST', `${FACTOR}disable/`, { body })).status, 204);
    const log = await service.api('GET', `${AUDIT}?user_id=${id}&limit=200`);
    assert.match(log.text, /second_factor\.reset/);
    const secrets = [...codes, ...second.codes, ...third.codes];
    assert.ok(!secrets.some((code) => log.text.includes(code)));
    assert.doesNotMatch(await service.output(), new RegExp(secrets.join('|')));
  });

  test('the audit log has pages, filters and exports; only administrators and viewers see it', async () => {
    const all = await audit();
    assert.ok(all.length > 15);
    const seen: AuditEntry[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { body: AuditPage } = await service.api('GET', `${AUDIT}?limit=7${cursor}`);
      seen.push(...page.body.items);
      cursor = page.body.next_cursor === null ? null : `&cursor=${page.body.next_cursor}`;
    }
    assert.deepEqual(seen, all);
    const created = await audit('&action=user.created');
    assert.ok(created.length >= 5 && created.every(({ action }) => action === 'user.created'));
    const middle = all[5]!.at;
    const before = await audit(`&to=${middle}`);
    const after = await audit(`&from=${middle}`);
    assert.equal(before.length + after.length, all.length);
    assert.deepEqual(await audit('&user_id=nobody'), []);

    const lines = await service.api('GET', `${AUDIT}?format=jsonl`);
    assert.deepEqual(
      lines.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      all,
    );
    const csv = await service.api('GET', `${AUDIT}?format=csv&action=user.created`);
    assert.match(csv.headers.get('content-disposition') ?? '', /audit\.csv/);
    const rows = csv.text.trimEnd().split('\r\n');
    assert.match(rows[0]!, /^id,at,actor_user_id,actor_email,.*,details$/);
    assert.equal(rows.length, created.length + 1);

    for (const query of ['action=nothing', 'cursor=x', 'from=x', 'format=xml', 'what=1'])
      assert.equal((await service.api('GET', `${AUDIT}?${query}`)).status, 400, query);
    const { call } = await signIn(service, (await newUser(service)).email);
    assert.equal((await call('GET', AUDIT)).status, 403);
  });
});

/** The secret in an `otpauth:` URI, from base32. */
function secretOf(uri: string): Buffer {
  const digits = [...(new URL(uri).searchParams.get('secret') ?? '')];
  const bits = digits.map((digit) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(digit).toString(2).padStart(5, '0'),
  );
  return Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  );
}
