import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterMs } from '../../src/base/retry-after.ts';
import type { Scrape } from '../../src/domain/scrape.ts';
import { retryPause } from '../../src/jobs/retry.ts';
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

const PAUSES: readonly (readonly [
  status: number,
  retryAfter: string | null,
  tries: number,
  pause: number | null,
])[] = [
  [503, '1', 1, 1_000],
  [429, '1', 2, 1_000],
  [503, '0', 1, 1_000],
  [503, '90', 1, 90_000],
  [503, '999999999', 1, 24 * 3_600_000],
  [503, 'Thu, 01 Jan 1970 00:00:05 GMT', 1, 5_000],
  [503, null, 1, 60_000],
  [503, 'soon', 2, 300_000],
  [500, null, 3, 1_800_000],
  [404, '1', 1, null],
];
for (const [statusCode, retryAfter, tries, pause] of PAUSES)
  test(`an item that got ${statusCode} with Retry-After: ${retryAfter}, tried ${tries} times`, () => {
    const headers = retryAfter === null ? [] : [['retry-after', retryAfter]];
    const scrape = { outcome: 'ok', errors: [], verdict: null, delivered: { page: { statusCode, headers } } };
    assert.equal(retryPause(scrape as unknown as Scrape, tries, 0), pause);
  });

test('the first page of a crawl is tried again at once, and after seconds, unless the site has had too much', () => {
  const failed = { outcome: 'failed', errors: [{ code: 'proxy.failed' }], verdict: null, delivered: null };
  const pauses = (scrape: object, isAwaited: boolean) =>
    [1, 2, 3].map((tries) => retryPause(scrape as Scrape, tries, 0, isAwaited));
  assert.deepEqual(pauses(failed, true), [0, 5_000, 1_800_000]);
  assert.deepEqual(pauses(failed, false), [60_000, 300_000, 1_800_000]);
  const limited = {
    ...failed,
    outcome: 'target_error',
    errors: [],
    delivered: { page: { statusCode: 429, headers: [] } },
  };
  assert.deepEqual(pauses(limited, true), [60_000, 300_000, 1_800_000]);
});

test('a page that broke off is tried again at once, after seconds, then as others are', () => {
  const scrape = {
    outcome: 'partial',
    errors: [{ code: 'content.incomplete' }],
    verdict: null,
    delivered: { page: { statusCode: 200, headers: [] } },
  } as unknown as Scrape;
  assert.deepEqual(
    [1, 2, 3].map((tries) => retryPause(scrape, tries, 0)),
    [0, 5_000, 1_800_000],
  );
});
