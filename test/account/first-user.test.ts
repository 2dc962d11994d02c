import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPERATOR } from '../../src/account/account-actions.ts';
import { createPasswordHasher } from '../../src/account/passwords.ts';
import { SCOPES } from '../../src/domain/account.ts';
import { codeOf, made, openHouse, principalOf } from './setup.ts';

const EMPTY = { email: 'admin@localhost', password: null, apiKey: null };

describe('the first start', () => {
  it('makes an administrator and a key', async () => {
    await using house = await openHouse();
    const first = await house.accounts.ensureFirstUser(EMPTY);
    assert.equal(first.createdUser, true);
    assert.deepEqual(
      [first.user.email, first.user.role, first.user.passwordHash],
      ['admin@localhost', 'admin', null],
    );
    const principal = principalOf(house.accounts, first.createdKey ?? '');
    assert.deepEqual([principal.role, principal.scopes], ['admin', [...SCOPES]]);
    assert.deepEqual(
      house.accounts.listKeys(OPERATOR, null).map(({ name }) => name),
      ['first'],
    );
    const again = await house.accounts.ensureFirstUser(EMPTY);
    assert.deepEqual(
      [again.createdUser, again.createdKey, again.user.id, again.operatorKey],
      [false, null, first.user.id, 'none'],
    );
  });

  it('takes the key and the password of the operator, at later starts too', async () => {
    await using house = await openHouse();
    const { accounts } = house;
    const ask = { email: 'me@example.com', password: 'correct horse', apiKey: 'my-own-token-0123456789' };
    const first = await accounts.ensureFirstUser(ask);
    assert.deepEqual([first.createdKey, first.operatorKey], [null, 'added']);
    assert.equal(
      (await createPasswordHasher(10).verify('correct horse', first.user.passwordHash ?? '')).matches,
      true,
    );
    assert.equal(codeOf(accounts, ask.apiKey), null);
    const [row] = accounts.listKeys(OPERATOR, null);
    assert.deepEqual([row?.name, row?.prefix, row?.last4], ['first', 'my-', '6789']);

    const count = house.audit.length;
    const same = await accounts.ensureFirstUser(ask);
    assert.deepEqual([same.operatorKey, same.passwordChanged, house.audit.length], ['present', false, count]);

    const changed = await accounts.ensureFirstUser({
      ...ask,
      password: 'wrong horse',
      apiKey: 'another-token-012345',
    });
    assert.deepEqual([changed.operatorKey, changed.passwordChanged], ['added', true]);
    assert.deepEqual([codeOf(accounts, ask.apiKey), codeOf(accounts, 'another-token-012345')], [null, null]);
    const { passwordHash } = accounts.findUser(OPERATOR, 'ME@example.com') ?? assert.fail();
    assert.equal((await createPasswordHasher(10).verify('wrong horse', passwordHash ?? '')).matches, true);

    await accounts.revokeKey(OPERATOR, row?.id ?? '');
    assert.equal((await accounts.ensureFirstUser(ask)).operatorKey, 'revoked');
    assert.equal(codeOf(accounts, ask.apiKey), 'auth.invalid');
  });

  it('makes no second administrator when the e-mail changes', async () => {
    await using house = await openHouse();
    const first = await house.accounts.ensureFirstUser(EMPTY);
    const later = await house.accounts.ensureFirstUser({ ...EMPTY, email: 'new@example.com' });
    assert.deepEqual([later.createdUser, later.user.id], [false, first.user.id]);
    assert.equal(house.accounts.listUsers(OPERATOR).length, 1);
  });

  it('keeps the id of a key of our own form', async () => {
    await using elsewhere = await openHouse();
    const theirStart = await elsewhere.accounts.ensureFirstUser(EMPTY);
    await using house = await openHouse();
    await house.accounts.ensureFirstUser({ ...EMPTY, apiKey: theirStart.createdKey });
    const [theirs] = elsewhere.accounts.listKeys(OPERATOR, null);
    const [ours] = house.accounts.listKeys(OPERATOR, null);
    assert.equal(ours?.id, theirs?.id);
  });

  it('finds what another process made', async () => {
    await using house = await openHouse();
    const { accounts } = await house.another();
    const first = await accounts.ensureFirstUser(EMPTY);
    const user = made(await accounts.updateUser(OPERATOR, first.user.id, { concurrency: 3 }));
    const again = await house.accounts.ensureFirstUser(EMPTY);
    assert.deepEqual([again.createdUser, again.user.concurrency], [false, user.concurrency]);
  });
});
