import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pack, piecesOf, unpack } from '../../../src/adapters/replicas/packing.ts';

/** The value after a journey in pieces of `size` bytes. */
async function carried(value: unknown, size: number): Promise<unknown> {
  const pieces = piecesOf(pack(value), size);
  return await unpack(async () => {
    const { value: piece, done } = pieces.next();
    return done === true ? null : piece;
  });
}

test('data and byte arrays survive, whatever the size of the pieces', async () => {
  const value = {
    text: 'Zürich \u0000 \ud800',
    nothing: null,
    list: [1, { bytes: new Uint8Array([1, 2, 3]) }, [new Uint8Array()]],
    bytes: new Uint8Array(1000).fill(7),
    // As a page may return it: no key has a meaning of its own.
    page: JSON.parse('{"__proto__": {"parts": [[["value"], 3]]}, "constructor": 1}') as unknown,
  };
  for (const size of [1, 7, 1000, 1_000_000]) assert.deepEqual(await carried(value, size), value);
});

test('members that are undefined, and functions, are left out; other data is not changed', async () => {
  const value = { a: undefined, b: () => 1, c: { d: new Uint8Array([1]) } };
  assert.deepEqual(await carried(value, 10), { c: { d: new Uint8Array([1]) } });
  assert.deepEqual(value.c.d, new Uint8Array([1]));
});

test('objects with a form of their own are refused', () => {
  assert.throws(() => pack({ a: [new Date(0)] }), /cannot be packed: value\/a\/0/);
});

test('byte arrays have memory of their own', async () => {
  const { a, b } = (await carried({ a: new Uint8Array(10), b: new Uint8Array(20) }, 1000)) as {
    a: Uint8Array;
    b: Uint8Array;
  };
  assert.equal(a.buffer.byteLength, 10);
  assert.equal(b.buffer.byteLength, 20);
});

test('what ends too early is refused', async () => {
  const [first] = piecesOf(pack({ bytes: new Uint8Array(100) }), 20);
  const pieces = [first!];
  await assert.rejects(
    unpack(async () => pieces.shift() ?? null),
    /end too early/,
  );
});
