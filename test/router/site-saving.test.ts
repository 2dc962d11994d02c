import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Step } from '../../src/domain/scrape.ts';
import type { RouteSpending } from '../../src/domain/site-stats.ts';
import { siteSaving } from '../../src/router/site-saving.ts';

const HTTP: Step = { scraper: 'http', proxyType: 'datacenter' };
const BROWSER: Step = { scraper: 'browser', proxyType: 'residential' };
const VENDOR: Step = { scraper: 'vendor:one', proxyType: 'datacenter' };

const spent = (step: Step, attempts: number, ok: number, each: number, unpriced = 0): RouteSpending => ({
  ...{ ...step, attempts, ok, unpriced },
  cost: each * (attempts - unpriced),
});

/** What is learned and what is paid where a test says nothing else: nothing. */
function saving(spending: readonly RouteSpending[], more: Partial<Parameters<typeof siteSaving>[0]> = {}) {
  return siteSaving({
    ...{ spending, okShare: 1, recent: spending, steps: [HTTP, BROWSER, VENDOR], currency: 'EUR' },
    ...{ learned: () => null, price: () => null },
    ...more,
  });
}

test('nothing is known without prices, attempts, costs or pages', () => {
  const [reasons, values] = [
    saving([spent(HTTP, 5, 5, 100)], { currency: null }),
    saving([]),
    saving([spent(HTTP, 5, 5, 100, 5)]),
    saving([spent(HTTP, 5, 0, 100)]),
    saving([spent(HTTP, 5, 5, 100)]),
  ].reduce<[string[], unknown[]]>(
    ([words, of], { reason, value }) => [
      [...words, reason],
      [...of, value],
    ],
    [[], []],
  );
  assert.deepEqual(values, [null, null, null, null, null]);
  assert.equal(new Set(reasons).size, 5, reasons.join('\n'));
});

test('a cheaper method counts only if it works at least as well', () => {
  const spending = [spent(VENDOR, 100, 100, 1_000), spent(HTTP, 100, 99, 100)];
  const found = saving(spending);
  assert.deepEqual(found.step, HTTP);
  // 199 pages by http, of which 100 in 102 attempts are expected: each page takes 102/100 attempts.
  assert.equal(found.value, Math.round(110_000 - (199 * 100) / (100 / 102)));
  // Each scrape was successful in the end: http alone would miss pages, and the vendor alone would cost more.
  const half = [spent(VENDOR, 100, 100, 1_000), spent(HTTP, 200, 100, 100)];
  assert.deepEqual(saving(half).value, 0);
  assert.match(
    saving(half).reason,
    / The best of the cheaper ones is http: 100 of its 200 .* counts as 50 of 100; at least 95 of 100 are needed to count as equal\.$/,
  );
  const nearly = saving(half, {
    learned: (step) => (step === HTTP ? { success: 0.9499, remembered: 9 } : null),
  });
  assert.equal(nearly.value, 0);
  assert.match(
    nearly.reason,
    / The best of the cheaper ones is http: today Sluice expects that 94 of 100 .* at least 95 of 100 /,
  );
  const wouldDo = saving(half, { okShare: 0.5 });
  assert.deepEqual([wouldDo.step, wouldDo.value], [HTTP, Math.round(120_000 - (200 * 100) / (101 / 202))]);
});

test('a method saves nothing on its own pages, however well it works today', () => {
  const learned = () => ({ success: 0.6, remembered: 200 });
  const alone = saving([spent(HTTP, 3_022, 1_608, 20)], { okShare: 0.53, learned });
  assert.deepEqual([alone.step, alone.value], [null, null], alone.reason);
  assert.match(alone.reason, /^No other method was tried/);
  // Beside it, the vendor got few pages: only these would have cost less.
  const both = saving([spent(HTTP, 1_000, 500, 20), spent(VENDOR, 10, 10, 1_000)], {
    ...{ okShare: 0.5, learned: (step) => (step === HTTP ? learned() : null) },
  });
  assert.deepEqual([both.step, both.value], [HTTP, Math.round(10_000 - (10 * 20) / 0.6)]);
  assert.match(
    both.reason,
    / the 510 pages .* about 0\.0203 EUR instead of 0\.03 EUR\. This includes 0\.02 EUR for the 500 pages that it got itself, failed attempts included\. For the other 10 pages, an attempt costs 0\.00002 EUR, and today Sluice expects that 60 of 100 /,
  );
});

