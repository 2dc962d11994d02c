import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { components } from '../../../dashboard/src/api/schema.gen.ts';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { seedStats } from '../../dashboard/seed-stats.ts';
import { NARROW, settled, useDashboard } from '../../dashboard/use-dashboard.ts';
import { listen } from '../../helpers/free-port.ts';
import { eventually } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

type Stats = components['schemas']['Stats'];
type Attention = components['schemas']['Attention'];

const count = (value: number) => new Intl.NumberFormat('en').format(value);
const figure = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const chart = (page: Page, name = 'Outcomes over time') => page.getByRole('slider', { name });
const searchOf = (url: string | null) => Object.fromEntries(new URL(url ?? '', 'http://x').searchParams);

describe('the overview before the first scrape', () => {
  const dashboard = useDashboard();
  const site = useSite();

  test('shows how to send a scrape, and shows the figures when it has ended', async () => {
    const page = await dashboard.open('/', { scheme: 'dark', size: NARROW });
    await page.getByRole('heading', { name: 'Make your first scrape' }).waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await expectAccessible(page);
    await expectToFit(page);
    await expect(page.getByRole('link', { name: 'Your keys' })).toHaveAttribute('href', '/keys');
    await page.getByRole('link', { name: 'A product by a schema' }).waitFor();
    const open = page.getByRole('link', { name: 'Open the playground' });
    await expect(open).toHaveAttribute('href', '/playground');
    const code = page.getByRole('region', { name: 'curl' });
    await expect(code).toHaveText(new RegExp(`^curl ${dashboard.service.base}/api/v1/scrape/ `));
    await dashboard.service.scrape({ url: `${site.url}/html/500`, scraper: 'auto' });
    await figure(page, 'Scrapes').getByText('100 % OK').waitFor();
    // All scrapes are less than an hour old.
    await expect(page.getByRole('radio', { name: '1 h' })).toBeChecked();
    // Two of three steps are done, so that it is one line.
    const started = page.getByRole('region', { name: 'Getting started' });
    await started.getByText('You have a key and a scrape.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Hide getting started' }).click();
    await expect(started).toHaveCount(0);
    await page.reload();
    // The same figures as before it was hidden.
    await figure(page, 'Scrapes').getByText('100 % OK').waitFor();
    await expect(page.getByRole('radio', { name: '1 h' })).toBeChecked();
    await expect(started).toHaveCount(0);
    // A dry run is not counted as a scrape.
    await dashboard.service.scrape({ url: `${site.url}/html/500`, router: { dry_run: true } });
    await expect(figure(page, 'Scrapes')).toHaveText(/^Scrapes1100 % OKand 1 dry run$/);
  });

  test('a user without an API key is led to create one, and does not see the scrapes of others', async () => {
    await dashboard.service.scrape({ url: `${site.url}/html/500`, scraper: 'auto' });
    const page = await dashboard.open('/', { as: await dashboard.user('new@example.com') });
    await page.getByRole('link', { name: 'Create a key' }).click();
    await page.waitForURL('**/keys');
  });
});

