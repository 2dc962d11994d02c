import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from '../../src/domain/failure.ts';
import { DEFAULT_SCRAPER_OPTIONS } from '../../src/domain/scraper-options.ts';
import type { ScraperName } from '../../src/domain/scrapers.ts';
import type { ProxyType } from '../../src/domain/task.ts';
import type { RoutingContext } from '../../src/router/exclusion.ts';
import { plan } from '../../src/router/plan.ts';
import { task } from '../helpers/task.ts';

const facts = (
  available: readonly ScraperName[],
  refused: readonly ProxyType[] = ['residential', 'mobile', 'none'],
): RoutingContext => ({
  unavailable: (name) => (available.includes(name) ? null : 'not available in this version'),
  proxyRefusal: (type) =>
    refused.includes(type)
      ? failure(type === 'none' ? 'proxy.forbidden' : 'proxy.pool_unconfigured', 'no')
      : null,
});
const here = facts(['http']);
const later = facts(['http', 'http_impersonate', 'browser']);
const step = (scraper: ScraperName, proxyType: ProxyType | null = null) => ({ scraper, proxyType });

test('auto takes what is there, cheapest first, and says why the rest is out', () => {
  const { plan: made } = plan(task(), here);
  assert.deepEqual(made?.steps, [{ scraper: 'http', proxyType: 'datacenter' }]);
  assert.equal(made?.maxAttempts, 3);
  assert.deepEqual(
    made?.candidates.map((c) => [c.scraper, c.selected, c.excludedBy]),
    [
      ['http', true, null],
      ['http_impersonate', false, 'unavailable'],
      ['browser', false, 'unavailable'],
      ['browser_stealth', false, 'unavailable'],
    ],
  );
});

test('the first attempt too is one that there is time for', () => {
  const first = (timeoutMs: number) =>
    plan(task({ timeoutMs, router: { sort: 'reliable' } }), later).plan?.steps[0]?.scraper;
  assert.equal(first(60_000), 'browser');
  assert.match(first(1_500)!, /^http/);
});

test('a named scraper is the only candidate, once', () => {
  const { plan: made } = plan(task({ scraper: 'http' }), later);
  assert.deepEqual(made?.steps, [{ scraper: 'http', proxyType: 'datacenter' }]);
  assert.equal(made?.maxAttempts, 1);
  assert.equal(made?.named, true);
});

test('order goes first, the rest follows only with fallbacks; only one candidate is selected', () => {
  const order = [step('browser'), step('http_impersonate', 'datacenter')];
  const names = (allowFallbacks: boolean) =>
    plan(task({ router: { order, allowFallbacks } }), later).plan?.steps.map((s) => s.scraper);
  assert.deepEqual(names(true), ['browser', 'http_impersonate', 'http']);
  assert.deepEqual(names(false), ['browser', 'http_impersonate']);
  const { plan: made } = plan(task({ router: { order } }), later);
  assert.deepEqual(
    made?.candidates.filter((c) => c.selected).map((c) => c.scraper),
    ['browser'],
  );
});

const refusals: [string, Parameters<typeof task>[0], RoutingContext, string, string?][] = [
  ['scraper that is not here', { scraper: 'browser' }, here, 'scraper.unavailable', '/scraper'],
  [
    'unavailable goes before unsupported',
    { scraper: 'browser', method: 'HEAD' },
    here,
    'scraper.unavailable',
  ],
  [
    'browser-only field, named http',
    { scraper: 'http', requested: ['/screenshot'] },
    here,
    'scraper.unsupported_option',
    '/screenshot',
  ],
  [
    'HEAD in a browser',
    { scraper: 'browser', method: 'HEAD' },
    later,
    'scraper.unsupported_option',
    '/method',
  ],
  [
    'body on GET in a browser',
    { scraper: 'browser', body: { type: 'raw', bytes: new Uint8Array(1), contentType: null } },
    later,
    'scraper.unsupported_option',
    '/data',
  ],
  [
    'unsupported goes before the proxy',
    { scraper: 'http', requested: ['/screenshot'], proxyType: 'mobile' },
    here,
    'scraper.unsupported_option',
  ],
  ['no pool', { proxyType: 'residential' }, here, 'proxy.pool_unconfigured'],
  ['none', { proxyType: 'none' }, here, 'proxy.forbidden'],
  [
    'the proxy goes before route.none',
    { proxyType: 'mobile', requested: ['/screenshot'] },
    here,
    'proxy.pool_unconfigured',
  ],
  ['browser-only field, auto, no browser', { requested: ['/wait_for_selector'] }, here, 'route.none'],
  ['only excludes all', { router: { only: [step('browser')] } }, here, 'route.none'],
  ['only with another proxy type', { router: { only: [step('http', 'residential')] } }, here, 'route.none'],
  [
    'only without the named scraper',
    { scraper: 'http', router: { only: [step('browser')] } },
    later,
    'route.none',
  ],
  ['ignore excludes all', { router: { ignore: [step('http')] } }, here, 'route.none'],
];
for (const [name, over, where, code, pointer] of refusals)
  test(`refused: ${name} → ${code}`, () => {
    const made = plan(task(over), where);
    assert.equal(made.failure?.code, code);
    if (pointer !== undefined) assert.equal(made.failure?.pointer, pointer);
    assert.ok(made.plan === null && made.candidates.every((c) => c.excludedBy !== null && !c.selected));
  });

test('a log-in needs a browser, whatever fetches the page', () => {
  const profile = { name: 'shop', save: 'on_success', relogin: true } as const;
  const asked = task({ scraper: 'http', options: { ...DEFAULT_SCRAPER_OPTIONS, profile } });
  assert.equal(plan(asked, later).failure, null);
  assert.partialDeepStrictEqual(plan(asked, here).failure, {
    code: 'scraper.unavailable',
    pointer: '/scraper_options/profile/relogin',
  });
});
