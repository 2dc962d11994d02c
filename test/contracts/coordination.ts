import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Coordination, Holding } from '../../src/ports/coordination.ts';
import fc from '../helpers/fast-check.ts';
import { eventually } from '../helpers/service.ts';

/**
 * What every Coordination must do. `open` gives one with nothing in it, or another replica of the same one, and closes it after
 * the test.
 */
export function coordinationContract(
  name: string,
  open: (t: TestContext) => Promise<() => Promise<Coordination>>,
): void {
  limitsContract(name, open);
  countersContract(name, open);
  valuesContract(name, open);
  busContract(name, open);
}

type Open = Parameters<typeof coordinationContract>[1];

/** What every SharedLimits must do. */
export function limitsContract(name: string, open: Open): void {
  describe(`${name}: limits`, () => {
    test('so many places as the limit, then none, then one for each given back', async (t) => {
      const { limits } = await (await open(t))();
      const held: Holding[] = [];
      for (const remaining of [2, 1, 0]) {
        const holding = await limits.take([{ name: 'a', limit: 3 }]);
        assert.equal(holding?.remaining, remaining);
        held.push(holding!);
      }
      assert.equal(await limits.take([{ name: 'a', limit: 3 }]), null);
      held[1]!.release();
      held[1]!.release();
      assert.equal(await limits.inUse('a'), 2);
      assert.equal((await limits.take([{ name: 'a', limit: 3 }]))?.remaining, 0);
      assert.equal(held[0]!.signal.aborted, false);
    });

    test('a place under each name, or none at all', async (t) => {
      const { limits } = await (await open(t))();
      const both = [
        { name: 'user:1', limit: 3 },
        { name: 'key:1', limit: 1 },
      ];
      const first = await limits.take(both);
      assert.equal(first?.remaining, 0);
      assert.equal(await limits.take(both), null);
      assert.equal(await limits.inUse('user:1'), 1);
      assert.equal((await limits.take([{ name: 'user:1', limit: 3 }]))?.remaining, 1);
      assert.equal((await limits.take([{ name: 'user:2', limit: 3 }]))?.remaining, 2);
      assert.equal(await limits.inUseBelow('user:'), 3);
      first!.release();
      assert.equal(await limits.inUse('key:1'), 0);
      assert.notEqual(await limits.take(both), null);
    });

    test('many at once get exactly as many as the limit, and those who wait get what is given back', async (t) => {
      const { limits } = await (await open(t))();
      const claims = [{ name: 'a', limit: 50 }];
      const taken = await Promise.all(Array.from({ length: 60 }, () => limits.take(claims)));
      const held = taken.filter((holding) => holding !== null);
      assert.equal(held.length, 50);
      assert.deepEqual(
        held.map(({ remaining }) => remaining).sort((a, b) => a - b),
        Array.from({ length: 50 }, (_, n) => n),
      );
      for (const holding of held) holding.release();
      assert.equal(await limits.inUse('a'), 0);
    });

    test('a lowered limit refuses until so many are back', async (t) => {
      const { limits } = await (await open(t))();
      const first = await limits.take([{ name: 'a', limit: 3 }]);
      const second = await limits.take([{ name: 'a', limit: 3 }]);
      first!.release();
      assert.equal(await limits.take([{ name: 'a', limit: 1 }]), null);
      second!.release();
      assert.equal((await limits.take([{ name: 'a', limit: 1 }]))?.remaining, 0);
      assert.equal(await limits.take([{ name: 'none', limit: 0 }]), null);
    });

    test('replicas count together', async (t) => {
      const replica = await open(t);
      const [one, two] = [await replica(), await replica()];
      const claims = [{ name: 'a', limit: 2 }];
      const first = await one.limits.take(claims);
      assert.equal((await two.limits.take(claims))?.remaining, 0);
      assert.equal(await two.limits.take(claims), null);
      assert.equal(await one.limits.inUse('a'), 2);
      // Given back to one while another is asked: never refused below the limit.
      for (let round = 0, holding = first; round < 20; round++) {
        holding!.release();
        holding = await (round % 2 === 0 ? two : one).limits.take(claims);
        assert.notEqual(holding, null);
      }
      if (one === two) return;
      await one.close();
      const rest = await two.limits.inUse('a');
      assert.ok(rest < 2, 'a replica that leaves gives its places back');
    });

    test('any order of taking and giving back keeps the counts', async (t) => {
      const replica = await open(t);
      const replicas = [await replica(), await replica()];
      const step = fc.record({ of: fc.nat(1), name: fc.nat(2), take: fc.boolean(), at: fc.nat(9) });
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
          run++;
          const held: { name: string; holding: Holding }[] = [];
          for (const { of, name: n, take, at } of steps) {
            const name = `${run}-${n}`;
            if (!take) {
              held.splice(at, 1)[0]?.holding.release();
              continue;
            }
            const count = held.filter((one) => one.name === name).length;
            if (count === 4) continue;
            const holding = await replicas[of]!.limits.take([{ name, limit: 4 }]);
            assert.notEqual(holding, null);
            held.push({ name, holding: holding! });
          }
          const left = held.length;
          // Each replica tells what it gave back when it is asked.
          await replicas[0]!.limits.inUse('');
          await replicas[1]!.limits.inUse('');
          assert.equal(await replicas[0]!.limits.inUseBelow(`${run}-`), left);
          for (const { holding } of held) holding.release();
        }),
        { numRuns: 30 },
      );
    });
  });
}

