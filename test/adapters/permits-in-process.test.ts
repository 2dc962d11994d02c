import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createInProcessPermits } from '../../src/adapters/permits/in-process.ts';
import { permitsContract } from '../contracts/permits.ts';

permitsContract('in process', async () => createInProcessPermits());

test('in process: take returns the permit synchronously', () => {
  const permits = createInProcessPermits();
  const permit = permits.take({ userId: 'a', limit: 1, keyId: null, keyLimit: null });
  assert.ok(permit !== null && !(permit instanceof Promise));
  assert.equal(permits.inUse('a'), 1);
});
