import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { MIGRATIONS } from '../../src/adapters/store/schema/migrations.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite-store.ts';
import { newestVersion, prepareDatabase } from '../../src/adapters/store/sqlite/prepare-database.ts';
import { StorageError } from '../../src/ports/store.ts';
import { ANNA, filter, idAt, record, T0, user } from '../contracts/samples.ts';
import { afterwards, noise, tempFolder } from './temp.ts';

const run = promisify(execFile);
const NEWEST = newestVersion(MIGRATIONS);
const ADD_KEY = fileURLToPath(new URL('./children/add-key.ts', import.meta.url));

function fileIn(t: TestContext): string {
  return join(tempFolder(t), 'sluice.db');
}

async function open(t: TestContext, file: string) {
  const store = await openSqliteStore({ file, durability: 'full' });
  afterwards(t, () => store.close());
  return store;
}

test('SQLite: the migrations are numbered without gaps', () => {
  assert.deepEqual(
    MIGRATIONS.map((one) => one.version),
    MIGRATIONS.map((_, index) => MIGRATIONS[0]!.version + index),
  );
});

test('SQLite: stored data is there after close and open; missing folders are created', async (t) => {
  const file = join(tempFolder(t), 'a', 'b', 'sluice.db');
  const store = await open(t, file);
  await store.records.put(record(1));
  await store.accounts.insertUser(user());
  // A second close at the same time does no harm.
  await Promise.all([store.close(), store.close()]);
  assert.equal(existsSync(`${file}-wal`), false, 'the write-ahead log was copied into the database');
  const reopened = await open(t, file);
  assert.notEqual(await reopened.records.get(idAt(T0 + 1), ANNA), null);
  assert.equal((await reopened.accounts.users()).length, 1);
});

test('SQLite: close finishes running calls and rejects later ones', async (t) => {
  const store = await open(t, fileIn(t));
  const puts = Array.from({ length: 500 }, (_, n) => store.records.put(record(n)));
  const list = store.records.list(filter(), 10, null);
  await store.close();
  await Promise.all([...puts, list]);
  for (const later of [
    store.records.put(record(900)),
    store.records.list(filter(), 1, null),
    store.accounts.version(),
    store.check(),
    store.backup(`${tempFolder(t)}/x`),
  ]) {
    await assert.rejects(later, StorageError);
  }
});

test('SQLite: an older database is migrated, and keeps its data', async (t) => {
  const file = fileIn(t);
  const migrations = [
    ...MIGRATIONS,
    {
      version: NEWEST + 1,
      name: 'more',
      statements: ['CREATE TABLE more (a)', 'INSERT INTO more VALUES (1)'],
    },
  ];
  const store = await open(t, file);
  await store.records.put(record(1));
  await store.close();
  const events: unknown[] = [];
  const options = {
    file,
    log: (event: string, fields: object) => events.push({ event, ...fields }),
    migrations,
  };
  prepareDatabase(options, () => {});
  // The database is up to date now: nothing happens.
  prepareDatabase(options, () => {});
  assert.deepEqual(events, [{ event: 'store.migrating', from: NEWEST, to: NEWEST + 1 }]);

  const migrated = new Database(file);
  assert.equal(migrated.pragma('user_version', { simple: true }), NEWEST + 1);
  assert.equal(migrated.prepare('SELECT count(*) FROM more').pluck().get(), 1);
  assert.equal(migrated.prepare('SELECT count(*) FROM records').pluck().get(), 1);
  migrated.close();

  // The database is now newer than this program.
  await assert.rejects(open(t, file), (error: Error) => {
    assert.ok(error instanceof StorageError);
    assert.match(error.message, new RegExp(`version ${NEWEST + 1}\\b.*knows ${NEWEST}\\b`));
    return true;
  });
});

