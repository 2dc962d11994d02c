import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openSqliteStore } from '../../src/adapters/store/open-sqlite-store.ts';
import { afterwards, tempFolder } from './temp.ts';

/** An empty store for one test. */
export async function openSqlite(t: TestContext) {
  const store = await openSqliteStore({ file: join(tempFolder(t), 'sluice.db'), durability: 'normal' });
  afterwards(t, () => store.close());
  return store;
}
