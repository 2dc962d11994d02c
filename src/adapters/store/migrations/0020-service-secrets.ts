import type { Migration } from './migration.ts';

/** Secrets of the service itself, each sealed: the authority of the proxy port. */
export const serviceSecrets: Migration = {
  version: 20,
  name: 'service-secrets',
  statements: [
    `CREATE TABLE service_secrets (
  name TEXT PRIMARY KEY,
  sealed BLOB NOT NULL
) WITHOUT ROWID`,
  ],
};
