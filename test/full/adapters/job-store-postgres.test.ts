import type { TestContext } from 'node:test';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres-store.ts';
import { afterwards } from '../../adapters/temp.ts';
import { jobStoreContract } from '../../contracts/job-store.ts';
import { testDatabase } from '../../helpers/postgres.ts';

async function open(t: TestContext) {
  const store = await openPostgresStore({ url: await testDatabase(), directUrl: null, readUrl: null });
  afterwards(t, () => store.close());
  return store;
}

jobStoreContract('PostgreSQL', open);
