import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { AuditEvent, AuditFilter } from '../../src/domain/audit.ts';
import type { IdentityRow } from '../../src/ports/identities.ts';
import { ConflictError, type Store } from '../../src/ports/store.ts';
import { ANNA, BERT, idAt, key, session, T0, user } from './samples.ts';

/** What the AccountStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function accountStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: accounts`, () => {
    test('users come back as they were put', async (t) => {
      const { accounts } = await open(t);
      assert.deepEqual(await accounts.users(), []);
      const anna = user();
      const bert = user({
        ...{ id: BERT, email: 'Bert@Example.com', role: 'user', passwordHash: 'scrypt$…' },
        ...{ concurrency: 7, disabledAt: T0 + 5, createdAt: T0 + 1 },
      });
      await accounts.insertUser(anna);
      await accounts.insertUser(bert);
      assert.deepEqual(await accounts.users(), [anna, bert]);
    });

    test('an e-mail is taken whatever its letter case', async (t) => {
      const { accounts } = await open(t);
      await accounts.insertUser(user({ email: 'Änna@example.com' }));
      for (const email of ['Änna@example.com', 'änna@EXAMPLE.com', 'a\u0308nna@example.com']) {
        await assert.rejects(accounts.insertUser(user({ id: BERT, email })), ConflictError);
      }
      await accounts.insertUser(user({ id: BERT, email: 'bert@example.com' }));
      await assert.rejects(accounts.updateUser(BERT, { email: 'ÄNNA@example.com' }), ConflictError);
      assert.equal(await accounts.updateUser(ANNA, { email: 'ÄNNA@example.com' }), true);
      assert.deepEqual(
        (await accounts.users()).map((one) => one.email),
        ['ÄNNA@example.com', 'bert@example.com'],
      );
    });

    test('a change of a user changes what it names, nothing else', async (t) => {
      const { accounts } = await open(t);
      await accounts.insertUser(user({ concurrency: 5, passwordHash: 'x' }));
      assert.equal(await accounts.updateUser(ANNA, { concurrency: null, role: 'user' }), true);
      assert.equal(await accounts.updateUser(ANNA, {}), true);
      assert.deepEqual(await accounts.users(), [
        user({ concurrency: null, passwordHash: 'x', role: 'user' }),
      ]);
      assert.equal(await accounts.updateUser(BERT, { concurrency: 1 }), false);
      assert.equal(await accounts.updateUser('nobody', { concurrency: 1 }), false);
      assert.equal(await accounts.updateUser(BERT, {}), false);
    });

    test('keys come back as they were put', async (t) => {
      const { accounts } = await open(t);
      await accounts.insertUser(user());
      const plain = key();
      const full = key({
        ...{ id: 'key2', hash: new Uint8Array(32).fill(255), createdAt: T0 + 1, lastUsedAt: T0 + 2 },
        ...{ expiresAt: T0 + 3, revokedAt: T0 + 4, scopes: ['admin'], domains: ['*.example.com'] },
        ...{ ips: ['192.0.2.0/24', '::1'], dailyBudget: { amount: 2.5, unit: 'cost' }, concurrency: 3 },
      } as const);
      await accounts.insertKey(plain);
      await accounts.insertKey(full);
      const [first, second] = await accounts.keys();
      assert.deepEqual(plainHash(first!), plainHash(plain));
      assert.deepEqual(plainHash(second!), plainHash(full));
    });

    test('a key needs a user and an id of its own', async (t) => {
      const { accounts } = await open(t);
      await assert.rejects(accounts.insertKey(key()), ConflictError);
      await accounts.insertUser(user());
      await accounts.insertKey(key());
      await assert.rejects(accounts.insertKey(key({ name: 'again' })), ConflictError);
      assert.deepEqual(
        (await accounts.keys()).map((one) => one.name),
        ['laptop'],
      );
    });

    test('a change of a key changes what it names, nothing else', async (t) => {
      const { accounts } = await open(t);
      await accounts.insertUser(user());
      await accounts.insertKey(key({ dailyBudget: { amount: 10, unit: 'scrapes' }, domains: ['a.example'] }));
      assert.equal(
        await accounts.updateKey('key1', { revokedAt: T0, dailyBudget: null, ips: ['10.0.0.1'] }),
        true,
      );
      const [changed] = await accounts.keys();
      assert.deepEqual(
        plainHash(changed!),
        plainHash(key({ revokedAt: T0, dailyBudget: null, ips: ['10.0.0.1'], domains: ['a.example'] })),
      );
      assert.equal(await accounts.updateKey('key9', { revokedAt: T0 }), false);
      assert.equal(await accounts.updateKey('key9', {}), false);
      assert.equal(await accounts.updateKey('key1', {}), true);
    });

    test('the version changes with each change of a user or key, and only then', async (t) => {
      const { accounts } = await open(t);
      let before = await accounts.version();
      const changes = async () => {
        const now = await accounts.version();
        const changed = now !== before;
        before = now;
        return changed;
      };
      assert.equal(await changes(), false);
      await accounts.insertUser(user());
      assert.equal(await changes(), true);
      await accounts.insertKey(key());
      assert.equal(await changes(), true);
      await accounts.updateUser(ANNA, { disabledAt: T0 });
      assert.equal(await changes(), true);
      await accounts.updateKey('key1', { revokedAt: T0 });
      assert.equal(await changes(), true);
      await accounts.touchKeys([{ id: 'key1', at: T0 + 9 }]);
      await accounts.addUsage([{ keyId: 'key1', day: '2026-01-02', scrapes: 1, cost: 10 }]);
      await assert.rejects(accounts.insertUser(user()), ConflictError);
      assert.equal(await changes(), false);
    });

    test('an event is stored with its change, and not without it', async (t) => {
      const { accounts, audit } = await open(t);
      const event = (n: number, action: AuditEvent['action']): AuditEvent => ({
        ...{ id: idAt(T0 + n), at: T0 + n, action, userId: ANNA, address: '192.0.2.1' },
        actor: { userId: BERT, keyId: 'key1', via: 'key' },
        target: { type: 'user', id: ANNA },
        details: { changed: ['role'] },
      });
      const all = { action: null, userId: null, targetId: null, from: null, to: null };
      const actions = async (filter: Partial<AuditFilter> = {}, limit = 10, after: string | null = null) =>
        (await audit.list({ ...all, ...filter }, limit, after)).map(({ action }) => action);
      await accounts.insertUser(user(), event(1, 'user.created'));
      await assert.rejects(accounts.insertUser(user(), event(2, 'user.created')), ConflictError);
      assert.deepEqual(await audit.list(all, 10, null), [event(1, 'user.created')]);
      const change = { role: 'user' } as const;
      const only = { otherAdmin: true } as const;
      assert.equal(await accounts.updateUser(ANNA, change, undefined, only, event(3, 'user.updated')), false);
      assert.equal(await accounts.updateUser(BERT, change, undefined, {}, event(3, 'user.updated')), false);
      assert.equal(await accounts.updateUser(ANNA, change, undefined, {}, event(3, 'user.updated')), true);
      assert.equal(await accounts.updateKey('key9', { revokedAt: T0 }, event(4, 'key.revoked')), false);
      await accounts.insertKey(key(), event(5, 'key.created'));
      assert.equal(await accounts.updateKey('key1', { revokedAt: T0 }, event(6, 'key.revoked')), true);
      assert.equal(await accounts.deleteSessions(ANNA, 'only', idAt(T0), event(7, 'session.ended')), 0);
      await accounts.updateUser(ANNA, { passwordHash: 'x' });
      assert.equal(await accounts.insertSession(session(), 'y', 9, event(8, 'session.created')), false);
      assert.equal(await accounts.insertSession(session(), 'x', 9, event(8, 'session.created')), true);
      assert.equal(await accounts.deleteSessions(ANNA, 'only', idAt(T0), event(9, 'session.ended')), 1);
      const link = { userId: ANNA, hash: new Uint8Array(32), createdAt: T0, expiresAt: T0 + 9 };
      await accounts.putSetUpLink(link, event(10, 'link.created'));
      assert.equal(await accounts.useSetUpLink(link.hash, T0 + 9, 'z', event(11, 'link.used')), null);
      assert.equal(await accounts.useSetUpLink(link.hash, T0 + 8, 'z', event(11, 'link.used')), ANNA);
      await audit.append({
        ...{ id: idAt(T0 + 12), at: T0 + 12, action: 'session.refused', userId: null, target: null },
        ...{ actor: { userId: null, keyId: null, via: 'sign_in' }, address: null, details: {} },
      });
      const expected = [
        ...['session.refused', 'link.used', 'link.created', 'session.ended', 'session.created'],
        ...['key.revoked', 'key.created', 'user.updated', 'user.created'],
      ];
      assert.deepEqual(await actions(), expected);
      assert.deepEqual(await actions({}, 2, idAt(T0 + 11)), expected.slice(2, 4));
      assert.deepEqual(await actions({ action: 'key.created' }), ['key.created']);
      assert.deepEqual(await actions({ userId: BERT }), expected.slice(1));
      assert.deepEqual(await actions({ userId: 'nobody' }), []);
      assert.deepEqual(await actions({ targetId: 'nothing' }), []);
      assert.equal((await actions({ targetId: ANNA })).length, expected.length - 1);
      assert.deepEqual(await actions({ from: T0 + 3, to: T0 + 6 }), ['key.created', 'user.updated']);
      await audit.sweep(T0 + 3, 5);
      assert.deepEqual(await actions(), expected.slice(0, 5));
      await audit.sweep(T0 + 12, 500);
      assert.deepEqual(await actions(), ['session.refused']);
    });

    test('only a user who never signed in and has no key can be deleted, with the link', async (t) => {
      const { accounts, audit } = await open(t);
      const event: AuditEvent = {
        ...{ id: idAt(T0), at: T0, action: 'invitation.revoked', userId: ANNA, target: null, address: null },
        ...{ actor: { userId: null, keyId: null, via: 'command_line' }, details: {} },
      };
      const all = { action: null, userId: null, targetId: null, from: null, to: null };
      const link = { userId: ANNA, hash: new Uint8Array(32), createdAt: T0, expiresAt: T0 + 9 };
      const gone = () => accounts.deleteInvitedUser(ANNA, event);
      await accounts.insertUser(user({ id: BERT, email: 'bert@example.com', passwordHash: null }));
      assert.equal(await gone(), false);
      assert.equal(await accounts.deleteInvitedUser('nobody', event), false);
      await accounts.insertUser(user({ passwordHash: 'x' }));
      assert.equal(await gone(), false);
      await accounts.updateUser(ANNA, { passwordHash: null });
      await accounts.putSetUpLink(link);
      assert.deepEqual(await audit.list(all, 9, null), []);
      const before = await accounts.version();
      assert.equal(await gone(), true);
      assert.deepEqual(await audit.list(all, 9, null), [event]);
      assert.notEqual(await accounts.version(), before);
      assert.deepEqual(await accounts.setUpLinks(), []);
      assert.deepEqual(
        (await accounts.users()).map(({ id }) => id),
        [BERT],
      );
      await assert.rejects(accounts.putSetUpLink(link), ConflictError);
      await accounts.insertUser(user({ passwordHash: 'x' }));
      await accounts.insertSession(session(), 'x', 9);
      await accounts.updateUser(ANNA, { passwordHash: null }, { exceptSessionId: null });
      assert.equal(await gone(), false);
      await accounts.insertKey(key({ userId: BERT }));
      assert.equal(await accounts.deleteInvitedUser(BERT, event), false);
    });

    test('an identity signs in one user, who has one of each issuer', async (t) => {
      const { accounts, audit } = await open(t);
      const event = (n: number, action: AuditEvent['action']): AuditEvent => ({
        ...{ id: idAt(T0 + n), at: T0 + n, action, userId: ANNA, address: '192.0.2.1', target: null },
        actor: { userId: ANNA, keyId: null, via: 'sign_in' },
        details: {},
      });
      const identity = (members: Partial<IdentityRow> = {}): IdentityRow => ({
        ...{ issuer: 'https://a.example', subject: 'x', userId: ANNA, createdAt: T0 },
        ...members,
      });
      let count = 0;
      const insert = (members: Partial<IdentityRow> = {}) =>
        accounts.insertIdentity(identity(members), event(++count, 'identity.linked'));
      await accounts.insertUser(user({ passwordHash: null }));
      await accounts.insertUser(user({ id: BERT, email: 'bert@example.com' }));
      await accounts.putSetUpLink({
        userId: ANNA,
        hash: new Uint8Array(32),
        createdAt: T0,
        expiresAt: T0 + 9,
      });
      const before = await accounts.version();
      assert.equal(await insert(), true);
      assert.notEqual(await accounts.version(), before);
      assert.deepEqual(await accounts.setUpLinks(), []);
      assert.equal(await accounts.deleteInvitedUser(ANNA, event(90, 'invitation.revoked')), false);
      assert.equal(await insert({ createdAt: T0 + 1 }), false);
      assert.equal(await insert({ userId: BERT }), false);
      assert.equal(await insert({ subject: 'y' }), false);
      assert.equal(await insert({ issuer: 'https://b.example' }), true);
      assert.equal(await insert({ subject: 'y', userId: BERT }), true);
      await assert.rejects(insert({ subject: 'z', userId: idAt(T0 + 99) }), ConflictError);
      const rows = [
        identity(),
        identity({ subject: 'y', userId: BERT }),
        identity({ issuer: 'https://b.example' }),
      ];
      assert.deepEqual(await accounts.identities(), rows);
      assert.equal(await accounts.deleteIdentities(ANNA, event(91, 'identity.removed')), true);
      assert.equal(await accounts.deleteIdentities(ANNA, event(92, 'identity.removed')), false);
      assert.deepEqual(await accounts.identities(), [rows[1]]);
      const all = { action: null, userId: null, targetId: null, from: null, to: null };
      const times = (await audit.list(all, 10, null)).map(({ at }) => at - T0);
      assert.deepEqual(times, [91, 6, 5, 1]);
      assert.equal(await accounts.insertSession(session(), null, 9), true);
      assert.equal(await accounts.insertSession(session({ id: idAt(T0 + 50) }), 'x', 9), false);
    });

    test('touches set the time of last use, never back', async (t) => {
      const { accounts } = await open(t);
      await accounts.insertUser(user());
      await accounts.insertKey(key());
      await accounts.insertKey(key({ id: 'key2', createdAt: T0 + 1 }));
      const used = async () => (await accounts.keys()).map((one) => one.lastUsedAt);
      await accounts.touchKeys([]);
      assert.deepEqual(await used(), [null, null]);
      await accounts.touchKeys([
        { id: 'key1', at: T0 + 10 },
        { id: 'key2', at: T0 + 20 },
        { id: 'gone', at: T0 },
      ]);
      await accounts.touchKeys([{ id: 'key2', at: T0 + 15 }]);
      assert.deepEqual(await used(), [T0 + 10, T0 + 20]);
    });

    test('usage adds up by key and day', async (t) => {
      const { accounts } = await open(t);
      await accounts.addUsage([]);
      await accounts.addUsage([
        { keyId: 'a', day: '2026-01-02', scrapes: 2, cost: 20 },
        { keyId: 'b', day: '2026-01-02', scrapes: 1, cost: 10 },
        { keyId: 'a', day: '2026-01-03', scrapes: 5, cost: 50 },
      ]);
      await Promise.all(
        Array.from({ length: 20 }, () =>
          accounts.addUsage([{ keyId: 'a', day: '2026-01-02', scrapes: 1, cost: 10 }]),
        ),
      );
      const usage = (await accounts.usage('2026-01-02')).toSorted((x, y) => x.keyId.localeCompare(y.keyId));
      assert.deepEqual(usage, [
        { keyId: 'a', day: '2026-01-02', scrapes: 22, cost: 220 },
        { keyId: 'b', day: '2026-01-02', scrapes: 1, cost: 10 },
      ]);
      assert.deepEqual(await accounts.usage('2026-01-04'), []);
    });
  });
}

/** Buffers and plain byte arrays are equal here. */
function plainHash<T extends { readonly hash: Uint8Array }>(row: T) {
  return { ...row, hash: [...row.hash] };
}
