import assert from 'node:assert/strict';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { openDiskBlobStore } from '../../src/adapters/blobs/disk-blob-store.ts';
import { writeBackup } from '../../src/adapters/store/sqlite/backup.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite-store.ts';
import { restoreAll, restoreSqlite } from '../../src/adapters/store/sqlite/restore.ts';
import type { Store } from '../../src/ports/store.ts';
import { StorageError } from '../../src/ports/store.ts';
import { ANNA, BERT, filter, idAt, key, record, T0, user } from '../contracts/samples.ts';
import { afterwards, tempFolder } from './temp.ts';

async function open(t: TestContext, folder: string) {
  const file = join(folder, 'sluice.db');
  const store = await openSqliteStore({ file, durability: 'normal' });
  afterwards(t, () => store.close());
  const blobs = await openDiskBlobStore({ dir: join(folder, 'blobs'), durability: 'normal' });
  afterwards(t, () => blobs.close());
  return { file, store, blobs };
}

/** The ids of all records, read page by page. */
async function idsOf(store: Store): Promise<string[]> {
  const found: string[] = [];
  for (let after: string | null = null; ; ) {
    const page = await store.records.list(filter(), 200, after);
    found.push(...page.items.map((item) => item.id));
    after = page.next;
    if (after === null) return found;
  }
}

test('SQLite: a backup made while records are written is consistent, and can be restored', async (t) => {
  const folder = tempFolder(t);
  const { store } = await open(t, folder);
  await store.accounts.insertUser(user());
  await store.accounts.insertKey(key());
  let started = 0;
  let acknowledged = 0;
  let isWriting = true;
  const writers = Array.from({ length: 10 }, async () => {
    while (isWriting) {
      await store.records.put(record(started++, { answerJson: 'x'.repeat(3000) }));
      acknowledged++;
    }
  });
  while (acknowledged < 500) await store.check();
  const acknowledgedBefore = acknowledged;
  const file = join(folder, 'backup');
  await store.backup(file);
  isWriting = false;
  await Promise.all(writers);
  assert.ok(acknowledged > acknowledgedBefore, 'records were stored during the backup');
  await assert.rejects(
    store.backup(file),
    (error: Error) => error instanceof StorageError && /exists/.test(error.message),
  );

  const to = join(tempFolder(t), 'new', 'sluice.db');
  assert.deepEqual(await restoreSqlite({ from: file, to }), { blobs: 0, keptAside: null, activeKeys: 1 });
  const restored = await openSqliteStore({ file: to, durability: 'normal' });
  afterwards(t, () => restored.close());
  const [all, inBackup] = [await idsOf(store), await idsOf(restored)];
  assert.ok(inBackup.length >= acknowledgedBefore && inBackup.length <= all.length);
  assert.deepEqual(
    inBackup.filter((id) => !all.includes(id)),
    [],
  );
  assert.deepEqual(await restored.accounts.keys(), await store.accounts.keys());
  const id = inBackup[7]!;
  assert.deepEqual(await restored.records.get(id, ANNA), await store.records.get(id, ANNA));
});

test('SQLite: a full backup contains the blobs, and a restore writes them to the blob store', async (t) => {
  const folder = tempFolder(t);
  const { store, blobs } = await open(t, folder);
  const content = (n: number) => Buffer.alloc(300_000 + n, `${n}`);
  for (let n = 0; n < 4; n++) {
    await blobs.put(idAt(T0 + n), content(n));
    await store.records.put(record(n, { content: null, contentInBlob: true }));
  }
  const pictures = [{ type: 'image/webp', bytes: 3 }, null, { type: 'image/png', bytes: 4 }] as const;
  const files = [null, { name: 'a.txt', type: 'text/plain', bytes: 5 }];
  await store.records.put(record(10, { pictures, files, hasScreenshot: true }));
  const keys = [`${idAt(T0 + 10)}-0`, `${idAt(T0 + 10)}-2`, `${idAt(T0 + 10)}-f-1`];
  for (const key of keys) await blobs.put(key, Buffer.from(key));
  await blobs.delete(idAt(T0 + 2));
  const file = join(folder, 'backup');
  assert.deepEqual(await writeBackup({ store, blobs, file }), { blobs: 6, missing: [idAt(T0 + 2)] });
  await assert.rejects(writeBackup({ store, blobs, file }), StorageError);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('backup')),
    ['backup'],
  );

  const target = tempFolder(t);
  const targetBlobs = await openDiskBlobStore({ dir: join(target, 'blobs'), durability: 'normal' });
  afterwards(t, () => targetBlobs.close());
  const result = await restoreAll({ from: file, to: join(target, 'sluice.db'), blobs: targetBlobs });
  assert.equal(result.blobs, 6);
  const restored = await open(t, target);
  for (const key of keys) assert.equal((await targetBlobs.get(key))?.toString(), key);
  assert.deepEqual((await restored.store.records.get(idAt(T0 + 10), null))?.pictures, pictures);
  assert.deepEqual((await restored.store.records.get(idAt(T0 + 10), null))?.files, files);
  assert.equal((await idsOf(restored.store)).length, 5);
  for (const n of [0, 1, 3]) assert.ok(content(n).equals((await targetBlobs.get(idAt(T0 + n)))!));
  const db = new Database(restored.file, { readonly: true });
  assert.equal(db.prepare("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'backup%'").pluck().get(), 0);
  // 2: incremental
  assert.equal(db.pragma('auto_vacuum', { simple: true }), 2);
  db.close();
});

