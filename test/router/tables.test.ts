import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEFENSES } from '../../src/router/defenses.ts';
import { Experience } from '../../src/router/experience.ts';
import { CHALLENGE, OK, SHELL } from '../../src/router/observations.ts';
import { ROUTES, routeIndex } from '../../src/router/routes.ts';

const NOW = 1_900_000_000;
const HTTP = routeIndex({ scraper: 'http', proxyType: 'datacenter' });
const BROWSER = routeIndex({ scraper: 'browser', proxyType: 'datacenter' });
const kind = (name: string) => DEFENSES.findIndex((defense) => defense.name === name);
const at = (site: string, pattern = '/') => ({ site, pattern });

describe('the tables for all sites', () => {
  test('sites that are known to be open teach nothing of those that need something', () => {
    const experience = new Experience(ROUTES);
    const p = () => experience.population.success(kind('js'), HTTP);
    const before = p();
    for (let n = 0; n < 300; n++)
      for (let time = 0; time < 4; time++)
        experience.record(at(`open-${n}.test`), NOW + 2 * time, { route: HTTP, observation: OK }, null);
    assert.ok(p() < before + 0.05, `${before}, then ${p()}`);
  });

  test('sites are counted, not attempts: those that take many attempts are not more', () => {
    const experience = new Experience(ROUTES);
    for (let n = 0; n < 600; n++) {
      experience.record(at(`open-${n}.test`), NOW, { route: HTTP, observation: OK }, null);
      for (const [route, observation] of [
        [HTTP, SHELL],
        [HTTP, SHELL],
        [HTTP, SHELL],
        [BROWSER, OK],
      ] as const)
        experience.record(at(`scripts-${n}.test`), NOW, { route, observation }, null);
    }
    const { share } = experience.population;
    const [open, js] = [share[kind('open')]!, share[kind('js')]!];
    assert.ok(open > 0.35 && js > 0.35 && js < 0.55, `${open} ${js}`);
  });

  test('one site does not teach what all of its kind are like, however often it is asked', () => {
    const experience = new Experience(ROUTES);
    const { population } = experience;
    const p = () => population.success(kind('light check'), HTTP);
    const before = p();
    for (let n = 0; n < 2_000; n++)
      experience.record(
        at('busy.test'),
        NOW + 2 * n,
        { route: HTTP, observation: n % 2 === 0 ? OK : CHALLENGE },
        null,
      );
    assert.ok(Math.abs(p() - before) < 0.25, `${before}, then ${p()}`);
  });
});

test('however many other pages of a site are known, they speak for a kind of page that is not as some attempts do', () => {
  const experience = new Experience(ROUTES);
  const [pages, app] = [at('shop.test', '/pages/*'), at('shop.test', '/app')];
  for (let n = 0; n < 200; n++) experience.record(pages, NOW + 2 * n, { route: HTTP, observation: OK }, null);
  const look = () => experience.outlook(app, NOW + 400, []);
  assert.ok(look().success(HTTP) > 0.8);
  assert.ok(look().attempts(HTTP) > 2 && look().attempts(HTTP) <= 5, String(look().attempts(HTTP)));
  for (let n = 0; n < 3; n++) {
    experience.record(app, NOW + 400, { route: HTTP, observation: SHELL }, null);
    experience.record(app, NOW + 400, { route: BROWSER, observation: OK }, null);
  }
  assert.ok(look().success(HTTP) < 0.5);
  assert.ok(experience.outlook(pages, NOW + 400, []).success(HTTP) > 0.8);
});
