import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ScraperName } from '../../src/domain/scrapers.ts';
import { Experience } from '../../src/router/experience.ts';
import { BLOCK, OBSERVATIONS, OK } from '../../src/router/observations.ts';
import { bestRoute, WEIGHTS_BY_SORT } from '../../src/router/route-choice.ts';
import { ROUTES, routeIndex } from '../../src/router/routes.ts';
import { siteKeyOf } from '../../src/router/site-key.ts';
import { parseSite, serializeSite } from '../../src/router/site-memory.ts';

const NOW = 1_900_000_000;
const HTTP = routeIndex({ scraper: 'http', proxyType: 'datacenter' });
const BROWSER = routeIndex({ scraper: 'browser', proxyType: 'datacenter' });
const key = siteKeyOf('https://shop.test/products/17');

describe('what pages cost', () => {
  const by = (scraper: ScraperName, proxyType: 'residential' | 'mobile') =>
    routeIndex({ scraper, proxyType });
  const RESIDENTIAL = by('http', 'residential');
  const MOBILE = by('http', 'mobile');
  const other = siteKeyOf('https://shop.test/about');
  const costs = (experience: Experience, at = key) => experience.outlook(at, NOW, []);

  test('what one took by the byte tells what the others weigh, by all routes that are paid so', () => {
    const experience = new Experience(ROUTES);
    const usual = costs(experience);
    assert.equal(usual.effort(MOBILE), ROUTES[MOBILE]!.effort);
    assert.equal(usual.isMeasured(MOBILE), false);
    experience.record(key, NOW, { route: RESIDENTIAL, observation: OK }, 3 * ROUTES[RESIDENTIAL]!.effort);
    experience.record(other, NOW, { route: HTTP, observation: OK }, null);
    for (const at of [key, other]) {
      const view = costs(experience, at);
      assert.equal(view.effort(RESIDENTIAL), 3 * ROUTES[RESIDENTIAL]!.effort);
      assert.equal(view.effort(MOBILE), 3 * ROUTES[MOBILE]!.effort);
      assert.equal(view.isMeasured(MOBILE), true);
      assert.equal(view.isMeasured(BROWSER), false);
    }
    assert.equal(costs(experience, siteKeyOf('https://else.test/')).effort(MOBILE), ROUTES[MOBILE]!.effort);
  });

  test('where nothing was paid it is the estimate to the last digit, whatever is believed of the site', () => {
    for (const observation of OBSERVATIONS.keys())
      for (const route of [HTTP, BROWSER]) {
        const experience = new Experience(ROUTES);
        experience.record(key, NOW, { route, observation }, null);
        for (const one of [HTTP, BROWSER]) assert.equal(costs(experience).effort(one), ROUTES[one]!.effort);
      }
  });

  test('one page concludes no more than a fourfold weight', () => {
    const experience = new Experience(ROUTES);
    experience.record(key, NOW, { route: RESIDENTIAL, observation: OK }, 100 * ROUTES[RESIDENTIAL]!.effort);
    assert.equal(costs(experience).effort(RESIDENTIAL), 100 * ROUTES[RESIDENTIAL]!.effort);
    assert.equal(costs(experience).effort(MOBILE), 4 * ROUTES[MOBILE]!.effort);
  });

  test('what a route costs at sites of one kind is expected at the next one of it, also after a start', () => {
    const routes = [
      { name: 'plain', js: false, fingerprint: 0, ip: 0, effort: 1, failShare: 0.4, seconds: 1 },
      {
        name: 'service',
        js: true,
        fingerprint: 3,
        ip: 2,
        effort: 40,
        failShare: 0,
        seconds: 9,
        vendor: true,
      },
    ] as const;
    const experience = new Experience(routes);
    const see = (at: typeof key) => experience.record(at, NOW, { route: 0, observation: BLOCK }, null);
    for (let n = 0; n < 40; n++) {
      const guarded = siteKeyOf(`https://guarded-${n}.test/`);
      see(guarded);
      experience.record(guarded, NOW, { route: 1, observation: OK }, 80);
      experience.record(siteKeyOf(`https://open-${n}.test/`), NOW, { route: 0, observation: OK }, null);
    }
    const next = siteKeyOf('https://guarded.test/');
    see(next);
    const restarted = new Experience(routes);
    restarted.population.restore(experience.population.serialize());
    restarted.record(next, NOW, { route: 0, observation: BLOCK }, null);
    for (const one of [experience, restarted]) {
      const cost = one.outlook(next, NOW, []).effort(1);
      assert.ok(cost > 60 && cost <= 80, String(cost));
    }
    // As an earlier version kept it.
    const { counts, shares } = JSON.parse(experience.population.serialize());
    const older = new Experience(routes);
    older.population.restore(JSON.stringify({ counts, shares }));
    assert.equal(older.population.hasLearned, true);
    assert.equal(older.outlook(next, NOW, []).effort(1), 40);
  });

  test('prices and traffic are kept; a record of an earlier version has none', () => {
    const experience = new Experience(ROUTES);
    experience.record(key, NOW, { route: RESIDENTIAL, observation: OK }, 12);
    const [[, site] = []] = experience.memory.takeChanged(1);
    const text = serializeSite(site!);
    assert.deepEqual(parseSite(text), site);
    const older = JSON.parse(text);
    delete older.all.weight;
    delete older.all.paid;
    const { trafficFactor, paid, attemptCount } = parseSite(JSON.stringify(older))!.all;
    assert.deepEqual([trafficFactor, paid, attemptCount], [null, null, 1]);
  });
});

