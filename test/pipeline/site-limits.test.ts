import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Clock } from '../../src/base/time.ts';
import { deadlineOf, systemClock } from '../../src/base/time.ts';
import { NO_SITE_LIMITS, type SiteLimits } from '../../src/domain/site-limits.ts';
import { SiteBudgets } from '../../src/pipeline/site-budgets.ts';
import { SiteLimiter } from '../../src/pipeline/site-limiter.ts';
import type { Coordination } from '../../src/ports/coordination.ts';
import { inProcess } from '../helpers/in-process.ts';

const HOST = 'a.test';
const REQUEST = { url: `http://${HOST}/1`, proxyType: 'datacenter' as const, userId: 'u' };
const cost = (micro: number) => ({
  verdict: 'ok' as const,
  fetched: null,
  attempt: { cost: micro },
});

class MovedClock implements Clock {
  at: number;
  constructor(at: number) {
    this.at = at;
  }
  now = () => this.at;
  monotonic = () => this.at;
}

interface Setup {
  readonly coordination?: Coordination;
  readonly clock?: Clock;
  /** What the counters of usage know. */
  readonly stored?: () => number;
}

function limiterWith(limits: Partial<SiteLimits>, setup: Setup = {}) {
  const { clock = systemClock, coordination = inProcess(clock), stored = () => 0 } = setup;
  const budgets = new SiteBudgets({
    counters: coordination.counters,
    clock,
    unit: () => 'EUR',
    stored: async () => stored(),
  });
  const all = new Map([[HOST, { ...NO_SITE_LIMITS, ...limits }]]);
  return {
    limiter: new SiteLimiter(clock, null, coordination, { limits: () => all, budgets }),
    budgets,
    all,
  };
}

async function enter(limiter: SiteLimiter, price = 0, ms = 60_000) {
  using deadline = deadlineOf(ms);
  return await limiter.acquire(REQUEST, deadline, price);
}

describe('the limits of a site', () => {
  test('hold for all ports of the host, and for no other', async () => {
    const { limiter } = limiterWith({ budgetDay: 0 });
    using deadline = deadlineOf(60_000);
    const codeAt = async (url: string) =>
      (await limiter.acquire({ ...REQUEST, url }, deadline)).failure?.code ?? null;
    assert.equal(await codeAt('https://a.test/'), 'limit.site');
    assert.equal(await codeAt('http://a.test:81/'), 'limit.site');
    assert.equal(await codeAt('http://www.a.test/'), null);
  });

  test('concurrency: who waits in vain is told which limit it was', async () => {
    const { limiter, all } = limiterWith({ concurrency: 1 });
    const first = await enter(limiter);
    const { failure } = await enter(limiter, 0, 300);
    assert.equal(failure?.code, 'limit.site');
    assert.equal(failure.details!.limit, 'concurrency');
    const waiting = enter(limiter);
    all.set(HOST, { ...NO_SITE_LIMITS, concurrency: 2 });
    assert.equal((await waiting).failure, null, 'a new limit holds for those who wait');
    first.release(null);
  });

  test('delay: attempts of two replicas start so far apart, and turns of those who left are not kept', async () => {
    const coordination = inProcess();
    const { limiter } = limiterWith({ delayMs: 400 }, { coordination });
    const { limiter: other } = limiterWith({ delayMs: 400 }, { coordination });
    const starts: number[] = [];
    const go = async (one: SiteLimiter) => {
      (await enter(one)).release(null);
      starts.push(performance.now());
    };
    const inVain = Promise.all(Array.from({ length: 20 }, () => enter(limiter, 0, 150)));
    await Promise.all([go(other), go(limiter), go(other)]);
    await inVain;
    starts.sort((a, b) => a - b);
    // Timers are late, never early by more than a few milliseconds.
    for (const n of [1, 2]) assert.ok(starts[n]! - starts[n - 1]! > 380, starts.join(' '));
    const refused = (await inVain).filter(({ failure }) => failure !== null);
    assert.equal(refused[0]!.failure!.details!.limit, 'delay');
  });

  test('a budget: the price is reserved by two replicas at once, and replaced by the cost', async () => {
    const coordination = inProcess();
    const [a, b] = [1, 2].map(() => limiterWith({ budgetDay: 100 }, { coordination }).limiter);
    const slots = await Promise.all([1, 2, 3].flatMap(() => [enter(a!, 30), enter(b!, 30)]));
    const entered = slots.filter(({ failure }) => failure === null);
    assert.equal(entered.length, 3, 'three times 30 fit into 100');
    // Two cost nothing, so two more fit.
    entered[0]!.release(null);
    entered[1]!.release(cost(0));
    entered[2]!.release(cost(30));
    const later = await Promise.all([enter(a!, 30), enter(b!, 30), enter(a!, 30)]);
    assert.equal(later.filter(({ failure }) => failure === null).length, 2);
    const { failure } = later.find((slot) => slot.failure !== null)!;
    assert.equal(failure!.details!.limit, 'budget_day');
    assert.match(failure!.message, /^The budget of a\.test for this day, 0\.0001 EUR, is used up/);
  });

  test('a budget: what costs more than its price counts when it has ended', async () => {
    const { limiter, budgets } = limiterWith({ budgetMonth: 100 });
    const slot = await enter(limiter, 10);
    slot.release(cost(95));
    assert.equal((await enter(limiter, 10)).failure?.code, 'limit.site');
    const { month } = await budgets.spent(HOST, systemClock.now());
    assert.equal(month, 95);
    limiter.spend(REQUEST.url, 5);
    assert.equal((await enter(limiter)).failure?.code, 'limit.site', 'also an attempt of unknown price');
  });

  test('a budget below what was spent before it was set allows nothing', async () => {
    const { limiter } = limiterWith({ budgetMonth: 100 }, { stored: () => 250 });
    assert.equal((await enter(limiter, 1)).failure?.details?.limit, 'budget_month');
  });

  test('a budget: one refused by the month takes nothing from the day', async () => {
    const { limiter, budgets } = limiterWith({ budgetDay: 100, budgetMonth: 20 });
    assert.equal((await enter(limiter, 30)).failure?.details?.limit, 'budget_month');
    const { day } = await budgets.spent(HOST, systemClock.now());
    assert.equal(day, 0);
  });

  test('a budget starts again at the end of the month, UTC, and what ends later counts for its own', async () => {
    const clock = new MovedClock(Date.UTC(2026, 11, 31, 23, 59, 59));
    const coordination = inProcess(clock);
    const { limiter, budgets } = limiterWith({ budgetDay: 100, budgetMonth: 100 }, { clock, coordination });
    const late = await enter(limiter, 60);
    const { failure } = await enter(limiter, 60);
    assert.equal(failure?.details?.retry_after_s, 1);
    assert.match(failure!.message, /starts again on 2027-01-01 at 00:00 UTC\.$/);
    clock.at = Date.UTC(2027, 0, 1);
    const slot = await enter(limiter, 60);
    assert.equal(slot.failure, null);
    late.release(cost(100));
    assert.deepEqual(await budgets.spent(HOST, clock.at), { day: 60, month: 60 });
    slot.release(null);
    assert.deepEqual(await budgets.spent(HOST, clock.at), { day: 0, month: 0 });
  });
});
