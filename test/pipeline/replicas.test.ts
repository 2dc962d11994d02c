import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LoginThrottle } from '../../src/account/login-throttle.ts';
import { SharedBudgets } from '../../src/account/shared-budgets.ts';
import { deadlineOf, systemClock } from '../../src/base/time.ts';
import type { Page } from '../../src/domain/fetch-result.ts';
import { RequestCoalescer } from '../../src/pipeline/request-coalescer.ts';
import { SiteLimiter } from '../../src/pipeline/site-limiter.ts';
import { Experience } from '../../src/router/experience.ts';
import { SHELL } from '../../src/router/observations.ts';
import type { Plan } from '../../src/router/plan.ts';
import { ROUTES, routeIndex } from '../../src/router/routes.ts';
import { siteKeyOf } from '../../src/router/site-key.ts';
import { inProcess } from '../helpers/in-process.ts';
import { task as taskOf } from '../helpers/task.ts';

const SITE = 'http://a.test/1';
const REQUEST = { url: SITE, proxyType: 'datacenter' as const, userId: 'u' };
const HTTP = routeIndex({ scraper: 'http', proxyType: 'datacenter' });

describe('what several replicas do together', () => {
  test('a site that complained to one is paced by both', async () => {
    const coordination = inProcess();
    const [a, b] = [1, 2].map(() => new SiteLimiter(systemClock, null, coordination));
    using deadline = deadlineOf(60_000);
    const slot = await a!.acquire(REQUEST, deadline);
    const headers = [['retry-after', '100']] as const;
    slot.release({ verdict: 'rate', fetched: { page: { finalUrl: SITE, headers } as unknown as Page } });
    // The message to the other one.
    await new Promise((resolve) => setImmediate(resolve));
    using short = deadlineOf(500);
    assert.equal((await b!.acquire(REQUEST, short)).failure?.code, 'route.paced');
  });

  test('turns at a paced site follow each other, whoever takes them', async () => {
    const coordination = inProcess();
    const [a, b] = [1, 2].map(() => new SiteLimiter(systemClock, null, coordination));
    using deadline = deadlineOf(60_000);
    const slot = await a!.acquire(REQUEST, deadline);
    slot.release({ verdict: 'rate', fetched: { page: { finalUrl: SITE, headers: [] } as unknown as Page } });
    await new Promise((resolve) => setImmediate(resolve));
    const began = performance.now();
    const starts: number[] = [];
    const go = async (limiter: SiteLimiter) => {
      (await limiter.acquire(REQUEST, deadline)).release(null);
      starts.push(performance.now());
    };
    await Promise.all([go(a!), go(b!), go(b!)]);
    starts.sort((x, y) => x - y);
    // The gap is a second. Any start may be late, so each is compared with the beginning; none is early by more than a few milliseconds.
    for (const [n, start] of starts.entries()) assert.ok(start - began > n * 1_000 - 50, starts.join(' '));
  });

  test('so many attempts at a host at once as the limit, over both', async () => {
    const coordination = inProcess();
    const [a, b] = [1, 2].map(() => new SiteLimiter(systemClock, 2, coordination));
    using deadline = deadlineOf(60_000);
    const slots = [await a!.acquire(REQUEST, deadline), await b!.acquire(REQUEST, deadline)];
    using short = deadlineOf(300);
    assert.equal((await b!.acquire(REQUEST, short)).failure?.code, 'service.unavailable');
    const waiting = b!.acquire(REQUEST, deadline);
    slots[0]!.release(null);
    assert.equal((await waiting).failure, null);
  });

  test('guesses of passwords count together', async () => {
    const { values } = inProcess();
    const throttles = [1, 2].map(() => new LoginThrottle(values));
    const attempt = { account: 'a@example.com', ip: '192.0.2.1', known: false };
    for (let n = 0; n < 6; n++) assert.equal(await throttles[n % 2]!.begin(attempt), 0);
    for (const throttle of throttles) assert.ok((await throttle.begin(attempt)) > 0);
    await throttles[0]!.recordSuccess(attempt);
    assert.equal(await throttles[1]!.begin(attempt), 0);
  });

  test('a daily budget is reserved by both', async () => {
    const { counters } = inProcess();
    const [a, b] = [1, 2].map(() => new SharedBudgets(counters, systemClock));
    const three = { unit: 'scrapes' as const, amount: 3 };
    const reserved = await Promise.all(
      [1, 2, 3].flatMap(() => [a!.reserve('k', three), b!.reserve('k', three)]),
    );
    assert.equal(reserved.filter((isReserved) => isReserved).length, 3);
    a!.release('k', three);
    assert.equal(await b!.reserve('k', three), true);
    const money = { unit: 'cost' as const, amount: 0.001 };
    a!.spend('m', 999);
    assert.equal(await b!.reserve('m', money), true);
    b!.spend('m', 1);
    assert.equal(await a!.reserve('m', money), false);
  });

  test('three first attempts go to an unknown page; those of the other replica wait for what they show', async () => {
    const { limits } = inProcess();
    const experiences = [1, 2].map(() => new Experience(ROUTES));
    const [a, b] = experiences.map((experience) => new RequestCoalescer({ limits, experience }));
    let sharedSoon = 0;
    experiences[0]!.shareSoon = () => sharedSoon++;
    const task = taskOf({ url: SITE });
    const key = siteKeyOf(SITE);
    const planFor = (experience: Experience): Plan => {
      const steps = [
        { scraper: 'http', proxyType: 'datacenter' },
        { scraper: 'browser', proxyType: 'datacenter' },
      ];
      return {
        named: false,
        steps,
        first: null,
        candidates: [],
        outlook: () => experience.outlook(key, 1, []),
        openRoutes: () => experience.openRoutes(key, 1),
        pinned: () => null,
      } as unknown as Plan;
    };
    using deadline = deadlineOf(60_000);
    const led = await Promise.all([1, 2, 3].map(() => a!.join(planFor(experiences[0]!), task, deadline)));
    assert.deepEqual(
      led.map(({ waitedMs }) => waitedMs),
      [0, 0, 0],
    );
    const waiting = Promise.resolve(b!.join(planFor(experiences[1]!), task, deadline));
    let isWaiting = true;
    void waiting.then(() => {
      isWaiting = false;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(isWaiting);
    led[0]!.leave();
    assert.equal(sharedSoon, 1);
    // As it comes through the log.
    const shown = { route: HTTP, observation: SHELL };
    experiences[1]!.apply({ kind: 'attempt', key, at: 1, shown, effort: null }, true);
    const { waitedMs } = await waiting;
    assert.ok(waitedMs > 0 && waitedMs < 1_900, String(waitedMs));
  });
});
