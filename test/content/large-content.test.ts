import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { MemoryBudget, SMALL_BYTES } from '../../src/base/memory-budget.ts';
import { createBodyDecoder } from '../../src/content/codings/body-decoder.ts';
import { decodeContent, decodeLargeContent } from '../../src/content/decode-content.ts';

const MIB = 2 ** 20;
const never = new AbortController().signal;
const where = (budget: MemoryBudget, signal = never) => ({ reservation: budget.open(), signal });

/** The body as the decoder gives it, from pieces of its own memory each. */
async function collected(
  body: Uint8Array,
  at: ReturnType<typeof where>,
  { coding = null, length = null, limit = 20 * MIB, piece = 65_536 }: Collecting = {},
) {
  const decoder = createBodyDecoder(coding, limit, at, length);
  for (let from = 0; from < body.length; from += piece)
    if ((await decoder.push(new Uint8Array(body.subarray(from, from + piece)))) === 'full') break;
  return await decoder.end();
}
interface Collecting {
  readonly coding?: string | null;
  readonly length?: number | null;
  readonly limit?: number;
  readonly piece?: number;
}

/** Bytes of all kinds, the same each time. */
function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0, x = 1; at < length; at++) {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    bytes[at] = x >>> 24;
  }
  return bytes;
}

describe('large bodies', () => {
  const body = noise(3 * MIB + 12_345);
  const packed = gzipSync(body);
  const ways: readonly (readonly [string, Uint8Array, Collecting])[] = [
    ['announced', body, { length: body.length }],
    ['announced as too little', body, { length: MIB }],
    ['announced as too much', body, { length: 15 * MIB }],
    ['not announced', body, {}],
    ['in odd pieces', body, { piece: 10_007 }],
    ['in one piece', body, { piece: 1e9 }],
    ['coded', packed, { coding: 'gzip' }],
    ['coded, announced', packed, { coding: 'gzip', length: packed.length }],
    ['with an unknown coding', body, { coding: 'x-unknown' }],
  ];
  for (const [name, bytes, how] of ways)
    it(`are whole and accounted for: ${name}`, async () => {
      const budget = new MemoryBudget(1000 * MIB);
      const at = where(budget);
      const result = await collected(bytes, at, how);
      assert.ok(Buffer.from(result.bytes).equals(body));
      const room = result.bytes.length;
      assert.ok(budget.inUse >= room && budget.inUse <= room + 2 * MIB, `${budget.inUse}`);
      at.reservation.close();
      assert.equal(budget.inUse, 0);
      assert.equal(result.bytes.length, 0);
    });

  it('are cut at the limit', async () => {
    for (const [bytes, coding] of [
      [body, null],
      [packed, 'gzip'],
    ] as const) {
      const budget = new MemoryBudget(1000 * MIB);
      const at = where(budget);
      const result = await collected(bytes, at, { coding, limit: MIB });
      assert.equal(result.state, 'over_limit');
      assert.ok(Buffer.from(result.bytes).equals(body.subarray(0, MIB)));
      at.reservation.close();
    }
  });

  it('small ones ask nobody', async () => {
    const budget = new MemoryBudget(MIB);
    const at = where(budget);
    const result = await collected(body.subarray(0, SMALL_BYTES), at, { length: SMALL_BYTES });
    assert.equal(result.bytes.length, SMALL_BYTES);
    assert.equal(budget.inUse, 0);
  });

  it('wait for room, and go on with all of it', async () => {
    const budget = new MemoryBudget(10 * MIB);
    const other = budget.open();
    other.reserve(8 * MIB, 8 * MIB, never);
    const at = where(budget);
    const going = collected(body, at, { length: body.length });
    await new Promise((r) => setTimeout(r, 20));
    assert.equal(budget.waiting, 1);
    other.close();
    assert.ok(Buffer.from((await going).bytes).equals(body));
    assert.ok(at.reservation.waitedMs >= 15);
    at.reservation.close();
    assert.equal(budget.inUse, 0);
  });

  it('stop when the wait is ended', async () => {
    for (const coding of [null, 'gzip'] as const) {
      const budget = new MemoryBudget(10 * MIB);
      const other = budget.open();
      other.reserve(8 * MIB, 8 * MIB, never);
      const abort = new AbortController();
      const at = where(budget, abort.signal);
      const going = collected(coding === null ? body : packed, at, { coding });
      setTimeout(() => abort.abort(), 20);
      await going;
      assert.equal(at.reservation.starved, true);
      at.reservation.close();
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
      it(`are the same as when made in one go: ${name}${cutAtLimit ? ', cut' : ''}`, async () => {
        const ask = {
          body,
          headers: [['content-type', type]] as const,
          undecoded: false,
          cutAtLimit,
          noBody: false,
          want: 'auto' as const,
        };
        const budget = new MemoryBudget(100 * MIB);
        const at = where(budget);
        const small = decodeContent(ask);
        const large = await decodeLargeContent(ask, at);
        assert.ok(large !== null);
        assert.equal(large.content.encoding, small.content.encoding);
        assert.ok(Buffer.from(large.content.bytes).equals(Buffer.from(small.content.bytes)));
        assert.deepEqual(large.charset, small.charset);
        assert.equal(large.replaced, small.replaced);
        assert.equal(large.stopped, false);
        at.reservation.close();
        assert.equal(budget.inUse, 0);
      });

  it('let others run meanwhile', async () => {
    const body = noise(8 * MIB);
    const ask = { body, headers: [['content-type', 'text/html; charset=big5']] as const };
    const at = where(new MemoryBudget(100 * MIB));
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const large = await decodeLargeContent(
      { ...ask, undecoded: false, cutAtLimit: false, noBody: false, want: 'auto' },
      at,
    );
    clearInterval(timer);
    assert.equal(large?.stopped, false);
    assert.ok(turns > 10, `${turns} turns`);
    at.reservation.close();
  });

  it('are cut where the signal ended the work', async () => {
    const body = noise(8 * MIB);
    const abort = new AbortController();
    const at = where(new MemoryBudget(100 * MIB), abort.signal);
    const going = decodeLargeContent(
      {
        body,
        headers: [['content-type', 'text/html; charset=koi8-r']],
        undecoded: false,
        cutAtLimit: false,
        noBody: false,
        want: 'auto',
      },
      at,
    );
    abort.abort();
    const made = await going;
    assert.equal(made?.stopped, true);
    assert.ok(made.content.bytes.length < body.length);
    at.reservation.close();
  });
});
