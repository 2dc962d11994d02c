import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expect } from '../../dashboard/expect.ts';
import { useDashboard } from '../../dashboard/use-dashboard.ts';
import { useSite } from '../../helpers/use-site.ts';

describe('outdated data is not shown', () => {
  const dashboard = useDashboard();
  const site = useSite({ log: false });
  const scraped = async (path: string, more: object = {}): Promise<string> =>
    (await dashboard.service.scrape({ url: site.url + path, ...more })).body.id!;

  test('after another user has signed in in another tab, no data of the previous user is shown', async () => {
    await dashboard.service.api('POST', '/api/v1/keys/', { body: { name: 'Of the administrator' } });
    const other = await dashboard.user('other@example.com');
    const page = await dashboard.open('/keys');
    await page.getByText('Of the administrator').waitFor();
    const headers = { origin: dashboard.service.base };
    const entered = await page.context().request.post('/api/v1/session/', { data: other, headers });
    assert.equal(entered.status(), 201);
    // As when the user returns to the tab.
    await expect(async () => {
      // The page may also ask by itself at this moment, and load again.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    }).toPass({ timeout: 20_000 });
    await page.getByRole('button', { name: `Account of ${other.email}` }).waitFor();
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    await expect(page.getByText('Of the administrator')).toHaveCount(0);
  });

  test('the back button does not show a deleted record again', async () => {
    await scraped('/html/300?deleted');
    const page = await dashboard.open('/history');
    await page
      .getByRole('table')
      .getByRole('link', { name: /deleted/ })
      .click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the scrape' }).click();
    await page.waitForURL('**/history');
    await page.getByText('The scrape was deleted.').waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'No such scrape' }).waitFor();
  });

  test('if a stored request cannot be loaded, the page does not say that it was not stored', async () => {
    const id = await scraped('/html/300?kept');
    const page = await dashboard.page();
    const address = '**/api/v1/scrape/*/request/';
    await page.route(address, (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto(`/history/${id}`);
    await page.getByRole('alert').getByText('The service answered with status 503.').waitFor();
    await expect(page.getByText('It was not stored')).toHaveCount(0);
    await page.unroute(address);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: 'the request as JSON' }).getByText('?kept').waitFor();
  });

  test('a last use of a moment ago is not shown as a time in the future', async () => {
    const page = await dashboard.page();
    await page.clock.install();
    await page.goto('/keys');
    const used = page.getByRole('row', { name: /first/ }).getByRole('time').last();
    await used.waitFor();
    // The list comes anew before the words on it are next looked at.
    await page.clock.fastForward(20_000);
    const at = new Date(await page.evaluate(() => Date.now() - 1_000)).toISOString();
    await page.route('**/api/v1/keys/', async (route) => {
      const answer = await route.fetch();
      const { items } = (await answer.json()) as { items: { last_used_at: string | null }[] };
      await route.fulfill({ json: { items: items.map((key) => ({ ...key, last_used_at: at })) } });
    });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await expect(used).toHaveAttribute('datetime', at);
    // The words have come with the time. Later, they might become right by themselves.
    const words = await used.textContent();
    assert.equal(words, 'just now');
  });

  test('the start time of an export is computed from the preset when the export is requested', async () => {
    const page = await dashboard.page();
    await page.clock.install();
    await page.goto('/history?last=15m&live=off');
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    await page.clock.fastForward(3_600_000);
    await page.getByRole('button', { name: 'Export' }).click();
    const link = page.getByRole('menuitem', { name: 'CSV, for spreadsheets' });
    await expect(link).toHaveAttribute('href', /[?&]from=/);
    const from = new URL((await link.getAttribute('href'))!, page.url()).searchParams.get('from')!;
    const age = (await page.evaluate(() => Date.now())) - Date.parse(from);
    assert.ok(age < 16 * 60_000, `${age} ms`);
  });
});
