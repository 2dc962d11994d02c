import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Prices } from '../../src/domain/cost.ts';
import { attemptCost, sumCosts, trafficCost } from '../../src/domain/cost.ts';
import fc from '../helpers/fast-check.ts';

const EUR: Prices = {
  currency: 'EUR',
  scrapers: { http: 0, browser: 500 },
  direct: { perRequest: 0, perGb: 0 },
};

describe('costs', () => {
  it('are not known without a price of the scraper, of the exit, or without any', () => {
    assert.equal(attemptCost(null, 'http', { perRequest: 1, perGb: 1 }, 1).cost, null);
    assert.equal(attemptCost(EUR, 'http_impersonate', { perRequest: 1, perGb: 1 }, 1).cost, null);
    assert.equal(attemptCost(EUR, 'http', null, 1).cost, null);
  });

  it('are 0, with nothing to list, for what is known to be free', () => {
    assert.deepEqual(attemptCost(EUR, 'http', EUR.direct, 1e6), { cost: 0, items: [] });
  });

  it('are those of the attempt, the request and the bytes, rounded up', () => {
    const { cost, items } = attemptCost(EUR, 'browser', { perRequest: 7, perGb: 4_000_000 }, 30_001);
    assert.deepEqual(items, [
      { item: 'scraper', quantity: 1, unitPrice: 500, cost: 500 },
      { item: 'proxy_request', quantity: 1, unitPrice: 7, cost: 7 },
      { item: 'proxy_traffic', quantity: 30_001, unitPrice: 4_000_000, cost: 121 },
    ]);
    assert.equal(cost, 628);
  });

  it('sum exactly, whatever the prices', () => {
    const micro = fc.integer({ min: 0, max: 1e9 });
    const attempt = fc.record({ own: micro, perRequest: micro, perGb: micro, bytes: fc.nat(2 ** 31 - 1) });
    fc.assert(
      fc.property(fc.array(attempt, { maxLength: 10 }), (attempts) => {
        const costs = attempts.map(({ own, perRequest, perGb, bytes }) =>
          attemptCost({ ...EUR, scrapers: { http: own } }, 'http', { perRequest, perGb }, bytes),
        );
        const items = costs.flatMap((one) => one.items);
        assert.ok(items.every(({ cost }) => Number.isSafeInteger(cost) && cost > 0));
        assert.equal(
          items.reduce((sum, { cost }) => sum + cost, 0),
          sumCosts(costs),
        );
      }),
    );
  });

  it('of bytes never grow less with more of them, and are never below the price', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(1e6), fc.nat(1e8), (bytes, more, perGb) => {
        const exit = { perRequest: 0, perGb };
        assert.ok(trafficCost(bytes + more, exit) >= trafficCost(bytes, exit));
        assert.ok(BigInt(trafficCost(bytes, exit)) * 1_000_000_000n >= BigInt(bytes) * BigInt(perGb));
      }),
    );
  });

  it('of a scrape are not known when those of one attempt are not', () => {
    assert.equal(sumCosts([{ cost: 1 }, { cost: null }]), null);
    assert.equal(sumCosts([]), 0);
  });
});
