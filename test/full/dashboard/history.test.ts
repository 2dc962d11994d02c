import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite-store.ts';
import { idAt, record } from '../../contracts/samples.ts';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, useDashboard, WIDE } from '../../dashboard/use-dashboard.ts';
import { useSite } from '../../helpers/use-site.ts';

const table = (page: Page): Locator => page.getByRole('table', { name: 'Scrapes, newest first' });
const rows = (page: Page): Locator => table(page).locator('tr[data-index]');

/** The name of the key is not cut off. */
async function showsKey(row: Locator): Promise<void> {
  const by = row.getByText(/(^|· )first$/);
  await expect
    .poll(() => by.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
    .toBe(true);
}

/** Opens the less used filters, and waits until the focus is in them, so that it does not move while one types. */
async function openFilters(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'More filters' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator(':focus')).toHaveCount(1);
  return dialog;
}

async function closeFilters(page: Page): Promise<void> {
  // While a list of options is open, Escape closes only that.
  await expect(page.getByRole('option')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

describe('history before the first scrape', () => {
  const dashboard = useDashboard();

  test('shows how to send a scrape, and lists it as soon as it has ended', async () => {
    const page = await dashboard.open('/history');
    await page.getByRole('heading', { name: 'No scrapes yet' }).waitFor();
    await page.getByText(`curl -s ${dashboard.service.base}/api/v1/scrape/`).waitFor();
    await expectAccessible(page);
    await dashboard.service.scrape({ url: 'http://127.0.0.1:9/' });
    await rows(page).filter({ hasText: '127.0.0.1:9' }).waitFor();
  });

  test('an internationalised host is shown in Unicode, with its ASCII form as in the URL', async () => {
    await dashboard.service.scrape({ url: 'http://bücher.example/a', scraper: 'http' });
    const page = await dashboard.open('/history');
    const row = rows(page).filter({ hasText: 'bücher.example/a' });
    await row.getByTitle('http://xn--bcher-kva.example/a').waitFor();
    const field = page.getByRole('textbox', { name: 'Host' });
    await field.fill('Bücher');
    await page.getByRole('button', { name: 'Remove Host bücher' }).waitFor();
    await row.waitFor();
    await expect(rows(page)).toHaveCount(1);
    await row.getByRole('link').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'GET bücher.example' }).waitFor();
  });
});

