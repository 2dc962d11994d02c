import { join } from 'node:path';
import { openPostgresStore } from '../../src/adapters/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/ports/store.ts';
import { databaseUrlOf, type Service } from './service.ts';

/** Opens the store of a running service beside it, for data that no request can make, such as the counters of days before. */
export async function storeOf({ dataDir }: Pick<Service, 'dataDir'>): Promise<Store> {
  const url = databaseUrlOf(dataDir);
  return url === undefined
    ? await openSqliteStore({ file: join(dataDir, 'sluice.db'), durability: 'normal' })
    : await openPostgresStore({ url, directUrl: null, readUrl: null });
}
