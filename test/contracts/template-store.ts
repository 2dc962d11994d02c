import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Store } from '../../src/ports/store.ts';
import { ANNA, BERT, T0, user } from './samples.ts';

const row = (name: string, rulesJson = '{"a":"b"}') => ({ name, rulesJson, version: 1, updatedAt: T0 });

/** What the TemplateStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function templateStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: templates`, () => {
    /** The templates of a store with the users Anna and Bert. */
    const opened = async (t: TestContext) => {
      const { accounts, templates } = await open(t);
      await accounts.insertUser(user());
      await accounts.insertUser(user({ id: BERT, email: 'bert@example.com' }));
      return templates;
    };

    test('come back as they were put, by name, to their user only', async (t) => {
      const templates = await opened(t);
      assert.deepEqual(await templates.list(ANNA), []);
      assert.equal(await templates.get(ANNA, 'a'), null);
      const large = row('b', JSON.stringify({ x: '\u00e9\u{1F600}'.repeat(10_000) }));
      assert.equal(await templates.create(ANNA, large, 9), 'created');
      assert.equal(await templates.create(ANNA, row('a'), 9), 'created');
      assert.deepEqual(await templates.list(ANNA), [row('a'), large]);
      assert.deepEqual(await templates.get(ANNA, 'b'), large);
      assert.equal(await templates.get(ANNA, 'B'), null);
      assert.deepEqual(await templates.list(BERT), []);
      assert.equal(await templates.get(BERT, 'a'), null);
      assert.equal(await templates.get('nobody', 'a'), null);
    });

    test('a name exists once for each user', async (t) => {
      const templates = await opened(t);
      await templates.create(ANNA, row('a'), 9);
      assert.equal(await templates.create(ANNA, row('a', '{}'), 9), 'exists');
      assert.equal(await templates.create(BERT, row('a', '{}'), 9), 'created');
      assert.deepEqual(await templates.get(ANNA, 'a'), row('a'));
    });

    test('there are never more than the limit, also when they are created at once', async (t) => {
      const templates = await opened(t);
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      const results = await Promise.all(names.map((name) => templates.create(ANNA, row(name), 4)));
      assert.deepEqual(results.toSorted(), ['created', 'created', 'created', 'created', 'full', 'full']);
      assert.equal((await templates.list(ANNA)).length, 4);
      assert.equal(await templates.create(ANNA, row('a'), 4), 'exists');
      assert.equal(await templates.create(BERT, row('a'), 4), 'created');
    });

    test('each change is a version', async (t) => {
      const templates = await opened(t);
      await templates.create(ANNA, row('a'), 9);
      await templates.create(BERT, row('a'), 9);
      const second = { name: 'a', rulesJson: '{"c":"d"}', version: 2, updatedAt: T0 + 1 };
      assert.deepEqual(await templates.replace(ANNA, 'a', '{"c":"d"}', T0 + 1), second);
      assert.deepEqual(await templates.get(ANNA, 'a'), second);
      assert.equal((await templates.replace(ANNA, 'a', '{"c":"d"}', T0 + 2))?.version, 3);
      assert.equal(await templates.replace(ANNA, 'b', '{}', T0), null);
      assert.deepEqual(await templates.get(BERT, 'a'), row('a'));
    });

    test('are deleted', async (t) => {
      const templates = await opened(t);
      await templates.create(ANNA, row('a'), 1);
      assert.equal(await templates.delete(BERT, 'a'), false);
      assert.equal(await templates.delete(ANNA, 'a'), true);
      assert.equal(await templates.delete(ANNA, 'a'), false);
      assert.equal(await templates.create(ANNA, row('b'), 1), 'created');
    });
  });
}
