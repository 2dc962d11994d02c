import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useService } from '../helpers/service.ts';
import { post, refusing, SCRAPE } from './refusing.ts';

describe('contract §8: 422', () => {
  const service = useService();
  const { refused } = refusing(service);

  const url = 'http://127.0.0.1:9/';
  const cases: [string, Record<string, unknown>, string, string | null][] = [
    [
      'auto with a screenshot, without browsers',
      { screenshot: true, router: { ignore: ['browser'] } },
      'route.none',
      null,
    ],
    [
      'auto with an action, without browsers',
      { router: { ignore: ['browser'] }, page_actions: [{ click: 'a' }] },
      'route.none',
      null,
    ],
    ['auto with a browser', { browser_type: 'firefox' }, 'browser.unavailable', '/browser_type'],
    [
      'everything ignored',
      { router: { ignore: ['http', 'http_impersonate', 'browser'] } },
      'route.none',
      null,
    ],
    [
      'router.only does not list the named scraper',
      { scraper: 'http', router: { only: ['browser'] } },
      'route.none',
      null,
    ],
    [
      'http with a screenshot',
      { scraper: 'http', screenshot: true },
      'scraper.unsupported_option',
      '/screenshot',
    ],
    [
      'http with a wait',
      { scraper: 'http', wait_for_timeout_ms: 5 },
      'scraper.unsupported_option',
      '/wait_for_timeout_ms',
    ],
    [
      'http with a browser',
      { scraper: 'http', browser_type: 'chromium' },
      'scraper.unsupported_option',
      '/browser_type',
    ],
    [
      'http with a browser option',
      { scraper: 'http', scraper_options: { locale: 'de-DE' } },
      'scraper.unsupported_option',
      '/scraper_options/locale',
    ],
    ['browser_stealth', { scraper: 'browser_stealth' }, 'scraper.unavailable', null],
    [
      'an impersonation asked of http',
      { scraper: 'http', scraper_options: { impersonate: 'chrome' } },
      'scraper.unsupported_option',
      '/scraper_options/impersonate',
    ],
    ['residential', { proxy: 'residential' }, 'proxy.pool_unconfigured', null],
    ['mobile, as an object', { proxy: { type: 'mobile' } }, 'proxy.pool_unconfigured', null],
    ['no proxy', { proxy: { type: 'none' } }, 'proxy.forbidden', null],
    ['a place without a pool', { proxy: { country: 'DE' } }, 'proxy.country_unavailable', '/proxy/country'],
    ['a pool that is not there', { proxy: { pool: 'a' } }, 'proxy.pool_unconfigured', '/proxy/pool'],
    [
      'scraper before proxy',
      { scraper: 'browser_stealth', proxy: 'mobile', screenshot: true },
      'scraper.unavailable',
      null,
    ],
    [
      'option before proxy',
      { scraper: 'http', proxy: 'mobile', screenshot: true },
      'scraper.unsupported_option',
      '/screenshot',
    ],
    ['proxy before route.none', { proxy: 'mobile', screenshot: true }, 'proxy.pool_unconfigured', null],
  ];
  for (const [name, more, code, pointer] of cases)
    test(`${name}: ${code}`, async () => {
      const reply = await refused('POST', SCRAPE, 422, code, post({ url, ...more }));
      if (pointer !== null) assert.equal(reply.body.errors[0]?.pointer, pointer);
      const { candidates } = reply.body;
      assert.ok(candidates !== undefined && candidates.length > 0, 'why per candidate');
      for (const candidate of candidates) {
        assert.equal(typeof candidate.excluded_by, 'string', JSON.stringify(candidate));
        assert.equal(candidate.selected, false);
      }
    });

  test('a dry_run without a possible route is refused too', async () => {
    await refused(
      'POST',
      SCRAPE,
      422,
      'scraper.unavailable',
      post({ url, scraper: 'browser_stealth', router: { dry_run: true } }),
    );
  });
});
