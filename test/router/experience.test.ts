import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ScraperName } from '../../src/domain/scrapers.ts';
import { RequestCoalescer } from '../../src/pipeline/request-coalescer.ts';
import { Experience, pickProbe } from '../../src/router/experience.ts';
import { nextAttempt } from '../../src/router/next.ts';
import {
  BANNED,
  BLOCK,
  CAPTCHA,
  CHALLENGE,
  OBSERVATIONS,
  OK,
  SHELL,
  WALL,
} from '../../src/router/observations.ts';
import { plan } from '../../src/router/plan.ts';
import { ROUTES, routeIndex } from '../../src/router/routes.ts';
import { siteKeyOf } from '../../src/router/site-key.ts';
import fc from '../helpers/fast-check.ts';
import { task } from '../helpers/task.ts';

const HOUR = 3600;
const NOW = 1_900_000_000;
const routeOf = (scraper: ScraperName) => routeIndex({ scraper, proxyType: 'datacenter' });
const HTTP = routeOf('http');
const BROWSER = routeOf('browser');
const url = 'https://shop.test/products/17';
const key = siteKeyOf(url);
const facts = {
  unavailable: (name: ScraperName) => (name === 'http' || name === 'browser' ? null : 'no'),
  proxyRefusal: () => null,
};
const firstOf = (experience: Experience, now = NOW, at = url) =>
  plan(task({ url: at }), facts, experience, now).plan!.steps[0]!.scraper;

/** As one that has seen a site that needs scripts twice. */
function taught(): Experience {
  const experience = new Experience(ROUTES);
  for (const at of [NOW - 20, NOW - 10]) {
    experience.record(key, at, { route: HTTP, observation: SHELL }, null);
    experience.record(key, at + 1, { route: BROWSER, observation: OK }, null);
  }
  return experience;
}

