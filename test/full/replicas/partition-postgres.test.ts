import { join } from 'node:path';
import { test } from 'node:test';
import { ownNetwork, runInside } from '../../helpers/own-network.ts';
import { noPostgres } from '../../helpers/postgres.ts';

const { prefix, skip } = ownNetwork();

test('services that packets of PostgreSQL do not reach for 14 s', { skip: noPostgres || skip }, async (t) => {
  await runInside(t, prefix!, join(import.meta.dirname, 'inside/postgres.ts'));
});
