import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { uuid7 } from '../../src/base/uuid7.ts';
import type { Store } from '../../src/ports/store.ts';
import { ANNA, BERT, T0, user } from './samples.ts';

const row = (name: string, requestJson = '{"url":"https://example.com/"}') => ({
  id: uuid7(T0),
  name,
  requestJson,
  updatedAt: T0,
});

/** What the SavedRequestStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function savedRequestStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: saved requests`, () => {
    test('are listed by name for their user, replaced by name, deleted by id, and limited', async (t) => {
      const { accounts, savedRequests } = await open(t);
      await accounts.insertUser(user());
      await accounts.insertUser(user({ id: BERT, email: 'bert@example.com' }));
      assert.deepEqual(await savedRequests.list(ANNA), []);
      const [a, b, upper] = [row('ä "1"'), row('b'), row('B')];
      for (const one of [b, a, upper]) assert.deepEqual(await savedRequests.put(ANNA, one, 3), one);
      const byName = [upper, b, a];
      assert.deepEqual(await savedRequests.list(ANNA), byName);
      assert.deepEqual(await savedRequests.list(BERT), []);
      assert.deepEqual(await savedRequests.list('nobody'), []);

      assert.equal(await savedRequests.put(ANNA, row('one too many'), 3), null);
      const replaced = { ...b, requestJson: '{"url":"https://example.com/2"}', updatedAt: T0 + 1 };
      assert.deepEqual(await savedRequests.put(ANNA, { ...replaced, id: uuid7(T0) }, 3), replaced);
      assert.deepEqual(await savedRequests.list(ANNA), [upper, replaced, a]);
      const own = row('b');
      assert.deepEqual(await savedRequests.put(BERT, own, 3), own);

      assert.equal(await savedRequests.delete(BERT, b.id), false);
      assert.equal(await savedRequests.delete(ANNA, 'no id'), false);
      assert.equal(await savedRequests.delete(ANNA, b.id), true);
      assert.equal(await savedRequests.delete(ANNA, b.id), false);
      assert.deepEqual(await savedRequests.list(ANNA), [upper, a]);
      assert.deepEqual(await savedRequests.list(BERT), [own]);
    });
  });
}
