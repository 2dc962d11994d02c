import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { awayFromMidnight, NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { startProxy } from '../../helpers/proxy-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-pools-and-vendors-'));
const prices = join(folder, 'prices.json');
writeFileSync(prices, JSON.stringify({ currency: 'EUR', scrapers: { http: 0 } }));
const proxy = await startProxy({ auth: ['u', 'geheim-1'] });
after(async () => {
  await proxy.close();
  rmSync(folder, { recursive: true });
});

const baseOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const listen = async (server: Server) => {
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
};

describe('proxy pools and vendors in the dashboard', () => {
  const dashboard = useDashboard({ SLUICE_PRICES: prices });
  const target = createServer((_, response) => response.end('{"ip": "203.0.113.7"}'));
  const api = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>a page with a few words</p>'),
  );
  before(() => Promise.all([listen(target), listen(api)]));
  after(() => {
    target.close();
    api.close();
  });
  const action = async (page: Page, of: string, name: string) => {
    await page.getByRole('button', { name: `Actions for ${of}` }).click();
    await page.getByRole('menuitem', { name }).click();
  };

  test('a pool is added, tested, edited without its password, and deleted', async () => {
    const page = await dashboard.open('/proxies');
    await page.getByText('No proxy pools yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add a pool' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Add the pool' }).click();
    await form.getByText('Enter at least one proxy.').waitFor();
    await form.getByLabel('Name', { exact: true }).fill('own');
    await form.getByLabel('Proxies', { exact: true }).fill(`u:geheim-1@127.0.0.1:${proxy.port} DE\nftp://x`);
    await form.getByRole('button', { name: 'Add the pool' }).click();
    // What the service refuses is shown at the field.
    await form.getByText('Entry 2 ').waitFor();
    await expect(form.locator('[data-path=proxies]')).toBeFocused();
    await expectAccessible(page);
    await form.getByLabel('Proxies', { exact: true }).fill(`u:geheim-1@127.0.0.1:${proxy.port} DE`);
    await form.getByLabel('Price per GB').fill('2.5');
    await form.getByRole('button', { name: 'Add the pool' }).click();
    await form.waitFor({ state: 'detached' });
    const pool = page.getByRole('region', { name: 'own', exact: true });
    await pool.getByText('datacenter · DE · 2.5 EUR per GB').waitFor();

    await action(page, 'own', 'Test');
    const dialog = page.getByRole('dialog', { name: 'Test “own”' });
    await dialog.getByRole('button', { name: 'Run the test' }).click();
    await dialog.getByText('Enter a URL.').waitFor();
    await dialog.getByLabel('URL').fill(`${baseOf(target)}/ip`);
    await dialog.getByRole('button', { name: 'Run the test' }).click();
    await dialog.getByText('1 of 1 tested proxies work; the pool has 1.').waitFor();
    await dialog.getByRole('cell', { name: '203.0.113.7' }).waitFor();
    await dialog.getByText('Works, 200').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await pool.getByText('Attempts in the last 24 hours: 1').waitFor();
    await pool.getByRole('slider', { name: 'own: Attempts by outcome' }).press('End');
    await expectAccessible(page);

    await action(page, 'own', 'Edit');
    await expect(form.getByLabel('Proxies', { exact: true })).toHaveValue(
      `http://***@127.0.0.1:${proxy.port} DE`,
    );
    await form.getByText('More').click();
    await form.getByLabel('Parallel requests per proxy').fill('7');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await pool.getByText('7 parallel requests per proxy').waitFor();
    await action(page, 'own', 'Test');
    // The URL of the last test is still there.
    await dialog.getByRole('button', { name: 'Run the test' }).click();
    await dialog.getByText('1 of 1 tested proxies work').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    const mayChooseNone = page.getByRole('switch', { name: 'Requests may choose no proxy' });
    await mayChooseNone.press('Space');
    await expect(mayChooseNone).toBeChecked();
    const phone = await dashboard.open('/proxies', { size: NARROW, scheme: 'dark' });
    await phone.getByRole('slider', { name: 'own: Healthy proxies' }).waitFor();
    await expectToFit(phone);
    await expectAccessible(phone);

    await action(page, 'own', 'Delete');
    await page.getByRole('button', { name: 'Delete the pool' }).click();
    await page.getByText('No proxy pools yet').waitFor();
    assert.doesNotMatch(await page.content(), /geheim/);
  });

  test('a failure that belongs to no field is scrolled into view', async () => {
    const page = await dashboard.open('/proxies', { size: NARROW });
    await page.getByRole('button', { name: 'Add a pool' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name', { exact: true }).fill('far');
    await form.getByLabel('Proxies', { exact: true }).fill('127.0.0.1:9 DE');
    await form.getByText('More').click();
    await page.route('**/api/v1/proxies/pools/', (route) => route.fulfill({ status: 503, body: '' }));
    await form.getByRole('button', { name: 'Add the pool' }).click();
    await expect(form.getByRole('alert')).toBeInViewport({ ratio: 1 });
  });

  test('a vendor is added, tested with its cost, edited without its key, and deleted', async () => {
    await awayFromMidnight();
    const page = await dashboard.open('/vendors');
    await page.getByText('No vendors yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add a vendor' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name', { exact: true }).fill('own');
    await form.getByRole('button', { name: 'Add the vendor' }).click();
    await form.getByText('is needed for this kind').waitFor();
    await form.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Your own API' }).click();
    await form.getByLabel('Key (optional)').fill('geheim-2');
    await form.getByLabel('Base URL').fill(baseOf(api));
    await form.getByRole('combobox', { name: 'Price' }).click();
    await page.getByRole('option', { name: 'Per request', exact: true }).click();
    await form.getByLabel('Amount in EUR').fill('0.125');
    await form.getByLabel('Daily cap in EUR').fill('5');
    await form.getByLabel('Options (JSON)').fill('{"path": ');
    await form.getByRole('button', { name: 'Add the vendor' }).click();
    await form.getByText('Enter a JSON object').waitFor();
    await expectAccessible(page);
    // An error opens the part that has its field.
    await form.getByText('More', { exact: true }).click();
    await form.getByLabel('Options (JSON)').waitFor({ state: 'hidden' });
    await form.getByRole('button', { name: 'Add the vendor' }).click();
    await expect(form.locator('[data-path=options]')).toBeFocused();
    await form.getByLabel('Options (JSON)').fill('{"path": "/?u={url}", "answer": {"body": "raw"}}');
    await form.getByRole('button', { name: 'Add the vendor' }).click();
    await form.waitFor({ state: 'detached' });
    const row = page.getByRole('table', { name: 'Vendors' }).getByRole('row').filter({ hasText: 'own' });
    await row.getByText('Ready').waitFor();
    await row.getByText('0.125 EUR per request').waitFor();

    await action(page, 'own', 'Test');
    const dialog = page.getByRole('dialog', { name: 'Test “own”' });
    await dialog.getByLabel('URL').fill(`${baseOf(target)}/page`);
    await dialog.getByRole('button', { name: 'Run the test' }).click();
    await dialog.getByText('0.125 EUR, by your price').waitFor();
    await dialog.getByText('Works').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await row.getByRole('cell', { name: '0.125 of 5 EUR', exact: true }).waitFor();
    const cost = page.getByRole('slider', { name: 'Cost of own, in EUR' });
    const requests = page.getByRole('slider', { name: 'Requests to own' });
    // Side by side, they begin at one height, although only one has a legend.
    await expect(async () => {
      expect((await cost.boundingBox())!.y).toBe((await requests.boundingBox())!.y);
    }).toPass({ timeout: 20_000 });
    await cost.press('End');
    await expectAccessible(page);

    await action(page, 'own', 'Edit');
    await expect(form.getByLabel('Base URL')).toHaveValue(baseOf(api));
    await expect(form.getByLabel('Key (optional)')).toHaveValue('');
    const isForAuto = form.getByRole('switch', { name: 'Use it for scraper: auto' });
    await isForAuto.press('Space');
    await expect(isForAuto).toBeChecked();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await row.getByText('used by auto').waitFor();
    const { body } = await dashboard.service.api<{ key: string }>('GET', '/api/v1/vendors/own/');
    assert.equal(body.key, '***');

    const phone = await dashboard.open('/vendors', { size: NARROW, scheme: 'dark' });
    await phone.getByRole('slider', { name: 'Requests to own' }).waitFor();
    await expectToFit(phone);
    await expectAccessible(phone);

    await action(page, 'own', 'Delete');
    await page.getByRole('button', { name: 'Delete the vendor' }).click();
    await page.getByText('No vendors yet').waitFor();
    assert.doesNotMatch(await page.content(), /geheim/);
  });
});
