import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { BlobStore } from '../../src/ports/store.ts';
import { StorageError } from '../../src/ports/store.ts';
import { noise } from '../adapters/temp.ts';
import fc from '../helpers/fast-check.ts';
import { idAt, T0 } from './samples.ts';

/** What every BlobStore must do. `open` gives an empty one and closes it after the test. */
export function blobStoreContract(name: string, open: (t: TestContext) => Promise<BlobStore>): void {
  describe(`${name}: blobs`, () => {
    test('bytes come back as they were put', async (t) => {
      const blobs = await open(t);
      let n = 0;
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 3000 }),
        fc.integer({ min: 0, max: 700_000 }).map((length) => new Uint8Array(length).fill(length)),
      );
      await fc.assert(
        fc.asyncProperty(bytes, async (put) => {
          const key = idAt(T0, ++n);
          await blobs.put(key, put);
          assert.deepEqual(Buffer.from((await blobs.get(key))!), Buffer.from(put));
        }),
        { numRuns: 50 },
      );
    });

    test('what is not there is null, and may be deleted', async (t) => {
      const blobs = await open(t);
      assert.equal(await blobs.get('abc'), null);
      await blobs.delete('abc');
      await blobs.put('abc', Buffer.from('x'));
      await blobs.delete('abc');
      await blobs.delete('abc');
      assert.equal(await blobs.get('abc'), null);
    });

    test('keys of every length and form stand apart', async (t) => {
      const blobs = await open(t);
      const keys = [
        '0',
        '-',
        '00',
        '0000',
        '00000',
        '--',
        '----',
        'a-b',
        'f'.repeat(64),
        idAt(T0),
        idAt(T0, 1),
      ];
      await Promise.all(keys.map((key) => blobs.put(key, Buffer.from(key))));
      for (const key of keys) assert.equal(Buffer.from((await blobs.get(key))!).toString(), key);
      assert.deepEqual((await Array.fromAsync(blobs.keys())).toSorted(), keys.toSorted());
    });

    test('what is no key is refused, whatever path it spells', async (t) => {
      const blobs = await open(t);
      for (const key of [
        '',
        '.',
        '..',
        '../a',
        'a/b',
        'a\\b',
        'A',
        'g',
        'a\0',
        'a\n',
        'a'.repeat(65),
        '%2e%2e',
      ]) {
        await assert.rejects(blobs.put(key, new Uint8Array(1)), TypeError, JSON.stringify(key));
        await assert.rejects(blobs.get(key), TypeError);
        await assert.rejects(blobs.delete(key), TypeError);
      }
      assert.deepEqual(await Array.fromAsync(blobs.keys()), []);
    });

    test('a second put replaces; a reader sees one or the other, whole', async (t) => {
      const blobs = await open(t);
      const versions = ['a', 'b', 'c', 'd'].map((letter) => Buffer.alloc(400_000, letter));
      await blobs.put('abc', versions[0]!);
      const puts = Promise.all(versions.map((version) => blobs.put('abc', version)));
      for (let i = 0; i < 20; i++) {
        const seen = Buffer.from((await blobs.get('abc'))!);
        assert.ok(versions.some((version) => version.equals(seen)));
      }
      await puts;
      assert.equal((await blobs.get('abc'))!.length, 400_000);
      assert.deepEqual(await Array.fromAsync(blobs.keys()), ['abc']);
    });

    test('usage follows what is put and deleted; check leaves nothing behind', async (t) => {
      const blobs = await open(t);
      await blobs.put('a', noise(1, 500_000));
      const about = (bytes: number, expected: number) =>
        assert.ok(Math.abs(bytes - expected) < expected / 50 + 1, `${bytes}, not ${expected}`);
      about(await blobs.usage(), 500_000);
      await blobs.put('b', noise(2, 300_000));
      await blobs.check();
      about(await blobs.usage(), 800_000);
      await blobs.delete('a');
      await blobs.delete('c');
      about(await blobs.usage(), 300_000);
      await blobs.delete('b');
      assert.equal(await blobs.usage(), 0);
      assert.deepEqual(await Array.fromAsync(blobs.keys()), []);
    });

    test('after close nothing is taken; what was under way is stored', async (t) => {
      const blobs = await open(t);
      const put = blobs.put('abc', Buffer.alloc(300_000, 'x'));
      await blobs.close();
      await put;
      await assert.rejects(blobs.put('abd', new Uint8Array(1)), StorageError);
      await assert.rejects(blobs.get('abc'), StorageError);
      await blobs.close();
    });
  });
}
