import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, test } from 'node:test';
import { eventually, startService, useOwnService } from '../helpers/service.ts';
import { talk } from '../helpers/talk.ts';
import { useSite } from '../helpers/use-site.ts';
import { cookieOf, newUser, PASSWORD, signIn, visit, visitorOf } from '../helpers/visitor.ts';
import type { Problem, SessionEntry, SessionObject, UserObject } from '../helpers/wire-types.ts';

const SESSION = '/api/v1/session/';
const SCRAPE = '/api/v1/scrape/';
const DAY_MS = 86_400_000;

describe('sessions', () => {
  const site = useSite();
  const service = useOwnService();

  const enter = (email: string, password: string, headers: Record<string, string> = {}) =>
    visit<SessionObject & Problem>(service, 'POST', SESSION, { body: { email, password }, headers });

  test('sign in, look, sign out', async () => {
    const { id, email } = await newUser(service);
    const reply = await enter(email.toUpperCase(), PASSWORD, { 'user-agent': 'A browser/1' });
    assert.equal(reply.status, 201, reply.text);
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    const { user, session } = reply.body;
    assert.deepEqual([user.id, user.email, user.role, user.has_password], [id, email, 'user', true]);
    assert.deepEqual([session.current, session.ip, session.user_agent], [true, '127.0.0.1', 'A browser/1']);
    assert.ok(Math.abs(Date.parse(session.expires_at) - Date.now() - 14 * DAY_MS) < 60_000);
    assert.ok(Math.abs(Date.parse(user.last_seen_at!) - Date.now()) < 60_000);

    const { cookie, call } = visitorOf(service, reply);
    const looked = await call<SessionObject>('GET', SESSION);
    assert.equal(looked.status, 200);
    assert.equal(looked.headers.get('cache-control'), 'no-store');
    assert.deepEqual(looked.body, reply.body);
    for (const name of ['ratelimit', 'ratelimit-policy']) assert.equal(looked.headers.get(name), null);

    const out = await call('DELETE', SESSION);
    assert.equal(out.status, 204);
    assert.match(out.headers.getSetCookie()[0]!, /^sluice_session=; Path=\/; Max-Age=0; HttpOnly/);
    const after = await service.api<Problem>('GET', SCRAPE, { key: null, headers: { cookie } });
    assert.deepEqual([after.status, after.body.code], [401, 'auth.invalid']);
    const again = await call<Problem>('GET', SESSION);
    assert.deepEqual([again.status, again.body.code], [401, 'auth.invalid']);
    assert.match(again.headers.getSetCookie()[0]!, /Max-Age=0/, 'a cookie that is no good goes');
  });

  test('a wrong e-mail and a wrong password have the same message, and set no cookie', async () => {
    const known = await newUser(service);
    const noPassword = await newUser(service, { password: null });
    assert.equal(noPassword.has_password, false);
    const disabled = await newUser(service);
    await service.api('PATCH', `/api/v1/users/${disabled.id}/`, { body: { disabled: true } });
    const replies = [
      await enter(known.email, 'wrong horse battery'),
      await enter('nobody@example.com', PASSWORD),
      await enter('not even an address', PASSWORD),
      await enter(noPassword.email, PASSWORD),
      await enter(disabled.email, PASSWORD),
    ];
    const bodies = replies.map(({ status, body, headers }) => {
      assert.equal(status, 401);
      assert.deepEqual(headers.getSetCookie(), []);
      assert.equal(headers.get('cache-control'), 'no-store');
      const { request_id: _id, ...rest } = body;
      return rest;
    });
    assert.equal(bodies[0]!.code, 'auth.invalid');
    for (const body of bodies) assert.deepEqual(body, bodies[0]);
  });

  test('invalid members are refused with their pointer, and their values are never quoted', async () => {
    const cases: [unknown, string[]][] = [
      [{}, ['/email', '/password']],
      [{ email: 'a@b.test', password: '' }, ['/password']],
      [{ email: 'a@b.test', password: 'x'.repeat(1025) }, ['/password']],
      [{ email: 'a@b.test', password: ['hunter2hunter2'] }, ['/password']],
      [{ email: 'a@b.test', password: 'hunter2hunter2', remember: true }, ['/remember']],
    ];
    for (const [body, pointers] of cases) {
      const reply = await visit<Problem>(service, 'POST', SESSION, { body });
      assert.equal(reply.status, 400, reply.text);
      assert.deepEqual(
        reply.body.errors.map(({ pointer }) => pointer),
        pointers,
      );
      assert.doesNotMatch(reply.text, /hunter2/);
    }
  });

  test('a request without a session can only have a small body', async () => {
    const large = { email: 'a@b.test', password: 'x'.repeat(20_000) };
    const reply = await visit<Problem>(service, 'POST', SESSION, { body: large });
    assert.deepEqual([reply.status, reply.body.code], [413, 'request.too_large']);
    assert.match(reply.body.detail, /16384/);
    const chunk = `5000\r\n${'x'.repeat(0x5000)}\r\n`;
    const head = `POST ${SESSION} HTTP/1.1\r\nHost: a\r\nOrigin: http://a\r\nContent-Type: application/json\r\n`;
    const { text } = await talk(service.port, [`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`]);
    assert.match(text, /^HTTP\/1\.1 413 /);
    assert.match(text, /16384/);
  });

  test('scrapes by session count against the limit, other calls do not', async () => {
    const { id, email } = await newUser(service, { concurrency: 1 });
    const { call } = await signIn(service, email);
    const away = new AbortController();
    site.log.length = 0;
    const running = call('POST', SCRAPE, { body: { url: `${site.url}/hang` }, signal: away.signal }).catch(
      () => {},
    );
    await eventually(() => site.log.length === 1);
    const inFlight = async () =>
      (await service.api<UserObject>('GET', `/api/v1/users/${id}/`)).body.in_flight;
    assert.equal(await inFlight(), 1);
    const second = await call<Problem>('POST', SCRAPE, { body: { url: `${site.url}/text` } });
    assert.deepEqual([second.status, second.body.code], [429, 'limit.concurrency']);
    const list = await call('GET', SCRAPE);
    assert.equal(list.status, 200);
    assert.equal(list.headers.get('ratelimit'), null);
    away.abort();
    await running;
    await eventually(async () => (await inFlight()) === 0);
    const third = await call<{ id: string }>('POST', SCRAPE, { body: { url: `${site.url}/text` } });
    assert.equal(third.status, 200);
    assert.equal(third.headers.get('ratelimit'), '"concurrency";r=0');
    const record = await call<{ items: { id: string; key_id: string | null }[] }>('GET', SCRAPE);
    assert.deepEqual(
      record.body.items.filter((one) => one.id === third.body.id).map((one) => one.key_id),
      [null],
    );
  });

  test('own sessions: listed, one ended, all others ended', async () => {
    const { email } = await newUser(service);
    const [first, second, third] = [
      await signIn(service, email),
      await signIn(service, email),
      await signIn(service, email),
    ];
    const stranger = await signIn(service, (await newUser(service)).email);
    const list = async (who = first) =>
      (await who.call<{ items: SessionEntry[] }>('GET', `${SESSION}all/`)).body.items;
    const ids = (items: SessionEntry[]) => items.map(({ id }) => id);
    assert.deepEqual(
      ids(await list()).toSorted(),
      [first, second, third].map(({ session }) => session.session.id).toSorted(),
    );
    assert.deepEqual(ids((await list()).filter(({ current }) => current)), [first.session.session.id]);

    const foreign = await stranger.call('DELETE', `${SESSION}all/${first.session.session.id}/`);
    assert.equal(foreign.status, 404);
    for (const id of ['nothing', '01890000-0000-7000-8000-000000000000'])
      assert.equal((await first.call('DELETE', `${SESSION}all/${id}/`)).status, 404);
    const path = `${SESSION}all/${second.session.session.id}/`;
    assert.equal((await first.call('DELETE', path)).status, 204);
    assert.equal((await second.call('GET', SESSION)).status, 401);
    assert.equal((await first.call('DELETE', path)).status, 404);

    assert.equal((await first.call('DELETE', `${SESSION}all/`)).status, 204);
    assert.equal((await third.call('GET', SESSION)).status, 401);
    assert.deepEqual(ids(await list()), [first.session.session.id]);
    assert.equal((await list(stranger)).length, 1);
    const last = await first.call('DELETE', `${SESSION}all/${first.session.session.id}/`);
    assert.equal(last.status, 204);
    assert.match(last.headers.getSetCookie()[0]!, /Max-Age=0/);
    assert.equal((await first.call('GET', SESSION)).status, 401);
  });

  test('the password: changed with the old one, and all other sessions end', async () => {
    const { email } = await newUser(service);
    const [first, second] = [await signIn(service, email), await signIn(service, email)];
    const change = (current_password: string, new_password: string) =>
      first.call<Problem>('POST', `${SESSION}password/`, { body: { current_password, new_password } });
    const wrong = await change('wrong horse battery', 'a new password');
    assert.deepEqual([wrong.status, wrong.body.errors[0]?.pointer], [400, '/current_password']);
    const short = await change(PASSWORD, 'short');
    assert.deepEqual([short.status, short.body.errors[0]?.pointer], [400, '/new_password']);
    assert.doesNotMatch(short.text + wrong.text, /"short"|wrong horse|a new password/);
    assert.equal((await change(PASSWORD, 'a new password')).status, 204);
    assert.equal((await first.call('GET', SESSION)).status, 200);
    assert.equal((await second.call('GET', SESSION)).status, 401);
    assert.equal((await enter(email, PASSWORD)).status, 401);
    await signIn(service, email, 'a new password');
  });

  test('a user who is disabled is out at once; so is a session after its password was set from outside', async () => {
    const { id, email } = await newUser(service);
    const visitor = await signIn(service, email);
    const disable = (disabled: boolean) =>
      service.api('PATCH', `/api/v1/users/${id}/`, { body: { disabled } });
    await disable(true);
    for (const path of [SESSION, SCRAPE]) {
      const { status, body } = await visitor.call<Problem>('GET', path);
      assert.deepEqual([status, body.code], [403, 'auth.disabled'], path);
    }
    await disable(false);
    assert.equal((await visitor.call('GET', SESSION)).status, 401, 'it does not come back');

    const next = await signIn(service, email);
    const set = await service.cli(['users', 'set', '--email', email, '--password', '-'], {
      input: 'from outside\n',
    });
    assert.equal(set.code, 0, set.stderr);
    await eventually(async () => (await next.call('GET', SESSION)).status === 401, 1000);
    await signIn(service, email, 'from outside');
  });

  test('sessions survive a restart; neither token nor password is stored or logged', async () => {
    const { email } = await newUser(service);
    await using one = await startService();
    const { email: there } = await newUser(one);
    const { cookie } = await signIn(one, there);
    await one.stop();
    await using two = await startService({}, { dataDir: one.dataDir });
    const reply = await two.api('GET', SESSION, { key: null, headers: { cookie } });
    assert.equal(reply.status, 200);
    await two.stop();
    const token = cookie.split('=')[1]!;
    for (const name of readdirSync(one.dataDir, { recursive: true, encoding: 'utf8' })) {
      const file = `${one.dataDir}/${name}`;
      if (!statSync(file).isFile()) continue;
      const bytes = readFileSync(file);
      assert.ok(!bytes.includes(token) && !bytes.includes(PASSWORD), name);
    }
    assert.ok(!((await one.output()) + (await two.output())).includes(token));
    await enter(email, 'typed by mistake');
    const lines = await eventually(async () => {
      const found = (await service.log()).filter(({ action }) => action === 'session.refused');
      return found.length > 0 && found;
    });
    assert.ok(lines.every((line) => line.ip === '127.0.0.1'));
    assert.doesNotMatch(await service.output(), /typed by mistake/);
  });

  test('a key has no session', async () => {
    const reply = await service.api<Problem>('GET', SESSION);
    assert.deepEqual([reply.status, reply.body.code], [401, 'auth.missing']);
    assert.equal(cookieOf(reply), null);
  });
});
