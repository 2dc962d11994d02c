import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, expectToFit } from '../../dashboard/expect.ts';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { ADMIN, NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { type Receiver, startReceiver } from '../../helpers/receiver.ts';

describe('the page Alerts', () => {
  const dashboard = useDashboard({
    SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8',
    SLUICE_SMTP_URL: 'smtp://127.0.0.1:1',
    SLUICE_SMTP_FROM: 'sluice@example.com',
  });
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver[Symbol.asyncDispose]());
  const fillWebhook = async (form: Locator, url: string) => {
    await form.getByRole('radio', { name: 'Webhook' }).check();
    await form.getByLabel('URL').fill(url);
  };
  const action = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'Actions for The disk is nearly full' }).click();
    await page.getByRole('menuitem', { name }).click();
  };

  test('a suggested alert is created, tested, fires, is silenced, edited and deleted', async () => {
    const page = await dashboard.open('/alerts');
    await page.getByText('No alerts yet').waitFor();
    await page.getByText('Nothing has fired yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'The disk is nearly full' }).click();
    const form = page.getByRole('dialog');
    await fillWebhook(form, '');
    await form.getByRole('button', { name: 'Create the alert' }).click();
    await form.getByText('Enter where the messages go.').waitFor();
    await expect(form.getByLabel('URL')).toBeFocused();
    await expectAccessible(page);
    await form.getByLabel('URL').fill('hooks.example.com');
    await form.getByRole('button', { name: 'Create the alert' }).click();
    await form.getByText('Enter a whole URL').waitFor();
    // What the service refuses is shown in the form, without the pointer.
    await form.getByLabel('URL').fill('http://10.0.0.1/');
    await form.getByRole('button', { name: 'Create the alert' }).click();
    await form.getByText('This has an address that webhooks may not reach').waitFor();
    await expect(form.getByLabel('URL')).toBeFocused();
    await form.getByLabel('URL').fill('http://nowhere.invalid/');
    await form.getByRole('button', { name: 'Create the alert' }).click();
    await form.getByText('The host name nowhere.invalid does not exist.', { exact: true }).waitFor();
    await form.getByLabel('URL').fill(receiver.url);
    await form.getByLabel('Used share in %').fill('1');
    await form.getByRole('button', { name: 'Create the alert' }).click();
    await form.waitFor({ state: 'detached' });
    const rules = page.getByRole('table', { name: 'Rules of alerts, newest first' });
    await rules.getByRole('cell', { name: `Webhook: ${receiver.url}`, exact: true }).waitFor();
    await rules.getByText('Used share in %: 1', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Memory runs short' }).waitFor();

    await action(page, 'Send a test');
    const results = page.getByRole('dialog', { name: 'Results of the test' });
    await results.getByText('Delivered').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await results.waitFor({ state: 'detached' });
    assert.equal(receiver.messages[0]?.body.type, 'alert.test');
    receiver.answer = (_, response) => void response.writeHead(500).end();
    await action(page, 'Send a test');
    await results.getByText('Webhook: The receiver answered 500.').waitFor();
    await page.keyboard.press('Escape');
    await results.waitFor({ state: 'detached' });

    await action(page, 'Silence for 1 day');
    await rules.getByText('Silenced').waitFor();
    const { items } = (await dashboard.service.api('GET', '/api/v1/alerts/')).body as {
      items: { id: string }[];
    };
    await dashboard.service.api('PATCH', `/api/v1/alerts/${items[0]?.id}/`, { body: { for_s: 0 } });
    await page
      .getByRole('table', { name: 'Events of alerts, newest first' })
      .getByRole('row')
      .filter({ hasText: 'Fired' })
      .filter({ hasText: 'Silenced' })
      .waitFor({ timeout: 60_000 });
    await rules.getByText('Firing').waitFor({ timeout: 60_000 });
    await page.getByRole('navigation', { name: 'Main' }).getByText('1 firing').waitFor({ timeout: 60_000 });
    await action(page, 'End the silence');
    await rules.getByText('Silenced').waitFor({ state: 'detached' });
    await expectAccessible(page);

    await action(page, 'Edit');
    await form.getByLabel('Name').fill('Full');
    await form.getByRole('button', { name: 'Save' }).click();
    await rules.getByText('Full', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Actions for Full' }).click();
    await page.getByRole('menuitem', { name: 'Switch off' }).click();
    await rules.getByText('Off', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Actions for Full' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the alert' }).click();
    await page.getByText('No alerts yet').waitFor();
  });

  test('all settings of a site, with the defaults of the service', async () => {
    const page = await dashboard.open('/alerts');
    const form = page.getByRole('dialog');
    const rules = page.getByRole('table', { name: 'Rules of alerts, newest first' });
    const stored = async () => {
      const { body } = await dashboard.service.api<{ items: Record<string, unknown>[] }>(
        'GET',
        '/api/v1/alerts/',
      );
      const { conditions, for_s, clear_for_s } = body.items[0]!;
      return { conditions, for_s, clear_for_s };
    };
    await page.getByRole('button', { name: 'A site stops working' }).click();
    await fillWebhook(form, receiver.url);
    await expect(form.getByLabel('Count the scrapes of all users')).toBeChecked();
    await form.getByText('More settings').click();
    await form.getByText('Default: 1 hour.').waitFor();
    await expect(form.getByLabel('Unit of “Watch the last”')).toHaveText(/hour$/);
    await form.getByText('How long “Drop in percentage points” must be at least 30.').waitFor();
    await form.getByLabel('Resolve at or below, in percentage points').waitFor();
    await form.getByText('Between this value and 30, nothing changes. Empty: 15.').waitFor();
    await form.getByText('How long “Drop in percentage points” must be at most 15.').waitFor();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create the alert' }).click();
    await form.waitFor({ state: 'detached' });
    const usual = {
      conditions: {
        subject: null,
        threshold: 0.3,
        clear_threshold: 0.15,
        all_users: true,
        window_s: 3600,
        min_scrapes: 20,
        baseline_days: 7,
      },
      for_s: 300,
      clear_for_s: 300,
    };
    assert.deepEqual(await stored(), usual);

    await rules.getByRole('button', { name: 'Actions for A site stops working' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await form.getByLabel('Only this site').fill('Bücher.example:8080');
    await form.getByText('More settings').click();
    await form.getByLabel('Watch the last', { exact: true }).fill('1');
    await form.getByLabel('Unit of “Watch the last”').selectOption('minute');
    await form.getByLabel('Resolve at or below').fill('30');
    await form.getByLabel('Fire after', { exact: true }).fill('25');
    await form.getByLabel('Unit of “Fire after”').selectOption('hours');
    // An error opens the part that has the field.
    await form.getByText('More settings').click();
    await expect(form.getByLabel('Watch the last', { exact: true })).toBeHidden();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Enter 5 minutes to 24 hours.').waitFor();
    await expect(form.getByLabel('Watch the last', { exact: true })).toBeFocused();
    await form.getByText('Enter less than the value that fires (30).').waitFor();
    await form.getByText('Enter at most 24 hours.').waitFor();
    await expectAccessible(page);
    await form.getByLabel('Watch the last', { exact: true }).fill('10');
    await form.getByLabel('Days to compare with').fill('3');
    await form.getByLabel('Scrapes needed').fill('50');
    await form.getByLabel('Count the scrapes of all users').uncheck();
    await form.getByLabel('Resolve at or below').fill('12.5');
    await form.getByLabel('Fire after', { exact: true }).fill('2');
    await form.getByLabel('Resolve after', { exact: true }).fill('90');
    await form.getByLabel('Unit of “Resolve after”').selectOption('seconds');
    await page.route('**/api/v1/alerts/?*', async (route) => {
      await pause(1_000);
      await route.continue();
    });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    const changed = {
      conditions: {
        subject: 'xn--bcher-kva.example',
        threshold: 0.3,
        clear_threshold: 0.125,
        all_users: false,
        window_s: 600,
        min_scrapes: 50,
        baseline_days: 3,
      },
      for_s: 7200,
      clear_for_s: 90,
    };
    assert.deepEqual(await stored(), changed);
    // Saved again as it is shown, it stays the same, also if the list loads slowly.
    await rules.getByRole('button', { name: 'Actions for A site stops working' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await expect(form.getByLabel('Only this site')).toHaveValue('bücher.example');
    await expect(form.getByLabel('Resolve after', { exact: true })).toHaveValue('90');
    await page.unrouteAll({ behavior: 'wait' });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    assert.deepEqual(await stored(), changed);
  });

  test('keys, monitors, pools and vendors are chosen by name; other kinds get the defaults of the service', async () => {
    const { api } = dashboard.service;
    const made = async (path: string, body: object) => {
      const reply = await api<{ id: string }>('POST', path, { body });
      assert.equal(reply.status, 201, JSON.stringify(reply.body));
      return reply.body.id;
    };
    const key = await made('/api/v1/keys/', {
      name: 'shop key',
      daily_budget: { amount: 5, unit: 'scrapes' },
    });
    const monitor = await made('/api/v1/monitors/', {
      name: 'shop monitor',
      request: { url: 'http://127.0.0.1:1/' },
      schedule: { every_s: 86_400 },
      first_run: 'scheduled',
    });
    await made('/api/v1/proxies/pools/', {
      name: 'shop-pool',
      type: 'datacenter',
      proxies: ['http://127.0.0.1:1'],
    });
    const page = await dashboard.open('/alerts');
    const form = page.getByRole('dialog');
    const cases = [
      ['A budget is nearly spent', 'Only this key', 'shop key', key, [0.8, 0.7, 0, 0]],
      ['A monitor fails', 'Only this monitor', 'shop monitor', monitor, [3, 0, 0, 0]],
      ['A proxy pool does not work', 'Only this pool', 'shop-pool', 'shop-pool', [1, 0.5, 300, 300]],
      ['A vendor does not work', 'Only this vendor', null, null, [1, 0, 0, 600]],
      ['Memory runs short', null, null, null, [0.9, 0.8, 300, 300]],
    ] as const;
    for (const [kind, label, choice, subject, [threshold, clear, forS, clearForS]] of cases) {
      await page.getByRole('button', { name: 'Create an alert' }).first().click();
      await fillWebhook(form, receiver.url);
      await form.getByRole('combobox', { name: 'Alert me when' }).click();
      await page.getByRole('option', { name: kind }).click();
      if (label !== null) {
        await form.getByRole('combobox', { name: label }).click();
        if (choice === null) await form.getByPlaceholder('There are none to choose.').waitFor();
        else await page.getByRole('option', { name: choice }).click();
        await expectAccessible(page);
      }
      await expect(form.getByLabel('URL'), 'it stays when the kind changes').toHaveValue(receiver.url);
      await form.getByRole('button', { name: 'Create the alert' }).click();
      await form.waitFor({ state: 'detached' });
      const { body } = await api<{ items: object[] }>('GET', '/api/v1/alerts/');
      assert.partialDeepStrictEqual(body.items[0], {
        conditions: { subject, threshold, clear_threshold: clear },
        for_s: forS,
        clear_for_s: clearForS,
      });
    }
    // What the service refuses is shown at its field.
    await page.getByText('Key: shop key').waitFor();
    await page.getByText('Monitor: shop monitor').waitFor();
    await page.getByRole('button', { name: 'Create an alert' }).first().click();
    await fillWebhook(form, receiver.url);
    await form.getByRole('combobox', { name: 'Alert me when' }).click();
    await page.getByRole('option', { name: 'A monitor fails' }).click();
    await form.getByRole('combobox', { name: 'Only this monitor' }).click();
    await page.getByRole('option', { name: 'shop monitor' }).waitFor();
    assert.equal((await api('DELETE', `/api/v1/monitors/${monitor}/`)).status, 204);
    await page.getByRole('option', { name: 'shop monitor' }).click();
    dashboard.allow(/status of 400/);
    await form.getByRole('button', { name: 'Create the alert' }).click();
    await form.getByText('This is no monitor of yours').waitFor();
    await expect(form.getByRole('combobox', { name: 'Only this monitor' })).toHaveAttribute(
      'aria-invalid',
      'true',
    );
  });

  test('one click and Enter on the page of a site create an alert by e-mail', async () => {
    const page = await dashboard.open('/sites?host=shop.example:8080');
    await page.getByRole('link', { name: 'Alert me' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Only this site').waitFor();
    // Whoever cancels is back at the site.
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Alert me' }).click();
    await form.getByLabel('Only this site').waitFor();
    await expect(form.getByLabel('Addresses')).toBeFocused();
    await expect(form.getByLabel('Only this site')).toHaveValue('shop.example');
    await expect(form.getByLabel('Addresses')).toHaveValue(ADMIN.email);
    await expect(form.getByRole('radio', { name: 'E-mail' })).toBeChecked();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await form.waitFor({ state: 'detached' });
    await expect(page).toHaveURL(({ pathname, search }) => pathname === '/alerts' && search === '');
    const rules = page.getByRole('table', { name: 'Rules of alerts, newest first' });
    const row = rules.getByRole('row').filter({ hasText: 'shop.example stops working' });
    await row.getByText('Site: shop.example').waitFor();
    await row.getByText('Drop in percentage points: 30').waitFor();
    await row.getByRole('cell', { name: `E-mail: ${ADMIN.email}`, exact: true }).waitFor();

    // Without a mail server, the form says what it needs.
    await page.route('**/api/v1/alerts/?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        json: { ...(await response.json()), channel_types: ['webhook', 'slack'] },
      });
    });
    const sites = ['shop.example:8080', 'other'].map((host) => ({ host }));
    await page.route('**/api/v1/sites/?*', (route) =>
      route.fulfill({ json: { items: sites, next_cursor: null, cost_unit: 'effort' } }),
    );
    await page.reload();
    await page.getByRole('button', { name: 'Create an alert' }).first().click();
    await form.getByText('sets SLUICE_SMTP_URL').waitFor();
    // All other hosts are no site.
    await form.getByLabel('Only this site').click();
    await page.getByRole('option', { name: 'shop.example' }).waitFor();
    await expect(page.getByRole('option')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(form.getByRole('radio', { name: 'Slack' })).toBeChecked();
    await expect(form.getByRole('radio', { name: 'E-mail' })).toHaveCount(0);
    await expectAccessible(page);
  });

  test('fits on a phone', async () => {
    const page = await dashboard.open('/alerts', { size: NARROW, scheme: 'dark' });
    await page.getByText(`Messages go to: E-mail: ${ADMIN.email}`).waitFor();
    await expectToFit(page);
    await page.getByRole('button', { name: 'Create an alert' }).first().click();
    await page.getByRole('dialog').getByLabel('Only this site').waitFor();
    await page.getByRole('dialog').getByText('More settings').click();
    await page.getByRole('dialog').getByLabel('Fire after', { exact: true }).waitFor();
    await expectToFit(page);
    await expectAccessible(page);
  });
});
