import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLimitPermits } from '../../src/adapters/permits/limit-permits.ts';
import { permitsContract } from '../contracts/permits.ts';
import { openReplica, replicaDatabase } from '../helpers/coordination.ts';
import { inProcess } from '../helpers/in-process.ts';
import { noPostgres } from '../helpers/postgres.ts';

permitsContract('in process', async () => createLimitPermits(inProcess().limits));

test('in process: take returns the permit synchronously', () => {
  const permits = createLimitPermits(inProcess().limits);
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