describe('history', () => {
  const site = useSite({ log: false });
  const dashboard = useDashboard();

  before(async () => {
    const scrape = (path: string, more: object = {}) =>
      dashboard.service.scrape({ url: site.url + path, ...more });
    for (let n = 0; n < 120; n++) await scrape(`/html/100?page=${n}`);
    await scrape('/status/404', { router: { tags: { project: 'shop' } } });
    await scrape('/html/5000', { scraper_options: { max_content_bytes: 100 } });
    await dashboard.service.scrape({ url: 'http://no-such-host.invalid/' });
  });

  test('the newest scrape is first; each row shows the main facts and links to the detail', async () => {
    const page = await dashboard.open('/history');
    const first = rows(page).first();
    await expect(first).toHaveText(/Failed[\s\S]*GET[\s\S]*no-such-host\.invalid[\s\S]*http/);
    await expect(rows(page).nth(2)).toHaveText(
      /Target error[\s\S]*GET[\s\S]*127\.0\.0\.1:\d+\/status\/404[\s\S]*404[\s\S]*http[\s\S]*ms/,
    );
    await expectAccessible(page);
    await page.goto('/history?status=404&by=host&range=90d');
    await expect(rows(page)).toHaveCount(1);
    await expect.poll(() => new URL(page.url()).search, 'unknown names are dropped').toBe('?status=404');
    await page.goto('/history');
    await showsKey(first);
    await rows(page).nth(2).getByText('404', { exact: true }).click();
    await page.waitForURL('**/history/*');
    await page.getByText(/error page; \w+ fetched it \(status 404/).waitFor();
    await page.goBack();
    await rows(page).nth(2).getByRole('link').press('Enter');
    await page.getByText(/error page; \w+ fetched it \(status 404/).waitFor();
  });

  test('new scrapes appear automatically and are marked; pausing stops this, and the URL keeps the pause', async () => {
    const page = await dashboard.open('/history');
    await rows(page).first().waitFor();
    await dashboard.service.scrape({ url: `${site.url}/html/100?fresh` });
    const fresh = rows(page).filter({ hasText: '?fresh' });
    await fresh.waitFor();
    await expect(fresh).toHaveAttribute('data-new', 'true');
    await expect(rows(page).and(page.locator('[data-new]'))).toHaveCount(1);
    await expect(rows(page).nth(1)).toBeVisible();
    const live = page.getByRole('switch', { name: 'Live' });
    await live.press('Space');
    await page.waitForURL('**/history?live=off');
    await expect(live).not.toBeChecked();
    // A request may be under way.
    await page.waitForTimeout(500);
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('/api/v1/scrape/')) asked++;
    });
    await page.waitForTimeout(4_000);
    assert.equal(asked, 0);
  });

  test('after Back from a record, the list is where it was, with its selection; a filter begins at the top', async () => {
    const page = await dashboard.open('/history');
    await rows(page).first().waitFor();
    // Older rows are loaded when the end is in view.
    await page.waitForFunction(() => {
      window.scrollTo(0, 4_000);
      return window.scrollY === 4_000 && document.querySelector('[data-index="72"]') !== null;
    });
    const row = page.locator('[data-index="72"]');
    await row.getByRole('checkbox').click();
    await page.getByText('1 selected').waitFor();
    /** Where the row is, when it has stopped moving: the rows above it are measured after they are shown. */
    const top = () =>
      row.evaluate(async (element) => {
        const now = () => Math.round(element.getBoundingClientRect().top);
        for (let last = now(), frames = 0; frames < 10; frames = now() === last ? frames + 1 : 0) {
          last = now();
          await new Promise(requestAnimationFrame);
        }
        return now();
      });
    const before = await top();
    await row.getByRole('link').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'GET 127.0.0.1' }).waitFor();
    const isThereAgain = async () => {
      await row.waitFor();
      await page.waitForFunction(() => window.scrollY > 1_000);
      await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThanOrEqual(2);
    };
    await page.goBack();
    await isThereAgain();
    // The link above the record goes back, too, also over another record.
    await row.getByRole('link').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'GET 127.0.0.1' }).waitFor();
    const { pathname: opened } = new URL(page.url());
    await page.getByRole('link', { name: 'Older' }).click();
    await page.waitForURL(({ pathname }) => pathname !== opened);
    const older = new URL(page.url()).pathname.split('/').at(-1)!;
    await page.getByRole('region', { name: 'Facts', exact: true }).getByText(older).first().waitFor();
    await page.getByRole('link', { name: 'Newer' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'History', exact: true }).click();
    await isThereAgain();
    await expect(row.getByRole('checkbox')).toBeChecked();
    await page.getByText('1 selected').waitFor();
    // At the end of the list, the button is below the last row.
    const jump = page.getByRole('button', { name: 'Jump to the top' });
    await expect(async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      const last = (await rows(page).last().boundingBox({ timeout: 1_000 }))!;
      const button = (await jump.boundingBox({ timeout: 1_000 }))!;
      expect(button.y).toBeGreaterThanOrEqual(last.y + last.height);
    }).toPass({ timeout: 20_000 });
    await page.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'Last 24 hours' }).click();
    await page.waitForURL(/last=24h/);
    await page.locator('[data-index="0"]').waitFor();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  });

  test('every filter works, is kept in the URL, and can be removed', async () => {
    const page = await dashboard.open('/history');
    const filters = page.getByRole('search', { name: 'Filter the scrapes' });
    const chips = page.getByRole('list', { name: 'Filters' });
    const only = async (text: RegExp, search: string) => {
      const others = rows(page).filter({ hasNotText: text });
      await page.waitForURL((url) => decodeURIComponent(url.search) === search);
      // First the list from before disappears, then there is the new one.
      await expect(others).toHaveCount(0);
      await rows(page).filter({ hasText: text }).first().waitFor();
      await expect(others).toHaveCount(0);
    };
    const off = async (text: string) => {
      await chips.getByRole('button', { name: `Remove ${text}` }).click();
      await page.waitForURL((url) => url.search === '');
      await expect(chips).toHaveCount(0);
    };
    const more = async (label: string, text: string) => {
      const field = (await openFilters(page)).getByLabel(label, { exact: true });
      await field.fill(text);
      await field.press('Enter');
      await closeFilters(page);
    };
    const pick = async (label: string, option: string) => {
      await (await openFilters(page)).getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
      await closeFilters(page);
    };

    await filters.getByLabel('Host').fill('http://no-such-host.invalid/any?path');
    await filters.getByLabel('Host').press('Enter');
    await only(/no-such-host/, '?host=no-such-host.invalid');
    await expectAccessible(page);
    await off('Host no-such-host.invalid');

    // A part of the text is enough, without Enter.
    await filters.getByLabel('Host').fill('such-ho');
    await only(/no-such-host/, '?host=*such-ho*');
    await off('Host such-ho');

    await filters.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'Partial' }).click();
    await only(/Partial/, '?outcome=partial');
    await off('Outcome Partial');

    await filters.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'Last 15 minutes' }).click();
    await page.waitForURL('**/history?last=15m');
    await off('Last 15 minutes');

    await more('Target status', '404');
    await only(/404/, '?status=404');
    await off('Status 404');
    await more('Tag', 'project:shop');
    await only(/404/, '?tag=project:shop');
    await off('Tag project:shop');
    await pick('Error code', 'dns.not_found');
    await only(/Failed/, '?error_code=dns.not_found');
    await off('Error dns.not_found');
    await pick('Scraper', 'http');
    await page.waitForURL('**/history?scraper=http');
    await off('Scraper http');
    await more('Before', '2020-01-01T00:00');
    await page.getByRole('heading', { name: 'No matching scrapes' }).waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.waitForURL((url) => url.search === '');
    await rows(page).first().waitFor();
  });

  test('a field says why it does not accept a value', async () => {
    const page = await dashboard.open('/history');
    const dialog = await openFilters(page);
    await dialog.getByLabel('Target status').fill('4o4');
    await dialog.getByLabel('Target status').press('Enter');
    await dialog.getByText('A number from 100 to 999').waitFor();
    await expectAccessible(page);
    assert.equal(new URL(page.url()).search, '');
    await page.goto('/history?error_code=no.such.code');
    await page.getByRole('alert').getByText('error_code').waitFor();
  });

  test('the export contains the scrapes that match the filters', async () => {
    const page = await dashboard.open('/history?outcome=failed');
    for (const [item, check] of [
      ['CSV, for spreadsheets', /^id,created_at[\s\S]*no-such-host\.invalid/],
      ['JSON Lines, for programs', /^\{"id":[^\n]*no-such-host\.invalid[^\n]*\}\n$/],
    ] as const) {
      await page.getByRole('button', { name: 'Export' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: item }).click();
      const text = Buffer.concat(await (await (await download).createReadStream()).toArray()).toString();
      assert.match(text, check);
      assert.doesNotMatch(text, /page=1/);
      await expect(page.getByRole('menu')).toHaveCount(0);
    }
  });

  test('a user sees only their own scrapes; an administrator sees to which user each belongs', async () => {
    const maria = await dashboard.user('maria@example.com');
    const hers = await dashboard.open('/history', { as: maria });
    await hers.getByRole('heading', { name: 'No scrapes yet' }).waitFor();
    await expect(hers.getByText('The scrapes of all users')).toHaveCount(0);
    const { status } = await hers.evaluate(async (url) => {
      const body = JSON.stringify({ url });
      const headers = { 'content-type': 'application/json' };
      return { status: (await fetch('/api/v1/scrape/', { method: 'POST', headers, body })).status };
    }, `${site.url}/html/100?hers`);
    assert.equal(status, 200);
    await rows(hers).filter({ hasText: '?hers' }).waitFor();
    await expect(rows(hers)).toHaveCount(1);
    await expect(table(hers).getByText('maria@example.com')).toHaveCount(0);

    const page = await dashboard.open('/history');
    await rows(page).filter({ hasText: '?hers' }).getByText('maria@example.com').waitFor();
    await (await openFilters(page)).getByRole('combobox', { name: 'User' }).click();
    await page.getByRole('option', { name: 'maria@example.com' }).click();
    await closeFilters(page);
    await rows(page).filter({ hasText: 'admin@localhost' }).first().waitFor({ state: 'detached' });
    await rows(page).filter({ hasText: '?hers' }).waitFor();
    await expect(rows(page)).toHaveCount(1);
  });

  test('on a phone the history is a list of cards that fits the screen', async () => {
    const page = await dashboard.open('/history?outcome=target_error', { size: NARROW, scheme: 'dark' });
    const card = page.getByRole('list', { name: 'Scrapes, newest first' }).getByRole('listitem').first();
    await expect(card).toHaveText(/Target error[\s\S]*\/status\/404[\s\S]*404 · http/);
    await expect(table(page)).toBeHidden();
    await showsKey(card);
    await expectToFit(page);
    await expectAccessible(page);
    await card.getByRole('link').click();
    await page.getByText(/error page; \w+ fetched it \(status 404/).waitFor();
  });

  test('without a session, the page redirects to sign-in', async () => {
    const page = await dashboard.open('/history?outcome=ok', { as: null });
    await page.waitForURL('**/sign-in?next=*');
  });
});

