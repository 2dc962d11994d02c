import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { scopeJobs } from '../../src/adapters/store/migrations/0009-scope-jobs.ts';
import { tempFolder } from './temp.ts';

test('SQLite: keys that may scrape get the scope `jobs`', (t) => {
  const db = new Database(join(tempFolder(t), 'keys.db'));
  db.exec('CREATE TABLE api_keys (id TEXT, scopes TEXT)');
  const before = { a: ['scrape', 'read'], b: ['read'], c: ['scrape', 'jobs'] };
  for (const [id, scopes] of Object.entries(before))
    db.prepare('INSERT INTO api_keys VALUES (?, ?)').run(id, JSON.stringify(scopes));
  for (const statement of scopeJobs.statements) db.exec(statement);
  const rows = db.prepare('SELECT id, scopes FROM api_keys ORDER BY id').all() as {
    id: string;
    scopes: string;
  }[];
  assert.deepEqual(
    rows.map(({ scopes }) => JSON.parse(scopes)),
    [['scrape', 'read', 'jobs'], ['read'], ['scrape', 'jobs']],
  );
  db.close();
});
