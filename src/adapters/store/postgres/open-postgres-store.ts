import type { Store } from '../../../ports/store.ts';
import { openPostgres, type Postgres, type PostgresOptions } from '../../postgres/postgres.ts';
import { createAccountStore } from '../account-store.ts';
import type { RunStatements } from '../prepared-statements.ts';
import { createPostgresCompiler } from '../query-compiler.ts';
import { createExperienceLog } from './experience-log.ts';
import { migratePostgres } from './migrate.ts';

export interface PostgresStoreOptions extends PostgresOptions {
  readonly log?: (event: string, fields: Record<string, unknown>) => void;
}

/**
 * Opens the database, after creating or migrating its schema. Rejects with `StorageError` if it cannot be reached, its server is
 * older than PostgreSQL 14, or its schema is too new.
 */
export async function openPostgresStore(
  options: PostgresStoreOptions,
): Promise<Pick<Store, 'accounts' | 'experienceLog' | 'close'>> {
  await migratePostgres(options);
  const postgres = openPostgres(options);
  const db = createPostgresCompiler();
  return {
    accounts: createAccountStore(db, changeAlone(postgres, 'accounts')),
    experienceLog: createExperienceLog(postgres),
    close: () => postgres.close(),
  };
}

/**
 * Runs transactions with this name one after the other, over all processes, so that a statement sees what the statements of
 * others before it changed: such as whether another administrator is left, or how many monitors a user has. A single SELECT does
 * not wait.
 */
function changeAlone(postgres: Postgres, name: string): RunStatements {
  return async (statements) => {
    const isRead = statements.length === 1 && /^select /i.test(statements[0]![0]);
    if (isRead) return postgres.write(statements);
    const [, ...results] = await postgres.write([
      ['SELECT pg_advisory_xact_lock(hashtext(?))', [`sluice ${name}`]],
      ...statements,
    ]);
    return results;
  };
}