describe('the least spend', () => {
  const route = (name: string, effort: number, seconds: number) =>
    ({ name, js: false, fingerprint: 1, ip: 0, effort, failShare: 0.5, seconds }) as const;
  const routes = [route('cheap and slow', 10, 12), route('dear and quick', 14, 2)];
  const view = (isMeasured: boolean) => ({
    success: () => 0.9,
    effort: (at: number) => routes[at]!.effort,
    isMeasured: () => isMeasured,
  });
  const chosen = (over: object, isMeasured = true) => {
    const bounds = { secondsLeft: 60, mustTry: false, ...over };
    const best = bestRoute(
      routes,
      [0, 1],
      view(isMeasured),
      { ...WEIGHTS_BY_SORT.balanced, second: 0 },
      bounds,
    );
    return best === null ? null : routes[best.route]!.name;
  };
  test('the less time is left, the less likely is a page in time', () => {
    assert.equal(chosen({}), 'cheap and slow');
    assert.equal(chosen({ secondsLeft: 14 }), 'dear and quick');
    // It may well end in less than its usual time.
    assert.equal(
      bestRoute(routes, [0], view(true), WEIGHTS_BY_SORT.balanced, { secondsLeft: 11, mustTry: false })
        ?.route,
      0,
    );
    assert.equal(
      bestRoute(routes, [0], view(true), WEIGHTS_BY_SORT.balanced, { secondsLeft: 1, mustTry: false }),
      null,
    );
  });
  test('what an attempt that fails takes from the best other route counts', () => {
    const seldom = [route('seldom', 1, 6), route('mostly', 30, 12)];
    const success = (at: number) => (at === 0 ? 0.3 : 0.9);
    const effort = (at: number) => seldom[at]!.effort;
    const first = (over: object) => {
      const bounds = { secondsLeft: 60, mustTry: false, ...over };
      const at = bestRoute(
        seldom,
        [0, 1],
        { success, effort, isMeasured: () => true },
        WEIGHTS_BY_SORT.balanced,
        bounds,
      );
      return at === null ? null : seldom[at.route]!.name;
    };
    assert.equal(first({}), 'seldom');
    // After it there would be no time for the other one, or not enough money.
    assert.equal(first({ secondsLeft: 15 }), 'mostly');
    assert.equal(first({ unitsLeft: 31 }), 'seldom');
    assert.equal(first({ unitsLeft: 30.2 }), 'mostly');
  });

  test('what may turn out dearer than what is left is less likely to bring a page', () => {
    const dearer = [route('cheap', 10, 2), route('dear', 12, 2)];
    const p = (at: number, unitsLeft: number, isMeasured: boolean) =>
      bestRoute(dearer, [at], view(isMeasured), WEIGHTS_BY_SORT.balanced, {
        secondsLeft: 60,
        mustTry: false,
        unitsLeft,
      })?.p ?? 0;
    assert.ok(p(0, 11, false) < 0.7 * p(0, 11, true));
    assert.ok(p(0, 1_000, false) > 0.99 * p(0, 1_000, true));
    assert.equal(p(0, 9, true), 0);
  });
});
