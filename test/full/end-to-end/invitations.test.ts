import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type MailServer, startMailServer } from '../../helpers/mail-server.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { newUser, PASSWORD, signIn, visit, visitorOf } from '../../helpers/visitor.ts';
import type { Problem, SessionObject, UserObject } from '../../helpers/wire-types.ts';

const INVITATIONS = '/api/v1/invitations/';

interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly state: string;
  readonly expires_at: string | null;
}
interface SentInvitation extends Invitation {
  readonly url: string;
  readonly mailed: boolean;
  readonly mail_error: string | null;
}
interface Audit {
  readonly items: readonly {
    readonly action: string;
    readonly user_id: string | null;
    readonly email: string | null;
    readonly target: { readonly name: string | null } | null;
    readonly details: object;
  }[];
}

describe('invitations', () => {
  let mail: MailServer;
  let service: Service;

  before(async () => {
    mail = await startMailServer({ noTls: true, unknown: ['nobody@example.com'] });
    service = await startService({
      SLUICE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      SLUICE_SMTP_FROM: 'sluice@example.com',
    });
  });
  after(async () => {
    await service.stop();
    await mail[Symbol.asyncDispose]();
  });

  const list = async () => (await service.api<{ items: Invitation[] }>('GET', INVITATIONS)).body.items;
  const invite = (body: object) => service.api<SentInvitation>('POST', INVITATIONS, { body });
  const setUp = (url: string) =>
    visit<SessionObject & Problem>(service, 'POST', '/api/v1/session/set-up/', {
      body: { token: url.split('#')[1]!, password: PASSWORD },
    });

  test('an invitation is mailed; the new link ends the old one; it works once', async () => {
    const { status, body } = await invite({ email: 'ada@example.com', role: 'viewer' });
    assert.equal(status, 201);
    assert.deepEqual(
      [body.state, body.role, body.mailed, body.mail_error],
      ['pending', 'viewer', true, null],
    );
    const days = (Date.parse(body.expires_at!) - Date.now()) / 86_400_000;
    assert.ok(days > 6.9 && days <= 7, String(days));
    const [received] = await mail.received(body.url);
    assert.deepEqual(received!.to, ['ada@example.com']);
    assert.deepEqual(
      (await list()).map(({ id, state }) => [id, state]),
      [[body.id, 'pending']],
    );
    const user = await service.api<UserObject>('GET', `/api/v1/users/${body.id}/`);
    assert.equal(user.body.has_password, false);

    const resent = await service.api<SentInvitation>('POST', `${INVITATIONS}${body.id}/resend/`);
    assert.equal(resent.status, 201);
    await mail.received(resent.body.url);
    assert.equal((await setUp(body.url)).body.code, 'auth.invalid');
    const visitor = visitorOf(service, await setUp(resent.body.url));
    assert.equal(visitor.session.user.role, 'viewer');
    assert.equal((await setUp(resent.body.url)).status, 401);
    assert.deepEqual(await list(), []);
    for (const [method, path] of [
      ['POST', 'resend/'],
      ['DELETE', ''],
    ] as const) {
      const late = await service.api<Problem>(method, `${INVITATIONS}${body.id}/${path}`);
      assert.deepEqual([late.status, late.body.code], [404, 'request.not_found'], method);
    }
    const { items } = (await service.api<Audit>('GET', `/api/v1/audit/?user_id=${body.id}`)).body;
    const actions = items.map(({ action }) => action).reverse();
    assert.deepEqual(actions.slice(0, 3), ['user.created', 'invitation.created', 'invitation.resent']);
    assert.ok(actions.includes('link.used') && actions.includes('session.created'));
  });

  test('a revoked invitation ends, and the address can be invited again', async () => {
    const first = await invite({ email: 'bob@example.com' });
    assert.equal(first.body.role, 'user');
    // A new user has no link before the first `resend`.
    const bare = await service.api<UserObject>('POST', '/api/v1/users/', {
      body: { email: 'ben@example.com' },
    });
    const listed = (await list()).map(({ id, state, expires_at }) => [id, state, expires_at]);
    assert.equal(
      (await service.api<{ has_mail_server: boolean }>('GET', INVITATIONS)).body.has_mail_server,
      true,
    );
    assert.deepEqual(listed, [
      [first.body.id, 'pending', first.body.expires_at],
      [bare.body.id, 'expired', null],
    ]);
    assert.equal((await service.api('DELETE', `${INVITATIONS}${bare.body.id}/`)).status, 204);
    const taken = await service.api<Problem>('POST', INVITATIONS, { body: { email: 'BOB@example.com' } });
    assert.deepEqual([taken.status, taken.body.code], [400, 'request.validation']);
    assert.equal((await service.api('DELETE', `${INVITATIONS}${first.body.id}/`)).status, 204);
    assert.equal((await setUp(first.body.url)).body.code, 'auth.invalid');
    assert.equal((await service.api('GET', `/api/v1/users/${first.body.id}/`)).status, 404);
    const { items } = (await service.api<Audit>('GET', '/api/v1/audit/?action=invitation.revoked')).body;
    assert.deepEqual(
      items.map(({ user_id, details }) => [user_id, details]),
      [
        [first.body.id, { email: 'bob@example.com' }],
        [bare.body.id, { email: 'ben@example.com' }],
      ],
    );
    const of = `/api/v1/audit/?user_id=${first.body.id}`;
    const { items: all } = (await service.api<Audit>('GET', of)).body;
    assert.deepEqual(
      all.map(({ action, email, target }) => [action, email, target?.name]),
      ['invitation.revoked', 'invitation.created', 'user.created'].map((action) => [
        action,
        'bob@example.com',
        'bob@example.com',
      ]),
      'a deleted user is named',
    );
    const again = await invite({ email: 'bob@example.com' });
    assert.equal(again.status, 201);
    visitorOf(service, await setUp(again.body.url));
  });

  test('a mail that is refused leaves the link to copy; a user with a key is no longer only invited', async () => {
    const { body } = await invite({ email: 'nobody@example.com' });
    assert.equal(body.mailed, false);
    assert.match(body.mail_error!, /mail server/);
    const found = await visit<{ has_password: boolean }>(service, 'POST', '/api/v1/session/link/', {
      body: { token: body.url.split('#')[1]! },
    });
    assert.deepEqual([found.status, found.body.has_password], [200, false]);
    const made = await service.cli(['keys', 'create', '--user', body.email, '--name', 'x']);
    assert.equal(made.code, 0, made.stderr);
    await eventually(async () => (await list()).length === 0);
    assert.equal((await service.api('DELETE', `${INVITATIONS}${body.id}/`)).status, 404);
  });

  test('only administrators invite; viewers read', async () => {
    const user = await signIn(service, (await newUser(service)).email);
    const viewer = await signIn(service, (await newUser(service, { role: 'viewer' })).email);
    assert.equal((await user.call('GET', INVITATIONS)).status, 403);
    assert.equal((await viewer.call('GET', INVITATIONS)).status, 200);
    const body = { email: 'eve@example.com', role: 'admin' };
    for (const { call } of [user, viewer])
      assert.equal((await call('POST', INVITATIONS, { body })).status, 403);
    const unknown = await service.api<Problem>('POST', INVITATIONS, {
      body: { ...body, password: PASSWORD },
    });
    assert.equal(unknown.status, 400);
    const wrong = await service.api<Problem>('POST', INVITATIONS, { body: { email: 'eve' } });
    assert.deepEqual([wrong.status, wrong.body.errors?.[0]?.pointer], [400, '/email']);
    // A comma does not make it two recipients.
    const odd = await service.api<SentInvitation>('POST', INVITATIONS, {
      body: { email: 'eve,x@example.com' },
    });
    assert.equal(odd.body.mailed, true, odd.text);
    const [received] = await mail.received(odd.body.url);
    assert.equal(received!.to.length, 1);
  });

  test('without a mail server, the link is shown, once', async () => {
    await using plain = await startService();
    const created = await plain.api<SentInvitation>('POST', INVITATIONS, {
      body: { email: 'ann@example.com' },
    });
    assert.deepEqual([created.status, created.body.mailed, created.body.mail_error], [201, false, null]);
    const again = await plain.api<{ items: object[] }>('GET', INVITATIONS);
    assert.equal(again.text.includes(created.body.url.split('#')[1]!), false);
    const token = created.body.url.split('#')[1]!;
    const body = { token, password: PASSWORD };
    const signedIn = await visit<SessionObject>(plain, 'POST', '/api/v1/session/set-up/', { body });
    assert.equal(visitorOf(plain, signedIn).session.user.email, 'ann@example.com');
  });
});