describe('what is remembered of sites', () => {
  test('a site that needs scripts gets a browser at once, and another site does not', () => {
    const experience = taught();
    assert.equal(firstOf(new Experience(ROUTES)), 'http');
    assert.equal(firstOf(experience), 'browser');
    assert.equal(firstOf(experience, NOW, 'https://other.test/products/17'), 'http');
  });

  test('what failed in vain again and again is given up for some hours, then tried once more', () => {
    const experience = new Experience(ROUTES);
    const asked = task({ url });
    const here = {
      unavailable: (name: ScraperName) => (name === 'browser_stealth' ? 'no' : null),
      proxyRefusal: () => null,
    };
    const ended = (scraper: ScraperName) => ({
      ...{ step: { scraper, proxyType: 'datacenter' as const }, code: null, verdict: 'block' as const },
      ...{ missing: null, unmet: false, satisfied: false, sent: true },
    });
    const routes = (now: number) => {
      const made = plan(asked, here, experience, now).plan!;
      const all: ReturnType<typeof ended>[] = [];
      for (let go = nextAttempt(made, asked, all); go !== null; go = nextAttempt(made, asked, all)) {
        all.push(ended(go.step.scraper));
        experience.record(key, now, { route: routeIndex(go.step), observation: BLOCK }, null);
      }
      return all.length;
    };
    for (let n = 0; n < 3; n++) assert.equal(routes(NOW + n), 3);
    let rounds = 0;
    while (routes(NOW + 3 + rounds) === 3) rounds++;
    assert.ok(rounds < 4, `${rounds}`);
    assert.equal(routes(NOW + 48 * HOUR), 3);
  });

  test('a route that was refused twice is not tried a third time before the one that brings the page', () => {
    for (const observation of [BLOCK, CHALLENGE, CAPTCHA, WALL]) {
      const experience = new Experience(ROUTES);
      const twice = () => {
        experience.record(key, NOW, { route: routeOf('http_impersonate'), observation }, null);
        experience.record(key, NOW, { route: BROWSER, observation: OK }, null);
      };
      twice();
      const once = experience.outlook(key, NOW, []).success(routeOf('http_impersonate'));
      twice();
      const { success } = experience.outlook(key, NOW, []);
      assert.ok(success(routeOf('http_impersonate')) < once / 2, OBSERVATIONS[observation]);
      assert.equal(firstOf(experience), 'browser', OBSERVATIONS[observation]);
    }
  });

  test('a route that works now and then goes on to be tried, whatever it failed', () => {
    const experience = new Experience(ROUTES);
    const shown = [OK, BLOCK, BLOCK, OK, BLOCK, OK, BLOCK, BLOCK];
    for (const observation of shown) experience.record(key, NOW, { route: HTTP, observation }, null);
    const p = experience.outlook(key, NOW, []).success(HTTP);
    assert.ok(p > 0.2 && p < 0.6, String(p));
  });

  test('other pages of the site profit a little, pages of the same kind in full', () => {
    const experience = taught();
    const p = (at: string) => experience.outlook(siteKeyOf(at), NOW, []).success(HTTP);
    assert.equal(p('https://shop.test/products/9000'), p(url));
    assert.ok(p('https://shop.test/about') > p(url));
    assert.ok(p('https://shop.test/about') < p('https://other.test/'));
  });

  test('it is forgotten with time', () => {
    const experience = taught();
    assert.equal(firstOf(experience, NOW + HOUR), 'browser');
    assert.equal(firstOf(experience, NOW + 90 * HOUR), 'http');
  });

  test('an attempt counts half after a day', () => {
    const experience = new Experience(ROUTES);
    experience.record(key, NOW, { route: HTTP, observation: OK }, null);
    const looks = (hours: number) => experience.outlook(key, NOW + hours * HOUR, []).attempts(HTTP);
    for (const [hours, left] of [
      [0, 1],
      [24, 0.5],
      [48, 0.25],
    ] as const)
      assert.ok(Math.abs(looks(hours) - left) < 0.001, `${looks(hours)} after ${hours} h`);
  });

  test('a surprise makes most of it void: some pages by HTTP, and HTTP is back', () => {
    const experience = new Experience(ROUTES);
    for (let n = 0; n < 20; n++) experience.record(key, NOW + n, { route: BROWSER, observation: OK }, null);
    for (let n = 0; n < 20; n++) experience.record(key, NOW + n, { route: HTTP, observation: SHELL }, null);
    assert.equal(firstOf(experience, NOW + 30), 'browser');
    for (let n = 0; n < 3; n++) experience.record(key, NOW + 40 + n, { route: HTTP, observation: OK }, null);
    assert.equal(firstOf(experience, NOW + 50), 'http');
  });

  test('what many sites show changes what is thought of all of them', () => {
    const experience = new Experience(ROUTES);
    const before = experience.outlook(siteKeyOf('https://new.test/'), NOW, []).success(HTTP);
    for (let n = 0; n < 300; n++)
      experience.record(siteKeyOf(`https://site-${n}.test/`), NOW, { route: HTTP, observation: OK }, null);
    const after = experience.outlook(siteKeyOf('https://new.test/'), NOW, []).success(HTTP);
    assert.ok(after > before + 0.1, `${before} → ${after}`);
  });

  test('after a start the site that was used least lately is still the first to be forgotten', () => {
    const note = (to: Experience, name: string) =>
      to.record(siteKeyOf(`https://${name}.test/`), NOW, { route: HTTP, observation: OK }, null);
    const before = new Experience(ROUTES, 10);
    for (const name of ['old', 'middle', 'late']) note(before, name);
    // As they are stored: those that were used lately first.
    const kept = before.memory.takeChanged(10).toReversed();
    const memory = (most: number) => {
      const experience = new Experience(ROUTES, most);
      note(experience, 'new');
      experience.memory.restore(kept);
      return experience;
    };
    const knows = ({ memory }: Experience, name: string) => memory.patterns(`${name}.test`) !== null;
    const four = memory(4);
    note(four, 'newer');
    assert.deepEqual(
      ['old', 'middle', 'late', 'new', 'newer'].map((name) => knows(four, name)),
      [false, true, true, true, true],
    );
    const two = memory(2);
    assert.deepEqual(
      ['old', 'middle', 'late', 'new'].map((name) => knows(two, name)),
      [false, false, true, true],
    );
  });

  test('memory is bounded: the site that was used least lately is forgotten, and kinds of pages are few', () => {
    const experience = new Experience(ROUTES, 100);
    for (let n = 0; n < 500; n++)
      experience.record(
        siteKeyOf(`https://site-${n}.test/`),
        NOW + n,
        { route: HTTP, observation: BLOCK },
        null,
      );
    assert.equal(experience.memory.size, 100);
    assert.equal(experience.outlook(siteKeyOf('https://site-0.test/'), NOW, []).attemptCount, 0);
    assert.equal(experience.outlook(siteKeyOf('https://site-499.test/'), NOW, []).attemptCount, 1);
    let known = 0;
    for (let n = 0; n < 200; n++)
      experience.record(
        { site: 'a.test', pattern: `/k${'x'.repeat(n % 20)}/${'y'.repeat(n / 20)}` },
        NOW,
        { route: HTTP, observation: OK },
        null,
      );
    for (let n = 0; n < 200; n++)
      if (
        experience.memory.historyOf({
          site: 'a.test',
          pattern: `/k${'x'.repeat(n % 20)}/${'y'.repeat(n / 20)}`,
        }) !== null
      )
        known++;
    assert.equal(known, 64);
  });

  test('whatever is noted: chances are chances, and weights stay small', () => {
    const one = fc.record({
      route: fc.nat(ROUTES.length - 1),
      observation: fc.nat(OBSERVATIONS.length - 1),
      after: fc.integer({ min: -50, max: 100_000 }),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 60 }), (all) => {
        const experience = new Experience(ROUTES);
        let now = NOW;
        for (const { route, observation, after } of all) {
          now += after;
          experience.record(key, now, { route, observation }, null);
        }
        const view = experience.outlook(key, now, [{ route: 0, observation: BANNED }]);
        assert.ok(Math.abs(view.belief.reduce((sum, p) => sum + p, 0) - 1) < 1e-9);
        for (let by = 0; by < ROUTES.length; by++) {
          assert.ok(view.success(by) > 0 && view.success(by) < 1);
          assert.ok(view.attempts(by) <= 1 / (1 - 0.97) + 1);
        }
      }),
      { numRuns: process.env.LONG === '1' ? 2_000 : 100 },
    );
  });
});

