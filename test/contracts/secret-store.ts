import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { createSealer, encryptionKey, type Sealer } from '../../src/domain/sealing.ts';
import type { SealedValue, SecretStore } from '../../src/ports/secrets.ts';
import type { Store } from '../../src/ports/store.ts';
import { ANNA, BERT, item, job, T0 } from './samples.ts';

const [OLD, NEW] = [1, 2].map((byte) => createSealer([encryptionKey(new Uint8Array(32).fill(byte))])) as [
  Sealer,
  Sealer,
];

const sealedItem = (sealer: Sealer, owner: string, n: number) =>
  item(`https://example.com/${n}`, { request: sealer.seal('job.item', owner, Buffer.from(`item ${n}`)) });

async function all(secrets: SecretStore, keyId: string): Promise<SealedValue[]> {
  const values: SealedValue[] = [];
  let after: unknown = null;
  do {
    const page = await secrets.sealedOtherwise(keyId, after);
    values.push(...page.values);
    after = page.next;
  } while (after !== null);
  return values;
}

/** What the SecretStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function secretStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: secrets`, () => {
    /** A job of Anna with 1,200 items sealed with the old key, and one of Bert with an item of each key. */
    const opened = async (t: TestContext) => {
      const store = await open(t);
      const [first, second] = [
        job(1, { spec: OLD.seal('job.spec', ANNA, Buffer.from('spec 1')) }),
        job(2, { userId: BERT, spec: NEW.seal('job.spec', BERT, Buffer.from('spec 2')) }),
      ];
      for (const settings of [first, second]) await store.jobs.create(settings);
      const items = Array.from({ length: 1_200 }, (_, n) => sealedItem(OLD, ANNA, n));
      await store.jobs.add(first.id, [...items, item('https://example.com/plain')], T0);
      await store.jobs.add(second.id, [sealedItem(OLD, BERT, 1), sealedItem(NEW, BERT, 2)], T0);
      for (const { id } of [first, second])
        await store.jobs.start(id, T0, { openJobs: 9, queuedItems: 9_999 });
      return store;
    };

    test('ids of keys are kept once', async (t) => {
      const { secrets } = await open(t);
      assert.deepEqual(await secrets.keyIds(), []);
      for (const id of ['b', 'a', 'b']) await secrets.addKeyId(id, T0);
      assert.deepEqual(await secrets.keyIds(), ['a', 'b']);
      await secrets.removeKeyIds(['b', 'c']);
      assert.deepEqual(await secrets.keyIds(), ['a']);
    });

    test('a secret of the service is added once, and is one of the values', async (t) => {
      const { secrets } = await open(t);
      const [first, second] = [OLD, NEW].map((sealer) =>
        sealer.seal('proxy.authority', 'proxy.authority', Buffer.from(sealer.keyId)),
      ) as [Uint8Array, Uint8Array];
      assert.deepEqual(Buffer.from(await secrets.getOrAdd('proxy.authority', first)), Buffer.from(first));
      assert.deepEqual(Buffer.from(await secrets.getOrAdd('proxy.authority', second)), Buffer.from(first));
      const [value] = await all(secrets, NEW.keyId);
      assert.equal(OLD.open(value!.purpose, value!.owner, value!.sealed).toString(), OLD.keyId);
      assert.equal(await secrets.deleteSealedWith(OLD.keyId), 1);
      assert.deepEqual(Buffer.from(await secrets.getOrAdd('proxy.authority', second)), Buffer.from(second));
      await secrets.delete('proxy.authority');
      await secrets.delete('proxy.authority');
      assert.deepEqual(Buffer.from(await secrets.getOrAdd('proxy.authority', first)), Buffer.from(first));
    });

    test('values are counted by purpose and key', async (t) => {
      const { secrets } = await opened(t);
      const counts = await secrets.counts();
      const sorted = counts.map(({ purpose, keyId, count }) => `${purpose} ${keyId} ${count}`).toSorted();
      assert.deepEqual(
        sorted,
        [
          `job.item ${OLD.keyId} 1201`,
          `job.item ${NEW.keyId} 1`,
          `job.spec ${OLD.keyId} 1`,
          `job.spec ${NEW.keyId} 1`,
        ].toSorted(),
      );
    });

    test('every value that another key sealed is found once, and opens for its owner', async (t) => {
      const { secrets } = await opened(t);
      const values = await all(secrets, NEW.keyId);
      const texts = values.map(({ purpose, owner, sealed }) => OLD.open(purpose, owner, sealed).toString());
      assert.equal(texts.length, 1_202);
      assert.equal(texts.filter((text) => text.startsWith('item ')).length, 1_201);
      assert.equal(new Set(texts).size, 1_201, 'item 1 is there for Anna and for Bert');
    });

    test('a value is replaced unless it has changed', async (t) => {
      const { secrets } = await opened(t);
      const values = await all(secrets, NEW.keyId);
      const changes = values.map((value) => ({
        value,
        sealed: NEW.seal(value.purpose, value.owner, OLD.open(value.purpose, value.owner, value.sealed)),
      }));
      assert.equal(await secrets.replace(changes), 1_202);
      assert.equal(await secrets.replace(changes), 0);
      assert.deepEqual(await all(secrets, NEW.keyId), []);
      const [one] = await all(secrets, OLD.keyId);
      assert.match(NEW.open(one!.purpose, one!.owner, one!.sealed).toString(), /^(?:item|spec) \d/);
    });

    test('what needs a lost key is deleted', async (t) => {
      const { secrets, jobs } = await opened(t);
      assert.equal(await secrets.deleteSealedWith(OLD.keyId), 1_202);
      assert.deepEqual(await secrets.counts(), []);
      assert.equal(await jobs.get(job(1).id, null), null);
      assert.equal(await secrets.deleteSealedWith(OLD.keyId), 0);
    });
  });
}
