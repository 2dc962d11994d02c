import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '../helpers/fast-check.ts';
import { decode, encode, NAMES, token } from './coded.ts';

const name = fc.constantFrom(...NAMES);
const stack = fc.array(name, { minLength: 1, maxLength: 5 });
const sizes = fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 5 });
/** As long as a page: a seed repeated, half of it with noise, so that also the coded form may be long. */
const plain = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 400, size: 'max' }), fc.integer({ min: 0, max: 900 }))
  .map(([seed, times]) => {
    const bytes = Buffer.alloc(seed.length * times);
    for (let index = 0; index < bytes.length; index++) {
      bytes[index] = seed[index % seed.length]! ^ (index & 1 ? Math.imul(index, 0x9e3779b1) >>> 13 : 0);
    }
    return bytes;
  });

const header = (names: readonly string[]) => names.join(', ');
const wireOf = (names: readonly (typeof NAMES)[number][], bytes: Uint8Array) =>
  names.reduce<Buffer>((coded, name) => encode(name, coded), Buffer.from(bytes));

describe('body decoder, any input', () => {
  it('gives back what was encoded, however it is stacked and cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(stack, plain, sizes, async (names, bytes, pieces) => {
        const body = await decode(header(names.map(token)), wireOf(names, bytes), 1 << 20, pieces);
        assert.deepEqual([body.state, body.detail], ['whole', null]);
        assert.ok(bytes.equals(body.bytes));
      }),
      { numRuns: 150 },
    );
  });

  it('gives the beginning of the body, up to the limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        stack,
        plain,
        sizes,
        fc.integer({ min: 0, max: 100_000 }),
        async (names, bytes, pieces, limit) => {
          const body = await decode(header(names.map(token)), wireOf(names, bytes), limit, pieces);
          assert.equal(body.state, bytes.length > limit ? 'over_limit' : 'whole');
          assert.ok(bytes.subarray(0, limit).equals(body.bytes));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('gives the same in whatever pieces, also of cut and broken bodies', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(name, { minLength: 1, maxLength: 2 }),
        fc.oneof(
          plain,
          fc.uint8Array({ maxLength: 200_000, size: 'max' }).map((bytes) => Buffer.from(bytes)),
        ),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 2 }),
        sizes,
        sizes,
        async (names, bytes, cut, flips, sizesA, sizesB) => {
          const whole = wireOf(names, bytes);
          for (const flip of flips) if (whole.length > 0) whole[Math.floor(flip * whole.length)]! ^= 0x10;
          const wire = whole.subarray(0, Math.ceil(whole.length * cut));
          const coding = header(names.map(token));
          const resultA = await decode(coding, wire, 150_000, sizesA);
          const resultB = await decode(coding, wire, 150_000, sizesB);
          assert.deepEqual(
            [resultA.state, resultA.undecoded, resultA.detail],
            [resultB.state, resultB.undecoded, resultB.detail],
          );
          assert.ok(Buffer.from(resultA.bytes).equals(resultB.bytes));
          assert.ok(resultA.bytes.length <= 150_000);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('accepts any bytes and any header', async () => {
    const word = fc.oneof(
      fc.constantFrom('gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'identity', ''),
      fc.string(),
    );
    const magic = fc.constantFrom([], [0x1f, 0x8b, 8, 0], [0x28, 0xb5, 0x2f, 0xfd], [0x78, 0x9c], [0x8b]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { maxLength: 6 }),
        magic,
        fc.uint8Array({ maxLength: 100_000, size: 'max' }),
        fc.integer({ min: 0, max: 200_000 }),
        sizes,
        async (words, start, rest, limit, pieces) => {
          const wire = Buffer.concat([Buffer.from(start), rest]);
          const body = await decode(words.join(','), wire, limit, pieces);
          assert.ok(body.bytes.length <= limit);
          if (body.undecoded) assert.ok(wire.subarray(0, limit).equals(body.bytes));
        },
      ),
      { numRuns: 300 },
    );
  });
});
