import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MemoryReservation } from '../../src/base/memory-budget.ts';
import { MemoryBudget } from '../../src/base/memory-budget.ts';
import fc from '../helpers/fast-check.ts';

const MIB = 2 ** 20;
const never = new AbortController().signal;

/** What a room of one body of `mib` takes. */
function taken(mib: number): number {
  const budget = new MemoryBudget(1000 * MIB);
  assert.equal(budget.open().reserve(mib * MIB, mib * MIB, never), null);
  return budget.inUse;
}
const BESIDE = taken(0);

const settled = async (promise: Promise<unknown>): Promise<boolean> =>
  await Promise.race([promise.then(() => true), new Promise<boolean>((r) => setImmediate(() => r(false)))]);

describe('the byte budget', () => {
  it('gives what is there at once, and all of it back', () => {
    const budget = new MemoryBudget(100 * MIB);
    const room = budget.open();
    assert.equal(room.reserve(10 * MIB, 40 * MIB, never), null);
    assert.equal(budget.inUse, 10 * MIB + BESIDE);
    room.shrink(5 * MIB, 5 * MIB);
    assert.equal(budget.inUse, 5 * MIB + BESIDE);
    room.close();
    room.close();
    assert.equal(budget.inUse, 0);
  });

  it('lends bytes beside everything else, and takes them back', async () => {
    const budget = new MemoryBudget(100 * MIB);
    const room = budget.open();
    assert.equal(room.reserve(10 * MIB, 10 * MIB, never), null);
    const giveBack = await room.reserveTemporarily(40 * MIB, never);
    assert.equal(budget.inUse, 50 * MIB + BESIDE);
    assert.equal(await budget.open().reserveTemporarily(60 * MIB, AbortSignal.timeout(5)), null);
    giveBack!();
    assert.equal(budget.inUse, 10 * MIB + BESIDE);
    const again = await room.reserveTemporarily(40 * MIB, never);
    room.close();
    again!();
    assert.equal(budget.inUse, 0);
    assert.equal(await room.reserveTemporarily(1, never), null);
  });

  it('lets others wait, in the order in which they came', async () => {
    const budget = new MemoryBudget(100 * MIB);
    const first = budget.open();
    assert.equal(first.reserve(90 * MIB, 90 * MIB, never), null);
    const order: string[] = [];
    const rooms = ['large', 'small'].map((name) => {
      const room = budget.open();
      const size = name === 'large' ? 80 * MIB : MIB;
      const waits = room.reserve(size, size, never);
      assert.ok(waits instanceof Promise, name);
      void waits.then(() => order.push(name));
      return room;
    });
    assert.equal(budget.waiting, 2);
    first.close();
    await new Promise(setImmediate);
    assert.deepEqual(order, ['large', 'small']);
    for (const room of rooms) {
      assert.ok(room.waitedMs > 0);
      room.close();
    }
    assert.equal(budget.inUse, 0);
  });

  it('ends a wait by its signal, and lets those behind come', async () => {
    const budget = new MemoryBudget(100 * MIB);
    const holder = budget.open();
    holder.reserve(50 * MIB, 50 * MIB, never);
    const abort = new AbortController();
    const large = budget.open();
    const waits = large.reserve(80 * MIB, 80 * MIB, abort.signal);
    const small = budget.open();
    const behind = small.reserve(10 * MIB, 10 * MIB, never);
    assert.ok(waits instanceof Promise && behind instanceof Promise);
    assert.equal(await settled(behind), false);
    abort.abort();
    assert.equal(await waits, false);
    assert.equal(large.starved, true);
    assert.equal(await behind, true);
    assert.equal(small.starved, false);
    for (const room of [holder, large, small]) room.close();
    assert.equal(budget.inUse, 0);
    assert.equal(budget.waiting, 0);
  });

  it('gives a body that is larger than everything the whole budget, alone', async () => {
    const budget = new MemoryBudget(16 * MIB);
    const small = budget.open();
    small.reserve(MIB, MIB, never);
    const huge = budget.open();
    const waits = huge.reserve(50 * MIB, 200 * MIB, never);
    assert.ok(waits instanceof Promise);
    small.close();
    assert.equal(await waits, true);
    assert.equal(budget.inUse, 16 * MIB);
    huge.close();
    assert.equal(budget.inUse, 0);
  });

  it('counts small bodies, which never wait', async () => {
    const budget = new MemoryBudget(16 * MIB);
    const small = budget.open();
    for (let n = 0; n < 100; n++) small.countUnreserved(MIB);
    assert.equal(budget.inUse, 100 * MIB);
    const large = budget.open();
    const waits = large.reserve(MIB, MIB, never);
    assert.ok(waits instanceof Promise);
    small.close();
    assert.equal(await waits, true);
    large.close();
    assert.equal(budget.inUse, 0);
  });

  it('does not let two holders wait for each other', async () => {
    const budget = new MemoryBudget(100 * MIB);
    const [a, b] = [budget.open(), budget.open()];
    // Each may come to need 80: if both had 40, neither could get the rest.
    assert.equal(a.reserve(40 * MIB, 80 * MIB, never), null);
    const waits = b.reserve(40 * MIB, 80 * MIB, never);
    assert.ok(waits instanceof Promise);
    assert.equal(a.reserve(80 * MIB, 80 * MIB, never), null);
    a.close();
    assert.equal(await waits, true);
    b.close();
    assert.equal(budget.inUse, 0);
  });

  it('frees the memory of a room when it is closed', () => {
    const room = new MemoryBudget(100 * MIB).open();
    const memory = room.allocate(10 * MIB);
    memory.resize(MIB);
    const view = new Uint8Array(memory, 0, 1000).fill(7);
    const adopted = new Uint8Array(1000);
    room.adopt(adopted);
    room.close();
    assert.equal(view.length + adopted.length, 0);
  });

  it('a room that was closed while it waited keeps nothing', async () => {
    const budget = new MemoryBudget(10 * MIB);
    const [a, b] = [budget.open(), budget.open()];
    a.reserve(8 * MIB, 8 * MIB, never);
    const waits = b.reserve(8 * MIB, 8 * MIB, never);
    b.close();
    a.close();
    assert.equal(await waits, false);
    assert.equal(budget.inUse, 0);
    assert.equal(await b.reserve(1, 1, never), false);
  });

  it('whatever scrapes do: never above the capacity, nobody waits for ever, all comes back', async () => {
    const scrape = fc.record({
      /** Steps in which it grows, then how much it keeps; MiB. */
      steps: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
      extra: fc.integer({ min: 0, max: 60 }),
      kept: fc.integer({ min: 1, max: 10 }),
      turns: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 6 }),
      hangsUp: fc.option(fc.integer({ min: 0, max: 20 }), { nil: null, freq: 3 }),
    });
    const capacity = fc.integer({ min: 8, max: 120 });
    await fc.assert(
      fc.asyncProperty(capacity, fc.array(scrape, { minLength: 1, maxLength: 25 }), async (mib, scrapes) => {
        const budget = new MemoryBudget(mib * MIB);
        const below = () => assert.ok(budget.inUse <= budget.capacity, `${budget.inUse}`);
        const turn = async (n: number) => {
          for (let i = 0; i <= n; i++) await Promise.resolve();
        };
        const run = async ({ steps, extra, kept, turns, hangsUp }: (typeof scrapes)[number]) => {
          const room: MemoryReservation = budget.open();
          const abort = new AbortController();
          if (hangsUp !== null) void turn(hangsUp).then(() => abort.abort());
          const size = steps.reduce((sum, step) => sum + step, 0);
          const most = (size + extra) * MIB;
          let has = 0;
          try {
            for (const [n, step] of steps.entries()) {
              await turn(turns[n % turns.length]!);
              has += step;
              const waits = room.reserve(has * MIB, most, abort.signal);
              if (waits !== null && !(await waits)) return;
              below();
            }
            const waits = room.reserve(most, most, abort.signal);
            if (waits !== null && !(await waits)) return;
            below();
            room.shrink(kept * MIB, kept * MIB);
            await turn(turns[0]!);
          } finally {
            room.close();
            below();
          }
        };
        const all = Promise.all(scrapes.map(run));
        let timer: NodeJS.Timeout | undefined;
        const stuck = new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(new Error(`stuck: ${budget.waiting} wait`)), 2000);
        });
        await Promise.race([all, stuck]).finally(() => clearTimeout(timer));
        assert.equal(budget.inUse, 0);
        assert.equal(budget.waiting, 0);
      }),
      { numRuns: process.env.LONG ? 5000 : 500 },
    );
  });
});