test('failed attempts by a cheaper method are saved by the one that works', () => {
  const found = saving([spent(VENDOR, 50, 50, 1_000), spent(HTTP, 50, 0, 900)]);
  assert.deepEqual(found.step, VENDOR);
  assert.ok(found.value! > 40_000);
  const worse = saving([spent(VENDOR, 60, 50, 1_000), spent(HTTP, 50, 0, 900)], {
    learned: (step) => (step === VENDOR ? { success: 0.98, remembered: 9 } : null),
  });
  assert.equal(worse.value, 45_000);
  assert.match(worse.reason, /\. This includes 0\.06 EUR for the 50 pages .* included\.$/);
});

test('what is learned has priority over counted attempts, and prices serve where nothing was paid yet', () => {
  const spending = [spent(VENDOR, 100, 100, 1_000)];
  const learned = (step: Step) =>
    step === HTTP
      ? { success: 0.98, remembered: 2 }
      : step === BROWSER
        ? { success: 0.99, remembered: 0.5 }
        : null;
  const priced = saving(spending, { learned, price: (step) => (step === HTTP ? 100 : 1) });
  assert.deepEqual([priced.step, priced.value], [HTTP, Math.round(100_000 - 10_000 / 0.98)]);
  assert.match(
    priced.reason,
    /^http alone would have got the 100 pages of the last twelve months for about 0\.0102 EUR instead of 0\.1 EUR, of which 0\.1 EUR went to vendor:one: an attempt costs 0\.0001 EUR, and today Sluice expects that 98 of 100 get the page, failures of proxies and refused connections aside\.$/,
  );
  const many = saving([spent(VENDOR, 2_000, 2_000, 1_000), spent(HTTP, 98, 98, 100)]);
  assert.match(
    many.reason,
    / the 2,098 pages .*: an attempt costs 0\.0001 EUR, and 98 of its 98 attempts of this month and last month got the page, which counts as 99 of 100\.$/,
  );
  assert.equal(saving(spending, { learned }).value, null, 'no price');
});

test('attempts without a known cost, and those of a model, are left out', () => {
  const half = spent(VENDOR, 100, 100, 1_000, 50);
  const found = saving([half, spent(HTTP, 30, 30, 100), { ...spent(HTTP, 9, 9, 9_999), scraper: 'model' }]);
  // 50 pages by the vendor with a known cost, 30 by http.
  assert.equal(found.value, Math.round(53_000 - (80 * 100) / (31 / 32)));
  assert.match(found.reason, / the 80 pages of the last twelve months whose cost is known for about /);
});

test('a site that refuses most scrapes gets no advice to be refused for less', () => {
  const impersonating: Step = { scraper: 'http_impersonate', proxyType: 'datacenter' };
  const spending = [spent(impersonating, 85, 0, 10), spent(VENDOR, 1, 1, 1_000), spent(HTTP, 8, 0, 10)];
  const found = saving(spending, {
    okShare: 1 / 94,
    steps: [HTTP, impersonating, VENDOR],
    learned: () => ({ success: 0.3, remembered: 50 }),
  });
  assert.deepEqual([found.value, found.step], [null, null]);
  assert.match(found.reason, / vendor:one got the page in 1 of 1 attempts, .* compare the methods /);
  const none = saving([spent(HTTP, 50, 0, 10), spent(VENDOR, 1, 1, 5)], { okShare: 0.02, recent: [] });
  assert.match(none.reason, /vendor:one/);
});

test('there is no advice by few pages, for a small part of the cost, or for a method that got no page', () => {
  const few = saving([spent(VENDOR, 19, 19, 1_000)], {
    price: () => 1,
    learned: () => ({ success: 1, remembered: 9 }),
  });
  assert.deepEqual([few.value, few.step], [null, null]);
  assert.match(few.reason, /^Only 19 pages /);
  const little = saving([spent(VENDOR, 100, 100, 1_000), spent(HTTP, 100, 100, 990)]);
  assert.deepEqual([little.value, little.step], [0, null]);
  const never = saving([spent(VENDOR, 100, 100, 1_000)], {
    recent: [spent(VENDOR, 100, 100, 1_000), spent(HTTP, 9, 0, 10)],
    learned: (step) => (step === HTTP ? { success: 0.99, remembered: 9 } : null),
    price: () => 10,
  });
  assert.deepEqual([never.step], [null], never.reason);
});

test('free attempts save nothing', () => {
  assert.deepEqual(saving([spent(HTTP, 5, 5, 0)]), {
    value: 0,
    step: null,
    reason: 'The attempts were free.',
  });
});
