import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type JobView, progressLine, summaryLine } from '../../src/cli/core/progress.ts';

const job = (change: Partial<JobView> = {}): JobView => ({
  id: '01a',
  state: 'running',
  pause: null,
  counts: { found: 48, queued: 20, running: 4, ok: 20, failed: 1, skipped: 3 },
  rate_per_s: 12.5,
  eta_s: 125,
  error: null,
  ...change,
});
const NONE = { found: 0, queued: 0, running: 0, ok: 0, failed: 0, skipped: 0 };

describe('the progress of a job on a terminal', () => {
  test('bar, items, failed, rate and time left', () => {
    assert.equal(progressLine(job(), 100), '[############------------] 24/48  1 failed  12.5/s  2:05 left');
    assert.equal(
      progressLine(job({ eta_s: 3_725 }), 100)
        .split('  ')
        .at(-1),
      '1:02:05 left',
    );
  });

  test('a job that has not begun, and one that has ended', () => {
    const queued = job({ state: 'queued', counts: NONE, rate_per_s: null, eta_s: null });
    assert.equal(progressLine(queued, 80), `[${'-'.repeat(24)}] 0/0  queued`);
    const done = job({ state: 'done', counts: { ...NONE, found: 2, ok: 2 }, eta_s: null });
    assert.equal(progressLine(done, 80), `[${'#'.repeat(24)}] 2/2  12.5/s  done`);
  });

  test('why it is paused', () => {
    const pause = { reason: 'budget', resumes_at: '2026-01-02T00:00:00Z' };
    assert.match(
      progressLine(job({ state: 'paused', pause, eta_s: null }), 120),
      /paused \(budget\) until 2026-01-02T00:00:00Z$/,
    );
  });

  test('it is never as wide as the terminal, which might begin another line', () => {
    for (const columns of [1, 10, 40, 62]) assert.ok(progressLine(job(), columns).length < columns);
  });

  test('what it has come to', () => {
    assert.equal(
      summaryLine(job({ state: 'cancelled' })),
      'job 01a: cancelled, 20 ok, 1 failed, 3 skipped, 20 queued',
    );
    const error = { code: 'connect.refused', message: 'It refused.' };
    assert.equal(
      summaryLine(job({ state: 'failed', error, counts: { ...NONE, failed: 1 } })),
      'job 01a: failed, 0 ok, 1 failed; connect.refused: It refused.',
    );
  });
});
