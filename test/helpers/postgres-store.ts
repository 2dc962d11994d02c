import type { TestContext } from 'node:test';
import { openPostgresStore } from '../../src/adapters/store/postgres/open-postgres-store.ts';
import { afterwards } from '../adapters/temp.ts';
import { testDatabase } from './postgres.ts';

/** For contract suites: a store on an empty database, which is closed after the test. */
export async function openTestStore(t: TestContext) {
  const store = await openPostgresStore({ url: await testDatabase(), directUrl: null, readUrl: null });
  afterwards(t, () => store.close());
  return store;
}
