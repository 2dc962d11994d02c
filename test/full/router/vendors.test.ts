import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vendorSettings } from '../../../bench/routing/scenarios.ts';
import { vendorFigures } from '../../../bench/routing/vendor-figures.ts';
import { decays, down, middle, strong } from '../../../bench/routing/vendors.ts';

// The relations of `npm run bench -- routing`, in a smaller simulation. Its time is simulated, and its chance comes from the seed.
test('a vendor that decays or is down is left within minutes, and found again within the hour', () => {
  const vendors = [
    middle({ troubles: [decays(12, 14), down(18, 20)], prices: [[9, 1.3]] }),
    strong({ units: 34 }),
  ];
  const settings = { ...vendorSettings(vendors), days: 1, requests: 16_000, sites: 250 };
  const { auto, oracle, troubles } = vendorFigures(121, settings);
  const cost = auto.perSuccess / oracle.perSuccess;
  assert.ok(cost <= 1.08, `cost per success ${cost} × the clairvoyant's`);
  assert.ok(auto.success >= oracle.success - 0.01, `success ${auto.success}, ${oracle.success}`);
  assert.equal(auto.over, 0);
  for (const { how, recovery, foundAgain } of troubles) {
    assert.ok(recovery <= 10, `${how}: left after ${recovery} min`);
    assert.ok(foundAgain <= 60, `${how}: used again after ${foundAgain} min`);
  }
  assert.deepEqual(
    troubles.map(({ how }) => how),
    ['decays', 'down'],
  );
});
