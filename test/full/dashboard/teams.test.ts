import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { totpCode } from '../../../src/account/totp.ts';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { seedMonitor } from '../../dashboard/seed-monitor.ts';
import { ADMIN, NARROW, settled, useDashboard } from '../../dashboard/use-dashboard.ts';
import { useSite } from '../../helpers/use-site.ts';
import { base32Bytes } from '../../helpers/visitor.ts';

describe('teams', () => {
  const dashboard = useDashboard();
  const site = useSite();

  test('the second factor: on with a QR code, asked for at sign-in, reset by an administrator', async () => {
    const user = await dashboard.user('careful@example.com');
    const page = await dashboard.open('/account', { as: user });
    const panel = page.getByRole('region', { name: 'Second factor' });
    await panel.getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog', { name: 'Turn on the second factor' });
    await dialog.getByLabel('Your password', { exact: true }).fill('not the password');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('The password is wrong.').waitFor();
    await dialog.getByLabel('Your password', { exact: true }).fill(user.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code of the key' }).waitFor();
    await expectAccessible(page);
    const secret = base32Bytes((await dialog.locator('code').textContent())!.replaceAll(' ', ''));
    await dialog.getByLabel('Code', { exact: true }).fill(totpCode(secret, Math.floor(Date.now() / 30_000)));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const codes = (await dialog.getByLabel('recovery codes', { exact: true }).textContent())!.split('\n');
    assert.equal(codes.length, 10);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await panel.getByText('10 of 10 recovery codes are left.').waitFor();

    const other = await dashboard.open('/sign-in', { as: null, size: NARROW, scheme: 'dark' });
    await other.getByLabel('E-mail').fill(user.email);
    await other.getByLabel('Password', { exact: true }).fill(user.password);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByLabel('Code').waitFor();
    await expect(other.getByRole('alert')).toHaveCount(0);
    await expectAccessible(other);
    await other.getByLabel('Code').fill('000000');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('alert').getByText('The code is wrong').waitFor();
    await other.getByLabel('Code').fill(codes[0]!);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    const admin = await dashboard.open('/users');
    await admin.getByRole('button', { name: `Actions for ${user.email}` }).click();
    await admin.getByRole('menuitem', { name: 'Reset the second factor' }).click();
    await admin.getByRole('dialog').getByRole('button', { name: 'Reset the second factor' }).click();
    await admin.getByText(`The second factor of ${user.email} is removed.`).waitFor();
    await page.reload();
    await panel.getByRole('button', { name: 'Turn on' }).waitFor();
  });

  test('the audit log: filters, pages and exports', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const page = await dashboard.open('/audit?action=user.created', { scheme });
      const table = page.getByRole('table', { name: 'Audit log, newest first' });
      await table.getByText('User added').first().waitFor();
      await expect(table.getByText('Signed in')).toHaveCount(0);
      await expectAccessible(page);
    }
    const page = await dashboard.open('/audit', { size: NARROW });
    await page
      .getByRole('cell', { name: `Signed in ${ADMIN.email}` })
      .first()
      .waitFor();
    await page.getByRole('cell', { name: ADMIN.email }).first().waitFor();
    const { body: key } = await dashboard.service.api<{ id: string }>('POST', '/api/v1/keys/', {
      body: { name: 'Night crawler', daily_budget: { unit: 'scrapes', amount: 5 } },
    });
    await dashboard.service.api('DELETE', `/api/v1/keys/${key.id}/`);
    await page.goto(`/audit?target_id=${key.id}`);
    // On a narrow screen, the first column also says what an entry is about.
    await page.getByRole('cell', { name: 'API key revoked Night crawler' }).waitFor();
    await page.getByRole('cell', { name: 'API key created Night crawler · name, daily budget' }).waitFor();
    await expect(page.getByRole('cell', { name: /^Signed in/ })).toHaveCount(0);
    await page.getByText('Only entries about the key “Night crawler”').waitFor();
    // The exact time, and who did it, without a break inside the address.
    await page
      .getByRole('cell', { name: /^\d+ \w+ \d{4}, \d\d:\d\d:\d\d$/ })
      .first()
      .waitFor();
    const actor = page.getByText(`By ${ADMIN.email} with the key first`).first();
    const lines = () =>
      actor.evaluate((element, email) => {
        const text = [...element.childNodes].find(({ textContent }) => textContent === email)!;
        const range = document.createRange();
        range.selectNodeContents(text);
        return range.getClientRects().length;
      }, ADMIN.email);
    await expect.poll(lines).toBe(1);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show all entries' }).click();
    await page
      .getByRole('cell', { name: /^Signed in/ })
      .first()
      .waitFor();
    await expectToFit(page);
    await expectAccessible(page);
    const { api } = dashboard.service;
    const invited = { email: 'gone@example.com' };
    const { body: invitation } = await api<{ id: string }>('POST', '/api/v1/invitations/', { body: invited });
    const users = await dashboard.open('/users');
    await users.getByRole('region', { name: 'Other users' }).waitFor();
    await users.getByRole('button', { name: 'Actions for gone@example.com' }).click();
    // There is no mail server.
    await users.getByRole('menuitem', { name: 'New link' }).waitFor();
    await api('DELETE', `/api/v1/invitations/${invitation.id}/`);
    const pin = { scraper: 'http', proxy_type: 'residential' };
    await api('POST', '/api/v1/sites/pinned.example/pin/', { body: pin });
    await page.reload();
    await page.getByRole('cell', { name: 'Invitation revoked gone@example.com' }).waitFor();
    await page.getByRole('cell', { name: 'Method pinned pinned.example · http · residential' }).waitFor();
    await page.goto(`/audit?user_id=${invitation.id}`);
    await page.getByRole('cell', { name: 'User invited gone@example.com' }).waitFor();
    const href = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
    const exported = await page.evaluate(async (url) => (await fetch(url!)).text(), href);
    assert.match(exported, /^id,at,actor_user_id/);
  });

  test('a viewer sees the pages of all users, without what changes something', async () => {
    const user = await dashboard.user('watches@example.com');
    const { body } = await dashboard.service.api<{ items: { id: string; email: string }[] }>(
      'GET',
      '/api/v1/users/',
    );
    const { id } = body.items.find(({ email }) => email === user.email)!;
    await dashboard.service.api('PATCH', `/api/v1/users/${id}/`, { body: { role: 'viewer' } });
    const page = await dashboard.open('/users', { as: user });
    await page.getByRole('cell', { name: ADMIN.email }).waitFor();
    await page.getByRole('cell', { name: 'Viewer', exact: true }).waitFor();
    await expect(page.getByRole('button', { name: /Actions for|Add a user/ })).toHaveCount(0);
    const item = (text: RegExp) =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link').filter({ hasText: text });
    await expect(item(/^(System|Audit)$/)).toHaveText(['System', 'Audit']);
    await expect(item(/^(Playground|API keys)$/)).toHaveCount(0);
    await expectAccessible(page);
    for (const [path, title] of [
      ['/jobs', 'Jobs'],
      ['/monitors', 'Monitors'],
      ['/webhooks', 'Webhooks'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await settled(page);
      await expect(page.getByRole('link', { name: /^New / }), path).toHaveCount(0);
    }
    await page.goto(`/monitors/${await seedMonitor(dashboard.service)}`);
    const ignored = page.getByRole('region', { name: 'Ignored', exact: true });
    await ignored.waitFor();
    await page.getByText('The bridge is open again.').first().waitFor();
    await settled(page);
    await expect(page.getByRole('button', { name: /^(Ignore|Remove)/ })).toHaveCount(0);
    const { items: records } = (
      await dashboard.service.api<{ items: { id: string; host: string }[] }>('GET', '/api/v1/scrape/')
    ).body;
    await page.goto(`/sites?host=${encodeURIComponent(records[0]!.host)}`);
    await page.getByRole('region', { name: 'History' }).waitFor();
    await settled(page);
    await expect(page.getByRole('button', { name: 'Compare' })).toHaveCount(0);
    await page.goto(`/history/${records[0]!.id}`);
    await page.getByRole('tab', { name: 'Source' }).waitFor();
    await expect(page.getByRole('tab', { name: 'Picker' })).toHaveCount(0);
    const refused = await dashboard.service.scrape({
      url: `${site.url}/status/403`,
      scraper: 'http',
    });
    await page.goto(`/history/${refused.body.id}`);
    await page.getByText('The site refused access (status 403).').waitFor();
    await settled(page);
    await expect(page.getByRole('button', { name: /^(Retry|Run again)/ })).toHaveCount(0);
    await page.goto('/history');
    await page
      .getByRole('checkbox', { name: /^Select / })
      .first()
      .check();
    await page.getByRole('button', { name: 'Export selected' }).waitFor();
    await expect(page.getByRole('button', { name: 'Run again' })).toHaveCount(0);
    await page.goto('/usage');
    await page
      .getByRole('region', { name: /^Spend/ })
      .first()
      .waitFor();
    await expect(page.getByRole('region', { name: 'Daily budgets' })).toHaveCount(0);
    await page.goto('/alerts');
    await page.getByText('A viewer cannot create alerts.').waitFor();
    await page.goto('/playground');
    await page.getByRole('heading', { level: 1, name: /not found|no such page/i }).waitFor();
  });
});
