import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually, startService, useOwnService } from '../helpers/service.ts';
import { newUser, PASSWORD, signIn, visit, visitorOf } from '../helpers/visitor.ts';
import type { KeyObject, Problem, SessionObject, UserObject } from '../helpers/wire-types.ts';

const SESSION = '/api/v1/session/';
const USERS = '/api/v1/users/';
const DAY_MS = 86_400_000;
const LINK = /^http:\/\/127\.0\.0\.1:\d+\/set-up#([A-Za-z0-9_-]{43})$/;

describe('users and their set-up links', () => {
  const service = useOwnService();

  const makeLink = async (id: string) => {
    const reply = await service.api<{ url: string; expires_at: string }>('POST', `${USERS}${id}/link/`);
    assert.equal(reply.status, 201, reply.text);
    return { ...reply.body, headers: reply.headers, token: tokenOf(reply.body.url) };
  };
  const tokenOf = (url: string) => LINK.exec(url)?.[1] ?? assert.fail(url);
  const check = async (token: string) => {
    const { status, body } = await visit<{ email?: string } & Partial<Problem>>(
      service,
      ...(['POST', `${SESSION}link/`, { body: { token } }] as const),
    );
    return status === 200 ? body.email : body.code;
  };
  const setUp = (token: string, password: string) =>
    visit<SessionObject & Problem>(service, 'POST', `${SESSION}set-up/`, { body: { token, password } });

  test('a link sets the first password, once, and signs in', async () => {
    const { id, email, has_password: had } = await newUser(service, { password: null });
    assert.equal(had, false);
    const { token, headers, expires_at: expires } = await makeLink(id);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.ok(Math.abs(Date.parse(expires) - Date.now() - DAY_MS) < 60_000);
    assert.equal(await check(token), email);
    assert.equal(await check(token), email, 'looking does not use it up');

    const short = await setUp(token, 'short');
    assert.deepEqual([short.status, short.body.errors[0]?.pointer], [400, '/password']);
    const both = await Promise.all([setUp(token, PASSWORD), setUp(token, 'another password')]);
    const statuses = both.map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [201, 401]);
    const { call, session } = visitorOf(service, both[statuses.indexOf(201)]!);
    assert.deepEqual([session.user.email, session.user.has_password], [email, true]);
    assert.equal((await call('GET', SESSION)).status, 200);
    await signIn(service, email, statuses[0] === 201 ? PASSWORD : 'another password');

    assert.equal(await check(token), 'auth.invalid');
    const late = await setUp(token, PASSWORD);
    assert.deepEqual([late.status, late.body.code], [401, 'auth.invalid']);
  });

  test('a link resets a password: all sessions end', async () => {
    const { id, email } = await newUser(service);
    const old = await signIn(service, email);
    const { token } = await makeLink(id);
    assert.equal((await old.call('GET', SESSION)).status, 200, 'a link alone changes nothing');
    assert.equal((await setUp(token, 'the next password')).status, 201);
    assert.equal((await old.call('GET', SESSION)).status, 401);
    const { status } = await visit(service, 'POST', SESSION, { body: { email, password: PASSWORD } });
    assert.equal(status, 401);
    await signIn(service, email, 'the next password');
  });

  test('a link is void after a newer one, a new password, and for a disabled user', async () => {
    const { id, email } = await newUser(service);
    const [first, second] = [await makeLink(id), await makeLink(id)];
    assert.equal(await check(first.token), 'auth.invalid');
    assert.equal(await check(second.token), email);
    const { call } = await signIn(service, email);
    await call('POST', `${SESSION}password/`, {
      body: { current_password: PASSWORD, new_password: 'a new password' },
    });
    assert.equal(await check(second.token), 'auth.invalid');

    const third = await makeLink(id);
    const disable = (disabled: boolean) => service.api('PATCH', `${USERS}${id}/`, { body: { disabled } });
    await disable(true);
    assert.equal(await check(third.token), 'auth.disabled');
    assert.equal((await setUp(third.token, PASSWORD)).status, 403);
    const more = await service.api<Problem>('POST', `${USERS}${id}/link/`);
    assert.deepEqual([more.status, more.body.code], [400, 'request.validation']);
    await disable(false);
    assert.equal(await check(third.token), 'auth.invalid');
    for (const token of ['x', 'A'.repeat(43), `${third.token}x`])
      assert.equal(await check(token), 'auth.invalid');
    assert.equal((await service.api('POST', `${USERS}nobody/link/`)).status, 404);
  });

  test('sluice users link: the same, known to a running service within a second', async () => {
    const { email } = await newUser(service, { password: null });
    const { code, stdout, stderr } = await service.cli(['users', 'link', '--email', email.toUpperCase()]);
    assert.equal(code, 0, stderr);
    const token = tokenOf(stdout.trim());
    await eventually(async () => (await check(token)) === email, 1000);
    assert.equal((await setUp(token, PASSWORD)).status, 201);
    assert.doesNotMatch(await service.output(), new RegExp(token), 'not in the log');

    const wrong = await service.cli(['users', 'link', '--email', 'nobody@example.com']);
    assert.deepEqual([wrong.code, wrong.stdout], [1, '']);
    const mounted = await service.cli(['users', 'link', '--email', email], {
      env: { SLUICE_BASE_URL: 'https://scrape.example/tool/' },
    });
    assert.match(mounted.stdout, /^https:\/\/scrape\.example\/tool\/set-up#[A-Za-z0-9_-]{43}\n$/);
  });

  test('sluice users link without an e-mail: for the administrator where there is only one', async () => {
    const { code, stdout, stderr } = await service.cli(['users', 'link']);
    assert.deepEqual([code, stderr], [0, '']);
    const token = tokenOf(stdout.trim());
    await eventually(async () => (await check(token)) === 'admin@localhost', 1000);
    const { id } = await newUser(service, { role: 'admin' });
    const several = await service.cli(['users', 'link']);
    assert.deepEqual([several.code, several.stdout], [2, '']);
    assert.match(several.stderr, /--email is missing: there are 2 administrators/);
    await service.api('PATCH', `${USERS}${id}/`, { body: { role: 'user' } });
  });

  test('the user object: what is asked for, last seen, in flight', async () => {
    const { id, email, ...made } = await newUser(service, { concurrency: 3 });
    assert.deepEqual(
      [made.has_password, made.last_seen_at, made.in_flight, made.concurrency],
      [true, null, 0, 3],
    );
    const { call } = await signIn(service, email);
    const seen = async () => (await service.api<UserObject>('GET', `${USERS}${id}/`)).body.last_seen_at;
    assert.ok(Math.abs(Date.parse((await seen())!) - Date.now()) < 60_000);
    await call('DELETE', SESSION);
    assert.notEqual(await seen(), null, 'also afterwards');
    const { body } = await service.api<{ items: UserObject[] }>('GET', USERS);
    const listed = body.items.find((one) => one.id === id);
    assert.deepEqual(listed, (await service.api('GET', `${USERS}${id}/`)).body);
  });

  test('a limit that was set is distinguished from the default, even if the number is equal', async () => {
    const { id, ...made } = await newUser(service);
    assert.deepEqual([made.concurrency, made.concurrency_is_default], [50, true]);
    for (const [concurrency, expected] of [
      [50, [50, false]],
      [null, [50, true]],
    ] as const) {
      const { body } = await service.api<UserObject>('PATCH', `${USERS}${id}/`, { body: { concurrency } });
      assert.deepEqual([body.concurrency, body.concurrency_is_default], expected);
    }
  });

  test('the last enabled administrator cannot be disabled or demoted', async () => {
    await using lonely = await startService({ SLUICE_ADMIN_PASSWORD: PASSWORD });
    const admin = await signIn(lonely, 'admin@localhost');
    const path = `${USERS}${admin.session.user.id}/`;
    for (const [body, pointer] of [
      [{ disabled: true }, '/disabled'],
      [{ role: 'user' }, '/role'],
    ] as const) {
      const reply = await admin.call<Problem>('PATCH', path, { body });
      assert.deepEqual([reply.status, reply.body.errors[0]?.pointer], [400, pointer]);
    }
    const second = await newUser(lonely, { role: 'admin' });
    await admin.call('PATCH', `${USERS}${second.id}/`, { body: { disabled: true } });
    assert.equal((await admin.call('PATCH', path, { body: { role: 'user' } })).status, 400);
    await admin.call('PATCH', `${USERS}${second.id}/`, { body: { disabled: false } });
    assert.equal((await admin.call('PATCH', path, { body: { role: 'user' } })).status, 200);
    assert.equal((await admin.call('GET', USERS)).status, 403, 'at once');
    await lonely.stop();
  });

  test('a session manages the keys of its user, and responses with a key are not cached', async () => {
    const { call } = await signIn(service, (await newUser(service)).email);
    const made = await call<KeyObject>('POST', '/api/v1/keys/', { body: { name: 'mine' } });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.headers.get('cache-control'), 'no-store');
    assert.equal(made.body.requests_today, 0);
    const rotated = await call<KeyObject>('POST', `/api/v1/keys/${made.body.id}/rotate/`, { body: {} });
    assert.equal(rotated.headers.get('cache-control'), 'no-store');
    const reply = await service.api('GET', '/api/v1/scrape/', { key: rotated.body.key! });
    assert.equal(reply.status, 200);
    // Every member of its body has a default.
    const again = await call<KeyObject>('POST', `/api/v1/keys/${rotated.body.id}/rotate/`);
    assert.equal(again.status, 201, again.text);
    const headers = { 'content-type': 'application/json' };
    const third = await call('POST', `/api/v1/keys/${again.body.id}/rotate/`, { headers });
    assert.equal(third.status, 201, third.text);
    const wrong = await call('POST', `/api/v1/keys/${again.body.id}/rotate/`, { body: { overlap: 1 } });
    assert.equal(wrong.status, 400, wrong.text);
  });

  test('the log has who changed what', async () => {
    const { id, email } = await newUser(service);
    const { call, session } = await signIn(service, email);
    await call('POST', `${SESSION}password/`, {
      body: { current_password: PASSWORD, new_password: 'a new password' },
    });
    const { token } = await makeLink(id);
    await setUp(token, PASSWORD);
    await signIn(service, email).then((visitor) => visitor.call('DELETE', SESSION));
    const lines = await eventually(async () => {
      const found = (await service.log()).filter((line) => line.msg === 'audit' && line.user_id === id);
      return found.length >= 8 && found;
    });
    assert.deepEqual(
      lines.map(({ action, actor_user_id: by }) => [action, by === id]),
      [
        ['user.created', false],
        ['session.created', true],
        ['password.changed', true],
        ['link.created', false],
        ['link.used', true],
        ['session.created', true],
        ['session.created', true],
        ['session.ended', true],
      ],
    );
    assert.equal(session.user.id, id);
    assert.doesNotMatch(JSON.stringify(lines), new RegExp(`${token}|${PASSWORD}|${email}`));
  });
});
