import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAILURES, type FailureCode } from '../../src/domain/failure.ts';
import type { ScraperName } from '../../src/domain/scrapers.ts';
import { METHODS, type ProxyType } from '../../src/domain/task.ts';
import { MISSING_CAPABILITIES, VERDICT_KINDS } from '../../src/domain/verdict.ts';
import { Experience } from '../../src/router/experience.ts';
import { earlyStop, nextAttempt } from '../../src/router/next.ts';
import { BLOCK, OK } from '../../src/router/observations.ts';
import type { EndedAttempt } from '../../src/router/plan.ts';
import { plan } from '../../src/router/plan.ts';
import { ROUTES, routeIndex } from '../../src/router/routes.ts';
import { siteKeyOf } from '../../src/router/site-key.ts';
import fc from '../helpers/fast-check.ts';
import { task } from '../helpers/task.ts';

const here = (...names: readonly ScraperName[]) => ({
  unavailable: (name: ScraperName) => (names.includes(name) ? null : 'no'),
  proxyRefusal: () => null,
});
const facts = here('http');
const ended = (over: Partial<EndedAttempt>): EndedAttempt => ({
  step: { scraper: 'http', proxyType: 'datacenter' },
  code: null,
  verdict: 'ok',
  missing: null,
  unmet: false,
  satisfied: false,
  sent: true,
  ...over,
});
const after = (over: Parameters<typeof task>[0], ...all: Partial<EndedAttempt>[]) => {
  const asked = task(over);
  return nextAttempt(plan(asked, facts).plan!, asked, all.map(ended));
};

test('the first attempt is the first step, at once, with all of the time when nothing else can follow', () => {
  const first = after({});
  assert.deepEqual(first?.step, { scraper: 'http', proxyType: 'datacenter' });
  assert.equal(first?.pauseMs, 0);
  assert.equal(first?.sharesTime, false);
});

