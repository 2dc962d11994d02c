import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CLIENT_DISCONNECTED, deadlineIn, deadlineOf, systemClock } from '../../../src/base/time.ts';
import type { Page } from '../../../src/domain/fetch-result.ts';
import { createSiteLimiter, createSitePacer, type SiteLimiter } from '../../../src/pipeline/site-limiter.ts';

const visitOf = (url: string, proxyType: 'datacenter' | 'custom' = 'datacenter', userId = 'u') => ({
  url,
  proxyType,
  userId,
});
const page = (finalUrl: string, retryAfter: string | null = null) =>
  ({ finalUrl, headers: retryAfter === null ? [] : [['retry-after', retryAfter]] }) as unknown as Page;
const SITE = 'http://a.test/1';

async function complain(manners: SiteLimiter, url: string, retryAfter: string | null, visit = visitOf(url)) {
  using deadline = deadlineOf(60_000);
  const stay = await manners.acquire(visit, deadline);
  assert.equal(stay.failure, null);
  stay.release({ verdict: 'rate', fetched: { page: page(url, retryAfter) } });
}

async function enters(manners: SiteLimiter, visit = visitOf(SITE), ms = 500): Promise<string | null> {
  using deadline = deadlineOf(ms);
  const stay = await manners.acquire(visit, deadline);
  if (stay.failure === null) stay.release(null);
  return stay.failure?.code ?? null;
}

describe('manners', () => {
  it('hold up nobody who was not complained about', async () => {
    const manners = createSiteLimiter(systemClock, null);
    using deadline = deadlineOf(1_000);
    assert.ok(!(manners.acquire(visitOf(SITE), deadline) instanceof Promise));
    await complain(manners, SITE, '100');
    assert.equal(manners.pacedSites(), 1);
    assert.equal(await enters(manners), 'route.paced');
    assert.equal(await enters(manners, visitOf(SITE, 'datacenter', 'another')), 'route.paced');
    for (const url of ['http://b.test/', 'http://a.test:81/', 'http://www.a.test/'])
      assert.equal(await enters(manners, visitOf(url)), null, url);
  });

  it('keep the exits of a user apart from those of others', async () => {
    const manners = createSiteLimiter(systemClock, null);
    await complain(manners, SITE, '100', visitOf(SITE, 'custom', 'one'));
    assert.equal(await enters(manners, visitOf(SITE, 'custom', 'one')), 'route.paced');
    assert.equal(await enters(manners, visitOf(SITE, 'custom', 'two')), null);
    assert.equal(await enters(manners), null);
  });

  it('pace the host that was asked and the one that answered', async () => {
    const manners = createSiteLimiter(systemClock, null);
    using deadline = deadlineOf(1_000);
    const stay = await manners.acquire(visitOf(SITE), deadline);
    stay.release({ verdict: 'rate', fetched: { page: page('https://www.a.test/', '100') } });
    assert.equal(await enters(manners), 'route.paced');
    assert.equal(await enters(manners, visitOf('https://www.a.test/x')), 'route.paced');
  });

  it('tell how long the pause is', async () => {
    const manners = createSiteLimiter(systemClock, null);
    await complain(manners, SITE, '100');
    using deadline = deadlineOf(500);
    const { failure } = await manners.acquire(visitOf(SITE), deadline);
    const seconds = failure!.details!.retry_after_s as number;
    assert.ok(seconds > 90 && seconds <= 100, String(seconds));
  });

  it('wait for the pause to be over, and tell how long', async () => {
    const manners = createSiteLimiter(systemClock, null);
    await complain(manners, SITE, '1');
    const began = performance.now();
    using deadline = deadlineOf(30_000);
    const stay = await manners.acquire(visitOf(SITE), deadline);
    assert.equal(stay.failure, null);
    assert.ok(performance.now() - began > 900);
    assert.ok(stay.pausedMs > 900);
    assert.ok(stay.waitedMs < 900, 'the pause is told apart');
  });

  it('let go at once of a caller who hangs up', async () => {
    const manners = createSiteLimiter(systemClock, null);
    await complain(manners, SITE, '20');
    const caller = new AbortController();
    using deadline = deadlineIn(60_000, caller.signal);
    const entering = manners.acquire(visitOf(SITE), deadline);
    caller.abort(CLIENT_DISCONNECTED);
    assert.equal((await entering).failure?.code, 'request.cancelled');
  });

  it('make void the turns that were given before another complaint', async () => {
    const manners = createSiteLimiter(systemClock, null);
    using deadline = deadlineOf(60_000);
    const late = await manners.acquire(visitOf(SITE), deadline);
    await complain(manners, SITE, '1');
    using short = deadlineOf(10_000);
    const waiting = manners.acquire(visitOf(SITE), short);
    late.release({ verdict: 'rate', fetched: { page: page(SITE, '60') } });
    assert.equal((await waiting).failure?.code, 'route.paced');
  });

  it('give the turns of callers who hang up to those behind them', async () => {
    const manners = createSiteLimiter(systemClock, null);
    await complain(manners, SITE, '0');
    assert.equal(await enters(manners), null);
    // From now on there is a turn a second.
    const began = performance.now();
    const callers = Array.from({ length: 30 }, () => new AbortController());
    const gone = callers.map(async ({ signal }) => {
      using deadline = deadlineIn(60_000, signal);
      return (await manners.acquire(visitOf(SITE), deadline)).failure?.code;
    });
    const last = [enters(manners, visitOf(SITE), 60_000), enters(manners, visitOf(SITE), 60_000)];
    for (const caller of callers) caller.abort(CLIENT_DISCONNECTED);
    assert.deepEqual(new Set(await Promise.all(gone)), new Set(['request.cancelled']));
    assert.equal(await last[0], null);
    const first = performance.now() - began;
    assert.ok(first > 800 && first < 1_900, String(first));
    assert.equal(await last[1], null);
    const second = performance.now() - began;
    assert.ok(second - first > 800 && second < 2_900, String(second));
    assert.equal(await enters(manners, visitOf(SITE), 3_000), null, 'and nothing is left of them');
  });

  it('remember at most ten thousand sites', () => {
    const pacing = createSitePacer(systemClock);
    for (let i = 0; i < 10_100; i++) {
      const url = `http://s${i}.test/`;
      pacing.record({ ...visitOf(url), verdict: 'rate', sentAt: 0, page: page(url, '1000') });
    }
    assert.equal(pacing.size, 10_000);
    assert.ok(pacing.isFree(visitOf('http://s0.test/')));
    assert.ok(!pacing.isFree(visitOf('http://s10099.test/')));
  });

  it('let so many in at once at a site, in the order of coming', async () => {
    const manners = createSiteLimiter(systemClock, 2);
    using deadline = deadlineOf(60_000);
    const stays = [manners.acquire(visitOf(SITE), deadline), manners.acquire(visitOf(SITE), deadline)];
    const [one, two] = await Promise.all(stays);
    const order: number[] = [];
    const third = Promise.resolve(manners.acquire(visitOf(SITE), deadline)).then((stay) => {
      order.push(3);
      return stay;
    });
    const fourth = Promise.resolve(manners.acquire(visitOf(SITE), deadline)).then((stay) => {
      order.push(4);
      return stay;
    });
    assert.equal(await enters(manners, visitOf(SITE), 50), 'service.unavailable');
    assert.equal(await enters(manners, visitOf('http://b.test/'), 50), null);
    one!.release(null);
    (await third).release(null);
    (await fourth).release(null);
    two!.release(null);
    assert.deepEqual(order, [3, 4]);
    assert.ok(!(manners.acquire(visitOf(SITE), deadline) instanceof Promise));
  });
});
