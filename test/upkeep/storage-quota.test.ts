import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDiskBlobStore } from '../../src/adapters/blobs/disk-blob-store.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite-store.ts';
import { enforceStorageQuota, type FreedStorage } from '../../src/upkeep/storage-quota.ts';
import { afterwards, noise, tempFolder } from '../adapters/temp.ts';
import { idAt, record, T0 } from '../contracts/samples.ts';
import { eventually } from '../helpers/service.ts';

test('contents go first, then files, then pictures, then records; each the oldest first', async (t) => {
  const folder = tempFolder(t);
  const store = await openSqliteStore({ file: join(folder, 'sluice.db'), durability: 'normal' });
  afterwards(t, () => store.close());
  const blobs = await openDiskBlobStore({ dir: join(folder, 'blobs'), durability: 'normal' });
  afterwards(t, () => blobs.close());
  const id = (n: number) => idAt(T0 + n);
  for (let n = 0; n < 30; n++) {
    await blobs.put(id(n), noise(n, 200_000));
    await blobs.put(`${id(n)}-0`, noise(n + 100, 200_000));
    await blobs.put(`${id(n)}-f-1`, noise(n + 200, 100_000));
    await store.records.put(
      record(n, {
        ...{ content: null, contentInBlob: true, contentBytes: 200_000, hasScreenshot: true },
        pictures: [{ type: 'image/png', bytes: 200_000 }],
        files: [null, { name: 'a', type: 'text/plain', bytes: 100_000 }],
      }),
    );
  }
  const full = (await store.usage()).used + (await blobs.usage());
  const within = async (limitBytes: number): Promise<FreedStorage> => {
    const made: FreedStorage[] = [];
    const onError = (error: unknown) => void assert.fail(String(error));
    const keeper = enforceStorageQuota({
      store,
      blobs,
      countsBlobs: true,
      limitBytes,
      onFreed: (one) => made.push(one),
      onError,
    });
    const one = await eventually(() => made[0]);
    await keeper.stop();
    return one;
  };
  const first = await within(full - 1_000_000);
  assert.deepEqual([first.contents, first.files, first.pictures, first.records], [20, 0, 0, 0]);
  const second = await within(full - 10_000_000);
  assert.deepEqual([second.contents, second.files, second.pictures, second.records], [10, 30, 20, 0]);
  assert.deepEqual((await store.records.get(id(0), null))?.pictures, []);
  assert.equal(await blobs.get(`${id(0)}-0`), null);
  const newest = await store.records.get(id(29), null);
  assert.deepEqual(
    [newest?.hasScreenshot, newest?.pictures.length, newest?.files, newest?.contentEncoding],
    [true, 1, [], null],
  );
  assert.equal((await blobs.get(`${id(29)}-0`))?.length, 200_000);
});