function countersContract(name: string, open: Open): void {
  const later = () => Date.now() + 60_000;
  describe(`${name}: counters`, () => {
    test('add up to the limit and no further', async (t) => {
      const { counters } = await (await open(t))();
      assert.equal(await counters.total('a'), 0);
      assert.equal(await counters.add('a', { amount: 3, limit: 5, expiresAt: later() }), 3);
      assert.equal(await counters.add('a', { amount: 3, limit: 5, expiresAt: later() }), null);
      assert.equal(await counters.add('a', { amount: 2, limit: 5, expiresAt: later() }), 5);
      assert.equal(await counters.add('a', { amount: 7, limit: null, expiresAt: later() }), 12);
      assert.equal(await counters.add('a', { amount: -1, limit: 5, expiresAt: later() }), 11);
      assert.equal(await counters.total('a'), 11);
      assert.equal(await counters.add('b', { amount: 6, limit: 5, expiresAt: later() }), null);
      assert.equal(await counters.total('b'), 0);
    });

    test('of many at once only those within the limit succeed', async (t) => {
      const replica = await open(t);
      const [one, two] = [await replica(), await replica()];
      const added = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          (n % 2 === 0 ? one : two).counters.add('a', { amount: 1, limit: 25, expiresAt: later() }),
        ),
      );
      const totals = added.filter((total) => total !== null).sort((a, b) => a - b);
      assert.deepEqual(
        totals,
        Array.from({ length: 25 }, (_, n) => n + 1),
      );
    });

    test('one that has ended begins at 0', async (t) => {
      const { counters } = await (await open(t))();
      await counters.add('a', { amount: 3, limit: null, expiresAt: Date.now() - 1_000 });
      assert.equal(await counters.total('a'), 0);
      assert.equal(await counters.add('a', { amount: 6, limit: 5, expiresAt: later() }), null);
      assert.equal(await counters.add('a', { amount: 5, limit: 5, expiresAt: later() }), 5);
      assert.equal(await counters.total('a'), 5);
    });
  });
}

/** What every SharedValues must do. */
export function valuesContract(name: string, open: Open): void {
  describe(`${name}: values`, () => {
    test('are set, read, kept, replaced and deleted', async (t) => {
      const { values } = await (await open(t))();
      const set = (value: string, ttlMs = 60_000) => values.update('a', () => ({ value, ttlMs }));
      assert.equal(await values.get('a'), null);
      assert.equal(await values.update('a', () => 'keep'), null);
      assert.equal(await values.update('a', () => 'delete'), null);
      assert.equal(await set('one ☃ \n "'), 'one ☃ \n "');
      assert.equal(await values.update('a', () => 'keep'), 'one ☃ \n "');
      const large = 'x'.repeat(65_536);
      assert.equal(await set(large), large);
      assert.equal(await values.get('a'), large);
      assert.equal(await values.update('a', (current) => (current === large ? 'delete' : 'keep')), null);
      assert.equal(await values.get('a'), null);
    });

    test('end', async (t) => {
      const { values } = await (await open(t))();
      await values.update('a', () => ({ value: 'old', ttlMs: 30 }));
      await eventually(async () => (await values.get('a')) === null);
      const seen: (string | null)[] = [];
      await values.update('a', (current) => {
        seen.push(current);
        return { value: 'new', ttlMs: 60_000 };
      });
      assert.deepEqual(seen, [null]);
      assert.equal(await values.get('a'), 'new');
    });

    test('change by one clock for all replicas', async (t) => {
      const replica = await open(t);
      const times: number[] = [];
      const note = (_: string | null, now: number) => {
        times.push(now);
        return 'keep' as const;
      };
      for (const { values } of [await replica(), await replica()]) {
        await values.update('a', note);
        await new Promise((resolve) => setTimeout(resolve, 50));
        await values.update('a', note);
      }
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
      assert.ok(times[1]! - times[0]! >= 45, times.join(' '));
    });

    test('lose no change of several at once', async (t) => {
      const replica = await open(t);
      const replicas = [await replica(), await replica()];
      const increment = (current: string | null) => ({
        value: String(Number(current ?? 0) + 1),
        ttlMs: 60_000,
      });
      await Promise.all(Array.from({ length: 20 }, (_, n) => replicas[n % 2]!.values.update('n', increment)));
      assert.equal(await replicas[0]!.values.get('n'), '20');
    });
  });
}

function busContract(name: string, open: Open): void {
  describe(`${name}: bus`, () => {
    test('messages reach all replicas and subscribers, and no other channel', async (t) => {
      const replica = await open(t);
      const [one, two] = [await replica(), await replica()];
      const seen: string[] = [];
      let connected = 0;
      one.bus.subscribe(
        'keys',
        (message) => seen.push(`1 ${message}`),
        () => connected++,
      );
      two.bus.subscribe(
        'keys',
        (message) => seen.push(`2 ${message}`),
        () => connected++,
      );
      const end = two.bus.subscribe('keys', (message) => seen.push(`3 ${message}`));
      two.bus.subscribe('other', (message) => seen.push(`4 ${message}`));
      // Subscribing takes a while, and messages before are not received.
      await eventually(() => {
        if (!seen.includes('1 first') || !seen.includes('2 first')) one.bus.publish('keys', 'first');
        return seen.includes('1 first') && seen.includes('2 first') && seen.includes('3 first');
      });
      end();
      two.bus.publish('keys', 'last ☃');
      await eventually(() => seen.includes('1 last ☃') && seen.includes('2 last ☃'));
      assert.ok(!seen.includes('3 last ☃'));
      assert.ok(!seen.some((text) => text.startsWith('4')));
    });
  });
}
