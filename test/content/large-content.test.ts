import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { MemoryBudget, SMALL_BYTES } from '../../src/base/memory-budget.ts';
import { decodeContent, decodeLargeContent } from '../../src/content/charset/decode-content.ts';
import { createBodyDecoder } from '../../src/content/codings/body-decoder.ts';

const MIB = 2 ** 20;
const never = new AbortController().signal;
/** The memory that a body may take, and the signal that ends waiting for it. */
const accountOf = (budget: MemoryBudget, signal = never) => ({ reservation: budget.open(), signal });

/** What the decoder returns for a body that arrives in pieces, each with memory of its own. */
async function collect(
  body: Uint8Array,
  account: ReturnType<typeof accountOf>,
  { coding = null, length = null, limit = 20 * MIB, pieceLength = 65_536 }: CollectOptions = {},
) {
  const decoder = createBodyDecoder(coding, limit, account, length);
  for (let offset = 0; offset < body.length; offset += pieceLength)
    if ((await decoder.push(new Uint8Array(body.subarray(offset, offset + pieceLength)))) === 'full') break;
  return await decoder.end();
}
interface CollectOptions {
  readonly coding?: string | null;
  readonly length?: number | null;
  readonly limit?: number;
  readonly pieceLength?: number;
}

/** Pseudorandom bytes, the same each time. */
function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let index = 0, x = 1; index < length; index++) {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    bytes[index] = x >>> 24;
  }
  return bytes;
}

describe('large bodies', () => {
  const body = noise(3 * MIB + 12_345);
  const packed = gzipSync(body);
  const cases: readonly (readonly [string, Uint8Array, CollectOptions])[] = [
    ['announced', body, { length: body.length }],
    ['announced as shorter', body, { length: MIB }],
    ['announced as longer', body, { length: 15 * MIB }],
    ['not announced', body, {}],
    ['in pieces of odd length', body, { pieceLength: 10_007 }],
    ['in one piece', body, { pieceLength: 1e9 }],
    ['coded', packed, { coding: 'gzip' }],
    ['coded, announced', packed, { coding: 'gzip', length: packed.length }],
    ['with an unknown coding', body, { coding: 'x-unknown' }],
  ];
  for (const [name, bytes, options] of cases)
    it(`are whole and accounted for: ${name}`, async () => {
      const budget = new MemoryBudget(1000 * MIB);
      const account = accountOf(budget);
      const result = await collect(bytes, account, options);
      assert.ok(Buffer.from(result.bytes).equals(body));
      const length = result.bytes.length;
      assert.ok(budget.inUse >= length && budget.inUse <= length + 2 * MIB, `${budget.inUse}`);
      account.reservation.close();
      assert.equal(budget.inUse, 0);
      assert.equal(result.bytes.length, 0);
    });

  it('are cut at the limit', async () => {
    for (const [bytes, coding] of [
      [body, null],
      [packed, 'gzip'],
    ] as const) {
      const budget = new MemoryBudget(1000 * MIB);
      const account = accountOf(budget);
      const result = await collect(bytes, account, { coding, limit: MIB });
      assert.equal(result.state, 'over_limit');
      assert.ok(Buffer.from(result.bytes).equals(body.subarray(0, MIB)));
      account.reservation.close();
    }
  });

  it('that are small need no reservation', async () => {
    const budget = new MemoryBudget(MIB);
    const account = accountOf(budget);
    const result = await collect(body.subarray(0, SMALL_BYTES), account, { length: SMALL_BYTES });
    assert.equal(result.bytes.length, SMALL_BYTES);
    assert.equal(budget.inUse, 0);
  });

  it('wait for memory, and are then complete', async () => {
    const budget = new MemoryBudget(10 * MIB);
    const other = budget.open();
    other.reserve(8 * MIB, 8 * MIB, never);
    const account = accountOf(budget);
    const pending = collect(body, account, { length: body.length });
    await new Promise((r) => setTimeout(r, 20));
    assert.equal(budget.waiting, 1);
    other.close();
    assert.ok(Buffer.from((await pending).bytes).equals(body));
    assert.ok(account.reservation.waitedMs >= 15);
    account.reservation.close();
    assert.equal(budget.inUse, 0);
  });

  it('stop when the signal ends the wait', async () => {
    for (const coding of [null, 'gzip'] as const) {
      const budget = new MemoryBudget(10 * MIB);
      const other = budget.open();
      other.reserve(8 * MIB, 8 * MIB, never);
      const abort = new AbortController();
      const account = accountOf(budget, abort.signal);
      const pending = collect(coding === null ? body : packed, account, { coding });
      setTimeout(() => abort.abort(), 20);
      await pending;
      assert.equal(account.reservation.starved, true);
      account.reservation.close();
      other.close();
      assert.equal(budget.inUse, 0);
    }
  });
});

