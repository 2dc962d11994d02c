import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { formatBytes } from '../../../dashboard/src/ui/format.ts';
import { expect } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { closedPort } from '../../egress/loopback.ts';
import { startProxy } from '../../helpers/proxy-server.ts';
import { useSite } from '../../helpers/use-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-proxies-'));
const file = join(folder, 'proxies.json');
const proxy = await startProxy();
const pool = {
  name: 'own-pool',
  type: 'datacenter',
  countries: ['DE'],
  proxies: [`http://user:geheim@127.0.0.1:${proxy.port}`, `http://127.0.0.1:${await closedPort()}`],
  price_per_gb: 0.5,
};
const write = (content: unknown) => writeFileSync(file, JSON.stringify(content));
write({ pools: [pool] });
const vendors = join(folder, 'vendors.json');
const vendor = {
  name: 'own-vendor',
  kind: 'http',
  base_url: `http://127.0.0.1:${await closedPort()}`,
  options: { path: '/?u={url}', answer: { body: 'raw' } },
};
writeFileSync(vendors, JSON.stringify({ vendors: [vendor] }));
after(async () => {
  await proxy.close();
  rmSync(folder, { recursive: true });
});

interface Figures {
  readonly server: string;
  readonly in_flight: number;
  readonly attempts: number;
  readonly failed: number;
  readonly blocked: number;
  readonly bytes_in: number;
  readonly bytes_out: number;
}

describe('proxies', () => {
  const site = useSite();
  const dashboard = useDashboard({ SLUICE_PROXIES: file, SLUICE_VENDORS: vendors });

  test('shows pools, health and traffic, and the errors of an invalid file', async () => {
    const ask = { url: `${site.url}/text`, scraper: 'http', router: { max_attempts: 2 } };
    for (let at = 0; at < 4; at++) {
      const { body } = await dashboard.service.scrape(ask);
      assert.equal(body.status_code, 200);
    }
    for (const more of [{}, { size: NARROW, scheme: 'dark' }] as const) {
      const page = await dashboard.open('/proxies', more);
      await page.getByRole('heading', { level: 1, name: 'Proxies' }).waitFor();
      await page.getByRole('heading', { level: 2, name: 'own-pool' }).waitFor();
      await page.getByText(`http://127.0.0.1:${proxy.port}`).waitFor();
      await page.getByText('connection refused').waitFor();
      await page.getByText(/^Failing since /).waitFor();
      await page.getByText('1 failing').waitFor();
      await page.getByText('1 working').waitFor();
      await page.getByRole('columnheader', { name: 'Failed' }).waitFor();
      const table = page.getByRole('region', { name: 'Proxies of own-pool' });
      await expect
        .poll(() => table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
        .toBe(true);
      await expect(page.getByText(/pools? does not work/)).toHaveCount(0);
      type Totals = { attempts: number; failed: number; bytes: number; cost: number };
      const history = await dashboard.service.api<{ pools: readonly [{ totals: Totals }] }>(
        'GET',
        '/api/v1/proxies/history/',
      );
      const { attempts: all, failed: broken, bytes, cost: price } = history.body.pools[0].totals;
      assert.ok(all >= 4 && bytes > 0 && price > 0);
      const line = `Attempts in the last 24 hours: ${all} · proxy failed: ${broken} · blocked: 0 · ${formatBytes(bytes)}`;
      await page.getByText(line).waitFor();
      await page.getByText('Attempts since this process of the service started:').waitFor();
      await page.getByText('Pools are set in the file of SLUICE_PROXIES').waitFor();
      await expect(page.getByRole('button', { name: 'Add a pool' })).toHaveCount(0);
      await page.getByRole('slider', { name: 'own-pool: Attempts by outcome' }).waitFor();
      const { body } = await dashboard.service.api<{ pools: readonly [{ proxies: Figures[] }] }>(
        'GET',
        '/api/v1/proxies/',
      );
      for (const one of body.pools[0].proxies) {
        const row = page.getByRole('row').filter({ hasText: one.server });
        const { in_flight, attempts, failed, blocked, bytes_in, bytes_out } = one;
        const counts = [in_flight, attempts, failed, blocked].map(String);
        await expect(row.locator('td[data-numeric]')).toHaveText([
          ...counts,
          formatBytes(bytes_in + bytes_out),
        ]);
      }
      assert.doesNotMatch(await page.content(), /geheim/);
      await expectAccessible(page);
    }
    const page = await dashboard.open('/proxies');
    // Both are refused: the new pool comes first, with a summary.
    const dead = { name: 'dead-pool', type: 'mobile', proxies: pool.proxies.slice(1) };
    const idle = { ...dead, name: 'idle-pool', type: 'residential' };
    write({ pools: [pool, idle, dead] });
    await page.getByRole('heading', { level: 2, name: 'dead-pool' }).waitFor();
    await page.getByText('1 not tried yet').first().waitFor();
    await dashboard.service.scrape({ ...ask, proxy: { type: 'mobile' } });
    const alert = page.getByRole('alert').filter({ hasText: '1 of 3 pools does not work' });
    await alert.getByText(/^dead-pool: no proxy has worked since /).waitFor();
    await expect(page.locator('main h2').first()).toHaveText('dead-pool');
    await page.getByRole('region', { name: 'idle-pool', exact: true }).getByText('1 not tried yet').waitFor();
    write({ pools: [dead] });
    await page.getByRole('alert').filter({ hasText: 'The only pool does not work' }).waitFor();
    write({ pools: [{ ...pool, type: 'isp' }] });
    await page.getByText('The changed proxy file has errors').waitFor();
    await page.getByText('/pools/0/type').waitFor();
    await expectAccessible(page);
    write({ pools: [pool] });
    await page.getByText('The changed proxy file has errors').waitFor({ state: 'detached' });
  });

  test('tests pools and vendors of a file, and does not change them', async () => {
    for (const [path, name] of [
      ['/proxies', 'own-pool'],
      ['/vendors', 'own-vendor'],
    ] as const) {
      const page = await dashboard.open(path);
      await page
        .getByText(path === '/proxies' ? 'in the file of SLUICE_PROXIES' : 'in the file of SLUICE_VENDORS')
        .waitFor();
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await expect(page.getByRole('menuitem')).toHaveText(['Test']);
      await page.getByRole('menuitem', { name: 'Test' }).click();
      const dialog = page.getByRole('dialog', { name: `Test “${name}”` });
      await dialog.getByLabel('URL').fill(`${site.url}/text`);
      await dialog.getByRole('button', { name: 'Run the test' }).click();
      await dialog
        .getByText(path === '/proxies' ? '1 of 2 tested proxies work' : 'own-vendor cannot be reached')
        .waitFor();
      await expect(page.getByRole('button', { name: /^Add a/ })).toHaveCount(0);
      await expectAccessible(page);
    }
  });

  test('only administrators see the page; the playground offers pools and countries to all users', async () => {
    const user = await dashboard.user('nobody-special@example.com');
    const page = await dashboard.open('/proxies', { as: user });
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await expect(page.getByText('own-pool')).toHaveCount(0);
    await page.goto('/playground');
    await expect(page.getByRole('link', { name: 'Playground' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Proxies' })).toHaveCount(0);
    await page.getByText('Proxy', { exact: true }).first().click();
    await page.getByRole('combobox', { name: 'Pool' }).click();
    await page.getByRole('option', { name: 'own-pool' }).click();
    await page.getByRole('combobox', { name: 'Country' }).click();
    await page.getByRole('option', { name: 'DE' }).waitFor();
  });
});
