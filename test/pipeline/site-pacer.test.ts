import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  LONGEST_PAUSE_MS,
  nextStart,
  type SitePace,
  slowDown,
  speedUp,
} from '../../src/pipeline/site-pacer.ts';
import fc from '../helpers/fast-check.ts';

describe('the pace of a site', () => {
  it('begins with a start a second, after a pause', () => {
    const pace = slowDown(null, 5_000, 4_000, null);
    assert.equal(nextStart(pace, 5_000)[0], 6_000);
    const [first, after] = nextStart(pace, 9_000);
    assert.equal(first, 9_000);
    assert.equal(nextStart(after, 9_000)[0], 10_000);
  });

  it('obeys Retry-After, but not for more than an hour', () => {
    assert.equal(nextStart(slowDown(null, 0, 0, 30_000), 0)[0], 30_000);
    assert.equal(nextStart(slowDown(null, 0, 0, 0), 0)[0], 0);
    assert.equal(nextStart(slowDown(null, 0, 0, 1e12), 0)[0], LONGEST_PAUSE_MS);
  });

  it('is halved once by all answers to what was sent before the complaint', () => {
    const once = slowDown(null, 1_000, 0, null);
    let pace = once;
    for (let i = 0; i < 49; i++) pace = slowDown(pace, 1_001 + i, i, null);
    assert.equal(pace.gapMs, once.gapMs);
    assert.equal(slowDown(pace, 3_000, 2_500, null).gapMs, 2 * once.gapMs);
  });

  it('comes back until the site is not paced any more', () => {
    let pace: SitePace | null = slowDown(null, 0, 0, null);
    let now = 0;
    let answers = 0;
    while (pace !== null) {
      const [startAt, after]: readonly [number, SitePace] = nextStart(pace, now);
      now = startAt;
      pace = speedUp(after, startAt);
      assert.ok(++answers < 200);
    }
    assert.ok(now > 5_000 && now < 60_000, String(now));
  });

  it('learns nothing from answers to what was sent before it was slowed', () => {
    const pace = slowDown(null, 1_000, 0, null);
    assert.equal(speedUp(pace, 999), pace);
  });

  /** A site is asked by many, answers after a while, and complains as it likes. */
  it('never lets a turn begin in a pause, nor two closer than the gap, whatever happens', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('ask' as const), pass: fc.nat(3_000) }),
      fc.record({
        kind: fc.constant('complain' as const),
        pass: fc.nat(3_000),
        age: fc.nat(5_000),
        after: fc.option(fc.nat(20_000)),
      }),
      fc.record({ kind: fc.constant('serve' as const), pass: fc.nat(3_000), age: fc.nat(5_000) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let now = 0;
        let pace: SitePace | null = null;
        let last = Number.NEGATIVE_INFINITY;
        let least = 0;
        for (const one of steps) {
          now += one.pass;
          if (one.kind === 'complain') {
            const before = pace as SitePace | null;
            pace = slowDown(pace, now, now - one.age, one.after);
            assert.ok(pace.until >= (before?.until ?? 0), 'a pause never gets shorter');
            assert.ok(one.after === null || pace.until >= now + one.after);
            assert.ok(pace.gapMs >= (before?.gapMs ?? 0) && pace.gapMs <= 60_000);
            // Turns given before are void.
            if (pace !== before) last = Number.NEGATIVE_INFINITY;
          } else if (pace === null) continue;
          else if (one.kind === 'serve') {
            const before: SitePace = pace;
            pace = speedUp(pace, now - one.age);
            assert.ok(pace === null || pace.gapMs <= before.gapMs);
          } else {
            const [startAt, after]: readonly [number, SitePace] = nextStart(pace, now);
            assert.ok(startAt >= now && startAt >= pace.until);
            assert.ok(startAt - last >= least - 1e-6, 'the gap that held when the last turn was given');
            last = startAt;
            least = pace.gapMs;
            pace = after;
          }
        }
      }),
    );
  });
});
