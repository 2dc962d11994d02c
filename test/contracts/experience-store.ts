import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Store } from '../../src/ports/store.ts';

const row = (name: string, at: number, data = `{"of":"${name}"}`) => ({ name, at, data });

/** What the ExperienceStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function experienceStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: experience`, () => {
    test('nothing was learned', async (t) => {
      const { experience } = await open(t);
      await experience.put('site', []);
      assert.deepEqual(await experience.list('site', 10, 0), []);
      await experience.delete('site', 'a.test');
    });

    test('the latest first, in pages; each kind for itself', async (t) => {
      const { experience } = await open(t);
      await experience.put('site', [row('b.test', 2), row('a.test', 2), row('c.test', 3)]);
      await experience.put('pin', [row('a.test', 9)]);
      const names = async (limit: number, skip: number) =>
        (await experience.list('site', limit, skip)).map((one) => one.name);
      assert.deepEqual(await names(2, 0), ['c.test', 'a.test']);
      assert.deepEqual(await names(2, 2), ['b.test']);
      assert.deepEqual(await experience.list('pin', 10, 0), [row('a.test', 9)]);
      assert.deepEqual(await experience.list('tables', 10, 0), []);
    });

    test('what was there under a name is replaced', async (t) => {
      const { experience } = await open(t);
      await experience.put('site', [row('a.test', 1, 'old')]);
      await experience.put('site', [row('a.test', 5, 'new'), row('ä 🎈.test', 4, '')]);
      assert.deepEqual(await experience.list('site', 10, 0), [
        row('a.test', 5, 'new'),
        row('ä 🎈.test', 4, ''),
      ]);
    });

    test('one is deleted; old ones are swept', async (t) => {
      const { experience } = await open(t);
      await experience.put('site', [row('a.test', 1), row('b.test', 2), row('c.test', 3)]);
      await experience.put('pin', [row('a.test', 1)]);
      await experience.delete('site', 'c.test');
      await experience.sweep('site', 2);
      assert.deepEqual(await experience.list('site', 10, 0), [row('b.test', 2)]);
      assert.equal((await experience.list('pin', 10, 0)).length, 1);
    });
  });
}
