import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { COPIED_TABLES, NOT_COPIED_TABLES } from '../../src/adapters/store/copy/copied-tables.ts';

test('sluice copy knows every table of SQLite', () => {
  const schema = readFileSync(new URL('../../docs/schema.sql', import.meta.url), 'utf8');
  const tables = [...schema.matchAll(/^CREATE TABLE (\w+) ?\(/gm)].map(([, name]) => name!);
  const known = [...COPIED_TABLES.map(({ name }) => name), ...NOT_COPIED_TABLES];
  assert.deepEqual(known.toSorted(), tables.toSorted());
});