describe('history of many scrapes', () => {
  const dashboard = useDashboard();
  const MINUTE = 60_000;

  before(async () => {
    const { service } = dashboard;
    const users = await service.api<{ items: { id: string }[] }>('GET', '/api/v1/users/');
    const userId = users.body.items[0]!.id;
    const store = await openSqliteStore({ file: join(service.dataDir, 'sluice.db'), durability: 'normal' });
    const now = Date.now();
    // More scrapes than one call searches. The three with another status are the oldest.
    const one = (n: number) => {
      const createdAt = now - 60 * MINUTE - n * 5_000;
      const statusCode = n >= 32_000 ? 418 : 200;
      return record(0, {
        id: idAt(createdAt, n % 65_536),
        createdAt,
        userId,
        statusCode,
        host: 'busy.example',
        url: `https://busy.example/${n}`,
      });
    };
    try {
      for (let n = 0; n < 32_003; n += 2_000) {
        const count = Math.min(2_000, 32_003 - n);
        await Promise.all(Array.from({ length: count }, (_, i) => store.records.put(one(n + i))));
      }
    } finally {
      await store.close();
    }
  });

  test('a search that needs several calls continues automatically, shows its progress, and can be stopped', async () => {
    const page = await dashboard.page();
    const isList = (url: URL) => url.pathname === '/api/v1/scrape/';
    const gate = Promise.withResolvers<void>();
    // Older scrapes are held back, so that the search has not ended before it is stopped.
    await page.route(
      (url) => isList(url) && url.searchParams.has('cursor'),
      async (route) => {
        await gate.promise;
        await route.continue();
      },
    );
    await page.goto('/history?status=418');
    await page.getByText(/^Searching: searched back to \d+ /).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/^Stopped: searched back to /).waitFor();
    gate.resolve();
    await page.getByRole('button', { name: 'Go on' }).click();
    await rows(page).filter({ hasText: 'busy.example/32002' }).waitFor();
    await expect(rows(page)).toHaveCount(3);
    await page.getByText('searched back to').waitFor({ state: 'detached' });
    // New scrapes that match would be shown above the scrapes that were found.
    await dashboard.service.scrape({ url: 'http://127.0.0.1:9/' });
    // When the list is read for the second time, what was read first is shown.
    for (let n = 0; n < 2; n++) await page.waitForRequest((request) => isList(new URL(request.url())));
    await expect(rows(page)).toHaveCount(3);
  });

  /** Scrolls to the end of what is loaded, until a record is among it. */
  async function scrollTo(page: Page, n: number): Promise<void> {
    const last = () => page.locator('[data-index]').last().getAttribute('data-index').then(Number);
    for (let before = -1; before < n; before = await last()) {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await page.waitForFunction(
        (index) =>
          Number([...document.querySelectorAll<HTMLElement>('[data-index]')].at(-1)?.dataset.index) > index,
        before,
      );
    }
  }
  /** Scrolls up by wheel until a row of at most this index is in the DOM. */
  async function wheelUpTo(page: Page, index: number): Promise<void> {
    await page.mouse.move(WIDE.width / 2, WIDE.height / 2);
    const first = () => page.locator('[data-index]').first().getAttribute('data-index').then(Number);
    while ((await first()) > index) await page.mouse.wheel(0, -4_000);
  }
  /** Indexes of the rows in the DOM. Each row is checked to be the record that it should be. */
  async function rendered(page: Page): Promise<readonly number[]> {
    const found = await page
      .locator('[data-index]')
      .evaluateAll((all) =>
        all.map((row) => [
          Number((row as HTMLElement).dataset.index),
          row.querySelector<HTMLElement>('[title^="https://"]')?.title,
        ]),
      );
    assert.deepEqual(
      found,
      found.map(([index]) => [index, `https://busy.example/${index}`]),
    );
    return found.map(([index]) => Number(index));
  }

  test('a long list has only the rows in view in the DOM; they are the right ones', async () => {
    const page = await dashboard.open('/history?host=busy.example&last=7d');
    await scrollTo(page, 10_000);
    const indexes = await rendered(page);
    assert.ok(indexes.length < 200 && indexes[0]! > 9_000, `${indexes.length} from ${indexes[0]}`);
    await expect(table(page)).toHaveAttribute('aria-rowcount', '-1');
    await wheelUpTo(page, indexes[0]! - 300);
    await rendered(page);
  });

  test('on a phone, a long list of cards has only those in view in the DOM', async () => {
    const page = await dashboard.open('/history?host=busy.example', { size: NARROW });
    await scrollTo(page, 2_000);
    const indexes = await rendered(page);
    assert.ok(indexes.length < 200 && indexes[0]! > 1_000, `${indexes.length} from ${indexes[0]}`);
    await page.getByRole('button', { name: 'Jump to the top' }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
  });

  test('a search without results says so when it has ended', async () => {
    const page = await dashboard.open('/history?status=599');
    await page.getByRole('heading', { name: 'No matching scrapes' }).waitFor();
  });
});
