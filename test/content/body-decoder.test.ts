import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { createBodyDecoder } from '../../src/content/codings/body-decoder.ts';
import { parseContentCodings } from '../../src/content/codings/content-codings.ts';
import { decode, encode, NAMES, token } from './coded.ts';

/** Text that compresses well, but with noise enough to keep some length. */
function sample(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 7;
  for (let index = 0; index < length; index++) {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    bytes[index] = state % 5 === 0 ? 97 + ((state >> 16) % 26) : 32 + (index % 64);
  }
  return bytes;
}

const SMALL = sample(30_000);
const LARGE = sample(700_000);

describe('parseContentCodings', () => {
  const CASES: readonly [string | null, readonly string[] | string][] = [
    [null, []],
    ['', []],
    ['identity', []],
    [' , ,identity,', []],
    ['gzip', ['gzip']],
    ['GZip', ['gzip']],
    ['x-gzip', ['gzip']],
    ['gzip, br', ['br', 'gzip']],
    ['gzip,,identity , zstd', ['zstd', 'gzip']],
    ['utf-8', []],
    ['aws-chunked, gzip', ['gzip']],
    ['none', []],
    ['foo', 'unknown content coding "foo"'],
    ['gzip, foo', 'unknown content coding "foo"'],
    ['gzip;q=1', 'unknown content coding "gzip;q=1"'],
    ['gzip,gzip,gzip,gzip,gzip', ['gzip', 'gzip', 'gzip', 'gzip', 'gzip']],
    ['gzip,gzip,gzip,gzip,gzip,br', 'more than 5 content codings'],
  ];
  for (const [value, expected] of CASES) {
    it(`${value}`, () => {
      const parsed = parseContentCodings(value);
      assert.deepEqual(parsed.problem ?? parsed.codings, expected);
    });
  }
});

describe('a body without coding', () => {
  it('is not copied and returned synchronously if it comes in one piece', () => {
    const decoder = createBodyDecoder(null, 100);
    assert.equal(decoder.push(SMALL.subarray(0, 50)), 'more');
    const body = decoder.end();
    assert.ok(!(body instanceof Promise));
    assert.equal(body.bytes.buffer, SMALL.buffer);
    assert.deepEqual({ ...body, bytes: 0 }, { bytes: 0, state: 'whole', undecoded: false, detail: null });
  });

  it('may have exactly as many bytes as the limit', async () => {
    assert.equal((await decode(null, SMALL, SMALL.length)).state, 'whole');
    const body = await decode('identity', SMALL, SMALL.length - 1, [1000]);
    assert.equal(body.state, 'over_limit');
    assert.ok(SMALL.subarray(0, -1).equals(body.bytes));
  });

  it('stays undecoded if the coding is unknown', async () => {
    const body = await decode('foo', SMALL, 1000);
    assert.equal(body.state, 'decode_failed');
    assert.equal(body.undecoded, true);
    assert.equal(body.detail, 'unknown content coding "foo"');
    assert.ok(SMALL.subarray(0, 1000).equals(body.bytes));
  });
});

