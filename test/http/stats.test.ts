import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StatsResult } from '../../src/domain/stats.ts';
import { latencyBucket } from '../../src/domain/stats.ts';
import {
  STATS_QUERY,
  type StatsParameters,
  type StatsWindow,
  statsObject,
  statsRequest,
} from '../../src/http/endpoints/stats.ts';
import { parseQuery } from '../../src/wire/schema/query-reader.ts';
import { responseValidator } from '../helpers/openapi.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const USER = { userId: 'u', role: 'user', keyId: null } as const;
const ADMIN = { userId: 'u', role: 'admin', keyId: null } as const;

/** The response body for these results of the store; checked against the OpenAPI document. */
const bodyOf = (parameters: StatsParameters, result: StatsResult) => {
  const request = statsRequest(parameters, NOW);
  const body = statsObject({ parameters, request, result, now: NOW, inFlight: { now: 1, limit: 50 } });
  assert.deepEqual(responseValidator('getStats', 200)(JSON.parse(JSON.stringify(body))), []);
  return body;
};

test('a window consists of whole steps, and the last step is still running', () => {
  const rows: [window: StatsWindow, stepSeconds: number, from: string, steps: number][] = [
    ['1h', 60, '2026-01-02T02:05:00.000Z', 60],
    ['24h', 900, '2026-01-01T03:15:00.000Z', 96],
    ['7d', 3600, '2025-12-26T04:00:00.000Z', 168],
  ];
  for (const [window, seconds, from, count] of rows) {
    const body = bodyOf({ window, userId: 'u' }, { steps: [], hosts: [], errors: [] });
    assert.equal(body.step_seconds, seconds);
    assert.equal(body.from, from);
    assert.equal(body.to, '2026-01-02T03:04:05.678Z');
    assert.equal(body.series.length, count);
    assert.equal(body.series[0]!.at, from);
    assert.equal(
      body.series.at(-1)!.at,
      new Date(Math.floor(NOW / (seconds * 1000)) * seconds * 1000).toISOString(),
    );
    assert.deepEqual(body.latency_ms, { p50: null, p95: null, p99: null });
    assert.equal(body.series[5]!.p50_ms, null);
    assert.equal(body.totals.scrapes, 0);
  }
});

test('totals are the sums of the steps', () => {
  const { at } = statsRequest({ window: '1h', userId: null }, NOW);
  const counts = (pairs: Record<string, number>) => new Map(Object.entries(pairs));
  const fast = String(latencyBucket(10));
  const slow = String(latencyBucket(1000));
  const body = bodyOf(
    { window: '1h', userId: null },
    {
      steps: [
        { at: at[3]!, kind: 'outcome', counts: counts({ ok: 8, failed: 1, blocked: 0 }) },
        { at: at[3]!, kind: 'latency', counts: counts({ [fast]: 9 }) },
        { at: at[3]!, kind: 'bytes', counts: counts({ '': 500 }) },
        { at: at[4]!, kind: 'outcome', counts: counts({ ok: 1, planned: 5 }) },
        { at: at[4]!, kind: 'latency', counts: counts({ [slow]: 1 }) },
        { at: at[4]!, kind: 'bytes', counts: counts({ '': 5 }) },
      ],
      hosts: [{ host: 'a.example', scrapes: 10, ok: 9, failed: 1, blocked: 0 }],
      errors: [{ code: 'connect.refused', count: 1 }],
    },
  );
  assert.deepEqual(
    [body.totals.scrapes, body.totals.bytes, body.totals.outcomes.ok, body.totals.outcomes.failed],
    [10, 505, 9, 1],
  );
  assert.equal(body.totals.outcomes.blocked, 0);
  assert.equal(body.totals.outcomes.planned, 5);
  assert.equal(body.series[3]!.scrapes, 9);
  assert.equal(body.series[4]!.p50_ms, body.series[4]!.p95_ms);
  // Latencies are counted in buckets, so percentiles are approximate.
  const assertNear = (actual: number | null, exact: number) =>
    assert.ok(Math.abs(actual! - exact) <= 0.05 * exact, `${actual}`);
  assertNear(body.latency_ms.p50, 10);
  assertNear(body.latency_ms.p95, 1000);
  assertNear(body.series[4]!.p50_ms, 1000);
});

describe('the query parameters', () => {
  test('user_id: a user or key gets own statistics; the session of an administrator gets those of all users or of one', () => {
    assert.deepEqual(parseQuery(STATS_QUERY, {}, USER).value, { window: '24h', userId: 'u' });
    assert.deepEqual(parseQuery(STATS_QUERY, { window: '7d' }, { ...ADMIN, keyId: 'k' }).value, {
      window: '7d',
      userId: 'u',
    });
    assert.deepEqual(parseQuery(STATS_QUERY, {}, ADMIN).value, { window: '24h', userId: null });
    assert.deepEqual(parseQuery(STATS_QUERY, { user_id: 'all' }, ADMIN).value?.userId, null);
    assert.deepEqual(parseQuery(STATS_QUERY, { user_id: 'v' }, ADMIN).value?.userId, 'v');
  });

  test('errors name the parameter', () => {
    const pointers = (query: Record<string, string | string[]>, who: typeof USER | typeof ADMIN = USER) =>
      parseQuery(STATS_QUERY, query, who).problems?.map(({ pointer }) => pointer);
    assert.deepEqual(pointers({ window: '2h' }), ['/window']);
    assert.deepEqual(pointers({ window: 'toString' }, ADMIN), ['/window']);
    assert.deepEqual(pointers({ window: ['1h', '7d'] }), ['/window']);
    assert.deepEqual(pointers({ user_id: 'all' }), ['/user_id']);
    assert.deepEqual(pointers({ hours: '2' }), ['/hours']);
  });
});
