import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeSchema } from '../../scripts/dump-schema.ts';

test('docs/schema.sql is the schema that the migrations make', () => {
  // `true`: only compares, and writes nothing.
  assert.ok(writeSchema(true), 'run `node scripts/dump-schema.ts`');
});
