import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExitHealthTracker } from '../../src/adapters/proxies/exit.ts';
import { failure } from '../../src/domain/failure.ts';
import type { ExitReport } from '../../src/ports/proxies.ts';

const report = (changes: Partial<ExitReport> = {}): ExitReport => ({
  failure: null,
  verdict: 'ok',
  bytesOut: 100,
  bytesIn: 100,
  ...changes,
});
const proxyFailed = (reason: string, stage: 'proxy' | 'tunnel'): ExitReport =>
  report({ verdict: 'net', failure: failure('proxy.failed', 'a', { details: { reason, stage } }) });
const failed = (code: Parameters<typeof failure>[0], bytesIn = 0): ExitReport =>
  report({ verdict: 'net', failure: failure(code, 'a'), bytesIn });

const GOOD = report();
/** Certainly a failure of the exit. */
const BROKEN = proxyFailed('refused', 'proxy');
/** The exit or the target failed. */
const UNCLEAR = proxyFailed('refused', 'tunnel');

/** The rest of the pause, in ms. Checks that a trial is allowed after it, but not 1 ms before. */
function pauseOf(health: ExitHealthTracker, now: number): number {
  const ms = health.waitMs(now);
  assert.equal(health.isUsable(now + ms - 1), false);
  assert.equal(health.state(now + ms - 1), 'paused');
  assert.equal(health.isUsable(now + ms), true);
  assert.equal(health.state(now + ms), 'trial');
  return ms;
}

describe('the health of an exit', () => {
  test('is healthy at first, and after any page, whatever its verdict', () => {
    for (const verdict of ['ok', 'block', 'captcha', 'empty'] as const) {
      const health = new ExitHealthTracker();
      assert.equal(health.report(report({ verdict }), 0), false);
      assert.deepEqual([health.state(0), health.isUsable(0), health.waitMs(0)], ['healthy', true, 0]);
    }
  });

  for (const [fault, failedReport, pauses] of [
    ['refuses', BROKEN, [5, 10, 20, 40, 80, 160, 300, 300]],
    ['hangs', proxyFailed('timeout', 'proxy'), [5, 10, 20, 40, 80, 160, 300, 300]],
    ['rejects the credentials', proxyFailed('auth', 'proxy'), [60, 120, 240, 300, 300]],
  ] as const)
    test(`if the exit ${fault}: the pauses grow up to 300 s (${pauses.join(', ')})`, () => {
      const health = new ExitHealthTracker();
      let now = 1_000_000;
      for (const seconds of pauses) {
        const isTrial = health.beginAttempt();
        assert.equal(health.report(failedReport, now), true);
        health.endAttempt(isTrial);
        assert.equal(pauseOf(health, now), seconds * 1_000);
        now += seconds * 1_000;
      }
      // Further failures do not make the pause longer.
      for (let count = 0; count < 100; count++) {
        assert.equal(health.report(failedReport, now), true);
        assert.equal(health.waitMs(now), 300_000);
        now += 300_000;
      }
      // After one page the exit is healthy, and the next pause is the first one again.
      assert.equal(health.report(GOOD, now), false);
      assert.equal(health.state(now), 'healthy');
      health.report(failedReport, now);
      assert.equal(health.waitMs(now), pauses[0] * 1_000);
    });

  test('failures of attempts that were running when the pause began do not prolong it, but a page ends it', () => {
    const health = new ExitHealthTracker();
    health.report(BROKEN, 0);
    for (const at of [1, 100, 4_999]) assert.equal(health.report(BROKEN, at), true);
    assert.equal(health.waitMs(4_999), 1);
    assert.equal(health.report(GOOD, 4_999), false);
    assert.equal(health.state(4_999), 'healthy');
  });

  test('after the pause one trial at a time is allowed; if its result says nothing about the exit, another may follow', () => {
    const health = new ExitHealthTracker();
    health.report(BROKEN, 0);
    const isTrial = health.beginAttempt();
    assert.equal(isTrial, true);
    assert.equal(health.isUsable(5_000), false, 'a second trial at the same time');
    assert.equal(health.report(failed('request.cancelled'), 5_000), false);
    health.endAttempt(isTrial);
    assert.equal(health.isUsable(5_000), true);
    const isNextTrial = health.beginAttempt();
    health.report(GOOD, 6_000);
    health.endAttempt(isNextTrial);
    assert.equal(health.isUsable(6_000), true);
    const areTrials = [health.beginAttempt(), health.beginAttempt()];
    assert.deepEqual([areTrials, health.isUsable(6_000)], [[false, false], true]);
  });

  const unclearReports: readonly (readonly [string, ExitReport])[] = [
    ['the proxy does not reach the target', UNCLEAR],
    ['a 407 that may come from the target', proxyFailed('auth', 'tunnel')],
    ['a response that is not valid for this kind of proxy', proxyFailed('protocol', 'tunnel')],
    ['the request timed out before a byte arrived', failed('timeout.total')],
    ['the attempt timed out before a byte arrived', failed('timeout.attempt')],
  ];
  for (const [what, unclear] of unclearReports) {
    test(`${what}: counts as a failure if it is the third in a row`, () => {
      const health = new ExitHealthTracker();
      for (const state of ['healthy', 'healthy', 'paused']) {
        assert.equal(health.report(unclear, 0), true);
        assert.equal(health.state(0), state);
      }
      const auth = health.lastFailure === 'auth';
      assert.equal(health.waitMs(0), auth ? 60_000 : 5_000);
    });
    test(`${what}: does not count if a page comes before the third`, () => {
      const health = new ExitHealthTracker();
      for (let at = 0; at < 10; at++) {
        health.report(unclear, at);
        health.report(unclear, at);
        health.report(GOOD, at);
      }
      assert.equal(health.state(10), 'healthy');
      assert.equal(health.isUsable(10), true);
    });
  }

  test('during a trial, one unclear failure is enough', () => {
    const health = new ExitHealthTracker();
    health.report(BROKEN, 0);
    const isTrial = health.beginAttempt();
    health.report(UNCLEAR, 5_000);
    health.endAttempt(isTrial);
    assert.deepEqual([health.state(5_000), health.waitMs(5_000)], ['paused', 10_000]);
  });

  const unrelatedReports: readonly (readonly [string, ExitReport])[] = [
    ['a name that the proxy does not know', proxyFailed('dns', 'tunnel')],
    ['a target that refuses', failed('connect.refused')],
    ['a target that resets', failed('connect.reset')],
    ['a certificate that is not accepted', failed('tls.invalid')],
    ['a response that is not HTTP', failed('http.protocol')],
    ['a forbidden address', failed('policy.address')],
    ['a caller who disconnected', failed('request.cancelled')],
    ['a page that timed out after its first bytes', failed('timeout.total', 1)],
  ];
  for (const [what, unrelated] of unrelatedReports)
    test(`${what}: is neither a failure nor a success of the exit`, () => {
      const health = new ExitHealthTracker();
      for (let at = 0; at < 10; at++) assert.equal(health.report(unrelated, at), false);
      assert.deepEqual([health.state(10), health.lastFailure], ['healthy', null]);
      health.report(UNCLEAR, 10);
      health.report(unrelated, 10);
      health.report(UNCLEAR, 10);
      health.report(unrelated, 10);
      health.report(UNCLEAR, 10);
      assert.equal(health.state(10), 'paused');
      health.report(unrelated, 5_010);
      assert.deepEqual([health.state(5_010), health.isUsable(5_010)], ['trial', true]);
    });
});
