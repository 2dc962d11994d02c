import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { OPERATOR } from '../../src/account/account-actions.ts';
import { authorise, readAuthorization, requireAdmin, requireScope } from '../../src/account/authenticate.ts';
import type { KeySettings } from '../../src/account/key-settings.ts';
import { generateKey } from '../../src/account/tokens.ts';
import fc from '../helpers/fast-check.ts';
import { codeOf, type House, made, openHouse, principalOf } from './setup.ts';

describe('the Authorization header', () => {
  const cases: [header: string, token: string | null][] = [
    ['Api-Key abc', 'abc'],
    ['api-key abc', 'abc'],
    ['API-KEY abc', 'abc'],
    ['Bearer abc', 'abc'],
    ['bearer   abc  ', 'abc'],
    ['', null],
    ['abc', null],
    ['Api-Key', null],
    ['Api-Key ', null],
    ['Api-Key a b', null],
    ['Api-Key a\tb', null],
    ['Api-Key\tabc', null],
    ['Basic abc', null],
    ['Api-Keys abc', null],
    [' Api-Key abc', null],
  ];
  for (const [header, token] of cases) {
    it(JSON.stringify(header), () => assert.equal(readAuthorization(header), token));
  }
  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (header) => void readAuthorization(header)));
  });
});

describe('authentication', () => {
  let house: House;
  let userId: string;
  before(async () => {
    house = await openHouse();
    const user = await house.accounts.createUser(OPERATOR, { email: 'a@example.com', concurrency: 7 });
    userId = made(user).id;
  });
  after(() => house[Symbol.asyncDispose]());

  const make = async (members: Partial<KeySettings> = {}) =>
    made(await house.accounts.createKey(OPERATOR, { userId, name: 'k', ...members }));

  it('names who calls', async () => {
    const { key, row } = await make({ concurrency: 3, domains: ['Example.COM'] });
    assert.deepEqual(principalOf(house.accounts, key), {
      userId,
      role: 'user',
      concurrency: 7,
      keyId: row.id,
      keyConcurrency: 3,
      scopes: ['scrape', 'read', 'jobs'],
      domains: ['example.com'],
      dailyBudget: null,
    });
    assert.equal(house.accounts.authenticate(`bearer ${key}`).failure, null);
  });

  it('refuses with the codes of the contract, and one text for all that is invalid', async () => {
    const { accounts } = house;
    const { key } = await make();
    const revoked = await make();
    await accounts.revokeKey(OPERATOR, revoked.row.id);
    assert.equal(accounts.authenticate(undefined).failure?.code, 'auth.missing');
    assert.equal(accounts.authenticate('').failure?.code, 'auth.malformed');
    assert.equal(accounts.authenticate(`Basic ${key}`).failure?.code, 'auth.malformed');
    const invalid = [
      'x',
      `${key}x`,
      key.slice(0, -1),
      generateKey().text,
      revoked.key,
      'ü'.repeat(70),
      'x'.repeat(9000),
    ];
    const texts = invalid.map((token) => {
      const { failure } = accounts.authenticate(`Api-Key ${token}`);
      assert.equal(failure?.code, 'auth.invalid');
      return failure.message;
    });
    assert.equal(new Set(texts).size, 1);
  });

  it('ends at the expiry', async () => {
    const { key } = await make({ expiresAt: house.clock.now() + 60_000 });
    assert.equal(codeOf(house.accounts, key), null);
    house.clock.offset = 60_001;
    assert.equal(codeOf(house.accounts, key), 'auth.expired');
    house.clock.offset = 0;
  });

  it('then looks at address, scope and user, in this order', async () => {
    const { accounts } = house;
    const other = made(await accounts.createUser(OPERATOR, { email: 'b@example.com' }));
    const { key } = made(
      await accounts.createKey(OPERATOR, {
        userId: other.id,
        name: 'k',
        scopes: ['read'],
        ips: ['192.0.2.0/24', '::1'],
      }),
    );
    const caller = () => {
      const found = accounts.authenticate(`Api-Key ${key}`);
      return found.failure === null ? found : assert.fail();
    };
    const code = (ip: string, scope: 'scrape' | 'read' | null) =>
      authorise(caller(), ip, scope, 'change')?.code ?? null;
    assert.equal(code('192.0.2.9', 'read'), null);
    assert.equal(code('::ffff:192.0.2.9', 'read'), null);
    assert.equal(code('::1', null), null);
    assert.equal(code('192.0.3.1', 'read'), 'auth.ip');
    assert.equal(code('', 'read'), 'auth.ip');
    assert.equal(code('192.0.2.9', 'scrape'), 'auth.scope');
    await accounts.updateUser(OPERATOR, other.id, { disabled: true });
    assert.equal(code('192.0.3.1', 'scrape'), 'auth.ip');
    assert.equal(code('192.0.2.9', 'scrape'), 'auth.scope');
    assert.equal(code('192.0.2.9', 'read'), 'auth.disabled');
    await accounts.updateUser(OPERATOR, other.id, { disabled: false });
    assert.equal(code('192.0.2.9', 'read'), null);
  });

  it('names the scope or the role that is missing', () => {
    assert.match(requireScope({ scopes: ['read'] }, 'scrape')?.message ?? '', /`scrape`/);
    assert.equal(requireScope({ scopes: ['admin'] }, 'read')?.code, 'auth.scope');
    assert.equal(requireAdmin({ role: 'user' })?.code, 'auth.scope');
    assert.equal(requireAdmin({ role: 'admin' }), null);
  });

  it('sees within a second what another process has changed', async () => {
    const { accounts } = await house.another();
    const { key, row } = made(await accounts.createKey(OPERATOR, { userId, name: 'elsewhere' }));
    const turnsTo = async (expected: string | null) => {
      const end = performance.now() + 1000;
      while (codeOf(house.accounts, key) !== expected && performance.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.equal(codeOf(house.accounts, key), expected);
    };
    await turnsTo(null);
    await accounts.revokeKey(OPERATOR, row.id);
    assert.equal(codeOf(accounts, key), 'auth.invalid', 'at once where it was revoked');
    await turnsTo('auth.invalid');
  });

  it('remembers when a key was last used', async () => {
    const { key, row } = await make();
    assert.equal(house.accounts.findKey(OPERATOR, row.id)?.lastUsedAt, null);
    const start = house.clock.now();
    codeOf(house.accounts, key);
    const at = house.accounts.findKey(OPERATOR, row.id)?.lastUsedAt ?? 0;
    assert.ok(at >= start && at <= house.clock.now());
    await house.accounts.flush();
    const rows = await house.store.accounts.keys();
    assert.equal(rows.find(({ id }) => id === row.id)?.lastUsedAt, at);
  });
});
