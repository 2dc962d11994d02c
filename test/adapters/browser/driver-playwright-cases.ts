import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { BrowserOptions } from '../../../src/domain/browser-options.ts';
import { DEFAULT_SCRAPER_OPTIONS, type ScraperOptions } from '../../../src/domain/scraper-options.ts';
import type { StoredCookie } from '../../../src/domain/storage-state.ts';
import { type DriverCase, has } from './driver-cases.ts';
import { html, type Routes } from './target.ts';

const KEPT: StoredCookie = {
  name: 'kept',
  value: 'from-before',
  domain: '127.0.0.1',
  path: '/',
  expires: -1,
  httpOnly: false,
  secure: false,
  sameSite: 'Lax',
};
const OF_PROFILE: Partial<ScraperOptions> = {
  profile: { name: 'shop', save: 'on_success', relogin: false },
  storageState: { cookies: [KEPT], origins: [] },
};
const { viewport } = DEFAULT_SCRAPER_OPTIONS;
/** The page shows what it can find out about the option. */
const option = (
  name: string,
  options: Partial<ScraperOptions>,
  shown: string,
  browser: Partial<BrowserOptions> = {},
): DriverCase => ({
  name: `playwright: ${name}`,
  path: '/what-is-set',
  change: { options, browser },
  check: has(shown),
});

/** What the driver `playwright` alone honours. */
export const PLAYWRIGHT_CASES: readonly DriverCase[] = [
  option('locale', { locale: 'de-DE' }, 'locale de-DE 1.234,5'),
  option('timezone', { timezone: 'Asia/Tokyo' }, 'timezone Asia/Tokyo -540'),
  option(
    'viewport',
    { viewport: { ...viewport, width: 400, height: 300, scale: 2 } },
    'viewport 400 300 2 false',
  ),
  option('device', { device: 'Pixel 7' }, 'viewport 412 839 2.625 true'),
  option('color_scheme', { colorScheme: 'dark' }, 'dark true'),
  option('reduced_motion', { reducedMotion: 'reduce' }, 'reduced true'),
  option(
    'geolocation',
    { geolocation: { latitude: 52.5, longitude: -13.25, accuracy: 7 } },
    'position 52.5 -13.25 7',
    { waitForSelector: 'css=#placed' },
  ),
  option('javascript', { javascript: false }, 'no scripts'),
  option('user_agent beside locale', { userAgent: 'Mine/1', locale: 'de-DE' }, 'agent Mine/1'),
  {
    name: 'playwright: verify_tls',
    path: '/text',
    on: 'wrong name',
    change: { options: { verifyTls: false } },
    check: has('plain text'),
  },
  option('storage_state', { storageState: { cookies: [KEPT], origins: [] } }, 'cookies kept=from-before'),
  {
    name: 'playwright: profile',
    path: '/what-is-set',
    change: { options: OF_PROFILE },
    check: ({ page }) =>
      assert.deepEqual(
        page?.storageState?.cookies.map(({ name, value }) => [name, value]),
        [['kept', 'from-before']],
      ),
  },
  {
    name: 'playwright: profile, and subresources of another site',
    path: '/beside',
    change: { options: OF_PROFILE, browser: { waitForSelector: 'css=#sent' } },
    check: has('own kept=from-before, other nothing'),
  },
  {
    name: 'playwright: profile, and a redirect to another site',
    path: '/leaves',
    change: { options: OF_PROFILE, browser: { waitForSelector: 'css=#sent' } },
    check: has('first kept=from-before, sent nothing, seen nothing'),
  },
  {
    name: 'playwright: profile, and a page that leads on to another site',
    path: '/leads-away',
    change: { options: OF_PROFILE, browser: { waitForSelector: 'css=#sent' } },
    check: has('first kept=from-before, sent nothing, seen nothing'),
  },
  {
    name: 'playwright: capture',
    path: '/what-is-set',
    change: {
      options: { capture: [{ url: '**/told', method: null, resourceType: null, body: true }] },
      browser: { waitForSelector: 'css=#told' },
    },
    check: ({ page }) =>
      assert.deepEqual(
        page?.network?.map(({ url, status, body }) => [new URL(url).pathname, status, body !== null]),
        [['/told', 200, true]],
      ),
  },
];

const cookieOf = ({ headers }: IncomingMessage): string => headers.cookie ?? 'nothing';
/** The same server as another site. */
const otherSite = ({ headers }: IncomingMessage): string =>
  `http://${headers.host!.replace('127.0.0.1', 'localhost')}`;
const awayFrom = (request: IncomingMessage): string =>
  `${otherSite(request)}/arrives?first=${encodeURIComponent(cookieOf(request))}`;

export const PLAYWRIGHT_ROUTES: Routes = {
  '/sent': (request, response) => {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
    response.setHeader('access-control-allow-credentials', 'true');
    response.end(cookieOf(request));
  },
  '/beside': (request, response) =>
    html(`<p>a page</p><script>
    const sent = async (site) => (await fetch(site + '/sent', { credentials: 'include' })).text();
    Promise.all([sent(''), sent('${otherSite(request)}')]).then(([own, other]) => {
      document.body.insertAdjacentHTML('beforeend', '<p id=sent>own ' + own + ', other ' + other);
    });
  </script>`)(request, response),
  '/leaves': (request, response) => void response.writeHead(302, { location: awayFrom(request) }).end(),
  '/leads-away': (request, response) =>
    html(`<script>location.href = '${awayFrom(request)}'</script>`)(request, response),
  '/arrives': (request, response) =>
    html(`<p>arrived</p><script>
    const first = new URLSearchParams(location.search).get('first');
    const text = 'first ' + first + ', sent ${cookieOf(request)}, seen ' + (document.cookie || 'nothing');
    document.body.insertAdjacentHTML('beforeend', '<p id=sent>' + text);
  </script>`)(request, response),
  '/told': html('told'),
  '/what-is-set':
    html(`<meta name=viewport content="width=device-width"><noscript>no scripts</noscript><pre id=out></pre><script>
    const show = (...parts) => out.append(parts.join(' '), document.createElement('br'));
    const media = (query) => matchMedia(query).matches;
    show('locale', navigator.language, (1234.5).toLocaleString());
    show('timezone', Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(0).getTimezoneOffset());
    show('viewport', innerWidth, innerHeight, devicePixelRatio, 'ontouchstart' in window);
    show('dark', media('(prefers-color-scheme: dark)'));
    show('reduced', media('(prefers-reduced-motion: reduce)'));
    show('agent', navigator.userAgent);
    show('cookies', document.cookie);
    fetch('/told').then((response) => response.text()).then(() => { document.body.id = 'told' });
    navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => {
      if (state === 'granted')
        navigator.geolocation.getCurrentPosition(({ coords }) => {
          show('position', coords.latitude, coords.longitude, coords.accuracy);
          out.id = 'placed';
        });
    });
  </script>`),
};
