import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failure } from '../../src/domain/failure.ts';
import type { Outcome } from '../../src/domain/scrape.ts';
import type { StatCount } from '../../src/domain/stats.ts';
import { latencyBucket, percentile } from '../../src/domain/stats.ts';
import { ScrapeCounters } from '../../src/observe/scrape-counters.ts';
import fc from '../helpers/fast-check.ts';
import { task } from '../helpers/task.ts';
import { aScrape } from './a-scrape.ts';

const AT = Date.UTC(2026, 0, 2, 3, 59, 30);
const timing = (total: number) => ({ ...aScrape().timing, total });

function counting() {
  const clock = { now: AT };
  const counters = new ScrapeCounters(() => clock.now);
  const sums = (rows: readonly StatCount[], change: Partial<StatCount>) => {
    const found: Record<string, number> = {};
    for (const row of rows) {
      if (Object.entries(change).some(([name, value]) => row[name as keyof StatCount] !== value)) continue;
      const key = `${row.kind} ${row.name}`;
      found[key] = (found[key] ?? 0) + row.count;
    }
    return found;
  };
  return { clock, counters, sums };
}

describe('the counters of scrapes', () => {
  it('count each scrape in steps of every length, for its user and for all', () => {
    const { counters, sums } = counting();
    // The pause that a site asked for says nothing about how fast it is.
    counters.count(aScrape({ timing: { ...timing(60_100), pause: 60_000 } }), 'anna');
    const down = failure('connect.refused', 'no');
    counters.count(
      aScrape({ outcome: 'failed', errors: [down], delivered: null, timing: timing(100) }),
      'anna',
    );
    counters.count(aScrape({ outcome: 'target_error', timing: timing(5) }), 'bert');
    const rows = counters.drain();
    const cell = latencyBucket(100);
    for (const step of [60, 900, 3600]) {
      assert.deepEqual(sums(rows, { step, userId: 'anna' }), {
        'outcome ok': 1,
        'outcome failed': 1,
        'error connect.refused': 1,
        [`latency ${cell}`]: 2,
        'bytes ': 9,
        'host_ok example.com': 1,
        'host_failed example.com': 1,
      });
      const all = sums(rows, { step, userId: null });
      assert.equal(all['outcome ok']! + all['outcome failed']! + all['outcome target_error']!, 3);
      assert.equal(all['bytes '], 18);
      assert.equal(all['host_other example.com'], 1);
    }
    const begins = new Set(rows.map(({ step, at }) => `${step} ${new Date(at).toISOString().slice(11, 19)}`));
    assert.deepEqual([...begins], ['60 03:59:00', '900 03:45:00', '3600 03:00:00', '86400 00:00:00']);
    assert.deepEqual(counters.drain(), [], 'what is taken is gone');
  });

  it('keep the minutes apart that end between two takes, also when the clock goes back', () => {
    const { clock, counters } = counting();
    for (const move of [0, 60_000, -120_000]) {
      clock.now = AT + move;
      counters.count(aScrape(), 'anna');
    }
    const minutes = counters
      .drain()
      .filter((row) => row.step === 60 && row.kind === 'outcome' && row.userId !== null);
    assert.deepEqual(
      minutes.map(({ at, count }) => [(at - AT + 30_000) / 60_000, count]),
      [
        [0, 1],
        [1, 1],
        [-2, 1],
      ],
    );
  });

  it('name so many hosts of a step, and no scrape is lost', () => {
    const { clock, counters, sums } = counting();
    const scrape = (n: number) => aScrape({ task: { ...task({ url: 'http://x/' }), host: `h${n}.example` } });
    const rows: StatCount[] = [];
    for (let second = 0; second < 20; second++) {
      for (let n = 0; n < 300; n++) counters.count(scrape(second * 300 + n), 'anna');
      rows.push(...counters.drain());
    }
    clock.now += 60_000;
    for (let n = 0; n < 50; n++) counters.count(scrape(n + 900_000), 'anna');
    rows.push(...counters.drain());
    const hosts = (step: number, userId: string | null) => sums(rows, { step, userId, kind: 'host_ok' });
    for (const userId of ['anna', null]) {
      const ofHour = hosts(3600, userId);
      assert.equal(Object.keys(ofHour).length <= 202, true);
      assert.equal(
        Object.values(ofHour).reduce((sum, n) => sum + n),
        6_050,
      );
      assert.equal(ofHour['host_ok h0.example'], 1);
      const named = Object.keys(
        sums(rows, { step: 60, userId, at: Date.UTC(2026, 0, 2, 3, 59), kind: 'host_ok' }),
      );
      assert.equal(named.length, 101);
      assert.ok(named.includes('host_ok other'));
    }
  });

  it('stay true under any scrapes', () => {
    const outcomes: Outcome[] = [
      'ok',
      'failed',
      'blocked',
      'partial',
      'target_error',
      'planned',
      'unaccepted',
    ];
    const any = fc.record({
      outcome: fc.constantFrom(...outcomes),
      user: fc.constantFrom('anna', 'bert', 'cleo'),
      total: fc.double({ min: 0, max: 400_000, noNaN: true }),
      later: fc.integer({ min: 0, max: 90_000 }),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (scrapes, takeEvery) => {
        const { clock, counters } = counting();
        const rows: StatCount[] = [];
        for (const [n, { outcome, user, total, later }] of scrapes.entries()) {
          clock.now += later;
          counters.count(aScrape({ outcome, timing: timing(total) }), user);
          if (n % takeEvery === 0) rows.push(...counters.drain());
        }
        rows.push(...counters.drain());
        const sum = (kinds: RegExp, step: number, all: boolean) =>
          rows
            .filter((row) => kinds.test(row.kind) && row.step === step && (row.userId === null) === all)
            .reduce((total, row) => total + row.count, 0);
        for (const step of [60, 900, 3600])
          for (const all of [true, false])
            for (const [kinds, count] of [
              [/^outcome$/, scrapes.length],
              // A dry run fetches nothing.
              [/^latency$/, scrapes.filter(({ outcome }) => outcome !== 'planned').length],
              [/^host_/, scrapes.filter(({ outcome }) => outcome !== 'planned').length],
            ] as const)
              assert.equal(sum(kinds, step, all), count);
      }),
      { numRuns: 50 },
    );
  });
});

describe('latency cells', () => {
  it('give percentiles within 5 %', () => {
    const durations = fc.array(fc.double({ min: 0.11, max: 300_000, noNaN: true }), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(durations, fc.constantFrom(0.5, 0.95, 0.99, 1), (values, part) => {
        const counts = new Map<number, number>();
        for (const ms of values) counts.set(latencyBucket(ms), (counts.get(latencyBucket(ms)) ?? 0) + 1);
        const exact = values.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(values.length * part)) - 1]!;
        const told = percentile(counts, part)!;
        assert.ok(Math.abs(told - exact) <= 0.05 * exact, `${told} for ${exact}`);
      }),
    );
  });

  it('take everything, and tell nothing of nothing', () => {
    assert.equal(percentile(new Map(), 0.5), null);
    for (const ms of [0, -1, Number.NaN, 0.1, Number.POSITIVE_INFINITY, 1e9])
      assert.ok(
        Number.isInteger(latencyBucket(ms)) && latencyBucket(ms) >= 0 && latencyBucket(ms) < 200,
        String(ms),
      );
  });
});
