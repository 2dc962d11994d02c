import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyBuffer } from '../../src/content/codings/body-buffer.ts';

test('a body that comes byte by byte is complete, and joined meanwhile', () => {
  const body = new BodyBuffer(10_000, null, null);
  const whole = Buffer.from(Array.from({ length: 5_000 }, (_, n) => n % 251));
  const pieces = Array.from(whole, (byte) => Uint8Array.of(byte));
  for (const piece of pieces) assert.equal(body.add(piece), null);
  // What has been joined does not change with the piece that it came in.
  pieces[0]![0] = 255;
  assert.deepEqual(Buffer.from(body.bytes()), whole);
  assert.equal(body.size, 5_000);
});
