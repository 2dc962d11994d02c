import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { OPERATOR } from '../../src/account/account-actions.ts';
import type { NewSession } from '../../src/account/sessions.ts';
import { SCOPES } from '../../src/domain/account.ts';
import { type House, made, openHouse, refusalsOf } from './setup.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const PASSWORD = 'correct horse battery';
const HERE = { ip: '192.0.2.1', userAgent: 'A browser' };

describe('sessions', () => {
  let house: House;
  let count = 0;
  before(async () => {
    house = await openHouse();
  });
  after(() => house[Symbol.asyncDispose]());

  const person = async (members: { role?: 'admin' | 'user' } = {}) => {
    const email = `p${++count}@example.com`;
    return made(await house.accounts.createUser(OPERATOR, { email, password: PASSWORD, ...members }));
  };
  const signIn = async (email: string, accounts = house.accounts): Promise<NewSession> =>
    made(await accounts.sessions.signIn({ email, password: PASSWORD, ...HERE }));
  const codeOf = (token: string, accounts = house.accounts) =>
    accounts.authenticateSession(token).failure?.code ?? null;

  it('give the principal of the user: all scopes, no key', async () => {
    const { id, email } = await person();
    const { token, activeSession } = await signIn(email.toUpperCase());
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    const found = house.accounts.authenticateSession(token);
    assert.deepEqual(found.principal, {
      userId: id,
      role: 'user',
      concurrency: 50,
      keyId: null,
      keyConcurrency: null,
      scopes: [...SCOPES],
      domains: [],
      dailyBudget: null,
    });
    assert.deepEqual([activeSession.session.ip, activeSession.session.userAgent], ['192.0.2.1', 'A browser']);
    for (const wrong of ['', token.slice(1), `${token}A`, 'x'.repeat(10_000)])
      assert.equal(codeOf(wrong), 'auth.invalid', wrong.slice(0, 50));
    const kept = await house.store.accounts.sessions();
    assert.ok(!kept.some(({ hash }) => Buffer.from(hash).toString('latin1').includes(token)));
  });

  it('end two weeks after their last use, and ninety days after their beginning', async () => {
    const { email } = await person();
    const { clock } = house;
    const { token } = await signIn(email);
    clock.offset = 14 * DAY + 1000;
    assert.equal(codeOf(token), 'auth.invalid');
    clock.offset = 0;
    for (let day = 0; day < 90; day += 13) {
      clock.offset = day * DAY;
      assert.equal(codeOf(token), null, `day ${day}`);
    }
    clock.offset = 90 * DAY - MINUTE;
    assert.equal(codeOf(token), null);
    clock.offset = 90 * DAY + MINUTE;
    assert.equal(codeOf(token), 'auth.invalid');
    clock.offset = 0;
  });

  it('are touched at most once a minute, without a new version; another process learns of it', async () => {
    const { id, email } = await person();
    const { accounts, store, clock } = house;
    const { token, activeSession } = await signIn(email);
    const { lastSeenAt } = activeSession.session;
    const version = await store.accounts.version();
    const stored = async () =>
      (await store.accounts.sessions()).find((one) => one.id === activeSession.session.id)?.lastSeenAt;
    clock.offset = MINUTE - 5_000;
    assert.equal(codeOf(token), null);
    await accounts.flush();
    assert.equal(await stored(), lastSeenAt);
    clock.offset = MINUTE + 5_000;
    assert.equal(codeOf(token), null);
    await accounts.flush();
    const seen = (await stored())!;
    assert.ok(seen >= lastSeenAt + MINUTE);
    assert.equal(await store.accounts.version(), version);
    assert.equal(accounts.lastSeenAt(accounts.findUser(OPERATOR, id)!), seen);
    const other = await house.another();
    assert.equal(other.accounts.lastSeenAt(other.accounts.findUser(OPERATOR, id)!), seen);
    assert.equal(await accounts.sessions.end(OPERATOR, id, activeSession.session.id), true);
    assert.equal(accounts.lastSeenAt(accounts.findUser(OPERATOR, id)!), seen, 'also when it has ended');
    clock.offset = 0;
  });

  it('that end here end in other processes within a second', async () => {
    const { id, email } = await person();
    const other = await house.another();
    const ended = async (token: string) => {
      for (const end = Date.now() + 1000; Date.now() < end; await new Promise((r) => setTimeout(r, 20)))
        if (codeOf(token, other.accounts) !== null) return codeOf(token, other.accounts);
      return null;
    };
    const [first, second, third] = [await signIn(email), await signIn(email), await signIn(email)];
    await other.accounts.catchUp();
    assert.equal(codeOf(first.token, other.accounts), null);
    await house.accounts.sessions.end(OPERATOR, id, first.activeSession.session.id);
    assert.equal(await ended(first.token), 'auth.invalid');
    await house.accounts.sessions.endOthers(OPERATOR, id, second.activeSession.session.id);
    assert.equal(await ended(third.token), 'auth.invalid');
    assert.equal(codeOf(second.token, other.accounts), null);
    // As the command line does it.
    await house.accounts.updateUser(OPERATOR, id, { password: PASSWORD });
    assert.equal(await ended(second.token), 'auth.invalid');
  });

  it('of a user who is disabled are refused, and do not come back', async () => {
    const { id, email } = await person();
    const { token } = await signIn(email);
    await house.accounts.updateUser(OPERATOR, id, { disabled: true });
    const found = house.accounts.authenticateSession(token);
    assert.equal(found.failure === null && found.disabled, true);
    await house.accounts.updateUser(OPERATOR, id, { disabled: false });
    assert.equal(codeOf(token), 'auth.invalid');
  });

  it('of one user are fifty at most', async () => {
    const { id, email, passwordHash } = await person();
    const { token } = await signIn(email);
    for (let n = 0; n < 49; n++) await fake(id, passwordHash!, n);
    await signIn(email);
    assert.equal(house.accounts.sessions.list(id).length, 50);
    assert.equal(codeOf(token), 'auth.invalid', 'the oldest ended');
  });

  const fake = (userId: string, passwordHash: string, n: number) =>
    house.store.accounts.insertSession(
      {
        id: crypto.randomUUID(),
        userId,
        hash: crypto.getRandomValues(new Uint8Array(32)),
        createdAt: Date.now() + n,
        lastSeenAt: Date.now(),
        ip: null,
        userAgent: null,
      },
      passwordHash,
      50,
    );

  it('and links that expired 30 days ago are swept', async () => {
    const { id, email } = await person();
    const { clock, accounts, store } = house;
    const { activeSession } = await signIn(email);
    made(await accounts.sessions.createLink(OPERATOR, id));
    const there = async () => [
      (await store.accounts.sessions()).some((one) => one.id === activeSession.session.id),
      (await store.accounts.setUpLinks()).some((one) => one.userId === id),
    ];
    await accounts.sweep();
    assert.deepEqual(await there(), [true, true]);
    clock.offset = 13 * DAY;
    await accounts.sweep();
    assert.deepEqual(await there(), [true, true]);
    clock.offset = 15 * DAY;
    await accounts.sweep();
    assert.deepEqual(await there(), [false, true]);
    clock.offset = 32 * DAY;
    await accounts.sweep();
    assert.deepEqual(await there(), [false, false]);
    clock.offset = 0;
  });

  it('begin by a link that is a day young at most', async () => {
    const { id, email } = await person();
    const { clock, accounts } = house;
    const { token, expiresAt } = made(await accounts.sessions.createLink(OPERATOR, id));
    assert.ok(Math.abs(expiresAt - clock.now() - DAY) < 5_000);
    clock.offset = DAY - MINUTE;
    assert.equal(made(accounts.sessions.findLink(token)).user.email, email);
    clock.offset = DAY + MINUTE;
    assert.deepEqual(refusalsOf(accounts.sessions.findLink(token)), ['auth.invalid']);
    const late = await accounts.sessions.setUp({ token, password: 'another password', ...HERE });
    assert.deepEqual(refusalsOf(late), ['auth.invalid']);
    clock.offset = 0;
    const short = await accounts.sessions.setUp({ token, password: 'short', ...HERE });
    assert.deepEqual(refusalsOf(short), ['request.validation /password']);
    made(await accounts.sessions.setUp({ token, password: 'another password', ...HERE }));
    assert.deepEqual(refusalsOf(await accounts.sessions.setUp({ token, password: PASSWORD, ...HERE })), [
      'auth.invalid',
    ]);
  });

  it('links are for administrators to make, and not for the disabled', async () => {
    const { id, role } = await person();
    const { accounts } = house;
    const self = { userId: id, keyId: null, role, address: null };
    assert.deepEqual(refusalsOf(await accounts.sessions.createLink(self, id)), ['auth.scope']);
    assert.deepEqual(refusalsOf(await accounts.sessions.createLink(OPERATOR, 'x')), ['request.not_found']);
    const { token } = made(await accounts.sessions.createLink(OPERATOR, id));
    await accounts.updateUser(OPERATOR, id, { disabled: true });
    assert.deepEqual(refusalsOf(accounts.sessions.findLink(token)), ['auth.disabled']);
    assert.deepEqual(refusalsOf(await accounts.sessions.createLink(OPERATOR, id)), ['request.validation ']);
    await accounts.updateUser(OPERATOR, id, { disabled: false });
    assert.deepEqual(refusalsOf(accounts.sessions.findLink(token)), ['auth.invalid']);
  });

  it('tell who came in and who did not, and nothing of what was typed', async () => {
    const { id, email } = await person();
    house.audit.length = 0;
    await signIn(email);
    await house.accounts.sessions.signIn({ email, password: 'wrong horse', ...HERE });
    await house.accounts.sessions.signIn({ email: 'typed@wrong.example', password: 'wrong horse', ...HERE });
    assert.deepEqual(
      house.audit.map(({ action, userId, address }) => [action, userId, address]),
      [
        ['session.created', id, HERE.ip],
        ['session.refused', id, HERE.ip],
        ['session.refused', null, HERE.ip],
      ],
    );
    assert.doesNotMatch(JSON.stringify(house.audit), /horse|typed/);
  });

  it('renew a hash of former parameters, without ending anything', async () => {
    const { id, email } = await person();
    const { token } = await signIn(email);
    const { scryptSync } = await import('node:crypto');
    const salt = Buffer.alloc(16, 1);
    const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
    const old = scryptSync(PASSWORD, salt, 32, { N: 2 ** 4, r: 8, p: 1 });
    await house.store.accounts.updateUser(id, {
      passwordHash: `$scrypt$ln=4,r=8,p=1$${text(salt)}$${text(old)}`,
    });
    const other = await house.another();
    await signIn(email, other.accounts);
    const row = (await house.store.accounts.users()).find((one) => one.id === id);
    assert.match(row?.passwordHash ?? '', /^\$scrypt\$ln=10,r=8,p=3/);
    assert.equal(codeOf(token), null);
    await signIn(email, other.accounts);
  });

  it('a crowd at the door waits in a short line', async () => {
    const { email } = await person();
    const all = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        house.accounts.sessions.signIn({
          ...{ email: `${n}-${email}`, password: PASSWORD },
          ...{ ip: `198.51.100.${n}`, userAgent: null },
        }),
      ),
    );
    const codes = all.map((one) => refusalsOf(one)[0]);
    assert.equal(codes.filter((code) => code === 'auth.invalid').length, 21);
    assert.equal(codes.filter((code) => code === 'limit.sign_in').length, 39);
  });
});
