import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCRAPER_NAMES } from '../../src/domain/scrapers.ts';
import { PROXY_TYPES } from '../../src/domain/task.ts';
import { plan } from '../../src/router/plan.ts';
import { effortOf, measuredEffort } from '../../src/router/routes.ts';
import { task } from '../helpers/task.ts';

test('more capable is dearer: each scraper than the one before it, each kind of exit too', () => {
  const of = (scraper: (typeof SCRAPER_NAMES)[number], proxyType: (typeof PROXY_TYPES)[number]) =>
    effortOf({ scraper, proxyType }).units;
  for (const proxyType of PROXY_TYPES)
    for (let i = 1; i < SCRAPER_NAMES.length; i++)
      assert.ok(of(SCRAPER_NAMES[i]!, proxyType) > of(SCRAPER_NAMES[i - 1]!, proxyType));
  for (const scraper of SCRAPER_NAMES) {
    assert.ok(of(scraper, 'datacenter') < of(scraper, 'residential'));
    assert.ok(of(scraper, 'residential') < of(scraper, 'mobile'));
  }
  assert.equal(of('http', 'datacenter'), 1);
});

test('by a paid exit a page takes what it weighs, by another one what the scraper takes', () => {
  const paid = (
    scraper: (typeof SCRAPER_NAMES)[number],
    proxyType: (typeof PROXY_TYPES)[number],
    bytes: number,
  ) => measuredEffort({ scraper, proxyType }, bytes);
  assert.equal(
    paid('http', 'residential', 50_000),
    effortOf({ scraper: 'http', proxyType: 'residential' }).units,
  );
  assert.equal(
    paid('browser', 'mobile', 350_000),
    effortOf({ scraper: 'browser', proxyType: 'mobile' }).units,
  );
  assert.equal(paid('http', 'residential', 0), 1);
  assert.equal(paid('http', 'residential', 500_000), 50);
  for (const type of ['none', 'datacenter', 'custom'] as const)
    assert.equal(paid('http', type, 500_000), null);
});

test('a candidate tells what it would take, one that is out does not', () => {
  const { plan: made } = plan(task({ scraper: 'auto' }), {
    unavailable: (name) => (name === 'http' ? null : 'no'),
    proxyRefusal: () => null,
  });
  assert.deepEqual(
    made?.candidates.map((c) => c.estCost),
    [1, null, null, null],
  );
});
