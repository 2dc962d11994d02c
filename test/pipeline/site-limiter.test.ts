import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CLIENT_DISCONNECTED, deadlineOf, deadlineUnder, systemClock } from '../../src/base/time.ts';
import type { Page } from '../../src/domain/fetch-result.ts';
import { SiteLimiter } from '../../src/pipeline/site-limiter.ts';
import { SitePacer } from '../../src/pipeline/site-pacer.ts';
import { inProcess } from '../helpers/in-process.ts';

const requestTo = (url: string, proxyType: 'datacenter' | 'custom' = 'datacenter', userId = 'u') => ({
  url,
  proxyType,
  userId,
});
const page = (finalUrl: string, retryAfter: string | null = null) =>
  ({ finalUrl, headers: retryAfter === null ? [] : [['retry-after', retryAfter]] }) as unknown as Page;
const SITE = 'http://a.test/1';

async function complain(
  limiter: SiteLimiter,
  url: string,
  retryAfter: string | null,
  request = requestTo(url),
) {
  using deadline = deadlineOf(60_000);
  const slot = await limiter.acquire(request, deadline);
  assert.equal(slot.failure, null);
  slot.release({ verdict: 'rate', fetched: { page: page(url, retryAfter) } });
}

async function enters(limiter: SiteLimiter, request = requestTo(SITE), ms = 500): Promise<string | null> {
  using deadline = deadlineOf(ms);
  const slot = await limiter.acquire(request, deadline);
  if (slot.failure === null) slot.release(null);
  return slot.failure?.code ?? null;
}

