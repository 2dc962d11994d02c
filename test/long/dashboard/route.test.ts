import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ordinary, type Sample } from '../../assess/a-page.ts';
import { EXAMPLES } from '../../assess/examples/all.ts';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { listen } from '../../helpers/free-port.ts';
import { eventually } from '../../helpers/service.ts';
import type { ScrapeAnswer } from '../../helpers/wire-types.ts';

const home = mkdtempSync(join(tmpdir(), 'sluice-route-'));
after(() => rmSync(home, { recursive: true, force: true }));
const PRICES = join(home, 'prices.yaml');
writeFileSync(
  PRICES,
  'currency: EUR\nscrapers: { http: 0.0001, http_impersonate: 0.0004 }\ndirect: { price_per_gb: 0.05 }\n',
);

const BLOCK = EXAMPLES['akamai/reference']!.for;
const PAGE: Sample = { body: ordinary({ title: 'Coffee grinders' }) };

/** The size as the dashboard writes it, for less than 100 KB. */
const amount = (bytes: number): string => (bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} KB`);

/** Texts are compared as they are shown: with the spaces between elements. */
const SHOWN = { useInnerText: true };

describe('the diagram of the attempts of a scrape', () => {
  const dashboard = useDashboard({ SLUICE_PRICES: PRICES });
  const seen = new Set<string>();
  /** `/first/…` blocks the first request, `/never` every request. */
  const target = createServer((request, response) => {
    const path = request.url!;
    if (path === '/none')
      return void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>No such page</h1>');
    if (path === '/loop') return void response.writeHead(302, { location: '/loop' }).end();
    const blocked = path === '/never' || (path.startsWith('/first') && !seen.has(path));
    seen.add(path);
    const { status = 200, headers = {}, type = 'text/html', body = '' } = blocked ? BLOCK : PAGE;
    response.writeHead(status, { ...headers, 'content-type': type }).end(body);
  });
  /** For how many seconds the next request is asked to stay away; null: it gets the page. */
  let away: number | null = null;
  const limiting = createServer((_, response) => {
    const seconds = away;
    away = null;
    if (seconds !== null)
      return void response.writeHead(429, { 'retry-after': String(seconds) }).end('Too many requests');
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE.body);
  });
  let base = '';
  let limited = '';
  before(async () => {
    await listen(limiting);
    limited = `http://127.0.0.1:${(limiting.address() as AddressInfo).port}`;
    await listen(target);
    base = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  });
  after(() => {
    target.close();
    target.closeAllConnections();
    limiting.close();
    limiting.closeAllConnections();
  });

  const scraped = async (request: object): Promise<ScrapeAnswer> => {
    const { body, text } = await dashboard.service.scrape({ scraper: 'auto', ...request });
    assert.ok(typeof body.id === 'string', text);
    return body;
  };
  const route = (page: Page) => page.getByRole('region', { name: 'Route', exact: true });
  const lanes = (page: Page) => route(page).getByRole('list', { name: 'Candidates' }).locator(':scope > li');
  test('shows candidates, attempts with their verdicts, the delivered page, and the cost', async () => {
    const order = ['http', 'http_impersonate'];
    const asked = { order, allow_fallbacks: false };
    const { id, router } = await scraped({ url: `${base}/first/one`, router: asked });
    assert.equal(router.outcome, 'ok');
    assert.deepEqual(
      router.attempts!.map(({ scraper, outcome }) => `${scraper} ${outcome}`),
      ['http rejected', 'http_impersonate ok'],
    );
    for (const options of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await dashboard.open(`/history/${id}`, options);
      await expect(lanes(page)).toHaveText(
        [/http · direct\s+tried/, /http_impersonate · direct\s+delivered/],
        SHOWN,
      );
      await expect(lanes(page).nth(1)).toHaveText(/\d+ %\s+likely/, SHOWN);
      // On a phone, the line would cross the names.
      await expect(route(page).locator('polyline')).toBeVisible({ visible: !('size' in options) });
      await route(page)
        .getByText(/methods excluded$/)
        .click();
      await route(page)
        .getByRole('listitem')
        .filter({ hasText: 'browser · direct' })
        .getByText(/is not (in router.order|installed here)|has no browser here/)
        .waitFor();
      const steps = route(page).getByRole('list', { name: 'Attempts' }).locator(':scope > li');
      const [blocked, good] = [steps.nth(0), steps.nth(1)];
      for (const text of [
        'rejected',
        'An access-denied page instead of the page',
        'status 403',
        '0.000',
        'EUR',
      ])
        await expect(blocked).toContainText(text);
      await expect(blocked).not.toContainText('delivered');
      for (const text of [
        'delivered',
        'Looks like the real page (98 %)',
        'status 200',
        'Why: after an access-denied page',
      ])
        await expect(good).toContainText(text);
      for (const [n, { bytes_out, bytes_in }] of router.attempts!.entries())
        await expect(steps.nth(n)).toContainText(`${amount(bytes_out)} out, ${amount(bytes_in)} in`);
      const waterfall = page.getByRole('region', { name: 'Waterfall' });
      await waterfall.getByText('1. http · direct').waitFor();
      await page.getByRole('table', { name: 'Where the time went' }).getByText('Other attempts').waitFor();
      const costs = route(page).getByRole('table', { name: 'What it cost' });
      await costs.getByRole('row', { name: 'http attempt 1, 1 at 0.0001 0.0001 EUR' }).waitFor();
      await costs.getByRole('row', { name: `Total ${router.request_cost} EUR` }).waitFor();
      await expectToFit(page);
      await expectAccessible(page);
    }
  });

  test('shows a delivered block page with the signals of the verdict', async () => {
    const { id, router } = await scraped({ url: `${base}/never`, scraper: 'http' });
    assert.equal(router.outcome, 'blocked');
    const page = await dashboard.open(`/history/${id}`);
    await route(page).getByText('An access-denied page instead of the page (95 %)').waitFor();
    await expect(route(page).getByRole('list', { name: 'Signals' })).toHaveText(
      router.verdict!.signals,
      SHOWN,
    );
    await expect(lanes(page).first()).toHaveText(/returned/, SHOWN);
    await expect(route(page).getByText('delivered')).toHaveCount(0);
    await expectAccessible(page);
  });

  test('the same block of several attempts is told once', async () => {
    const asked = { order: ['http', 'http_impersonate'], allow_fallbacks: false };
    const { id, router } = await scraped({ url: `${base}/never`, router: asked });
    assert.equal(router.attempts!.length, 2);
    const page = await dashboard.open(`/history/${id}`);
    await page.getByText(/^Blocked: the site sent an access-denied page instead of the content/).waitFor();
    const wrong = page.getByRole('region', { name: 'What went wrong', exact: true });
    await wrong.getByText('in 2 attempts').waitFor();
    await expect(wrong.getByRole('listitem')).toHaveCount(1);
    await expect(wrong.getByText('The site sent')).toHaveCount(0);
    await expectAccessible(page);
  });

  test('an error page, a rejected page and a redirect loop are called what they are', async () => {
    const missing = await dashboard.open(
      `/history/${(await scraped({ url: `${base}/none`, scraper: 'http' })).id}`,
    );
    await route(missing).getByText("The site's own error page (").waitFor();
    await route(missing).getByText('error page', { exact: true }).waitFor();
    await expect(missing.getByText('Looks like the real page')).toHaveCount(0);
    await expect(route(missing).getByRole('list', { name: 'Signals' }).getByText('no-signal')).toHaveCount(0);
    const accept = { contains: 'nothing like it' };
    const unmet = await scraped({ url: `${base}/x`, scraper: 'http', router: { accept } });
    const rejected = await dashboard.open(`/history/${unmet.id}`);
    await route(rejected).getByText('Does not meet the accept conditions of the request').waitFor();
    const wrong = rejected.getByRole('region', { name: 'What went wrong', exact: true });
    await wrong.getByText('accept.unmet').waitFor();
    await expect(wrong.getByText('unmet', { exact: true })).toHaveCount(0);
    const loop = await scraped({ url: `${base}/loop`, scraper: 'http' });
    const looping = await dashboard.open(`/history/${loop.id}`);
    await route(looping)
      .getByText(/^No page/)
      .first()
      .waitFor();
    await expect(looping.getByText('No response')).toHaveCount(0);
  });

  test('the pause that a site asked for is named apart from the time of the attempt', async () => {
    const limit = { url: `${limited}/`, scraper: 'http' };
    let seconds = 2;
    const { id } = await eventually(async () => {
      away = seconds;
      await scraped(limit);
      const next = await scraped(limit);
      // On a slow machine, most of the pause may be over before the next request begins.
      seconds *= 4;
      return (next.router.timing!.pause ?? 0) >= 1_000 && next;
    });
    const page = await dashboard.open(`/history/${id}`);
    await page.getByText(/^http got the page \(status 200, .*, after a pause of \d.*\)\.$/).waitFor();
  });

  test('a dry run shows the first method, and why other methods are excluded', async () => {
    const request = {
      url: `${base}/plan`,
      router: { dry_run: true, order: ['http'], ignore: ['http_impersonate'] },
    };
    const { id } = await scraped(request);
    for (const options of [{ scheme: 'dark' }, { size: NARROW }] as const) {
      const page = await dashboard.open(`/history/${id}`, options);
      await expect(lanes(page).first()).toHaveText(/http · direct\s+would be first\s+\d+ %\s+likely/, SHOWN);
      await route(page).getByText('No attempts: nothing was sent to the target.').waitFor();
      await route(page)
        .getByText(/excluded$/)
        .click();
      await route(page).getByText('is in router.ignore').waitFor();
      await expect(route(page).getByText('delivered')).toHaveCount(0);
      await expectToFit(page);
      await expectAccessible(page);
    }
  });

  test('without a page it says that nothing was delivered, and why', async () => {
    const { id } = await scraped({
      url: 'http://127.0.0.1:9/',
      scraper: 'http',
      router: { max_attempts: 3 },
    });
    const page = await dashboard.open(`/history/${id}`, { size: NARROW });
    const steps = route(page).getByRole('list', { name: 'Attempts' }).locator(':scope > li');
    await expect(steps).toHaveCount(3);
    for (const text of ['failed', 'No page', 'connect.refused', 'Why: again after a refused connection'])
      await expect(steps.nth(2)).toContainText(text);
    await route(page).getByText('No attempt got a page.').waitFor();
    await expect(lanes(page).first()).toHaveText(/tried 3 times/, SHOWN);
    await expectToFit(page);
    await expectAccessible(page);
  });

  test('without the trace in the record there is no diagram', async () => {
    const { id } = await scraped({ url: `${base}/x`, router: { trace: false, retain: 'none' } });
    const page = await dashboard.open(`/history/${id}`);
    // Stands beside the route.
    await page.getByRole('region', { name: 'Request', exact: true }).getByText('It was not stored').waitFor();
    await expect(route(page).getByRole('list', { name: 'Attempts' })).toHaveCount(0);
  });
});