test('SQLite: a record that is deleted while its blob is copied is not in the backup', async (t) => {
  const folder = tempFolder(t);
  const { store, blobs } = await open(t, folder);
  for (const n of [1, 2]) {
    await blobs.put(idAt(T0 + n), Buffer.from('x'));
    await store.records.put(record(n, { content: null, contentInBlob: true }));
  }
  /** Deletes record 1 before its blob is read. */
  const deleting = {
    ...blobs,
    async get(id: string) {
      if (id === idAt(T0 + 1)) {
        await store.records.delete(id, null);
        await blobs.delete(id);
      }
      return blobs.get(id);
    },
  };
  const file = join(folder, 'backup');
  assert.deepEqual(await writeBackup({ store, blobs: deleting, file }), { blobs: 1, missing: [] });
  const db = new Database(file, { readonly: true });
  assert.equal(db.prepare('SELECT count(*) FROM records').pluck().get(), 1);
  assert.equal(db.prepare('SELECT count(*) FROM record_bodies').pluck().get(), 1);
  db.close();
});

test('SQLite: a restore returns the number of keys that work', async (t) => {
  const folder = tempFolder(t);
  const { store } = await open(t, folder);
  await store.accounts.insertUser(user());
  await store.accounts.insertUser(user({ id: BERT, email: 'bert@example.com', disabledAt: T0 }));
  const changes = [
    {},
    { expiresAt: Date.now() + 60_000 },
    { expiresAt: Date.now() - 60_000 },
    { revokedAt: T0 },
    { userId: BERT },
  ];
  for (const [n, change] of changes.entries())
    await store.accounts.insertKey(key({ ...change, id: `key${n}`, hash: new Uint8Array(32).fill(n) }));
  const from = join(folder, 'backup');
  await store.backup(from);
  const { activeKeys } = await restoreSqlite({ from, to: join(folder, 'new.db') });
  // Only the first two: the others are expired, revoked, or of a disabled user.
  assert.equal(activeKeys, 2);
});

test('SQLite: restore refuses an existing target, a target in use and a damaged backup, and does not change the target', async (t) => {
  const folder = tempFolder(t);
  const { store, file: to } = await open(t, folder);
  await store.records.put(record(1));
  const from = join(folder, 'backup');
  await store.backup(from);
  await store.records.put(record(2));
  const refused = (options: Parameters<typeof restoreSqlite>[0], message: RegExp) =>
    assert.rejects(restoreSqlite(options), (error: Error) => {
      assert.ok(error instanceof StorageError, String(error.stack));
      assert.match(error.message, message);
      return true;
    });
  await refused({ from, to }, /exists/);
  await refused({ from, to, force: true }, /in use/);
  await store.records.put(record(3));
  await store.close();

  const bad = join(folder, 'bad');
  writeFileSync(bad, 'no backup');
  await refused({ from: bad, to, force: true }, /not a database/);
  writeFileSync(bad, '');
  await refused({ from: bad, to, force: true }, /no backup/);
  writeFileSync(bad, readFileSync(from));
  truncateSync(bad, readFileSync(from).length - 8192);
  await refused({ from: bad, to, force: true }, /damaged/);
  await refused({ from: join(folder, 'nowhere'), to, force: true }, /does not exist/);

  const untouched = await open(t, folder);
  assert.equal((await idsOf(untouched.store)).length, 3);
  await untouched.store.close();

  const { keptAside } = await restoreSqlite({ from, to, force: true });
  assert.equal(keptAside, `${to}.before-restore`);
  const restored = await open(t, folder);
  assert.deepEqual(await idsOf(restored.store), [idAt(T0 + 1)]);
  await restored.store.close();
  const second = await restoreSqlite({ from: keptAside!, to, force: true });
  assert.equal(second.keptAside, `${to}.before-restore-2`);
  assert.equal((await idsOf((await open(t, folder)).store)).length, 3);
});
