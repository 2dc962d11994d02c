import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { decode } from '../../content/coded.ts';

const root = process.env.CONFORMANCE_DATA;
const folder = join(root ?? '', 'compression');
const skip = root === undefined ? 'CONFORMANCE_DATA is not set' : false;

interface Case {
  readonly file: string;
  readonly content_encoding: string;
  readonly kind: 'valid' | 'bomb' | 'broken';
  readonly expect: 'ok' | 'decode-error-or-partial';
  /** What the makers of the data say, where the tool that measured it is older than they. */
  readonly expect_upstream?: 'ok' | 'error';
  readonly decoded_bytes?: number;
  readonly decoded_sha256?: string;
}

const cases = (): Case[] => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
const read = (entry: Case) => readFileSync(join(folder, entry.file));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('coded bodies', { skip }, () => {
  it('valid ones are whole and right', async (t) => {
    let right = 0;
    for (const entry of cases().filter((one) => one.kind === 'valid')) {
      for (const sizes of [[1 << 20], [1000, 1, 7]]) {
        const body = await decode(entry.content_encoding, read(entry), 10 << 20, sizes);
        assert.equal(body.state, 'whole', `${entry.file}: ${body.detail}`);
        if (entry.decoded_sha256 !== undefined)
          assert.equal(sha256(body.bytes), entry.decoded_sha256, entry.file);
      }
      right++;
    }
    t.diagnostic(`${right} valid streams right`);
    assert.ok(right >= 50);
  });

  it('broken ones are told', async (t) => {
    let told = 0;
    for (const entry of cases().filter((one) => one.kind === 'broken')) {
      const body = await decode(entry.content_encoding, read(entry));
      assert.match(body.state, /^decode_/, entry.file);
      assert.ok(body.detail!.length > 10);
      told++;
    }
    t.diagnostic(`${told} broken streams told`);
    assert.ok(told >= 6);
  });

  it('what a broken gzip stream still has is given', async () => {
    const body = await decode('gzip', readFileSync(join(folder, 'scrapy/unexpected-eof.gz')));
    assert.equal(body.state, 'decode_truncated');
    assert.ok(body.bytes.length > 8000);
  });

  it('bombs are cut at the limit', async (t) => {
    const bombs = cases().filter((one) => one.kind === 'bomb');
    for (const entry of bombs) {
      for (const limit of [1000, 1 << 20]) {
        const body = await decode(entry.content_encoding, read(entry), limit);
        assert.equal(body.state, 'over_limit', entry.file);
        assert.equal(body.bytes.length, limit, entry.file);
      }
    }
    t.diagnostic(`${bombs.length} bombs cut`);
    assert.equal(bombs.length, 4);
  });

  it('bombs cost no memory', (t) => {
    for (const entry of cases().filter((one) => one.kind === 'bomb')) {
      const script = `
        import { readFileSync } from 'node:fs';
        import { decode } from ${JSON.stringify(new URL('../../content/coded.ts', import.meta.url).href)};
        const wire = readFileSync(${JSON.stringify(join(folder, entry.file))});
        await decode(${JSON.stringify(entry.content_encoding)}, wire.subarray(0, 1), 1000);
        const before = process.resourceUsage().maxRSS;
        const body = await decode(${JSON.stringify(entry.content_encoding)}, wire, 1 << 20);
        console.log(JSON.stringify({ state: body.state, kib: process.resourceUsage().maxRSS - before }));`;
      const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
      const { state, kib } = JSON.parse(out);
      t.diagnostic(`${entry.file}: ${state}, ${Math.round(kib / 1024)} MiB`);
      assert.equal(state, 'over_limit');
      assert.ok(kib < 64 * 1024, `${kib} KiB`);
    }
  });
});
