import { join } from 'node:path';
import { test } from 'node:test';
import { ownNetworks, runInside } from '../../helpers/own-network.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { noRedis } from '../../helpers/redis.ts';

const { prefix, skip } = ownNetworks();
/** For busy machines. It takes less than a minute otherwise. */
const LIMIT_MS = 300_000;

test('services that packets of Redis do not reach for 14 s', {
  skip: noPostgres || noRedis || skip,
}, async (t) => {
  await runInside(t, prefix!, join(import.meta.dirname, 'inside/redis.ts'), LIMIT_MS);
});
