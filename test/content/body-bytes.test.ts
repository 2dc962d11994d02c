import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyBytes } from '../../src/content/body-bytes.ts';

test('a body that comes byte by byte is all there, in its order', () => {
  const body = new BodyBytes(10_000, null, null);
  const whole = Buffer.from(Array.from({ length: 5_000 }, (_, n) => n % 251));
  for (const byte of whole) assert.equal(body.add(Uint8Array.of(byte)), null);
  assert.deepEqual(Buffer.from(body.bytes()), whole);
  assert.equal(body.size, 5_000);
});
