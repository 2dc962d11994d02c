import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LoginAttempt, LoginThrottle } from '../../src/account/login-throttle.ts';

function at(clock: { ms: number }) {
  const throttle = new LoginThrottle({ monotonic: () => clock.ms });
  /** The pauses, ms, of so many failures without a pause between them. */
  const fail = (times: number, change: Partial<LoginAttempt> = {}) =>
    Array.from({ length: times }, () => throttle.begin(attempt(change)));
  return { throttle, fail };
}

const attempt = (change: Partial<LoginAttempt> = {}): LoginAttempt => ({
  account: 'ann@example.com',
  ip: '192.0.2.1',
  known: false,
  ...change,
});

describe('the throttle of sign-in', () => {
  it('lets five guesses pass, then makes pauses that double up to five minutes', () => {
    const clock = { ms: 0 };
    const { throttle, fail } = at(clock);
    assert.deepEqual(fail(6), [0, 0, 0, 0, 0, 0]);
    const pauses: number[] = [];
    for (let n = 0; n < 11; n++) {
      const pause = throttle.begin(attempt());
      pauses.push(pause / 1000);
      clock.ms += pause - 1;
      assert.equal(throttle.begin(attempt()), 1, 'refused to the last, uncounted');
      clock.ms += 1;
      assert.equal(throttle.begin(attempt()), 0);
    }
    assert.deepEqual(pauses, [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
  });

  it('is not made to forget by a flood of what it refuses', () => {
    const clock = { ms: 0 };
    const { throttle, fail } = at(clock);
    fail(6);
    for (let n = 0; n < 20_000; n++)
      throttle.begin(attempt({ account: `${n}@example.com`, ip: '198.51.100.1' }));
    assert.ok(throttle.begin(attempt()) > 0);
    // Nor by what is taken back, as in a crowd.
    for (let n = 0; n < 20_000; n++) {
      const one = attempt({ account: `${n}@example.net`, ip: `203.0.113.${n % 250}`, known: true });
      if (throttle.begin(one) === 0) throttle.withdraw(one);
    }
    assert.ok(throttle.begin(attempt()) > 0);
  });

  it('keeps one address from one account, not from others, nor others from this one', () => {
    const { throttle, fail } = at({ ms: 0 });
    fail(6);
    assert.ok(throttle.begin(attempt()) > 0);
    assert.equal(throttle.begin(attempt({ ip: '192.0.2.2' })), 0);
    assert.equal(throttle.begin(attempt({ account: 'bob@example.com' })), 0);
  });

  it('slows an address down that tries many accounts, by the /64 where it is IPv6', () => {
    for (const ip of [(n: number) => `2001:db8::${n}`, () => '::ffff:192.0.2.1', () => '192.0.2.1']) {
      const { throttle } = at({ ms: 0 });
      for (let n = 0; n < 31; n++) assert.equal(throttle.begin(attempt({ ip: ip(n), account: `u${n}` })), 0);
      assert.equal(throttle.begin(attempt({ ip: ip(99), account: 'another' })), 2000);
      assert.equal(throttle.begin(attempt({ ip: '2001:db8:0:1::1', account: 'another' })), 0);
    }
  });

  it('slows an account down that many addresses try, but nobody who is signed in there', () => {
    const { throttle } = at({ ms: 0 });
    for (let n = 0; n < 101; n++) assert.equal(throttle.begin(attempt({ ip: `10.0.0.${n}` })), 0);
    assert.equal(throttle.begin(attempt({ ip: '10.0.1.1' })), 2000);
    assert.equal(throttle.begin(attempt({ ip: '10.0.1.1', known: true })), 0);
  });

  it('forgets who comes in, and after an hour everybody', () => {
    const clock = { ms: 0 };
    const { throttle, fail } = at(clock);
    fail(5);
    assert.equal(throttle.begin(attempt()), 0);
    throttle.recordSuccess(attempt());
    assert.deepEqual(fail(6), [0, 0, 0, 0, 0, 0]);
    assert.ok(throttle.begin(attempt()) > 0);
    clock.ms += 3_600_001;
    assert.deepEqual(fail(6), [0, 0, 0, 0, 0, 0]);
  });

  it('counts the pause from the end of the comparing', () => {
    const clock = { ms: 0 };
    const { throttle, fail } = at(clock);
    fail(6);
    clock.ms += 1_500;
    throttle.recordFailure(attempt());
    assert.equal(throttle.begin(attempt()), 2000);
    throttle.recordFailure(attempt({ ip: '192.0.2.2' }));
    assert.equal(throttle.begin(attempt({ ip: '192.0.2.2' })), 0);
  });

  it('does not count what was not compared', () => {
    const { throttle } = at({ ms: 0 });
    for (let n = 0; n < 50; n++) {
      assert.equal(throttle.begin(attempt()), 0);
      throttle.withdraw(attempt());
    }
  });

  it('holds ten thousand of each kind, the last ones', () => {
    const { throttle, fail } = at({ ms: 0 });
    fail(6);
    for (let n = 0; n < 9_999; n++)
      throttle.begin({ account: `u${n}`, ip: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, known: false });
    assert.ok(throttle.begin(attempt()) > 0);
    for (let n = 0; n < 10_000; n++)
      throttle.begin({ account: `v${n}`, ip: `11.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, known: false });
    assert.equal(throttle.begin(attempt()), 0);
  });
});
