import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Store } from '../../src/ports/store.ts';
import { T0 } from './samples.ts';

const setting = (name: string, byte = 1) => ({
  kind: 'pool' as const,
  name,
  sealed: new Uint8Array(70).fill(byte),
});

/** What SettingStore and SampleStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function settingStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: settings and samples`, () => {
    test('settings: created once and up to a limit, replaced by version, deleted; each change is noticed', async (t) => {
      const { settings } = await open(t);
      assert.deepEqual(await settings.list(), []);
      const versions = [await settings.version()];
      assert.equal(await settings.create(setting('b'), 2), 'created');
      assert.equal(await settings.create(setting('b', 2), 2), 'exists');
      assert.equal(await settings.create({ ...setting('z'), kind: 'vendor' }, 1), 'created');
      const more = await Promise.all(['a', 'c', 'd'].map((one) => settings.create(setting(one), 2)));
      assert.deepEqual(more.toSorted(), ['created', 'full', 'full']);
      versions.push(await settings.version());
      const [first, b, vendor] = await settings.list();
      assert.deepEqual([first!.kind, b!.name, b!.version, vendor!.kind], ['pool', 'b', 1, 'vendor']);
      assert.deepEqual(Buffer.from(b!.sealed), Buffer.from(setting('b').sealed));

      assert.equal(await settings.replace({ ...setting('b', 3), version: 1 }), true);
      versions.push(await settings.version());
      assert.equal(await settings.replace({ ...setting('b', 4), version: 1 }), false);
      assert.equal(await settings.replace({ ...setting('x'), version: 1 }), false);
      assert.equal((await settings.list())[1]!.sealed[0], 3);
      assert.equal(await settings.delete('vendor', 'b'), false);
      assert.equal(await settings.delete('pool', 'b'), true);
      versions.push(await settings.version());
      assert.equal((await settings.list()).length, 2);
      assert.equal(new Set(versions).size, versions.length);
    });

    test('samples: put again replaces; read by step, kind and time; swept by step', async (t) => {
      const { samples } = await open(t);
      const row = (step: number, at: number, kind: 'pool' | 'system', replica: string, value: number) => ({
        step,
        at,
        kind,
        name: kind === 'pool' ? 'p' : '',
        replica,
        values: { ok: value },
      });
      assert.equal(await samples.latest(60), null);
      await samples.put([]);
      await samples.put([row(60, T0, 'pool', 'a', 1), row(60, T0, 'pool', 'b', 2)]);
      await samples.put([row(60, T0, 'pool', 'a', 3), row(60, T0 + 60_000, 'system', 'a', 4)]);
      await samples.put([row(3600, T0, 'pool', '', 5)]);
      const read = async (step: number, kind: 'pool' | null, from = T0, to = T0 + 99_000_000) =>
        (await samples.list(step, kind, from, to)).map(({ values }) => values.ok).toSorted();
      assert.deepEqual(await read(60, 'pool'), [2, 3]);
      assert.deepEqual(await read(60, null), [2, 3, 4]);
      assert.deepEqual(await read(60, null, T0 + 1), [4]);
      assert.deepEqual(await read(60, null, T0, T0 + 60_000), [2, 3]);
      assert.deepEqual(await samples.list(3600, 'pool', T0, T0 + 1), [row(3600, T0, 'pool', '', 5)]);
      assert.deepEqual([await samples.latest(60), await samples.latest(3600)], [T0 + 60_000, T0]);
      await samples.sweep(60, T0 + 60_000);
      assert.deepEqual([await read(60, null), await read(3600, null)], [[4], [5]]);
    });
  });
}
