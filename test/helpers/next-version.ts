import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Migration } from '../../src/adapters/store/schema/migrations/migration.ts';
import type { PostgresMigration } from '../../src/adapters/store/schema/migrations/postgres/postgres-migration.ts';
import { POSTGRES_MIGRATIONS } from '../../src/adapters/store/schema/postgres-migrations.ts';
import { tempFolder } from '../adapters/temp.ts';
import { ROOT } from './repository.ts';

const SCHEMA = 'src/adapters/store/schema';
const COPIED = ['bin', 'src'];

/** A migration that a test made. */
export type MadeMigration = Pick<PostgresMigration, 'isCompatible' | 'statements'>;

/** Version of the schema that this source makes. */
export const SCHEMA_VERSION = POSTGRES_MIGRATIONS.at(-1)!.version;

/**
 * Copies this source, with further migrations at the end and with another version of the program.
 * @param sqlite the same on SQLite
 * @returns `bin/sluice` of the copy, which is deleted after the test
 */
export function nextVersion(
  t: TestContext,
  version: string,
  made: readonly MadeMigration[],
  sqlite: readonly Migration[] = [],
): string {
  const root = tempFolder(t);
  for (const name of COPIED) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  const others = readdirSync(ROOT).filter((name) => ![...COPIED, 'package.json', '.git'].includes(name));
  for (const name of others) symlinkSync(join(ROOT, name), join(root, name));
  const packageJson = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as object;
  writeFileSync(join(root, 'package.json'), JSON.stringify({ ...packageJson, version }));

  const migrations = made.map((migration, index) => ({
    version: SCHEMA_VERSION + 1 + index,
    name: 'made by a test',
    ...migration,
  }));
  addTo(join(root, SCHEMA, 'postgres-migrations.ts'), 'POSTGRES_MIGRATIONS', migrations);
  addTo(join(root, SCHEMA, 'migrations.ts'), 'MIGRATIONS', sqlite);
  return join(root, 'bin', 'sluice');
}

/** Adds entries to the end of a list in a file of the source. */
function addTo(file: string, list: string, entries: readonly object[]): void {
  const text = readFileSync(file, 'utf8');
  const pattern = new RegExp(`(export const ${list}: [^;]*,)\\s*\\];`);
  assert.match(text, pattern);
  const added = entries.map((entry) => `${JSON.stringify(entry)},`).join('');
  writeFileSync(
    file,
    text.replace(pattern, (_, begin: string) => `${begin}${added}];`),
  );
}
