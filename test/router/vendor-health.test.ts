import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseChanges, serializeChanges } from '../../src/router/change-list.ts';
import { Experience, type ExperienceChange } from '../../src/router/experience.ts';
import { BLOCK, OK } from '../../src/router/observations.ts';
import { ROUTES, vendorRoute, withDurations } from '../../src/router/routes.ts';
import { siteKeyOf } from '../../src/router/site-key.ts';
import { VendorHealth } from '../../src/router/vendor-health.ts';
import { VendorAccount } from '../../src/scrapers/vendor/vendor-account.ts';

const NOW = 1_900_000_000;
const VENDOR = ROUTES.length;
const STEP = { scraper: 'vendor:a', proxyType: 'datacenter' } as const;
const route = (units: number) => vendorRoute(STEP, { units, paidBy: 'success' });
const siteAt = (n: number) => siteKeyOf(`https://site-${n}.test/a`);
const known = (units = 20) => {
  const experience = new Experience(ROUTES);
  experience.addRoutes([route(units)]);
  return experience;
};

describe('the health of a vendor', () => {
  test('some unexpected failures in turn, and it is believed not to work; a few pages, and it works', () => {
    const health = new VendorHealth();
    assert.ok(health.factor(NOW) > 0.95);
    for (let n = 0; n < 4; n++) health.record(NOW + n, 0.9, false);
    assert.ok(health.factor(NOW + 4) < 0.3 && health.isOut(NOW + 4));
    for (let n = 5; n < 10; n++) health.record(NOW + n, 0.9, true);
    assert.ok(health.factor(NOW + 10) > 0.6 && !health.isOut(NOW + 10));
  });

  test('failures that were expected say little, and what was seen is forgotten within the hour', () => {
    const health = new VendorHealth();
    for (let n = 0; n < 4; n++) health.record(NOW + n, 0.1, false);
    assert.ok(health.factor(NOW + 4) > 0.9);
    for (let n = 0; n < 9; n++) health.record(NOW + n, 0.9, false);
    assert.ok(health.factor(NOW + 10) < 0.1);
    assert.ok(health.factor(NOW + 3_600) > 0.9);
  });

  test('what fails everywhere is not held against the sites, and counts at sites never seen', () => {
    const experience = known();
    for (let n = 0; n < 100; n++)
      experience.record(siteAt(n), NOW + n, { route: VENDOR, observation: OK }, null);
    const usual = experience.outlook(siteAt(500), NOW + 100, []).success(VENDOR);
    for (let n = 0; n < 30; n++)
      experience.record(siteAt(n % 3), NOW + 100 + n, { route: VENDOR, observation: BLOCK }, null);
    const success = (n: number, after: number) =>
      experience.outlook(siteAt(n), NOW + 130 + after, []).success(VENDOR);
    assert.ok(success(500, 0) < 0.2 * usual);
    assert.ok(experience.isOnTrial(VENDOR, NOW + 130, { isRunning: false }));
    assert.equal(experience.isOnTrial(VENDOR, NOW + 300, { isRunning: false }), false);
    assert.ok(experience.isOnTrial(VENDOR, NOW + 300, { isRunning: true }));
    for (let n = 0; n < 6; n++)
      experience.record(siteAt(500 + n), NOW + 131 + n, { route: VENDOR, observation: OK }, null);
    assert.ok(success(600, 8) > 0.8 * usual);
    assert.ok(success(0, 8) > 0.5 * usual, 'the sites where it failed');
  });

  test('a failure of the vendor itself counts at all sites, on all replicas, and shows nothing of its site', () => {
    const [here, there] = [known(), known()];
    const changes: ExperienceChange[] = [];
    here.onChange = (change) => changes.push(change);
    for (let n = 0; n < 5; n++) here.recordVendorFailure(siteAt(1), NOW + n, VENDOR);
    for (const change of parseChanges(serializeChanges(changes, here.routes), there.routes))
      there.apply(change, true);
    for (const experience of [here, there]) {
      const { success, attemptCount } = experience.outlook(siteAt(2), NOW + 5, []);
      assert.ok(success(VENDOR) < 0.2, String(success(VENDOR)));
      assert.equal(attemptCount, 0);
      assert.equal(experience.memory.patterns(siteAt(1).site), null);
    }
  });
});

describe('the price of a vendor', () => {
  test('what the operator changes counts at once, also where pages were more expensive than usual', () => {
    const experience = known(20);
    experience.record(siteAt(1), NOW, { route: VENDOR, observation: OK }, 50);
    experience.addRoutes([route(10)]);
    const effort = (n: number) => experience.outlook(siteAt(n), NOW, []).effort(VENDOR);
    assert.equal(experience.routes.length, ROUTES.length + 1);
    assert.equal(effort(1), 25);
    assert.ok(effort(2) >= 10 && effort(2) < 25);
  });
});

describe('an account at a vendor', () => {
  const opened = (slots: number | null) => {
    const clock = { at: 0, now: () => clock.at };
    return { clock, account: new VendorAccount(clock, slots) };
  };

  test('the wait for a slot is told, and counts as time of the attempt', () => {
    const { account } = opened(2);
    for (let n = 0; n < 60; n++) account.notePage(4);
    assert.ok(Math.abs(account.seconds() - 4) < 0.1);
    account.enter();
    assert.equal(account.waitSeconds(), 0);
    account.enter();
    account.enter();
    assert.ok(Math.abs(account.waitSeconds() - 4) < 0.1);
    const time = {
      scraper: STEP.scraper,
      seconds: () => account.seconds(),
      waitSeconds: () => account.waitSeconds(),
    };
    const routes = withDurations([...ROUTES, route(20)], [time]);
    assert.ok(Math.abs(routes[VENDOR]!.seconds - 8) < 0.2);
    assert.equal(routes[0], ROUTES[0]);
  });

  test('rests become longer, with one attempt after each; a page ends them', () => {
    const { clock, account } = opened(null);
    const since = clock.at;
    for (let n = 0; n < 3; n++) account.noteTrouble('protocol', null);
    const restFor = () => {
      const from = clock.at;
      while (account.resting() !== null) clock.at += 1_000;
      return (clock.at - from) / 1_000;
    };
    assert.equal(restFor(), 30);
    account.enter();
    // The others wait for what the attempt shows.
    assert.equal(account.resting(), 'protocol');
    account.noteTrouble('protocol', null);
    assert.equal(restFor(), 60);
    for (let n = 0; n < 9; n++) account.noteTrouble('timeout', null);
    assert.equal(restFor(), 300);
    // It may be used again, and has returned no page yet.
    assert.deepEqual(account.outage(), { reason: 'timeout', since, until: clock.at });
    account.notePage(5);
    assert.equal(account.outage(), null);
    account.noteTrouble('protocol', null);
    assert.equal(account.resting(), null);
  });

  test('an attempt that had little time is not the fault of the vendor', () => {
    const { account } = opened(null);
    account.notePage(8);
    for (let n = 0; n < 9; n++) assert.equal(account.noteLate(3), false);
    assert.equal(account.resting(), null);
    assert.equal(account.noteLate(60), true);
    assert.equal(account.noteTrouble('blocked', null), false);
    assert.equal(account.noteTrouble('credits', null), false);
    assert.equal(account.resting(), 'credits');
  });
});
