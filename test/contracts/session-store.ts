import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { ConflictError, type Store } from '../../src/ports/store.ts';
import { ANNA, BERT, idAt, session, T0, user } from './samples.ts';

const HASH = '$scrypt$ln=1,r=1,p=1$x$y';
const NEW_HASH = '$scrypt$ln=1,r=1,p=1$x$z';

/** What the AccountStore of every implementation must do about sessions and set-up links. */
export function sessionStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: sessions`, () => {
    /** Anna and Bert, who can sign in. */
    const people = async (t: TestContext) => {
      const { accounts } = await open(t);
      await accounts.insertUser(user({ passwordHash: HASH }));
      await accounts.insertUser(user({ id: BERT, email: 'bert@example.com', passwordHash: HASH }));
      const ids = async () => (await accounts.sessions()).map(({ id }) => id);
      const begin = (n: number, userId = ANNA) => accounts.insertSession(aSession(n, userId), HASH, 10);
      return { accounts, ids, begin };
    };
    const aSession = (n: number, userId = ANNA) =>
      session({
        ...{ id: idAt(T0 + n), userId, hash: new Uint8Array(32).fill(n) },
        ...{ createdAt: T0 + n, lastSeenAt: T0 + n },
      });

    test('come back as they were put, and the user was seen', async (t) => {
      const { accounts } = await people(t);
      const plain = session();
      const bare = session({ ...aSession(2, BERT), ip: null, userAgent: null });
      assert.equal(await accounts.insertSession(plain, HASH, 10), true);
      assert.equal(await accounts.insertSession(bare, HASH, 10), true);
      assert.deepEqual((await accounts.sessions()).map(plainHash), [plain, bare].map(plainHash));
      const seen = (await accounts.users()).map(({ lastSeenAt }) => lastSeenAt);
      assert.deepEqual(seen, [T0, T0 + 2]);
      await assert.rejects(accounts.insertSession(session({ id: idAt(1) }), HASH, 10), ConflictError);
    });

    test('only for a user who has this password and is not disabled', async (t) => {
      const { accounts, ids } = await people(t);
      assert.equal(await accounts.insertSession(aSession(1), NEW_HASH, 10), false);
      await accounts.updateUser(ANNA, { disabledAt: T0 });
      assert.equal(await accounts.insertSession(aSession(1), HASH, 10), false);
      assert.deepEqual(await ids(), []);
      assert.equal((await accounts.users())[0]?.lastSeenAt, null);
    });

    test('a change with a condition that does not hold changes and ends nothing', async (t) => {
      const { accounts, ids, begin } = await people(t);
      await accounts.updateUser(BERT, { role: 'user' });
      await begin(1);
      await begin(2);
      const change = { passwordHash: NEW_HASH };
      const but = { exceptSessionId: idAt(T0 + 1) };
      for (const only of [
        { passwordHash: NEW_HASH },
        { passwordHash: HASH, session: idAt(T0 + 9) },
        { otherAdmin: true } as const,
      ]) {
        assert.equal(await accounts.updateUser(ANNA, change, but, only), false);
        assert.equal((await accounts.users())[0]?.passwordHash, HASH);
        assert.deepEqual(await ids(), [idAt(T0 + 1), idAt(T0 + 2)]);
      }
      const only = { passwordHash: HASH, session: idAt(T0 + 1) };
      assert.equal(await accounts.updateUser(ANNA, change, but, only), true);
      assert.deepEqual(await ids(), [idAt(T0 + 1)]);
      await accounts.updateUser(BERT, { role: 'admin' });
      assert.equal(await accounts.updateUser(ANNA, { role: 'user' }, undefined, { otherAdmin: true }), true);
    });

    test('of one user the newest stay, of others all', async (t) => {
      const { accounts, ids, begin } = await people(t);
      await begin(1, BERT);
      for (const n of [2, 3, 4]) await accounts.insertSession(aSession(n), HASH, 2);
      assert.deepEqual(await ids(), [idAt(T0 + 1), idAt(T0 + 3), idAt(T0 + 4)]);
    });

    test('one ends, or all but one, of that user', async (t) => {
      const { accounts, ids, begin } = await people(t);
      for (const n of [1, 2, 3]) await begin(n);
      await begin(4, BERT);
      assert.equal(await accounts.deleteSessions(ANNA, 'only', idAt(T0 + 4)), 0);
      assert.equal(await accounts.deleteSessions(ANNA, 'only', 'no id'), 0);
      assert.equal(await accounts.deleteSessions(ANNA, 'only', idAt(T0 + 1)), 1);
      assert.equal(await accounts.deleteSessions(ANNA, 'only', idAt(T0 + 1)), 0);
      assert.deepEqual(
        await ids(),
        [2, 3, 4].map((n) => idAt(T0 + n)),
      );
      assert.equal(await accounts.deleteSessions(ANNA, 'allExcept', idAt(T0 + 3)), 1);
      assert.deepEqual(
        await ids(),
        [3, 4].map((n) => idAt(T0 + n)),
      );
    });

    test('touches set when session and user were seen, never back', async (t) => {
      const { accounts, begin } = await people(t);
      await begin(1);
      await begin(2);
      await accounts.touchSessions([]);
      await accounts.touchSessions([
        { id: idAt(T0 + 1), at: T0 + 50 },
        { id: idAt(T0 + 2), at: T0 + 40 },
        { id: idAt(T0 + 9), at: T0 + 99 },
      ]);
      await accounts.touchSessions([{ id: idAt(T0 + 1), at: T0 + 45 }]);
      assert.deepEqual(
        (await accounts.sessions()).map(({ lastSeenAt }) => lastSeenAt),
        [T0 + 50, T0 + 40],
      );
      assert.deepEqual(
        (await accounts.users()).map(({ lastSeenAt }) => lastSeenAt),
        [T0 + 50, null],
      );
    });

    test('end with a change of the user that says so, and so does the link', async (t) => {
      const { accounts, ids, begin } = await people(t);
      for (const n of [1, 2]) await begin(n);
      await begin(3, BERT);
      await accounts.putSetUpLink(aLink());
      await accounts.putSetUpLink(aLink({ userId: BERT, hash: new Uint8Array(32).fill(8) }));
      await accounts.updateUser(ANNA, { concurrency: 3 });
      assert.equal((await ids()).length, 3);
      await accounts.updateUser(ANNA, { passwordHash: HASH }, { exceptSessionId: idAt(T0 + 2) });
      assert.deepEqual(
        await ids(),
        [2, 3].map((n) => idAt(T0 + n)),
      );
      assert.deepEqual(
        (await accounts.setUpLinks()).map(({ userId }) => userId),
        [BERT],
      );
      await accounts.updateUser(ANNA, { passwordHash: HASH }, { exceptSessionId: null });
      assert.deepEqual(await ids(), [idAt(T0 + 3)]);
    });

    test('a user has one set-up link', async (t) => {
      const { accounts } = await people(t);
      await accounts.putSetUpLink(aLink());
      const second = aLink({ hash: new Uint8Array(32).fill(9), createdAt: T0 + 1, expiresAt: T0 + 11 });
      await accounts.putSetUpLink(second);
      assert.deepEqual((await accounts.setUpLinks()).map(plainHash), [second].map(plainHash));
    });

    test('a set-up link works once: the password is set, all sessions end', async (t) => {
      const { accounts, ids, begin } = await people(t);
      await begin(1);
      await begin(2, BERT);
      await accounts.putSetUpLink(aLink());
      const { hash, expiresAt } = aLink();
      assert.equal(await accounts.useSetUpLink(new Uint8Array(32).fill(9), T0, NEW_HASH), null, 'unknown');
      assert.equal(await accounts.useSetUpLink(hash, expiresAt, NEW_HASH), null, 'expired');
      await accounts.updateUser(ANNA, { disabledAt: T0 });
      assert.equal(await accounts.useSetUpLink(hash, T0, NEW_HASH), null, 'disabled');
      await accounts.updateUser(ANNA, { disabledAt: null });
      assert.equal((await accounts.users())[0]?.passwordHash, HASH);
      assert.equal((await ids()).length, 2);

      const both = await Promise.all([1, 2].map(() => accounts.useSetUpLink(hash, T0, NEW_HASH)));
      assert.deepEqual(both.toSorted(), [ANNA, null]);
      assert.deepEqual(
        (await accounts.users()).map(({ passwordHash }) => passwordHash),
        [NEW_HASH, HASH],
      );
      assert.deepEqual(await ids(), [idAt(T0 + 2)]);
      assert.deepEqual(await accounts.setUpLinks(), []);
    });

    test('a sweep takes what has expired', async (t) => {
      const { accounts, ids, begin } = await people(t);
      for (const n of [1, 2, 3]) await begin(n);
      await accounts.touchSessions([{ id: idAt(T0 + 2), at: T0 + 100 }]);
      await accounts.putSetUpLink(aLink({ expiresAt: T0 + 5 }));
      await accounts.putSetUpLink(
        aLink({ userId: BERT, hash: new Uint8Array(32).fill(8), expiresAt: T0 + 6 }),
      );
      const before = await accounts.version();
      await accounts.sweepSessions({ linksExpiredBy: T0 + 5, createdBefore: T0 + 2, seenBefore: T0 + 3 });
      assert.deepEqual(
        await ids(),
        [2, 3].map((n) => idAt(T0 + n)),
      );
      await accounts.sweepSessions({ linksExpiredBy: T0 + 5, createdBefore: T0, seenBefore: T0 + 4 });
      assert.deepEqual(await ids(), [idAt(T0 + 2)]);
      assert.deepEqual(
        (await accounts.setUpLinks()).map(({ userId }) => userId),
        [BERT],
      );
      assert.equal(await accounts.version(), before);
    });

    test('the version changes with all of it but touches', async (t) => {
      const { accounts, begin } = await people(t);
      let before = await accounts.version();
      const changes = async () => {
        const now = await accounts.version();
        const changed = now !== before;
        before = now;
        return changed;
      };
      await begin(1);
      assert.equal(await changes(), true);
      await accounts.touchSessions([{ id: idAt(T0 + 1), at: T0 + 50 }]);
      assert.equal(await changes(), false);
      await accounts.deleteSessions(ANNA, 'only', idAt(T0 + 1));
      assert.equal(await changes(), true);
      await accounts.putSetUpLink(aLink());
      assert.equal(await changes(), true);
      await accounts.useSetUpLink(aLink().hash, T0, NEW_HASH);
      assert.equal(await changes(), true);
    });
  });
}

const aLink = (
  change: { userId?: string; hash?: Uint8Array; createdAt?: number; expiresAt?: number } = {},
) => ({
  userId: ANNA,
  hash: new Uint8Array(32).fill(7),
  createdAt: T0,
  expiresAt: T0 + 10,
  ...change,
});

/** Buffers and plain byte arrays are equal here. */
function plainHash<T extends { readonly hash: Uint8Array }>(row: T) {
  return { ...row, hash: [...row.hash] };
}