describe('the site limiter', () => {
  it('holds up nobody who was not complained about', async () => {
    const limiter = new SiteLimiter(systemClock, null, inProcess());
    using deadline = deadlineOf(1_000);
    assert.ok(!(limiter.acquire(requestTo(SITE), deadline) instanceof Promise));
    await complain(limiter, SITE, '100');
    assert.equal(limiter.pacedSites, 1);
    assert.equal(await enters(limiter), 'route.paced');
    assert.equal(await enters(limiter, requestTo(SITE, 'datacenter', 'another')), 'route.paced');
    for (const url of ['http://b.test/', 'http://a.test:81/', 'http://www.a.test/'])
      assert.equal(await enters(limiter, requestTo(url)), null, url);
  });

  it('keeps the exits of a user apart from those of others', async () => {
    const limiter = new SiteLimiter(systemClock, null, inProcess());
    await complain(limiter, SITE, '100', requestTo(SITE, 'custom', 'one'));
    assert.equal(await enters(limiter, requestTo(SITE, 'custom', 'one')), 'route.paced');
    assert.equal(await enters(limiter, requestTo(SITE, 'custom', 'two')), null);
    assert.equal(await enters(limiter), null);
  });

  it('paces the host that was asked and the one that answered', async () => {
    const limiter = new SiteLimiter(systemClock, null, inProcess());
    using deadline = deadlineOf(1_000);
    const slot = await limiter.acquire(requestTo(SITE), deadline);
    slot.release({ verdict: 'rate', fetched: { page: page('https://www.a.test/', '100') } });
    assert.equal(await enters(limiter), 'route.paced');
    assert.equal(await enters(limiter, requestTo('https://www.a.test/x')), 'route.paced');
  });

  it('tells how long the pause is', async () => {
    const limiter = new SiteLimiter(systemClock, null, inProcess());
    await complain(limiter, SITE, '100');
    using deadline = deadlineOf(500);
    const { failure } = await limiter.acquire(requestTo(SITE), deadline);
    const seconds = failure!.details!.retry_after_s as number;
    assert.ok(seconds > 90 && seconds <= 100, String(seconds));
  });

  it('waits for the pause to be over, and tells how long', async () => {
    const limiter = new SiteLimiter(systemClock, null, inProcess());
    await complain(limiter, SITE, '1');
    const began = performance.now();
    using deadline = deadlineOf(30_000);
    const slot = await limiter.acquire(requestTo(SITE), deadline);
    assert.equal(slot.failure, null);
    assert.ok(performance.now() - began > 900);
    assert.ok(slot.pausedMs > 900);
    assert.ok(slot.waitedMs < 900, 'the pause is told apart');
  });

  it('lets go at once of a caller who hangs up', async () => {
    const limiter = new SiteLimiter(systemClock, null, inProcess());
    await complain(limiter, SITE, '20');
    const caller = new AbortController();
    using deadline = deadlineUnder(60_000, caller.signal);
    const entering = limiter.acquire(requestTo(SITE), deadline);
    caller.abort(CLIENT_DISCONNECTED);
    assert.equal((await entering).failure?.code, 'request.cancelled');
  });

  it('makes void the turns that were given before another complaint', async () => {
    const limiter = new SiteLimiter(systemClock, null, inProcess());
    using deadline = deadlineOf(60_000);
    const late = await limiter.acquire(requestTo(SITE), deadline);
    await complain(limiter, SITE, '1');
    using short = deadlineOf(10_000);
    const waiting = limiter.acquire(requestTo(SITE), short);
    late.release({ verdict: 'rate', fetched: { page: page(SITE, '60') } });
    assert.equal((await waiting).failure?.code, 'route.paced');
  });

  it('gives the turns of callers who hang up to those behind them', async () => {
    const limiter = new SiteLimiter(systemClock, null, inProcess());
    await complain(limiter, SITE, '0');
    assert.equal(await enters(limiter), null);
    // From now on there is a turn a second.
    const began = performance.now();
    const callers = Array.from({ length: 30 }, () => new AbortController());
    const gone = callers.map(async ({ signal }) => {
      using deadline = deadlineUnder(60_000, signal);
      return (await limiter.acquire(requestTo(SITE), deadline)).failure?.code;
    });
    const last = [enters(limiter, requestTo(SITE), 60_000), enters(limiter, requestTo(SITE), 60_000)];
    for (const caller of callers) caller.abort(CLIENT_DISCONNECTED);
    assert.deepEqual(new Set(await Promise.all(gone)), new Set(['request.cancelled']));
    assert.equal(await last[0], null);
    const first = performance.now() - began;
    assert.ok(first > 800 && first < 1_900, String(first));
    assert.equal(await last[1], null);
    const second = performance.now() - began;
    assert.ok(second - first > 800 && second < 2_900, String(second));
    assert.equal(await enters(limiter, requestTo(SITE), 3_000), null, 'and nothing is left of them');
  });

  it('remembers at most ten thousand sites', () => {
    const pacer = new SitePacer(systemClock, inProcess());
    for (let i = 0; i < 10_100; i++) {
      const url = `http://s${i}.test/`;
      pacer.record({ ...requestTo(url), verdict: 'rate', sentAt: 0, page: page(url, '1000') });
    }
    assert.equal(pacer.size, 10_000);
    assert.ok(pacer.isFree(requestTo('http://s0.test/')));
    assert.ok(!pacer.isFree(requestTo('http://s10099.test/')));
  });

  it('lets so many in at once at a site, in the order of coming', async () => {
    const limiter = new SiteLimiter(systemClock, 2, inProcess());
    using deadline = deadlineOf(60_000);
    const slots = [limiter.acquire(requestTo(SITE), deadline), limiter.acquire(requestTo(SITE), deadline)];
    const [one, two] = await Promise.all(slots);
    const order: number[] = [];
    const third = Promise.resolve(limiter.acquire(requestTo(SITE), deadline)).then((slot) => {
      order.push(3);
      return slot;
    });
    const fourth = Promise.resolve(limiter.acquire(requestTo(SITE), deadline)).then((slot) => {
      order.push(4);
      return slot;
    });
    assert.equal(await enters(limiter, requestTo(SITE), 50), 'service.unavailable');
    assert.equal(await enters(limiter, requestTo('http://b.test/'), 50), null);
    one!.release(null);
    (await third).release(null);
    (await fourth).release(null);
    two!.release(null);
    assert.deepEqual(order, [3, 4]);
    assert.ok(!(limiter.acquire(requestTo(SITE), deadline) instanceof Promise));
  });
});
