import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createInProcessCoordination } from '../../src/adapters/coordination/in-process.ts';
import { createLimitPermits } from '../../src/adapters/permits/limit-permits.ts';
import { systemClock } from '../../src/base/time.ts';
import { permitsContract } from '../contracts/permits.ts';
import { openReplica, replicaDatabase } from '../helpers/coordination.ts';
import { noPostgres } from '../helpers/postgres.ts';

permitsContract('in process', async () =>
  createLimitPermits(createInProcessCoordination(systemClock).limits),
);

test('in process: take returns the permit synchronously', () => {
  const permits = createLimitPermits(createInProcessCoordination(systemClock).limits);
  const permit = permits.take({ userId: 'a', limit: 1, keyId: null, keyLimit: null });
  assert.ok(permit !== null && !(permit instanceof Promise));
  assert.equal(permits.inUse('a'), 1);
});

describe('over replicas', { skip: noPostgres }, () => {
  permitsContract('PostgreSQL', async (t) => {
    const { limits } = await openReplica(t, await replicaDatabase());
    return createLimitPermits(limits);
  });
});
