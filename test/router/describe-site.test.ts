import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProxyType } from '../../src/domain/task.ts';
import { describeSite } from '../../src/router/describe-site.ts';
import { Experience } from '../../src/router/experience.ts';
import { OK } from '../../src/router/observations.ts';
import { plan } from '../../src/router/plan.ts';
import { ROUTES, routeIndex } from '../../src/router/routes.ts';
import { siteKeyOf } from '../../src/router/site-key.ts';
import { task } from '../helpers/task.ts';

const facts = { unavailable: () => null, proxyRefusal: () => null };
const at = (proxyType: ProxyType) => ({ scraper: 'browser', proxyType }) as const;

for (const type of ['datacenter', 'residential'] as const)
  test(`what is said to be next is what a plain request begins with, with a pin to ${type}`, () => {
    const experience = new Experience(ROUTES);
    const key = siteKeyOf(task().url);
    experience.record(
      key,
      1,
      { route: routeIndex({ scraper: 'http', proxyType: 'datacenter' }), observation: OK },
      null,
    );
    experience.pins.set(key.site, at(type));
    const [page] = describeSite(experience, key.site, 1, () => true)!.pages;
    const { first } = plan(task(), facts, experience, 1).plan!;
    assert.deepEqual(page!.next, first!.step);
    assert.equal(page!.reason, first!.reason);
  });

test('of several ports of a host, the one with the most attempts is its main site', () => {
  const experience = new Experience(ROUTES);
  const seen = { route: routeIndex({ scraper: 'http', proxyType: 'datacenter' }), observation: OK };
  for (const [site, attempts] of [
    ['a.test:81', 2],
    ['a.test:82', 3],
    ['b.test', 1],
    ['a.test', 1],
    ['b.test:81', 1],
  ] as const)
    for (let n = 0; n < attempts; n++) experience.record({ site, pattern: '/' }, 1, seen, null);
  const main = experience.memory.mainSitesOf(new Set(['a.test', 'b.test', 'c.test']));
  assert.deepEqual(Object.fromEntries(main), { 'a.test': 'a.test:82', 'b.test': 'b.test:81' });
});
