import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LoginAttempt, LoginThrottle } from '../../src/account/login-throttle.ts';
import { inProcess } from '../helpers/in-process.ts';

function at(clock: { ms: number }) {
  const time = { now: () => clock.ms, monotonic: () => clock.ms };
  const throttle = new LoginThrottle(inProcess(time).values);
  /** The pauses, ms, of so many failures without a pause between them. */
  const fail = async (times: number, change: Partial<LoginAttempt> = {}) => {
    const pauses: number[] = [];
    for (let n = 0; n < times; n++) pauses.push(await throttle.begin(attempt(change)));
    return pauses;
  };
  return { throttle, fail };
}

const attempt = (change: Partial<LoginAttempt> = {}): LoginAttempt => ({
  account: 'ann@example.com',
  ip: '192.0.2.1',
  known: false,
  ...change,
});

describe('the throttle of sign-in', () => {
  it('lets five guesses pass, then makes pauses that double up to five minutes', async () => {
    const clock = { ms: 0 };
    const { throttle, fail } = at(clock);
    assert.deepEqual(await fail(6), [0, 0, 0, 0, 0, 0]);
    const pauses: number[] = [];
    for (let n = 0; n < 11; n++) {
      const pause = await throttle.begin(attempt());
      pauses.push(pause / 1000);
      clock.ms += pause - 1;
      assert.equal(await throttle.begin(attempt()), 1, 'refused to the last, uncounted');
      clock.ms += 1;
      assert.equal(await throttle.begin(attempt()), 0);
    }
    assert.deepEqual(pauses, [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
  });

  it('is not made to forget by a flood of what it refuses', async () => {
    const clock = { ms: 0 };
    const { throttle, fail } = at(clock);
    await fail(6);
    for (let n = 0; n < 20_000; n++)
      await throttle.begin(attempt({ account: `${n}@example.com`, ip: '198.51.100.1' }));
    assert.ok((await throttle.begin(attempt())) > 0);
    // Nor by what is taken back, as in a crowd.
    for (let n = 0; n < 20_000; n++) {
      const one = attempt({ account: `${n}@example.net`, ip: `203.0.113.${n % 250}`, known: true });
      if ((await throttle.begin(one)) === 0) await throttle.withdraw(one);
    }
    assert.ok((await throttle.begin(attempt())) > 0);
  });

  it('keeps one address from one account, not from others, nor others from this one', async () => {
    const { throttle, fail } = at({ ms: 0 });
    await fail(6);
    assert.ok((await throttle.begin(attempt())) > 0);
    assert.equal(await throttle.begin(attempt({ ip: '192.0.2.2' })), 0);
    assert.equal(await throttle.begin(attempt({ account: 'bob@example.com' })), 0);
  });

  it('slows an address down that tries many accounts, by the /64 where it is IPv6', async () => {
    for (const ip of [(n: number) => `2001:db8::${n}`, () => '::ffff:192.0.2.1', () => '192.0.2.1']) {
      const { throttle } = at({ ms: 0 });
      for (let n = 0; n < 31; n++)
        assert.equal(await throttle.begin(attempt({ ip: ip(n), account: `u${n}` })), 0);
      assert.equal(await throttle.begin(attempt({ ip: ip(99), account: 'another' })), 2000);
      assert.equal(await throttle.begin(attempt({ ip: '2001:db8:0:1::1', account: 'another' })), 0);
    }
  });

  it('slows an account down that many addresses try, but nobody who is signed in there', async () => {
    const { throttle } = at({ ms: 0 });
    for (let n = 0; n < 101; n++) assert.equal(await throttle.begin(attempt({ ip: `10.0.0.${n}` })), 0);
    assert.equal(await throttle.begin(attempt({ ip: '10.0.1.1' })), 2000);
    assert.equal(await throttle.begin(attempt({ ip: '10.0.1.1', known: true })), 0);
  });

  it('forgets who comes in, and after an hour everybody', async () => {
    const clock = { ms: 0 };
    const { throttle, fail } = at(clock);
    await fail(5);
    assert.equal(await throttle.begin(attempt()), 0);
    await throttle.recordSuccess(attempt());
    assert.deepEqual(await fail(6), [0, 0, 0, 0, 0, 0]);
    assert.ok((await throttle.begin(attempt())) > 0);
    clock.ms += 3_600_001;
    assert.deepEqual(await fail(6), [0, 0, 0, 0, 0, 0]);
  });

  it('counts the pause from the end of the comparing', async () => {
    const clock = { ms: 0 };
    const { throttle, fail } = at(clock);
    await fail(6);
    clock.ms += 1_500;
    await throttle.recordFailure(attempt());
    assert.equal(await throttle.begin(attempt()), 2000);
    await throttle.recordFailure(attempt({ ip: '192.0.2.2' }));
    assert.equal(await throttle.begin(attempt({ ip: '192.0.2.2' })), 0);
  });

  it('does not count what was not compared', async () => {
    const { throttle } = at({ ms: 0 });
    for (let n = 0; n < 50; n++) {
      assert.equal(await throttle.begin(attempt()), 0);
      await throttle.withdraw(attempt());
    }
  });
});
