import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { formatBytes } from '../../../dashboard/src/ui/format.ts';
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
  readonly cost: number;
}

describe('proxies', () => {
  const site = useSite();
  const dashboard = useDashboard({ SLUICE_PROXIES: file });

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
      const { body } = await dashboard.service.api<{ pools: readonly [Figures & { proxies: Figures[] }] }>(
        'GET',
        '/api/v1/proxies/',
      );
      const [{ proxies, ...sums }] = body.pools;
      assert.ok(sums.attempts >= 4 && sums.bytes_in > 0 && sums.cost > 0);
      const line = `${sums.attempts} attempts · ${formatBytes(sums.bytes_in)} in · ${formatBytes(sums.bytes_out)} out · ${sums.cost} `;
      await page.getByText(line).waitFor();
      for (const one of proxies) {
        const row = page.getByRole('row').filter({ hasText: one.server });
        const cells = (await row.locator('td[data-numeric]').allTextContents()).map((text) => text.trim());
        const { in_flight, attempts, failed, blocked, bytes_in, bytes_out } = one;
        const counts = [in_flight, attempts, failed, blocked].map(String);
        assert.deepEqual(cells, [...counts, formatBytes(bytes_in + bytes_out)]);
      }
      assert.doesNotMatch(await page.content(), /geheim/);
      await expectAccessible(page);
    }
    const page = await dashboard.open('/proxies');
    write({ pools: [{ ...pool, type: 'isp' }] });
    await page.getByText('The changed proxy file has errors').waitFor({ timeout: 20_000 });
    await page.getByText('/pools/0/type').waitFor();
    await expectAccessible(page);
    write({ pools: [pool] });
    await page.getByText('The changed proxy file has errors').waitFor({ state: 'detached', timeout: 20_000 });
  });

  test('only administrators see the page; the playground offers pools and countries to all users', async () => {
    const user = await dashboard.user('nobody-special@example.com');
    const page = await dashboard.open('/proxies', { as: user });
    assert.equal(await page.getByText('own-pool').count(), 0);
    assert.equal(await page.getByRole('link', { name: 'Proxies' }).count(), 0);
    await page.goto('/playground');
    await page.getByText('Proxy', { exact: true }).first().click();
    await page.getByRole('combobox', { name: 'Pool' }).click();
    await page.getByRole('option', { name: 'own-pool' }).click();
    await page.getByRole('combobox', { name: 'Country' }).click();
    await page.getByRole('option', { name: 'DE' }).waitFor();
  });
});