for (const name of NAMES) {
  for (const [size, plain] of [
    ['small', SMALL],
    ['large', LARGE],
  ] as const) {
    describe(`${name}, ${size}`, () => {
      const wire = encode(name, plain);
      const coding = token(name);

      it('is decoded', async () => {
        for (const sizes of [[wire.length], [1460], [16384], [3, 60_000]]) {
          const body = await decode(coding, wire, plain.length, sizes);
          assert.deepEqual([body.state, body.undecoded, body.detail], ['whole', false, null]);
          assert.ok(plain.equals(body.bytes));
        }
      });

      it('is cut at the limit', async () => {
        for (const limit of [plain.length - 1, 1000, 1, 0]) {
          const body = await decode(coding, wire, limit);
          assert.equal(body.state, 'over_limit');
          assert.ok(plain.subarray(0, limit).equals(body.bytes));
        }
      });

      it('is decoded as far as possible when it ends too early', async () => {
        const body = await decode(coding, wire.subarray(0, wire.length >> 1));
        assert.equal(body.state, 'decode_truncated');
        // zstd gives whole blocks only: of a small body there is nothing, so it stays undecoded.
        if (body.undecoded) assert.equal(name, 'zstd');
        else {
          assert.ok(body.bytes.length > plain.length / 6, `${body.bytes.length}`);
          assert.ok(plain.subarray(0, body.bytes.length).equals(body.bytes));
        }
      });

      it('is decoded without the bytes behind its end', async () => {
        for (const rest of [
          'x',
          '\0'.repeat(600),
          'garbage'.repeat(20_000),
          '\x1f',
          '\x1f\x8b',
          '\x1f\x8b\x08\xff',
        ]) {
          const body = await decode(coding, Buffer.concat([wire, Buffer.from(rest, 'latin1')]));
          assert.equal(body.state, 'whole', `${JSON.stringify(rest.slice(0, 9))}: ${body.detail}`);
          assert.ok(plain.equals(body.bytes));
        }
      });

      it('is complete in spite of a wrong check sum, which is reported', async () => {
        if (name === 'br' || name === 'raw deflate') return;
        const wrong = Buffer.from(wire);
        wrong[wrong.length - (name.endsWith('gzip') ? 6 : 2)]! ^= 1;
        const body = await decode(coding, wrong);
        assert.equal(body.state, 'decode_failed');
        assert.match(body.detail!, /check ?sum/);
        assert.ok(plain.equals(body.bytes), `${body.bytes.length}`);
      });

      it('stays undecoded if it is not in this coding at all', async () => {
        const text = size === 'small' ? SMALL : LARGE;
        const body = await decode(coding, text);
        assert.equal(body.state, 'decode_failed');
        if (body.undecoded) assert.ok(text.equals(body.bytes));
      });

      it('is empty if the body is', async () => {
        const body = await decode(coding, Buffer.alloc(0));
        assert.deepEqual([body.state, body.bytes.length, body.undecoded], ['whole', 0, false]);
        const empty = await decode(coding, encode(name, Buffer.alloc(0)));
        assert.deepEqual([empty.state, empty.bytes.length, empty.detail], ['whole', 0, null]);
      });
    });
  }
}

describe('gzip', () => {
  it('of several members is one body', async () => {
    for (const plain of [SMALL, LARGE]) {
      const body = await decode('gzip', Buffer.concat([gzipSync(plain), gzipSync('and'), gzipSync('more')]));
      assert.equal(body.state, 'whole');
      assert.ok(Buffer.concat([plain, Buffer.from('andmore')]).equals(body.bytes));
    }
  });

  it('of thousands of empty members is refused', async () => {
    const body = await decode('gzip', Buffer.concat(Array(20_000).fill(gzipSync(''))));
    assert.equal(body.state, 'decode_failed');
    assert.match(body.detail!, /too many members/);
  });

  it('with every part of a head', async () => {
    const plain = gzipSync('hello');
    const head = Buffer.from([0x1f, 0x8b, 8, 0b11111, 0, 0, 0, 0, 0, 3, 3, 0, 1, 2, 3]);
    const wire = Buffer.concat([
      head,
      Buffer.from('name\0comment\0'),
      Buffer.from([9, 9]),
      plain.subarray(10),
    ]);
    for (const sizes of [[1], [1000]]) {
      assert.equal(Buffer.from((await decode('gzip', wire, 100, sizes)).bytes).toString(), 'hello');
    }
  });
});

describe('zstd', () => {
  const skippable = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]);

  it('of several frames, with skippable ones, is one body', async () => {
    for (const plain of [SMALL, LARGE]) {
      const frame = encode('zstd', plain);
      const body = await decode('zstd', Buffer.concat([skippable, frame, skippable, frame, skippable]));
      assert.equal(body.state, 'whole', body.detail ?? '');
      assert.ok(Buffer.concat([plain, plain]).equals(body.bytes));
    }
  });

  it('with a window over 8 MiB is refused, as RFC 9659 says', async () => {
    const wire = zstdCompressSync(Buffer.alloc(20 << 20, 'abc'), {
      params: { [constants.ZSTD_c_windowLog]: 24, [constants.ZSTD_c_contentSizeFlag]: 0 },
    });
    const body = await decode('zstd', wire);
    assert.deepEqual([body.state, body.undecoded], ['decode_failed', true]);
  });
});

