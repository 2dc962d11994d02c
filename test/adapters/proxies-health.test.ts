import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExitHealthTracker } from '../../src/adapters/proxies/exit.ts';
import { failure } from '../../src/domain/failure.ts';
import type { ExitReport } from '../../src/ports/proxies.ts';

const report = (of: Partial<ExitReport> = {}): ExitReport => ({
  failure: null,
  verdict: 'ok',
  bytesOut: 100,
  bytesIn: 100,
  ...of,
});
const proxyFailed = (reason: string, stage: 'proxy' | 'tunnel'): ExitReport =>
  report({ verdict: 'net', failure: failure('proxy.failed', 'a', { details: { reason, stage } }) });
const failed = (code: Parameters<typeof failure>[0], bytesIn = 0): ExitReport =>
  report({ verdict: 'net', failure: failure(code, 'a'), bytesIn });

const GOOD = report();
const BROKEN = proxyFailed('refused', 'proxy');
const DOUBT = proxyFailed('refused', 'tunnel');

/** Tries it when it may be tried for the first time again, and tells what the pause had been. */
function pauseOf(health: ExitHealthTracker, now: number): number {
  const ms = health.waitMs(now);
  assert.equal(health.isUsable(now + ms - 1), false);
  assert.equal(health.state(now + ms - 1), 'paused');
  assert.equal(health.isUsable(now + ms), true);
  assert.equal(health.state(now + ms), 'trial');
  return ms;
}

describe('the health of an exit', () => {
  test('is good at first, and after any page whatever its verdict', () => {
    for (const verdict of ['ok', 'block', 'captcha', 'empty'] as const) {
      const health = new ExitHealthTracker();
      assert.equal(health.report(report({ verdict }), 0), false);
      assert.deepEqual([health.state(0), health.isUsable(0), health.waitMs(0)], ['healthy', true, 0]);
    }
  });

  for (const [what, one, pauses] of [
    ['refuses', BROKEN, [5, 10, 20, 40, 80, 160, 300, 300]],
    ['hangs', proxyFailed('timeout', 'proxy'), [5, 10, 20, 40, 80, 160, 300, 300]],
    ['does not take the credentials', proxyFailed('auth', 'proxy'), [60, 120, 240, 300, 300]],
  ] as const)
    test(`that ${what}: its pauses grow up to 300 s (${pauses.join(', ')})`, () => {
      const health = new ExitHealthTracker();
      let now = 1_000_000;
      for (const seconds of pauses) {
        const probe = health.beginAttempt();
        assert.equal(health.report(one, now), true);
        health.endAttempt(probe);
        assert.equal(pauseOf(health, now), seconds * 1_000);
        now += seconds * 1_000;
      }
      // However often: the pause stays what it is.
      for (let at = 0; at < 100; at++) {
        assert.equal(health.report(one, now), true);
        assert.equal(health.waitMs(now), 300_000);
        now += 300_000;
      }
      // One page, and everything is as before.
      assert.equal(health.report(GOOD, now), false);
      assert.equal(health.state(now), 'healthy');
      health.report(one, now);
      assert.equal(health.waitMs(now), pauses[0] * 1_000);
    });

  test('what was under way when it failed adds nothing to the pause, but a page ends it', () => {
    const health = new ExitHealthTracker();
    health.report(BROKEN, 0);
    for (const at of [1, 100, 4_999]) assert.equal(health.report(BROKEN, at), true);
    assert.equal(health.waitMs(4_999), 1);
    assert.equal(health.report(GOOD, 4_999), false);
    assert.equal(health.state(4_999), 'healthy');
  });

  test('after the pause one attempt at a time finds out, and one that says nothing makes room for the next', () => {
    const health = new ExitHealthTracker();
    health.report(BROKEN, 0);
    const probe = health.beginAttempt();
    assert.equal(probe, true);
    assert.equal(health.isUsable(5_000), false, 'a second one beside it');
    assert.equal(health.report(failed('request.cancelled'), 5_000), false);
    health.endAttempt(probe);
    assert.equal(health.isUsable(5_000), true);
    const next = health.beginAttempt();
    health.report(GOOD, 6_000);
    health.endAttempt(next);
    assert.equal(health.isUsable(6_000), true);
    const [one, two] = [health.beginAttempt(), health.beginAttempt()];
    assert.deepEqual([one, two, health.isUsable(6_000)], [false, false, true]);
  });

  const doubts: readonly (readonly [string, ExitReport])[] = [
    ['no way to the target', DOUBT],
    ['407 from where a target may have said it', proxyFailed('auth', 'tunnel')],
    ['nonsense in place of an answer', proxyFailed('protocol', 'tunnel')],
    ['the time was up before a byte had come', failed('timeout.total')],
    ['the share was used up before a byte had come', failed('timeout.attempt')],
  ];
  for (const [what, doubt] of doubts) {
    test(`${what}: counts when it is the third in a row`, () => {
      const health = new ExitHealthTracker();
      for (const state of ['healthy', 'healthy', 'paused']) {
        assert.equal(health.report(doubt, 0), true);
        assert.equal(health.state(0), state);
      }
      const auth = health.lastFailure === 'auth';
      assert.equal(health.waitMs(0), auth ? 60_000 : 5_000);
    });
    test(`${what}: a page in between makes up for it`, () => {
      const health = new ExitHealthTracker();
      for (let at = 0; at < 10; at++) {
        health.report(doubt, at);
        health.report(doubt, at);
        health.report(GOOD, at);
      }
      assert.equal(health.state(10), 'healthy');
      assert.equal(health.isUsable(10), true);
    });
  }

  test('while it is being found out, one doubt is enough', () => {
    const health = new ExitHealthTracker();
    health.report(BROKEN, 0);
    const probe = health.beginAttempt();
    health.report(DOUBT, 5_000);
    health.endAttempt(probe);
    assert.deepEqual([health.state(5_000), health.waitMs(5_000)], ['paused', 10_000]);
  });

  const others: readonly (readonly [string, ExitReport])[] = [
    ['a name that the proxy does not know', proxyFailed('dns', 'tunnel')],
    ['a target that refuses', failed('connect.refused')],
    ['a target that resets', failed('connect.reset')],
    ['a certificate that is not taken', failed('tls.invalid')],
    ['an answer that is no HTTP', failed('http.protocol')],
    ['a forbidden address', failed('policy.address')],
    ['a caller who left', failed('request.cancelled')],
    ['a page that was too slow, of which something had come', failed('timeout.total', 1)],
  ];
  for (const [what, other] of others)
    test(`${what} is not its fault, and does not mend it either`, () => {
      const health = new ExitHealthTracker();
      for (let at = 0; at < 10; at++) assert.equal(health.report(other, at), false);
      assert.deepEqual([health.state(10), health.lastFailure], ['healthy', null]);
      health.report(DOUBT, 10);
      health.report(other, 10);
      health.report(DOUBT, 10);
      health.report(other, 10);
      health.report(DOUBT, 10);
      assert.equal(health.state(10), 'paused');
      health.report(other, 5_010);
      assert.deepEqual([health.state(5_010), health.isUsable(5_010)], ['trial', true]);
    });
});