const rows: [string, Parameters<typeof task>[0], Partial<EndedAttempt>[], boolean][] = [
  ['satisfied', {}, [{ satisfied: true }], false],
  ['auto, reset', {}, [{ code: 'connect.reset' }], true],
  ['auto, dns.failed', {}, [{ code: 'dns.failed', sent: false }], true],
  ['auto, connect.timeout', {}, [{ code: 'connect.timeout', sent: false }], true],
  ['auto, refused', {}, [{ code: 'connect.refused', sent: false }], false],
  ['auto, dns.not_found', {}, [{ code: 'dns.not_found', sent: false }], false],
  ['auto, policy.address', {}, [{ code: 'policy.address', sent: false }], false],
  ['auto, error page', {}, [{ verdict: 'error_page' }], true],
  ['auto, error page twice', {}, [{ verdict: 'error_page' }, { verdict: 'error_page' }], false],
  ['auto POST, error page', { method: 'POST' }, [{ verdict: 'error_page' }], false],
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

const ALL = here('http', 'http_impersonate', 'browser');
const step = (scraper: ScraperName, proxyType: ProxyType = 'datacenter') => ({ scraper, proxyType });
const second = (over: Parameters<typeof task>[0], ...all: Partial<EndedAttempt>[]) => {
  const asked = task(over);
  const chosen = nextAttempt(plan(asked, ALL).plan!, asked, all.map(ended));
  return chosen === null ? null : `${chosen.step.scraper}/${chosen.step.proxyType}`;
};
const escalating = { router: { escalateProxy: ['residential', 'mobile'] as const } };

const going: [string, Parameters<typeof task>[0], Partial<EndedAttempt>[], string | null][] = [
  ['a shell needs scripts', {}, [{ verdict: 'js_shell', missing: 'js' }], 'browser/datacenter'],
  ['so does a check by script', {}, [{ verdict: 'challenge', missing: 'js' }], 'browser/datacenter'],
  [
    'no browser without its connection',
    {},
    [{ verdict: 'block', missing: 'fingerprint' }],
    'http_impersonate/datacenter',
  ],
  [
    'who connects like a browser and is seen through needs a real one',
    {},
    [
      { verdict: 'block', missing: 'fingerprint' },
      { step: step('http_impersonate'), verdict: 'captcha', missing: 'fingerprint' },
    ],
    'browser/datacenter',
  ],
  ['a block that does not tell why', {}, [{ verdict: 'block' }], 'http_impersonate/datacenter'],
  [
    'the address, as the page says, and no other is allowed: other scrapers all the same',
    {},
    [{ verdict: 'block', missing: 'ip' }],
    'http_impersonate/datacenter',
  ],
  [
    'a browser too, before a blocked page is delivered',
    {},
    [
      { step: step('http_impersonate'), verdict: 'block', missing: 'ip' },
      { verdict: 'block', missing: 'ip' },
    ],
    'browser/datacenter',
  ],
  [
    'not where spend alone counts',
    { router: { sort: 'cheapest' } },
    [{ verdict: 'block', missing: 'ip' }],
    null,
  ],
  [
    'the last attempt goes to what succeeds most',
    {},
    [
      { step: step('http_impersonate'), code: 'connect.reset' },
      { step: step('http_impersonate'), code: 'connect.reset' },
    ],
    'browser/datacenter',
  ],
  [
    'a loop of redirects for one scraper is none for all',
    {},
    [{ step: step('http_impersonate'), code: 'redirect.too_many' }],
    'http/datacenter',
  ],
  [
    'the address, and others are allowed',
    escalating,
    [{ verdict: 'block', missing: 'ip' }],
    'http_impersonate/residential',
  ],
  [
    'then the next in the order of the caller',
    escalating,
    [
      { verdict: 'block', missing: 'ip' },
      { step: step('http_impersonate', 'residential'), verdict: 'block', missing: 'ip' },
    ],
    'http_impersonate/mobile',
  ],
  [
    'a caller may put mobile before residential',
    { router: { escalateProxy: ['mobile', 'residential'] } },
    [{ verdict: 'block', missing: 'ip' }],
    'http_impersonate/mobile',
  ],
  [
    'the own type among them changes nothing of the order',
    { router: { escalateProxy: ['mobile', 'datacenter', 'residential'] } },
    [{ verdict: 'block', missing: 'ip' }],
    'http_impersonate/mobile',
  ],
  [
    'too often is not mended by another scraper, but by the pause',
    {},
    [{ verdict: 'rate', missing: 'rate' }],
    'http/datacenter',
  ],
  [
    'not by a second pause',
    { router: { maxAttempts: 9 } },
    [
      { verdict: 'rate', missing: 'rate' },
      { verdict: 'rate', missing: 'rate' },
    ],
    null,
  ],
  [
    'an exit of another kind goes before the pause',
    escalating,
    [{ verdict: 'rate', missing: 'rate' }],
    'http_impersonate/residential',
  ],
  ['an error of the site is met again, after a pause', {}, [{ verdict: 'error_page' }], 'http/datacenter'],
  [
    'then another scraper is tried',
    {},
    [{ verdict: 'error_page' }, { verdict: 'error_page' }],
    'http_impersonate/datacenter',
  ],
  ['what is sent once is sent once', { method: 'POST' }, [{ verdict: 'rate', missing: 'rate' }], null],
  ['a wall is one for all', escalating, [{ verdict: 'wall', missing: 'wall' }], null],
  [
    'a browser keeps the cookies for which a wall asks',
    {},
    [{ verdict: 'wall', missing: 'js' }],
    'browser/datacenter',
  ],
  ['nothing listens there, for no scraper', {}, [{ code: 'connect.refused', sent: false }], null],
  [
    'nothing is reached from here, but perhaps from elsewhere',
    escalating,
    [{ code: 'connect.refused', sent: false }],
    'http_impersonate/residential',
  ],
  ['a certificate is the same for all', escalating, [{ code: 'tls.invalid', sent: false }], null],
  ['what the caller asks of the page is missing', {}, [{ unmet: true }], 'browser/datacenter'],
  ['the same again after a reset', {}, [{ code: 'connect.reset' }], 'http/datacenter'],
  [
    'two resets are meant',
    {},
    [{ code: 'connect.reset' }, { code: 'connect.reset' }],
    'http_impersonate/datacenter',
  ],
  [
    'the order of the caller goes before what is thought',
    { router: { order: [step('http'), step('http_impersonate')] } },
    [{ unmet: true }],
    'http_impersonate/datacenter',
  ],
  [
    'an exit that failed once and then led to the target speaks against nothing any more',
    { router: { maxAttempts: 5 } },
    [
      { code: 'proxy.failed', sent: false },
      { verdict: 'js_shell', missing: 'js' },
    ],
    'browser/datacenter',
  ],
  [
    'nor does a name that could be resolved the second time',
    { router: { maxAttempts: 5 } },
    [{ code: 'dns.failed', sent: false }, { code: 'connect.reset' }, { code: 'connect.reset' }],
    'http_impersonate/datacenter',
  ],
  [
    'exits that failed last are still given up',
    { router: { maxAttempts: 9, escalateProxy: ['residential'] } },
    [
      { verdict: 'js_shell', missing: 'js' },
      { step: step('browser'), code: 'proxy.failed', sent: false },
      { step: step('browser'), code: 'proxy.failed', sent: false },
    ],
    'browser/residential',
  ],
  [
    'a named scraper is not replaced',
    { scraper: 'http' as const, router: { maxAttempts: 2 } },
    [{ verdict: 'js_shell', missing: 'js' }],
    'http/datacenter',
  ],
  [
    'but its exit is, where that is allowed',
    { scraper: 'http' as const, router: { maxAttempts: 2, escalateProxy: ['residential'] } },
    [{ verdict: 'block', missing: 'ip' }],
    'http/residential',
  ],
];
for (const [name, over, all, expected] of going)
  test(`${name} → ${expected ?? 'stop'}`, () => assert.equal(second(over, ...all), expected));

test('a browser is not begun when there is no time for one', () => {
  const asked = task();
  const made = plan(asked, ALL).plan!;
  const shell = [ended({ verdict: 'js_shell', missing: 'js' })];
  assert.equal(nextAttempt(made, asked, shell, 1_000), null);
  assert.equal(nextAttempt(made, asked, shell, 30_000)?.step.scraper, 'browser');
});

test('reasons are told in words', () => {
  const asked = task();
  const made = plan(asked, ALL).plan!;
  assert.match(nextAttempt(made, asked, [])!.reason, /not known yet/);
  assert.match(
    nextAttempt(made, asked, [ended({ verdict: 'js_shell', missing: 'js' })])!.reason,
    /^after a page without its content \(it needs JavaScript\): /,
  );
  const reasonAfter = (change: Partial<EndedAttempt>) => nextAttempt(made, asked, [ended(change)])!.reason;
  assert.match(
    reasonAfter({ verdict: 'challenge', missing: 'js' }),
    /^after a bot challenge \(it needs Java/,
  );
  assert.match(reasonAfter({ verdict: 'block' }), /^after an access-denied page: /);
  assert.match(reasonAfter({ code: 'timeout.attempt' }), /^after a timeout: /);
  assert.match(reasonAfter({ code: 'http.protocol' }), /^after an error \(http\.protocol\): /);
  assert.match(reasonAfter({ unmet: true }), /^after a page that does not meet the accept conditions: /);
  assert.equal(reasonAfter({ code: 'connect.reset' }), 'again after a closed connection');
  const named = { scraper: 'http', router: { maxAttempts: 2 } } as const;
  assert.equal(after(named, { verdict: 'error_page' })?.reason, 'again after an error page');
});

test('always ends: never more than max_attempts, and a method that is sent once never twice unasked', () => {
  const code = fc.constantFrom(null, ...(Object.keys(FAILURES) as FailureCode[]));
  const one = fc.record({
    code,
    verdict: fc.constantFrom(...VERDICT_KINDS),
    missing: fc.constantFrom(null, ...MISSING_CAPABILITIES),
    unmet: fc.boolean(),
    satisfied: fc.boolean(),
    sent: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(one, { minLength: 12, maxLength: 12 }),
      fc.constantFrom(...METHODS),
      fc.option(fc.integer({ min: 1, max: 10 })),
      fc.constantFrom('auto' as const, 'http' as const),
      fc.constantFrom(facts, ALL),
      (outcomes, method, maxAttempts, scraper, where) => {
        const asked = task({ method, scraper, router: { maxAttempts } });
        const made = plan(asked, where).plan!;
        const done: EndedAttempt[] = [];
        for (let go = nextAttempt(made, asked, done); go !== null; go = nextAttempt(made, asked, done))
          done.push(ended({ ...outcomes[done.length]!, step: go.step }));
        assert.ok(done.length >= 1 && done.length <= (maxAttempts ?? 3));
        if (!['GET', 'HEAD', 'OPTIONS'].includes(method) && maxAttempts === null)
          assert.ok(done.slice(0, -1).every((e) => !e.sent));
      },
    ),
  );
});

const NOW = 1_800_000_000;
const DAY = 24 * 3600;
type Shown = readonly [path: string, scraper: ScraperName, observation: number, secondsAgo?: number];
const times = (n: number, ...shown: Shown): readonly Shown[] => Array.from({ length: n }, () => shown);
const bare403: Partial<EndedAttempt> = { verdict: 'block', bare403: true };

const answered: [string, readonly Shown[], Partial<EndedAttempt>, Parameters<typeof task>[0], boolean][] = [
  ['nothing is known of the site', [], bare403, {}, false],
  ['another page came by this method', times(1, '/a', 'http', OK), bare403, {}, true],
  [
    'many came, and few were refused',
    [...times(20, '/a', 'http', OK), ...times(1, '/b', 'http', BLOCK)],
    bare403,
    {},
    true,
  ],
  ['this kind of page came before', times(3, '/closed', 'http', OK), bare403, {}, true],
  ['pages came by another method', times(9, '/a', 'browser', OK), bare403, {}, false],
  ['it refuses others, too', times(3, '/a', 'http', BLOCK), bare403, {}, false],
  [
    'it refuses as often',
    [...times(4, '/a', 'http', OK), ...times(4, '/a', 'http', BLOCK)],
    bare403,
    {},
    false,
  ],
  [
    'it has refused this kind of page before, and given none',
    [...times(20, '/a', 'http', OK), ...times(1, '/closed', 'http', BLOCK)],
    bare403,
    {},
    false,
  ],
  ['that was days ago', times(1, '/a', 'http', OK, 3 * DAY), bare403, {}, false],
  ['the page says why', times(9, '/a', 'http', OK), { verdict: 'block' }, {}, false],
  ['max_attempts is set', times(9, '/a', 'http', OK), bare403, { router: { maxAttempts: 3 } }, false],
];
for (const [name, shown, last, over, isAnswer] of answered)
  test(`a bare 403, ${name} → ${isAnswer ? 'the answer' : 'another method'}`, () => {
    const experience = new Experience(ROUTES);
    const site = 'https://example.com';
    const learn = ([path, scraper, observation, ago = 0]: Shown) => {
      const route = routeIndex(step(scraper), experience.routes);
      experience.record(siteKeyOf(site + path), NOW - ago, { route, observation }, null);
    };
    for (const one of shown) learn(one);
    const asked = task({ url: `${site}/closed`, ...over });
    const planned = plan(asked, ALL, experience, NOW).plan!;
    // As in a scrape: what the attempt itself has shown is learned before the next one is chosen.
    learn(['/closed', 'http', BLOCK]);
    const all = [ended(last)];
    assert.equal(nextAttempt(planned, asked, all) === null, isAnswer);
    const stop = earlyStop(planned, asked, all, 60_000, 0);
    assert.equal(stop?.reason === 'answered', isAnswer);
  });