test('SQLite: a migration that fails leaves the database as it was', async (t) => {
  const file = fileIn(t);
  await (await open(t, file)).close();
  const broken = {
    version: NEWEST + 1,
    name: 'broken',
    statements: ['CREATE TABLE half (a)', 'CREATE TABEL x'],
  };
  const options = { file, log: () => {} };
  assert.throws(() => prepareDatabase({ ...options, migrations: [...MIGRATIONS, broken] }, () => {}));
  const store = await open(t, file);
  await store.records.put(record(1));
  const db = new Database(file, { readonly: true });
  assert.equal(db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'half'").pluck().get(), 0);
  db.close();
});

test('SQLite: a file that is not a sound database of ours is refused and not changed', async (t) => {
  const folder = tempFolder(t);
  const text = join(folder, 'text.db');
  writeFileSync(text, 'This is not a database. '.repeat(1000));
  const foreign = join(folder, 'foreign.db');
  const db = new Database(foreign);
  db.exec('CREATE TABLE theirs (a)');
  db.close();
  const numbered = join(folder, 'numbered.db');
  const other = new Database(numbered);
  other.pragma('application_id = 42');
  other.close();
  const damaged = join(folder, 'damaged.db');
  await (await open(t, damaged)).close();
  const bytes = readFileSync(damaged);
  writeFileSync(
    damaged,
    Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(8092, 0xee), bytes.subarray(8192)]),
  );
  mkdirSync(join(folder, 'folder.db'));

  const cases: [string, RegExp][] = [
    ['text.db', /not a database/],
    ['foreign.db', /another program/],
    ['numbered.db', /another program/],
    ['damaged.db', /damaged/],
    ['folder.db', /cannot be opened/],
  ];
  for (const [name, expected] of cases) {
    const file = join(folder, name);
    const before = name === 'folder.db' ? null : readFileSync(file);
    await assert.rejects(open(t, file), (error: Error) => {
      assert.ok(error instanceof StorageError, `${name}: ${error.stack}`);
      assert.match(error.message, expected);
      return true;
    });
    if (before !== null) assert.ok(readFileSync(file).equals(before), `${name} is untouched`);
  }
});

test('SQLite: several stores open a new database at the same time, and all can write', async (t) => {
  const file = fileIn(t);
  const stores = await Promise.all([1, 2, 3, 4].map(() => open(t, file)));
  await Promise.all(
    stores.flatMap((store, s) => [0, 1, 2, 3].map((n) => store.records.put(record(s * 10 + n)))),
  );
  for (const store of stores) assert.equal((await store.records.list(filter(), 50, null)).items.length, 16);
});

test('SQLite: another process writes accounts while this one writes records', async (t) => {
  const file = fileIn(t);
  const store = await open(t, file);
  const before = await store.accounts.version();
  let busy = true;
  const child = run(process.execPath, [ADD_KEY, file]).finally(() => {
    busy = false;
  });
  let n = 0;
  while (busy) await Promise.all(Array.from({ length: 20 }, () => store.records.put(record(n++))));
  await child;
  assert.notEqual(await store.accounts.version(), before);
  assert.deepEqual(
    (await store.accounts.keys()).map((one) => one.id),
    ['key1'],
  );
  const other = await open(t, file);
  assert.notEqual(await other.records.get(idAt(T0 + n - 1), ANNA), null);
});

test('SQLite: the write-ahead log stays bounded, and the space of deleted records is given back to the disk', async (t) => {
  const file = fileIn(t);
  const store = await openSqliteStore({ file, durability: 'normal' });
  afterwards(t, () => store.close());
  for (let n = 0; n < 3000; n += 50) {
    const content = noise(n, 20_000);
    await Promise.all(Array.from({ length: 50 }, (_, i) => store.records.put(record(n + i, { content }))));
  }
  assert.ok(statSync(`${file}-wal`).size < 96 * 2 ** 20, `${statSync(`${file}-wal`).size} bytes of log`);
  while ((await store.records.sweep(T0 + 3000, 300)).deleted > 0);
  while (await store.shrink(8 * 2 ** 20));
  await store.close();
  assert.ok(statSync(file).size < 24 * 2 ** 20, `${statSync(file).size} bytes are left of 60 MB`);
  assert.deepEqual((await (await open(t, file)).records.list(filter(), 1, null)).items, []);
});

test('SQLite: lists are read from an index in their order, without sorting', async (t) => {
  const file = fileIn(t);
  await (await open(t, file)).close();
  const db = new Database(file, { readonly: true });
  const plan = (where: string) =>
    db
      .prepare(`EXPLAIN QUERY PLAN SELECT id, url FROM records WHERE ${where} ORDER BY id DESC LIMIT 51`)
      .all()
      .map((row) => (row as { detail: string }).detail)
      .join('; ');
  assert.equal(plan("user_id = x'00'"), 'SEARCH records USING PRIMARY KEY (user_id=?)');
  assert.match(
    plan("user_id = x'00' AND id < x'11' AND host = 'a'"),
    /^SEARCH records USING PRIMARY KEY \(user_id=\? AND id<\?\)$/,
  );
  assert.match(plan('1'), /^SCAN records USING INDEX records_id$/);
  assert.match(plan("id < x'11' AND outcome = 'ok'"), /^SEARCH records USING INDEX records_id \(id<\?\)$/);
  db.close();
});
