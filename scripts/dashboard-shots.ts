/**
 * Takes screenshots of the dashboard of a real service: `dashboard-shots.ts [--screen] [--locale=de] <folder>
 * [path …]`. Each path is taken in light and dark, on a wide screen and on a phone; with `--screen` only the visible part. It fails
 * if axe finds something. Default: all pages.
 * A path that begins with `-` is taken signed out (`-/sign-in`). Placeholders: `{scrape}` is the id of the latest scrape
 * over HTTP, `{browser}` of one in a browser, `{route}` of one with several attempts, `{plan}` of a dry run, `{reading}`
 * of one with Markdown and a screenshot; `{site}` is the host that was scraped; `{job}` is the id of a batch, `{crawl}` of a
 * crawl, `{monitor}` of a monitor of a page that has changed; `{schedule}` is the id of a schedule with two runs,
 * `{dataset}` of the dataset that they fill, `{user}` of another user.
 */
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildDashboard } from '../test/dashboard/build-dashboard.ts';
import { expectAccessible } from '../test/dashboard/expect-accessible.ts';
import { seed } from '../test/dashboard/seed.ts';
import { seedCrawl } from '../test/dashboard/seed-crawl.ts';
import { seedDataset } from '../test/dashboard/seed-dataset.ts';
import { seedMonitor } from '../test/dashboard/seed-monitor.ts';
import { seedPoolsAndVendors } from '../test/dashboard/seed-pools.ts';
import {
  aSeason,
  aWeek,
  aYearOfSites,
  seedSites,
  seedStats,
  seedUsage,
} from '../test/dashboard/seed-stats.ts';
import { ADMIN, launchChromium, NARROW, newPage, settled, WIDE } from '../test/dashboard/use-dashboard.ts';
import { ARTICLE } from '../test/end-to-end/reading-pages.ts';
import { eventually, startService } from '../test/helpers/service.ts';
import { createUser } from '../test/helpers/users.ts';
import { startSite } from '../test/site/site.ts';

const PAGES = [
  '-/sign-in',
  '-/set-up',
  '/',
  '/usage',
  '/history',
  '/history/{scrape}',
  '/history/{browser}',
  '/history/{route}',
  '/history/{plan}',
  '/history/{reading}',
  '/playground',
  '/jobs',
  '/jobs/new-batch',
  '/jobs/new-crawl',
  '/jobs/{job}',
  '/jobs/{crawl}',
  '/monitors',
  '/monitors/new',
  '/monitors/{monitor}',
  '/monitors/{monitor}/edit',
  '/channels',
  '/schedules',
  '/schedules/new',
  '/schedules/{schedule}',
  '/datasets',
  '/datasets/{dataset}',
  '/datasets/{dataset}?diff_to=1',
  '/alerts',
  '/webhooks',
  '/sites',
  '/sites?host={site}',
  '/keys',
  '/users',
  '/users/{user}',
  '/proxies',
  '/vendors',
  '/prices',
  '/system',
  '/account',
];

const { values, positionals } = parseArgs({
  options: { screen: { type: 'boolean', default: false }, locale: { type: 'string', default: 'en-GB' } },
  allowPositionals: true,
});
const [folder, ...paths] = positionals;
if (folder === undefined)
  throw new Error('usage: dashboard-shots.ts [--screen] [--locale=de] <folder> [-- path …]');
