import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPERATOR } from '../../src/account/account-actions.ts';
import { made, openHouse, principalOf, refusalsOf } from './setup.ts';

async function withBudget(amount: number) {
  const house = await openHouse('EUR');
  const user = made(await house.accounts.createUser(OPERATOR, { email: 'a@example.com' }));
  const dailyBudget = { amount, unit: 'cost' as const };
  const { key, row } = made(
    await house.accounts.createKey(OPERATOR, { userId: user.id, name: 'k', dailyBudget }),
  );
  const principal = principalOf(house.accounts, key);
  return {
    house,
    principal,
    id: row.id,
    code: async () => (await house.accounts.reserveBudget(principal))?.code ?? null,
  };
}

describe('daily budgets of money', () => {
  it('let through until they are used up; what was in flight may overdraw them', async () => {
    const { house, principal, id, code } = await withBudget(0.001);
    await using _ = house;
    assert.deepEqual([await code(), await code(), await code()], [null, null, null]);
    house.accounts.spend(principal, 999);
    assert.equal(await code(), null);
    house.accounts.spend(principal, 400);
    assert.equal(await code(), 'budget.exhausted');
    assert.match((await house.accounts.reserveBudget(principal))!.message, /0\.001 EUR/);
    assert.equal(house.accounts.costToday(id), 0.001399);
    assert.equal(house.accounts.requestsToday(id), 4);
  });

  it('do not count what has no price or is free', async () => {
    const { house, principal, id, code } = await withBudget(0.000001);
    await using _ = house;
    house.accounts.spend(principal, null);
    house.accounts.spend(principal, 0);
    assert.equal(await code(), null);
    assert.equal(house.accounts.costToday(id), 0);
  });

  it('of nothing let nothing through', async () => {
    const { house, code } = await withBudget(0);
    await using _ = house;
    assert.equal(await code(), 'budget.exhausted');
  });

  it('survive a restart, and end with the day', async () => {
    const { house, principal, id, code } = await withBudget(0.001);
    await using _ = house;
    house.accounts.spend(principal, 600);
    await house.accounts.flush();
    house.accounts.spend(principal, 400);
    assert.equal(await code(), 'budget.exhausted');
    await house.accounts.close();
    const { accounts } = await house.another();
    assert.equal(accounts.costToday(id), 0.001);
    assert.equal((await accounts.reserveBudget(principal))?.code, 'budget.exhausted');
    house.clock.offset += 86_400_000;
    assert.equal(await accounts.reserveBudget(principal), null);
    assert.equal(accounts.costToday(id), 0);
  });

  it('keep exact sums over many flushes', async () => {
    const { house, principal, id } = await withBudget(1);
    await using _ = house;
    const flushes: Promise<void>[] = [];
    for (let i = 0; i < 300; i++) {
      house.accounts.spend(principal, 7);
      if (i % 20 === 0) flushes.push(house.accounts.flush());
      if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(flushes);
    await house.accounts.flush();
    assert.equal(house.accounts.costToday(id), 0.0021);
    const day = new Date(house.clock.now()).toISOString().slice(0, 10);
    const rows = await house.store.accounts.usage(day);
    assert.deepEqual(
      rows.map(({ cost }) => cost),
      [2100],
    );
  });

  it('are refused while nothing is priced, and for amounts that are none', async () => {
    const plain = await openHouse();
    await using _ = plain;
    const user = made(await plain.accounts.createUser(OPERATOR, { email: 'a@example.com' }));
    const ask = { userId: user.id, name: 'k' };
    const dailyBudget = { amount: 1, unit: 'cost' as const };
    assert.deepEqual(refusalsOf(await plain.accounts.createKey(OPERATOR, { ...ask, dailyBudget })), [
      'request.validation /daily_budget/unit',
    ]);
    const priced = await openHouse('EUR');
    await using __ = priced;
    const other = made(await priced.accounts.createUser(OPERATOR, { email: 'a@example.com' }));
    const half = { amount: 1.5, unit: 'scrapes' as const };
    assert.deepEqual(
      refusalsOf(
        await priced.accounts.createKey(OPERATOR, { userId: other.id, name: 'k', dailyBudget: half }),
      ),
      ['request.validation /daily_budget/amount'],
    );
    for (const amount of [-1, Number.NaN, 1e12])
      assert.deepEqual(
        refusalsOf(
          await priced.accounts.createKey(OPERATOR, {
            userId: other.id,
            name: 'k',
            dailyBudget: { amount, unit: 'cost' },
          }),
        ),
        ['request.validation /daily_budget/amount'],
      );
  });
});