describe('the overview', () => {
  const dashboard = useDashboard();
  const site = useSite();
  let scraped = false;

  /** Runs scrapes of most outcomes, at the first call only. @returns the statistics of the service */
  async function figures(window = '24h'): Promise<Stats> {
    const { service } = dashboard;
    if (!scraped) {
      for (const more of [
        { url: `${site.url}/html/20000` },
        { url: `${site.url}/html/700` },
        { url: `${site.url}/status/404` },
        { url: `${site.url}/html/50000`, scraper_options: { max_content_bytes: 1000 } },
        { url: `${site.url}/html/500`, router: { accept: { contains: 'not in this page' } } },
        { url: 'http://127.0.0.1:9/' },
        { url: 'http://no-such-host.invalid/' },
      ]) {
        await service.scrape({ scraper: 'auto', timeout_ms: 3_000, ...more });
      }
      scraped = true;
    }
    return eventually(async () => {
      const { body } = await service.api<Stats>('GET', `/api/v1/stats/?window=${window}`);
      return body.totals.scrapes >= 7 && body;
    });
  }

  test('shows what the service counted', async () => {
    const { totals, hosts, errors } = await figures();
    const page = await dashboard.page();
    const answered = page.waitForResponse('**/api/v1/attention/*');
    await page.goto('/');
    await settled(page);
    // A machine may be short of disk or memory. Compared with the response that the page shows, because this changes.
    const attention = (await (await answered).json()) as Attention;
    assert.deepEqual(
      attention.items.filter(({ kind }) => kind !== 'disk' && kind !== 'memory'),
      [],
    );
    await expect(figure(page, 'Needs attention')).toHaveCount(Math.min(1, attention.total));
    const share = ((totals.outcomes.ok! / totals.scrapes) * 100).toFixed(1);
    await expect(figure(page, 'Scrapes')).toHaveText(new RegExp(`^Scrapes${totals.scrapes}${share} % OK$`));
    await figure(page, 'In flight').getByText('0 of 50').waitFor();
    await expect(figure(page, 'Content')).toHaveText(/^Content\d+\.\d KB\d+\.\d KB a scrape$/);
    await expect(figure(page, 'Latency')).toHaveText(/^Latency.* medianp95 .*p99 /);
    for (const [outcome, number] of Object.entries(totals.outcomes)) {
      const link = page.getByRole('list', { name: 'Outcomes' }).locator(`a[href*="outcome=${outcome}"]`);
      await expect(link, outcome).toHaveCount(number > 0 || outcome === 'ok' ? 1 : 0);
      if (number > 0) await expect(link.locator('b'), outcome).toHaveText(count(number));
    }
    for (const { host, scrapes: all } of hosts) {
      const row = figure(page, 'Top hosts').getByRole('listitem').filter({ hasText: host });
      await expect(row.locator('b'), host).toHaveText(count(all));
    }
    for (const { code, count: all } of errors) {
      const row = figure(page, 'Errors').getByRole('link', { name: code });
      await expect(row.locator('b'), code).toHaveText(count(all));
    }
    await figure(page, 'Errors').getByText('The target refused the connection').waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
  });

  test('every part links to its scrapes in the same time window', async () => {
    await figures();
    const page = await dashboard.open('/?window=1h');
    const row = figure(page, 'Top hosts').getByRole('listitem').filter({ hasText: 'no-such-host.invalid' });
    const site = row.getByRole('link', { name: 'no-such-host.invalid' });
    await expect(site).toHaveAttribute('href', /\/sites\?host=no-such-host\.invalid$/);
    const scrapes = row.getByRole('link', { name: /OK/ });
    const { from, to, ...rest } = searchOf(await scrapes.getAttribute('href'));
    assert.deepEqual(rest, { host: 'no-such-host.invalid' });
    const length = Date.parse(to!) - Date.parse(from!);
    // The last of its 60 minutes may have begun just now.
    assert.ok(length >= 59 * 60_000 && length <= 60 * 60_000, `${length}`);
    const failed = page.getByRole('list', { name: 'Outcomes' }).getByRole('link', { name: 'Failed' });
    await expect(failed).toHaveAttribute('href', /[?&]outcome=failed(?:&|$)/);
    const error = figure(page, 'Errors').getByRole('link', { name: 'connect.refused' });
    await expect(error).toHaveAttribute('href', /[?&]from=[^&]/);
    await error.click();
    await expect(page).toHaveURL(/\/history\?(?:.*&)?error_code=connect\.refused(?:&|$)/);
  });

  test('the URL keeps the chosen time window, also after a reload', async () => {
    await figures();
    await seedStats(dashboard.service, [
      { minutesAgo: 300, host: 'earlier.example', outcome: 'ok', ms: 40, count: 1200 },
      { minutesAgo: 4000, host: 'days-ago.example', outcome: 'ok', ms: 40, count: 30_000 },
    ]);
    // The service caches statistics for a second, and the page chooses its first window by them.
    const page = await dashboard.open('/account');
    const scrapesIn = (window: string) =>
      page.evaluate(
        async (url) => ((await (await fetch(url)).json()) as Stats).totals.scrapes,
        `/api/v1/stats/?window=${window}`,
      );
    await expect.poll(() => scrapesIn('1h')).toBe(7);
    await expect.poll(() => scrapesIn('24h')).toBe(1_207);
    await expect.poll(() => scrapesIn('90d')).toBe(31_207);
    await page.goto('/');
    const total = figure(page, 'Scrapes');
    await total.getByText('1,207', { exact: true }).waitFor();
    const choice = (name: string) => page.getByRole('radio', { name });
    await expect(choice('24 h')).toBeChecked();
    await page.getByText('7 d', { exact: true }).click();
    await total.getByText('31,207', { exact: true }).waitFor();
    await expect(page).toHaveURL('/?window=7d');
    await choice('7 d').press('ArrowLeft');
    await expect(choice('24 h')).toBeChecked();
    await expect(choice('24 h')).toBeFocused();
    await choice('24 h').press('ArrowLeft');
    await page.waitForURL('**/?window=1h');
    await total.getByText('7', { exact: true }).waitFor();
    await page.reload();
    await total.getByText('7', { exact: true }).waitFor();
    await page.getByText('24 h', { exact: true }).click();
    await total.getByText('1,207', { exact: true }).waitFor();
    await expect(page).toHaveURL('/?window=24h');
  });

  test('by keyboard, the chart reads each step, and Enter opens its scrapes', async () => {
    const { series } = await figures('1h');
    const page = await dashboard.open('/?window=1h', { scheme: 'dark' });
    const slider = chart(page);
    await slider.press('Home');
    await expect(slider).toHaveAttribute('aria-valuetext', /no scrapes$/);
    const busy = series.find(({ scrapes }) => scrapes > 0)!;
    const start = new Date(busy.at).toLocaleTimeString('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'Europe/Zurich',
    });
    /** From one end to the busy step. Again if a minute begins meanwhile: the first step of the hour is then gone. */
    const walk = (from: 'Home' | 'End', key: 'ArrowLeft' | 'ArrowRight') =>
      expect(async () => {
        await slider.press(from);
        for (let n = 0; n < 60; n++) {
          if ((await slider.getAttribute('aria-valuetext'))?.includes(`, ${start}–`)) return;
          await slider.press(key);
        }
        assert.fail(`no step at ${start}`);
      }).toPass({ timeout: 60_000 });
    await walk('Home', 'ArrowRight');
    await expect(slider).toHaveAttribute(
      'aria-valuetext',
      new RegExp(`, ${start}–(?:[\\d:]+|now): ${busy.scrapes} scrapes, .*median .*, p95 `),
    );
    const tooltip = slider.getByText(/^\w{3} \d+ \w+, [\d:]+–/);
    await tooltip.waitFor();
    await expectAccessible(page);
    await expect(slider).toBeFocused();
    await page.keyboard.press('Escape');
    await tooltip.waitFor({ state: 'detached' });
    await walk('End', 'ArrowLeft');
    await slider.press('Enter');
    await page.waitForURL('**/history?*');
    const { from, to } = searchOf(page.url());
    assert.equal(Date.parse(from!), Date.parse(busy.at));
    assert.equal(Date.parse(to!) - Date.parse(from!), 60_000);
  });

  test('pointing at a step shows its figures, in both charts', async () => {
    await figures();
    const page = await dashboard.open('/?window=7d');
    for (const name of ['Outcomes over time', 'Latency over time']) {
      const plot = chart(page, name);
      await expect(async () => {
        // Read again: all steps move when an hour begins.
        const { series } = await figures('7d');
        const n = series.findLastIndex(({ scrapes }) => scrapes > 0);
        const { scrapes, outcomes } = series[n]!;
        const { width } = (await plot.boundingBox())!;
        // From the right: the values of the other axis stand on the left.
        const x = width - ((series.length - n - 0.5) * (width - 52)) / series.length;
        await plot.hover({ position: { x, y: 50 } });
        const text = new RegExp(`OK${outcomes.ok}.*Scrapes${scrapes}Median`);
        await expect(plot).toHaveText(text, { timeout: 5_000 });
      }).toPass({ timeout: 60_000 });
      await plot.getByText('Median · p95').waitFor();
    }
  });

  test('each chart can be shown as a table, and the URL keeps this', async () => {
    const { series } = await figures('1h');
    const page = await dashboard.open('/?window=1h', { size: NARROW });
    await page.getByRole('button', { name: 'Outcomes over time: show as a table' }).click();
    await expect(page).toHaveURL('/?window=1h&table=outcomes');
    await page.getByRole('table', { name: 'Outcomes over time' }).waitFor();
    await page.getByRole('button', { name: 'Latency over time: show as a table' }).click();
    await page.getByRole('table', { name: 'Latency over time' }).waitFor();
    await expect(page).toHaveURL('/?window=1h&table=outcomes&table=latency');
    await page.reload();
    await settled(page);
    const busy = series.filter(({ scrapes }) => scrapes > 0);
    for (const name of ['Outcomes over time', 'Latency over time']) {
      const rows = page.getByRole('table', { name: `${name}, step by step` }).locator('tbody tr');
      await expect(rows, name).toHaveCount(busy.length);
      const cells = rows.last().locator('td');
      await expect
        .poll(async () => (await cells.allTextContents()).slice(1), name)
        .toContain(count(busy[0]!.scrapes));
    }
    await expectAccessible(page);
    await expectToFit(page);
    await page.getByRole('button', { name: 'Latency over time: show as a chart' }).click();
    await chart(page, 'Latency over time').waitFor();
    await expect(page).toHaveURL('/?window=1h&table=outcomes');
  });

  test('an administrator chooses the user whose figures are shown; other users see only their own', async () => {
    await figures();
    const as = await dashboard.user('maria@example.com');
    const page = await dashboard.open('/');
    await figure(page, 'In flight').getByText('all users together').waitFor();
    const choice = page.getByRole('combobox', { name: 'Whose scrapes' });
    await choice.selectOption('Only mine');
    await figure(page, 'In flight').getByText('0 of 50').waitFor();
    const { body } = await dashboard.service.api<Stats>('GET', '/api/v1/stats/');
    await figure(page, 'Scrapes').getByText(`${body.totals.scrapes}`, { exact: true }).waitFor();
    await choice.selectOption('maria@example.com');
    await page.getByText('Scrapes of maria@example.com in the last 24 hours').waitFor();
    await page.getByText('No scrapes in the last 24 hours.').first().waitFor();
    await expectAccessible(page);
    const { user_id } = searchOf(page.url());
    await page.reload();
    await settled(page);
    await expect(choice).toHaveValue(user_id!);
    const other = await dashboard.open(`/?user_id=${user_id}`, { as });
    await other.getByRole('heading', { name: 'Make your first scrape' }).waitFor();
    await expect(other.getByRole('combobox')).toHaveCount(0);
  });

  test('running scrapes are counted while they run', async () => {
    await figures();
    const page = await dashboard.open('/');
    // It answers when the page has shown the scrape.
    const shown = Promise.withResolvers<void>();
    const target = createServer(async (_, response) => {
      await shown.promise;
      response.setHeader('content-type', 'text/plain').end('late\n');
    });
    await listen(target);
    try {
      const slow = dashboard.service.scrape({
        url: `http://127.0.0.1:${(target.address() as AddressInfo).port}/`,
        scraper: 'auto',
        timeout_ms: 60_000,
      });
      await figure(page, 'In flight').getByText(/^1\b/).waitFor();
      shown.resolve();
      assert.equal((await slow).status, 200);
      await figure(page, 'In flight').getByText(/^0\b/).waitFor();
    } finally {
      shown.resolve();
      target.close();
    }
  });

  test('long host names do not break the layout', async () => {
    const host = `${Array.from({ length: 4 }, () => 'x'.repeat(60)).join('.')}.example`;
    await seedStats(dashboard.service, [{ minutesAgo: 0, host, outcome: 'ok', ms: 40, count: 1_234_567 }]);
    for (const options of [{ size: NARROW }, { scheme: 'dark' as const }]) {
      const page = await dashboard.open('/', options);
      const row = figure(page, 'Top hosts').getByRole('listitem').filter({ hasText: host });
      await row.getByText('1,234,567').waitFor();
      await expectToFit(page);
      await expectAccessible(page);
    }
  });

  test('what does not work comes first, with since when and a link to where one can act', async () => {
    const { service } = dashboard;
    const down = Array.from({ length: 9 }, (_, index) => `down-${index}.example`);
    const sixHoursAgo = Math.floor(Date.now() / 3_600_000 - 6) * 3_600_000;
    await seedStats(
      service,
      down.flatMap((host, index) => [
        { minutesAgo: 3_000, host, outcome: 'ok', ms: 40, count: 400 },
        {
          minutesAgo: (Date.now() - sixHoursAgo) / 60_000 - 1,
          host,
          outcome: 'blocked',
          ms: 40,
          count: 90 - index,
        },
      ]),
    );
    const budget = { name: 'spent', daily_budget: { amount: 0, unit: 'scrapes' } };
    assert.equal((await service.api('POST', '/api/v1/keys/', { body: budget })).status, 201);
    for (const options of [{ size: NARROW }, { scheme: 'dark' as const }]) {
      const page = await dashboard.open('/account', options);
      // The service answers from a cache for some seconds, and the page asks only twice a minute.
      const total = () =>
        page.evaluate(async () => {
          const response = await fetch('/api/v1/attention/?limit=8');
          return ((await response.json()) as { total: number }).total;
        });
      // Nine sites and a key. The machine may be short of something already.
      await expect.poll(total).toBeGreaterThanOrEqual(10);
      await page.goto('/');
      const list = figure(page, 'Needs attention');
      const first = list.getByRole('listitem').first();
      await expect(first).toHaveText(
        /^down-0\.example: 0 % of the scrapes of the last (?:hour|24 hours) are OK; in the 7 days before, 100 %Since .*\d\d:00/,
      );
      await expect(first.locator('time')).toHaveAttribute('datetime', new Date(sixHoursAgo).toISOString());
      await expect(list.getByRole('listitem')).toHaveCount(8);
      await expectAccessible(page);
      await expectToFit(page);
      await list.getByRole('button', { name: /^Show \d+ more$/ }).click();
      const key = list.getByRole('link', { name: 'API key spent: 100 % of the daily budget is used' });
      await expect(key).toHaveAttribute('href', /^\/(?:keys|usage\?key_id=.*)$/);
      await first.getByRole('link').click();
      await page.waitForURL('**/sites?host=down-0.example');
    }
  });

  test('an error is shown with what to do, and the request can be repeated', async () => {
    const page = await dashboard.page();
    const isClicked = () => page.evaluate(() => 'isClicked' in globalThis);
    // Until the click, because the page repeats the request by itself, too.
    await page.route('**/api/v1/stats/**', async (route) => {
      if (await isClicked()) return route.continue();
      return route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          code: 'auth.scope',
          title: 'The key lacks the scope',
          detail: 'It lacks `read`.',
        }),
      });
    });
    await page.goto('/');
    await page.getByRole('alert').getByText('The key lacks the scope').waitFor();
    await expectAccessible(page);
    await page.evaluate(() => {
      const note = () => Object.assign(globalThis, { isClicked: true });
      document.addEventListener('click', note, { capture: true });
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await figure(page, 'Scrapes').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });
});
