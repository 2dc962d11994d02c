import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Actor, OPERATOR } from '../../src/account/account-actions.ts';
import type { KeySettings } from '../../src/account/key-settings.ts';
import type { UserSettings } from '../../src/account/users.ts';
import { codeOf, type House, made, openHouse, principalOf, refusalsOf } from './setup.ts';

const HOUR = 3_600_000;

describe('managing users and keys', () => {
  let house: House;
  let ann: Actor & { userId: string };
  let bob: Actor & { userId: string };
  before(async () => {
    house = await openHouse();
    const add = async (email: string): Promise<Actor & { userId: string }> => {
      const row = made(await house.accounts.createUser(OPERATOR, { email }));
      return { userId: row.id, keyId: null, role: row.role, address: null };
    };
    ann = await add('ann@example.com');
    bob = await add('bob@example.com');
  });
  after(() => house[Symbol.asyncDispose]());

  it('gives a key that is stored by its hash only', async () => {
    const { key, row } = made(await house.accounts.createKey(ann, { name: ' build ' }));
    assert.equal(row.name, 'build');
    assert.equal(row.userId, ann.userId);
    assert.equal(row.prefix, `slc_live_${row.id}`);
    assert.equal(row.last4, key.slice(-4));
    assert.deepEqual(row.scopes, ['scrape', 'read', 'jobs']);
    const stored = (await house.store.accounts.keys()).find(({ id }) => id === row.id);
    assert.ok(stored);
    assert.ok(
      !JSON.stringify({ ...stored, hash: Buffer.from(stored.hash).toString('latin1') }).includes(
        key.slice(30),
      ),
    );
  });

  const wrong: [members: Partial<Record<keyof KeySettings, unknown>>, pointers: string[]][] = [
    [{ name: '' }, ['/name']],
    [{ name: 'x'.repeat(101) }, ['/name']],
    [{ name: 'a\nb' }, ['/name']],
    [{ expiresAt: 1 }, ['/expires_at']],
    [{ expiresAt: Number.NaN }, ['/expires_at']],
    [{ scopes: [] }, ['/scopes']],
    [{ scopes: ['read', 'write'] }, ['/scopes/1']],
    [{ domains: ['ok.example', 'http://no.example'] }, ['/domains/1']],
    [{ domains: Array.from({ length: 101 }, (_, i) => `d${i}.example`) }, ['/domains']],
    [{ ips: ['10.0.0.0/8', '10.0.0.0/99', 'x'] }, ['/ips/1', '/ips/2']],
    [{ dailyBudget: { amount: 1.5, unit: 'scrapes' } }, ['/daily_budget/amount']],
    [{ dailyBudget: { amount: -1, unit: 'scrapes' } }, ['/daily_budget/amount']],
    [{ dailyBudget: { amount: 1, unit: 'cost' } }, ['/daily_budget/unit']],
    [{ dailyBudget: { amount: 1, unit: 'bytes' } }, ['/daily_budget/unit']],
    [{ concurrency: 0 }, ['/concurrency']],
    [{ name: '', concurrency: 1.5, ips: ['x'] }, ['/name', '/ips/0', '/concurrency']],
  ];
  for (const [members, pointers] of wrong) {
    it(`refuses a key with ${JSON.stringify(members).slice(0, 60)}`, async () => {
      const expected = pointers.map((pointer) => `request.validation ${pointer}`);
      const ask = { name: 'k', ...members } as KeySettings;
      assert.deepEqual(refusalsOf(await house.accounts.createKey(ann, ask)), expected);
      const { row } = made(await house.accounts.createKey(ann, { name: 'k' }));
      assert.deepEqual(
        refusalsOf(await house.accounts.updateKey(ann, row.id, members as KeySettings)),
        expected,
      );
    });
  }

  it('keeps users to their own keys', async () => {
    const { accounts } = house;
    const { key, row } = made(await accounts.createKey(ann, { name: 'mine' }));
    assert.equal(accounts.findKey(bob, row.id), null);
    assert.deepEqual(refusalsOf(await accounts.updateKey(bob, row.id, { name: 'x' })), ['request.not_found']);
    assert.deepEqual(refusalsOf(await accounts.rotateKey(bob, row.id, 0)), ['request.not_found']);
    assert.equal(await accounts.revokeKey(bob, row.id), false);
    assert.equal(codeOf(accounts, key), null);
    assert.deepEqual(refusalsOf(await accounts.createKey(bob, { userId: ann.userId, name: 'x' })), [
      'auth.scope',
    ]);
    assert.ok(accounts.listKeys(bob, null).every(({ userId }) => userId === bob.userId));
    assert.ok(accounts.listKeys(ann, ann.userId).some(({ id }) => id === row.id));
    assert.ok(accounts.listKeys(OPERATOR, null).some(({ id }) => id === row.id));
    assert.deepEqual(refusalsOf(await accounts.createUser(bob, { email: 'c@example.com' })), ['auth.scope']);
    assert.deepEqual(refusalsOf(await accounts.updateUser(bob, bob.userId, { role: 'admin' })), [
      'auth.scope',
    ]);
    assert.deepEqual(accounts.listUsers(bob), []);
    assert.equal(accounts.findUser(bob, 'ann@example.com'), null);
    assert.equal(accounts.findUser(bob, 'BOB@example.com')?.id, bob.userId);
  });

  it('changes a key at once, and only what is named', async () => {
    const { accounts } = house;
    const { key, row } = made(
      await accounts.createKey(ann, { name: 'k', domains: ['a.example'], concurrency: 2 }),
    );
    const changed = made(
      await accounts.updateKey(ann, row.id, { concurrency: 5, scopes: ['scrape', 'scrape'] }),
    );
    assert.deepEqual([changed.name, changed.domains, changed.concurrency], ['k', ['a.example'], 5]);
    assert.deepEqual(principalOf(accounts, key).scopes, ['scrape']);
    assert.deepEqual(made(await accounts.updateKey(ann, row.id, {})), changed);
  });

  it('revokes once', async () => {
    const { accounts } = house;
    const { key, row } = made(await accounts.createKey(ann, { name: 'k' }));
    assert.equal(await accounts.revokeKey(ann, row.id), true);
    assert.equal(codeOf(accounts, key), 'auth.invalid');
    assert.equal(await accounts.revokeKey(ann, row.id), false);
    assert.equal(await accounts.revokeKey(ann, 'no such key'), false);
    assert.deepEqual(refusalsOf(await accounts.updateKey(ann, row.id, { name: 'x' })), ['request.not_found']);
    assert.notEqual(accounts.findKey(ann, row.id)?.revokedAt, null);
  });

  it('rotates with and without overlap', async () => {
    const { accounts, clock } = house;
    const first = made(await accounts.createKey(ann, { name: 'k', domains: ['a.example'], ips: ['::1'] }));
    const second = made(await accounts.rotateKey(ann, first.row.id, 2));
    assert.notEqual(second.key, first.key);
    assert.deepEqual([second.row.name, second.row.domains, second.row.ips], ['k', ['a.example'], ['::1']]);
    assert.deepEqual([codeOf(accounts, first.key), codeOf(accounts, second.key)], [null, null]);
    clock.offset = 2 * HOUR + 1000;
    assert.deepEqual([codeOf(accounts, first.key), codeOf(accounts, second.key)], ['auth.expired', null]);
    assert.deepEqual(refusalsOf(await accounts.rotateKey(ann, first.row.id, 1)), ['request.validation ']);
    clock.offset = 0;
    const third = made(await accounts.rotateKey(ann, second.row.id, 0));
    assert.deepEqual([codeOf(accounts, second.key), codeOf(accounts, third.key)], ['auth.invalid', null]);
    for (const hours of [-1, 721, Number.NaN]) {
      const refused = await accounts.rotateKey(ann, third.row.id, hours);
      assert.deepEqual(refusalsOf(refused), ['request.validation /overlap_hours']);
    }
    const soon = clock.now() + HOUR;
    const short = made(await accounts.createKey(ann, { name: 'k', expiresAt: soon }));
    await accounts.rotateKey(ann, short.row.id, 5);
    assert.equal(
      accounts.findKey(ann, short.row.id)?.expiresAt,
      soon,
      'an overlap never makes a key live longer',
    );
  });

  const wrongUsers: [members: object, pointers: string[]][] = [
    [{ email: 'nobody' }, ['/email']],
    [{ email: 'ANN@example.com' }, ['/email']],
    [{ role: 'root' }, ['/role']],
    [{ concurrency: 0 }, ['/concurrency']],
    [{ password: 'short' }, ['/password']],
    [{ email: ' ', concurrency: -1 }, ['/email', '/concurrency']],
  ];
  for (const [members, pointers] of wrongUsers) {
    it(`refuses a user with ${JSON.stringify(members)}`, async () => {
      const ask = { email: 'new@example.com', ...members } as UserSettings;
      const expected = pointers.map((pointer) => `request.validation ${pointer}`);
      assert.deepEqual(refusalsOf(await house.accounts.createUser(OPERATOR, ask)), expected);
      assert.deepEqual(refusalsOf(await house.accounts.updateUser(OPERATOR, bob.userId, members)), expected);
    });
  }

  it('changes a user, with force at once', async () => {
    const { accounts } = house;
    const { key } = made(await accounts.createKey(bob, { name: 'k' }));
    assert.equal(principalOf(accounts, key).concurrency, 50);
    const row = made(
      await accounts.updateUser(OPERATOR, bob.userId, { concurrency: 9, email: 'Bob@example.org' }),
    );
    assert.deepEqual([row.email, row.concurrency, row.passwordHash], ['Bob@example.org', 9, null]);
    assert.equal(principalOf(accounts, key).concurrency, 9);
    assert.deepEqual(refusalsOf(await accounts.updateUser(OPERATOR, 'nobody', {})), ['request.not_found']);
  });

  it('keeps the last administrator', async () => {
    const { accounts } = house;
    const admin = made(await accounts.createUser(OPERATOR, { email: 'root@example.com', role: 'admin' }));
    for (const [change, pointer] of [
      [{ disabled: true }, '/disabled'],
      [{ role: 'user' as const }, '/role'],
    ] as const) {
      const refused = await accounts.updateUser(OPERATOR, admin.id, change);
      assert.deepEqual(refusalsOf(refused), [`request.validation ${pointer}`]);
    }
    await accounts.createUser(OPERATOR, { email: 'second@example.com', role: 'admin' });
    assert.equal(made(await accounts.updateUser(OPERATOR, admin.id, { role: 'user' })).role, 'user');
  });

  it('runs no jobs of viewers', async () => {
    const { accounts } = house;
    const { id } = made(await accounts.createUser(OPERATOR, { email: 'was-user@example.com' }));
    assert.equal(typeof accounts.jobPrincipal(id, null), 'object');
    await accounts.updateUser(OPERATOR, id, { role: 'viewer' });
    assert.equal(accounts.jobPrincipal(id, null), 'user');
  });

  it('finds the key of a job that another process has made just now', async () => {
    const other = await house.another();
    const { id } = made(await house.accounts.createUser(OPERATOR, { email: 'new@example.com' }));
    const { row } = made(await house.accounts.createKey(OPERATOR, { name: 'new', userId: id }));
    const principal = await other.accounts.currentJobPrincipal(id, row.id);
    assert.equal(typeof principal === 'string' ? principal : principal.keyId, row.id);
    assert.equal(await other.accounts.currentJobPrincipal(id, 'nothing'), 'key');
  });

  it('tells every change, and no secret', async () => {
    house.audit.length = 0;
    const { key, row } = made(await house.accounts.createKey(ann, { name: 'k', concurrency: 1 }));
    await house.accounts.updateKey(OPERATOR, row.id, { name: 'l', expiresAt: null });
    await house.accounts.rotateKey(ann, row.id, 1);
    await house.accounts.revokeKey(ann, row.id);
    await house.accounts.updateUser(OPERATOR, ann.userId, { password: 'correct horse' });
    assert.deepEqual(
      house.audit.map(({ action, actor, details }) => [action, actor.userId, details]),
      [
        ['key.created', ann.userId, { changed: ['name', 'concurrency'] }],
        ['key.updated', null, { changed: ['name', 'expires_at'] }],
        ['key.rotated', ann.userId, { new_key_id: house.accounts.listKeys(ann, null)[0]?.id }],
        ['key.revoked', ann.userId, {}],
        ['user.updated', null, { changed: ['password'], email: 'ann@example.com' }],
      ],
    );
    const filter = { action: null, userId: ann.userId, targetId: null, from: null, to: null };
    const stored = await house.store.audit.list(filter, 5, null);
    assert.deepEqual(stored.toReversed(), house.audit);
    assert.ok(
      !JSON.stringify(house.audit).includes(key.slice(21)) && !JSON.stringify(house.audit).includes('horse'),
    );
  });
});
