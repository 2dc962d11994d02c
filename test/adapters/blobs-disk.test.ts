import assert from 'node:assert/strict';
import { readdirSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDiskBlobStore } from '../../src/adapters/blobs/disk-blob-store.ts';
import { StorageError } from '../../src/ports/store.ts';
import { blobStoreContract } from '../contracts/blob-store.ts';
import { idAt, T0 } from '../contracts/samples.ts';
import { smallDisk } from './small-disk.ts';
import { afterwards, noise, tempFolder } from './temp.ts';

async function open(t: TestContext, dir: string, durability: 'normal' | 'full' = 'normal') {
  const blobs = await openDiskBlobStore({ dir, durability });
  afterwards(t, () => blobs.close());
  return blobs;
}

blobStoreContract('disk', (t) => open(t, join(tempFolder(t), 'blobs')));
blobStoreContract('disk, full durability', (t) => open(t, join(tempFolder(t), 'blobs'), 'full'));

test('disk blobs: a blob is stored compressed, and is there after reopening', async (t) => {
  const dir = tempFolder(t);
  const blobs = await open(t, dir);
  const key = idAt(T0, 0xabcd);
  await blobs.put(key, Buffer.alloc(1_000_000, 'abc'));
  await blobs.close();
  assert.ok(statSync(join(dir, 'cd', 'ab', `${key}.zst`)).size < 10_000);
  const reopened = await open(t, dir);
  assert.equal((await reopened.get(key))!.length, 1_000_000);
});

test('disk blobs: opening deletes temporary files of dead writers, but not of running ones', async (t) => {
  const dir = tempFolder(t);
  await (await open(t, dir)).close();
  const temp = join(dir, 'tmp');
  /** Above the highest pid of Linux. */
  const deadPid = 2 ** 22 + 1;
  // A new process may have the pid of a dead writer: very old files are deleted, too.
  const old = join(temp, `${process.ppid}.2.tmp`);
  for (const name of [
    `${deadPid}.1.tmp`,
    `${process.pid}.999999.tmp`,
    `${process.ppid}.1.tmp`,
    'notes.txt',
  ]) {
    writeFileSync(join(temp, name), 'half');
  }
  writeFileSync(old, 'half');
  utimesSync(old, new Date(0), new Date(0));
  const blobs = await open(t, dir);
  assert.deepEqual(await Array.fromAsync(blobs.keys()), []);
  await blobs.close();
  assert.deepEqual(readdirSync(temp).toSorted(), [`${process.ppid}.1.tmp`, 'notes.txt'].toSorted());
});

test('disk blobs: a damaged file is a StorageError, not wrong bytes', async (t) => {
  const dir = tempFolder(t);
  const blobs = await open(t, dir);
  await blobs.put('abcd', Buffer.alloc(100_000, 'abc'));
  const path = join(dir, 'cd', 'ab', 'abcd.zst');
  truncateSync(path, statSync(path).size - 5);
  await assert.rejects(blobs.get('abcd'), StorageError);
});

test('disk blobs: a folder that cannot be used is a StorageError', async (t) => {
  const file = join(tempFolder(t), 'file');
  writeFileSync(file, '');
  await assert.rejects(openDiskBlobStore({ dir: join(file, 'blobs'), durability: 'normal' }), StorageError);
});

test('disk blobs: put rejects on a full disk and leaves no file behind', async (t) => {
  const disk = smallDisk(t, '1m');
  if (disk === null) return;
  const blobs = await open(t, disk.folder);
  const bytes = noise(1, 2_000_000);
  await assert.rejects(blobs.put('abcd', bytes), (error: Error) => {
    assert.ok(error instanceof StorageError);
    assert.match(error.message, /no space/);
    return true;
  });
  assert.equal(await blobs.get('abcd'), null);
  assert.deepEqual(readdirSync(join(disk.folder, 'tmp')), []);
  await blobs.put('abcd', bytes.subarray(0, 1000));
  assert.equal((await blobs.get('abcd'))!.length, 1000);
});
