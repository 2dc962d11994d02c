/** Writes docs/schema.sql, the schema after all migrations. With `--check` it only compares; exit code 1 if they differ. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { MIGRATIONS } from '../src/adapters/store/schema/migrations.ts';
import { newestVersion, prepareDatabase } from '../src/adapters/store/sqlite/prepare-database.ts';

const TARGET = fileURLToPath(new URL('../docs/schema.sql', import.meta.url));

/** The SQL statements that create the schema of the newest version. */
export function dumpSchema(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-schema-'));
  try {
    const file = join(folder, 'schema.db');
    prepareDatabase({ file, migrations: MIGRATIONS, log: () => {} }, () => {});
    const db = new Database(file, { readonly: true });
    const sql = 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY tbl_name, type DESC, name';
    const statements = db.prepare(sql).pluck().all() as string[];
    const pragmas = ['application_id', 'user_version', 'page_size', 'auto_vacuum', 'journal_mode'].map(
      (name) => `-- PRAGMA ${name} = ${db.pragma(name, { simple: true })}`,
    );
    db.close();
    const head = `-- Version ${newestVersion(MIGRATIONS)}. Made from the migrations by scripts/dump-schema.ts; do not edit.`;
    return `${[head, ...pragmas].join('\n')}\n\n${statements.join(';\n\n')};\n`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes docs/schema.sql; with `check` it writes nothing. Returns whether the file is up to date now. */
export function writeSchema(check: boolean): boolean {
  const schema = dumpSchema();
  let before: string | null = null;
  try {
    before = readFileSync(TARGET, 'utf8');
  } catch {
    // The file does not exist yet.
  }
  if (before === schema) return true;
  if (!check) writeFileSync(TARGET, schema);
  return !check;
}

if (import.meta.main) {
  if (!writeSchema(process.argv.includes('--check'))) {
    console.error('docs/schema.sql is out of date: run `node scripts/dump-schema.ts`');
    process.exitCode = 1;
  }
}
