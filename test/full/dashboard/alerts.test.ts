import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../../dashboard/expect-accessible.ts';
import { NARROW, useDashboard } from '../../dashboard/use-dashboard.ts';
import { type Receiver, startReceiver } from '../../helpers/receiver.ts';

const fits = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

describe('the page Alerts', () => {
  const dashboard = useDashboard({ SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' });
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver[Symbol.asyncDispose]());
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
    await form.getByRole('button', { name: 'Create the alert' }).click();
    await form.getByText('Enter where the messages go.').waitFor();
    await expectAccessible(page);
    // What the service refuses is shown in the form.
    await form.getByLabel('URL').fill('http://10.0.0.1/');
    await form.getByRole('button', { name: 'Create the alert' }).click();
    await form.getByText('has an address that webhooks may not reach').waitFor();
    await form.getByLabel('URL').fill(receiver.url);
    await form.getByLabel('Used share in %').fill('1');
    await form.getByRole('button', { name: 'Create the alert' }).click();
    await form.waitFor({ state: 'detached' });
    const rules = page.getByRole('table', { name: 'Rules of alerts, newest first' });
    await rules.getByText(`Webhook: ${receiver.url}`).waitFor();

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

  test('fits on a phone', async () => {
    const page = await dashboard.open('/alerts', { size: NARROW, scheme: 'dark' });
    await page.getByText('No alerts yet').waitFor();
    assert.ok(await fits(page));
    await page.getByRole('button', { name: 'A site stops working' }).click();
    await page.getByRole('dialog').getByLabel('Only this host').waitFor();
    assert.ok(await fits(page));
    await expectAccessible(page);
  });
});