describe('stacked codings', () => {
  it('are undone from the right', async () => {
    for (const plain of [SMALL, LARGE]) {
      const wire = encode(
        'deflate',
        encode('zstd', encode('br', encode('raw deflate', encode('gzip', plain)))),
      );
      const body = await decode('gzip, deflate, br, zstd, deflate', wire);
      assert.deepEqual([body.state, body.detail], ['whole', null]);
      assert.ok(plain.equals(body.bytes));
    }
  });

  it('gzip named twice but applied once stays undecoded', async () => {
    for (const plain of [SMALL, LARGE]) {
      const wire = gzipSync(plain);
      const body = await decode('gzip, gzip', wire);
      assert.deepEqual([body.state, body.undecoded], ['decode_failed', true]);
      assert.ok(wire.equals(body.bytes));
    }
  });

  it('an inner layer that ends too early is decoded as far as possible', async () => {
    for (const plain of [SMALL, LARGE]) {
      const inner = gzipSync(plain);
      const body = await decode('gzip, br', encode('br', inner.subarray(0, inner.length >> 1)));
      assert.equal(body.state, 'decode_truncated');
      assert.equal(body.detail, 'gzip: the data ends too early');
      assert.ok(body.bytes.length > plain.length / 3);
      assert.ok(plain.subarray(0, body.bytes.length).equals(body.bytes));
    }
  });

  it('a bomb in a bomb in a bomb costs some MiB', (t) => {
    const script = `
      import { brotliCompressSync, constants, createGzip, gzipSync, zstdCompressSync } from 'node:zlib';
      import { decode } from ${JSON.stringify(new URL('./coded.ts', import.meta.url).href)};
      const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };
      const pieces = [];
      const gzip = createGzip().on('data', (piece) => pieces.push(piece));
      const zeros = Buffer.alloc(1 << 20);
      for (let n = 0; n < 256; n++) await new Promise((resolve) => gzip.write(zeros, resolve));
      await new Promise((resolve) => gzip.end(resolve));
      const one = Buffer.concat(pieces);
      const two = brotliCompressSync(one, quick);
      const three = zstdCompressSync(two);
      await decode('gzip, br, zstd', three, 1000);
      const before = process.resourceUsage().maxRSS;
      const states = [];
      for (const [coding, wire] of [['gzip', one], ['gzip, br', two], ['gzip, br, zstd', three]])
        states.push((await decode(coding, wire, 4 << 20)).state, (await decode(coding + ', gzip', gzipSync(wire), 4 << 20)).state);
      console.log(JSON.stringify({ states, kib: process.resourceUsage().maxRSS - before }));`;
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    const { states, kib } = JSON.parse(out) as { states: string[]; kib: number };
    t.diagnostic(`${Math.round(kib / 1024)} MiB`);
    assert.deepEqual([...new Set(states)], ['over_limit']);
    assert.ok(kib < 64 * 1024, `${kib} KiB`);
  });
});

describe('the end of decoding', () => {
  it('comes once the limit is reached', async () => {
    const body = await decode('gzip', gzipSync(sample(20 << 20), { level: 1 }), 100_000);
    assert.equal(body.state, 'over_limit');
    assert.ok(body.pushed < 200_000, `${body.pushed}`);
  });

  it('comes before the end of endless coded bytes without content', async () => {
    const skippable = Buffer.concat([
      Buffer.from([0x50, 0x2a, 0x4d, 0x18, 0, 0x40, 0, 0]),
      Buffer.alloc(0x4000),
    ]);
    const body = await decode('zstd', Buffer.concat(Array(300).fill(skippable)), 1000);
    assert.ok(body.pushed < 2 << 20, `${body.pushed}`);
    assert.notEqual(body.state, 'whole');
  });

  it('comes when the decoder is destroyed in the middle', async () => {
    for (const coding of ['gzip', 'br, gzip', 'zstd']) {
      const wire =
        token('gzip') === coding
          ? gzipSync(LARGE)
          : coding === 'zstd'
            ? encode('zstd', LARGE)
            : gzipSync(encode('br', LARGE));
      const decoder = createBodyDecoder(coding, 10 << 20);
      const pushed = decoder.push(wire);
      decoder.destroy();
      await pushed;
      await decoder.end();
      assert.equal(await decoder.push(wire), 'full');
    }
  });
});
