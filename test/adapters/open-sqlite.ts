import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/ports/store.ts';
import { afterwards, tempFolder } from './temp.ts';

/** An empty store for one test. */
export async function openSqlite(t: TestContext): Promise<Store> {
  const store = await openSqliteStore({ file: join(tempFolder(t), 'sluice.db'), durability: 'normal' });
  afterwards(t, () => store.close());
  return store;
}

/**
 * Gives an empty store to each test of the file that calls it. Most of them use the same one after each other, because its
 * threads take half a second of processor time to start. After each test, its tables are as they were when it was new.
 */
export function useSqlite(): (t: TestContext) => Promise<Store> {
  let shared: Promise<SharedStore> | null = null;
  let isUsed = false;
  after(async () => (await shared)?.close());
  return async (t) => {
    if (isUsed) return openSqlite(t);
    isUsed = true;
    shared ??= openShared();
    const { store, empty } = await shared;
    afterwards(t, () => {
      empty();
      isUsed = false;
    });
    return store;
  };
}

interface SharedStore {
  readonly store: Store;
  /** Gives each table the rows that it had when the store was new. */
  empty(): void;
  close(): Promise<void>;
}

async function openShared(): Promise<SharedStore> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  const file = join(folder, 'sluice.db');
  const store = await openSqliteStore({ file, durability: 'normal' });
  const db = new Database(file);
  db.pragma('foreign_keys = OFF');
  db.defaultSafeIntegers();
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
  const tables = names.map((name) => {
    const rows = db.prepare(`SELECT * FROM ${name}`).raw().all() as unknown[][];
    const columns = rows[0]?.map(() => '?').join();
    return { name, rows, insert: columns === undefined ? null : `INSERT INTO ${name} VALUES (${columns})` };
  });
  const empty = db.transaction(() => {
    // Triggers change rows of other tables, which may have been emptied before.
    for (let round = 0; round < 2; round++) for (const { name } of tables) db.exec(`DELETE FROM ${name}`);
    for (const { rows, insert } of tables)
      if (insert !== null) for (const row of rows) db.prepare(insert).run(...row);
  });
  return {
    store,
    empty: () => empty(),
    async close() {
      db.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
