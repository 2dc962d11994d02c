import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterMs } from '../../src/base/retry-after.ts';
import fc from '../helpers/fast-check.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const of = (...values: string[]) =>
  retryAfterMs(
    values.map((value) => ['retry-after', value] as const),
    NOW,
  );

const cases: [value: string, ms: number | null][] = [
  ['120', 120_000],
  [' 0 ', 0],
  ['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
  ['Thursday, 01-Jan-26 00:00:10 GMT', 10_000],
  ['Thu Jan  1 00:00:10 2026', 10_000],
  ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
  ['-1', null],
  ['1.5', null],
  ['soon', null],
  ['', null],
  ['2026-01-01T00:00:10Z', null],
  ['9999999999999999', null],
];
for (const [value, ms] of cases)
  test(`Retry-After: ${JSON.stringify(value)}`, () => assert.equal(of(value), ms));

test('of several the longest, of none nothing', () => {
  assert.equal(of('5', 'x', '7'), 7_000);
  assert.equal(of(), null);
  assert.equal(retryAfterMs([['x-retry-after', '5']], NOW), null);
});

test('anything gives a time from 0, or nothing', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const ms = of(value);
      assert.ok(ms === null || ms >= 0);
    }),
  );
});