describe('large texts', () => {
  const samples: readonly (readonly [string, string, Buffer])[] = [
    ['UTF-8', 'text/html; charset=utf-8', Buffer.from('žluťoučký kůň 漢字 😀 '.repeat(20_000))],
    ['UTF-8 with BOM', 'text/html', Buffer.from(`\ufeff${'å漢😀'.repeat(50_000)}`)],
    ['ASCII', 'text/plain', Buffer.alloc(MIB, 'plain ')],
    ['invalid UTF-8', 'text/html; charset=utf-8', noise(MIB)],
    [
      'UTF-8 with its own U+FFFD',
      'text/html; charset=utf-8',
      Buffer.concat([noise(300_000), Buffer.from('\ufffd'.repeat(99_999))]),
    ],
    ['unlabelled', 'text/html', noise(MIB)],
    ['binary', 'application/octet-stream', noise(MIB)],
    ...[
      'windows-1252',
      'koi8-r',
      'utf-16le',
      'utf-16be',
      'gb18030',
      'gbk',
      'big5',
      'euc-kr',
      'euc-jp',
      'shift_jis',
      'iso-2022-jp',
      'x-user-defined',
      'replacement',
    ].map((label) => [label, `text/html; charset=${label}`, noise(600_001)] as const),
  ];
  for (const [name, type, body] of samples)
    for (const cutAtLimit of [false, true])
      it(`are decoded as in one go: ${name}${cutAtLimit ? ', cut' : ''}`, async () => {
        const options = {
          body,
          headers: [['content-type', type]] as const,
          undecoded: false,
          cutAtLimit,
          noBody: false,
          want: 'auto' as const,
        };
        const budget = new MemoryBudget(100 * MIB);
        const account = accountOf(budget);
        const small = decodeContent(options);
        const large = await decodeLargeContent(options, account);
        assert.ok(large !== null);
        assert.equal(large.content.encoding, small.content.encoding);
        assert.ok(Buffer.from(large.content.bytes).equals(Buffer.from(small.content.bytes)));
        assert.deepEqual(large.charset, small.charset);
        assert.equal(large.replaced, small.replaced);
        assert.equal(large.stopped, false);
        account.reservation.close();
        assert.equal(budget.inUse, 0);
      });

  it('let other work run meanwhile', async () => {
    const body = noise(8 * MIB);
    const options = { body, headers: [['content-type', 'text/html; charset=big5']] as const };
    const account = accountOf(new MemoryBudget(100 * MIB));
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const large = await decodeLargeContent(
      { ...options, undecoded: false, cutAtLimit: false, noBody: false, want: 'auto' },
      account,
    );
    clearInterval(timer);
    assert.equal(large?.stopped, false);
    assert.ok(turns > 10, `${turns} turns`);
    account.reservation.close();
  });

  it('end where the signal stopped the work', async () => {
    const body = noise(8 * MIB);
    const abort = new AbortController();
    const account = accountOf(new MemoryBudget(100 * MIB), abort.signal);
    const pending = decodeLargeContent(
      {
        body,
        headers: [['content-type', 'text/html; charset=koi8-r']],
        undecoded: false,
        cutAtLimit: false,
        noBody: false,
        want: 'auto',
      },
      account,
    );
    abort.abort();
    const result = await pending;
    assert.equal(result?.stopped, true);
    assert.ok(result.content.bytes.length < body.length);
    account.reservation.close();
  });
});
