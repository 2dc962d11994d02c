import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FAILURES, type FailureCode } from '../../src/domain/failure.ts';
import { METHODS } from '../../src/domain/job.ts';
import { VERDICT_KINDS } from '../../src/domain/verdict.ts';
import { type Ended, next } from '../../src/router/next.ts';
import { plan } from '../../src/router/plan.ts';
import { job } from '../helpers/job.ts';

const facts = { unavailable: (name: string) => (name === 'http' ? null : 'no'), proxyRefusal: () => null };
const ended = (over: Partial<Ended>): Ended => ({
  step: { scraper: 'http', proxyType: 'datacenter' },
  code: null,
  verdict: 'ok',
  satisfied: false,
  sent: true,
  ...over,
});
const after = (over: Parameters<typeof job>[0], ...all: Partial<Ended>[]) => {
  const asked = job(over);
  return next(plan(asked, facts).plan!, asked, all.map(ended));
};

test('the first attempt is the first step, at once, with all of the time when nothing else can follow', () => {
  const first = after({});
  assert.deepEqual(first?.step, { scraper: 'http', proxyType: 'datacenter' });
  assert.equal(first?.pauseMs, 0);
  assert.equal(first?.sharesTime, false);
});

const rows: [string, Parameters<typeof job>[0], Partial<Ended>[], boolean][] = [
  ['satisfied', {}, [{ satisfied: true }], false],
  ['auto, reset', {}, [{ code: 'connect.reset' }], true],
  ['auto, dns.failed', {}, [{ code: 'dns.failed', sent: false }], true],
  ['auto, connect.timeout', {}, [{ code: 'connect.timeout', sent: false }], true],
  ['auto, refused', {}, [{ code: 'connect.refused', sent: false }], false],
  ['auto, dns.not_found', {}, [{ code: 'dns.not_found', sent: false }], false],
  ['auto, policy.address', {}, [{ code: 'policy.address', sent: false }], false],
  ['auto, error page', {}, [{ verdict: 'error_page' }], false],
  [
    'auto, three times',
    {},
    [{ code: 'connect.reset' }, { code: 'connect.reset' }, { code: 'connect.reset' }],
    false,
  ],
  ['auto POST, reset after bytes were out', { method: 'POST' }, [{ code: 'connect.reset' }], false],
  [
    'auto POST, reset, the caller set max_attempts',
    { method: 'POST', router: { maxAttempts: 2 } },
    [{ code: 'connect.reset' }],
    true,
  ],
  ['auto POST, nothing was sent', { method: 'POST' }, [{ code: 'dns.failed', sent: false }], true],
  ['named, once by default', { scraper: 'http' }, [{ code: 'connect.reset' }], false],
  [
    'named, several asked for',
    { scraper: 'http', router: { maxAttempts: 2 } },
    [{ code: 'connect.refused' }],
    true,
  ],
  ['named, error page', { scraper: 'http', router: { maxAttempts: 2 } }, [{ verdict: 'error_page' }], true],
  ['named, not retryable', { scraper: 'http', router: { maxAttempts: 2 } }, [{ code: 'tls.invalid' }], false],
  ['named, time is up', { scraper: 'http', router: { maxAttempts: 2 } }, [{ code: 'timeout.total' }], false],
];
for (const [name, over, all, goesOn] of rows)
  test(`${name} → ${goesOn ? 'again' : 'stop'}`, () => assert.equal(after(over, ...all) !== null, goesOn));

test('a failed target is not hit again without a pause, and the pause grows', () => {
  const one = after({ scraper: 'http', router: { maxAttempts: 9 } }, { code: 'connect.reset' });
  const two = after(
    { scraper: 'http', router: { maxAttempts: 9 } },
    { code: 'connect.reset' },
    { code: 'connect.reset' },
  );
  assert.ok(one!.pauseMs > 0 && two!.pauseMs > one!.pauseMs);
});

test('always ends: never more than max_attempts, and a method that is sent once never twice unasked', () => {
  const code = fc.constantFrom(null, ...(Object.keys(FAILURES) as FailureCode[]));
  const one = fc.record({
    code,
    verdict: fc.constantFrom(...VERDICT_KINDS),
    satisfied: fc.boolean(),
    sent: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(one, { minLength: 12, maxLength: 12 }),
      fc.constantFrom(...METHODS),
      fc.option(fc.integer({ min: 1, max: 10 })),
      fc.constantFrom('auto' as const, 'http' as const),
      (outcomes, method, maxAttempts, scraper) => {
        const asked = job({ method, scraper, router: { maxAttempts } });
        const made = plan(asked, facts).plan!;
        const done: Ended[] = [];
        while (next(made, asked, done) !== null) done.push(ended(outcomes[done.length]!));
        assert.ok(done.length >= 1 && done.length <= (maxAttempts ?? 3));
        if (!['GET', 'HEAD', 'OPTIONS'].includes(method) && maxAttempts === null)
          assert.ok(done.slice(0, -1).every((e) => !e.sent));
      },
    ),
  );
});
