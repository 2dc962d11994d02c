import type { TestContext } from 'node:test';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres-store.ts';
import type { Store } from '../../../src/ports/store.ts';
import { afterwards } from '../../adapters/temp.ts';
import { accountStoreContract } from '../../contracts/account-store.ts';
import { sessionStoreContract } from '../../contracts/session-store.ts';
import { testDatabase } from '../../helpers/postgres.ts';

async function open(t: TestContext) {
  const store = await openPostgresStore({ url: await testDatabase(), directUrl: null, readUrl: null });
  afterwards(t, () => store.close());
  return store as Store;
}

accountStoreContract('PostgreSQL', open);
sessionStoreContract('PostgreSQL', open);