describe('probes', () => {
  test('after pages by a dear route a cheap one is tried, seldom, and for a part of what was spent', () => {
    const experience = taught();
    const among = [HTTP, BROWSER];
    const picked: number[] = [];
    for (let n = 0; n < 900; n++) {
      const probe = pickProbe(experience, key, NOW + 4 * n, { used: BROWSER, paid: 14, among });
      if (probe !== null) picked.push(n);
    }
    assert.ok(picked.length >= 5 && picked.length <= 6, `${picked}`);
    assert.equal(
      pickProbe(experience, siteKeyOf('https://unknown.test/'), NOW, { used: BROWSER, paid: 14, among }),
      null,
    );
    assert.equal(
      pickProbe(experience, key, NOW + 90_000, { used: HTTP, paid: 1, among }),
      null,
      'nothing is cheaper by a third',
    );
  });
});

describe('probes of routes that cost a little less', () => {
  for (const [dearer, probes] of [
    [1.5, true],
    [1.4, false],
  ] as const)
    test(`1 unit instead of ${dearer}: ${probes ? 'worth a look' : 'not worth one'}`, () => {
      const routes = [
        { ...ROUTES[HTTP]!, effort: 1 },
        { ...ROUTES[HTTP]!, effort: dearer },
      ];
      const experience = new Experience(routes);
      experience.record(key, NOW, { route: 1, observation: OK }, null);
      let probe: number | null = null;
      const spent = { used: 1, paid: dearer, among: [0, 1] };
      for (let n = 1; n <= 100 && probe === null; n++) probe = pickProbe(experience, key, NOW + n, spent);
      assert.equal(probe, probes ? 0 : null);
    });
});

describe('request coalescing', () => {
  const never = new AbortController().signal;

  test('three go to an unknown site, the others wait until one has ended', async () => {
    const coalescer = new RequestCoalescer(null);
    const wait = () => coalescer.secondsToWait(key, 0, 0.5, 60);
    const leave = [1, 2, 3].map(() => {
      assert.equal(wait(), 0);
      return coalescer.enter(key);
    });
    assert.equal(wait(), 2);
    let told = 0;
    const waiting = [1, 2].map(() => coalescer.nextEnd(key, 60_000, never).then(() => told++));
    await coalescer.nextEnd(key, 60_000, AbortSignal.abort());
    await coalescer.nextEnd(key, 1, never);
    assert.equal(told, 0);
    leave[0]!();
    await Promise.all(waiting);
    assert.equal(told, 2);
    assert.equal(wait(), 0);
  });

  test('nobody waits who knows the site, is sure, or in a hurry', () => {
    const coalescer = new RequestCoalescer(null);
    for (let n = 0; n < 5; n++) coalescer.enter(key);
    assert.equal(coalescer.secondsToWait(key, 3, 0.5, 60), 0);
    assert.equal(coalescer.secondsToWait(key, 0, 0.95, 60), 0);
    assert.equal(coalescer.secondsToWait(key, 0, 0.5, 8), 0);
    assert.equal(coalescer.secondsToWait(siteKeyOf('https://other.test/'), 0, 0.5, 60), 0);
  });
});

describe('what a URL is remembered by', () => {
  const rows: [string, string, string][] = [
    ['http://a.test/', 'a.test', '/'],
    ['http://a.test:8080/x', 'a.test:8080', '/x'],
    ['http://a.test/?q=1', 'a.test', '/'],
    ['http://[::1]:9/x/y/z?q#f', '[::1]:9', '/x/y'],
    ['https://a.test/products/12345/reviews', 'a.test', '/products/*'],
    ['https://a.test/2024/05/a-title', 'a.test', '/*/*'],
    ['https://a.test/p/550e8400-e29b-41d4-a716-446655440000', 'a.test', '/p/*'],
    ['https://a.test/news/a-very-long-title-of-an-article', 'a.test', '/news/*'],
    ['https://a.test/en/about', 'a.test', '/en/about'],
    ['https://a.test/v2/users', 'a.test', '/*/users'],
  ];
  for (const [given, site, pattern] of rows)
    test(given, () => assert.deepEqual(siteKeyOf(given), { site, pattern }));

  test('any URL: its host, and at most two segments', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
        const parsed = new URL(text);
        const { site, pattern } = siteKeyOf(parsed.href);
        assert.equal(site, parsed.host);
        assert.match(pattern, /^(\/[^/?#]*){1,2}$/);
      }),
    );
  });
});