mkdirSync(folder, { recursive: true });
await buildDashboard();
await using site = await startSite({ log: false });
await using service = await startService({
  SLUICE_DASHBOARD: 'true',
  SLUICE_ADMIN_PASSWORD: ADMIN.password,
  SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8',
});
const scrapers = { http: 0.00002, http_impersonate: 0.00001, browser: 0.0005 };
await service.api('PUT', '/api/v1/prices/', { body: { currency: 'EUR', scrapers } });
await seed(service, site);
await seedStats(service, aWeek());
await seedSites(service, aYearOfSites(new URL(site.url).hostname));
const newKey = async (name: string, amount: number) => {
  const key = { name, daily_budget: { amount, unit: 'cost' } };
  return (await service.api<{ id: string }>('POST', '/api/v1/keys/', { body: key })).body.id;
};
const keyIds = [
  await newKey('Catalogue, nightly', 2),
  await newKey('Books', 5),
  await newKey('Prices', 1),
] as const;
const { body: own } = await service.api<{ budgets: { user_id: string }[] }>('GET', '/api/v1/usage/');
await seedUsage(service, aSeason(own.budgets[0]!.user_id, keyIds));
const { body } = await service.api<{ items: { id: string }[] }>('GET', '/api/v1/scrape/?limit=1');
const inBrowser = await service.scrape({
  url: `${site.url}/html/20000`,
  screenshot: true,
  page_actions: [
    { scroll: 'bottom' },
    { type: 'evaluate', script: '({ title: document.title, links: document.links.length })' },
    { type: 'screenshot', name: 'at the end' },
    { type: 'click', selector: '#nothing-like-it', timeout_ms: 200, on_error: 'continue' },
    { type: 'hover', selector: '#nothing-like-it', timeout_ms: 200, optional: true },
  ],
  scraper_options: { capture: [{ url: '**', body: true }] },
});
const accept = { contains: 'not in this page' };
const page = `${site.url}/html/5000`;
const withAttempts = await service.scrape({
  url: page,
  scraper: 'auto',
  router: { accept, order: ['http'] },
});
const planned = await service.scrape({ url: page, scraper: 'auto', router: { dry_run: true } });
await using article = createServer((_, response) =>
  response.setHeader('content-type', 'text/html').end(ARTICLE),
);
await once(article.listen(0, '127.0.0.1'), 'listening');
const read = await service.scrape({
  url: `http://127.0.0.1:${(article.address() as AddressInfo).port}/harbours`,
  screenshot: true,
  scraper_options: { formats: ['markdown', 'main_html', 'structured', 'images'], only_main_content: true },
});
const newChannel = async (name: string, type: string, url: string) =>
  (await service.api<{ id: string }>('POST', '/api/v1/channels/', { body: { name, type, url } })).body.id;
await newChannel('Night shift', 'slack', `${site.url}/services/T000/B000/XXXX`);
await newChannel('Our program', 'webhook', `${site.url}/text`);
const failing = await newChannel('Old server', 'webhook', 'http://127.0.0.1:1/hook');
const batchPaths = ['/text', '/html/5000', '/status/404', '/html/20000', '/hang'];
const batch = await service.api<{ id: string }>('POST', '/api/v1/batches/', {
  body: {
    name: 'Catalogue',
    requests: [...batchPaths.map((path) => ({ url: `${site.url}${path}` })), { url: 'http://127.0.0.1:1/' }],
    defaults: { scraper: 'http', timeout_ms: 10_000 },
    retries: 0,
    channels: [failing],
  },
});
await using crawl = await seedCrawl(service);
const monitorId = await seedMonitor(service);
const { datasetId, scheduleId } = await seedDataset(service);
const user = await createUser(service, { email: 'bert@example.com' });
await service.api('POST', '/api/v1/scrape/', { key: user.key, body: { url: page, scraper: 'http' } });
await service.api('POST', '/api/v1/alerts/', {
  body: {
    name: 'A key spends too much',
    kind: 'metric',
    conditions: { metric: 'cost', scope: 'key', threshold: 5, window_s: 86_400 },
    channels: [{ id: failing }],
  },
});
await seedPoolsAndVendors(service);
const PLACEHOLDERS: Readonly<Record<string, string | null | undefined>> = {
  '{scrape}': body.items[0]?.id,
  '{browser}': inBrowser.body.id,
  '{route}': withAttempts.body.id,
  '{plan}': planned.body.id,
  '{reading}': read.body.id,
  '{job}': batch.body.id,
  '{crawl}': crawl.id,
  '{monitor}': monitorId,
  '{schedule}': scheduleId,
  '{dataset}': datasetId,
  '{user}': user.id,
  '{site}': new URL(site.url).host,
};
// Until it has looked whether the dashboard is built, another page is there.
await eventually(async () => (await fetch(service.base)).status === 200);
const browser = await launchChromium();
try {
  for (const path of paths.length === 0 ? PAGES : paths) {
    const [as, target] = path.startsWith('-') ? [null, path.slice(1)] : [ADMIN, path];
    for (const scheme of ['light', 'dark'] as const) {
      for (const size of [WIDE, NARROW]) {
        const page = await newPage(
          browser,
          service.base,
          { as, scheme, size, locale: values.locale },
          (text) => console.error(path, text),
        );
        await page.goto(
          target.replace(/\{\w+\}/, (name) => PLACEHOLDERS[name] ?? ''),
          { waitUntil: 'networkidle' },
        );
        await settled(page);
        const name = target.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'overview';
        const file = join(folder, `${name}-${scheme}-${size.width}.png`);
        await page.screenshot({ path: file, fullPage: !values.screen });
        console.log(file);
        await expectAccessible(page).catch((error: Error) => {
          process.exitCode = 1;
          console.error(path, error.message);
        });
        await page.context().close();
      }
    }
  }
} finally {
  await browser.close();
}
