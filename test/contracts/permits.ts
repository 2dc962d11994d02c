import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Permit, PermitRequest, Permits } from '../../src/ports/permits.ts';
import fc from '../helpers/fast-check.ts';

/** What every Permits must do. `open` gives one with nothing taken and closes it after the test. */
export function permitsContract(name: string, open: (t: TestContext) => Promise<Permits>): void {
  describe(`${name}: permits`, () => {
    const ask = (change: Partial<PermitRequest> = {}): PermitRequest => ({
      ...{ userId: 'anna', limit: 3, keyId: null, keyLimit: null },
      ...change,
    });

    test('so many as the limit, then none, then one for each given back', async (t) => {
      const permits = await open(t);
      const taken: Permit[] = [];
      for (const remaining of [2, 1, 0]) {
        const permit = await permits.take(ask());
        assert.equal(permit?.remaining, remaining);
        taken.push(permit!);
      }
      assert.equal(await permits.take(ask()), null);
      assert.equal(await permits.inUse('anna'), 3);
      taken[1]!.release();
      assert.equal(await permits.inUse('anna'), 2);
      assert.equal((await permits.take(ask()))?.remaining, 0);
      assert.equal(await permits.take(ask()), null);
    });

    test('a second release does nothing', async (t) => {
      const permits = await open(t);
      const first = (await permits.take(ask()))!;
      await permits.take(ask());
      first.release();
      first.release();
      assert.equal(await permits.inUse('anna'), 1);
    });

    test('users do not count for each other', async (t) => {
      const permits = await open(t);
      await permits.take(ask({ limit: 1 }));
      assert.notEqual(await permits.take(ask({ limit: 1, userId: 'bert' })), null);
      assert.equal(await permits.take(ask({ limit: 1 })), null);
      assert.equal(await permits.inUse('nobody'), 0);
      await permits.take(ask({ limit: 2, userId: 'bert' }));
      assert.equal(await permits.inUse(null), 3);
    });

    test("a key has at most its share, and counts for the user's limit", async (t) => {
      const permits = await open(t);
      const small = ask({ keyId: 'k1', keyLimit: 1 });
      const first = await permits.take(small);
      assert.equal(first?.remaining, 0);
      assert.equal(await permits.take(small), null);
      assert.equal(await permits.inUse('anna'), 1, 'a refused one holds nothing');
      assert.equal((await permits.take(ask({ keyId: 'k2', keyLimit: 9 })))?.remaining, 1);
      assert.equal((await permits.take(ask({ keyId: 'k2', keyLimit: 9 })))?.remaining, 0);
      assert.equal(await permits.take(ask({ keyId: 'k3' })), null);
      first!.release();
      assert.notEqual(await permits.take(small), null);
    });

    test('a key without a share of its own still counts once it gets one', async (t) => {
      const permits = await open(t);
      await permits.take(ask({ keyId: 'k1' }));
      assert.equal(await permits.take(ask({ keyId: 'k1', keyLimit: 1 })), null);
    });

    test('a lowered limit refuses until so many are back', async (t) => {
      const permits = await open(t);
      const taken = await Promise.all([permits.take(ask()), permits.take(ask()), permits.take(ask())]);
      assert.equal(await permits.take(ask({ limit: 1 })), null);
      taken[0]!.release();
      taken[1]!.release();
      assert.equal(await permits.take(ask({ limit: 1 })), null);
      taken[2]!.release();
      assert.equal((await permits.take(ask({ limit: 1 })))?.remaining, 0);
    });

    test('any order of taking and giving back keeps the counts', async (t) => {
      const permits = await open(t);
      const step = fc.record({ user: fc.nat(2), key: fc.nat(1), take: fc.boolean(), at: fc.nat(30) });
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
          run++;
          const out: { user: string; key: string; permit: Permit }[] = [];
          for (const one of steps) {
            if (!one.take) {
              out.splice(one.at, 1)[0]?.permit.release();
              continue;
            }
            const user = `${run}-${one.user}`;
            const key = `${user}-${one.key}`;
            const ofUser = out.filter((held) => held.user === user).length;
            const ofKey = out.filter((held) => held.key === key).length;
            const permit = await permits.take({ userId: user, limit: 4, keyId: key, keyLimit: 3 });
            assert.equal(permit === null, ofUser >= 4 || ofKey >= 3);
            if (permit === null) continue;
            assert.equal(permit.remaining, Math.min(3 - ofUser, 2 - ofKey));
            out.push({ user, key, permit });
          }
          for (const held of out) held.permit.release();
          for (const n of [0, 1, 2]) assert.equal(await permits.inUse(`${run}-${n}`), 0);
        }),
        { numRuns: 100 },
      );
    });
  });
}
