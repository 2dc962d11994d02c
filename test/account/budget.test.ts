import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPERATOR } from '../../src/account/account-actions.ts';
import { made, openHouse, principalOf } from './setup.ts';

async function withKey(amount: number | null) {
  const house = await openHouse();
  const user = made(await house.accounts.createUser(OPERATOR, { email: 'a@example.com' }));
  const dailyBudget = amount === null ? null : { amount, unit: 'scrapes' as const };
  const { key, row } = made(
    await house.accounts.createKey(OPERATOR, { userId: user.id, name: 'k', dailyBudget }),
  );
  return { house, key, row };
}

const today = (now: number): string => new Date(now).toISOString().slice(0, 10);

describe('daily budgets', () => {
  it('count exactly, and take back what was no scrape', async () => {
    const { house, key } = await withKey(3);
    await using _ = house;
    const principal = principalOf(house.accounts, key);
    const codes = async () => (await house.accounts.reserveBudget(principal))?.code ?? null;
    assert.deepEqual(
      [await codes(), await codes(), await codes(), await codes()],
      [null, null, null, 'budget.exhausted'],
    );
    house.accounts.releaseBudget(principal);
    assert.deepEqual([await codes(), await codes()], [null, 'budget.exhausted']);
    await house.accounts.flush();
    assert.equal(await codes(), 'budget.exhausted');
    house.accounts.releaseBudget(principal);
    await house.accounts.flush();
    assert.deepEqual([await codes(), await codes()], [null, 'budget.exhausted']);
  });

  it('stay counted while a flush runs', async () => {
    const { house, key, row } = await withKey(500);
    await using _ = house;
    const principal = principalOf(house.accounts, key);
    let admitted = 0;
    const flushes: Promise<void>[] = [];
    for (let i = 0; i < 700; i++) {
      if ((await house.accounts.reserveBudget(principal)) === null) admitted++;
      if (i % 50 === 0) flushes.push(house.accounts.flush());
      if (i % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(flushes);
    await house.accounts.flush();
    assert.equal(admitted, 500);
    const rows = await house.store.accounts.usage(today(house.clock.now()));
    assert.deepEqual(
      rows.map(({ keyId, scrapes }) => [keyId, scrapes]),
      [[row.id, 500]],
    );
  });

  it('survive a restart', async () => {
    const { house, key } = await withKey(2);
    await using _ = house;
    assert.equal(await house.accounts.reserveBudget(principalOf(house.accounts, key)), null);
    await house.accounts.close();
    const { accounts } = await house.another();
    const principal = principalOf(accounts, key);
    assert.equal(await accounts.reserveBudget(principal), null);
    assert.equal((await accounts.reserveBudget(principal))?.code, 'budget.exhausted');
  });

  it('learn of other processes with the next flush', async () => {
    const { house, key } = await withKey(3);
    await using _ = house;
    const { accounts } = await house.another();
    const principal = principalOf(accounts, key);
    await accounts.reserveBudget(principal);
    await accounts.reserveBudget(principal);
    await accounts.flush();
    await house.accounts.reserveBudget(principal);
    await house.accounts.flush();
    assert.equal((await house.accounts.reserveBudget(principal))?.code, 'budget.exhausted');
  });

  it('start anew with the day (UTC), and count each day for itself', async () => {
    const { house, key } = await withKey(2);
    await using _ = house;
    const { accounts, clock } = house;
    clock.moveTo(Date.UTC(2031, 4, 1, 23, 59, 0));
    const principal = principalOf(accounts, key);
    await accounts.reserveBudget(principal);
    await accounts.reserveBudget(principal);
    assert.equal((await accounts.reserveBudget(principal))?.code, 'budget.exhausted');
    clock.moveTo(Date.UTC(2031, 4, 2, 0, 0, 1));
    assert.equal(await accounts.reserveBudget(principal), null);
    await accounts.flush();
    const counts = async (day: string) =>
      (await house.store.accounts.usage(day)).map(({ scrapes }) => scrapes);
    assert.deepEqual(await counts('2031-05-01'), [2]);
    assert.deepEqual(await counts('2031-05-02'), [1]);
  });

  it('of keys without one only count', async () => {
    const { house, key, row } = await withKey(null);
    await using _ = house;
    const principal = principalOf(house.accounts, key);
    for (let i = 0; i < 5; i++) assert.equal(await house.accounts.reserveBudget(principal), null);
    await house.accounts.flush();
    assert.deepEqual(await house.store.accounts.usage(today(house.clock.now())), [
      { keyId: row.id, day: today(house.clock.now()), scrapes: 5, cost: 0 },
    ]);
    assert.equal(await house.accounts.reserveBudget({ ...principal, keyId: null }), null);
  });

  it('keep what could not be stored', async () => {
    const { house, key, row } = await withKey(2);
    await using _ = house;
    // The first service counts nothing: it would store its count every two seconds, and this one would read it.
    const { accounts, store } = await house.another();
    const principal = principalOf(accounts, key);
    await accounts.reserveBudget(principal);
    await store.close();
    await assert.rejects(accounts.flush());
    await assert.rejects(accounts.flush());
    assert.equal(await accounts.reserveBudget(principal), null);
    assert.equal((await accounts.reserveBudget(principal))?.code, 'budget.exhausted', row.id);
    await assert.rejects(accounts.close());
  });
});
