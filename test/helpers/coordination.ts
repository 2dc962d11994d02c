import type { TestContext } from 'node:test';
import { openCoordination } from '../../src/adapters/coordination/open-coordination.ts';
import { migratePostgres } from '../../src/adapters/store/postgres/migrate.ts';
import type { Coordination } from '../../src/ports/coordination.ts';
import { testDatabase } from './postgres.ts';

/** A database with the schema. @returns its URL */
export async function replicaDatabase(): Promise<string> {
  const url = await testDatabase();
  await migratePostgres({ url, directUrl: null });
  return url;
}

/** Another replica on this database, until the test ends. */
export async function openReplica(t: TestContext, url: string): Promise<Coordination> {
  const coordination = await openCoordination({ database: { url, directUrl: null, readUrl: null } });
  t.after(() => coordination.close());
  return coordination;
}
