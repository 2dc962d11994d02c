import { describe } from 'node:test';
import { openCoordination } from '../../../src/adapters/coordination/open-coordination.ts';
import { migratePostgres } from '../../../src/adapters/store/postgres/migrate.ts';
import { coordinationContract } from '../../contracts/coordination.ts';
import { noPostgres, testDatabase } from '../../helpers/postgres.ts';

async function coordinationDatabase(): Promise<string> {
  const url = await testDatabase();
  await migratePostgres({ url, directUrl: null });
  return url;
}

describe('PostgreSQL', { skip: noPostgres }, () => {
  coordinationContract('PostgreSQL', async (t) => {
    const url = await coordinationDatabase();
    return async () => {
      const coordination = await openCoordination({
        database: { url, directUrl: null, readUrl: null },
        onLost: () => {},
      });
      t.after(() => coordination.close());
      return coordination;
    };
  });
});
